"""The larger and the smaller number, and the positive difference.

``threads`` changes the speed, never the results: see ``help(clmath)``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.functions.families import exact, rounded
from clmath.functions.overloads import floats_of_two

if TYPE_CHECKING:
    from clmath.typing import FloatLike, Floats

__all__ = [
    "fdim",
    "fmax",
    "fmin",
    "maxmag",
    "minmag",
]


@floats_of_two(rounded)
def fdim(x: FloatLike, y: FloatLike, /) -> Floats:
    """Positive difference: ``x - y``, rounded once, where x > y, otherwise +0.

    Half, float or double, one format for all, shapes that broadcast. NaN where either is NaN.
    Source: OpenCL C++ 1.0, 3.19.7; limit correctly rounded.

    >>> float(fdim(np.float32(1.0), np.float32(0.1), rounding="rtn")).hex()
    '0x1.cccccc0000000p-1'
    """


@floats_of_two(exact)
def fmax(x: FloatLike, y: FloatLike, /) -> Floats:
    """The larger of ``x`` and ``y``: y where x < y, otherwise x.

    Half, float or double, one format for both, shapes that broadcast. A NaN gives way to the other argument; NaN
    if both are. For two zeros the result is x.
    Source: OpenCL C++ 1.0, 3.19.7; limit 0 ulp.

    >>> fmax(np.float32(2.0), np.float32(np.nan))
    np.float32(2.0)
    """


@floats_of_two(exact)
def fmin(x: FloatLike, y: FloatLike, /) -> Floats:
    """The smaller of ``x`` and ``y``: y where y < x, otherwise x.

    Half, float or double, one format for both, shapes that broadcast. A NaN gives way to the other argument; NaN
    if both are. For two zeros the result is x.
    Source: OpenCL C++ 1.0, 3.19.7; limit 0 ulp.

    >>> fmin(np.float32(2.0), np.float32(np.nan))
    np.float32(2.0)
    """


@floats_of_two(exact)
def maxmag(x: FloatLike, y: FloatLike, /) -> Floats:
    """The argument of larger magnitude; ``fmax(x, y)`` if the magnitudes are equal.

    Half, float or double, one format for all, shapes that broadcast. A NaN gives way to the other argument; NaN
    if both are.
    Source: OpenCL C++ 1.0, 3.19.7; limit 0 ulp.

    >>> maxmag(np.float32(2.0), np.float32(-3.0))
    np.float32(-3.0)
    """


@floats_of_two(exact)
def minmag(x: FloatLike, y: FloatLike, /) -> Floats:
    """The argument of smaller magnitude; ``fmin(x, y)`` if the magnitudes are equal.

    Half, float or double, one format for all, shapes that broadcast. A NaN gives way to the other argument; NaN
    if both are.
    Source: OpenCL C++ 1.0, 3.19.7; limit 0 ulp.

    >>> minmag(np.float32(2.0), np.float32(-2.0))
    np.float32(-2.0)
    """
