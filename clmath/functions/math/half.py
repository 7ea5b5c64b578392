"""The half_* forms: float only, with the values of the precise built-ins.

``engine`` and ``threads`` decide how fast results come, never which: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import call
from clmath.functions.overloads import singles_of_one, singles_of_two

if TYPE_CHECKING:
    from clmath.typing import Engine, FloatLike, Floats, Out, Rounding, Where

__all__ = [
    "half_cos",
    "half_divide",
    "half_exp",
    "half_exp2",
    "half_exp10",
    "half_log",
    "half_log2",
    "half_log10",
    "half_powr",
    "half_recip",
    "half_rsqrt",
    "half_sin",
    "half_sqrt",
    "half_tan",
]


@singles_of_one
def half_cos(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Cosine of ``x``, an angle in radians: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``cos``. A device need only serve |x| <= 2^16.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_cos(np.float32(0.5), rounding="rtn")).hex()
    '0x1.c152800000000p-1'
    """
    return call.floats("half_cos", (x,), rounding, out, where, engine, threads)


@singles_of_two
def half_divide(
    x: FloatLike,
    y: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """Quotient ``x / y``: fast and of at least 10 bits on a device, correctly rounded here.

    Float, one format for all, shapes that broadcast. Special values are those of ``div``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_divide(np.float32(1.0), np.float32(3.0))).hex()
    '0x1.5555560000000p-2'
    """
    return call.floats("half_divide", (x, y), rounding, out, where, threads=threads)


@singles_of_one
def half_exp(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """The number e to the power ``x``: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``exp``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_exp(np.float32(0.5), rounding="rtz")).hex()
    '0x1.a612980000000p+0'
    """
    return call.floats("half_exp", (x,), rounding, out, where, engine, threads)


@singles_of_one
def half_exp2(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """2 to the power ``x``: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``exp2``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_exp2(np.float32(0.5), rounding="rtp")).hex()
    '0x1.6a09e80000000p+0'
    """
    return call.floats("half_exp2", (x,), rounding, out, where, engine, threads)


@singles_of_one
def half_exp10(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """10 to the power ``x``: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``exp10``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_exp10(np.float32(0.5), rounding="rtn")).hex()
    '0x1.94c5820000000p+1'
    """
    return call.floats("half_exp10", (x,), rounding, out, where, engine, threads)


@singles_of_one
def half_log(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Natural logarithm of ``x``: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``log``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_log(np.float32(10.0))).hex()
    '0x1.26bb1c0000000p+1'
    """
    return call.floats("half_log", (x,), rounding, out, where, engine, threads)


@singles_of_one
def half_log2(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Logarithm of ``x`` to base 2: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``log2``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_log2(np.float32(10.0), rounding="rtz")).hex()
    '0x1.a934f00000000p+1'
    """
    return call.floats("half_log2", (x,), rounding, out, where, engine, threads)


@singles_of_one
def half_log10(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Logarithm of ``x`` to base 10: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``log10``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_log10(np.float32(2.0), rounding="rtp")).hex()
    '0x1.3441360000000p-2'
    """
    return call.floats("half_log10", (x,), rounding, out, where, engine, threads)


@singles_of_two
def half_powr(
    x: FloatLike,
    y: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """``x`` to the power ``y`` for x >= 0: fast and of at least 10 bits on a device, correctly rounded here.

    Float, one format for all, shapes that broadcast. Special values are those of ``powr``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_powr(np.float32(2.0), np.float32(0.5), rounding="rtn")).hex()
    '0x1.6a09e60000000p+0'
    """
    return call.floats("half_powr", (x, y), rounding, out, where, engine, threads)


@singles_of_one
def half_recip(
    x: FloatLike, /, *, rounding: Rounding | None = None, out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """Reciprocal ``1 / x``: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``recip``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_recip(np.float32(3.0))).hex()
    '0x1.5555560000000p-2'
    """
    return call.floats("half_recip", (x,), rounding, out, where, threads=threads)


@singles_of_one
def half_rsqrt(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Reciprocal of the square root of ``x``: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``rsqrt``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_rsqrt(np.float32(2.0), rounding="rtz")).hex()
    '0x1.6a09e60000000p-1'
    """
    return call.floats("half_rsqrt", (x,), rounding, out, where, engine, threads)


@singles_of_one
def half_sin(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Sine of ``x``, an angle in radians: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``sin``. A device need only serve |x| <= 2^16.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_sin(np.float32(0.5), rounding="rtp")).hex()
    '0x1.eaee880000000p-2'
    """
    return call.floats("half_sin", (x,), rounding, out, where, engine, threads)


@singles_of_one
def half_sqrt(
    x: FloatLike, /, *, rounding: Rounding | None = None, out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """Square root of ``x``: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``sqrt``.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_sqrt(np.float32(2.0), rounding="rtn")).hex()
    '0x1.6a09e60000000p+0'
    """
    return call.floats("half_sqrt", (x,), rounding, out, where, threads=threads)


@singles_of_one
def half_tan(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Tangent of ``x``, an angle in radians: fast and of at least 10 bits on a device, correctly rounded here.

    Float, any shape. Special values are those of ``tan``. A device need only serve |x| <= 2^16.
    Source: OpenCL C++ 1.0, 3.19.10; limit 8192 ulp.

    >>> float(half_tan(np.float32(0.5))).hex()
    '0x1.17b4f60000000p-1'
    """
    return call.floats("half_tan", (x,), rounding, out, where, engine, threads)
