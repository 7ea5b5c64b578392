"""Plants faults in both laws of judging, one at a time, and says who notices each: the rows here, or which test.

``python -m tests.audit.law_faults --draw 300 --seed 7`` plants 300 of them, drawn from all modules of both laws, and
lists what stays unnoticed: README.md of the tests says more. What a fault is, stands in ``mutants.py``.
"""

from __future__ import annotations

import functools
import signal

import numpy as np

from clmath import ladder
from clmath.audit.counting.spread import BINS
from clmath.audit.device_judge.flushed import flushed_results
from clmath.audit.device_judge.question import Question
from clmath.audit.judge.screen import screened
from clmath.audit.lanes.lane_measure import measured_integer
from clmath.audit.law import batch as batches
from clmath.audit.law import conformity
from clmath.audit.law.batch import Batch, Call
from clmath.audit.law.deviation import steps
from clmath.audit.law.findings import findings
from clmath.audit.law.prescribed import judged_by_edges
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.audit.both_laws import CASES, FULL, RELAXED, by_exact_values, device_says, in_lanes, without
from tests.audit.device_judge import test_lane_formulas
from tests.audit.mutants import run
from tests.audit.spoiled import spoiled

IN_LANES = (
    *("lane_errors", "lane_flushing", "lane_formulas", "lane_limits", "lane_measure", "lane_missing", "lane_screen"),
)
BY_EXACT_VALUES = (
    *("batch", "conformity", "deviation", "findings", "flushing", "law", "measure", "prescribed", "verdict"),
)
MODULES = (
    *(f"clmath.audit.lanes.{name}" for name in IN_LANES),
    *(f"clmath.audit.law.{name}" for name in BY_EXACT_VALUES),
)
TESTS_OF_LANES = (
    "tests/audit/test_lane_rules.py",
    "tests/audit/test_lane_errors.py",
    "tests/audit/test_lane_screen.py",
    "tests/audit/device_judge/test_lane_formulas.py",
    "tests/audit/test_both_laws.py",
    "tests/audit/device_judge/test_lane_measure.py",
    "tests/audit/test_audit_screen.py",
    "tests/audit/test_audit_compiled.py",
    "tests/audit/test_audit_regimes.py",
    "tests/audit/test_audit_ranges.py",
)
TESTS_OF_LAW = (
    "tests/audit/test_rules_by_exact_values.py",
    "tests/audit/test_both_laws.py",
    "tests/audit/test_audit_correct.py",
    "tests/audit/test_audit_reasons.py",
    "tests/audit/test_audit_spread.py",
    "tests/audit/test_audit_editions.py",
    "tests/regressions/test_modes_in_force.py",
    "tests/regressions/test_letter_of_the_text.py",
    "tests/regressions/test_signaling_where_an_edge_judges.py",
    "tests/regressions/test_far_and_signalling.py",
    "tests/regressions/test_verdicts_are_earned.py",
    "tests/audit/test_audit_vectors.py",
    "tests/audit/test_audit_single_calls.py",
    "tests/audit/test_audit_certain.py",
    "tests/audit/test_audit_tally.py",
    "tests/audit/test_audit_run.py",
)
FLUSHING, DIRECTED = without(FULL, flushes=True), without(FULL, mode="rtz")
FINITE = without(FULL, options=("-cl-finite-math-only",))
ROWS = (
    ("exp", FLOAT, FULL), ("exp", DOUBLE, FULL), ("pow", FLOAT, FULL), ("atan2", DOUBLE, FULL), ("tanpi", FLOAT, FULL),
    ("tgamma", HALF, FULL), ("hypot", FLOAT, DIRECTED), ("pow", FLOAT, RELAXED), ("ilogb", FLOAT, FULL),
    ("exp2", FLOAT, FLUSHING), ("fma", DOUBLE, FULL), ("lgamma_r", FLOAT, FULL), ("sub", HALF, FULL),
    ("lgamma", DOUBLE, FULL), ("half_sin", FLOAT, FULL), ("native_log", FLOAT, FULL), ("atan2", FLOAT, RELAXED),
    ("powr", FLOAT, FULL), ("sinpi", FLOAT, RELAXED), ("degrees", FLOAT, DIRECTED), ("degrees", DOUBLE, DIRECTED),
    ("exp", DOUBLE, DIRECTED), ("tgamma", DOUBLE, FULL), ("mad", HALF, FULL), ("mad", DOUBLE, FULL),
    ("rootn", HALF, FULL), ("remquo", FLOAT, FULL), ("remquo", DOUBLE, FULL), ("frexp", FLOAT, FULL),
    ("lgamma_r", FLOAT, FINITE), ("frexp", DOUBLE, FINITE), ("exp", FLOAT, FINITE), ("ilogb", FLOAT, FINITE),
    ("mul", HALF, FLUSHING), ("acosh", FLOAT, RELAXED), ("half_exp2", FLOAT, FULL),
    ("div", FLOAT, FULL), ("pown", FLOAT, FULL),
)  # fmt: skip
NAMES = sorted({case.name for case in CASES} | {name for name, *_ in ROWS})
# of each row: how many results conform and are left to the other law, at most; how many a device tells to be plain,
# flushed, refused by the limit and missing it, at least: that what it tells is true is tried by exact values
TOLD = (
    (0, 215, 0, 76, 31), (3, 210, 0, 0, 40), (4, 215, 0, 64, 18), (3, 225, 0, 0, 32), (1, 216, 0, 81, 0),
    (0, 215, 0, 82, 29), (0, 220, 0, 70, 32), (5, 266, 0, 18, 5), (1,), (2, 214, 0, 72, 35), (0, 181, 0, 0, 52),
    (13,), (0, 176, 0, 124, 62), (26, 259, 0, 0, 0), (3, 260, 0, 38, 7), (15, 286, 0, 0, 0), (12, 255, 0, 26, 6),
    (1, 227, 0, 59, 16), (0, 284, 0, 17, 2), (3, 206, 0, 0, 0), (33, 164, 0, 0, 0), (21, 188, 0, 0, 45),
    (0, 225, 0, 0, 31), (31, 270, 0, 0, 0), (0, 171, 0, 0, 0), (1, 227, 0, 62, 24), (0,), (0,), (0,), (13,), (0,),
    (0, 227, 0, 67, 31), (1,), (0, 169, 0, 129, 58), (0, 261, 0, 35, 5), (0, 253, 0, 46, 6), (1, 208, 0, 75, 51),
    (10, 194, 0, 79, 22),
)  # fmt: skip
WIDE = 0.3  # the share of results, at most, whose error is not known to a hundredth of an ulp or of itself
FAR = 1e6  # ulp: of errors beyond, bounds are as wide as they like
SECONDS = 20  # of processor time that a look may take: on a busy machine it takes longer by the clock


class Look:
    """What the two laws say of all cases, and of rows with results of every kind; exact values are found once."""

    def __init__(self):
        self._truths, self._find = {}, batches.truths
        self._spoiled = functools.cache(spoiled)

    def truths(self, item, values, *rest):
        """Those of a batch, remembered."""
        key = (item, *(v.tobytes() for v in values), rest[0])
        if key not in self._truths:
            self._truths[key] = self._find(item, values, *rest)
        return self._truths[key]

    def notices(self, name=""):
        """Whether anything is wrong, or anything about the built-in that is called so."""
        flushed_results.cache_clear()
        batches.truths = self.truths
        signal.setitimer(signal.ITIMER_PROF, SECONDS)
        try:
            if any(self._is_off(case) for case in CASES if name in {"", case.name}):
                return True
            told_before = dict(zip(ROWS, TOLD, strict=True))
            rows = [(self._spoiled(*row), told_before[row]) for row in ROWS if name in {"", row[0]}]
            if any(differs(*row) or differs_on_a_device(*row) or differs_in_ints(*row) for row, _ in rows):
                return True
            return any(tells_less(told(*row), before) for row, before in rows)
        except Exception:  # noqa: BLE001 - whatever a fault makes of a law
            return True
        finally:
            signal.setitimer(signal.ITIMER_PROF, 0)
            batches.truths = self._find

    def _is_off(self, case):
        return by_exact_values(case) != case.said or in_lanes(case) != case.by_lanes


@np.errstate(all="ignore")
def left_open(item, law, values, results):
    """The calls that conform, and that lanes do not tell to."""
    batch, found = Batch.of(item, values, results, law), screened(Call.on(item, values, results, law))
    fails = np.any([codes != 0 for codes in conformity.codes_of(batch)], axis=0)
    return np.setdiff1d(np.flatnonzero(~fails), found.lanes[~found.doubtful])


@np.errstate(all="ignore")
def differs(item, law, values, results):
    """Whether lanes pass what fails, or are wrong about errors or about what is left open."""
    batch, found = Batch.of(item, values, results, law), screened(Call.on(item, values, results, law))
    said = findings(batch, np.arange(len(values[0])))
    fails, free = said.codes.any(axis=-1), said._free().all(axis=-1)
    told = found.lanes[~found.doubtful]
    errors = np.zeros(len(fails)) - 1.0
    for k, truth in enumerate(batch.truth):
        if batch.is_real(k):
            errors = np.where(batch.is_counted(k), np.fmax(errors, np.abs(truth.errors(results[k]))), errors)
        else:
            errors = np.where(batch.is_counted(k), np.fmax(errors, 0.0), errors)
    least, most = found.least[~found.doubtful], found.most[~found.doubtful]
    counts, errors = errors[told] >= 0.0, errors[told]
    low, high, known = least[counts], most[counts] * (1.0 + 2.0**-30), errors[counts]
    return bool(
        fails[told].any()
        or (found.unjudged[0][~found.doubtful] != free[told]).any()
        or ((most >= 0.0) != counts).any()
        or (low > known * (1.0 + 2.0**-30)).any()
        or (high < known).any()
        or (high - low > 0.01 * np.maximum(known, 1.0)).mean() > WIDE
    )


@np.errstate(all="ignore")
def differs_on_a_device(item, law, values, results):
    """The same of what a device is told of a row with one result: errors in bins, what is open, missed or excused."""
    call = Call.on(item, values, results, law)
    (first, *others) = ladder.enclose(call.name, call.args, item.form)
    if others or not isinstance(first, ladder.Bounds):
        return False
    batch = Batch.of(item, values, results, law)
    (truth,) = batch.truth
    sure, plain, (counts, far, least, most, is_open, *_, flushed, fails, missed) = device_says(call, first)
    found = findings(batch, np.arange(len(plain)))
    codes = found.codes[:, 0] != 0
    told, errors = (plain | missed) & sure & ~flushed, np.abs(truth.errors(results[0]))
    looked = told & batch.is_counted(0)
    ends = [0, *(1 << k for k in range(len(BINS) - 3))]
    upper = errors.view(np.int64) >> 32
    silent = told & ~batch.is_counted(0)
    wide = most.view(np.float64) - (least << 32).view(np.float64) > 0.01 * np.maximum(errors, 1.0)
    return bool(
        (codes != missed)[told].any()
        or (counts != batch.is_counted(0))[told].any()
        or (is_open != found._free()[:, 0])[told].any()
        or (least > upper)[looked].any()
        or (most.view(np.float64) * (1.0 + 2.0**-30) < errors)[looked].any()
        or (far != np.searchsorted(ends, steps(results[0], truth.rounded, item.form)))[looked].any()
        or (fails & ~codes & sure).any()
        or (flushed & ~found.flushed & sure).any()
        or (far | least | most)[silent].any()
        or (wide[looked & (errors < FAR)].sum() > WIDE * looked.sum())
    )


def tells_less(now, before):
    """Whether more is left open, or less is told, than ``before``."""
    return now[0] > before[0] or any(one < other for one, other in zip(now[1:], before[1:], strict=True))


@np.errstate(all="ignore")
def told(item, law, values, results):
    """How many results conform and are left open; a device has for plain, flushed, refused, and missed."""
    call, left = Call.on(item, values, results, law), len(left_open(item, law, values, results))
    (first, *others) = ladder.enclose(call.name, call.args, item.form)
    if others or not isinstance(first, ladder.Bounds):
        return (left,)
    sure, plain, (*_, flushed, fails, missed) = device_says(call, first)
    return (left, *(int(np.count_nonzero(one & sure)) for one in (plain, flushed, fails, missed)))


@np.errstate(all="ignore")
def differs_in_ints(item, law, values, results):
    """Whether lanes are wrong about an int: whether it conforms, counts, is open, or surely fails."""
    call, batch = Call.on(item, values, results, law), Batch.of(item, values, results, law)
    numbers = [t.rounded for k, t in enumerate(batch.truth) if batch.is_real(k)]
    infinite = np.any([~np.isfinite(one) for one in (np.zeros(len(values[0])), *numbers)], axis=0)
    codes, edged = conformity.codes_of(batch), judged_by_edges(batch)
    free = findings(batch, np.arange(len(infinite)))._free()
    terms, args = Question(item, law).terms, [a.astype(np.float64) for a in call.args]
    for k, truth in enumerate(batch.truth):
        if not batch.is_real(k):
            given = (*args, infinite, truth.exact.astype(np.int64), results[k].astype(np.int64), terms)
            conforms, counts, is_open, *_, flushed, fails = np.broadcast_arrays(*measured_integer(*given))
            wrong, is_told = codes[k] != 0, ~edged[k] & np.all([np.isfinite(a) for a in args], axis=0)
            if (
                (conforms & wrong).any()
                or flushed.any()
                or (counts != batch.is_counted(k)).any()
                or (is_open != free[:, k])[conforms].any()
                or (fails & ~wrong & ~edged[k]).any()
                or ((conforms | fails) != is_told)[is_told].any()
            ):
                return True
    return False


class Formulas:
    """Bounds of all formulas of the relaxed tables; those of the host are found once."""

    def __init__(self):
        with np.errstate(all="ignore"):
            self._known = [test_lane_formulas.known(*key) for key in test_lane_formulas.formulas()]

    @np.errstate(all="ignore")
    def notices(self):
        """Whether any of them is wrong."""
        try:
            found = []
            for one in self._known:
                test_lane_formulas.check(*one)
                found.append(test_lane_formulas.told(*one))
            assert all(np.sum(found, axis=0) >= test_lane_formulas.TOLD)
            test_lane_formulas.test_what_is_not_known()
        except Exception:  # noqa: BLE001 - whatever a fault makes of a law
            return True
        return False


def looks_at(module):
    """What is asked about a module, by name."""
    return ("formulas", "cases and rows") if module.endswith("formulas") else ("cases and rows",)


def tests_of(module):
    """The tests that know a module, quick ones first."""
    return TESTS_OF_LANES if ".lanes." in module else TESTS_OF_LAW


def main():
    """Plant what the command line asks for."""
    signal.signal(signal.SIGPROF, lambda *_: (_ for _ in ()).throw(TimeoutError()))
    run(MODULES, {"formulas": Formulas().notices, "cases and rows": Look().notices}, looks_at, tests_of)


if __name__ == "__main__":
    main()
