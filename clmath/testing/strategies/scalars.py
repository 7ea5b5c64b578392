"""Strategies for numbers of one format at which implementations fail: specials, ends, halfway points, any bits."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, Unpack

import numpy as np

from clmath.audit.inputs import special, streams
from clmath.audit.inputs.operands import around_boundaries
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF, KNOWN, format_named
from clmath.numbers.rounding import MODES, Rounding
from clmath.testing.strategies.entropy import Bits, Part, generated, mixed, pool, strategies
from clmath.testing.strategies.keywords import Keywords, checked_type, span_of, spelled_out

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy

    from clmath.numbers.formats import Format
    from clmath.testing.strategies.span import Span
    from clmath.typing import Type

__all__ = [
    "SIZE",
    "Plain",
    "doubles",
    "floats",
    "halfs",
    "number",
    "numbers",
    "plain_first",
    "rounding_modes",
    "simple",
]

Number: TypeAlias = "Part[np.ndarray | np.generic]"

_SIMPLE = (0.0, 1.0, 2.0, 0.5, 3.0, 10.0, 1.5, 0.25)
SIZE = 16  # bytes for a number
_DIGITS = (1, 2, 3, 4, 6, 8, 12, 16, 24, 32)  # counts of significant bits to which values shrink
_REACHES = (0, 1, 2, 3, 4, 6, 8, 11, 16, 32, 64)  # exponents to which they shrink


@spelled_out(Keywords)
def halfs(**keywords: Unpack[Keywords]) -> SearchStrategy[np.float16]:
    """Numbers of the format half, generated as by ``numbers`` with the same keywords.

    >>> @given(cl.halfs(min_value=0, allow_infinity=False))
    ... def a_root_is_not_negative(x):
    ...     assert clmath.sqrt(x) >= 0
    >>> a_root_is_not_negative()
    """
    return _numbers("halfs()", HALF, keywords)


@spelled_out(Keywords)
def floats(**keywords: Unpack[Keywords]) -> SearchStrategy[np.float32]:
    """Numbers of the format float, generated as by ``numbers`` with the same keywords.

    >>> @given(cl.floats(allow_nan=False))
    ... def floor_is_not_above(x):
    ...     assert clmath.floor(x) <= x
    >>> floor_is_not_above()
    """
    return _numbers("floats()", FLOAT, keywords)


@spelled_out(Keywords)
def doubles(**keywords: Unpack[Keywords]) -> SearchStrategy[np.float64]:
    """Numbers of the format double, generated as by ``numbers`` with the same keywords.

    >>> @given(cl.doubles(min_value=-700, max_value=700))
    ... def a_power_is_positive(x):
    ...     assert clmath.exp(x) > 0
    >>> a_power_is_positive()
    """
    return _numbers("doubles()", DOUBLE, keywords)


@spelled_out(Keywords)
def numbers(type: Type, **keywords: Unpack[Keywords]) -> SearchStrategy[Any]:
    """NumPy scalars of the format ``type``: half, float, double or bfloat16, by name, dtype or class.

    A tenth are specials (zeros, ones, the smallest and largest numbers with their signs), infinities and NaN, a tenth
    next to an end of the bounds; the others by exponent and by value, powers of two and their neighbours, points
    halfway between numbers of shorter formats, and the inputs that ``clmath audit`` tries. Between two bounds half are
    equally likely by value, as in ``hypothesis.strategies.floats``, and every binade and decade has a share.
    Every bit of exponents and fractions is random. They shrink to 0, 1 and values of few digits.

    Keywords as of ``hypothesis.strategies.floats``. ``min_value``, ``max_value``: inclusive unless ``exclude_min`` or
    ``exclude_max``; a bound that lies between two numbers excludes the outer one, and -0 lies below +0. ``allow_nan``:
    by default if there is no bound. ``allow_infinity``: by default on a side without bound. ``allow_subnormal``: by
    default. RangeError, when the strategy is made, for keywords that contradict each other or allow no number.

    >>> @given(cl.numbers("float", min_value=1, exclude_min=True, max_value=2))
    ... def the_logarithm_is_positive(x):
    ...     assert 0 < clmath.log2(x) <= 1
    >>> the_logarithm_is_positive()
    """
    name = checked_type("numbers()", type, [form.name for form in KNOWN])
    return _numbers("numbers()", format_named(name, known=KNOWN), keywords)


def rounding_modes() -> SearchStrategy[Rounding]:
    """The four modes, rte first.

    >>> @given(cl.floats(allow_nan=False), cl.rounding_modes())
    ... def the_opposite_of_zero_is_zero(x, mode):
    ...     assert clmath.sub(x, x, rounding=mode) == 0 or not clmath.isfinite(x)
    >>> the_opposite_of_zero_is_zero()
    """
    strategy: SearchStrategy[Rounding] = strategies().sampled_from(MODES)
    return strategy


def _numbers(call: str, form: Format, keywords: Keywords) -> SearchStrategy[Any]:
    return generated(SIZE, number(span_of(call, form, keywords)))


@functools.lru_cache(maxsize=64)
def number(span: Span) -> Part[np.generic]:
    """Return a part that makes a number of ``span``, by the parts of the distribution that the span has."""
    with np.errstate(all="ignore"):
        column = 1 if span.is_interval else 0
        parts = [(weights[column], part(span)) for *weights, part in _PARTS]
    part = mixed(parts)

    def made(bits: Bits) -> np.generic:
        plain = Plain.of(bits)
        return span.fitted_number(plain.made_of(part(bits), span.form))

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


def _simple(span: Span) -> Number | None:
    return pool(simple(span))


def _anywhere(span: Span) -> Number | None:
    """Numbers of any exponent and of any value, as in audits, each with every bit random."""
    if span.holds_no_finite:
        return None

    def number_of(bits: Bits) -> np.generic:
        rng = np.random.default_rng(bits.take(32))
        found: np.generic = streams.generated(rng, span.form, 1, lambda draw: streams.in_interval(draw, span.ends))[0]
        return found

    return number_of


def _uniform(span: Span) -> Number | None:
    """Numbers of an interval, all equally likely."""
    if not span.is_interval:
        return None
    low, high = span.ends
    middle, reach = low / 2.0 + high / 2.0, high / 2.0 - low / 2.0

    def made(bits: Bits) -> np.ndarray:
        sign, share = bits.take(8) & 1, bits.take(64) * 2.0**-64
        return _in_form(span.form, np.float64(middle + reach * (-share if sign else share)))

    return made


def _ends(span: Span) -> Number | None:
    """Both ends of the span, a few numbers next to them, and numbers at distances of every size."""
    if span.holds_no_finite:
        return None
    low, high = span.finite
    near = [0, 1, 2, 3, 4, 5, 8, 16, 64]
    keys = [k for step in near for k in (low + step, high - step) if low <= k <= high]
    sizes = np.array([abs(end) * 2.0**-k for end in span.ends for k in range(1, span.form.precision + 1)])
    ends = np.repeat(np.array(span.ends), span.form.precision)
    inner = np.where(ends == span.ends[0], ends + sizes, ends - sizes)
    return pool(plain_first(np.concatenate([span.of_keys(keys * 4), _within(span, inner)])))


def plain_first(values: np.ndarray) -> np.ndarray:
    """Return ``values`` in the order of shrinking: zero, from 1 up, from 1 down, negative ones; infinities, NaN."""
    wide = values.astype(np.float64)
    with np.errstate(all="ignore"):
        size = np.log2(np.abs(wide))
    turned = np.where(wide == 0, -1.0, np.abs(size))
    return np.asarray(values[np.lexsort([turned, size < 0, np.signbit(wide), wide != 0, ~np.isfinite(wide)])])


def _halfway(span: Span) -> Number | None:
    """Integers and a half, and midpoints of every shorter format, each with neighbours."""
    form = span.form
    rng = np.random.default_rng(form.precision)
    shorter = [one.dtype for one in FORMATS if one.precision < form.precision and form.holds(one)]
    goals = [*shorter, *(np.dtype(type) for type in (np.int8, np.int16, np.int32))]
    near = [around_boundaries(rng, form.dtype, goal, 0 if goal.kind == "i" else 200) for goal in goals]
    return pool(plain_first(_within(span, np.concatenate(near))))


def _in_form(form: Format, values: np.ndarray | np.generic) -> np.ndarray:
    with np.errstate(over="ignore"):
        return np.asarray(values.astype(form.dtype))


def _structured(span: Span) -> Number | None:
    """Inputs of an audit for every built-in of one argument."""
    if span.holds_no_finite:
        return None
    values = _within(span, special.single(span.form, span.ends))
    return pool(plain_first(values[np.isfinite(values)]))


def _special(span: Span) -> Number | None:
    """Zeros, ones and their neighbours, the smallest and the largest numbers."""
    beyond_one = 1.0 + span.form.eps
    values = np.append(special.specials(span.form, short=True), np.array([beyond_one, -beyond_one], span.form.dtype))
    return pool(plain_first(_within(span, values[np.isfinite(values)])))


def _infinite(span: Span) -> Number | None:
    return pool(_within(span, np.array([np.inf, -np.inf])))


def _nan(span: Span) -> Number | None:
    """NaN, quiet, of either sign, half of them with a payload."""
    if not span.nan:
        return None
    form = span.form
    width = form.precision - 2
    quiet = ((1 << form.width - 1) - 1) >> width << width

    def made(bits: Bits) -> np.ndarray | np.generic:
        negative, has_payload, payload = bits.take(8) & 1, bits.take(8) & 1, bits.take(width)
        return form.from_bits(quiet | payload * has_payload | negative << form.width - 1)

    return made


# weights in percent, everywhere and in intervals; shrinking prefers the first part
_PARTS: tuple[tuple[int, int, Callable[[Span], Number | None]], ...] = (
    (8, 4, _simple),
    (45, 46, _anywhere),
    (0, 30, _uniform),
    (8, 3, _halfway),
    (10, 6, _ends),
    (17, 9, _structured),
    (6, 2, _special),
    (3, 0, _infinite),
    (3, 0, _nan),
)
