"""Geometric functions: products, lengths and directions of vectors of 1 to 4 components, the last axis.

``threads`` changes the speed, never the results: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import call
from clmath.functions import integer
from clmath.functions.families import of_one, of_two, rounded
from clmath.functions.overloads import floats_of_one, floats_of_two, singles_of_one

if TYPE_CHECKING:
    from clmath.typing import FloatLike, Floats, IntLike, Ints, Out, Rounding, Where

__all__ = [
    "cross",
    "dot",
    "distance",
    "length",
    "normalize",
    "fast_distance",
    "fast_length",
    "fast_normalize",
]


@floats_of_two(rounded)
def cross(p0: FloatLike, p1: FloatLike, /) -> Floats:
    """Cross product of vectors of 3 components; for 4 components the last component of the result is +0.

    Half, float or double, one format for both; the last axis holds 3 or 4 components, the axes before it broadcast.
    Under ``fp_contract`` ON (the default) x = p0.y * p1.z - p0.z * p1.y is exact and rounded once, without overflow or
    underflow on the way; OFF, x = p0.y * p1.z + -p0.z * p1.y, both products and the sum rounded, so that rtp still
    gives upper and rtn lower bounds; y and z likewise.
    Source: OpenCL C++ 1.0, 3.18.2; limit derived p0 × p1 in rounded steps or absolute max * max * 3 * EPSILON
    (half), derived p0 × p1 in rounded steps (float, double).

    >>> cross(np.float32([1.0, 2.0, 3.0]), np.float32([4.0, 5.0, 6.0]))
    array([-3.,  6., -3.], dtype=float32)
    """


@call.planned_first(call.plan_of_floats)
def dot(
    p0: FloatLike | IntLike,
    p1: FloatLike | IntLike,
    /,
    *,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats | Ints:
    """Dot product: the sum of the products of the components of ``p0`` and ``p1``.

    Half, float or double, one format for both; the last axis holds 1 to 4 components, the axes before it broadcast; the
    result is without the last axis. Under ``fp_contract`` ON (the default) it is the exact sum, rounded once,
    without overflow or underflow on the way; OFF, every product and every sum, from the first component on, is rounded.
    For char4 and uchar4, each argument by itself, it is exact in every mode, uint if both are uchar4, otherwise int, by
    cl_khr_integer_dot_product.
    Source: OpenCL C++ 1.0, 3.18.2; limit derived p0 · p1 in rounded steps or absolute max * max * (2n - 1) *
    EPSILON (half), derived p0 · p1 in rounded steps (float, double).

    >>> dot(np.float32([1.0, 2.0, 3.0]), np.float32([4.0, 5.0, 6.0]))
    np.float32(32.0)
    """
    if call.all_integers(p0, p1) and _hold_bytes(p0, p1):
        return integer.of_bytes("dot", (p0, p1), (), out, where, threads)  # type: ignore[arg-type]
    return call.floats("dot", (p0, p1), rounding, out, where, threads=threads)


def _hold_bytes(*vectors: object) -> bool:
    try:
        return all(np.asarray(v).dtype.itemsize == 1 for v in vectors)
    except ValueError:  # a ragged list
        return False


@of_two(rounded)
def distance(p0: FloatLike, p1: FloatLike, /) -> Floats:
    """Distance of ``p0`` and ``p1``, the length of their exact difference, rounded once.

    Half, float or double, one format for both; the last axis holds 1 to 4 components, the axes before it broadcast; the
    result is without the last axis. No overflow or underflow on the way. NaN if a difference is NaN, otherwise
    +inf if one is infinite.
    Source: OpenCL C++ 1.0, 3.18.2; limit 2n ulp (half), 4 ulp + relative 2^-12 (float), 4 ulp +
    relative 2^-26 (double).

    >>> distance(np.float32([1.0, 2.0]), np.float32([4.0, 6.0]))
    np.float32(5.0)
    """


@of_one(rounded)
def length(p: FloatLike, /) -> Floats:
    """Length of ``p``: the square root of the sum of the squares of its components, rounded once.

    Half, float or double; the last axis holds 1 to 4 components, the result is without it. No overflow or underflow on
    the way. NaN if a component is NaN, otherwise +inf if one is infinite.
    Source: OpenCL C++ 1.0, 3.18.2; limit 0.25 + 0.5n ulp (half), 4 ulp + relative 2^-12 (float), 4 ulp +
    relative 2^-26 (double).

    >>> length(np.float64([3e300, 4e300]))
    np.float64(5e+300)
    """


@floats_of_one(rounded)
def normalize(p: FloatLike, /) -> Floats:
    """The vector of length 1 in the direction of ``p``: each component divided by the length, rounded once.

    Half, float or double; the last axis holds 1 to 4 components. No overflow or underflow on the way. A vector of zeros
    stays unchanged; a NaN component makes all components NaN; infinite components count as ±1 and the others as ±0.
    Source: OpenCL C++ 1.0, 3.18.2 and 4.5.1; limit 1 + n ulp (half), 4 ulp + relative 2^-12 (float), 4 ulp +
    relative 2^-26 (double).

    >>> normalize(np.float32([0.0, -np.inf]))
    array([ 0., -1.], dtype=float32)
    """


@of_two(rounded)
def fast_distance(p0: FloatLike, p1: FloatLike, /) -> Floats:
    """Distance of ``p0`` and ``p1``: fast on a device, the value of ``distance`` here.

    Float; the last axis holds 1 to 4 components, the axes before it broadcast; the result is without the last axis.
    Source: OpenCL C++ 1.0, 3.18.2; limit 8192 ulp of the root of rounded squares or 8193 + n ulp.

    >>> fast_distance(np.float32([1.0, 2.0]), np.float32([4.0, 6.0]))
    np.float32(5.0)
    """


@of_one(rounded)
def fast_length(p: FloatLike, /) -> Floats:
    """Length of ``p``: fast on a device, the value of ``length`` here.

    Float; the last axis holds 1 to 4 components, the result is without it.
    Source: OpenCL C++ 1.0, 3.18.2; limit 8192 ulp of the root of rounded squares or 8192 + n ulp.

    >>> fast_length(np.float32([3.0, 4.0]))
    np.float32(5.0)
    """


@singles_of_one(rounded)
def fast_normalize(p: FloatLike, /) -> Floats:
    """The vector of length 1 in the direction of ``p``: fast on a device, the value of ``normalize`` here.

    Float; the last axis holds 1 to 4 components. A device may return any value if the sum of squares exceeds the
    largest float, and p itself if it is below the smallest normal one.
    Source: OpenCL C++ 1.0, 3.18.2; limit 8192 ulp.

    >>> fast_normalize(np.float32([0.0, -2.0]))
    array([ 0., -1.], dtype=float32)
    """
