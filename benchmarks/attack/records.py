"""What attacks have found: a file for each kernel below ``found``."""

from __future__ import annotations

import functools
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clmath.certify.certificates import place

if TYPE_CHECKING:
    from collections.abc import Mapping

__all__ = ["FOUND", "before", "record", "write"]

FOUND = Path(__file__).with_name("found")
_BEFORE = Path(__file__).with_name("before.json")


def record(rung: str, name: str) -> Mapping[str, Any] | None:
    """What was found of a kernel, None where none was attacked."""
    path = place(FOUND, rung, name)
    if not path.exists():
        return None
    found: Mapping[str, Any] = json.loads(path.read_text(encoding="utf-8"))
    return found


def before(rung: str, name: str) -> float | None:
    """What share of lanes, in a million, a kernel left by the width of its enclosures before bounds were proven."""
    return _all_before().get(rung, {}).get(name)


@functools.cache
def _all_before() -> Mapping[str, Mapping[str, float]]:
    """By rungs."""
    found: Mapping[str, Any] = json.loads(_BEFORE.read_text(encoding="utf-8"))
    return {rung: kernels for rung, kernels in found.items() if isinstance(kernels, dict)}


def write(facts: Mapping[str, Any], folder: Path) -> None:
    """Write what was found below ``folder``."""
    target = place(folder, facts["rung"], facts["kernel"])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(facts, indent=1) + "\n", encoding="utf-8")
