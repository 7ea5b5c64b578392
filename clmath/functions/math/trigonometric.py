"""Trigonometric and hyperbolic functions and their inverses.

``engine`` and ``threads`` decide how fast results come, never which: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import call
from clmath.functions.families import transcendental
from clmath.functions.overloads import floats_of_one, floats_of_two, pairs_of_one

if TYPE_CHECKING:
    from clmath.typing import Engine, FloatLike, Floats, Outs, Rounding, Where

__all__ = [
    "acos",
    "acosh",
    "acospi",
    "asin",
    "asinh",
    "asinpi",
    "atan",
    "atan2",
    "atanh",
    "atanpi",
    "atan2pi",
    "cos",
    "cosh",
    "cospi",
    "sin",
    "sincos",
    "sinh",
    "sinpi",
    "tan",
    "tanh",
    "tanpi",
]


@floats_of_one(transcendental)
def acos(x: FloatLike, /) -> Floats:
    """Arc cosine of ``x``: an angle in radians, 0 to π.

    Half, float or double, any shape. acos(1) = +0; NaN for |x| > 1.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(acos(np.float32(0.5), rounding="rtp")).hex()
    '0x1.0c15240000000p+0'
    """


@floats_of_one(transcendental)
def acosh(x: FloatLike, /) -> Floats:
    """Inverse hyperbolic cosine of ``x``, the non-negative one.

    Half, float or double, any shape. acosh(1) = +0; acosh(+inf) = +inf; NaN for x < 1.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(acosh(np.float32(2.0), rounding="rtn")).hex()
    '0x1.5124260000000p+0'
    """


@floats_of_one(transcendental)
def acospi(x: FloatLike, /) -> Floats:
    """Arc cosine of ``x`` in half turns: acos(x) / π, 0 to 1.

    Half, float or double, any shape. acospi(1) = +0; acospi(±0) = 0.5; acospi(-1) = 1; NaN for |x| > 1.
    Source: OpenCL C++ 1.0, 3.19.2; limit 5 ulp (float, double), 2 ulp (half).

    >>> float(acospi(np.float32(0.25))).hex()
    '0x1.ada3980000000p-2'
    """


@floats_of_one(transcendental)
def asin(x: FloatLike, /) -> Floats:
    """Arc sine of ``x``: an angle in radians, -π/2 to π/2.

    Half, float or double, any shape. asin(±0) = ±0; NaN for |x| > 1.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(asin(np.float32(0.5), rounding="rtz")).hex()
    '0x1.0c15220000000p-1'
    """


@floats_of_one(transcendental)
def asinh(x: FloatLike, /) -> Floats:
    """Inverse hyperbolic sine of ``x``.

    Half, float or double, any shape. asinh(±0) = ±0; asinh(±inf) = ±inf.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(asinh(np.float32(2.0), rounding="rtp")).hex()
    '0x1.71921a0000000p+0'
    """


@floats_of_one(transcendental)
def asinpi(x: FloatLike, /) -> Floats:
    """Arc sine of ``x`` in half turns: asin(x) / π, -0.5 to 0.5.

    Half, float or double, any shape. asinpi(±0) = ±0; NaN for |x| > 1.
    Source: OpenCL C++ 1.0, 3.19.2; limit 5 ulp (float, double), 2 ulp (half).

    >>> float(asinpi(np.float32(0.25), rounding="rtn")).hex()
    '0x1.49719e0000000p-4'
    """


@floats_of_one(transcendental)
def atan(y_over_x: FloatLike, /) -> Floats:
    """Arc tangent of ``y_over_x``: an angle in radians, -π/2 to π/2.

    Half, float or double, any shape. atan(±0) = ±0; atan(±inf) is ±π/2, rounded.
    Source: OpenCL C++ 1.0, 3.19.2; limit 5 ulp (float, double), 2 ulp (half).

    >>> float(atan(np.float32(2.0))).hex()
    '0x1.1b6e1a0000000p+0'
    """


@floats_of_two(transcendental)
def atan2(y: FloatLike, x: FloatLike, /) -> Floats:
    """Angle in radians, -π to π, of the point with abscissa ``x`` and ordinate ``y``.

    Half, float or double, one format for all, shapes that broadcast. The signs of zeros determine the quadrant:
    atan2(±0, x) is ±0 for x = +0 or x > 0, ±π rounded for x = -0 or x < 0; atan2(y, ±0) is ±π/2 with the sign of y;
    atan2(±y, +inf) = ±0 and atan2(±y, -inf) is ±π for finite y > 0; atan2(±inf, x) is ±π/2 for finite x, ±π/4 for
    +inf, ±3π/4 for -inf.
    Source: OpenCL C++ 1.0, 3.19.2; limit 6 ulp (float, double), 2 ulp (half).

    >>> float(atan2(np.float32(1.0), np.float32(-2.0), rounding="rtz")).hex()
    '0x1.56c6e60000000p+1'
    """


@floats_of_one(transcendental)
def atanh(x: FloatLike, /) -> Floats:
    """Inverse hyperbolic tangent of ``x``.

    Half, float or double, any shape. atanh(±0) = ±0; atanh(±1) = ±inf; NaN for |x| > 1.
    Source: OpenCL C++ 1.0, 3.19.2; limit 5 ulp (float, double), 2 ulp (half).

    >>> float(atanh(np.float32(0.5), rounding="rtp")).hex()
    '0x1.193ea80000000p-1'
    """


@floats_of_one(transcendental)
def atanpi(x: FloatLike, /) -> Floats:
    """Arc tangent of ``x`` in half turns: atan(x) / π, -0.5 to 0.5.

    Half, float or double, any shape. atanpi(±0) = ±0; atanpi(±1) = ±0.25; atanpi(±inf) = ±0.5.
    Source: OpenCL C++ 1.0, 3.19.2; limit 5 ulp (float, double), 2 ulp (half).

    >>> float(atanpi(np.float32(2.0), rounding="rtn")).hex()
    '0x1.68dfd60000000p-2'
    """


@floats_of_two(transcendental)
def atan2pi(y: FloatLike, x: FloatLike, /) -> Floats:
    """Angle in half turns, -1 to 1, of the point with abscissa ``x`` and ordinate ``y``: atan2(y, x) / π.

    Half, float or double, one format for all, shapes that broadcast. atan2pi(±0, x) is ±0 for x = +0 or x > 0, ±1
    for x = -0 or x < 0; atan2pi(y, ±0) is ±0.5 with the sign of y; atan2pi(±y, +inf) = ±0 and atan2pi(±y, -inf) =
    ±1 for finite y > 0; atan2pi(±inf, x) is ±0.5 for finite x, ±0.25 for +inf, ±0.75 for -inf.
    Source: OpenCL C++ 1.0, 3.19.2; limit 6 ulp (float, double), 2 ulp (half).

    >>> float(atan2pi(np.float32(1.0), np.float32(-2.0))).hex()
    '0x1.b46fec0000000p-1'
    """


@floats_of_one(transcendental)
def cos(x: FloatLike, /) -> Floats:
    """Cosine of ``x``, an angle in radians.

    Half, float or double, any shape. cos(±0) = 1; cos(±inf) is NaN.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(cos(np.float32(0.5), rounding="rtz")).hex()
    '0x1.c152800000000p-1'
    """


@floats_of_one(transcendental)
def cosh(x: FloatLike, /) -> Floats:
    """Hyperbolic cosine of ``x``.

    Half, float or double, any shape. cosh(±0) = 1; cosh(±inf) = +inf.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(cosh(np.float32(0.5), rounding="rtp")).hex()
    '0x1.20ac1a0000000p+0'
    """


@floats_of_one(transcendental)
def cospi(x: FloatLike, /) -> Floats:
    """Cosine of ``x`` half turns: cos(πx).

    Half, float or double, any shape. cospi(±0) = 1; +0 at every n + 0.5; cospi(±inf) is NaN.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(cospi(np.float32(0.125), rounding="rtn")).hex()
    '0x1.d906bc0000000p-1'
    """


@floats_of_one(transcendental)
def sin(x: FloatLike, /) -> Floats:
    """Sine of ``x``, an angle in radians.

    Half, float or double, any shape. sin(±0) = ±0; sin(±inf) is NaN.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(sin(np.float32(0.5))).hex()
    '0x1.eaee880000000p-2'
    """


@pairs_of_one
@call.planned_first(call.plan_of_floats)
def sincos(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Outs = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> tuple[Floats, Floats]:
    """Sine and cosine of ``x``, an angle in radians, as the tuple ``(sine, cosine)``.

    Half, float or double, any shape. Each is what ``sin`` and ``cos`` give: sincos(±0) = (±0, 1); sincos(±inf) is
    (NaN, NaN).
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> sine, cosine = sincos(np.float32(0.5), rounding="rtz")
    >>> float(sine).hex(), float(cosine).hex()
    ('0x1.eaee860000000p-2', '0x1.c152800000000p-1')
    """
    pair: tuple[Floats, Floats] = call.floats("sincos", (x,), rounding, out, where, engine, threads)
    return pair


@floats_of_one(transcendental)
def sinh(x: FloatLike, /) -> Floats:
    """Hyperbolic sine of ``x``.

    Half, float or double, any shape. sinh(±0) = ±0; sinh(±inf) = ±inf.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(sinh(np.float32(0.5), rounding="rtz")).hex()
    '0x1.0acd000000000p-1'
    """


@floats_of_one(transcendental)
def sinpi(x: FloatLike, /) -> Floats:
    """Sine of ``x`` half turns: sin(πx).

    Half, float or double, any shape. sinpi(±0) = ±0; +0 at positive, -0 at negative integers; sinpi(±inf) is NaN.
    Source: OpenCL C++ 1.0, 3.19.2; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(sinpi(np.float32(0.125), rounding="rtp")).hex()
    '0x1.87de2c0000000p-2'
    """


@floats_of_one(transcendental)
def tan(x: FloatLike, /) -> Floats:
    """Tangent of ``x``, an angle in radians.

    Half, float or double, any shape. tan(±0) = ±0; tan(±inf) is NaN.
    Source: OpenCL C++ 1.0, 3.19.2; limit 5 ulp (float, double), 2 ulp (half).

    >>> float(tan(np.float32(0.5), rounding="rtn")).hex()
    '0x1.17b4f40000000p-1'
    """


@floats_of_one(transcendental)
def tanh(x: FloatLike, /) -> Floats:
    """Hyperbolic tangent of ``x``.

    Half, float or double, any shape. tanh(±0) = ±0; tanh(±inf) = ±1.
    Source: OpenCL C++ 1.0, 3.19.2; limit 5 ulp (float, double), 2 ulp (half).

    >>> float(tanh(np.float32(0.5))).hex()
    '0x1.d9353e0000000p-2'
    """


@floats_of_one(transcendental)
def tanpi(x: FloatLike, /) -> Floats:
    """Tangent of ``x`` half turns: tan(πx).

    Half, float or double, any shape. tanpi(±0) = ±0; at even integers n a zero with the sign of n, at odd ones with
    the other sign; at n + 0.5 +inf for even n, -inf for odd n; tanpi(±inf) is NaN.
    Source: OpenCL C++ 1.0, 3.19.2; limit 6 ulp (float, double), 2 ulp (half).

    >>> float(tanpi(np.float32(0.125), rounding="rtz")).hex()
    '0x1.a827980000000p-2'
    """
