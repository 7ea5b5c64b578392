"""How far a float that a device returned is from an enclosure, in lane arithmetic: what ``screen`` says of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clmath.audit.device_judge.lane_limits import concerned, limited
from clmath.numbers.formats import FLOAT
from clmath.numbers.lanes import bits, from_bits, from_float_bits, greater, lesser, real, select

if TYPE_CHECKING:
    from clmath.spec.edges import Edge
    from clmath.spec.limits import Limit

__all__ = ["Terms", "measured", "signals"]

MAGNITUDE = 0x7FFFFFFFFFFFFFFF
INFINITE = 0x7FF << 52
ENDS = (1 << 28) - 1  # a normal float, and a midpoint of two, ends in 28 zeros as a double
BIAS = 1023
ROUNDED = 2.0**-40  # of an error: far more than the roundings on the way to it

SIGN = 1 << 31
FLOAT_CODE = 2 * SIGN - 1
FLOAT_MAGNITUDE = SIGN - 1
FLOAT_INFINITE = 0xFF << 23
FLOAT_QUIET = 1 << 22
HIGHEST = FLOAT.emax - FLOAT.precision + 1  # the exponent of the largest ulp
MORE = 18  # the number of the bin of all that is farther than the others, of ``spread.BINS``


class Terms(NamedTuple):
    """What is asked of the results of a row, and how far a value with err = 0 may lie from the exact one, in ulp.

    ``limits``: of all editions in question; the first is that of the audit. ``edges``: what is prescribed; none where
    edges are waived. ``waives``: whether nothing is asked where an argument or the exact result is no number.
    """

    limits: tuple[Limit, ...]
    edges: tuple[Edge, ...]
    waives: bool
    off: float


def signals(code: Any) -> Any:
    """Whether a float is a signaling NaN."""
    return ((code & FLOAT_MAGNITUDE) > FLOAT_INFINITE) & ((code & FLOAT_QUIET) == 0)


def measured(  # noqa: PLR0917 - as it is traced
    x: Any, value: Any, err: Any, rounded: Any, got: Any, brought: Any, terms: Terms
) -> Any:
    """(whether a result is plain, left open, and counts; how far off it is; the least and the most of its error).

    ``value`` ± ``err``: where the exact value at ``x`` lies; ``rounded``, ``got``: encodings of the correctly rounded
    result and of the one returned; ``brought``: whether the argument is a signaling NaN. A plain result conforms
    beyond doubt; the rest is meant of plain results only. It counts if its error may be the worst. How far it is off
    is told by the number of a bin of ``spread.BINS``, errors by the upper halves of doubles, in ulp, cut off.
    """
    scale = scale_of(value)
    least, most = bounds(value, err, from_float_bits(got), scale, terms.off)
    allowed, unlimited = limited(x, scale, terms.limits[0])
    for limit in terms.limits[1:]:
        allowed = lesser(allowed, limited(x, scale, limit)[0])
    finite, rounds = (x - x == 0.0), (rounded & FLOAT_MAGNITUDE) < FLOAT_INFINITE
    waived = (~finite | ~rounds) & terms.waives
    near = is_near(value, err, got) & (most < allowed)
    is_open = waived | (unlimited & ~concerned(x, terms.edges))
    if terms.limits[0].gives_no_number:
        counts = finite & (value - value == 0.0)
    else:
        counts = ~(unlimited | waived)
    shown = near & counts
    plain = near | is_same(value, err, rounded, got) | are_nans(value, got, brought)
    plain = plain | waived | (is_open & ~counts & ~signals(got))
    far = select(shown, distance(got, rounded), 0)
    return plain, is_open, counts, far, select(shown, bits(least) >> 32, 0), select(shown, bits(most) >> 32, 0)


def is_near(value: Any, err: Any, got: Any) -> Any:
    """Whether a result and the exact one are finite, the latter not zero, and neither a float that was missed."""
    size, encoding = got & FLOAT_MAGNITUDE, bits(value) & MAGNITUDE
    fits = (encoding > 0) & (encoding < (BIAS + FLOAT.emax + 1 << 52)) & (size < FLOAT_INFINITE)
    signed = (size > 0) | ((got >= SIGN) == (bits(value) < 0))
    may_be_number = ((encoding & ENDS) == 0) & (encoding >= (BIAS + FLOAT.quantum - 1 << 52))
    return fits & signed & ~(may_be_number & ((err != 0.0) | (from_float_bits(got) != value)))


def is_same(value: Any, err: Any, rounded: Any, got: Any) -> Any:
    """Whether a zero or an infinity is returned where that is exact, or an infinity for what is beyond every float."""
    size, encoding = got & FLOAT_MAGNITUDE, bits(value) & MAGNITUDE
    certain = ((encoding == 0) & (err == 0.0)) | (encoding == INFINITE)
    beyond = (encoding >= (BIAS + FLOAT.emax + 2 << 52)) & (encoding < INFINITE) & (size == FLOAT_INFINITE)
    return (certain | beyond) & (got == (rounded & FLOAT_CODE))


def are_nans(value: Any, got: Any, brought: Any) -> Any:
    """Whether NaN is returned where it is due; a signaling one where one was ``brought``."""
    return (value != value) & ((got & FLOAT_MAGNITUDE) > FLOAT_INFINITE) & (brought | ~signals(got))


def distance(got: Any, rounded: Any) -> Any:
    """The number of the bin of ``spread.BINS``: how many floats lie between, from one on in doublings."""
    one, other = got & FLOAT_MAGNITUDE, rounded & FLOAT_MAGNITUDE
    steps = select(((got ^ rounded) & SIGN) != 0, one + other, abs(one - other))
    doublings = (bits(real(steps + steps - 1)) >> 52) - (BIAS - 1)
    return select(steps == 0, 0, select(doublings > MORE, MORE, doublings))


def scale_of(value: Any) -> Any:
    """How many ulp of ``value`` one is."""
    place = (((bits(value) & MAGNITUDE) - 1) >> 52) - (BIAS - 1 + FLOAT.precision)
    place = select(place < FLOAT.quantum, FLOAT.quantum, select(place > HIGHEST, HIGHEST, place))
    return from_bits((BIAS - place) << 52)


def bounds(value: Any, err: Any, number: Any, scale: Any, off: float) -> Any:
    """The least and the most that the error of ``number`` may be in size, in ulp."""
    binade = ((bits(value) & MAGNITUDE) >> 52) - BIAS
    further = (number - value) * scale
    further = select(bits(value) < 0, -further, further)  # positive where the result is too large in size
    inward, outward = reach(bits(value) & ENDS, binade, err, off)
    slack = err * scale + abs(further) * ROUNDED
    low, high = further - outward - slack, further + inward + slack
    return greater(greater(low, -high), 0.0), greater(-low, high)


def reach(end: Any, binade: Any, err: Any, off: float) -> Any:
    """How many ulp the exact value may lie nearer to zero, and farther from it, where ``err`` does not say so."""
    normal = binade >= FLOAT.emin
    stands = ((err == 0.0) & ((end != 0) | ~normal)) | (binade < FLOAT.quantum - 1)
    inward = select(stands & ~(normal & (end == 1)), off, 0.0)
    return inward, select(stands & ~(normal & (end == ENDS)), off, 0.0)
