"""Powers and roots.

``engine`` and ``threads`` decide how fast results come, never which: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.functions.families import rounded, transcendental
from clmath.functions.overloads import floats_of_one, floats_of_one_and_int, floats_of_two

if TYPE_CHECKING:
    from clmath.typing import FloatLike, Floats, IntLike

__all__ = [
    "cbrt",
    "pow",
    "pown",
    "powr",
    "rootn",
    "rsqrt",
    "sqrt",
]


@floats_of_one(transcendental)
def cbrt(x: FloatLike, /) -> Floats:
    """Cube root of ``x``, of x's sign.

    Half, float or double, any shape. cbrt(±0) = ±0; cbrt(±inf) = ±inf.
    Source: OpenCL C++ 1.0, 3.19.3; limit 2 ulp.

    >>> float(cbrt(np.float32(2.0), rounding="rtp")).hex()
    '0x1.428a300000000p+0'
    """


@floats_of_two(transcendental)
def pow(x: FloatLike, y: FloatLike, /) -> Floats:
    """``x`` to the power ``y``, y any real number.

    Half, float or double, one format for all, shapes that broadcast. pow(x, ±0) = 1 and pow(1, y) = 1, even for
    NaN; pow(-1, ±inf) = 1; NaN for finite x < 0 and finite non-integer y. pow(±0, y) is ±0 for odd y > 0, +0
    for other y > 0, ±inf for odd y < 0, +inf for other y < 0, -inf included. pow(x, +inf) is +inf for |x| > 1, +0
    for |x| < 1; pow(x, -inf) the other way round. pow(+inf, y) is +inf for y > 0, +0 for y < 0;
    pow(-inf, y) likewise, negative (-inf, -0) for odd y.
    Source: OpenCL C++ 1.0, 3.19.3; limit 16 ulp (float, double), 4 ulp (half).

    >>> float(pow(np.float32(2.0), np.float32(0.5), rounding="rtn")).hex()
    '0x1.6a09e60000000p+0'
    """


@floats_of_one_and_int(transcendental)
def pown(x: FloatLike, y: IntLike, /) -> Floats:
    """``x`` to the power ``y``, y an int.

    Half, float or double and int, shapes that broadcast. pown(x, 0) = 1 for every x, even NaN; pown(±0, y) is ±0
    for odd y > 0, +0 for even y > 0, ±inf for odd y < 0, +inf for even y < 0.
    Source: OpenCL C++ 1.0, 3.19.3; limit 16 ulp (float, double), 4 ulp (half).

    >>> float(pown(np.float32(0.1), 3)).hex()
    '0x1.0624de0000000p-10'
    """


@floats_of_two(transcendental)
def powr(x: FloatLike, y: FloatLike, /) -> Floats:
    """``x`` to the power ``y`` for x >= 0: exp(y * log(x)).

    Half, float or double, one format for all, shapes that broadcast. NaN for x < 0, for powr(±0, ±0), powr(+inf,
    ±0), powr(1, ±inf) and wherever an argument is NaN. powr(±0, y) is +0 for y > 0, +inf for y < 0, -inf included;
    powr(x, ±0) = 1 for finite x > 0; powr(1, y) = 1 for finite y.
    Source: OpenCL C++ 1.0, 3.19.3; limit 16 ulp (float, double), 4 ulp (half).

    >>> float(powr(np.float32(2.0), np.float32(0.5), rounding="rtz")).hex()
    '0x1.6a09e60000000p+0'
    """


@floats_of_one_and_int(transcendental)
def rootn(x: FloatLike, y: IntLike, /) -> Floats:
    """The ``y``-th root of ``x``: x to the power 1/y, y an int.

    Half, float or double and int, shapes that broadcast. rootn(x, 0) is NaN, and so is rootn(x, y) for x < 0 and
    even y; for odd y the root has x's sign. rootn(±0, y) is ±0 for odd y > 0, +0 for even y > 0, ±inf for odd y <
    0, +inf for even y < 0.
    Source: OpenCL C++ 1.0, 3.19.3; limit 16 ulp (float, double), 4 ulp (half).

    >>> float(rootn(np.float32(10.0), 3, rounding="rtp")).hex()
    '0x1.13c4860000000p+1'
    """


@floats_of_one(transcendental)
def rsqrt(x: FloatLike, /) -> Floats:
    """Reciprocal of the square root of ``x``.

    Half, float or double, any shape. rsqrt(±0) = ±inf; rsqrt(+inf) = +0; NaN for x < 0.
    Source: OpenCL C++ 1.0, 3.19.3; limit 2 ulp (float, double), 1 ulp (half).

    >>> float(rsqrt(np.float32(2.0), rounding="rtn")).hex()
    '0x1.6a09e60000000p-1'
    """


@floats_of_one(rounded)
def sqrt(x: FloatLike, /) -> Floats:
    """Square root of ``x``.

    Half, float or double, any shape. sqrt(±0) = ±0; sqrt(+inf) = +inf; NaN for x < 0.
    Source: OpenCL C++ 1.0, 3.19.3; limit 3 ulp (float), correctly rounded (double, half).

    >>> float(sqrt(np.float32(2.0))).hex()
    '0x1.6a09e60000000p+0'
    """
