"""Cases of every acceptance rule, with the outcome of each by exact values, by enclosures and on a device."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.acceptance.batch import Batch, Call, is_close, rounded_result
from clmath.audit.acceptance.batch import codes_of as encodings
from clmath.audit.acceptance.criteria import Criteria
from clmath.audit.acceptance.findings import judged
from clmath.audit.acceptance.sets import signals
from clmath.audit.device_judge.measuring import accepted, facts, verdict
from clmath.audit.device_judge.question import Question
from clmath.audit.judge.screen import parts_of, screened
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.phases import Bounds, enclose
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from clmath.numbers.formats import Format

FULL = Criteria("full", "rte", flushes=False)
FLUSHING = Criteria("full", "rte", flushes=True)
RELAXED = Criteria("relaxed", "rte", flushes=False, options=("-cl-fast-relaxed-math",))
EMBEDDED = Criteria("embedded", "rte", flushes=False)
INF, NAN = np.inf, np.nan
QUIET, SIGNALING = 0x7FC00000, 0x7F800001
LEAST, LARGEST = 2.0**-149, float(FLOAT.largest)  # in float

# conforms; fails; is unspecified; is a flushed subnormal; is a zero of the other sign; is undecided
RIGHT, WRONG, OPEN, FLUSHED, UNSIGNED, UNDECIDED = WORDS = "RWOFU?"


@dataclass(frozen=True)
class Case:
    """Calls of a built-in, arguments and results, and the outcome ``said`` of each: a letter of ``WORDS``.

    ``other``: the outcomes on a device, if they differ: "?" for a call that it leaves to the host. A NumPy integer
    among the numbers is an encoding.
    """

    rules: tuple[str, ...]
    name: str
    form: Format
    criteria: Criteria
    calls: tuple[tuple, ...]
    said: str
    other: str = ""

    @property
    def on_device(self):
        return self.other or self.said

    @property
    def item(self):
        return Item(builtin(self.name), self.form)

    @property
    def columns(self):
        return tuple(self._column(k, kind) for k, kind in enumerate(self.item.columns))

    def _column(self, k, kind):
        return np.array(
            [_decoded(c[0][k], self.form) for c in self.calls], np.int32 if kind == "intn" else self.form.dtype
        )

    @property
    def results(self):
        kinds = [np.int32 if p.type == "intn" else self.form.dtype for p in self.item.builtin.outputs]
        return tuple(
            np.array([c[1][k] if kind is np.int32 else _decoded(c[1][k], self.form) for c in self.calls], kind)
            for k, kind in enumerate(kinds)
        )


def _decoded(value, form):
    """Return a number, or the number that a NumPy integer encodes."""
    return form.from_bits(np.array([value], form.bits_dtype))[0] if isinstance(value, np.unsignedinteger) else value


def ulps_from(value, steps, form=FLOAT):
    """Return the number that is ``steps`` numbers farther from zero than the number nearest to ``value``."""
    code = int(form.bits(np.array([value], form.dtype))[0]) + steps
    return float(form.from_bits(np.array([code], form.bits_dtype))[0])


def nan(code):
    """Return the NaN of float with this encoding."""
    return np.uint32(code)


def by_exact_values(case):
    """Return the outcomes of calls, judged by exact values."""
    batch = Batch.of(case.item, case.columns, case.results, case.criteria)
    found = judged(batch)
    free, fails = found.unspecified.all(axis=-1), found.numbers.any(axis=-1)
    said = np.where(fails, WRONG, np.where(free, OPEN, RIGHT)).astype(object)
    said[found.flushed], said[found.unsigned] = FLUSHED, UNSIGNED
    return "".join(said)


@np.errstate(all="ignore")
def by_enclosures(case):
    """Return the outcomes of calls, judged by enclosures on the host."""
    found = screened(Batch.by_kernels(Call.on(case.item, case.columns, case.results, case.criteria)))
    said = np.full(len(case.calls), UNDECIDED, object)
    passing = np.where(found.unjudged[0], OPEN, RIGHT)
    said[found.chosen] = np.where(found.is_known, np.where(found.refused, WRONG, passing), UNDECIDED)
    return "".join(said)


@np.errstate(all="ignore")
def on_device(case):
    """Return the outcomes of calls of one result, judged on a device."""
    call = Call.on(case.item, case.columns, case.results, case.criteria)
    said, enclosed = np.full(len(case.calls), UNDECIDED, object), enclose(case.name, call.args, case.form)
    if len(call.results) == 1 and isinstance(enclosed[0], Bounds):  # a device combines the outcomes of several results
        sure, plain, (_, _, _, _, is_unspecified, *_, flushed, _, missed) = device_says(call, enclosed[0])
        said[plain & sure & ~flushed] = RIGHT
        said[plain & sure & ~flushed & is_unspecified] = OPEN
        said[missed & ~plain & sure] = WRONG
        said[flushed & sure] = FLUSHED
    return "".join(said)


def asked_of_device(call, bounds):
    """Return where the rounded result is known, and the arguments of a device's program for each call."""
    form, results = call.form, call.results[0]
    brought = np.any([signals(encodings(v, form), form) for v in call.values if v.dtype == form.dtype], axis=0)
    terms = Question(call.item, call.criteria).terms._replace(off=bounds.off)
    rounded = encodings(rounded_result(bounds, results, form, call.criteria.mode), form)
    args = [a.astype(np.float64) for a in call.args]
    sure = ~is_close(bounds.value, form) & ((call.criteria.mode != "rtn") | (bounds.value.hi != 0.0))
    return sure, (*args, *parts_of(bounds, form)[0], rounded, encodings(results, form), brought, terms, 0)


def device_says(call, bounds):
    """Return where the rounded result is known, whether the result is plain, and the other values of ``reported``."""
    sure, given = asked_of_device(call, bounds)
    plain, *rest = reported(sure, *given)
    return sure, plain, rest


def reported(sure, *given):
    """Return all facts about results that a device's program finds (``templates/measure.c``).

    (whether a result is plain; whether it counts; the bin of its distance; bounds on its error; by edition, whether it
    is unspecified; whether it is flushed, refused, missed). ``sure``: where the correctly rounded result is known.
    """
    is_due, known, counts, *measures = facts(*given)
    plain, flushed, fails, missed = verdict(*given)
    is_accepted = accepted(*given)
    assert not (is_due & known & ~is_accepted & sure).any(), "the correctly rounded result is not acceptable"
    assert (plain == (is_accepted & known) | flushed).all()
    return np.broadcast_arrays(plain, counts & ~flushed, *measures, flushed, fails, missed)


def without(criteria, **changed):
    """Return ``criteria`` with the fields ``changed``."""
    return replace(criteria, **changed)


def _moved(x, due, steps):
    """Return calls at ``x`` whose results are ``steps`` numbers away from ``due``."""
    return tuple(((x,), (ulps_from(due, step),)) for step in steps)


E_FLOAT = 2.7182817459106445
PI_FLOAT = 3.1415927410125732
# fmt: off
CASES = (
    Case(("limit Ulps",), "exp", FLOAT, FULL, _moved(1.0, E_FLOAT, (0, 2, -2, 5, -5)), "RRRWW"),
    Case(("limit Ulps",), "exp", DOUBLE, FULL, (
        ((1.0,), (ulps_from(np.e, 2, DOUBLE),)), ((1.0,), (ulps_from(np.e, 4, DOUBLE),)),
        ((1.0,), (INF,))), "RWW", "RW?"),
    Case(("limit Ulps growing",), "exp", FLOAT, RELAXED, (
        *_moved(4.25, 70.10540771484375, (0, 9, -9, 14, -14)),
        ((4.25,), (INF,))), "RRRWWW", "RRRWW?"),
    Case(("limit CorrectlyRounded",), "add", FLOAT, FULL, (
        ((1.0, LEAST), (1.0,)), ((1.0, LEAST), (ulps_from(1.0, 1),)),
        ((1.0, 2.0**-30), (ulps_from(1.0, 1),)), ((1.0, 1.0), (2.0,)), ((1.0, 1.0), (3.0,))), "RWWRW"),
    Case(("limit NoRounding",), "floor", FLOAT, FULL, (((2.5,), (2.0,)), ((2.5,), (3.0,))), "RW"),
    Case(("limit LowerBits",), "remquo", FLOAT, FULL, (
        ((1000.0, 3.0), (1.0, 333)), ((1000.0, 3.0), (1.0, 333 + 128)),
        ((1000.0, 3.0), (1.0, 333 + 64)), ((1000.0, 3.0), (1.0, -333)),
        ((1000.0, 3.0), (2.0, 333))), "RRWWW", "?????"),
    Case(("limit Derived TwoRoundings",), "mad", FLOAT, FULL, (
        ((1.0 + 2.0**-12, 1.0 + 2.0**-12, -1.0), (2.0**-11 + 2.0**-24,)),
        ((1.0 + 2.0**-12, 1.0 + 2.0**-12, -1.0), (2.0**-11,)),
        ((1.0 + 2.0**-12, 1.0 + 2.0**-12, -1.0), (2.0**-11 + 2.0**-23,)),
        ((2.0, 3.0, 4.0), (10.0,)), ((2.0, 3.0, 4.0), (11.0,))), "RRWRW"),
    Case(("limit Absolute",), "sin", FLOAT, RELAXED, (
        ((1.0,), (0.84147098 + 2.0**-12,)), ((1.0,), (0.84147098 - 2.0**-12,)),
        ((1.0,), (0.84147098 + 2.0**-10,)), ((100.0,), (0.5,))), "RRWO"),
    Case(("limit Unlimited",), "native_exp", FLOAT, FULL, (
        ((1.0,), (E_FLOAT,)), ((1.0,), (0.5,)), ((1.0,), (nan(SIGNALING),))), "OOO", "OO?"),
    Case(("limit Unlimited",), "half_cos", FLOAT, FULL, (
        ((2.0**17,), (0.25,)), ((2.0**17,), (nan(SIGNALING),)), ((1.0,), (0.5403,))), "OWR", "O?R"),
    Case(("limit Derived RoundedSteps",), "degrees", FLOAT, FULL, (
        ((1.0,), (57.295780181884766,)), ((1.0,), (ulps_from(57.295780181884766, 1),)),
        ((1.0,), (ulps_from(57.295780181884766, 4),))), "RRW"),
    Case(("limit Derived RelaxedArithmetic",), "acosh", FLOAT, RELAXED, (
        ((3.0,), (1.7627471685409546,)), ((3.0,), (ulps_from(1.7627471685409546, 5),)),
        ((3.0,), (1.9,))), "RRW"),
    Case(("limit Derived RelaxedArithmetic",), "acospi", FLOAT, RELAXED, (
        ((0.25,), (ulps_from(0.41956934, 4000),)), ((0.25,), (0.5,))), "RW"),
    Case(
        ("waiver special values",), "atan2", FLOAT, RELAXED, (((0.0, -1.0), (0.5,)), ((-0.0, -1.0), (PI_FLOAT,))), "OO"
    ),
    Case(("waiver not finite",), "exp", FLOAT, without(FULL, options=("-cl-finite-math-only",)), (
        ((INF,), (1.0,)), ((NAN,), (1.0,)), ((100.0,), (1.0,)), ((1.0,), (1.0,))), "OOOW"),
    Case(("waiver not finite",), "lgamma_r", FLOAT, without(FULL, options=("-cl-finite-math-only",)), (
        ((-1.0,), (9.0, 7)), ((INF,), (9.0, 7)), ((3.5,), (1.2009735107421875, 7)), ((3.5,), (1.2009735107421875, 1))),
        "OOWR", "????"),
    Case(("waiver signs of zero",), "tanpi", FLOAT, without(FULL, options=("-cl-no-signed-zeros",)), (
        ((1.0,), (-0.0,)), ((1.0,), (0.0,)), ((-1.0,), (0.0,)), ((1.0,), (LEAST,))), "RRRW", "RRR?"),
    Case(("waiver signs of zero",), "atan2", FLOAT, without(FULL, options=("-cl-no-signed-zeros",)), (
        ((0.0, -1.0), (-PI_FLOAT,)), ((0.0, -1.0), (PI_FLOAT,)), ((0.0, -1.0), (1.0,))), "URW", "?R?"),
    Case(("waiver negative zeros",), "add", FLOAT, without(EMBEDDED, mode="rtz"), (
        ((-0.0, -0.0), (0.0,)), ((-0.0, -0.0), (-0.0,)), ((1.0, -1.0), (-0.0,))), "RRW", "RR?"),
    Case(("waiver overflow", "waiver not finite"), "mul", FLOAT, without(EMBEDDED, mode="rtz", infinities=False), (
        ((2.0**100, 2.0**100), (1.0,)), ((2.0**127, 1.0), (2.0**127,)), ((INF, 2.0), (1.0,)),
        ((2.0, 3.0), (7.0,))), "OROW"),
    Case(("waiver overflow",), "mul", FLOAT, without(EMBEDDED, mode="rte", default="rtz", infinities=False), (
        ((LARGEST, 1.0), (LARGEST,)), ((LARGEST, 1.0), (1.0,)), ((2.0**100, 2.0**100), (1.0,))), "RWO"),
    Case(("waiver subnormals",), "mul", FLOAT, without(FULL, options=("-cl-denorms-are-zero",)), (
        ((2.0**-100, 2.0**-40), (0.0,)), ((2.0**-100, 2.0**-40), (2.0**-140,)),
        ((2.0**-100, 2.0**-40), (1.0,))), "FRW"),
    Case(("excuse a flushed result", "excuse a flushed operand"), "exp2", FLOAT, FLUSHING, (
        ((-140.0,), (0.0,)), ((-140.0,), (2.0**-140,)), ((-140.0,), (2.0**-130,)),
        ((2.0**-140,), (1.0,)), ((-20.0,), (0.0,))), "FRWRW"),
    Case(("excuse a flushed result",), "lgamma", FLOAT, FLUSHING, (
        ((0.0,), (0.0,)), ((-24.0,), (-0.0,)), ((-24.0,), (INF,)), ((2.5,), (0.0,))), "WWRO", "??RO"),
    Case(("excuse a flushed result",), "hypot", FLOAT, FLUSHING, (
        ((2.0**-126, 0.0), (0.0,)), ((2.0**-126, LEAST), (0.0,)), ((LEAST, 0.0), (0.0,))), "WFF", "?FF"),
    Case(("excuse a flushed result",), "degrees", FLOAT, FLUSHING, (
        ((2.0**-133,), (0.0,)), ((2.0**-133,), (5e-41,)), ((2.0**-133,), (57.29578 * 2.0**-133,))), "FWR", "F?R"),
    Case(("excuse a flushed operand",), "log", FLOAT, FLUSHING, (
        ((2.0**-140,), (-INF,)), ((2.0**-140,), (-97.04060363769531,)), ((2.0,), (-INF,))), "FRW", "?R?"),
    Case(("excuse a flushed result",), "exp2", FLOAT, FULL, (((-140.0,), (0.0,)),), "W", "?"),
    Case(("excuse a flushed result",), "exp2", DOUBLE, FLUSHING, (((-1060.0,), (0.0,)),), "W", "?"),
    Case(("excuse may_flush",), "half_exp2", FLOAT, FULL, (((-126.5,), (0.0,)), ((-20.0,), (0.0,))), "FW"),
    Case(("excuse multiply_then_add",), "mad", FLOAT, FLUSHING, (
        ((2.0**-100, 2.0**-40, 2.0**-126), (2.0**-126,)), ((2.0**-100, 2.0**-40, 1.0), (0.0,))), "FW"),
    Case(("excuse multiply_then_add",), "mad", DOUBLE, without(FULL, options=("-cl-denorms-are-zero",)), (
        (((1.0 - 2.0**-53) * 2.0**-511, 2.0**-511, 2.0**-1022), (2.0**-1022,)),
        ((2.0**-511, 2.0**-511, 2.0**-1022), (2.0**-1022,))), "FW", "??"),
    Case(("excuse flushing special values",), "nextafter", FLOAT, FLUSHING, (
        ((0.0, 1.0), (2.0**-126,)), ((0.0, 1.0), (LEAST,)), ((0.0, 1.0), (1.0,))), "FRW"),
    Case(("excuse a signaling argument",), "exp", FLOAT, FULL, (
        ((nan(SIGNALING),), (nan(SIGNALING),)), ((nan(QUIET),), (nan(SIGNALING),)),
        ((nan(QUIET),), (nan(QUIET),)), ((nan(SIGNALING),), (nan(QUIET),))), "RWRR", "R?RR"),
    Case(("excuse a signaling argument",), "fmin", FLOAT, FULL, (
        ((nan(SIGNALING), 1.0), (nan(QUIET),)), ((nan(QUIET), 1.0), (nan(QUIET),)),
        ((nan(QUIET), 1.0), (1.0,))), "OWR", "O?R"),
    Case(("zero_sign",), "add", FLOAT, FULL, (
        ((1.0, -1.0), (0.0,)), ((1.0, -1.0), (-0.0,)), ((-0.0, -0.0), (-0.0,))), "RWR", "R?R"),
    Case(("zero_sign",), "rsqrt", FLOAT, FULL, (((INF,), (0.0,)), ((INF,), (1.0,))), "RW", "R?"),
    Case(("kinds",), "exp", FLOAT, FULL, (
        ((1.0,), (NAN,)), ((NAN,), (1.0,)), ((1.0,), (INF,)), ((100.0,), (1.0,)),
        ((100.0,), (INF,)), ((88.72283,), (INF,))), "WWWWRW", "????R?"),
    Case(("excuse a flushed result",), "exp2", FLOAT, FLUSHING, (((-126.0,), (0.0,)), ((-125.0,), (0.0,))), "FW"),
    Case(("excuse multiply_then_add",), "mad", FLOAT, FLUSHING, (((2.0, 3.0, 4.0), (4.0,)),), "W"),
    Case(("excuse a flushed operand",), "add", FLOAT, FLUSHING, (
        ((1.0, 2.0**-140), (0.0,)), ((2.0**-127, 2.0**-127), (2.0**-127,)), ((2.0**-127, 2.0**-127), (2.0**-126,))),
        "WFR", "??R"),
    Case(("zero_sign",), "rsqrt", FLOAT, FULL, (((INF,), (-0.0,)),), "R"),
    Case(("zero_sign",), "mul", FLOAT, FULL, (
        ((2.0**-100, -2.0**-100), (-0.0,)), ((2.0**-100, -2.0**-100), (0.0,)),
        ((0.0, -1.0), (-0.0,)), ((0.0, -1.0), (0.0,))),
        "RWRW", "R?R?"),
    Case(("waiver signs of zero",), "mul", FLOAT, without(FULL, options=("-cl-no-signed-zeros",)), (
        ((2.0**-100, -2.0**-100), (0.0,)), ((0.0, -1.0), (0.0,)), ((0.0, -1.0), (LEAST,))), "RRW", "RR?"),
    Case(("waiver negative zeros",), "mul", FLOAT, without(EMBEDDED, mode="rtz"), (
        ((2.0**-100, -2.0**-100), (0.0,)), ((2.0**-100, 2.0**-100), (-0.0,)),
        ((0.0, -1.0), (0.0,)), ((0.0, 1.0), (-0.0,))),
        "RWRW", "R?R?"),
    Case(("waiver negative zeros",), "div", FLOAT, without(EMBEDDED, mode="rtz"), (((0.0, -1.0), (0.0,)),), "W", "?"),
    Case(("kinds",), "add", FLOAT, FULL, (((INF, -INF), (5.0,)), ((INF, -INF), (nan(QUIET),))), "WR", "?R"),
    Case(("excuse a flushed result",), "mul", FLOAT, FLUSHING, (
        ((2.0**-63, 2.0**-63), (0.0,)), ((2.0**-64, 2.0**-63), (0.0,)), ((-(2.0**-64), 2.0**-63), (0.0,)),
        ((1.0 - 2.0**-24, 2.0**-126), (0.0,))), "WFFF"),
    Case(("excuse multiply_then_add",), "mad", FLOAT, FLUSHING, (
        ((2.0**-63, 2.0**-63, 2.0**-126), (2.0**-126,)),), "W"),
    Case(("zero_sign",), "add", FLOAT, FLUSHING, (((1.0, -1.0), (-0.0,)),), "W", "?"),
    Case(("edge one",), "exp", FLOAT, FULL, (((0.0,), (1.0,)), ((0.0,), (ulps_from(1.0, 1),))), "RW", "R?"),
    Case(("edge alternatives",), "ilogb", FLOAT, FULL, (
        ((0.0,), (-(2**31),)), ((0.0,), (-(2**31) + 1,)), ((0.0,), (5,)), ((8.0,), (3,)),
        ((8.0,), (4,))), "RRWRW", "?????"),
)
# fmt: on
