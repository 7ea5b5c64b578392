"""The results that a single call may give, in words."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.exact.allowed_results import allowed_results
from clmath.audit.exact.bitwise import stored
from clmath.audit.exact.exact_law import ExactLaw
from clmath.audit.inputs.layout import arguments
from clmath.audit.inputs.values import number_text

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.exact_item import ExactItem
    from clmath.numbers.rounding import Rounding

__all__ = ["outcome", "result_text"]


def outcome(item: ExactItem, columns: Columns, mode: Rounding) -> Iterator[str]:
    """A line for each lane of the result of the one call in ``columns``: what is due, and what else is right."""
    asked = allowed_results(item, arguments(item, columns), ExactLaw("full", mode, flushes=False))
    wanted, free = (a.reshape(-1) for a in (asked.wanted, asked.is_free))
    for lane in range(len(wanted)):
        others = {result_text(item, other.reshape(-1)[lane]) for other in asked.also}
        remarks = [f"or {other}" for other in sorted(others - {result_text(item, wanted[lane])})]
        within = [[end.reshape(-1)[lane] for end in ends] for ends in asked.intervals]
        ranges = (
            f"or from {result_text(item, low)} to {result_text(item, high)}" for low, high in within if low != high
        )
        remarks += dict.fromkeys(ranges)
        remarks += [f"or {asked.others}"] if asked.others else []
        remarks = ["or anything: the specification leaves it open"] if free[lane] else remarks
        yield ", ".join([result_text(item, wanted[lane]), *remarks])


def result_text(item: ExactItem, value: object) -> str:
    """A result, or one lane of it, with its bits and in decimal."""
    return number_text(stored(np.asarray(value)[()], item.result), item.result.name, item.form)
