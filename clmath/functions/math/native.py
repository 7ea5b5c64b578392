"""The native_* forms: float only, with the values of the precise built-ins.

``engine`` and ``threads`` decide how fast results come, never which: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import call
from clmath.functions.overloads import singles_of_one, singles_of_two

if TYPE_CHECKING:
    from clmath.typing import Engine, FloatLike, Floats, Out, Rounding, Where

__all__ = [
    "native_cos",
    "native_divide",
    "native_exp",
    "native_exp2",
    "native_exp10",
    "native_log",
    "native_log2",
    "native_log10",
    "native_powr",
    "native_recip",
    "native_rsqrt",
    "native_sin",
    "native_sqrt",
    "native_tan",
]


@singles_of_one
def native_cos(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Cosine of ``x``, an angle in radians: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``cos``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_cos(np.float32(0.5), rounding="rtz")).hex()
    '0x1.c152800000000p-1'
    """
    return call.floats("native_cos", (x,), rounding, out, where, engine, threads)


@singles_of_two
def native_divide(
    x: FloatLike,
    y: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """Quotient ``x / y``: fast and of any accuracy on a device, correctly rounded here.

    Float, one format for all, shapes that broadcast. Special values are those of ``div``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_divide(np.float32(1.0), np.float32(3.0), rounding="rtp")).hex()
    '0x1.5555560000000p-2'
    """
    return call.floats("native_divide", (x, y), rounding, out, where, threads=threads)


@singles_of_one
def native_exp(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """The number e to the power ``x``: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``exp``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_exp(np.float32(0.5), rounding="rtn")).hex()
    '0x1.a612980000000p+0'
    """
    return call.floats("native_exp", (x,), rounding, out, where, engine, threads)


@singles_of_one
def native_exp2(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """2 to the power ``x``: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``exp2``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_exp2(np.float32(0.5))).hex()
    '0x1.6a09e60000000p+0'
    """
    return call.floats("native_exp2", (x,), rounding, out, where, engine, threads)


@singles_of_one
def native_exp10(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """10 to the power ``x``: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``exp10``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_exp10(np.float32(0.5), rounding="rtz")).hex()
    '0x1.94c5820000000p+1'
    """
    return call.floats("native_exp10", (x,), rounding, out, where, engine, threads)


@singles_of_one
def native_log(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Natural logarithm of ``x``: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``log``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_log(np.float32(10.0), rounding="rtp")).hex()
    '0x1.26bb1c0000000p+1'
    """
    return call.floats("native_log", (x,), rounding, out, where, engine, threads)


@singles_of_one
def native_log2(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Logarithm of ``x`` to base 2: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``log2``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_log2(np.float32(10.0), rounding="rtn")).hex()
    '0x1.a934f00000000p+1'
    """
    return call.floats("native_log2", (x,), rounding, out, where, engine, threads)


@singles_of_one
def native_log10(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Logarithm of ``x`` to base 10: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``log10``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_log10(np.float32(2.0))).hex()
    '0x1.3441360000000p-2'
    """
    return call.floats("native_log10", (x,), rounding, out, where, engine, threads)


@singles_of_two
def native_powr(
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
    """``x`` to the power ``y`` for x >= 0: fast and of any accuracy on a device, correctly rounded here.

    Float, one format for all, shapes that broadcast. Special values are those of ``powr``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_powr(np.float32(2.0), np.float32(0.5), rounding="rtz")).hex()
    '0x1.6a09e60000000p+0'
    """
    return call.floats("native_powr", (x, y), rounding, out, where, engine, threads)


@singles_of_one
def native_recip(
    x: FloatLike, /, *, rounding: Rounding | None = None, out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """Reciprocal ``1 / x``: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``recip``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_recip(np.float32(3.0), rounding="rtp")).hex()
    '0x1.5555560000000p-2'
    """
    return call.floats("native_recip", (x,), rounding, out, where, threads=threads)


@singles_of_one
def native_rsqrt(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Reciprocal of the square root of ``x``: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``rsqrt``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_rsqrt(np.float32(2.0), rounding="rtn")).hex()
    '0x1.6a09e60000000p-1'
    """
    return call.floats("native_rsqrt", (x,), rounding, out, where, engine, threads)


@singles_of_one
def native_sin(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Sine of ``x``, an angle in radians: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``sin``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_sin(np.float32(0.5))).hex()
    '0x1.eaee880000000p-2'
    """
    return call.floats("native_sin", (x,), rounding, out, where, engine, threads)


@singles_of_one
def native_sqrt(
    x: FloatLike, /, *, rounding: Rounding | None = None, out: Out = None, where: Where = True, threads: int = 1
) -> Floats:
    """Square root of ``x``: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``sqrt``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_sqrt(np.float32(2.0), rounding="rtz")).hex()
    '0x1.6a09e60000000p+0'
    """
    return call.floats("native_sqrt", (x,), rounding, out, where, threads=threads)


@singles_of_one
def native_tan(
    x: FloatLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    engine: Engine = "auto",
    threads: int = 1,
) -> Floats:
    """Tangent of ``x``, an angle in radians: fast and of any accuracy on a device, correctly rounded here.

    Float, any shape. Special values are those of ``tan``.
    Source: OpenCL C++ 1.0, 3.19.9; limit implementation-defined.

    >>> float(native_tan(np.float32(0.5), rounding="rtp")).hex()
    '0x1.17b4f60000000p-1'
    """
    return call.floats("native_tan", (x,), rounding, out, where, engine, threads)
