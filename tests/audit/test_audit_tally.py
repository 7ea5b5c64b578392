"""Tallies may be summed in any order and grouping."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from clmath.audit.counting.spread import BINS, FARTHEST, Spread, binned, stretch_of, stretch_text
from clmath.audit.counting.tally import KEPT, Example, Otherwise, Tally, Verdict, off_text, ulps_text
from clmath.audit.plan.item import Item
from clmath.numbers.formats import FLOAT, FORMATS, HALF
from clmath.spec.builtins import builtin
from tests.cases import for_each

REASONS = ["wrong sign of zero", "not within the limit: 4 ulp", "sin(±0) = ±0"]


@st.composite
def pieces(draw):
    """Generate tallies of consecutive chunks, as an audit makes them: every index occurs once."""
    found = []
    for index in range(draw(st.integers(0, 30))):
        error = draw(st.floats(0, 8) | st.just(float("inf")))
        why = draw(st.sampled_from(["", *REASONS]))
        example = Example(index, (index,), draw(st.integers(0, 1)), 0, 1, (1.0, 0.0, 0), -error, why)
        plain = Example(index, (index,), example.output, 0, 1, (1.0, 0.0, 0), -error)
        failed = bool(why)
        spread = Spread.of({draw(st.sampled_from(BINS)): 1}, [{draw(st.integers(0, 3)): error}])
        found.append(Tally(1, 0, 0, int(failed), ((why, 1),) * failed, plain, (example,) * failed, spread=spread))
    return found


@settings(max_examples=25)
@given(pieces(), st.data())
def test_order_and_grouping_do_not_matter(found, data):
    whole = sum(found, Tally())
    shuffled = data.draw(st.permutations(found))
    cut = data.draw(st.integers(0, len(found)))
    assert sum(shuffled[:cut], Tally()) + sum(shuffled[cut:], Tally()) == whole
    assert Tally() + whole == whole == whole + Tally()
    while len(shuffled) > 1:  # sum any two of the remaining tallies
        one, other = (shuffled.pop(data.draw(st.integers(0, len(shuffled) - 1))) for _ in range(2))
        shuffled.append(other + one)
    assert not shuffled or shuffled[0] + Tally() == whole


@settings(max_examples=25)
@given(pieces())
def test_failures_are_counted_and_the_first_are_kept(found):
    whole = sum(found, Tally())
    assert whole.tried == len(found)
    assert whole.failed == sum(count for _, count in whole.reasons) == sum(t.failed for t in found)
    for reason, count in whole.reasons:
        kept = [e for e in whole.failures if e.reason == reason]
        assert len(kept) == min(count, KEPT)
        everything = [e.index for t in found for e in t.failures if e.reason == reason]
        assert [e.index for e in kept] == sorted(everything)[:KEPT]
    if found:
        assert abs(whole.worst.error) == max(abs(t.worst.error) for t in found)


def test_times_equals_repeated_sums():
    counts = {"reasons": (("r", 1),), "others": (Otherwise("an edition", 1, 1),)}
    one = Tally(1, 1, 1, 1, **counts, spread=Spread.of({"2": 1}, [{3: 1.5}]))
    assert one.times(3) == one + one + one
    assert one.times(0) + one == one


def test_spreads_without_errors_by_binade_are_summed():
    """Spreads of built-ins with exact results."""
    one = binned(np.array([0, 3, FARTHEST], np.uint64))
    assert one + one == one + Spread() + one == Spread((("0", 2), ("3-4", 2), ("NaN", 2)))


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_names_of_binades_are_unique_and_parsed(form):
    number = 64 if form is HALF else 512
    names = [stretch_text(stretch, form) for stretch in range(number)]
    assert len(set(names)) == number
    assert [stretch_of(name, form) for name in names] == list(range(number))
    assert stretch_of("0x1.8p+1", form) == stretch_of("0x1p+9999", form) == -1


def test_verdict_shows_arguments_and_results():
    item = Item(builtin("ldexp"), FLOAT)
    example = Example(3, (0x40400000, -2), 0, 0x3F400000, 0x3F400001, (0.75, 0.0, 0), 1.0, "wrong")
    verdict = Verdict(item, "full", "correctly rounded", "table 35", "fail", Tally(1, worst=example))
    assert verdict.arguments_text(example) == "0x1.8p+1 [0x40400000], -2"
    assert verdict.result_text(example, example.got) == "0x1.8p-1 [0x3f400000]"
    assert verdict.worst_error == 1.0


@for_each(
    "error, text",
    [
        (2, "+2 ulp"),
        (-(2**62), "-4.612e+18 ulp"),
        (0.75, "+0.750 ulp"),
        (-2.5e-7, "-2.5e-07 ulp"),
        (24679.47, "+2.468e+04 ulp"),
        (1e45, "+1e+45 ulp"),
    ],
)
def test_errors_have_few_digits(error, text):
    assert ulps_text(error) == text


@pytest.mark.parametrize(
    "error, text",
    [(2.0000001, "+2.0000001 ulp"), (-2.50000004, "-2.50000004 ulp"), (2.0, "+2.000 ulp"), (3.1415926, "+3.142 ulp")],
)
def test_error_just_beyond_a_limit_is_shown_as_larger(error, text):
    """Limits are multiples of a quarter ulp."""
    assert ulps_text(error, beyond=True) == text
    assert off_text(Example(0, (), 0, 1, 0, (1.0, 0.0, 0), error, "too far"), FLOAT) == text
    assert len(off_text(Example(0, (), 0, 1, 0, (1.0, 0.0, 0), error), FLOAT)) == len("+2.000 ulp")


def test_case_is_sampled_unless_all_inputs_were_tried():
    """Vectors always have further inputs."""
    item, vectors = Item(builtin("sin"), HALF), Item(builtin("sin"), HALF, vector=2)
    reported = [Verdict(one, "full", "", "", "pass", Tally(n)) for one in (item, vectors) for n in (1 << 16, 65_000)]
    assert [verdict.is_sampled for verdict in reported] == [False, True, True, True]


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_wrong_sign_of_zero_is_reported_in_words(form):
    minus = 1 << form.width - 1
    exact = (0.0, 0.0, 0)
    assert off_text(Example(0, (), 0, minus, 0, exact, 0.0), form) == "wrong sign of zero"
    assert off_text(Example(0, (), 0, 0, minus, exact, 0.0), form) == "wrong sign of zero"
    assert off_text(Example(0, (), 0, 1, 0, exact, 1.0), form) == "+1.000 ulp"
    assert off_text(Example(0, (), 0, 1, 0, exact, np.inf), form) == ""
    assert off_text(Example(0, (), 0, 7, 0, None, 0.0), form) == ""
