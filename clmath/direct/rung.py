"""The first phase of the ladder: the built-ins that need no kernel, by name."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Concatenate, TypeAlias

from clmath.direct import common, compare, floating_point, geometric, integral, operators, remainders

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    import numpy as np

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["DIRECT", "Implementation"]

Implementation: TypeAlias = "Callable[Concatenate[Format, Rounding, ...], tuple[np.ndarray, ...]]"
"""A vectorised built-in: one-dimensional chunks in, one array per result out, already rounded."""

_MODULES = (common, compare, geometric, integral, operators, floating_point, remainders)
DIRECT: Mapping[str, Implementation] = MappingProxyType(
    {name: getattr(module, name) for module in _MODULES for name in module.__all__}
)
