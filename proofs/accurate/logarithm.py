"""log, log2, log10, log1p in pairs of doubles: x = 2^q m, and k log 2 + log m, as in the fast kernels.

Sides of boundaries b = hi + rounded (``boundaries``) for log(1 + t) and small t. ``missed`` is computed for
D = log(1 + t) - b. Where the two are close, so that D is small relative to t^2, the difference t - b - t^2/2 is exact
for the rounded t^2 (lemmas "apart" and "left"). The other part, ``follows``, is t^3/3 - t^4/4, a number below |t|^5/4,
and half the rounding of t^2; its error is less than the computed bound (lemma "left"). The last sum is rounded, which
keeps the sign: where |missed| is more than the bound, D has the sign of ``missed``. For negative b, |log(1 + t)| > |b|
where D is negative.
"""

from __future__ import annotations

from clmath.ir.primitives import mark, scope
from clmath.ir.values import Real
from clmath.kernels.accurate import logarithm as accurate
from clmath.kernels.accurate.logarithm import log as log_kernel
from clmath.kernels.accurate.logarithm import log1p, log10, refined_log, refined_log1p, refined_log10
from proofs.accurate.boundaries import boundary, no_exact_result
from proofs.fast.logarithm import Layout, doubling, farthest, lacking, next_to_one, places, total, v
from proofs.fast.logarithm import refined_log10 as exact_log10
from proofs.lemmas import *

LAYOUT = Layout(accurate.LOWEST, 256, 44, 256)
LEAST_K, MOST_K = (ONE - LAYOUT.start) // BINADE - SCALED, ((2047 << 52) - 1 - LAYOUT.start) // BINADE  # k
ORDINARY = {"pole": False, "above": True, "finite": True}


def logarithm(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of log, log2 and log10."""
    f = kernel(getattr(accurate, name))
    powers = ((LEAST_K, -1), (0, 0), (1, MOST_K)) if name == "log" else doubling(LEAST_K, MOST_K)
    return places(f, LAYOUT, "k", subnormal=True), total(f, LAYOUT, name, 53, powers, ORDINARY, encloses)


def log1p_sums(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of log1p: where |x| < CLOSE, the sum is next to 1."""
    f = kernel(accurate.log1p)
    ordinary = ORDINARY | {"tiny": False, "small": False}
    one = (ONE - LAYOUT.start) >> LAYOUT.bits
    near = (1, one, 0), (-1, one, 0)
    assert all(farthest(LAYOUT, *which, 53) >= accurate.CLOSE for which in near)
    powers = (-53, -1), (0, 0), (1, MOST_K - 1), (MOST_K, MOST_K)  # 2^-k underflows at the last
    far = ordinary | {"close": False}
    return (
        places(f, LAYOUT, "k"),
        total(f, LAYOUT, name, 53, powers, far, encloses, {one}, lacking, v.m + v.rest),
        next_to_one(f, LAYOUT, near, accurate.TINY, 53, 53, ordinary, encloses),
    )


LEAST_T, MOST_T = 2.0**-60 * (1.0 - 2.0**-20), 2.0**-27 * (1.0 + 2.0**-20)  # sizes of t, where the side is found


def binade(s: Subinterval) -> int:
    """Return the exponent of the least size in a subinterval."""
    return last_place(s.closest, 1)


def sides(refined: Refinement, least_t: float) -> tuple[Lemma, ...]:
    """Return the lemmas of the sides of boundaries that log(1 + t) lies on, for |t| from ``least_t`` on."""
    over, t = of_both_signs(least_t, MOST_T), VARIABLE
    follows = t * t * t / 3 - t * t * t * t / 4 + v.left_out - (t * t - v.square) / 2
    left_out = unknown(most(t * t * t * t * t) * 0.25)

    def close(s: Subinterval) -> Properties:
        """Return that hi is as close to t as 4 t^2, or as four of its places."""
        return {
            "away": within(2.0 ** max(2 * binade(s) + 2, binade(s) - 50)),
            "t": Number(grid=binade(s) - 52),
            "hi": Number(t - v.away, binade(s) - 54),
            "rounded": within(2.0 ** (binade(s) - 51), binade(s) - 56),
        }

    def squared(s: Subinterval) -> Properties:
        """Return that ``off``, which is D without ``follows``, is small relative to t^2."""
        square, grid = t * t + v.rounding, 2 * binade(s) - 52
        return {
            "rounding": within(2.0 ** (2 * binade(s) - 51)),
            "off": within(2.0 ** (2 * binade(s) - 3)),
            "left_out": Number(left_out),
            "t": Number(grid=binade(s) - 52),
            "square": Number(square, grid),
            "apart": Number(square / 2 + v.off, grid - 1),
        }

    told: Cases = {"told": ({"told": True}, [("side", "outward_side")]), "not told": ({"told": False}, [("side", 0.0)])}
    signs: Cases = {
        "positive": ({"positive": True}, [("outward_side", "missed")]),
        "negative": ({"positive": False}, [("outward_side", "opposite")]),
    }
    meaning = {
        "square": ("double.mul", "t", "t"),
        "missed": ("double.add", "left", "follows"),
        "more": ("double.gt", ("double.abs", "missed"), "bound"),
    }
    return (
        *boundary(refined),
        refined.same("side", told),
        refined.same("sign of the side", signs),
        refined.meaning(meaning, "meaning of sides"),
        no_exact_result(refined),
        refined.never("not next to one", "t", "told", of_both_signs(MOST_T, GREATEST)),
        refined.lemma("apart", over)(close, near(v.apart, v.away - v.rounded, 0)),
        refined.lemma("left", over)(
            squared,
            lambda s: [
                near(v.follows, follows, term(0.99) * least(v.bound)),
                *equals(left=v.off, square_rest=t * t - v.square),
                bounded(t * (4 * accurate.BOUND) + t * t * t / 2, 2.0 ** (2 * binade(s) - 3)),
            ],
        ),
    )


def log_refined(x: Real) -> object:
    """Return the results of log, refined."""
    return refined_log(x, *mark("hi lo err exponent", *log_kernel(x)))


def log1p_refined(x: Real) -> object:
    """Return the results of log1p, refined."""
    return refined_log1p(x, *mark("hi lo err exponent", *scope("kernel", log1p)(x)))


def sides_of_log() -> tuple[Lemma, ...]:
    """Return the lemmas of sides of log x: |x - 1| is 2^-53 or more, or 0, where results are exact."""
    refined = refinement(log_refined, name="refined_log")
    near_one = [at(1.0 - MOST_T, 1.0 + MOST_T, of="x")]
    exact = refined.lemma("difference", near_one)({"x": multiples(-53)}, near(v.t, v.x - 1, 0))
    return *sides(refined, 2.0**-53), exact


def sides_of_log1p() -> tuple[Lemma, ...]:
    """Return the lemmas of sides of log1p: below 2^-60 the kernel has no bound, and from 2^-100 on no exponent."""
    refined = refinement(log1p_refined, name="refined_log1p")
    slight = of_both_signs(2.0**-1074, LEAST_T)
    return (
        *sides(refined, 2.0**-61),
        refined.same("told", {"slight": ({"kernel.small": True}, [("err", 0.0)])}),
        refined.lemma("slight", slight)({"t": multiples(-1074)}, Is("kernel.small", expected=True)),
    )


def log10_refined(x: Real) -> object:
    """Return the results of log10, refined."""
    return refined_log10(x, *mark("hi lo err exponent", *log10(x)))


LEMMAS: Mapping[str, Callable[[str], tuple[Lemma, ...]]] = {
    "log": lambda name: (*logarithm(name), *sides_of_log()),
    "log2": logarithm,
    "log10": lambda name: (*logarithm(name), *exact_log10(refinement(log10_refined, name="refined_log10"), "hi", 22)),
    "log1p": lambda name: (*log1p_sums(name), *sides_of_log1p()),
}
