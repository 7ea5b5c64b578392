"""Strategies for numbers of one type at which implementations fail: specials, ends, halfway points, any bits."""

from __future__ import annotations

import functools
import zlib
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from clmath import errors
from clmath.audit.inputs import special, streams
from clmath.audit.inputs.operands import around_boundaries
from clmath.numbers.datatypes import INTEGERS, SCALARS, WIDTHS
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF, KNOWN, format_named
from clmath.numbers.rounding import MODES, Rounding
from clmath.testing.aliases import CONVERTED
from clmath.testing.strategies import spans
from clmath.testing.strategies.mixtures import Mixture, strategies

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from clmath.numbers.formats import Format
    from clmath.testing.strategies.mixtures import Columns, Kind
    from clmath.typing import Type

_SIMPLE = (0.0, 1.0, 2.0, 0.5, 3.0, 10.0, 1.5, 0.25)
_SMALL = (0, 1, 2, -1, 3, -2, 4, 10)
_DECIDED = 1000  # values of a type next to which operands of its conversions lie
_NEAR = 4  # integers from an end that count as its neighbours


@spans.spelled_out(spans.Keywords)
def halfs(**keywords: Unpack[spans.Keywords]) -> SearchStrategy[np.float16]:
    """Numbers of the format half, generated as by ``numbers`` with the same keywords.

    >>> @given(cl.halfs(min_value=0, allow_infinity=False))
    ... def a_root_is_not_negative(x):
    ...     assert clmath.sqrt(x) >= 0
    >>> a_root_is_not_negative()
    """
    return _numbers("halfs()", HALF, keywords)


@spans.spelled_out(spans.Keywords)
def floats(**keywords: Unpack[spans.Keywords]) -> SearchStrategy[np.float32]:
    """Numbers of the format float, generated as by ``numbers`` with the same keywords.

    >>> @given(cl.floats(allow_nan=False))
    ... def floor_is_not_above(x):
    ...     assert clmath.floor(x) <= x
    >>> floor_is_not_above()
    """
    return _numbers("floats()", FLOAT, keywords)


@spans.spelled_out(spans.Keywords)
def doubles(**keywords: Unpack[spans.Keywords]) -> SearchStrategy[np.float64]:
    """Numbers of the format double, generated as by ``numbers`` with the same keywords.

    >>> @given(cl.doubles(min_value=-700, max_value=700))
    ... def a_power_is_positive(x):
    ...     assert clmath.exp(x) > 0
    >>> a_power_is_positive()
    """
    return _numbers("doubles()", DOUBLE, keywords)


@spans.spelled_out(spans.Keywords)
def numbers(type: Type, **keywords: Unpack[spans.Keywords]) -> SearchStrategy[Any]:
    """NumPy scalars of the format ``type``: half, float, double or bfloat16, by name, dtype or class.

    A tenth are specials (zeros, ones, the smallest and largest numbers with their signs), infinities and NaN, a tenth
    next to an end of the bounds; the others by exponent and by value, powers of two and their neighbours, points
    halfway between numbers of shorter formats, and the inputs that ``clmath audit`` tries. Between two bounds half are
    equally likely by value, as in ``hypothesis.strategies.floats``, and every binade and decade has a share.
    Every bit of exponents and fractions is random. They shrink to 0, 1 and values of few digits.

    Keywords as of ``hypothesis.strategies.floats``. ``min_value``, ``max_value``: inclusive unless ``exclude_min`` or
    ``exclude_max``; a bound that lies between two numbers excludes the outer one, and -0 lies below +0. ``allow_nan``:
    NaN, by default without bounds. ``allow_infinity``: infinities, by default where a side has no bound.
    ``allow_subnormal``: by default. RangeError, when the strategy is made, for keywords that contradict each other or
    allow no number.

    >>> @given(cl.numbers("float", min_value=1, exclude_min=True, max_value=2))
    ... def the_logarithm_is_positive(x):
    ...     assert 0 < clmath.log2(x) <= 1
    >>> the_logarithm_is_positive()
    """
    name = spans.checked_type("numbers()", type, [form.name for form in KNOWN])
    return _numbers("numbers()", format_named(name, known=KNOWN), keywords)


def integers(type: Type, *, min_value: int | None = None, max_value: int | None = None) -> SearchStrategy[Any]:
    """NumPy scalars of an integer type: char uchar short ushort int uint long ulong, by name, dtype or class.

    Small ones, both ends of the type or of the bounds, powers of two and their neighbours, and any bits. They shrink
    to 0. ``min_value``, ``max_value``: inclusive. RangeError, when the strategy is made, for a bound outside of the
    type and for bounds that allow no number.

    >>> @given(cl.integers("char"), cl.integers("char"))
    ... def a_sum_stays_in_the_type(x, y):
    ...     assert clmath.add_sat(x, y) == max(-128, min(int(x) + int(y), 127))
    >>> a_sum_stays_in_the_type()
    """
    name = spans.checked_type("integers()", type, tuple(INTEGERS))
    return mixture_of(_range("integers()", name, min_value, max_value)).alone().map(itemgetter(0))


def rounding_modes() -> SearchStrategy[Rounding]:
    """The four modes, rte first.

    >>> @given(cl.floats(allow_nan=False), cl.rounding_modes())
    ... def the_opposite_of_zero_is_zero(x, mode):
    ...     assert clmath.sub(x, x, rounding=mode) == 0 or not clmath.isfinite(x)
    >>> the_opposite_of_zero_is_zero()
    """
    strategy: SearchStrategy[Rounding] = strategies().sampled_from(MODES)
    return strategy


@spans.spelled_out(spans.Keywords)
def arrays(type: Type, shape: object, **keywords: Unpack[spans.Keywords]) -> SearchStrategy[np.ndarray]:
    """NumPy arrays of ``type``, an integer or floating-point type by name, dtype or class.

    ``shape``: an int, a tuple, or a strategy such as ``hypothesis.extra.numpy.array_shapes()``. Elements are generated
    as by ``numbers`` and ``integers``, with the same keywords, and a thousand as fast as by
    ``hypothesis.extra.numpy.arrays``. They shrink to zeros and few other elements.

    >>> @given(cl.arrays("float", 1000, allow_nan=False))
    ... def half_of_all_is_not_larger(x):
    ...     assert (clmath.fabs(clmath.mul(x, np.float32(0.5))) <= clmath.fabs(x)).all()
    >>> half_of_all_is_not_larger()
    """
    return mixture_of_type("arrays()", type, keywords).in_shape("arrays()", shape).map(itemgetter(0))


@spans.spelled_out(spans.Keywords)
def vectors(base: Type, n: int, **keywords: Unpack[spans.Keywords]) -> SearchStrategy[np.ndarray]:
    """Vectors of ``n`` components, 2, 3, 4, 8 or 16, of the scalar type ``base``: ``vectors("float", 4)`` is float4.

    Keywords as of ``numbers`` or ``integers``. ShapeError for another ``n``.

    >>> @given(cl.vectors("uchar", 4), cl.vectors("uchar", 4))
    ... def a_dot_product_is_not_negative(p, q):
    ...     assert clmath.dot(p, q) >= 0
    >>> a_dot_product_is_not_negative()
    """
    if not isinstance(n, (int, np.integer)) or n not in WIDTHS:
        raise errors.ShapeError(
            f"vectors(): n={n!r} is not a width of a vector; use one of {', '.join(map(str, WIDTHS))}"
        )
    return mixture_of_type("vectors()", base, keywords).in_shape("vectors()", (n,)).map(itemgetter(0))


def _numbers(call: str, form: Format, keywords: spans.Keywords) -> SearchStrategy[Any]:
    return mixture_of(spans.span_of(call, form, keywords)).alone().map(itemgetter(0))


def _range(call: str, name: str, min_value: object, max_value: object) -> spans.Integers:
    """Return the integers between the bounds."""
    limits = np.iinfo(INTEGERS[name])
    ends = []
    for keyword, bound, end in (("min_value", min_value, limits.min), ("max_value", max_value, limits.max)):
        if bound is not None and (isinstance(bound, (bool, float)) or not hasattr(bound, "__index__")):
            raise errors.DTypeError(f"{call}: {keyword}={bound!r} is not an integer; give one, such as {int(end)}")
        ends.append(int(end) if bound is None else int(bound))
    low, high = ends
    if not limits.min <= low <= high <= limits.max:
        raise errors.RangeError(
            f"{call}: min_value={low} and max_value={high} enclose no {name}, or reach beyond {limits.min} .. "
            f"{limits.max}: move them"
        )
    return spans.Integers(INTEGERS[name], low, high)


def mixture_of_type(call: str, type: object, keywords: spans.Keywords) -> Mixture:
    """Return the numbers of a type that the keywords of a strategy allow."""
    name = spans.checked_type(call, type, (*(f.name for f in KNOWN), *INTEGERS))
    form = spans.format_called(name)
    if form is not None:
        return mixture_of(spans.span_of(call, form, keywords))
    spans.check_known(call, keywords, ("min_value", "max_value"))
    return mixture_of(_range(call, name, keywords.get("min_value"), keywords.get("max_value")))


@functools.lru_cache(maxsize=64)
@np.errstate(all="ignore")
def mixture_of(span: spans.Span | spans.Integers) -> Mixture:
    """Return the numbers of a span."""
    if isinstance(span, spans.Integers):
        return Mixture(_kinds_of_integers(span), [span])
    column, chosen = int(span.is_interval), _KINDS[_BEYOND:] if span.holds_no_finite else _KINDS
    return Mixture([(weights[column], kind(span)) for *weights, kind in chosen if weights[column]], [span])


def _kinds_of_integers(span: spans.Integers) -> list[tuple[float, Kind]]:
    """Return special integers, those next to the ends, and random ones of any size and of any bits."""
    dtype, low, high = span
    near = [*range(low, min(low + _NEAR, high + 1)), *range(max(high - _NEAR, low), high + 1)]
    known = [k for k in special.pool(dtype).tolist() if low <= k <= high]
    ends, listed = (np.array(sorted({*some}, key=lambda k: (k < 0, abs(k))), dtype) for some in (near, known or near))
    wide = np.dtype(np.uint64 if high > np.iinfo(np.int64).max else np.int64)
    centre = wide.type(sorted((low, 0, high))[1])

    def any_bits(rng: np.random.Generator, n: int) -> Columns:
        return (rng.integers(low, high, n, wide.type, endpoint=True).astype(dtype),)

    def any_size(rng: np.random.Generator, n: int) -> Columns:
        away = any_bits(rng, n)[0].astype(wide) - centre
        return ((centre + (away >> rng.integers(0, 8 * dtype.itemsize, n).astype(wide))).astype(dtype),)

    return [(3, (listed,)), (3, (ends,)), (6, any_size), (4, any_bits)]


def simple(span: spans.Span | spans.Integers) -> np.ndarray:
    """Return the simple values of a span, simplest first, or the one closest to zero."""
    if isinstance(span, spans.Integers):
        found = np.array([k for k in _SMALL if span.low <= k <= span.high], span.dtype)
    else:
        found = _within(span, np.array([s * x for s in (1.0, -1.0) for x in _SIMPLE]))
    return found if len(found) else span.fitted(np.zeros(1, span.dtype))


def _within(span: spans.Span, values: np.ndarray) -> np.ndarray:
    numbers = values.astype(span.dtype)
    return np.asarray(numbers[span.contains(numbers)])


def _listed(span: spans.Span, values: np.ndarray) -> Columns:
    """Return the finite values that the span has, in the order of shrinking."""
    return (plain_first(_within(span, values[np.isfinite(values)])),)


def plain_first(values: np.ndarray) -> np.ndarray:
    """Return ``values`` in the order of shrinking: zero, from 1 up, from 1 down, negative ones; infinities, NaN."""
    wide = values.astype(np.float64)
    with np.errstate(all="ignore"):
        size = np.log2(np.abs(wide))
    turned = np.where(wide == 0, -1.0, np.abs(size))
    return np.asarray(values[np.lexsort([turned, size < 0, np.signbit(wide), wide != 0, ~np.isfinite(wide)])])


def _anywhere(span: spans.Span) -> Kind:
    """Numbers of any exponent and of any value, as in audits, each with every bit random."""
    return lambda rng, n: (streams.generated(rng, span.form, n, lambda draw: streams.in_interval(draw, span.ends)),)


def _uniform(span: spans.Span) -> Kind:
    """Numbers of an interval, all equally likely."""
    low, high = span.ends
    middle, reach = low / 2.0 + high / 2.0, high / 2.0 - low / 2.0
    return lambda rng, n: ((middle + reach * rng.uniform(-1.0, 1.0, n)).astype(span.dtype),)


def _ends(span: spans.Span) -> Kind:
    """Both ends of the span, a few numbers next to them, and numbers at distances of every size."""
    low, high = span.finite
    near = [0, 1, 2, 3, 4, 5, 8, 16, 64]
    keys = [k for step in near for k in (low + step, high - step) if low <= k <= high]
    sizes = np.array([abs(end) * 2.0**-k for end in span.ends for k in range(1, span.form.precision + 1)])
    ends = np.repeat(np.array(span.ends), span.form.precision)
    inner = np.where(ends == span.ends[0], ends + sizes, ends - sizes)
    return _listed(span, np.concatenate([spans.numbers_at(keys * 4, span.form), inner.astype(span.dtype)]))


def _halfway(span: spans.Span) -> Kind:
    """Integers and a half, and midpoints of every shorter format, each with neighbours."""
    form = span.form
    rng = np.random.default_rng(form.precision)
    shorter = [one.dtype for one in FORMATS if one.precision < form.precision and form.holds(one)]
    goals = [*shorter, *(np.dtype(type) for type in (np.int8, np.int16, np.int32))]
    near = [around_boundaries(rng, form.dtype, goal, 0 if goal.kind == "i" else 200) for goal in goals]
    return _listed(span, np.concatenate(near))


def _special(span: spans.Span) -> Kind:
    """Zeros, ones and their neighbours, the smallest and the largest numbers."""
    beyond_one = np.array([1.0 + span.form.eps, -1.0 - span.form.eps], span.dtype)
    return _listed(span, np.append(special.specials(span.form, short=True), beyond_one))


def _nan(span: spans.Span) -> Kind:
    """NaN, quiet, of either sign, half of them with a payload."""
    form, width = span.form, span.form.precision - 2
    if not span.nan:
        return (np.empty(0, span.dtype),)

    def made(rng: np.random.Generator, n: int) -> Columns:
        sign, has_payload, payload = (rng.integers(0, 1 << size, n, np.uint64) for size in (1, 1, width))
        quiet = np.uint64(form.infinite | 1 << width)
        return (form.from_bits(quiet | payload * has_payload | sign << np.uint64(form.width - 1)),)

    return made


# weights in percent, everywhere and in intervals; shrinking prefers the first kind
_KINDS: tuple[tuple[int, int, Callable[[spans.Span], Kind]], ...] = (
    (8, 4, lambda span: (simple(span),)),
    (45, 46, _anywhere),
    (0, 30, _uniform),
    (8, 3, _halfway),
    (10, 6, _ends),
    (17, 9, lambda span: _listed(span, special.single(span.form, span.ends))),  # inputs of an audit
    (6, 2, _special),
    (3, 0, lambda span: (_within(span, np.array([np.inf, -np.inf])),)),
    (3, 0, _nan),
)
_BEYOND = 7  # the place of the first kind without finite numbers


@spans.spelled_out(spans.Allowed)
def conversions(
    from_type: Type, to_type: Type, *, shape: object = None, **keywords: Unpack[spans.Allowed]
) -> SearchStrategy[Any]:
    """Operands of type ``from_type`` for a conversion to ``to_type``: types by name, dtype or class, vectors by name.

    Half of them lie at, or next to, a point halfway between two values of ``to_type`` or one of its values, every
    fourth of these at an end of it, where results overflow or underflow: there a conversion fails if it rounds twice,
    in the wrong mode, or saturates one too early. The others are any numbers or integers. ``shape`` and the other
    keywords as of ``arguments``; the latter are for floating point. Vectors ("float4" to "uchar4") have their
    components on a last axis. ShapeError for two types of different widths.

    >>> @given(cl.conversions("double", "half"))
    ... def a_conversion_to_half_rounds_once(x):
    ...     by_float = clmath.convert(clmath.convert(x, "float"), "half")  # twice: at times one ulp away
    ...     assert clmath.isnan(x) or abs(int(by_float.view("u2")) - int(clmath.convert(x, "half").view("u2"))) <= 1
    >>> a_conversion_to_half_rounds_once()
    """
    source, target, width = _checked("conversions()", from_type, to_type)
    return operands_of("conversions()", source, target, width, shape, keywords)


def operands_of(  # noqa: PLR0917 - a conversion, and the keywords of its strategy
    call: str, source: str, target: str, width: tuple[int, ...], shape: object, keywords: spans.Allowed
) -> SearchStrategy[np.ndarray | np.generic]:
    """Strategy of operands of type ``source``, vectors if ``width`` has their number of components."""
    form = spans.format_called(source)
    known = spans.span_of(call, form or FORMATS[0], keywords, spans.Allowed)
    span = known if form else spans.whole_span(INTEGERS[source])
    near, ends = (span.fitted(some) for some in (_near(span.dtype, target, _DECIDED), _at_ends(span.dtype, target)))
    mixture = Mixture([(3, (near,)), (1, (ends,)), *mixture_of(span).scaled(4)], [span])
    if shape is None and not width:
        return mixture.alone().map(itemgetter(0))
    return mixture.in_shape(call, () if shape is None else shape, width).map(itemgetter(0))


def _checked(call: str, from_type: object, to_type: object) -> tuple[str, str, tuple[int, ...]]:
    """Return the names of both scalar types, and the width of the vectors: (n,), or () for scalars."""
    known = CONVERTED
    (source, components), (target, to_components) = (spans.checked_vector(call, t, known) for t in (from_type, to_type))
    spans.checked_type(call, source, known[1:])  # conversions of bool have no boundaries
    if components != to_components:
        fact = f"from_type={from_type!r} has {components} components, to_type={to_type!r} {to_components}"
        raise errors.ShapeError(f"{call}: {fact}; a conversion keeps their number: use {source!r} and {target!r}")
    return source, target, (components,) if components > 1 else ()


@functools.lru_cache(maxsize=256)
def _near(source: np.dtype, target: str, count: int) -> np.ndarray:
    """Return operands at or next to ``count`` values of ``target``, midpoints, and the ends, simple ones first."""
    goal = spans.format_called(target)
    rng = np.random.default_rng(zlib.crc32(f"{source} {target}".encode()))
    values = around_boundaries(rng, source, goal.dtype if goal else SCALARS[target], count if goal else 0)
    return plain_first(values[np.isfinite(values) & (values != 0)])


def _at_ends(source: np.dtype, target: str) -> np.ndarray:
    """Return operands at and next to the ends of ``target``: where results overflow, vanish or begin to wrap."""
    points = _ends_of_type(target)
    with np.errstate(all="ignore"):
        if source.kind not in "iu":
            values = points.astype(source)
            found = [values, np.nextafter(values, source.type(np.inf)), np.nextafter(values, source.type(-np.inf))]
            ends = np.unique(np.concatenate(found))
            return plain_first(ends[np.isfinite(ends) & (ends != 0)])
        least, most = int(np.iinfo(source).min), int(np.iinfo(source).max)
    near = {int(np.floor(point)) + k for point in points for k in range(-1, 3)}
    return np.array(sorted((n for n in near if least <= n <= most), key=lambda n: (abs(n), n < 0)), source)


def _ends_of_type(target: str) -> NDArray[np.float64]:
    """Return the ends of a type with both signs, and the points beyond which results overflow or vanish."""
    goal = spans.format_called(target)
    if goal is not None:
        half = np.ldexp(0.5, goal.emax - goal.precision + 1)
        with np.errstate(over="ignore"):  # double has no number where it overflows
            ends = np.array([goal.largest, goal.largest + half, goal.smallest_normal, goal.smallest_subnormal / 2.0])
    else:
        limits = None if target == "bool" else np.iinfo(INTEGERS[target])
        least, most = (int(limits.min), int(limits.max)) if limits else (0, 1)
        ends = np.array([abs(end) + offset for end in (least, most) for offset in (0.0, 0.5, 1.0)])
    ends = ends[np.isfinite(ends)]
    return np.concatenate([ends, -ends])
