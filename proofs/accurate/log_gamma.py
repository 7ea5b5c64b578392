"""Functions of the gamma kernels: polynomials of log gamma, Stirling's series, the sine of reflections, zeros."""

from __future__ import annotations

import numpy as np

from clmath.kernels.accurate import log_gamma as accurate
from clmath.kernels.accurate.logarithm import log1p_pair
from proofs.accurate.logarithm import LAYOUT
from proofs.fast.logarithm import places
from proofs.lemmas import *

LEAST = 2.0**-200  # size of arguments
SERIES = accurate.SERIES
PIECE = 48  # bits of encodings that have the same polynomial
PIECE_NEAR, PIECE_NEAR_ERROR = 2.0**-67.25, 2.0**-72.7  # errors, relative and at most, up to 4
PIECE_FAR, PIECE_FAR_ERROR = 2.0**-73.05, 2.0**-71.5  # beyond
SECOND = 2.0**-49  # size of the second part of log gamma relative to the first
ROUNDED = 1.0 + 2.0**-20  # factor by which roundings may exceed half a unit
LOG_OFF = 2.0**-78  # error of the logarithm
SINE_OFF = 2.0**-73.9
SINE_CLOSER = 2.0**-74.3  # the same where lgamma is refined: tgamma needs less
QUOTIENT_OFF = 2.0**-100  # error of the quotient of two pairs
RATIO = 0.25 * ROUNDED  # distance from a zero, relative to the zero's distance from the next pole
CLOSEST = 2.0**-50  # of these ratios except 0
RATIO_OFF, RATIO_ERROR = 2.0**-68.6, 2.0**-78.1  # errors of logarithms of 1 plus such a ratio: relative and at most
RATIO_LOW = 2.0**-52  # size of their second part


def of_pieces() -> Iterator[Subinterval]:
    """Yield quarters of the arguments of polynomials, and binades of the distance from 1 and 2: of x, and of 1 + x."""
    first, last = (int(np.float64(x).view(np.int64)) >> PIECE for x in (0.5, SERIES))
    boundaries = np.array([(place << PIECE) + (1 << PIECE - 1) for place in range(first, last)]).view(np.float64)
    ends = {0.5, 4.0, SERIES, *boundaries.tolist()}
    for low, high in pairwise(sorted(ends)):
        ends |= {low + (high - low) * i / 4 for i in range(1, 4)}
    ends |= {point + sign * 2.0**-i for i in range(2, 53) for point in (1.0, 2.0) for sign in (1, -1)}
    for low, high in pairwise(sorted(end for end in ends if 0.5 <= end <= SERIES)):
        yield at(low, high, ahead=0)
    ends = {end - 1.0 for end in ends} | {LEAST} | {2.0**i for i in range(-200, -4)}
    for low, high in pairwise(sorted(end for end in ends if LEAST <= end <= SERIES - 1.0)):
        yield at(low, high, ahead=1)


def pieces() -> Lemma:
    """Return the lemma of log gamma(ahead + x): ahead = 0 where x is 1/2 .. 16, ahead = 1 where x is 0 .. 15."""

    def claim(s: Subinterval) -> Claims:
        exact = log_gamma_1p(VARIABLE) if s.high <= 2.0**-20 else log_gamma(VARIABLE + s.ahead)
        is_near = s.high + s.ahead <= 4.0
        share, error = (PIECE_NEAR, PIECE_NEAR_ERROR) if is_near else (PIECE_FAR, PIECE_FAR_ERROR)
        return [
            near(v.piece + v.piece_lo, exact, lesser(least_size(exact) * share, error)),
            bounded(v.piece_lo, least_size(exact) * SECOND),
        ]

    return lemma("pieces", kernel(accurate.log_gamma_piece, 2), of_pieces(), series=26)(
        lambda s: {"ahead": constant(float(s.ahead)), "x": doubles(snapped=True)}, claim
    )


def series(top: float, off: Callable[[Subinterval, Term], Term], roundings: float) -> Lemma:
    """Return the lemma of Stirling's series for a + a_lo up to ``top``, given a logarithm and 1/a.

    The logarithm has the error ``LOG_OFF``, 1/a so many ``roundings``; ``off``: the bound, of log gamma and the
    subinterval.
    """

    def assume(s: Subinterval) -> Properties:
        exact, over = log(VARIABLE), inverse(VARIABLE)
        grid = last_place(math.log(s.low) * (1.0 - 2.0**-40))
        return {
            "rest": within(half_unit(most(exact))),
            **pair("a", doubles(snapped=True), within(half_ulp(math.nextafter(s.high, 0.0)) * ROUNDED)),
            "inverse": Number(over + unknown(most(over) * (roundings * 2.0**-53)), -1074),
            **pair("log", Number(exact - v.rest + unknown(LOG_OFF), grid), Number(v.rest, -1074)),
        }

    def claim(s: Subinterval) -> Claim:
        exact = log_gamma(v.a + v.a_lo)
        return near(v.series + v.series_lo, exact, off(s, exact))

    over = cut(binades(SERIES, top, of=0), 8)
    return lemma("series", kernel(accurate.stirling, 2), over, series=26)(assume, claim)


def calls(results: str, function: Callable[..., object], arguments: str) -> Calls:
    """Claim that the named values are the two results of a function for other named values."""
    called = kernel(function, 2)
    return Calls(tuple(results.split()), called.program, called.tables, tuple(arguments.split()))


def sines(off: float, name: str = "sines") -> Lemma:
    """Return the lemma of sin(pi r)/pi, whose relative error is at most ``off``."""
    over = mirrored(part for s in binades(LEAST, 0.5, of=0) for part in cut([s], 8 if s.high > 2.0**-8 else 1))
    exact = sin(VARIABLE * PI) * inverse(PI)
    claim = near(v.sine + v.sine_lo, exact, least_size(exact) * off)
    return lemma(name, kernel(accurate.sine, 2), over, series=26)({"r": doubles(snapped=True)}, claim)


# log|gamma| about a zero: a polynomial minus the logarithm of 1 plus a ratio


def logarithms_of_sums() -> tuple[Lemma, ...]:
    """Return the lemmas of log(1 + t + t_lo) for |t| <= 1/4: each place; binade by binade next to 1."""
    f, over = kernel(log1p_pair, 2), []
    for j in range(LAYOUT.places):
        low, high = (end - 1.0 for end in LAYOUT.ends(j, 53))
        low, high = max(low - 2.0**-53, -RATIO), min(high + 2.0**-53, RATIO)
        if low < 0.0 < high:
            over += [at(j=j), *opposite(binades(CLOSEST, -low, j=j)), *binades(CLOSEST, high, j=j)]
        elif low < high:
            over.append(at(low, high, j=j))

    def assume(s: Subinterval) -> Properties:
        total = {"k": 0, "j": s.j, "m": Times("total", 0)}
        if s.low == s.high:
            return {"t": constant(0.0), "t_lo": constant(0.0), **total}
        rest = within(half_unit(most(VARIABLE)) * ROUNDED, paired=True)
        return {"t": doubles(snapped=True), "t_lo": rest, **total}

    exact = log(v.t + v.t_lo + 1)
    error = lesser(least_size(exact) * RATIO_OFF, RATIO_ERROR)
    claim: Claims = [near(v.log + v.log_lo, exact, error), bounded(v.log_lo, least_size(exact) * RATIO_LOW)]
    of_encoding = places(f, LAYOUT, "k")
    return replace(of_encoding, name="places of sums"), lemma("logarithms of sums", f, over)(assume, claim)


def less_pole(zero: int) -> Term:
    """Return log|gamma(x)| + log(1 + t/o) for x = z + t, z a zero and o its distance from the pole next to it.

    gamma(x) = gamma(x + n + 1) / (x (x + 1) ... (x + n)), and x + n is the distance from the pole -n.
    """
    z, off = (Fraction(float(entries[zero])) for entries in (accurate.ZERO, accurate.ZERO_OFF))
    pole = off - z
    assert pole.denominator == 1, "the distance is none from an integer"
    total = log_gamma(VARIABLE + (z + pole + 1)) - log(term(abs(off)))
    for k in range(int(pole)):
        total -= log(-VARIABLE - (z + k))
    return total


def zeros(refined: Refinement) -> Lemma:
    """Return the lemma of lgamma about its zeros below -2, for every logarithm that is near enough.

    The variable is the distance t from each zero: binade by binade, both signs.
    """
    over = []
    for i in range(accurate.ZEROS):
        least, greatest = math.ulp(float(accurate.ZERO[i])), float(accurate.ZERO_REACH[i])
        over += [at(zero=i), *(replace(s, parameters=(("zero", i),)) for s in binades(least, greatest, signs=True))]

    def of_sum(s: Subinterval) -> Term:
        return log(VARIABLE / Fraction(float(accurate.ZERO_OFF[s.zero])) + 1)

    def assume(s: Subinterval) -> Properties:
        z = float(accurate.ZERO[s.zero])
        x = Number(VARIABLE + Fraction(z), int(math.log2(math.ulp(z))), snapped=True)
        given: dict[str, Property] = {"x": x, "negative": True, "is_near": True, "next_zero": s.zero, "exponent": 0}
        if s.low == s.high:
            return {**given, "log_of_sum": constant(0.0), "log_of_sum_lo": constant(0.0)}
        exact = of_sum(s)
        size = most(exact)
        first = exact - v.lower + unknown(lesser(size * RATIO_OFF, RATIO_ERROR) + size * 2.0**-99)
        found = pair("log_of_sum", Number(first, -1074), Number(v.lower, -1074))
        return {"lower": within(size * RATIO_LOW), **given, **found}

    def claim(s: Subinterval) -> Claims:
        found = narrows(less_pole(s.zero) - of_sum(s)), Is("new_exponent", 0)
        called = calls("log_of_sum log_of_sum_lo", log1p_pair, "share share_lo")
        if s.low == s.high:  # a ratio of 0 is 0 over anything
            return [*found, called]
        share = VARIABLE / Fraction(float(accurate.ZERO_OFF[s.zero]))
        return [
            *found,
            called,
            near(v.share + v.share_lo, share, least_size(share) * QUOTIENT_OFF),
            *bounds(share_lo=half_unit(most(v.share)) * ROUNDED, share=RATIO),
        ]

    return refined.lemma("zeros", over, series=26)(assume, claim)
