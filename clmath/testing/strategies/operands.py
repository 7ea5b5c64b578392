"""A strategy for numbers that are hard to convert between two types."""

from __future__ import annotations

import functools
import zlib
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from clmath import errors
from clmath.audit.inputs.operands import around_boundaries
from clmath.numbers.datatypes import INTEGERS, SCALARS
from clmath.numbers.formats import FORMATS
from clmath.testing.aliases import CONVERTED
from clmath.testing.strategies import spans
from clmath.testing.strategies.mixtures import Mixture
from clmath.testing.strategies.scalars import mixture_of, plain_first

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from clmath.typing import Type

__all__ = ["conversions", "operands_of"]

_DECIDED = 1000  # values of the target next to which operands lie


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
    points = _ends(target)
    with np.errstate(all="ignore"):
        if source.kind not in "iu":
            values = points.astype(source)
            found = [values, np.nextafter(values, source.type(np.inf)), np.nextafter(values, source.type(-np.inf))]
            ends = np.unique(np.concatenate(found))
            return plain_first(ends[np.isfinite(ends) & (ends != 0)])
        least, most = int(np.iinfo(source).min), int(np.iinfo(source).max)
    near = {int(np.floor(point)) + k for point in points for k in range(-1, 3)}
    return np.array(sorted((n for n in near if least <= n <= most), key=lambda n: (abs(n), n < 0)), source)


def _ends(target: str) -> NDArray[np.float64]:
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
