"""The linear filter of images, rounded once from the exact value of its formula: OpenCL C++ 1.0, 5.2.

A sum of texels times weights is taken in double first; where both ends of its error round alike, that is the result.
Elsewhere it is taken exactly, as an expansion; and by fractions where even its quotient is undecided.
"""

from __future__ import annotations

import functools
import itertools
import operator
from collections.abc import Sequence
from fractions import Fraction
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from clmath.direct.addressing import Ends, Places
from clmath.direct.channels import PRECISION, linear
from clmath.direct.texels import Plane
from clmath.ir.lanes import two_product, two_sum
from clmath.ir.values import Real, Truth
from clmath.numbers.formats import Format
from clmath.numbers.lane_expansions import expansion_product, head_and_rest
from clmath.numbers.rounding import Enclosure, Rounding, fraction, narrow, round_enclosure, round_real

__all__ = ["Corner", "corners", "filtered", "inside_filtered"]

# error relative to the sum of the terms' magnitudes: a term has 3 weights, 2 products of weights, 1 product with the
# texel, and a texel of sRGB, each with relative error 2^-53; 7 sums and the quotient have as much: 15 in all. The ends
# themselves are rounded, too.
_ERROR = 17 * 2.0**-53
_QUOTIENT = 2.0**-100  # of the quotient of an expansion, see _divided

Axes: TypeAlias = "Sequence[Ends]"
_Side: TypeAlias = "tuple[Places, Truth | None, Real]"


class Corner(NamedTuple):
    """One of the texels that are filtered: the end of each axis that it is at, its index, and the elements that are
    inside the image.

    ``weight``: the product of its weights, in double, and 0 beyond the border.
    """

    sides: tuple[int, ...]
    places: Places
    inside: Truth | None
    weight: Real

    def of(self, values: np.ndarray) -> np.ndarray:
        """The values of the corner, 0 beyond the border, whose colour that is."""
        return values if self.inside is None else np.where(self.inside, values, 0)

    def lanes(self, index: Places) -> Corner:
        """The corner at the elements that ``index`` selects."""
        inside = None if self.inside is None else self.inside[index]
        return Corner(self.sides, self.places[index], inside, self.weight[index])


def corners(axes: Axes, sizes: Sequence[int], offset: Places | int) -> list[Corner]:
    """The 2, 4 or 8 texels that are filtered; ``offset``: where the layer begins. The first axis is x."""
    steps = itertools.accumulate(sizes[:-1], operator.mul, initial=1)
    sided = [_sides(axis, size, step) for axis, size, step in zip(axes, sizes, steps, strict=True)]
    found = []
    for sides in itertools.product((0, 1), repeat=len(axes)):
        first, *others = [axis[side] for axis, side in zip(sided, sides, strict=True)]
        places, inside, weight = first
        for place, within, of_axis in others:
            places, weight = places + place, weight * of_axis
            inside = within if inside is None else inside if within is None else inside & within
        found.append(Corner(sides, places + offset, inside, weight if inside is None else np.where(inside, weight, 0)))
    return found


def _sides(axis: Ends, size: int, step: int) -> list[_Side]:
    """For both ends of an axis: the offset of the texel, where it is inside the image (None: everywhere), and its
    weight.
    """
    found: list[_Side] = []
    for end, weight in zip((axis.first, axis.second), axis.weights(), strict=True):
        within = (end >= 0) & (end < size)
        is_inside = bool(within.all())
        found.append(((end if is_inside else end * within) * step, None if is_inside else within, weight))
    return found


def filtered(plane: Plane, axes: Axes, found: Sequence[Corner], form: Format, mode: Rounding) -> np.ndarray:
    """The filtered channel, rounded to ``form``: a zero is +0; NaN where a texel is infinite or NaN."""
    total, size = _sums(plane, found)
    result, undecided = _decided(total / plane.divisor, size / plane.divisor, form, mode)
    if undecided.size:
        some = [axis.lanes(undecided) for axis in axes]
        result[undecided] = _exactly(plane, some, [c.lanes(undecided) for c in found], form, mode)
    return result


def inside_filtered(axes: Axes, found: Sequence[Corner], form: Format, mode: Rounding) -> np.ndarray:
    """Filter a channel that is 1 in the entire image, and 0 beyond its border."""
    result = np.ones(axes[0].u.shape, form.dtype)
    masks = [c.inside for c in found if c.inside is not None]
    beyond = np.flatnonzero(~np.all(masks, axis=0)) if masks else np.arange(0)
    if beyond.size:
        some, left = [axis.lanes(beyond) for axis in axes], [c.lanes(beyond) for c in found]
        parts = [p for c in left for p in _weighted(some, c, [c.of(np.ones(beyond.size))])]
        result[beyond] = round_enclosure(_sum(parts, beyond.size), form, mode)[0]
    return result


def _sums(plane: Plane, found: Sequence[Corner]) -> tuple[Real, Real]:
    """The sum of the weighted texels, and the sum of their magnitudes, both times the divisor and in double."""
    terms = [corner.weight * corner.of(plane.numerators(corner.places)) for corner in found]
    total = functools.reduce(operator.add, terms)
    return total, functools.reduce(operator.add, map(np.abs, terms)) if plane.is_signed else total


def _decided(value: Real, size: Real, form: Format, mode: Rounding) -> tuple[np.ndarray, Places]:
    """The rounded values, and the indices of elements at which the two ends of the error round apart."""
    error = size * _ERROR
    low, high = narrow(value - error + 0.0, form, mode), narrow(value + error + 0.0, form, mode)
    undecided = np.flatnonzero(form.bits(low) != form.bits(high))
    if not np.isfinite(value).all():
        low[~np.isfinite(value)] = form.nan
        undecided = undecided[np.isfinite(value[undecided])]
    return low, undecided


def _weighted(axes: Axes, corner: Corner, value: Sequence[Real]) -> Sequence[Real]:
    """The exact product of the corner's weights and ``value``, a sum of doubles, as parts."""
    parts = list(value)
    for axis, side in zip(axes, corner.sides, strict=True):
        weight = [part for part in axis.exact_weights()[side] if part.any()]
        parts = [p for p in expansion_product(parts, weight) if p.any()]
    return parts


def _exactly(plane: Plane, axes: Axes, found: Sequence[Corner], form: Format, mode: Rounding) -> np.ndarray:
    """The rounded values from expansions, and from fractions if the quotient is undecided."""
    parts: list[Real] = []
    missing = np.zeros(axes[0].u.shape)
    for corner in found:
        texel = [np.asarray(corner.of(plane.numerators(corner.places)), np.float64)]
        if plane.is_srgb:
            low, left_out = plane.rests(corner.places)
            texel.append(corner.of(low))
            missing += left_out * (corner.weight > 0.0)
        parts += _weighted(axes, corner, texel)
    value = _divided(_sum(parts, missing.size), missing, plane.divisor)
    result, is_undecided = round_enclosure(value, form, mode)
    for lane in np.flatnonzero(is_undecided):
        result[lane] = _by_fractions(plane, axes, found, int(lane), form, mode)
    return result


def _sum(parts: Sequence[Real], lanes: int) -> Enclosure:
    """The sum of ``parts``, +0 for an empty list: all bits except the 106 highest are rounded to odd."""
    head, rest = head_and_rest(parts or [np.zeros(lanes)])
    return Enclosure.of(head + 0.0, rest)


def _divided(value: Enclosure, missing: Real, divisor: int) -> Enclosure:
    """A sum that omits at most ``missing``, divided by ``divisor``; ``missing`` is 0 unless the divisor is 1.

    With q = head / divisor rounded, head - q divisor is exact, and so is the quotient where nothing of it and of the
    rest is left. The remainder is at most 2^-52 of the head, and its relative error is 2^-51.
    """
    head, rest = value.hi, value.lo
    if divisor == 1:
        return Enclosure.of(head, rest, missing * 2.0)
    quotient = head / divisor
    product, tail = two_product(quotient, np.full_like(quotient, divisor))
    left = (head - product) - tail
    hi, lo = two_sum(quotient, (left + rest) / divisor)
    error = np.where((left == 0.0) & (rest == 0.0), 0.0, np.abs(hi) * _QUOTIENT)
    return Enclosure.of(hi, lo, error)


def _by_fractions(  # noqa: PLR0917 - the arguments of _exactly, and the element
    plane: Plane, axes: Axes, found: Sequence[Corner], lane: int, form: Format, mode: Rounding
) -> Any:
    """The rounded value of one element, by fractions; powers of sRGB are computed with as many bits as the rounding
    needs.

    Powers of unlike codes and 1 are linearly independent over the rationals, and no weight is negative: the sum is a
    number of the format, or lies halfway, only where it has no power, and then it is a fraction.
    """
    exact = Fraction(0)
    powers: list[tuple[Fraction, int]] = []
    for corner in found:
        if corner.inside is not None and not corner.inside[lane]:
            continue
        weight = Fraction(1)
        for axis, side in zip(axes, corner.sides, strict=True):
            weight *= sum(Fraction(float(part[lane])) for part in axis.exact_weights()[side])
        value, code = plane.exact(int(corner.places[lane]))
        exact += weight * value
        if code is not None and weight:
            powers.append((weight, code))
    if not powers:
        return round_real(exact, form, mode)
    return _with_powers(exact, powers, form, mode)


def _with_powers(exact: Fraction, powers: Sequence[tuple[Fraction, int]], form: Format, mode: Rounding) -> Any:
    """The fraction and the weighted powers of sRGB codes, rounded once."""
    bits = PRECISION
    while True:
        values = sum(weight * fraction(linear(Fraction(code, 255), bits)) for weight, code in powers)
        total, error = exact + values, values * Fraction(16, 1 << bits)
        low, high = (round_real(end, form, mode) for end in (total - error, total + error))
        if low == high:
            return low
        bits *= 2
