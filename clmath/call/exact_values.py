"""Results measured against exact values that the caller knows."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.call.host import on_host
from clmath.call.measured import as_results
from clmath.numbers.formats import DOUBLE, Format, format_of
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import Enclosure, ulp_error, ulp_errors

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = ["errors_from"]


def errors_from(call: str, actual: object, exact: object) -> NDArray[np.float64]:
    """Return signed errors in ulp of ``actual`` against the ``exact`` values, which broadcast to its shape."""
    refuse_altered_arithmetic(call)
    (found,) = as_results(call, actual if not isinstance(actual, tuple) else list(actual))
    form = _format_of_results(call, found)
    values = np.asarray(on_host(call, "exact", exact))
    try:
        values = np.broadcast_to(values, found.shape)
    except ValueError:
        raise errors.no_shape(call, ("actual", "exact"), (found.shape, values.shape)) from None
    native = found.astype(form.dtype)
    if values.dtype.kind == "f" and values.dtype.itemsize <= DOUBLE.dtype.itemsize:
        return np.asarray(ulp_errors(native, Enclosure.of(values.astype(np.float64)), form))
    if values.dtype.kind == "c":
        fact = f"exact has dtype {values.dtype}; real numbers are needed"
        raise errors.DTypeError(f"{call}: {fact}: measure real and imaginary parts one by one")
    pairs = zip(native.flat, values.flat, strict=True)
    try:
        each = [ulp_error(a, _plain(e), form) for a, e in pairs]
    except (TypeError, AttributeError, ValueError) as error:
        raise errors.DTypeError(
            f"{call}: exact holds an object that is not a real number ({error}); give numbers"
        ) from error
    return np.array(each, np.float64).reshape(found.shape)


def _format_of_results(call: str, found: np.ndarray) -> Format:
    """Return the format of results; DTypeError if they are not half, float, double or bfloat16."""
    form = format_of(found.dtype)
    if form is None:
        raise errors.wrong_dtype(
            call, "actual", found.dtype, "half, float, double or bfloat16", "give results in one of these formats"
        )
    return form


def _plain(value: object) -> object:
    """Return an integer of NumPy as a Python int."""
    return int(value) if isinstance(value, np.integer) else value
