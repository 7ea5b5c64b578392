"""Actual errors as shares of proven bounds: fast, against a kernel with a smaller bound, or exact, by MPFR.

MPFR alone measures kernels that no other kernel bounds more closely, such as narrowing kernels.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import gmpy2
import numpy as np

from clmath.kernels import ACCURATE, PHASES, Kernel
from clmath.numbers.formats import DOUBLE
from clmath.reference.arithmetic import Arithmetic
from clmath.reference.operations import operation
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = ["Narrowing", "by_a_closer_kernel", "by_mpfr", "kernel_of"]

BITS = 300
BLOCK = 1 << 14  # elements whose temporaries stay in the cache
SMALLEST, LARGEST = 2.0**-152, 2.0**130  # outside, values of fast kernels only have to round like the exact ones
CLOSER = 1.0 / 128.0  # an accurate kernel is measured where the closer bound is at most this share of its own
LEAST, GREATEST = -1080, 1026  # outside, by exponents, values of accurate kernels only round like the exact ones


class Narrowing(NamedTuple):
    """Narrowing kernel, with the interface of a kernel, and the ``accurate`` kernel whose enclosures it narrows."""

    accurate: Kernel
    phase: str = "narrowing"

    @property
    def name(self) -> str:
        """The name of the accurate kernel."""
        return self.accurate.name

    def enclosures(self, *args: Any) -> Any:
        """Return the parts of the narrowed enclosures of float64 arguments."""
        assert self.accurate.narrow is not None
        return self.accurate.narrow(*args, *self.accurate.function(*args))

    def function(self, *args: Any) -> Any:
        """Return the narrowed enclosures, with err = 0 where the accurate kernel's enclosure is not narrowed."""
        hi, lo, err, exponent = self.enclosures(*args)
        return hi, lo, np.where(err < self.accurate.function(*args)[2], err, 0.0), exponent


def kernel_of(phase: str, name: str) -> Kernel | Narrowing:
    """Return a fast or accurate kernel, or the one that narrows an accurate kernel."""
    return Narrowing(ACCURATE.kernels[name]) if phase == "narrowing" else PHASES[phase].kernels[name]


def by_a_closer_kernel(kernel: Kernel | Narrowing, args: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    """Return error / bound of each element; 0 where the kernel claims to be exact, or the error is not known."""
    share = _WAYS[kernel.phase]
    blocks = range(0, args[0].size, BLOCK)
    with np.errstate(all="ignore"):
        return np.concatenate([share(kernel, [a[i : i + BLOCK] for a in args]) for i in blocks])


def _of_fast(kernel: Kernel, args: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    value, err = kernel.function(*args)
    hi, lo, _, exponent = ACCURATE.kernels[kernel.name].function(*args)
    off = (value - np.ldexp(hi, exponent)) - np.ldexp(lo, exponent)
    is_in_range = (np.abs(value) > SMALLEST) & (np.abs(value) < LARGEST)
    return np.where(is_in_range, _share(off, err - np.spacing(np.abs(value) + err) / 2.0), 0.0)


def _of_accurate(kernel: Kernel, args: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    if kernel.narrow is None:
        return _alone(kernel, args)
    hi, lo, err, exponent = kernel.function(*args)
    closer_hi, closer_lo, closer_err, _ = kernel.narrow(*args, hi, lo, err, exponent)
    power = np.frexp(hi)[1] + exponent
    is_known = (power > LEAST) & (power < GREATEST) & (closer_err < err * CLOSER)
    return np.where(is_known, _share((hi - closer_hi) + (lo - closer_lo), err), 0.0)


def _alone(kernel: Kernel | Narrowing, args: Sequence[NDArray[np.float64]]) -> NDArray[np.float64]:
    hi, lo, err, exponent = kernel.function(*args)
    power = np.frexp(hi)[1] + exponent
    shares = np.zeros(args[0].shape)
    some = np.flatnonzero((err > 0.0) & (power > LEAST) & (power < GREATEST) & np.isfinite(hi + lo))
    whole = [parameter.type == "intn" for parameter in builtin(kernel.name).inputs]
    shares[some] = by_mpfr(kernel, [a[some] for a in args], whole)
    return shares


_WAYS: dict[str, Callable[..., NDArray[np.float64]]] = {"fast": _of_fast, "accurate": _of_accurate, "narrowing": _alone}


def _share(off: NDArray[np.float64], bound: NDArray[np.float64]) -> NDArray[np.float64]:
    share = np.abs(off) / bound
    return np.where((bound > 0.0) & np.isfinite(share), share, 0.0)


def by_mpfr(kernel: Kernel | Narrowing, args: Sequence[NDArray[np.float64]], integers: Sequence[bool]) -> list[float]:
    """Return error / bound of each element by MPFR; bounds of fast kernels without the rounding of value -+ err."""
    with np.errstate(all="ignore"):
        parts = [np.broadcast_to(part, args[0].shape) for part in kernel.function(*args)]
    function = operation(kernel.name, Arithmetic(DOUBLE, BITS))
    shares = []
    with gmpy2.context(precision=BITS):
        for i in range(args[0].size):
            exact = function(*(int(a[i]) if whole else float(a[i]) for a, whole in zip(args, integers, strict=True)))
            shares.append(_exact_share(kernel, exact, [part[i].item() for part in parts]))
    return shares


def _exact_share(kernel: Kernel | Narrowing, exact: object, parts: Sequence[float]) -> float:
    if kernel.phase == "fast":
        value, err = parts
        bound = err - float(np.spacing(abs(value) + err)) / 2.0
        return float(abs(gmpy2.mpfr(value) - exact) / bound)
    hi, lo, err, exponent = parts
    scaled = gmpy2.div_2exp(exact, int(exponent)) if exponent >= 0 else gmpy2.mul_2exp(exact, -int(exponent))
    return float(abs(gmpy2.mpfr(hi) - scaled + lo) / err)
