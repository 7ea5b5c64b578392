"""Results that the specification prescribes come out exactly so, in every mode."""

from __future__ import annotations

import numpy as np

from clmath.spec.builtins import builtins
from clmath.spec.edges import edges
from tests.cases import for_each

CASES = [(name, form) for name, row in builtins().items() for form in row.formats if edges(name)]


@for_each("name, form", CASES)
def test_edges(name, form, sampler):
    sample = sampler(name, form)
    for edge in edges(name):
        args = edge.cases(form)
        assert edge.matches(args, form).all(), edge.text
        for mode in sample.modes:
            results = sample.call(args, mode)
            accepted = edge.accepts(args, results if isinstance(results, tuple) else (results,), form)
            assert all(a.all() for a in accepted), f"{edge.text}, {mode}: {args} gave {results}"


@for_each("name", [n for n, r in builtins().items() if len(r.inputs) == 1 and r.inputs[0].type == "gentype"])
def test_nan_in_nan_out(name, sampler):
    for form in builtins()[name].formats:
        nan = np.array([np.nan, -np.nan], form.dtype)
        args = (np.stack([nan, nan * 0 + 1], axis=-1),) if sampler(name, form).row.widths else (nan,)
        got = sampler(name, form).call(args)
        value = np.asarray(got[0] if isinstance(got, tuple) else got)
        expected = {"sign": 0.0, "ilogb": 2**31 - 1}
        if name in expected:
            assert (value == expected[name]).all()
        else:
            assert np.isnan(value).all()
