"""Where a sampled read looks in an image: addressing modes and the weights of a filter, OpenCL C++ 1.0, 5.1, 5.2.

Coordinates are doubles that hold floats or ints, a line for each axis; sizes, a column of as many, are less than 2^28,
so that every product of the two is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.ir.values import Real, Truth

LARGEST = 2**28 - 1  # texels along an axis
_FAR = 2.0**40  # texels from the first one: farther coordinates give the same result, but weights that are inexact
_BOTH = np.array([0.0, 1.0]).reshape(2, 1, 1)  # from the first to each of the two texels of a filter
_FROM = 1.5 - _BOTH  # from the first to the coordinates at which each of the two has no weight
_BORDERED = ("none", "clamp")  # addressing modes with texels beyond the border

Places: TypeAlias = "NDArray[np.intp]"


class Ends(NamedTuple):
    """The two texels along each axis that a linear filter reads, ``taken``, and u and c of their weights, |u - c|.

    ``within``: where a texel is read, which elsewhere lies beyond the border. None: everywhere.
    """

    taken: Real
    u: Real
    c: Real
    within: Truth | None


def unnormalized(s: Real, sizes: Real, addressing: str, *, normalized: bool) -> Real:
    """The coordinates u in texels, exact: in -size .. size where the image is repeated, else as given."""
    return _COORDINATES[addressing](s) * sizes if normalized else s


def nearest(u: Real, sizes: Real, addressing: str) -> Real:
    """The index of the nearest texel along each axis, which may be beyond the border."""
    return _ADDRESSED[addressing](np.floor(u), sizes)


def ends(u: Real, sizes: Real, addressing: str) -> Ends:
    """The two texels along each axis.

    u - 0.5 rounds only where |u| is much less than 0.5, or where u lies beyond the border.
    """
    near = _clipped(u, -_FAR, _FAR)
    below = np.floor(near - 0.5)
    taken = _ADDRESSED[addressing](below + _BOTH, sizes)
    return Ends(taken, near, below + _FROM, is_inside(taken, sizes) if addressing in _BORDERED else None)


def is_inside(u: Real, sizes: Real) -> Truth:
    """Where the coordinates refer to a location in the image."""
    return (u >= 0.0) & (u < sizes)


def layer(w: Real, count: int) -> Real:
    """The layer of an array of images, 5.4: clamp(rint(w), 0, count - 1)."""
    return _clipped(np.rint(w), 0.0, count - 1.0)


def _clipped(x: Real, low: Real | float, high: Real | float) -> Real:
    """As np.clip, which is slower for few numbers."""
    return np.asarray(np.minimum(np.maximum(x, low), high))


def _within(i: Real, sizes: Real) -> Real:
    return _clipped(i, 0.0, sizes - 1.0)


def _of_repeat(i: Real, sizes: Real) -> Real:
    """The index less a multiple of the size, exact: no quotient of integers below 2^30 rounds up to an integer."""
    return i - sizes * np.floor(i / sizes)


def _fractional(s: Real) -> Real:
    """The number s less an integer, exact: of the sign of s and less than 1."""
    return s - np.trunc(s)


def _mirrored(s: Real) -> Real:
    """fabs(s - 2 rint(0.5 s)), exact."""
    return np.abs(s - 2.0 * np.rint(0.5 * s))


_COORDINATES: dict[str, Callable[[Real], Real]] = {
    **dict.fromkeys(("none", "clamp", "clamp_to_edge"), lambda s: s),
    "repeat": _fractional,
    "mirrored_repeat": _mirrored,
}
_ADDRESSED: dict[str, Callable[[Real, Real], Real]] = {
    **dict.fromkeys(_BORDERED, lambda i, _: i),
    **dict.fromkeys(("clamp_to_edge", "mirrored_repeat"), _within),
    "repeat": _of_repeat,
}
ADDRESSING = tuple(_COORDINATES)
