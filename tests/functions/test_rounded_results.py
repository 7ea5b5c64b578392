"""Every public function gives what the reference gives for its name: arguments, results and modes are wired right."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings
from hypothesis import strategies as st

import clmath
from clmath import reference
from clmath.numbers.rounding import MODES, Enclosure, round_enclosure
from clmath.spec.builtins import builtins
from clmath.testing import assert_correctly_rounded
from clmath.testing import strategies as cl
from tests.cases import for_each

# formulas are rounded operation by operation: test_formulas.py
CASES = [(name, form) for name, row in builtins().items() for form in row.formats if not row.formula]
LANES = 40


def truth(sampler, args, mode):
    """The reference's results for one call, worked out from the declaration and without the public path."""
    row, form = sampler.row, sampler.form
    columns = [a[:, k].copy() for a in args for k in range(3)] if row.widths else list(args)
    values = [
        round_enclosure(v, form, mode)[0] if isinstance(v, Enclosure) else v
        for v in reference.enclose(row.name, columns, form)
    ]
    if row.widths and row.result == "gentype":
        return np.stack(values, axis=-1)
    return tuple(values) if len(values) > 1 else values[0]


@for_each("name, form", CASES)
def test_results_are_the_reference_rounded_in_the_mode(name, form, sampler, same):
    sample = sampler(name, form)
    args = sample.args((LANES,))
    for mode in sample.modes:
        same(sample.call(args, mode), truth(sample, args, mode))


@for_each("name, form", CASES)
def test_without_a_mode_results_are_rounded_to_nearest_even(name, form, sampler, same):
    sample = sampler(name, form)
    args = sample.args((LANES,), seed=1)
    same(sample.call(args), truth(sample, args, "rte"))


@given(st.data())
@settings(max_examples=100, deadline=None)
def test_hurtful_arguments(data):
    name, form = data.draw(st.sampled_from(CASES))
    args = data.draw(cl.arguments(name, form))
    function = getattr(clmath, name)
    if "rounding" in function.__kwdefaults__:
        mode = data.draw(cl.rounding_modes())
        assert_correctly_rounded(function(*args, rounding=mode), name, args, rounding=mode)
    else:
        assert_correctly_rounded(function(*args), name, args)


OPERATORS = ("add", "sub", "mul", "div", "recip")
ROUNDED = [(name, form) for name, form in CASES if "rounding" in getattr(clmath, name).__kwdefaults__]


@for_each("name, form", ROUNDED)
def test_only_operators_inherit_the_mode_in_force(name, form, sampler, same):
    sample = sampler(name, form)
    args = sample.args((LANES,), seed=2)
    for mode in MODES:
        with clmath.select_rounding_mode(mode):
            inherited = sample.call(args)
            explicit = sample.call(args, "rtp")
        same(inherited, sample.call(args, mode if name in OPERATORS else "rte"))
        same(explicit, sample.call(args, "rtp"))
