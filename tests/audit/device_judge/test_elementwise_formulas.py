"""Bounds of relaxed formulas by kernels: inner bounds lie within the host's, outer bounds contain them."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.audit.acceptance.relaxed import (
    HOST,
    Ends,
    bounds_of,
    combined,
    difference,
    exponential,
    gives_anything,
    is_known_formula,
    kernels,
    on_host,
    product,
    rooted,
    total,
)
from clmath.audit.inputs import random
from clmath.audit.inputs.row_inputs import structured
from clmath.audit.plan.rows import item_named
from clmath.numbers.formats import FLOAT
from clmath.spec import editions
from clmath.spec.builtins import builtins
from clmath.spec.formulas import TABLE_37, Allowance, RelaxedArithmetic, tree_of
from clmath.spec.limits import Derived, limit
from tests.cases import for_each


def formulas():
    """Return every formula of the relaxed tables: the built-in, the names of its arguments, the text."""
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
    """Structured inputs, random inputs of all sizes, and random inputs with results that are finite and not zero."""
    item, draw = item_named(name, "float"), np.random.default_rng(1)
    fixed, generated = structured(item), random.numbered(item, 0, np.arange(2000))
    columns = []
    for kind, some, others in zip(item.columns, fixed, generated, strict=True):
        near = draw.integers(-60, 60, 2000) if kind == "intn" else draw.normal(0.0, 3.0, 2000).astype(np.float32)
        columns.append(np.concatenate([some[:4000], others, near]).astype(np.float64))
    finite = np.logical_and.reduce([np.isfinite(column) for column in columns])
    return [column[finite] for column in columns]


# least counts over all formulas and ``arguments``: inner bounds that are sure, inner bounds equal to the host's, outer
# bounds equal to the host's, results certainly allowed, results certainly not allowed
TOLD = (465788, 430037, 424815, 49410, 413663)


@pytest.mark.slow
def test_bounds_lie_inside_and_around_the_hosts():
    """They are at least as close as before: wider bounds are correct, too, but leave more to the host."""
    found = []
    with np.errstate(all="ignore"):
        for key in formulas():
            tree, named, allowed, host = known(*key)
            assert is_known_formula(tree, allowed), key
            check(tree, named, allowed, host)
            found.append(reported(tree, named, allowed, host))
    assert (np.sum(found, axis=0) >= TOLD).all(), np.sum(found, axis=0)


def known(edition, name, text):
    """Return a formula: its tree, arguments by name, the allowed errors, and the bounds of the host."""
    parameters, formula = formulas()[edition, name, text]
    tree, named = tree_of(text), dict(zip(parameters, arguments(name), strict=True))
    return tree, named, formula.allowed, on_host(tree, named, formula.allowed)


def reported(tree, named, allowed, host):
    """Return the counts of one formula that ``TOLD`` bounds."""
    inner, outer = (bounds_of(tree, named, allowed, kernels(), inner=inner) for inner in (True, False))
    sure = np.broadcast_to(inner.sure, host.low.shape)
    same = [(one.low == host.low) & (one.high == host.high) & (one.nan == host.nan) for one in (inner, outer)]
    counts = (sure, sure & same[0], same[1], gives_anything(inner), ~gives_anything(outer))
    return [np.count_nonzero(np.broadcast_to(one, sure.shape)) for one in counts]


def check(tree, named, allowed, host):
    """Check the bounds of a formula for arguments by name; ``host``: the bounds of the host."""
    inner, outer = (bounds_of(tree, named, allowed, kernels(), inner=inner) for inner in (True, False))
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


def test_formulas_without_a_known_bound():
    assert not is_known_formula(tree_of("rootn(x * x, 3)"), TABLE_37)
    assert not is_known_formula(tree_of("exp(x)"), Allowance(exp=((4.0, False),)))
    assert is_known_formula(tree_of("exp(x)"), Allowance(exp=((4.0, True),)))


def elements(values, *, sure=True, nan=False, inner):
    """Make bounds from pairs, all with the same flags."""
    low, high = (np.array(column, np.float64) for column in zip(*values, strict=True))
    return Ends(low, high, np.full(len(low), nan), np.full(len(low), sure), inner)


ANYTHING, ORDINARY = (-np.inf, np.inf), (1.0, 2.0)
GROWING = Allowance(exp=((3.0, True),))
CUTS = [-np.inf, -1000.0, -745.0, -700.0, -200.0, -155.0, -90.0, -1.0, 0.0, 1.5, 60.0, 88.0, 89.5, 129.0, 140.0, 800.0]
CUTS += [np.inf]


@for_each("allowed", [GROWING, TABLE_37])
@for_each("name", ["exp", "exp2"])
def test_bounds_of_exponentials_hold_for_all_bounds_of_their_operand(name, allowed):
    """If the operand's bounds are sure and within the host's, the result's are, too; others give outer bounds."""
    ends = [(a, b) for a in CUTS for b in CUTS if a <= b]
    pairs = [(wide, close) for wide in ends for close in ends if wide[0] <= close[0] and close[1] <= wide[1]]
    wide, close = zip(*pairs, strict=True)
    with np.errstate(all="ignore"):
        for nan in (False, True):
            for inner, host, given in ((True, wide, close), (False, close, wide)):
                operand = elements(given, nan=nan, inner=inner)
                wanted = exponential(name, HOST, allowed, elements(host, nan=nan, inner=False))
                holds(exponential(name, kernels(), allowed, operand), wanted)
        unsure = exponential(name, kernels(), allowed, elements(close, sure=False, nan=True, inner=True))
        assert not unsure.sure.any()


@for_each("allowed", [GROWING, TABLE_37])
@for_each("name", ["exp", "exp2"])
@np.errstate(all="ignore")
def test_bounds_of_exponentials_are_rarely_wider_than_the_bounds_of_the_host(name, allowed):
    ends = [(a, b) for a in CUTS for b in CUTS if a <= b]
    host = gives_anything(exponential(name, HOST, allowed, elements(ends, inner=False)))
    least, most = (
        gives_anything(exponential(name, kernels(), allowed, elements(ends, inner=i))) for i in (True, False)
    )
    assert (least <= host).all()
    assert (host <= most).all()
    assert max(np.count_nonzero(host & ~least), np.count_nonzero(most & ~host)) <= 3


@for_each("ends", [(-8.0, 0.0), (-8.0, -1.0), (-8.0, 8.0), (0.0, 8.0), (1.0, 8.0), (0.0, 0.0)])
@np.errstate(all="ignore")
def test_bounds_of_roots_hold_for_all_arguments_between_two(ends):
    x = np.linspace(*ends, 33)
    three = elements([(3.0, 3.0)], inner=False)
    whole, each = (
        rooted(HOST, TABLE_37, elements(of, inner=False), three) for of in ([ends], [*zip(x, x, strict=True)])
    )
    assert ((whole.low <= each.low) & (each.high <= whole.high) & (whole.nan | ~each.nan)).all()
    assert ((each.low <= np.cbrt(x)) & (np.cbrt(x) <= each.high)).all()


def holds(found, host):
    """Check that inner bounds lie within the host's where they are sure, and that outer bounds contain them."""
    if found.inner:
        assert ((host.low <= found.low) & (found.high <= host.high) & (host.nan | ~found.nan))[found.sure].all()
        assert found.sure.mean() > 0.9
    else:
        assert ((found.low <= host.low) & (host.high <= found.high) & (found.nan | ~host.nan) & found.sure).all()


@for_each("operation", [total, difference, product])
def test_unbounded_operand_makes_the_result_unbounded(operation):
    """Either operand may be unbounded; the result is sure even if the other operand is not."""
    anything, ordinary = (elements([ends], nan=ends is ANYTHING, inner=True) for ends in (ANYTHING, ORDINARY))
    with np.errstate(all="ignore"):
        for pair in ((anything, ordinary), (ordinary, anything), (anything, anything)):
            assert gives_anything(combined(operation, *pair)).all()
            unsure = [one if one is anything else one._replace(sure=~one.sure) for one in pair]
            assert gives_anything(combined(operation, *unsure)).all()
        assert not gives_anything(combined(operation, ordinary, ordinary)).any()


@for_each("text", ["2.0 / x", "1.0 / x", "x / 2.0", "1 / (x + 1.0)", "M_PI_F / x"])
def test_only_one_over_a_number_is_a_reciprocal(text):
    """The limit of 1/x holds for sizes up to 2^126, the limit of other quotients up to 2^62."""
    x = np.float32(np.ldexp(1.25, np.arange(-126, 127))).astype(np.float64)
    named = {"x": np.concatenate([x, -x])}
    with np.errstate(all="ignore"):
        tree = tree_of(text)
        host = on_host(tree, named, TABLE_37)
        inner, outer = (bounds_of(tree, named, TABLE_37, kernels(), inner=inner) for inner in (True, False))
    for found in (inner, outer):
        holds(found, host)
        assert (gives_anything(found) == (host.nan & (host.low == -np.inf) & (host.high == np.inf))).all()
