"""The operators on integers by exact arithmetic, comparisons and logic on numbers of all types."""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType

import numpy as np

from clmath.numbers.formats import format_of
from clmath.reference.bitwise.encodings import Bools, Codes, decoded, encoded, is_zero, width
from clmath.reference.bitwise.relational import TESTS
from clmath.reference.bitwise.rounding import of_integers
from clmath.reference.bitwise.wide import ExactIntegers, wide, wrapped

ARITHMETIC: Mapping[str, Callable[..., ExactIntegers]] = MappingProxyType(
    {"add": operator.add, "sub": operator.sub, "mul": operator.mul, "negative": operator.neg}
)
"""Operators on exact integers."""

BITWISE: Mapping[str, Callable[..., Codes]] = MappingProxyType(
    {"bitwise_and": np.bitwise_and, "bitwise_or": np.bitwise_or, "bitwise_xor": np.bitwise_xor}
)
"""Operators on encodings."""

SHIFTS = ("left_shift", "right_shift")

_COMPARISONS = ("equal", "not_equal", "less", "less_equal", "greater", "greater_equal")
COMPARED: Mapping[str, Callable[..., Bools]] = MappingProxyType(
    {
        **{name: TESTS[f"is{name.replace('_', '')}"] for name in _COMPARISONS},
        "logical_and": lambda x, y: ~is_zero(x) & ~is_zero(y),
        "logical_or": lambda x, y: ~is_zero(x) | ~is_zero(y),
        "logical_not": is_zero,
    }
)
"""Where they hold, of numbers of one type of any kind."""


def exact(name: str, *args: np.ndarray) -> ExactIntegers:
    """Sums, differences, products and opposites of integers of one type."""
    return ARITHMETIC[name](*wide(2 if name == "mul" else 1, *args))


def divided(x: np.ndarray, y: np.ndarray) -> tuple[Codes, Codes, Bools]:
    """Sizes of the quotient toward zero and of the remainder where ``y`` is not 0; where the quotient is negative."""
    dividend, divisor = of_integers(x), of_integers(y)
    size, rest = np.divmod(dividend.size, np.maximum(divisor.size, 1))
    return size, rest, dividend.minus != divisor.minus


def quotient(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The quotient toward zero, modulo 2^n; all bits set where it is divided by 0."""
    size, _, minus = divided(x, y)
    return np.where(y == 0, decoded(~np.zeros_like(size), x.dtype), decoded(_with_sign(size, minus), x.dtype))


def remainder(x: np.ndarray, y: np.ndarray) -> np.ndarray:
    """The remainder of the quotient toward zero; ``x`` where it is divided by 0."""
    _, rest, _ = divided(x, y)
    return np.where(y == 0, x, decoded(_with_sign(rest, x < 0), x.dtype))


def is_no_quotient(x: np.ndarray, y: np.ndarray) -> Bools:
    """Where the divisor is 0, or the quotient is beyond the type."""
    size, _, minus = divided(x, y)
    return np.asarray((y == 0) | (~minus & (size > np.uint64(np.iinfo(x.dtype).max))))


def _with_sign(size: Codes, minus: Bools) -> Codes:
    return np.where(minus, ~size + np.uint64(1), size)


def applied(name: str, dtype: np.dtype, *args: np.ndarray) -> np.ndarray:
    """The result of an operator other than a test, in the type to which arguments are converted first."""
    x, *others = args
    if format_of(dtype) is not None:
        return _of_floats(name, x)
    if name in SHIFTS:
        return _shifted(name, x.astype(dtype), others[0])
    if name in ("positive", "bitwise_not"):
        return decoded(encoded(x.astype(dtype)) if name == "positive" else ~encoded(x.astype(dtype)), dtype)
    if name in BITWISE:
        return decoded(BITWISE[name](*(encoded(v.astype(dtype)) for v in args)), dtype)
    args = tuple(v.astype(dtype) for v in args)
    return DIVIDED[name](*args) if name in DIVIDED else wrapped(exact(name, *args), dtype)


DIVIDED: Mapping[str, Callable[..., np.ndarray]] = MappingProxyType({"div": quotient, "rem": remainder})


def _of_floats(name: str, x: np.ndarray) -> np.ndarray:
    """The number itself, or the number with the opposite sign bit, NaN included."""
    sign = np.uint64(1 << width(x.dtype) - 1)
    return decoded(encoded(x) ^ sign if name == "negative" else encoded(x), x.dtype)


def _shifted(name: str, x: np.ndarray, count: np.ndarray) -> np.ndarray:
    """``x`` times or over 2^count, rounded down and modulo 2^n; the count is taken modulo the width n."""
    places = encoded(count) % np.uint64(width(x.dtype))
    if name == "left_shift":
        return decoded(encoded(x) << places, x.dtype)
    shifted: np.ndarray = x >> places.astype(x.dtype)
    return shifted
