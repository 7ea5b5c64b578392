"""asinh, acosh, atanh: the value is the logarithm of 1 + q, or half of it, and is refined by a step as in log1p."""

from __future__ import annotations

from clmath.kernels.accurate.inverse_hyperbolic import NARROW_LARGE as LARGE
from proofs.accurate import inverse_hyperbolic as accurate
from proofs.lemmas import *
from proofs.narrowing.enclosures import narrow
from proofs.narrowing.logarithm import OnePlus, of_q, told

KERNELS = {
    "asinh": OnePlus(2.0**-26.5, large=True),
    "acosh": OnePlus(2.0**-25.6, large=True),
    "atanh": OnePlus(2.0**-25.5, 0.5),
}


def arguments(least: float, *, next_to_1: bool) -> Iterator[Subinterval]:
    """Yield subintervals of x - 1 up to 1, if requested, and of x: short ones next to LARGE."""
    close = LARGE * 2.0**-27
    if next_to_1:
        yield from binades(2.0**-52, 1.0, kind="next to 1")
    yield from binades(2.0 if next_to_1 else least / 2.0, LARGE - close, kind="usual")
    yield at(LARGE - close, math.nextafter(LARGE, 0.0), kind="usual")
    yield at(LARGE, LARGE, kind="usual")
    yield at(math.nextafter(LARGE, math.inf), LARGE + close, kind="large")
    yield from binades(LARGE + close, GREATEST, kind="large")


def roots(f: Traced, name: str) -> Lemma:
    """Return the lemma of q: x + x^2/(1 + sqrt(1 + x^2)) or x - 1 + sqrt((x - 1) (x + 1)).

    Where x is large, q is half of that, x - 1/2: sqrt(x^2 + 1) is x and less than 1/(2x), sqrt(x^2 - 1) less by 1/x.
    """

    def assume(s: Subinterval) -> Properties:
        x = doubles(snapped=True)
        if s.kind == "next to 1":
            x = Number(VARIABLE + 1, min(last_place(s.low), -52))
        return {"x": x, "root": Computed(), "root_head": Computed(alone=True)}

    def exact(x: Term, s: Subinterval) -> Term:
        if s.kind == "large":
            return x - 0.5 + unknown(0.5 / s.low)
        return x - 1 + sqrt((x - 1) * (x + 1)) if name == "acosh" else x + x * x * inverse(sqrt(x * x + 1) + 1)

    over = arguments(KERNELS[name].least, next_to_1=name == "acosh")
    return lemma("roots", f, over)(assume, lambda s: of_q(exact(v.x, s)))


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of a kernel: of the accurate kernel's results, of q, and of the step."""
    f, of = narrow(name), KERNELS[name]
    given = (told(lemma, of.factor) for lemma in accurate.LEMMAS[name](name) if lemma.name in {"values", "near zero"})
    return *given, of.quotients(f, 2) if name == "atanh" else roots(f, name), *of.steps(f)


LEMMAS = dict.fromkeys(KERNELS, lemmas)
