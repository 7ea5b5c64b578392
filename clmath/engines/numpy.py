"""The NumPy engine: a kernel's lines run on arrays of doubles, one operation after the other."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import kernels
from clmath.engines.locks import once
from clmath.numbers.lane_rounding import near_boundary, wide
from clmath.numbers.rounding import Enclosure, canonical, narrow, narrow_apart

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.engines.protocol import Values
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["NumPy", "round_enclosures"]

_TEMPORARIES = 16  # doubles that a kernel keeps for each lane, at most


class NumPy:
    """Runs kernels as they are written."""

    name = "numpy"
    package = ""
    extra = ""
    chunk = 16384  # the dozen float64 temporaries of a kernel stay in a core's cache

    def rounded(
        self, kernel: str, form: Format, mode: Rounding, args: Sequence[Values], targets: Sequence[Values]
    ) -> NDArray[np.int64]:
        """Round every result of ``kernel`` on a chunk of lanes into ``targets``; the lanes that are undecided."""
        _keep_freed_memory(1 << (args[0].size - 1).bit_length())
        doubles = [a.astype(np.float64) for a in args]
        found = kernels.kernel(kernel)(*doubles)
        return round_enclosures(kernel, form, mode, doubles, found, targets)

    def enclosure(self, kernel: str, args: Sequence[Values]) -> Enclosure:
        """The enclosures of ``kernel``, which has one result, on a chunk of lanes, exact results found."""
        value, err = kernels.enclosure(kernel, *(a.astype(np.float64) for a in args))
        return Enclosure.of(value, err=err)


@once
def _keep_freed_memory(lanes: int) -> None:
    """Have glibc keep the temporaries of a chunk for the next: returning them to the system doubles a kernel's time.

    Freeing one mapped allocation, which is never touched, raises its threshold for giving back to twice the size of
    that: 4 MiB for chunks of 16384 lanes. It holds for the process, as after freeing any array of that size.
    """
    np.empty(_TEMPORARIES * lanes)


def round_enclosures(  # noqa: PLR0917 - a kernel, what it was asked, what it found
    kernel: str,
    form: Format,
    mode: Rounding,
    args: Sequence[Values],
    found: Sequence[Values],
    targets: Sequence[Values],
) -> NDArray[np.int64]:
    """Round what ``kernel`` found, value and err of each result in turn, into ``targets``; the undecided lanes."""
    pairs = zip(found[::2], found[1::2], targets, strict=True)
    undecided = [_rounded(kernel, form, mode, args, value, err, target) for value, err, target in pairs]
    return undecided[0] if len(undecided) == 1 else np.unique(np.concatenate(undecided))


def _rounded(  # noqa: PLR0917 - as above, of one result
    kernel: str, form: Format, mode: Rounding, args: Sequence[Values], value: Values, err: Values, target: Values
) -> NDArray[np.int64]:
    """Round the middles of enclosures, and look again at those that are close to a boundary."""
    target[...] = narrow(value, form, mode)
    canonical(target, form)
    close = near_boundary(value, form)
    if kernels.is_wide(kernel):
        close |= wide(value, err)
    lanes = np.flatnonzero(close & (err > 0.0))
    if not lanes.size:
        return lanes
    value, err = kernels.settled(kernel, [a[lanes] for a in args], value[lanes], err[lanes])
    target[lanes] = narrow(value, form, mode)
    return lanes[narrow_apart(value, err, form, mode)]
