"""asin, acos, atan and their forms in half turns."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.kernels.quick import inverse_trigonometric as fast
from clmath.kernels.quick.near_zero import TINY
from proofs.fast.arguments import BELOW_ONE, of_arguments
from proofs.terms import PI, acos, asin, atan

if TYPE_CHECKING:
    from proofs.lemmas import Lemma

__all__ = ["LEMMAS"]

LEAST = 2.0**-149
# the function, in half turns or not; the least and the greatest argument; special conditions
CLAIMED = {
    "atan": (atan, False, TINY, 2.0**128, ("tiny",)),
    "atanpi": (atan, True, LEAST, 1.0 / fast.SLIGHT, ("one", "steep", "zero")),
    "asin": (asin, False, TINY, BELOW_ONE, ("tiny",)),
    "asinpi": (asin, True, LEAST, BELOW_ONE, ("zero", "one")),
    "acos": (acos, False, LEAST, BELOW_ONE, ("one",)),
    "acospi": (acos, True, fast.SLIGHT, BELOW_ONE, ("zero", "one", "slight")),
}


def arcs(name: str) -> tuple[Lemma, ...]:
    """Return the lemma of an arc function of one argument."""
    function, in_half_turns, least, top, special = CLAIMED[name]
    over = PI if in_half_turns else 1
    return of_arguments(getattr(fast, name), lambda x: function(x) / over, least, top, special=special)


LEMMAS = dict.fromkeys(CLAIMED, arcs)
