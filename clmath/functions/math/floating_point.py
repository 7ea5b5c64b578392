"""Rounding to integral numbers, remainders, and the parts of a number.

``threads`` changes the speed, never the results: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import call
from clmath.functions.families import exact, of_one, rounded
from clmath.functions.overloads import (
    floats_and_ints_of_one,
    floats_of_one,
    floats_of_three,
    floats_of_two,
    pairs_of_one,
)

if TYPE_CHECKING:
    from clmath.typing import FloatLike, Floats, Ints, Outs, Rounding, UnsignedLike, Where

__all__ = [
    "ceil",
    "copysign",
    "floor",
    "fma",
    "fmod",
    "fract",
    "frexp",
    "modf",
    "nan",
    "nextafter",
    "remainder",
    "remquo",
    "rint",
    "round",
    "trunc",
]


@floats_of_one(exact)
def ceil(x: FloatLike, /) -> Floats:
    """Smallest integral number not below ``x``.

    Half, float or double, any shape. ceil(±0) = ±0; ceil(±inf) = ±inf; -0 for -1 < x < 0.
    Source: OpenCL C++ 1.0, 3.19.6; limit correctly rounded.

    >>> ceil(np.float32(-0.5))
    np.float32(-0.0)
    """


@floats_of_two(exact)
def copysign(x: FloatLike, y: FloatLike, /) -> Floats:
    """``x`` with the sign of ``y``.

    Half, float or double, one format for all, shapes that broadcast. Zeros, infinities and NaN have signs too, on
    both sides.
    Source: OpenCL C++ 1.0, 3.19.6; limit 0 ulp.

    >>> copysign(np.float32(2.0), np.float32(-0.0))
    np.float32(-2.0)
    """


@floats_of_one(exact)
def floor(x: FloatLike, /) -> Floats:
    """Largest integral number not above ``x``.

    Half, float or double, any shape. floor(±0) = ±0; floor(±inf) = ±inf.
    Source: OpenCL C++ 1.0, 3.19.6; limit correctly rounded.

    >>> floor(np.float32(-0.5))
    np.float32(-1.0)
    """


@floats_of_three(rounded)
def fma(a: FloatLike, b: FloatLike, c: FloatLike, /) -> Floats:
    """``a * b + c``, the product exact, rounded once.

    Half, float or double, one format for all, shapes that broadcast. NaN for 0 * inf and for inf - inf; an exact
    zero sum of opposite signs is +0, but -0 in rtn.
    Source: OpenCL C++ 1.0, 3.19.6; limit correctly rounded.

    >>> float(fma(np.float32(0.1), np.float32(10.0), np.float32(-1.0), rounding="rtp")).hex()
    '0x1.0000000000000p-26'
    """


@floats_of_two(exact)
def fmod(x: FloatLike, y: FloatLike, /) -> Floats:
    """``x - y * n``, n the quotient x / y cut to an integer: exact, of x's sign.

    Half, float or double, one format for all, shapes that broadcast. fmod(±0, y) = ±0 for y other than 0 and NaN;
    fmod(x, ±inf) = x for finite x; NaN for infinite x and for y = ±0.
    Source: OpenCL C++ 1.0, 3.19.6; limit 0 ulp.

    >>> fmod(np.float32(-7.0), np.float32(3.0))
    np.float32(-1.0)
    """


@pairs_of_one
@call.planned_first(call.plan_of_floats)
def fract(
    x: FloatLike, /, *, rounding: Rounding | None = None, out: Outs = None, where: Where = True, threads: int = 1
) -> tuple[Floats, Floats]:
    """Fraction ``x - floor(x)``, kept below 1, and ``floor(x)``, as the tuple ``(fraction, floor)``.

    Half, float or double, any shape. fract(±0) = (±0, ±0); fract(±inf) = (±0, ±inf); fract(NaN) is (NaN, NaN). A
    fraction that would round to 1 becomes the largest number below 1.
    Source: OpenCL C++ 1.0, 3.19.6; limit correctly rounded.

    >>> fract(np.float32(-1.25))
    (np.float32(0.75), np.float32(-2.0))
    """
    pair: tuple[Floats, Floats] = call.floats("fract", (x,), rounding, out, where, threads=threads)
    return pair


@floats_and_ints_of_one
@call.planned_first(call.plan_of_floats)
def frexp(x: FloatLike, /, *, out: Outs = None, where: Where = True, threads: int = 1) -> tuple[Floats, Ints]:
    """Mantissa and exponent of ``x`` as the tuple ``(mantissa, exponent)``: x = mantissa * 2^exponent, exponent an int.

    Half, float or double, any shape. 1/2 <= |mantissa| < 1, exact for subnormals too; frexp(±0) = (±0, 0);
    frexp(±inf) = (±inf, 0); frexp(NaN) is (NaN, 0).
    Source: OpenCL C++ 1.0, 3.19.6; limit 0 ulp.

    >>> frexp(np.float32(-10.0))
    (np.float32(-0.625), np.int32(4))
    """
    pair: tuple[Floats, Ints] = call.floats("frexp", (x,), None, out, where, threads=threads)
    return pair


@pairs_of_one
@call.planned_first(call.plan_of_floats)
def modf(x: FloatLike, /, *, out: Outs = None, where: Where = True, threads: int = 1) -> tuple[Floats, Floats]:
    """Fractional and integral part of ``x``, both of x's sign, as the tuple ``(fraction, integral)``.

    Half, float or double, any shape. modf(±inf) = (±0, ±inf); modf(NaN) is (NaN, NaN).
    Source: OpenCL C++ 1.0, 3.19.6; limit 0 ulp.

    >>> modf(np.float32(-1.25))
    (np.float32(-0.25), np.float32(-1.0))
    """
    pair: tuple[Floats, Floats] = call.floats("modf", (x,), None, out, where, threads=threads)
    return pair


@of_one(exact)
def nan(nancode: UnsignedLike, /) -> Floats:
    """A quiet NaN whose significand carries ``nancode``.

    Any shape; the type of ``nancode`` decides the format: ushort gives half, uint float, ulong double; a Python int
    is an ulong. The low bits of the code that fit below the quiet bit are kept.
    Source: OpenCL C++ 1.0, 3.19.6; limit 0 ulp.

    >>> hex(nan(np.uint32(1)).view(np.uint32))
    '0x7fc00001'
    """


@floats_of_two(exact)
def nextafter(x: FloatLike, y: FloatLike, /) -> Floats:
    """The number of the format next to ``x`` in the direction of ``y``.

    Half, float or double, one format for all, shapes that broadcast. ``y`` itself where x = y; the smallest
    subnormal of y's sign where x is a zero and y is not; NaN where either is NaN.
    Source: OpenCL C++ 1.0, 3.19.6; limit 0 ulp.

    >>> float(nextafter(np.float32(1.0), np.float32(2.0))).hex()
    '0x1.0000020000000p+0'
    """


@floats_of_two(exact)
def remainder(x: FloatLike, y: FloatLike, /) -> Floats:
    """``x - y * n``, n the integer nearest to x / y, ties to even: exact.

    Half, float or double, one format for all, shapes that broadcast. A zero result has x's sign; remainder(x, ±inf)
    = x for finite x; NaN for infinite x and for y = ±0.
    Source: OpenCL C++ 1.0, 3.19.6; limit 0 ulp.

    >>> remainder(np.float32(5.0), np.float32(3.0))
    np.float32(-1.0)
    """


@call.planned_first(call.plan_of_floats)
def remquo(
    x: FloatLike, y: FloatLike, /, *, out: Outs = None, where: Where = True, threads: int = 1
) -> tuple[Floats, Ints]:
    """``remainder(x, y)`` and the low bits of its quotient n, with n's sign, as the tuple ``(remainder, quotient)``.

    Half, float or double, one format for both, shapes that broadcast. The quotient holds the seven low bits of |n|,
    negative where x / y is. (NaN, 0) for infinite x, for y = ±0 and where either is NaN.
    Source: OpenCL C++ 1.0, 3.19.6; limit 0 ulp and the lower 7 bits of the quotient.

    >>> remquo(np.float32(5.0), np.float32(3.0))
    (np.float32(-1.0), np.int32(2))
    """
    pair: tuple[Floats, Ints] = call.floats("remquo", (x, y), None, out, where, threads=threads)
    return pair


@floats_of_one(exact)
def rint(x: FloatLike, /) -> Floats:
    """The integral number nearest to ``x``, ties to even.

    Half, float or double, any shape. rint(±0) = ±0; rint(±inf) = ±inf; -0 for -0.5 <= x < 0.
    Source: OpenCL C++ 1.0, 3.19.6; limit correctly rounded.

    >>> rint(np.float32(2.5))
    np.float32(2.0)
    """


@floats_of_one(exact)
def round(x: FloatLike, /) -> Floats:
    """The integral number nearest to ``x``, ties away from zero.

    Half, float or double, any shape. round(±0) = ±0; round(±inf) = ±inf; -0 for -0.5 < x < 0.
    Source: OpenCL C++ 1.0, 3.19.6; limit correctly rounded.

    >>> round(np.float32(2.5))
    np.float32(3.0)
    """


@floats_of_one(exact)
def trunc(x: FloatLike, /) -> Floats:
    """``x`` without its fractional part.

    Half, float or double, any shape. trunc(±0) = ±0; trunc(±inf) = ±inf; -0 for -1 < x < 0.
    Source: OpenCL C++ 1.0, 3.19.6; limit correctly rounded.

    >>> trunc(np.float32(-2.5))
    np.float32(-2.0)
    """
