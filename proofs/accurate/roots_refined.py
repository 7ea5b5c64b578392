"""cbrt, rsqrt, hypot: exact results, and the sides of boundaries that results lie on.

Roots: |x|^(1/n) is more than |b| where n (1 + d) is more than n (1 + g)^n: their powers of two agree, for |g| < 2^-33
is asked for, and g n is as small as d is, to 2^-36: bounds of roots are below 2^-68, and |n| is 2^31 at most.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.kernels.accurate import roots as accurate
from proofs.accurate.boundaries import LEFT, boundary, gaps, no_exact_result, roots
from proofs.lemmas import Refinement, kernel
from proofs.terms import (
    VARIABLE,
    Formula,
    Is,
    Number,
    OnGrid,
    SameIn,
    Values,
    at,
    bounded,
    multiples,
    near,
    term,
    unknown,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from proofs.lemmas import Cases, Lemma
    from proofs.terms import Claim, Property, Subinterval

__all__ = ["SECOND"]


def root(function: str, n: float) -> tuple[Lemma, ...]:
    """Return the lemmas of cbrt and rsqrt: no exact results are left to find."""
    refined = Refinement(kernel(getattr(accurate, function)), function)
    return *boundary(refined), no_exact_result(refined), *gaps(refined), *roots(refined, n)


# hypot

COUNTS = 2.0**54
LARGEST_SUM = 2.9  # more than the root of 8, r in size
OFF_COUNTS = 2.0 * accurate.HYPOT_ERROR * 2.0 * LARGEST_SUM * COUNTS**2  # size of a^2 + b^2 - r^2
BITS_OF_REST = 29  # at most, for b is at least 2^-31
LARGEST_PRODUCT = 1.5 * 2.0**52
v = Values()


def counts(refined: Refinement) -> Lemma:
    """Return the lemma that a leg, hi and ``rounded`` are integers of less than 62 bits times 2^-54."""
    ends = {"a": (1.0, 2.0), "hi": (1.0, LARGEST_SUM), "rounded": (-LEFT, LEFT)}
    scaled = {"a": "scaled_a", "hi": "scaled_hi", "rounded": "scaled_rest"}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        count = getattr(v, scaled[s.of])
        return [OnGrid(scaled[s.of], 0), near(count, VARIABLE * COUNTS, 0), bounded(count, 2.0**61)]

    over = [at(*size, of=of) for of, size in ends.items()]
    return refined.lemma("counts", over, lambda s: {s.of: multiples(-54 if s.of == "rounded" else -52)}, claim)


def product_of_rest(refined: Refinement) -> Lemma:
    """Return the lemma that 2 c d is exact where b is 2^-i to 2^(1 - i), a multiple of 2^(-52 - i)."""

    def assume(s: Subinterval) -> Mapping[str, Property]:
        bits = max(s.i - 2, 0)
        rest = Number(unknown(1.0 - 2.0**-bits), -bits, bits=bits, paired=True)
        return {"whole": Number(grid=0, bits=55 - s.i), "rest_of_b": rest}

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        exact = near(v.product, v.whole * v.rest_of_b * 2, 0)
        return [OnGrid("product", 1 - max(s.i - 2, 0)), exact, bounded(v.product, LARGEST_PRODUCT)]

    over = [at(2.0 ** (54 - i), 2.0 ** (55 - i), i=i) for i in range(BITS_OF_REST + 3)]
    return refined.lemma("product of the rest", over, assume, claim)


def known_counts(refined: Refinement) -> Lemma:
    """Return the lemma that ``counted`` is the sum of two squares of counts less the square of r's count, modulo 2^64.

    And also without the modulus if r is near to the root: both are within the kernel's bound of hi + lo.
    """
    squares = [("long.mul", f"count_{one}", f"count_{one}") for one in "abr"]
    formulas = {
        "counted": ("long.sub", ("long.add", *squares[:2]), squares[2]),
        "count_r": ("long.add", ("integer", "scaled_hi"), ("integer", "scaled_rest")),
        **{f"count_{leg}": ("integer", f"scaled_{leg}") for leg in "ab"},
    }
    unknown_counts = ("close", False), ("slight", True), ("special", True)

    def claim(_: Values, s: Subinterval) -> Claim | Sequence[Claim]:
        if s.known:
            return Is("known", expected=False)
        size = bounded(term(OFF_COUNTS + 1.0), 2.0**53 - LARGEST_PRODUCT)
        return [*(Formula(*formula) for formula in formulas.items()), size]

    over = [at(known=()), *(at(known=(one,)) for one in unknown_counts)]
    return refined.lemma("what is missed", over, lambda s: dict(s.known), claim)


def hypot() -> tuple[Lemma, ...]:
    """Return the lemmas of hypot refined: a is 1 to 2, b 2^-31 to 2, as in the kernel.

    The legs a and b, and r, which is b of ``boundaries``, are taken as multiples of 2^-54. a and r are integers, and b
    is an integer c, its count, and a rest d below 1: counts are cut off, not rounded. Both r and the root are within
    err of hi + lo, so that a^2 + b^2 - r^2 is small, and a^2 + c^2 - r^2 an integer below 2^53, known from its last 64
    bits. b^2 - c^2 is 2 c d + d^2. c and d have 53 bits together: their product is exact, and so is the sum M
    of the integer and 2 c d. M + d^2, with d^2 rounded, has the sign of the exact sum, or is 0, for rounding is
    monotonic. Where d is not 0 the root is not a multiple of 2^-54: exact results have d = 0.
    """
    refined = Refinement(kernel(accurate.refined_hypot), "refined_hypot")
    cases: Cases = {
        "not known": ({"known": False}, [("side", 0.0)]),
        "known": ({"known": True}, [("side", "missed")]),
    }
    legs = {
        "scaled_b": ("double.mul", "b", COUNTS),
        "whole": ("double.of_long", "count_b"),
        "rest_of_b": ("double.sub", "scaled_b", "whole"),
        "real_counted": ("double.of_long", "counted"),
        "missed": ("double.add", "sum", ("double.mul", "rest_of_b", "rest_of_b")),
        "level": ("double.eq", "missed", 0.0),
        "no_rest": ("double.eq", "rest_of_b", 0.0),
        "close": ("double.le", ("double.abs", ("double.sub", "lo", "rounded")), "err"),
    }
    total = {"total": within(OFF_COUNTS + 1.0), "real_counted": Number(v.total - VARIABLE, 0)}
    return (
        *boundary(refined),
        refined.unchanged(("known", "given"), ("known", "close"), name="exact"),
        refined.unchanged(("level", "given"), ("no_rest", "given"), name="exact without a rest"),
        refined.same("side", cases),
        refined.lemma(
            "legs",
            [at(of="legs")],
            {},
            lambda _, __: [SameIn(leg, "clmath.kernels.accurate.roots", "hypot") for leg in "ab"],
        ),
        refined.meaning(legs, "meaning of legs"),
        counts(refined),
        product_of_rest(refined),
        refined.lemma(
            "sum with the rest",
            [at(-LARGEST_PRODUCT, LARGEST_PRODUCT, of="2 c d")],
            {**total, "product": multiples(1 - BITS_OF_REST)},
            lambda v, _: near(v.sum, v.total, 0),
        ),
        known_counts(refined),
    )


SECOND = {
    "hypot": lambda _: hypot(),
    "cbrt": lambda _: root("refined_cbrt", 3.0),
    "rsqrt": lambda _: root("refined_rsqrt", -2.0),
}
