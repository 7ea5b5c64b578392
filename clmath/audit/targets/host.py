"""Common base of targets in this process: rounding to nearest, subnormal numbers kept, checked results."""

from __future__ import annotations

import math
import sys
from collections.abc import Sequence

import numpy as np

from clmath.audit.plan.rows import item_for
from clmath.audit.protocol.target import TargetError
from clmath.numbers.datatypes import type_name
from clmath.numbers.formats import Format, offered
from clmath.numbers.rounding import Rounding
from clmath.spec.builtins import Builtin, Parameter


class Host:
    """A library that computes with the host's arithmetic."""

    name = "host"

    def formats(self) -> tuple[Format, ...]:
        """Return half, float and double, and formats of other installed packages."""
        return offered()

    def flushes(self, form: Format) -> bool:  # noqa: ARG002 - the protocol's signature
        """Return False: the host keeps subnormals."""
        return False

    def mode(self, form: Format) -> Rounding:  # noqa: ARG002 - the protocol's signature
        """Return 'rte': the host's arithmetic rounds to nearest even."""
        return "rte"

    def build_options(self) -> tuple[str, ...]:
        """Return no options: nothing is compiled."""
        return ()


def checked(
    who: str, row: Builtin, form: Format, args: Sequence[np.ndarray], returned: object
) -> tuple[np.ndarray, ...]:
    """Return ``returned`` as new native arrays, one per result; TargetError names its first fault."""
    values = returned if isinstance(returned, (tuple, list)) else (returned,)
    call = f"{who}: {row.name}({form})"
    if len(values) != len(row.outputs):
        raise TargetError(f"{call} returned {_described(returned)}; {_due(row, form, values)}")
    layout = item_for(row, form, args).layout(len(args[0]))
    return tuple(
        _checked(call, p, dtype, value, shape)
        for p, value, (dtype, shape) in zip(row.outputs, values, layout, strict=True)
    )


def _described(returned: object) -> str:
    """Return words for a returned object that is not one value per result."""
    if not isinstance(returned, (tuple, list)):
        return f"{type(returned).__name__} alone" if returned is not None else "None"
    are_arrays = all(isinstance(value, np.ndarray) for value in returned)
    return f"a {type(returned).__name__} of {len(returned)} {'arrays' if are_arrays else 'values'}"


def _due(row: Builtin, form: Format, values: Sequence[object]) -> str:
    """Return words for the object that the function should have returned."""
    names = ", ".join(p.name for p in row.outputs)
    if len(row.outputs) > 1:
        return f"a tuple of {len(row.outputs)} NumPy arrays is needed: return {names}"
    if any(isinstance(value, np.ndarray) for value in values):
        return f"one NumPy array is needed: return {names} alone"
    return f"a NumPy array is needed: wrap it in np.asarray(..., {form.dtype.name!r})"


def _array_of(call: str, name: str, dtype: np.dtype, value: object) -> np.ndarray:
    """Return ``value`` as an array if it is an array, or a number of NumPy; TargetError otherwise."""
    if isinstance(value, (np.ndarray, np.generic)):
        if "numpy.ma" in sys.modules and np.ma.is_masked(value):  # loading it takes longer than many a call
            fact = f"returned masked values for {name}; a result for every input is needed"
            raise TargetError(f"{call} {fact}: fill them, as with .filled(np.nan)")
        return np.asarray(value)
    fact, remedy = type(value).__name__, "return one"
    if value is None:
        fact, remedy = "None", "has the function a 'return'?"
    elif isinstance(value, (int, float, complex)):
        remedy = "lift a function of single numbers with np.vectorize"
    elif isinstance(value, (list, tuple)) or hasattr(value, "__array__"):
        remedy = f"wrap it in np.asarray(..., {dtype.name!r})"
    raise TargetError(f"{call} returned {fact} for {name}; a NumPy array is needed: {remedy}")


def _checked(call: str, result: Parameter, dtype: np.dtype, value: object, shape: tuple[int, ...]) -> np.ndarray:
    name, integer = result.name, dtype.kind in "iu"
    array = _array_of(call, name, dtype, value)
    if array.shape != shape:
        remedy = ": reshape it so" if array.size == math.prod(shape) else ""
        remedy = ": lift a function of single numbers with np.vectorize" if array.shape == () else remedy
        fact = f"shape {array.shape} for {name}; {shape} is needed, one component per input"
        raise TargetError(f"{call} returned {fact}{remedy}")
    if result.type == "booln" and array.dtype == np.bool_:
        return (-array.astype(np.int8) if len(shape) > 1 else array).astype(dtype)  # true: all bits set
    if integer and array.dtype.kind in "iu":
        return _integers(call, name, array, dtype)
    if dtype.kind == array.dtype.kind == "S":
        return array.astype(dtype)
    if integer or array.dtype.newbyteorder("=") != dtype:
        remedy = f": end with .astype({dtype.name!r})" if array.dtype.kind in "fiubO" else ""
        raise TargetError(f"{call} returned dtype {array.dtype} for {name}; {dtype} is needed{remedy}")
    return array.astype(dtype)


def _integers(call: str, name: str, array: np.ndarray, dtype: np.dtype) -> np.ndarray:
    """Return integers in the result's type, from any integer type if their values fit."""
    info = np.iinfo(dtype)
    if array.size and (int(array.min()) < info.min or int(array.max()) > info.max):
        fact = f"that no {type_name(dtype)} holds; keep them in {info.min} .. {info.max}"
        raise TargetError(f"{call} returned integers for {name} {fact}")
    return array.astype(dtype)
