"""Inputs that do not depend on a seed: every encoding of half, else special, hard and constructed arguments."""

from __future__ import annotations

import functools
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.inputs import grouped, operands, vectors
from clmath.audit.inputs.aims import interval, table
from clmath.audit.inputs.cases import cases
from clmath.audit.inputs.halfway import halfway
from clmath.audit.inputs.layout import dtypes, is_exhaustive
from clmath.audit.inputs.special import everyday, listed
from clmath.audit.inputs.thresholds import approaches, thresholds
from clmath.audit.plan.exact_item import ExactItem
from clmath.spec import editions, files, proposals
from clmath.spec.edges import edges, flushing_edges
from clmath.spec.limits import limit
from clmath.spec.notation import meets, number
from clmath.spec.profiles import PROFILES
from clmath.spec.proposals import around

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.spec.notation import Condition

__all__ = [
    "each_edge",
    "edge_cases",
    "hard",
    "hard_lines",
    "known_lines",
    "limit_borders",
    "parts",
    "structured",
    "without_repetition",
]


@functools.lru_cache(maxsize=8)
def structured(item: Item) -> Columns:
    """Return the inputs that do not depend on the seed: all encodings of half, else inputs at which targets fail.

    On vectors each is tried twice: next to its neighbours, and next to unlike inputs.
    """
    if item.vector > 1:
        rng = np.random.default_rng(zlib.crc32(str(item).encode()))
        return vectors.arranged_twice(rng, item, structured(replace(item, vector=1)))
    return _structured_of(item)


@functools.singledispatch
def _structured_of(item: Item) -> Columns:
    """Return the structured inputs of a row whose errors are measured, before calls are put into vectors."""
    if is_exhaustive(item):
        return (np.arange(1 << item.form.width, dtype=np.uint32).astype(item.form.bits_dtype).view(dtypes(item)[0]),)
    together = tuple(np.concatenate(column) for column in zip(*parts(item).values(), strict=True))
    return without_repetition(item, together)


@functools.lru_cache(maxsize=8)
def parts(item: Item) -> Mapping[str, Columns]:
    """Return the structured inputs by their purpose; some parts are empty for most built-ins."""
    bounds = interval(item)
    return {
        "edges": edge_cases(item),
        "borders": limit_borders(item),
        "hard": hard(item),
        "halfway": _halfway(item),
        "cases": _cases(item, bounds),
        "specials": listed(item, bounds),
        "thresholds": _thresholds(item),
        "everyday": _joined(item, [everyday(item)] if len(item.columns) > 1 else []),
    }


def without_repetition(item: Item, values: Columns) -> Columns:
    """Return the inputs without repetitions."""
    encodings = [_bits(v, item.form) for v in values]
    order = np.lexsort(encodings)  # a stable sort
    differs = [column[order[1:]] != column[order[:-1]] for column in encodings]
    is_first = np.concatenate([np.ones(min(len(order), 1), np.bool_), functools.reduce(np.logical_or, differs)])
    first = np.sort(order[is_first])
    return tuple(v[first] for v in values)


def _bits(values: np.ndarray, form: Format) -> NDArray[np.uint64]:
    plain = form.bits(values) if values.dtype == form.dtype else values
    return plain.astype(np.int64).view(np.uint64)


def edge_cases(item: Item) -> Columns:
    """Return calls to which special values of a row apply, in the row's width for vectors."""
    return _joined(item, each_edge(item))


def each_edge(item: Item) -> list[Columns]:
    """Return calls to which special values of any edition apply, one tuple of columns for each special value."""
    name = item.builtin.called
    found = [(*edges(name, edition), *flushing_edges(name, edition)) for edition in editions.known()]
    known = dict.fromkeys(edge for one in found for edge in one)
    if not item.width:
        return [edge.cases(item.form) for edge in known]
    cases = [edge.cases(item.form, item.width) for edge in known]  # type: ignore[call-arg] # vectors have a width
    return [tuple(a[:, i] for a in case for i in range(item.width)) for case in cases]


def limit_borders(item: Item) -> Columns:
    """Return arguments on both sides of the borders in the row's limits, of all profiles and editions."""
    form, conditions = item.form, _conditions(item)
    if item.width:
        sizes = {number(b, form) for condition in conditions for b in condition.numbers}
        return _joined(item, [_of_square(item, size) for size in sorted(sizes)])
    return _joined(item, [_beside_border(item, condition) for condition in conditions])


def _conditions(item: Item) -> list[Condition]:
    """Return the conditions in the row's limits, of all profiles and editions."""
    name, form = item.builtin.called, item.form
    limits = [limit(name, form, profile, edition=edition) for edition in editions.known() for profile in PROFILES]
    met = {condition for one in limits for _, condition in one.clauses if condition is not None}
    return sorted(met, key=lambda condition: condition.text)


def _beside_border(item: Item, condition: Condition) -> Columns:
    """Return arguments next to the border of a condition: some that meet it, and some that do not."""
    names = [p.name for p in item.builtin.inputs]
    borders = [condition.numbers if name in condition.variables else () for name in names]
    pairs = list(zip(item.columns, borders, strict=True))
    long, short = ([proposals.values(kind, item.form, b, few=few) for kind, b in pairs] for few in (False, True))

    def holds(args: Columns) -> NDArray[np.bool_]:
        bound = {name: a.astype(np.float64) for name, a in zip(names, args, strict=True)}
        with np.errstate(all="ignore"):
            return np.asarray(meets(condition, bound, item.form))

    sides = [proposals.crossed(long, short, chosen) for chosen in (holds, lambda args: ~holds(args))]
    return tuple(np.concatenate(column) for column in zip(*sides, strict=True))


def _thresholds(item: Item) -> Columns:
    """Return numbers at distances of every size from borders of limits, and from ``thresholds.thresholds``."""
    if item.columns != ("gentype",) or item.width:
        return _joined(item, [])
    form = item.form
    last = thresholds(item)
    borders = [number(b, form) for condition in _conditions(item) for b in condition.numbers]
    signed = np.unique([s * b for b in borders for s in (1.0, -1.0) if 0.0 < abs(b) <= form.largest])
    near = around(last, form, 4)
    return _joined(item, [(near,), (approaches(form, np.concatenate([last.astype(np.float64), signed])),)])


def _of_square(item: Item, size: float) -> Columns:
    """Return vectors whose sum of squares is about ``size``: equal components, or one; a second vector is zero."""
    form, width = item.form, item.width
    parts = np.ldexp(1.0, -np.arange(1, form.precision))
    shares = np.concatenate([[1.0], 1.0 + parts, 1.0 - parts])
    with np.errstate(all="ignore"):
        equal = (np.sqrt(size / width) * shares).astype(form.dtype)
        alone = (np.sqrt(size) * shares).astype(form.dtype)
    zeros = np.zeros_like(equal)
    columns = [np.concatenate([equal, alone]), *[np.concatenate([equal, zeros])] * (width - 1)]
    return (*columns, *[np.zeros(2 * len(zeros), form.dtype)] * (len(item.columns) - width))


def _halfway(item: Item) -> Columns:
    """Return the calls with results next to midpoints that the table names."""
    word = table()["halfway"].get(item.builtin.called)
    return _joined(item, [halfway(word, item.form)] if word else [])


def _cases(item: Item, bounds: tuple[float, float]) -> Columns:
    """Return the calls of ``cases.cases`` that the table names."""
    word = table()["cases"].get(item.builtin.called)
    return _joined(item, [cases(word, item.form, bounds)] if word else [])


def _joined(item: Item, parts: Iterable[Columns]) -> Columns:
    """Return the parts one after the other, in the columns' dtypes; columns are empty without parts."""
    empty = tuple(np.empty(0, t) for t in dtypes(item))
    return tuple(
        np.concatenate([c.astype(t, copy=False) for c in column])
        for column, t in zip(zip(empty, *parts, strict=True), dtypes(item), strict=True)
    )


@functools.cache
def _hard_tables(form: Format) -> tuple[dict[str, Any], ...]:
    found = f"hard/{form}.toml"
    return files.load("hard/hardest.toml").get(str(form), {}), files.load(found) if files.exists(found) else {}


def hard_lines(item: Item) -> Columns:
    """Return the calls whose results are hard to round, as ``tables/hard`` lists them for the built-in."""
    tables = _hard_tables(item.form) if not item.width else ()
    return _calls(item, [line for table in tables for line in table.get(item.builtin.called, [])])


def known_lines(item: Item) -> Columns:
    """Return the calls in ``tables/hard/known.toml``, at which real libraries were wrong, or least accurate."""
    reports = files.load("hard/known.toml")["report"] if not item.width else []
    lists = [report.get(str(item.form), {}).get(item.builtin.called, []) for report in reports]
    return _calls(item, [line for lines in lists for line in lines])


def _calls(item: Item, lines: Sequence[str]) -> Columns:
    """Return the calls in ``lines``, one per line: hexadecimal numbers, and ints."""
    split = [line.split() for line in lines]
    return tuple(
        np.array([float.fromhex(s[i]) if kind == "gentype" else int(s[i]) for s in split]).astype(t)
        for i, (kind, t) in enumerate(zip(item.columns, dtypes(item), strict=True))
    )


def hard(item: Item) -> Columns:
    """Return hard inputs, and calls at which libraries were wrong; single arguments with neighbours and both signs."""
    values = _joined(item, [hard_lines(item), known_lines(item)])
    if len(values) == 1 and item.columns[0] == "gentype":
        near = around(values[0], item.form, 2)
        return (np.concatenate([near, -near]),)
    return values


def _exact(item: ExactItem) -> Columns:
    """Return the structured inputs of a row that is judged bit by bit, which has arguments of its own."""
    is_group = item.builtin.chapter == "groups" and not is_exhaustive(item)
    return grouped.structured(item) if is_group else operands.structured(item)


_structured_of.register(ExactItem, _exact)
