"""Strategies for the arguments of a built-in: any calls, calls that are hard to round, and those next to a boundary."""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace
from typing import TYPE_CHECKING, Any, Unpack

import numpy as np

from clmath import errors
from clmath.audit.acceptance.batch import exact_values
from clmath.audit.inputs import layout, operands, special, structured
from clmath.audit.inputs.hard import hard_lines
from clmath.audit.inputs.random import random_columns
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.numbers.datatypes import spelled_type, type_name
from clmath.numbers.formats import FORMATS, KNOWN, format_of
from clmath.numbers.rounding import Enclosure, Rounding, checked_mode, round_enclosure, ulp_errors
from clmath.spec.builtins import Builtin, builtin, builtins
from clmath.spec.families import by_bits, by_channel, exact_builtins, is_sampled, kinds_of
from clmath.testing.aliases import CONVERSION, memory_call, operand_types
from clmath.testing.strategies import spans
from clmath.testing.strategies.memory import of_memory
from clmath.testing.strategies.mixtures import Mixture, listed, strategies
from clmath.testing.strategies.scalars import mixture_of, mixture_of_type, operands_of, simple

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from hypothesis.strategies import SearchStrategy
    from numpy.typing import NDArray

    from clmath.testing.strategies.mixtures import Args, Columns, Kind
    from clmath.typing import Type

# relative frequency of each group of an audit's structured inputs, if a built-in has it
_SHARES = {"lines": 4, "hard": 2, "edges": 5, "borders": 1, "halfway": 4, "cases": 2, "short": 8, "specials": 5}
_ROWS = 2048  # simple calls
_ELSEWHERE = {  # functions that are not called on arrays, and the strategy for each
    "sprintf": "printed",
    "async_work_group_copy": "copies",
    "async_work_group_strided_copy": "copies",
    "Image.read": "reads",
}
_WORK_ITEMS = 24  # of a group, at most
_SEEDS = 64
_TRIED = 512  # random calls of a seed, of which the closest are kept
_KEPT = 16


@functools.lru_cache(maxsize=64)
@np.errstate(all="ignore")
def calls_of(item: Item, span: spans.Span) -> Mixture:
    """Return the calls of a case, with the numbers of ``span`` in its format."""
    allowed = [span if dtype == span.dtype else spans.whole_span(dtype) for dtype in layout.dtypes(item)]
    groups = Mixture(_groups(item), allowed)
    kinds = [
        (2, _simple(allowed)),
        (4, _related(allowed)),
        *groups.scaled(6),
        (8, lambda rng, n: random_columns(rng, item, n)),
    ]
    defined = functools.partial(operands.fitting, item) if isinstance(item, ExactItem) else tuple
    return Mixture(kinds, allowed, defined)


def _simple(allowed: Sequence[spans.Span | spans.Integers]) -> Columns:
    rng = np.random.default_rng(len(allowed))
    return _sorted(tuple(rng.choice(simple(span), _ROWS) for span in allowed))


def _related(allowed: Sequence[spans.Span | spans.Integers]) -> Kind:
    """Numbers of any size; half of the later ones equal, opposite, next to an earlier one, its double, half or inverse.

    There differences cancel and quotients are near 1.
    """
    fresh = [mixture_of(span).many for span in allowed]

    def made(rng: np.random.Generator, n: int) -> Columns:
        columns: list[np.ndarray] = []
        for mixture, span in zip(fresh, allowed, strict=True):
            (values,) = mixture(rng, n)
            earlier = [column for column in columns if column.dtype == span.dtype]
            if earlier:
                relations = _relations(earlier[int(rng.integers(len(earlier)))])
                related = np.array(relations)[rng.integers(0, len(relations), n), np.arange(n)]
                values = np.where(rng.random(n) < 0.5, related, values)
            columns.append(values)
        return tuple(columns)

    return made


@np.errstate(all="ignore")
def _relations(x: np.ndarray) -> list[np.ndarray]:
    """Return numbers of the same type that are related to ``x``."""
    one = x.dtype.type(1)
    if format_of(x.dtype) is None:
        return special.next_to_one_another(x)
    near = [np.nextafter(x, x.dtype.type(s * np.inf)) for s in (1, -1)]
    return [x, np.negative(x), *near, x + x, x / (one + one), one / x, x * x]


def _groups(item: Item) -> list[tuple[float, Kind]]:
    """Return the structured inputs of an audit, each set with its share."""
    if isinstance(item, ExactItem):
        return [(1, _sorted(structured.structured(item)))]
    sets, types = {name: [lines] for name, lines in structured.parts(item).items()}, layout.dtypes(item)
    sets["edges"] = [
        tuple(c.astype(t, copy=False) for c, t in zip(special_value, types, strict=True))
        for special_value in structured.each_special_value(item)
    ]
    # the most informative specials of a single argument; for several, all are crossed anyway
    short: list[Columns] = [(special.specials(item.form, short=True),)] if item.columns == ("gentype",) else []
    sets |= {"lines": [hard_lines(item)], "short": short}
    return [(share / len(sets[name]), _sorted(lines)) for name, share in _SHARES.items() for lines in sets[name]]


def _sorted(columns: Columns) -> Columns:
    """Return the calls in the order of shrinking: finite ones first, then by the size of their exponents."""
    size = np.zeros(len(columns[0]))
    for column in columns:
        wide = column.astype(np.float64)
        here = np.abs(np.log2(np.abs(wide)))
        size += np.where(wide == 0, 0.0, np.where(np.isfinite(here), here, 1e6)) + 2.0**-9 * (np.sign(wide) % 3)
    order = np.argsort(size, kind="stable")
    return tuple(column[order] for column in columns)


@spans.spelled_out(spans.Allowed)
def arguments(name: str, type: Type, *, shape: object = None, **keywords: Unpack[spans.Allowed]) -> SearchStrategy[Any]:
    """Arguments for one call of the built-in ``name`` for gentype ``type``: a tuple in declaration order.

    ``name``: a built-in of the math, common, geometric, integer, relational and memory chapters, an operator of
    scalars, a channel of images (``read_unorm_int8``; reads with samplers are ``reads``), or an alias of a conversion,
    load or store (``convert_uchar4_sat``, ``as_int``, ``vload4``, ``vstore_half_rtz``); ``clamp dot max min add sub mul
    div`` belong to the chapter that has the type. Divisors are never zero. ``type``: a scalar type by name, dtype or
    class, for a conversion the type of its operand. Scalars, or arrays of ``shape`` (an int, a tuple or a strategy).
    Vectors add a last axis, as wide as the built-in allows; so do the work-items of a group (``work_group_reduce_add``,
    ``sub_group_all``; ``work_group_broadcast`` with the number of one of them).

    A third are inputs of ``clmath audit`` (prescribed results, hard inputs, results next to midpoints, exact results,
    specials crossed), the others are sampled where results are informative, as ``tables/builtins.toml`` says; later
    arguments are at times related to earlier ones. ``allow_nan``, ``allow_infinity``, ``allow_subnormal``: as in
    ``numbers``. UnknownNameError if ``name`` is not a built-in or has no such type.

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
        raise errors.UnknownNameError(f"arguments(): arguments of {name} are generated by strategies.{other}: use that")
    more = {name: row for name, row in exact_builtins().items() if row.chapter in {"groups", "images"}}
    row, known = builtin_of("arguments()", name, type, more)
    span = spans.span_of("arguments()", spans.format_called(known) or FORMATS[0], keywords, spans.Allowed)
    if row.chapter == "groups":
        return _of_group(row, known, span, shape)
    widths = (0,) if by_channel(row) else row.widths or (0,)
    found: SearchStrategy[Args] = strategies().one_of(
        [_of_item(item_of(row, TYPES[known], width), span, shape) for width in widths]
    )
    return found


def _of_group(row: Builtin, type: str, span: spans.Span, shape: object) -> SearchStrategy[Args]:
    """Strategy of the values of groups' work-items, on a last axis; of a broadcast, with the number of one of them."""

    def of_size(count: int) -> SearchStrategy[Args]:
        return _of_item(ExactItem(row, TYPES[type], count), span, () if shape is None else shape)

    found: SearchStrategy[Args] = strategies().integers(1, _WORK_ITEMS).flatmap(of_size)
    return found.map(_with_one_place)


def _with_one_place(args: Args) -> Args:
    """Return the values of groups, and of the places in each group one that they have."""
    x, *places = args
    return x, *(np.uint32(np.max(place, initial=0) % x.shape[-1]) for place in places)


def _of_item(item: Item, span: spans.Span, shape: object) -> SearchStrategy[Args]:
    """Strategy of the arguments of a case, one call or a ``shape`` of calls; integers of every declared sign."""
    found: SearchStrategy[Args]
    if shape is None and not item.width:
        found = calls_of(item, span).alone()
    else:
        columns = calls_of(item, span).in_shape("arguments()", () if shape is None else shape)
        found = columns.map(lambda values: tuple(a[()] for a in layout.arguments(item, values)))
    if not isinstance(item, ExactItem):
        return found
    signatures = itertools.product(*(kinds_of(p.type, item.form.name) for p in item.builtin.inputs))
    choices = [found.map(functools.partial(_of_types, names)) for names in signatures]
    found = strategies().one_of(choices)
    return found


def _of_types(names: tuple[str, ...], args: Args) -> Args:
    """Return the arguments with the same bits as values of these types; a 'word' is signed if a byte is."""
    word = "int" if "char" in names else "uint"
    dtypes = (spelled_type("arguments()", word if name == "word" else name).dtype for name in names)
    return tuple(a if a.dtype == t else a.view(t) for a, t in zip(args, dtypes, strict=True))


def _of_conversion(name: str, to: str, type: Type, shape: object, keywords: spans.Allowed) -> SearchStrategy[Args]:
    """Strategy of the operand of a conversion, or of a reinterpretation: any value of its type."""
    target = spelled_type("arguments()", to)
    known = spans.checked_type("arguments()", type, operand_types("arguments()", name))
    components = (target.components,) if target.components > 1 else ()
    if known == "bool" or name.startswith("as_"):
        of_bool = known == "bool"
        values = mixture_of_type("arrays()", *(("uchar", {"max_value": 1}) if of_bool else (known, keywords)))
        found = values.in_shape("arguments()", () if shape is None else shape, components)
        return found.map(lambda xs: ((xs[0] != 0 if of_bool else xs[0])[()],))
    operand = operands_of("arguments()", known, type_name(target.dtype), components, shape, keywords)
    return operand.map(lambda x: (x,))


def of_row(item: Item) -> SearchStrategy[Args]:
    """Arguments for one call of an audit's case, in its width; for a vector, one call in each component."""
    span = spans.span_of("arguments()", spans.format_called(item.form.name) or FORMATS[0], {}, spans.Allowed)
    return _of_item(replace(item, vector=1), span, None if item.vector == 1 else (item.vector,))


def builtin_of(call: str, name: str, type: object, *more: Mapping[str, Builtin]) -> tuple[Builtin, str]:
    """Return the built-in of this name that has the type, and the name of the type."""
    rows = [found[name] for found in (builtins(), by_bits(), *more) if name in found]
    if not rows:
        builtin(name, call)  # raises, and suggests similar names
    known = {t: row for row in reversed(rows) for t in row.tested}
    chosen = spans.checked_type(call, type, sorted(known, key=_order))
    return known[chosen], chosen


def _order(name: str) -> tuple[bool, int]:
    """Formats last: half, float and double, then others."""
    names = [f.name for f in KNOWN]
    return name in names, names.index(name) if name in names else 0


def hard(name: str, type: Type) -> SearchStrategy[Any]:
    """Arguments of ``name`` that are hard to round or known to break implementations, by ``tables/hard``.

    With them their neighbours, and for the built-ins that must be correctly rounded calls next to a midpoint. A tuple
    in declaration order. RangeError if the tables have none; then use ``near_boundary``.

    >>> @given(cl.hard("exp", "double"))
    ... def the_modes_are_in_order(args):
    ...     assert clmath.exp(*args, rounding="rtn") <= clmath.exp(*args, rounding="rtp")
    >>> the_modes_are_in_order()
    """
    row, known = builtin_of("hard()", name, type)
    form = spans.format_called(known)
    others = "arguments()" if row.exact or form is None else "near_boundary() or arguments()"
    there: list[SearchStrategy[Args]] = []
    if form is not None:
        item = Item(row, form)
        parts = structured.parts(item)
        groups = hard_lines(item), parts["hard"], parts["halfway"]
        there = [listed(columns) for columns in groups if len(columns[0])]
    if not there:
        raise errors.RangeError(f"hard(): name={name!r} has no hard inputs of type {type}; use {others}")
    found: SearchStrategy[Args] = strategies().one_of(there)
    return found


def near_boundary(name: str, type: Type, mode: Rounding = "rte") -> SearchStrategy[Any]:
    """Arguments of ``name`` whose exact results lie next to a rounding boundary of ``mode``.

    That is a midpoint of two numbers for rte, and a number for rtz, rtp and rtn; the nearest 16 in 512 random calls of
    an audit, by the exact reference, again and again. A tuple in declaration order, vectors as one-dimensional arrays.
    RangeError for built-ins whose results are exact in every mode.

    >>> @given(cl.near_boundary("log", "float", "rtz"))
    ... def the_mode_matters(args):
    ...     assert clmath.log(*args, rounding="rtn") <= clmath.log(*args, rounding="rtz")
    >>> the_mode_matters()
    """
    checked = checked_mode("near_boundary()", mode)
    row, known = builtin_of("near_boundary()", name, type)
    form = spans.format_called(known)
    if row.exact or form is None:
        raise errors.RangeError(f"near_boundary(): results of {name} are exact in every mode; use arguments()")

    @np.errstate(all="ignore")
    def made(width: int, seed: int, place: int) -> Args:
        item = Item(row, form, width)
        return layout.arguments(item, tuple(column[place] for column in _closest(item, checked == "rte", seed)))

    st = strategies()
    widths, seeds, places = st.sampled_from(row.widths or (0,)), st.integers(0, _SEEDS - 1), st.integers(0, _KEPT - 1)
    found: SearchStrategy[Args] = st.builds(made, widths, seeds, places)
    return found


@functools.lru_cache(maxsize=1024)
def _closest(item: Item, to_midpoint: bool, seed: int) -> Columns:
    """Return the calls among random ones of this seed whose results are closest to a boundary."""
    values = random_columns(np.random.default_rng([seed, 1]), item, _TRIED)
    with np.errstate(all="ignore"):
        apart = _distances(item, values, to_midpoint)
    chosen = np.argsort(apart, kind="stable")[:_KEPT]
    return tuple(column[chosen] for column in values)


def _distances(item: Item, values: Columns, to_midpoint: bool) -> NDArray[np.float64]:
    """Return the distance in ulp of exact results from the nearest midpoint, or number; infinite for numbers."""
    found = np.full(len(values[0]), np.inf)
    for exact in exact_values(item, values, "auto"):
        if isinstance(exact, Enclosure):
            off = np.abs(ulp_errors(round_enclosure(exact, item.form, "rte")[0], exact, item.form))
            apart = np.where(np.isfinite(off) & (off > 0.0), np.abs(0.5 - off) if to_midpoint else off, np.inf)
            found = np.minimum(found, apart.min(axis=-1) if apart.ndim > 1 else apart)
    return found
