"""Inputs of conversions that an audit does not have: conversions of bool, and of vectors."""

from __future__ import annotations

import re
import zlib

import numpy as np

from clmath.audit.inputs.operands import around_boundaries
from clmath.audit.inputs.special import pool
from clmath.audit.inputs.streams import any_values
from clmath.numbers.datatypes import SCALARS, spelled_type
from clmath.numbers.formats import FORMATS, KNOWN

__all__ = ["CONVERSION", "CONVERTED", "conversion_columns", "operand_types"]

CONVERSION = re.compile(r"(?:convert|as)_(?P<type>[a-z]+\d*)(?P<sat>_sat)?(?:_(?P<mode>rt[eznp]))?")
CONVERTED = (*SCALARS, *(form.name for form in KNOWN if form not in FORMATS))  # types that are converted
_COUNT = 1 << 12  # random operands


def operand_types(call: str, name: str) -> tuple[str, ...]:
    """Return the types whose values a conversion takes; a reinterpretation (``as_int``) takes types of one size."""
    match = CONVERSION.fullmatch(name)
    if match is None or name.startswith("convert"):
        return CONVERTED
    size = spelled_type(call, match["type"]).dtype.itemsize
    return tuple(type for type, dtype in SCALARS.items() if dtype.itemsize == size and dtype.kind != "b")


def conversion_columns(name: str, type: str) -> tuple[np.ndarray]:
    """Operands of a conversion from ``type``: numbers around the points where the result changes, and any others."""
    match = CONVERSION.fullmatch(name)
    assert match is not None  # the types of the name are known
    target = spelled_type(name, match["type"])
    rng = np.random.default_rng(zlib.crc32(f"{name} {type}".encode()))
    source = spelled_type(name, type).dtype
    parts = [pool(source), around_boundaries(rng, source, target.dtype, 1000), any_values(rng, source, _COUNT)]
    values = np.concatenate(parts)
    if target.components == 1:
        return (values,)
    return (np.resize(rng.permutation(values), (len(values), target.components)),)
