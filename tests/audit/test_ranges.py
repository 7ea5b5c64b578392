"""Facts that the criteria derive for a range of arguments are true for every argument in it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from clmath.audit.acceptance.criteria import Requirement
from clmath.audit.acceptance.limits import are_unspecified
from clmath.audit.acceptance.relaxed import on_host
from clmath.audit.acceptance.relaxed_ranges import may_give_anything
from clmath.audit.judge.regimes import BOUNDED, EDGED, JUDGED, OPEN, Regimes, requirements
from clmath.ir.primitives import select
from clmath.ir.program import Tables
from clmath.ir.ranges import Range, given
from clmath.ir.trace import trace
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounding import Enclosure
from clmath.spec import editions
from clmath.spec.builtins import builtins
from clmath.spec.editions import PROFILES
from clmath.spec.formulas import TABLE_37, Allowance, RelaxedArithmetic, tree_of
from clmath.spec.limits import Limit, limit, parse
from clmath.spec.special_values import holds, special_values
from tests.cases import for_each

RNG = np.random.default_rng(12)
STARTS = np.arange(1 << 12, dtype=np.int64) << 20
with np.errstate(invalid="ignore"):  # for signaling NaN
    FIRST, LAST = (FLOAT.from_bits(c.astype(np.uint32)).astype(np.float64) for c in (STARTS, STARTS + 0xFFFFF))
FORMULAS = [
    *("1 / (x - 3)", "x / (x - 1)", "1 / sin(x)", "sin(x) / cos(x) - 1", "exp(1 / x) - 2", "atan(1 / x) * x"),
    *("log(x - 2) * 3", "sqrt(x) * (1 / x)", "exp(x) - exp(x)", "(exp(x) - exp(-x)) / (exp(x) + exp(-x))"),
    *("exp(x * x) * (x - 1)", "cos(x * x) + x / (x + 1)", "-sin(x * 7) * 0", "exp2(log2(|x|) / 3)", "rootn(x, 3) - 1"),
    *("acos(x) / x", "acos(1 / sin(x))", "x * (1 / x)", "x - x", "log(x + sqrt(x * x + 1))", "log2(3 - x * x)"),
    *("log(x + sqrt(x * x - 1))", "log(x * x - x)", "log(sqrt(x * x) + x * 2)", "log(x - sqrt(x))"),
]


def arguments(each=6):
    """Return both ends of every range, their neighbours, and some numbers between."""
    inside = RNG.integers(0, 1 << 20, (each, len(STARTS)))
    offsets = np.concatenate([np.array([0, 1, 2, -3, -2, -1])[:, np.newaxis] % (1 << 20) + 0 * STARTS, inside])
    return FLOAT.from_bits((STARTS + offsets).astype(np.uint32))


def truth_of(function, *known):
    """Return where a condition holds for all arguments of a range, and where for none."""
    program = trace(function, ["double"], ["bool"], Tables(), *known, machine="ranges")
    (found,) = given(program, [Range.of(FIRST, LAST)])
    return found.all, ~found.some


def is_concerned(x, special_value):
    """Whether an argument matches a special case."""
    return holds(special_value, (x,), FLOAT)


@for_each("text", FORMULAS)
def test_formula_gives_anything_only_where_reported(text):
    """For some arguments of a range only where that is reported, and for all where that is reported."""
    for allowed in (TABLE_37, Allowance(exp=((3.0, True),))):
        formula, x = RelaxedArithmetic(text, allowed), arguments(6)
        ends = np.minimum(FIRST, LAST), np.maximum(FIRST, LAST)
        with np.errstate(all="ignore"):
            sometimes, always = may_give_anything(formula, {"x": ends})
            given = on_host(tree_of(text), {"x": x.reshape(-1).astype(np.float64)}, allowed)
        found = ((given.low == -np.inf) & (given.high == np.inf) & given.nan).reshape(x.shape)
        finite = np.isfinite(FIRST) & np.isfinite(LAST)
        assert not found[:, finite & ~sometimes].any()
        assert found[:, finite & always].all()


def test_special_case_matches_no_argument_where_reported():
    x = arguments(6)
    for row in builtins().values():
        for special_value in (
            special_values(row.name) if FLOAT in row.formats and [p.type for p in row.inputs] == ["gentype"] else ()
        ):
            if not row.widths:
                _, never = truth_of(is_concerned, special_value)
                assert not special_value.matches((x.reshape(-1),), FLOAT).reshape(x.shape)[:, never].any(), (
                    special_value.text
                )
                assert never.any() or special_value.patterns[0].constant is None


def rows():
    """Yield every limit of one float argument, once."""
    found = {}
    for row in builtins().values():
        if FLOAT in row.formats and [p.type for p in row.inputs] == ["gentype"] and not row.widths:
            for edition in editions.known():
                for profile in PROFILES:
                    one = limit(row.name, FLOAT, profile, edition=edition)
                    found.setdefault((one.clauses, one.parameters), one)
    return list(found.values())


def asked_by(one):
    """Return the requirements of a limit in every range."""
    with np.errstate(all="ignore"):
        return requirements(Requirement(FLOAT, 0, one.clauses, one.parameters), FIRST, LAST)


def test_limits_of_ranges_equal_the_limits_of_their_arguments():
    x = arguments(2)
    sizes = np.ldexp(RNG.uniform(1, 2, x.shape), RNG.integers(-140, 120, x.shape))
    made_up = "undefined for x > 2^20; 3 + floor(|2x|) ulp for |x| <= 7; absolute 2^-9 for x < 0; any for x = 8; 2 ulp"
    beside = "derived (180 / π) * x in rounded steps or 90 ulp"
    for one in [*rows(), *(Limit(text, "test", ("x",), parse(text, "test")) for text in (made_up, beside))]:
        reported = asked_by(one)
        flat = x.reshape(-1)
        given = (flat,), Enclosure.of(sizes.reshape(-1))
        with np.errstate(all="ignore"):
            need = Requirement(FLOAT, 0, one.clauses, one.parameters)
            named = {one.parameters[0]: flat.astype(np.float64)}
            is_unspecified = are_unspecified(named, need, np.zeros(flat.shape)).reshape(x.shape)
            bound = one.bound(*given, FLOAT).reshape(x.shape)
        assert is_unspecified[:, (reported.kinds == OPEN)].all()
        assert not is_unspecified[:, (reported.kinds == JUDGED)].any()
        ulps = FLOAT.smallest_subnormal * np.maximum(1.0, np.exp2(np.floor(np.log2(sizes)) + 126))
        where = (reported.kinds == JUDGED) & np.isfinite(FIRST)
        allowed = np.maximum(reported.allowed, reported.tolerance / ulps)[:, where]
        refused = np.maximum(reported.refused, reported.tolerance / ulps)[:, where]
        numbers = ~np.isnan(bound[:, where])  # neither equality nor only a formula
        assert (allowed <= bound[:, where])[numbers].all()
        assert (bound[:, where] <= refused)[numbers].all()
        assert (allowed <= (0 if one.is_equality else 3))[~numbers].all()
        assert one.text != beside or np.isinf(reported.refused[reported.kinds == JUDGED]).all()  # a formula may differ


def test_requirements_of_two_editions_are_combined():
    kinds = [(a, b) for a in range(5) for b in range(5)]
    first, second = (np.array(side, np.int8) for side in zip(*kinds, strict=True))
    ones = np.ones(25)
    both = Regimes(first, ones, ones, ones).both(Regimes(second, 0 * ones, 2 * ones, ones))
    known = dict.fromkeys([(OPEN, BOUNDED), (BOUNDED, OPEN)], BOUNDED) | {(kind, kind): kind for kind in range(5)}
    assert both.kinds.tolist() == [EDGED if EDGED in pair else known.get(pair, 0) for pair in kinds]
    assert (both.allowed.tolist(), both.refused.tolist()) == ([0.0] * 25, [2.0] * 25)
    other = replace(both, tolerance=np.full(25, 0.5))
    assert both.both(other).kinds.tolist() == [0 if kind == JUDGED else kind for kind in both.kinds]


ENDS = [-np.inf, -2.5, -1.0, 0.0, 1.0, 3.0, np.inf]
SPANS = [(low, high, nan) for k, low in enumerate(ENDS) for high in ENDS[k:] for nan in (False, True)]
SPANS.append((np.inf, -np.inf, True))  # only NaN
PAIRS = [(a, b) for a in SPANS[::2] for b in SPANS[::2]]
OPERATIONS = {
    "sum": lambda x, y, _: x + y, "difference": lambda x, y, _: x - y, "product": lambda x, y, _: x * y,
    "less": lambda x, y, _: x < y, "at most": lambda x, y, _: x <= y, "more": lambda x, y, _: x > y,
    "at least": lambda x, y, _: x >= y, "equal": lambda x, y, _: x == y, "other": lambda x, y, _: x != y,
    "size": lambda x, *_: abs(x), "negative": lambda x, *_: -x, "finite": lambda x, *_: x - x == 0.0,
    "a number": lambda x, *_: x == x, "NaN": lambda x, *_: x != x, "not": lambda x, *_: ~(x < 1.0),
    "both": lambda x, y, _: (x < 1.0) & (y < 1.0), "either": lambda x, y, _: (x < 1.0) | (y < 1.0),
    "chosen": lambda x, y, chosen: chosen(y < 1.0, x, x * 0.0 - 3.0),
    "one": lambda x, y, chosen: chosen(y < 1.0, 2.0 - x * 0.0, x),
}  # fmt: skip


def members(span):
    """Return some numbers of a range, including both ends."""
    low, high, nan = span
    return [x for x in (*ENDS, -0.25, 2.0, 0.75, 1e9) if low <= x <= high] + [np.nan] * nan


def by_name(x, y, name):
    """Apply an operation by its name."""
    return OPERATIONS[name](x, y, select)


@for_each("name", OPERATIONS)
@np.errstate(all="ignore")
def test_operations_on_ranges_equal_the_operations_on_their_numbers(name):
    """Ranges are tight: their ends occur, and claims about all or some numbers are true."""
    kind = "double" if name in ("sum", "difference", "product", "size", "negative", "chosen", "one") else "bool"
    program = trace(by_name, ["double", "double"], [kind], Tables(), name)
    columns = [
        Range(*(np.array(part) for part in zip(*(pair[side] for pair in PAIRS), strict=True))) for side in (0, 1)
    ]
    (found,) = given(program, columns)
    for n, (a, b) in enumerate(PAIRS):
        x, y = (np.ravel(one) for one in np.meshgrid(members(a), members(b)))
        got = np.broadcast_to(by_name(x, y, name), x.shape)
        if kind == "bool":
            assert (found.all[n], found.some[n]) == (got.all(), got.any()), (a, b)
            continue
        numbers = got[~np.isnan(got)]
        assert found.may_be_nan[n] >= np.isnan(got).any(), (a, b)
        assert (numbers >= found.low[n]).all(), (a, b)
        assert (numbers <= found.high[n]).all(), (a, b)
        if not np.isnan(got).any():
            assert (found.low[n], found.high[n], found.may_be_nan[n]) == (numbers.min(), numbers.max(), False), (a, b)
