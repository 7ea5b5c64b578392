"""Bounds of relaxed formulas in lane arithmetic: those inside lie within the host's, the others around them."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.inputs import numbered
from clmath.audit.inputs.row_inputs import structured
from clmath.audit.lanes.lane_formulas import ends_of, gives_anything, is_known_formula
from clmath.audit.plan.rows import item_named
from clmath.numbers.formats import FLOAT
from clmath.spec import editions
from clmath.spec.builtins import builtins
from clmath.spec.derived import TABLE_37, RelaxedArithmetic, bounds, parsed
from clmath.spec.limits import Derived, limit


def formulas():
    """All of the relaxed tables: the built-in, the names of its arguments, the formula."""
    found = {}
    for edition in editions.known():
        for name, row in builtins().items():
            if FLOAT not in row.formats:
                continue
            rules = limit(name, FLOAT, "relaxed", edition=edition)
            for rule, _ in rules.clauses:
                if isinstance(rule, Derived) and isinstance(rule.formula, RelaxedArithmetic):
                    found[edition, name, rule.formula.text] = (rules.parameters, rule.formula)
    return found


def arguments(name):
    """Structured ones, random ones of all sizes, and random ones where functions are neither 0 nor infinite."""
    item, draw = item_named(name, "float"), np.random.default_rng(1)
    fixed, drawn = structured(item), numbered.drawn(item, 0, np.arange(2000))
    columns = []
    for kind, some, others in zip(item.columns, fixed, drawn, strict=True):
        near = draw.integers(-60, 60, 2000) if kind == "intn" else draw.normal(0.0, 3.0, 2000).astype(np.float32)
        columns.append(np.concatenate([some[:4000], others, near]).astype(np.float64))
    finite = np.logical_and.reduce([np.isfinite(column) for column in columns])
    return [column[finite] for column in columns]


@pytest.mark.parametrize("edition, name, text", formulas(), ids=str)
def test_bounds_lie_inside_and_around_those_of_the_host(edition, name, text):
    with np.errstate(all="ignore"):
        tree, named, allowed, host = known(edition, name, text)
        assert is_known_formula(tree, allowed)
        check(tree, named, allowed, host)


# of all formulas, for the arguments of ``arguments``: how often inner bounds are sure, and the host's; how often outer
# ones are the host's; how often anything is certainly allowed, and certainly not: at least
TOLD = (460070, 426505, 428029, 54367, 407167)


def test_no_less_is_told_than_before():
    """Bounds that tell less are right, too, and leave more to the host."""
    with np.errstate(all="ignore"):
        found = [tuple(map(int, told(*one))) for one in (known(*key) for key in formulas())]
    assert all(np.sum(found, axis=0) >= TOLD), np.sum(found, axis=0)


def known(edition, name, text):
    """A formula: its tree, arguments by name, the errors that are allowed, and the bounds that the host has."""
    parameters, formula = formulas()[edition, name, text]
    tree, named = parsed(text, "test"), dict(zip(parameters, arguments(name), strict=True))
    return tree, named, formula.allowed, bounds(tree, named, formula.allowed)


def told(tree, named, allowed, host):
    """What ``TOLD`` counts, of one formula."""
    inner, outer = (ends_of(tree, named, allowed, inner=inner) for inner in (True, False))
    sure = np.broadcast_to(inner.sure, host.low.shape)
    same = [(one.low == host.low) & (one.high == host.high) & (one.nan == host.nan) for one in (inner, outer)]
    counts = (sure, sure & same[0], same[1], gives_anything(inner), ~gives_anything(outer))
    return [np.count_nonzero(np.broadcast_to(one, sure.shape)) for one in counts]


def check(tree, named, allowed, host):
    """The bounds of a formula for arguments by name, where the host has the bounds ``host``."""
    inner, outer = (ends_of(tree, named, allowed, inner=inner) for inner in (True, False))
    sure, anything = (
        np.broadcast_to(inner.sure, host.low.shape),
        host.nan & (host.low == -np.inf) & (host.high == np.inf),
    )
    assert np.all(((host.low <= inner.low) & (inner.high <= host.high) & (host.nan | ~inner.nan))[sure])
    assert np.all((outer.low <= host.low) & (host.high <= outer.high) & (outer.nan | ~host.nan) & outer.sure)
    assert np.all(anything[np.broadcast_to(gives_anything(inner), sure.shape)])
    assert np.all(gives_anything(outer) | ~anything)
    numbers = (np.abs(host.low) < FLOAT.largest) & (np.abs(host.high) < FLOAT.largest)
    known = numbers & sure
    assert np.count_nonzero(known) > 0.9 * np.count_nonzero(numbers)
    lost = inner.low[known] - host.low[known]
    assert np.mean(lost <= (host.high[known] - host.low[known]) / 16.0) > 0.9


def test_what_is_not_known():
    assert not is_known_formula(parsed("rootn(x * x, 3)", "test"), TABLE_37)
