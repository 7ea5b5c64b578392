"""erf by polynomials on subintervals; erfc a = e^(-a^2) R(a): R, the reduction of a^2, its power, the product."""

from __future__ import annotations

import numpy as np

from clmath.kernels.accurate import error_function as accurate
from clmath.kernels.accurate import near_zero
from proofs.lemmas import *

LEAST, BESIDE, INVISIBLE = 2.0**-1074, 2.0**-80, 2.0**-60
STEPS, REACH, REACH_LO, GRID = 256, 0.00136, 2.0**-62, -300  # of a^2 = n ln(2)/256 + rest
OFF, REDUCED_OFF, POWER_OFF = 2.0**-74, 2.0**-95, 2.0**-79.5  # of R; of the reduction; of the power
LOWER, CLOSER = 2.0**-51, 2.0**-52.9  # lower parts of R and of the power, relative to their sizes
R, POWER = (0.0205, 1.001), (0.998, 2.003)  # the least and the greatest values
LEAST_K = -58  # the least power of two up to where erfc(-a) rounds like 2
LAST = 153  # the number of the last polynomial of R
SPECIAL = dict.fromkeys(("infinite", "saturated", "tiny"), False)
SQUARES = accurate.TINY**2, accurate.SATURATED**2 * (1 + 2.0**-40), accurate.TOP**2 * (1 + 2.0**-40)


def values_between(ends: tuple[float, float], grid: int) -> Number:
    """Return the multiples of 2^grid between two numbers."""
    middle = term((Fraction(ends[0]) + Fraction(ends[1])) / 2)
    return Number(middle + unknown((ends[1] - ends[0]) / 2), grid, paired=True)


Case = tuple["Properties", float, float, float, float]  # conditions, ends, hi, lo


def decided(f: Traced, cases: Sequence[Case]) -> Lemma:
    """Return the lemma of the cases where lo represents a difference from hi of less than ``INVISIBLE``."""
    return lemma("beside", f, (at(low, high, case=i) for i, (_, low, high, _, _) in enumerate(cases)))(
        lambda s: cases[s.case][0],
        lambda s: [
            *equals(hi=cases[s.case][3], lo=cases[s.case][4]),
            bounded(v.err, 0),
            Is("exponent", 0),
            bounded(1 - erf(s.low) if s.high >= 1 else term(2 * s.high), INVISIBLE),
        ],
    )


def lemmas_of_erf() -> tuple[Lemma, ...]:
    """Return the lemmas of erf x and -erf(-x), binade by binade up to the first polynomial, then by polynomial."""
    f, first = kernel(accurate.erf), 1 / 32
    meeting = [(j + 0.5 + side * 0.05) / 16 for j in range(1, round(16 * accurate.SATURATED)) for side in (-1, 1)]
    ends = [
        (s.low, math.nextafter(s.high, 0.0))
        for part in ((LEAST, accurate.TINY), (accurate.TINY, first))
        for s in binades(*part)
    ]
    ends += pairwise((first, *meeting, math.nextafter(accurate.SATURATED, 0.0)))
    enclosed, exponent = encloses(erf(v.x) * two_to(-v.exponent)), Is("exponent", (0, near_zero.DOWN))
    claim: Claims = [enclosed, exponent, OfNegative(enclosed), OfNegative(exponent)]
    ordinary = {"infinite": False, "saturated": True}
    cases: list[Case] = [
        ({**ordinary, "negative": sign < 0}, accurate.SATURATED, GREATEST, sign, -sign * BESIDE) for sign in (1, -1)
    ]
    return lemma("arguments", f, (at(*e, side="inside") for e in ends))({"x": doubles()}, claim), decided(f, cases)


def encodings(piece: int) -> tuple[int, int]:
    """Return the first and the last encoding of 1 + a that belong to a polynomial."""
    place = accurate.FIRST_PLACE + piece << 47
    return place - (1 << 46) + 1, place + (1 << 46)


def of_encoding(encoding: int) -> float:
    """Return the double of an encoding."""
    return float(np.int64(encoding).view(np.float64))


def ends_of(piece: int) -> tuple[float, float]:
    """Return the doubles between which all a lie whose 1 + a is rounded to a number of that polynomial."""
    ends = []
    for encoding, side in zip(encodings(piece), (-1, 1), strict=True):
        meeting = (Fraction(of_encoding(encoding)) + Fraction(of_encoding(encoding + side))) / 2 - 1
        end = float(meeting)  # the nearest double is inside, or the one after it
        outside = Fraction(end) > meeting if side > 0 else Fraction(end) < meeting
        ends.append(math.nextafter(end, -side * math.inf) if outside else end)
    return max(ends[0], accurate.TINY), min(ends[1], accurate.TOP)


def places(f: Traced) -> Lemma:
    """Return the lemma of the place that an encoding of 1 + a belongs to."""

    def encoding(s: Subinterval) -> Properties:
        low, high = encodings(s.piece)
        return {"code": Encoding(low, high + 1 - low)}

    def place(s: Subinterval) -> Claims:
        found = accurate.FIRST_PLACE + s.piece
        return [*are(place=found, piece=s.piece), near(v.centre, of_encoding(found << 47) - 1.0, 0)]

    return lemma("places", f, choices(piece=range(LAST + 1)))(encoding, place)


def polynomials(f: Traced) -> Lemma:
    """Return the lemma that R(a) is e^(a^2) erfc a to within ``OFF``, relatively."""
    over = [at(s.low, s.high, piece=0) for s in binades(*ends_of(0))]
    for piece in range(1, LAST + 1):
        low, high = ends_of(piece)
        over.append(at(low, min(high, math.nextafter(accurate.TOP, 0.0)), piece=piece))
    ideal = erfcx(v.x)
    error = near(v.r + v.r_lo, ideal, least(ideal) * OFF)
    claim: Claims = [Even("r"), Even("r_lo"), error, bounded(v.r_lo, least(v.r) * LOWER), lies(v.r, *R)]
    return lemma("polynomials", f, (*over, at(accurate.TOP, accurate.TOP, piece=LAST)), series=24)(
        lambda s: {"x": doubles(), "place": accurate.FIRST_PLACE + s.piece, **SPECIAL}, claim
    )


def squares(f: Traced, name: str, first: float = SQUARES[0], off: float = REDUCED_OFF, most_k: int = 0) -> Lemma:
    """Return the lemma that -a^2 = n ln(2)/256 + rest + rest_lo + d, |d| <= ``off``, for a^2 from ``first`` on.

    n is at most 256 ``most_k``, and at least 256 ``LEAST_K`` unless -a is an argument that rounds like 2.
    """
    over = [
        at(s.low, s.high, sign=sign)
        for sign, ends in (("negative", (first, SQUARES[1])), ("positive", SQUARES[1:]))
        for s in binades(*ends)
    ]

    def square(s: Subinterval) -> Properties:
        grid = 2 * (last_place(math.sqrt(s.low) * 0.99))
        return {"square": doubles(), "square_lo": within(half_unit(most(VARIABLE)), grid)}

    def claim(s: Subinterval) -> Claims:
        lowest, highest = STEPS * (LEAST_K if s.sign == "negative" else -1080), STEPS * most_k
        return [
            OnGrid("rest", GRID),
            near(-v.square - v.square_lo, v.n * log(2) / STEPS + v.rest + v.rest_lo, off),
            *bounds(rest=REACH, rest_lo=REACH_LO),
            near(v.n, (lowest + highest) / 2, 0.75 + (highest - lowest) / 2),
        ]

    return lemma(name, f, over)(square, claim)


TOWARD_ZERO = REACH / 2, 2.0**-12, 2.0**-20, 2.0**-30, 2.0**-40
CUTS = -REACH, *(-end for end in TOWARD_ZERO), 0.0, *TOWARD_ZERO[::-1], REACH


def power(
    f: Traced,
    name: str,
    cuts: Sequence[float] = CUTS,
    reduced_off: float = REDUCED_OFF,
    off: float = POWER_OFF,
    *,
    divides: bool = True,
) -> Lemma:
    """Return the lemma that e + e_lo is 2^(j/256) e^(rest + rest_lo + d) to within ``off``, relatively."""

    def claim(s: Subinterval) -> Claims:
        ideal = exp(v.rest + v.rest_lo + v.d) * power_of_2(s.j / STEPS)
        return [
            *are(k=Exponent(), j=s.j),
            near(v.e + v.e_lo, ideal, least(ideal) * off),
            bounded(v.e_lo, least(v.e) * CLOSER),
            lies(v.e, *(POWER if s.j else (POWER[0], 1.002))),
        ]

    rest = {"rest": multiples(GRID), "rest_lo": within(REACH_LO), "d": within(reduced_off)}
    over = tuple(at(*ends, j=j) for j in range(STEPS) for ends in pairwise(cuts))
    return lemma(name, f, over, divides=divides)(lambda s: {**rest, "n": Residue(s.j, STEPS)}, claim)


def products(f: Traced) -> Lemma:
    """Return the lemma of the product for all R and all powers, and of 2 less the product for every k.

    Where k = 0, n is 0, and the power no more than 1.002.
    """
    pieces = list(pairwise(POWER[0] + (POWER[1] - POWER[0]) * i / 32 for i in range(33)))
    ranges: list[tuple[int | None, tuple[float, float]]] = [(None, piece) for piece in pieces]
    ranges += [(0, (POWER[0], 1.002)), *((-1, piece) for piece in pieces)]
    ranges += [(k, POWER) for k in range(-2, LEAST_K - 1, -1)]
    more = 1 + 2.0**-20  # relative errors of values are at most this much larger relative to the ideal

    def claim(s: Subinterval) -> Claims:
        exact = (v.r + v.r_lo + v.d) * (v.e + v.e_lo + v.d_of_e)
        if s.k is None:
            return [encloses(exact), Is("exponent", Exponent())]
        return [encloses(2 - exact * power_of_2(s.k)), Is("exponent", 0)]

    over = tuple(at(s.low, s.high, k=k, least_e=e[0], most_e=e[1]) for k, e in ranges for s in binades(*R))
    return lemma("products", f, over)(
        lambda s: {
            **pair("r", doubles(), Number(unknown(most(VARIABLE) * LOWER), -400, paired=True)),
            **pair("e", values_between((s.least_e, s.most_e), -53), within(CLOSER * s.most_e, -400, paired=True)),
            "d": Number(unknown(most(VARIABLE) * (OFF * more))),
            "d_of_e": within(POWER_OFF * more * s.most_e),
            "k": Exponent() if s.k is None else s.k,
            "negative": s.k is not None,
            **SPECIAL,
        },
        claim,
    )


def underflow(f: Traced) -> Lemma:
    """Return the lemma that erfc is below 2^-1080 from TOP on: log(2^1080 erfc TOP) lies between -2 and 0."""
    top = term(accurate.TOP)
    share = log(erfcx(top)) - top * top + 1080 * log(2)
    return lemma("underflow", f, (at(accurate.TOP, GREATEST),))({}, bounded(share + 1, 1))


def lemmas_of_erfc() -> tuple[Lemma, ...]:
    """Return the lemmas of places of polynomials, of R, of the square, of its power, of products and the rest of 2."""
    f = kernel(accurate.erfc)
    tiny = {"infinite": False, "saturated": False, "tiny": True, "zero": False}
    below_2 = {"infinite": False, "saturated": True, "tiny": False, "negative": True}
    top = math.nextafter(accurate.TINY, 0.0)
    cases: list[Case] = [
        (below_2, accurate.SATURATED, GREATEST, 2, -BESIDE),
        ({**tiny, "negative": False}, LEAST, top, 1, -BESIDE),
        ({**tiny, "negative": True}, LEAST, top, 1, BESIDE),
    ]
    lemmas = places(f), polynomials(f), squares(f, "square"), power(f, "power"), products(f)
    return *lemmas, decided(f, cases), underflow(f)


LEMMAS = {"erf": lambda _: lemmas_of_erf(), "erfc": lambda _: lemmas_of_erfc()}
