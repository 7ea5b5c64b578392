"""Enclosures settle most calls: the tally must be the one that the reference alone gives, whatever is returned."""
# ruff: noqa: ARG002 - the signatures are the protocol's

from __future__ import annotations

import tracemalloc
from collections import deque
from dataclasses import replace

import numpy as np
import pytest

from clmath import reference
from clmath.audit import inputs, screen
from clmath.audit.batch import Call
from clmath.audit.enclosed import CLAIMED, Bracket, enclosed, is_enclosed
from clmath.audit.judge import Law, judge
from clmath.audit.plan import Item, Plan
from clmath.audit.run import audit
from clmath.kernels import QUICK
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import Enclosure, ulps
from clmath.spec.builtins import builtin, builtins

ROWS = [
    Item(row, form)
    for form in (HALF, FLOAT)
    for row in builtins().values()
    if form in row.formats and is_enclosed(row.name, form)
]
LAWS = [
    Law("full", "rte", flushes=False),
    Law("embedded", "rtz", flushes=True),
    Law("relaxed", "rtz", flushes=True),
    Law("relaxed", "rte", flushes=False, options=("-cl-fast-relaxed-math",)),
]
KERNELS = [kernel.name for kernel in QUICK.single]


def test_all_but_mix_smoothstep_and_vectors_are_enclosed():
    open_rows = {row.name for row in builtins().values() if not row.lanes and not is_enclosed(row.name, FLOAT)}
    assert open_rows == {"degrees", "radians", "mix", "smoothstep"}
    assert not any(is_enclosed(name, DOUBLE) for name in builtins())


def spoiled(rng, item, results):
    """Results with all that can go wrong with them: places off, zeros, infinities, NaN, signs, neighbours' results."""
    found = []
    for result in results:
        if result.dtype.kind == "i":
            found.append(np.where(rng.random(len(result)) < 0.1, -result, result).astype(np.int32))
            continue
        form, kind = item.form, rng.integers(0, 32, len(result))
        signed = form.bits(result).astype(np.int64) + np.array([1, -1, 2, -3, 17, -9000])[kind % 6]
        off = form.from_bits((signed % (1 << form.width)).astype(form.bits_dtype))
        strange = [np.inf, -np.inf, np.nan, 0.0, -0.0, form.largest, form.smallest_subnormal, 1.0]
        other = np.choose(kind % 8, [form.dtype.type(v) for v in strange])
        changed = np.select([kind < 6, kind < 14, kind < 16], [off, other, -result], result)
        found.append(np.where(kind == 16, np.roll(result, 1), changed).astype(form.dtype))
    return tuple(found)


@pytest.mark.parametrize("item", ROWS, ids=str)
def test_the_tally_is_that_of_the_reference(item, sample, evaluate):
    """Right results and spoiled ones; with a floor, whatever is below it may go, and nothing else."""
    values = sample(item, 160)
    rng = np.random.default_rng(11)
    for law in LAWS:
        right = evaluate(item.builtin, item.form, values, law.mode)
        for results in (right, spoiled(rng, item, right)):
            wanted = judge(item, values, results, replace(law, oracle="mpfr"))
            assert repr(judge(item, values, results, law)) == repr(wanted)  # NaN is not itself
            for floor in (0.3, 1.5):
                found = judge(item, values, results, law, 0, floor)
                keep = wanted.worst is not None and abs(wanted.worst.error) >= floor
                assert repr(replace(found, worst=None)) == repr(replace(wanted, worst=None))
                assert not keep or repr(found.worst) == repr(wanted.worst)


def test_most_calls_are_settled(evaluate):
    """Of right results: so that the reference is asked about next to none."""
    for name in ("sin", "exp", "log", "cbrt", "pow", "floor", "add", "sqrt", "tgamma"):
        item = Item(builtin(name), FLOAT)
        values = inputs.random_columns(np.random.default_rng(2), item, 8192)
        call = Call.on(item, values, evaluate(item.builtin, FLOAT, values, "rte"), Law("full", "rte", flushes=False))
        found = screen.screened(call, enclosed(call.name, call.args, FLOAT))
        assert len(found.in_doubt) < 80, name
        assert len(found.leaders(0.0)) < 1200, name


@pytest.mark.parametrize("name", KERNELS)
def test_what_kernels_claim_lies_near(name, sample):
    """A value with err = 0 is within CLAIMED ulp of float, one that stands for another lies beyond, zeros are zeros."""
    item = Item(builtin(name), FLOAT)
    rng = np.random.default_rng(8)
    loose = tuple(
        FLOAT.from_bits(rng.integers(0, 2**32, 1500, np.uint32))
        if kind == "gentype"
        else rng.integers(-(2**31), 2**31, 1500).astype(np.int32)
        for kind in item.columns
    )
    values = tuple(np.concatenate(pair) for pair in zip(sample(item, 1500), loose, strict=True))
    (bracket,), (exact,) = enclosed(name, values, FLOAT), reference.enclose(name, values, FLOAT)
    assert isinstance(bracket, Bracket)
    assert isinstance(exact, Enclosure)
    due = np.ldexp(exact.hi, exact.exponent)
    np.testing.assert_array_equal(np.isnan(bracket.value), np.isnan(due))
    np.testing.assert_array_equal(np.isinf(bracket.value), np.isinf(due))
    np.testing.assert_array_equal(bracket.value == 0, due == 0)
    finite = np.isfinite(bracket.value)
    got, due = bracket.value[finite], due[finite]
    ulp, err = ulps(exact.lanes(finite), FLOAT), bracket.err[finite]
    claims = (err == 0) | (np.abs(got) < 2.0**-150)
    ordinary = np.abs(got) < 2.0**129
    with np.errstate(all="ignore"):
        off = np.abs(np.where(ordinary, got - due, 0.0)) / ulp
    assert off[claims].max(initial=0) <= CLAIMED
    assert (off[~claims] <= (err / ulp)[~claims]).all()
    assert (np.abs(due[~ordinary]) >= 2.0**128).all()
    assert (np.signbit(due) == np.signbit(got)).all()


def test_parts_of_all_floats_are_all_floats_once():
    for number in (0, 1, 4095):
        codes = np.asarray(inputs.places(ROWS[-1], swept("sin", f"{number + 1}/4096"), 0))
        assert len(codes) == 1 << 20
        assert ((codes >> 8) & 4095 == number).all()  # the middle bits name the part, the others take every value
        assert (np.diff(codes.astype(np.int64)) > 0).all()
        exponents, counts = np.unique(codes >> 23, return_counts=True)
        assert len(exponents) == 512
        assert (counts == 2048).all()
    plan = swept("sin", "3/1000")
    (item,) = plan.items()
    assert inputs.chunks(item, plan) == 5
    assert [int(inputs.columns(item, plan, i)[0].view(np.uint32)[0]) >> 8 for i in range(5)] == [
        2,
        1002,
        2002,
        3002,
        4002,
    ]


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
    x = inputs.columns(ROWS[-1], swept("floor", f"{part + 1}/4096"), 0)[0]
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


@pytest.mark.parametrize("part", ["0/4", "5/4", "1/4097", "1", "1/2/3", "a/b", "-1/4"])
def test_parts_that_are_none(part):
    with pytest.raises(ValueError, match="is not K/N"):
        swept("sin", part)


def test_parts_are_of_exhaustive_inputs():
    with pytest.raises(ValueError, match="ask for inputs 'exhaustive'"):
        Plan.of(["sin"], ["float"], part="1/4")


def test_what_cannot_be_swept_takes_quick_inputs():
    plan = Plan.of(["pow", "sin", "nan", "dot"], inputs="exhaustive")
    assert [str(item) for item in plan.items() if inputs.is_swept(item, plan)] == ["sin float", "nan float"]
    quick = Plan.of(["pow"], ["float"])
    assert inputs.chunks(quick.items()[0], plan) == inputs.chunks(quick.items()[0], quick)


@pytest.mark.parametrize("name", KERNELS)
def test_values_that_stand_for_others_are_measured_exactly(name, evaluate):
    """Where kernels say only on which side of a float the exact value lies, all errors are nearly alike."""
    item = Item(builtin(name), FLOAT)
    rng = np.random.default_rng(21)
    bits = tuple(FLOAT.from_bits(rng.integers(0, 2**32, 40000, np.uint32)) for _ in item.columns)
    loose = tuple(b if t == FLOAT.dtype else b.view(t) for b, t in zip(bits, inputs.dtypes(item), strict=True))
    bracket = enclosed(name, loose, FLOAT)[0]
    assert isinstance(bracket, Bracket)
    with np.errstate(all="ignore"):
        claims = (bracket.err == 0) & np.isfinite(bracket.value) & (bracket.value.astype(np.float32) != bracket.value)
    values = tuple(v[claims][:200] for v in loose)
    law = Law("full", "rte", flushes=False)
    right = evaluate(item.builtin, FLOAT, values, "rte")
    for step in (0, 1, -1):
        results = (FLOAT.from_bits((FLOAT.bits(right[0]).astype(np.int64) + step).astype(np.uint32)),)
        for order in (slice(None), slice(None, None, -1)):
            turned = tuple(v[order].copy() for v in values), tuple(r[order].copy() for r in results)
            assert repr(judge(item, *turned, law)) == repr(judge(item, *turned, replace(law, oracle="mpfr")))
