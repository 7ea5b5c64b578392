"""Rows of macros: each that is off by one number or one ulp, or that is missing, is caught on a real device."""

from __future__ import annotations

import re

import numpy as np
import pytest

from clmath import constants
from clmath.audit.exact.exact_law import law_of
from clmath.audit.opencl.exact_calls import Groups
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.running.run import audit
from clmath.audit.subjects.clmath_itself import Clmath
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.families import families
from tests.audit.together import Together

MACROS = {row.name: row for row in families().values() if row.chapter == "constants" and not row.optional}
DEFINED = [name for name, row in MACROS.items() if not row.formula]
SUBNORMALS = {HALF: "HAS_HALF_FP_DENORM", FLOAT: "HAS_SINGLE_FP_DENORM", DOUBLE: "HAS_DOUBLE_FP_DENORM"}
UNSIGNED = {2: "ushort", 4: "uint", 8: "ulong"}


@pytest.fixture(scope="module")
def device(opencl_device):
    from clmath.audit.opencl.devices import find

    return find(opencl_device.removeprefix("opencl:"))


def beginning_with(lines, text):
    """A program text that begins with those of ``lines`` that concern it."""
    concerned = (line for line in lines if re.search(rf"\b{line.split()[1]}\b", text))
    return "".join(f"{line}\n" for line in concerned) + text


def plan_of(names):
    return Plan.of([MACROS[name] for name in names], list(TYPES), second_look=False, jobs=1)


@pytest.fixture(scope="module")
def verdicts_with(device):
    """The verdicts of a real device, by name, whose programs begin with those of ``lines`` that concern them.

    Programs that are as before need not be compiled again. ``kernels``: gives the kernel of a program text.
    """
    from clmath.audit.opencl.opencl_subject import OpenCL

    programs = {}

    def of(lines, names=MACROS, kernels=None):
        class Altered(OpenCL):
            def _program(self, text):
                whole = beginning_with(lines, text)
                programs[whole] = programs.get(whole) or super()._program(whole)
                return programs[whole]

        subject = Altered(device)
        if kernels:
            subject._groups = Groups(lambda text, _: kernels(beginning_with(lines, text)), subject.defines)
        return {verdict.item.builtin.name: verdict for verdict in audit(plan_of(names), subject)}

    return of


def literal(value):
    """An expression of OpenCL C whose value has the bits of ``value``."""
    if value.dtype.kind in "iu":
        name = next(n for n, t in TYPES.items() if t.dtype == value.dtype)
        return f"(({name})({int(value)}{'ul' if value.dtype.kind == 'u' else 'l'}))"
    name = next(n for n, t in TYPES.items() if t.dtype == value.dtype)
    return f"as_{name}(({UNSIGNED[value.itemsize]}){int(value.view(f'u{value.itemsize}')):#x}ul)"


def next_to(value, step):
    """The number whose encoding is one further, of NaN none."""
    if value.dtype.kind in "iu":
        return value + value.dtype.type(1) if value < np.iinfo(value.dtype).max else value - value.dtype.type(1)
    bits = int(value.view(f"u{value.itemsize}")) + step
    return np.array(bits, f"u{value.itemsize}").view(value.dtype)[()]


def redefined(name, text):
    return [f"#undef {name}", f"#define {name} {text}"]


def wrong(name, step):
    value = getattr(constants, name)
    if np.isnan(value):
        return redefined(name, "1.0f")
    return redefined(name, literal(next_to(value, step)))


@pytest.mark.slow
def test_a_real_device_passes(verdicts_with):
    assert {v.status for v in verdicts_with([]).values()} == {"pass"}


STEPS = {step: [line for name in DEFINED for line in wrong(name, step)] for step in (1, -1)}


@pytest.fixture(scope="module")
def kernels_off_by_one(device):
    """The kernel of each program text in which all macros are off, of whatever type, compiled as one program."""
    from clmath.audit.opencl.opencl_subject import OpenCL

    texts, subject = set(), OpenCL(device)
    asked = Groups(lambda text, _: texts.add(text) or text, subject.defines)
    for item in plan_of(DEFINED).items():
        if subject.defines(item.builtin, item.form):
            asked.kernel(item)
    whole = [beginning_with(lines, text) for lines in STEPS.values() for text in texts]
    return Together(whole, lambda text: subject._compiled(text, "macros").program).kernel


@pytest.mark.slow
@pytest.mark.parametrize("step", STEPS)
def test_every_macro_that_is_off_by_one_is_caught(verdicts_with, kernels_off_by_one, step):
    verdicts = verdicts_with(STEPS[step], DEFINED, kernels_off_by_one)
    assert len(verdicts) > 60
    for name, verdict in verdicts.items():
        assert verdict.status == "fail", name
        assert verdict.tally.failed, name


@pytest.mark.slow
def test_one_that_is_not_defined_is_caught(verdicts_with):
    verdicts = verdicts_with(["#undef M_SQRT2_F", "#undef FLT_DIG"], ["M_SQRT2_F", "FLT_DIG", "M_PI_F", "FLT_RADIX"])
    assert {n: v.status for n, v in verdicts.items()} == {
        "M_SQRT2_F": "fail",
        "FLT_DIG": "fail",
        "M_PI_F": "pass",
        "FLT_RADIX": "pass",
    }


class Flushing(Clmath):
    """clmath, but for subnormal numbers: whether it says that it has them, and whether it has."""

    def __init__(self, claims, has):
        self.name, self.claims, self.has = "flushing", claims, has

    def flushes(self, _):
        return not self.claims

    def evaluate(self, row, form, args):
        if row.name not in SUBNORMALS.values():
            return super().evaluate(row, form, args)
        return (np.full(len(args[0]), int(self.has), np.int32),)


@pytest.mark.parametrize("has", [True, False])
@pytest.mark.parametrize("claims", [True, False])
def test_what_is_said_of_subnormals_is_done(claims, has):
    subject = Flushing(claims, has)
    rows = [MACROS[name] for name in SUBNORMALS.values()]
    failed = {v.item.builtin.name for v in audit(Plan.of(rows, ["int"]), subject) if v.status == "fail"}
    if has:
        assert not failed
    else:  # every device has those of double
        assert failed == (set(SUBNORMALS.values()) if claims else {"HAS_DOUBLE_FP_DENORM"})


def test_a_build_option_may_take_them_away():
    item = item_of(MACROS["HAS_SINGLE_FP_DENORM"], TYPES["int"])
    subject = Flushing(claims=True, has=False)
    subject.build_options = lambda: ("-cl-denorms-are-zero",)
    assert "float" in law_of(item, Plan.of([item.builtin], ["int"]), subject).flushed
    (verdict,) = audit(Plan.of([item.builtin], ["int"]), subject)
    assert verdict.status == "pass"
