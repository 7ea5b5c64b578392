"""Kernels of built-ins that the host evaluates directly: for devices, which have no other rung."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING

from clmath.kernels import DOUBLE, QUICK, Kernel
from clmath.numbers import formats

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clmath.numbers.formats import Format

__all__ = ["DIRECT", "kernel_of"]

_ROUNDED = ("add", "sub", "mul", "div", "recip", "sqrt", "fma", "fdim", "ldexp")
_EXACT = (
    *("fabs", "copysign", "sign", "logb", "ceil", "floor", "rint", "round", "trunc"),
    *("fmax", "fmin", "maxmag", "minmag", "max", "min", "clamp", "step"),
)
_SUMS = frozenset({"add", "sub", "fma"})
OFF = 2.0**-26  # ulp of the widest format: how far what is rounded to odd lies from the exact value


def _kernels(form: Format) -> Mapping[str, Kernel]:
    """Those of one format, by the precise built-in."""
    rung = (QUICK if form.is_narrow else DOUBLE).name
    found = {name: Kernel(rung, "arithmetic", name, off=OFF, signs_zeros=name in _SUMS) for name in _ROUNDED}
    found["fract"] = Kernel(rung, "arithmetic", f"fract_{form}", 2, off=OFF)
    found |= {name: Kernel(rung, "exact", name, off=0.0, is_exact=True) for name in _EXACT}
    found["modf"] = Kernel(rung, "exact", "modf", 2, off=0.0, is_exact=True)
    found["nextafter"] = Kernel(rung, "exact", f"nextafter_{form}", off=0.0, is_exact=True)
    return MappingProxyType(found)


DIRECT: Mapping[str, Mapping[str, Kernel]] = MappingProxyType(
    {form.name: _kernels(form) for form in (formats.HALF, formats.FLOAT, formats.DOUBLE)}
)


def kernel_of(name: str, form: Format) -> Kernel | None:
    """The kernel of the precise built-in ``name`` in ``form``; None for those that have none here."""
    return DIRECT.get(form.name, {}).get(name)
