"""Kernels of built-ins that are judged bit by bit: cases of one chapter, type and width may share a program."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.opencl.group_kernel import group_source, slots_of
from clmath.audit.opencl.image_calls import image_source
from clmath.audit.opencl.launches import Recent
from clmath.audit.opencl.printed_calls import print_source
from clmath.audit.opencl.work_group_calls import work_group_source
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.protocol.subject import SubjectError

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence

    from clmath.audit.plan.item import Item
    from clmath.engines.device.opencl import Built

__all__ = ["GROUPS", "TOGETHER", "UNSHARED", "Groups", "kind_of_program", "padded"]

GROUPS = 32  # programs that are kept: in each chapter, one for each of six widths is in use at the same time

TOGETHER = 16  # built-ins in one program: more would save little, and delay the first case
UNSHARED = {"images": image_source, "groups": work_group_source, "printf": print_source}  # programs by chapter


class Groups:
    """The kernels of built-ins; ``built`` compiles a program text."""

    def __init__(self, built: Callable[[str, str], Built]) -> None:
        self._built = built
        self._kernels: Recent[Built] = Recent(GROUPS)  # by all the cases of the program
        self._members: dict[ExactItem, tuple[ExactItem, ...]] = {}  # by each case, all cases of its program
        self._expected: dict[ExactItem, Hashable] = {}  # cases to be compiled together with others of their kind

    def expect(self, items: Sequence[Item]) -> None:
        """Take note of the cases to come, in their order; cases that can share a program will share it."""
        kinds = ((item, kind_of_program(item)) for item in items if isinstance(item, ExactItem))
        self._expected = {item: kind for item, kind in kinds if kind is not None}

    def join(self, items: Sequence[ExactItem]) -> None:
        """Compile one kernel for cases of one chapter, type and width; if one of them does not compile, none is."""
        group = tuple(items)
        with contextlib.suppress(SubjectError):
            self._kernels[group] = self._built(group_source(group), str(group[0]))
            self._members.update(dict.fromkeys(group, group))

    def kernel(self, item: ExactItem) -> tuple[Built, int, int]:
        """Return the kernel that has the built-in, its number there, and the number of the kernel's inputs.

        It is compiled alone unless it is expected, or was joined, with others. SubjectError with the build log if it
        does not compile.
        """
        if item in self._expected:
            others = [one for one, kind in self._expected.items() if kind == self._expected[item] and one != item]
            group = (item, *others[: TOGETHER - 1])
            self._expected = {one: kind for one, kind in self._expected.items() if one not in group}
            self.join(group)
        group = self._members.get(item, (item,))
        if group not in self._kernels:
            group = self._members[item] = (item,)
            self._kernels[group] = self._built(group_source(group), str(item))
        return self._kernels[group], group.index(item), slots_of(one.builtin for one in group)


def kind_of_program(item: ExactItem) -> Hashable:
    """Return the common properties of cases that can share a kernel, or None for a case with a program of its own."""
    chapter = item.builtin.chapter
    return None if chapter in UNSHARED else (chapter, item.form.name, item.width, item.vector)


def padded(item: Item, kind: str, values: np.ndarray) -> np.ndarray:
    """Return aligned halfs in memory: vectors of three components take the size of four."""
    if kind != "storage" or item.width != 3 or 1 in item.builtin.widths:
        return values
    return np.concatenate([values, np.zeros((len(values), 1), values.dtype)], axis=-1)
