"""Keeps compiled loops between processes: the folder they lie in, and modules made from their text."""

from __future__ import annotations

import contextlib
import hashlib
import importlib.abc
import importlib.util
import os
import sys
import tempfile
import uuid
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from clmath.engines.locks import once

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["folder", "forget", "module"]

_PACKAGE = Path(__file__).resolve().parent.parent.parent


@once
def folder() -> Path | None:
    """A folder of this version of the kernels: a changed kernel, table, Numba, NumPy or processor compiles anew.

    It lies in CLMATH_CACHE_DIR, else XDG_CACHE_HOME, else ~/.cache. None where it cannot be written to; then nothing
    is left behind.
    """
    base = os.environ.get("CLMATH_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    try:
        found = Path(base).expanduser() / "clmath" / _digest()
    except RuntimeError:  # there is no home
        return None
    absent: list[Path] = []
    try:
        absent += [path for path in (found, *found.parents) if not path.exists()]
        found.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=found) as trial:
            trial.write(bytes(1 << 16))
    except OSError:
        for path in absent:
            with contextlib.suppress(OSError):
                path.rmdir()
        return None
    return found


def _digest() -> str:
    import numba
    from llvmlite import binding

    from clmath.spec import files

    sources = [p for folder in ("numbers", "kernels", "engines") for p in (_PACKAGE / folder).rglob("*.py")]
    sources += [*(_PACKAGE / "engines").rglob("*.txt"), *files.path("kernels").rglob("*.toml")]
    versions = (sys.version, np.__version__, numba.__version__)
    processor = (binding.get_host_cpu_name(), binding.get_host_cpu_features().flatten())
    total = hashlib.sha256(" ".join((*versions, *processor)).encode())
    for source in sorted(sources):
        total.update(source.read_bytes())
    return total.hexdigest()[:16]


def module(name: str, text: str, place: Path | None) -> ModuleType:
    """The module ``name`` made from ``text``, which is written to ``place``, where Numba then keeps what it compiles.

    Other threads see it in ``sys.modules`` when it is complete.
    """
    origin = f"<{name}>" if place is None else str(_written(place / f"{name}.py", text))
    spec = importlib.util.spec_from_loader(name, _Text(origin, text), origin=origin)
    assert spec is not None
    assert spec.loader is not None
    made = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(made)
    sys.modules[name] = made
    return made


def _written(file: Path, text: str) -> Path:
    """``file`` with the content ``text``, which other processes see whole or not at all."""
    data = text.encode()
    if not file.exists() or file.read_bytes() != data:
        scratch = file.with_suffix(f".{uuid.uuid4().hex}")
        try:
            scratch.write_bytes(data)
            scratch.replace(file)
        except OSError:
            scratch.unlink(missing_ok=True)
            raise
    return file


class _Text(importlib.abc.SourceLoader):
    """Runs a text that is at hand; what a file or its bytecode on disk has become since does not matter."""

    def __init__(self, origin: str, text: str) -> None:
        self._origin, self._text = origin, text

    def get_filename(self, fullname: str) -> str:  # noqa: ARG002
        return self._origin

    def get_data(self, path: str | bytes) -> bytes:  # noqa: ARG002
        return self._text.encode()


def forget(name: str, place: Path) -> None:
    """Remove what is kept of the module ``name``; a later process compiles it anew."""
    for kept in (place / f"{name}.py", *(place / "__pycache__").glob(f"{name}.*")):
        with contextlib.suppress(OSError):
            kept.unlink()
