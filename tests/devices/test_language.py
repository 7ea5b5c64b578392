"""Programs are compiled as the newest OpenCL C of the device, not as its compiler's default."""

from types import SimpleNamespace

import pytest

from clmath.audit.opencl import devices, opencl_target
from clmath.audit.opencl.abilities import newest, versions
from tests.cases import for_each


class Error(Exception):
    pass


def device(named, *listed):
    """Return a device with this language name and list of versions; older devices have no list."""
    one = SimpleNamespace(opencl_c_version=named)
    if listed:
        numbers = [major << 22 | minor << 12 for major, minor in listed]
        one.opencl_c_all_versions = [SimpleNamespace(version=number) for number in numbers]
    return one


@for_each(
    "one, found",
    [
        (device("OpenCL C 1.2 PoCL", (1, 0), (1, 1), (1, 2), (3, 0)), [(3, 0)]),
        (device("OpenCL C 3.1 ", (3, 1), (3, 0), (2, 0), (1, 2)), [(3, 1), (3, 0), (2, 0)]),
        (device("OpenCL C 2.0 AMD"), [(2, 0)]),
        (device("OpenCL C 1.2 "), []),
        (device("OpenCL C 3.0", (1, 2)), [(3, 0)]),
        (device("nonsense"), []),
    ],
)
def test_versions_are_the_listed_and_the_named_ones(one, found):
    assert versions(one) == found


@pytest.mark.parametrize(
    "accepted, option",
    [((), ()), (("-cl-std=CL3.0", "-cl-std=CL2.0"), ("-cl-std=CL3.0",)), (("-cl-std=CL3.1",), ("-cl-std=CL3.1",))],
)
def test_version_that_does_not_compile_is_not_used(accepted, option):
    class Program:
        def __init__(self, _context, _text):
            pass

        def build(self, options):
            if not set(options) <= set(accepted):
                raise Error

    cl = SimpleNamespace(Program=Program, Error=Error)
    assert newest(cl, None, device("OpenCL C 1.2", (3, 1), (3, 0), (2, 0), (1, 2))) == option


@pytest.mark.slow
def test_newest_version_is_used_unless_the_user_names_another(opencl_device, clm, tmp_path):
    one = opencl_target.OpenCL(devices.find(opencl_device.removeprefix("opencl:")))
    if not versions(one._device):
        pytest.skip("the device has OpenCL C 1.2")
    words = ["--functions", "ctz", "--types", "uchar", "--jobs", "1", "--log", tmp_path / "log"]
    status, out, _ = clm("audit", opencl_device, *words)
    assert (status, "1 pass; " in out) == (0, True)
    status, out, _ = clm("audit", opencl_device, *words, "--build-options=-cl-std=CL1.2")
    assert (status, "not judged: ctz uchar: ctz uchar: the kernel does not compile: " in out) == (2, True)
    said = [line for line in (tmp_path / "log").read_text().splitlines() if "does not compile" in line]
    assert len(said) == 1
    assert "ctz" in said[0].partition("does not compile")[2]
