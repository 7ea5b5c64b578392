"""The kernels of the library of screens: those by which built-ins are screened, and by which nothing is evaluated."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from clmath.kernels import FAST
from clmath.kernels.for_devices import kernels_of
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtins, precise

if TYPE_CHECKING:
    from clmath.kernels import Kernel

__all__ = ["own_kernels"]


@functools.cache
def own_kernels() -> tuple[Kernel, ...]:
    """Return the kernels of built-ins of one float that the library of kernels lacks, in the library's order."""
    rows = [precise(row.name) for row in builtins().values() if len(row.inputs) == 1]
    found = dict.fromkeys(kernel for name in rows for kernel in kernels_of(name, FLOAT))
    return tuple(kernel for kernel in found if FAST.kernels.get(kernel.name) != kernel)
