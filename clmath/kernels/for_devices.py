"""Kernels of built-ins that the host evaluates without kernels: for devices, and for the screens of audits."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType

from clmath.kernels import ACCURATE, FAST, Kernel, Phase
from clmath.numbers import formats
from clmath.numbers.formats import Format

__all__ = ["BY_FORMAT", "kernels_of"]

_ROUNDED = ("add", "sub", "mul", "div", "recip", "sqrt", "fma", "fdim", "ldexp", "degrees", "radians")
_EXACT = (
    *("fabs", "copysign", "sign", "logb", "ceil", "floor", "rint", "round", "trunc"),
    *("fmax", "fmin", "maxmag", "minmag", "max", "min", "clamp", "step"),
)
_SUMS = frozenset({"add", "sub", "fma"})
OFF = 2.0**-26  # ulp of the widest format: bound of the distance of values rounded to odd from the exact value


def _phase(form: Format) -> Phase:
    return FAST if form.is_narrow else ACCURATE


def _exact(name: str, form: Format, results: int = 1, *, is_integer: bool = False, family: str = "exact") -> Kernel:
    return Kernel(_phase(form).name, family, name, results, off=0.0, is_exact=True, is_integer=is_integer)


def _kernels(form: Format) -> Mapping[str, tuple[Kernel, ...]]:
    """The kernels of one format, by the precise built-in, in the order of its results."""
    phase = _phase(form).name
    found: dict[str, tuple[Kernel, ...]]
    found = {name: (Kernel(phase, "arithmetic", name, off=OFF, signs_zeros=name in _SUMS),) for name in _ROUNDED}
    found["fract"] = (Kernel(phase, "arithmetic", f"fract_{form}", 2, off=OFF),)
    found |= {name: (_exact(name, form),) for name in _EXACT}
    found["modf"] = (_exact("modf", form, 2),)
    found["nextafter"] = (_exact(f"nextafter_{form}", form),)
    found |= {name: (_exact(name, form, family="remainders"),) for name in ("fmod", "remainder")}
    found["remquo"] = (*found["remainder"], _exact("quotient", form, is_integer=True, family="remainders"))
    found["ilogb"] = (_exact("ilogb", form, is_integer=True),)
    found["frexp"] = (_exact("frexp", form), _exact("frexp_exponent", form, is_integer=True))
    return MappingProxyType(found)


BY_FORMAT: Mapping[str, Mapping[str, tuple[Kernel, ...]]] = MappingProxyType(
    {form.name: _kernels(form) for form in (formats.HALF, formats.FLOAT, formats.DOUBLE)}
)


def kernels_of(name: str, form: Format) -> tuple[Kernel, ...]:
    """The kernels by which a device computes the precise built-in ``name`` in ``form``; empty if it does not."""
    steps = _phase(form).steps(name)
    if not steps:
        return BY_FORMAT.get(form.name, {}).get(name, ())
    return tuple(_exact(step, form, is_integer=True) if isinstance(step, str) else step for step in steps)
