"""Calls with their exact values, which the reference computes."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Self, TypeAlias

import numpy as np

from clmath.audit.acceptance.on_host import accepted, are_counted
from clmath.audit.inputs.layout import arguments
from clmath.audit.law.batch import Call
from clmath.audit.law.measure import Truth, truths
from clmath.numbers.rounding import Enclosure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.acceptance.on_host import Accepted
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.law.law import Law
    from clmath.audit.law.requirement import Requirement
    from clmath.audit.plan.item import Item

__all__ = ["Batch"]

Bools: TypeAlias = "NDArray[np.bool_]"


@dataclass(frozen=True)
class Batch(Call):
    """Calls with their exact values."""

    truth: tuple[Truth, ...] = ()

    @classmethod
    def of(
        cls,
        item: Item,
        values: Columns,
        results: tuple[np.ndarray, ...],
        law: Law,
        zeros: NDArray[np.float64] | None = None,
    ) -> Batch:
        """Return the calls with exact values of the reference; ``zeros``: values known to be 0, see ``truths``."""
        truth = truths(item, values, law.mode, law.oracle, zeros)
        return cls(item, law, law.limit(item), values, arguments(item, values), results, truth)

    def lanes(self, index: Any) -> Self:
        """Return the calls that ``index`` picks."""
        return replace(super().lanes(index), truth=tuple(t.lanes(index) for t in self.truth))

    def accepted(self, need: Requirement) -> list[Accepted]:
        """Return which results are acceptable, one record for each result of the calls."""
        return accepted(self, [t.exact for t in self.truth], [t.rounded for t in self.truth], need)

    def is_counted(self, k: int) -> Bools:
        """Return where the error of result ``k`` may be the worst of the row."""
        exact = self.truth[k].exact
        is_finite = np.isfinite(exact.hi if isinstance(exact, Enclosure) else exact)
        return are_counted(self, k, [truth.rounded for truth in self.truth], is_finite)

    def is_real(self, k: int) -> bool:
        """Return whether result ``k`` is of the format, not an int."""
        return isinstance(self.truth[k].exact, Enclosure)
