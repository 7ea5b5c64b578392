"""The compiled loop counts what it is sure of and leaves the rest: the tally is the one without it, bit for bit."""

from __future__ import annotations

import inspect
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from clmath import kernels, reference
from clmath.audit.counting.spread import bin_numbers, shift
from clmath.audit.counting.tally import KEPT, Tally
from clmath.audit.inputs import layout, row_inputs
from clmath.audit.judge import compiled_loop
from clmath.audit.judge.piece import judge
from clmath.audit.lanes.lane_measure import bin_of
from clmath.audit.lanes.lane_screen import is_rounded_to_float, judged
from clmath.audit.law.batch import Call
from clmath.audit.law.deviation import steps
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.engines import choice, native
from clmath.kernels.direct import DIRECT
from clmath.kernels.exact import in_one
from clmath.numbers.formats import FLOAT, HALF
from clmath.numbers.rounding import round_enclosure, ulp_errors
from clmath.spec.builtins import builtin
from tests.cases import for_each

NEEDS_NATIVE = pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.told()["native"])
TEXT = (Path(native.__file__).parent / "templates" / "screens.c").read_text(encoding="utf-8")
LAW = Law("full", "rte", flushes=False)
KERNELS = [
    kernel
    for kernel in (*kernels.QUICK.single, *(one for (one, *_) in DIRECT["float"].values()))
    if kernel.results == 1 and not kernel.is_integer and len(inspect.signature(kernel.function).parameters) == 1
]
NAMES = [kernel.name for kernel in KERNELS]
# with a way for ordinary arguments; with exact results that are found later; direct: of arithmetic, and exact values
COMPILED = ("sin", "cbrt", "sqrt", "recip", "ceil", "logb")


def wrong(rng, results, share):
    """Results of which some are off by a few numbers, infinite, NaN, zero or of the other sign."""
    steps = rng.choice([1, -1, 2, -3, 17, 9000, -70000, 2**24], len(results))
    off = (results.view(np.int32) + steps.astype(np.int32)).view(np.float32)
    signaling = np.uint32(0x7F800001).view(np.float32)
    special = rng.choice(
        np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, signaling, 1.0, 1e-45], np.float32), len(results)
    )
    kind = rng.random(len(results))
    return np.select([kind < 0.8 * share, kind < 0.9 * share, kind < share], [off, special, -results], results)


@pytest.fixture(scope="module")
def calls(sample):
    """Arguments of a built-in: the structured ones, bit patterns from everywhere, neighbours of right results' ties."""

    def drawn(name, count):
        item = Item(builtin(name), FLOAT)
        rng = np.random.default_rng(7)
        loose = rng.integers(0, 2**32, count, np.uint64).astype(np.uint32).view(np.float32)
        x = np.concatenate([*sample(item, count), loose])
        exact = reference.enclose(name, (x,), FLOAT)[0]
        return item, x, exact, round_enclosure(exact, FLOAT, "rte")[0]

    return drawn


def test_bins_are_those_of_a_spread():
    apart = np.array([0, *range(1, 70), *(2**k + d for k in range(7, 15) for d in (-1, 0, 1))])
    assert np.array_equal(bin_of(apart), bin_numbers(apart.astype(np.uint64)))


def test_kernels_of_one_argument_and_result_have_a_loop():
    assert {"sin", "exp", "log", "erf", "sinpi", "tgamma", "cbrt", "rsqrt", "atan"} <= set(NAMES)
    assert not {"pow", "hypot", "atan2"} & set(NAMES)


def bounded(kernel, x):
    """The enclosures of a kernel, exact results found."""
    found = kernel.function(x)
    value, err = in_one(found) if kernel.is_exact else kernel.refined((x,), found)
    return value, np.broadcast_to(err, x.shape)


@for_each("kernel", KERNELS)
@np.errstate(all="ignore")
def test_errors_lie_within_their_bounds(kernel, calls):
    """Of whatever is returned; right results are known as such, and of wrong ones none."""
    _, x, exact, right = calls(kernel.name, 4000)
    (value, err), rng = bounded(kernel, x.astype(np.float64)), np.random.default_rng(3)
    for actual in (right, wrong(rng, right, 0.5).astype(np.float32)):
        codes = actual.view(np.int32).astype(np.int64)
        rounded = is_rounded_to_float(value, err, codes)
        same = (actual.view(np.int32) == right.view(np.int32)) | (np.isnan(actual) & np.isnan(right))
        assert same[rounded].all()
        assert not FLOAT.signals(actual[rounded]).any()
        asked = kernel.reach, np.inf, 0.0, np.inf  # whatever is near passes
        conforms, _, least, most, bins = judged(x.astype(np.float64), value, err, codes, *asked)
        known = conforms & (most < 2.0**15)
        errors = np.abs(ulp_errors(actual, exact, FLOAT))
        assert (least <= errors)[known].all()
        assert (errors <= most)[known].all()
        apart = steps(actual, right, FLOAT)
        assert np.array_equal(bins[known], np.where(np.isnan(right), 0, bin_numbers(apart))[known])
        assert not FLOAT.signals(actual[known]).any()
        plain = (same & ~FLOAT.signals(actual))[-4000:]
        assert np.mean((rounded | known)[-4000:][plain]) > 0.97


@NEEDS_NATIVE
@for_each("name", COMPILED)
def test_tallies_are_those_without_it(name, calls):
    """Whatever is returned, by each law, with a floor and with errors that are known by stretch, and without."""
    item, x, _, right = calls(name, 1500)
    rng = np.random.default_rng(5)
    for share in (0.0, 0.02, 0.5, 1.0):
        actual = wrong(rng, right, share).astype(np.float32)
        for law in (LAW, Law("embedded", "rte", flushes=True), Law("relaxed", "rte", flushes=False)):
            wanted = judge(item, (x,), (actual,), replace(law, oracle="mpfr"))
            for floor in (0.0, 0.3, 1.5):
                found = judge(item, (x,), (actual,), law, 0, floor)
                assert repr(replace(found, worst=None)) == repr(replace(wanted, worst=None))
                assert abs(wanted.worst.error) < floor or repr(found.worst) == repr(wanted.worst)
            known = ((*((stretch, error) for stretch, error in wanted.spread.worst[0] if stretch % 2), (511, 9.0)),)
            found = judge(item, (x,), (actual,), law, 0, 0.0, known)
            worst = dict(wanted.spread.worst[0])
            assert all(error <= worst[stretch] for stretch, error in found.spread.worst[0])
            assert {s: e for s, e in found.spread.worst[0] if s % 2 == 0} == {
                s: e for s, e in worst.items() if s % 2 == 0
            }


@NEEDS_NATIVE
@pytest.mark.parametrize("name", ["sin", "cbrt", "sqrt"])
def test_failures_are_counted_but_for_the_first(name, calls):
    """What is wrong everywhere costs little more than what is right: few of its calls are looked at closely."""
    item, x, _, right = calls(name, 20_000)
    rng = np.random.default_rng(11)
    actual = (right.view(np.int32) + rng.integers(20, 900, len(x)).astype(np.int32)).view(np.float32)
    call = Call.on(item, (x,), (actual,), LAW)
    screening = compiled_loop.Screening(call, 1000.0, ())
    others, ordinary = screening.others(call), np.isfinite(right) & (right != 0) & np.isfinite(x)
    plain = np.flatnonzero(ordinary & (np.abs(right) >= FLOAT.smallest_normal) & (np.abs(x) >= FLOAT.smallest_normal))
    kept = np.intersect1d(others, plain)
    assert kept[:KEPT].tolist() == plain[:KEPT].tolist()
    assert len(kept) < 0.01 * len(plain)
    assert screening.tally().failed == len(plain) - len(kept)
    assert screening.tally().reasons == ((f"not within the limit: {call.limit.text}", len(plain) - len(kept)),)


def _of_ones(name, law):
    item = Item(builtin(name), FLOAT)
    return Call.on(item, tuple(np.ones(4, t) for t in layout.dtypes(item)), (np.ones(4, np.float32),), law)


@NEEDS_NATIVE
def test_a_sweep_is_judged_as_without_it(monkeypatch):
    """Piece after piece, each told what is known of the row: with the loop and without, the sum is the same."""
    item = Item(builtin("exp"), FLOAT)
    plan = Plan.of(["exp"], ["float"], inputs="exhaustive")
    sums = []
    for serves in (compiled_loop.can_serve, lambda *_: False):
        monkeypatch.setattr(compiled_loop, "can_serve", serves)
        total = Tally()
        for number in (5, 17):
            (x,) = row_inputs.columns(item, plan, number)
            chosen = slice(0, None, 64)
            with np.errstate(all="ignore"):
                results = (np.exp(x[chosen]),)
            floor = abs(total.worst.error) if total.worst else 0.0
            places = row_inputs.places(item, plan, number)[chosen]
            total += judge(item, (x[chosen],), results, LAW, places, floor, total.spread.worst)
        sums.append(repr(total))
    assert sums[0] == sums[1]


@NEEDS_NATIVE
@pytest.mark.parametrize("name", ["ceil", "fabs", "recip", "sqrt"])
def test_what_is_right_is_counted_but_for_one(name, calls):
    """Of a built-in without errors the first input is looked at; of others what may be the worst of a stretch."""
    item, x, _, right = calls(name, 20_000)
    call = Call.on(item, (x,), (right,), LAW)
    others = compiled_loop.Screening(call, 0.0, ()).others(call)
    plain = np.flatnonzero(np.abs(right[others]) >= FLOAT.smallest_normal)
    assert len(others) == 1 if name in ("ceil", "fabs") else len(plain) < 0.02 * len(x)


@pytest.mark.slow
@NEEDS_NATIVE
@for_each("name", ["ceil", "floor", "rint", "fabs", "logb", "sqrt", "sin"])
def test_a_signaling_nan_with_the_digits_of_a_quiet_one_is_no_result(name):
    """Widened to double the two are the same."""
    item, codes = Item(builtin(name), FLOAT), np.array([0x7FC00001, 0x7FFFFFFF, 0xFFC12345, 0x7F812345], np.uint32)
    x, actual = codes.view(np.float32), (codes & np.uint32(0xFFBFFFFF)).view(np.float32)
    assert compiled_loop.serves(Call.on(item, (x,), (actual,), LAW))
    found = judge(item, (x,), (actual,), LAW)
    assert repr(found) == repr(judge(item, (x,), (actual,), replace(LAW, oracle="mpfr")))
    assert found.failed == 3


@for_each("in_arrays", [pytest.param(False, marks=NEEDS_NATIVE), True])
@for_each("name, share", [("cbrt", 0.3), ("ceil", 0.0), ("fabs", 0.01)])
def test_pieces_in_any_order(name, share, in_arrays, calls, monkeypatch):
    """Each is told what some of the others found, as by workers that finish in any order: the row's sum is the same."""
    if in_arrays:
        monkeypatch.setattr(compiled_loop, "can_serve", lambda *_: False)
    item, x, _, right = calls(name, 1500)
    rng = np.random.default_rng(9)
    actual = wrong(rng, right, share).astype(np.float32)
    cuts = np.array_split(np.arange(len(x)), 12)
    whole = repr(judge(item, (x,), (actual,), replace(LAW, oracle="mpfr")))
    for _ in range(5):
        found: list[Tally] = []
        for k in rng.permutation(len(cuts)):
            told = sum((t for t in found if rng.random() < 0.7), Tally())
            floor = abs(told.worst.error) if told.worst else 0.0
            piece = cuts[k]
            found.append(judge(item, (x[piece],), (actual[piece],), LAW, piece, floor, told.spread.worst))
        assert repr(sum(found, Tally())) == whole


@NEEDS_NATIVE
def test_it_serves_only_where_it_may(monkeypatch):
    """Not where another mode rounds, or a device has no infinities; nor of several arguments."""

    def serves(name, law=LAW, form=FLOAT):
        values = tuple(np.ones(4, t) for t in layout.dtypes(Item(builtin(name), form)))
        return compiled_loop.serves(Call.on(Item(builtin(name), form), values, (np.ones(4, form.dtype),), law))

    assert serves("sin")
    assert serves("half_exp")
    assert serves("native_sin")
    assert not serves("sin", replace(LAW, mode="rtz"))
    assert serves("sin", replace(LAW, options=("-cl-finite-math-only",)))
    assert not serves("sin", replace(LAW, infinities=False))
    assert all(serves(name) for name in ("ilogb", "modf", "sincos"))
    assert not any(serves(name) for name in ("pow", "nan"))
    assert not serves("sin", form=HALF)
    monkeypatch.setattr(type(choice.NATIVE), "library", None)
    assert not serves("sin")


def test_stretches_are_those_of_the_loop():
    """The loop has the number of bits in its text, which is that of the module for spreads."""
    assert f"STRETCH = {shift(FLOAT)}," in TEXT
    assert f"STRETCHES = {(1 << FLOAT.width - shift(FLOAT)) - 1} " in TEXT
