"""The narrowing kernel's own enclosure, which it gives where that is closer than the accurate kernel's."""

from __future__ import annotations

from clmath.ir.program import Constant, Operand, Value
from clmath.kernels import ACCURATE
from proofs.engine.assumed import place
from proofs.lemmas import *

OWN: Properties = {"closer": True, "scale": constant(1.0)}  # the own enclosure, with the exponent that is given


def narrow(name: str) -> Traced:
    """Return the trace of the function that narrows the enclosures of an accurate kernel."""
    function = ACCURATE.kernels[name].narrow
    assert function, name
    return kernel(function)


def narrowing(name: str, given: Callable[..., object], *special: str) -> Traced:
    """Return the trace of that function; raise LookupError if ``given``, the kernel, has another exponent.

    ``special``: conditions that do not hold for the arguments of lemmas.
    """
    found = narrow(name)
    same_exponent(found, kernel(given), dict.fromkeys(special, False))
    return found


def expression(f: Traced, value: str | Operand, holds: Mapping[Any, bool]) -> str:
    """Return the digest of a value where conditions hold or not, which are known by name or by number."""
    known = [(f.program.names.get(key) if isinstance(key, str) else Value(key), is_so) for key, is_so in holds.items()]
    numbers = {operand.number: is_so for operand, is_so in known if isinstance(operand, Value)}
    return f.named(place(f, value) if isinstance(value, str) else value, f.names_where(numbers))


def same_exponent(
    narrow: Traced,
    accurate: Traced,
    holds: Mapping[Any, bool],
    holds_there: Mapping[Any, bool] | None = None,
    own: str = "own_exponent",
) -> None:
    """LookupError where the own exponent of a narrowing kernel is not computed as the exponent of the accurate kernel.

    ``holds``, ``holds_there``: conditions in each kernel, the same ones unless both are given; ``own``: the name of the
    exponent, where there are several enclosures.
    """
    there = expression(accurate, "exponent", holds if holds_there is None else holds_there)
    if expression(narrow, own, holds) != there:
        raise LookupError("the exponents of the narrowing and the accurate kernel are computed in different ways")


def no_bound(accurate: Traced, holds: Mapping[Any, bool]) -> None:
    """LookupError where the accurate kernel may give a bound, not 0, although these conditions hold or not."""
    if expression(accurate, "err", holds) != accurate.named(Constant("double", 0), ()):
        raise LookupError(f"the accurate kernel may give a bound where {dict(holds)}")
