"""The primitives in which kernels are written: the same lines run on float64 arrays and, compiled, on scalars.

A SIMD function takes float64 (or int64) elements and returns elements. It uses + - * / sqrt, comparisons, integer and
bit operations, and the primitives below, nothing else: IEEE 754 fixes every one of them, so that both engines give the
same bits on every platform. Scalar np.where, for one, allocates when compiled; hence ``select``. Modules of kernels
import all of these words.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import TypeVar, TypeVarTuple, overload

import numpy as np

from clmath.ir.values import Enclosed, Integer, Pair, Parts, Real, Truth

__all__ = [
    "FRACTION",
    "INFINITE",
    "INFINITY",
    "MAGNITUDE",
    "NAN",
    "ONE",
    "SIGN",
    "Enclosed",
    "Integer",
    "Pair",
    "Parts",
    "Real",
    "Truth",
    "bits",
    "ceil",
    "clamp",
    "copysign",
    "everywhere",
    "fast_two_sum",
    "filled",
    "float_bits",
    "floor",
    "from_bits",
    "from_float_bits",
    "greater",
    "in_halves",
    "integer",
    "inward",
    "lesser",
    "mark",
    "nearest",
    "nextdown",
    "nextup",
    "outward",
    "piecewise",
    "polynomial",
    "rarely",
    "real",
    "rint",
    "scope",
    "select",
    "split",
    "sqrt",
    "take",
    "to_odd",
    "trunc",
    "two_product",
    "two_sum",
    "two_to",
]

Function = TypeVar("Function", bound="Callable[..., object]")
Lanes = TypeVar("Lanes", "Real", "Integer")
Value = TypeVar("Value")
Values = TypeVarTuple("Values")

MAGIC = 6755399441055744.0  # 1.5 x 2^52: (x + MAGIC) - MAGIC rounds |x| < 2^51 to an integer, ties to even
MAGIC_BITS = 0x4338000000000000  # the encoding of MAGIC
SIGN, MAGNITUDE = -0x8000000000000000, 0x7FFFFFFFFFFFFFFF  # of an encoding: the bit of the sign, and all others
FRACTION = 0xFFFFFFFFFFFFF  # the bits of a significand that an encoding has
ONE, INFINITE = 0x3FF0000000000000, 0x7FF0000000000000  # as 1 and infinity are encoded
INFINITY, NAN = float("inf"), float("nan")
SPLITTER = 134217729.0  # 2^27 + 1, Dekker's
FEW = 1 << 10  # elements that np.where selects in less time than blending their bits takes


@overload
def mark(names: str, value: Value, /) -> Value: ...


@overload
def mark(names: str, *values: *Values) -> tuple[*Values]: ...


def mark(names: str, *values: object) -> object:  # noqa: ARG001 - traces use the names
    """Return ``values`` unchanged; traces name them: ``r, n = mark("r n", *reduced(x))``."""
    return values if len(values) > 1 else values[0]


def scope(name: str, function: Function) -> Function:  # noqa: ARG001 - traces use the name
    """Return ``function``; traces put ``name`` before its marks: ``scope("log", log_pair)(x)`` marks "log.m"."""
    return function


def rarely(condition: Truth) -> Truth:
    """Return ``condition``, which holds for few elements: programs for usual elements omit it, see ``simplifying``."""
    return condition


@overload
def select(condition: Truth, yes: Integer | int, no: Integer | int) -> Integer: ...


@overload
def select(condition: Truth, yes: Real | float, no: Real | float) -> Real: ...


def select(condition: Truth, yes: Real | Integer | float, no: Real | Integer | float) -> Real | Integer:
    """Return ``yes`` where ``condition`` holds and ``no`` elsewhere; both are evaluated, and may be of any format.

    np.where mispredicts a branch at each change of a mixed condition: for many elements, blending bits takes less than
    half its time.
    """
    if condition.size <= FEW:
        chosen: Real | Integer = np.where(condition, yes, no)
        return chosen
    count = np.count_nonzero(condition)
    if isinstance(no, np.ndarray) and not count:
        return no
    if isinstance(yes, np.ndarray):
        return yes if count == condition.size else _blend(condition, yes, no, yes.dtype)
    if isinstance(no, np.ndarray):
        return _blend(condition, yes, no, no.dtype)
    return np.array((no, yes)).take(condition.view(np.int8))


def _blend(
    condition: Truth, yes: Real | Integer | float, no: Real | Integer | float, dtype: np.dtype
) -> Real | Integer:
    """Return ``yes`` where ``condition`` holds and ``no`` elsewhere, as an array of ``dtype``; bits are kept."""
    word = f"i{dtype.itemsize}"
    mask = condition.astype(word)
    np.negative(mask, out=mask)
    base = np.asarray(no, dtype).view(word)
    blended = np.asarray(yes, dtype).view(word) ^ base
    blended = np.bitwise_and(blended, mask, out=mask)
    blended ^= base
    found: Real | Integer = blended.view(dtype)
    return found


def everywhere(x: Real) -> Truth:
    """Return True for every element, NaN too."""
    found: Truth = bits(x) == bits(x)
    return found


def filled(value: float, like: Real) -> Real:
    """Return ``value`` for every element."""
    return np.full_like(like, value)


def take(table: Real, index: Integer) -> Real:
    """The entries of a one-dimensional ``table`` at ``index``; beyond its ends the first or the last."""
    return table.take(index, mode="clip")


def bits(x: Real) -> Integer:
    """The encodings of doubles as int64."""
    return x.view(np.int64)


def from_bits(i: Integer) -> Real:
    """The doubles with the given int64 encodings."""
    return i.view(np.float64)


def float_bits(x: Real) -> Integer:
    """Doubles rounded to nearest even to float, as encodings in int64."""
    return x.astype(np.float32).view(np.int32).astype(np.int64)


def from_float_bits(i: Integer) -> Real:
    """The doubles that equal the floats with the given encodings, which are int64."""
    return i.astype(np.int32).view(np.float32).astype(np.float64)


def integer(x: Real) -> Integer:
    """Doubles that hold integers below 2^63, as int64."""
    return x.astype(np.int64)


def real(i: Integer) -> Real:
    """Integers as doubles (exact below 2^53)."""
    return i.astype(np.float64)


def lesser(a: Lanes | float, b: Lanes | float) -> Lanes:
    """The lesser of two numbers neither of which is -0; for a NaN and a number, either operand."""
    return np.minimum(a, b)


def greater(a: Lanes | float, b: Lanes | float) -> Lanes:
    """The greater of two numbers neither of which is -0; for a NaN and a number, the operand that ``lesser`` does not
    return.
    """
    return np.maximum(a, b)


def copysign(magnitude: Real | float, x: Real) -> Real:
    """``magnitude``, which is not negative, with the sign of ``x``."""
    return np.copysign(magnitude, x)


def trunc(x: Real) -> Real:
    """Doubles rounded toward zero to integers; -0 for -1 < x < 0."""
    return np.trunc(x)


def rint(x: Real) -> Real:
    """The nearest integers, ties to even; -0 for -0.5 <= x < 0."""
    return np.rint(x)


def ceil(x: Real) -> Real:
    """The least integers not below x; -0 for -1 < x < 0."""
    whole = trunc(x)
    return select(whole < x, whole + 1.0, whole)


def floor(x: Real) -> Real:
    """The greatest integers not above x."""
    whole = trunc(x)
    return select(whole > x, whole - 1.0, whole)


def sqrt(x: Real) -> Real:
    """Correctly rounded square root (rte) of doubles."""
    return np.sqrt(x)


def piecewise(t: Real, piece: Integer, tables: Sequence[Real]) -> Real:
    """The polynomial number ``piece`` in ``t``: ``tables`` holds one table for each power, constant terms first."""
    y = take(tables[len(tables) - 1], piece)
    for i in range(len(tables) - 2, -1, -1):
        y = y * t + take(tables[i], piece)
    return y


def two_to(n: Integer) -> Real:
    """2^n for integers n in -1022 .. 1023."""
    return from_bits((n + 1023) << 52)


def polynomial(x: Real, coefficients: Sequence[float]) -> Real:
    """c[0] + c[1] x + c[2] x^2 + ... by Horner's rule."""
    y: Real = coefficients[len(coefficients) - 1]  # type: ignore[assignment] # a number before the first step
    for i in range(len(coefficients) - 2, -1, -1):
        y = y * x + coefficients[i]
    return y


def in_halves(x: Real, coefficients: Sequence[float]) -> Real:
    """``polynomial`` as the sum of its even and odd powers, by Horner's rule: half as many steps follow each other."""
    square = x * x
    return polynomial(square, coefficients[::2]) + x * polynomial(square, coefficients[1::2])


def two_sum(a: Real | float, b: Real | float) -> Pair:
    """(s, e) with s = a + b rounded and s + e = a + b exactly (Knuth)."""
    s: Real = a + b  # type: ignore[assignment] # one of the two is not a plain number
    t = s - a
    return s, (a - (s - t)) + (b - t)


def fast_two_sum(a: Real | float, b: Real | float) -> Pair:
    """(s, e) as ``two_sum``, where |a| >= |b| or a = 0 (Dekker)."""
    s: Real = a + b  # type: ignore[assignment] # as above
    return s, (a - s) + b


def to_odd(head: Real, tail: Real) -> Real:
    """The sum head + tail rounded to odd, for ``head`` the sum rounded to nearest; a NaN tail counts as 0."""
    code, inexact = bits(head), abs(tail) > 0.0
    inward = inexact & ((code ^ bits(tail)) < 0)
    return from_bits((code - select(inward, 1, 0)) | select(inexact, 1, 0))


def split(a: Real | float) -> Pair:
    """(h, l) with a = h + l exactly, at most 26 bits each, |a| < 2^996 (Veltkamp)."""
    t: Real = SPLITTER * a  # type: ignore[assignment] # as above
    h = t - (t - a)
    return h, a - h


def two_product(a: Real | float, b: Real | float) -> Pair:
    """(p, e) with p = a b rounded and p + e = a b exactly, short of overflow and underflow (Dekker)."""
    p: Real = a * b  # type: ignore[assignment] # as above
    ah, al = split(a)
    bh, bl = split(b)
    return p, ((ah * bh - p) + ah * bl + al * bh) + al * bl


def nearest(x: Real) -> tuple[Real, Integer]:
    """``x``, |x| < 2^51, rounded to an integer, ties to even: as double and as int64."""
    shifted = x + MAGIC
    return shifted - MAGIC, bits(shifted) - MAGIC_BITS


def clamp(x: Lanes, low: Lanes | float, high: Lanes | float) -> Lanes:
    """``x`` moved into low .. high; NaN stays. A zero that meets a zero end may come back with either sign."""
    return np.clip(x, low, high)


def nextup(x: Real) -> Real:
    """The next double above finite ``x`` other than zero: represents x plus a tiny amount."""
    return from_bits(bits(x) + select(x > 0.0, 1, -1))


def nextdown(x: Real) -> Real:
    """The next double below finite ``x`` other than zero: represents x minus a tiny amount."""
    return from_bits(bits(x) - select(x > 0.0, 1, -1))


def outward(x: Real) -> Real:
    """The next double away from zero after non-zero finite ``x``."""
    return from_bits(bits(x) + 1)


def inward(x: Real) -> Real:
    """The next double toward zero after non-zero finite ``x``."""
    return from_bits(bits(x) - 1)
