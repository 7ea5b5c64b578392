"""Names of devices are unique, and do not change when drivers are installed or removed."""

import json
from argparse import Namespace

import pytest

from clmath.audit.opencl import devices, probe, trial
from clmath.audit.opencl.devices import Known, meant, unique_part
from clmath.cli import audit_files
from clmath.errors import ClmathError, UnknownNameError
from tests.cases import for_each


@for_each(
    "names, parts",
    [
        (["AMD EPYC"], ["epyc"]),
        (["NVIDIA H200"], ["h200"]),
        (["Intel(R) Xeon(R) Platinum 8360Y CPU @ 2.40GHz"], ["8360y"]),
        (["AMD EPYC 9654 96-Core Processor"], ["epyc-9654"]),
        (["Intel(R) Arc(TM) A770 Graphics"], ["a770"]),
        (["NVIDIA GeForce RTX 4090", "NVIDIA GeForce RTX 3090"], ["rtx-4090", "rtx-3090"]),
        (["AMD Radeon RX 7900 XT", "AMD Radeon RX 7900 XTX"], ["xt", "xtx"]),
        (["pthread-skylake-avx512-AMD EPYC", "pthread-AMD EPYC"], ["avx512", "pthread-amd"]),
        (["cpu", "cpu 2"], ["cpu", "cpu-2"]),
        (["\x1b[31mred"], ["31mred"]),
    ],
)
def test_part_of_a_name_is_unique(names, parts):
    known = [Known(name) for name in names]
    assert [unique_part(i, known) for i in range(len(known))] == parts
    assert [meant(part, known) for part in parts] == [[i] for i in range(len(known))]


def test_driver_distinguishes_devices_of_equal_name():
    known = [Known("AMD EPYC", "OpenCL 3.0 PoCL 5.0"), Known("AMD EPYC", "OpenCL 3.0 PoCL 6.0")]
    parts = [unique_part(i, known) for i in range(2)]
    assert [meant(part, known) for part in parts] == [[0], [1]]


class Thing:
    """Platform or device, equal only to itself."""

    def __init__(self, **facts):
        self.__dict__ |= facts


def of_platform(name, *devices, version="OpenCL 3.0"):
    """Return a platform as the loader lists it."""
    platform = Thing(name=name, version=version)
    platform.devices = [Thing(name=d, driver_version="1", platform=platform) for d in devices]
    return platform


@pytest.fixture
def installed(monkeypatch):
    """Function that makes the loader list platforms, and returns all of their devices."""

    def put(*platforms):
        monkeypatch.setattr(devices, "platforms", lambda: list(platforms))
        monkeypatch.setattr(devices, "devices", lambda platform: list(platform.devices))
        return [device for platform in platforms for device in platform.devices]

    return put


INTEL = of_platform("Intel(R) OpenCL", "AMD EPYC")
POCL = of_platform("Portable Computing Language", "pthread-skylake-avx512-AMD EPYC")
OLDER = of_platform("Portable Computing Language", "pthread-AMD EPYC", version="OpenCL 3.0 PoCL 3.0")
GRAPHICS = of_platform("Intel(R) OpenCL Graphics", "Intel(R) Arc(TM) A770 Graphics")
TWO = of_platform("NVIDIA CUDA", "NVIDIA H200", "NVIDIA H200", "NVIDIA A100")
EVERY = [INTEL, POCL, OLDER, GRAPHICS, TWO]


@pytest.mark.parametrize("order", [EVERY, EVERY[::-1], [INTEL], [TWO, INTEL], [GRAPHICS, POCL, INTEL]])
def test_stable_name_finds_its_device_with_any_other_drivers_installed(installed, order):
    found = installed(*order)
    names = [devices.stable_name(one) for one in found]
    assert len(set(names)) == len(names)
    for name, one in zip(names, found, strict=True):
        assert devices.find(name.removeprefix("opencl:")) is one


def test_names_do_not_change_when_a_driver_is_installed(installed):
    before = [devices.stable_name(one) for one in installed(INTEL, TWO)]
    assert before == ["opencl:intel:epyc", "opencl:nvidia:h200", "opencl:nvidia:h200#2", "opencl:nvidia:a100"]
    installed(POCL, OLDER, INTEL, TWO)
    assert [devices.stable_name(one) for one in (*INTEL.devices, *TWO.devices)] == before
    installed(GRAPHICS, POCL, INTEL)  # a shorter name, which was unique before, still finds its device
    assert devices.find("intel:epyc") is INTEL.devices[0]


def test_ambiguous_part_is_refused_with_the_names_of_both_devices(installed):
    installed(POCL, OLDER)
    names = "opencl:portable:avx512, opencl:portable:pthread-amd"
    with pytest.raises(UnknownNameError, match=f"'epyc' may mean {names}; write one of them"):
        devices.find("portable:epyc")
    for name in names.split(", "):
        assert devices.find(name.removeprefix("opencl:")).name.startswith("pthread")
    with pytest.raises(UnknownNameError, match="no OpenCL device"):
        devices.find("portable:avx512#2")


@pytest.mark.slow
def test_known_failures_and_reports_are_valid_after_renumbering(clm, opencl_device, tmp_path):
    """Sections by number and by stable name mean the same device, and so do both names in commands."""
    words = ["--functions", "fabs", "--types", "float", "--inputs", "10", "--jobs", "1"]
    path = tmp_path / "report.json"
    number = devices.name_of(devices.find(opencl_device.removeprefix("opencl:")))
    assert number != opencl_device
    for section, name in ((number, opencl_device), (opencl_device, number)):
        (tmp_path / "known").write_text(f"[{section}]\nfabs float: it was\n[opencl:not here:x]\ncos float: it is\n")
        known = ["--known-failures", tmp_path / "known", "--json", path, "--force"]
        status, out, _ = clm("audit", name, *words, *known)
        assert (status, "listed, but passes: fabs float: it was" in out) == (1, True)
        assert json.loads(path.read_text())["subject"]["asked"] == opencl_device


@pytest.fixture
def known(monkeypatch, tmp_path):
    """Function that reads a list of known failures, with devices looked up in this process."""
    monkeypatch.setattr(probe, "called", lambda texts: [trial._answer("meant", text)["stable_names"] for text in texts])

    def read(text):
        path = tmp_path / "known"
        path.write_text(text)
        kinds = dict.fromkeys(("junit", "csv", "html", "cts_json"))
        return audit_files.outputs_of(Namespace(known_failures=str(path), **kinds), "clmath audit").known

    return read


def test_ambiguous_section_of_known_failures_is_refused(installed, known):
    """A second driver of the same processor makes a name ambiguous; the section used to be ignored silently."""
    text = "[opencl:portable:epyc]\nfabs float: it was\n"
    installed(OLDER)
    assert "fabs float" in known(text).of("opencl:portable:epyc").entries
    installed(POCL, OLDER, INTEL)
    found = known(text)
    names = "opencl:portable:avx512, opencl:portable:pthread-amd"
    for name in names.split(", "):
        with pytest.raises(ClmathError, match=rf"known: \[opencl:portable:epyc\] may mean {names}; write one of them$"):
            found.of(name)
    assert found.of("opencl:intel:epyc").entries == {}
    assert "fabs float" in found.of("opencl:portable:epyc").entries  # a report that was made before


def test_two_sections_of_known_failures_of_one_device_are_merged(installed, known):
    """The section by number used to be dropped if there was one by name."""
    installed(INTEL)
    text = "[opencl:0:0]\nfabs float: by number\nsin float: by number\n[opencl:intel:epyc]\nfabs float: by name\n"
    entries = known(text).of("opencl:intel:epyc").entries
    assert {row: entry.reason for row, entry in entries.items()} == {"fabs float": "by name", "sin float": "by number"}


def test_platform_listed_twice_by_the_loader_counts_once(monkeypatch):
    """PoCL of the wheel is listed twice if OCL_ICD_VENDORS names its folder."""
    package = devices.pyopencl()
    monkeypatch.setattr(package, "get_platforms", lambda: [POCL, INTEL, POCL])
    assert devices.platforms() == [POCL, INTEL]


def test_remedy_for_a_variable_that_hides_all_drivers_is_to_unset_it(clm, monkeypatch):
    monkeypatch.setenv("OCL_ICD_VENDORS", "/not here")
    _, out, _ = clm("devices")
    assert "OCL_ICD_VENDORS is set to '/not here', where no OpenCL device is found; unset it" in out
    assert "install" not in out
