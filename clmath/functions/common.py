"""Common functions: clamping, blending, thresholds and angles.

``threads`` changes the speed, never the results: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import call
from clmath.functions.families import Arguments, exact, of_three, planned_by, rounded
from clmath.functions.overloads import floats_of_one, floats_of_three, floats_of_two, numbers_of_two

if TYPE_CHECKING:
    from clmath.typing import FloatLike, Floats, IntLike, Ints, Out, Where

__all__ = [
    "clamp",
    "degrees",
    "max",
    "min",
    "mix",
    "radians",
    "step",
    "smoothstep",
    "sign",
]


@planned_by(call.plan_of_numbers)
def shared(name: str, args: Arguments, /, *, out: Out = None, where: Where = True, threads: int = 1) -> Floats | Ints:
    """Evaluate a built-in of integers if all arguments are, otherwise of floating-point numbers."""
    if call.all_integers(*args):
        return call.bits(name, args, out, where, threads=threads)
    return call.floats(name, args, None, out, where, threads=threads)


@of_three(shared)
def clamp(x: FloatLike | IntLike, minval: FloatLike | IntLike, maxval: FloatLike | IntLike, /) -> Floats | Ints:
    """``x`` kept within ``minval`` and ``maxval``: fmin(fmax(x, minval), maxval).

    Half, float or double, one format for all, shapes that broadcast. Integers too, of one type. NaN bounds are
    ignored, a NaN x gives minval. Where minval > maxval, which the specification leaves undefined, the formula
    gives maxval.
    Source: OpenCL C++ 1.0, 3.17.2 and 3.20.3; limit 0 ulp.

    >>> clamp(np.float32(7.0), 0.0, 1.0)
    np.float32(1.0)
    """


@floats_of_one(rounded)
def degrees(radians: FloatLike, /) -> Floats:
    """An angle from ``radians`` to degrees: (180 / π) * radians, π exact, rounded once.

    Half, float or double, any shape. degrees(±0) = ±0; degrees(±inf) = ±inf.
    Source: OpenCL C++ 1.0, 3.17.2; limit 2 ulp (half), derived (180 / π) * radians in rounded steps, /
    within 2.5 ulp (float), derived (180 / π) * radians in rounded steps (double).

    >>> float(degrees(np.float32(1.0), rounding="rtz")).hex()
    '0x1.ca5dc00000000p+5'
    """


@numbers_of_two(shared)
def max(x: FloatLike | IntLike, y: FloatLike | IntLike, /) -> Floats | Ints:
    """The larger of ``x`` and ``y``: y where x < y, otherwise x.

    Half, float or double, one format for all, shapes that broadcast. Integers too, of one type. Infinities and NaN,
    which the specification leaves undefined, follow the same comparison: x where either is NaN.
    Source: OpenCL C++ 1.0, 3.17.2 and 3.20.3; limit 0 ulp.

    >>> max(np.float32(2.0), np.float32(3.0))
    np.float32(3.0)
    """


@numbers_of_two(shared)
def min(x: FloatLike | IntLike, y: FloatLike | IntLike, /) -> Floats | Ints:
    """The smaller of ``x`` and ``y``: y where y < x, otherwise x.

    Half, float or double, one format for all, shapes that broadcast. Integers too, of one type. Infinities and NaN,
    which the specification leaves undefined, follow the same comparison: x where either is NaN.
    Source: OpenCL C++ 1.0, 3.17.2 and 3.20.3; limit 0 ulp.

    >>> min(np.float32(2.0), np.float32(3.0))
    np.float32(2.0)
    """


@floats_of_three(rounded)
def mix(x: FloatLike, y: FloatLike, a: FloatLike, /) -> Floats:
    """Linear blend of ``x`` and ``y`` by ``a``: x + (y - x) * a.

    Half, float or double, one format for all, shapes that broadcast. The specification defines it by this formula, so
    every operation is rounded in ``rounding`` and the result may be ulps away from the exact blend. Under
    ``fp_contract`` ON (the default) it is fma(y - x, a, x), two roundings; OFF, the difference, the product and the sum
    are each rounded. Where y - x overflows, the result is far from the blend: infinite, NaN or, in rtz, finite.
    The specification defines it for 0 <= a <= 1; the formula holds for every a.
    Source: OpenCL C++ 1.0, 3.17.2; limit implementation-defined (half), derived x + (y - x) * a in rounded
    steps (float, double).

    >>> mix(np.float32(2.0), np.float32(4.0), 0.25)
    np.float32(2.5)
    """


@floats_of_one(rounded)
def radians(degrees: FloatLike, /) -> Floats:
    """An angle from ``degrees`` to radians: (π / 180) * degrees, π exact, rounded once.

    Half, float or double, any shape. radians(±0) = ±0; radians(±inf) = ±inf.
    Source: OpenCL C++ 1.0, 3.17.2; limit 2 ulp (half), derived (π / 180) * degrees in rounded steps, /
    within 2.5 ulp (float), derived (π / 180) * degrees in rounded steps (double).

    >>> float(radians(np.float32(90.0), rounding="rtp")).hex()
    '0x1.921fb60000000p+0'
    """


@floats_of_two(exact)
def step(edge: FloatLike, x: FloatLike, /) -> Floats:
    """0 where ``x`` < ``edge``, otherwise 1.

    Half, float or double, one format for all, shapes that broadcast. 1 where either is NaN.
    Source: OpenCL C++ 1.0, 3.17.2; limit 0 ulp.

    >>> step(np.float32(0.5), np.float32(0.25))
    np.float32(0.0)
    """


@floats_of_three(rounded)
def smoothstep(edge0: FloatLike, edge1: FloatLike, x: FloatLike, /) -> Floats:
    """0 up to ``edge0``, 1 from ``edge1``, and a smooth cubic t²(3 - 2t) between, t = (x - edge0) / (edge1 - edge0).

    Half, float or double, one format for all, shapes that broadcast. The specification defines it by this formula, so
    every operation is rounded in ``rounding`` and the result may be ulps away from the exact cubic: both differences,
    t, 3 - 2t, t * t and its product with that; t is clamped to [0, 1]. ``fp_contract`` changes nothing, as 2t is
    exact. Where edge1 - edge0 overflows, the result is far from the cubic. NaN where an argument is NaN. For edge0 >=
    edge1, which the specification leaves undefined, 0 where x <= edge0, otherwise 1.
    Source: OpenCL C++ 1.0, 3.17.2; limit implementation-defined (half), derived t * t * (3 - 2 * t) with t =
    clamp((x - edge0) / (edge1 - edge0), 0, 1) in rounded steps, / within 2.5 ulp (float), derived t * t * (3 - 2 * t)
    with t = clamp((x - edge0) / (edge1 - edge0), 0, 1) in rounded steps (double).

    >>> smoothstep(np.float32(0.0), np.float32(2.0), np.float32(0.5))
    np.float32(0.15625)
    """


@floats_of_one(exact)
def sign(x: FloatLike, /) -> Floats:
    """1 for ``x`` > 0, -1 for x < 0.

    Half, float or double, any shape. sign(±0) = ±0; sign(NaN) = +0.
    Source: OpenCL C++ 1.0, 3.17.2; limit 0 ulp.

    >>> sign(np.float32(-2.5))
    np.float32(-1.0)
    """
