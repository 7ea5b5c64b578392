"""erf, erfc: the series and the fraction step by step, the power e^(-x^2), and the results that these give.

A step of the series, or of the fraction, uses of the steps before no more than how near they are to exact values: no
error is kept apart for longer than it may cancel.
"""

from __future__ import annotations

from clmath.ir.values import Real
from clmath.kernels.accurate import error_function as accurate
from clmath.kernels.accurate import near_zero
from proofs.accurate.error_function import CLOSER, LEAST, LEAST_K, POWER, power, squares, underflow, values_between
from proofs.accurate.error_function import REACH as REACH_OF_POWER
from proofs.lemmas import *
from proofs.narrowing.enclosures import OWN, narrow, same_exponent

REDUCED_OFF, POWER_OFF = 2.0**-107, 2.0**-103  # errors of the reduction; of the power, relative
ENDS = -REACH_OF_POWER, REACH_OF_POWER
FIRST_BEYOND = accurate.ROOT * accurate.ROOT * (1.0 - 2.0**-50)  # squares beyond ROOT are at least this
MOST_K = -17  # the greatest power of two in e^(-x^2) where |x| is beyond ROOT
PIECES, SHORT = 16, 192  # subintervals of the power; of a binade of the fraction
FRACTION_OFF, LOWER, FRACTIONS = 2.0**-99.7, 2.0**-52, (3.4, 27.6)  # of the fraction: error, lower part, ends
STEP_OF_SQUARES, CLOSE = 0.8, 2.0**-24  # between subintervals of the fraction; next to the ends of conditions
TERMS = 24  # of series of exact functions
MOST_APART = 1000  # exponents further apart cannot belong to one value
ROOT_OF_PI = sqrt(PI)


def nth(name: str, number: int) -> str:
    """Return the name of the ``number``-th value that is marked with a name."""
    return name if number == 1 else f"{name}.{number}"


# up to ROOT: the series


def steps_of_series(z: Term) -> tuple[Through, ...]:
    """Return the steps of the series in the square ``z``: of doubles together, of pairs one by one."""
    exact = term(accurate.SERIES_TAIL[-1])
    for coefficient in accurate.SERIES_TAIL[-2::-1]:
        exact = exact * z + coefficient
    steps = [Through(("near.square", "near.square_lo"), z), Through(("tail",), exact)]
    for i, (hi, lo) in enumerate(accurate.SERIES[accurate.PAIRS - 1 :: -1], 1):
        exact = exact * z + (Fraction(hi) + Fraction(lo))
        steps.append(Through((nth("horner", i), nth("horner_lo", i)), exact))
    return tuple(steps)


STEPS_OF_SERIES = {"tiny": steps_of_series(VARIABLE * 0), "small": steps_of_series(VARIABLE * VARIABLE)}


def series(f: Traced, *, is_erf: bool) -> Lemma:
    """Return the lemma of the result for |x| <= ROOT, of erfc where the result is not decided."""
    ends = [(s.low, s.high, "small") for s in binades(accurate.TINY, 0.125)]
    ends += [(*e, "small") for e in pairwise([0.125, *(i / 16 for i in range(3, 56)), accurate.ROOT])]
    if is_erf:
        tiny = binades(LEAST, accurate.TINY)
        ends = [*((s.low, math.nextafter(s.high, 0.0), "tiny") for s in tiny), *ends]
    decay, apart = exp(-(VARIABLE * VARIABLE)), int(not is_erf)
    of_power: dict[str, Property] = {
        "off": Number(unknown(most(decay) * POWER_OFF)),
        "low": within(most(decay) * CLOSER, paired=True),
        **pair("scaled", Number(decay + v.off - v.low, -200), Number(v.low, -400)),
    }
    scale = Number(term(1), 0, bits=1, power=1)  # no exponent is larger than the accurate kernel's

    def assume(s: Subinterval) -> Properties:
        given: dict[str, Property] = {"x": doubles(), "far": False, "usable": True, "tiny": s.kind == "tiny", **OWN}
        return {**given, **({} if s.kind == "tiny" else of_power), **({} if is_erf else {"scale": scale})}

    def claim(_: Subinterval) -> Claims:
        if is_erf:
            return [narrows(erf(v.x) * two_to(-v.own_exponent)), Is("own_exponent", (0, near_zero.DOWN))]
        return [near(v.new_hi + v.new_lo, 1 - erf(v.x), least(v.new_err), power=1), Is("own_exponent", 0)]

    over = (at(*(e if sign > 0 else (-e[1], -e[0])), kind=kind, sign=sign) for *e, kind in ends for sign in (1, -1))
    settings: Settings = {"series": TERMS, "through": lambda s: STEPS_OF_SERIES[s.kind], "divides": False}
    return lemma("series", f, over, powers=(0, apart * MOST_APART), **settings)(assume, claim)


# beyond: the fraction


def steps_of_fraction() -> Iterator[Through]:
    """Yield the levels of the fraction, doubles and then pairs."""
    half, doubled = VARIABLE * 0.5, accurate.LEVELS - accurate.LEVELS_IN_PAIRS
    exact = half + sqrt(half * half + (accurate.LEVELS + 1) / 2)
    yield Through(("level",), exact)
    for i, n in enumerate(range(accurate.LEVELS, 0, -1), 1):
        exact = VARIABLE + inverse(exact) * (n / 2)
        names = (nth("level", i + 1),)
        yield Through(names if i <= doubled else (*names, nth("level_lo", i - doubled)), exact)


STEPS_OF_FRACTION = tuple(steps_of_fraction())


def fraction(f: Traced) -> Lemma:
    """Return the lemma that the fraction is e^(-a^2) / (sqrt(pi) erfc a), nearly, for ROOT < a <= TOP."""
    first, last = accurate.ROOT * accurate.ROOT, accurate.TOP * accurate.TOP
    count = math.ceil((last - first) / STEP_OF_SQUARES)
    inner = [math.sqrt(first + (last - first) * i / count) for i in range(1, count)]
    ends = math.nextafter(accurate.ROOT, math.inf), accurate.ROOT + CLOSE, *inner, accurate.TOP - CLOSE
    over = [at(*e, sign=1) for e in pairwise((*ends, math.nextafter(accurate.TOP, 0.0)))]
    ideal = inverse(erfcx(v.x) * ROOT_OF_PI)
    claim: Claims = [
        Even("size"),
        near(v.fraction + v.fraction_lo, ideal, least(ideal) * FRACTION_OFF),
        bounded(v.fraction_lo, least(v.fraction) * LOWER),
        lies(v.fraction, *FRACTIONS),
    ]
    settings: Settings = {"series": TERMS, "through": STEPS_OF_FRACTION, "divides": False}
    return lemma("fraction", f, (*over, at(accurate.TOP, accurate.TOP, sign=1)), **settings)(
        {"x": doubles(), "far": True, "usable": False}, claim
    )


# the power, and the results


def scaled_power(f: Traced) -> Lemma:
    """Return the lemma that the power times 2^k is not rounded, for every k up to where erf rounds like 1."""
    given = {"e": Number(grid=-53), "e_lo": within(CLOSER * POWER[1], -400)}
    return lemma("power near zero, scaled", f, tuple(at(*POWER, k=k) for k in range(LEAST_K, 1)))(
        lambda s: {**given, "k": s.k}, lambda s: equals(scaled=v.e * 2.0**s.k, scaled_lo=v.e_lo * 2.0**s.k)
    )


def quotients(f: Traced, *, is_erf: bool) -> Lemma:
    """Return the lemma of the result for any fraction, any power and any k: a quotient, and the rest of 1, or of 2."""
    cuts = [POWER[0] + (POWER[1] - POWER[0]) * i / PIECES for i in range(PIECES + 1)]
    ranges: list[tuple[int, int | None, float, float]] = []
    if not is_erf:
        ranges += [(1, None, *piece) for piece in pairwise(cuts)]
    for sign in (1, -1) if is_erf else (-1,):
        ranges += [(sign, k, *POWER) for k in range(LEAST_K, MOST_K + 1)]
    over: list[Subinterval] = []
    for sign, k, least_e, most_e in ranges:
        count = SHORT if k is None else 4
        over += cut(binades(*FRACTIONS, sign=sign, k=k, least_e=least_e, most_e=most_e), count)
    more = 1.0 + 2.0**-20  # relative errors of values are at most this much larger relative to the ideal
    e, e_lo = v["beyond.e"], v["beyond.e_lo"]

    def claim(s: Subinterval) -> Claims:
        exact = (e + e_lo + v.d_of_e) * inverse((v.fraction + v.fraction_lo + v.d) * ROOT_OF_PI)
        if s.k is None:
            return [narrows(exact), Is("own_exponent", Exponent())]
        whole = (1 if is_erf else 2) - exact * power_of_2(s.k)
        return [narrows(whole * (s.sign if is_erf else 1)), Is("own_exponent", 0)]

    return lemma("quotients", f, over, series=TERMS, divides=False)(
        lambda s: {
            **pair("fraction", doubles(), Number(unknown(most(VARIABLE) * LOWER), -400, paired=True)),
            "beyond.e": values_between((s.least_e, s.most_e), -53),
            "beyond.e_lo": within(CLOSER * s.most_e, -400, paired=True),
            "d": Number(unknown(most(VARIABLE) * (FRACTION_OFF * more))),
            "d_of_e": within(POWER_OFF * more * s.most_e),
            "beyond.k": Exponent() if s.k is None else s.k,
            **dict(negative=s.sign < 0, far=True, usable=False),
            **OWN,
        },
        claim,
    )


# the exponents of both kernels


def moved(x: Real, *_: object) -> object:
    """Return the conditions under which |x| is moved to the ends of the fraction."""
    return abs(x) < accurate.ROOT, abs(x) > accurate.TOP


def moved_there(x: Real) -> object:
    """Return the conditions under which the accurate erfc moves |x|."""
    return abs(x) < 0.0, abs(x) > accurate.TOP


def exponents_agree(f: Traced, there: Traced, *, is_erf: bool) -> None:
    """LookupError where exponents differ from the accurate kernel's; x from 0 to ROOT are not compared for erfc."""
    if is_erf:
        same_exponent(f, there, {"far": False, "usable": True}, {"saturated": False})
        same_exponent(f, there, {"far": True}, {"saturated": False, "small": False})
        return
    same_exponent(f, there, {"above": False}, {"unscaled": True})
    (below, beyond), (first, last) = f.places(moved, "bool", "bool"), there.places(moved_there, "bool", "bool")
    ordinary: dict[str | int, bool] = {"unscaled": False, "tiny": False, first: False}
    for is_moved in (False, True):
        same_exponent(f, there, {"above": True, below: False, beyond: is_moved}, {**ordinary, last: is_moved})


def lemmas(name: str) -> tuple[Lemma, ...]:
    """Return the lemmas of erf or erfc."""
    f, there, is_erf = narrow(name), kernel(getattr(accurate, name)), name == "erf"
    exponents_agree(f, there, is_erf=is_erf)
    close, beyond = scoped(f, "near"), scoped(f, "beyond")
    of_power, of_powers = (
        power(one, f"power {where}", ENDS, REDUCED_OFF, POWER_OFF, divides=False)
        for one, where in ((close, "near zero"), (beyond, "beyond"))
    )
    small = squares(close, "square near zero", off=REDUCED_OFF), of_power, scaled_power(close)
    far = squares(beyond, "square beyond", FIRST_BEYOND, REDUCED_OFF, MOST_K), of_powers, fraction(f)
    found = *small, series(f, is_erf=is_erf), *far, quotients(f, is_erf=is_erf)
    return found if is_erf else (*found, underflow(f), squares(there, "square of the accurate kernel"))


LEMMAS = dict.fromkeys(("erf", "erfc"), lemmas)
