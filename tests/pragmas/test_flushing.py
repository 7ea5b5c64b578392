"""Emulated flushing to zero: compared with exact fractions and with audits' criteria, and its scope."""

from __future__ import annotations

import itertools
import operator
import threading
from fractions import Fraction

import numpy as np
import pytest

import clmath
from clmath import pragmas
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.audit.targets.clmath_functions import Clmath
from clmath.call import device_arrays, on_device
from clmath.call import rounded as rounded_calls
from clmath.numbers.formats import FLOAT, FORMATS, HALF, format_of
from clmath.spec.builtins import builtins
from tests import by_fractions
from tests.cases import for_each
from tests.rounding_reference import MODES, assert_bits, rounded

F32 = np.float32
TINY = F32(2.0**-126)
SUBNORMAL = F32(-1e-40)


class Flushing(Clmath):
    """Target: clmath as a device that flushes; ``declared``: whether it says so."""

    def __init__(self, *, declared=True):
        self.name, self.declared = "flushing", declared

    def flushes(self, form):  # noqa: ARG002 - parameter of the protocol
        return self.declared

    def evaluate(self, row, form, args):
        with clmath.flush_to_zero("half", "float", "double"):
            return super().evaluate(row, form, args)


def tally(names, target, types=("float",), count=2000):
    """Return the verdicts of an audit by name of the item."""
    return {str(verdict.item): verdict for verdict in audit(Plan.of(names, types, inputs=count), target)}


def flushed_fractions(values, form):
    """Return numbers as fractions, after flushing subnormal ones to zero."""
    tiny = Fraction(float(form.smallest_normal))
    return [v if abs(v) >= tiny else Fraction(0) for v in by_fractions.as_fractions(values)]


def flushed_results(exact, form, mode):
    """Return exact results rounded by a flushing device: +0 for results that are subnormal before rounding."""
    tiny = Fraction(float(form.smallest_normal))
    return rounded([v if abs(v) >= tiny else Fraction(0) for v in exact], form.dtype, mode)


def near_the_smallest(rng, form, count):
    """Return numbers of both signs below and above the smallest normal one, and zeros."""
    values = form.from_bits(rng.integers(0, 3 << (form.precision - 1), count).astype(form.bits_dtype))
    return np.where(rng.random(count) < 0.5, -values, values).astype(form.dtype)


@for_each("form", FORMATS)
def test_operands_and_results_are_flushed_before_rounding(form):
    """Products and sums are near the smallest normal number."""
    rng = np.random.default_rng(3)
    x = near_the_smallest(rng, form, 600)
    y = np.concatenate([x[::-1][:300], rng.choice(np.array([0.5, -1, 1 - 2.0**-9, 2], form.dtype), 300)])
    x[300:400], y[300:400] = form.smallest_normal, np.nextafter(np.ones(1, form.dtype), 0)
    check_arithmetic(form, x, y)


def check_arithmetic(form, x, y):
    pairs = list(zip(flushed_fractions(x, form), flushed_fractions(y, form), strict=True))
    for mode, name in itertools.product(MODES, ("mul", "add", "sub")):
        with clmath.flush_to_zero(form.name):
            found = getattr(clmath, name)(x, y, rounding=mode)
        due = flushed_results([getattr(operator, name)(*pair) for pair in pairs], form, mode)
        assert_bits(f"{name}, {mode}", np.where(found == 0, abs(found), found), due, x, y)  # signs of zeros: next test


def test_zero_has_the_sign_of_the_flushed_number():
    with clmath.flush_to_zero("float"):
        assert np.signbit(clmath.floor(SUBNORMAL))
        assert clmath.floor(SUBNORMAL) == 0
        assert np.signbit(clmath.mul(-TINY, F32(0.25)))
        assert clmath.div(F32(1), SUBNORMAL) == -np.inf
        assert clmath.atan2(SUBNORMAL, F32(-1)) == F32(-np.pi)


def test_result_is_flushed_if_it_is_subnormal_before_rounding():
    x = F32(1 - 2.0**-24)
    assert clmath.mul(TINY, x) == TINY
    with clmath.flush_to_zero("float"):
        assert clmath.mul(TINY, x) == 0
        assert clmath.mul(TINY, F32(1)) == TINY
        assert clmath.fmax(TINY, F32(0)) == TINY


def test_components_of_vectors_are_flushed_separately():
    with clmath.flush_to_zero("float"):
        assert clmath.cross(F32([1, 0, 0]), F32([0, 1e-40, 1])).tolist() == [0, -1, 0]
        assert clmath.length(F32([1e-40, 3, 4])) == 5


def test_flushing_applies_to_the_formats_of_the_innermost_block():
    x = np.float64(5e-324)
    assert clmath.sin(SUBNORMAL) != 0
    with clmath.flush_to_zero("float"):
        assert clmath.sin(SUBNORMAL) == 0
        assert clmath.sin(x) == x
        with clmath.flush_to_zero("double", "half"):
            assert clmath.sin(SUBNORMAL) != 0
            assert clmath.sin(x) == 0
            with clmath.flush_to_zero():
                assert clmath.sin(x) == x
        assert clmath.sin(SUBNORMAL) == 0
        other = []
        thread = threading.Thread(target=lambda: other.append(clmath.sin(SUBNORMAL)))
        thread.start()
        thread.join()
        assert other[0] != 0
    assert clmath.sin(SUBNORMAL) != 0

    @clmath.flush_to_zero("float")
    def decorated():
        return clmath.sin(SUBNORMAL)

    assert decorated() == 0


def test_calls_after_a_block_use_compiled_code_again(monkeypatch):
    with clmath.flush_to_zero("float"):
        assert pragmas.may_flush()
        with clmath.flush_to_zero():
            assert not pragmas.may_flush()
    monkeypatch.setattr(rounded_calls, "prepare", lambda *_: pytest.fail("the call does not use compiled code"))
    if clmath.engines()["native"].startswith("runs"):
        assert clmath.exp(np.zeros(3, F32)).tolist() == [1, 1, 1]
    assert not pragmas.may_flush()


def test_results_are_stored_in_out_as_without_flushing():
    x = F32([-1e-40, 0.5, 1e-40])
    due = [-0.0, float(clmath.sin(F32(0.5))), 0.0]
    with clmath.flush_to_zero("float"):
        out = np.full(3, 7, "f4")
        assert clmath.sin(x, out=out) is out
        assert out.tolist() == due
        out[:] = 7
        assert clmath.sin(x, out=out, where=[True, False, False]) is out
        assert out.tolist() == [0, 7, 7]
        parts = np.empty(3, "f4"), np.empty(3, "i4")
        assert clmath.frexp(x, out=parts) is parts
        assert parts[1].tolist() == [0, 0, 0]
        masked = clmath.sin(np.ma.MaskedArray(x, [0, 1, 0]))
        assert masked.tolist() == [0, None, 0]
        assert clmath.pown(x, 1).tolist() == [0, 0.5, 0]
        assert isinstance(clmath.sin(SUBNORMAL), np.float32)
    assert x[0] == SUBNORMAL


def test_functions_that_move_bits_keep_subnormal_numbers():
    memory, texels = np.zeros(2, np.float16), clmath.Image(SUBNORMAL.reshape(1, 1), "float", "r")
    with clmath.flush_to_zero("half", "float", "double"):
        assert clmath.fabs(SUBNORMAL) == -SUBNORMAL
        assert clmath.negative(SUBNORMAL) == -SUBNORMAL
        assert clmath.signbit(SUBNORMAL) == 1
        assert clmath.select(SUBNORMAL, F32(0), np.int32(0)) == SUBNORMAL
        assert clmath.convert(SUBNORMAL, "float") == SUBNORMAL
        assert clmath.convert(np.float16(6e-8), "float") == 2.0**-24  # exact by cl_khr_fp16
        assert clmath.work_group_broadcast(F32([1, SUBNORMAL]), 1) == SUBNORMAL
        assert texels.read(None, 0)[0] == SUBNORMAL
        assert texels.read(clmath.Sampler("clamp"), F32(0.5))[0].tobytes() == F32(-0.0).tobytes()
        clmath.vstore_half(F32(2.0**-24), 1, memory)
        assert clmath.vload_half(1, memory) == 2.0**-24


COMPARED = {
    "equal": "isequal", "not_equal": "isnotequal", "less": "isless", "less_equal": "islessequal",
    "greater": "isgreater", "greater_equal": "isgreaterequal",
}  # fmt: skip


@for_each("form", FORMATS)
@for_each("name", COMPARED)
def test_comparisons_flush_their_operands(name, form):
    assert check_comparisons(np.random.default_rng([3, *name.encode()]), name, form)


def check_comparisons(rng, name, form):
    """Check comparisons of few numbers; return whether flushing changes any of them."""
    x, y = (rng.choice(near_the_smallest(rng, form, 12), 400) for _ in range(2))
    compare = getattr(np, name)
    a, b = (np.array(flushed_fractions(v, form), object) for v in (x, y))
    due = compare(a, b).astype(np.int32)
    with clmath.flush_to_zero(form.name):
        for called in (name, COMPARED[name]):
            function = getattr(clmath, called)
            assert_bits(called, function(x, y), due, x, y)
            assert function(x, y, vector=True).tolist() == (-due).tolist()
            assert [int(function(*pair)) for pair in zip(x[:40], y[:40], strict=True)] == due[:40].tolist()
        assert clmath.logical_not(x).tolist() == (a == 0).astype(int).tolist()
        assert clmath.conditional(x, 1, 0).tolist() == (a != 0).astype(int).tolist()
    return due.tolist() != compare(x, y).astype(int).tolist()


@for_each("target", ["half", "float", "double", "int", "uchar", "bool"])
@for_each("source", FORMATS[1:])
def test_conversions_flush_operands_and_results(source, target):
    check_conversions(np.random.default_rng([5, *target.encode()]), source, target)


def check_conversions(rng, source, target):
    """Check conversions of numbers near the smallest normal ones of both formats."""
    form = format_of(clmath.convert(0, target).dtype)
    x = near_the_smallest(rng, source, 200)
    if form is not None and form.emin > source.emin:
        x[100:] = (near_the_smallest(rng, form, 100) * rng.uniform(0.9, 1.1, 100)).astype(source.dtype)
        x[:50] = np.nextafter(np.full(50, form.smallest_normal, source.dtype), 0)
    taken = flushed_fractions(x, source)
    for mode in MODES if target != "bool" else (None,):
        with clmath.flush_to_zero(*(f.name for f in FORMATS)):
            got = clmath.convert(x, target, rounding=mode)
            singles = [clmath.convert(v, target, rounding=mode).tobytes() for v in x[:60]]
        assert singles == [g.tobytes() for g in got[:60]]
        if form is None:
            due = clmath.convert(np.array([float(v) for v in taken]), target, rounding=mode)
        else:
            due = x if form == source else np.copysign(flushed_results(taken, form, mode), x).astype(form.dtype)
        assert_bits(f"convert_{target}, {mode}", got, due, x)


@for_each("form", FORMATS)
def test_sums_of_groups_flush_items_and_results(form):
    x = near_the_smallest(np.random.default_rng(3), form, 900).reshape(150, 6)
    taken = [flushed_fractions(line, form) for line in x]
    for mode in MODES:
        with clmath.flush_to_zero(form.name):
            total = clmath.work_group_reduce(x, "add", rounding=mode)
            after = clmath.work_group_scan_inclusive(x, "add", rounding=mode)[:, -1]
        due = flushed_results(list(map(sum, taken)), form, mode)
        assert total.tolist() == after.tolist() == due.tolist()
    with clmath.flush_to_zero(form.name):
        least = clmath.work_group_reduce(x, "min")
    assert least.tolist() == [float(min(line)) for line in taken]


# built-ins that are compared bit by bit: those that compute may flush, those that move bits may not
MAY_FLUSH = ["add", "less", "not_equal", "logical_and", "logical_not", "isgreaterequal", "islessgreater"]
MAY_FLUSH += ["convert_int_rtp", "convert_double", "convert_half_rtz", "work_group_reduce_add", "sub_group_reduce_min"]
MAY_FLUSH += ["work_group_scan_exclusive_max", "fp_contract_off_mul_add"]
KEEPS_BITS = ["select", "bitselect", "negative", "work_group_broadcast", "read_half_float", "vload"]


@pytest.mark.slow
@pytest.mark.parametrize("declared", [True, False])
def test_emulated_flushing_passes_bitwise_comparison_only_if_declared(declared):
    for names, failing in ((MAY_FLUSH, not declared), (KEEPS_BITS, False)):
        for item, verdict in tally(names, Flushing(declared=declared), count=300).items():
            if "exclusive" in item and verdict.item.width == 1:
                continue  # an exclusive scan of one item is the identity
            assert (verdict.tally.failed > 0) == failing, (item, verdict.tally.failures[:2])


SAMPLE = ["add", "mul", "div", "sqrt", "fma", "mad", "sin", "exp2", "pow", "ldexp", "nextafter", "fmod", "remquo"]
SAMPLE += ["atan2", "fract", "modf", "hypot", "fdim", "clamp", "step", "mix", "dot", "normalize", "cross", "frexp"]


@pytest.mark.slow
@pytest.mark.parametrize("form, names", [(HALF, SAMPLE[::2]), (FLOAT, SAMPLE[1::2])], ids=["half", "float"])
def test_emulated_flushing_passes_if_declared(form, names):
    check_that_all_pass(form, names)


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", [HALF, FLOAT], ids=str)
def test_emulated_flushing_of_more_built_ins_passes_if_declared(form):
    check_that_all_pass(form, SAMPLE)


def check_that_all_pass(form, names):
    """Assert that no result fails; not for double, which may be flushed only with a build option."""
    names = [name for name in names if form in builtins()[name].formats]
    for item, verdict in tally(names, Flushing(), [form.name], 300).items():
        assert verdict.tally.failed == 0, (item, verdict.tally.failures[:2])


@pytest.mark.slow
def test_emulated_flushing_fails_if_not_declared():
    found = tally(["add", "mul", "sin", "fmod"], Flushing(declared=False), ["double"])
    assert [item for item, verdict in found.items() if not verdict.tally.failed] == []


def test_flushing_of_normal_numbers_fails_even_if_declared():
    """The device flushes every result below 2^-125, twice the smallest normal number."""

    class TooMuch(Flushing):
        def evaluate(self, row, form, args):
            (result,) = super().evaluate(row, form, args)
            return (np.where(np.abs(result) < 2 * form.smallest_normal, form.dtype.type(0), result),)

    (verdict,) = tally(["mul"], TooMuch()).values()
    assert verdict.tally.failed


@pytest.mark.slow
def test_audit_inside_a_flushing_block_is_not_affected():
    class Keeping(Clmath):
        def evaluate(self, row, form, args):
            with clmath.flush_to_zero():
                return super().evaluate(row, form, args)

    with clmath.flush_to_zero("float"):
        found = tally(["sin", "mix", "fp_contract_off_mul_add"], Keeping(), count=50)
    assert [item for item, verdict in found.items() if verdict.tally.failed] == []


def test_array_on_a_device_is_refused(monkeypatch):
    monkeypatch.setattr(device_arrays, "are_there", lambda _: True)
    monkeypatch.setattr(on_device, "library_of", lambda *_: None)
    with clmath.flush_to_zero("float"), pytest.raises(clmath.DTypeError, match="copy them to the host first"):
        clmath.sin(F32([1]).view(type("Array", (np.ndarray,), {})))


@pytest.mark.exhaustive
@pytest.mark.parametrize("seed", range(4))
def test_a_million_random_numbers_are_flushed_correctly(seed):
    rng = np.random.default_rng([seed, 1])
    for _, form in itertools.product(range(5), FORMATS):
        check_arithmetic(form, *(by_fractions.numbers(rng, form.dtype, 1000) for _ in range(2)))
        for name in COMPARED:
            check_comparisons(rng, name, form)
        for source in FORMATS[1:]:
            check_conversions(rng, source, form.name)


def test_dask_arrays_of_a_format_that_is_kept_are_computed():
    array = pytest.importorskip("dask.array")
    p = array.from_array(np.float32([[3, 4], [0, 2]]), chunks=(1, 2))
    with clmath.flush_to_zero("half"):
        assert np.asarray(clmath.length(p)).tolist() == [5.0, 2.0]
    with clmath.flush_to_zero("float"), pytest.raises(clmath.DTypeError, match="flushed"):
        clmath.length(p)
