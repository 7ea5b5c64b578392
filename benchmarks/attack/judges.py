"""Real errors as shares of bounds: quickly, by a kernel that bounds more closely, and surely, by MPFR."""

from __future__ import annotations

from typing import TYPE_CHECKING

import gmpy2
import numpy as np

from clmath.kernels import DOUBLE as DOUBLES
from clmath.numbers.formats import DOUBLE
from clmath.reference.arithmetic import Arithmetic
from clmath.reference.operations import operation

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.kernels import Kernel

__all__ = ["by_a_closer_kernel", "by_mpfr"]

BITS = 300
BLOCK = 1 << 14  # lanes whose temporaries stay in a cache
SMALLEST, LARGEST = 2.0**-152, 2.0**130  # values of quick kernels beyond these only round like the exact ones
LEAST, GREATEST = -1080, 1026  # the same of double kernels, by exponents


def by_a_closer_kernel(kernel: Kernel, args: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """The share of its bound that each lane's error takes; 0 where the kernel claims to be exact, or nobody knows."""
    share = _of_quick if kernel.rung == "quick" else _of_double
    blocks = range(0, args[0].size, BLOCK)
    with np.errstate(all="ignore"):
        return np.concatenate([share(kernel, [a[i : i + BLOCK] for a in args]) for i in blocks])


def _of_quick(kernel: Kernel, args: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    value, err = kernel.function(*args)
    hi, lo, _, exponent = DOUBLES.kernels[kernel.name].function(*args)
    off = (value - np.ldexp(hi, exponent)) - np.ldexp(lo, exponent)
    is_in_range = (np.abs(value) > SMALLEST) & (np.abs(value) < LARGEST)
    return np.where(is_in_range, _share(off, err - np.spacing(np.abs(value) + err) / 2.0), 0.0)


def _of_double(kernel: Kernel, args: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    hi, lo, err, exponent = kernel.function(*args)
    if kernel.narrowing_function is None:
        return np.zeros(args[0].shape)
    closer_hi, closer_lo, *_ = kernel.narrowing_function(*args, hi, lo, err, exponent)
    power = np.frexp(hi)[1] + exponent
    is_in_range = (power > LEAST) & (power < GREATEST)
    return np.where(is_in_range, _share((hi - closer_hi) + (lo - closer_lo), err), 0.0)


def _share(off: NDArray[np.float64], bound: NDArray[np.float64]) -> NDArray[np.float64]:
    share = np.abs(off) / bound
    return np.where((bound > 0.0) & np.isfinite(share), share, 0.0)


def by_mpfr(kernel: Kernel, args: Sequence[NDArray[np.float64]], integers: Sequence[bool]) -> list[float]:
    """The same by MPFR; quick kernels' bounds less the rounding of value -+ err, as their proofs have it."""
    with np.errstate(all="ignore"):
        parts = [np.broadcast_to(part, args[0].shape) for part in kernel.function(*args)]
    function = operation(kernel.name, Arithmetic(DOUBLE, BITS))
    shares = []
    with gmpy2.context(precision=BITS):
        for i in range(args[0].size):
            exact = function(*(int(a[i]) if whole else float(a[i]) for a, whole in zip(args, integers, strict=True)))
            shares.append(_exact_share(kernel, exact, [part[i].item() for part in parts]))
    return shares


def _exact_share(kernel: Kernel, exact: object, parts: Sequence[float]) -> float:
    if kernel.rung == "quick":
        value, err = parts
        bound = err - float(np.spacing(abs(value) + err)) / 2.0
        return float(abs(gmpy2.mpfr(value) - exact) / bound)
    hi, lo, err, exponent = parts
    scaled = gmpy2.div_2exp(exact, int(exponent)) if exponent >= 0 else gmpy2.mul_2exp(exact, -int(exponent))
    return float(abs(gmpy2.mpfr(hi) - scaled + lo) / err)
