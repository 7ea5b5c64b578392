"""Error functions, gamma, hypot, mad and fabs.

``engine`` and ``threads`` decide how fast results come, never which: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.functions.families import exact, rounded, transcendental
from clmath.functions.overloads import floats_of_one, floats_of_three, floats_of_two

if TYPE_CHECKING:
    from clmath.typing import FloatLike, Floats

__all__ = [
    "erf",
    "erfc",
    "fabs",
    "hypot",
    "mad",
    "tgamma",
]


@floats_of_one(transcendental)
def erf(x: FloatLike, /) -> Floats:
    """Error function: 2/√π times the integral of exp(-t²) from 0 to ``x``.

    Half, float or double, any shape. erf(±0) = ±0; erf(±inf) = ±1.
    Source: OpenCL C++ 1.0, 3.19.8; limit 16 ulp (float, double), 4 ulp (half).

    >>> float(erf(np.float32(0.5))).hex()
    '0x1.0a7ef60000000p-1'
    """


@floats_of_one(transcendental)
def erfc(x: FloatLike, /) -> Floats:
    """Complementary error function: 1 - erf(x), accurate for large x too.

    Half, float or double, any shape. erfc(-inf) = 2; erfc(+inf) = +0.
    Source: OpenCL C++ 1.0, 3.19.8; limit 16 ulp (float, double), 4 ulp (half).

    >>> float(erfc(np.float32(2.0), rounding="rtz")).hex()
    '0x1.328f5e0000000p-8'
    """


@floats_of_one(exact)
def fabs(x: FloatLike, /) -> Floats:
    """``x`` without its sign.

    Half, float or double, any shape. fabs(±0) = +0; fabs(±inf) = +inf; a NaN keeps its payload.
    Source: OpenCL C++ 1.0, 3.19.8; limit 0 ulp.

    >>> fabs(np.float32(-2.5))
    np.float32(2.5)
    """


@floats_of_two(transcendental)
def hypot(x: FloatLike, y: FloatLike, /) -> Floats:
    """Square root of ``x² + y²``, without overflow or underflow on the way.

    Half, float or double, one format for all, shapes that broadcast. +inf if either is infinite, even if the other is
    NaN; hypot(x, ±0) = |x|.
    Source: OpenCL C++ 1.0, 3.19.8; limit 4 ulp (float, double), 2 ulp (half).

    >>> float(hypot(np.float32(1.0), np.float32(2.0), rounding="rtp")).hex()
    '0x1.1e377a0000000p+1'
    """


@floats_of_three(rounded)
def mad(a: FloatLike, b: FloatLike, c: FloatLike, /) -> Floats:
    """``a * b + c``.

    Half, float or double, one format for all, shapes that broadcast. Under ``fp_contract`` ON (the default) it is
    fma(a, b, c), rounded once; OFF, the product is rounded, then the sum.
    Source: OpenCL C++ 1.0, 3.19.8; limit correctly rounded fma, or multiply then add each correctly rounded (float,
    double), implementation-defined (half).

    >>> float(mad(np.float32(0.1), np.float32(10.0), np.float32(-1.0), rounding="rtn")).hex()
    '0x1.0000000000000p-26'
    """


@floats_of_one(transcendental)
def tgamma(x: FloatLike, /) -> Floats:
    """Gamma function Γ(x).

    Half, float or double, any shape. tgamma(±0) = ±inf; tgamma(+inf) = +inf; NaN at negative integers and at -inf.
    Source: OpenCL C++ 1.0, 3.19.8; limit 16 ulp (float, double), 4 ulp (half).

    >>> float(tgamma(np.float32(0.5))).hex()
    '0x1.c5bf8a0000000p+0'
    """
