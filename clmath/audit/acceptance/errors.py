"""Bounds on the error in ulp of a result, from an enclosure of the exact value, by elementwise functions."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clmath.audit.acceptance.values import Point, place_of_ulp, times
from clmath.audit.acceptance.values import binade as binade_of
from clmath.ir.lanes import bits, copysign, filled, from_bits, greater, lesser, real, select
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.numbers.lane_codes import sign_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    import numpy as np

    from clmath.ir.values import Integer, Pair, Real, Truth
    from clmath.numbers.formats import Format

__all__ = ["Error", "bin_of", "distance", "double_errors", "errors_of", "narrow_errors"]

BIAS = 1023
MAGNITUDE = 0x7FFFFFFFFFFFFFFF
FRACTION = (1 << 52) - 1
INFINITE = 0x7FF << 52
INFINITY = float("inf")
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

    The enclosure has one double for a narrow format, and two for double. ``off``: the largest error of a value with
    err = 0, in ulp of the widest format that the kernel serves.
    """
    if form.is_narrow:
        value, err = parts
        return narrow_errors(value, err, got, number, form, off)
    hi, lo, err, exponent = parts
    return double_errors(hi, lo, err, exponent, got, number, form, off)


def narrow_errors(value: Real, err: Real, got: Integer, number: Real, form: Format, off: float) -> Error:  # noqa: PLR0917 - as it is traced
    """Return the error in a format that float holds, if the exact value lies in ``value`` ± ``err``.

    An infinite result counts as the power of two beyond all numbers, and so does an exact value beyond that power then.
    """
    size, encoding = got & form.magnitude, bits(value) & MAGNITUDE
    scale = from_bits((BIAS - place_of_ulp(Point(value, 0.0, 0), form)) << 52)  # ulp in the number 1
    ceiling = filled(2.0 ** (form.emax + 1), value)
    number = select(size == form.infinite, copysign(ceiling, number), number)
    fits = (encoding > 0) & (encoding < (BIAS + form.emax + 1 << 52)) & (size <= form.infinite)
    may_be_number = ((encoding & ENDS) == 0) & (encoding >= (BIAS + FLOAT.quantum - 1 << 52))
    near = fits & has_sign(value, got, size, form) & ~(may_be_number & ((err != 0.0) | (number != value)))
    unsure = fits & ~(may_be_number & (err != 0.0) & ((encoding & FRACTION) == 0))
    certain = ((encoding == 0) & (err == 0.0)) | (encoding == INFINITE)
    beyond = (encoding >= (BIAS + form.emax + 1 << 52)) & (encoding < INFINITE) & (size == form.infinite)
    due = select(beyond, copysign(ceiling, value), value)
    apart = number - due
    is_told = ((err == 0.0) & is_difference(apart, number, due)) | (beyond & (encoding >= (BIAS + form.emax + 2 << 52)))
    further = apart * scale
    further = select(bits(value) < 0, -further, further)  # positive where the result is too large in size
    inward, outward = reach(value, err, off * 2.0 ** (form.precision - FLOAT.precision))
    slack = select(is_told, 0.0, err * scale + abs(further) * ROUNDED)
    low, high = further - outward - slack, further + inward + slack
    certain, exact = certain | beyond, fits & (err == 0.0)
    return Error(greater(greater(low, -high), 0.0), greater(-low, high), near, unsure, certain, exact)


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


def double_errors(  # noqa: PLR0917 - the parameters of the traced function
    hi: Real, lo: Real, err: Real, exponent: Integer, got: Integer, number: Real, form: Format, off: float
) -> Error:
    """Return the error in double, if the exact value lies in (hi + lo ± err) 2^exponent.

    An infinite result counts as 2^1024. The difference of the result from hi is exact if the two are within a factor of
    two, else it is rounded once; subtracting lo rounds once more. The relative error of each rounding is at most 2^-53,
    and its result has the error's size.
    """
    size, encoding = got & MAGNITUDE, bits(hi) & MAGNITUDE
    at = Point(hi, lo, exponent)
    binade, place = binade_of(at), place_of_ulp(at, form)
    number, due = times(number, -place), times(hi, exponent - place)
    rest, slack = times(lo, exponent - place), times(err, exponent - place)
    finite, infinite, one = (encoding > 0) & (encoding < INFINITE), size == INFINITE, filled(1.0, hi)
    far, ceiling = finite & (binade > form.emax) & infinite, times(one, form.emax + 1 - place)
    number, due = select(infinite, copysign(ceiling, number), number), select(far, copysign(ceiling, due), due)
    rest, slack = select(far, 0.0, rest), select(far, 0.0, slack)
    apart = number - due
    beyond = abs(apart - rest)
    fits = finite & (binade <= form.emax) & (size <= INFINITE)
    may_be_number = (abs(lo) <= err) & (binade >= form.quantum - 1)
    near = fits & has_sign(hi, got, size, form) & ~(may_be_number & ((err != 0.0) | (beyond != 0.0)))
    unsure = fits & ~(may_be_number & (err != 0.0) & ((encoding & FRACTION) == 0))
    certain = ((encoding == 0) & (err == 0.0)) | (encoding == INFINITE)
    vanished = binade < form.quantum - VANISHED
    stands = ((err == 0.0) & ((lo != 0.0) | (binade < form.emin))) | vanished
    is_told = far | ((err == 0.0) & (lo == 0.0) & is_difference(apart, number, due))
    slack = slack + beyond * ROUNDED + select(err > 0.0, REFERENCE, 0.0)
    slack = select(is_told, 0.0, slack) + select(stands, select(vanished, off, lesser(off, abs(due) * NEAR)), 0.0)
    slack = select(beyond < INFINITY, slack, 0.0)  # the error overflows
    is_exact = is_difference(apart, number, due) & ~vanished & ~far
    least, most = beside(greater(beyond - slack, 0.0), beyond + slack, apart, lo, err, is_exact)
    return Error(least, most, near, unsure, certain | far, fits & (err == 0.0))


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
