"""The linear filter of images, rounded once from the exact value of its formula: OpenCL C++ 1.0, 5.2.

A sum of texels times weights is taken in double first; where both ends of its error round alike, that is the result.
Elsewhere it is taken exactly, as an expansion; and by fractions where even that is undecided: quotients, and sRGB.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np

from clmath.direct.addressing import Ends, Places
from clmath.direct.channels import PRECISION, linear
from clmath.direct.texels import Texels
from clmath.ir.primitives import two_product, two_sum
from clmath.ir.values import Real, Truth
from clmath.numbers.expansions import expansion_product, head_and_rest
from clmath.numbers.formats import Format
from clmath.numbers.rounding import Enclosure, Rounding, fraction, narrow, round_enclosure, round_real

# to both ends, relative to the sum of the terms' magnitudes: a term has 3 weights, 2 products of weights, 1 product
# with the texel, and a texel of sRGB, each with relative error 2^-53; 7 sums and the quotient have as much: 15 in all.
# The ends themselves are rounded, too.
_ERRORS = np.array([-17, 18]).reshape(2, 1, 1) * 2.0**-53
_BLOCK = 1 << 12  # elements that are filtered at a time: 8 corners of 4 channels of each stay in a cache
_QUOTIENT = 2.0**-100  # of the quotient of an expansion, see _divided
_OF_SRGB = 2.0**-52  # of a texel of sRGB, and more: of the double that is its linear value


class Corners(NamedTuple):
    """The 2, 4 or 8 texels that are filtered, on the first axis: bit i of their number is the end of axis i.

    ``u``, ``c``: along each axis the weight of an end is |u - c|; c is less than u for the second end alone.
    ``weights``: the products of the weights, in double, and 0 beyond the border. ``places``: the indices of texels.
    ``inside``: the elements that are inside the image, or None if all are.
    """

    u: Real
    c: Real
    weights: Real
    places: Places
    inside: Truth | None

    @classmethod
    def of(cls, ends: Ends, steps: Real, offset: Real | None) -> Corners:
        """Return the corners of ``ends``; ``steps``: from one texel to the next of each axis; ``offset``: of layers."""
        taken, u, c, within = ends
        weights, inside = _outer(np.multiply, np.abs(u - c)), None
        if within is not None and not within.all():
            inside = _outer(np.logical_and, within)
            weights, taken = np.where(inside, weights, 0.0), taken * within
        places = _outer(np.add, taken * steps)
        return cls(u, c, weights, (places if offset is None else places + offset).astype(np.intp), inside)

    def inside_of(self, values: np.ndarray) -> np.ndarray:
        """The values of the corners, 0 beyond the border, whose colour that is."""
        return values if self.inside is None else np.where(self.inside, values, 0)

    def of_one(self) -> Corners:
        """The corners of an image that is 1 everywhere, in its only texel."""
        return self._replace(places=np.zeros_like(self.places))

    def exact_terms(self, values: Real) -> list[Real]:
        """Doubles whose exact sum is the sum of ``values`` times weights."""
        sides = two_sum(self.c[0], -self.u), two_sum(self.u, -self.c[1])
        terms = []
        for number, value in enumerate(values):
            parts = [value]
            for axis in range(len(self.u)):
                weight = [part[axis] for part in sides[number >> axis & 1] if part[axis].any()]
                parts = [p for p in expansion_product(parts, weight) if p.any()]
            terms += parts
        return terms

    def exact_weight(self, number: int, element: int) -> Fraction:
        """The weight of one corner of one element, which is inside the image."""
        seconds = [Fraction(u) - Fraction(c) for u, c in zip(self.u[:, element], self.c[1, :, element], strict=True)]
        return math.prod((a if number >> axis & 1 else 1 - a for axis, a in enumerate(seconds)), start=Fraction(1))


def _outer(operation: np.ufunc, ends: np.ndarray) -> np.ndarray:
    """Combine both ends of every axis with both of the others, in the order of corners."""
    found = ends[:, 0]
    for axis in range(1, ends.shape[1]):
        found = operation(ends[:, axis, np.newaxis], found).reshape(2 * len(found), ends.shape[2])
    return found


Located: TypeAlias = "Callable[[Places | slice], Corners]"
"""Locates the corners of the elements that an index selects."""
_Block: TypeAlias = "tuple[np.ndarray, Truth]"
"""Rounded values, and a mask of the undecided ones."""

_ONE = Texels(np.ones((1, 1)), (), np.ones((1, 1)))


def filtered(
    texels: Texels, located: Located, count: int, form: Format, mode: Rounding, *, has_edge: bool
) -> tuple[np.ndarray, np.ndarray | int]:
    """The filtered channels of ``count`` elements, rounded to ``form``, and a channel that is 1 in the entire image.

    A zero is +0; NaN where a texel is infinite or NaN. ``has_edge``: whether the last channel is 0 beyond the border.
    """
    blocks, edges = [], []
    for start in range(0, max(count, 1), _BLOCK):
        corners = located(slice(start, start + _BLOCK))
        blocks.append(_in_double(texels, corners, form, mode))
        if has_edge:
            edges.append(_edge(corners, form, mode))
    result = _decided(blocks, texels, located, form, mode)
    return result, _decided(edges, _ONE, lambda some: located(some).of_one(), form, mode)[0] if has_edge else 1


def _edge(corners: Corners, form: Format, mode: Rounding) -> _Block:
    """Filter a block of a channel that is 1 in the entire image, and 0 beyond its border."""
    ones = np.ones((1, corners.places.shape[1]), form.dtype)
    if corners.inside is None:
        return ones, np.zeros(ones.shape, np.bool_)
    found, is_undecided = _in_double(_ONE, corners.of_one(), form, mode)
    is_whole = corners.inside.all(axis=0)
    return np.where(is_whole, ones, found), is_undecided & ~is_whole


def _decided(blocks: Sequence[_Block], texels: Texels, located: Located, form: Format, mode: Rounding) -> np.ndarray:
    """The values of blocks, of which undecided ones are taken exactly."""
    result, is_undecided = blocks[0]
    if len(blocks) > 1:
        result, is_undecided = (np.concatenate(parts, axis=-1) for parts in zip(*blocks, strict=True))
    if np.count_nonzero(is_undecided):
        for number in np.flatnonzero(is_undecided.any(axis=1)).tolist():
            some = np.flatnonzero(is_undecided[number])
            result[number, some] = _exactly(texels.line(number), located(some), form, mode)
    return result


def _in_double(texels: Texels, corners: Corners, form: Format, mode: Rounding) -> _Block:
    """The rounded values of a block; those are undecided whose two ends of the error round apart."""
    terms = corners.weights * corners.inside_of(texels.numerators(corners.places))
    value = np.add.reduce(terms, axis=1) / texels.divisors
    kind = texels.stored.dtype.kind
    sizes = value if kind == "u" else np.add.reduce(np.abs(terms), axis=1) / texels.divisors
    both = value + sizes * _ERRORS
    if kind != "u":
        both += 0.0
    found = narrow(both, form, mode)
    low, codes = found[0], form.bits(found)
    is_undecided = codes[0] != codes[1]
    if kind == "f" and not math.isfinite(np.add.reduce(value, axis=None)):  # sums of floats do not overflow
        low[~np.isfinite(value)] = form.nan
        is_undecided &= np.isfinite(value)
    return low, is_undecided


def _exactly(line: Texels, corners: Corners, form: Format, mode: Rounding) -> np.ndarray:
    """The rounded values of one channel from expansions, and from fractions where these are undecided."""
    texels = corners.inside_of(line.numerators(corners.places)[0].astype(np.float64))
    error = np.zeros(texels.shape[1])
    if line.is_srgb:
        error = np.add.reduce(np.where(texels == 1.0, 0.0, texels) * corners.weights, axis=0) * _OF_SRGB
    parts = corners.exact_terms(texels) or [np.zeros_like(error)]
    result, is_undecided = round_enclosure(_divided(parts, line.divisors[0], error), form, mode)
    for element in np.flatnonzero(is_undecided).tolist():
        result[element] = _by_fractions(line, corners, element, form, mode)
    return result


def _divided(parts: Sequence[Real], divisor: Real, error: Real) -> Enclosure:
    """The sum of ``parts``, which has an ``error``, over a divisor; the divisor is 1 if there is an error.

    All bits of the sum except the 106 highest are rounded to odd. With q = head / divisor rounded, head - q divisor is
    exact, and so is the quotient where nothing of it and of the rest is left. The remainder is at most 2^-52 of the
    head, and its relative error is 2^-51.
    """
    head, rest = head_and_rest(parts)
    quotient = head / divisor
    product, tail = two_product(quotient, divisor)
    left = (head - product) - tail
    hi, lo = two_sum(quotient, (left + rest) / divisor)
    is_exact = (((left == 0.0) & (rest == 0.0)) | (divisor == 1.0)) & (error == 0.0)
    return Enclosure.of(hi, lo, np.where(is_exact, 0.0, np.abs(hi) * _QUOTIENT + error))


def _by_fractions(line: Texels, corners: Corners, element: int, form: Format, mode: Rounding) -> np.generic:
    """The rounded value of one element, by fractions; powers of sRGB are computed with as many bits as the rounding
    needs.

    Powers of unlike codes and 1 are linearly independent over the rationals, and no weight is negative: the sum is a
    number of the format, or lies halfway, only where it has no power, and then it is a fraction.
    """
    exact = Fraction(0)
    powers: list[tuple[Fraction, int]] = []
    for number, place in enumerate(corners.places[:, element].tolist()):
        if corners.inside is None or corners.inside[number, element]:
            weight = corners.exact_weight(number, element)
            value, code = line.exact(place)
            exact += weight * value
            if code is not None and weight:
                powers.append((weight, code))
    bits = PRECISION
    while True:
        values = sum(weight * fraction(linear(Fraction(code, 255), bits)) for weight, code in powers)
        error = values * Fraction(16, 1 << bits)
        low, high = (round_real(exact + end, form, mode) for end in (values - error, values + error))
        if low == high:
            found: np.generic = low
            return found
        bits *= 2
