"""Bounds on the error in ulp of a result, from an enclosure of the exact value, by elementwise functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clmath.audit.acceptance.values import BIAS, FRACTION, INFINITY, MAGNITUDE, Point, place_of_ulp, times
from clmath.audit.acceptance.values import binade as binade_of
from clmath.ir.primitives import bits, copysign, filled, from_bits, greater, lesser, real, select
from clmath.numbers.encodings import sign_of
from clmath.numbers.formats import DOUBLE, FLOAT

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from clmath.ir.values import Integer, Pair, Real, Truth
    from clmath.numbers.formats import Format

__all__ = ["Error", "bin_of", "distance", "errors_of"]

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
        (hi, err), lo = parts, value  # there is no second double, and none is used
        binade, place = (encoding >> 52) - BIAS, place_of_ulp(Point(hi, 0.0, 0), form)
        ceiling = filled(2.0 ** (form.emax + 1), hi)
    else:
        hi, lo, err, exponent = parts
        binade, place = binade_of(Point(hi, lo, exponent)), place_of_ulp(Point(hi, lo, exponent), form)
        number, value, lo, err = times(number, -place), *(times(x, exponent - place) for x in (hi, lo, err))
        ceiling = 2.0 * times(filled(2.0**form.emax, hi), -place)
    fits, far = finite & (binade <= form.emax) & (size <= form.infinite), finite & (binade > form.emax) & infinite
    number, due = select(infinite, copysign(ceiling, number), number), select(far, copysign(ceiling, value), value)
    apart = number - due
    is_exact = is_difference(apart, number, due)
    is_told = ((err == 0.0) & is_exact) | (far & (binade > form.emax + 1))
    if form.is_narrow:
        unit = from_bits(BIAS - place << 52)
        further, slack = apart * unit, err * unit
        may_be_number = ((encoding & ENDS) == 0) & (binade >= FLOAT.quantum - 1)
        inward, outward = reach(hi, err, off * 2.0 ** (form.precision - FLOAT.precision))
    else:
        further, slack = apart - select(far, 0.0, lo), err + select(err > 0.0, REFERENCE, 0.0)
        may_be_number = (abs(lo) <= err) & (binade >= form.quantum - 1)
        is_told = (is_told & ((lo == 0.0) | far)) | (abs(further) == INFINITY)
        inward = outward = reach_of_double(lo, err, binade, abs(due), off)
    further = select(bits(hi) < 0, -further, further)  # positive where the result is too large in size
    slack = select(is_told, 0.0, slack + abs(further) * ROUNDED)
    low, high = further - outward - slack, further + inward + slack
    least, most = greater(greater(low, -high), 0.0), greater(-low, high)
    if not form.is_narrow:
        least, most = beside(least, most, apart, lo, err, is_exact & (binade >= DOUBLE.quantum - VANISHED) & ~far)
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
