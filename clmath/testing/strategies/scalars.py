"""Numbers of one format at which implementations fail: specials, ends, powers of two, halfway points, any bits."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.audit.inputs import special
from clmath.numbers.formats import FORMATS
from clmath.testing.strategies.entropy import Bits, Part, Pool, drawn, mixed
from clmath.testing.strategies.span import Span, key_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from clmath.numbers.formats import Format

__all__ = ["SIZE", "Plain", "number", "numbers_of", "plain_first", "simple"]

_SIMPLE = (0.0, 1.0, 2.0, 0.5, 3.0, 10.0, 1.5, 0.25)
SIZE = 16  # bytes for a number
_DIGITS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)  # counts of significant bits to which values shrink
_REACHES = (0, 1, 2, 3, 4, 6, 8, 11, 16, 32, 64)  # exponents to which they shrink
_ORDINARY = 13  # exponents around zero that are sampled as often as all others together, and as the ends of the format


def numbers_of(span: Span) -> SearchStrategy[Any]:
    """NumPy scalars of ``span``."""
    return drawn(SIZE, number(span))


@functools.lru_cache(maxsize=64)
def number(span: Span) -> Part:
    """Return a part that makes a number of ``span``, by the parts of the distribution that the span has."""
    with np.errstate(all="ignore"):
        column = 1 if span.is_interval else 0
        parts = [(weights[column], part(span)) for *weights, part in _PARTS]
    part = mixed(parts)

    def made(bits: Bits) -> Any:
        plain = Plain.of(bits)
        return span.fitted(plain.made_of(part(bits), span.form))[()]

    return made


class Plain(NamedTuple):
    """The plainness of values: at most this number of significant bits, and exponents of at most this size."""

    digits: int
    reach: int

    @classmethod
    def of(cls, bits: Bits) -> Plain:
        """Decode the plainness from bits; nearly always, values stay unchanged."""
        return cls(bits.at_most(_DIGITS), bits.at_most(_REACHES))

    def made_of(self, values: object, form: Format) -> np.ndarray:
        """Return plain values; zeros stay unchanged; with limited exponents all become finite, and NaN becomes one."""
        numbers = np.asarray(values, form.dtype)
        if self.digits < form.precision:
            bits, lost = form.bits(numbers), form.bits_dtype.type(form.precision - self.digits)
            numbers = np.where(np.isfinite(numbers), form.from_bits(bits >> lost << lost), numbers)
        if self.reach < -form.quantum:
            finite = np.where(np.isfinite(numbers), numbers, np.where(np.isnan(numbers), 1.0, np.sign(numbers)))
            fraction, exponent = np.frexp(finite)
            exponent = np.where(np.isinf(numbers), form.emax + 1, exponent)
            numbers = _in_form(form, np.ldexp(fraction, np.clip(exponent, 1 - self.reach, 1 + self.reach)))
        return np.asarray(numbers)


@functools.lru_cache(maxsize=64)
def simple(span: Span) -> np.ndarray:
    """Return the simple values of a span, simplest first."""
    return _within(span, np.array([s * x for s in (1.0, -1.0) for x in _SIMPLE]))


def _within(span: Span, values: np.ndarray) -> np.ndarray:
    numbers = _in_form(span.form, values)
    return np.asarray(numbers[span.contains(numbers)])


def _one_of(values: np.ndarray) -> Part | None:
    return Pool(values) if len(values) else None


def _simple(span: Span) -> Part | None:
    return _one_of(simple(span))


def _scattered(span: Span) -> Part | None:
    """Numbers by exponent and fraction, each with every bit random; shrinks to few digits."""
    pieces = _pieces(span)
    if not pieces:
        return None
    width = span.form.precision - 1

    def made(bits: Bits) -> Any:
        first, last = bits.one_of(pieces)
        # reversed, so that small fractions are short: shrinking leaves few digits
        place = int(f"{bits.take(width):0{width}b}"[::-1], 2) % (last - first + 1)
        return span.of_keys(first + place if first >= 0 else last - place)

    return made


def _pieces(span: Span) -> list[tuple[int, int]]:
    """The binades of either sign as keys, some repeated: around one, below the bounds, and the outermost ones.

    Where there are bounds, small numbers are as good as zero to most built-ins: of [-700, 700] in double, 19 binades in
    20 lie below 2^-53.
    """
    form = span.form
    every = sorted(range(form.quantum if span.subnormal else form.emin, form.emax + 1), key=_plainness)
    found = {e: found for e in every if (found := _binade(span, e))}
    top = max(found, default=0)
    lowest = _lowest(span, top)
    edges = [e for e in (form.emin - 1, form.emin, top, min(found, default=top)) if e in found]
    groups = [list(found)[:_ORDINARY], [e for e in found if e >= lowest], edges, list(found)]
    pieces = [[piece for e in group for piece in found[e]] for group in groups]
    longest = len(pieces[-1])
    shares = zip((4, 4, 1, 1), pieces, strict=True)
    return [piece for share, some in shares for piece in some * (share * longest // len(some) if some else 0)]


def _lowest(span: Span, top: int) -> int:
    """Return the binade below which numbers are as good as zero, if ``top`` is the highest one."""
    return span.form.quantum if top > 2 * span.form.precision else min(top, 0) - span.form.precision - 2


def _decades(span: Span) -> Part | None:
    """Numbers of the decades of an interval, each as often as any other, equally likely within one."""
    if not span.is_interval:
        return None
    low, high = span.ends
    top = max(abs(low), abs(high))
    least = 2.0 ** _lowest(span, math.frexp(top)[1] - 1)
    powers = [10.0**k for k in sorted(range(-324, 40), key=_plainness) if least <= 10.0 ** (k + 1) and 10.0**k <= top]
    ends = [(sign * power, sign * min(10.0 * power, span.form.largest)) for power in powers for sign in (1.0, -1.0)]
    clipped = [(min(max(a, low), high), min(max(b, low), high)) for a, b in ends]
    pieces = [(a, b) for a, b in clipped if a != b]
    if not pieces:
        return None

    def made(bits: Bits) -> Any:
        first, last = bits.one_of(pieces)
        return _in_form(span.form, np.float64(first + (last - first) * (bits.take(64) * 2.0**-64)))

    return made


def _plainness(exponent: int) -> tuple[int, bool]:
    """Sort key of an exponent in the order of shrinking: close to one first."""
    return abs(exponent), exponent < 0


def _binade(span: Span, exponent: int) -> list[tuple[int, int]]:
    """Return the keys of the numbers 1.f x 2^exponent of a span, of positive and of negative ones."""
    form = span.form
    first = key_of(2.0**exponent, form)
    last = key_of(2.0 ** (exponent + 1), form) - 1 if exponent < form.emax else key_of(form.largest, form)
    low, high = span.finite
    clipped = [(max(a, low), min(b, high)) for a, b in ((first, last), (-1 - last, -1 - first))]
    return [(a, b) for a, b in clipped if a <= b]


def _uniform(span: Span) -> Part | None:
    """Numbers of an interval, all equally likely; without bounds, of the interval in which fractions exist."""
    if span.holds_no_finite:
        return None
    low, high = span.ends
    if span.is_whole:
        low, high = -(2.0 ** (span.form.precision + 1)), 2.0 ** (span.form.precision + 1)
    middle = low / 2.0 + high / 2.0
    reach = high / 2.0 - low / 2.0

    def made(bits: Bits) -> Any:
        sign, share = bits.take(8) & 1, bits.take(64) * 2.0**-64
        return _in_form(span.form, np.float64(middle + reach * (-share if sign else share)))

    return made


def _ends(span: Span) -> Part | None:
    """Both ends of the span, a few numbers next to them, and numbers at distances of every size."""
    if span.holds_no_finite:
        return None
    low, high = span.finite
    near = [0, 1, 2, 3, 4, 5, 8, 16, 64]
    keys = [k for step in near for k in (low + step, high - step) if low <= k <= high]
    sizes = np.array([abs(end) * 2.0**-k for end in span.ends for k in range(1, span.form.precision + 1)])
    ends = np.repeat(np.array(span.ends), span.form.precision)
    inner = np.where(ends == span.ends[0], ends + sizes, ends - sizes)
    return _one_of(plain_first(np.concatenate([span.of_keys(keys * 4), _within(span, inner)])))


def _powers(span: Span) -> Part | None:
    """Powers of two and the numbers next to them; often the ends of the format."""
    form = span.form
    exponents = [*range(form.quantum, form.emax + 1)]
    lasting = [form.emin, form.quantum, form.emax, -1, 1 - form.precision, form.precision]
    exponents += [*range(-4, 5), *lasting] * (len(exponents) // 15)
    return _one_of(_within(span, _around(span, np.ldexp(1.0, exponents))))


def _around(span: Span, points: NDArray[np.float64]) -> np.ndarray:
    """Return points, twice, and their neighbours on either side, with both signs, plain ones first."""
    keys = span.keys(_in_form(span.form, points))
    keys = np.concatenate([keys, keys, keys + 1, keys - 1])
    return plain_first(span.of_keys(np.concatenate([keys, -1 - keys])))


def plain_first(values: np.ndarray) -> np.ndarray:
    """Return ``values`` in the order of shrinking: zero, from 1 up, from 1 down, negative ones; infinities, NaN."""
    with np.errstate(all="ignore"):
        size = np.log2(np.abs(values.astype(np.float64)))
    turned = np.where(values == 0, -1.0, np.abs(size))
    return np.asarray(values[np.lexsort([turned, size < 0, np.signbit(values), values != 0, ~np.isfinite(values)])])


def _halfway(span: Span) -> Part | None:
    """Integers and a half, and midpoints of every shorter format, each with both neighbours."""
    form = span.form
    halves = np.arange(0.5, 33.0)
    points = [halves, halves * 2.0 ** (form.precision // 2), np.ldexp(1.0, np.arange(1, form.precision)) - 0.5]
    rng = np.random.default_rng(form.precision)
    for shorter in (f for f in FORMATS if f.precision < form.precision and form.holds(f)):
        significands = rng.integers(1 << shorter.precision - 1, 1 << shorter.precision, 256) + 0.5
        points.append(np.ldexp(significands, rng.integers(shorter.quantum, shorter.emax - shorter.precision + 2, 256)))
        points.append(np.ldexp(np.arange(64) + 0.5, shorter.quantum))
    return _one_of(_within(span, _around(span, np.concatenate(points))))


def _in_form(form: Format, values: Any) -> Any:
    with np.errstate(over="ignore"):
        return values.astype(form.dtype)


def _structured(span: Span) -> Part | None:
    """Inputs of an audit for every built-in of one argument."""
    if span.holds_no_finite:
        return None
    values = _within(span, special.single(span.form, span.ends))
    return _one_of(plain_first(values[np.isfinite(values)]))


def _special(span: Span) -> Part | None:
    """Zeros, ones and their neighbours, the smallest and the largest numbers."""
    beyond_one = 1.0 + span.form.eps
    values = np.append(special.specials(span.form, short=True), np.array([beyond_one, -beyond_one], span.form.dtype))
    return _one_of(plain_first(_within(span, values[np.isfinite(values)])))


def _infinite(span: Span) -> Part | None:
    return _one_of(_within(span, np.array([np.inf, -np.inf])))


def _nan(span: Span) -> Part | None:
    """NaN, quiet, of either sign, half of them with a payload."""
    if not span.nan:
        return None
    form = span.form
    width = form.precision - 2
    quiet = ((1 << form.width - 1) - 1) >> width << width

    def made(bits: Bits) -> Any:
        negative, has_payload, payload = bits.take(8) & 1, bits.take(8) & 1, bits.take(width)
        return form.from_bits(quiet | payload * has_payload | negative << form.width - 1)

    return made


# weights in percent, everywhere and in intervals; shrinking prefers the first part
_PARTS: tuple[tuple[int, int, Callable[[Span], Part | None]], ...] = (
    (8, 4, _simple),
    (27, 18, _scattered),
    (0, 10, _decades),
    (18, 48, _uniform),
    (8, 4, _powers),
    (8, 3, _halfway),
    (10, 6, _ends),
    (9, 5, _structured),
    (6, 2, _special),
    (3, 0, _infinite),
    (3, 0, _nan),
)
