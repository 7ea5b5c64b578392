"""Logarithms, exponents and the logarithm of the gamma function.

``engine`` and ``threads`` decide how fast results come, never which: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import call
from clmath.functions.families import exact, of_one, transcendental
from clmath.functions.overloads import floats_and_ints_of_one, floats_of_one

if TYPE_CHECKING:
    from clmath.typing import Engine, FloatLike, Floats, Ints, Outs, Rounding, Where

__all__ = [
    "ilogb",
    "lgamma",
    "lgamma_r",
    "log",
    "log2",
    "log10",
    "log1p",
    "logb",
]


@of_one(exact)
def ilogb(x: FloatLike, /) -> Ints:
    """Exponent of ``x`` as an int: floor(log2 |x|), exact for subnormals too.

    Half, float or double, any shape. ilogb(±0) = FP_ILOGB0; ilogb(NaN) = FP_ILOGBNAN; ilogb(±inf) = INT_MAX.
    Source: OpenCL C++ 1.0, 3.19.4; limit 0 ulp.

    >>> ilogb(np.float32(10.0))
    np.int32(3)
    """


@floats_of_one(transcendental)
def lgamma(x: FloatLike, /) -> Floats:
    """Natural logarithm of |Γ(x)|.

    Half, float or double, any shape. lgamma(1) = lgamma(2) = +0; +inf at ±0, at negative integers and at ±inf.
    Source: OpenCL C++ 1.0, 3.19.4; no limit given.

    >>> float(lgamma(np.float32(0.5), rounding="rtz")).hex()
    '0x1.250d040000000p-1'
    """


@floats_and_ints_of_one
@call.planned_first(call.plan_of_floats)
def lgamma_r(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Outs = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> tuple[Floats, Ints]:
    """Natural logarithm of |Γ(x)| and the sign of Γ(x), as the tuple ``(logarithm, sign)``.

    Half, float or double, any shape. The logarithm equals ``lgamma``; the sign is an int, 1 or -1, and 0 at ±0
    and at negative integers.
    Source: OpenCL C++ 1.0, 3.19.4; no limit given.

    >>> logarithm, sign = lgamma_r(np.float32(-0.5), rounding="rtz")
    >>> float(logarithm).hex(), sign
    ('0x1.43f89a0000000p+0', np.int32(-1))
    """
    pair: tuple[Floats, Ints] = call.floats("lgamma_r", (x,), rounding, out, where, engine, threads)
    return pair


@floats_of_one(transcendental)
def log(x: FloatLike, /) -> Floats:
    """Natural logarithm of ``x``.

    Half, float or double, any shape. log(±0) = -inf; log(1) = +0; log(+inf) = +inf; NaN for x < 0.
    Source: OpenCL C++ 1.0, 3.19.4; limit 3 ulp (float, double), 2 ulp (half).

    >>> float(log(np.float32(10.0), rounding="rtp")).hex()
    '0x1.26bb1c0000000p+1'
    """


@floats_of_one(transcendental)
def log2(x: FloatLike, /) -> Floats:
    """Logarithm of ``x`` to base 2.

    Half, float or double, any shape. log2(±0) = -inf; log2(1) = +0; log2(+inf) = +inf; NaN for x < 0.
    Source: OpenCL C++ 1.0, 3.19.4; limit 3 ulp (float, double), 2 ulp (half).

    >>> float(log2(np.float32(10.0), rounding="rtn")).hex()
    '0x1.a934f00000000p+1'
    """


@floats_of_one(transcendental)
def log10(x: FloatLike, /) -> Floats:
    """Logarithm of ``x`` to base 10.

    Half, float or double, any shape. log10(±0) = -inf; log10(1) = +0; log10(+inf) = +inf; NaN for x < 0.
    Source: OpenCL C++ 1.0, 3.19.4; limit 3 ulp (float, double), 2 ulp (half).

    >>> float(log10(np.float32(2.0))).hex()
    '0x1.3441360000000p-2'
    """


@floats_of_one(transcendental)
def log1p(x: FloatLike, /) -> Floats:
    """Natural logarithm of 1 + ``x``, accurate for small x too.

    Half, float or double, any shape. log1p(±0) = ±0; log1p(-1) = -inf; log1p(+inf) = +inf; NaN for x < -1.
    Source: OpenCL C++ 1.0, 3.19.4; limit 2 ulp.

    >>> float(log1p(np.float32(0.5), rounding="rtz")).hex()
    '0x1.9f323e0000000p-2'
    """


@floats_of_one(exact)
def logb(x: FloatLike, /) -> Floats:
    """Exponent of ``x`` as a number of x's format: floor(log2 |x|), exact for subnormals too.

    Half, float or double, any shape. logb(±0) = -inf; logb(±inf) = +inf.
    Source: OpenCL C++ 1.0, 3.19.4; limit 0 ulp.

    >>> logb(np.float32(-10.0))
    np.float32(3.0)
    """
