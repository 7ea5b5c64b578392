"""Exact values and enclosures of them, as acceptance criteria need them: ends, ulp, kind; bounds on errors of results.

A point is a real number (head + tail) 2^exponent; for formats that float holds, tail and exponent are 0. Points are
moved with their errors kept: a point is always on the right side of every number of the format, so that one directed
rounding of it is exact.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from clmath.audit.acceptance.sets import holds_nowhere
from clmath.ir.primitives import (
    bits,
    clamp,
    copysign,
    everywhere,
    fast_two_sum,
    filled,
    from_bits,
    greater,
    lesser,
    rarely,
    real,
    select,
    to_odd,
    two_sum,
)
from clmath.ir.values import Integer, Pair, Real, Truth
from clmath.kernels.exact import floor
from clmath.kernels.remainders import scaled
from clmath.numbers.encodings import encoded, sign_of
from clmath.numbers.formats import DOUBLE, FLOAT, Format
from clmath.numbers.rounded_encodings import to_double
from clmath.numbers.rounding import MODES, ZERO_SUM

MAGNITUDE, FRACTION, BIAS = (1 << 63) - 1, (1 << 52) - 1, 1023  # of encodings of doubles
INFINITY = float("inf")
OUTSIDE = 60  # binades: a value farther than this outside of the format is replaced by a power of two
SMALL, LARGE, SCALE = 2.0**-960, 2.0**960, 1000  # heads of doubles are scaled by 2^±1000 away from their ends
CLAMP = 2.0**1000  # the reference clips larger values to it for narrow formats, and tiny ones to its inverse
ROOM = 2.0**-52  # relative: twice the error of a sum
TWICE_INVERSE = 2 * BIAS + 1 << 52  # minus the encoding of a power of two x, it is the encoding of 2/x
UNSURE = 2.0**-50  # relative: the error of a value if it is not known on which side of a double it lies; far too large
STICKY = 5e-324  # the tail of a value whose tail underflows, which keeps its sign


class Point(NamedTuple):
    """The real number (head + tail) 2^exponent."""

    head: Real
    tail: Real | float
    exponent: Integer | int


class Ends(NamedTuple):
    """The ends of an interval."""

    low: Point
    high: Point


class Value(NamedTuple):
    """An exact value that is known to lie in an interval.

    ``nan``, ``infinite``, ``zero``, ``negative``: its kind; an infinity is a pole or an infinite argument's value.
    ``rounding``: ends between which it lies for rounding. ``distance``: ends for its distance from results; they are
    further apart if a kernel determines how a value is rounded and not exactly where it is. ``due``: the encodings of
    the rounded ends, only one for an exact value; they mean nothing for infinities and NaN. ``least_ulp``,
    ``most_ulp``: the least and greatest ulp of the values between these. ``one``: the number 1 in the unit of the
    points. ``stands_beyond``: whether it is at least 2^(emax + 2), and the kernel has one value for all such values.
    """

    nan: Truth
    infinite: Truth
    zero: Truth
    negative: Truth
    rounding: Ends
    distance: Ends
    due: tuple[Integer, ...]
    least_ulp: Real
    most_ulp: Real
    one: Real | float
    stands_beyond: Truth

    @property
    def is_number(self) -> Truth:
        """Whether the value is finite and not NaN."""
        return ~(self.nan | self.infinite)

    @property
    def is_exact(self) -> bool:
        """Whether the interval is known to be a point, so that one end is enough."""
        return self.distance.low is self.distance.high


def moved(at: Point, distance: Real, form: Format) -> Point:
    """Return the point plus ``distance`` 2^exponent."""
    total, rest = two_sum(at.head, distance)
    if form.is_narrow:
        return Point(to_odd(total, rest), 0.0, 0)
    return Point(*fast_two_sum(total, rest + at.tail), at.exponent)


def rounded(at: Point, form: Format, mode: int) -> Integer:
    """Return the encoding of a point rounded to the format in the mode numbered ``mode``."""
    if form.is_narrow:
        return encoded(at.head, form, mode)
    return to_double(at.head, at.tail, at.exponent, mode)  # type: ignore[arg-type] # a tail of double is an array


def binade(at: Point) -> Integer:
    """Return e with 2^e <= |point| < 2^(e + 1)."""
    size = bits(at.head) & MAGNITUDE
    found, tail = (size >> 52) - BIAS, at.tail
    if isinstance(tail, float):
        return found
    is_smaller = (tail != 0.0) & ((bits(tail) ^ bits(at.head)) < 0) & ((size & FRACTION) == 0)  # than a power of two
    return found + at.exponent - select(is_smaller, 1, 0)


def ulp(at: Point, form: Format) -> Real:
    """Return the ulp of the specification at a point, in the unit of the point."""
    return from_bits((place_of_ulp(at, form) - at.exponent + BIAS) << 52)


def place_of_ulp(at: Point, form: Format) -> Integer:
    """Return the exponent of the ulp of the specification at a point: at a power of two, the smaller ulp."""
    size = bits(at.head) & MAGNITUDE
    if not isinstance(at.tail, float):
        size = size + select((at.tail != 0.0) & ((bits(at.tail) ^ bits(at.head)) >= 0), 1, 0)
    place = ((size - 1) >> 52) - (BIAS - 1 + form.precision) + at.exponent
    return clamp(place, form.quantum, form.emax - form.precision + 1)


def _least_ulp_of_all(at: Point, form: Format) -> Real | float:
    """Return the distance of subnormal numbers, in the unit of the point."""
    if form.is_narrow:
        return 2.0**form.quantum
    place = form.quantum - cast("Integer", at.exponent) + BIAS
    return from_bits(select(place > 0, place, 0) << 52)


class Source(NamedTuple):
    """Facts about the enclosures of a kernel; the default is for exact values.

    ``off``: the largest error of a value with err = 0, in ulp of the widest format that the kernel serves. ``beyond``:
    whether one value represents all beyond 2^(emax + 2).
    """

    off: Real | float = 0.0
    beyond: bool = False


EXACT = Source()


def value_of(
    parts: tuple[Real, Real | float, Real, Integer | int],
    form: Format,
    mode: int,
    source: Source = EXACT,
    *,
    in_halves: bool = False,
    due: Integer | None = None,
) -> Value:
    """Return the value in the enclosure ``parts``: (hi + lo ± err) 2^exponent; for narrow formats lo = 0.

    ``in_halves``: whether all limits are multiples of half an ulp, so that only the side of numbers and midpoints
    matters where all numbers are one ulp apart. ``due``: the encoding of the rounded value, if known.
    """
    hi, lo, err, exponent = parts
    nan, infinite, zero = rarely(hi != hi), rarely(abs(hi) == INFINITY), rarely(hi == 0.0)
    negative = bits(hi) < 0
    if MODES[mode] == "rtn" and not isinstance(exponent, int):
        negative = negative | (zero & (exponent == ZERO_SUM))
    plain = ~(nan | infinite)
    hi, err = select(plain, hi, 1.0), select(plain & ~zero, err, 0.0)
    if form.is_narrow:
        at, wider = _in_one_double(hi, err, zero, form)
    else:
        rest, place = select(plain, lo, 0.0), select(plain, select(zero, form.quantum, exponent), 0)
        at, wider = _in_two_doubles(hi, rest, err, place, zero, form)
    rounding = distance = Ends(at, at) if holds_nowhere(wider != 0.0) else _between(at, wider, wider, form)
    if not isinstance(source.off, float) or source.off != 0.0:
        distance = _between(at, *_reach(at, wider, err, form, source.off, in_halves=in_halves), form)
    # the ulp of the ends of rounding: it is known on which side of a power of two the value lies
    ends = rounding[:1] if rounding.low is rounding.high else rounding
    ulps = [ulp(end, form) for end in ends]
    codes = (due,) if due is not None else tuple(rounded(end, form, mode) for end in ends)
    above = rarely(binade(at) >= form.emax + 2) & plain if source.beyond else ~everywhere(at.head)
    least, most = lesser(ulps[0], ulps[-1]), greater(ulps[0], ulps[-1])
    return Value(nan, infinite, zero, negative, rounding, distance, codes, least, most, _one(at, form), above)


def _between(at: Point, down: Real, up: Real, form: Format) -> Ends:
    """Return the ends of the interval from ``down`` below a point to ``up`` above it.

    In narrow formats both ends are doubles, or the distances are larger than they must be by more than rounding takes
    away: ``ROOM``.
    """
    if form.is_narrow:
        return Ends(Point(at.head - down, 0.0, 0), Point(at.head + up, 0.0, 0))
    return Ends(moved(at, -down, form), moved(at, up, form))


def _in_one_double(hi: Real, err: Real, zero: Truth, form: Format) -> tuple[Point, Real]:
    """Return the middle and half the width of a narrow format's enclosure, moved near the format's numbers."""
    least, most = 2.0 ** (form.quantum - OUTSIDE), 2.0 ** (form.emax + OUTSIDE)
    near, far = rarely(abs(hi) < least) & ~zero, rarely(abs(hi) > most)
    head = select(near, copysign(least, hi), select(far, copysign(most, hi), hi))
    at = Point(head, 0.0, 0)
    return at, select((err > 0.0) & ~(near | far), err + abs(head) * ROOM, 0.0)


def _in_two_doubles(  # noqa: PLR0917 - the parts of an enclosure
    hi: Real, lo: Real, err: Real, exponent: Integer, zero: Truth, form: Format
) -> tuple[Point, Real]:
    """Return the middle and half the width of a double's enclosure, with a head that no step makes subnormal."""
    tiny, huge = rarely(abs(hi) < SMALL) & ~zero, rarely(abs(hi) > LARGE)
    factor = select(tiny, 2.0**SCALE, select(huge, 2.0**-SCALE, 1.0))
    tail = lo * factor
    hi, err = hi * factor, err * factor
    lo = select((tail == 0.0) & (lo != 0.0), copysign(STICKY, lo), tail)
    exponent = exponent + select(tiny, -SCALE, select(huge, SCALE, 0))
    place = binade(Point(hi, lo, exponent))
    near, far = rarely(place < form.quantum - OUTSIDE) & ~zero, rarely(place > form.emax + OUTSIDE)
    exponent = select(near, form.quantum - OUTSIDE, select(far, form.emax + OUTSIDE, exponent))
    hi, lo = select(near | far, copysign(1.0, hi), hi), select(near | far, 0.0, lo)
    err = select(near | far, 0.0, err)
    return Point(hi, lo, exponent), select(err > 0.0, err + (abs(lo) + err) * 2.0**-51, 0.0)


def _one(at: Point, form: Format) -> Real | float:
    """Return the number 1 in the unit of the point, or the nearest power of two that a double holds."""
    if form.is_narrow:
        return 1.0
    place = -cast("Integer", at.exponent) + BIAS
    return from_bits(clamp(place, 1, 2046) << 52)


def _reach(at: Point, wider: Real, err: Real, form: Format, off: Real | float, *, in_halves: bool) -> Pair:
    """Return how far the exact value may lie below a kernel's value, and above it.

    A value with err = 0 lies on the same side of every number and midpoint as the exact one. If it is neither a number
    nor a midpoint, its error may be ``off`` ulp, but the exact value is not beyond the next number or midpoint. For
    double only the tail is checked, since heads are numbers of the format, except subnormal ones.
    """
    unit = ulp(at, form)
    halves = (at.head if form.is_narrow else at.tail) * from_bits(TWICE_INVERSE - bits(unit))
    share = off * 2.0 ** (form.precision - FLOAT.precision) + 2.0**form.precision * ROOM if form.is_narrow else off
    below, is_least, most = floor(halves), unit == _least_ulp_of_all(at, form), unit * share
    sides = [lesser(most, (unit * 0.5) * part) for part in (halves - below, (below + 1.0) - halves)]
    is_beside = below != halves
    if not form.is_narrow:
        sides = [select(is_least, most, side) for side in sides]
        is_beside = is_beside | (is_least & (at.head != 0.0))
    unknown = (err == 0.0) & is_beside
    if in_halves:
        unknown = unknown & ~is_least
    down, up = (select(unknown, side, wider) for side in sides)
    return down, up


def in_one_double(hi: Real, lo: Real, err: Real, exponent: Integer) -> Pair:
    """Return (value, err) for narrow formats, from the exact value in (hi + lo ± err) 2^exponent.

    Wherever possible, err is 0 and ``value`` is the exact value rounded to odd in 53 bits, by which the reference
    measures errors, too.
    """
    value = times(to_odd(hi, lo), exponent)
    finite = (hi != 0.0) & (hi - hi == 0.0)
    size = clamp(abs(value), 1.0 / CLAMP, CLAMP)
    value = select(finite, select(hi < 0.0, -size, size), hi)
    return value, select((abs(lo) <= err) & (err > 0.0), size * UNSURE, 0.0)


def times(x: Real, exponent: Integer) -> Real:
    """Return x 2^exponent, or an infinity or zero if the exponent is far beyond double's."""
    return scaled(x, clamp(exponent, -2044, 2044))


INFINITE = 0x7FF << 52
ENDS = (1 << 28) - 1  # a normal float, and a midpoint of two, ends in 28 zeros as a double
REFERENCE = 2.0**-50  # ulp: its exact values are rounded to odd in two doubles
NEAR = 2.0**-60  # relative: the largest error of a value with err = 0 in two doubles, unless it is tiny
VANISHED = 6  # kernels represent all values below the least number times 2^-6 by one value
MORE = 18  # the number of the bin of ``spread.BINS`` for distances beyond all other bins
FAR = 1 << 20  # a distance, in numbers of the format, that is beyond all other bins
ROUNDED = 2.0**-40  # relative: far more than the rounding errors in the computation of an error


class Error(NamedTuple):
    """Bounds on the size of an error: from ``least`` to ``most`` ulp, if the result ``is_near``.

    ``is_near``: the exact value is not zero and does not overflow, the result is not NaN, and special values prescribe
    no other result: a zero has the right sign, and if the exact value is a number of the format, the result is this
    number. An infinite result counts as the power of two beyond all numbers. ``is_unsure``: the exact value is not zero
    and does not overflow, the result is not NaN, and it is known whether the exact value is a power of two.
    ``is_certain``: the exact value is zero or infinite, or both it and the result are beyond all numbers. ``is_exact``:
    the enclosure has no width, so that a correctly rounded result is near in any case.
    """

    least: Real
    most: Real
    is_near: Truth
    is_unsure: Truth
    is_certain: Truth
    is_exact: Truth


def errors_of(parts: Sequence[np.ndarray], got: Integer, number: Real, form: Format, off: float) -> Error:
    """Return the error of the result ``number``, encoded as ``got``, by the ``parts`` of an enclosure.

    The enclosure is ``value`` ± ``err`` for a narrow format, and (hi + lo ± err) 2^exponent for double. ``off``: the
    largest error of a value with err = 0, in ulp of the widest format that the kernel serves. An infinite result counts
    as the power of two beyond all numbers, and so does an exact value beyond that power then. Numbers are compared in
    ulp: the difference of the result from hi is exact if the two are within a factor of two, else it is rounded once;
    subtracting lo rounds once more. The relative error of each rounding is at most 2^-53.
    """
    value, size = parts[0], got & form.magnitude
    encoding = bits(value) & MAGNITUDE
    finite, infinite = (encoding > 0) & (encoding < INFINITE), size == form.infinite
    if form.is_narrow:
        (hi, err), lo = parts, value  # any value: the second double is not used
        power, place = (encoding >> 52) - BIAS, place_of_ulp(Point(hi, 0.0, 0), form)
        ceiling = filled(2.0 ** (form.emax + 1), hi)
    else:
        hi, lo, err, exponent = parts
        power, place = binade(Point(hi, lo, exponent)), place_of_ulp(Point(hi, lo, exponent), form)
        number, value, lo, err = times(number, -place), *(times(x, exponent - place) for x in (hi, lo, err))
        ceiling = 2.0 * times(filled(2.0**form.emax, hi), -place)
    fits, far = finite & (power <= form.emax) & (size <= form.infinite), finite & (power > form.emax) & infinite
    number, due = select(infinite, copysign(ceiling, number), number), select(far, copysign(ceiling, value), value)
    apart = number - due
    is_exact = is_difference(apart, number, due)
    is_known = ((err == 0.0) & is_exact) | (far & (power > form.emax + 1))
    if form.is_narrow:
        unit = from_bits(BIAS - place << 52)
        further, slack = apart * unit, err * unit
        may_be_number = ((encoding & ENDS) == 0) & (power >= FLOAT.quantum - 1)
        inward, outward = reach(hi, err, off * 2.0 ** (form.precision - FLOAT.precision))
    else:
        further, slack = apart - select(far, 0.0, lo), err + select(err > 0.0, REFERENCE, 0.0)
        may_be_number = (abs(lo) <= err) & (power >= form.quantum - 1)
        is_known = (is_known & ((lo == 0.0) | far)) | (abs(further) == INFINITY)
        inward = outward = reach_of_double(lo, err, power, abs(due), off)
    further = select(bits(hi) < 0, -further, further)  # positive where the result is too large in size
    slack = select(is_known, 0.0, slack + abs(further) * ROUNDED)
    low, high = further - outward - slack, further + inward + slack
    least, most = greater(greater(low, -high), 0.0), greater(-low, high)
    if not form.is_narrow:
        least, most = beside(least, most, apart, lo, err, is_exact & (power >= DOUBLE.quantum - VANISHED) & ~far)
    near = fits & has_sign(hi, got, size, form) & ~(may_be_number & ((err != 0.0) | (further != 0.0)))
    unsure = fits & ~(may_be_number & (err != 0.0) & ((encoding & FRACTION) == 0))
    certain = ((encoding == 0) & (err == 0.0)) | (encoding == INFINITE) | far
    return Error(least, most, near, unsure, certain, fits & (err == 0.0))


def reach_of_double(lo: Real, err: Real, binade: Integer, size: Real, off: Real | float) -> Real:
    """Return how far the exact value may lie from a value in double, in ulp; ``size``: the size of the value in ulp."""
    vanished = binade < DOUBLE.quantum - VANISHED
    stands = ((err == 0.0) & ((lo != 0.0) | (binade < DOUBLE.emin))) | vanished
    return select(stands, select(vanished, off, lesser(off, size * NEAR)), 0.0)


def is_difference(apart: Real, x: Real, y: Real) -> Truth:
    """Whether ``apart`` is exactly x - y."""
    found: Truth = (x - apart == y) & (y + apart == x)
    return found


def has_sign(value: Real, got: Integer, size: Integer, form: Format) -> Truth:
    """Whether a result has the sign of the exact value, if it is zero; True for other results."""
    found: Truth = (size > 0) | (((got & sign_of(form)) != 0) == (bits(value) < 0))
    return found


def reach(value: Real, err: Real, off: float) -> Pair:
    """Return how many ulp the exact value may be nearer to zero than ``value``, and farther, in addition to ``err``.

    If ``value`` is zero, a normal float, or the midpoint of two, it is the exact value itself.
    """
    end, binade = bits(value) & ENDS, ((bits(value) & MAGNITUDE) >> 52) - BIAS
    normal = binade >= FLOAT.emin
    stands = ((err == 0.0) & ((end != 0) | ~normal)) | (binade < FLOAT.quantum - VANISHED)
    stands = stands & (value != 0.0)
    inward = select(stands & ~(normal & (end == 1)), off, 0.0)
    return inward, select(stands & ~(normal & (end == ENDS)), off, 0.0)


def beside(least: Real, most: Real, apart: Real, lo: Real, err: Real, is_exact: Truth) -> Pair:  # noqa: PLR0917 - as it is traced
    """Return closer bounds on an error if it is known on which side of ``hi`` the exact value lies.

    ``apart``: the difference of the result from ``hi``, which is used only if it ``is_exact``.
    """
    is_beside, same = is_exact & (abs(lo) > err), (bits(apart) ^ bits(lo)) >= 0
    most = select(is_beside & same & (apart != 0.0), lesser(most, abs(apart)), most)
    return select(is_beside & ~same, greater(least, abs(apart)), least), most


def distance(got: Integer, rounded: Integer, form: Format) -> Integer:
    """Return the number of the bin of ``spread.BINS`` for a result, by its distance in numbers of the format."""
    one: Integer = got & form.magnitude
    other: Integer = rounded & form.magnitude
    near_zero = select(one < FAR, one + other, FAR)  # the sum of two large ones overflows
    steps = select(((got ^ rounded) & sign_of(form)) != 0, near_zero, abs(one - other))
    steps = select(steps > FAR, FAR, steps)
    found = bin_of(steps)
    return select(found > MORE, MORE, found)


def bin_of(steps: Integer) -> Integer:
    """Return the number of the bin of a spread for a result ``steps`` floats from the right one: 0, 1, 2, 3-4 ..."""
    return select(steps == 0, 0, (bits(real(2 * steps - 1)) >> 52) - (DOUBLE.emax - 1))
