"""Show the OpenCL loader the system's drivers and Intel's from pip, or only the chosen ones."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import sys
import tempfile
from collections.abc import Iterable, Iterator
from pathlib import Path

from clmath.audit.protocol.variables import variables

_PACKAGE, _LIBRARY = "intel-opencl-rt", "libintelocl.so"
_CHOSEN_BY_USER = ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")  # each replaces the folders that a loader reads
ONLY = "CLMATH_OPENCL_DRIVERS"  # set by clmath for processes that it starts: the only drivers for their loaders
_REPLACED = "OCL_ICD_VENDORS"  # the one that every loader on Linux reads


def intel() -> Path | None:
    """Return the driver that the extra ``intel`` installs, or None if it is not installed."""
    try:
        files = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [Path(str(file.locate())).resolve() for file in files if file.name == _LIBRARY]
    return next((path for path in found if path.exists()), None)


def folders() -> tuple[Path, ...]:
    """Return the folders that loaders read: the system's, and an environment's own (conda)."""
    return (Path("/etc/OpenCL/vendors"), Path(sys.prefix) / "etc/OpenCL/vendors")


@contextlib.contextmanager
def visible() -> Iterator[None]:
    """Let a loader that starts within the block find Intel's driver too, or ``only`` some.

    A loader starts when platforms are first requested, and reads one folder: it gets a folder with the drivers that it
    would have found by itself, and this driver. If OCL_ICD_VENDORS or OPENCL_VENDOR_PATH names drivers, none is added.
    """
    if ONLY not in os.environ and (intel() is None or _chosen_by_user()):
        yield
        return
    with tempfile.TemporaryDirectory(prefix="clmath-") as folder:
        for number, line in enumerate(installed()):
            (Path(folder) / f"{number:03}.icd").write_text(f"{line}\n", encoding="utf-8")
        with variables(**{_REPLACED: folder}):
            yield


def only(libraries: Iterable[str]) -> dict[str, str]:
    """Return the environment variable with which loaders find only these drivers, and drivers without a file."""
    return {ONLY: os.pathsep.join(libraries)}


def installed() -> tuple[str, ...]:
    """Return the drivers that a loader finds: the chosen ones, else the drivers of all folders and Intel's."""
    if ONLY in os.environ:
        return tuple(filter(None, os.environ[ONLY].split(os.pathsep)))
    if chosen := _chosen_by_user():
        place = Path(chosen)
        return (chosen,) if place.suffix != ".icd" and not place.is_dir() else tuple(dict.fromkeys(_listed(place)))
    found = [library for folder in folders() for library in _listed(folder)]
    library = intel()
    return tuple(dict.fromkeys(found if library is None else [*found, str(library)]))


def chosen_by() -> str:
    """Return the variable by which the user has chosen drivers; empty if none is set."""
    return next(filter(os.environ.get, _CHOSEN_BY_USER), "")


def _chosen_by_user() -> str:
    """Return the folder of drivers, or the one driver, that a variable names."""
    return os.environ.get(chosen_by(), "")


def _listed(place: Path) -> Iterator[str]:
    """Yield the libraries that the files of a folder name, or one such file."""
    for file in [place] if place.is_file() else sorted(place.glob("*.icd")):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            yield from file.read_text(encoding="utf-8").split("\n", 1)[0].strip().splitlines()
