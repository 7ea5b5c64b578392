"""Sign, exponent and mantissa of a number, and its neighbours."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.direct import encodings
from clmath.direct import lane_arithmetic as arithmetic
from clmath.direct import lane_exact as lanes
from clmath.numbers.errorfree import widen
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import narrow, round_sum

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = [
    "copysign",
    "fabs",
    "frexp",
    "ilogb",
    "ldexp",
    "logb",
    "nan",
    "nextafter",
]

Block: TypeAlias = "np.ndarray"
Result: TypeAlias = "tuple[np.ndarray]"


def fabs(form: Format, mode: Rounding, x: Block) -> Result:  # noqa: ARG001 - nothing is rounded
    """The magnitude of x: the sign bit cleared, that of NaN too."""
    return (form.from_bits(encodings.magnitude(form.bits(x))),)


def copysign(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001
    """The magnitude of x with the sign bit of y, NaN too."""
    return (form.from_bits(encodings.with_sign(form.bits(x), form.bits(y))),)


def nan(form: Format, mode: Rounding, nancode: np.ndarray) -> Result:  # noqa: ARG001
    """The quiet NaN whose significand ends in the low bits of ``nancode``, as many as there are below the quiet bit."""
    return (form.from_bits(encodings.nan(form)(nancode.astype(form.bits_dtype))),)


def nextafter(form: Format, mode: Rounding, x: Block, y: Block) -> Result:  # noqa: ARG001
    """The number next to x in the direction of y; y where they are equal; NaN where either is."""
    signed = f"i{form.dtype.itemsize}"
    step = np.where((y > x) == (x > 0.0), 1, -1).astype(signed)
    result = (x.view(signed) + step).view(form.dtype)
    result = np.where(x == 0.0, np.copysign(form.from_bits(1), y), result)
    result = np.where(x == y, y, result)
    return (np.where(np.isnan(x) | np.isnan(y), x + y, result),)


def frexp(form: Format, mode: Rounding, x: Block) -> tuple[np.ndarray, NDArray[np.int32]]:  # noqa: ARG001
    """Mantissa m in [1/2, 1) and exponent e, x = m 2^e; zeros, infinities and NaN come back with exponent 0."""
    number = widen(x)
    part = lanes.frexp(number).astype(form.dtype, copy=False)  # exactly
    return part, lanes.frexp_exponent(number).astype(np.int32)


def ilogb(form: Format, mode: Rounding, x: Block) -> tuple[NDArray[np.int32]]:  # noqa: ARG001
    """floor(log2 |x|); INT_MIN (FP_ILOGB0) for zeros, INT_MAX (also FP_ILOGBNAN) for infinities and NaN."""
    return (lanes.ilogb(widen(x)).astype(np.int32),)


def logb(form: Format, mode: Rounding, x: Block) -> Result:  # noqa: ARG001
    """floor(log2 |x|), the nearest of a format too short for it; -inf for zeros, +inf for infinities."""
    return (narrow(lanes.logb(widen(x)), form, "rte"),)


def ldexp(form: Format, mode: Rounding, x: Block, k: np.ndarray) -> Result:
    """The number x 2^k, rounded once where it is subnormal, overflowing as the mode says; any int k."""
    if form is DOUBLE:
        hi, lo, _, exponent = arithmetic.ldexp(x, k)
        return (round_sum(hi, lo, exponent, form, mode),)
    return (narrow(arithmetic.narrow_ldexp(widen(x), k), form, mode),)
