"""sinpi, cospi, tanpi: what is left of half turns is exact, and a sine or a quotient of polynomials of that."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from clmath.kernels.quick import trigonometric as fast
from clmath.kernels.quick.near_zero import TINY
from proofs.lemmas import Lemma, binades, eighths, kernel
from proofs.terms import PI, Number, OnGrid, Residue, bounded, cos, encloses_rounded, inverse, near, sin

if TYPE_CHECKING:
    from proofs.terms import Subinterval, Term, Values

__all__ = ["FLOATS", "LEMMAS"]

FLOATS = Number(grid=-149, bits=24, snapped=True)


def turns(name: str) -> tuple[Lemma, ...]:
    """Return the reduction x = r + n/steps + shift, |r| <= reach, and the value, which depends on r and n alone."""
    f, tangent = kernel(getattr(fast, name), 2), name == "tanpi"
    steps, shift = (2, 0.0) if tangent else (1, -0.5 if name == "cospi" else 0.0)
    reach, smallest, grid = 0.5 / steps, TINY if shift else 2.0**-149, -38 if shift else -149
    special = ("far", "zero", "one") if tangent else ("far", "zero", "half", *(("tiny",) if shift else ()))
    ordinary = dict.fromkeys(special, False)

    def value(v: Values, s: Subinterval) -> Term:
        angle = v.r * PI
        if not tangent:
            return -sin(angle) if s.n & 1 else sin(angle)
        return -cos(angle) * inverse(sin(angle)) if s.n & 1 else sin(angle) * inverse(cos(angle))

    return (
        Lemma(
            "reduction",
            f,
            tuple(binades(smallest, 2.0**24, signs=True)),
            {"x": FLOATS, **ordinary},
            lambda v, _: [
                near(v.x, v.n / steps + shift + v.r, 0),
                bounded(v.r, reach * (1.0 + 2.0**-20)),
                OnGrid("r", grid),
            ],
        ),
        Lemma(
            "value",
            f,
            tuple(s for n in range(2 * steps) for s in eighths(math.ldexp(1.0, grid), reach, n=n)),
            lambda s: {"r": Number(grid=grid, snapped=True), "n": Residue(s.n, 2 * steps), **ordinary},
            lambda v, s: encloses_rounded(v, value(v, s)),
        ),
    )


LEMMAS = dict.fromkeys(("sinpi", "cospi", "tanpi"), turns)
