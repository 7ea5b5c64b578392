"""Strategies for arrays: single elements that shrink by themselves, on a ground of elements from one seed."""

from __future__ import annotations

import functools
from operator import itemgetter
from typing import TYPE_CHECKING, NamedTuple, Protocol, TypeAlias, Unpack

import numpy as np

from clmath import errors
from clmath.audit.inputs import special
from clmath.audit.inputs.streams import generated, in_interval
from clmath.numbers.datatypes import INTEGERS, WIDTHS
from clmath.numbers.formats import KNOWN, format_named
from clmath.testing.strategies import scalars
from clmath.testing.strategies import whole_numbers as whole
from clmath.testing.strategies.entropy import Bits, strategies
from clmath.testing.strategies.keywords import Keywords, check_known, element, span_of, spelled_out
from clmath.testing.strategies.scalars import Plain

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from hypothesis.strategies import SearchStrategy

    from clmath.testing.strategies.entropy import Part
    from clmath.testing.strategies.span import Span
    from clmath.typing import Type

__all__ = [
    "Args",
    "Calls",
    "Columns",
    "Ground",
    "arrays",
    "columns_of",
    "in_shape",
    "of_integers",
    "of_numbers",
    "sizes_of",
    "vectors",
]

Columns: TypeAlias = "tuple[np.ndarray, ...]"
Args: TypeAlias = "tuple[np.ndarray | np.generic, ...]"

_FEW = 16  # up to this number, calls are generated one by one
_ALONE = 8  # calls among more that are generated one by one, at most
_MOST_BYTES = 4096  # for all of them; Hypothesis gives 8192 for a whole example
_PLACE = 4  # bytes that hold the place of a call
_QUARTERINGS = 8  # leave one element of 65 536
_GROUND = 16  # bytes of the seed of a ground


class Ground(Protocol):
    """Makes the columns of ``n`` calls with a generator, with plain values as ``plain`` requires."""

    def __call__(self, rng: np.random.Generator, plain: Plain, n: int) -> Columns:
        """Make them."""


class Calls(NamedTuple):
    """Makers of calls: one from ``size`` random bytes, many at once; ``zeros`` are the values of the simplest one."""

    size: int
    one: Part[tuple[np.generic, ...]]
    many: Ground
    zeros: Sequence[np.generic]


def of_integers(dtype: np.dtype, low: int, high: int) -> Calls:
    """Return the makers of integers from ``low`` to ``high``, each alone in a call."""
    part, zero = whole.integer(dtype, low, high), dtype.type(min(max(0, low), high))
    return Calls(whole.SIZE, lambda bits: (part(bits),), integer_ground(dtype, low, high), (zero,))


def of_numbers(span: Span) -> Calls:
    """Return the makers of numbers of a span, each alone in a call."""
    part, zero = scalars.number(span), span.fitted_number(np.zeros((), span.form.dtype))
    return Calls(scalars.SIZE, lambda bits: (part(bits),), number_ground(span), (zero,))


@spelled_out(Keywords)
def arrays(type: Type, shape: object, **keywords: Unpack[Keywords]) -> SearchStrategy[np.ndarray]:
    """NumPy arrays of ``type``, an integer or floating-point type by name, dtype or class.

    ``shape``: an int, a tuple, or a strategy such as ``hypothesis.extra.numpy.array_shapes()``. Elements are generated
    as by ``numbers`` and ``integers``, with the same keywords, and a thousand as fast as by
    ``hypothesis.extra.numpy.arrays``. They shrink to zeros and few other elements.

    >>> @given(cl.arrays("float", 1000, allow_nan=False))
    ... def half_of_all_is_not_larger(x):
    ...     assert (clmath.fabs(clmath.mul(x, np.float32(0.5))) <= clmath.fabs(x)).all()
    >>> half_of_all_is_not_larger()
    """
    return _arrays("arrays()", type, shape, keywords)


@spelled_out(Keywords)
def vectors(base: Type, n: int, **keywords: Unpack[Keywords]) -> SearchStrategy[np.ndarray]:
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
    return _arrays("vectors()", base, (n,), keywords)


def _arrays(call: str, type: object, shape: object, keywords: Keywords) -> SearchStrategy[np.ndarray]:
    name = element(call, type)
    if name in INTEGERS:
        check_known(call, keywords, ("min_value", "max_value"))
        ends = whole.range_of(call, name, keywords.get("min_value"), keywords.get("max_value"))
        calls = of_integers(INTEGERS[name], *ends)
    else:
        calls = of_numbers(span_of(call, format_named(name, known=KNOWN), keywords))
    return in_shape(call, shape, functools.partial(columns_of, calls)).map(itemgetter(0))


def in_shape(
    call: str, shape: object, made: Callable[[int], SearchStrategy[Columns]], components: tuple[int, ...] = ()
) -> SearchStrategy[Columns]:
    """Strategy of columns of ``components`` in a ``shape``, which is an int, a tuple or a strategy."""
    if isinstance(shape, strategies().SearchStrategy):
        found: SearchStrategy[Columns] = shape.flatmap(
            lambda generated_shape: in_shape(call, generated_shape, made, components)
        )
        return found
    sizes = (*sizes_of(call, shape), *components)
    columns = made(int(np.prod(sizes, dtype=int)))
    return columns.map(lambda values: tuple(column.reshape(sizes) for column in values))


def sizes_of(call: str, shape: object) -> tuple[int, ...]:
    """Return a shape as a tuple; ShapeError if it is neither an int nor a tuple of ints."""
    sizes = shape if isinstance(shape, tuple) else (shape,)
    if not all(isinstance(s, (int, np.integer)) and not isinstance(s, bool) and s >= 0 for s in sizes):
        raise errors.ShapeError(
            f"{call}: shape={shape!r} is not a shape; give an int, a tuple of ints or a strategy of them"
        )
    return tuple(map(int, sizes))


def columns_of(calls: Calls, size: int) -> SearchStrategy[Columns]:
    """The columns of ``size`` calls: generated one by one if they are few, else a few single ones among many."""
    st = strategies()
    if size <= _FEW:
        alone = st.binary(min_size=calls.size, max_size=calls.size)
        found: SearchStrategy[Columns] = st.tuples(*[alone] * size).map(functools.partial(_each, calls))
        return found
    single = st.binary(min_size=_PLACE + calls.size, max_size=_PLACE + calls.size)
    below = st.binary(min_size=_GROUND, max_size=_GROUND)
    singles = st.lists(single, max_size=max(min(_ALONE, _MOST_BYTES // calls.size), 1))
    strategy: SearchStrategy[Columns] = st.tuples(below, singles).map(lambda generated: _laid(calls, size, *generated))
    return strategy


@np.errstate(all="ignore")
def _each(calls: Calls, generated: Sequence[bytes]) -> Columns:
    """Return the columns of one call for each string of bytes."""
    columns = tuple(np.full(len(generated), zero) for zero in calls.zeros)
    for place, data in enumerate(generated):
        for column, value in zip(columns, calls.one(Bits(data)), strict=True):
            column[place] = value
    return columns


@np.errstate(all="ignore")
def _laid(calls: Calls, size: int, below: bytes, singles: Sequence[bytes]) -> Columns:
    """A ground with single calls in it; it shrinks to a plain one, then to few of its calls among zeros."""
    bits = Bits(below)
    first, end = _window(bits, size)
    plain = Plain.of(bits)
    with np.errstate(all="ignore"):  # signaling NaN, in formats that have them
        columns = calls.many(np.random.default_rng(bits.take(32)), plain, size)
    for column, zero in zip(columns, calls.zeros, strict=True):
        column[:first] = zero
        column[end:] = zero
    for data in singles:
        bits = Bits(data)
        place = bits.take(8 * _PLACE) % size
        for column, value in zip(columns, calls.one(bits), strict=True):
            column[place] = value
    return columns


def _window(bits: Bits, size: int) -> tuple[int, int]:
    """Return the range of elements that are kept: nearly always all; shrinking quarters it repeatedly."""
    first, end = 0, size
    for _ in range(_QUARTERINGS):
        quarter, length = bits.take(8), end - first
        if quarter < 4:
            first, end = first + length * quarter // 4, first - (-length * (quarter + 1) // 4)
    return first, end


def number_ground(span: Span) -> Ground:
    """Elements of a span: of any exponent and of any value, and a third special values and inputs of an audit."""
    form, ends = span.form, span.ends
    with np.errstate(all="ignore"):
        listed = special.single(form, ends)
    specials = np.concatenate([special.specials(form, short=True), special.nans(form)])

    def components(rng: np.random.Generator, plain: Plain, n: int) -> Columns:
        with np.errstate(all="ignore"):
            spread = (
                generated(rng, form, n, lambda draw: in_interval(draw, ends))
                if not span.holds_no_finite
                else np.zeros(n, form.dtype)
            )
        which = rng.random(n)
        others = np.where(which < 0.9, rng.choice(listed, n), rng.choice(specials, n))
        values = np.where(which < 0.7, spread, others)
        allowed = np.where(span.contains(values), values, spread)
        return (span.fitted(plain.made_of(allowed, form)),)

    return components


def integer_ground(dtype: np.dtype, low: int, high: int) -> Ground:
    """Return elements from ``low`` to ``high``: half of them of every size, half of them with every bit random."""

    def components(rng: np.random.Generator, plain: Plain, n: int) -> Columns:
        kind = np.uint64 if high > np.iinfo(np.int64).max else np.int64
        values = rng.integers(low, high, n, kind, endpoint=True)
        shifts = rng.integers(0, 8 * dtype.itemsize, n) * (rng.random(n) < 0.5)
        shifts = np.maximum(shifts, 8 * dtype.itemsize - plain.digits)
        return (np.clip(values >> shifts.astype(kind), low, high).astype(dtype),)

    return components
