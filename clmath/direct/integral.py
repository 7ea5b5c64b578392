"""The integral values beside a number, and what it exceeds them by."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.direct import lane_exact as lanes
from clmath.direct import operators
from clmath.numbers.errorfree import widen

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["ceil", "floor", "fract", "modf", "rint", "round", "trunc"]

Block: TypeAlias = "np.ndarray"
Result: TypeAlias = "tuple[np.ndarray]"
Results: TypeAlias = "tuple[np.ndarray, np.ndarray]"


def ceil(form: Format, mode: Rounding, x: Block) -> Result:  # noqa: ARG001 - nothing is rounded to the format
    """The least integer not below x; -0 for -1 < x < 0."""
    return (_whole(form, lanes.ceil, x),)


def floor(form: Format, mode: Rounding, x: Block) -> Result:  # noqa: ARG001
    """The greatest integer not above x."""
    return (_whole(form, lanes.floor, x),)


def trunc(form: Format, mode: Rounding, x: Block) -> Result:  # noqa: ARG001
    """The integer x is without its fraction; -0 for -1 < x < 0."""
    return (_whole(form, lanes.trunc, x),)


def rint(form: Format, mode: Rounding, x: Block) -> Result:  # noqa: ARG001
    """The nearest integer, the even one of two, in every mode; -0 for -0.5 <= x < 0."""
    return (_whole(form, lanes.rint, x),)


def round(form: Format, mode: Rounding, x: Block) -> Result:  # noqa: ARG001
    """The nearest integer, the one farther from zero of two; -0 for -0.5 < x < 0."""
    return (_whole(form, lanes.round, x),)


def fract(form: Format, mode: Rounding, x: Block) -> Results:
    """The fraction x - floor(x), rounded but below 1, and floor(x).

    The fraction of -0 and -inf is -0, of every other integer and +inf +0. Where it would round to 1, it is the largest
    number below. Source: OpenCL C++ 1.0, 3.19.6 and 4.5.1.
    """
    whole = floor(form, mode, x)[0]
    fraction = operators.sub(form, mode, x, whole)[0]
    below_one = form.dtype.type(1.0 - form.eps / 2.0)
    fraction = np.where(fraction > below_one, below_one, fraction)
    signed = np.isinf(x) | (x == 0.0)
    zero = np.copysign(form.dtype.type(0.0), np.where(signed, x, form.dtype.type(0.0)))
    return np.where(x == whole, zero, fraction), whole


def modf(form: Format, mode: Rounding, x: Block) -> Results:  # noqa: ARG001
    """Fraction and integral part, both with x's sign: ±0 and ±inf for ±inf. Source: OpenCL C++ 1.0, 4.5.2."""
    fraction, whole = lanes.modf(widen(x) if form.is_short else x)
    return fraction.astype(form.dtype, copy=False), whole.astype(form.dtype, copy=False)


def _whole(form: Format, function: Callable[[Any], Any], x: Block) -> Block:
    """``function`` of x; in double for short formats, whose arithmetic NumPy does one lane at a time."""
    whole: Block = function(widen(x)).astype(form.dtype) if form.is_short else function(x)
    return whole
