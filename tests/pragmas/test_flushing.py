"""Flushing to zero as a choice: against exact fractions, against rules of audits, and where it is in force."""

from __future__ import annotations

import threading
from fractions import Fraction
from types import SimpleNamespace

import numpy as np
import pytest

import clmath
from clmath import pragmas
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.audit.subjects.clmath_itself import Clmath
from clmath.call import flushed, rounded
from clmath.numbers.formats import FORMATS, format_of
from clmath.numbers.rounding import MODES, round_real
from clmath.spec.builtins import builtins

F32 = np.float32
TINY = F32(2.0**-126)
SUBNORMAL = F32(-1e-40)


class Flushing(Clmath):
    """clmath as a device that flushes; ``said``: whether it declares so."""

    def __init__(self, *, said=True):
        self.name, self.said = "flushing", said

    def flushes(self, form):  # noqa: ARG002 - as of every subject
        return self.said

    def evaluate(self, row, form, args):
        with clmath.flush_to_zero("half", "float", "double"):
            return super().evaluate(row, form, args)


def tally(rows, subject, types=("float",), count=2000):
    plan = Plan.of(rows, types, inputs=count)
    return {str(verdict.item): verdict for verdict in audit(plan, subject)}


@pytest.mark.parametrize("mode", MODES)
@pytest.mark.parametrize("dtype", ["f2", "f4", "f8"])
def test_operands_and_results_are_flushed_before_rounding(dtype, mode):
    """Products and sums around the smallest normal number, by fractions."""
    form, rng = format_of(np.dtype(dtype)), np.random.default_rng(len(mode))
    tiny = Fraction(float(form.smallest_normal))
    near = form.from_bits(rng.integers(0, 3 << (form.precision - 1), 300).astype(form.bits_dtype))
    near = np.where(rng.random(300) < 0.5, -near, near).astype(dtype)
    others = np.concatenate([near[::-1][:150], rng.choice(np.array([0.5, -1, 1 - 2.0**-9, 2], dtype), 150)])
    others[150:200] = np.nextafter(np.ones(1, dtype), 0)
    near[150:200] = form.smallest_normal
    with clmath.flush_to_zero(form.name):
        found = {"mul": clmath.mul(near, others, rounding=mode), "add": clmath.add(near, others, rounding=mode)}
    for name, exact in (("mul", lambda a, b: a * b), ("add", lambda a, b: a + b)):
        for x, y, got in zip(near, others, found[name], strict=True):
            a, b = (Fraction(float(v)) if abs(Fraction(float(v))) >= tiny else Fraction(0) for v in (x, y))
            value = exact(a, b)
            due = 0.0 if abs(value) < tiny else round_real(value, form, mode)
            assert float(got) == float(due), (name, x, y)


def test_zeros_have_the_signs_of_what_is_flushed():
    with clmath.flush_to_zero("float"):
        assert np.signbit(clmath.floor(SUBNORMAL))
        assert clmath.floor(SUBNORMAL) == 0
        assert np.signbit(clmath.mul(-TINY, F32(0.25)))
        assert clmath.div(F32(1), SUBNORMAL) == -np.inf
        assert clmath.atan2(SUBNORMAL, F32(-1)) == F32(-np.pi)


def test_what_rounds_to_the_smallest_normal_number_is_subnormal_before():
    x = F32(1 - 2.0**-24)
    assert clmath.mul(TINY, x) == TINY
    with clmath.flush_to_zero("float"):
        assert clmath.mul(TINY, x) == 0
        assert clmath.mul(TINY, F32(1)) == TINY
        assert clmath.fmax(TINY, F32(0)) == TINY


def test_every_lane_of_vectors_by_itself():
    with clmath.flush_to_zero("float"):
        assert clmath.cross(F32([1, 0, 0]), F32([0, 1e-40, 1])).tolist() == [0, -1, 0]
        assert clmath.length(F32([1e-40, 3, 4])) == 5


def test_formats_nesting_and_scope():
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


def test_calls_after_a_block_take_the_short_way_again(monkeypatch):
    with clmath.flush_to_zero("float"):
        assert pragmas.may_flush()
        with clmath.flush_to_zero():
            assert not pragmas.may_flush()
    monkeypatch.setattr(rounded, "prepare", lambda *_: pytest.fail("prepared as what compiled code does not take"))
    if clmath.engines()["native"].startswith("runs"):
        assert clmath.exp(np.zeros(3, F32)).tolist() == [1, 1, 1]
    assert not pragmas.may_flush()


def test_results_go_where_they_always_go():
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


def test_what_moves_bits_and_other_chapters_keep_subnormal_numbers():
    with clmath.flush_to_zero("float"):
        assert clmath.fabs(SUBNORMAL) == -SUBNORMAL
        assert clmath.convert(SUBNORMAL, "double") == float(SUBNORMAL)
        assert clmath.isless(SUBNORMAL, F32(0)) == 1


SAMPLE = ["add", "mul", "div", "sqrt", "fma", "mad", "sin", "exp2", "pow", "ldexp", "nextafter", "fmod", "remquo"]
SAMPLE += ["atan2", "fract", "modf", "hypot", "fdim", "clamp", "step", "mix", "dot", "normalize", "cross", "frexp"]


@pytest.mark.drawn("name")
@pytest.mark.parametrize("name", SAMPLE)
def test_audits_excuse_what_is_emulated_of_a_device_that_says_so(name):
    for form in FORMATS[:2]:  # double may be flushed under build options alone
        if form in builtins()[name].formats:
            for row in tally([name], Flushing(), [form.name], 300).values():
                assert row.tally.failed == 0, (row.item, row.tally.failures[:2])


@pytest.mark.parametrize("name", ["add", "mul", "sin", "fmod"])
def test_and_nothing_of_one_that_does_not(name):
    (row,) = tally([name], Flushing(said=False), ["double"]).values()
    assert row.tally.failed


def test_another_emulation_is_not_excused():
    """A device that takes every number below 2^-125 for zero fails, though it says that it flushes."""

    class TooMuch(Flushing):
        def evaluate(self, row, form, args):
            (result,) = super().evaluate(row, form, args)
            return (np.where(np.abs(result) < 2 * form.smallest_normal, form.dtype.type(0), result),)

    (row,) = tally(["mul"], TooMuch()).values()
    assert row.tally.failed


def test_an_audit_inside_of_a_block_judges_as_outside():
    class Keeping(Clmath):
        def evaluate(self, row, form, args):
            with clmath.flush_to_zero():
                return super().evaluate(row, form, args)

    with clmath.flush_to_zero("float"):
        found = tally(["sin", "mix", "fp_contract_off_mul_add", "fp_contract_on_mul_sub_mul"], Keeping(), count=200)
    assert {name: row.tally.failed for name, row in found.items()} == dict.fromkeys(found, 0)


def test_arrays_on_a_device_are_refused(monkeypatch):
    monkeypatch.setattr(flushed, "on_device", SimpleNamespace(are_there=lambda _: True))
    with clmath.flush_to_zero("float"), pytest.raises(clmath.DTypeError, match="copy them to the host first"):
        clmath.sin(F32([1]))


def test_other_formats_are_refused():
    with pytest.raises(clmath.UnknownNameError, match=r"format='single' is not one of 'half', 'float', 'double'"):
        clmath.flush_to_zero("single")
