"""Reads with a sampler: the texels at coordinates, and their filtered colours. OpenCL C++ 1.0, 5.2 and 5.4.

Coordinates are doubles that hold floats or ints, sizes less than 2^28, so that every product of the two is exact.
"""

from __future__ import annotations

import itertools
import math
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from types import MappingProxyType
from typing import NamedTuple, TypeAlias, TypeVar

import numpy as np
from numpy.typing import NDArray

from clmath.reference.bitwise.conversions import converted
from clmath.reference.bitwise.encodings import form_of
from clmath.reference.bitwise.rounding import of_fractions
from clmath.reference.bitwise.texels import Texels

F64: TypeAlias = "NDArray[np.float64]"
Indices: TypeAlias = "NDArray[np.intp]"
Entry = TypeVar("Entry")

# of the sum of the magnitudes: each of at most 8 terms has 7 errors of 2^-53 of itself, in 3 weights, 2 products of
# weights, the colour and the product with it; 7 sums add as many errors
_ERROR = 16 * 2.0**-53


class Pair(NamedTuple):
    """The two texels along one axis that a linear filter takes; ``u``: the coordinates, in texels."""

    first: Indices
    second: Indices
    u: F64

    @property
    def weights(self) -> tuple[F64, F64]:
        """Weights of both: 1 - a and a, the fractional part of u - 1/2. Relative error: at most 2^-53."""
        above = self.u - np.floor(self.u)
        is_above = above >= 0.5
        return np.where(is_above, 1.5, 0.5) - above, np.where(is_above, -0.5, 0.5) + above

    def exact_weights(self, call: int) -> tuple[Fraction, Fraction]:
        """Weights of one call."""
        beyond = Fraction(float(self.u[call])) - Fraction(1, 2)
        return 1 - (beyond - math.floor(beyond)), beyond - math.floor(beyond)


def in_texels(s: F64, size: int, addressing: str, *, normalized: bool) -> F64:
    """Coordinates in texels, exact; where the image is repeated they keep their sign, and are less than the size."""
    if not normalized:
        return s
    if addressing == "repeat":
        return (s - np.trunc(s)) * size
    return (np.abs(s - 2.0 * np.rint(0.5 * s)) if addressing == "mirrored_repeat" else s) * size


def nearest(u: F64, size: int, addressing: str) -> Indices:
    """The texel along one axis, -1 or the size beyond the border."""
    return _ADDRESSED[addressing](np.floor(u), size).astype(np.intp)


def pair(u: F64, size: int, addressing: str) -> Pair:
    """The two texels along one axis whose centres are next to coordinates."""
    whole = np.floor(u)
    first = whole - (u - whole < 0.5)
    below, above = (_ADDRESSED[addressing](first + n, size).astype(np.intp) for n in (0.0, 1.0))
    return Pair(below, above, u)


def layer(w: F64, count: int) -> Indices:
    """The layer of an array of images."""
    return np.clip(np.rint(w), 0.0, count - 1.0).astype(np.intp)


_ADDRESSED: Mapping[str, Callable[[F64, int], F64]] = MappingProxyType(
    {
        **dict.fromkeys(("none", "clamp"), lambda i, size: np.clip(i, -1.0, size)),
        **dict.fromkeys(("clamp_to_edge", "mirrored_repeat"), lambda i, size: np.clip(i, 0.0, size - 1.0)),
        "repeat": np.mod,
    }
)


def filtered(texels: Texels, axes: Sequence[Pair], layers: Sequence[Indices], dtype: np.dtype) -> np.ndarray:
    """Components of filtered colours, rounded to nearest even; NaN where a texel is infinite or NaN.

    ``axes``: x first. Sums in double are enough where both ends of their error are rounded to one number.
    """
    form, places, colours = form_of(dtype), texels.places, texels.rounded(np.dtype(np.float64))
    corners = [places[(*layers, *index)] for index in _chosen([(p.first + 1, p.second + 1) for p in axes])]
    weights = [np.prod(chosen, axis=0) for chosen in _chosen([p.weights for p in axes])]
    terms = np.stack([weight[:, np.newaxis] * colours[at] for weight, at in zip(weights, corners, strict=True)])
    total, error = terms.sum(axis=0) + 0.0, np.abs(terms).sum(axis=0) * _ERROR
    found, other = (converted(end, dtype, "rte") for end in (total - error, total + error))
    found[~np.isfinite(total)] = form.nan
    undecided = (form.bits(found) != form.bits(other)) & np.isfinite(total)
    for call, component in np.argwhere(undecided).tolist():
        exact = [texels.exact(int(corner[call]), component) for corner in corners]
        factors = [math.prod(chosen) for chosen in _chosen([p.exact_weights(call) for p in axes])]
        value = sum(map(operator.mul, factors, exact))
        found[call, component] = of_fractions([value]).in_format(form, "rte")[0]
    return found


def _chosen(axes: Sequence[tuple[Entry, Entry]]) -> Iterator[tuple[Entry, ...]]:
    """All combinations of one of the two entries of each axis, x last."""
    return itertools.product(*reversed(axes))
