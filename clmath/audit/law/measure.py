"""The exact values of inputs, and the errors of results in ulp."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import reference
from clmath.numbers.rounding import Enclosure, Rounding, canonical, round_enclosure, ulp_errors

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = ["Truth", "truths"]

Exact: TypeAlias = "Enclosure | NDArray[np.int32]"


@dataclass(frozen=True)
class Truth:
    """The exact values of one result (for vectors with lanes on the last axis), and these values rounded."""

    exact: Exact
    rounded: np.ndarray
    form: Format

    def errors(self, actual: np.ndarray) -> NDArray[np.float64]:
        """Signed errors of ``actual`` in ulp; for an int result the difference."""
        if isinstance(self.exact, Enclosure):
            return ulp_errors(actual, self.exact, self.form)
        return actual.astype(np.float64) - self.exact.astype(np.float64)

    def lanes(self, index: Any) -> Truth:
        """The exact values of the calls that ``index`` picks."""
        exact = self.exact.lanes(index) if isinstance(self.exact, Enclosure) else self.exact[index]
        return replace(self, exact=exact, rounded=self.rounded[index])


def truths(
    item: Item, values: Columns, mode: Rounding, oracle: reference.Oracle, zeros: NDArray[np.float64] | None = None
) -> tuple[Truth, ...]:
    """The exact values of every result of ``item`` for the inputs ``values``, by the reference.

    ``zeros``: for a row of one result, exact values that kernels have found to be 0; NaN where the reference is asked.
    """
    if zeros is not None and not np.isnan(zeros).all():
        return (_truth(_beside_zeros(item, values, oracle, zeros), item.form, mode),)
    lanes = list(reference.enclose(item.builtin.called, values, item.form, oracle))
    found = []
    for output in item.builtin.outputs:
        if item.width and output.type == "gentype":
            taken, lanes = lanes[: item.width], lanes[item.width :]
            exact: Exact = Enclosure(*(np.stack(parts, axis=-1) for parts in zip(*taken, strict=True)))
        else:
            exact, *lanes = lanes
        found.append(_truth(exact, item.form, mode))
    return tuple(found)


def _beside_zeros(item: Item, values: Columns, oracle: reference.Oracle, zeros: NDArray[np.float64]) -> Enclosure:
    """The exact values of the one result; the reference is not asked where ``zeros`` are known, maybe millions."""
    asked = np.flatnonzero(np.isnan(zeros))
    (found,) = reference.enclose(item.builtin.called, tuple(v[asked] for v in values), item.form, oracle)
    whole = Enclosure(zeros.copy(), *(np.zeros(len(zeros), np.asarray(part).dtype) for part in found[1:]))
    for part, rest in zip(whole, found, strict=True):
        part[asked] = rest
    return whole


def _truth(exact: Exact, form: Format, mode: Rounding) -> Truth:
    if isinstance(exact, Enclosure):
        rounded = round_enclosure(exact, form, mode)[0]
        canonical(rounded, form)
        return Truth(exact, rounded, form)
    return Truth(exact, exact, form)
