"""The lemmas of the logarithm in double's powers, and their bounds, for the proofs of narrowing kernels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.ir.program import Value
from proofs.accurate import power
from proofs.engine.models import Unproven

if TYPE_CHECKING:
    from proofs.engine.execution import Execution
    from proofs.engine.traced import Traced

__all__ = ["AWAY", "GRID", "LEAST", "OFF", "check_rest"]

OFF, LEAST, GRID, AWAY = power.LIMITS.log, power.LIMITS.least, power.LIMITS.grid, power.LIMITS.away


def check_rest(run: Execution, whole: Traced, pair: tuple[int, int]) -> None:
    """Unproven where the second is not what fast_two_sum finds to be left of the first, 2^-53 of that at most."""
    hi, lo = pair
    found = run.shapes.lemma(lo)
    if found is None or found.name != "fast_two_sum, second" or not found.holds(run):
        raise Unproven("the second part is not what is left of a sum")
    back = _operands(whole, lo)[0]
    if not isinstance(back, Value) or _operands(whole, back.number)[1] != Value(hi):
        raise Unproven("the second part is left of another sum")


def _operands(whole: Traced, number: int) -> tuple[Any, ...]:
    return whole.program.statements[number - len(whole.program.inputs)].operands
