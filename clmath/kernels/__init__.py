"""The mathematics: kernels that bound the exact value of a built-in, by family.

A kernel takes float64 lanes, halfs or floats widened, and returns ``(value, err)``: the exact value lies in
``value ± err``; ``err = 0`` says that ``value`` rounds to half and to float in every mode like the exact value does
(it is exact, or it lies on the same side of every half and float and of every midpoint between two). NaN and
infinities are exact results. An error bound covers the rounding of ``value ± err`` to double: every kernel's bound
is at least 2^-52 |value|. Kernels know no format and no mode.
"""

from __future__ import annotations

import importlib
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.spec import files

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

__all__ = ["FAMILIES", "coefficients", "family_of", "kernel", "table"]

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
_FAMILY_OF = {name: family for family, names in FAMILIES.items() for name in names}


def family_of(name: str) -> str | None:
    """The family, and so the module, of the kernel called ``name``; None where there is no such kernel."""
    return _FAMILY_OF.get(name)


def kernel(name: str) -> Callable[..., Any]:
    """The kernel called ``name``."""
    function: Callable[..., Any] = getattr(importlib.import_module(f"clmath.kernels.{_FAMILY_OF[name]}"), name)
    return function


def coefficients(family: str, name: str) -> tuple[float, ...]:
    """The coefficients [name] of ``tables/kernels/<family>.toml``, constant term first."""
    return tuple(float.fromhex(c) for c in files.load(f"kernels/{family}.toml")[name]["coefficients"])


def table(family: str, name: str) -> NDArray[np.float64]:
    """The table [name] of ``tables/kernels/<family>.toml`` as a read-only array."""
    values = np.array([float.fromhex(c) for c in files.load(f"kernels/{family}.toml")[name]["table"]])
    values.flags.writeable = False
    return values
