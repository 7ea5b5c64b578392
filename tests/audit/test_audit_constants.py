"""Rows of macros: each that is off by one number, or that is not defined, is caught."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.exact.exact_law import law_of
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.running.run import audit
from clmath.audit.subjects.clmath_functions import Clmath
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.families import families

MACROS = {row.name: row for row in families().values() if row.chapter == "constants" and not row.optional}
SUBNORMALS = {HALF: "HAS_HALF_FP_DENORM", FLOAT: "HAS_SINGLE_FP_DENORM", DOUBLE: "HAS_DOUBLE_FP_DENORM"}


def next_to(value, step):
    """A number whose encoding is one further, a number for NaN; of ints one two away, which no choice allows."""
    if value.dtype.kind in "iu":
        return value + value.dtype.type(2) if value < np.iinfo(value.dtype).max - 2 else value - value.dtype.type(2)
    if np.isnan(value):
        return value.dtype.type(1)
    return np.array(int(value.view(f"u{value.itemsize}")) + step, f"u{value.itemsize}").view(value.dtype)[()]


class OffByOne(Clmath):
    """clmath, but each macro that has a value is off by one number."""

    name = "off by one"

    def __init__(self, step):
        self.step = step

    def evaluate(self, row, form, args):
        (found,) = super().evaluate(row, form, args)
        return (np.full_like(found, next_to(found[0], self.step)),)


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, -1])
def test_every_macro_that_is_off_by_one_is_caught(step):
    rows = [row for row in MACROS.values() if not row.formula]
    verdicts = list(audit(Plan.of(rows, list(TYPES), second_look=False, jobs=1), OffByOne(step)))
    assert len(verdicts) > 60
    for verdict in verdicts:
        assert (verdict.status, verdict.tally.failed > 0) == ("fail", True), verdict.item


@pytest.mark.slow
def test_real_device_passes_but_for_macros_that_are_not_defined(opencl_device):
    from clmath.audit.opencl.devices import find
    from clmath.audit.opencl.opencl_subject import OpenCL

    missing = ["M_SQRT2_F", "FLT_DIG"]

    class Altered(OpenCL):
        def _program(self, text):
            return super()._program("".join(f"#undef {name}\n" for name in missing) + text)

    plan = Plan.of(list(MACROS.values()), list(TYPES), second_look=False, jobs=1)
    verdicts = audit(plan, Altered(find(opencl_device.removeprefix("opencl:"))))
    assert sorted({v.item.builtin.name for v in verdicts if v.status == "fail"}) == sorted(missing)


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
