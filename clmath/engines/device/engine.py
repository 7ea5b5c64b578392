"""The engine of a device: every kernel and its rounding in one launch, in buffers that are copied there and back."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.engines.device import source
from clmath.engines.device.calibration import calibrate
from clmath.engines.device.machine import ELEMENTS
from clmath.locks import BUILDING
from clmath.numbers.rounded_encodings import MODE_NUMBERS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.engines.device.machine import Machine
    from clmath.engines.device.source import Source
    from clmath.engines.protocol import Values
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

    Purpose: TypeAlias = Callable[[Kernel, tuple[str, ...]], Source]  # writes the program of a kernel for types

RANGE = 1 << 32  # elements of a launch: undecided ones are listed by numbers of 32 bits
ROOM = 1 << 20  # undecided elements that a launch may list, or be given; a range with more is cut in two


class Device:
    """Runs kernels on ``machine``, which is calibrated first; UnfitDeviceError if it does not compute as the host.

    Each element takes the code path of its argument, ordinary or general; the other engines choose one for a whole
    chunk.
    """

    def __init__(self, machine: Machine) -> None:
        calibrate(machine)
        self.machine = machine
        self._built: dict[tuple[Kernel, Purpose, tuple[str, ...]], _Built] = {}

    def rounded(
        self, kernel: Kernel, form: Format, mode: Rounding, args: Sequence[Values], targets: Sequence[Values]
    ) -> NDArray[np.int64]:
        """Round every result of ``kernel`` to half, float or double into ``targets``; return the undecided elements.

        All are arrays of the host, arguments of the types in ``ELEMENTS``.
        """
        if not args[0].size:
            return np.empty(0, np.int64)
        sources = [self.machine.put(np.ascontiguousarray(a)) for a in args]
        buffers = [self.machine.room(target.nbytes) for target in targets]
        types = tuple(ELEMENTS[a.dtype.name] for a in args)
        undecided = self.rounded_in_place(kernel, form, mode, types, sources, buffers, args[0].size)
        for target, buffer in zip(targets, buffers, strict=True):
            self.machine.get(buffer, target)
        return undecided

    def rounded_in_place(  # noqa: PLR0917 - a kernel, a mode and buffers
        self,
        kernel: Kernel,
        form: Format,
        mode: Rounding,
        types: tuple[str, ...],
        sources: Sequence[object],
        targets: Sequence[object],
        elements: int,
    ) -> NDArray[np.int64]:
        """Round to half, float or double in buffers that lie on the device already; return the undecided elements.

        ``types``: the types of ``sources``: half, float, double or int. ``targets`` hold the format's own encodings.
        """
        entry, tables = self._program(kernel, _rounding_to(form.name), types)
        undecided, ahead = [np.empty(0, np.int64)], [(i, min(RANGE, elements - i)) for i in range(0, elements, RANGE)]
        places = self.machine.room(4 * min(ROOM, elements))
        while ahead:
            first, count = ahead.pop()
            counter = self.machine.counter()
            bounds = np.uint64(first), np.uint64(count), np.int32(MODE_NUMBERS[mode])
            room = np.uint32(min(ROOM, elements))
            self.machine.run(entry, count, *bounds, tables, *sources, *targets, room, counter, places)
            found = self._listed(counter, places)
            if found is None:
                ahead += [(first, count // 2), (first + count // 2, count - count // 2)]
            else:
                undecided.append(found + first)
        return np.sort(np.concatenate(undecided))

    def _listed(self, counter: object, places: object) -> NDArray[np.int64] | None:
        """Return the numbers of undecided elements that a launch has listed; None if there are more than it may."""
        count = np.empty(1, np.uint32)
        self.machine.get(counter, count)
        if count[0] > ROOM:
            return None
        found = np.empty(int(count[0]), np.uint32)
        if found.size:
            self.machine.get(places, found)
        return found.astype(np.int64)

    def integers_in_place(
        self, kernel: Kernel, types: tuple[str, ...], sources: Sequence[object], target: object, elements: int
    ) -> None:
        """Store the int results of ``kernel`` into ``target``, a buffer as in ``rounded_in_place``."""
        entry, tables = self._program(kernel, source.integers, types)
        self.machine.run(entry, elements, np.uint64(0), np.uint64(elements), tables, *sources, target)

    def narrowed_in_place(  # noqa: PLR0917 - a kernel, a mode and buffers
        self,
        kernel: Kernel,
        mode: Rounding,
        types: tuple[str, ...],
        sources: Sequence[object],
        target: object,
        elements: NDArray[np.int64],
    ) -> NDArray[np.int64]:
        """Round ``elements`` to double again, by narrower enclosures; return the still undecided ones.

        ``kernel`` has one result and ``is_narrowed``. The rest as in ``rounded_in_place``.
        """
        entry, tables = self._program(kernel, source.narrowed, types)
        left = [elements[:0]]
        for first in range(0, elements.size, ROOM):
            part = elements[first : first + ROOM]
            listed, places = self.machine.put(part.astype(np.uint64)), self.machine.room(4 * part.size)
            counter, bounds = self.machine.counter(), (np.uint64(part.size), np.int32(MODE_NUMBERS[mode]))
            self.machine.run(entry, part.size, *bounds, tables, *sources, target, listed, counter, places)
            found = self._listed(counter, places)
            assert found is not None, "a launch lists some of the elements that it is given"
            left.append(part[found])
        return np.sort(np.concatenate(left))

    def _program(self, kernel: Kernel, purpose: Purpose, types: tuple[str, ...]) -> _Built:
        """Return the program of ``purpose``, which is built on first use."""
        key = (kernel, purpose, types)
        built = self._built.get(key)
        if built is None:
            with BUILDING:
                built = self._built.get(key) or self._built.setdefault(key, self._build(*key))
        return built

    def _build(self, kernel: Kernel, purpose: Purpose, types: tuple[str, ...]) -> _Built:
        text = purpose(kernel, types)
        entry, tables = self.machine.build(text), self.machine.put(text.tables)
        self.machine.get(tables, np.empty(1))  # waits: another thread, on another stream, may read them next
        return _Built(entry, tables)


class _Built(NamedTuple):
    """A compiled entry, and the buffer of its tables."""

    entry: object
    tables: object


@functools.cache
def _rounding_to(form: str) -> Purpose:
    return lambda kernel, types: source.rounded(kernel, form, types)
