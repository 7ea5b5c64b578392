"""Results of attacks in found.json: the worst share of each kernel's bound, and its arguments."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FOUND", "attacked", "before", "record", "write"]

FOUND = Path(__file__).with_name("found.json")
_BEFORE = Path(__file__).with_name("before.json")


def attacked() -> list[tuple[str, str]]:
    """Return phase and name of the kernels that were attacked."""
    return sorted((phase, name) for phase, kernels in _read(FOUND).items() for name in kernels)


def record(phase: str, name: str) -> Mapping[str, Any] | None:
    """Return the result of a kernel, or None if it was not attacked."""
    found: Mapping[str, Any] | None = _read(FOUND).get(phase, {}).get(name)
    return found


def before(phase: str, name: str) -> float | None:
    """Return the expected undecided elements per million of a kernel before its bound was proven."""
    found: float | None = _read(_BEFORE).get(phase, {}).get(name)
    return found


@functools.cache
def _read(file: Path) -> Mapping[str, Mapping[str, Any]]:
    """Return the contents of a file by phase and kernel."""
    known = json.loads(file.read_text(encoding="utf-8")) if file.exists() else {}
    return {phase: kernels for phase, kernels in known.items() if isinstance(kernels, dict)}


def write(phase: str, name: str, facts: Mapping[str, Any], file: Path) -> None:
    """Store the result of a kernel in ``file``, which has a line for each kernel."""
    _read.cache_clear()
    known = {**_read(file)}
    known[phase] = {**known.get(phase, {}), name: dict(facts)}
    parts = [
        f'"{phase}": {{\n'
        + ",\n".join(f'"{name}": {json.dumps(known[phase][name])}' for name in sorted(known[phase]))
        + "\n}"
        for phase in sorted(known)
    ]
    file.write_text("{\n" + ",\n".join(parts) + "\n}\n", encoding="utf-8", newline="\n")
    _read.cache_clear()
