"""tgamma and lgamma: at all arguments; lgamma with any logarithms and sines that their own lemmas allow.

Below -1/2 log|gamma(x)| is log pi - log|sin(pi r)| - log gamma(1 - x). There are too many floats x to prove the sum for
each. The lemma is about every logarithm of a sine with every log gamma(1 - x), as if both came from different x.
"""

from __future__ import annotations

import numpy as np

from clmath.kernels.fast import gamma as fast
from clmath.kernels.fast.logarithm import log_at
from proofs.fast.arguments import FLOATS, equal
from proofs.fast.logarithm import FAST, doubling, places, total
from proofs.lemmas import *

LOG_OFF, LOG_OFF_OF_DOUBLE = 2.0**-52, 2.0**-53  # of log_at: relative error; additional error for doubles of any bits
BASE_OFF, SINE_OFF = 2.0**-50, 2.0**-51  # the relative errors of log gamma from 1 on, and of the sine
LEAST_LOG = -17.0  # of log|sin(pi r)|, as |r| is at least 2^-24
CLOSEST = 2.0**-24  # the least distance of other floats below -1/2 from integers
LOW, HIGH = -(2.0**24), -0.5  # ends of arguments


def split(low: float, high: float, step: float, points: Sequence[float] = ()) -> Iterator[tuple[float, float]]:
    """Yield the ends of subintervals, half-way between multiples of ``step``, and binade by binade toward points."""
    ends = {low, high, *((i + 0.5) * step for i in range(math.floor(low / step) - 1, math.ceil(high / step) + 1))}
    ends |= {point + sign * 2.0**-i for point in points for i in range(2, 150) for sign in (1, -1)}
    yield from pairwise(sorted(end for end in ends if low <= end <= high))


def between_poles(n: int) -> Iterator[Subinterval]:
    """Yield subintervals between -n - 1 and -n, from the first to the last float that is not an integer."""
    for low, high in split(-n - 1.0, float(-n), 0.125, (-n - 1.0, float(-n))):
        first, last = toward(low, high), toward(high, low)
        if first <= last:
            yield at(first, last, of="below")


def toward(end: float, other: float) -> float:
    """Return the first float from an end toward the other end that is not an integer."""
    found, direction = np.float32(end), math.copysign(1.0, other - end)
    if (found - end) * direction < 0 or found.is_integer():
        found = np.nextafter(found, np.float32(direction * math.inf))
    return float(found)


def gamma(x: Term) -> Term:
    """Return gamma(x) for x > 0."""
    return exp(log_gamma(x))


def sine(x: Term, n: int) -> Term:
    """Return sin(pi x) by the distance from an integer."""
    return sin((x - n) * PI) * (-1 if n & 1 else 1)


def tgamma(_: str) -> tuple[Lemma, ...]:
    """Return the lemma of tgamma."""
    over = (
        *(at(low, high, of="above") for low, high in split(1.0, fast.TOP, 0.125)),
        *(at(s.low, s.high, of="inside") for t in binades(2.0**-149, 1.0) for s in equal(t.low, t.high, 8, (1,))),
        *(s for n in range(int(-fast.BOTTOM)) for s in between_poles(n)),
    )

    def given(s: Subinterval) -> Properties:
        ordinary = dict.fromkeys(("factorial", "touching", "pole", "beyond", "zero"), False)
        return {"x": FLOATS, "above": s.of == "above", "below": s.of == "below", **ordinary}

    def claim(s: Subinterval) -> Claim:
        if s.of == "above":
            return encloses_rounded(gamma(v.x))
        if s.of == "inside":
            return encloses_rounded(gamma(v.x + 1) * inverse(v.x))
        return encloses_rounded(inverse(gamma(1 - v.x) * sine(v.x, round((s.low + s.high) / 2))) * PI)

    return (lemma("arguments", kernel(fast.tgamma, 2), over)(given, claim),)


# lgamma


def logarithms() -> tuple[Lemma, ...]:
    """Return the lemmas of log x for 2^-160 < x < 2^140."""
    f, powers = kernel(log_at, 1), doubling(-160, 140)

    def sums(digits: int, name: str) -> Lemma:
        def encloses(exact: Term) -> Claim:
            beside = 0.0 if digits == 24 else LOG_OFF_OF_DOUBLE
            return near(v.value, exact, least_size(exact) * LOG_OFF + beside)

        return replace(total(f, FAST, "log", digits, powers, {}, encloses), name=name)

    return places(f, FAST, "n"), sums(24, "sum of floats"), sums(53, "sum of doubles")


def near_log(x: Term, beside: float) -> Number:
    """Return any number as near to log x as the lemmas of the logarithm say."""
    return Number(log(x) + unknown(most(log(x)) * LOG_OFF + beside))


def has_logarithm(x: Term) -> list[Claim]:
    """Claim that x is in the range of the logarithm's lemmas."""
    return [bounded(term(2.0**-160), least(x)), bounded(x, 2.0**140)]


def above_half() -> Iterator[Subinterval]:
    """Yield subintervals of arguments above -1/2: from 1 on for doubles; 1 and 2 are exact."""
    for low, high in split(1.0, fast.SERIES, 2.0**-5, (1.0, 2.0)):
        first = math.nextafter(low, high) if low in {1.0, 2.0} else low
        yield at(first, math.nextafter(high, low) if high in {2.0, fast.SERIES} else high, of="piece")
    for s in binades(fast.SERIES, 2.0**128):
        yield from (at(one.low, one.high, of="series") for one in equal(s.low, s.high, 4, (1,)))
    for s in binades(2.0**-149, 1.0):
        for one in equal(s.low, s.high, 8, (1,)):
            yield at(one.low, one.high, of="inside")
            if s.high <= 0.5:
                yield at(-one.high, -one.low, of="below")


def arguments(f: Traced) -> Lemma:
    """Return the lemma of arguments above -1/2: floats, and from 1 on all doubles, as 1 - x may be one."""

    def given(s: Subinterval) -> Properties:
        above, below = s.of in {"piece", "series"}, s.of == "below"
        regions = {"above": above, "below": below, "near": s.of != "series", "pole": False, "zero": False}
        logs = {
            "log": near_log(v.argument, LOG_OFF_OF_DOUBLE if below else 0.0),
            "log_of_large": near_log(v.large, LOG_OFF_OF_DOUBLE),
        }
        return {"x": doubles(snapped=True) if above else FLOATS, **regions, **logs}

    def claim(s: Subinterval) -> Claims:
        if s.of == "inside":
            return [encloses_rounded(log_gamma(v.x + 1) - log(v.x)), *has_logarithm(v.argument)]
        if s.of == "below":
            ideal = log(PI) - log(-sine(v.x, 0)) - log_gamma(1 - v.x)
            return [encloses_rounded(ideal), *has_logarithm(v.argument)]
        base = near(v.base, log_gamma(v.x), least_size(log_gamma(v.x)) * BASE_OFF)
        of_large = has_logarithm(v.large) if s.of == "series" else []
        return [encloses_rounded(log_gamma(v.x)), base, *has_logarithm(v.argument), *of_large]

    return lemma("arguments", f, above_half())(given, claim)


def below_half(f: Traced) -> tuple[Lemma, ...]:
    """Return the lemmas of x < -1/2: x = r + n, the sine, and the sum with any logarithm of a sine."""

    def mirrored(s: Subinterval) -> Properties:
        low, high = s.log
        known = {"above": False, "below": True, "plain": True, "pole": False, "zero": False}
        error_of_log = LOG_OFF * -low + LOG_OFF_OF_DOUBLE + SINE_OFF * (1.0 + 2.0**-40)
        return {
            "log_of_sine": between(low, high),
            "x": between(LOW, HIGH, -24),
            "log": Number(v.log_of_sine + unknown(error_of_log)),
            "base": Number(VARIABLE + unknown(most(VARIABLE) * BASE_OFF)),
            **known,
        }

    sizes = [(s.low, s.high) for s in binades(0.125, 2.0**29)]
    logs = [(-0.125, 0.0), *((-s.high, -s.low) for s in binades(0.125, -LEAST_LOG))]
    return (
        lemma("reduction", f, (s for s in binades(-HIGH, -LOW, signs=True) if s.sign == "-"))(
            {"x": FLOATS, "far": False},
            [
                near(v.x, v.turns + v.r, 0),
                bounded(v.r, 0.5 * (1.0 + 2.0**-20)),
                OnGrid("r", -24),
                near(v.at, 1 - v.x, 0),
            ],
        ),
        lemma("sines", f, (s for n in range(2) for s in eighths(CLOSEST, 0.5, n=n)))(
            lambda s: {"r": Number(grid=-24, snapped=True), "turns": Residue(s.n, 2), "far": False},
            lambda s: near(
                v.abs_sine, sin(v.r * PI) * (1 if s.low > 0.0 else -1), least_size(sin(v.r * PI)) * SINE_OFF
            ),
        ),
        lemma("mirrored", f, (at(*ends, log=one) for one in logs for ends in ((-0.125, 0.0), (0.0, 0.125), *sizes)))(
            mirrored, encloses_rounded(log(PI) - v.log_of_sine - VARIABLE)
        ),
    )


def lgamma(_: str) -> tuple[Lemma, ...]:
    """Return the lemmas of lgamma."""
    f = kernel(fast.lgamma, 2)
    return *logarithms(), arguments(f), *below_half(f)


LEMMAS = {"tgamma": tgamma, "lgamma": lgamma}
