"""The rounding to a format in a mode: ``rounded`` for every format, and faster functions for float, half and double.

All of them give encodings in int64. ``mode`` is a mode's number, and known, as the format is, when code is compiled.
"""

from __future__ import annotations

from clmath.ir.primitives import *
from clmath.numbers.formats import DOUBLE, FLOAT, HALF, Format

__all__ = [
    "MODE_NUMBERS",
    "encoded_ends",
    "half_value",
    "moved",
    "near_boundary",
    "rounded",
    "rounded_double",
    "saturated",
    "to_digits_of_float",
    "to_double",
    "to_float",
    "to_half",
    "to_normal_double",
    "to_plain_double",
    "to_plain_float",
    "to_plain_half",
    "wide",
]

RTE, RTZ, RTP, RTN = range(4)
MODE_NUMBERS = {"rte": RTE, "rtz": RTZ, "rtp": RTP, "rtn": RTN}
HALF_NAN, FLOAT_NAN, DOUBLE_NAN = (int(form.bits(form.nan)) for form in (HALF, FLOAT, DOUBLE))
HALF_INFINITY = 0x7C00  # as a half is encoded
HALF_ANCHOR = 1.5 * 2.0**28  # its last place is 2^-24: the low bits of a sum count smallest subnormals
BELOW_FLOAT, BELOW_HALF = 29, 42  # digits of a double's 53 that floats and halfs lack
FLOAT_ANCHOR = 1.5 * 2.0**-97  # its last place is 2^-149


def rounded(hi: Real, lo: Real, exponent: Integer, form: Format, mode: int) -> Integer:
    """(hi + lo) 2^exponent rounded to ``form``, where ``hi`` is hi + lo rounded to nearest; NaN is the canonical one.

    The value is counted in quarters of the last place of ``hi``, which it exceeds or misses by less than one.
    """
    code = bits(hi)
    outward = select((bits(lo) ^ code) < 0, -1, 1)
    quarters = (significand(code) << 2) + select(lo != 0.0, outward, 0)
    return placed(code, quarters, exponent, form, mode)


def rounded_double(y: Real, form: Format, mode: int) -> Integer:
    """``rounded`` of a double."""
    code = bits(y)
    return placed(code, significand(code) << 2, 0, form, mode)


def significand(code: Integer) -> Integer:
    """The significand of the normal number that ``code`` encodes, as an integer of 53 bits."""
    return (code & FRACTION) | (FRACTION + 1)


def placed(code: Integer, quarters: Integer, exponent: Integer | int, form: Format, mode: int) -> Integer:
    """Round ``quarters`` of the last place of the double that ``code`` encodes, times 2^exponent, to ``form``."""
    field = (code >> 52) & 0x7FF
    binade = field - 1023 + exponent
    below = form.emin - binade  # how far below the normal numbers
    shift = clamped_shift(DOUBLE.precision + 2 - form.precision + select(below > 0, below, 0))
    count = quarters >> shift
    rest = quarters - (count << shift)
    if mode == RTE:
        half = (1 << shift) >> 1
        count = count + select((rest > half) | ((rest == half) & ((count & 1) != 0)), 1, 0)
    elif mode != RTZ:
        count = count + select((rest != 0) & (code >= 0 if mode == RTP else code < 0), 1, 0)
    beyond = binade > form.emax
    number = count + (select((below > 0) | beyond, 0, -below) << (form.precision - 1))
    beyond = beyond | (number > int(form.bits(form.largest)))
    number = select(beyond, overflowed(code, form, mode), number)
    number = select(field == 0x7FF, int(form.bits(form.beyond)), number)
    number = select((code & MAGNITUDE) == 0, 0, number) | (((code >> 63) & 1) << (form.width - 1))
    return select((code & MAGNITUDE) > INFINITE, form.quiet_nan, number)


def overflowed(code: Integer, form: Format, mode: int) -> Integer | int:
    """The result of overflow beyond the largest number of ``form``, with the sign of ``code``: IEEE 754, 7.4."""
    largest, beyond = int(form.bits(form.largest)), int(form.bits(form.beyond))
    if mode in {RTE, RTZ}:
        return beyond if mode == RTE else largest
    return select(code >= 0 if mode == RTP else code < 0, beyond, largest)


def directed(code: Integer, back: Real, y: Real, mode: int) -> Integer:
    """Move the encoding ``code`` of the nearest number to y, whose value is ``back``, where ``mode`` wants it."""
    return moved(code, bits(y) < 0, back < y, back > y, mode)


def moved(code: Integer, negative: Truth, low: Truth, high: Truth, mode: int) -> Integer:
    """Move the encoding ``code`` of the nearest number by one place where ``mode``, which is not rte, wants it.

    ``low``: the nearest number is less than the value, ``high``: it is greater; ``negative``: the value's sign. The
    encodings of one sign are consecutive integers from zero through subnormals to infinity.
    """
    if mode == RTP:
        return code + select(low, select(negative, -1, 1), 0)
    if mode == RTN:
        return code + select(high, select(negative, 1, -1), 0)
    return code - select((negative & low) | (~negative & high), 1, 0)


def to_float(y: Real, mode: int) -> Integer:
    """The int encodings of doubles rounded to float in the mode numbered ``mode``; NaN is the canonical one."""
    encoding = bits(y)
    magnitude = from_bits(encoding & 0x7FFFFFFFFFFFFFFF)
    small = magnitude < 2.0**-126
    # a processor converts to a subnormal in a hundred cycles; adding an anchor takes four
    anchored = magnitude + FLOAT_ANCHOR
    normal = float_bits(select(small, 1.0, y))
    code = select(small, (bits(anchored) & 0xFFFFFF) | ((encoding >> 63) << 31), normal)
    if mode == RTE:
        return select(y != y, FLOAT_NAN, code)
    back = select(small, anchored - FLOAT_ANCHOR, from_float_bits(normal))
    return select(y != y, FLOAT_NAN, directed(code, select(small & (encoding < 0), -back, back), y, mode))


def to_digits(y: Real, mode: int, below: int) -> Integer:
    """Doubles rounded to a significand without its last ``below`` bits, as encodings."""
    code = bits(y)
    if mode == RTE:
        code = code + ((1 << below - 1) - 1) + ((code >> below) & 1)
    elif mode == RTP:
        code = code + select(code < 0, 0, (1 << below) - 1)
    elif mode == RTN:
        code = code + select(code < 0, (1 << below) - 1, 0)
    return code & -(1 << below)


def to_digits_of_float(y: Real, mode: int) -> Real:
    """Doubles rounded to the 24 digits of a float, as doubles: floats if the result is a normal float or a zero."""
    return from_bits(to_digits(y, mode, BELOW_FLOAT))


def to_plain_float(y: Real, mode: int) -> tuple[Integer, Truth]:
    """``to_float`` of doubles from the least normal float up to 2^128 in size, and a mask of all other elements."""
    normal = (abs(y) >= 2.0**-126) & (abs(y) < 2.0**128)
    clipped = select(normal, y, 1.0)
    return float_bits(clipped if mode == RTE else to_digits_of_float(clipped, mode)), ~normal


def to_plain_half(y: Real, mode: int) -> tuple[Integer, Truth]:
    """``to_half`` of doubles from the least normal half up to 2^16 in size, and a mask of all other elements."""
    normal = (abs(y) >= 2.0**-14) & (abs(y) < 2.0**16)
    code = to_digits(select(normal, y, 1.0), mode, BELOW_HALF)
    return ((code & MAGNITUDE) >> BELOW_HALF) - (1008 << 10) | ((code >> 48) & 0x8000), ~normal


def near(value: Real, low_bits: int) -> Truth:
    """A mask of values within 1024 last places of a double from a multiple of 2^(low_bits - 52) binades.

    Numbers of the format and midpoints between them are such multiples, in the subnormal range too, where they are
    coarser. An err up to 2^-44 of the value, which is at most 512 places, can only leave such values undecided.
    """
    found: Truth = ((bits(value) + 1024) & ((1 << low_bits) - 2048)) == 0
    return found


def near_float(value: Real) -> Truth:
    """``near`` for float: 24 bits and one for midpoints leave 28 of double's 53."""
    return near(value, 28)


def near_half(value: Real) -> Truth:
    """``near`` for half: 11 bits and one leave 41; 40 are looked at, which is to be on the safe side."""
    return near(value, 40)


def near_boundary(value: Real, form: Format) -> Truth:
    """``near`` for any format that float holds; one binade further than needed, as for half."""
    return near_float(value) if form.precision > HALF.precision else near(value, 51 - form.precision)


def wide(value: Real, err: Real) -> Truth:
    """A mask of enclosures too wide for ``near``: few kernels have them, near zeros."""
    return err > abs(value) * 2.0**-44


def to_half(y: Real, mode: int) -> Integer:
    """The int encodings of doubles rounded to half in the mode numbered ``mode``; NaN is the canonical one."""
    encoding = bits(y)
    magnitude = from_bits(encoding & 0x7FFFFFFFFFFFFFFF)
    clipped = select(magnitude > 65536.0, 65536.0, magnitude)
    exponent = bits(clipped) >> 52
    # adding 1.5 x 2^52 last places and taking them off again rounds to the last place, which is 2^-24 at least
    place = select(exponent < 1009, 1009, exponent) - 10
    anchor = from_bits((place + 52 << 52) + (1 << 51))
    nearest = (clipped + anchor) - anchor
    normal = (bits(nearest) >> 42) - (1008 << 10)
    subnormal = bits(nearest + HALF_ANCHOR) & 0x7FF
    code = select(nearest < 2.0**-14, subnormal, normal) | ((encoding >> 48) & 0x8000)
    if mode == RTE:
        return select(y != y, HALF_NAN, code)
    back = select(nearest > 65504.0, INFINITY, nearest)
    signed = select(encoding < 0, -back, back)
    return select(y != y, HALF_NAN, directed(code, signed, y, mode))


def half_value(code: Integer) -> Real:
    """The number that ``code``, 0 to 0xffff, represents as a half; some devices cannot read halves.

    Its fields, moved to a double's, make a number that is 2^1008 times too small, and subnormal if the half is.
    """
    magnitude = code & 0x7FFF
    number = from_bits(magnitude << 42) * 2.0**1008
    number = select(magnitude > HALF_INFINITY, NAN, select(magnitude == HALF_INFINITY, INFINITY, number))
    return from_bits(bits(number) | ((code << 48) & SIGN))


def to_double(hi: Real, lo: Real, exponent: Integer | int, mode: int) -> Integer:
    """The int encodings of any (hi + lo) 2^exponent rounded to double in the mode numbered ``mode``.

    ``hi`` is hi + lo rounded to nearest; it is zero, infinite, NaN or 2^-1000 to 2^1000 in size. NaN comes out as the
    canonical one.
    """
    encoding = bits(hi)
    magnitude = encoding & MAGNITUDE
    fraction = magnitude & FRACTION
    inexact = lo != 0.0
    inward = inexact & ((bits(lo) ^ encoding) < 0)  # the value is a little less in size than hi
    place = (magnitude >> 52) + exponent
    # below the least normal number, an integer of last places is shifted: count is the integer, rest the lost part
    shift = clamped_shift(1 - place)
    whole = (fraction | (FRACTION + 1)) - select(inward, 1, 0)
    count = whole >> shift
    rest = whole - (count << shift)
    half = (1 << shift) >> 1
    if mode == RTE:
        normal = magnitude + (exponent << 52)
        up = (rest > half) | ((rest == half) & (inexact | ((count & 1) != 0)))
        beyond: Integer | int = INFINITE
    else:
        outward = select((mode == RTP) & (encoding >= 0) | (mode == RTN) & (encoding < 0), 1, 0) != 0
        step = select(outward, select(inexact & ~inward, 1, 0), select(inward, -1, 0))
        normal = magnitude + (exponent << 52) + step
        up = outward & ((rest != 0) | inexact)
        beyond = select(outward, INFINITE, INFINITE - 1)
    code = select(shift > 0, count + select(up, 1, 0), normal)
    code = select(place > 2046, beyond, code)
    code = select((magnitude == 0) | (magnitude >= INFINITE), magnitude, code) | (encoding & SIGN)
    return select(hi != hi, DOUBLE_NAN, code)


def clamped_shift(shift: Integer) -> Integer:
    """``shift`` moved into 0 .. 62: from 54 on all 53 bits of a double are less than half a place."""
    return select(shift < 0, 0, select(shift > 62, 62, shift))


def to_normal_double(
    hi: Real, lo: Real, err: Real | float, exponent: Integer | int, mode: int
) -> tuple[Integer, Truth]:
    """(encodings, which of them to look at again): (hi + lo ± err) 2^exponent rounded, where that is a normal double.

    Decide again: elements whose two ends may round apart, and results that are not normal doubles; infinities and NaN
    are right if ``exponent`` is 0. lo ± err is rounded to nearest: err, a number where hi is finite, has to cover 2^-53
    of lo and of itself.
    """
    code, apart = rounded_ends(hi, lo - err, lo + err, mode)
    place = ((code >> 52) & 0x7FF) + exponent
    finite = hi - hi == 0.0
    code = select(hi != hi, DOUBLE_NAN, code + (exponent << 52))
    again = apart & (err > 0.0)
    return code, again | (finite & ((place < 1) | (place > 2046))) | (~finite & (exponent != 0))


def to_plain_double(hi: Real, lo: Real, err: Real, exponent: Integer, mode: int) -> tuple[Integer, Truth]:
    """``to_normal_double``, and a mask of other elements: all elements to decide again, infinities, NaN and more."""
    code, apart = rounded_ends(hi, lo - err, lo + err, mode)
    field = (code >> 52) & 0x7FF
    place = field + exponent
    return code + (exponent << 52), apart | (field == 0x7FF) | (place < 1) | (place > 2046)


def rounded_ends(hi: Real, low: Real, high: Real, mode: int) -> tuple[Integer, Truth]:
    """(encodings, whether the ends may round apart) of hi + low and hi + high, which are hi + lo -+ err; hi + lo is hi
    rounded.

    Encodings are right where the ends do not round apart; in directed modes elements with lo = err = 0 count as apart,
    too.
    """
    if mode == RTE:
        near = hi + low
        return bits(near), near != hi + high
    code = bits(hi)
    rising, falling = low > 0.0, high < 0.0
    if mode == RTZ:
        inward = select(code < 0, select(rising, 1, 0), select(falling, 1, 0))
        code = code - inward
    elif mode == RTP:
        code = code + select(rising, select(code < 0, -1, 1), 0)
    else:
        code = code + select(falling, select(code < 0, 1, -1), 0)
    return code, ~(rising | falling)


def saturated(hi: Real, exponent: Integer, mode: int) -> tuple[Integer, Truth]:
    """(encodings, where they hold): (hi + lo ± err) 2^exponent rounded, where ``hi`` and ``exponent`` alone decide it.

    That is where it is zero, infinite or NaN, at least 2^1025 in size, or less than 2^-1076.
    """
    encoding = bits(hi)
    place, sign = (encoding >> 52) & 0x7FF, encoding & SIGN
    outward: Integer | int = 0
    if mode == RTP:
        outward = (encoding >> 63) + 1
    elif mode == RTN:
        outward = -(encoding >> 63)
    largest = INFINITE if mode == RTE else outward + (INFINITE - 1)
    above, below = place + exponent > 2047, place + exponent < -53
    code = select(above, sign | largest, sign | outward)
    none = (place == 0) | (place == 2047)
    return select(hi != hi, DOUBLE_NAN, select(none, encoding, code)), none | above | below


def encoded_ends(hi: Real, lo: Real, err: Real, exponent: Integer, mode: int) -> tuple[Integer, Integer]:
    """The roundings of the two ends of (hi + lo ± err) 2^exponent: encodings of doubles, equal if err = 0.

    Both lie outside of the ends themselves, by 2^-50 of lo and err at most, unless err = 0: in narrowing kernels they
    are not much wider than the rounding of lo ± err.
    """
    # err, and lo ± err, are themselves rounded, by 2^-53 of lo and err each: 2^-51 of these covers that
    wider = select(err > 0.0, err + (abs(lo) + err) * 2.0**-51, 0.0)
    low_hi, low_lo = fast_two_sum(hi, lo - wider)
    high_hi, high_lo = fast_two_sum(hi, lo + wider)
    zero = hi == 0.0  # -0 + 0 would lose the sign
    below = to_double(select(zero, hi, low_hi), low_lo, exponent, mode)
    return below, to_double(select(zero, hi, high_hi), high_lo, exponent, mode)
