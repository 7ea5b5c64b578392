"""Enclosures decide most calls: the tally must be the one that the reference alone gives, whatever is returned."""
# ruff: noqa: ARG002 - the signatures are the protocol's

from __future__ import annotations

import tracemalloc
from collections import deque
from dataclasses import replace

import numpy as np
import pytest

import clmath
from clmath import kernels, ladder, reference
from clmath.audit.inputs import layout, row_inputs
from clmath.audit.inputs.drawn import random_columns
from clmath.audit.isolation.choosing import subject
from clmath.audit.judge import bounds, screen
from clmath.audit.judge.piece import judge
from clmath.audit.law.batch import Call
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS
from clmath.numbers.rounding import Enclosure, ulps
from clmath.spec.builtins import builtin, builtins
from tests.cases import for_each, some

ROWS = [
    Item(row, form)
    for form in FORMATS
    for row in builtins().values()
    if form in row.formats and ladder.is_enclosed(row.name, form)
]
LAWS = [
    Law("full", "rte", flushes=False),
    Law("embedded", "rtz", flushes=True),
    Law("relaxed", "rtz", flushes=True),
    Law("relaxed", "rte", flushes=False, options=("-cl-fast-relaxed-math",)),
]
SIN = Item(builtin("sin"), FLOAT)
KERNELS = [kernel for rung in kernels.RUNGS.values() for kernel in rung.single]
NAMES = [f"{kernel.name} {kernel.rung}" for kernel in KERNELS]


def test_all_but_mix_smoothstep_and_vectors_are_enclosed():
    for form in FORMATS:
        rows = [row.name for row in builtins().values() if not row.widths and form in row.formats]
        open_rows = {name for name in rows if not ladder.is_enclosed(name, form)}
        assert open_rows == {"mix", "smoothstep"}


def spoiled(rng, item, results):
    """Results with all that can go wrong with them: places off, zeros, infinities, NaN, signs, neighbours' results."""
    found = []
    for result in results:
        if result.dtype.kind == "i":
            found.append(np.where(rng.random(len(result)) < 0.1, -result, result).astype(np.int32))
            continue
        form, kind = item.form, rng.integers(0, 32, len(result))
        signed = form.bits(result).astype(np.int64) + np.array([1, -1, 2, -3, 17, -9000])[kind % 6]
        off = form.from_bits(signed.view(np.uint64).astype(form.bits_dtype))
        strange = [np.inf, -np.inf, np.nan, 0.0, -0.0, form.largest, form.smallest_subnormal, 1.0]
        other = np.choose(kind % 8, [form.dtype.type(v) for v in strange])
        changed = np.select([kind < 6, kind < 14, kind < 16], [off, other, -result], result)
        found.append(np.where(kind == 16, np.roll(result, 1), changed).astype(form.dtype))
    return tuple(found)


@for_each("item", ROWS)
def test_the_tally_is_that_of_the_reference(item, sample, evaluate):
    """Right results and spoiled ones; with a floor, whatever is below it may go, and nothing else."""
    values = sample(item, 160)
    rng = np.random.default_rng(11)
    for law in some(LAWS, 1):
        right = evaluate(item.builtin, item.form, values, law.mode)
        for results in (right, spoiled(rng, item, right)):
            wanted = judge(item, values, results, replace(law, oracle="mpfr"))
            assert repr(judge(item, values, results, law)) == repr(wanted)  # NaN is not itself
            for floor in (0.3, 1.5):
                found = judge(item, values, results, law, 0, floor)
                keep = wanted.worst is not None and abs(wanted.worst.error) >= floor
                assert repr(replace(found, worst=None)) == repr(replace(wanted, worst=None))
                assert not keep or repr(found.worst) == repr(wanted.worst)


DECIDED = [
    *((name, FLOAT) for name in ("sin", "exp", "log", "cbrt", "pow", "floor", "add", "sqrt", "tgamma")),
    *(
        (name, DOUBLE)
        for name in ("exp", "fmod", "floor", "add", "mul", "div", "sqrt", "fma", "fdim", "fract", "ldexp")
    ),
]


@for_each("name, form", DECIDED)
def test_most_calls_are_decided(name, form, evaluate):
    """Of right results: so that the reference is asked about next to none."""
    item = Item(builtin(name), form)
    values = random_columns(np.random.default_rng(2), item, 8192)
    call = Call.on(item, values, evaluate(item.builtin, form, values, "rte"), Law("full", "rte", flushes=False))
    found = screen.screened(call)
    assert len(found.in_doubt) < 80
    assert len(found.leaders(0.0)) < 1200


@for_each("kernel", KERNELS)
def test_what_kernels_claim_lies_near(kernel, sample):
    """A value with err = 0 is as near to the exact one as its rung says, one that stands for others lies beyond."""
    name, rung = kernel.name, kernels.RUNGS[kernel.rung]
    form = rung.widest
    item = Item(builtin(name), form)
    rng = np.random.default_rng(8)
    loose = tuple(
        form.from_bits(rng.integers(0, 2**form.width, 1500, np.uint64).astype(form.bits_dtype))
        if kind == "gentype"
        else rng.integers(-(2**31), 2**31, 1500).astype(np.int32)
        for kind in item.columns
    )
    values = tuple(np.concatenate(pair) for pair in zip(sample(item, 1500), loose, strict=True))
    (bounds,), (exact,) = ladder.enclose(name, values, form), reference.enclose(name, values, form)
    assert isinstance(bounds, ladder.Bounds)
    assert isinstance(exact, Enclosure)
    value = bounds.value
    np.testing.assert_array_equal(np.isnan(value.hi), np.isnan(exact.hi))
    np.testing.assert_array_equal(np.isinf(value.hi), np.isinf(exact.hi))
    np.testing.assert_array_equal(value.hi == 0, exact.hi == 0)
    np.testing.assert_array_equal(
        np.signbit(value.hi)[value.hi == value.hi], np.signbit(exact.hi)[value.hi == value.hi]
    )
    finite = np.isfinite(value.hi) & (value.hi != 0)
    value, exact = value.lanes(finite), exact.lanes(finite)
    binade, due = (np.frexp(v.hi)[1] - 1 + v.exponent for v in (value, exact))
    place = np.frexp(ulps(exact, form))[1] - 1
    with np.errstate(all="ignore"):
        mine, true = ([np.ldexp(part, v.exponent - place) for part in (v.hi, v.lo)] for v in (value, exact))
        off = np.abs((mine[0] - true[0]) + (mine[1] - true[1]))
        err = np.ldexp(value.err, value.exponent - place)
    claims, ordinary = (value.err == 0) | (binade < form.quantum - 6), binade < form.emax + 2
    assert off[claims & ordinary].max(initial=0) <= rung.off
    assert (off[~claims & ordinary] <= err[~claims & ordinary]).all()
    assert (due[~ordinary] > form.emax).all()


def test_parts_of_all_floats_are_all_floats_once():
    for number in (0, 1, 4095):
        codes = np.asarray(row_inputs.places(SIN, swept("sin", f"{number + 1}/4096"), 0))
        assert len(codes) == 1 << 20
        assert ((codes >> 8) & 4095 == number).all()  # the middle bits name the part, the others take every value
        assert (np.diff(codes.astype(np.int64)) > 0).all()
        exponents, counts = np.unique(codes >> 23, return_counts=True)
        assert len(exponents) == 512
        assert (counts == 2048).all()
    plan = swept("sin", "3/1000")
    (item,) = plan.items()
    assert row_inputs.chunks(item, plan) == 5
    assert [int(row_inputs.columns(item, plan, i)[0].view(np.uint32)[0]) >> 8 for i in range(5)] == [
        2,
        1002,
        2002,
        3002,
        4002,
    ]


@pytest.mark.parametrize("name", ["exp", "mul"])
def test_doubles_are_drawn_in_parts(name):
    """So that any number of them takes as much memory as few do."""

    def peak(count):
        plan = Plan.of([name], ["double"], inputs=count, jobs=1)
        tracemalloc.start()
        (verdict,) = audit(plan, subject("numpy"))
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        assert verdict.tally.tried > count
        return found

    peak(8192)  # tables that are kept
    assert peak(1 << 19) < 1.1 * peak(1 << 18)  # from there on inputs have numbers


def swept(name, part):
    return Plan.of([name], ["float"], inputs="exhaustive", part=part, jobs=1)


class Floor:
    """NumPy's floor, wrong for one float in 2^17."""

    name = "floor"

    def describe(self):
        return {"name": self.name}

    def formats(self):
        return (FLOAT,)

    def defines(self, row, form):
        return row.name == "floor"

    def flushes(self, form):
        return False

    def mode(self, form):
        return "rte"

    def build_options(self):
        return ()

    def evaluate(self, row, form, args):
        with np.errstate(all="ignore"):
            result = np.floor(args[0])
        wrong = (form.bits(args[0]) & 0x1FFFF) == 0x123
        return (np.where(wrong & np.isfinite(result), result + 1, result),)


def test_a_sweep_counts_every_failure_and_names_inputs_by_their_encodings():
    (verdict,) = audit(swept("floor", "2/4096"), Floor())
    assert verdict.tally.tried == 1 << 20
    assert verdict.tally.failed == tally_of_floor(1)
    assert [e.index for e in verdict.tally.failures] == [e.args[0] for e in verdict.tally.failures]
    assert verdict.tally.failures[0].index == 0x123
    assert verdict.notes == ("part 2 of 4096 of all floats",)
    (verdict,) = audit(swept("floor", "1/4096"), Floor())
    assert (verdict.status, verdict.tally.failed) == ("pass", 0)


def tally_of_floor(part):
    x = row_inputs.columns(SIN, swept("floor", f"{part + 1}/4096"), 0)[0]
    (result,), due = Floor().evaluate(None, FLOAT, (x,)), x.copy()
    due[np.isfinite(x)] = np.floor(x[np.isfinite(x)])
    return int((~np.isnan(due) & (result != due)).sum())


def test_a_sweep_goes_on_where_it_stopped():
    plan, seen = swept("floor", "2/1024"), []
    (whole,) = audit(plan, Floor(), on_begun=seen.append)
    assert [b.pieces for b in seen] == [1, 2, 3]
    steps = []
    (rest,) = audit(plan, Floor(), begun=seen[1], on_progress=lambda _, piece, pieces: steps.append((piece, pieces)))
    assert rest == whole
    assert steps == [(3, 4), (4, 4)]


def test_a_sweep_takes_as_much_memory_however_long_it_is():
    def peak(part):
        tracemalloc.start()
        deque(audit(swept("floor", part), Floor()), maxlen=0)
        found = tracemalloc.get_traced_memory()[1]
        tracemalloc.stop()
        return found

    short, long = peak("3/2048"), peak("3/512")  # 2 and 8 pieces
    assert long < 1.1 * short


@for_each("part", ["0/4", "5/4", "1/4097", "1", "1/2/3", "a/b", "-1/4"])
def test_parts_that_are_none(part):
    with pytest.raises(ValueError, match="is not K/N"):
        swept("sin", part)


def test_parts_are_of_exhaustive_inputs():
    with pytest.raises(ValueError, match="ask for inputs 'exhaustive'"):
        Plan.of(["sin"], ["float"], part="1/4")


def test_what_cannot_be_swept_takes_quick_inputs():
    plan = Plan.of(["pow", "sin", "nan", "dot"], inputs="exhaustive")
    assert [str(item) for item in plan.items() if row_inputs.is_swept(item, plan)] == ["sin float", "nan float"]
    quick = Plan.of(["pow"], ["float"])
    assert row_inputs.chunks(quick.items()[0], plan) == row_inputs.chunks(quick.items()[0], quick)


@for_each("kernel", KERNELS)
def test_values_that_stand_for_others_are_measured_exactly(kernel, evaluate):
    """Where kernels say only on which side of a number the exact value lies, all errors are nearly alike."""
    form = kernels.RUNGS[kernel.rung].widest
    item = Item(builtin(kernel.name), form)
    rng = np.random.default_rng(21)
    bits = tuple(rng.integers(0, 2**form.width, 40000, np.uint64).astype(form.bits_dtype) for _ in item.columns)
    dtypes = layout.dtypes(item)
    loose = tuple(b.view(np.int32)[-40000:] if t == np.int32 else b.view(t) for b, t in zip(bits, dtypes, strict=True))
    value = ladder.enclose(kernel.name, loose, form)[0].value
    with np.errstate(all="ignore"):
        claims = (
            (value.err == 0) & np.isfinite(value.hi) & ((value.hi.astype(form.dtype) != value.hi) | (value.lo != 0))
        )
    values = tuple(v[claims][:200] for v in loose)
    law = Law("full", "rte", flushes=False)
    right = evaluate(item.builtin, form, values, "rte")
    for step in (0, 1, -1):
        results = (form.from_bits(form.bits(right[0]) + form.bits_dtype.type(step % 2**form.width)),)
        for order in (slice(None), slice(None, None, -1)):
            turned = tuple(v[order].copy() for v in values), tuple(r[order].copy() for r in results)
            assert repr(judge(item, *turned, law)) == repr(judge(item, *turned, replace(law, oracle="mpfr")))


@pytest.mark.parametrize("wrong", [[-np.inf, np.nan, 1.0], [np.nan, -np.inf, 1.0], [np.inf, 3.0, np.nan]])
def test_an_infinite_result_is_as_wrong_as_nan(wrong):
    """An infinity counts as 2^1024, which is more ulp of a small double than there are numbers."""
    item, law = Item(builtin("lgamma"), DOUBLE), Law("full", "rte", flushes=False)
    calls = (np.array([20.0, 30.0, 0.5]),), (np.array(wrong),)
    assert repr(judge(item, *calls, law)) == repr(judge(item, *calls, replace(law, oracle="mpfr")))


EXP = Item(builtin("exp"), DOUBLE)


def few(lanes):
    """Some of the lanes that ``lanes`` picks."""
    chosen = np.flatnonzero(lanes)
    return chosen[:: max(len(chosen) // 7, 1)]


def shifted(by):
    def change(_, right):
        wrong, lanes = right.copy(), few((right > 1e-300) & (right < 1e300))
        wrong[lanes] = DOUBLE.from_bits(DOUBLE.bits(right[lanes]) + np.uint64(by))
        return wrong

    return change


def rounded_twice(values, right):
    """As by a processor that computes in 64 bits and stores 53; subnormals are right."""
    (exact,) = reference.enclose("exp", values, DOUBLE)
    place = 2.0**-11 * np.spacing(np.abs(exact.hi))
    middle = exact.hi + np.where(np.isfinite(exact.hi), np.rint(exact.lo / place) * place, 0.0)
    return np.where(right < DOUBLE.smallest_normal, right, np.ldexp(middle, exact.exponent))


PLANTED = {
    "one place off": (shifted(1), 0, 1.0, 1.5),
    "four places off": (shifted(4), 8, 4.0, 4.5),
    "rounded twice": (rounded_twice, 0, 0.5, 0.5 + 2.0**-11),
    "flushed": (lambda _, y: np.where(y < DOUBLE.smallest_normal, 0.0, y), 1000, 2.0**50, 2.0**52),
    "overflows early": (lambda _, y: np.where(y > DOUBLE.largest / 2, np.inf, y), 500, 1.0, 2.0**53),
}


@pytest.mark.slow
@pytest.mark.parametrize("mistake", PLANTED)
def test_mistakes_in_double_are_found_without_the_reference(mistake, evaluate, monkeypatch):
    """The verdict, the counts and the worst input are the reference's, which sees few calls but those that fail."""
    change, fewest, least, most = PLANTED[mistake]
    rng = np.random.default_rng(5)
    x = np.concatenate(
        [rng.uniform(-746, 710, 40000), rng.uniform(-745.1, -708.4, 4000), rng.uniform(709.1, 709.7, 2000)]
    )
    with np.errstate(all="ignore"):
        results = (change((x,), evaluate(EXP.builtin, DOUBLE, (x,), "rte")[0]),)
    law = Law("full", "rte", flushes=False)
    wanted = judge(EXP, (x,), results, replace(law, oracle="mpfr"))
    asked, enclose = [], reference.enclose
    monkeypatch.setattr(
        reference, "enclose", lambda name, args, *rest: asked.append(len(args[0])) or enclose(name, args, *rest)
    )
    found = judge(EXP, (x,), results, law)
    assert repr(found) == repr(wanted)
    assert found.failed >= fewest
    assert bool(found.failed) == bool(fewest)
    assert least < abs(found.worst.error) < most
    assert sum(asked) < found.failed + 500


@pytest.mark.parametrize("name", ["sinpi", "cospi", "tanpi"])
def test_zeros_of_the_wrong_sign_are_counted_without_the_reference(name, monkeypatch):
    """A fifth of all floats are zeros of tanpi, and devices give them one sign."""
    (item,) = Plan.of([name], ["float"]).items()
    x = (np.arange(4000) * 0.5 + 2.0**22).astype(np.float32)
    right, law = getattr(clmath, name)(x), Law("full", "rte", flushes=False)
    wrong = np.where(right == 0.0, np.float32(-0.0), right)
    known = judge(item, (x,), (wrong,), replace(law, oracle="mpfr"))
    asked = []
    enclose = reference.enclose
    monkeypatch.setattr(reference, "enclose", lambda *args: asked.append(args[1][0].size) or enclose(*args))
    assert judge(item, (x,), (wrong,), law) == known
    assert known.failed > 900
    assert sum(asked) < 50


def test_a_zero_with_an_error_is_no_exact_value():
    """What lies near zero may be of either sign, or no zero at all."""
    hi, err = np.array([0.0, 0.0, -0.0, np.inf, 1.5]), np.array([0.0, 2.0**-160, 2.0**-160, 0.0, 0.0])
    exact = ladder.Bounds(Enclosure.of(hi, err=err), FLOAT, 0.0)
    assert bounds.is_itself(exact, hi.astype(np.float32), FLOAT).tolist() == [True, False, False, True, True]
    assert not bounds.is_itself(exact, -hi.astype(np.float32), FLOAT).any()
