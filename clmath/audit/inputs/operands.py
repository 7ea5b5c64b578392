"""Inputs of rows that are judged bit by bit: special values, powers of two, the ends of types, random bits."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clmath.audit.inputs import channels, decimals, grouped, sampled
from clmath.audit.inputs.layout import Columns, dtypes, is_exhaustive, without_repetition
from clmath.audit.inputs.special import PLAIN, combined, next_to_one_another, pool, single
from clmath.audit.inputs.streams import any_values, exponents
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.types import TYPES
from clmath.numbers.formats import Format, format_of, is_float
from clmath.reference.bitwise.operators import is_no_quotient
from clmath.spec.builtins import DIVIDED
from clmath.spec.families import is_sampled, widens


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
        return fitting(item, _all(item))
    if item.builtin.chapter == "groups":
        return grouped.structured(item)
    rng = np.random.default_rng(len(types))
    if widens(item.builtin):
        return fitting(item, _of_scalar_and_vector(item))
    if len(types) == 1:
        return (_special(rng, item, types[0]),)
    if item.width > 1 and len(item.arguments) == 1:
        return tuple(np.ascontiguousarray(column) for column in _special_vectors(rng, item, types[0]).T)
    return fitting(item, combined(rng, types))


def _special(rng: np.random.Generator, item: ExactItem, dtype: np.dtype) -> np.ndarray:
    """Return special values, and numbers at which results change, each once."""
    form = format_of(dtype)
    listed = pool(dtype) if form is None or item.width else single(form, (-form.largest, form.largest))
    if channels.is_written(item):
        around = channels.structured(item)
    elif item.builtin.chapter == "images" and dtype.kind in "iu" and dtype.itemsize < 4:
        around = channels.codes(item)
    else:
        around = _around(rng, item)
    return without_repetition((np.concatenate([listed, around]),))[0]


def _all(item: ExactItem) -> Columns:
    """Return all calls that exist."""
    codes, columns = np.arange(1 << item.size, dtype=np.uint32), []
    for form in reversed([TYPES[kind] for kind in item.columns]):
        columns.append((codes & np.uint32((1 << form.width) - 1)).astype(form.bits_dtype).view(form.dtype))
        codes = codes >> np.uint32(form.width)
    return tuple(reversed(columns))


def _in_all_formats(item: ExactItem) -> Columns:
    """Return special values, and numbers to print, in each format of a row; components of a vector differ."""
    *values, number = dtypes(item)
    formats = np.arange(len(item.builtin.printed), dtype=number)
    columns = [np.roll(decimals.numbers(pool(dtype)), -7 * k) for k, dtype in enumerate(values)]
    count = max((len(column) for column in columns), default=1)
    return (*(np.tile(np.resize(column, count), len(formats)) for column in columns), np.repeat(formats, count))


def _of_scalar_and_vector(item: ExactItem) -> Columns:
    """Return calls with each special value as the scalar, and all special values in vectors."""
    is_first = item.components_of(item.builtin.inputs[0].type) == 1
    values, rows = pool(dtypes(item)[0 if is_first else -1]), _in_rows(pool(item.form.dtype), item.width)
    scalar, vectors = np.repeat(values, len(rows)), np.tile(rows, (len(values), 1))
    components = [np.ascontiguousarray(column) for column in vectors.T]
    return (scalar, *components) if is_first else (*components, scalar)


def _in_rows(values: np.ndarray, width: int) -> np.ndarray:
    """Put values into vectors one after the other; the last vector is filled up with the first values."""
    return np.resize(values, (-(-len(values) // width), width))


def _special_vectors(rng: np.random.Generator, item: ExactItem, dtype: np.dtype) -> np.ndarray:
    """Return vectors of special values, each value in every component, and vectors with one component unlike others."""
    plain, apart = pool(dtype)[: len(PLAIN)], np.eye(item.width, dtype=np.bool_)
    unlike = np.where(apart, plain[:, np.newaxis, np.newaxis], plain[:, np.newaxis, np.newaxis, np.newaxis])
    turns = [_in_rows(np.roll(pool(dtype), k), item.width) for k in range(item.width)]
    return np.concatenate([_in_rows(_special(rng, item, dtype), item.width), unlike.reshape(-1, item.width), *turns])


def random_columns(item: ExactItem, rng: np.random.Generator, n: int) -> Columns:
    """Return ``n`` random calls; one argument in four equals one before it, or is its opposite, or next to it."""
    if is_sampled(item.builtin):
        return sampled.generated(item, rng, n)
    if item.builtin.chapter == "groups":
        return grouped.random_columns(item, rng, n)
    columns: list[np.ndarray] = []
    near = _around(rng, item, n) if len(item.arguments) == 1 and not item.builtin.printed else None
    for dtype in dtypes(item):
        fresh = any_values(rng, dtype, n)
        if item.builtin.printed:
            fresh = np.where(rng.random(n) < 0.5, fresh, decimals.generated(rng, dtype, n))
        if near is not None:
            fresh = np.where(rng.random(n) < 0.5, fresh, rng.choice(near, n))
        earlier = next((c for c in reversed(columns) if c.dtype == dtype), None)
        if earlier is not None:
            choices = next_to_one_another(earlier)
            beside = np.choose(rng.integers(0, len(choices), n), choices)
            fresh = np.where(rng.random(n) < 0.25, beside, fresh)
        columns.append(fresh)
    return fitting(item, tuple(columns))


def fitting(item: ExactItem, columns: Columns) -> Columns:
    """Return the calls, changed if they are undefined or may end a device's program.

    No integer is divided by 0, nor by -1 if the quotient overflows, on which processors trap. Offset and count of a bit
    field stay within the type, and the number of a format is one that the row has.
    """
    if item.builtin.unspecified == DIVIDED:
        return _divisible(item, columns)
    if item.builtin.printed:
        return (*columns[:-1], columns[-1] % columns[-1].dtype.type(len(item.builtin.printed)))
    fields = [i for i, p in enumerate(item.builtin.inputs) if p.name in ("offset", "count") and p.type == "uint"]
    if not fields:
        return columns
    found, width, (offset, count) = list(columns), np.uint32(item.form.width), fields
    found[offset] = found[offset] % (width + np.uint32(1))
    found[count] = found[count] % (width - found[offset] + np.uint32(1))
    return tuple(found)


def _divisible(item: ExactItem, columns: Columns) -> Columns:
    """Return the calls with 1 in place of each divisor for which a quotient is undefined."""
    first = item.components_of(item.builtin.inputs[0].type)
    above, dtype, one = columns[:first], item.result.dtype, columns[0].dtype.type(1)
    found = list(above)
    for y in columns[first:]:
        undefined = [is_no_quotient(x.astype(dtype), y.astype(dtype)) for x in above]
        found.append(np.where(np.logical_or.reduce(undefined), one, y))
    return tuple(found)


# -- numbers at which the result of a conversion changes ---------------------------------------------------------------


def _around(rng: np.random.Generator, item: ExactItem, count: int = 200) -> np.ndarray:
    """Return numbers at which the result of a row of one argument changes."""
    if channels.is_written(item):
        return channels.generated(rng, item, count)
    return around_boundaries(rng, TYPES[item.columns[0]].dtype, item.result.dtype, min(count, 2000))


def around_boundaries(rng: np.random.Generator, source: np.dtype, target: np.dtype, count: int = 200) -> np.ndarray:
    """Return numbers of ``source`` at and next to ``count`` numbers of ``target``, and at midpoints between these."""
    if source.kind == "b" or target.kind == "b":
        return pool(source)
    form = format_of(target)
    nudges = np.array([0.0, *(s * 2.0**-e for e in (12, 23, 24, 30, 40, 52) for s in (1, -1))])
    with np.errstate(all="ignore"):
        points = _of_format(rng, form, count) if form else _of_integers(rng, target, count)
        near = np.outer(points, 1.0 + nudges).ravel()
        if is_float(source):
            return near.astype(source)
        info = np.iinfo(source)
        whole = np.floor(near[(near >= info.min) & (near < info.max)]).astype(source)
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
    middle, one = (odd << rng.integers(0, spare + 1, count).astype(np.uint64)).astype(source), source.type(1)
    sides = [middle - one, middle, middle + one]
    return sides if source.kind == "u" else [*sides, *map(np.negative, sides)]


def _of_format(rng: np.random.Generator, form: Format, count: int) -> NDArray[np.float64]:
    """Return numbers of ``form`` and midpoints between them, all over its range and among its subnormal numbers."""
    ends = [form.largest, form.smallest_normal, form.smallest_subnormal, 0.0, 1.0]
    codes = [rng.integers(0, int(form.bits(form.largest)), count, np.uint64)]
    codes += [rng.integers(0, int(form.bits(form.smallest_normal)), count // 4, np.uint64)]  # few codes are subnormal
    numbers = np.append(form.from_bits(np.concatenate(codes).astype(form.bits_dtype)).astype(np.float64), ends)
    halves = np.ldexp(0.5, np.maximum(exponents(numbers), form.emin) - form.precision + 1)
    return np.concatenate([numbers, numbers + halves, -numbers, -numbers - halves])


def _of_integers(rng: np.random.Generator, dtype: np.dtype, count: int) -> NDArray[np.float64]:
    """Return integers and half-integers: small ones, some near the ends of an integer type, and random ones."""
    least, most = float(np.iinfo(dtype).min), float(np.iinfo(dtype).max)
    points = np.add.outer([0.0, least, most, 2.0**23, 2.0**52], np.arange(-6, 7) / 2.0).ravel()
    return np.append(points, np.rint(rng.uniform(2.0 * least, 2.0 * most, count)) / 2.0)
