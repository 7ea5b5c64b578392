"""The compiled loop decides clear results and leaves the others: all tallies equal the reference's."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

import clmath
from clmath.audit.acceptance.criteria import Criteria, requirement
from clmath.audit.counting.spread import joined
from clmath.audit.counting.tally import KnownErrors, Tally
from clmath.audit.judge import compiled_loop, regimes
from clmath.audit.judge.compiled_loop import Block
from clmath.audit.judge.piece import judge, judge_blocks
from clmath.audit.plan.item import Item
from clmath.audit.screens.loop import screens
from clmath.audit.screens.one_float import judged, left_free, left_waived
from clmath.engines import choice
from clmath.numbers.formats import FLOAT, HALF
from clmath.spec.builtins import builtin, builtins
from clmath.spec.editions import DEFAULT
from clmath.spec.formulas import CONSTANTS
from clmath.spec.notation import number
from tests.audit.checks import Loops
from tests.audit.rule_cases import FULL, RELAXED
from tests.cases import for_each

NEEDS_SCREENS = pytest.mark.skipif(screens() is None, reason="the screens, or the kernels, are not compiled")
LATER = "opencl-c-3.1.1"
CTS = "opencl-cts"
LAWS = [
    RELAXED,
    FULL,
    replace(RELAXED, flushes=True),
    Criteria("embedded", "rte", flushes=True, options=("-cl-finite-math-only",)),
    replace(RELAXED, profile="relaxed embedded", edition=LATER),
    Criteria("full", "rte", flushes=True, options=("-cl-unsafe-math-optimizations",), edition=LATER),
]
SIGNALING = np.uint32(0x7F800001).view(np.float32)
SPECIAL = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, SIGNALING, 1.0, 1e-45, FLOAT.largest, -1e-39], np.float32)


def is_of_one_float(row):
    return FLOAT in row.formats and [p.type for p in row.inputs] == ["gentype"] and not row.widths


ONE_ARGUMENT = sorted(row.name for row in builtins().values() if is_of_one_float(row))


def all_right(item, x):
    """Return the results of clmath."""
    found = getattr(clmath, item.builtin.called)(x)
    return tuple(found) if isinstance(found, tuple) else (found,)


def borders(item, criteria):
    """Return the encodings of numbers in conditions of limits, and of numbers at which results become infinite."""

    def is_finite(codes):
        return np.isfinite(all_right(item, FLOAT.from_bits(codes.astype(np.uint32)))[0])

    clauses = [clause for one in (criteria, *criteria.others(item)) for clause in one.limit(item).clauses]
    named = [number(text, FLOAT) for _, met in clauses if met for text in met.numbers]
    named += [*CONSTANTS.values(), np.pi / 2, 43.668, 0.0, FLOAT.smallest_normal, 1.0, FLOAT.largest, np.inf]
    codes = FLOAT.bits(np.array(named, np.float32)).astype(np.int64) & 0x7FFFFFFF
    for sign in (0, 1 << 31):
        low = np.arange(0, 0xFF00001, 1 << 18) * 8 + sign
        changes = np.flatnonzero(np.diff(is_finite(low)))
        low, high = low[changes], low[changes + 1]
        for _ in range(22):
            middle = (low + high) // 2
            same = is_finite(middle) == is_finite(low)
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        codes = np.concatenate([codes, low])
    return np.concatenate([codes, codes ^ (1 << 31)])


def arguments(rng, item, criteria):
    """Return borders with neighbours, ends of ranges, subnormals, ordinary and random numbers, infinities and NaN."""
    near = np.add.outer(borders(item, criteria), [-1, 0, 1, *rng.integers(-60_000, 60_000, 2)]).ravel()
    ends = rng.integers(0, 1 << 12, 40) << regimes.RANGE
    ordinary = np.concatenate([rng.integers(c, c + 0x6000000, 60) for c in (0x3D000000, 0xBD000000)])
    small = np.concatenate([rng.integers(c, c + 0x800000, 10) for c in (0, 1 << 31)])
    nans = np.array([0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFF812345, 0x7FFFFFFF])
    codes = np.concatenate([near, ends, ends - 1, ordinary, small, nans, rng.integers(0, 1 << 32, 60)])
    return FLOAT.from_bits(np.unique(codes & 0xFFFFFFFF).astype(np.uint32))


def wrong(rng, results, share):
    """Return results with injected errors: ulps or absolute errors near the limits, special values, flushed results."""
    if results.dtype.kind == "i":
        off = np.where(rng.random(len(results)) < share, rng.choice([1, -1, 2, -7, 1 << 20, 1 << 31], len(results)), 0)
        return (results + off).astype(np.int32)
    places = rng.choice([1, -1, 2, -3, 17, 4095, -4097, 8190, -8194, 70_000, 2**21, 2**24], len(results))
    far = (results.view(np.int32) + places.astype(np.int32)).view(np.float32)
    size = rng.choice([2.0**-11, -(2.0**-11), 2.0**-21, -(2.0**-21), 2.0**-30], len(results))
    beside = (results + size * rng.choice([1.0, 1.0 - 2.0**-9, 1.0 + 2.0**-9], len(results))).astype(np.float32)
    flushed = np.where(np.abs(results) < FLOAT.smallest_normal, results * np.float32(0), results)
    kind = rng.random(len(results)) / max(share, 1e-9)
    chosen = [far, beside, rng.choice(SPECIAL, len(results)), -results, flushed]
    return np.select([kind < part for part in (0.4, 0.7, 0.8, 0.9, 1.0)], chosen, results).astype(np.float32)


def all_wrong(rng, results, share):
    return tuple(wrong(rng, r, share / len(results)) for r in results)


def off(results, places):
    """Return results ``places`` numbers away."""
    return (results.view(np.int32) + np.int32(places)).view(results.dtype)


def assert_same(found, wanted, floor=0.0):
    """Compare tallies as text, because NaN is not equal to itself; a worst error up to ``floor`` may be missing."""
    assert repr(replace(found, worst=None)) == repr(replace(wanted, worst=None))
    assert wanted.worst is None or abs(wanted.worst.error) < floor or repr(found.worst) == repr(wanted.worst)


def by_reference(item, args, results, criteria, places=0):
    return judge(item, args, results, replace(criteria, oracle="mpfr"), places)


@pytest.mark.slow
@NEEDS_SCREENS
@for_each("k, name", list(enumerate(ONE_ARGUMENT))[::2])
@np.errstate(all="ignore")
def test_tallies_of_every_second_built_in_equal_the_references(k, name):
    """With a few wrong results, or with only wrong ones and a known error; by one set of criteria each."""
    check_tallies(name, LAWS[k // 2 % len(LAWS)], [(0.05, 0.0), (1.0, 0.6)][k // 2 % 2 :][:1])


@NEEDS_SCREENS
@for_each("edition", [CTS, DEFAULT])
@for_each("name", ["half_sin", "half_cos", "half_tan"])
@np.errstate(all="ignore")
def test_loop_compares_results_for_large_angles_with_their_bounds(name, edition):
    """An edition has bounds where others leave the result unspecified: each edition has counts of its own."""
    criteria = replace(FULL, edition=edition)
    found = regimes.regimes(Item(builtin(name), FLOAT), criteria)
    assert found.of(FLOAT.from_bits(FLOAT.bits([1e6, -1e38]))).tolist() == [regimes.BOUNDED] * 2
    check_tallies(name, criteria, [(0.05, 0.0), (1.0, 0.6)])


@pytest.mark.exhaustive
@NEEDS_SCREENS
@pytest.mark.parametrize("number", range(len(LAWS)))
@np.errstate(all="ignore")
def test_tallies_by_all_criteria_equal_the_references(number):
    for name in ONE_ARGUMENT[number % 2 :: 2]:
        check_tallies(name, LAWS[number], [(0.05, 0.0), (0.0, 9001.0)])


def check_tallies(name, criteria, cases):
    """Check tallies of results of which a share is wrong, and of results with errors of 9000 numbers."""
    item = Item(builtin(name), FLOAT)
    rng = np.random.default_rng([*name.encode()])
    x = arguments(rng, item, criteria)
    true = all_right(item, x)
    for share, floor in cases:
        results = all_wrong(rng, true, share) if share else tuple(off(r, 9000) for r in true)
        wanted = by_reference(item, (x,), results, criteria)
        assert_same(judge(item, (x,), results, criteria, 0, KnownErrors(floor)), wanted, floor)


@NEEDS_SCREENS
def test_loop_serves_one_float_rounded_to_nearest(monkeypatch):
    def serves(name, criteria=FULL, form=FLOAT):
        return compiled_loop.serves(Item(builtin(name), form), criteria)

    assert all(serves(name) for name in ("sin", "half_exp", "native_sin", "ilogb", "modf", "sincos"))
    assert serves("sin", replace(FULL, options=("-cl-finite-math-only",)))
    assert serves("lgamma_r")
    assert not serves("lgamma_r", RELAXED)
    assert not serves("sin", replace(FULL, mode="rtz"))
    assert not serves("sin", replace(FULL, also=("rtz",)))
    assert not serves("sin", replace(FULL, oracle="mpfr"))
    assert not any(serves(name) for name in ("pow", "nan"))
    assert not serves("sin", form=HALF)
    monkeypatch.setattr(type(choice.NATIVE), "library", None)
    assert not serves("sin")


def looked_at(item, x, results, criteria=RELAXED):
    """Count the calls that the loop leaves when it knows of larger errors, and the calls that it knows to fail."""
    screening = compiled_loop.Screening(item, criteria, KnownErrors(2.0**22))
    others = screening.others(Block((x,), results))
    assert screening.tally().tried == len(x) - len(others)
    return len(others), screening.tally().failed


def normal_numbers():
    """Return normal numbers of all sizes and both signs."""
    rng = np.random.default_rng(3)
    codes = [rng.integers(start, start + 0x7F000000, 5_000) for start in (0x800000, 0x80800000)]
    return FLOAT.from_bits(np.concatenate(codes).astype(np.uint32))


@NEEDS_SCREENS
@for_each("places", [0, 1, 1 << 21])
@for_each("name", ["sin", "tanh", "log", "half_sin", "acos", "native_exp", "exp"])
@np.errstate(all="ignore")
def test_few_calls_are_left_to_the_reference(name, places):
    """Results are correct, wrong by less than the limit, or by more where the limit is a constant number of ulp."""
    if places > 1 and name in {"tanh", "half_sin", "native_exp"}:
        return
    item, x = Item(builtin(name), FLOAT), normal_numbers()
    (right,) = all_right(item, x)
    is_normal = np.isfinite(right) & (np.abs(right) >= FLOAT.smallest_normal)
    assert looked_at(item, x, (np.where(is_normal, off(right, places), right),))[0] < 0.02 * len(x)


@NEEDS_SCREENS
@for_each("name", ["lgamma", "lgamma_r"])
@np.errstate(all="ignore")
def test_poles_are_counted_in_the_loop(name):
    """Limits hold only at the poles, the negative integers; wrong results there are left to the reference."""
    item, poles = Item(builtin(name), FLOAT), -np.unique(np.geomspace(8, 2**30, 3000).astype(np.float32).round())
    between = -np.linspace(8, 2.0**20, 3000, dtype=np.float32) - np.float32(0.25)
    x = np.concatenate([poles, between])
    assert looked_at(item, x, all_right(item, x), FULL)[0] < 0.02 * len(x)
    for other in (-np.inf, np.nan, FLOAT.largest):
        actual, *signs = all_right(item, x)
        actual[: len(poles) : 100] = other
        assert looked_at(item, x, (actual, *signs), FULL)[0] >= len(poles[::100])
        assert judge(item, (x,), (actual, *signs), FULL).failed == len(poles[::100])


@pytest.mark.slow
@NEEDS_SCREENS
@for_each("in_arrays", [False, True])
@for_each("name, share", [("cbrt", 0.3), ("ceil", 0.0), ("fabs", 0.01)])
@np.errstate(all="ignore")
def test_chunks_in_any_order_give_the_same_tally(name, share, in_arrays, monkeypatch):
    """Each chunk knows errors of some of the others, as with workers that finish in any order."""
    if in_arrays:
        monkeypatch.setattr(compiled_loop, "serves", lambda *_: False)
    item, rng = Item(builtin(name), FLOAT), np.random.default_rng(9)
    x = arguments(rng, item, FULL)
    results = all_wrong(rng, all_right(item, x), share)
    cuts = np.array_split(np.arange(len(x)), 8)
    whole = repr(by_reference(item, (x,), results, FULL))
    for _ in range(3):
        found: list[Tally] = []
        for k in rng.permutation(len(cuts)):
            reported = sum((t for t in found if rng.random() < 0.7), Tally())
            piece = tuple(r[cuts[k]] for r in results)
            found.append(judge(item, (x[cuts[k]],), piece, FULL, cuts[k], KnownErrors.of(reported)))
        assert repr(sum(found, Tally())) == whole


def assert_blocks_are_judged(item, criteria, blocks, calls):
    """Check blocks in any order, with and without known errors by binade, against the reference."""
    args, results = calls
    assert compiled_loop.serves(item, criteria)
    rng, places = np.random.default_rng(6), FLOAT.bits(args[0]).astype(np.int64)
    wanted = by_reference(item, args, results, criteria, places)
    for known in ((), ((*((stretch, 1.2) for stretch in range(0, 512, 3)),),)):
        found = judge_blocks(item, [blocks[k] for k in rng.permutation(len(blocks))], criteria, KnownErrors(0.0, known))
        assert repr(replace(found, spread=None)) == repr(replace(wanted, spread=None))
        assert found.spread.counts == wanted.spread.counts
        reported, due = (joined(known, tuple(map(dict, one.spread.worst))) for one in (found, wanted))
        assert reported == due


@NEEDS_SCREENS
@for_each("name", ["sincos", "frexp", "modf", "lgamma_r"])
@np.errstate(all="ignore")
def test_blocks_of_several_results_are_judged_as_by_the_reference(name):
    item, rng = Item(builtin(name), FLOAT), np.random.default_rng(6)
    near = FLOAT.bits(np.float32([-3e4, 1.0, -2e7])) >> 8 << 8
    starts = np.append(rng.choice(1 << 15, 7, replace=False) << 17, near)
    x = FLOAT.from_bits(np.add.outer(np.unique(starts), np.arange(256)).astype(np.uint32))
    results = all_wrong(rng, all_right(item, x.ravel()), 0.03)
    blocks = [Block((x[k],), tuple(r.reshape(x.shape)[k] for r in results)) for k in range(len(x))]
    assert_blocks_are_judged(item, FULL, blocks, ((x.ravel(),), results))


def check_opposite_blocks(name, criteria):
    """Check blocks of neighbours, some of them with mirrored results."""
    item, rng = Item(builtin(name), FLOAT), np.random.default_rng(5)
    starts = rng.choice(1 << 15, 14, replace=False) << 16
    starts[:8] = FLOAT.bits(np.array([np.pi, 88, 2.0**16, 43.668, 0.7, 2, 6, np.inf], np.float32)) >> 8 << 8
    x = FLOAT.from_bits(np.add.outer(np.unique(starts), np.arange(256)).astype(np.uint32))
    (actual,) = all_wrong(rng, all_right(item, x.ravel()), 0.03)
    (there,) = all_wrong(rng, all_right(item, -x.ravel()), 0.03) if name == "exp" else (-actual,)
    blocks = []
    for one, result, mirror in zip(x, actual.reshape(x.shape), there.reshape(x.shape), strict=True):
        apart = [Block((one,), (result,)), Block((-one,), (mirror,))]
        blocks += apart if name == "exp" else [Block((one,), (result,), (mirror,))]
    values, results = np.concatenate([x.ravel(), -x.ravel()]), np.concatenate([actual, there])
    order = np.argsort(FLOAT.bits(values))
    assert_blocks_are_judged(item, criteria, blocks, ((values[order],), (results[order],)))


@NEEDS_SCREENS
@for_each("name, criteria", [("sin", RELAXED), ("tanh", RELAXED), ("asin", FULL), ("exp", FULL), ("half_sin", FULL)])
@np.errstate(all="ignore")
def test_blocks_with_opposite_inputs_are_judged_as_by_the_reference(name, criteria):
    check_opposite_blocks(name, criteria)


@NEEDS_SCREENS
def test_signaling_nan_is_not_an_acceptable_result():
    """It fails with the digits of a quiet NaN, too, and without a limit, unless the argument is a signaling NaN."""
    codes = np.array([0x7FC00001, 0x7FFFFFFF, 0xFFC12345, 0x7F812345], np.uint32)
    x, actual = codes.view(np.float32), (codes & np.uint32(0xFFBFFFFF)).view(np.float32)
    for name in ("ceil", "fabs", "logb", "sqrt", "sin"):
        item = Item(builtin(name), FLOAT)
        assert compiled_loop.serves(item, FULL)
        found = judge(item, (x,), (actual,), FULL)
        assert_same(found, by_reference(item, (x,), (actual,), FULL))
        assert found.failed == 3
    item, x, actual = Item(builtin("half_sin"), FLOAT), np.float32([1e6, 2e6, np.inf, 0]), np.full(4, SIGNALING)
    x[3] = SIGNALING
    for criteria, failed in ((FULL, 3), (RELAXED, 2)):
        found = judge(item, (x,), (actual,), criteria)
        assert found.failed == failed
        assert_same(found, by_reference(item, (x,), (actual,), criteria))


def test_regimes_are_unknown_where_editions_waive_different_requirements(monkeypatch):
    item = Item(builtin("tanh"), FLOAT)
    there = np.roll(regimes.regimes(item, RELAXED).kinds, 2048)
    reported = regimes.regimes(item, RELAXED)
    assert np.array_equal(
        reported.of_both_signs.kinds, np.where(reported.kinds == there, reported.kinds, regimes.UNDECIDED)
    )
    assert [other.edition for other in RELAXED.others(item)] == [LATER]
    monkeypatch.setattr(Criteria, "waives", lambda self, what, _: what == "not finite" and self.edition == DEFAULT)
    monkeypatch.setattr(regimes, "requirement", requirement.__wrapped__)
    assert regimes.regimes.__wrapped__(item, RELAXED) is None


def test_criteria_of_the_loop_agree_with_exact_values():
    """NumPy runs the criteria from which the compiled loop is generated."""
    Loops().check()


@np.errstate(all="ignore")
def test_due_infinities_and_nans_are_left_out():
    """Results that may be numbers are not; without a limit, signaling NaNs are examined."""
    infinity, largest = 2.0**128 - 2.0**103, FLOAT.largest
    value = np.array([1.5, infinity, infinity, -infinity, 2.0**130, -np.inf, np.nan, largest, -largest])
    err = np.array([0.0, 0.0, 2.0**70, 2.0**70, 2.0**80, 0.0, 0.0, 0.0, 2.0**40])
    x, quiet = np.full(len(value), 1.5), np.full(len(value), 0x7FC00000)
    left, counts = left_waived(x, value, err, quiet)
    assert left.tolist() == [False, True, False, False, True, True, True, False, False]
    assert counts.tolist() == [True, False, False, False, False, False, False, True, True]
    left, counts = left_free(x, value, err, quiet)
    assert counts.tolist() == np.isfinite(value).tolist()
    assert left.tolist() == (~np.isfinite(value)).tolist()
    for code in (0x7F800001, -(1 << 31) + 0x7F800001):
        assert not left_free(x, value, err, np.full(len(value), code))[0].any()


@np.errstate(all="ignore")
def test_distance_of_a_result_is_measured_from_the_exact_value():
    """NaN, infinities and zeros are not measured; numbers are."""
    value = np.array([np.nan, np.inf, -np.inf, 0.0, 1.0, 1.0 + 2.0**-25, 3.0 + 2.0**-30, 3.0, 2.0**129])
    actual = np.array([np.nan, np.inf, -np.inf, 0.0, 1.0, 1.0, 3.0 + 2.0**-20, 7.0, np.inf], np.float32)
    actual[0] = FLOAT.from_bits(np.array([0xFFC54321], np.uint32))[0]  # another NaN
    zero, five = np.zeros(len(value)), np.full(len(value), 5.0)
    given = value, zero, actual.view(np.int32).astype(np.int64), zero
    conforms, fails, least, most, bins = judged(np.full(len(value), 1.5), *given, five, five, zero)
    assert conforms.tolist() == [True, True, True, True, True, True, True, False, True]
    assert fails.tolist() == [False] * 7 + [True, False]
    assert bins.tolist() == [0, 0, 0, 0, 0, 0, 3, 18, 0]
    sizes = [0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 4.0 - 2.0**-8, 2.0**24, 0.0]
    assert np.allclose(least, sizes, rtol=2.0**-30, atol=0.0)
    assert np.allclose(most, sizes, rtol=2.0**-30, atol=0.0)
