"""How far a float that a device returned is from an enclosure, in lane arithmetic: what ``screen`` says of arrays."""

from __future__ import annotations

from typing import Any

from clmath.numbers.formats import FLOAT
from clmath.numbers.lanes import bits, from_bits, from_float_bits, greater, real, select

__all__ = ["MORE", "measured"]

MAGNITUDE = 0x7FFFFFFFFFFFFFFF
INFINITE = 0x7FF << 52
ENDS = (1 << 28) - 1  # a normal float, and a midpoint of two, ends in 28 zeros as a double
BIAS = 1023
ROUNDED = 2.0**-40  # of an error: far more than the roundings on the way to it

SIGN = 1 << 31
FLOAT_MAGNITUDE = SIGN - 1
FLOAT_INFINITE = 0xFF << 23
FLOAT_QUIET = 1 << 22
HIGHEST = FLOAT.emax - FLOAT.precision + 1  # the exponent of the largest ulp
MORE = 18  # the number of the bin of all that is farther than the others, of ``spread.BINS``


def measured(  # noqa: PLR0917 - as it is traced
    value: Any, err: Any, rounded: Any, got: Any, allowed: int, off: float
) -> Any:
    """(whether the result is plain, how far it is off, the least and the most that its error may be).

    ``value`` ± ``err``: where the exact value lies, ``rounded`` and ``got``: encodings of the correctly rounded
    result and of the one returned. Plain is what conforms beyond doubt under any limit of ``allowed`` or more. How far
    it is off is told by the number of a bin of ``spread.BINS``. Errors, and ``allowed``, are the upper halves of
    doubles, in ulp, cut off. All that is only meant of plain results. ``off``: as in ``kernels.Rung``.
    """
    size, encoding = got & FLOAT_MAGNITUDE, bits(value) & MAGNITUDE
    apart = distance(got, rounded)
    least, most = bounds(value, err, from_float_bits(got), off)
    fits = (encoding > 0) & (encoding < (BIAS + FLOAT.emax + 1 << 52)) & (size < FLOAT_INFINITE)
    signed = (size > 0) | ((got >= SIGN) == (bits(value) < 0))
    is_number = ((bits(value) & ENDS) == 0) & ((err != 0.0) | (from_float_bits(got) != value))
    near = fits & signed & ~is_number & (most < allowed)
    # what stands for itself, or for all that lies beyond every float
    certain = (encoding == 0) | (encoding == INFINITE) | (encoding >= (BIAS + FLOAT.emax + 2 << 52))
    beyond = certain & (size != 0) & (size != FLOAT_INFINITE)
    same = certain & ~beyond & (got == rounded) & ((err == 0.0) | (encoding > 0))
    nans = (value != value) & (size > FLOAT_INFINITE) & ((got & FLOAT_QUIET) != 0)
    apart = select(near, apart, 0)
    return near | same | nans, apart, select(near, least, 0), select(near, most, 0)


def distance(got: Any, rounded: Any) -> Any:
    """The number of the bin of ``spread.BINS``: how many floats lie between, from one on in doublings."""
    one, other = got & FLOAT_MAGNITUDE, rounded & FLOAT_MAGNITUDE
    steps = select(((got ^ rounded) & SIGN) != 0, one + other, abs(one - other))
    doublings = (bits(real(steps + steps - 1)) >> 52) - (BIAS - 1)
    return select(steps == 0, 0, select(doublings > MORE, MORE, doublings))


def bounds(value: Any, err: Any, number: Any, off: float) -> Any:
    """The least and the most that the error of ``number`` may be in size, in ulp, as the upper halves of doubles."""
    encoding = bits(value) & MAGNITUDE
    binade = (encoding >> 52) - BIAS
    place = ((encoding - 1) >> 52) - (BIAS - 1 + FLOAT.precision)
    place = select(place < FLOAT.quantum, FLOAT.quantum, select(place > HIGHEST, HIGHEST, place))
    scale = from_bits((BIAS - place) << 52)
    further = (number - value) * scale
    further = select(bits(value) < 0, -further, further)  # positive where the result is too large in size
    inward, outward = reach(bits(value) & ENDS, binade, err, off)
    slack = err * scale + abs(further) * ROUNDED
    low, high = further - outward - slack, further + inward + slack
    least, most = greater(greater(low, -high), 0.0), greater(-low, high)
    return bits(least) >> 32, bits(most) >> 32


def reach(end: Any, binade: Any, err: Any, off: float) -> Any:
    """How many ulp the exact value may lie nearer to zero, and farther from it, where ``err`` does not say so."""
    normal = binade >= FLOAT.emin
    stands = ((err == 0.0) & ((end != 0) | ~normal)) | (binade < FLOAT.quantum - 1)
    inward = select(stands & ~(normal & (end == 1)), off, 0.0)
    return inward, select(stands & ~(normal & (end == ENDS)), off, 0.0)
