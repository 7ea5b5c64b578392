"""Run traced functions on ranges of numbers: compute bounds of the results for all numbers of a range."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.ir.program import Constant, Kind, Operand, Program, Statement, Value
from clmath.ir.values import Real

__all__ = ["Range", "Truth", "given"]

Bools: TypeAlias = "NDArray[np.bool_]"


@dataclass(frozen=True, eq=False)
class Range:
    """Numbers from ``low`` to ``high``, or NaN where it ``may_be_nan``; only NaN where ``low`` is above ``high``."""

    low: Real
    high: Real
    may_be_nan: Bools

    @classmethod
    def of(cls, low: Real, high: Real) -> Range:
        """The range between two ends in any order; an end may be NaN."""
        is_nan = np.isnan(low) | np.isnan(high)
        return cls(
            np.fmin(_number(low, np.inf), _number(high, np.inf)),
            np.fmax(_number(low, -np.inf), _number(high, -np.inf)),
            is_nan,
        )

    @property
    def is_nan(self) -> Bools:
        """Where a range has no number but NaN."""
        return np.asarray(self.low > self.high)


@dataclass(frozen=True, eq=False)
class Truth:
    """A condition on ranges: where it holds for ``all`` numbers of a range, and where it may hold for ``some``."""

    all: Bools
    some: Bools


Known: TypeAlias = "Range | Truth | None"  # None: nothing is known


@np.errstate(all="ignore")
def given(program: Program, inputs: Sequence[Range | Truth]) -> list[Any]:
    """The outputs of ``program`` for ``inputs``: ranges of numbers, truths of conditions; None for integers."""
    like = next(np.zeros(one.low.shape) for one in inputs if isinstance(one, Range))
    values: list[Known] = list(inputs)
    for statement in program.statements:
        values.append(_done(statement, [_operand(o, values, like) for o in statement.operands], like))
    found = [_operand(operand, values, like) for _, operand in program.outputs]
    return [
        _anything(kind, like) if one is None else one for (kind, _), one in zip(program.outputs, found, strict=True)
    ]


def _number(x: Real, other: float) -> Real:
    return np.where(np.isnan(x), other, x)


def _operand(operand: Operand, values: Sequence[Known], like: Real) -> Known:
    """The range or truth of an operand."""
    if isinstance(operand, Value):
        return values[operand.number]
    if not isinstance(operand, Constant) or operand.kind == "long":
        return None
    if operand.kind == "bool":
        return Truth(*[np.full(like.shape, bool(operand.encoding))] * 2)
    number = like + np.int64(operand.encoding).view(np.float64)
    return Range.of(number, number)


def _anything(kind: Kind, like: Real) -> Known:
    """The range or truth of a value that may be anything."""
    if kind == "bool":
        return Truth(np.zeros(like.shape, np.bool_), np.ones(like.shape, np.bool_))
    return Range(like - np.inf, like + np.inf, np.ones(like.shape, np.bool_)) if kind == "double" else None


def _done(statement: Statement, operands: Sequence[Known], like: Real) -> Known:
    """The value of one statement; it may be anything if the operation, or an operand, is not known."""
    kind, operation, names = statement
    is_same = len(names) == 2 and names[0] == names[1] and isinstance(names[0], Value)
    if is_same and (found := _with_itself(operation, operands[0], like)) is not None:
        return found
    if operation not in _OPERATIONS or any(one is None for one in operands):
        return _anything(kind, like)
    return _OPERATIONS[operation](*operands)


def _with_itself(operation: str, one: Known, like: Real) -> Known:
    """The value of an operation on two equal operands; None if nothing special is known."""
    every, never = np.ones(like.shape, np.bool_), np.zeros(like.shape, np.bool_)
    if operation in ("long.eq", "long.ne"):
        return Truth(every, every) if operation == "long.eq" else Truth(never, never)
    if not isinstance(one, Range):
        return None
    equal = Truth(~one.may_be_nan & ~one.is_nan, ~one.is_nan)
    if operation in ("double.eq", "double.ne"):
        return equal if operation == "double.eq" else _not(equal)
    if operation == "double.sub":  # 0 for a finite number, else NaN
        some = (one.low < np.inf) & (one.high > -np.inf) & ~one.is_nan
        infinite = np.isinf(one.low) | np.isinf(one.high)
        return Range(np.where(some, 0.0, np.inf), np.where(some, 0.0, -np.inf), one.may_be_nan | infinite | never)
    return None


def _by_ends(operation: Callable[[Real, Real], Real]) -> Callable[[Range, Range], Range]:
    """A sum, difference or product of ranges, from the ends: rounding keeps the order of numbers."""

    def found(a: Range, b: Range) -> Range:
        ends = np.stack([operation(x, y) for x in (a.low, a.high) for y in (b.low, b.high)])
        unknown, is_nan = np.isnan(ends).any(axis=0), a.is_nan | b.is_nan
        low, high = np.where(unknown, -np.inf, ends.min(axis=0)), np.where(unknown, np.inf, ends.max(axis=0))
        may_be_nan = a.may_be_nan | b.may_be_nan | unknown
        return Range(np.where(is_nan, np.inf, low), np.where(is_nan, -np.inf, high), may_be_nan)

    return found


def _product(a: Range, b: Range) -> Range:
    """A product; zero times infinity is NaN, which products of ends do not show if zero lies between the ends."""
    infinite = [np.isinf(one.low) | np.isinf(one.high) for one in (a, b)]
    zero = [(one.low <= 0.0) & (one.high >= 0.0) for one in (a, b)]
    found = _by_ends(np.multiply)(a, b)
    return Range(found.low, found.high, found.may_be_nan | (infinite[0] & zero[1]) | (infinite[1] & zero[0]))


def _negative(a: Range) -> Range:
    return Range(-a.high, -a.low, a.may_be_nan)


def _size(a: Range) -> Range:
    low, high = np.abs(a.low), np.abs(a.high)
    least = np.where((a.low <= 0.0) & (a.high >= 0.0), 0.0, np.minimum(low, high))
    return Range(np.where(a.is_nan, np.inf, least), np.where(a.is_nan, -np.inf, np.maximum(low, high)), a.may_be_nan)


def _whole(a: Range) -> Range:
    return Range(np.trunc(a.low), np.trunc(a.high), a.may_be_nan)


def _ordered(compare: Callable[[Real, Real], Bools]) -> Callable[[Range, Range], Truth]:
    """Less, or at most: for all numbers if the ends that are next to each other are so."""

    def found(a: Range, b: Range) -> Truth:
        numbers = ~(a.is_nan | b.is_nan)
        return Truth(numbers & ~a.may_be_nan & ~b.may_be_nan & compare(a.high, b.low), numbers & compare(a.low, b.high))

    return found


_less, _at_most = _ordered(np.less), _ordered(np.less_equal)


def _equal(a: Range, b: Range) -> Truth:
    return _and(_at_most(a, b), _at_most(b, a))


def _not(a: Truth) -> Truth:
    return Truth(~a.some, ~a.all)


def _and(a: Truth, b: Truth) -> Truth:
    return Truth(a.all & b.all, a.some & b.some)


def _or(a: Truth, b: Truth) -> Truth:
    return Truth(a.all | b.all, a.some | b.some)


def _chosen(condition: Truth, yes: Range, no: Range) -> Range:
    """The value of ``select``: one of two ranges, or the smallest range that contains both."""
    first, second = condition.some, ~condition.all
    low = np.minimum(np.where(first, yes.low, np.inf), np.where(second, no.low, np.inf))
    high = np.maximum(np.where(first, yes.high, -np.inf), np.where(second, no.high, -np.inf))
    return Range(low, high, (first & yes.may_be_nan) | (second & no.may_be_nan))


_OPERATIONS: Mapping[str, Callable[..., Range | Truth]] = {
    "double.add": _by_ends(np.add),
    "double.sub": _by_ends(np.subtract),
    "double.mul": _product,
    "double.neg": _negative,
    "double.abs": _size,
    "double.select": _chosen,
    "double.lt": _less,
    "double.le": _at_most,
    "double.gt": lambda a, b: _less(b, a),
    "double.ge": lambda a, b: _at_most(b, a),
    "double.eq": _equal,
    "double.ne": lambda a, b: _not(_equal(a, b)),
    "bool.and": _and,
    "bool.or": _or,
    "bool.not": _not,
    "trunc": _whole,
    "integer": _whole,  # integers here are small enough for doubles
    "double.of_long": lambda a: a,
}
