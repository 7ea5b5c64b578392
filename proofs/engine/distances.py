"""How close multiples of a number come to integers.

For all integers 0 < m < q', the distance of m a from integers is no less than that of q a, q < q' the denominators of
subsequent convergents of a: the theorem of best approximation (Lagrange; Khinchin, Continued Fractions, theorems 16
and 17).
"""

from __future__ import annotations

from flint import arb, ctx, fmpz

from proofs.engine.models import Unproven


def least_distance(a: arb, most: int, known: int) -> arb:
    """Return the least distance of m a from integers for all integers 0 < m < ``most``; a has ``known`` bits."""
    with ctx.workprec(known):
        before, here, rest, found = fmpz(0), fmpz(1), a - a.floor(), a - a.floor()
        while True:  # here a is rest from an integer
            quotient = (1 / rest).floor().unique_fmpz()
            if quotient is None:
                raise Unproven("the number is not known to enough bits")
            rest = 1 / rest - quotient
            following = quotient * here + before
            if following >= most:
                break
            before, here = here, following
        found = abs(a * here - (a * here).mid().floor())
        return min(found, 1 - found)
