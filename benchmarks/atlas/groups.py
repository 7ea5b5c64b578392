"""Groups of built-ins of one type that the atlas audits; each group has an audit and a report of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clmath.audit.inputs.random import kernel_of
from clmath.audit.plan.rows import item_of
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.phases import is_enclosed
from clmath.spec.builtins import builtins

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = ["DEVICES", "EVERY", "GROUPS", "REPORTS", "ROOT", "Group"]

ROOT = Path(__file__).resolve().parents[2]
REPORTS = ROOT / "build" / "atlas"  # reports of audits, not in Git
DEVICES = Path(__file__).with_name("devices")  # compact files of them, in Git
EVERY = "exhaustive"
# audited first: most readers look for these, and a device judges them quickly under relaxed limits
FIRST = ("sin", "cos", "exp", "exp2", "log", "log2", "log10", "pow", "asin", "acos", "atan", "sinpi", "cospi")


@dataclass(frozen=True)
class Group:
    """Built-ins of type ``form`` that ``belongs`` selects; ``inputs``: "exhaustive", or a number of random inputs."""

    name: str
    title: str
    form: Format
    belongs: Callable[[Item], bool]
    inputs: str

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the built-ins: first the names in ``FIRST``, then the others in the order of the tables."""
        rows = [item_of(b, self.form) for b in builtins().values() if b.chapter == "math" and b.takes(self.form.name)]
        names = [item.builtin.name for item in rows if self.belongs(item)]
        return tuple(sorted(names, key=lambda name: FIRST.index(name) if name in FIRST else len(FIRST)))


def _is_of_one(item: Item) -> bool:
    return item.columns == ("gentype",)


def _has_kernel(item: Item) -> bool:
    return kernel_of(item) is not None


def _is_enclosed(item: Item) -> bool:
    """Whether a built-in has one argument and one result, has a kernel and is not an alias such as ``native_sin``."""
    is_itself = item.builtin.same_as == item.builtin.name
    known = _has_kernel(item) and is_enclosed(item.builtin.name, item.form)
    return _is_of_one(item) and known and is_itself and len(item.results) == 1


def _is_further(item: Item) -> bool:
    return _is_of_one(item) and not _is_enclosed(item)


def _is_of_two(item: Item) -> bool:
    return len(item.columns) == 2 and _has_kernel(item)


# in the order of their value to readers
GROUPS = {
    group.name: group
    for group in (
        Group("float", "Float, one argument", FLOAT, _is_enclosed, EVERY),
        Group("others", "Float, one argument, further built-ins", FLOAT, _is_further, EVERY),
        Group("half", "Half, one argument", HALF, _is_of_one, EVERY),
        Group("pairs", "Float, two arguments", FLOAT, _is_of_two, "2^32"),
        Group("double", "Double, one argument", DOUBLE, _is_enclosed, "2^32"),
        Group("double-pairs", "Double, two arguments", DOUBLE, _is_of_two, "2^30"),
    )
}
