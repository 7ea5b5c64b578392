"""Results with which a macro must agree: FP_ILOGB0 must be equal to the target's ilogb(0) (3.26.4)."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.inputs.row_inputs import chunk_size
from clmath.audit.inputs.structured import structured
from clmath.audit.judge.piece import criteria_of
from clmath.audit.plan.rows import item_named
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.attempt import evaluated_ahead
from clmath.numbers.formats import FORMATS

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.target import Target
    from clmath.numbers.formats import Format

__all__ = ["returned"]

_CALL = re.compile(r"(\w+)\((\w+)\)")
_ARGUMENTS: dict[str, Callable[[np.ndarray, Format], NDArray[np.bool_]]] = {
    "0": lambda x, _: np.asarray(x == 0),
    "NaN": lambda x, form: np.isnan(x) & ~form.signals(x),
}


def returned(item: ExactItem, plan: Plan, target: Target) -> tuple[int, ...]:
    """Return the distinct values of the calls that must return a macro's value, in all OpenCL formats of the target.

    Empty if the target cannot compute them. The audit of the built-in itself makes these calls, too.
    """
    match = _CALL.fullmatch(item.builtin.returned_by)
    if match is None:
        return ()
    offered = [f for f in target.formats() if f in FORMATS]
    forms = [f for f in offered if target.defines(item_named(match[1], f.name).builtin, f)]
    found = (_returned(item_named(match[1], f.name), match[2], plan, target) for f in forms)
    return tuple(dict.fromkeys(value for values in found for value in values))


def _returned(item: Item, argument: str, plan: Plan, target: Target) -> Iterator[int]:
    """Yield the results of the structured calls of a case that have the argument."""
    if argument == "NaN" and criteria_of(item, plan, target).waives("not finite", item):
        return
    (x,), size = structured(item), chunk_size(item)
    here = _ARGUMENTS[argument](x, item.form)
    for start in sorted({size * (int(k) // size) for k in np.flatnonzero(here)}):
        piece = slice(start, start + size)
        try:
            ((result,),) = evaluated_ahead(target, item, [(x[piece].copy(),)])
        except TargetError:  # the case of that built-in reports the reason
            return
        yield from (int(value) for value in np.unique(result[here[piece]]))
