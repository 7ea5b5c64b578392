"""Exact values of whole arrays at array speed: kernels' enclosures, exact built-ins, sums and quotients in double."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import kernels, ladder
from clmath.direct import common, compare, integral, parts, remainders
from clmath.engines import choice
from clmath.numbers.errorfree import two_sum
from clmath.numbers.rounding import to_odd
from clmath.spec.builtins import builtin, precise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.audit.inputs import Columns
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format

__all__ = ["Bracket", "Exact", "enclosed", "is_enclosed"]

F64: TypeAlias = "NDArray[np.float64]"

CLAIMED = (
    0.375  # ulp of float: how far a kernel's value with err = 0 may lie from the exact one; tested for every kernel
)
ODD = 2.0**-26  # ulp of float: 2^-52 of the value, for a double that was rounded to odd
_MODULES = (integral, parts, compare, remainders, common)
WORTH_LOADING = 1 << 16  # lanes from which a compiled kernel, once it is in the cache on disk, is loaded sooner


@dataclass(frozen=True)
class Bracket:
    """Exact values within ``value ± err``; where err is 0, ``value`` rounds like the exact one in every mode.

    ``off``: how many ulp of float such a value may lie from the exact one where it is not itself a result that is
    right. Zeros, infinities and NaN are exact; a value beyond 4 largest numbers stands for one beyond 2.
    """

    value: F64
    err: F64
    off: float


Exact: TypeAlias = "Bracket | NDArray[np.int32]"


def is_enclosed(name: str, form: Format) -> bool:
    """Whether ``enclosed`` knows the built-in: half and float, all but mix, smoothstep and the geometric ones."""
    known = ladder.has_kernel(name, form) or builtin(name).exact or precise(name) in _IN_DOUBLE
    return form.is_narrow and known


@np.errstate(all="ignore")
def enclosed(name: str, args: Columns, form: Format) -> tuple[Exact, ...]:
    """One entry a result of the built-in ``name``: brackets of the exact values, or ints."""
    if ladder.has_kernel(name, form):
        return tuple(_by_kernel(part, args) for part in ladder.results(name, form))
    if builtin(name).exact:
        return tuple(_itself(found) for found in _exact(name)(form, "rte", *args))
    wide = [a.astype(np.float64) for a in args]
    return tuple(_rounded_to_odd(value) for value in _IN_DOUBLE[precise(name)](form, *wide))


def _exact(name: str) -> Callable[..., Any]:
    """The built-in ``name``, which never rounds."""
    found: Callable[..., Any] = next(getattr(module, name) for module in _MODULES if name in module.__all__)
    return found


def _by_kernel(part: Kernel | str, args: Columns) -> Exact:
    if isinstance(part, str):
        return kernels.INTEGER_PARTS[part](*args)
    worth = len(args[0]) >= WORTH_LOADING and choice.can_compile()
    found = (choice.COMPILING if worth else choice.PLAIN).enclosure(part, args)
    return Bracket(found.hi, found.err, CLAIMED)


def _itself(found: NDArray[Any]) -> Exact:
    """A result that needs no rounding."""
    return found if found.dtype.kind == "i" else Bracket(found.astype(np.float64), np.zeros(len(found)), 0.0)


def _rounded_to_odd(value: F64) -> Bracket:
    return Bracket(value, np.zeros(len(value)), ODD)


def _add(_: Format, x: F64, y: F64) -> tuple[F64]:
    return (to_odd(*two_sum(x, y)),)


def _fma(_: Format, a: F64, b: F64, c: F64) -> tuple[F64]:
    return (to_odd(*two_sum(a * b, c)),)


def _div(_: Format, x: F64, y: F64) -> tuple[F64]:
    """A quotient of floats that is no boundary is further than 2^-51 of itself from all: rounding hides no side."""
    return (x / y,)


def _fdim(form: Format, x: F64, y: F64) -> tuple[F64]:
    return (np.where(x <= y, 0.0, _add(form, x, -y)[0]),)


def _fract(form: Format, x: F64) -> tuple[F64, F64]:
    """The fraction x - floor(x), at most the largest number below 1, and -0 for -0 and -inf; floor(x)."""
    whole = np.copysign(np.floor(x), x)
    part = np.minimum(_add(form, x, -whole)[0], 1.0 - form.eps / 2.0)
    zero = np.copysign(0.0, np.where(np.isinf(x) | (x == 0.0), x, 0.0))
    return np.where(x == whole, zero, part), whole


# a factor or a power of two never takes floats out of double's range, and a product of two has 48 bits
_IN_DOUBLE: MappingProxyType[str, Callable[..., Sequence[F64]]] = MappingProxyType(
    {
        "add": _add,
        "sub": lambda form, x, y: _add(form, x, -y),
        "mul": lambda _, x, y: (x * y,),
        "div": _div,
        "recip": lambda form, x: _div(form, np.ones_like(x), x),
        "sqrt": lambda _, x: (np.sqrt(x),),
        "fma": _fma,
        "fdim": _fdim,
        "fract": _fract,
        "ldexp": lambda _, x, k: (np.ldexp(x, np.clip(k, -400.0, 400.0).astype(np.int32)),),
    }
)
