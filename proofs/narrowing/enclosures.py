"""The kernel's own enclosure, which a fine kernel gives where that is closer than the one of the accurate kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.ir.program import Value
from proofs.engine.assumed import place
from proofs.lemmas import kernel
from proofs.terms import constant

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from typing import Any

    from proofs.engine.traced import Traced
    from proofs.terms import Property

__all__ = ["OWN", "narrowing"]

OWN: Mapping[str, Property] = {
    "closer": True,
    "scale": constant(1.0),
}  # the own enclosure is taken, and both have the same exponent


def narrowing(fine: Callable[..., Any], accurate: Callable[..., Any], *special: str) -> Traced:
    """Return the trace of a fine kernel; LookupError where its own exponent is not that of the accurate kernel.

    ``special``: conditions that do not hold for the arguments of lemmas.
    """
    found, other = kernel(fine), kernel(accurate)
    own, exponent = place(found, "own_exponent"), place(other, "exponent")
    if found.named(own, _expressions(found, special)) != other.named(exponent, _expressions(other, special)):
        raise LookupError("the exponents of the fine and the accurate kernel are computed in different ways")
    return found


def _expressions(f: Traced, special: tuple[str, ...]) -> list[str]:
    named = [f.program.names[name] for name in special if name in f.program.names]
    return f.names_where({condition.number: False for condition in named if isinstance(condition, Value)})
