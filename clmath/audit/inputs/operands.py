"""Inputs of rows that are judged bit by bit: special values, powers of two, the ends of types, random bits."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.inputs import channels, decimals, sampled
from clmath.audit.inputs.aims import Domain
from clmath.audit.inputs.special import nans, single, specials
from clmath.audit.plan.types import TYPES, Whole
from clmath.numbers.formats import format_of, is_float
from clmath.reference.bitwise.operators import is_no_quotient
from clmath.spec.builtins import DIVIDED
from clmath.spec.families import is_sampled, widens

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.numbers.formats import Format

__all__ = [
    "arguments",
    "around_boundaries",
    "domain",
    "dtypes",
    "fitting",
    "is_exhaustive",
    "pool",
    "random",
    "random_columns",
    "structured",
]

Columns: TypeAlias = "tuple[np.ndarray, ...]"

FEW = 16  # all inputs are tried if the arguments of a call have at most this many bits
SEVERAL = 8  # special values are tried in all combinations for at most this many arguments
TOGETHER = 1 << 15  # approximate number of calls with special values in all combinations
PLAIN = 8  # the first special values of a type, which are combined with all special values of another argument
IN_TURN = 9  # all combinations of the plainest values are tried for at most this many arguments
COMBINED = 64  # approximate number of combinations of the other arguments' plainest values


def dtypes(item: ExactItem) -> tuple[np.dtype, ...]:
    """Return the dtype of every column."""
    return tuple(TYPES[kind].dtype for kind in item.columns)


def arguments(item: ExactItem, values: Columns) -> Columns:
    """Return the arrays that are passed to a target: the last axis has the components of a vector argument."""
    if not item.width:
        return values
    found: list[np.ndarray] = []
    start = 0
    for parameter in item.builtin.inputs:
        end = start + item.lanes_of(parameter.type)
        lanes = values[start:end]
        found.append(np.stack(lanes, axis=-1) if item.has_lanes(parameter.type) else lanes[0])
        start = end
    return tuple(found)


def is_exhaustive(item: ExactItem) -> bool:
    """Whether the structured inputs are all inputs that exist."""
    return item.size <= FEW


def structured(item: ExactItem) -> Columns:
    """Return the inputs that do not depend on a seed: all inputs if they are few, else combined special values."""
    types = dtypes(item)
    if is_sampled(item.builtin):
        return sampled.structured(item)
    if item.is_macro:
        return (np.zeros(1, types[0]),)
    if item.builtin.printed:
        return _in_all_formats(item)
    if is_exhaustive(item):
        return _all(item)
    if widens(item.builtin):
        return fitting(item, _of_scalar_and_vector(item))
    rng = np.random.default_rng(len(types))
    if len(types) == 1:
        return (_special(rng, item, types[0]),)
    if item.width > 1 and len(item.arguments) == 1:
        known = pool(types[0])
        rows = [_in_rows(_special(rng, item, types[0]), item.width), _one_lane_apart(types[0], item.width)]
        rows += [_in_rows(np.roll(known, k), item.width) for k in range(item.width)]  # each value in every component
        return tuple(np.ascontiguousarray(lane) for lane in np.concatenate(rows).T)
    parts = [_crossed(rng, types), *_in_turn(rng, types), *_alike(types)]  # some calls occur twice
    return fitting(item, tuple(np.concatenate(column) for column in zip(*parts, strict=True)))


def domain(item: ExactItem) -> Domain | None:
    """Return where a conversion or a relational built-in of one number has many different results.

    The domain is slightly more than the range of a conversion's integer type or format. Return None if all inputs are
    tried, or if there are several arguments.
    """
    form = format_of(dtypes(item)[0])
    if form is None or len(item.columns) > 1 or item.width or item.vector > 1 or is_exhaustive(item):
        return None
    if channels.is_written(item):  # generated about the codes of a channel instead
        return None
    target = item.result
    if item.builtin.chapter == "conversions" and isinstance(target, Whole):
        return Domain(form, 2.0 * target.least, 2.0 * target.most, -2)
    if not isinstance(target, Whole) and target.precision < form.precision:
        return Domain(form, -2.0 * target.largest, 2.0 * target.largest, target.quantum - 1)
    return Domain(form, -form.largest, form.largest, form.quantum)


def _special(rng: np.random.Generator, item: ExactItem, dtype: np.dtype) -> np.ndarray:
    """Return special values, and numbers at which results change, each once."""
    form = format_of(dtype)
    listed = pool(dtype) if form is None or item.width else single(form, (-form.largest, form.largest))
    if channels.is_written(item):
        around = channels.structured(item)
    elif item.builtin.chapter == "images" and dtype.kind in "iu" and dtype.itemsize < 4:
        around = channels.codes(item)
    else:
        around = around_boundaries(rng, dtype, item.result.dtype)
    values = np.concatenate([listed, around])
    _, first = np.unique(values.view(f"u{dtype.itemsize}"), return_index=True)
    return values[np.sort(first)]


def _all(item: ExactItem) -> Columns:
    """Return all calls that exist."""
    forms = [TYPES[kind] for kind in item.columns]
    codes = np.arange(1 << item.size, dtype=np.uint32)
    columns = []
    for form in reversed(forms):
        columns.append((codes & np.uint32((1 << form.width) - 1)).astype(form.bits_dtype).view(form.dtype))
        codes = codes >> np.uint32(form.width)
    return fitting(item, tuple(reversed(columns)))


def _in_all_formats(item: ExactItem) -> Columns:
    """Return special values, and numbers to print, in each format of a row; components of a vector differ."""
    *values, number = dtypes(item)
    formats = np.arange(len(item.builtin.printed), dtype=number)
    columns = [np.roll(decimals.numbers(pool(dtype)), -7 * lane) for lane, dtype in enumerate(values)]
    count = max((len(column) for column in columns), default=1)
    alike = [np.resize(column, count) for column in columns]
    return (*(np.tile(column, len(formats)) for column in alike), np.repeat(formats, count))


def _crossed(rng: np.random.Generator, types: Sequence[np.dtype]) -> Columns:
    """Return special values in all combinations, or a selection if there are many; random ones for many arguments."""
    if len(types) > SEVERAL:
        return tuple(rng.choice(pool(dtype, short=True), TOGETHER >> 3) for dtype in types)
    most = int(TOGETHER ** (1 / len(types)))
    pools = []
    for dtype in types:
        values = pool(dtype, short=True)
        pools.append(
            values if len(values) <= most else np.concatenate([values[: most // 2], rng.choice(values, most // 2)])
        )
    grid = np.meshgrid(*pools, indexing="ij")
    return tuple(column.reshape(-1) for column in grid)


def _in_turn(rng: np.random.Generator, types: Sequence[np.dtype]) -> list[Columns]:
    """Return calls in which each argument in turn has all special values.

    The other arguments have the plainest values in all combinations, or in random ones if there are many arguments, as
    for vectors.
    """
    plain = max(min(int(COMBINED ** (1 / (len(types) - 1)) + 0.01), PLAIN), 2)
    found = []
    for turn in range(len(types)):
        pools = [pool(t) if i == turn else pool(t)[:plain] for i, t in enumerate(types)]
        if len(types) > IN_TURN:
            length = len(pools[turn])
            found.append(tuple(p if i == turn else rng.choice(p, length) for i, p in enumerate(pools)))
        else:
            found.append(tuple(grid.reshape(-1) for grid in np.meshgrid(*pools, indexing="ij")))
    return found


def _alike(types: Sequence[np.dtype]) -> list[Columns]:
    """Return arguments that are equal, opposite, or next to one another; no calls if types differ."""
    if len(set(types)) > 1:
        return []
    values = pool(types[0])
    with np.errstate(all="ignore"):
        one = types[0].type(1)
        others = (values, np.negative(values), values + one, values - one) if one.dtype.kind != "b" else (values,)
    return [(values, *(other,) * (len(types) - 1)) for other in others]


def _of_scalar_and_vector(item: ExactItem) -> Columns:
    """Return calls with each special value as the scalar, and all special values in vectors."""
    is_first = item.lanes_of(item.builtin.inputs[0].type) == 1
    values = pool(dtypes(item)[0 if is_first else -1])
    rows = _in_rows(pool(item.form.dtype), item.width)
    vectors, scalar = np.tile(rows, (len(values), 1)), np.repeat(values, len(rows))
    lanes = tuple(np.ascontiguousarray(lane) for lane in vectors.T)
    return (scalar, *lanes) if is_first else (*lanes, scalar)


def _in_rows(values: np.ndarray, width: int) -> np.ndarray:
    """Put values into vectors one after the other; the last vector is filled up with the first values."""
    return np.resize(values, (-(-len(values) // width), width))


def _one_lane_apart(dtype: np.dtype, width: int) -> np.ndarray:
    """Return vectors in which one component differs from the others; each component does in turn."""
    values = pool(dtype)[:PLAIN]
    base, other = (grid.reshape(-1) for grid in np.meshgrid(values, values))
    apart = np.eye(width, dtype=np.bool_)
    found = np.where(apart, other[:, np.newaxis, np.newaxis], base[:, np.newaxis, np.newaxis])
    return np.asarray(found.reshape(-1, width))


def random_columns(item: ExactItem, rng: np.random.Generator, n: int) -> Columns:
    """Return ``n`` random calls; one argument in four equals one before it, or is its opposite, or next to it."""
    if is_sampled(item.builtin):
        return sampled.drawn(item, rng, n)
    types = dtypes(item)
    columns: list[np.ndarray] = []
    near = _near_results(rng, item, n) if len(item.arguments) == 1 and not item.builtin.printed else None
    for dtype in types:
        fresh = random(rng, dtype, n)
        if item.builtin.printed:
            fresh = np.where(rng.random(n) < 0.5, fresh, decimals.drawn(rng, dtype, n))
        if near is not None:
            fresh = np.where(rng.random(n) < 0.5, fresh, rng.choice(near, n))
        earlier = next((c for c in reversed(columns) if c.dtype == dtype), None)
        if earlier is not None:
            fresh = np.where(rng.random(n) < 0.25, _near(rng, earlier), fresh)
        columns.append(fresh)
    return fitting(item, tuple(columns))


def _near_results(rng: np.random.Generator, item: ExactItem, count: int) -> np.ndarray:
    """Return numbers at which the result of a conversion changes."""
    if channels.is_written(item):
        return channels.drawn(rng, item, count)
    source, target = TYPES[item.columns[0]].dtype, item.result.dtype
    return np.concatenate([around_boundaries(rng, source, target), _inside(rng, source, target, count // 4)])


def _inside(rng: np.random.Generator, source: np.dtype, target: np.dtype, count: int) -> np.ndarray:
    """Return integers and half-integers all over an integer type, and their neighbours; none for other types."""
    if target.kind not in "iu" or not is_float(source):
        return np.empty(0, source)
    info = np.iinfo(target)
    points = np.rint(rng.uniform(2.0 * info.min, 2.0 * info.max, count)) / 2.0
    with np.errstate(all="ignore"):
        values = points.astype(source)
        moved = np.nextafter(values, rng.choice(np.array([np.inf, -np.inf], source), count))
    return np.where(rng.random(count) < 0.5, values, moved)


def _near(rng: np.random.Generator, values: np.ndarray) -> np.ndarray:
    """Return for each value the value itself, its opposite, or a number next to it."""
    with np.errstate(all="ignore"):
        one = values.dtype.type(1)
        choices = [values, np.negative(values), values + one, values - one]
    return np.asarray(np.choose(rng.integers(0, 4, len(values)), choices).astype(values.dtype))


def fitting(item: ExactItem, columns: Columns) -> Columns:
    """Return the calls, changed if they are undefined or may end a device's program.

    No integer is divided by 0, nor by -1 if the quotient overflows, on which processors trap. Offset and count of a bit
    field stay within the type, and the number of a format is one that the row has.
    """
    if item.builtin.left_open == DIVIDED:
        return _divisible(item, columns)
    if item.builtin.printed:
        return (*columns[:-1], columns[-1] % columns[-1].dtype.type(len(item.builtin.printed)))
    fields = [i for i, p in enumerate(item.builtin.inputs) if p.name in ("offset", "count") and p.type == "uint"]
    if not fields:
        return columns
    offset, count = fields
    width = np.uint32(item.form.width)
    found = list(columns)
    found[offset] = found[offset] % (width + np.uint32(1))
    found[count] = found[count] % (width - found[offset] + np.uint32(1))
    return tuple(found)


def _divisible(item: ExactItem, columns: Columns) -> Columns:
    """Return the calls with 1 in place of each divisor for which a quotient is undefined."""
    first = item.lanes_of(item.builtin.inputs[0].type)
    above, below = columns[:first], columns[first:]
    dtype, one = item.result.dtype, columns[0].dtype.type(1)
    found = list(above)
    for y in below:
        undefined = [is_no_quotient(x.astype(dtype), y.astype(dtype)) for x in above]
        found.append(np.where(np.logical_or.reduce(undefined), one, y))
    return tuple(found)


def random(rng: np.random.Generator, dtype: np.dtype, count: int) -> np.ndarray:
    """Return random values, half of which are random bits.

    The other half of the integers have a random number of bits, since random bits are mostly long. The other half of
    the floats have everyday sizes, at most 2^64; some of these are integers.
    """
    if dtype.kind == "b":
        return rng.random(count) < 0.5
    drawn = rng.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype)
    loose = rng.random(count) < 0.5
    if not is_float(dtype):
        return np.where(loose, drawn, drawn >> rng.integers(0, 8 * dtype.itemsize, count).astype(dtype))
    with np.errstate(all="ignore"):
        usual = np.ldexp(rng.random(count) - 0.5, rng.integers(-8, 66, count)).astype(dtype)
        usual = np.where(rng.random(count) < 0.25, np.rint(usual), usual)
    return np.where(loose, drawn, usual)


@functools.cache
def pool(dtype: np.dtype, *, short: bool = False) -> np.ndarray:
    """Return special values of a type, the simplest first; the array is read-only."""
    found = _special_values(dtype, short=short)
    found.flags.writeable = False
    return found


def _special_values(dtype: np.dtype, *, short: bool) -> np.ndarray:
    form = format_of(dtype)
    if form is not None:
        return np.concatenate([specials(form, short=short).astype(dtype), nans(form)])
    if dtype.kind == "b":
        return np.array([False, True])
    least, greatest = int(np.iinfo(dtype).min), int(np.iinfo(dtype).max)
    powers = [s * 2**e + d for e in range(8 * dtype.itemsize) for d in (-1, 0, 1) for s in (1, -1)]
    ends = (least, least + 1, greatest - 1, greatest, 0, 1)
    known = {v for v in (*powers, *ends) if least <= v <= greatest}
    return np.array([*dict.fromkeys(ends), *sorted(known - set(ends), key=abs)], dtype)


def around_boundaries(rng: np.random.Generator, source: np.dtype, target: np.dtype, count: int = 200) -> np.ndarray:
    """Return numbers of ``source`` at and next to ``count`` numbers of ``target``, and at midpoints between these."""
    if source.kind == "b" or target.kind == "b":
        return pool(source)
    form = format_of(target)
    points = _of_format(rng, form, count) if form else _of_integers(target)
    nudges = np.array([0.0, *(s * 2.0**-e for e in (12, 23, 24, 30, 40, 52) for s in (1, -1))])
    with np.errstate(all="ignore"):
        near = (points[:, np.newaxis] * (1.0 + nudges)).reshape(-1)
        if is_float(source):
            return near.astype(source)
        info = np.iinfo(source)
        inside = near[(near >= info.min) & (near < info.max)]
        whole = np.floor(inside).astype(source)
        found = [whole, whole + source.type(1)]
        for digits in (form.precision, form.precision + 1) if form else ():  # numbers of the format, and midpoints
            found += _with_odd_digits(rng, source, digits, count)
        return np.concatenate(found)


def _with_odd_digits(rng: np.random.Generator, source: np.dtype, digits: int, count: int) -> list[np.ndarray]:
    """Return integers of ``digits`` binary digits, the last of them 1, followed by zeros, with both neighbours."""
    spare = 8 * source.itemsize - (source.kind == "i") - digits
    if spare < 0:
        return []
    odd = rng.integers(1 << digits - 1, 1 << digits, count, np.uint64) | np.uint64(1)
    middle = (odd << rng.integers(0, spare + 1, count).astype(np.uint64)).astype(source)
    one = source.type(1)
    sides = [middle - one, middle, middle + one]
    return sides if source.kind == "u" else [*sides, *(np.negative(side) for side in sides)]


def _of_format(rng: np.random.Generator, form: Format, count: int) -> NDArray[np.float64]:
    """Return numbers of ``form`` and midpoints between them, all over its range and among its subnormal numbers."""
    codes = rng.integers(0, int(form.bits(form.largest)), count, np.uint64)
    subnormal = rng.integers(0, int(form.bits(form.smallest_normal)), count // 4, np.uint64)
    codes = np.concatenate([codes, subnormal])  # few codes of float and double are subnormal numbers
    ends = [form.largest, form.smallest_normal, form.smallest_subnormal, 0.0, 1.0]
    below = np.concatenate([form.from_bits(codes.astype(form.bits_dtype)), np.array(ends, form.dtype)])
    wide = below.astype(np.float64)
    with np.errstate(all="ignore"):
        above = np.nextafter(below, form.dtype.type(np.inf)).astype(np.float64)
        beyond = wide + (wide - np.nextafter(below, form.dtype.type(0)).astype(np.float64)) / 2.0
        middle = np.where(np.isfinite(above), wide + (above - wide) / 2.0, beyond)
    points = np.concatenate([wide, middle])
    return np.concatenate([points, -points])


def _of_integers(dtype: np.dtype) -> NDArray[np.float64]:
    """Return integers and half-integers, small or near the ends of an integer type."""
    info = np.iinfo(dtype)
    centres: Sequence[float] = (0.0, float(info.min), float(info.max), 2.0**23, 2.0**52)
    offsets = np.arange(-6, 7) / 2.0
    points: NDArray[np.float64] = np.add.outer(np.array(centres), offsets).reshape(-1)
    return points
