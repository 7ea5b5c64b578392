"""Enclosures rounded to formats of 4 to 8 bits: every one on a grid, in every mode, against all numbers of a format.

The grid has every number of a format, every middle between two and the quarters between these, what lies beyond the
largest and below the smallest; lo and err from nothing to more than hi, among them those that end exactly at a mark.
An enclosure is decided rightly if every real between its ends rounds to the same number, and may be left undecided only
if that is not so of one that is wider by 2^-50 of lo and err, or where lo = 0 of itself.
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

from clmath.numbers import rounding
from clmath.numbers.rounding import MODES, ZERO_SUM, Enclosure, narrow, round_enclosure, round_pair, round_real
from tests.cases import for_each
from tests.numbers.line import Encoded, Held, line_of, small
from tests.planting import plant

BITS = [(2, 1), (3, 1), (3, 2), (3, 3), (3, 4), (2, 5), (5, 2)]
HELD, ENCODED = (
    [*(small(kind, *bits) for bits in BITS), small(kind, 4, 3, infinities=False)] for kind in (Held, Encoded)
)
TWIN = dict(zip(ENCODED, HELD, strict=True))  # of the same numbers
SCALE = 400  # every part of an enclosure is a multiple of 2^-SCALE
SLACK = 50
FAR = [0, 300, -300, 1000 - SCALE]  # what exponents take from hi, lo and err


class Cases(NamedTuple):
    """Enclosures, the places of their ends, and those of the ends of enclosures that are a little wider."""

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
    """Values of err: nothing, what ends at hi or at a mark, with and without lo, and more than hi."""
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
    """Faults of results, encodings, and of what was left undecided: elements, by the kind of fault."""
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
    """Encodings of doubles that are numbers of a format, or beyond."""
    if isinstance(form, Encoded):
        beyond_or_nan = np.isnan(line_of(form).values[values & form.magnitude])
        return np.where(beyond_or_nan, values | form.magnitude, values).astype(np.int64)
    every = line_of(form).values[: 1 << form.width - 1]
    known = every[~np.isnan(every)]
    code = np.where(np.isnan(values), form.magnitude, np.searchsorted(known, np.abs(values)))
    is_none = ~np.isnan(values) & (known[np.minimum(code, len(known) - 1)] != np.abs(values))
    code = np.where(is_none, -1, code)  # no number of the format
    return code | np.signbit(values).astype(np.int64) << form.width - 1


def all_complaints(form, mode, rounder=None, shift=0):
    """All that is wrong with the rounding of all cases, each count by what it is."""
    known = cases(TWIN.get(form, form))
    parts = [np.ldexp(part, shift) for part in known.value[:3]]
    exponent = np.full(parts[0].shape, -shift)
    found, undecided = round_enclosure(Enclosure.of(*parts, exponent), form, mode, rounder)
    wrong = complaints(form, mode, encodings(form, found), undecided, known)
    return {
        what: [tuple(part[lane] for part in known.value[:3]) for lane in np.flatnonzero(lanes)[:5]]
        for what, lanes in wrong.items()
        if lanes.any()
    }


@pytest.mark.parametrize("form", HELD, ids=str)
def test_every_enclosure(form):
    for mode in MODES:
        for shift in FAR:
            assert not all_complaints(form, mode, shift=shift), mode


@for_each("mode", MODES)
@for_each("encoded", ENCODED)
def test_every_enclosure_by_pairs(encoded, mode):
    """The faster way: rounded to odd, then narrowed."""
    assert not all_complaints(encoded, mode, round_pair)


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("form", HELD)
def test_every_place_as_one_real(form, mode):
    """At every mark (of large formats every third), and between two as near to them as no double is."""
    line = line_of(form)
    near = Fraction(1, 2**3000)
    for mark in line.marks[:: 1 if len(line.marks) < 300 else 3]:
        for real in (mark - near, mark, mark + near):
            got = encodings(form, np.array([float(round_real(real, form, mode))]))
            assert got[0] == line.results(mode)[line.place(real)], (float(mark), real - mark)


@pytest.mark.slow
@for_each("mode", MODES)
@for_each("source", [np.float32, np.float64])
@for_each("form", ENCODED)
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
@for_each("form", HELD)
def test_numbers_without_a_place(form, mode):
    """Zeros of both signs, a zero sum, infinities and NaN, alone and next to lanes that are not exact; the far ends."""
    hi = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 0.0, 1.0, -1.0, 1.0, -1.0])
    exponent = np.array([0, 0, 0, 0, 0, ZERO_SUM, 2**39, 2**39, -(2**39), -(2**39)])
    up, down = mode in {"rte", "rtp"}, mode in {"rte", "rtn"}
    want = [0.0, -0.0, np.inf, -np.inf, np.nan, -0.0 if mode == "rtn" else 0.0]
    want += [form.beyond if up else form.largest, -form.beyond if down else -form.largest]
    want += [form.smallest_subnormal if mode == "rtp" else 0.0, -form.smallest_subnormal if mode == "rtn" else -0.0]
    for others in (0, 1):
        err = [0.0] * 10 + [2.0**-60] * others
        value = Enclosure.of([*hi, *[1.1] * others], 0.0, err, [*exponent, *[0] * others])
        found, undecided = round_enclosure(value, form, mode)
        assert not undecided[:10].any()
        np.testing.assert_array_equal(found[:10], want)
        number = ~np.isnan(want)
        assert (np.signbit(found[:10]) == np.signbit(want))[number].all()


IN_SUM = [
    (rounding._to_integer, "np.rint(scaled)", "np.floor(scaled + 0.5)"),
    (
        rounding._to_integer,
        "np.rint(scaled)",  # ties to odd
        "np.where(abs(scaled - np.trunc(scaled)) == 0.5, 2 * np.floor(scaled / 2) + 1, np.rint(scaled))",
    ),
    (rounding._to_integer, "& (lo != 0.0)", "& (lo > 0.0)"),
    (rounding._to_integer, "up + (whole & (lo > 0.0))", "up"),
    (rounding._to_integer, "np.signbit(scaled)", "~np.signbit(scaled)"),
    (rounding._last_place, "form.quantum)", "form.quantum - 1)"),
    (rounding._round_sum, "magnitude + 2", "magnitude"),
    (rounding._round_sum, "np.copysign(result, hi), hi)", "result, hi)"),
    (rounding._overflow, 'mode in ("rte", "rtn")', 'mode in ("rtn",)'),
]
IN_ENDS = [
    (rounding.ends, "value.lo + err", "value.lo + err / 2"),
    (rounding.ends, "(np.abs(value.lo) + value.err) * 2.0**-51", "np.abs(value.lo) * 2.0**-52"),
    (rounding.ends, "* 2.0**-51", "* 2.0**-48"),
    (rounding.round_enclosure, "form.bits(below) != form.bits(above)", "below != above"),
]
IN_PAIRS = [
    (rounding.to_odd, ") | inexact)", "))"),
    (rounding._narrow_to_short, "least = (wide.emax + form.emin)", "least = (wide.emax + form.emin + 1)"),
    (rounding._narrow_to_short, "total > magnitude", "total >= magnitude"),
    (rounding._narrow_to_short, "binade + (shift << unit)", "binade + (shift + 1 << unit)"),
    (rounding._away, "return ~negative", "return negative"),
]


def names(faults):
    return [f"{function.__name__}: {after}" for function, _, after in faults]


@pytest.mark.slow
@for_each("fault", IN_SUM + IN_ENDS)
def test_faults_are_seen(fault, monkeypatch):
    plant(monkeypatch, *fault)
    assert any(all_complaints(HELD[3], mode) for mode in MODES)


@pytest.mark.slow
@for_each("fault", IN_PAIRS)
def test_faults_of_pairs_are_seen(fault, monkeypatch):
    plant(monkeypatch, *fault)
    assert any(all_complaints(ENCODED[3], mode, round_pair) for mode in MODES)


@pytest.mark.slow
def test_a_sign_that_is_lost_is_seen(monkeypatch):
    plant(monkeypatch, rounding._normalised, "np.where(lo == 0.0, hi, hi + lo)", "hi + lo")
    with pytest.raises(AssertionError):
        test_numbers_without_a_place.__wrapped__(HELD[0], "rte")
