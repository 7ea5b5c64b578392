"""The narrowing kernel's own enclosure, which it gives where that is closer than the accurate kernel's."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from clmath.ir.program import Value
from proofs.engine.assumed import place
from proofs.lemmas import Traced, kernel
from proofs.terms import *

OWN: Properties = {
    "closer": True,
    "scale": constant(1.0),
}  # the own enclosure is taken, and both have the same exponent


def narrowing(narrow: Callable[..., Any], accurate: Callable[..., Any], *special: str) -> Traced:
    """Return the trace of a narrowing kernel; LookupError where its own exponent is not that of the accurate kernel.

    ``special``: conditions that do not hold for the arguments of lemmas.
    """
    found = kernel(narrow)
    same_exponent(found, kernel(accurate), dict.fromkeys(special, False))
    return found


def same_exponent(narrow: Traced, accurate: Traced, conditions: Mapping[str, bool], own: str = "own_exponent") -> None:
    """LookupError where the narrowing kernel's own enclosure has another exponent than the accurate kernel.

    ``conditions``: those that are known; ``own``: the name of the exponent, where there are several enclosures.
    """
    found, other = place(narrow, own), place(accurate, "exponent")
    if narrow.named(found, _expressions(narrow, conditions)) != accurate.named(
        other, _expressions(accurate, conditions)
    ):
        raise LookupError("the exponents of the narrowing and the accurate kernel are computed in different ways")


def exponents_agree(
    narrow: Traced, holds: Mapping[str | int, bool], accurate: Traced, holds_there: Mapping[str | int, bool]
) -> None:
    """LookupError where the own exponent of a narrowing kernel is not computed as that of the accurate kernel is.

    ``holds``, ``holds_there``: conditions that hold or not, by name, or by number, in each trace.
    """
    own, exponent = place(narrow, "own_exponent"), place(accurate, "exponent")
    if narrow.named(own, _expressions(narrow, holds)) != accurate.named(exponent, _expressions(accurate, holds_there)):
        raise LookupError("the exponents of the narrowing and the accurate kernel are computed in different ways")


def _expressions(f: Traced, holds: Mapping[str, bool] | Mapping[str | int, bool]) -> list[str]:
    names = f.program.names
    known = [(names.get(key) if isinstance(key, str) else Value(key), is_so) for key, is_so in holds.items()]
    return f.names_where({operand.number: is_so for operand, is_so in known if isinstance(operand, Value)})
