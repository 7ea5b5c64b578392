"""The inputs of an audit: the same for the same seed, whoever computes them and in whatever pieces."""

from __future__ import annotations

import functools
import zlib
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit import draws
from clmath.audit.cases import cases
from clmath.audit.halfway import halfway
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
    "APART",
    "CHUNK",
    "PIECE",
    "RUN",
    "STEP",
    "Columns",
    "arguments",
    "chunks",
    "columns",
    "dtypes",
    "each_edge",
    "edge_cases",
    "hard",
    "hard_lines",
    "interval",
    "is_exhaustive",
    "is_swept",
    "length",
    "limit_borders",
    "parts",
    "places",
    "random_columns",
    "structured",
    "swept",
    "swept_parts",
    "weight",
    "without_repetition",
]

Columns: TypeAlias = "tuple[NDArray[Any], ...]"

CHUNK = 8192  # inputs handed to a subject and to a worker at a time
RUN = 256  # neighbours tried one after the other where all floats are
APART = 2531  # so many runs lie between one and the next where a few are to be from all over the format
STEP = PARTS * RUN  # from the first of a run to that of the next
PIECE = (1 << FLOAT.width) // PARTS  # inputs of a piece where all floats are tried


def chunks(item: Item, plan: Plan) -> int:
    """Into how many pieces the row's inputs are cut: first the structured ones, then ``plan.count`` random ones."""
    if is_swept(item, plan):
        return len(swept_parts(plan))
    return _pieces(_length(structured(item))) + _pieces(_random_count(item, plan))


def columns(item: Item, plan: Plan, chunk: int) -> Columns:
    """The inputs of one piece, one array an input value (lane by lane for vectors)."""
    if is_swept(item, plan):
        return (_encodings(swept_parts(plan)[chunk]).view(dtypes(item)[0]),)
    fixed = structured(item)
    first = _pieces(_length(fixed))
    if chunk < first:
        return tuple(c[chunk * CHUNK : (chunk + 1) * CHUNK].copy() for c in fixed)
    piece = chunk - first
    n = min(CHUNK, _random_count(item, plan) - piece * CHUNK)
    rng = np.random.default_rng([plan.seed % 2**64, zlib.crc32(str(item).encode()), piece])
    return random_columns(rng, item, n)


def places(item: Item, plan: Plan, chunk: int) -> int | NDArray[np.uint32]:
    """Where the inputs of a piece stand in the row: the first one, or each where all floats are tried: its encoding."""
    return _encodings(swept_parts(plan)[chunk]) if is_swept(item, plan) else chunk * CHUNK


def weight(item: Item, plan: Plan) -> int:
    """About how many inputs the row has, without listing them."""
    if is_swept(item, plan):
        return PIECE * len(swept_parts(plan))
    return 1 << HALF.width if is_exhaustive(item) else plan.count + CHUNK


def length(item: Item, plan: Plan, pieces: int) -> int:
    """How many inputs the first ``pieces`` pieces of a row have."""
    if is_swept(item, plan):
        return PIECE * pieces
    fixed = _length(structured(item))
    later = max(pieces - _pieces(fixed), 0)
    return min(fixed, pieces * CHUNK) + min(_random_count(item, plan), later * CHUNK)


def is_swept(item: Item, plan: Plan) -> bool:
    """Whether all floats are tried: a single argument, in float, and an exhaustive plan."""
    return plan.exhaustive and item.form is FLOAT and item.columns in (("gentype",), ("nancode",))


def swept_parts(plan: Plan) -> range:
    """The parts of all floats that belong to the plan's part."""
    k, n = plan.part
    return range(k - 1, PARTS, n)


def _encodings(part: int) -> NDArray[np.uint32]:
    """Part ``part`` of all floats: runs of neighbours, which take one branch of a device, from all over the format.

    So every part costs the same, and shows the same.
    """
    starts = np.arange(PIECE // RUN, dtype=np.uint32) * np.uint32(STEP) + np.uint32(part * RUN)
    codes: NDArray[np.uint32] = np.add.outer(starts, np.arange(RUN, dtype=np.uint32)).reshape(-1)
    return codes


def swept(parts: range, numbers: NDArray[np.uint64]) -> NDArray[np.uint32]:
    """The encodings with these ``numbers`` among those of ``parts`` of all floats, one part after the other.

    In a part, a run follows one that is far from it, so that the first numbers are from all over the format.
    """
    pieces = np.uint64(parts.start) + np.uint64(parts.step) * (numbers // np.uint64(PIECE))
    runs = numbers // np.uint64(RUN) * np.uint64(APART) % np.uint64(PIECE // RUN)
    within = numbers % np.uint64(RUN)
    codes: NDArray[np.uint32] = (runs * np.uint64(STEP) + pieces * np.uint64(RUN) + within).astype(np.uint32)
    return codes


def arguments(item: Item, values: Columns) -> Columns:
    """The arrays a subject is given: the lanes of a vector argument stacked on a last axis."""
    if not item.width:
        return values
    lanes = range(0, len(values), item.width)
    return tuple(np.stack(values[i : i + item.width], axis=-1) for i in lanes)


def dtypes(item: Item) -> tuple[np.dtype[Any], ...]:
    """The dtype of every column."""
    kinds = {"gentype": item.form.dtype, "intn": np.dtype(np.int32), "nancode": item.form.bits_dtype}
    return tuple(kinds[kind] for kind in item.columns)


def _pieces(n: int) -> int:
    return -(-n // CHUNK)


def _length(values: Columns) -> int:
    return len(values[0])


def is_exhaustive(item: Item) -> bool:
    """Whether the structured inputs are all there are."""
    return item.form is HALF and item.columns in (("gentype",), ("nancode",))


def _random_count(item: Item, plan: Plan) -> int:
    return 0 if is_exhaustive(item) else plan.count


def random_columns(rng: np.random.Generator, item: Item, n: int) -> Columns:
    """``n`` random calls: three in four by the table's recipe, the others of any size; a few with special numbers."""
    with np.errstate(all="ignore"):
        return _drawn(rng, item, n)


def _drawn(rng: np.random.Generator, item: Item, n: int) -> Columns:
    if len(item.columns) == 1 and not item.width and item.columns[0] == "gentype":
        aimed: Columns = (draws.interval(rng, item.form, interval(item), n),)
    else:
        aimed = draws.recipe(_recipe(item))(rng, item, n)
    loose = draws.recipe("any")(rng, item, n)
    chosen = rng.random(n) < 0.75
    drawn = [np.where(chosen, a, b).astype(t, copy=False) for a, b, t in zip(aimed, loose, dtypes(item), strict=True)]
    return _with_specials(rng, item, drawn)


def _with_specials(rng: np.random.Generator, item: Item, drawn: Sequence[NDArray[Any]]) -> Columns:
    """One call in 32 has a special number in one place.

    A device that takes several calls at once may be wrong about it in one lane; among the structured inputs it stands
    in few.
    """
    n = len(drawn[0])
    chosen, place = rng.random(n) < 1 / 32, rng.integers(0, len(drawn), n)
    special = rng.choice(specials(item.form, short=True), n)
    numbers = [c.dtype == item.form.dtype for c in drawn]
    return tuple(np.where(chosen & (place == i), special, c) if numbers[i] else c for i, c in enumerate(drawn))


@functools.cache
def _table() -> dict[str, Any]:
    return files.load("inputs.toml")


def interval(item: Item) -> tuple[float, float]:
    """Where results of a built-in of one argument tell something; every finite number unless the table says less."""
    everything = {str(item.form): [-item.form.largest, item.form.largest]}
    least, greatest = _table()["interval"].get(item.builtin.name, everything)[str(item.form)]
    return least, greatest


def _recipe(item: Item) -> str:
    try:
        return str(_table()["recipe"][item.builtin.name])
    except KeyError:
        raise errors.TableError(
            f"tables/inputs.toml: [recipe] has no line for {item.builtin.name}; write how its arguments are drawn"
        ) from None


@functools.lru_cache(maxsize=8)
def structured(item: Item) -> Columns:
    """The inputs that do not depend on the seed: every encoding for half, else all that is known to hurt."""
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
    encodings = np.stack([_bits(v, item.form) for v in values])
    _, first = np.unique(encodings, axis=1, return_index=True)
    order = np.sort(first)
    return tuple(v[order] for v in values)


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
    word = _table()["halfway"].get(item.builtin.name)
    return _joined(item, [halfway(word, item.form)] if word else [])


def _cases(item: Item, bounds: tuple[float, float]) -> Columns:
    """What the table says that computations treat apart."""
    word = _table()["cases"].get(item.builtin.name)
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
    lines = _hard_table(item.form).get(item.builtin.name, []) if not item.width else []
    split = [line.split() for line in lines]
    return tuple(
        np.array([float.fromhex(s[i]) if kind == "gentype" else int(s[i]) for s in split]).astype(t)
        for i, (kind, t) in enumerate(zip(item.columns, dtypes(item), strict=True))
    )


def hard(item: Item) -> Columns:
    """The table's hard inputs, for one argument with their neighbours on either side and with both signs."""
    values = hard_lines(item)
    if len(values) == 1 and item.columns[0] == "gentype":
        near = around(values[0], item.form, 2)
        return (np.concatenate([near, -near]),)
    return values
