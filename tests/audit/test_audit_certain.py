"""Failures by the thousand: enclosures count them, the reference looks at a few; the tally is that of the reference."""

from __future__ import annotations

import re
from dataclasses import replace
from types import SimpleNamespace

import numpy as np
import pytest

from clmath import reference
from clmath.audit.judge import certain_failures, compiled_loop, worst
from clmath.audit.judge.piece import judge
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec import files
from clmath.spec.builtins import builtin
from clmath.spec.editions import DEFAULT
from clmath.spec.limits import Ulps, Unlimited
from clmath.spec.notation import condition
from tests.cases import for_each

LAW = Law("full", "rte", flushes=False)
MANY = 3000


def moved(form, values, by):
    return form.from_bits((form.bits(values).astype(np.int64) + by).astype(form.bits_dtype))


@pytest.fixture(autouse=True)
def in_arrays(monkeypatch):
    """Judge without the compiled loop."""
    monkeypatch.setattr(compiled_loop, "can_serve", lambda *_: False)


@pytest.fixture(autouse=True)
def even_few(monkeypatch):
    """Have enclosures tell of any number of calls."""
    monkeypatch.setattr(certain_failures, "FEW", 0)


@pytest.fixture
def asked(monkeypatch):
    """How many calls the reference is asked about."""
    counts, enclose = [0], reference.enclose

    def counted(name, values, *rest):
        counts[0] += len(values[0])
        return enclose(name, values, *rest)

    monkeypatch.setattr(reference, "enclose", counted)
    return counts


def judged_twice(asked, item, args, results, *, law=LAW):
    """The tally, which must be that of the reference; and how many calls the reference was asked about for it."""
    asked[0] = 0
    results = results if isinstance(results, tuple) else (results,)
    found = judge(item, args, results, law)
    count = asked[0]
    assert repr(found) == repr(judge(item, args, results, replace(law, oracle="mpfr")))
    return found, count


@pytest.mark.slow
@for_each("mode", ["rte", "rtz", "rtp", "rtn"])
@for_each("form", [FLOAT, DOUBLE, HALF])
def test_zeros_of_the_wrong_sign_are_counted_by_the_edge_that_refuses_them(mode, form, asked, evaluate):
    x = np.arange(-MANY // 2, MANY // 2).astype(form.dtype)
    right = evaluate(builtin("tanpi"), form, (x,), mode)[0]
    wrong = np.where(np.arange(MANY) % 3 == 0, right, -right)
    law = replace(LAW, mode=mode)
    found, count = judged_twice(asked, Item(builtin("tanpi"), form), (x,), wrong, law=law)
    assert found.failed == 2000
    assert len(found.reasons) == 2
    assert len(found.failures) == 8
    assert mode == "rtn" or count < 20


@pytest.mark.parametrize("name", ["tanpi", "sinpi", "floor", "rint"])
def test_large_numbers_are_told_apart_by_their_signs(name, asked, evaluate, monkeypatch):
    """All of them are even, and larger than any that the tables name; of infinities they say something else."""
    monkeypatch.setattr(certain_failures, "AT_ONCE", 64)
    sizes = np.concatenate([np.arange(40.0), np.ldexp(1.5, np.arange(20, 127)), [np.inf, 3.4028235e38]])
    x = np.concatenate([sizes, -sizes]).astype(np.float32)
    x = np.random.default_rng(6).permutation(np.tile(x, 4))
    right = evaluate(builtin(name), FLOAT, (x,), "rte")[0]
    wrong = np.where((np.arange(len(x)) % 3 == 0) & np.isfinite(x), -0.0 * np.sign(right), right).astype(np.float32)
    found, _ = judged_twice(asked, Item(builtin(name), FLOAT), (x,), np.where(x > 1e9, -right, wrong))
    assert found.failed > 100


def test_numbers_that_limits_name_are_on_this_side_of_the_border():
    """Of an edition of one's own."""
    rules = ((Ulps(4.0), condition("|x| in [0, 2^60]", "test")), (Unlimited("any"), None))
    law = SimpleNamespace(limit=lambda _: SimpleNamespace(clauses=rules), edges=lambda _: ())
    assert certain_failures.border(Item(builtin("tanpi"), FLOAT), (LAW, law)) == 2.0**60


def test_a_number_that_limits_name_is_judged_by_itself(asked, own, monkeypatch):
    """Beyond it nothing is asked."""
    monkeypatch.setattr(certain_failures, "AT_ONCE", 64)
    x = np.repeat(np.exp2([60.0, 61.0, 62.0]).astype(np.float32), 40)
    law = own("tanpi", "6 ulp for |x| <= 2^60; any")
    found, _ = judged_twice(asked, Item(builtin("tanpi"), FLOAT), (x,), np.full(120, -0.0, np.float32), law=law)
    assert found.unjudged == 80


def test_the_first_zero_is_the_worst_input_of_a_row_without_errors(asked):
    x = np.array([5.0, 4.0, 3.0], np.float32)
    found, _ = judged_twice(asked, Item(builtin("tanpi"), FLOAT), (x,), np.array([0.0, -0.0, 0.0], np.float32))
    assert found.worst.index == 0
    assert found.failed == 3


def test_the_first_zero_that_counts_is_the_worst_input_where_others_are_waived(asked):
    """With -cl-finite-math-only nothing is asked of a call with a NaN: of fmax(NaN, 0)."""
    x, y = np.array([np.nan, 0.0, 0.0, 1.0], np.float32), np.zeros(4, np.float32)
    law = replace(LAW, options=("-cl-finite-math-only",))
    results = np.array([0.0, 0.0, 0.0, 1.0], np.float32)
    found, _ = judged_twice(asked, Item(builtin("fmax"), FLOAT), (x, y), results, law=law)
    assert found.worst.index == 1


@for_each("oracle", ["auto", "mpfr", "mpmath"])
@for_each(
    "name, args, results, is_asked",
    [
        ("lgamma_r", [np.float32([-1, -2, 3.5, 1e38])], (np.float32([9, np.inf, 9, 9]), np.int32([7, 0, 7, 7])), 1),
        ("remquo", [np.float32([1, 5]), np.float32([0, 3])], (np.float32([0, -1]), np.int32([99, 99])), 1),
    ],
)
def test_nothing_is_asked_beside_a_result_that_is_no_number(name, args, results, is_asked, oracle):
    """With -cl-finite-math-only a call is waived, whichever of its results that are due is infinite or NaN."""
    law = replace(LAW, options=("-cl-finite-math-only",), oracle=oracle)
    found = judge(Item(builtin(name), FLOAT), tuple(args), results, law)
    assert (found.judged, found.failed) == (is_asked, is_asked)
    assert judge(Item(builtin(name), FLOAT), tuple(args), results, replace(LAW, oracle=oracle)).judged == len(args[0])


@pytest.fixture
def own(tmp_path):
    """The law of an edition of one's own, without edges, in which a built-in has another limit."""

    def law(name, text):
        row = re.compile(rf"^{name} += .*$", re.MULTILINE)
        table = (files.path("editions") / DEFAULT / "limits.toml").read_text(encoding="utf-8")
        (tmp_path / "limits.toml").write_text(row.sub(f'{name} = "{text}"', table), encoding="utf-8")
        (tmp_path / "edges.toml").write_text("", encoding="utf-8")
        (tmp_path / "edition.toml").write_text(f'title = "made up"\nbased_on = "{DEFAULT}"\n', encoding="utf-8")
        return replace(LAW, edition=str(tmp_path))

    return law


def test_other_editions_count_zeros_for_themselves(asked, own):
    """Of which edges ask for a sign, where there are any."""
    x = np.arange(-MANY // 2, MANY // 2).astype(np.float32)
    wrong = np.where(np.arange(MANY) % 3, 0.0, -0.0).astype(np.float32)
    found, count = judged_twice(asked, Item(builtin("tanpi"), FLOAT), (x,), wrong, law=own("tanpi", "6 ulp"))
    assert count < 20
    assert all(other.failed != found.failed and other.failed > MANY // 3 for other in found.others)
    assert found.others


def test_wrong_zeros_beside_other_results(asked):
    """Of one of two results, and of two arguments."""
    for name in ("sinpi", "tanpi", "fract", "fmod"):
        item = Item(builtin(name), FLOAT)
        x = np.arange(-64, 64).astype(np.float32)
        args = (x, np.full(128, 2.0, np.float32))[: len(item.columns)]
        results = tuple(np.where(np.arange(128) % 2, 0.0, -0.0).astype(np.float32) for _ in item.results)
        found, _ = judged_twice(asked, item, args, results)
        assert found.failed > 0


@pytest.mark.parametrize("text", ["900 ulp", "any for x > 0; 900 ulp", "any for x < 0; 1 ulp", "1 ulp"])
def test_other_editions_count_for_themselves(text, asked, evaluate, own):
    """What passes by one and not by another, or is left open by one of them."""
    x = np.random.default_rng(4).uniform(-20.0, 20.0, MANY).astype(np.float32)
    (right,) = evaluate(builtin("exp"), FLOAT, (x,), "rte")
    wrong = moved(FLOAT, right, np.array([0, 2, -2, 40, 1000])[np.arange(MANY) % 5])
    wrong[:9] = np.inf
    found, _ = judged_twice(asked, Item(builtin("exp"), FLOAT), (x,), wrong, law=own("exp", text))
    assert found.others
    assert all((other.failed, other.unjudged) != (found.failed, found.unjudged) for other in found.others)


@pytest.mark.parametrize("form", [FLOAT, DOUBLE], ids=str)
def test_numbers_far_off_nan_and_infinities_need_no_reference(form, asked, evaluate):
    x = np.random.default_rng(3).uniform(-20.0, 20.0, MANY).astype(form.dtype)
    right = evaluate(builtin("exp"), form, (x,), "rte")[0]
    kind = np.arange(MANY) % 5
    strange = [np.nan, np.inf, 0.0]
    wrong = np.where(kind < 2, moved(form, right, 1000 + np.arange(MANY)), np.choose(kind % 3, strange))
    found, count = judged_twice(asked, Item(builtin("exp"), form), (x,), wrong.astype(form.dtype))
    assert found.failed == MANY
    assert {text for text, _ in found.reasons} == {
        "NaN where a number is due",
        "an infinity where another number is due",
        "not within the limit: 3 ulp",
    }
    assert count < 200


def test_results_next_to_the_limit_are_for_the_reference(asked, evaluate):
    """Of 3 ulp, by which results were moved that had been off by half an ulp before."""
    x = np.random.default_rng(4).uniform(-0.9, 0.9, MANY).astype(np.float32)
    right = evaluate(builtin("exp"), FLOAT, (x,), "rte")[0]
    for by in (-3, 3, 4):
        found, _ = judged_twice(asked, Item(builtin("exp"), FLOAT), (x,), moved(FLOAT, right, by))
        assert found.failed > MANY // 3


@pytest.fixture
def wide(monkeypatch):
    """Bounds that lie farther apart than those of any kernel."""
    bounds = certain_failures.error_bounds

    def wider(*given):
        least, most = bounds(*given)
        return np.maximum(least - 0.3, 0.0), most + 0.3

    monkeypatch.setattr(certain_failures, "error_bounds", wider)


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("name, limit", [("exp", 3), ("sincos", 4)])
def test_where_bounds_lie_on_both_sides_of_the_limit_nothing_is_certain(name, limit, asked, evaluate):
    """Of two results, one is as wrong as it can be or right, by turns, and says nothing of the other."""
    x = np.random.default_rng(4).uniform(-0.9, 0.9, MANY).astype(np.float32)
    first, *others = evaluate(builtin(name), FLOAT, (x,), "rte")
    others = [np.where(np.arange(MANY) % 2, other, np.float32(np.nan)) for other in others]
    found, _ = judged_twice(asked, Item(builtin(name), FLOAT), (x,), (moved(FLOAT, first, limit), *others))
    assert MANY // 3 < found.failed < MANY


@pytest.mark.usefixtures("wide")
@pytest.mark.parametrize("text", ["900 ulp", "1 ulp"])
def test_nor_where_they_do_so_of_the_limit_of_another_edition(text, asked, evaluate, own):
    x = np.random.default_rng(4).uniform(-0.9, 0.9, MANY).astype(np.float32)
    (right,) = evaluate(builtin("exp"), FLOAT, (x,), "rte")
    found, _ = judged_twice(asked, Item(builtin("exp"), FLOAT), (x,), moved(FLOAT, right, 3), law=own("exp", text))
    assert found.failed == (MANY if text == "1 ulp" else 0)
    assert all(MANY // 3 < other.failed < MANY for other in found.others)


@pytest.mark.parametrize("name, form", [("exp", DOUBLE), ("sincos", FLOAT)], ids=str)
def test_the_worst_of_every_stretch_is_found_however_wide_bounds_are(name, form, asked, evaluate, monkeypatch):
    """The one that may be the worst is often not: others of its stretch are looked at as well."""

    def wider(bounds):
        return lambda *given: (np.maximum(bounds(*given)[0] - 0.7, 0.0), bounds(*given)[1] + 0.7)

    for called in ("error_bounds", "finer_bounds"):
        monkeypatch.setattr(worst, called, wider(getattr(worst, called)))
    rng = np.random.default_rng(11)
    x = rng.uniform(-0.9, 0.9, MANY).astype(form.dtype)
    results = [moved(form, right, rng.integers(-2, 3, MANY)) for right in evaluate(builtin(name), form, (x,), "rte")]
    found, count = judged_twice(asked, Item(builtin(name), form), (x,), tuple(results))
    assert found.failed == 0
    assert worst.MANY < count < MANY


# what is right, or excused, because of a zero: the built-in, the law, the arguments and the results
ZERO, ONE, TINY = np.zeros(MANY, np.float32), np.arange(1, MANY + 1).astype(np.float32), np.float32(2.0**-70)
ZEROS = {
    "sums toward -inf": ("add", replace(LAW, mode="rtn"), (ONE, -ONE), -ZERO),
    "an argument": ("atan2", replace(LAW, options=("-cl-no-signed-zeros",)), (ZERO, -ONE), ZERO - np.float32(np.pi)),
    "a flushed product": ("mul", replace(LAW, flushes=True), (ZERO + TINY, ONE * TINY), ZERO),
    "a flushed factor": ("mul", replace(LAW, flushes=True), (ZERO + np.float32(2.0**-130), ZERO), -ZERO),
    "either zero": ("tanpi", replace(LAW, options=("-cl-no-signed-zeros",)), (ONE,), ZERO),
}


@pytest.mark.parametrize("case", ZEROS)
def test_what_a_zero_makes_right_is_for_the_reference(case, asked):
    name, law, args, results = ZEROS[case]
    found, _ = judged_twice(asked, Item(builtin(name), FLOAT), args, results, law=law)
    assert found.failed == 0
    assert found.tried == MANY


def test_what_is_off_by_the_same_everywhere_is_measured_at_few_inputs(asked, evaluate):
    """Squares that are exact, and arcsines of numbers so small that the exact value is just beside them."""
    rng = np.random.default_rng(5)
    whole = rng.integers(1, 1 << 12, MANY).astype(np.float32)
    args = whole, np.full(MANY, 2.0, np.float32)
    squares = moved(FLOAT, whole * whole, 1)
    _, count = judged_twice(asked, Item(builtin("pow"), FLOAT), args, squares)
    assert count < 100
    tiny = np.ldexp(rng.uniform(1.0, 2.0, MANY), rng.integers(-30, -14, MANY)).astype(np.float32)
    right = evaluate(builtin("asin"), FLOAT, (tiny,), "rte")[0]
    _, count = judged_twice(asked, Item(builtin("asin"), FLOAT), (tiny,), moved(FLOAT, right, -1))
    assert count < 300


def test_a_device_that_flushes_is_excused_as_ever(asked):
    x = np.concatenate([np.ldexp(1.0, np.arange(-149, -126)), [1.0, 2.0]]).astype(np.float32)
    flushed = np.where(x < 2.0**-126, 0.0, x).astype(np.float32)
    found, _ = judged_twice(asked, Item(builtin("tanpi"), FLOAT), (x,), flushed, law=replace(LAW, flushes=True))
    assert found.flushed > 0
    found, _ = judged_twice(asked, Item(builtin("tanpi"), FLOAT), (x,), flushed)
    assert found.flushed == 0


# laws by which other arguments may excuse results
EXCUSING = {
    "flushing": replace(LAW, flushes=True),
    "relaxed": replace(LAW, profile="relaxed", options=("-cl-fast-relaxed-math",)),
    "no signed zeros": replace(LAW, options=("-cl-no-signed-zeros",)),
}


@pytest.mark.slow
@for_each("law", EXCUSING)
@for_each("name", ["lgamma_r", "half_exp", "add", "fmod", "nextafter", "mad"])
def test_where_nothing_can_be_excused_wrong_results_need_no_reference(name, law, asked, evaluate):
    """Zeros and subnormals are excused among the arguments, and zeros among the results, as ever."""
    rng, item = np.random.default_rng(8), Item(builtin(name), FLOAT)
    x = rng.uniform(-20.0, 20.0, MANY).astype(np.float32)
    x[:200:2], x[1:200:2] = np.ldexp(1.0, -149 + np.arange(100) % 25), 0.0
    args = (x, np.roll(x, 50), np.roll(x, 75))[: len(item.columns)]
    right = evaluate(builtin(name), FLOAT, args, "rte")
    kind, results = np.arange(MANY) % 5, []
    for values in right:
        is_number = values.dtype == np.float32
        wrong = moved(FLOAT, values, 30000) if is_number else values + 1
        zero = np.where(np.isfinite(values), 0.0, values).astype(values.dtype)
        results.append(np.choose(kind, [wrong, wrong, wrong, values, zero if is_number else values]))
    found, count = judged_twice(asked, item, args, tuple(results), law=EXCUSING[law])
    assert found.failed > MANY // 3
    assert name in {"nextafter", "mad"} or count < 0.75 * MANY


def test_a_zero_among_inexact_quotients_keeps_its_sign(asked):
    x, y = np.append(-0.0, np.arange(1.0, 60.0)), np.full(60, 3.0)
    wrong = np.nextafter(x / y, 100.0)
    wrong[0] = 0.0
    found, _ = judged_twice(asked, Item(builtin("div"), DOUBLE), (x, y), wrong)
    assert found.failed == 60


# built-in: how the int beside its result is wrong
INTEGERS = {
    "signs": ("lgamma_r", lambda number: -number),
    "far off": ("lgamma_r", lambda number: number + 1000),
    "exponents": ("frexp", lambda number: number + 1),
    "quotients": ("remquo", lambda number: number ^ 1),
}


@pytest.mark.slow
@for_each("case", INTEGERS)
@for_each("form", [FLOAT, DOUBLE, HALF])
def test_ints_that_are_wrong_need_no_reference(form, case, asked, evaluate):
    """Beside results that are right, just beside, and wrong themselves; edges ask for some of them."""
    name, change = INTEGERS[case]
    rng, item = np.random.default_rng(7), Item(builtin(name), form)
    x = rng.uniform(-20.0, 20.0, MANY).astype(form.dtype)
    x[::7] = np.round(x[::7])
    x[:8] = [0.0, -0.0, np.inf, -np.inf, np.nan, 1.0, 2.0, -1.0]
    args = (x, np.roll(x, 3))[: len(item.columns)]
    *values, number = evaluate(builtin(name), form, args, "rte")
    kind = np.arange(MANY) % 5
    wrong = np.where(kind < 3, change(number), number).astype(number.dtype)
    moves = np.where(np.isfinite(values[0]), np.choose(kind, [0, 1, 300, -1, 0]), 0)
    found, count = judged_twice(asked, item, args, (moved(form, values[0], moves), wrong))
    assert found.failed > MANY // 2
    assert count < 300


def test_other_ints_than_the_exact_one_that_conform_are_no_errors(asked, evaluate):
    """Of zero and NaN, ilogb may return either of two numbers."""
    x = np.where(np.arange(MANY) % 3 > 0, np.nan, np.arange(MANY)).astype(np.float32)
    x[:300] = 0.0
    (right,) = evaluate(builtin("ilogb"), FLOAT, (x,), "rte")
    number = np.where(np.arange(MANY) % 2, np.where(np.isnan(x), 2**31 - 1, -(2**31 - 1)), -(2**31)).astype(np.int32)
    number = np.where(np.isnan(x) | (x == 0), number, right)
    found, _ = judged_twice(asked, Item(builtin("ilogb"), FLOAT), (x,), number)
    assert found.failed == 0
    number[303::9] += 5
    found, count = judged_twice(asked, Item(builtin("ilogb"), FLOAT), (x,), number)
    assert found.failed == len(number[303::9])
    assert count < 100


@pytest.mark.parametrize("name", ["sincos", "modf", "fract"])
def test_two_results_need_no_reference(name, asked, evaluate):
    x = np.random.default_rng(9).uniform(-20.0, 20.0, MANY).astype(np.float32)
    one, other = evaluate(builtin(name), FLOAT, (x,), "rte")
    even = np.arange(MANY) % 2 == 0
    results = moved(FLOAT, one, np.where(even, 900, 0)), moved(FLOAT, other, np.where(even, 0, 500))
    found, count = judged_twice(asked, Item(builtin(name), FLOAT), (x,), results)
    assert found.failed == MANY
    assert count < 300


def test_quotients_that_are_right_in_their_last_bits_are_no_errors(asked, evaluate):
    rng = np.random.default_rng(10)
    args = rng.uniform(-2000.0, 2000.0, MANY).astype(np.float32), rng.uniform(-20.0, 20.0, MANY).astype(np.float32)
    rest, number = evaluate(builtin("remquo"), FLOAT, args, "rte")
    number += 128 * np.sign(number)
    found, _ = judged_twice(asked, Item(builtin("remquo"), FLOAT), args, (rest, number))
    assert found.failed == 0
    number[::2] += 1
    found, count = judged_twice(asked, Item(builtin("remquo"), FLOAT), args, (rest, number))
    assert found.failed == MANY // 2
    assert count < 200
