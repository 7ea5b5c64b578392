"""sinh, cosh, tanh; asinh, acosh, atanh: log(1 + w) for every double w, and the error of w itself."""

from __future__ import annotations

from clmath.kernels.fast import hyperbolic as fast
from clmath.kernels.fast.logarithm import log1p_of
from clmath.kernels.fast.near_zero import TINY
from proofs.fast.arguments import ABOVE_ONE, BELOW_ONE, equal, of_arguments, pieces
from proofs.fast.logarithm import FAST, next_to_one, places, sum_with_one, total
from proofs.lemmas import *


def sinh(x: Term) -> Term:
    """Return the hyperbolic sine."""
    return (exp(x) - exp(-x)) / 2


def cosh(x: Term) -> Term:
    """Return the hyperbolic cosine."""
    return (exp(x) + exp(-x)) / 2


def tanh(x: Term) -> Term:
    """Return the hyperbolic tangent."""
    return sinh(x) * inverse(cosh(x))


# asinh, acosh, atanh

OFF = 2.0**-52  # the relative error of log(1 + w)
LEAST_W, MOST_W = 2.0**-15, 2.0**130  # of w
NEAR = (1, 0, 0), (-1, FAST.places - 1, -1)


def log_of_sum() -> tuple[Lemma, ...]:
    """Return the lemmas that the logarithm of 1 + w has a relative error of at most ``OFF``, for every double w."""
    f, powers = kernel(log1p_of, 1), ((0, 0), *((1 << n, (2 << n) - 1) for n in range(8)))

    def encloses(exact: Term) -> Claim:
        return near(v.value, exact, least_size(exact) * OFF)

    at_one = {j for _, j, _ in NEAR}
    return (
        lemma("entries", f, choices(j=range(FAST.places)))(
            lambda s: {"j": s.j},
            lambda s: near(v.log_hi + v.log_lo, -log(v.reciprocal) - log(2) * FAST.carried(s.j), 2.0**-97),
        ),
        places(f, FAST, "n"),
        total(f, FAST, "log1p", 53, powers, {}, encloses, at_one, sum_with_one, v.m + v.rest),
        next_to_one(f, FAST, NEAR, LEAST_W, 53, 53, {}, encloses, scale=True),
    )


IDEALS: Mapping[str, Callable[[Term, int], Term]] = {  # of an argument with that sign
    "asinh": lambda x, sign: log(x * sign + sqrt(x * x + 1)) * sign,
    "acosh": lambda x, _: log(x + sqrt((x - 1) * (x + 1))),
    "atanh": lambda x, _: log((x + 1) * inverse(1 - x)) / 2,
}
# the least and the greatest argument; signs; special conditions
INVERSES = {
    "asinh": (TINY, 2.0**128, (1, -1), {"tiny": False}),
    "acosh": (ABOVE_ONE, 2.0**128, (1,), {}),
    "atanh": (TINY, BELOW_ONE, (1, -1), {"tiny": False}),
}


def inverses(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of the logarithm, and of the kernel for any logarithm of its w within the bound."""
    least_x, top, signs, ordinary = INVERSES[name]
    exact = log(v.w + 1)

    def inside(s: Subinterval) -> Claims:
        reach = bounded(v.w, MOST_W), bounded(term(LEAST_W), least(v.w))
        return [encloses_rounded(IDEALS[name](v.x, s.sign)), *reach]

    over = (s for low, high in pieces(least_x, top) for s in equal(low, high, 8, signs))
    log_of_w = Number(exact + unknown(most(exact) * OFF))
    given: dict[str, Property] = {"x": doubles(24, snapped=True), "log": log_of_w, **ordinary}
    return *log_of_sum(), lemma("inside", kernel(getattr(fast, name), 2), over)(given, inside)


LEMMAS = {
    "sinh": lambda _: of_arguments(fast.sinh, sinh, TINY, fast.TOP, 2.0**-8, ("tiny",)),
    "cosh": lambda _: of_arguments(fast.cosh, cosh, TINY, fast.TOP, 2.0**-8, ("tiny",)),
    "tanh": lambda _: of_arguments(fast.tanh, tanh, TINY, fast.SATURATED, 2.0**-9, ("tiny", "saturated")),
    **dict.fromkeys(INVERSES, inverses),
}
