"""cbrt, rsqrt, hypot: exact results, and the sides of boundaries that results lie on.

Roots: |x|^(1/n) is more than |b| where n (1 + d) is more than n (1 + g)^n: their powers of two agree, for |g| < 2^-33
is asked for, and g n is as small as d is, to 2^-36: bounds of roots are below 2^-68, and |n| is 2^31 at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.kernels.double import roots as accurate
from proofs.accurate.boundaries import boundary, gaps, no_exact_result, roots
from proofs.lemmas import Refinement, kernel

if TYPE_CHECKING:
    from proofs.lemmas import Lemma

__all__ = ["SECOND"]


def root(function: str, n: float) -> tuple[Lemma, ...]:
    """Return the lemmas of cbrt and rsqrt: no exact results are left to find."""
    refined = Refinement(kernel(getattr(accurate, function)), function)
    return *boundary(refined), no_exact_result(refined), *gaps(refined), *roots(refined, n)


SECOND = {
    "cbrt": lambda _: root("refined_cbrt", 3.0),
    "rsqrt": lambda _: root("refined_rsqrt", -2.0),
}
