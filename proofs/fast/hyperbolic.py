"""sinh, cosh, tanh."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from clmath.kernels.quick import hyperbolic as fast
from clmath.kernels.quick.near_zero import TINY
from proofs.fast.arguments import of_arguments
from proofs.terms import exp, inverse

if TYPE_CHECKING:
    from proofs.lemmas import Lemma
    from proofs.terms import Term

__all__ = ["LEMMAS"]


def sinh(x: Term) -> Term:
    """Return the hyperbolic sine."""
    return (exp(x) - exp(-x)) / 2


def cosh(x: Term) -> Term:
    """Return the hyperbolic cosine."""
    return (exp(x) + exp(-x)) / 2


def tanh(x: Term) -> Term:
    """Return the hyperbolic tangent."""
    return sinh(x) * inverse(cosh(x))


CLAIMED = {
    "sinh": functools.partial(of_arguments, fast.sinh, sinh, TINY, fast.TOP, 2.0**-8, ("tiny",)),
    "cosh": functools.partial(of_arguments, fast.cosh, cosh, TINY, fast.TOP, 2.0**-8, ("tiny",)),
    "tanh": functools.partial(of_arguments, fast.tanh, tanh, TINY, fast.SATURATED, 2.0**-9, ("tiny", "saturated")),
}


def growth(name: str) -> tuple[Lemma, ...]:
    """Return the lemma of sinh, cosh or tanh."""
    return CLAIMED[name]()


LEMMAS = dict.fromkeys(CLAIMED, growth)
