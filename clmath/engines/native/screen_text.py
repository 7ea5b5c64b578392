"""The text of what screens results in float: the kernels that nothing else needs, and the loops that compare."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from clmath.engines.device.source import printed
from clmath.engines.device.trace import trace
from clmath.kernels import QUICK
from clmath.kernels.direct import kernels_of
from clmath.numbers import lane_errors
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtins, precise

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import Any

    from clmath.engines.device.program import Kind, Tables
    from clmath.kernels import Kernel

__all__ = ["direct_kernels", "lane_functions"]

_ENCLOSURE: tuple[Kind, ...] = ("double", "double")
# as the loops call them: inputs and outputs
_FUNCTIONS: dict[str, tuple[Callable[..., Any], Sequence[Kind], Sequence[Kind]]] = {
    "is_rounded": (lane_errors.is_rounded_to_float, (*_ENCLOSURE, "long"), ("bool",)),
    "errors_of": (lane_errors.float_errors, (*_ENCLOSURE, "long", "double"), ("double", "double", "long")),
    "bin_of": (lane_errors.bin_of, ("long",), ("long",)),
    "is_beyond": (lane_errors.is_beyond, (*_ENCLOSURE, "double"), ("bool",)),
    "is_well_within": (lane_errors.is_well_within_float, _ENCLOSURE, ("bool",)),
    "ulps_of": (lane_errors.ulps_of_float, ("double",), ("double",)),
}


@functools.cache
def direct_kernels() -> tuple[Kernel, ...]:
    """Those by which built-ins of one float are screened, and by which nothing is evaluated on the host."""
    rows = [precise(row.name) for row in builtins().values() if len(row.inputs) == 1]
    found = dict.fromkeys(kernel for name in rows for kernel in kernels_of(name, FLOAT))
    return tuple(kernel for kernel in found if QUICK.kernels.get(kernel.name) != kernel)


def lane_functions(tables: Tables) -> str:
    """What the loops call for every lane."""
    return "\n".join(
        printed(name, trace(function, inputs, outputs, tables))
        for name, (function, inputs, outputs) in _FUNCTIONS.items()
    )
