"""Judging by enclosures gives the tallies of the reference, but needs the reference for few calls."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clmath import kernels, phases, reference
from clmath.audit.acceptance.batch import Batch, Call, is_close
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.inputs.random import random_columns
from clmath.audit.judge import compiled_loop, piece, screen
from clmath.audit.judge.piece import judge
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import Enclosure
from clmath.spec.builtins import builtin, builtins
from clmath.spec.editions import DEFAULT
from tests.audit.checks import JUDGED, Tallies, in_parts, moved
from tests.audit.rule_cases import FLUSHING, FULL, RELAXED, without
from tests.cases import for_each

SIGNLESS = without(FULL, options=("-cl-no-signed-zeros",))
LAWS = [
    FULL,
    Criteria("embedded", "rtz", flushes=True),
    RELAXED,
    without(FULL, mode="rtn"),
    Criteria("relaxed", "rtz", flushes=True),
    without(FULL, options=("-cl-finite-math-only",)),
    SIGNLESS,
]
MANY = 1500


@for_each("row", JUDGED[::2])
def test_tallies_of_hostile_calls_equal_the_references(row):
    """Complete or in parts with known errors, for any number of calls sent to the reference together."""
    Tallies([row]).check()


def names_of(form):
    return [row.name for row in builtins().values() if form in row.formats and phases.is_enclosed(row.name, form)]


@for_each("number, name", list(enumerate(names_of(FLOAT)))[::5])
def test_tallies_of_every_fifth_built_in_equal_the_references(number, name):
    """Each built-in in one format and by one set of criteria."""
    form = next(f for f in np.roll(FORMATS, number) if name in names_of(f))
    (item, values, results, criteria), wanted = Tallies([(name, form, LAWS[number % len(LAWS)])], 30).pairs[number % 2]
    with np.errstate(all="ignore"):
        assert repr(in_parts(item, values, results, criteria)) == wanted


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_tallies_of_every_built_in_in_every_format(form):
    """Other criteria in each format, with few or many calls sent to the reference together."""
    for number, name in enumerate(names_of(form), FORMATS.index(form)):
        Tallies([(name, form, LAWS[number % len(LAWS)])], 30).check([64 * (number % 2)])


@for_each(
    "name, form",
    [(name, FLOAT) for name in ("sin", "cbrt", "pow", "floor", "tgamma")]
    + [(name, DOUBLE) for name in ("exp", "fmod", "div", "fma", "fract", "ldexp")],
)
def test_enclosures_decide_most_correct_results(name, form, evaluate):
    item = Item(builtin(name), form)
    values = random_columns(np.random.default_rng(2), item, 8192)
    found = screen.screened(Batch.by_kernels(Call.on(item, values, evaluate(item.builtin, form, values, "rte"), FULL)))
    assert len(found.in_doubt) < 80
    assert len(found.leaders(0.0)) < 1200


def loose_arguments(item, rng, count):
    """Return arguments with random encodings."""
    form = item.form
    bits = [rng.integers(0, 2**form.width, count, np.uint64).astype(form.bits_dtype) for _ in item.columns]
    ints = [rng.integers(-(2**31), 2**31, count).astype(np.int32) for _ in item.columns]
    return tuple(
        i if kind == "intn" else form.from_bits(b) for i, b, kind in zip(ints, bits, item.columns, strict=True)
    )


@pytest.mark.slow
@for_each("kernel", [kernel for phase in kernels.PHASES.values() for kernel in phase.single])
def test_errors_of_inexact_values_are_measured_exactly(kernel, evaluate):
    """Where kernels only return the side of a number on which the exact value lies, all errors are nearly equal."""
    form = kernels.PHASES[kernel.phase].widest
    item = Item(builtin(kernel.name), form)
    loose = loose_arguments(item, np.random.default_rng(21), 8000)
    value = phases.enclose(kernel.name, loose, form)[0].value
    with np.errstate(all="ignore"):
        is_number = (value.hi.astype(form.dtype) == value.hi) & (value.lo == 0)
        claims = (value.err == 0) & np.isfinite(value.hi) & ~is_number
    values = tuple(v[claims][:60] for v in loose)
    (right, *_) = evaluate(item.builtin, form, values, "rte")
    for step in (0, 1, -1):
        results = form.from_bits(form.bits(right) + form.bits_dtype.type(step % 2**form.width))
        order = slice(None, None, -1 if step < 0 else 1)
        calls = tuple(v[order].copy() for v in values), (results[order].copy(),)
        assert repr(judge(item, *calls, FULL)) == repr(judge(item, *calls, replace(FULL, oracle="mpfr")))


@for_each("wrong", [[-np.inf, np.nan, 1.0], [np.nan, -np.inf, 1.0], [np.inf, 3.0, np.nan]])
def test_infinite_result_is_as_wrong_as_nan(wrong):
    """An infinity counts as 2^1024, which in ulp of a small double is more than the count of all numbers."""
    calls = (np.array([20.0, 30.0, 0.5]),), (np.array(wrong),)
    item = Item(builtin("lgamma"), DOUBLE)
    assert repr(judge(item, *calls, FULL)) == repr(judge(item, *calls, replace(FULL, oracle="mpfr")))


def test_enclosure_that_ends_at_a_double_is_close():
    hi, lo, err = np.ones(3), np.array([2.0**-60, 2.0**-60, 0.0]), np.array([2.0**-60, 2.0**-61, 0.0])
    assert is_close(Enclosure(hi, lo, err, np.zeros(3)), DOUBLE).tolist() == [True, False, False]


def test_zero_with_an_error_is_not_exact():
    """The exact value near zero may have either sign and may differ from zero."""
    hi, err = np.array([0.0, 0.0, -0.0, np.inf, 1.5]), np.array([0.0, 2.0**-160, 2.0**-160, 0.0, 0.0])
    exact = phases.Bounds(Enclosure.of(hi, err=err), FLOAT, 0.0)
    assert screen.is_itself(exact, hi.astype(np.float32), FLOAT).tolist() == [True, False, False, True, True]
    assert not screen.is_itself(exact, -hi.astype(np.float32), FLOAT).any()


@pytest.fixture
def asked(monkeypatch):
    """Count the calls sent to the reference; enclosures judge any number of calls, the compiled loop none."""
    monkeypatch.setattr(compiled_loop, "serves", lambda *_: False)
    monkeypatch.setattr(piece, "FEW", 0)
    counts, enclose = [0], reference.enclose

    def counted(name, values, *rest):
        counts[0] += len(values[0])
        return enclose(name, values, *rest)

    monkeypatch.setattr(reference, "enclose", counted)
    return counts


def judged_twice(asked, item, args, results, criteria=FULL):
    """Return the tally, which must equal the reference's, and the number of calls sent to the reference for it."""
    asked[0] = 0
    results = results if isinstance(results, tuple) else (results,)
    found = judge(item, args, results, criteria)
    count = asked[0]
    assert repr(found) == repr(judge(item, args, results, replace(criteria, oracle="mpfr")))
    return found, count


@for_each("mode", ["rte", "rtz", "rtn"])
@for_each("name, form", [("tanpi", FLOAT), ("tanpi", DOUBLE), ("tanpi", HALF), ("sinpi", FLOAT)])
def test_zeros_of_the_wrong_sign_are_counted_by_their_special_case(mode, name, form, asked, evaluate):
    x = np.arange(-MANY // 2, MANY // 2).astype(form.dtype)
    right = evaluate(builtin(name), form, (x,), mode)[0]
    wrong = np.where(np.arange(MANY) % 3 == 0, right, -right)
    found, count = judged_twice(asked, Item(builtin(name), form), (x,), wrong, without(FULL, mode=mode))
    assert found.failed == MANY * 2 // 3
    assert mode == "rtn" or count < 20


@for_each("name", ["tanpi", "sinpi", "floor", "rint"])
def test_large_numbers_differ_only_by_their_signs(name, asked, evaluate):
    """They are even and larger than any number in the tables; infinities have rules of their own."""
    sizes = np.concatenate([np.arange(40.0), np.ldexp(1.5, np.arange(20, 127)), [np.inf, 3.4028235e38]])
    x = np.random.default_rng(6).permutation(np.tile([*sizes, *-sizes], 4)).astype(np.float32)
    right = evaluate(builtin(name), FLOAT, (x,), "rte")[0]
    wrong = np.where((np.arange(len(x)) % 3 == 0) & np.isfinite(x), -0.0 * np.sign(right), right).astype(np.float32)
    found, _ = judged_twice(asked, Item(builtin(name), FLOAT), (x,), np.where(x > 1e9, -right, wrong))
    assert found.failed > 100


@for_each("name", ["floor", "rint"])
def test_zeros_for_large_integers_have_different_errors(name, asked):
    """Exact values other than zero are not alike, so that each call is judged."""
    x = np.ldexp(np.linspace(1.1, 1.9, 60), 30).astype(np.float32)
    found, _ = judged_twice(asked, Item(builtin(name), FLOAT), (x,), np.zeros(60, np.float32))
    assert found.failed == 60
    assert found.worst.index == 59


def test_an_error_equal_to_the_floor_is_looked_for():
    """An exact value a quarter of an ulp above 1, and the number above it, with an error of three quarters."""
    item, x, one = Item(builtin("exp"), FLOAT), np.zeros(1, np.float32), np.float32([1.0])
    exact = phases.Bounds(Enclosure.of(np.array([1.0 + 2.0**-25]), err=np.zeros(1)), FLOAT, 0.0)
    call = Call.on(item, (x,), (np.nextafter(one, np.float32(2)),), FULL)
    batch = Batch(**vars(call), exact=(exact,), due=(one,), is_certain=False)
    assert [screen._is_plain(batch, 0, 1.0, border)[0] for border in (0.75, 0.7500001)] == [False, True]


def test_worst_input_of_a_case_without_errors_is_its_first_counted_zero(asked):
    """With -cl-finite-math-only, a call with a NaN like fmax(NaN, 0) has no requirement."""
    zeros = np.array([0.0, -0.0, 0.0], np.float32)
    found, _ = judged_twice(asked, Item(builtin("tanpi"), FLOAT), (np.float32([5.0, 4.0, 3.0]),), zeros)
    assert (found.worst.index, found.failed) == (0, 3)
    x, y = np.array([np.nan, 0.0, 0.0, 1.0], np.float32), np.zeros(4, np.float32)
    criteria = without(FULL, options=("-cl-finite-math-only",))
    found, _ = judged_twice(asked, Item(builtin("fmax"), FLOAT), (x, y), np.float32([0.0, 0.0, 0.0, 1.0]), criteria)
    assert found.worst.index == 1


@for_each("oracle", ["auto", "mpfr", "mpmath"])
@for_each(
    "name, args, results, is_asked",
    [
        ("lgamma_r", [np.float32([-1, -2, 3.5, 1e38])], (np.float32([9, np.inf, 9, 9]), np.int32([7, 0, 7, 7])), 1),
        ("remquo", [np.float32([1, 5]), np.float32([0, 3])], (np.float32([0, -1]), np.int32([99, 99])), 1),
    ],
)
def test_finite_math_requires_nothing_next_to_infinities_and_nan(name, args, results, is_asked, oracle):
    criteria = without(FULL, options=("-cl-finite-math-only",), oracle=oracle)
    found = judge(Item(builtin(name), FLOAT), tuple(args), results, criteria)
    assert (found.judged, found.failed) == (is_asked, is_asked)
    assert judge(Item(builtin(name), FLOAT), tuple(args), results, replace(FULL, oracle=oracle)).judged == len(args[0])


@pytest.fixture
def own(tmp_path):
    """Return the criteria of a local edition in which a built-in has another limit."""

    def criteria(name, text):
        folder = tmp_path / f"{len(list(tmp_path.iterdir()))}"
        folder.mkdir()
        (folder / "limits.toml").write_text(f'[limits]\n{name} = "{text}"\n', encoding="utf-8")
        (folder / "edition.toml").write_text(f'title = "made up"\nbased_on = "{DEFAULT}"\n', encoding="utf-8")
        return replace(FULL, edition=str(folder))

    return criteria


@for_each("text", ["900 ulp", "any for x > 0; 900 ulp", "any for x < 0; 1 ulp", "1 ulp"])
def test_other_editions_have_their_own_counts(text, asked, evaluate, own):
    """A result may pass in one edition, and fail or be unspecified in another."""
    x = np.random.default_rng(4).uniform(-20.0, 20.0, MANY).astype(np.float32)
    (right,) = evaluate(builtin("exp"), FLOAT, (x,), "rte")
    wrong = moved(FLOAT, right, np.array([0, 2, -2, 40, 1000])[np.arange(MANY) % 5])
    wrong[:9] = np.inf
    found, _ = judged_twice(asked, Item(builtin("exp"), FLOAT), (x,), wrong, own("exp", text))
    assert found.others
    assert all((other.failed, other.unjudged) != (found.failed, found.unjudged) for other in found.others)


@for_each("name, form", [("exp", DOUBLE), ("sincos", FLOAT)])
def test_worst_error_of_every_binade_is_found_with_wide_bounds(name, form, asked, evaluate, monkeypatch):
    """The first candidate is often not the worst; the others of its binade are examined as well."""
    by_bounds = screen.leaders

    def with_wide_bounds(item, values, least, most, *known):
        return by_bounds(item, values, np.maximum(least - 0.7, 0.0), most + 0.7, *known)

    monkeypatch.setattr(screen, "leaders", with_wide_bounds)
    rng = np.random.default_rng(11)
    x = rng.uniform(-0.9, 0.9, 2 * MANY).astype(form.dtype)
    right = evaluate(builtin(name), form, (x,), "rte")
    results = tuple(moved(form, y, rng.integers(-2, 3, len(x))) for y in right)
    found, count = judged_twice(asked, Item(builtin(name), form), (x,), results)
    assert found.failed == 0
    assert screen.MANY < count < len(x)


ZERO, ONE, TINY = np.zeros(400, np.float32), np.arange(1, 401).astype(np.float32), np.float32(2.0**-70)
# results that pass because of a zero
ZEROS = {
    "sums toward -inf": ("add", without(FULL, mode="rtn"), (ONE, -ONE), -ZERO),
    "an argument": ("atan2", SIGNLESS, (ZERO, -ONE), ZERO - np.float32(np.pi)),
    "a flushed product": ("mul", FLUSHING, (ZERO + TINY, ONE * TINY), ZERO),
    "a flushed factor": ("mul", FLUSHING, (ZERO + np.float32(2.0**-130), ZERO), -ZERO),
    "either zero": ("tanpi", SIGNLESS, (ONE,), ZERO),
}


@for_each("case", ZEROS)
def test_reference_decides_results_that_depend_on_a_zero(case, asked):
    name, criteria, args, results = ZEROS[case]
    found, _ = judged_twice(asked, Item(builtin(name), FLOAT), args, results, criteria)
    assert (found.failed, found.tried) == (0, len(results))


@for_each("form", [FLOAT, DOUBLE])
def test_far_results_nan_and_infinities_need_no_reference(form, asked, evaluate):
    x = np.random.default_rng(3).uniform(-20.0, 20.0, MANY).astype(form.dtype)
    right = evaluate(builtin("exp"), form, (x,), "rte")[0]
    kind = np.arange(MANY) % 5
    wrong = np.where(kind < 2, moved(form, right, 1000 + np.arange(MANY)), np.choose(kind % 3, [np.nan, np.inf, 0.0]))
    found, count = judged_twice(asked, Item(builtin("exp"), form), (x,), wrong.astype(form.dtype))
    assert found.failed == MANY
    assert {text for text, _ in found.reasons} == {
        "NaN where a number is due",
        "an infinity where another number is due",
        "not within the limit: 3 ulp",
    }
    assert count < 200


# the built-in, and the fault in its int
INTS = [
    ("lgamma_r", np.negative),
    ("lgamma_r", lambda number: number + 1000),
    ("frexp", lambda number: number + 1),
    ("remquo", lambda number: number ^ 1),
]


@for_each("form", [FLOAT, DOUBLE, HALF])
@for_each("name, change", INTS)
def test_wrong_ints_need_no_reference(form, name, change, asked, evaluate):
    """The other result is correct, nearly correct or wrong; special values prescribe some of the ints."""
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


def few(elements):
    """Return some of the places where ``elements`` holds."""
    chosen = np.flatnonzero(elements)
    return chosen[:: max(len(chosen) // 7, 1)]


def shifted(by):
    def change(_, right):
        wrong, elements = right.copy(), few((right > 1e-300) & (right < 1e300))
        wrong[elements] = moved(DOUBLE, right[elements], by)
        return wrong

    return change


def rounded_twice(values, right):
    """Return results rounded to 64 bits and then to 53; subnormals are correct."""
    (exact,) = reference.enclose("exp", values, DOUBLE)
    place = 2.0**-11 * np.spacing(np.abs(exact.hi))
    middle = exact.hi + np.where(np.isfinite(exact.hi), np.rint(exact.lo / place) * place, 0.0)
    return np.where(right < DOUBLE.smallest_normal, right, np.ldexp(middle, exact.exponent))


# the fault, the least number of failures, and the bounds of the worst error
MISTAKES = {
    "one place off": (shifted(1), 0, 1.0, 1.5),
    "four places off": (shifted(4), 7, 4.0, 4.5),
    "rounded twice": (rounded_twice, 0, 0.5, 0.5 + 2.0**-11),
    "flushed": (lambda _, y: np.where(y < DOUBLE.smallest_normal, 0.0, y), 200, 2.0**49, 2.0**52),
    "overflows early": (lambda _, y: np.where(y > DOUBLE.largest / 2, np.inf, y), 100, 1.0, 2.0**53),
}


@pytest.mark.slow
@for_each("mistake", MISTAKES)
def test_faults_in_double_are_found_without_the_reference(mistake, evaluate, asked):
    """Verdict, counts and worst input equal the reference's, which gets few calls except failures."""
    change, fewest, least, most = MISTAKES[mistake]
    rng, item = np.random.default_rng(5), Item(builtin("exp"), DOUBLE)
    ranges = (-746, 710, 8000), (-745.1, -708.4, 1000), (709.1, 709.7, 500)
    x = np.concatenate([rng.uniform(*part) for part in ranges])
    with np.errstate(all="ignore"):
        results = change((x,), evaluate(item.builtin, DOUBLE, (x,), "rte")[0])
    found, count = judged_twice(asked, item, (x,), results)
    assert found.failed >= fewest
    assert bool(found.failed) == bool(fewest)
    assert least < abs(found.worst.error) < most
    assert count < found.failed + 500
