"""Intel's driver in the Python environment is found without variables, together with all other drivers."""

import os
import sys
from pathlib import Path
from types import SimpleNamespace

import pytest

from clmath.audit.opencl import drivers, probe

VARIABLES = ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")


@pytest.fixture
def system(monkeypatch, tmp_path):
    """Two folders of drivers, like a system's, and Intel's package; the value is the path of its driver."""
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    folders = (tmp_path / "system", tmp_path / "environment", tmp_path / "missing")
    for folder in folders[:2]:
        folder.mkdir()
    (folders[0] / "nvidia.icd").write_text("libnvidia-opencl.so.1\n")
    (folders[0] / "pocl.icd").write_text("libpocl.so.2.10.0")
    (folders[0] / "empty.icd").write_text("")
    (folders[0] / "readme.txt").write_text("no driver\n")
    (folders[0] / "broken.icd").write_bytes(b"\xff\xfe\n")
    (folders[1] / "amd.icd").write_text("/opt/amd.so\n")
    (folders[1] / "nvidia.icd").write_text("libnvidia-opencl.so.1\n")
    monkeypatch.setattr(drivers, "folders", lambda: folders)
    library = tmp_path / "libintelocl.so"
    library.touch()
    file = SimpleNamespace(name=library.name, locate=lambda: library)
    monkeypatch.setattr(drivers.importlib.metadata, "files", lambda _: [SimpleNamespace(name="cl.cfg"), file])
    return str(library)


def found():
    return [file.read_text() for file in sorted(Path(os.environ["OCL_ICD_VENDORS"]).iterdir())]


def test_loader_gets_all_drivers(system):
    with drivers.visible():
        assert found() == ["libnvidia-opencl.so.1\n", "libpocl.so.2.10.0\n", "/opt/amd.so\n", f"{system}\n"]
        folder = Path(os.environ["OCL_ICD_VENDORS"])
    assert "OCL_ICD_VENDORS" not in os.environ
    assert not folder.exists()


def test_empty_variable_is_ignored(system, monkeypatch):
    monkeypatch.setenv("OCL_ICD_VENDORS", "")
    with drivers.visible():
        assert found()[-1] == f"{system}\n"
    assert not os.environ["OCL_ICD_VENDORS"]


@pytest.mark.usefixtures("system")
@pytest.mark.parametrize("name", VARIABLES)
def test_drivers_named_by_a_variable_are_kept(monkeypatch, name):
    monkeypatch.setenv(name, "/some/folder")
    before = dict(os.environ)
    with drivers.visible():
        assert dict(os.environ) == before
    assert dict(os.environ) == before


def test_environment_is_unchanged_without_intels_package(system, monkeypatch):
    Path(system).unlink()
    before = dict(os.environ)
    with drivers.visible():
        assert dict(os.environ) == before

    def not_found(name):
        raise drivers.importlib.metadata.PackageNotFoundError(name)

    monkeypatch.setattr(drivers.importlib.metadata, "files", not_found)
    assert drivers.intel() is None
    monkeypatch.setattr(drivers.importlib.metadata, "files", lambda _: None)
    assert drivers.intel() is None


def test_loader_can_be_restricted_to_some_drivers(system, monkeypatch, tmp_path):
    assert drivers.installed() == ("libnvidia-opencl.so.1", "libpocl.so.2.10.0", "/opt/amd.so", system)
    for place, drivers_there in (
        (tmp_path / "system", ("libnvidia-opencl.so.1", "libpocl.so.2.10.0")),
        (tmp_path / "system/pocl.icd", ("libpocl.so.2.10.0",)),
        ("libsome.so", ("libsome.so",)),
    ):
        monkeypatch.setenv("OCL_ICD_VENDORS", str(place))
        assert drivers.installed() == drivers_there
    for some in ((), ("/opt/amd.so",), ("libpocl.so.2.10.0", system)):
        monkeypatch.setenv(drivers.ONLY, drivers.only(some)[drivers.ONLY])
        with drivers.visible():
            assert found() == [f"{one}\n" for one in some]
        assert os.environ["OCL_ICD_VENDORS"] == "libsome.so"


def test_driver_folders_are_in_the_system_and_in_the_environment():
    assert drivers.folders() == (Path("/etc/OpenCL/vendors"), Path(sys.prefix) / "etc/OpenCL/vendors")


@pytest.mark.skipif(drivers.intel() is None, reason="Intel's CPU runtime is not here: pip install 'clmath[intel]'")
def test_intels_device_is_listed_with_the_others(monkeypatch):
    for name in VARIABLES:
        monkeypatch.delenv(name, raising=False)
    found = probe.everything()
    intels = [one for one in found if one.title.startswith("Intel(R) OpenCL: ")]
    assert intels
    assert intels[0].trouble == ""
    assert intels[0].facts["types"].startswith("half, rte")
    monkeypatch.setenv("OCL_ICD_VENDORS", str(drivers.folders()[0]))  # the default folder
    assert {one.title for one in probe.everything() if one.title} <= {one.title for one in found} - {intels[0].title}
