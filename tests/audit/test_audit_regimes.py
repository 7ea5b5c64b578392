"""Where limits depend on the argument, or nothing is asked, the compiled loop counts as the reference does."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

import clmath
from clmath.audit.judge import compiled_loop, regimes
from clmath.audit.judge.bounds import parts_of
from clmath.audit.judge.certain_failures import flushes_more
from clmath.audit.judge.piece import Block, judge, judge_blocks, takes_blocks
from clmath.audit.lanes.lane_screen import judged, knows_rounded, left_free, left_waived
from clmath.audit.law import conformity
from clmath.audit.law.batch import Batch, Call
from clmath.audit.law.deviation import joined
from clmath.audit.law.findings import findings
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.engines import choice, native
from clmath.engines.native.screens import FREE, NOTHING
from clmath.ladder import enclose
from clmath.numbers.formats import FLOAT
from clmath.spec import files
from clmath.spec.builtins import builtin
from clmath.spec.derived import CONSTANTS
from clmath.spec.editions import DEFAULT
from clmath.spec.notation import number
from tests.audit.both_laws import device_says
from tests.audit.spoiled import spoiled
from tests.cases import for_each

NEEDS_NATIVE = pytest.mark.skipif(choice.NATIVE.library is None, reason=choice.told()["native"])
TEXT = (Path(native.__file__).parent / "templates" / "screens.c").read_text(encoding="utf-8")
FAST = ("-cl-fast-relaxed-math",)
FULL, RELAXED = Law("full", "rte", flushes=False), Law("relaxed", "rte", flushes=False, options=FAST)
LATER = "opencl-c-3.1.1"
LAWS = {
    "relaxed": RELAXED,
    "relaxed, flushes": replace(RELAXED, flushes=True),
    "relaxed embedded": replace(RELAXED, profile="relaxed embedded", edition=LATER),
    "unsafe": Law("full", "rte", flushes=True, options=("-cl-unsafe-math-optimizations",), edition=LATER),
    "finite": Law("embedded", "rte", flushes=True, options=("-cl-finite-math-only",)),
    "full": FULL,
}
# an absolute limit in an interval; growing; absolute, else in ulp; in ulp; undefined beyond; formulas: in waves, with
# quotients, by a root, alone; none at all, with edges that ask; equality, and kernels that devices have; a product
NAMES = (
    *("sin", "exp", "log", "acos", "half_sin", "tan", "tanh", "cbrt", "acosh", "asinh"),
    *("native_exp", "native_log", "lgamma", "ceil", "logb", "sqrt", "recip", "degrees", "radians"),
)
SEVERAL = ("sincos", "fract", "modf", "frexp", "ilogb", "lgamma_r")  # results, and ints
UNSERVED = {("lgamma_r", text) for text in ("relaxed", "relaxed, flushes", "relaxed embedded", "finite")}

SIGNALING = np.uint32(0x7F800001).view(np.float32)
INTEGERS = np.array([1, -1, 2, -7, 1 << 20, 1 << 31], np.int64)  # what wrong ints are off by
SPECIAL = np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, SIGNALING, 1.0, 1e-45, FLOAT.largest, -1e-39], np.float32)


def borders(item, law):
    """The encodings of numbers that conditions of limits name, or that change what results are: overflow, poles."""
    clauses = [clause for one in (law, *law.others(item)) for clause in one.limit(item).clauses]
    named = [number(text, FLOAT) for _, met in clauses if met for text in met.numbers]
    named += [*CONSTANTS.values(), np.pi / 2, 43.668, 0.0, FLOAT.smallest_normal, 1.0, FLOAT.largest, np.inf]
    codes = FLOAT.bits(np.array(named, np.float32)).astype(np.int64) & 0x7FFFFFFF
    for sign in (0, 1 << 31):  # halve the way between numbers next to each other of which one result is finite
        low = np.arange(0, 0xFF00001, 1 << 18) * 8 + sign
        changes = np.flatnonzero(np.diff(is_finite(item, low)))
        low, high = low[changes], low[changes + 1]
        for _ in range(22):
            middle = (low + high) // 2
            same = is_finite(item, middle) == is_finite(item, low)
            low, high = np.where(same, middle, low), np.where(same, high, middle)
        codes = np.concatenate([codes, low])
    return np.concatenate([codes, codes ^ (1 << 31)])


def is_finite(item, codes):
    with np.errstate(all="ignore"):
        return np.isfinite(right(item, FLOAT.from_bits(codes.astype(np.uint32))))


def right(item, x):
    """The first result."""
    return all_right(item, x)[0]


def all_right(item, x):
    found = getattr(clmath, item.builtin.name)(x)
    return tuple(found) if isinstance(found, tuple) else (found,)


def arguments(rng, item, law):
    """All borders with their neighbours, ends of ranges, subnormals, ordinary numbers, and some of every kind."""
    near = np.add.outer(borders(item, law), [*range(-4, 5), *rng.integers(-60_000, 60_000, 6)]).ravel()
    ends = rng.integers(0, 1 << 12, 200) << regimes.RANGE
    ordinary = np.concatenate([rng.integers(c, c + 0x6000000, 250) for c in (0x3D000000, 0xBD000000)])
    small = np.concatenate([rng.integers(c, c + 0x800000, 30) for c in (0, 1 << 31)])
    nans = np.array([0x7F800000, 0xFF800000, 0x7FC00000, 0x7F800001, 0xFF812345, 0x7FFFFFFF])
    codes = np.concatenate([near, ends, ends - 1, ends + 1, ordinary, small, nans, rng.integers(0, 1 << 32, 250)])
    return FLOAT.from_bits(np.unique(codes & 0xFFFFFFFF).astype(np.uint32))


def wrong(rng, results, share):
    """Results of which some are off by ulps or absolutely, about as far as limits reach, special ones, or flushed."""
    steps = rng.choice([1, -1, 2, -3, 17, 4095, -4097, 8190, -8194, 70_000, 2**21, 2**24], len(results))
    off = (results.view(np.int32) + steps.astype(np.int32)).view(np.float32)
    size = rng.choice([2.0**-11, -(2.0**-11), 2.0**-21, -(2.0**-21), 2.0**-30], len(results))
    beside = (results + size * rng.choice([1.0, 1.0 - 2.0**-9, 1.0 + 2.0**-9], len(results))).astype(np.float32)
    flushed = np.where(np.abs(results) < FLOAT.smallest_normal, results * np.float32(0), results)
    kind = rng.random(len(results)) / max(share, 1e-9)
    chosen = [off, beside, rng.choice(SPECIAL, len(results)), -results, flushed]
    return np.select([kind < part for part in (0.4, 0.7, 0.8, 0.9, 1.0)], chosen, results).astype(np.float32)


def all_wrong(rng, results, share):
    """The same of several results, ints among them, of calls of which one is wrong or more."""
    if len(results) > 1:
        share = share / 2
    integers = [r + np.where(rng.random(len(r)) < share, rng.choice(INTEGERS, len(r)), 0) for r in results]
    return tuple(
        integer.astype(np.int32) if r.dtype.kind == "i" else wrong(rng, r, share)
        for r, integer in zip(results, integers, strict=True)
    )


def assert_same(found, wanted, floor):
    assert repr(replace(found, worst=None)) == repr(replace(wanted, worst=None))
    assert wanted.worst is None or abs(wanted.worst.error) < floor or repr(found.worst) == repr(wanted.worst)


@NEEDS_NATIVE
@for_each("text", LAWS)
@for_each("name", [*NAMES, *SEVERAL])
@np.errstate(all="ignore")
def test_tallies_are_those_of_the_reference(name, text):
    """Of right results, a few wrong ones, wrong ones everywhere, results that are flushed; whatever is known before."""
    law, item = LAWS[text], Item(builtin(name), FLOAT)
    rng = np.random.default_rng([*name.encode(), *text.encode()])
    x = arguments(rng, item, law)
    true = all_right(item, x)
    of_flushed = all_right(item, np.where(np.abs(x) < FLOAT.smallest_normal, np.float32(0) * x, x))
    far = tuple(off(r, 9000) for r in true)
    for results in (of_flushed, all_wrong(rng, true, 0.05), all_wrong(rng, true, 1.0), far):
        assert compiled_loop.serves(Call.on(item, (x,), results, law)) is ((name, text) not in UNSERVED)
        wanted = judge(item, (x,), results, replace(law, oracle="mpfr"))
        for floor in (0.0, 0.6, 9001.0):
            assert_same(judge(item, (x,), results, law, 0, floor), wanted, floor)


def off(results, steps):
    return (results.view(np.int32) + np.int32(steps)).view(results.dtype)


@NEEDS_NATIVE
@for_each("name", ["sin", "tanh", "log", "half_sin", "acos", "native_exp"])
@np.errstate(all="ignore")
def test_few_calls_are_looked_at_closely(name):
    """Of right results hardly any, wherever they lie, nor of those that are off by less than the limit allows."""
    item, x = Item(builtin(name), FLOAT), normal_numbers()
    for steps in (0, 1):
        assert left(item, x, (beside(item, x, steps),)) < 0.02 * len(x)


@NEEDS_NATIVE
@pytest.mark.parametrize("name", ["sin", "log", "exp", "acos"])
@np.errstate(all="ignore")
def test_failures_are_counted_in_the_loop(name):
    """Where a limit in numbers is told, and what is returned misses it everywhere."""
    item, x = Item(builtin(name), FLOAT), normal_numbers()
    assert left(item, x, (beside(item, x, 1 << 21),)) < 0.02 * len(x)


def normal_numbers():
    """From everywhere, of both signs."""
    rng = np.random.default_rng(3)
    codes = [rng.integers(start, start + 0x7F000000, 20_000) for start in (0x800000, 0x80800000)]
    return FLOAT.from_bits(np.concatenate(codes).astype(np.uint32))


def beside(item, x, steps):
    """Results that are so many floats off where they are normal numbers."""
    found = right(item, x)
    return np.where(np.isfinite(found) & (np.abs(found) >= FLOAT.smallest_normal), off(found, steps), found)


@NEEDS_NATIVE
@pytest.mark.parametrize("name", ["lgamma", "lgamma_r"])
@np.errstate(all="ignore")
def test_poles_are_counted_in_the_loop(name):
    """Of a row that has no limit but at its poles, the integers below zero; whatever else is returned there is left."""
    item, poles = Item(builtin(name), FLOAT), -np.unique(np.geomspace(8, 2**30, 9000).astype(np.float32).round())
    between = -np.linspace(8, 2.0**20, 9000, dtype=np.float32) - np.float32(0.25)
    x = np.concatenate([poles, between])
    assert left(item, x, all_right(item, x), FULL) < 0.02 * len(x)
    for other in (-np.inf, np.nan, FLOAT.largest):
        actual, *signs = all_right(item, x)
        actual[: len(poles) : 100] = other
        assert left(item, x, (actual, *signs), FULL) >= len(poles[::100])
        assert judge(item, (x,), (actual, *signs), FULL).failed == len(poles[::100])


@NEEDS_NATIVE
@np.errstate(all="ignore")
def test_the_first_pole_may_be_the_worst_input_of_a_row_without_errors():
    """A sign is an int, which is measured there as well."""
    item, x = Item(builtin("lgamma_r"), FLOAT), -np.arange(2.0**24, 2.0**24 + 600, 2, np.float32)
    for results in (all_right(item, x), all_wrong(np.random.default_rng(8), all_right(item, x), 0.1)):
        wanted = judge(item, (x,), results, replace(FULL, oracle="mpfr"))
        assert_same(judge(item, (x,), results, FULL), wanted, 0.0)
        assert wanted.worst is not None


@pytest.mark.slow
@NEEDS_NATIVE
@for_each("name", ["fract", "modf", "frexp", "ilogb", "lgamma_r"])
@for_each("k", [0, -1])
@np.errstate(all="ignore")
def test_one_wrong_result_of_several_is_noticed(name, k):
    """Whichever it is, by whatever bit; of right ones nothing is left but what the bounds do not tell."""
    item, x = Item(builtin(name), FLOAT), normal_numbers()
    rights = all_right(item, x)
    assert left(item, x, rights, FULL) < 0.02 * len(x)
    for bit in (0, 1, 12, 30, 31):
        results = tuple(np.array(r) for r in rights)
        results[k].view(np.uint32)[::500] ^= np.uint32(1 << bit)
        found, wanted = (of_some(item, x, results, law) for law in (FULL, replace(FULL, oracle="mpfr")))
        assert_same(found, wanted, 0.0)
        assert noticed(item, x, results, FULL) >= (0 if name == "lgamma_r" and k == 0 else len(x[::500]) - 5)


def of_some(item, x, results, law):
    return judge(item, (x[::500],), tuple(r[::500] for r in results), law)


def test_of_ints_something_is_asked_wherever_floats_are_free(monkeypatch):
    """Whatever edges say, and of infinities and NaN too."""
    item = Item(builtin("lgamma_r"), FLOAT)
    monkeypatch.setattr(Law, "edges", lambda *_: ())
    told = regimes.regimes.__wrapped__(item, FULL)
    assert (told.kinds == regimes.JUDGED).any()
    assert not (told.kinds == regimes.OPEN).any()
    assert told.left_out == NOTHING


@NEEDS_NATIVE
def test_where_ints_are_open_too_the_loop_does_not_judge(limited):
    item, x = Item(builtin("frexp"), FLOAT), np.linspace(-7, 7, 500, dtype=np.float32)
    law = replace(FULL, edition=limited("frexp", "undefined for x < 0; 0 ulp"))
    mantissas, exponents = all_right(item, x)
    assert not compiled_loop.serves(Call.on(item, (x,), (mantissas, exponents), law))
    assert judge(item, (x,), (mantissas, exponents + 1), law).failed == 250


@NEEDS_NATIVE
@np.errstate(all="ignore")
def test_of_several_results_the_farthest_counts():
    """Sines that are 3 floats off beside right cosines, and the other way round, are calls 3 floats off."""
    item, x = Item(builtin("sincos"), FLOAT), normal_numbers()
    sine, cosine = all_right(item, x)
    ordinary = np.flatnonzero(np.minimum(np.abs(sine), np.abs(cosine)) > 1e-30)
    for k in (0, 1):
        results = [sine.copy(), cosine.copy()]
        results[k][ordinary] = off(results[k][ordinary], 3)
        call = Call.on(item, (x,), tuple(results), FULL)
        screening = compiled_loop.Screening(call, 100.0, ())
        others = screening.others(call)
        assert len(others) < 0.02 * len(x)
        assert dict(screening.tally().spread.counts)["3-4"] == len(np.setdiff1d(ordinary, others))


def left(item, x, results, law=RELAXED):
    """How many calls the loop leaves when it knows of larger errors; all others it has in its tally."""
    return looked_at(item, x, results, law)[0]


def noticed(item, x, results, law):
    """How many it leaves or knows to fail."""
    return sum(looked_at(item, x, results, law))


def looked_at(item, x, results, law):
    """Both numbers."""
    call = Call.on(item, (x,), results, law)
    screening = compiled_loop.Screening(call, 2.0**22, ())
    others = screening.others(call)
    assert screening.tally().tried == len(x) - len(others)
    return len(others), screening.tally().failed


@NEEDS_NATIVE
@pytest.mark.parametrize("name", ["sincos", "frexp", "modf", "lgamma_r"])
@np.errstate(all="ignore")
def test_blocks_of_several_results_are_judged_as_in_one(name):
    """In any order, whatever is known."""
    item, rng = Item(builtin(name), FLOAT), np.random.default_rng(6)
    starts = np.append(
        rng.choice(1 << 15, 48, replace=False) << 17, FLOAT.bits(np.float32([-3e4, 1.0, -2e7])) >> 8 << 8
    )
    x = FLOAT.from_bits(np.add.outer(np.unique(starts), np.arange(256)).astype(np.uint32))
    results = all_wrong(rng, all_right(item, x.ravel()), 0.03)
    blocks = [Block((x[k],), tuple(r.reshape(x.shape)[k] for r in results)) for k in range(len(x))]
    assert takes_blocks(item, blocks[0], FULL)
    wanted = judge(item, (x.ravel(),), results, replace(FULL, oracle="mpfr"), FLOAT.bits(x.ravel()).astype(np.int64))
    for known in ((), ((*((stretch, 1.2) for stretch in range(0, 512, 3)),),)):
        found = judge_blocks(item, [blocks[k] for k in rng.permutation(len(blocks))], FULL, 0.0, known)
        assert repr(replace(found, spread=None)) == repr(replace(wanted, spread=None))
        assert found.spread.counts == wanted.spread.counts
        told, due = (joined(known, tuple(map(dict, one.spread.worst))) for one in (found, wanted))
        assert told == due


@NEEDS_NATIVE
@for_each("name", ["sin", "tanh", "asin", "asinh", "exp", "half_sin"])
@np.errstate(all="ignore")
def test_blocks_with_opposite_inputs_are_judged_as_in_one(name):
    """Blocks of neighbours in any order, some with mirrored results, whatever is known of stretches."""
    for law in (RELAXED, FULL):
        assert_blocks_are_judged(name, law)


@pytest.fixture
def limited(tmp_path, monkeypatch):
    """An edition of one's own with a limit of one's own."""

    def edition(name, text):
        row, table = re.compile(rf"^{name} += .*$", re.MULTILINE), files.path("editions") / DEFAULT / "limits.toml"
        rows = row.sub(f'{name} = "{text}"', table.read_text(encoding="utf-8"))  # of both tables
        rows = rows.replace(f'{name} = "{text}"', f'{name} = {{ float = "{text}", embedded = "4 ulp" }}', 1)
        (tmp_path / "limits.toml").write_text(rows, encoding="utf-8")
        (tmp_path / "edition.toml").write_text(f'title = "made up"\nbased_on = "{DEFAULT}"\n', encoding="utf-8")
        monkeypatch.setattr(Law, "others", lambda *_: ())
        return str(tmp_path)

    return edition


@NEEDS_NATIVE
@pytest.mark.parametrize("law", [RELAXED, FULL], ids=["relaxed", "full"])
@pytest.mark.parametrize(
    "made_up",
    [
        "undefined for x < -3; 40 ulp for x > 1; absolute 2^-20 for x in [-1, -0.5]; 6 ulp",
        "absolute 2^-16 for x in [0.25, 100]; 6 ulp",
    ],
    ids=["in several ways", "absolute for one"],
)
@np.errstate(all="ignore")
def test_signs_of_an_argument_may_have_limits_of_their_own(made_up, law, limited):
    assert_blocks_are_judged("sin", replace(law, edition=limited("sin", made_up)))


@NEEDS_NATIVE
def test_poles_of_both_signs_are_counted_each(limited):
    """Of an odd function without a limit, where edges prescribe infinities."""
    item, law = Item(builtin("tanpi"), FLOAT), replace(FULL, edition=limited("tanpi", "any"))
    x = np.arange(256, dtype=np.float32) + np.float32(0.5)
    results = right(item, x)
    found = judge_blocks(item, [Block((x,), (results,), (-results,))], law)
    assert found.tried == 2 * len(x)
    both = np.concatenate([x, -x]), np.concatenate([results, -results])
    assert_same(found, judge(item, both[:1], both[1:], replace(law, oracle="mpfr")), 0.0)


@NEEDS_NATIVE
def test_edges_may_ask_for_what_a_limit_leaves_open(limited):
    """Where they are not waived."""
    item, x = Item(builtin("log"), FLOAT), np.linspace(-7, 7, 500, dtype=np.float32)
    edition = limited("log", "undefined for x < 0; 3 ulp")
    for law, failed in ((FULL, 250), (RELAXED, 0)):
        told, actual = replace(law, edition=edition), right(item, np.abs(x))
        found = judge(item, (x,), (actual,), told)
        assert_same(found, judge(item, (x,), (actual,), replace(told, oracle="mpfr")), 0.0)
        assert found.failed == failed


@NEEDS_NATIVE
@np.errstate(all="ignore")
def test_between_poles_nothing_is_asked_of_what_a_limit_leaves_open(limited):
    """Of some numbers alone: others have a limit."""
    item, x = Item(builtin("tanpi"), FLOAT), np.arange(1, 4000, dtype=np.float32) / np.float32(8)
    law = replace(FULL, edition=limited("tanpi", "undefined for x > 3; 6 ulp"))
    for actual in (right(item, x), off(right(item, x), 9)):
        found = judge(item, (x,), (actual,), law)
        assert_same(found, judge(item, (x,), (actual,), replace(law, oracle="mpfr")), 0.0)
        assert found.unjudged == np.count_nonzero((x > 3) & (x % np.float32(0.5) != 0))


def assert_blocks_are_judged(name, law):
    """By the loop as by the reference."""
    item, rng = Item(builtin(name), FLOAT), np.random.default_rng(5)
    starts = rng.choice(1 << 15, 48, replace=False) << 16
    starts[:8] = FLOAT.bits(np.array([np.pi, 88, 2.0**16, 43.668, 0.7, 2, 6, np.inf], np.float32)) >> 8 << 8
    x = FLOAT.from_bits(np.add.outer(np.unique(starts), np.arange(256)).astype(np.uint32))
    actual = wrong(rng, right(item, x.ravel()), 0.03).reshape(x.shape)
    there = wrong(rng, right(item, -x.ravel()), 0.03).reshape(x.shape) if name == "exp" else -actual
    blocks = []
    for one, result, mirror in zip(x, actual, there, strict=True):
        apart = [Block((one,), (result,)), Block((-one,), (mirror,))]
        blocks += apart if name == "exp" else [Block((one,), (result,), (mirror,))]
    values, results = np.concatenate([x.ravel(), -x.ravel()]), np.concatenate([actual.ravel(), there.ravel()])
    order = np.argsort(FLOAT.bits(values))
    values, results, places = values[order], results[order], FLOAT.bits(values)[order].astype(np.int64)
    assert takes_blocks(item, blocks[0], law)
    wanted = judge(item, (values,), (results,), replace(law, oracle="mpfr"), places)
    for known in ((), ((*((stretch, 1.2) for stretch in range(0, 512, 3)),),)):
        found = judge_blocks(item, [blocks[k] for k in rng.permutation(len(blocks))], law, 0.0, known)
        assert repr(replace(found, spread=None)) == repr(replace(wanted, spread=None))
        assert found.spread.counts == wanted.spread.counts
        told, due = (joined(known, tuple(map(dict, one.spread.worst))) for one in (found, wanted))
        assert told == due


@pytest.mark.slow
@NEEDS_NATIVE
def test_a_signaling_nan_is_no_result_where_no_limit_holds():
    """But where the argument is one too, or nothing is asked of a call whatever it returns."""
    item, x = Item(builtin("half_sin"), FLOAT), np.array([1e6, 2e6, np.inf, SIGNALING], np.float32)
    for law, failed in ((FULL, 3), (RELAXED, 2)):
        found = judge(item, (x,), (np.full(4, SIGNALING),), law)
        assert found.failed == failed
        assert_same(found, judge(item, (x,), (np.full(4, SIGNALING),), replace(law, oracle="mpfr")), 0.0)


def test_what_a_relative_limit_allows_is_not_counted_as_flushed(limited):
    """Zeros for subnormal results, which the limit has room for: lanes do not say more than the law by exact values."""
    item, law = Item(builtin("exp2"), FLOAT), replace(FULL, flushes=True, edition=limited("exp2", "3 ulp + relative 1"))
    x, actual = np.array([-140.0, -130.0, -127.5, 1.0], np.float32), np.array([0, 0, 0, 3], np.float32)
    found = findings(Batch.of(item, (x,), (actual,), law), np.arange(len(x)))
    assert not found.codes.any()
    assert not found.flushed.any()
    call = Call.on(item, (x,), (actual,), law)
    _, _, (*_, flushed, fails, missed) = device_says(call, enclose("exp2", (x,), FLOAT)[0])
    assert not flushed.any()
    assert not fails.any()
    assert not missed.any()


@NEEDS_NATIVE
@pytest.mark.parametrize("text", ["3 + floor(|2x|) ulp", "derived log(x + 1)", "absolute 2^-3"])
def test_any_nan_is_right_where_nan_is_due(text, limited):
    """Whatever the limit, and whoever judges."""
    item, law = Item(builtin("half_log"), FLOAT), replace(FULL, edition=limited("half_log", text))
    x = np.array([-1.0, -0.5, np.nan, -np.nan, -np.inf], np.float32)
    actual = FLOAT.from_bits(np.array([0xFFC00000, 0x7FC12345, 0xFFC54321, 0x7FFFFFFF, 0xFFFFFFFF], np.uint32))
    for told in (law, replace(law, oracle="mpfr")):
        assert judge(item, (x,), (actual,), told).failed == 0


@NEEDS_NATIVE
@pytest.mark.parametrize("law", [FULL, RELAXED], ids=["full", "relaxed"])
def test_the_worst_right_result_is_found_beside_those_whose_errors_are_not_told(law):
    """Of the largest numbers and subnormal ones, which are known to be rounded correctly."""
    item = Item(builtin("exp"), FLOAT)
    for low, high in ((88.1, 88.7), (-100, -88)):
        parts = [np.linspace(low, high, 3000), np.linspace(0.5, 0.6, 30)]
        x = np.concatenate(parts).astype(np.float32)
        wanted = judge(item, (x,), (right(item, x),), replace(law, oracle="mpfr"))
        assert_same(judge(item, (x,), (right(item, x),), law), wanted, 0.0)


@NEEDS_NATIVE
@pytest.mark.parametrize("name", ["sin", "tanh", "cbrt"])
def test_nothing_may_be_left(name):
    """All that is given is counted by the loop."""
    item, x = Item(builtin(name), FLOAT), np.linspace(1.7, 2.3, 5000, dtype=np.float32)
    found = judge(item, (x,), (right(item, x),), RELAXED, 0, 3.0)
    assert found == replace(judge(item, (x,), (right(item, x),), replace(RELAXED, oracle="mpfr")), worst=None)
    assert found.tried == found.judged == len(x)


def test_nothing_fails_in_advance_where_arithmetic_on_arguments_may_excuse_it(monkeypatch):
    excused = [
        name for name in ("sin", "mad", "nextafter", "half_exp") if flushes_more(RELAXED, Item(builtin(name), FLOAT))
    ]
    assert excused == ["mad", "nextafter"]
    monkeypatch.setattr(regimes, "flushes_more", lambda *_: True)
    told = regimes.regimes.__wrapped__(Item(builtin("sin"), FLOAT), FULL)
    assert (told.kinds == regimes.JUDGED).all()
    assert np.isinf(told.requirements.refused).all()


def test_nothing_is_told_where_editions_waive_different_things(monkeypatch):
    item = Item(builtin("tanh"), FLOAT)
    assert [other.edition for other in RELAXED.others(item)] == [LATER]
    monkeypatch.setattr(Law, "waives", lambda self, what, _: what == "not finite" and self.edition == DEFAULT)
    assert regimes.regimes.__wrapped__(item, RELAXED) is None


def test_numbers_are_those_of_the_loop():
    """The loop has the number of bits in its text, which is that of the module for regimes, and its least floor."""
    assert f"#define LITTLE {compiled_loop.LITTLE.hex()} " in TEXT
    assert f"RANGE = {regimes.RANGE}," in TEXT
    assert f"RANGES = {(1 << FLOAT.width - regimes.RANGE) - 1} " in TEXT


def test_what_is_told_of_both_signs_holds_of_each():
    told = regimes.regimes(Item(builtin("tanh"), FLOAT), RELAXED)
    there = np.roll(told.kinds, 2048)
    assert np.array_equal(told.of_both_signs.kinds, np.where(told.kinds == there, told.kinds, regimes.UNTOLD))


@for_each("law", [FULL, RELAXED])
@for_each("name", ["sin", "exp", "log", "sqrt", "degrees", "half_sin", "native_exp", "ceil", "tanpi"])
@np.errstate(all="ignore")
def test_lanes_say_of_a_result_what_exact_values_do(name, law):
    """Of what the compiled loop is printed from, as NumPy runs it: results right and wrong in many ways."""
    item, law, (x,), results = spoiled(name, FLOAT, law)
    told, wide, place = regimes.regimes(item, law), x.astype(np.float64), FLOAT.bits(x) >> regimes.RANGE
    (bounds,), got = enclose(name, (x,), FLOAT), FLOAT.bits(results[0]).view(np.int32).astype(np.int64)
    asked, given = told.requirements, (wide, *parts_of(bounds.value, FLOAT), got)
    conforms, fails, least, most, _ = judged(*given, bounds.off, *(one[place] for one in by_place(asked)))
    batch = Batch.of(item, (x,), results, law)
    wrong, errors = conformity.codes_of(batch)[0] != 0, np.abs(batch.truth[0].errors(results[0]))
    here, free = asked.is_judged[place], findings(batch, np.arange(len(x)))._free()[:, 0]
    if told.left_out != NOTHING:
        left, counts = (left_free if told.left_out == FREE else left_waived)(*given)
        assert not wrong[left & here].any()
        assert free[left & here].all()
        assert np.array_equal(counts & here, batch.is_counted(0) & here & (counts | left))
        assert np.mean((left | counts)[here]) > 0.95
        here = here & counts
    assert not wrong[conforms & here].any()
    assert wrong[fails & here].all()
    known = (conforms | fails) & here & (most > 0.0)
    assert (least <= errors * (1 + 2.0**-30))[known].all()
    assert (errors <= most * (1 + 2.0**-30))[known].all()
    right = here & (FLOAT.bits(batch.truth[0].rounded) == FLOAT.bits(results[0]))
    assert np.mean(conforms[right]) > 0.95
    assert np.mean((conforms | wrong)[here]) > 0.85
    ordinary = here & wrong & np.isfinite(results[0]) & are_normal(x) & are_normal(results[0])
    assert not ordinary.any() or np.mean((fails | ~np.isfinite(asked.refused[place]))[ordinary]) > 0.8


def by_place(asked):
    """As lanes are given them."""
    return asked.allowed, asked.tolerance, asked.refused


def are_normal(values):
    return np.abs(values) >= FLOAT.smallest_normal


# value, err, whether it is known how what lies there is rounded
ENCLOSED = [
    (1.3, 2.0**-50, True), (1.0 + 2.0**-24, 2.0**-50, False), (1.0 + 2.0**-24, 0.0, True), (1.3, 2.0**-20, False),
    (-1.0 - 2.0**-24, 2.0**-50, False), (2.0**129, 2.0**100, True), (2.0**128 + 2.0**90, 2.0**90, True),
    (2.0**128 + 2.0**90, 2.0**91, False), (2.0**128, 0.0, True), (2.0**-160, 2.0**-165, True), (np.nan, 0.0, True),
    (2.0**-151, 2.0**-151, False), (2.0**-150, 2.0**-200, False), (-(2.0**-155), 2.0**-160, True),
]  # fmt: skip


@np.errstate(all="ignore")
def test_nothing_is_told_where_it_is_not_known_how_a_value_is_rounded():
    value, err, known = (np.array(column) for column in zip(*ENCLOSED, strict=True))
    assert knows_rounded(value, err).tolist() == known.tolist()
    x, nearest = np.full(len(value), 1.5), value.astype(np.float32)
    for steps, limit in ((0, 3.0), (1, 3.0), (90, 3.0)):
        code = (nearest.view(np.int32) + np.int32(steps)).astype(np.int64)
        conforms, fails, *_ = judged(
            x, value, err, code, 0.0, *(np.full(len(value), one) for one in (limit, 0.0, limit))
        )
        assert not (conforms | fails)[~known].any()
        assert steps or conforms[known].all()
        assert steps < 90 or fails[known & (np.abs(value) > 1.0) & (np.abs(value) < 2.0)].all()


@np.errstate(all="ignore")
def test_what_is_left_out_is_what_is_due_and_no_number():
    """Not what may be a number; where no limit holds, a signaling NaN is looked at."""
    infinity, largest = 2.0**128 - 2.0**103, FLOAT.largest
    value = np.array([1.5, infinity, infinity, -infinity, 2.0**130, -np.inf, np.nan, largest, -largest])
    err = np.array([0.0, 0.0, 2.0**70, 2.0**70, 2.0**80, 0.0, 0.0, 0.0, 2.0**40])
    x, quiet = np.full(len(value), 1.5), np.full(len(value), 0x7FC00000)
    left, counts = left_waived(x, value, err, quiet)
    assert left.tolist() == [False, True, False, False, True, True, True, False, False]
    assert counts.tolist() == [True, False, False, False, False, False, False, True, False]
    left, counts = left_free(x, value, err, quiet)
    assert counts.tolist() == np.isfinite(value).tolist()
    assert left.tolist() == (~np.isfinite(value)).tolist()
    for code in (0x7F800001, -(1 << 31) + 0x7F800001):
        assert not left_free(x, value, err, np.full(len(value), code))[0].any()


@np.errstate(all="ignore")
def test_what_is_due_is_off_by_nothing_but_its_rounding():
    """NaN, infinities and zeros are not measured; numbers are, by their distance too."""
    value = np.array([np.nan, np.inf, -np.inf, 0.0, 1.0, 1.0 + 2.0**-25, 3.0 + 2.0**-30, 3.0, 2.0**129])
    actual = np.array([np.nan, np.inf, -np.inf, 0.0, 1.0, 1.0, 3.0 + 2.0**-20, 7.0, np.inf], np.float32)
    actual[0] = FLOAT.from_bits(np.array([0xFFC54321], np.uint32))[0]  # another NaN
    given = np.full(len(value), 1.5), value, np.zeros(len(value)), actual.view(np.int32).astype(np.int64), 0.0
    conforms, fails, least, most, bins = judged(*given, *(np.full(len(value), one) for one in (5.0, 0.0, 5.0)))
    assert conforms.tolist() == [True, True, True, True, True, True, True, False, True]
    assert fails.tolist() == [False] * 7 + [True, False]
    assert bins.tolist() == [0, 0, 0, 0, 0, 0, 3, 18, 0]
    sizes = [0.0, 0.0, 0.0, 0.0, 0.0, 0.25, 4.0 - 2.0**-8, 2.0**24, 0.0]
    assert np.allclose(least, sizes, rtol=2.0**-30, atol=0.0)
    assert np.allclose(most, sizes, rtol=2.0**-30, atol=0.0)
