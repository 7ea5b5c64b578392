"""The public names of clmath by module; a module is imported when one of its names is asked for."""

from __future__ import annotations

import sys
from importlib import import_module
from typing import TYPE_CHECKING

from clmath.numbers import guard

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["SOME", "WHOLE", "imported", "module_of", "names"]

SOME = {  # modules of which some names are public
    "clmath.errors": (
        "ClmathError",
        "DTypeError",
        "FlushToZeroError",
        "MissingDependencyError",
        "ProcessorRoundingError",
        "RangeError",
        "RoundingError",
        "ShapeError",
        "TableError",
        "UnknownNameError",
    ),
    "clmath.phases": ("stats",),
    "clmath.pragmas": ("flush_to_zero", "fp_contract", "rounding_mode", "select_rounding_mode"),
    "clmath.typing": ("Edition", "Format", "GroupOperation", "Profile", "Rounding"),
}
WHOLE = (  # modules of which all names are public, in the order in which they are imported to find one
    "clmath.functions.math.trigonometric",
    "clmath.functions.math.exponential",
    "clmath.functions.math.power",
    "clmath.functions.math.logarithmic",
    "clmath.functions.math.comparison",
    "clmath.functions.math.floating_point",
    "clmath.functions.math.other",
    "clmath.functions.integer",
    "clmath.functions.common",
    "clmath.functions.geometric",
    "clmath.functions.relational",
    "clmath.functions.operators",
    "clmath.functions.math.operators",
    "clmath.functions.math.forms",
    "clmath.functions.conversion",
    "clmath.constants",
    "clmath.functions.memory",
    "clmath.functions.copies",
    "clmath.functions.swizzles",
    "clmath.functions.fp16",
    "clmath.functions.limits",
    "clmath.functions.groups",
    "clmath.functions.accuracy",
    "clmath.functions.image",
    "clmath.functions.sampling",
    "clmath.functions.printf",
)


def module_of(name: str) -> ModuleType | None:
    """Return the module of a public name, or None for any other name."""
    for module, some in SOME.items():
        if name in some:
            return imported(module, name)
    return next((found for module in WHOLE if name in (found := imported(module, name)).__all__), None)


def names(asked: str) -> list[str]:
    """Return all public names; ``asked``: the name that the error in an altered thread shows."""
    return [
        *(name for some in SOME.values() for name in some),
        *(name for module in WHOLE for name in imported(module, asked).__all__),
    ]


def imported(module: str, asked: str) -> ModuleType:
    """Return a module; an error in a thread whose processor mode would make its constants wrong for good."""
    if module not in sys.modules:
        guard.refuse_altered_arithmetic(f"clmath.{asked}")
    return import_module(module)
