"""Macros: each one whose value is wrong by one number, or that is not defined, is caught."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.exact.exact_criteria import criteria_of
from clmath.audit.plan.plan import Plan
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.running.run import audit
from clmath.audit.targets.clmath_functions import Clmath
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.spec.families import families

MACROS = {row.name: row for row in families().values() if row.chapter == "constants" and not row.optional}
SUBNORMALS = {HALF: "HAS_HALF_FP_DENORM", FLOAT: "HAS_SINGLE_FP_DENORM", DOUBLE: "HAS_DOUBLE_FP_DENORM"}


def next_to(value, step):
    """Return the next encoding, a number for NaN, or an int two away, because some macros allow a choice of ints."""
    if value.dtype.kind in "iu":
        return value + value.dtype.type(2) if value < np.iinfo(value.dtype).max - 2 else value - value.dtype.type(2)
    if np.isnan(value):
        return value.dtype.type(1)
    return np.array(int(value.view(f"u{value.itemsize}")) + step, f"u{value.itemsize}").view(value.dtype)[()]


class OffByOne(Clmath):
    """A target like clmath in which the value of each macro is the next number."""

    name = "off by one"

    def __init__(self, step):
        self.step = step

    def evaluate(self, row, form, args):
        (found,) = super().evaluate(row, form, args)
        return (np.full_like(found, next_to(found[0], self.step)),)


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, -1])
def test_macro_with_the_next_number_fails(step):
    rows = [row for row in MACROS.values() if not row.formula]
    verdicts = list(audit(Plan.of(rows, list(TYPES), local_search=False, jobs=1), OffByOne(step)))
    assert len(verdicts) > 60
    for verdict in verdicts:
        assert (verdict.status, verdict.tally.failed > 0) == ("fail", True), verdict.item


@pytest.mark.slow
def test_real_device_fails_only_at_undefined_macros(opencl_device):
    from clmath.audit.opencl.devices import find
    from clmath.audit.opencl.opencl_target import OpenCL

    missing = ["M_SQRT2_F", "FLT_DIG"]

    class Altered(OpenCL):
        def _program(self, text):
            return super()._program("".join(f"#undef {name}\n" for name in missing) + text)

    plan = Plan.of(list(MACROS.values()), list(TYPES), local_search=False, jobs=1)
    verdicts = audit(plan, Altered(find(opencl_device.removeprefix("opencl:"))))
    assert sorted({v.item.builtin.name for v in verdicts if v.status == "fail"}) == sorted(missing)


class Flushing(Clmath):
    """A target like clmath, with ``claims`` to have subnormal numbers, and macros that say whether it ``has`` them."""

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
def test_claimed_subnormals_must_agree_with_the_macros(claims, has):
    target = Flushing(claims, has)
    rows = [MACROS[name] for name in SUBNORMALS.values()]
    failed = {v.item.builtin.name for v in audit(Plan.of(rows, ["int"]), target) if v.status == "fail"}
    if has:
        assert not failed
    else:  # every device has subnormals of double
        assert failed == (set(SUBNORMALS.values()) if claims else {"HAS_DOUBLE_FP_DENORM"})


def test_build_option_may_remove_subnormals():
    item = item_of(MACROS["HAS_SINGLE_FP_DENORM"], TYPES["int"])
    target = Flushing(claims=True, has=False)
    target.build_options = lambda: ("-cl-denorms-are-zero",)
    assert "float" in criteria_of(item, Plan.of([item.builtin], ["int"]), target).flushed
    (verdict,) = audit(Plan.of([item.builtin], ["int"]), target)
    assert verdict.status == "pass"
