"""A strategy for numbers that are hard to convert between two types."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, TypeAlias, Unpack

import numpy as np

from clmath import errors
from clmath.audit.inputs.draws import any_number, exponents, with_exponent
from clmath.audit.inputs.draws import drawn as numbers_of
from clmath.numbers.datatypes import INTEGERS, SCALARS
from clmath.numbers.formats import DOUBLE, FORMATS, KNOWN, Format
from clmath.numbers.rounding import round_real
from clmath.testing.strategies.entropy import Bits, Part, Pool, drawn, mixed
from clmath.testing.strategies.keywords import (
    Allowed,
    allowed_of,
    checked_type,
    checked_vector,
    format_called,
    spelled_out,
)
from clmath.testing.strategies.lanes import columns_of, in_shape, integer_ground, number_ground, of_values
from clmath.testing.strategies.scalars import Plain, number, plain_first
from clmath.testing.strategies.span import Span, key_of
from clmath.testing.strategies.whole_numbers import integer, whole_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from clmath.testing.strategies.lanes import Columns, Ground
    from clmath.typing import Type

__all__ = ["CONVERSION", "CONVERTED", "conversions"]

Array: TypeAlias = "np.ndarray"

CONVERSION = re.compile(r"(?:convert|as)_(?P<type>[a-z]+\d*)(?P<sat>_sat)?(?:_(?P<mode>rt[eznp]))?")
CONVERTED = (*SCALARS, *(form.name for form in KNOWN if form not in FORMATS))  # types that are converted
_BYTES = 24  # bytes for an operand
_DECIDED = 2048  # operands next to rounding boundaries, and random ones among them


@spelled_out(Allowed)
def conversions(
    from_type: Type, to_type: Type, *, shape: object = None, **keywords: Unpack[Allowed]
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
    call = "conversions()"
    source, target, width = _checked(call, from_type, to_type)
    form = format_called(source)
    span = allowed_of(call, form or FORMATS[0], keywords)
    decided = _decided(span, target) if form else _whole(source, target)
    ends = _next_to_ends(span, target) if form else _whole_ends(source, target)
    anything, ground = _anything(source, span if form else None)
    zero = span.fitted(np.zeros((), form.dtype))[()] if form else INTEGERS[source].type(0)
    part = mixed([(3, _one_of(decided)), (1, _one_of(ends)), (4, anything)])
    made = _plain(span, part) if form else part
    if shape is None and not width:
        return drawn(_BYTES, made)
    calls = of_values(_BYTES, made, _mixture((decided, ends), ground), zero)
    outer = () if shape is None else shape
    return in_shape(call, outer, lambda size: columns_of(calls, size).map(lambda columns: columns[0]), width)


def _checked(call: str, from_type: object, to_type: object) -> tuple[str, str, tuple[int, ...]]:
    """Return the names of both scalar types, and the width of the vectors: (n,), or () for scalars."""
    known = CONVERTED
    (source, lanes), (target, to_lanes) = (checked_vector(call, t, known) for t in (from_type, to_type))
    checked_type(call, source, known[1:])  # conversions of bool have no boundaries
    if lanes != to_lanes:
        fact = f"from_type={from_type!r} has {lanes} lanes, to_type={to_type!r} {to_lanes}"
        raise errors.ShapeError(f"{call}: {fact}; a conversion keeps their number: use {source!r} and {target!r}")
    return source, target, (lanes,) if lanes > 1 else ()


def _anything(source: str, span: Span | None) -> tuple[Part, Ground]:
    """Return a part that makes any operand, and a ground of many."""
    if span is not None:
        return number(span), number_ground(span)
    return integer(*whole_range(INTEGERS[source])), integer_ground(*whole_range(INTEGERS[source]))


def _plain(span: Span, part: Part) -> Part:
    """Return the part, which shrinks to few digits and to exponents near 0."""

    def made(bits: Bits) -> Any:
        plain = Plain.of(bits)
        return span.fitted(plain.made_of(part(bits), span.form))[()]

    return made


def _one_of(values: Array) -> Part | None:
    return Pool(values) if len(values) else None


def _mixture(pools: Sequence[Array], ground: Ground) -> Ground:
    """Return elements of the ground, half of them replaced by operands next to rounding boundaries, or at ends."""

    def lanes(rng: np.random.Generator, plain: Plain, n: int) -> Columns:
        (values,) = ground(rng, plain, n)
        for pool, share in zip(pools, (1 / 2, 1 / 8), strict=True):
            if len(pool):
                values = np.where(rng.random(n) < share, rng.choice(pool, n), values)
        return (values,)

    return lanes


@functools.lru_cache(maxsize=256)
def _decided(span: Span, target: str) -> Array:
    """Return operands next to rounding boundaries."""
    return _next_to(span, _points(span.form, target))


def _next_to(span: Span, points: NDArray[np.float64]) -> Array:
    """Return points, twice, their neighbours and numbers at all distances from them, of either sign."""
    with np.errstate(all="ignore"):
        keys = span.keys(points.astype(span.form.dtype))
        steps = np.array([0, 0, 1, -1, 2, -2])
        near = span.of_keys((keys[:, np.newaxis] + steps).ravel())
        shares = np.ldexp(1.0, -np.resize(np.arange(2, span.form.precision), len(points)))
        apart = np.concatenate([points * (1.0 + shares), points * (1.0 - shares)]).astype(span.form.dtype)
        values = np.concatenate([near, apart])
        both = np.concatenate([values, -values])
        found: Array = plain_first(both[span.contains(both)])
    return found


def _points(form: Format, target: str) -> NDArray[np.float64]:
    """Return the boundaries of a conversion to ``target``: its midpoints and values, and its ends."""
    goal = format_called(target)
    if goal is None:
        return _of_integers(form, target)
    rng = np.random.default_rng(goal.precision)
    values = np.concatenate([numbers_of(rng, goal, _DECIDED, any_number), _edges(goal)]).astype(np.float64)
    half = np.ldexp(0.5, np.maximum(exponents(values), goal.emin) - goal.precision + 1)
    return np.concatenate([np.abs(values) + half, np.abs(values)])


@functools.lru_cache(maxsize=256)
def _next_to_ends(span: Span, target: str) -> Array:
    """Return operands next to the ends of the target that the source reaches."""
    points = _ends(target)
    return _next_to(span, points[(points >= span.form.smallest_subnormal) & (points <= span.form.largest)])


def _ends(target: str) -> NDArray[np.float64]:
    """Return the ends of a type, and the points beyond which results overflow or vanish."""
    goal = format_called(target)
    if goal is not None:
        half = np.ldexp(0.5, goal.emax - goal.precision + 1)
        return np.array([goal.largest, goal.largest + half, goal.smallest_normal, goal.smallest_subnormal / 2.0] * 4)
    limits = (0, 1) if target == "bool" else whole_range(INTEGERS[target])[1:]
    return np.array([abs(end) + offset for end in limits for offset in (0.0, 0.5, 1.0)] * 4)


def _edges(goal: Format) -> Array:
    """Return the ends of a format: its largest numbers, and the smallest ones, subnormal and normal."""
    keys = [*range(64), *(key_of(goal.smallest_normal, goal) + k for k in range(-8, 8)), *_last(goal)]
    return goal.from_bits(np.array(keys * 4))


def _last(goal: Format) -> range:
    largest = key_of(goal.largest, goal)
    return range(largest - 7, largest + 1)


def _of_integers(form: Format, target: str) -> NDArray[np.float64]:
    """Small integers and halves, powers of two, the ends of the type, and values a little outside of them."""
    limits = (0, 1) if target == "bool" else whole_range(INTEGERS[target])[1:]
    ends = [abs(end) + offset for end in limits for offset in (-1.5, -1.0, -0.5, 0.0, 0.5, 1.0)]
    rng = np.random.default_rng(form.precision)
    bits = rng.integers(1, min(form.precision, 64), _DECIDED // 2)
    anywhere = np.floor(numbers_of(rng, DOUBLE, len(bits), lambda draw: with_exponent(draw, bits))) + 0.5
    return np.concatenate([np.arange(0.0, 40.0, 0.5), np.ldexp(1.0, np.arange(65)), ends * 16, anywhere])


@functools.lru_cache(maxsize=256)
def _whole(source: str, target: str) -> Array:
    """Return integer operands next to rounding boundaries."""
    dtype, low, high = whole_range(INTEGERS[source])
    points = sorted(_of_whole(target), key=lambda p: (p < 0, abs(p)))
    return np.array([p for p in points if low <= p <= high], dtype)


@functools.lru_cache(maxsize=256)
def _whole_ends(source: str, target: str) -> Array:
    """Integer operands at the ends of the target, and where they begin to overflow, within the source's range."""
    dtype, low, high = whole_range(INTEGERS[source])
    goal = format_called(target)
    if goal is None:
        ends = {0, 1} if target == "bool" else set(whole_range(INTEGERS[target])[1:])
    else:
        largest = int(goal.largest)
        ends = {largest, largest + 2 ** (goal.emax - goal.precision)}
    near = {s * end + d for end in ends for s in (1, -1) for d in range(-2, 3)}
    return np.array(sorted((p for p in near if low <= p <= high), key=lambda p: (p < 0, abs(p))), dtype)


def _of_whole(target: str) -> set[int]:
    """Return integers halfway between two numbers of ``target``, or next to its ends, with neighbours and signs."""
    goal = format_called(target)
    if goal is None:
        ends = (0, 1) if target == "bool" else whole_range(INTEGERS[target])[1:]
        points = {end + k for end in ends for k in range(-3, 4)} | {2**k for k in range(64)}
        return points | {-p for p in points}
    rng, p = np.random.default_rng(goal.precision), goal.precision
    found = {int(round_real(goal.largest, goal, "rte")) + 2 ** (goal.emax - p)} if goal.emax < 64 else set()
    widest = max(64 - p, 1)  # bits that the longest integers lose, and integers that are a sign shorter
    for k in range(_DECIDED // 4):
        lost = int(rng.integers(1, widest + 2)) if k % 2 else max(widest - k % 4 // 2, 1)
        found.add((int(rng.integers(1 << p - 1, 1 << p)) << lost) + (1 << lost - 1))
    near = {point + d for point in found for d in (-1, 0, 1)}
    return near | {-point for point in near}
