"""Conversions between the twelve scalar types of OpenCL: each value is rounded once, for any two types and any mode."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from clmath.ir.primitives import fast_two_sum, to_odd
from clmath.ir.values import Real
from clmath.numbers import rounding
from clmath.numbers.datatypes import type_name
from clmath.numbers.formats import BFLOAT16, DOUBLE, FLOAT, Format, format_of, is_float
from clmath.numbers.integer_products import to_integer
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.numbers.rounding import Rounding

Block: TypeAlias = "Callable[[np.ndarray], np.ndarray]"


@functools.cache
def conversion(source: np.dtype, target: np.dtype, mode: Rounding, *, sat: bool) -> Block:
    """Return a function that converts a block of numbers of ``source`` to ``target``, any two of the twelve types.

    ``mode`` and ``sat`` are as in ``convert``. A NaN becomes the canonical one of another format, and keeps its bits in
    its own. Call it under ``np.errstate(all="ignore")``.
    """
    native = is_cast(source, target, mode, sat=sat)
    convert: Block = (lambda x: x.astype(target)) if native else _rounding_conversion(source, target, mode)
    form = format_of(target)
    between_formats = form is not None and format_of(source) not in (None, form)
    return _with_canonical_nans(convert, form) if form is not None and between_formats else convert


@functools.cache
def label(source: np.dtype, target: np.dtype, mode: Rounding, *, sat: bool = False) -> str:
    """Return the name of the compiled conversion; conversions from formats to integers always saturate.

    An exact conversion has one name for all modes.
    """
    form = format_of(target)
    way: str = mode
    if target.kind == "b" or (form is not None and is_exact(source, form)):
        way = "rte"
    elif form is None and not is_float(source):
        way = "sat" if sat else "rte"
    return f"convert_{type_name(source)}_{type_name(target)}_{way}"


def is_move(source: np.dtype, target: np.dtype, *, sat: bool) -> bool:
    """Whether the conversion is NumPy's cast, and takes no arithmetic of floating-point numbers."""
    if source == target:
        return True
    of_integers = source.kind in "biu" and target.kind in "biu"
    return of_integers and is_cast(source, target, "rte", sat=sat)


def _with_canonical_nans(convert: Block, form: Format) -> Block:
    """Return ``convert`` with every NaN replaced by the canonical NaN of ``form``."""

    def block(values: np.ndarray) -> np.ndarray:
        result = convert(values)
        rounding.canonical(result, form)
        return result

    return block


def is_cast(source: np.dtype, target: np.dtype, mode: Rounding, *, sat: bool = False) -> bool:
    """Whether NumPy's cast is the conversion: exact, wrapping, a test for zero, or one rounding to nearest even.

    Its casts to half round to nearest even too, but take ten times as long as ours.
    """
    if source.kind == "b" or target.kind == "b":
        return True
    form = format_of(target)
    if form is None:
        return not is_float(source) and (not sat or _holds(target, source))
    return is_exact(source, form) or (mode == "rte" and not form.is_short)


def _holds(target: np.dtype, source: np.dtype) -> bool:
    return bool(np.iinfo(target).min <= np.iinfo(source).min and np.iinfo(source).max <= np.iinfo(target).max)


def is_exact(source: np.dtype, form: Format) -> bool:
    """Whether ``form`` holds all numbers of the type ``source``."""
    known = format_of(source)
    if known is not None:
        return form.holds(known)
    return source.kind == "b" or 8 * source.itemsize <= form.precision


def _rounding_conversion(source: np.dtype, target: np.dtype, mode: Rounding) -> Block:
    form = format_of(target)
    if form is None:
        if is_float(source):
            return lambda x: _float_to_integer(x, target, mode)
        return _clipped(source, target)
    if form is BFLOAT16 and (is_float(source) or source.itemsize < 4):
        return lambda x: _to_bfloat16(x, form, mode)
    if is_float(source):
        return lambda x: rounding.narrow(_as_numpys(x), form, mode)
    if source.itemsize < 8:
        return lambda x: rounding.narrow(x.astype(np.float64), form, mode)
    if form is DOUBLE:
        return lambda x: rounding.directed(*_in_two(x), form, mode)
    return lambda x: rounding.narrow(to_odd(*_in_two(x)), form, mode)


def _clipped(source: np.dtype, target: np.dtype) -> Block:
    """Integers of ``source`` brought into the range of ``target``."""
    own, other = np.iinfo(source), np.iinfo(target)
    lowest = source.type(max(own.min, other.min))
    highest = source.type(min(own.max, other.max))
    return lambda x: np.minimum(np.maximum(x, lowest), highest).astype(target)


def _float_to_integer(values: np.ndarray, target: np.dtype, mode: Rounding) -> np.ndarray:
    """Rounded to an integer, saturated; NaN becomes 0."""
    info = np.iinfo(target)
    found = to_integer(rounding.widen(values), int(info.min), int(info.max), MODE_NUMBERS[mode])
    result: np.ndarray = found.astype(target)
    return result


def _as_numpys(values: np.ndarray) -> np.ndarray:
    """Return numbers in a format that NumPy has; formats of other packages become float, exactly."""
    return values if values.dtype.kind == "f" else values.astype(np.float32)


def _to_bfloat16(values: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """Numbers to a format of another package, which rounds floats to nearest even."""
    floats = _floats_to_odd(values) if values.dtype == DOUBLE.dtype else values.astype(FLOAT.dtype, copy=False)
    nearest: np.ndarray = floats.astype(form.dtype)
    return rounding.directed(nearest, floats - nearest.astype(FLOAT.dtype), form, mode)


def _floats_to_odd(values: np.ndarray) -> np.ndarray:
    """Doubles as floats rounded to odd."""
    floats = rounding.narrow(values, FLOAT, "rtz")
    code = floats.view(np.int32)
    code |= floats != values
    return floats


def _in_two(values: np.ndarray) -> tuple[Real, Real]:
    """64-bit integers as the nearest doubles and the rest, exact: of halves, of which the low one is the smaller."""
    high = (values >> values.dtype.type(32)).view(np.int64).astype(np.float64)
    low = (values & values.dtype.type(0xFFFFFFFF)).view(np.int64).astype(np.float64)
    return fast_two_sum(high * 2.0**32, low)
