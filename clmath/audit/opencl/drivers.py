"""Shows the OpenCL loader the system's drivers and Intel's from pip, or only those that are chosen."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from clmath.audit.protocol.variables import variables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

__all__ = ["ONLY", "chosen_by", "folders", "installed", "intel", "only", "visible"]

_PACKAGE, _LIBRARY = "intel-opencl-rt", "libintelocl.so"
_CHOSEN_BY_USER = ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")  # each replaces the folders that a loader reads
ONLY = "CLMATH_OPENCL_DRIVERS"  # set by clmath for processes that it starts: all that their loaders are to find
_REPLACED = "OCL_ICD_VENDORS"  # the one that every loader on Linux reads


def intel() -> Path | None:
    """The driver that the extra ``intel`` installs; None where it is not installed."""
    try:
        files = importlib.metadata.files(_PACKAGE) or []
    except importlib.metadata.PackageNotFoundError:
        return None
    found = [Path(str(file.locate())).resolve() for file in files if file.name == _LIBRARY]
    return next((path for path in found if path.exists()), None)


def folders() -> tuple[Path, ...]:
    """The folders in which loaders look: the system's, and an environment's own (conda)."""
    return (Path("/etc/OpenCL/vendors"), Path(sys.prefix) / "etc/OpenCL/vendors")


@contextlib.contextmanager
def visible() -> Iterator[None]:
    """While this lasts, a loader that starts finds Intel's driver too, or ``only`` some.

    A loader starts at the first question for platforms and reads one folder: it is given one that holds what it would
    have found by itself, and this driver. Where OCL_ICD_VENDORS or OPENCL_VENDOR_PATH names drivers, nothing is added.
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
    """The variable of the environment that has loaders find these drivers, and those that have no file, alone."""
    return {ONLY: os.pathsep.join(libraries)}


def installed() -> tuple[str, ...]:
    """The drivers that a loader finds: those that were chosen, else those of all folders and Intel's."""
    if ONLY in os.environ:
        return tuple(filter(None, os.environ[ONLY].split(os.pathsep)))
    if chosen := _chosen_by_user():
        place = Path(chosen)
        return (chosen,) if place.suffix != ".icd" and not place.is_dir() else tuple(dict.fromkeys(_listed(place)))
    found = [library for folder in folders() for library in _listed(folder)]
    library = intel()
    return tuple(dict.fromkeys(found if library is None else [*found, str(library)]))


def chosen_by() -> str:
    """The variable by which somebody has chosen drivers; empty where there is none."""
    return next(filter(os.environ.get, _CHOSEN_BY_USER), "")


def _chosen_by_user() -> str:
    """The folder of drivers, or the one driver, that a variable names."""
    return os.environ.get(chosen_by(), "")


def _listed(place: Path) -> Iterator[str]:
    """The libraries that the files of a folder name, or one such file."""
    for file in [place] if place.is_file() else sorted(place.glob("*.icd")):
        with contextlib.suppress(OSError, UnicodeDecodeError):
            yield from file.read_text(encoding="utf-8").split("\n", 1)[0].strip().splitlines()
