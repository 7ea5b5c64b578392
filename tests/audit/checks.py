"""Checks of the acceptance criteria: on hostile calls, exact values, enclosures, devices and the judge must agree.

Each takes a second or two, so that ``mutants.py`` can run them against hundreds of injected faults.
"""

from __future__ import annotations

import functools
import itertools
from dataclasses import replace
from types import SimpleNamespace

import numpy as np

from clmath import phases
from clmath.audit.acceptance import batch as batches
from clmath.audit.acceptance.batch import Batch, Call, are_counted, are_prescribed
from clmath.audit.acceptance.criteria import profile_in_force, requirement
from clmath.audit.acceptance.findings import LIMIT, conclude, judged, of_part
from clmath.audit.counting.spread import BINS, steps
from clmath.audit.counting.tally import KnownErrors, Tally
from clmath.audit.device_judge.measuring import measured_integer
from clmath.audit.device_judge.question import Question
from clmath.audit.inputs.random import numbered
from clmath.audit.inputs.structured import structured
from clmath.audit.judge import compiled_loop, piece, regimes, screen
from clmath.audit.judge.piece import judge
from clmath.audit.judge.screen import parts_of, screened
from clmath.audit.plan.item import Item
from clmath.audit.screens import one_float
from clmath.audit.screens.loop import FREE, NOTHING
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.builtins import builtin
from tests.accepting import numbers_of
from tests.audit.rule_cases import (
    CASES,
    EMBEDDED,
    FLUSHING,
    FULL,
    RELAXED,
    UNDECIDED,
    by_enclosures,
    by_exact_values,
    device_says,
    on_device,
    without,
)
from tests.audit.single_calls import check, outcome, tally

EXACTLY = without(FULL, options=("-cl-fp32-correctly-rounded-divide-sqrt",))
DIRECTED, FINITE = without(FULL, mode="rtz"), without(FULL, options=("-cl-finite-math-only",))
# Built-in, format, criteria, and greatest counts of undecided calls of ``spoiled``: conforming results left to exact
# values by enclosures on the host; results left to them by a device; results that a device refuses without a measured
# error.
ROWS = (
    ("exp", FLOAT, FULL, (1, 2, 39)), ("exp", DOUBLE, FULL, (1, 1, 43)),
    ("pow", FLOAT, FULL, (0, 1, 51)), ("atan2", DOUBLE, FULL, (1, 3, 36)),
    ("tanpi", FLOAT, FULL, (0, 0, 49)), ("tgamma", HALF, FULL, (0, 0, 54)),
    ("hypot", FLOAT, DIRECTED, (0, 1, 44)), ("pow", FLOAT, RELAXED, (0, 1, 27)),
    ("ilogb", FLOAT, FULL, (0,)), ("exp2", FLOAT, FLUSHING, (2, 2, 46)),
    ("fma", DOUBLE, FULL, (0, 0, 43)), ("lgamma_r", FLOAT, FULL, (3,)),
    ("sub", HALF, FULL, (0, 0, 37)), ("lgamma", DOUBLE, FULL, (0, 11, 16)),
    ("half_sin", FLOAT, FULL, (5, 11, 28)), ("native_log", FLOAT, FULL, (0, 7, 0)),
    ("atan2", FLOAT, RELAXED, (2, 8, 32)), ("powr", FLOAT, FULL, (2, 2, 41)),
    ("sinpi", FLOAT, RELAXED, (0, 0, 16)), ("degrees", FLOAT, DIRECTED, (0, 11, 35)),
    ("degrees", DOUBLE, DIRECTED, (0, 2, 47)), ("exp", DOUBLE, DIRECTED, (1, 21, 43)),
    ("tgamma", DOUBLE, FULL, (0, 0, 51)), ("mad", HALF, FULL, (0, 16, 0)),
    ("mad", DOUBLE, FULL, (0, 0, 115)), ("rootn", HALF, FULL, (0, 0, 43)),
    ("remquo", FLOAT, FULL, (0,)), ("remquo", DOUBLE, FULL, (0,)), ("frexp", FLOAT, FULL, (0,)),
    ("lgamma_r", FLOAT, FINITE, (3,)), ("frexp", DOUBLE, FINITE, (0,)), ("exp", FLOAT, FINITE, (1, 2, 32)),
    ("ilogb", FLOAT, FINITE, (0,)), ("mul", HALF, FLUSHING, (0, 0, 66)),
    ("acosh", FLOAT, RELAXED, (0, 0, 33)), ("half_exp2", FLOAT, FULL, (0, 2, 37)),
    ("div", FLOAT, FULL, (0, 0, 38)), ("pown", FLOAT, FULL, (0, 1, 63)),
    ("powr", FLOAT, RELAXED, (2, 2, 21)),
)  # fmt: skip
NAMES = sorted({case.name for case in CASES} | {name for name, *_ in ROWS})
# cases whose complete tallies are compared with the tallies by the reference
JUDGED = (
    ("exp", FLOAT, FULL), ("exp", DOUBLE, FULL), ("tanpi", FLOAT, FULL), ("tanpi", DOUBLE, FULL),
    ("pow", DOUBLE, FULL), ("sinpi", FLOAT, without(FULL, mode="rtn")), ("cbrt", FLOAT, EMBEDDED),
    ("hypot", HALF, FULL), ("ilogb", FLOAT, FULL), ("lgamma_r", FLOAT, FULL), ("lgamma", DOUBLE, FULL),
    ("exp2", FLOAT, FLUSHING), ("sub", HALF, FLUSHING), ("fma", DOUBLE, without(FULL, mode="rtz")),
    ("sin", FLOAT, RELAXED), ("remquo", DOUBLE, FULL), ("exp", FLOAT, DIRECTED), ("frexp", FLOAT, FINITE),
    ("exp2", DOUBLE, FULL), ("ceil", FLOAT, FULL),
)  # fmt: skip
# a signaling NaN, a zero, a subnormal number, and arguments at which requirements change
OF_A_LOOP = np.array(
    [
        np.nan,
        np.inf,
        -np.inf,
        0.0,
        -0.0,
        1e-40,
        -1e-40,
        0.5,
        -0.5,
        -1.0,
        -2.5,
        -9e6,
        3.2,
        -3.2,
        9e4,
        89.0,
        -104.0,
        128.0,
        *np.ldexp(np.pi / 180 * (1 - np.arange(1, 9) * 2.0**-26), 128),  # in degrees next to 2^128
    ],
    np.float32,
)
SIGNALING_NAN = FLOAT.from_bits(np.array([0x7F800001], np.uint32))
# Least counts: ranges in which nothing is required, ranges with limits, ranges with special values only, ranges known
# for both signs; calls that conform, fail, are left out, are correctly rounded; minus the sum of the widths of bounds
# on errors.
TOLD_BY_LOOPS = (22260, 822570, 10110, 824570, 133951, 10889, 10322, 116372, -4157.592)
WIDE = 0.3  # the share of results, at most, whose error is not known to a hundredth of an ulp or of itself
FAR = 1e6  # ulp: bounds on greater errors may have any width


def moved(form, values, by):
    """Return the numbers ``by`` encodings away from ``values``."""
    return form.from_bits((form.bits(values).astype(np.int64) + by).view(np.uint64).astype(form.bits_dtype))


def spoiled_result(rng, right, form):
    """Results with injected faults of many kinds in half of the calls."""
    kind = rng.integers(0, 20, len(right))
    if right.dtype.kind == "i":
        return np.where(kind < 4, right + 1, np.where(kind < 6, right + 128, right)).astype(np.int32)
    near = moved(form, right, np.array([1, -1, 2, -3, 17, 4000])[kind % 6])
    strange = np.choose(kind % 5, [form.dtype.type(v) for v in (np.inf, -np.inf, np.nan, 0.0, form.smallest_subnormal)])
    return np.select([kind < 6, kind < 8, kind == 8], [near, strange, -right], right).astype(form.dtype)


@np.errstate(all="ignore")
def rounded_results(item, values, criteria):
    """Return the correctly rounded results of calls, by the reference."""
    kinds = [np.int32 if p.type == "intn" else item.form.dtype for p in item.builtin.outputs]
    blank = tuple(np.zeros(len(values[0]), kind) for kind in kinds)
    return Batch.of(item, values, blank, criteria).due


def spoiled(name, form, criteria, count=150, seed=3):
    """Return the case, the criteria, ``count`` structured and ``count`` random arguments, and results with faults."""
    item = Item(builtin(name), form)
    fixed, generated = structured(item), numbered(item, 0, np.arange(count))
    values = tuple(np.concatenate([a[:: max(len(a) // count, 1)], b]) for a, b in zip(fixed, generated, strict=True))
    rng = np.random.default_rng(seed)
    return item, criteria, values, tuple(spoiled_result(rng, r, form) for r in rounded_results(item, values, criteria))


class AllCriteria:
    """Compare both forms of the criteria on the calls of ``CASES`` and ``ROWS``; exact values are found once."""

    def __init__(self):
        self._truths, self._find = {}, batches.exact_values
        self._spoiled = functools.cache(spoiled)

    def truths(self, item, values, *rest):
        """Return the exact values of a batch from a cache."""
        key = (item, *(v.tobytes() for v in values), rest[0])
        if key not in self._truths:
            self._truths[key] = self._find(item, values, *rest)
        return self._truths[key]

    def check(self, name=""):
        """Fail if the criteria disagree or decide too few calls of the built-in ``name``, by default of all."""
        check_others()
        check_criteria()
        batches.exact_values = self.truths
        try:
            for case in CASES:
                if name in {"", case.name}:
                    assert by_exact_values(case) == case.said, case
                    reported = zip(case.said, by_enclosures(case), strict=True)
                    assert all(other in (one, UNDECIDED) for one, other in reported), case
                    assert on_device(case) == case.on_device, case
            for row in ROWS:
                if name in {"", row[0]}:
                    check_row(*self._spoiled(*row[:3]), row[3])
        finally:
            batches.exact_values = self._find


@np.errstate(all="ignore")
def check_row(item, criteria, values, results, most_open):
    """Fail if enclosures or a device judge any call differently from exact values."""
    batch, call = Batch.of(item, values, results, criteria), Call.on(item, values, results, criteria)
    said = judged(batch)
    left = [_check_components(batch, call, said)]
    (first, *others) = phases.enclose(call.name, call.args, item.form)
    if not others and isinstance(first, phases.Bounds):
        left += check_device(batch, said, device_says(call, first))
    _check_ints(batch, call, said)
    assert all(now <= most for now, most in zip(left, most_open, strict=True)), (item, criteria, left)


def _check_components(batch, call, said):
    """Count the conforming calls that screening leaves undecided, and check those that it passes and their errors."""
    found = screened(Batch.by_kernels(call))
    fails = said.numbers.any(axis=-1) | said.flushed | said.unsigned
    free = said.unspecified.all(axis=-1)
    conform = found.is_known & ~found.refused
    reported = found.chosen[conform]
    errors = np.zeros(len(fails)) - 1.0
    for k in range(len(batch.exact)):
        measured = np.abs(batch.errors(k)) if batch.is_real(k) else 0.0
        errors = np.where(are_counted(batch, k), np.fmax(errors, measured), errors)
    least, most = found.least[conform], found.most[conform]
    counts, errors = errors[reported] >= 0.0, errors[reported]
    low, high, known = least[counts], most[counts] * (1.0 + 2.0**-30), errors[counts]
    assert not fails[reported].any()
    assert (found.codes[0][found.refused] == said.numbers[found.chosen[found.refused]]).all()
    assert (found.unjudged[0][conform] == free[reported]).all()
    assert ((most >= 0.0) == counts).all()
    assert (low <= known * (1.0 + 2.0**-30)).all()
    assert not (high < known).any()
    assert not (high - low > 0.01 * np.maximum(known, 1.0)).mean() > WIDE
    return len(np.setdiff1d(np.flatnonzero(~fails), reported))


def check_device(batch, found, said):
    """Check the answers of a device; count undecided results, and results refused without a measured error."""
    (due,), (result,), form = batch.due, batch.results, batch.form
    sure, plain, (counts, far, least, most, is_unspecified, *_, flushed, fails, missed) = said
    codes, counted = (found.numbers[:, 0] != 0) | found.flushed | found.unsigned, are_counted(batch, 0)
    reported, errors = (plain | missed) & sure & ~flushed, np.abs(batch.errors(0))
    looked, silent = reported & counted, reported & ~counted
    ends = [0, *(1 << k for k in range(len(BINS) - 3))]
    wide = most.view(np.float64) - (least << 32).view(np.float64) > 0.01 * np.maximum(errors, 1.0)
    assert (codes == missed)[reported].all()
    assert (counts == counted)[reported].all()
    assert (is_unspecified == found.unspecified[:, 0])[reported].all()
    assert (least <= errors.view(np.int64) >> 32)[looked].all()
    assert not (most.view(np.float64) * (1.0 + 2.0**-30) < errors)[looked].any()
    assert (far == np.searchsorted(ends, steps(result, due, form)))[looked].all()
    assert not (fails & ~codes & sure).any()
    assert not (flushed & ~found.flushed & sure).any()
    assert not (far | least | most)[silent].any()
    assert wide[looked & (errors < FAR)].sum() <= WIDE * looked.sum()
    is_unspecified = ~((plain | flushed | fails) & sure)
    return [int(np.count_nonzero(one)) for one in (is_unspecified, fails & sure & ~missed)]


def _check_ints(batch, call, said):
    """Check the answers about an int: whether it conforms, counts, is unspecified, or surely fails."""
    numbers = [due for k, due in enumerate(batch.due) if batch.is_real(k)]
    infinite = np.any([~np.isfinite(one) for one in (np.zeros(len(call.args[0])), *numbers)], axis=0)
    codes, edged, free = numbers_of(batch), are_prescribed(batch), said.unspecified
    terms, args = Question(batch.item, batch.criteria).terms, [a.astype(np.float64) for a in call.args]
    for k in (k for k in range(len(batch.exact)) if not batch.is_real(k)):
        given = (*args, infinite, batch.exact[k].astype(np.int64), batch.results[k].astype(np.int64), terms, k)
        conforms, counts, is_unspecified, *_, fails = np.broadcast_arrays(*measured_integer(*given))
        wrong, is_told = codes[k] != 0, ~edged[k] & np.all([np.isfinite(a) for a in args], axis=0)
        assert not (conforms & wrong).any()
        assert (counts == are_counted(batch, k)).all()
        assert (is_unspecified == free[:, k])[conforms].all()
        assert not (fails & ~wrong & ~edged[k]).any()
        assert ((conforms | fails) == is_told)[is_told].all()


@np.errstate(all="ignore")
def check_others():
    """Fail if calls are judged differently without kernels, on vectors, or in one of two modes."""
    by_reference, short = (
        replace(FULL, oracle="mpfr"),
        [2.0**-100, 2.0**-101],
    )  # a vector that fast_normalize may return
    check("sin", FLOAT, (1.0,), by_reference, wrong=[3.0])
    check("length", FLOAT, ([1.0, 1.0],), by_reference, wrong=[9.0])
    check("fast_normalize", FLOAT, (short,), by_reference, right=[short], wrong=[short[::-1]])
    third = np.float32(1) / np.float32(3)
    down, far = np.nextafter(third, np.float32(0)), third * np.float32(1.5)
    check("div", FLOAT, (1.0, 3.0), EXACTLY, right=[third], wrong=[down, far])
    check("div", FLOAT, (1.0, 3.0), replace(EXACTLY, mode="rtz"), right=[down], wrong=[third, far])
    check("div", FLOAT, (1.0, 3.0), replace(EXACTLY, also=("rtz",)), right=[third, down], wrong=[far])
    check("cross", FLOAT, ([1.0] * 4, [1.0] * 4), wrong=[[5.0, 0.0, 0.0, 0.0]])
    (signaling,), one = SIGNALING_NAN, np.ones(1, np.float32)
    found = [outcome("fmin", FLOAT, (signaling, 1.0), result) for result in (1.0, 2.0, signaling, np.nan)]
    assert found == ["right", "wrong", "unspecified", "unspecified"]
    for name, args, result, reason in (
        ("sin", (np.nan,), signaling, "a signaling NaN"),
        ("nan", (1,), signaling, "nan("),
        ("fract", (2.0**-140,), (0.0, 0.0), "a subnormal flushed"),
    ):
        assert tally(name, FLOAT, args, [result]).reasons[0][0].startswith(reason)
    vectors = np.array([short, [2.0**120, 2.0**120]], np.float32)  # the second one is undefined
    found = judge(Item(builtin("fast_normalize"), FLOAT, 2), tuple(vectors.T.copy()), (vectors[:, ::-1].copy(),), FULL)
    assert (found.tried, found.failed, found.unjudged) == (2, 1, 1)
    call = Call.on(Item(builtin("fmin"), FLOAT), (one * signaling, one), (one,), FULL)
    for result, is_unspecified in ((one, False), (SIGNALING_NAN, True)):
        call = replace(call, values=(SIGNALING_NAN, one), args=(SIGNALING_NAN, one), results=(result,))
        assert device_says(call, phases.enclose("fmin", call.args, FLOAT)[0])[2][4].tolist() == [is_unspecified]
    far = tally("atan2", FLOAT, (0.0, -1.0), [np.float32(-np.pi)], replace(FULL, options=("-cl-no-signed-zeros",)))
    assert (far.failed, far.worst) == (0, None)


def check_criteria():
    """Fail if editions, profiles, flushing or the counts of a case have a wrong meaning."""
    item, vectors = Item(builtin("tanh"), FLOAT), Item(builtin("normalize"), FLOAT, 2)
    assert [RELAXED.alike(item, other.edition) for other in RELAXED.others(item)] == [("opencl-cts",)]
    assert profile_in_force("relaxed embedded", RELAXED.options) == "relaxed embedded"
    assert [requirement(vectors, criteria).zero_sign == "open" for criteria in (FULL, FLUSHING)] == [False, True]
    for unjudged, failed, status in ((0, 0, "pass"), (3, 0, "pass"), (4, 0, "not judged"), (3, 1, "fail")):
        assert conclude(item, FULL, Tally(tried=4, unjudged=unjudged, failed=failed)).status == status
    for exhaustive, what in ((True, "all floats"), (False, "5 random inputs")):
        assert of_part(SimpleNamespace(exhaustive=exhaustive, part=(1, 3), count=5)) == f"part 1 of 3 of {what}"


class Tallies:
    """Calls of cases with the tallies found by the reference alone."""

    def __init__(self, rows=JUDGED, count=200):
        self.pairs = [pair for row in rows for pair in self._of(*row, count)]

    @staticmethod
    def _of(name, form, criteria, count):
        """Yield calls with faulty, with mostly correct, with only 1 and with only 0 as results, and the tallies."""
        with np.errstate(all="ignore"):
            item, _, values, results = spoiled(name, form, criteria, count, seed=5)
            few = np.arange(len(values[0])) % 37 == 5
            right = rounded_results(item, values, criteria)
        tidy = tuple(np.where(few, r, due).astype(r.dtype) for r, due in zip(results, right, strict=True))
        ones = tuple(np.ones_like(r) for r in results)  # wrong by finite errors where results overflow, too
        zeros = tuple(np.zeros_like(r) for r in results)
        for given in (results, tidy, ones, zeros):
            yield (item, values, given, criteria), repr(judge(item, values, given, replace(criteria, oracle="mpfr")))

    @np.errstate(all="ignore")
    def check(self, asked_at_once=(0, 64)):
        """Fail if a tally differs: by arrays, complete or in parts, with few or more calls for the reference."""
        check_others()
        before = compiled_loop.serves, piece.FEW, screen.MANY
        try:
            compiled_loop.serves = lambda *_: False
            for few in asked_at_once:
                piece.FEW = screen.MANY = few
                for row, wanted in self.pairs:
                    assert repr(judge(*row)) == wanted, row  # the text of NaN equals itself, NaN does not
                    assert repr(in_parts(*row)) == wanted, row
        finally:
            compiled_loop.serves, piece.FEW, screen.MANY = before


def in_parts(item, values, results, criteria):
    """Return the tally of every other call and then of the rest, which starts with the errors of the first part."""
    places, tally = np.arange(len(values[0])), Tally()
    for part in (places[::2], places[1::2]):
        known = KnownErrors.of(tally)
        args = tuple(v[part] for v in values), tuple(r[part] for r in results)
        tally += judge(item, *args, criteria, part, known)
    return tally


class Loops:
    """Run the criteria of the compiled loop in NumPy on calls of one float, and compare them with exact values."""

    NAMES = ("sin", "exp", "log", "sqrt", "degrees", "half_sin", "native_exp", "ceil", "tanpi", "lgamma", "tgamma")
    LAWS = (FULL, RELAXED, FLUSHING, FINITE)

    @np.errstate(all="ignore")
    def __init__(self):
        self._batches = []
        for name, criteria in itertools.product(self.NAMES, self.LAWS):
            item, _, (x, *_), results = spoiled(name, FLOAT, criteria, 300)
            x = np.concatenate([x, x[::3], OF_A_LOOP])
            due = rounded_results(item, (x,), criteria)
            results = tuple(np.concatenate([r, d[len(r) :]]) for r, d in zip(results, due, strict=True))
            flushed = tuple(np.where(np.abs(r) < FLOAT.smallest_normal, r * 0, r) for r in results)
            signaling = tuple(np.where(np.isfinite(r), r, SIGNALING_NAN) for r in results)
            zeros = rounded_results(item, (np.where(np.abs(x) < FLOAT.smallest_normal, x * 0, x),), criteria)
            finite = tuple(np.where(np.isinf(r), np.copysign(FLOAT.largest / 2, r), r) for r in results)
            for kept in (results, flushed, signaling, zeros, finite):
                batch = Batch.of(item, (x,), kept, criteria)
                self._batches.append((batch, judged(batch), np.abs(batch.errors(0)), are_counted(batch, 0)))

    @np.errstate(all="ignore")
    def check(self):
        """Fail if exact values contradict a claim, or if the loop decides less than it should."""
        reported = np.sum([_told_by_loop(*one) for one in self._batches], axis=0)
        assert (reported >= TOLD_BY_LOOPS).all(), reported


def _told_by_loop(batch, said, errors, counted):
    """Count ranges of each kind, and calls that conform, fail or are left out; measure how close bounds are."""
    found = regimes.regimes(batch.item, batch.criteria)
    if found is None:
        return [0.0] * 9
    (x,), (result,) = batch.args, batch.results
    place = FLOAT.bits(x) >> regimes.RANGE
    kinds = found.kinds[place]
    for one in (slice(None), *(slice(i, i + 1) for i in range(0, len(x), 7))):
        assert (found.of(x[one]) == kinds[one]).all()
    wrong, free = said.numbers[:, 0] != 0, said.unspecified[:, 0]
    assert (free | wrong)[kinds == regimes.OPEN].all()
    assert not counted[kinds == regimes.BOUNDED].any()
    (bounds,) = phases.enclose(batch.name, batch.args, FLOAT)
    given = (x.astype(np.float64), *parts_of(bounds, FLOAT)[0], FLOAT.bits(result).view(np.int32).astype(np.int64))
    off = np.full(len(x), bounds.off)
    limits = (one[place] for one in (found.allowed, found.refused, found.tolerance))
    conforms, fails, least, most, _ = one_float.judged(*given, off, *limits)
    here, left = kinds == regimes.JUDGED, np.zeros(len(x), np.bool_)
    if found.left_out != NOTHING:
        left, counts = (one_float.left_free if found.left_out == FREE else one_float.left_waived)(*given)
        assert not wrong[left & here].any()
        assert free[left & here].all()
        assert counted[counts & here].all()
        here = here & counts
    conforms, fails = conforms & here, fails & here
    assert not (wrong | said.flushed | said.unsigned)[conforms].any()
    assert (said.numbers[fails, 0] == LIMIT).all()
    known = (conforms | fails) & counted
    assert (least <= errors * (1 + 2.0**-30))[known].all()
    assert (errors <= most * (1 + 2.0**-30))[known].all()
    alone, *others = one_float.measured(*given[1:], off)
    rounded = one_float.is_rounded_to_float(*given[1:]) & here
    assert not (wrong | (errors > 0.5))[rounded & counted].any()
    assert all(
        np.array_equal(a[rounded], b[rounded]) for a, b in zip((alone, *others), (conforms, least, most), strict=True)
    )
    both = found.of_both_signs.kinds
    assert (both == np.roll(both, len(both) // 2)).all()
    assert ((both == regimes.UNDECIDED) | ((both == found.kinds) & (both != regimes.EDGED))).all()
    count = [np.count_nonzero(found.kinds == kind) for kind in (regimes.OPEN, regimes.JUDGED, regimes.EDGED)]
    count += [np.count_nonzero(one) for one in (both, conforms, fails, left, rounded)]
    return [*count, -float((most - least)[known & (most < FAR)].sum())]


class Formulas:
    """Check the bounds of all formulas of the relaxed tables in kernel arithmetic; the host's bounds are found once."""

    def __init__(self):
        from tests.audit.device_judge import test_elementwise_formulas

        self._tests = test_elementwise_formulas
        with np.errstate(all="ignore"):
            self._known = [test_elementwise_formulas.known(*key) for key in test_elementwise_formulas.formulas()]

    @np.errstate(all="ignore")
    def check(self):
        """Fail if a bound is wrong, or if less is known than before."""
        for one in self._known:
            self._tests.check(*one)
        self._tests.test_formulas_without_a_known_bound()
        assert (np.sum([self._tests.reported(*one) for one in self._known], axis=0) >= self._tests.TOLD).all()
