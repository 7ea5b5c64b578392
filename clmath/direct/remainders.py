"""Remainders of a division, exact for any difference of exponents: those in lane arithmetic, by the shorter way."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.direct import lane_remainders as lanes
from clmath.numbers.errorfree import widen
from clmath.numbers.rounding import narrow

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["fmod", "remainder", "remquo"]

Block: TypeAlias = "np.ndarray"
Result: TypeAlias = "tuple[np.ndarray]"
Way: TypeAlias = "Callable[[np.ndarray, np.ndarray], Sequence[np.ndarray]]"


def fmod(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001 - the result is exact
    """The remainder x - y trunc(x/y); a zero has x's sign. NaN where x is infinite, y zero or either NaN."""
    return (narrow(_by_way(_near_fmod, _fmod, x, y)[0], form, "rtz"),)


def remainder(form: Format, mode: Rounding, x: Block, y: Block) -> Result:
    """The remainder x - n y, n the integer nearest to x/y, the even one of two; zeros and NaN as for ``fmod``."""
    return (remquo(form, mode, x, y)[0],)


def remquo(form: Format, mode: Rounding, x: Block, y: Block) -> tuple[np.ndarray, NDArray[np.int32]]:  # noqa: ARG001
    """The value of remainder(x, y), and the seven low bits of |n| with the sign of x/y: 0 where that is NaN."""
    found, quotient = _by_way(lanes.near_remquo, lanes.remquo, x, y)
    return narrow(found, form, "rtz"), quotient.astype(np.int32)


def _near_fmod(x: Block, y: Block) -> Sequence[Block]:
    return (lanes.near_fmod(x, y),)


def _fmod(x: Block, y: Block) -> Sequence[Block]:
    return (lanes.fmod(x, y),)


def _by_way(near: Way, far: Way, *given: Block) -> Sequence[Block]:
    """What ``near`` gives of doubles, and ``far`` in the lanes that it is not for."""
    x, y = map(widen, given)
    apart = np.flatnonzero(~lanes.is_near(x, y))
    if apart.size == x.size:
        return far(x, y)
    found = near(x, y)
    if apart.size:
        found = [np.array(result) for result in found]  # one may be an argument itself
        for result, value in zip(found, far(x[apart], y[apart]), strict=True):
            result[apart] = value
    return found
