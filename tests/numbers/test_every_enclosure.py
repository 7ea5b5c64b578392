"""Enclosures rounded to formats of 4 to 8 bits: every one on a grid, in every mode, against all numbers of a format.

The grid has every number of a format, the midpoints, the quarter points, and values beyond the largest and below the
smallest number; lo and err range from zero to more than hi, and some enclosures end exactly at a mark. A decided
enclosure is right if every real between its ends rounds to the same number. It may be undecided only if an enclosure
that is wider by 2^-50 of lo and err rounds to more than one number; if lo = 0, only if it does itself.
"""

from __future__ import annotations

import math
from bisect import bisect_left
from fractions import Fraction
from functools import cache
from itertools import pairwise
from typing import NamedTuple

import numpy as np
import pytest

from clmath.numbers import rounded_encodings, rounding
from clmath.numbers.rounding import MODES, ZERO_SUM, Enclosure, narrow, round_enclosure, round_real
from tests.cases import for_each
from tests.numbers.line import line_of, small
from tests.planting import plant

BITS = [(2, 1), (3, 1), (3, 2), (3, 3), (3, 4), (2, 5), (5, 2)]
FORMS = [*(small(*bits) for bits in BITS), small(4, 3, infinities=False)]
SCALE = 400  # every part of an enclosure is a multiple of 2^-SCALE
SLACK = 50
FAR = [0, 300, -300, 1000 - SCALE]  # exponents that are divided out of hi, lo and err


class Cases(NamedTuple):
    """Enclosures, the places of their ends, and the places of the ends of slightly wider enclosures."""

    value: Enclosure
    low: np.ndarray
    high: np.ndarray
    wider_low: np.ndarray
    wider_high: np.ndarray


def heads(line):
    """Doubles of both signs next to, at and far from every mark."""
    quarters = [a + (b - a) * j / 4 for a, b in pairwise(line.candidates) for j in range(4)]
    over, least = line.candidates[-1], line.candidates[1]
    beyond = [over * factor for factor in (1, Fraction(9, 8), Fraction(3, 2), 2, 1000)]
    tiny = [least / 2**power for power in (3, 4, 5, 60)] + [least * Fraction(n, 8) for n in (3, 5)]
    return [sign * float(q) for q in quarters + beyond + tiny if q for sign in (1, -1)]


def unit_of(line, head):
    """The distance of the format's numbers where a head is, as a double."""
    at = min(max(np.searchsorted(line.values[: len(line.numbers)], abs(head)), 1), len(line.candidates) - 1)
    return float(line.candidates[at] - line.candidates[at - 1])


def tails(head):
    """Values of lo: from nothing to half a place of hi, and not more where hi is a power of two."""
    half = math.ulp(head) / 2
    found = [0.0, half / 2, -half / 2, half * 2.0**-40, -half * 2.0**-40, half * 2.0**-150, -half * 2.0**-150]
    inward = math.copysign(half, -head)
    return [*found, -inward, *([] if abs(math.frexp(head)[0]) == 0.5 else [inward])]


def errors(unit, head, lo):
    """Values of err: zero, values with which an end meets hi or a mark, with and without lo, and more than hi."""
    size = abs(lo)
    near = [share * unit for share in (0.25, 0.5, 0.75, 1.0)]
    touching = [quarter + side for quarter in near[:2] for side in (size, -size)]
    return sorted(
        {0.0, size, size / 2, size * 2, *near, *touching, unit * 2.0**-30, abs(head) * 2.0**-70, 2 * abs(head)}
    )


@cache
def cases(form):
    """All of a format."""
    line = line_of(form)
    parts = [
        (head, lo, err)
        for head in heads(line)
        for unit in [unit_of(line, head)]
        for lo in tails(head)
        for err in errors(unit, head, lo)
    ]
    size = np.abs(np.array(parts))
    assert (size[size > 0.0] > 2.0 ** (53 - SCALE)).all()  # multiples of 2^-SCALE
    marks = [int(mark * 2**SCALE) for mark in line.marks]
    whole = [tuple(int(math.ldexp(part, SCALE)) for part in row) for row in parts]
    ends = [(h + lo - err, h + lo + err) for h, lo, err in whole]
    slack = [(abs(lo) + err >> SLACK) + 1 if err and lo else 0 for _, lo, err in whole]
    wider = [(low - more, high + more) for (low, high), more in zip(ends, slack, strict=True)]
    places = [places_of(marks, column) for pairs in (ends, wider) for column in zip(*pairs, strict=True)]
    return Cases(Enclosure.of(*(np.array(column) for column in zip(*parts, strict=True))), *places)


def places_of(marks, values):
    """The place of each value among marks, all of them integers."""
    found = [bisect_left(marks, value) for value in values]
    return np.array([2 * i + (i < len(marks) and marks[i] == v) for i, v in zip(found, values, strict=True)])


def results(line, mode, low, high):
    """Roundings of the reals at two ends; a zero at one end has the sign of the others, no real is zero between."""
    table, sign = line.results(mode).astype(np.int64), 1 << line.form.width - 1
    below, above = table[low], table[high]
    below = np.where((low == line.zero) & (high < line.zero), sign, below)
    above = np.where((high == line.zero) & (low < line.zero), sign, above)
    return below, above


def complaints(form, mode, found, undecided, known):
    """Masks of wrong elements by the kind of fault, for results as encodings and for undecided elements."""
    line = line_of(form)
    below, above = results(line, mode, known.low, known.high)
    wider = results(line, mode, known.wider_low, known.wider_high)
    exact = known.value.err == 0.0
    ends_at_zero = (known.low == line.zero) | (known.high == line.zero)  # which may be a zero of the other sign
    return {
        "decided though its ends round apart": ~undecided & (below != above),
        "decided wrongly": ~undecided & (below == above) & (found != below),
        "left though exact": undecided & exact,
        "left though decided from afar": undecided & (wider[0] == wider[1]) & ~ends_at_zero,
    }


def encodings(form, values):
    """Encodings of values; NaN has all bits except the sign."""
    return np.where(np.isnan(line_of(form).values[values & form.magnitude]), values | form.magnitude, values).astype(
        int
    )


def all_complaints(form, mode, shift=0):
    """The first wrong enclosures of every kind of fault, in the rounding of all cases."""
    known = cases(form)
    parts = [np.ldexp(part, shift) for part in known.value[:3]]
    exponent = np.full(parts[0].shape, -shift)
    found, undecided = round_enclosure(Enclosure.of(*parts, exponent), form, mode)
    wrong = complaints(form, mode, encodings(form, found), undecided, known)
    return {
        what: [tuple(part[element] for part in known.value[:3]) for element in np.flatnonzero(elements)[:5]]
        for what, elements in wrong.items()
        if elements.any()
    }


@pytest.mark.parametrize(
    "form", [pytest.param(form, marks=[pytest.mark.slow] * (i % 2)) for i, form in enumerate(FORMS)], ids=str
)
def test_every_enclosure(form):
    for number, mode in enumerate(MODES):
        for shift in {0, FAR[number]}:
            assert not all_complaints(form, mode, shift=shift), mode


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("form", FORMS)
def test_every_place_as_one_real(form, mode):
    """At every mark (of large formats every third), and between two as near to them as no double is."""
    line = line_of(form)
    near = Fraction(1, 2**3000)
    for mark in line.marks[:: 1 if len(line.marks) < 300 else 3]:
        for real in (mark - near, mark, mark + near):
            got = encodings(form, np.array(round_real(real, form, mode)))
            assert got == line.results(mode)[line.place(real)], (float(mark), real - mark)


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("source", [np.float32, np.float64])
@for_each("form", FORMS)
def test_every_place_narrowed(form, source, mode):
    """Floats and doubles at every mark and quarter, and their neighbours; infinities, NaN and zeros."""
    line = line_of(form)
    values = np.array(heads(line), source)
    values = np.concatenate([values, *(np.nextafter(values, source(end)) for end in (np.inf, -np.inf))])
    with np.errstate(all="ignore"):
        found = encodings(form, narrow(values, form, mode))
        special = narrow(np.array([0.0, -0.0, np.inf, -np.inf, np.nan], source), form, mode)
    places = [line.place(Fraction(float(value))) for value in values]
    assert np.array_equal(found, line.results(mode)[places])
    sign, beyond = 1 << form.width - 1, line.encoding(form.beyond)
    assert encodings(form, special[:4]).tolist() == [0, sign, beyond, sign | beyond]
    assert special[4] == form.quiet_nan


@for_each("mode", MODES)
@for_each("form", FORMS)
def test_numbers_without_a_place(form, mode):
    """Zeros, zero sums, infinities and NaN, alone and next to inexact elements, and numbers with extreme exponents."""
    hi = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 0.0, 1.0, -1.0, 1.0, -1.0])
    exponent = np.array([0, 0, 0, 0, 0, ZERO_SUM, 2**39, 2**39, -(2**39), -(2**39)])
    up, down = mode in {"rte", "rtp"}, mode in {"rte", "rtn"}
    sign, (largest, beyond, nan) = 1 << form.width - 1, map(int, map(form.bits, (form.largest, form.beyond, math.nan)))
    want = [0, sign, beyond, sign | beyond, nan, sign if mode == "rtn" else 0]
    want += [
        beyond if up else largest,
        sign | (beyond if down else largest),
        int(mode == "rtp"),
        sign | (mode == "rtn"),
    ]
    for others in (0, 1):
        err = [0.0] * 10 + [2.0**-60] * others
        value = Enclosure.of([*hi, *[1.1] * others], 0.0, err, [*exponent, *[0] * others])
        found, undecided = round_enclosure(value, form, mode)
        assert not undecided[:10].any()
        assert found[:10].tolist() == want


IN_SUM = [
    (rounded_encodings.placed, "rest > half", "rest >= half"),
    (rounded_encodings.placed, "(count & 1) != 0", "(count & 1) == 0"),
    (rounded_encodings.placed, "rest != 0", "rest > 1"),
    (rounded_encodings.placed, "code >= 0 if mode == RTP", "code >= 0 if mode == RTN"),
    (rounded_encodings.placed, "form.emin - binade", "form.emin - 1 - binade"),
    (rounded_encodings.placed, "DOUBLE.precision + 2", "DOUBLE.precision + 1"),
    (rounded_encodings.placed, "int(form.bits(form.largest))", "int(form.bits(form.largest)) - 1"),
    (rounded_encodings.rounded, "-1, 1)", "1, 1)"),
    (rounded_encodings.rounded, "lo != 0.0", "lo > 0.0"),
    (rounded_encodings.overflowed, "beyond if mode == RTE", "largest if mode == RTE"),
    (rounded_encodings.overflowed, "beyond, largest)", "largest, beyond)"),
]
IN_ENDS = [
    (rounding._outer, "value.lo + err)", "value.lo + err / 2)"),
    (rounding._outer, "(np.abs(value.lo) + value.err) * 2.0**-51", "np.abs(value.lo) * 2.0**-52"),
    (rounding._outer, "* 2.0**-51", "* 2.0**-48"),
]


def names(faults):
    return [f"{function.__name__}: {after}" for function, _, after in faults]


@pytest.mark.slow
@for_each("fault", IN_SUM + IN_ENDS)
def test_faults_are_detected(fault, monkeypatch):
    plant(monkeypatch, *fault)
    assert any(all_complaints(FORMS[3], mode) for mode in MODES)


@pytest.mark.slow
def test_a_lost_sign_is_detected(monkeypatch):
    plant(monkeypatch, rounding._normalised, "np.where(lo == 0.0, hi, hi + lo)", "hi + lo")
    with pytest.raises(AssertionError):
        test_numbers_without_a_place.__wrapped__(FORMS[0], "rte")
