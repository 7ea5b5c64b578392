"""The strategy for the arguments of a built-in of any chapter."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from clmath import errors
from clmath.audit.inputs import layout
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.numbers.datatypes import SCALARS, spelled_type, type_name
from clmath.numbers.formats import FORMATS, KNOWN
from clmath.spec.builtins import Builtin, builtin, builtins
from clmath.spec.families import by_bits, by_channel, exact_builtins, is_sampled, kinds_of
from clmath.testing.conversion_inputs import CONVERSION, operand_types
from clmath.testing.memory_calls import memory_call
from clmath.testing.strategies.entropy import drawn, strategies
from clmath.testing.strategies.judged import Trial
from clmath.testing.strategies.keywords import Allowed, allowed_of, checked_type, format_called, spelled_out
from clmath.testing.strategies.lanes import Args, Calls, Columns, arrays, columns_of, in_shape
from clmath.testing.strategies.memory import of_memory
from clmath.testing.strategies.operands import operands_of

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypothesis.strategies import SearchStrategy

    from clmath.audit.plan.item import Item
    from clmath.testing.strategies.span import Span
    from clmath.typing import Type

__all__ = ["arguments", "builtin_of", "of_row"]

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
    memory = memory_call(name)
    if memory is not None:
        return of_memory(memory, type, shape, keywords)
    converted = CONVERSION.fullmatch(str(name))
    if converted is not None:
        return _of_conversion(name, converted["type"], type, shape, keywords)
    if name in _ELSEWHERE or is_sampled(exact_builtins().get(name)):
        other = _ELSEWHERE.get(name, "reads")
        raise errors.UnknownNameError(f"arguments(): what {name} is given is drawn by strategies.{other}: use that")
    row, known = builtin_of("arguments()", name, type, _of_groups_and_channels())
    span = allowed_of("arguments()", format_called(known) or FORMATS[0], keywords)
    if row.chapter == "groups":
        return _of_group(row, known, span, shape)
    widths = (0,) if by_channel(row) else row.widths or (0,)
    return _one_of([_of_item(item_of(row, TYPES[known], width), span, shape) for width in widths])


def _one_of(choices: Sequence[SearchStrategy[Args]]) -> SearchStrategy[Args]:
    """Strategy of the values of each of the ``choices``, equally often."""
    if len(choices) == 1:
        return choices[0]
    numbers: SearchStrategy[int] = strategies().sampled_from(range(len(choices)))
    return numbers.flatmap(choices.__getitem__)


def _of_group(row: Builtin, type: str, span: Span, shape: object) -> SearchStrategy[Args]:
    """Strategy of the values of groups' work-items, on a last axis; of a broadcast, with the number of one of them."""

    def of_size(count: int) -> SearchStrategy[Args]:
        return _of_item(ExactItem(row, TYPES[type], count), span, () if shape is None else shape)

    found: SearchStrategy[Args] = strategies().integers(1, _WORK_ITEMS).flatmap(of_size)
    return found.map(_with_one_place)


def _with_one_place(args: Args) -> Args:
    """Return the values of groups, and of the places in each group one that they have."""
    x, *places = args
    return x, *(np.uint32(np.max(place, initial=0) % x.shape[-1]) for place in places)


def _of_item(item: Item, span: Span, shape: object) -> SearchStrategy[Args]:
    """Strategy of the arguments of a case, one call or a ``shape`` of calls; integers of every declared sign."""
    of = Trial(item, span)
    size = _BYTES * max(len(item.columns), 2)
    found: SearchStrategy[Args]
    if shape is None and not item.width:
        found = drawn(size, of.one)
    else:
        calls = Calls(size, of.one, of.many, of.zeros)
        columns = in_shape("arguments()", () if shape is None else shape, functools.partial(columns_of, calls))
        found = columns.map(lambda values: tuple(a[()] for a in layout.arguments(item, values)))
    if not isinstance(item, ExactItem):
        return found
    choices = signatures(item.builtin, item.form.name)
    return _one_of([found.map(functools.partial(_of_types, dtypes)) for dtypes in choices])


def _of_types(dtypes: Sequence[np.dtype], args: Args) -> Args:
    """Return the arguments as integers of these types, of the same size, with the same bits; floats are unchanged."""
    return tuple(a if a.dtype == t else a.view(t) for a, t in zip(args, dtypes, strict=True))


def signatures(row: Builtin, type: str) -> tuple[tuple[np.dtype, ...], ...]:
    """Return the dtypes of a built-in's arguments for gentype ``type``: one tuple, or one for each choice."""
    choices = itertools.product(*(kinds_of(p.type, type) for p in row.inputs))
    return tuple(tuple(spelled_type("arguments()", name).dtype for name in _words(one)) for one in choices)


def _words(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return ``names`` with uint for 'word' if every byte is unsigned, otherwise int; the first byte is of gentype."""
    word = "int" if "char" in names else "uint"
    return tuple(word if name == "word" else name for name in names)


def _of_conversion(name: str, to: str, type: Type, shape: object, keywords: Allowed) -> SearchStrategy[Args]:
    """Strategy of the operand of a conversion, or of a reinterpretation: any value of its type."""
    target = spelled_type("arguments()", to)
    known, is_moved = checked_type("arguments()", type, operand_types("arguments()", name)), name.startswith("as_")
    lanes = (target.lanes,) if target.lanes > 1 else ()
    if known == "bool" or is_moved:
        of_one = SCALARS["uchar"] if known == "bool" else SCALARS[known]
        given = {"max_value": 1} if known == "bool" else keywords

        def made(size: int) -> SearchStrategy[Columns]:
            return arrays(of_one, size, **given).map(lambda x: (x != 0,) if known == "bool" else (x,))

        return in_shape("arguments()", () if shape is None else shape, made, lanes).map(lambda xs: (xs[0][()],))
    operand = operands_of("arguments()", known, type_name(target.dtype), lanes, shape, keywords)
    return operand.map(lambda x: (x,))


def of_row(item: Item) -> SearchStrategy[Args]:
    """Arguments for one call of an audit's case, in its width; for a vector, one call in each component."""
    span = allowed_of("arguments()", format_called(item.form.name) or FORMATS[0], {})
    return _of_item(replace(item, vector=1), span, None if item.vector == 1 else (item.vector,))


def builtin_of(call: str, name: str, type: object, *more: Mapping[str, Builtin]) -> tuple[Builtin, str]:
    """Return the built-in of this name that has the type, and the name of the type."""
    rows = [found[name] for found in (builtins(), by_bits(), *more) if name in found]
    if not rows:
        builtin(name, call)  # raises, and suggests similar names
    known = {t: row for row in reversed(rows) for t in row.tested}
    chosen = checked_type(call, type, sorted(known, key=_order))
    return known[chosen], chosen


def _of_groups_and_channels() -> dict[str, Builtin]:
    """Return the built-ins of groups, and the channels of images."""
    return {name: row for name, row in exact_builtins().items() if row.chapter in {"groups", "images"}}


def _order(name: str) -> tuple[bool, int]:
    """Formats last: half, float and double, then others."""
    names = [f.name for f in KNOWN]
    return name in names, names.index(name) if name in names else 0
