"""The inputs of an audit: the same for the same seed, whoever computes them and in whatever pieces."""

from __future__ import annotations

import functools
import zlib
from dataclasses import replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit import draws, numbered, vectors
from clmath.audit.aims import interval, recipe_word, table
from clmath.audit.cases import cases
from clmath.audit.exact import operands
from clmath.audit.exact.rows import ExactItem
from clmath.audit.halfway import halfway
from clmath.audit.numbered import is_numbered
from clmath.audit.plan import PARTS
from clmath.audit.special import listed, specials
from clmath.numbers.formats import FLOAT, HALF, Format
from clmath.spec import editions, files, proposals
from clmath.spec.edges import edges, flushing_edges
from clmath.spec.limits import PROFILES, limit
from clmath.spec.notation import number
from clmath.spec.proposals import around

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.audit.plan import Item, Plan
    from clmath.spec.notation import Condition

__all__ = [
    "CHUNK",
    "RUN",
    "Columns",
    "arguments",
    "chunk_size",
    "chunks",
    "columns",
    "dtypes",
    "each_edge",
    "edge_cases",
    "fixed_chunks",
    "hard",
    "hard_lines",
    "is_exhaustive",
    "is_parted",
    "is_swept",
    "known_lines",
    "length",
    "limit_borders",
    "parts",
    "place_of_first_numbered",
    "places",
    "random_columns",
    "structured",
    "swept_columns",
    "swept_parts",
    "weight",
    "without_repetition",
]

Columns: TypeAlias = "tuple[NDArray[Any], ...]"

CHUNK = 8192  # inputs handed to a subject and to a worker at a time
LANES = 16  # that a device may work on at once
RUN = 256  # neighbours tried one after the other where all floats are


def chunks(item: Item, plan: Plan) -> int:
    """Into how many pieces the row's inputs are cut: first the structured ones, then ``plan.count`` random ones."""
    if is_swept(item, plan):
        return len(swept_parts(plan))
    random = len(numbered.parts(plan)) if is_numbered(item, plan) else _pieces(item, _random_count(item, plan))
    return fixed_chunks(item, plan) + random


def fixed_chunks(item: Item, plan: Plan) -> int:
    """How many of the first pieces are of structured inputs; where a row is parted they are of its first part."""
    is_of_another_part = is_numbered(item, plan) and plan.part[0] > 1
    return 0 if is_swept(item, plan) or is_of_another_part else _pieces(item, _length(structured(item)))


def columns(item: Item, plan: Plan, chunk: int) -> Columns:
    """The inputs of one piece, one array an input value (lane by lane for vectors)."""
    if is_swept(item, plan):
        return swept_columns(item, [swept_parts(plan)[chunk]])
    first, size = fixed_chunks(item, plan), chunk_size(item)
    if chunk < first:
        return tuple(c[chunk * size : (chunk + 1) * size].copy() for c in structured(item))
    piece = chunk - first
    if is_numbered(item, plan):
        return numbered.columns(item, plan, numbered.parts(plan)[piece])
    n = min(size, _random_count(item, plan) - piece * size)
    rng = np.random.default_rng([plan.seed % 2**64, zlib.crc32(str(item).encode()), piece])
    drawn = random_columns(rng, item, n)
    return drawn if item.vector == 1 else vectors.arranged(rng, item, drawn)


def places(item: Item, plan: Plan, chunk: int) -> int | NDArray[np.uint32]:
    """Where the inputs of a piece stand in the row: the first one, or each where all floats are tried: its encoding.

    Of vectors always the first one.
    """
    if is_numbered(item, plan):
        return _place_of_numbered(item, plan, chunk)
    if not is_swept(item, plan):
        return chunk * chunk_size(item)
    return (
        _encodings(item, [swept_parts(plan)[chunk]])
        if item.vector == 1
        else swept_parts(plan)[chunk] * _part_length(item)
    )


def _place_of_numbered(item: Item, plan: Plan, chunk: int) -> int:
    """The same in every part; the pieces of the second look stand behind those of the first."""
    size, parts = chunk_size(item), numbered.parts(plan)
    piece = chunk - fixed_chunks(item, plan)
    if piece < 0:
        return chunk * size
    if piece < len(parts):
        return place_of_first_numbered(item) + parts[piece] * numbered.PIECE
    return place_of_first_numbered(item) + len(parts) * numbered.PIECE + (piece - len(parts)) * size


def place_of_first_numbered(item: Item) -> int:
    """Where the random input numbered 0 stands in a row whose random inputs have numbers."""
    return _pieces(item, _length(structured(item))) * chunk_size(item)


def weight(item: Item, plan: Plan) -> int:
    """About how many inputs the row has, without listing them."""
    if is_swept(item, plan):
        return _part_length(item) * len(swept_parts(plan))
    if is_exhaustive(item):
        return 1 << HALF.width
    return (numbered.length(plan.count, numbered.parts(plan)) if is_numbered(item, plan) else plan.count) + CHUNK


def length(item: Item, plan: Plan, pieces: int) -> int:
    """How many inputs the first ``pieces`` pieces of a row have."""
    if is_swept(item, plan):
        return _part_length(item) * pieces
    fixed, size, first = _length(structured(item)), chunk_size(item), fixed_chunks(item, plan)
    later = max(pieces - first, 0)
    if is_numbered(item, plan):
        return min(fixed, min(pieces, first) * size) + numbered.length(plan.count, numbered.parts(plan)[:later])
    return min(fixed, pieces * size) + min(_random_count(item, plan), later * size)


def is_parted(item: Item, plan: Plan) -> bool:
    """Whether an audit of a part tries some of the row's inputs alone."""
    return is_swept(item, plan) or (is_numbered(item, plan) and plan.part != (1, 1))


def is_swept(item: Item, plan: Plan) -> bool:
    """Whether all floats are tried: a single argument, in float, and an exhaustive plan."""
    return plan.exhaustive and item.size == FLOAT.width and len(item.columns) == 1


def swept_columns(item: Item, parts: Sequence[int], room: NDArray[np.uint32] | None = None) -> Columns:
    """All inputs of parts of all floats, ascending by their encodings where they are scalars.

    ``room``: where those of scalars go, of their size; fresh memory takes longer to get than to fill.
    """
    return (_encodings(item, parts, room).view(dtypes(item)[0]),)


def swept_parts(plan: Plan) -> range:
    """The parts of all floats that belong to the plan's part."""
    k, n = plan.part
    return range(k - 1, PARTS, n)


def _part_length(item: Item) -> int:
    """How many inputs a part of all floats has: whole vectors."""
    length = (1 << FLOAT.width) // PARTS
    return length + -length % item.vector


def _encodings(item: Item, parts: Sequence[int], room: NDArray[np.uint32] | None = None) -> NDArray[np.uint32]:
    """Parts of all floats: runs of neighbours, which take one branch of a device, from all over the format.

    So every part costs the same, and shows the same. Vectors hold neighbours, or floats from all over the format.
    """
    first = (np.array(parts, np.uint32) * np.uint32(RUN))[:, np.newaxis]
    runs = _first_part()[:, np.newaxis]
    shaped = None if room is None else room.reshape(len(runs), len(parts), RUN)
    codes: NDArray[np.uint32] = np.add(runs, first, out=shaped)
    if item.vector == 1:
        return codes.reshape(-1)
    (part,) = parts
    return vectors.among(np.random.default_rng(part), item, codes.reshape(-1, RUN))


@functools.cache
def _first_part() -> NDArray[np.uint32]:
    """The encodings of the first part, one run a row."""
    starts = np.arange((1 << FLOAT.width) // (PARTS * RUN), dtype=np.uint32) * np.uint32(PARTS * RUN)
    codes: NDArray[np.uint32] = np.add.outer(starts, np.arange(RUN, dtype=np.uint32))
    return codes


@functools.singledispatch
def arguments(item: Item, values: Columns) -> Columns:
    """The arrays a subject is given: the lanes of a vector argument stacked on a last axis."""
    if not item.width:
        return values
    lanes = range(0, len(values), item.width)
    return tuple(np.stack(values[i : i + item.width], axis=-1) for i in lanes)


@functools.singledispatch
def dtypes(item: Item) -> tuple[np.dtype[Any], ...]:
    """The dtype of every column."""
    kinds = {"gentype": item.form.dtype, "intn": np.dtype(np.int32), "nancode": item.form.bits_dtype}
    return tuple(kinds[kind] for kind in item.columns)


def chunk_size(item: Item) -> int:
    """How many inputs a piece has, the last ones aside: whole vectors."""
    return CHUNK - CHUNK % item.vector


def _pieces(item: Item, n: int) -> int:
    return -(-n // chunk_size(item))


def _length(values: Columns) -> int:
    return len(values[0])


@functools.singledispatch
def is_exhaustive(item: Item) -> bool:
    """Whether the structured inputs are all there are."""
    return item.form is HALF and item.columns in (("gentype",), ("nancode",))


def _random_count(item: Item, plan: Plan) -> int:
    return 0 if is_exhaustive(item) else plan.count + -plan.count % item.vector


def random_columns(rng: np.random.Generator, item: Item, n: int) -> Columns:
    """``n`` random calls, the same for the same ``rng``."""
    return _random_of(item, rng, n)


@functools.singledispatch
def _random_of(item: Item, rng: np.random.Generator, n: int) -> Columns:
    """Three in four by the table's recipe, the others of any size.

    One number in eight is moved beside one of few bits; a few calls have special numbers.
    """
    with np.errstate(all="ignore"):
        return _drawn(rng, item, n)


def _drawn(rng: np.random.Generator, item: Item, n: int) -> Columns:
    if len(item.columns) == 1 and not item.width and item.columns[0] == "gentype":
        aimed: Columns = (draws.interval(rng, item.form, interval(item), n),)
    else:
        aimed = draws.recipe(recipe_word(item))(rng, item, n)
    loose = draws.recipe("any")(rng, item, n)
    chosen = rng.random(n) < 0.75
    drawn = [np.where(chosen, a, b).astype(t, copy=False) for a, b, t in zip(aimed, loose, dtypes(item), strict=True)]
    return _with_specials(rng, item, [_with_few_bits(rng, item.form, column) for column in drawn])


def _with_few_bits(rng: np.random.Generator, form: Format, column: NDArray[Any]) -> NDArray[Any]:
    """One number in eight beside one of few bits."""
    if column.dtype != form.dtype:
        return column
    chosen = (rng.random(len(column)) < 1 / 8) & np.isfinite(column)
    return np.where(chosen, draws.beside_borders(rng, form, np.where(chosen, column, 0)), column)


def _with_specials(rng: np.random.Generator, item: Item, drawn: Sequence[NDArray[Any]]) -> Columns:
    """One call in 16 has a special number in one place: each of them in every lane of a device of 16 lanes.

    It may be wrong about a number in one of them; among the structured inputs that stands in few.
    """
    n, known = len(drawn[0]), specials(item.form, short=True)
    chosen, place = rng.random(n) < 1 / 16, rng.integers(0, len(drawn), n)
    calls = np.flatnonzero(chosen)
    by_lane = calls[np.argsort(calls % LANES, kind="stable")]  # those of a lane have one special number after the other
    special = np.zeros(n, item.form.dtype)
    special[by_lane] = known[(np.arange(len(calls)) + rng.integers(len(known))) % len(known)]
    numbers = [c.dtype == item.form.dtype for c in drawn]
    return tuple(np.where(chosen & (place == i), special, c) if numbers[i] else c for i, c in enumerate(drawn))


@functools.lru_cache(maxsize=8)
def structured(item: Item) -> Columns:
    """The inputs that do not depend on the seed: every encoding for half, else all that is known to hurt.

    In vectors each of them stands twice: beside its neighbours, and beside others.
    """
    if item.vector > 1:
        rng = np.random.default_rng(zlib.crc32(str(item).encode()))
        return vectors.arranged_twice(rng, item, structured(replace(item, vector=1)))
    return _structured_of(item)


@functools.singledispatch
def _structured_of(item: Item) -> Columns:
    """Of a row of scalars, or of vectors that are one call, whose errors are measured."""
    if is_exhaustive(item):
        return (np.arange(1 << item.form.width, dtype=np.uint32).astype(item.form.bits_dtype).view(dtypes(item)[0]),)
    together = tuple(np.concatenate(column) for column in zip(*parts(item).values(), strict=True))
    return without_repetition(item, together)


@functools.lru_cache(maxsize=8)
def parts(item: Item) -> Mapping[str, Columns]:
    """The structured inputs by what they are for; some parts are empty for most built-ins."""
    bounds = interval(item)
    return {
        "edges": edge_cases(item),
        "borders": limit_borders(item),
        "hard": hard(item),
        "halfway": _halfway(item),
        "cases": _cases(item, bounds),
        "specials": listed(item, bounds),
    }


def without_repetition(item: Item, values: Columns) -> Columns:
    """Every input once, at its first place."""
    encodings = [_bits(v, item.form) for v in values]
    order = np.lexsort(encodings)  # equal ones stay in their order
    differs = [column[order[1:]] != column[order[:-1]] for column in encodings]
    is_first = np.concatenate([np.ones(min(len(order), 1), np.bool_), functools.reduce(np.logical_or, differs)])
    first = np.sort(order[is_first])
    return tuple(v[first] for v in values)


def _bits(values: NDArray[Any], form: Format) -> NDArray[np.uint64]:
    plain = form.bits(values) if values.dtype == form.dtype else values
    return plain.astype(np.int64).view(np.uint64)


def edge_cases(item: Item) -> Columns:
    """The concrete cases of every edge; of vector edges those of this width."""
    return _joined(item, each_edge(item))


def each_edge(item: Item) -> list[Columns]:
    """The concrete cases of one edge after the other, of every edition."""
    name = item.builtin.name
    found = [(*edges(name, edition), *flushing_edges(name, edition)) for edition in editions.known()]
    known = dict.fromkeys(edge for one in found for edge in one)
    if not item.width:
        return [edge.cases(item.form) for edge in known]
    cases = [edge.cases(item.form, item.width) for edge in known]  # type: ignore[call-arg] # vectors have a width
    return [tuple(a[:, i] for a in case for i in range(item.width)) for case in cases]


def limit_borders(item: Item) -> Columns:
    """Arguments on either side of the borders that the item's limits have, in whatever profile and edition."""
    name, form = item.builtin.name, item.form
    limits = [limit(name, form, profile, edition=edition) for edition in editions.known() for profile in PROFILES]
    met = {condition for one in limits for _, condition in one.clauses if condition is not None}
    conditions = sorted(met, key=lambda condition: condition.text)
    if item.width:
        sizes = {number(b, form) for condition in conditions for b in condition.numbers}
        return _joined(item, [_of_square(item, size) for size in sorted(sizes)])
    return _joined(item, [_beside_border(item, condition) for condition in conditions])


def _beside_border(item: Item, condition: Condition) -> Columns:
    """Arguments that meet a condition, and such that do not."""
    names = [p.name for p in item.builtin.inputs]
    borders = [condition.numbers if name in condition.variables else () for name in names]
    pairs = list(zip(item.columns, borders, strict=True))
    long, short = ([proposals.values(kind, item.form, b, few=few) for kind, b in pairs] for few in (False, True))

    def holds(args: Columns) -> NDArray[np.bool_]:
        bound = {name: a.astype(np.float64) for name, a in zip(names, args, strict=True)}
        return np.asarray(condition.holds(bound, item.form))

    sides = [proposals.crossed(long, short, chosen) for chosen in (holds, lambda args: ~holds(args))]
    return tuple(np.concatenate(column) for column in zip(*sides, strict=True))


def _of_square(item: Item, size: float) -> Columns:
    """Vectors of equal lanes, and of one lane, whose sum of squares is about ``size``; a second vector is zero."""
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
    """What the table says of results next to midpoints."""
    word = table()["halfway"].get(item.builtin.name)
    return _joined(item, [halfway(word, item.form)] if word else [])


def _cases(item: Item, bounds: tuple[float, float]) -> Columns:
    """What the table says that computations treat apart."""
    word = table()["cases"].get(item.builtin.name)
    return _joined(item, [cases(word, item.form, bounds)] if word else [])


def _joined(item: Item, parts: Iterable[Columns]) -> Columns:
    """The parts one after the other, in the columns' dtypes; empty columns where there is none."""
    empty = tuple(np.empty(0, t) for t in dtypes(item))
    return tuple(
        np.concatenate([c.astype(t, copy=False) for c in column])
        for column, t in zip(zip(empty, *parts, strict=True), dtypes(item), strict=True)
    )


@functools.cache
def _hard_table(form: Format) -> dict[str, Any]:
    return files.load(f"hard/{form}.toml")


def hard_lines(item: Item) -> Columns:
    """The table's hard inputs, as they stand there."""
    return _calls(item, _hard_table(item.form).get(item.builtin.name, []) if not item.width else [])


def known_lines(item: Item) -> Columns:
    """The calls at which real libraries were found to be worst, or wrong, as they stand in the table."""
    reports = files.load("hard/known.toml")["report"] if not item.width else []
    lists = [report.get(str(item.form), {}).get(item.builtin.name, []) for report in reports]
    return _calls(item, [line for lines in lists for line in lines])


def _calls(item: Item, lines: Sequence[str]) -> Columns:
    """One call a line: hexadecimal numbers, and ints."""
    split = [line.split() for line in lines]
    return tuple(
        np.array([float.fromhex(s[i]) if kind == "gentype" else int(s[i]) for s in split]).astype(t)
        for i, (kind, t) in enumerate(zip(item.columns, dtypes(item), strict=True))
    )


def hard(item: Item) -> Columns:
    """Hard and known inputs, for one argument with their neighbours on either side and with both signs."""
    values = _joined(item, [hard_lines(item), known_lines(item)])
    if len(values) == 1 and item.columns[0] == "gentype":
        near = around(values[0], item.form, 2)
        return (np.concatenate([near, -near]),)
    return values


# rows whose results are prescribed one by one have inputs of their own
arguments.register(ExactItem, operands.arguments)
dtypes.register(ExactItem, operands.dtypes)
is_exhaustive.register(ExactItem, operands.is_exhaustive)
_structured_of.register(ExactItem, operands.structured)
_random_of.register(ExactItem, operands.random_columns)
