"""Inputs of conversions that an audit does not have: conversions of bool, and of vectors."""

from __future__ import annotations

import functools
import zlib
from typing import TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.inputs.draws import any_values
from clmath.audit.inputs.operands import around_boundaries
from clmath.audit.inputs.special import pool
from clmath.numbers.datatypes import SCALARS, spelled_type
from clmath.spec.builtins import builtins
from clmath.spec.families import by_bits, exact_builtin, exact_builtins
from clmath.spec.synonyms import unknown_builtin
from clmath.spec.unaudited import no_row, without_rows
from clmath.testing.strategies.operands import CONVERSION, CONVERTED

__all__ = ["CONVERSION", "conversion_columns", "exact_functions", "types_of"]

Columns: TypeAlias = "tuple[np.ndarray, ...]"

COUNT = 1 << 12  # random operands


def types_of(call: str, name: str) -> tuple[str, ...]:
    """Return the types that gentype, or the operand of a conversion, may have."""
    row = exact_builtin(name)
    match = CONVERSION.fullmatch(name)
    if name in by_bits() and row is not None:
        return row.tested
    if row is not None and row.rule:  # image channels: arguments of reads are floats
        return row.types if "gentype" in [p.type for p in row.inputs] else row.types[-1:]
    if row is not None and row.chapter == "groups" and len(row.inputs) == 1:
        return row.types
    if match is None:
        raise _without_inputs(call, name)
    if name.startswith("convert"):
        return CONVERTED
    size = spelled_type(call, match["type"]).dtype.itemsize
    return tuple(t for t, dtype in SCALARS.items() if dtype.itemsize == size and dtype.kind != "b")


@functools.cache
def exact_functions() -> frozenset[str]:
    """Return the names of clmath's functions whose bits are the expected ones."""
    from clmath.functions import groups, image, memory
    from clmath.spec.aliases import aliases

    return frozenset({*by_bits(), *aliases(), *memory.__all__, *image.__all__, *groups.__all__})


def _without_inputs(call: str, name: str) -> errors.UnknownNameError:
    """Return the error for a ``name`` that is not a built-in, or that has no known inputs."""
    known = {*builtins(), *exact_builtins(), *exact_functions()}
    if name in without_rows():
        return no_row(call, name, tuple(known))
    if name not in known:
        return unknown_builtin(call, name, tuple(known))
    if name in exact_builtins() and exact_builtins()[name].chapter == "constants":
        return errors.UnknownNameError(f"{call}: {name!r} is a macro without arguments; compare with clmath.{name}")
    drawn = "draw them with clmath.testing.strategies and use assert_conforms"
    return errors.UnknownNameError(f"{call}: no inputs of {name!r} are known; {drawn}")


def conversion_columns(name: str, type: str) -> Columns:
    """Operands of a conversion from ``type``: numbers around the points where the result changes, and any others."""
    match = CONVERSION.fullmatch(name)
    assert match is not None  # types_of has checked it
    target = spelled_type(name, match["type"])
    rng = np.random.default_rng(zlib.crc32(f"{name} {type}".encode()))
    source = spelled_type(name, type).dtype
    parts = [pool(source), around_boundaries(rng, source, target.dtype, 1000), any_values(rng, source, COUNT)]
    values = np.concatenate(parts)
    if target.lanes == 1:
        return (values,)
    return (np.resize(rng.permutation(values), (len(values), target.lanes)),)
