"""Faults in clmath's own functions, which a judge that calls the same functions would not see."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath import constants, public
from clmath.audit.plan.plan import Plan
from clmath.audit.running.run import audit
from clmath.audit.targets.clmath_functions import Clmath
from clmath.spec.families import exact_builtins
from tests.cases import for_each


def flipped(result):
    """Return results with the last bit of each one flipped."""
    bits = np.asarray(result).view(f"u{np.asarray(result).itemsize}")
    return (bits ^ bits.dtype.type(1)).view(np.asarray(result).dtype)


# built-in, type, the faulty functions
FAULTS = {
    "integer": ("clz", "int", ["clz"]),
    "integer, 64 bits": ("mad_hi", "long", ["mad_hi", "mul_hi"]),
    "relational": ("isless", "float", ["isless"]),
    "relational, choices": ("bitselect", "double", ["bitselect"]),
    "relational, shuffles": ("shuffle2", "char", ["shuffle2"]),
    "operators": ("div", "int", ["div"]),
    "operators, floats": ("less", "double", ["less"]),
    "conversions": ("convert_char_sat_rtz", "float", ["convert", "convert_char_sat_rtz"]),
    "conversions, floats": ("convert_half_rtp", "double", ["convert", "convert_half_rtp"]),
    "reinterpretation": ("as_int", "float", ["as_type", "as_int"]),
    "memory": ("vload_half", "half", ["convert", "vload_half"]),
    "contraction": ("fp_contract_on_mul_sub", "double", ["fma", "add", "mul"]),
    "groups": ("work_group_reduce_add", "float", ["work_group_reduce", "group_sum_range"]),
    "groups, broadcasts": ("sub_group_broadcast", "half", ["sub_group_broadcast"]),
    "groups, scans": ("work_group_scan_inclusive_max", "int", ["work_group_scan_inclusive"]),
    "images, reads": ("read_unorm_int8", "half", ["read_unorm_int8"]),
    "images, packed writes": ("write_unorm_short_565", "float", ["write_unorm_short_565"]),
    "images, sRGB": ("write_srgba", "float", ["write_srgba"]),
}


class Remembering(Clmath):
    """A correct target: it calls clmath's functions as they were at the first call, before faults are injected."""

    def __init__(self):
        self.results = {}

    def evaluate(self, row, form, args):
        call = tuple(a.tobytes() for a in args)
        if call not in self.results:
            self.results[call] = super().evaluate(row, form, args)
        return self.results[call]


def status(name, type, target=None):
    plan = Plan.of([exact_builtins()[name]], [type], inputs=60, jobs=1, local_search=False)
    (verdict,) = audit(plan, target or Clmath(), done=plan.items()[1:])
    return verdict.status


@for_each("chapter", FAULTS)
def test_fault_of_the_library_fails_only_the_library(chapter):
    name, type, wrong = FAULTS[chapter]
    right_target = Remembering()
    assert status(name, type) == status(name, type, right_target) == "pass"
    with pytest.MonkeyPatch.context() as patch:
        for function in wrong:
            right = getattr(clmath, function)

            def faulty(*args, right=right, **keywords):
                found = right(*args, **keywords)
                return tuple(map(flipped, found)) if isinstance(found, tuple) else flipped(found)

            for module in (clmath, public):
                patch.setattr(module, function, faulty, raising=False)
        assert status(name, type) == "fail"
        assert status(name, type, right_target) == "pass"


@for_each("name, type", [("INT_MAX", "int"), ("FLT_EPSILON", "float"), ("M_PI_2_H", "half"), ("M_LN10", "double")])
def test_wrong_constant_fails_only_the_library(name, type):
    right_target = Remembering()
    assert status(name, type) == status(name, type, right_target) == "pass"
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(constants, name, flipped(getattr(constants, name))[()])
        assert status(name, type) == "fail"
        assert status(name, type, right_target) == "pass"
