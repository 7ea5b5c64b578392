"""Lets the OpenCL loader find, beside the drivers in the folders it knows, Intel's where pip has put it."""

from __future__ import annotations

import contextlib
import importlib.metadata
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["folders", "intel", "visible"]

_PACKAGE, _LIBRARY = "intel-opencl-rt", "libintelocl.so"
_CHOSEN_BY_USER = ("OCL_ICD_VENDORS", "OPENCL_VENDOR_PATH")  # each replaces the folders that a loader reads
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
    """While this lasts, a loader that starts finds Intel's driver too.

    A loader starts at the first question for platforms and reads one folder: it is given one that holds what it would
    have found by itself, and this driver. Where OCL_ICD_VENDORS or OPENCL_VENDOR_PATH names drivers, nothing is added.
    """
    library = intel()
    if library is None or any(os.environ.get(name) for name in _CHOSEN_BY_USER):
        yield
        return
    before = os.environ.get(_REPLACED)
    with tempfile.TemporaryDirectory(prefix="clmath-") as folder:
        for number, line in enumerate(dict.fromkeys((*_listed(), str(library)))):
            (Path(folder) / f"{number:03}.icd").write_text(f"{line}\n", encoding="utf-8")
        os.environ[_REPLACED] = folder
        try:
            yield
        finally:
            del os.environ[_REPLACED]
            if before is not None:
                os.environ[_REPLACED] = before


def _listed() -> Iterator[str]:
    """The libraries that the folders name, each file a line."""
    for folder in folders():
        for file in sorted(folder.glob("*.icd")):
            with contextlib.suppress(OSError, UnicodeDecodeError):
                yield from file.read_text(encoding="utf-8").split("\n", 1)[0].strip().splitlines()
