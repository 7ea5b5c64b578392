"""Operators of expressions as functions: OpenCL C++ 1.0, 2.3 and 2.4.

Python ints are integers, alone and in lists, as in OpenCL C: ``div(7, 2)`` is 3 and ``add(2**53, 1)`` is exact; the
quotient of floating-point numbers is ``div(7.0, 2)``, 3.5. ``add``, ``sub``, ``mul`` and ``div`` are defined next to
the reciprocal in ``clmath.functions.math.operators``, which calls this module for integers. Common to all operators:

- Without ``vector`` every element is a scalar. Types may differ: bool, char, uchar, short and ushort become int, then
  both operands take the type of higher rank: double, float, half, ulong, long, uint, int. ``True`` is a bool, so that
  ``add(True, 1)`` is an int. Another Python number is a literal:
  an int takes the first of int, long and ulong that holds it, or long if no operand is an array; a float takes the
  format of the other operand, else double. A list of ints is an array of long, or of ulong if long does not hold them
  all; a list with a float is an array of double.
- With ``vector=True`` arrays are vectors along their last axis, of one type and one number of components, and there are
  no promotions: charn + charn is charn. A NumPy scalar or a Python number as the other operand takes the type of their
  elements; it is refused if its type ranks higher, or if the element type would truncate or round it. A Python float
  with half or float is rounded to nearest, as everywhere. True is -1 in components, as in OpenCL C; the vectors of bool
  of 2.4 come from ``dtype=bool`` without ``vector``.
- Integers become half, float or double in the mode in force, or in ``rounding`` if a function has it.
- ``threads`` changes the speed, never the results: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import call, errors, pragmas
from clmath.call.arguments import is_weak
from clmath.call.operands import FLOATS, INTEGERS, Operands, Operator, Prepare, Prepared, parameters, plan_of
from clmath.call.others import later
from clmath.call.subnormals import all_as_here, as_here
from clmath.direct import expressions, relational
from clmath.functions.families import Arguments, of_three, planned_by
from clmath.functions.overloads import (
    ints_of_one,
    ints_of_two,
    numbers_of_one,
    truth_of_one_number,
    truth_of_two_numbers,
)
from clmath.functions.relational import truth_type
from clmath.numbers.datatypes import SCALARS

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clmath.call.plans import Plan
    from clmath.call.readers import Kind
    from clmath.numbers.rounding import Rounding
    from clmath.typing import Floats, IntLike, Ints, NumberLike, Out, Truth, Where

__all__ = [
    "bitwise_and",
    "bitwise_not",
    "bitwise_or",
    "bitwise_xor",
    "conditional",
    "equal",
    "greater",
    "greater_equal",
    "left_shift",
    "less",
    "less_equal",
    "logical_and",
    "logical_not",
    "logical_or",
    "negative",
    "not_equal",
    "positive",
    "rem",
    "right_shift",
]

_ANY = INTEGERS + FLOATS
_INT = SCALARS["int"]
_OWN: Mapping[str, Callable[..., np.ndarray]] = {  # operators that NumPy computes differently
    "left_shift": expressions.left_shift,
    "rem": expressions.remainder,
    "right_shift": expressions.right_shift,
}


def _common(computed: str) -> Prepare:
    """Return a function that brings operands to their common type, which is one of the kinds ``computed``."""

    def prepare(operands: Operands, _: Rounding) -> Prepared:
        sources = operands.common("rte", computed)
        return sources, _type(sources), _function(operands.name)

    return prepare


def _shifted(operands: Operands, _: Rounding) -> Prepared:
    operands.check_shift()
    sources = [operands.only("x").common("rte", "iu")[0], operands.promoted("y")]
    return sources, _type(sources), _function(operands.name)


def _truths(truth: np.dtype | None) -> Prepare:
    """Return a function that brings operands to their common type, with results of the type ``truth`` or int."""

    def prepare(operands: Operands, mode: Rounding) -> Prepared:
        sources, test = all_as_here(operands.common(mode)), _function(operands.name)
        if operands.vector:
            return sources, np.dtype(f"i{sources[0].dtype.itemsize}"), relational.as_vectors(test)
        return sources, truth or _INT, test

    return prepare


def _chosen(operands: Operands, mode: Rounding) -> Prepared:
    pair = operands.only("x", "y")
    first, second = pair.given.values()
    is_one_type = not (is_weak(first) or is_weak(second)) and first.dtype == second.dtype
    sources = [first, second] if is_one_type and not operands.vector else pair.common(mode)
    chosen = as_here(np.asarray(operands.given["c"]))
    if operands.vector and chosen.ndim:
        chosen = chosen[..., np.newaxis]
    return [chosen, *sources], _type(sources), relational.conditional


def in_numbers(on_integers: Callable[..., np.ndarray]) -> Prepare:
    """Return a function that brings operands to their common type: integers go to a function, others to built-ins."""

    def prepare(operands: Operands, mode: Rounding) -> Prepared:
        sources = operands.common(mode, "iuf")
        return sources, _type(sources), None if sources[0].dtype.kind == "f" else on_integers

    return prepare


_REST, _BITS = (INTEGERS, _common("iu")), (INTEGERS, _common(INTEGERS))
_OPERATORS: Mapping[str, tuple[str, Prepare]] = {  # the kinds of types that each takes, and its conversion of operands
    **dict.fromkeys(("positive", "negative"), (_ANY, _common("iuf"))),
    **dict.fromkeys(("bitwise_and", "bitwise_or", "bitwise_xor"), _BITS),
    **dict.fromkeys(("bitwise_not", "rem"), _REST),
    **dict.fromkeys(("left_shift", "right_shift"), (INTEGERS, _shifted)),
    "conditional": (_ANY, _chosen),
}


@planned_by(lambda name, of, **options: plan_of(*_OPERATORS[name])(name, of, **options))
def of_operands(
    name: str,
    args: Arguments,
    /,
    *,
    vector: bool = False,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats | Ints:
    """Evaluate an operator."""
    return evaluated(Operator(name, *_OPERATORS[name]), args, vector, out, where, threads)


def _plan_of_truths(name: str, kinds: tuple[Kind, ...], *, dtype: object = None, **options: object) -> Plan | None:
    """Return the plan of a comparison; None, or an error, for preparation."""
    if dtype not in {None, bool}:
        return None
    return plan_of(_ANY, _truths(dtype and SCALARS["bool"]))(name, kinds, **options)


@planned_by(_plan_of_truths)
def comparison(
    name: str,
    args: Arguments,
    /,
    *,
    vector: bool = False,
    dtype: Truth = None,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Ints:
    """Evaluate a comparison or a logical operator."""
    vector = errors.checked_flag(f"{name}()", "vector", vector)
    truth = truth_type(name, dtype, None if vector else out, vector=vector)
    operator = Operator(name, _ANY, _truths(truth))
    return evaluated(operator, args, vector, out, where, threads)


@ints_of_two(of_operands)
def rem(x: IntLike, y: IntLike, /) -> Ints:
    """Remainder ``x % y`` of the quotient rounded toward zero: x - y * div(x, y), of the sign of x.

    bool and integers, shapes that broadcast. Both become int if they are narrower, then take the type of higher rank;
    with ``vector=True`` they are vectors of one type, which they keep. For y = 0 the value is unspecified in the text,
    and x here; for the smallest number and -1 it is 0. Floating-point numbers have ``fmod``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> rem(np.int32([7, -7, 7]), np.int32([3, 3, -3]))
    array([ 1, -1,  1], dtype=int32)
    """


@numbers_of_one(of_operands)
def positive(x: NumberLike, /) -> Floats | Ints:
    """``+x``: the operand after the integer promotions.

    bool, integers, half, float or double, any shape. Types narrower than int become int; with ``vector=True`` the
    components of vectors keep their type. A NaN keeps its bits.
    Source: OpenCL C++ 1.0, 2.4.

    >>> positive(np.uint8(200))
    np.int32(200)
    """


@numbers_of_one(of_operands)
def negative(x: NumberLike, /) -> Floats | Ints:
    """``-x``: integers modulo 2^n, so that the smallest number is its own negative; for others the sign changes.

    bool, integers, half, float or double, any shape. Types narrower than int, such as uchar, become int first;
    with ``vector=True`` the components of vectors keep their type.
    Source: OpenCL C++ 1.0, 2.4.

    >>> negative(np.uint8([1, 200])), negative(np.uint8([1, 200]), vector=True)
    (array([  -1, -200], dtype=int32), array([255,  56], dtype=uint8))
    """


@ints_of_one(of_operands)
def bitwise_not(x: IntLike, /) -> Ints:
    """``~x``: every bit inverted.

    bool and integers, any shape. Types narrower than int become int first; with ``vector=True`` the components of
    vectors keep their type, which then is not bool.
    Source: OpenCL C++ 1.0, 2.4.

    >>> bitwise_not(np.uint8(1)), bitwise_not(np.uint8([1]), vector=True)
    (np.int32(-2), array([254], dtype=uint8))
    """


@ints_of_two(of_operands)
def bitwise_and(x: IntLike, y: IntLike, /) -> Ints:
    """``x & y``: the bits that are set in both.

    bool and integers, shapes that broadcast. Both become int if they are narrower, then take the type of higher rank;
    with ``vector=True`` they are vectors of one type, which they keep, even bool.
    Source: OpenCL C++ 1.0, 2.4.

    >>> bitwise_and(np.uint32(0xF0F0), 0xFF)
    np.uint32(240)
    """


@ints_of_two(of_operands)
def bitwise_or(x: IntLike, y: IntLike, /) -> Ints:
    """``x | y``: the bits that are set in one or both.

    Operands and keywords as in ``bitwise_and``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> bitwise_or(np.int16(-256), np.int16(15))
    np.int32(-241)
    """


@ints_of_two(of_operands)
def bitwise_xor(x: IntLike, y: IntLike, /) -> Ints:
    """``x ^ y``: the bits that are set in exactly one.

    Operands and keywords as in ``bitwise_and``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> bitwise_xor(np.uint64([5, 6]), np.uint64(3))
    array([6, 5], dtype=uint64)
    """


@ints_of_two(of_operands)
def left_shift(x: IntLike, y: IntLike, /) -> Ints:
    """``x << y``: shifted left by the log2(N) low bits of ``y``, N the width of the result's type; zeros come in.

    bool and integers, shapes that broadcast. The result has the type of ``x`` alone: after the integer promotions, with
    ``vector=True`` the type of its elements. ``y`` may be of another integer type; it may be a scalar if ``x`` has
    vectors, but not the other way round. A negative count is its low bits.
    Source: OpenCL C++ 1.0, 2.4.

    >>> left_shift(np.uint8(1), 33), left_shift(np.uint8([1]), 9, vector=True)
    (np.int32(2), array([2], dtype=uint8))
    """


@ints_of_two(of_operands)
def right_shift(x: IntLike, y: IntLike, /) -> Ints:
    """``x >> y``: shifted right by the log2(N) low bits of ``y``; zeros come in, ones where ``x`` is negative.

    Operands and keywords as in ``left_shift``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> right_shift(np.int32([-8, 8]), -31)
    array([-4,  4], dtype=int32)
    """


@truth_of_two_numbers(comparison)
def equal(x: NumberLike, y: NumberLike, /) -> Ints:
    """``x == y``: false if either is NaN, true for +0 and -0.

    bool, integers, half, float or double, shapes that broadcast; operands narrower than int become int,
    then both take the type of higher rank. True is 1 and the result int; with ``dtype=bool``, or bools in ``out``,
    True; with ``vector=True``, for vectors of one type, -1 in the signed type as wide as the elements, as in
    ``isequal``. An integer compared with half, float or double is rounded to it first.
    Source: OpenCL C++ 1.0, 2.4; 3.21.2 for the three kinds of results.

    >>> equal(np.uint32(2**32 - 1), np.int32(-1)), equal(np.int8([1, 2]), 2, vector=True)
    (np.int32(1), array([ 0, -1], dtype=int8))
    """


@truth_of_two_numbers(comparison)
def not_equal(x: NumberLike, y: NumberLike, /) -> Ints:
    """``x != y``: true where either is NaN.

    Operands, result and keywords as in ``equal``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> not_equal(np.float32(np.nan), 1)
    np.int32(1)
    """


@truth_of_two_numbers(comparison)
def less(x: NumberLike, y: NumberLike, /) -> Ints:
    """``x < y``: false where either is NaN.

    Operands, result and keywords as in ``equal``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> less(np.int32(-1), np.uint32(1)), less(np.int8(-1), np.uint8(1))
    (np.int32(0), np.int32(1))
    """


@truth_of_two_numbers(comparison)
def less_equal(x: NumberLike, y: NumberLike, /) -> Ints:
    """``x <= y``: false where either is NaN.

    Operands, result and keywords as in ``equal``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> less_equal(np.float64([1.0, 2.0]), 1, dtype=bool)
    array([ True, False])
    """


@truth_of_two_numbers(comparison)
def greater(x: NumberLike, y: NumberLike, /) -> Ints:
    """``x > y``: false where either is NaN.

    Operands, result and keywords as in ``equal``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> greater(np.uint64(2**63), np.int64(-1))
    np.int32(0)
    """


@truth_of_two_numbers(comparison)
def greater_equal(x: NumberLike, y: NumberLike, /) -> Ints:
    """``x >= y``: false where either is NaN.

    Operands, result and keywords as in ``equal``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> greater_equal(np.float16([-0.0, np.nan]), 0, vector=True)
    array([-1,  0], dtype=int16)
    """


@truth_of_two_numbers(comparison)
def logical_and(x: NumberLike, y: NumberLike, /) -> Ints:
    """``x && y``: whether both are unequal to 0, and NaN counts as unequal; both are always evaluated.

    Operands, result and keywords as in ``equal``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> logical_and(np.int16([0, 2, -3]), 1, vector=True)
    array([ 0, -1, -1], dtype=int16)
    """


@truth_of_two_numbers(comparison)
def logical_or(x: NumberLike, y: NumberLike, /) -> Ints:
    """``x || y``: whether one of them is unequal to 0, and NaN counts as unequal; both are always evaluated.

    Operands, result and keywords as in ``equal``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> logical_or(np.float32([0.0, -0.0]), np.int32([0, 2]))
    array([0, 1], dtype=int32)
    """


@truth_of_one_number(comparison)
def logical_not(x: NumberLike, /) -> Ints:
    """``!x``: whether it is equal to 0; NaN is not.

    Operand, result and keywords as in ``equal``.
    Source: OpenCL C++ 1.0, 2.4.

    >>> logical_not(np.float64([0.0, np.nan]))
    array([1, 0], dtype=int32)
    """


@of_three(of_operands)
def conditional(c: NumberLike, x: NumberLike, y: NumberLike, /) -> Floats:
    """``c ? x : y``: ``x`` where ``c`` is NaN or unequal to 0, otherwise ``y``; both are always evaluated.

    All of bool, integers, half, float or double, shapes that broadcast. ``x`` and ``y`` keep a type that both have;
    otherwise both become int if they are narrower, then take the type of higher rank. With ``vector=True`` there is one
    ``c`` for each vector: its axes are those before the last one.
    Source: OpenCL C++ 1.0, 2.4; for a choice by component ``select``.

    >>> conditional(np.int32([0, 1]), np.int8(1), np.int8(2)), conditional(1, np.int8(1), np.float32(2))
    (array([2, 1], dtype=int8), np.float32(1.0))
    """


def _type(sources: list[np.ndarray]) -> np.dtype:
    return sources[0].dtype.newbyteorder("=")


def evaluated(  # noqa: PLR0917 - keywords, passed on by position
    operator: Operator,
    args: tuple[object, ...],
    vector: bool,
    out: Out,
    where: Where,
    threads: int,
    *,
    rounds: bool = False,
) -> Floats | Ints:
    """Evaluate an operator on ``args``, in its own mode if it ``rounds``, otherwise in the mode in force."""
    if not rounds:
        operator = operator._replace(mode=pragmas.rounding_mode())
    found = later(operator.name, args, {"rounding": operator.mode}, out, where) if rounds and not vector else None
    if found is not None:
        return found
    operands = Operands.of(operator.name, parameters(args), args, operator.kinds, vector=vector, out=out, where=where)
    prepared = operator.prepare(operands, operator.mode)
    sources, dtype, compute = prepared
    if compute is not None or (dtype in SCALARS.values() and not pragmas.may_flush()):
        return operands.evaluated(prepared, operator.mode, out, where, threads)
    result = call.floats(operator.name, tuple(sources), operator.mode, out, where, threads=threads)
    return result if operands.restore is None else operands.restore(np.asarray(result))


def _function(name: str) -> Callable[..., np.ndarray]:
    """Return the function of arrays of one type that computes the operator ``name``."""
    found: Callable[..., np.ndarray] = _OWN.get(name) or getattr(np, name)
    return found
