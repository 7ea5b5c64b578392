"""Where a sampled read looks in an image: addressing modes and the weights of a filter, OpenCL C++ 1.0, 5.1, 5.2.

Coordinates are doubles that hold floats or ints, sizes less than 2^28, so that every product of the two is exact.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.ir.lanes import two_sum
from clmath.ir.values import Real

__all__ = ["ADDRESSING", "LARGEST", "Ends", "ends", "is_inside", "layer", "nearest", "unnormalized"]

LARGEST = 2**28 - 1  # texels along an axis
_BEYOND = 2.0  # texels beyond the border: farther ones give the same result

Places: TypeAlias = "NDArray[np.intp]"


class Ends(NamedTuple):
    """The two texels along one axis that a linear filter reads, and u and c of their weights.

    The index -1 or the size means that no texel is read. The weight of the second texel is a = u - c, the weight of the
    first is (c + 1) - u.
    """

    first: Places
    second: Places
    u: Real
    c: Real

    def weights(self) -> tuple[Real, Real]:
        """Both weights, rounded to double; a multiple of 2^-53 is exact."""
        return (self.c + 1.0) - self.u, self.u - self.c

    def exact_weights(self) -> tuple[tuple[Real, Real], tuple[Real, Real]]:
        """Both weights, exact, each as the sum of two doubles."""
        return two_sum(self.c + 1.0, -self.u), two_sum(self.u, -self.c)

    def lanes(self, index: NDArray[np.intp]) -> Ends:
        """The texels and weights at the elements that ``index`` selects."""
        return Ends(self.first[index], self.second[index], self.u[index], self.c[index])


def unnormalized(s: Real, size: int, addressing: str, *, normalized: bool) -> Real:
    """The coordinate u in texels, exact: in -size .. size where the image is repeated, else as given."""
    return _COORDINATES[addressing](s) * size if normalized else s


def nearest(u: Real, size: int, addressing: str) -> Places:
    """The index of the nearest texel along one axis, or -1 or the size beyond the border."""
    return _addressed(np.floor(u), size, addressing)


def ends(u: Real, size: int, addressing: str) -> Ends:
    """The two texels along one axis.

    u - 0.5 rounds only where |u| is much less than 0.5, or where u lies beyond the border and is brought near to it.
    """
    near = _clipped(u, -size - _BEYOND, size + _BEYOND)
    below = np.floor(near - 0.5)
    first, second = (_addressed(below + n, size, addressing) for n in (0.0, 1.0))
    return Ends(first, second, near, below + 0.5)


def is_inside(u: Real, size: int) -> NDArray[np.bool_]:
    """Where the coordinate refers to a location in the image."""
    return (u >= 0.0) & (u < size)


def layer(w: Real, count: int) -> Places:
    """The layer of an array of images, 5.4: clamp(rint(w), 0, count - 1)."""
    return _clipped(np.rint(w), 0.0, count - 1.0).astype(np.intp)


def _clipped(x: Real, low: float, high: float) -> Real:
    """As np.clip, which is slower for few numbers."""
    return np.asarray(np.minimum(np.maximum(x, low), high))


def _addressed(i: Real, size: int, addressing: str) -> Places:
    return _ADDRESSED[addressing](i, size).astype(np.intp)


def _of_repeat(i: Real, size: int) -> Real:
    """Coordinates are already in -size .. size; a linear filter reads up to one texel beyond on either side."""
    i = np.where(i < 0.0, i + size, i)
    i = np.where(i < 0.0, i + size, i)
    return np.where(i >= size, i - size, i)


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
_ADDRESSED: dict[str, Callable[[Real, int], Real]] = {
    **dict.fromkeys(("none", "clamp"), lambda i, size: _clipped(i, -1.0, float(size))),
    **dict.fromkeys(("clamp_to_edge", "mirrored_repeat"), lambda i, size: _clipped(i, 0.0, size - 1.0)),
    "repeat": _of_repeat,
}
ADDRESSING = tuple(_COORDINATES)
