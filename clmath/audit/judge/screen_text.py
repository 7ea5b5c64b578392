"""Prints acceptance of results in float as C11, for the compiled loops that screen them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.judge import one_float
from clmath.ir.printing import printed
from clmath.ir.trace import trace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.callables import AnyFunction
    from clmath.ir.program import Kind, Tables

__all__ = ["lane_functions"]

_ENCLOSED: tuple[Kind, ...] = ("double", "double", "long")  # the enclosure, and the encoding of a result
_GIVEN: tuple[Kind, ...] = ("double", "double", "double")
_JUDGED: tuple[Kind, ...] = ("bool", "double", "double", "long")
# by the names that the loops call: function, inputs and outputs
_FUNCTIONS: dict[str, tuple[AnyFunction, Sequence[Kind], Sequence[Kind]]] = {
    "is_rounded": (one_float.is_rounded_to_float, _ENCLOSED, ("bool",)),
    "left_waived": (one_float.left_waived, ("double", *_ENCLOSED), ("bool", "bool")),
    "left_free": (one_float.left_free, ("double", *_ENCLOSED), ("bool", "bool")),
    "measured": (one_float.measured, (*_ENCLOSED, "double"), ("bool", "double", "double")),
    "judged": (one_float.judged, (*_ENCLOSED, *_GIVEN), _JUDGED),
    "refused": (one_float.refused, ("double", *_ENCLOSED, *_GIVEN), ("bool",)),
}


def lane_functions(tables: Tables) -> str:
    """The text of the functions that the loops call for every lane."""
    return "\n".join(
        printed(name, trace(function, inputs, outputs, tables))
        for name, (function, inputs, outputs) in _FUNCTIONS.items()
    )
