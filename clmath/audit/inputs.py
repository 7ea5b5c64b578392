"""The inputs of an audit: the same for the same seed, whoever computes them and in whatever pieces."""

from __future__ import annotations

import functools
import itertools
import zlib
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit import draws
from clmath.audit.plan import PARTS
from clmath.formats import FLOAT, HALF, Format
from clmath.spec import files
from clmath.spec.edges import edges, flushing_edges
from clmath.spec.proposals import around

if TYPE_CHECKING:
    from collections.abc import Iterable

    from numpy.typing import NDArray

    from clmath.audit.plan import Item, Plan

__all__ = [
    "CHUNK",
    "Columns",
    "arguments",
    "chunks",
    "columns",
    "dtypes",
    "edge_cases",
    "hard",
    "is_exhaustive",
    "is_swept",
    "places",
    "random_columns",
    "specials",
    "structured",
    "weight",
]

Columns: TypeAlias = "tuple[NDArray[Any], ...]"

CHUNK = 8192  # inputs handed to a subject and to a worker at a time
RUN = 256  # neighbours tried one after the other where all floats are
_INTS = (0, 1, 2, 3, 4, 5, 7, 8, 10, 11, 16, 24, 31, 53, 64, 126, 127, 149, 150, 1022, 1074, 1075, 2100, 65535)
_LARGE_INTS = (2**24 + 1, 2**30, 2**31 - 2, 2**31 - 1)


def chunks(item: Item, plan: Plan) -> int:
    """Into how many pieces the row's inputs are cut: first the structured ones, then ``plan.count`` random ones."""
    if is_swept(item, plan):
        return len(_parts(plan))
    return _pieces(_length(structured(item))) + _pieces(_random_count(item, plan))


def columns(item: Item, plan: Plan, chunk: int) -> Columns:
    """The inputs of one piece, one array an input value (lane by lane for vectors)."""
    if is_swept(item, plan):
        return (_encodings(_parts(plan)[chunk]).view(dtypes(item)[0]),)
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
    return _encodings(_parts(plan)[chunk]) if is_swept(item, plan) else chunk * CHUNK


def weight(item: Item, plan: Plan) -> int:
    """About how many inputs the row has, without listing them."""
    if is_swept(item, plan):
        return (1 << FLOAT.width) // PARTS * len(_parts(plan))
    return 1 << HALF.width if is_exhaustive(item) else plan.count + CHUNK


def is_swept(item: Item, plan: Plan) -> bool:
    """Whether all floats are tried: a single argument, in float, and an exhaustive plan."""
    return plan.exhaustive and item.form is FLOAT and item.columns in (("gentype",), ("nancode",))


def _parts(plan: Plan) -> range:
    """The parts of all floats that belong to the plan's part."""
    k, n = plan.part
    return range(k - 1, PARTS, n)


def _encodings(part: int) -> NDArray[np.uint32]:
    """Part ``part`` of all floats: runs of neighbours, which take one branch of a device, from all over the format.

    So every part costs the same, and shows the same.
    """
    step = np.uint32(PARTS * RUN)
    starts = np.arange((1 << FLOAT.width) // (PARTS * RUN), dtype=np.uint32) * step + np.uint32(part * RUN)
    codes: NDArray[np.uint32] = np.add.outer(starts, np.arange(RUN, dtype=np.uint32)).reshape(-1)
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
    """``n`` random calls: three in four by the table's recipe, the others of any size."""
    with np.errstate(all="ignore"):
        return _drawn(rng, item, n)


def _drawn(rng: np.random.Generator, item: Item, n: int) -> Columns:
    if len(item.columns) == 1 and not item.width and item.columns[0] == "gentype":
        aimed: Columns = (draws.interval(rng, item.form, _interval(item), n),)
    else:
        aimed = draws.recipe(_recipe(item))(rng, item, n)
    loose = draws.recipe("any")(rng, item, n)
    chosen = rng.random(n) < 0.75
    return tuple(
        np.where(chosen, a, b).astype(t, copy=False) for a, b, t in zip(aimed, loose, dtypes(item), strict=True)
    )


@functools.cache
def _table() -> dict[str, Any]:
    return files.load("inputs.toml")


def _interval(item: Item) -> tuple[float, float]:
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
    parts = [edge_cases(item), hard(item), _listed(item)]
    together = tuple(np.concatenate(column) for column in zip(*parts, strict=True))
    return _without_repetition(item, together)


def _without_repetition(item: Item, values: Columns) -> Columns:
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
    known = (*edges(item.builtin.name), *flushing_edges(item.builtin.name))
    if not item.width:
        return _joined(item, [edge.cases(item.form) for edge in known])
    cases = [edge.cases(item.form, item.width) for edge in known]  # type: ignore[call-arg] # vectors have a width
    return _joined(item, [tuple(a[:, i] for a in case for i in range(item.width)) for case in cases])


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


def hard(item: Item) -> Columns:
    """The table's hard inputs with their neighbours on either side, and for one argument with both signs."""
    lines = _hard_table(item.form).get(item.builtin.name, []) if not item.width else []
    split = [line.split() for line in lines]
    values = [
        np.array([float.fromhex(s[i]) if kind == "gentype" else int(s[i]) for s in split]).astype(t)
        for i, (kind, t) in enumerate(zip(item.columns, dtypes(item), strict=True))
    ]
    if len(values) == 1 and item.columns[0] == "gentype":
        near = around(values[0], item.form, 2)
        return (np.concatenate([near, -near]),)
    return tuple(values)


def _listed(item: Item) -> Columns:
    """Specials: for one argument the long list, for several every one crossed with every other."""
    if item.width:
        return _special_vectors(item)
    if item.columns == ("gentype",):
        return (_single(item),)
    short = len(item.columns) > 2
    lists = [_specials_of(kind, item.form, short=short) for kind in item.columns]
    return tuple(grid.reshape(-1) for grid in np.meshgrid(*lists, indexing="ij"))


def _specials_of(kind: str, form: Format, *, short: bool) -> NDArray[Any]:
    if kind == "gentype":
        return specials(form, short=short)
    if kind == "intn":
        magnitudes = np.array((*_INTS, *_LARGE_INTS), np.int64)
        return np.unique(np.concatenate([magnitudes, -magnitudes, [-(2**31)]])).astype(np.int32)
    places = np.arange(form.width, dtype=np.uint64)
    return np.concatenate([np.zeros(1, np.uint64), np.uint64(1) << places, ~np.uint64(0) >> places]).astype(
        form.bits_dtype
    )


def specials(form: Format, *, short: bool = False) -> NDArray[Any]:
    """Values that formulas stumble over, of both signs: zeros, subnormals, ones and their neighbours, largest ..."""
    p, dtype = form.precision, form.dtype.type
    positive = [0.0, form.smallest_subnormal, form.smallest_normal, 1.0 - form.eps / 2, 1.0, 1.5, 2.0, 3.0]
    positive += [2.0 ** (p - 1), form.largest, np.inf]
    if not short:
        positive += [form.smallest_normal - form.smallest_subnormal, form.smallest_normal * (1 + form.eps)]
        positive += [0.25, 0.5 - form.eps / 4, 0.5, 0.5 + form.eps / 2, 1.0 + form.eps, 2.5, 4.0, 5.0, 7.5, 10.0]
        positive += [2.0 ** (p - 1) - 0.5, 2.0 ** (p - 1) + 1.0, 2.0**p - 1.0, 2.0**p, 2.0 ** (p - 2) + 0.5]
        positive += [form.smallest_normal * 2.0**p, 2.0**form.emax, 2.0 ** (form.emax // 2), 2.0 ** (form.emin // 2)]
    both = np.array([*positive, *(-v for v in positive)])
    return np.concatenate([both.astype(dtype), form.from_bits([_quiet_nan(form)])])


def _quiet_nan(form: Format) -> int:
    return ((1 << form.width - form.precision + 1) - 1 << form.precision - 2) & ~(1 << form.width - 1)


def _single(item: Item) -> NDArray[Any]:
    """What every built-in of one argument is tried with."""
    form = item.form
    powers = np.ldexp(1.0, np.arange(form.quantum, form.emax + 1)).astype(form.dtype)
    bounds = np.array([b for b in _interval(item) if abs(b) <= form.largest]).astype(form.dtype)
    parts = [
        specials(form),
        around(powers, form, 1),
        around(_integers(form), form, 1),
        around(_quarter_turns(form), form, 1),
        around(bounds, form, 4),
        _approaches(form, bounds),
        _subnormals(form),
    ]
    positive = np.concatenate(parts)
    return np.concatenate([positive, -positive])


def _approaches(form: Format, bounds: NDArray[Any]) -> NDArray[Any]:
    """Numbers at distances of every size from where results vanish, turn, have a pole or end.

    Random numbers almost never come close: of all doubles in [1/2, 2) one in 2^20 is within 2^-20 of 1.
    """
    centres = np.concatenate([[0.5, 1.0, 1.5, 2.0, np.pi / 2.0, np.pi], bounds.astype(np.float64)])
    with np.errstate(all="ignore"):
        distances = np.ldexp(np.abs(centres)[:, np.newaxis, np.newaxis], -np.arange(1, form.precision + 1))
        distances = distances * np.array([1.0, 1.3, 1.7])[:, np.newaxis]
        centres = centres[:, np.newaxis, np.newaxis]
        return np.concatenate([centres - distances, centres + distances]).ravel().astype(form.dtype)


def _integers(form: Format) -> NDArray[Any]:
    """Integers and half-integers: small ones, and those where the last places are whole or half."""
    small = np.arange(0.0, 200.0, 0.5)
    base = 2.0 ** np.arange(5, form.precision + 2)
    large = np.concatenate([base + offset for offset in (-1.5, -1.0, -0.5, 0.5, 1.0, 1.5, 2.0, 3.0)])
    return np.concatenate([small, large]).astype(form.dtype)


def _quarter_turns(form: Format) -> NDArray[Any]:
    """Multiples of pi/2, rounded to the format: the first hundred, and one in every binade above."""
    multiples = [*range(1, 101), *(5 << e for e in range(5, form.emax - 2))]
    return np.array([_times_half_pi(k, form) for k in multiples], np.float64).astype(form.dtype)


def _times_half_pi(k: int, form: Format) -> float:
    """The double nearest to k pi/2, from pi with enough bits for any k below 2^1200."""
    total = k * _pi_bits()
    excess = max(total.bit_length() - form.precision - 8, 0)
    return float(np.ldexp(float(total >> excess), excess - _PI_BITS - 1))


_PI_BITS = 256


@functools.cache
def _pi_bits() -> int:
    """floor(pi x 2^256), by Machin's formula in integers."""
    unit = 1 << _PI_BITS + 32

    def arctangent_of_inverse(n: int) -> int:
        term, total, sign = unit // n, 0, 1
        for k in itertools.count(1, 2):
            if not term:
                break
            total += sign * (term // k)
            term, sign = term // (n * n), -sign
        return total

    return (16 * arctangent_of_inverse(5) - 4 * arctangent_of_inverse(239)) >> 32


def _subnormals(form: Format) -> NDArray[Any]:
    """Subnormals of every size with mixed bits, the same ones every time."""
    places = np.arange(1, form.precision, dtype=np.uint64)
    pattern = np.uint64(0xB504F333F9DE6484) >> (np.uint64(64) - places)
    return form.from_bits(np.concatenate([pattern, pattern ^ np.uint64(1)]).astype(form.bits_dtype))


def _special_vectors(item: Item) -> Columns:
    """Vectors of specials: every pair for one lane, else a fixed choice of combinations, and zeros among numbers."""
    form, count = item.form, len(item.columns)
    values = specials(form)
    if count <= 2:
        return tuple(g.reshape(-1) for g in np.meshgrid(*[values] * count, indexing="ij"))
    rng = np.random.default_rng(count)
    finite = values[np.isfinite(values)]
    free = [rng.choice(values, 1024) for _ in range(count)]
    numbers = [rng.choice(finite, 2048) for _ in range(count)]
    sparse = [np.where(rng.random(1024) < 0.5, rng.choice(finite, 1024), 0.0).astype(form.dtype) for _ in range(count)]
    return tuple(np.concatenate(column) for column in zip(free, numbers, sparse, strict=True))
