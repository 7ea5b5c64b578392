"""Calls whose exact results lie next to midpoints: exact fractions confirm the shares that recipes promise."""

from __future__ import annotations

import math
from fractions import Fraction

import numpy as np

from clmath.audit.inputs.halfway import halfway
from clmath.numbers.formats import FORMATS
from tests.cases import for_each

HALF = Fraction(1, 2)
ROOM = 4**1300  # scales numbers before their square roots are truncated, so that the error is far below an ulp


def root(x):
    return Fraction(math.isqrt(int(x * ROOM)), math.isqrt(ROOM))


# the exact result; least shares of results next to midpoints, on midpoints, and next to numbers
EXACT = {
    "sum": (lambda x, y: x + y, 0.09, 0.0, 0.02),
    "product": (lambda x, y: x * y, 0.2, 0.0, 0.33),
    "fused": (lambda a, b, c: a * b + c, 0.27, 0.0, 0.27),
    "quotient": (lambda x, y: x / y, 0.65, 0.0, 0.3),
    "hypotenuse": (lambda x, y: root(x * x + y * y), 0.4, 0.0, 0.25),
    "scale": (lambda x, n: x * Fraction(2) ** int(n), 0.38, 0.3, 0.0),
    "root": (root, 1.0, 0.0, 0.0),
}


def apart(value, form):
    """Return the distance of a number from the midpoint of its neighbours in the format, in ulp: 1/2 for a number."""
    exponent = value.numerator.bit_length() - value.denominator.bit_length()
    exponent -= value < Fraction(2) ** exponent
    places = value / Fraction(2) ** max(exponent - form.precision + 1, form.quantum)
    return places - math.floor(places) - HALF


@for_each("form", FORMATS)
@for_each("word", EXACT)
def test_results_lie_next_to_midpoints(word, form):
    """Results lie on both sides."""
    exact, near, ties, numbers = EXACT[word]
    calls = zip(*(column.tolist() for column in halfway(word, form)), strict=True)
    values = [abs(exact(*map(Fraction, call))) for call in calls]
    if word == "quotient":
        values = [value for value in values if value >= Fraction(form.smallest_normal)]
    found = [apart(value, form) for value in values]
    assert len(found) > 100
    close = Fraction(1, 1 << form.precision - 7)
    sides = np.mean([-close < a < 0 for a in found]), np.mean([0 < a < close for a in found])
    on_one = np.mean([a == 0 for a in found])
    assert sum(sides) + on_one >= near
    assert min(sides) > 0.04
    assert on_one >= ties
    assert np.mean([HALF - abs(a) < close for a in found]) >= numbers


@for_each("form", FORMATS)
def test_subnormal_quotients_are_ties_or_next_to_ties(form):
    x, y = halfway("quotient", form)
    values = [abs(Fraction(a) / Fraction(b)) for a, b in zip(x.tolist(), y.tolist(), strict=True)]
    found = [apart(value, form) for value in values if value < Fraction(form.smallest_normal)]
    assert len(found) >= 250
    assert np.mean([a == 0 for a in found]) > 0.45
    assert min(np.mean([a < 0 for a in found]), np.mean([a > 0 for a in found])) > 0.1
    assert len({abs(b) for b in y.tolist()}) > 250  # divisors other than powers of two
