"""The linear filter of images, rounded once from the exact value of its formula: OpenCL C++ 1.0, 5.2.

A sum of texels times weights is taken in double first; where both ends of its error round alike, that is the result.
Elsewhere it is taken exactly, as an expansion; and by fractions where even its quotient is undecided.
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
from clmath.ir.lanes import two_product, two_sum
from clmath.ir.values import Real, Truth
from clmath.numbers.formats import Format
from clmath.numbers.lane_expansions import expansion_product, head_and_rest
from clmath.numbers.rounding import Enclosure, Rounding, fraction, narrow, round_enclosure, round_real

__all__ = ["Corners", "filtered"]

# error relative to the sum of the terms' magnitudes: a term has 3 weights, 2 products of weights, 1 product with the
# texel, and a texel of sRGB, each with relative error 2^-53; 7 sums and the quotient have as much: 15 in all. The ends
# themselves are rounded, too.
_ERROR = 17 * 2.0**-53
_BLOCK = 1 << 12  # elements that are filtered at a time: 8 corners of 4 channels of each stay in a cache
_QUOTIENT = 2.0**-100  # of the quotient of an expansion, see _divided


class Corners(NamedTuple):
    """The 2, 4 or 8 texels that are filtered, on the first axis: bit i of their number is the end of axis i.

    ``ends``: of each axis. ``weights``: the products of their weights, in double, and 0 beyond the border. ``places``:
    their indices. ``inside``: the elements that are inside the image, or None if all are.
    """

    ends: Ends
    weights: Real
    places: Places
    inside: Truth | None

    @classmethod
    def of(cls, ends: Ends, sizes: Real, steps: Real, offset: Real | None, *, bordered: bool) -> Corners:
        """Return the corners of ``ends``; ``steps``: from one texel to the next of each axis; ``offset``: of layers.

        ``bordered``: whether an end may be beyond the border.
        """
        weights, taken, inside = _outer(np.multiply, ends.weights()), ends.taken, None
        if bordered:
            within = (taken >= 0.0) & (taken < sizes)
            if not within.all():
                inside = _outer(np.logical_and, within)
                weights, taken = np.where(inside, weights, 0.0), taken * within
        places = _outer(np.add, taken * steps)
        return cls(ends, weights, (places if offset is None else places + offset).astype(np.intp), inside)

    def inside_of(self, values: np.ndarray) -> np.ndarray:
        """The values of the corners, 0 beyond the border, whose colour that is."""
        return values if self.inside is None else np.where(self.inside, values, 0)

    def lanes(self, index: Places) -> Corners:
        """The corners at the elements that ``index`` selects."""
        inside = None if self.inside is None else self.inside[:, index]
        return Corners(self.ends.lanes(index), self.weights[:, index], self.places[:, index], inside)

    def weighted(self, number: int, value: Sequence[Real]) -> Sequence[Real]:
        """The exact product of the weights of one corner and ``value``, a sum of doubles, as parts."""
        parts = list(value)
        for axis in range(len(self.ends.u)):
            weight = [part[axis] for part in self.ends.exact_weights()[number >> axis & 1] if part[axis].any()]
            parts = [p for p in expansion_product(parts, weight) if p.any()]
        return parts


Located: TypeAlias = "Callable[[Places | slice], Corners]"
"""Locates the corners of the elements that an index selects."""


def _outer(operation: np.ufunc, ends: np.ndarray) -> np.ndarray:
    """Combine both ends of every axis with both of the others, in the order of corners."""
    found = ends[:, 0]
    for axis in range(1, ends.shape[1]):
        found = operation(ends[:, axis, np.newaxis], found).reshape(2 * len(found), ends.shape[2])
    return found


def filtered(
    texels: Texels, located: Located, count: int, form: Format, mode: Rounding, *, has_edge: bool
) -> tuple[np.ndarray, np.ndarray | int]:
    """The filtered channels of ``count`` elements, rounded to ``form``, and a channel that is 1 in the entire image.

    A zero is +0; NaN where a texel is infinite or NaN. ``has_edge``: whether the last channel is 0 beyond the border.
    """
    blocks = range(0, max(count, 1), _BLOCK)
    parts = [_filtered(texels, located(slice(i, i + _BLOCK)), form, mode, has_edge=has_edge) for i in blocks]
    if len(parts) == 1:
        result, is_undecided, ones = parts[0]
    else:
        result, is_undecided, ones = (np.concatenate(of_parts, axis=-1) for of_parts in zip(*parts, strict=True))
    if np.count_nonzero(is_undecided):
        for number in np.flatnonzero(is_undecided.any(axis=1)).tolist():
            some = np.flatnonzero(is_undecided[number])
            result[number, some] = _exactly(texels.line(number), located(some), form, mode)
    return result, ones if has_edge else 1


def _filtered(
    texels: Texels, corners: Corners, form: Format, mode: Rounding, *, has_edge: bool
) -> tuple[np.ndarray, Truth, np.ndarray]:
    """The rounded values of a block, the undecided ones, and a channel that is 1 in the entire image."""
    return *_in_double(texels, corners, form, mode), _inside_filtered(corners, form, mode) if has_edge else np.empty(0)


def _inside_filtered(corners: Corners, form: Format, mode: Rounding) -> np.ndarray:
    """Filter a channel that is 1 in the entire image, and 0 beyond its border."""
    result = np.ones(corners.places.shape[1], form.dtype)
    if corners.inside is not None:
        beyond = np.flatnonzero(~corners.inside.all(axis=0))
        left = corners.lanes(beyond)
        ones = left.inside_of(np.ones(left.weights.shape))
        parts = [p for number, one in enumerate(ones) for p in left.weighted(number, [one])]
        result[beyond] = round_enclosure(_sum(parts, beyond.size), form, mode)[0]
    return result


def _in_double(texels: Texels, corners: Corners, form: Format, mode: Rounding) -> tuple[np.ndarray, Truth]:
    """The rounded values, and a mask of the values whose two ends of the error round apart."""
    terms = corners.weights * corners.inside_of(texels.numerators(corners.places))
    value = np.add.reduce(terms, axis=1) / texels.divisors
    is_signed = texels.stored.dtype.kind != "u"
    error = (np.add.reduce(np.abs(terms), axis=1) / texels.divisors if is_signed else value) * _ERROR
    both = np.empty((2, *value.shape))
    np.subtract(value, error, out=both[0])
    np.add(value, error, out=both[1])
    both += 0.0
    found = narrow(both, form, mode)
    low, codes = found[0], form.bits(found)
    is_undecided = codes[0] != codes[1]
    if not math.isfinite(np.add.reduce(value, axis=None)):  # sums of floats do not overflow
        low[~np.isfinite(value)] = form.nan
        is_undecided &= np.isfinite(value)
    return low, is_undecided


def _exactly(line: Texels, corners: Corners, form: Format, mode: Rounding) -> np.ndarray:
    """The rounded values of one channel from expansions, and from fractions if the quotient is undecided."""
    texels = [corners.inside_of(np.asarray(line.numerators(corners.places)[0], np.float64))]
    missing = np.zeros(corners.places.shape[1])
    if line.is_srgb:
        (low,), (left_out,) = line.rests(corners.places)
        texels.append(corners.inside_of(low))
        missing = np.add.reduce(left_out * (corners.weights > 0.0), axis=0)
    parts = [p for number, values in enumerate(zip(*texels, strict=True)) for p in corners.weighted(number, values)]
    value = _divided(_sum(parts, missing.size), missing, line.divisors[0])
    result, is_undecided = round_enclosure(value, form, mode)
    for lane in np.flatnonzero(is_undecided):
        result[lane] = _by_fractions(line, corners.lanes(np.array([lane])), form, mode)
    return result


def _sum(parts: Sequence[Real], lanes: int) -> Enclosure:
    """The sum of ``parts``, +0 for an empty list: all bits except the 106 highest are rounded to odd."""
    head, rest = head_and_rest(parts or [np.zeros(lanes)])
    return Enclosure.of(head + 0.0, rest)


def _divided(value: Enclosure, missing: Real, divisor: Real) -> Enclosure:
    """A sum that omits at most ``missing``, divided by ``divisor``; ``missing`` is 0 unless the divisor is 1.

    With q = head / divisor rounded, head - q divisor is exact, and so is the quotient where nothing of it and of the
    rest is left. The remainder is at most 2^-52 of the head, and its relative error is 2^-51.
    """
    head, rest = value.hi, value.lo
    quotient = head / divisor
    product, tail = two_product(quotient, divisor)
    left = (head - product) - tail
    hi, lo = two_sum(quotient, (left + rest) / divisor)
    is_exact = ((left == 0.0) & (rest == 0.0)) | (divisor == 1.0)
    return Enclosure.of(hi, lo, np.where(is_exact, missing * 2.0, np.abs(hi) * _QUOTIENT))


def _by_fractions(line: Texels, corners: Corners, form: Format, mode: Rounding) -> np.generic:
    """The rounded value of one element, by fractions; powers of sRGB are computed with as many bits as the rounding
    needs.

    Powers of unlike codes and 1 are linearly independent over the rationals, and no weight is negative: the sum is a
    number of the format, or lies halfway, only where it has no power, and then it is a fraction.
    """
    exact = Fraction(0)
    powers: list[tuple[Fraction, int]] = []
    sides = corners.ends.exact_weights()
    for number, place in enumerate(corners.places[:, 0]):
        if corners.inside is not None and not corners.inside[number, 0]:
            continue
        weight = Fraction(1)
        for axis in range(len(corners.ends.u)):
            weight *= sum(Fraction(float(part[axis, 0])) for part in sides[number >> axis & 1])
        value, code = line.exact(int(place))
        exact += weight * value
        if code is not None and weight:
            powers.append((weight, code))
    return _with_powers(exact, powers, form, mode) if powers else round_real(exact, form, mode)


def _with_powers(exact: Fraction, powers: Sequence[tuple[Fraction, int]], form: Format, mode: Rounding) -> np.generic:
    """The fraction and the weighted powers of sRGB codes, rounded once."""
    bits = PRECISION
    while True:
        values = sum(weight * fraction(linear(Fraction(code, 255), bits)) for weight, code in powers)
        total, error = exact + values, values * Fraction(16, 1 << bits)
        low, high = (round_real(end, form, mode) for end in (total - error, total + error))
        if low == high:
            found: np.generic = low
            return found
        bits *= 2
