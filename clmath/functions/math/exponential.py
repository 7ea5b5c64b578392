"""Exponentials and scaling by powers of two.

``engine`` and ``threads`` decide how fast results come, never which: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.functions.families import rounded, transcendental
from clmath.functions.overloads import floats_of_one, floats_of_one_and_int

if TYPE_CHECKING:
    from clmath.typing import FloatLike, Floats, IntLike

__all__ = [
    "exp",
    "exp2",
    "exp10",
    "expm1",
    "ldexp",
]


@floats_of_one(transcendental)
def exp(x: FloatLike, /) -> Floats:
    """The number e to the power ``x``.

    Half, float or double, any shape. exp(±0) = 1; exp(-inf) = +0; exp(+inf) = +inf.
    Source: OpenCL C++ 1.0, 3.19.5; limit 3 ulp (float, double), 2 ulp (half).

    >>> float(exp(np.float32(0.5), rounding="rtp")).hex()
    '0x1.a6129a0000000p+0'
    """


@floats_of_one(transcendental)
def exp2(x: FloatLike, /) -> Floats:
    """2 to the power ``x``.

    Half, float or double, any shape. exp2(±0) = 1; exp2(-inf) = +0; exp2(+inf) = +inf.
    Source: OpenCL C++ 1.0, 3.19.5; limit 3 ulp (float, double), 2 ulp (half).

    >>> float(exp2(np.float32(0.5), rounding="rtn")).hex()
    '0x1.6a09e60000000p+0'
    """


@floats_of_one(transcendental)
def exp10(x: FloatLike, /) -> Floats:
    """10 to the power ``x``.

    Half, float or double, any shape. exp10(±0) = 1; exp10(-inf) = +0; exp10(+inf) = +inf.
    Source: OpenCL C++ 1.0, 3.19.5; limit 3 ulp (float, double), 2 ulp (half).

    >>> float(exp10(np.float32(0.5))).hex()
    '0x1.94c5840000000p+1'
    """


@floats_of_one(transcendental)
def expm1(x: FloatLike, /) -> Floats:
    """The number e to the power ``x``, less 1, accurate for small x too.

    Half, float or double, any shape. expm1(±0) = ±0; expm1(-inf) = -1; expm1(+inf) = +inf.
    Source: OpenCL C++ 1.0, 3.19.5; limit 3 ulp (float, double), 2 ulp (half).

    >>> float(expm1(np.float32(0.5), rounding="rtz")).hex()
    '0x1.4c25300000000p-1'
    """


@floats_of_one_and_int(rounded)
def ldexp(x: FloatLike, k: IntLike, /) -> Floats:
    """``x`` times 2 to the power ``k``, k an int; rounded once if the result is subnormal.

    Half, float or double and int, shapes that broadcast. Zeros and infinities stay, NaN stays NaN, for any k.
    Source: OpenCL C++ 1.0, 3.19.5; limit correctly rounded.

    >>> ldexp(np.float32(0.75), -149, rounding="rtz")
    np.float32(0.0)
    """
