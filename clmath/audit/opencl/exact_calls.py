"""Runs built-ins that are judged bit by bit on an OpenCL device: those of one chapter and type share a program."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.opencl.group_kernel import group_source, slots_of
from clmath.audit.opencl.recent import Recent
from clmath.audit.protocol.subject import SubjectError
from clmath.spec.families import exact_builtins

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.audit.plan.item import Item
    from clmath.engines.device.opencl import Built
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["GROUPS", "Groups", "padded"]

GROUPS = 8  # programs that are kept: a built-in is called at each of six widths before the next one is


class Groups:
    """The kernels of the built-ins that ``defines`` says a device has; ``built`` compiles a program text."""

    def __init__(self, built: Callable[[str, str], Built], defines: Callable[[Builtin, Format], bool]) -> None:
        self._built = built
        self._defines = defines
        self._groups: Recent[tuple[Built | None, tuple[Builtin, ...]]] = Recent(GROUPS)
        self._alone: Recent[Built] = Recent(GROUPS)

    def kernel(self, item: ExactItem) -> tuple[Built, int, int]:
        """The kernel that has the built-in, its number there, and how many inputs the kernel takes.

        SubjectError with the build log where the built-in does not compile, not even alone.
        """
        key = (item.builtin.chapter, item.form, item.width, item.vector)
        if key not in self._groups:
            rows = tuple(self._members(item))
            self._groups[key] = self._compiled(item, rows), rows
        kernel, rows = self._groups[key]
        if kernel is not None:
            return kernel, rows.index(item.builtin), slots_of(rows)
        if item not in self._alone:
            self._alone[item] = self._built(group_source([item]), str(item))
        return self._alone[item], 0, len(item.arguments)

    def _members(self, item: ExactItem) -> list[Builtin]:
        return [
            row
            for row in exact_builtins().values()
            if row.chapter == item.builtin.chapter
            and row.takes(item.form.name)
            and (item.width in row.widths if item.width else not row.widths)
            and (item.vector == 1 or row.vectors)
            and self._defines(row, item.form)
        ]

    def _compiled(self, item: ExactItem, rows: Sequence[Builtin]) -> Built | None:
        """The kernel of all; None where one of them keeps it from compiling."""
        members = [replace(item, builtin=row) for row in rows]
        try:
            return self._built(group_source(members), f"{item.builtin.chapter} {item.form}")
        except SubjectError:
            return None


def padded(item: Item, kind: str, values: NDArray[Any]) -> NDArray[Any]:
    """Aligned halfs in memory: vectors of three lanes take as much as those of four."""
    if kind != "storage" or item.width != 3 or 1 in item.builtin.widths:
        return values
    return np.concatenate([values, np.zeros((len(values), 1), values.dtype)], axis=-1)
