"""The second checker of gamma functions: Stirling's series behind a product, with the first term left out as its error.

For x > 0 what the series log gamma(x) = (x - 1/2) log x - x + log(2 pi)/2 + sum of B_2n / (2n (2n - 1) x^(2n - 1))
leaves is smaller than the first term that is left out (NIST Handbook of Mathematical Functions, 5.11(ii)). Smaller
arguments are moved by gamma(x + 1) = x gamma(x).
"""

from __future__ import annotations

import struct
from dataclasses import dataclass
from fractions import Fraction
from functools import cache
from math import comb

from tests.proofs.second_checker import (
    ONE,
    Form,
    Undecided,
    exact,
    exactly,
    exponential,
    pi,
    sine_and_cosine,
)
from tests.proofs.second_checker_of_enclosures import (
    logarithm_of,
    power_of,
    scaled,
)

FAR = 40  # from here on the series is used
COUNT = 20  # its terms
HALF = Fraction(1, 2)


@cache
def bernoulli(n):
    """B_n: the sum of comb(n + 1, k) B_k, k = 0 .. n, is 0."""
    if n == 0:
        return Fraction(1)
    return -sum((comb(n + 1, k) * bernoulli(k) for k in range(n)), Fraction(0)) / (n + 1)


def stirling(x):
    """Log gamma of a form of ``FAR`` or more."""
    if x.p[0] - x.radius() < FAR * ONE:
        raise Undecided("the series of a small argument")
    inverse = power_of(x, Fraction(-1))
    square, power, total = inverse * inverse, inverse, Form([0])
    for n in range(1, COUNT):
        total += scaled(power, bernoulli(2 * n) / (2 * n * (2 * n - 1)))
        power *= square
    beyond = abs(bernoulli(2 * COUNT)) / (2 * COUNT * (2 * COUNT - 1)) / FAR ** (2 * COUNT - 1)
    half = scaled(logarithm_of(scaled(pi(), Fraction(2))), HALF)
    log = logarithm_of(x)
    return (x - exactly(HALF)) * log - x + half + total + Form([0], None, int(beyond * ONE) + 1)


def moved(x):
    """(y, p): y is x plus an integer, ``FAR`` or more where x is positive, and gamma(y) = p gamma(x)."""
    product = Form([ONE])
    for _ in range(max(FAR + 1 - x.p[0] // ONE, 0)):
        product *= x
        x += Form([ONE])
    return x, product


def log_gamma(x):
    """Of a positive form."""
    if not (x.p[0] > 0 and x.least()):
        raise Undecided("log gamma of what may not be positive")
    y, product = moved(x)
    return stirling(y) - logarithm_of(product)


def gamma(x):
    """Of a positive form."""
    y, product = moved(x)
    log = stirling(y)
    middle = Fraction(log.p[0], ONE)
    count = int(abs(middle)).bit_length() + 8
    power = exponential(exactly(middle / 2**count))
    for _ in range(count):
        power *= power
    return power * exponential(log - Form([log.p[0]])) * power_of(product, Fraction(-1))


def sine(x):
    """sin(pi x), by the integer next to the middle."""
    n = round(Fraction(x.p[0], ONE))
    z = pi() * (x - exact(n))
    found = sine_and_cosine(z)[0] if z.size() >> 260 else _small_sine(z)
    return found.times(-1 if n & 1 else 1)


def _small_sine(z):
    """The sine of z below 2^-60, z - z^3/6: z^5/120 is what that leaves."""
    cube = z * z * z
    return z - scaled(cube, Fraction(1, 6)) + Form([0], None, (cube * z * z).size() // 120 + 1)


def _units(x):
    return int(Fraction(x) * ONE) + 1


def _cell(low, high):
    return Form(exact((low + high) / 2).p + exact((high - low) / 2).p)


@dataclass(frozen=True)
class Encodings:
    """An encoding, or that and something."""

    least: int
    greatest: int


def encoding_of(units):
    """That of the double next to a number of units."""
    return struct.unpack("<q", struct.pack("<d", float(Fraction(units, ONE))))[0]
