"""Macros: each one whose value is wrong by one number, or that is not defined, is caught."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.plan.types import TYPES
from clmath.spec.families import families
from tests.audit.faulty import Faulty, verdicts

MACROS = {row.name: row for row in families().values() if row.chapter == "constants" and not row.optional}
SUBNORMALS = ("HAS_HALF_FP_DENORM", "HAS_SINGLE_FP_DENORM", "HAS_DOUBLE_FP_DENORM")


def next_to(value, step):
    """Return the next encoding, a number for NaN, or an int two away, because some macros allow a choice of ints."""
    if value.dtype.kind in "iu":
        return value + value.dtype.type(2) if value < np.iinfo(value.dtype).max - 2 else value - value.dtype.type(2)
    if np.isnan(value):
        return value.dtype.type(1)
    return np.array(int(value.view(f"u{value.itemsize}")) + step, f"u{value.itemsize}").view(value.dtype)[()]


@pytest.mark.slow
@pytest.mark.parametrize("step", [1, -1])
def test_macro_with_the_next_number_fails(step):
    rows = [row for row in MACROS.values() if not row.formula]
    found = verdicts(Faulty(lambda value, _: next_to(value[0], step)), rows, list(TYPES))
    assert len(found) > 60
    for verdict in found:
        assert (verdict.status, verdict.tally.failed > 0) == ("fail", True), verdict.item


@pytest.mark.slow
def test_real_device_fails_only_at_undefined_macros(opencl_device):
    from clmath.audit.opencl.devices import find
    from clmath.audit.opencl.opencl_target import OpenCL

    missing = ["M_SQRT2_F", "FLT_DIG"]

    class Altered(OpenCL):
        def _program(self, text):
            return super()._program("".join(f"#undef {name}\n" for name in missing) + text)

    target = Altered(find(opencl_device.removeprefix("opencl:")))
    found = verdicts(target, list(MACROS.values()), list(TYPES))
    assert sorted({v.item.builtin.name for v in found if v.status == "fail"}) == sorted(missing)


def flushing(claims, has, options=()):
    """Return a target that ``claims`` to have subnormal numbers, and whose macros say whether it ``has`` them."""
    return Faulty(lambda *_: int(has), flushing=() if claims else ("half", "float", "double"), options=options)


@pytest.mark.parametrize("has", [True, False])
@pytest.mark.parametrize("claims", [True, False])
def test_claimed_subnormals_must_agree_with_the_macros(claims, has):
    found = verdicts(flushing(claims, has), [MACROS[name] for name in SUBNORMALS], ["int"])
    failed = {v.item.builtin.name for v in found if v.status == "fail"}
    if has:
        assert not failed
    else:  # every device has subnormals of double
        assert failed == ({*SUBNORMALS} if claims else {"HAS_DOUBLE_FP_DENORM"})


def test_build_option_may_remove_subnormals():
    target = flushing(claims=True, has=False, options=("-cl-denorms-are-zero",))
    (verdict,) = verdicts(target, [MACROS["HAS_SINGLE_FP_DENORM"]], ["int"])
    assert verdict.status == "pass"
