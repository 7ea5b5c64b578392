"""Loads and stores: callables that take offsets and memory, and faults of each kind."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath.audit.opencl.kernel import group_source
from clmath.audit.plan.rows import item_of
from clmath.audit.plan.types import TYPES
from clmath.audit.targets.clmath_functions import Clmath
from clmath.audit.targets.function import Function
from clmath.spec.families import families
from tests.audit.faulty import verdicts
from tests.cases import for_each

ROWS = [row for row in families().values() if row.chapter == "memory"]
BY_NAME = {row.name: row for row in ROWS}
WRITTEN: list[str] = []


def right(name, *args, offset):
    """Call clmath's function, which takes offsets before the memory; ``name`` contains the width."""
    WRITTEN.append(name)
    return getattr(clmath, name)(*args[:-1], offset, args[-1])


def always_at_first(name, *args, offset):
    return right(name, *args, offset=np.zeros_like(offset))


def unaligned(name, *args, offset):
    return right(name.replace("a_half", "_half"), *args, offset=offset)


def fourth_is_written(name, *args, offset):
    right(name, *args, offset=offset)
    if "store" in name:
        args[-1][3 * len(offset) :] = 0


def lanes_swapped(name, *args, offset):
    found = right(name, *args, offset=offset)
    return found if found is None else found[..., ::-1]


def rounded_away(name, data, *args, offset):
    return right(name.replace("_rtz", "_rtp"), data, *args, offset=offset)


def failed(target, names, types, count=200):
    """Return the number of failed calls by case, or -1 for a case that could not be judged."""
    found = verdicts(Function(target, "tested:call"), [BY_NAME[name] for name in names], types, inputs=count)
    return {str(v.item): v.tally.failed if v.tally.tried else -1 for v in found}


FAULTS = [
    (always_at_first, "vload", "int"),
    (always_at_first, "vload_half", "half"),
    (always_at_first, "vstore", "double"),
    (unaligned, "vloada_half", "half"),
    (unaligned, "vstorea_half", "float"),
    (lanes_swapped, "vload", "uchar"),
    (rounded_away, "vstore_half_rtz", "float"),
]


@pytest.mark.slow
@for_each("fault, name, type_", FAULTS)
def test_faults_fail(fault, name, type_):
    found = failed(fault, [name], [type_], 20)
    assert found[f"{name} {type_}3"]
    assert not any(failed(right, [name], [type_], 20).values())


@pytest.mark.slow
def test_memory_between_vectors_must_not_change():
    found = failed(fourth_is_written, ["vstorea_half"], ["float"])
    assert found["vstorea_half float3"] == -1 or found["vstorea_half float3"] > 0


def test_names_contain_width_and_mode():
    WRITTEN.clear()
    failed(right, ["vstore_half_rtz", "vstore_half", "vload", "vloada_half"], ["float", "half"], 10)
    assert {"vstore_half_rtz", "vstore_half3_rtz", "vstore_half", "vload16", "vloada_half3"} <= set(WRITTEN)


def test_callables_without_offsets_get_vectors():
    def plain(name, values):
        return values if name in {"vload", "vstore"} else None

    assert not any(failed(plain, ["vload", "vstore"], ["short", "float"]).values())


@pytest.mark.slow
def test_clmath_defines_all_functions_and_passes():
    assert not any(v.tally.failed for v in verdicts(Clmath(), ROWS, ["half", "float"], inputs=20))


def test_program_loads_by_one_function_and_stores_by_component():
    text = group_source([item_of(BY_NAME[name], TYPES["int"], 3) for name in ("vload", "vstore")])
    assert "int3 v = vload3(i, (__global const int *)in0);" in text
    assert "((__global int *)out)[i * 3 + 2] = v.s2;" in text
    assert "vstore3((int3)(((__global const int *)in0)[i * 3 + 0]" in text
