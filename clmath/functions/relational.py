"""Relational functions: comparisons and tests of floating-point numbers, and selection by component or by bit.

``threads`` changes the speed, never the results: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, cast

import numpy as np

from clmath import call, errors
from clmath.direct import relational as direct
from clmath.functions.families import Arguments, of_bits, of_one, of_three, planned_by
from clmath.functions.overloads import truth_of_one, truth_of_two

if TYPE_CHECKING:
    from clmath.typing import FloatLike, IntLike, Ints, Out, Truth, Where

__all__ = [
    "isequal",
    "isnotequal",
    "isgreater",
    "isgreaterequal",
    "isless",
    "islessequal",
    "islessgreater",
    "isfinite",
    "isinf",
    "isnan",
    "isnormal",
    "isordered",
    "isunordered",
    "signbit",
    "any",
    "all",
    "bitselect",
    "select",
]


_BOOL = np.dtype(np.bool_)


@planned_by(call.plan_of_bits)
def relation(
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
    """Evaluate a test of numbers: true is 1, True or, for vectors, all bits set; or of the components of vectors."""
    if vector is False and dtype is None and out is None:
        return call.bits(name, args, None, where, threads=threads)
    vector, of_vectors = errors.checked_flag(f"{name}()", "vector", vector), direct.OF_SIGNS.get(name)
    if of_vectors is not None:
        truth = _asked_type(name, dtype, out)
    else:
        truth = truth_type(name, dtype, None if vector else out, vector=vector)
        of_vectors = direct.as_vectors(direct.BY_NAME[name])
    test = of_vectors if vector else None
    return call.bits(name, args, out, where, implementation=test, vector=vector, truth=truth, threads=threads)


@truth_of_two(relation)
def isequal(x: FloatLike, y: FloatLike, /) -> Ints:
    """Whether ``x`` == ``y``: false if either is NaN, true for +0 and -0.

    Half, float or double, one format for both, shapes that broadcast. With ``dtype=bool``, or bools in ``out``, the
    result is bool, as masks of NumPy are: ``x[isequal(x, y, dtype=bool)]``, ``where=isequal(x, y, dtype=bool)``.
    Without it true is 1 and the result int, as in OpenCL C. As an index of an array, such an int would silently pick
    the elements 0 and 1. With ``vector=True`` true is -1, all bits set, and the result short, int or long, as wide as
    the operands, as the specification has it for vector types.
    Source: OpenCL C++ 1.0, 3.21.2 (bool); cl_khr_fp16 for the two kinds of integers.

    >>> x = np.float32([1.0, 2.0])
    >>> x[isequal(x, 1.0, dtype=bool)]
    array([1.], dtype=float32)
    >>> isequal(x, 1.0)
    array([1, 0], dtype=int32)
    >>> isequal(np.float16([1.0, 2.0]), 1.0, vector=True)
    array([-1,  0], dtype=int16)
    """


@truth_of_two(relation)
def isnotequal(x: FloatLike, y: FloatLike, /) -> Ints:
    """Whether ``x`` != ``y``: true where either is NaN.

    Operands, result and keywords as in ``isequal``.
    Source: OpenCL C++ 1.0, 3.21.2.

    >>> isnotequal(np.float32(np.nan), np.float32(np.nan))
    np.int32(1)
    """


@truth_of_two(relation)
def isgreater(x: FloatLike, y: FloatLike, /) -> Ints:
    """Whether ``x`` > ``y``: false where either is NaN.

    Operands, result and keywords as in ``isequal``.
    Source: OpenCL C++ 1.0, 3.21.2.

    >>> isgreater(np.float32(2.0), 1.0)
    np.int32(1)
    """


@truth_of_two(relation)
def isgreaterequal(x: FloatLike, y: FloatLike, /) -> Ints:
    """Whether ``x`` >= ``y``: false where either is NaN.

    Operands, result and keywords as in ``isequal``.
    Source: OpenCL C++ 1.0, 3.21.2.

    >>> isgreaterequal(np.float32(-0.0), 0.0)
    np.int32(1)
    """


@truth_of_two(relation)
def isless(x: FloatLike, y: FloatLike, /) -> Ints:
    """Whether ``x`` < ``y``: false where either is NaN.

    Operands, result and keywords as in ``isequal``.
    Source: OpenCL C++ 1.0, 3.21.2.

    >>> isless(np.float64(1.0), 2.0, vector=True)
    np.int64(-1)
    """


@truth_of_two(relation)
def islessequal(x: FloatLike, y: FloatLike, /) -> Ints:
    """Whether ``x`` <= ``y``: false where either is NaN.

    Operands, result and keywords as in ``isequal``.
    Source: OpenCL C++ 1.0, 3.21.2.

    >>> islessequal(np.float32(2.0), 1.0)
    np.int32(0)
    """


@truth_of_two(relation)
def islessgreater(x: FloatLike, y: FloatLike, /) -> Ints:
    """Whether ``x`` < ``y`` or x > y: false where either is NaN.

    Operands, result and keywords as in ``isequal``.
    Source: OpenCL C++ 1.0, 3.21.2.

    >>> islessgreater(np.float32([1.0, 2.0, np.nan]), 1.0)
    array([0, 1, 0], dtype=int32)
    """


@truth_of_one(relation)
def isfinite(t: FloatLike, /) -> Ints:
    """Whether ``t`` is neither an infinity nor NaN.

    Half, float or double, any shape; result and keywords as in ``isequal``: ``t[isfinite(t, dtype=bool)]``
    picks elements.
    Source: OpenCL C++ 1.0, 3.21.3.

    >>> isfinite(np.float32([1.0, np.inf, np.nan]))
    array([1, 0, 0], dtype=int32)
    """


@truth_of_one(relation)
def isinf(t: FloatLike, /) -> Ints:
    """Whether ``t`` is an infinity, of either sign.

    Half, float or double, any shape; result and keywords as in ``isequal``: ``t[isinf(t, dtype=bool)]``
    picks elements.
    Source: OpenCL C++ 1.0, 3.21.3.

    >>> isinf(np.float32([1.0, -np.inf, np.nan]))
    array([0, 1, 0], dtype=int32)
    """


@truth_of_one(relation)
def isnan(t: FloatLike, /) -> Ints:
    """Whether ``t`` is NaN.

    Half, float or double, any shape; result and keywords as in ``isequal``. ``t[~isnan(t, dtype=bool)]`` picks the
    elements that are not NaN; without ``dtype=bool`` the results are int, and ints are indices to NumPy.
    Source: OpenCL C++ 1.0, 3.21.3.

    >>> t = np.float32([1.0, np.inf, np.nan])
    >>> t[~isnan(t, dtype=bool)]
    array([ 1., inf], dtype=float32)
    >>> isnan(t), ~isnan(t)
    (array([0, 0, 1], dtype=int32), array([-1, -1, -2], dtype=int32))
    """


@truth_of_one(relation)
def isnormal(t: FloatLike, /) -> Ints:
    """Whether ``t`` is a normal number: no zero, subnormal number, infinity or NaN.

    Half, float or double, any shape; result and keywords as in ``isequal``: ``t[isnormal(t, dtype=bool)]``
    picks elements.
    Source: OpenCL C++ 1.0, 3.21.3.

    >>> isnormal(np.float16([1.0, 6e-8, 0.0, np.inf]))
    array([1, 0, 0, 0], dtype=int32)
    """


@truth_of_two(relation)
def isordered(x: FloatLike, y: FloatLike, /) -> Ints:
    """Whether neither ``x`` nor ``y`` is NaN: isequal(x, x) && isequal(y, y).

    Operands, result and keywords as in ``isequal``.
    Source: OpenCL C++ 1.0, 3.21.3.

    >>> isordered(np.float32([1.0, np.nan]), np.float32(np.inf))
    array([1, 0], dtype=int32)
    """


@truth_of_two(relation)
def isunordered(x: FloatLike, y: FloatLike, /) -> Ints:
    """Whether ``x`` or ``y`` is NaN.

    Operands, result and keywords as in ``isequal``.
    Source: OpenCL C++ 1.0, 3.21.3.

    >>> isunordered(np.float32([1.0, np.nan]), np.float32(np.inf))
    array([0, 1], dtype=int32)
    """


@truth_of_one(relation)
def signbit(t: FloatLike, /) -> Ints:
    """Whether the sign bit of ``t`` is set, even if ``t`` is -0 or NaN.

    Half, float or double, any shape; result and keywords as in ``isequal``: ``t[signbit(t, dtype=bool)]``
    picks elements.
    Source: OpenCL C++ 1.0, 3.21.3.

    >>> signbit(np.float32([-1.0, -0.0, 0.0]))
    array([1, 1, 0], dtype=int32)
    """


@of_one(relation)
def any(t: IntLike, /) -> Ints:
    """1 where a component of the vector ``t`` is true, otherwise 0, as int; with ``dtype=bool`` True and False.

    The last axis, of 1, 2, 3, 4, 8 or 16 components, is the vector; a 0-d argument is a vector of one. bool, char,
    short, int or long, of which every value except 0 is true (OpenCL C++). With ``vector=True`` the most significant
    bit decides (OpenCL C), and bool, which has none, is refused. Both readings agree on the results that the relational
    functions return with ``vector=True``; only the first is right for their 0 and 1.
    Source: OpenCL C++ 1.0, 3.21.3; OpenCL C 3.0, 6.15.6.

    >>> any(np.int32([[0, 1], [0, 0]]))
    array([1, 0], dtype=int32)
    >>> any(np.int32([[0, 1], [0, -1]]), vector=True)
    array([0, 1], dtype=int32)
    """


@of_one(relation)
def all(t: IntLike, /) -> Ints:
    """1 where every component of the vector ``t`` is true, otherwise 0, as int; with ``dtype=bool`` True and False.

    ``t`` and ``vector`` as in ``any``.
    Source: OpenCL C++ 1.0, 3.21.3; OpenCL C 3.0, 6.15.6.

    >>> all(np.int32([[1, 1], [0, 1]]))
    array([1, 0], dtype=int32)
    >>> all(np.int32([[-1, 1], [-1, -1]]), vector=True)
    array([0, 1], dtype=int32)
    """


@of_three(of_bits)
def bitselect(a: FloatLike | IntLike, b: FloatLike | IntLike, c: FloatLike | IntLike, /) -> Ints:
    """Bit by bit ``b`` where the bit of ``c`` is set, otherwise ``a``.

    Any of the eight integer types, half, float or double, one type for all, shapes that broadcast; of a
    floating-point number its encoding is meant.
    Source: OpenCL C++ 1.0, 3.21.4.

    >>> bitselect(np.uint8(0b1010), np.uint8(0b0101), np.uint8(0b0011))
    np.uint8(9)
    >>> bitselect(np.float32(1.5), np.float32(-0.0), np.float32(-0.0))  # the sign of b
    np.float32(-1.5)
    """


@call.planned_first(call.plan_of_bits)
def select(
    a: FloatLike | IntLike,
    b: FloatLike | IntLike,
    c: IntLike | Where,
    /,
    *,
    vector: bool = False,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Ints:
    """``b`` where ``c`` is true, otherwise ``a``, every bit kept.

    ``a`` and ``b``: any of the eight integer types, half, float or double, one type for both. ``c``: the signed or
    unsigned integer type of the same width, of which every value except 0 is true, or bool. With ``vector=True`` the
    most significant bit of c decides, as for vector types in OpenCL C, and bool, which has none, is refused. Shapes
    that broadcast.
    Source: OpenCL C++ 1.0, 3.21.4; OpenCL C 3.0, 6.15.6; cl_khr_fp16.

    >>> select(np.float32([1.0, 2.0]), 0.0, np.int32([1, 0]))
    array([0., 2.], dtype=float32)
    >>> select(np.float32([1.0, 2.0]), 0.0, np.int32([1, -1]), vector=True)
    array([1., 0.], dtype=float32)
    """
    vector = errors.checked_flag("select()", "vector", vector)
    choice = direct.select_by_sign if vector else direct.select
    return call.bits("select", (a, b, c), out, where, implementation=choice, vector=vector, threads=threads)


def truth_type(name: str, dtype: object, out: object, *, vector: bool) -> np.dtype | None:
    """Return the type of results that ``dtype``, or without it ``out``, requests, or None for the specification's."""
    truth = _asked_type(name, dtype, out)
    if vector and truth is not None:
        rule = "true is -1 with the one, True with the other"
        raise errors.DTypeError(f"{name}(): vector=True with dtype=bool; {rule}: leave one of them out")
    return truth


def _asked_type(name: str, dtype: object, out: object) -> np.dtype | None:
    if dtype is None:
        (array,) = out if isinstance(out, tuple) and len(out) == 1 else (out,)
        return _BOOL if getattr(array, "dtype", None) == _BOOL else None
    try:
        known = np.dtype(cast("str", dtype)) == _BOOL
    except (TypeError, ValueError):  # ValueError: an int that is too long to be named
        known = False
    if not known:
        fact = f"dtype={errors.shown(dtype)} is not bool"
        raise errors.DTypeError(f"{name}(): {fact}; results are int or bool: leave dtype out where int is meant")
    return _BOOL
