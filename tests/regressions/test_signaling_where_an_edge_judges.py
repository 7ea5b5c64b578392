"""A row without a number is asked at its edges alone: there, a quiet NaN that comes back signaling is wrong (4.5.1)."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from clmath.audit.judge.piece import Block, judge, judge_blocks
from clmath.audit.law.law import Law
from clmath.audit.plan.rows import item_named
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from tests.cases import for_each

CODES = {HALF: 0x7C01, FLOAT: 0x7F800001, DOUBLE: 0x7FF0000000000001}
LAW = Law("full", "rte", flushes=False)


def signaling(form):
    return form.from_bits(np.array([CODES[form]], form.bits_dtype))


def results_for(item, count):
    numbers = np.repeat(signaling(item.form), count)
    return (numbers,) if len(item.builtin.outputs) == 1 else (numbers, np.ones(count, np.int32))


@for_each("law", [LAW, replace(LAW, oracle="mpfr"), replace(LAW, flushes=True)])
@for_each("form", [HALF, FLOAT, DOUBLE])
@for_each("name", ["lgamma", "lgamma_r"])
def test_lgamma_of_nan(name, form, law):
    item = item_named(name, form.name)
    x = np.array([np.nan, np.nan, 1.5, 2.5], form.dtype)
    x[1:2] = signaling(form)
    found = judge(item, (x,), results_for(item, 4), law)
    assert found.failed == 1  # of 1.5 nothing is asked, and a signaling NaN may come back
    assert "signaling NaN" in found.reasons[0][0]
    quiet = judge(item, (x,), (np.full(4, np.nan, form.dtype), *results_for(item, 4)[1:]), law)
    assert quiet.failed == 0


def test_the_compiled_loop_says_the_same_of_all_floats():
    item = item_named("lgamma", "float")
    x = np.sort(np.random.default_rng(1).integers(0, 2**32, 1 << 14, dtype=np.uint32)).view(np.float32)
    y = results_for(item, len(x))
    by_blocks = judge_blocks(item, [Block((x,), y)], LAW)
    assert by_blocks.failed == judge(item, (x,), y, replace(LAW, oracle="mpfr")).failed
    assert by_blocks.failed >= np.count_nonzero(np.isnan(x) & ~FLOAT.signals(x)) > 0


@pytest.mark.parametrize(
    "name, form, args, profile",
    [
        ("native_sin", FLOAT, (np.nan,), "full"),
        ("mad", FLOAT, (np.nan, 1.0, 1.0), "embedded"),
        ("mad", HALF, (np.nan, 1.0, 1.0), "full"),
    ],
)
def test_what_may_be_anything_may_be_that_too(name, form, args, profile):
    item = item_named(name, form.name)
    values = tuple(np.array([a], form.dtype) for a in args)
    found = judge(item, values, (signaling(form),), Law(profile, "rte", flushes=False))
    assert (found.failed, found.judged) == (0, 0)
