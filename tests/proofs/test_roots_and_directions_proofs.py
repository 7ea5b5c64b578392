"""Proofs of atan2 and atan2pi: parts are given what they are proven for."""

from __future__ import annotations

import dataclasses
from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.ir.program import Value
from proofs.families import directions
from proofs.registry import PROOFS
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs import second_checker_of_enclosures as second
from tests.proofs.second_checker import ONE, Double, Form, exact
from tests.proofs.second_checker import double as exactly


def parts_of(kernel):
    return {part.name: part for part in PROOFS["quick", kernel](kernel)}


def stated(kernel):
    """The part that is statements."""
    return parts_of(kernel)["angles"]


# the second checker


def entries_are_right(part, which, ideal):
    """Whether the sum of two entries is as near to ``ideal`` as is said, by the second checker."""
    run = second.Enclosure(part.traced.program, part.traced.tables, dict(part.listed[which]), {})
    total = run(Value(part.parts[0])).form + run(Value(part.parts[1])).form
    return (total - ideal).size() <= Fraction(part.off) * ONE


@pytest.mark.slow
@pytest.mark.parametrize("kernel", ["atan2", "atan2pi"])
def test_entries_are_verified_again(kernel):
    part = parts_of(kernel)["entries"]
    for which in part.listed:
        assert entries_are_right(part, which, second.angle_of(Fraction(which, 64)))


def cell_of(low, high, grid):
    """Multiples of 2^grid, 24 bits each."""
    return Double(Form(exact((low + high) / 2).p + exact((high - low) / 2).p), grid, 24)


def short(x):
    """A float that is known."""
    return dataclasses.replace(exactly(x), bits=24)


def quotients_are_right(part, place, larger, smaller):
    """Whether a - c b and b + c a are exact: for a cell of b, and one a."""
    numbers = {1: cell_of(*larger, -23), 0: short(smaller)}
    run = second.Enclosure(part.traced.program, part.traced.tables, dict(numbers), {})
    run.known |= dict(zip(part.order, (False, True), strict=True))
    run.known |= {part.place[0]: exactly(place), part.place[1]: place}
    c = exact(Fraction(place, 64))
    less = numbers[0].form - c * numbers[1].form
    more = numbers[1].form + c * numbers[0].form
    units = 100  # that the products here round to
    found = [run(Value(number)).form - ideal for number, ideal in zip(part.parts, (less, more), strict=True)]
    return all(form.size() <= units for form in found)


def place_and_lengths(draw):
    place, low = draw.randrange(1, 65), 1 + Fraction(draw.randrange(1024), 1024)
    cell = low, low + Fraction(1, 2**13)
    smaller = float(np.float32(float(low) * (place - draw.uniform(0.0, 0.4)) / 64))
    return place, cell, smaller


@pytest.mark.slow
def test_quotients_are_verified_again(draw):
    part = parts_of("atan2")["quotients"]
    for _ in range(20):
        assert quotients_are_right(part, *place_and_lengths(draw))


# what parts are given is what arguments reach


def floats(draw, count):
    """Floats of all sizes and both signs."""
    numbers = np.random.default_rng(draw.getrandbits(32))
    x = numbers.integers(0, 0x7F800000, count, np.int32).view(np.float32).astype(np.float64)
    return np.where(numbers.integers(0, 2, count), x, -x)


def couples(draw, count):
    """Of any sizes, and of nearly the same size."""
    x, y = floats(draw, count), floats(draw, count)
    numbers = np.random.default_rng(draw.getrandbits(32))
    with np.errstate(over="ignore"):
        near = (x * np.exp2(numbers.uniform(-15.0, 15.0, count))).astype(np.float32).astype(np.float64)
    y = np.where(np.arange(count) & 1, near, y)
    kept = np.isfinite(x) & np.isfinite(y) & (x != 0.0) & (y != 0.0)
    return x[kept], y[kept]


def is_given(said, found, i):
    return all(found[number][i] == known for number, known in (*said.integers, *said.conditions))


@for_each("kernel", directions.NAMES)
def test_every_direction_is_in_a_piece(kernel, draw):
    parts = parts_of(kernel)
    whole, quotients = parts["angles"], parts["quotients"]
    y, x = couples(draw, 300)
    found = concrete.values(whole.traced, y, x)
    special = [number for number, known in next(iter(whole.claimed.values()))[0].conditions if not known]
    special = [n for n in special if n not in {quotients.order[0], quotients.backward}]
    ordinary = ~np.any([found[number] for number in special], axis=0)
    assert ordinary.mean() > 0.25
    for i in np.flatnonzero(ordinary):
        ((which, said),) = [(w, s) for w, (s, _) in whole.claimed.items() if is_given(s, found, i)]
        a, b = sorted(map(abs, (Fraction(y[i]), Fraction(x[i]))))
        c = Fraction(which[-1], 64)
        exact_slope = (a - c * b) / (b + c * a)
        assert any(low <= exact_slope <= high for low, high in whole.claimed[which][1])
        assert abs(Fraction(found[said.argument][i]) - exact_slope) <= Fraction(said.off) * abs(exact_slope)
        assert abs(a / b - c) <= Fraction(directions.REACH)


# real errors


# faults


def test_quotients_are_of_what_is_said():
    part = parts_of("atan2")["quotients"]
    with pytest.raises(LookupError, match="no quotient"):
        dataclasses.replace(part, parts=part.parts[::-1])
