"""Inputs of built-ins of which every bit counts: special values, powers of two, the ends of types, random bits."""

from __future__ import annotations

import re
import zlib
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.special import specials
from clmath.numbers.datatypes import SCALARS, DataType, type_named
from clmath.numbers.formats import Format, format_of
from clmath.spec.builtins import EXACT, Builtin, builtins
from clmath.testing.strategies.entropy import Bits
from clmath.testing.strategies.exact import exact_call, signatures

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

__all__ = ["CONVERSION", "any_of", "conversion_columns", "declared_columns", "types_of"]

Columns: TypeAlias = "tuple[NDArray[Any], ...]"

BYTES = 24  # of which a value is made
COUNT = 1 << 12  # random calls, or operands
CONVERSION = re.compile(r"(?:convert|as)_(?P<type>[a-z]+\d*)(?P<sat>_sat)?(?:_(?P<mode>rt[eznp]))?")


def types_of(call: str, name: str) -> tuple[str, ...]:
    """The types that gentype, or the operand of a conversion, may have."""
    row = builtins(*EXACT).get(name)
    if row is not None:
        return row.types
    match = CONVERSION.fullmatch(name)
    if match is None:
        raise errors.UnknownNameError(
            f"{call}: no inputs of {name!r} are known; draw them with clmath.testing.strategies and use assert_conforms"
        )
    if name.startswith("convert"):
        return tuple(SCALARS)
    size = type_named(call, match["type"]).dtype.itemsize
    return tuple(t for t, dtype in SCALARS.items() if dtype.itemsize == size and dtype.kind != "b")


def declared_columns(row: Builtin, type: str, width: int) -> Columns:
    """Calls of a built-in of the integer or relational chapter, as strategies draw them; ``width``: lanes, else 0."""
    rng = np.random.default_rng([zlib.crc32(f"{row.name} {type}".encode()), width])
    count = width or 1
    dtypes = signatures(row, type)[0]
    made = exact_call(row, dtypes, count, None)
    calls = [made(Bits(rng.bytes(BYTES * len(dtypes) * count))) for _ in range(COUNT)]
    columns = [np.array(column) for column in zip(*calls, strict=True)]
    lanes = [columns[i * count : (i + 1) * count] for i in range(len(dtypes))]
    vectors = [width > 0 and p.type != "word" for p in row.inputs]
    return tuple(np.stack(c, axis=-1) if v else c[0] for c, v in zip(lanes, vectors, strict=True))


def conversion_columns(name: str, type: str) -> Columns:
    """Operands of a conversion from ``type``: numbers around those where the result changes, and any others."""
    match = CONVERSION.fullmatch(name)
    assert match is not None  # as types_of has found
    target = type_named(name, match["type"])
    rng = np.random.default_rng(zlib.crc32(f"{name} {type}".encode()))
    source = SCALARS[type]
    values = np.concatenate([_pool(source), _around_boundaries(rng, source, target), any_of(rng, source, COUNT)])
    if target.lanes == 1:
        return (values,)
    return (np.resize(rng.permutation(values), (len(values), target.lanes)),)


def any_of(rng: np.random.Generator, dtype: np.dtype[Any], count: int) -> NDArray[Any]:
    """Random bits; of an integer type half of them of a random length, since most would be long otherwise."""
    if dtype.kind == "b":
        return rng.random(count) < 0.5
    drawn = rng.integers(0, 256, count * dtype.itemsize, np.uint8).view(dtype)
    if dtype.kind == "f":
        return drawn
    return np.where(rng.random(count) < 0.5, drawn, drawn >> rng.integers(0, 8 * dtype.itemsize, count).astype(dtype))


def _pool(dtype: np.dtype[Any]) -> NDArray[Any]:
    """Special values of a type."""
    form = format_of(dtype)
    if form is not None:
        return specials(form, short=False).astype(dtype)
    if dtype.kind == "b":
        return np.array([False, True])
    info = np.iinfo(dtype)
    powers = [s * 2**e + d for e in range(8 * dtype.itemsize) for d in (-1, 0, 1) for s in (1, -1)]
    known = {v for v in (*powers, info.min, info.min + 1, info.max - 1, info.max, 0) if info.min <= v <= info.max}
    return np.array(sorted(known, key=abs), dtype)


def _around_boundaries(rng: np.random.Generator, source: np.dtype[Any], target: DataType) -> NDArray[Any]:
    """Numbers of ``source`` at, and next to, numbers of the target and the midpoints between them."""
    if source.kind == "b" or target.dtype.kind == "b":
        return _pool(source)
    points = _of_format(rng, target.form) if target.form else _of_integers(target.dtype)
    nudges = np.array([0.0, *(s * 2.0**-e for e in (12, 23, 24, 30, 40, 52) for s in (1, -1))])
    with np.errstate(all="ignore"):
        near = (points[:, np.newaxis] * (1.0 + nudges)).reshape(-1)
        if source.kind == "f":
            return near.astype(source)
        info = np.iinfo(source)
        inside = near[(near >= info.min) & (near < info.max)]
        whole = np.floor(inside).astype(source)
        return np.concatenate([whole, whole + whole.dtype.type(1)])


def _of_format(rng: np.random.Generator, form: Format) -> NDArray[np.float64]:
    """Numbers of ``form`` and midpoints, all over its range; the largest and the smallest among them."""
    codes = rng.integers(0, int(form.bits(form.largest)), 1000, np.uint64)
    ends = [form.largest, form.smallest_normal, form.smallest_subnormal, 1.0]
    below = np.concatenate([form.from_bits(codes.astype(form.bits_dtype)), np.array(ends, form.dtype)])
    with np.errstate(all="ignore"):
        above = np.nextafter(below, form.dtype.type(np.inf)).astype(np.float64)
    wide = below.astype(np.float64)
    beyond = wide + (wide - np.nextafter(below, form.dtype.type(0)).astype(np.float64)) / 2.0
    middle = np.where(np.isfinite(above), wide + (above - wide) / 2.0, beyond)
    points = np.concatenate([wide, middle])
    return np.concatenate([points, -points])


def _of_integers(dtype: np.dtype[Any]) -> NDArray[np.float64]:
    """Integers and halves, small ones and those at the ends of a type."""
    info = np.iinfo(dtype)
    centres: Sequence[float] = (0.0, float(info.min), float(info.max), 2.0**23, 2.0**52)
    offsets = np.arange(-6, 7) / 2.0
    points: NDArray[np.float64] = np.add.outer(np.array(centres), offsets).reshape(-1)
    return points
