"""Operators of expressions on Python's numbers, which hold those of every type: ``expressions`` has those of arrays."""

from __future__ import annotations

import operator
from types import MappingProxyType
from typing import TYPE_CHECKING, TypeAlias

from clmath.direct.converted_numbers import wrapped

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np

    from clmath.callables import AnyFunction

__all__ = ["OPERATORS", "TESTS", "OnNumbers"]

OnNumbers: TypeAlias = "AnyFunction"
"""Numbers of the operands' types in, the result out."""

Made: TypeAlias = "Callable[[np.dtype], OnNumbers]"
"""Makes the function for a type of the result, which is that of the operands."""


def _modulo(exact: OnNumbers) -> Made:
    """``exact``, of integers modulo 2^n."""

    def made(dtype: np.dtype) -> OnNumbers:
        if dtype.kind == "f":
            return exact
        wrap = wrapped(dtype)
        return lambda *numbers: wrap(exact(*numbers))

    return made


def _quotient(x: int, y: int) -> int:
    """Toward zero; all bits set where y = 0."""
    if y == 0:
        return -1
    return abs(x) // abs(y) if (x < 0) == (y < 0) else -(abs(x) // abs(y))


def _remainder(x: int, y: int) -> int:
    return x - y * _quotient(x, y) if y else x


def _shifted(shift: OnNumbers) -> Made:
    """``shift`` by the low bits of the count."""

    def made(dtype: np.dtype) -> OnNumbers:
        wrap, low = wrapped(dtype), 8 * dtype.itemsize - 1
        return lambda x, count: wrap(shift(x, count & low))

    return made


def _whatever(function: OnNumbers) -> Made:
    """``function``, whose results every type holds that its operands have."""
    return lambda _: function


OPERATORS: Mapping[str, Made] = MappingProxyType(
    {
        "add": _modulo(operator.add),
        "sub": _modulo(operator.sub),
        "mul": _modulo(operator.mul),
        "div": _modulo(_quotient),
        "rem": _whatever(_remainder),
        "positive": _whatever(operator.pos),
        "negative": _modulo(operator.neg),
        "bitwise_not": _modulo(operator.invert),
        "bitwise_and": _whatever(operator.and_),
        "bitwise_or": _whatever(operator.or_),
        "bitwise_xor": _whatever(operator.xor),
        "left_shift": _shifted(operator.lshift),
        "right_shift": _shifted(operator.rshift),
        "conditional": _whatever(lambda c, x, y: x if c != 0 else y),
    }
)
"""Of integers, by name."""

TESTS: Mapping[str, OnNumbers] = MappingProxyType(
    {
        "equal": operator.eq,
        "not_equal": operator.ne,
        "less": operator.lt,
        "less_equal": operator.le,
        "greater": operator.gt,
        "greater_equal": operator.ge,
        "logical_and": lambda x, y: x != 0 and y != 0,
        "logical_or": lambda x, y: x != 0 or y != 0,
        "logical_not": lambda x: x == 0,
    }
)
"""Of integers and floating-point numbers."""
