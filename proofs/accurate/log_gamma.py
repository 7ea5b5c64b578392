"""Functions of the gamma kernels: polynomials of log gamma, Stirling's series, the sine of reflections."""

from __future__ import annotations

import math
from itertools import pairwise
from typing import TYPE_CHECKING

import numpy as np

from clmath.kernels.accurate import log_gamma as accurate
from proofs.engine.models import half_ulp
from proofs.lemmas import Lemma, binades, kernel
from proofs.terms import (
    PI,
    VARIABLE,
    Number,
    Values,
    at,
    bounded,
    constant,
    doubles,
    half_unit,
    inverse,
    least_size,
    lesser,
    log,
    log_gamma,
    log_gamma_1p,
    most,
    near,
    sin,
    unknown,
    within,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from proofs.terms import Claim, Property, Subinterval, Term

__all__ = [
    "LEAST",
    "LOG_OFF",
    "PIECE_FAR",
    "PIECE_FAR_ERROR",
    "PIECE_NEAR",
    "PIECE_NEAR_ERROR",
    "ROUNDED",
    "SECOND",
    "SERIES",
    "SINE_OFF",
    "below_half_unit",
    "pieces",
    "series",
    "sines",
]

V = Values()
LEAST = 2.0**-200  # size of arguments
SERIES = accurate.SERIES
PIECE = 48  # bits of encodings that have the same polynomial
PIECE_NEAR, PIECE_NEAR_ERROR = 2.0**-67.25, 2.0**-72.7  # errors, relative and at most, up to 4
PIECE_FAR, PIECE_FAR_ERROR = 2.0**-73.05, 2.0**-71.5  # beyond
SECOND = 2.0**-49  # size of the second part of log gamma relative to the first
ROUNDED = 1.0 + 2.0**-20  # roundings, by so much larger than half a unit
LOG_OFF = 2.0**-78  # error of the logarithm
SINE_OFF = 2.0**-73.9


def boundaries() -> list[float]:
    """Return the arguments where the polynomials of log gamma end."""
    first, last = (int(np.float64(x).view(np.int64)) >> PIECE for x in (0.5, SERIES))
    return [float(np.int64((place << PIECE) + (1 << PIECE - 1)).view(np.float64)) for place in range(first, last)]


def of_pieces() -> Iterator[Subinterval]:
    """Yield quarters of the arguments of polynomials, and binades of the distance from 1 and 2: of x, and of 1 + x."""
    ends = {0.5, 4.0, SERIES, *boundaries()}
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

    def claim(v: Values, s: Subinterval) -> Sequence[Claim]:
        exact = log_gamma_1p(VARIABLE) if s.high <= 2.0**-20 else log_gamma(VARIABLE + s.ahead)
        is_near = s.high + s.ahead <= 4.0
        share, error = (PIECE_NEAR, PIECE_NEAR_ERROR) if is_near else (PIECE_FAR, PIECE_FAR_ERROR)
        return [
            near(v.piece + v.piece_lo, exact, lesser(least_size(exact) * share, error)),
            bounded(v.piece_lo, least_size(exact) * SECOND),
        ]

    return Lemma(
        "pieces",
        kernel(accurate.log_gamma_piece, 2),
        tuple(of_pieces()),
        lambda s: {"ahead": constant(float(s.ahead)), "x": doubles(snapped=True)},
        claim,
        series=26,
    )


def below_half_unit(high: float) -> float:
    """Return the bound of the rest of a rounded sum that is at most ``high``."""
    return half_ulp(math.nextafter(high, 0.0)) * ROUNDED


def series(top: float, off: Callable[[Subinterval, Term], Term], roundings: float) -> Lemma:
    """Return the lemma of Stirling's series for a + a_lo up to ``top``, given a logarithm and 1/a.

    The logarithm has the error ``LOG_OFF``, 1/a so many ``roundings``; ``off``: the bound, of log gamma and the
    subinterval.
    """

    def assume(s: Subinterval) -> Mapping[str, Property]:
        exact, over = log(VARIABLE), inverse(VARIABLE)
        grid = math.frexp(math.log(s.low) * (1.0 - 2.0**-40))[1] - 53
        return {
            "rest": within(half_unit(most(exact))),
            "a": doubles(snapped=True),
            "a_lo": within(below_half_unit(s.high)),
            "inverse": Number(over + unknown(most(over) * (roundings * 2.0**-53)), -1074),
            "log": Number(exact - V.rest + unknown(LOG_OFF), grid),
            "log_lo": Number(V.rest, -1074),
        }

    def claim(v: Values, s: Subinterval) -> Claim:
        exact = log_gamma(v.a + v.a_lo)
        return near(v.series + v.series_lo, exact, off(s, exact))

    over = (at(*ends, of=0) for s in binades(SERIES, top) for ends in eighths_of(s))
    return Lemma("series", kernel(accurate.stirling, 2), tuple(over), assume, claim, series=26)


def eighths_of(s: Subinterval) -> Iterator[tuple[float, float]]:
    """Yield the ends of eighths of a subinterval."""
    yield from pairwise(s.low + (s.high - s.low) * i / 8 for i in range(9))


def sines() -> Lemma:
    """Return the lemma of sin(pi r)/pi."""
    over = []
    for s in binades(LEAST, 0.5):
        for low, high in eighths_of(s) if s.high > 2.0**-8 else ((s.low, s.high),):
            over += [at(low, high, of=0), at(-high, -low, of=0)]

    def claim(v: Values, _: Subinterval) -> Claim:
        exact = sin(VARIABLE * PI) * inverse(PI)
        return near(v.sine + v.sine_lo, exact, least_size(exact) * SINE_OFF)

    return Lemma("sines", kernel(accurate.sine, 2), tuple(over), {"r": doubles(snapped=True)}, claim, series=26)
