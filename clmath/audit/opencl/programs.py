"""The compiled kernels of cases; cases of one kind may share a program."""

from __future__ import annotations

import contextlib
import functools
import itertools
from collections.abc import Callable, Hashable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from clmath.audit.opencl.image_calls import image_source
from clmath.audit.opencl.kernel import ENTRY, group_source, kernel_source, slots_of, work_group_source
from clmath.audit.opencl.printed_calls import print_source
from clmath.audit.plan.exact_item import ExactItem, local_size
from clmath.audit.plan.item import Item
from clmath.audit.protocol.target import TargetError
from clmath.engines.device.opencl import Built

PROGRAMS = 32  # that are kept: in each chapter, one for each of six widths is in use at the same time
TOGETHER = 16  # built-ins in one program: more would save little, and delay the first case
UNSHARED = {"images": image_source, "groups": work_group_source, "printf": print_source}  # programs by chapter


class Call(NamedTuple):
    """The kernel of a case: its number in the program, if that has one kernel for all, and the number of its inputs.

    ``group``: the sizes of the work-group that computes one call; None if a work-item computes a call.
    """

    built: Built
    numbers: tuple[np.uint32, ...]
    inputs: int
    group: tuple[int, int, int] | None = None


class Kernels:
    """The kernels of built-ins, judged with errors or bit by bit.

    ``compiled``: compiles a program text, and returns the kernels with the names that it is given. ``before``: returns
    the text before the program of a case; a case with such a text shares no program.
    """

    def __init__(
        self, compiled: Callable[[str, Sequence[str], str], list[Built]], before: Callable[[Item], str]
    ) -> None:
        self._compiled, self._before = compiled, before
        self._calls = functools.lru_cache(PROGRAMS)(self._compiled_together)
        self._programs: dict[str, list[Built]] = {}  # by their texts: functions of groups of all sizes have one
        self._together: dict[Item, tuple[Item, ...]] = {}  # for each case, the cases of its program
        self._expected: dict[Item, int] = {}  # the cases to come, with their places

    def expect(self, items: Sequence[Item]) -> None:
        """Take note of the cases to come, in their order; cases that can share a program will share it."""
        self._expected = {item: place for place, item in enumerate(items)}

    def join(self, items: Sequence[Item]) -> None:
        """Compile the kernels of cases of one kind as one program: a compiler reads its own headers for longer.

        If one of the kernels does not compile, none is compiled here, and each will be compiled alone.
        """
        missing = tuple(item for item in dict.fromkeys(items) if self._is_free(item))
        if len(missing) > 1:
            self._together.update((item, (item,)) for item in missing)
            with contextlib.suppress(TargetError):
                self._calls(missing)
                self._together.update((item, missing) for item in missing)

    def call(self, item: Item) -> Call:
        """Return the kernel of a case; TargetError with the build log if it does not compile.

        It is compiled alone unless it is expected, or was joined, with others.
        """
        if item not in self._together:
            self.join(group_of(item, self._expected, self._is_free))
        items = self._together.setdefault(item, (item,))
        return self._calls(items)[items.index(item)]

    def _is_free(self, item: Item) -> bool:
        """Whether the kernel of a case may be compiled in a program of several."""
        return item not in self._together and not self._before(item)

    def _compiled_together(self, items: tuple[Item, ...]) -> list[Call]:
        """Compile the program of cases; return their kernels."""
        first, (text, entries) = items[0], _text_of(items)
        text = self._before(first) + text
        built = self._programs.pop(text, None) or self._compiled(text, entries, _name(first))
        self._programs[text] = built
        if len(self._programs) > PROGRAMS:
            del self._programs[next(iter(self._programs))]  # the one that was compiled, or shared, the longest ago
        if not isinstance(first, ExactItem):
            return [Call(one, (), len(item.builtin.inputs)) for item, one in zip(items, built, strict=True)]
        if kind_of_program(first) is None:
            group = local_size(first.width) if first.builtin.chapter == "groups" else None
            return [Call(built[0], (), len(first.builtin.inputs), group)]
        inputs = slots_of(item.builtin for item in items)
        return [Call(built[0], (np.uint32(number),), inputs) for number in range(len(items))]


def _text_of(items: Sequence[Item]) -> tuple[str, list[str]]:
    """Return the text of a program, and the names of its kernels: one for each case, or one for all."""
    exact = [item for item in items if isinstance(item, ExactItem)]
    if exact and exact[0].builtin.chapter in UNSHARED:
        return UNSHARED[exact[0].builtin.chapter](exact[0]), [ENTRY]
    if exact:
        return group_source(exact), [ENTRY]
    if len(items) == 1:
        return kernel_source(items[0].builtin, items[0].form, items[0].components), [ENTRY]
    entries = [f"{ENTRY}{number}" for number in range(len(items))]
    pairs = zip(items, entries, strict=True)
    return "".join(kernel_source(item.builtin, item.form, item.components, entry) for item, entry in pairs), entries


def _name(item: Item) -> str:
    """Return the name of a case in a message about its kernel."""
    return str(item) if isinstance(item, ExactItem) else f"{item.builtin.name}({item.form})"


def kind_of_program(item: Item) -> Hashable:
    """Return the common properties of cases that can share a program, or None for a case with a program of its own."""
    if not isinstance(item, ExactItem):
        return item.form.name
    chapter = item.builtin.chapter
    return None if chapter in UNSHARED else (chapter, item.form.name, item.width, item.vector)


def group_of(item: Item, expected: Mapping[Item, int], is_free: Callable[[Item], bool]) -> tuple[Item, ...]:
    """Return the case, and the next ones of its kind whose kernels can be compiled in the same program.

    ``expected``: the cases to come, with their places. ``is_free``: whether a case may share a program.
    """
    kind = kind_of_program(item)
    if kind is None or item not in expected or not is_free(item):
        return (item,)
    following = itertools.islice(expected, expected[item], None)
    fitting = (one for one in following if kind_of_program(one) == kind and is_free(one))
    return tuple(itertools.islice(fitting, TOGETHER))


def padded(item: Item, kind: str, values: np.ndarray) -> np.ndarray:
    """Return aligned halfs in memory: vectors of three components take the size of four."""
    if kind != "storage" or item.width != 3 or 1 in item.builtin.widths:
        return values
    return np.concatenate([values, np.zeros((len(values), 1), values.dtype)], axis=-1)
