"""Calls whose exact results lie next to midpoints of two numbers: as many as their recipes promise, by fractions."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from clmath.audit.inputs.halfway import halfway
from clmath.numbers.formats import FORMATS
from tests.cases import for_each

HALF = Fraction(1, 2)
ROOM = 4**1300  # for roots of squares of small numbers, cut far below a place


def root(x):
    return Fraction(math.isqrt(int(x * ROOM)), math.isqrt(ROOM))


# the exact result; how many lie next to midpoints at least, how many on one, and how many next to numbers
EXACT = {
    "sum": (lambda x, y: x + y, 0.09, 0.0, 0.02),
    "product": (lambda x, y: x * y, 0.2, 0.0, 0.33),
    "fused": (lambda a, b, c: a * b + c, 0.27, 0.0, 0.27),
    "quotient": (lambda x, y: x / y, 0.6, 0.2, 0.15),
    "hypotenuse": (lambda x, y: root(x * x + y * y), 0.4, 0.0, 0.25),
    "scale": (lambda x, n: x * Fraction(2) ** int(n), 0.38, 0.3, 0.0),
    "root": (root, 1.0, 0.0, 0.0),
}


def apart(value, form):
    """How far a number is from the midpoint of its neighbours in the format, in places: 1/2 for a number itself."""
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent -= value < Fraction(2) ** exponent
    places = value / Fraction(2) ** max(exponent - form.precision + 1, form.quantum)
    return places - math.floor(places) - HALF


@for_each("form", FORMATS)
@for_each("word", EXACT)
def test_results_lie_next_to_midpoints(word, form):
    """On both sides."""
    exact, near, ties, numbers = EXACT[word]
    calls = zip(*(column.tolist() for column in halfway(word, form)), strict=True)
    found = [apart(abs(exact(*map(Fraction, call))), form) for call in calls]
    assert len(found) > 100
    close = Fraction(1, 1 << form.precision - 7)
    sides = np.mean([-close < a < 0 for a in found]), np.mean([0 < a < close for a in found])
    on_one = np.mean([a == 0 for a in found])
    assert sum(sides) + on_one >= near
    assert min(sides) > 0.04
    assert on_one >= ties
    assert np.mean([HALF - abs(a) < close for a in found]) >= numbers
