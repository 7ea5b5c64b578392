"""What the atlas asks of a device: groups of built-ins of one type, each an audit with a report of its own."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from clmath.audit.numbered import kernel_of
from clmath.audit.plan import Item, item_of
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtins

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.numbers.formats import Format

__all__ = ["EVERY", "GROUPS", "MEASURED", "ROOT", "Group"]

ROOT = Path(__file__).resolve().parents[2]
MEASURED = ROOT / "tables" / "measured"
EVERY = "exhaustive"


@dataclass(frozen=True)
class Group:
    """Built-ins of one type: ``belongs`` says which; ``inputs`` of each, a number where not all can be tried."""

    name: str
    title: str
    form: Format
    belongs: Callable[[Item], bool]
    inputs: str

    @property
    def functions(self) -> tuple[str, ...]:
        """The names of the built-ins, in the order of the tables."""
        rows = [item_of(b, self.form) for b in builtins().values() if b.chapter == "math" and b.takes(self.form.name)]
        return tuple(item.builtin.name for item in rows if self.belongs(item))


def _is_of_one(item: Item) -> bool:
    return item.columns == ("gentype",)


def _has_kernel(item: Item) -> bool:
    return kernel_of(item) is not None


def _is_enclosed(item: Item) -> bool:
    """One argument and one result that a kernel encloses; no second name of a function, such as ``native_sin``."""
    is_itself = item.builtin.same_as == item.builtin.name
    return _is_of_one(item) and _has_kernel(item) and is_itself and len(item.results) == 1


# in the order of their value to a reader
GROUPS = {
    group.name: group
    for group in (
        Group("float", "Float, one argument", FLOAT, _is_enclosed, EVERY),
        Group("half", "Half, one argument", HALF, _is_of_one, EVERY),
        Group("double", "Double, one argument", DOUBLE, _is_enclosed, "2^32"),
        Group("pairs", "Float, two arguments", FLOAT, lambda i: len(i.columns) == 2 and _has_kernel(i), "2^32"),
        Group(
            "others",
            "Float, one argument, further built-ins",
            FLOAT,
            lambda i: _is_of_one(i) and not _is_enclosed(i),
            EVERY,
        ),
        Group(
            "double-pairs", "Double, two arguments", DOUBLE, lambda i: len(i.columns) == 2 and _has_kernel(i), "2^30"
        ),
    )
}
