"""The phases: the kernels of each, their promises, and the modules of their functions."""

from __future__ import annotations

import functools
import importlib
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, ClassVar, TypeVar

from clmath.kernels.integer_parts import INTEGER_PARTS
from clmath.kernels.records import Record, record
from clmath.numbers import formats

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    import numpy as np

    from clmath.callables import AnyFunction
    from clmath.numbers.formats import Format

__all__ = ["ACCURATE", "FAST", "FORMS", "PHASES", "Kernel", "Phase"]


Part = TypeVar("Part")


@dataclass(frozen=True)
class Kernel:
    """One kernel: the function ``name`` of the module ``clmath.kernels.<phase>.<family>``, and its record.

    ``results``: the number of results that it computes together. ``off``: as of the phase, if it differs there.
    ``is_exact``: the function is in ``clmath.kernels.<family>`` and returns exact values in place of enclosures;
    ``is_integer``: these are ints. ``signs_zeros``: zeros that are +0 otherwise are -0 in rtn.
    """

    phase: str
    family: str
    name: str
    results: int = 1
    off: float | None = None
    is_exact: bool = False
    is_integer: bool = False
    signs_zeros: bool = False

    @property
    def module(self) -> str:
        """The name of the module with the function."""
        return f"clmath.kernels.{self.family}" if self.is_exact else f"clmath.kernels.{self.phase}.{self.family}"

    @property
    def reach(self) -> float:
        """The distance from the exact value, in ulp of the phase's widest format, that err = 0 allows."""
        return PHASES[self.phase].off if self.off is None else self.off

    @functools.cached_property
    def function(self) -> AnyFunction:
        """The function of float64 elements that returns the parts of every enclosure, perhaps without exact results."""
        found: AnyFunction = getattr(importlib.import_module(self.module), self.name)
        return found

    @functools.cached_property
    def record(self) -> Record:
        """The record that the decorators of its module fill."""
        importlib.import_module(self.module)
        return record(self.module, self.name)

    @property
    def parts(self) -> tuple[str, ...]:
        """The parts of an enclosure that it gives for each result."""
        return PHASES[self.phase].parts

    def named_parts(self, parts: Sequence[Part]) -> dict[str, Part]:
        """Return ``parts`` of a kernel's only result by their names in an enclosure."""
        return dict(zip(self.parts, parts, strict=True))

    def refined(self, args: Sequence[np.ndarray], parts: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Return ``parts`` of one result with the exact results found."""
        refine = self.record.refine
        return parts if refine is None else tuple(refine(*args, *parts))

    @property
    def narrow(self) -> AnyFunction | None:
        """The function of its record that narrows enclosures; None where none does."""
        return self.record.narrow

    @property
    def narrowing(self) -> tuple[Kernel | None, ...]:
        """For each result the kernel of that alone, whose ``narrow`` narrows it; None where none does."""
        phase = PHASES[self.phase]
        alone = [phase.kernels[part] for part in phase.together.get(self.name, ())] or [self] * self.results
        return tuple(kernel if kernel.narrow else None for kernel in alone)


@dataclass(frozen=True)
class Phase:
    """The kernels of one accuracy.

    ``widest``: the widest format that they serve; ``off``: how many of its ulp a value with err = 0 may lie from the
    exact one. ``parts``: the parts of an enclosure that they return. ``families``: the names of the kernels by family,
    after which modules are named; ``shared``: families that are in the module of another family, with its name.
    ``together``: the results of each kernel that computes several.
    """

    name: str
    widest: Format
    off: float
    parts: tuple[str, ...]
    families: Mapping[str, tuple[str, ...]]
    shared: Mapping[str, str] = field(default_factory=dict)
    together: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType({"sincos": ("sin", "cos")})

    @functools.cached_property
    def kernels(self) -> Mapping[str, Kernel]:
        """All kernels by name."""
        found = {
            name: Kernel(self.name, self.shared.get(family, family), name, len(self.together.get(name, (name,))))
            for family, names in self.families.items()
            for name in names
        }
        return MappingProxyType(found)

    @functools.cached_property
    def single(self) -> tuple[Kernel, ...]:
        """The kernels of one result."""
        return tuple(kernel for kernel in self.kernels.values() if kernel.results == 1)

    def results(self, name: str) -> tuple[str, ...] | None:
        """Return the names of the kernels of each result of the precise built-in ``name``, None if one is missing."""
        found = self.together.get(name, _WITH_INTEGERS.get(name, (name,)))
        return found if all(part in self.kernels or part in INTEGER_PARTS for part in found) else None

    def steps(self, name: str) -> tuple[Kernel | str, ...]:
        """The kernels to evaluate for the built-in ``name``, in the order of its results; integer results by name."""
        if name in self.together:
            return (self.kernels[name],)
        return tuple(self.kernels.get(part, part) for part in self.results(name) or ())


_WITH_INTEGERS: Mapping[str, tuple[str, ...]] = {"lgamma_r": ("lgamma", "gamma_sign")}
_FAMILIES = MappingProxyType(  # of kernels that both phases have
    {
        "exponential": ("exp", "exp2", "exp10", "expm1"),
        "hyperbolic": ("sinh", "cosh", "tanh"),
        "inverse_hyperbolic": ("asinh", "acosh", "atanh"),
        "logarithm": ("log", "log2", "log10", "log1p"),
        "trigonometric": ("sin", "cos", "tan", "sinpi", "cospi", "tanpi", "sincos"),
        "inverse_trigonometric": ("asin", "acos", "atan", "atan2", "asinpi", "acospi", "atanpi", "atan2pi"),
        "gamma": ("tgamma", "lgamma"),
        "power": ("pow", "powr", "pown", "rootn"),
        "roots": ("cbrt", "hypot", "rsqrt"),
        "error_function": ("erf", "erfc"),
    }
)
FAST = Phase(
    "fast", formats.FLOAT, 0.375, ("hi", "err"), _FAMILIES, {"inverse_hyperbolic": "hyperbolic", "roots": "power"}
)
ACCURATE = Phase(
    "accurate",
    formats.DOUBLE,
    2.0**-6,  # of what vanishes; 2^-7 of all others
    ("hi", "lo", "err", "exponent"),
    _FAMILIES,
)
PHASES: Mapping[str, Phase] = MappingProxyType({phase.name: phase for phase in (FAST, ACCURATE)})
FORMS = {FAST.name: ("float", "half"), ACCURATE.name: ("double",)}  # the formats that the kernels of a phase serve
