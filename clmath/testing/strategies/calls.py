"""The strategy for the arguments of a built-in of any chapter."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from clmath import errors
from clmath.audit.inputs import layout
from clmath.audit.plan.item import Item
from clmath.audit.plan.types import TYPES
from clmath.direct.expressions import is_no_quotient
from clmath.numbers.datatypes import SCALARS, spelled_type, type_name
from clmath.numbers.formats import FORMATS, KNOWN
from clmath.spec.builtins import DIVIDED, Builtin, builtin, builtins
from clmath.spec.families import by_bits, exact_builtins, is_sampled
from clmath.testing.strategies import memory, optional, reads
from clmath.testing.strategies.entropy import drawn
from clmath.testing.strategies.exact import exact_call, signatures
from clmath.testing.strategies.judged import Trial, lanes, trial
from clmath.testing.strategies.keywords import Allowed, allowed_of, checked_type, format_called, spelled_out
from clmath.testing.strategies.lanes import Calls, arrays, columns_of, in_shape, integer_ground, number_ground, sizes_of
from clmath.testing.strategies.operands import CONVERSION, CONVERTED, conversions
from clmath.testing.strategies.whole_numbers import whole_range

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import DrawFn, SearchStrategy

    from clmath.testing.strategies.lanes import Columns
    from clmath.testing.strategies.scalars import Plain
    from clmath.testing.strategies.span import Span
    from clmath.typing import Type

__all__ = ["arguments", "builtin_of", "grouped", "of_row"]

_ELSEWHERE = {  # functions that are not called on arrays, and the strategy for each
    "sprintf": "printed",
    "async_work_group_copy": "copies",
    "async_work_group_strided_copy": "copies",
    "Image.read": "reads",
}
_WORK_ITEMS = 24  # of a group, at most
_BYTES = 24  # for an input value


@spelled_out(Allowed)
def arguments(name: str, type: Type, *, shape: object = None, **keywords: Unpack[Allowed]) -> SearchStrategy[Any]:
    """Arguments for one call of the built-in ``name`` for gentype ``type``: a tuple in declaration order.

    ``name``: a built-in of the math, common, geometric, integer, relational and memory chapters, an operator of
    scalars, a channel of images (``read_unorm_int8``; reads with samplers are ``reads``), or an alias of a conversion,
    load or store (``convert_uchar4_sat``, ``as_int``, ``vload4``, ``vstore_half_rtz``); ``clamp dot max min add sub mul
    div`` belong to the chapter that has the type. Divisors are never zero. ``type``: a scalar type by name, dtype or
    class, for a conversion the type of its operand. Scalars, or arrays of ``shape`` (an int, a tuple or a strategy).
    Vectors add a last axis, as wide as the built-in allows; so do the work-items of a group (``work_group_reduce_add``,
    ``sub_group_all``; ``work_group_broadcast`` with the number of one of them).

    A third are inputs of ``clmath audit`` (prescribed results, hard inputs, results next to midpoints, exact results,
    specials crossed), the others are sampled where results are informative, by ``tables/inputs.toml``; later arguments
    are at times related to earlier ones. ``allow_nan``, ``allow_infinity``, ``allow_subnormal``: as in ``numbers``.
    UnknownNameError if ``name`` is not a built-in or has no such type.

    >>> @given(cl.arguments("hypot", "float", allow_nan=False))
    ... def hypot_is_not_below_its_arguments(args):
    ...     assert clmath.hypot(*args) >= clmath.fmax(*map(clmath.fabs, args))
    >>> hypot_is_not_below_its_arguments()
    """
    spelled = memory.spelled(name)
    if spelled is not None:
        return memory.calls(spelled[0], type, shape, keywords, spelled[1])
    converted = CONVERSION.fullmatch(str(name))
    if converted is not None:
        return _of_conversion(name, converted["type"], type, shape, keywords)
    if name in _ELSEWHERE or is_sampled(exact_builtins().get(name)):
        other = _ELSEWHERE.get(name, "reads")
        raise errors.UnknownNameError(f"arguments(): what {name} is given is drawn by strategies.{other}: use that")
    group = exact_builtins().get(name)
    if group is not None and group.chapter == "groups":
        return _of_group(group, type, shape, keywords)
    if group is not None and group.chapter == "images" and not is_sampled(group):
        return reads.of_channel(group, type, shape, keywords)
    row, known = builtin_of("arguments()", name, type)
    if row.types:
        return _exact(row, known, shape, keywords)
    form = TYPES[known]
    span = allowed_of("arguments()", form, keywords)
    if not row.widths:
        return _judged(Item(row, form), span, shape)
    st = optional.strategies()
    widths: SearchStrategy[Any] = st.sampled_from(row.widths).flatmap(
        lambda width: _judged(Item(row, form, width), span, () if shape is None else shape)
    )
    return widths


def _of_group(row: Builtin, type: Any, shape: Any, keywords: Any) -> SearchStrategy[Any]:
    """Strategy of the values of groups' work-items, on a last axis; equal, opposite and absorbed numbers among them."""
    st = optional.strategies()
    dtype: Any = SCALARS[checked_type("arguments()", type, row.types)]
    allowed = keywords if dtype.kind == "f" else {}

    def made(draw: DrawFn) -> tuple[Any, ...]:
        count, outer = draw(st.integers(1, _WORK_ITEMS)), () if shape is None else shape
        outer = draw(outer) if isinstance(outer, st.SearchStrategy) else outer
        x = draw(arrays(dtype, (*sizes_of("arguments()", outer), count), **allowed))
        other = draw(st.integers(0, count - 1))  # one that cancels another one
        with np.errstate(over="ignore"):
            x[..., other] = np.negative(x[..., 0]) if draw(st.booleans()) else x[..., other]
        ids = [np.uint32(draw(st.integers(0, count - 1)))] if row.inputs[1:] else []
        return (x, *ids)

    found: SearchStrategy[Any] = st.composite(made)()
    return found


def _of_conversion(name: str, to: str, type: Any, shape: Any, keywords: Any) -> SearchStrategy[Any]:
    """Strategy of the operand of a conversion, or of a reinterpretation: any value of its type."""
    call = "arguments()"
    target = spelled_type(call, to)
    sizes = [t for t, dtype in SCALARS.items() if dtype.itemsize == target.dtype.itemsize and t != "bool"]
    is_moved = name.startswith("as_")
    known = checked_type(call, type, sizes if is_moved else CONVERTED)
    lanes = (target.lanes,) if target.lanes > 1 else ()
    if known == "bool":
        found = _truths(() if shape is None else shape, lanes)
    elif is_moved:
        dtype: Any = SCALARS[known]
        found = in_shape(call, () if shape is None else shape, lambda size: arrays(dtype, size, **keywords), lanes)
        found = found.map(lambda x: x[()])
    else:
        kinds: list[Any] = [(known, *lanes), (type_name(target.dtype), *lanes)] if lanes else [known, to]
        found = conversions(*kinds, shape=shape, **keywords)
    return found.map(lambda x: (x,))


def _truths(shape: object, lanes: tuple[int, ...]) -> SearchStrategy[Any]:
    """Truth values of a shape."""
    bits = functools.partial(arrays, SCALARS["uchar"], max_value=1)
    return in_shape("arguments()", shape, bits, lanes).map(lambda x: (x != 0)[()])


def of_row(item: Item) -> SearchStrategy[Any]:
    """Arguments for one call of an audit's case, in its width; for a vector, one call in each component."""
    form = format_called(item.form.name)
    span = allowed_of("arguments()", form or FORMATS[0], {})
    shape = None if item.vector == 1 else (item.vector,)
    if not item.builtin.types:
        return _judged(item, span, () if shape is None and item.width else shape)
    st = optional.strategies()
    found: SearchStrategy[Any] = st.sampled_from(signatures(item.builtin, item.form.name)).flatmap(
        lambda dtypes: _exact_of(item.builtin, dtypes, item.width, span if span.form.dtype in dtypes else None, shape)
    )
    return found


def builtin_of(call: str, name: str, type: object, chapters: Sequence[str] = ()) -> tuple[Builtin, str]:
    """Return the built-in of this name that has the type, and the name of the type."""
    exact = builtins(*chapters) if chapters else by_bits()
    rows = [found[name] for found in (builtins(), exact) if name in found]
    if not rows:
        builtin(name, call)  # raises, and suggests similar names
    known = {t: row for row in reversed(rows) for t in _types(row)}
    chosen = checked_type(call, type, sorted(known, key=_order))
    return known[chosen], chosen


def _types(row: Builtin) -> tuple[str, ...]:
    return row.tested


def _order(name: str) -> tuple[bool, int]:
    """Formats last: half, float and double, then others."""
    names = [f.name for f in KNOWN]
    return name in names, names.index(name) if name in names else 0


def _judged(item: Item, span: Span, shape: object) -> SearchStrategy[Any]:
    of = Trial(item, span)
    size = _BYTES * max(len(item.columns), 2)
    if shape is None:
        return drawn(size, trial(of))
    calls = Calls(size, trial(of), functools.partial(lanes, of), [_zero(t, span) for t in layout.dtypes(item)])
    return _vectors(in_shape("arguments()", shape, functools.partial(columns_of, calls)), item.width)


def _zero(dtype: np.dtype, span: Span | None) -> Any:
    zero = np.zeros((), dtype)
    return span.fitted(zero)[()] if span is not None and dtype == span.form.dtype else zero[()]


def _vectors(columns: SearchStrategy[Columns], width: int) -> SearchStrategy[Any]:
    return columns.map(lambda values: grouped(values, width)) if width else columns


def grouped(columns: Columns, width: int) -> Columns:
    """Return columns as arguments, with the components of vectors on a last axis."""
    return tuple(np.stack(columns[i : i + width], axis=-1) for i in range(0, len(columns), width))


def _exact(row: Builtin, type: str, shape: Any, keywords: Any) -> SearchStrategy[Any]:
    form = format_called(type)
    span = allowed_of("arguments()", form or FORMATS[0], keywords)
    st = optional.strategies()
    forms = [(dtypes, width) for dtypes in signatures(row, type) for width in row.widths or (0,)]
    found: SearchStrategy[Any] = st.sampled_from(forms).flatmap(
        lambda chosen: _exact_of(row, chosen[0], chosen[1], span if form else None, shape)
    )
    return found


def _exact_of(row: Builtin, dtypes: Any, width: int, span: Span | None, shape: Any) -> SearchStrategy[Any]:
    count = width or 1
    made, size = exact_call(row, dtypes, count, span), _BYTES * len(dtypes) * count
    vector = [width > 0 and p.type != "word" for p in row.inputs]

    def grouped_lanes(columns: Columns) -> Columns:
        each = [columns[i * count : (i + 1) * count] for i in range(len(dtypes))]
        return tuple(np.stack(c, axis=-1) if v else np.asarray(c[0])[()] for c, v in zip(each, vector, strict=True))

    if shape is None:
        alone = drawn(size, made)
        return alone.map(grouped_lanes) if width else alone
    zeros = [_zero(dtype, span) for dtype in dtypes for _ in range(count)]
    if row.left_open == DIVIDED:
        zeros[1] = dtypes[1].type(1)  # processors trap on 0 / 0
    calls = Calls(size, made, _exact_ground(row, dtypes, count, span), zeros)
    columns = in_shape("arguments()", shape, functools.partial(columns_of, calls))
    return columns.map(grouped_lanes) if width else columns


def _exact_ground(row: Builtin, dtypes: Any, count: int, span: Span | None) -> Any:
    """Generate independent components; the offset and the count of a bit field within the width."""
    grounds = [
        number_ground(span) if span is not None and dtype == span.form.dtype else integer_ground(*whole_range(dtype))
        for dtype in dtypes
        for _ in range(count)
    ]

    def made(rng: np.random.Generator, plain: Plain, n: int) -> Columns:
        columns = [ground(rng, plain, n)[0] for ground in grounds]
        names = list(row.names)
        if row.left_open == DIVIDED:
            columns[1] = np.where(is_no_quotient(*columns), columns[1].dtype.type(1), columns[1])
        if "offset" in names and "count" in names:
            width = 8 * dtypes[0].itemsize
            offset = columns[names.index("offset")] % np.uint32(width + 1)
            columns[names.index("offset")] = offset
            columns[names.index("count")] %= np.uint32(width + 1) - offset
        return tuple(columns)

    return made
