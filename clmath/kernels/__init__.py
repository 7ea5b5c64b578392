"""The mathematics: kernels that bound the exact value of a built-in, by family.

A kernel takes float64 lanes, halfs or floats widened, and returns ``(value, err)``: the exact value lies in
``value ± err``; ``err = 0`` says that ``value`` rounds to half and to float in every mode like the exact value does
(it is exact, or it lies on the same side of every half and float and of every midpoint between two) and lies within
3/8 of a float's last place of it, or beyond every float where that does. NaN and infinities are exact results.
An error bound covers the rounding of ``value ± err`` to double: every kernel's bound is at least 2^-52 |value| and,
but for wide kernels, at most 2^-44 |value|; that of NaN is 0 or NaN. Kernels know no format and no mode.

A kernel that computes several results together returns one such pair after the other; there are kernels for each of
them too.

Where finding the exact results costs as much as the rest, a kernel leaves them to a second function, which only blocks
with a lane close to a boundary need: it takes the arguments and (value, err), and returns (value, err).
"""

from __future__ import annotations

import functools
import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = [
    "FAMILIES",
    "INTEGER_PARTS",
    "coefficients",
    "enclosure",
    "family_of",
    "gamma_sign",
    "is_wide",
    "kernel",
    "parts",
    "pieces",
    "results",
    "settled",
    "settling",
    "steps",
    "table",
]

FAMILIES = MappingProxyType(
    {
        "exponential": ("exp", "exp2", "exp10", "expm1"),
        "logarithm": ("log", "log2", "log10", "log1p"),
        "trigonometric": ("sin", "cos", "tan", "sinpi", "cospi", "tanpi"),
        "inverse_trigonometric": (
            "asin",
            "acos",
            "atan",
            "atan2",
            "asinpi",
            "acospi",
            "atanpi",
            "atan2pi",
        ),
        "hyperbolic": ("sinh", "cosh", "tanh", "asinh", "acosh", "atanh"),
        "power": ("cbrt", "rsqrt", "hypot", "pow", "powr", "pown", "rootn"),
        "error_function": ("erf", "erfc"),
        "gamma": ("tgamma", "lgamma"),
    }
)
_SEVERAL_RESULTS = {"sincos": ("sin", "cos"), "lgamma_r": ("lgamma", "gamma_sign")}
_SETTLING = {
    "cbrt": "settled_cbrt",
    "exp10": "settled_exp10",
    "hypot": "settled_hypot",
    "log10": "settled_log10",
    "pow": "settled_power",
    "pown": "settled_power",
    "powr": "settled_power",
    "rootn": "settled_root",
}
_WIDE = frozenset({"lgamma"})
_TOGETHER = MappingProxyType({"sincos": "trigonometric"})
_FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names} | _TOGETHER


def gamma_sign(x: NDArray[Any]) -> NDArray[np.int32]:
    """The sign of gamma(x): 0 at zeros and negative integers, where it is a pole, and 1 at -inf and NaN."""
    below = np.floor(x)
    half = below * x.dtype.type(0.5)
    negative = (x < 0) & (x != below) & (half != np.floor(half))
    pole = (x <= 0) & (x == below) & np.isfinite(x)
    sign: NDArray[np.int32] = (1 - 2 * negative.view(np.int8) - pole.view(np.int8)).astype(np.int32)
    return sign


INTEGER_PARTS = MappingProxyType({"gamma_sign": gamma_sign})


def family_of(name: str) -> str | None:
    """The family, and so the module, of the kernel called ``name``; None where there is no such kernel."""
    return _FAMILY_OF.get(name)


@functools.cache
def parts(name: str) -> tuple[str, ...] | None:
    """The kernels of each result of the precise built-in ``name``; None where one of them does not exist."""
    found = _SEVERAL_RESULTS.get(name, (name,))
    known = all(part in _FAMILY_OF or part in INTEGER_PARTS for part in found)
    return found if known else None


@functools.cache
def steps(name: str) -> tuple[tuple[str, int], ...]:
    """The kernels to evaluate for the built-in ``name``, each with the number of its results, in their order."""
    found = parts(name) or ()
    return ((name, len(found)),) if name in _TOGETHER else tuple((part, 1) for part in found)


def results(name: str) -> int:
    """The number of results of the kernel ``name``: it returns so many times (value, err), in one tuple."""
    return len(_SEVERAL_RESULTS[name]) if name in _TOGETHER else 1


def kernel(name: str) -> Callable[..., Any]:
    """The kernel called ``name``."""
    return _in_family(name, name)


def settling(name: str) -> str | None:
    """The name of the function that finds the exact results of the kernel ``name``; None where it does so itself."""
    return _SETTLING.get(name)


def is_wide(name: str) -> bool:
    """Whether enclosures of the kernel ``name`` may be wider than 2^-44 |value|: where large terms cancel."""
    return name in _WIDE


def settled(name: str, args: Sequence[Any], value: Any, err: Any) -> tuple[Any, Any]:
    """(value, err) of the kernel ``name`` with the exact results found."""
    second = settling(name)
    return (value, err) if second is None else _in_family(name, second)(*args, value, err)


def enclosure(name: str, *args: Any) -> tuple[Any, Any]:
    """(value, err) of the kernel ``name`` for float64 lanes, with the exact results found."""
    return settled(name, args, *kernel(name)(*args))


@functools.cache
def _in_family(name: str, function: str) -> Callable[..., Any]:
    found: Callable[..., Any] = getattr(importlib.import_module(f"clmath.kernels.{_FAMILY_OF[name]}"), function)
    return found


def _row(family: str, name: str) -> dict[str, Any]:
    from clmath.spec import files

    row: dict[str, Any] = files.load(f"kernels/{family}.toml")[name]
    return row


def coefficients(family: str, name: str) -> tuple[float, ...]:
    """The coefficients [name] of ``tables/kernels/<family>.toml``, constant term first."""
    return tuple(float.fromhex(c) for c in _row(family, name)["coefficients"])


def table(family: str, name: str) -> NDArray[np.float64]:
    """The table [name] of ``tables/kernels/<family>.toml`` as a read-only array."""
    values = np.array([float.fromhex(c) for c in _row(family, name)["table"]])
    values.flags.writeable = False
    return values


def pieces(family: str, name: str, count: int) -> tuple[NDArray[np.float64], ...]:
    """The table [name] of ``count`` polynomials for ``lanes.piecewise``: one array for each power."""
    return tuple(table(family, name).reshape(-1, count))
