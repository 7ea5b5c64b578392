"""What lane functions give for a range of arguments holds of every argument in it, whatever the limit."""

import numpy as np
import pytest

from clmath.audit.judge.ranges import Range, given
from clmath.audit.judge.regimes import requirements
from clmath.audit.lanes.lane_limits import Got, is_known_limit, may_be_concerned, met
from clmath.audit.lanes.lane_measure import OneLaw, required
from clmath.audit.law.law import Law
from clmath.audit.plan.item import Item
from clmath.engines.device.program import Tables
from clmath.engines.device.trace import trace
from clmath.numbers.formats import FLOAT
from clmath.numbers.lane_rounding import RTE
from clmath.numbers.lanes import select
from clmath.numbers.rounding import Enclosure, ulp_errors
from clmath.spec import editions
from clmath.spec.builtins import builtin, builtins
from clmath.spec.derived import TABLE_37, Allowance, RelaxedArithmetic, bounds, parsed
from clmath.spec.edges import edges
from clmath.spec.limits import Limit, limit, parse
from clmath.spec.notation import condition
from clmath.spec.profiles import PROFILES
from clmath.spec.steps import RoundedSteps
from tests.cases import for_each

RNG = np.random.default_rng(12)
STARTS = np.arange(1 << 12, dtype=np.int64) << 20
with np.errstate(invalid="ignore"):  # signaling NaN
    FIRST, LAST = (FLOAT.from_bits(c.astype(np.uint32)).astype(np.float64) for c in (STARTS, STARTS + 0xFFFFF))
COMPARISONS = [
    "x in [-π, π]",
    "|x| <= 2^-10",
    "|x| > 2^16",
    "x in (0.5, 2)",
    "0.5 <= |x| < 1.3 and x > 0",
    "x > 88 and |x| <= 2^24",
    "x < 3.1 and x > 3.2",
]
OTHERS = [
    "integer x < 0",
    "even |x| > 2",
    "x = 0",
    "x != 3",
    "NaN x",
    "finite x > 1",
    "non-integer x",
    "odd x > 3",
    "infinite x",
]
FORMULAS = [
    "1 / (x - 3)",
    "x / (x - 1)",
    "1 / sin(x)",
    "sin(x) / cos(x) - 1",
    "tan(1 / x)",
    "exp(1 / x) - 2",
    "atan(1 / x) * x",
    "log(x - 2) * 3",
    "sqrt(x) * (1 / x)",
    "exp(x) - exp(x)",
    "(exp(x) - exp(-x)) / (exp(x) + exp(-x))",
    "exp(x * x) * (x - 1)",
    "x * exp(-x)",
    "cos(x * x) + x / (x + 1)",
    "-sin(x * 7) * 0",
    "exp2(log2(|x|) / 3)",
    "rootn(x, 3) - 1",
    "acos(x) / x",
    "asin(x * 2) * 3",
    "acos(1 / sin(x))",
    "x * (1 / x)",
    "x - x",
    "log(x + sqrt(x * x + 1))",
    "log(x + sqrt(x * x - 1))",
    "log2(3 - x * x)",
    "log(x * x - x)",
    "log(sqrt(x * x) + x * 2)",
    "log(x - sqrt(x))",
]


def arguments(each=6):
    """Both ends of every range, their neighbours, and some between."""
    inside = RNG.integers(0, 1 << 20, (each, len(STARTS)))
    offsets = np.concatenate([np.array([0, 1, 2, -3, -2, -1])[:, np.newaxis] % (1 << 20) + 0 * STARTS, inside])
    return FLOAT.from_bits((STARTS + offsets).astype(np.uint32))


def truth_of(function, *known):
    """Where a lane function that tells a truth holds of all arguments of a range, and where of some."""
    (found,) = given(trace(function, ["double"], ["bool"], Tables(), *known), [Range.of(FIRST, LAST)])
    return found.all, ~found.some


def holds(x, text):
    """A condition, as a lane function."""
    return met(condition(text, "test"), {"x": x}, FLOAT)


def is_concerned(x, edge):
    """Whether an edge may be about a lane."""
    return may_be_concerned((x,), (edge,), FLOAT)


@for_each("text", COMPARISONS + OTHERS)
def test_a_condition_that_holds_between_two_numbers_holds_there_everywhere(text):
    x = arguments()
    always, never = truth_of(holds, text)
    with np.errstate(invalid="ignore"):
        truth = condition(text, "test").holds({"x": x.astype(np.float64)}, FLOAT)
    assert truth[:, always].all()
    assert not truth[:, never].any()
    assert np.mean(always | never) > (0.99 if text in COMPARISONS else 0.3)


@for_each("text", FORMULAS)
def test_a_formula_gives_anything_only_where_that_is_told(text):
    """For some arguments of a range at most where it says so, and for all where it says so."""
    for allowed in (TABLE_37, Allowance(exp=((3.0, True),))):
        formula, x = RelaxedArithmetic(text, allowed), arguments(50)
        ends = np.minimum(FIRST, LAST), np.maximum(FIRST, LAST)
        with np.errstate(all="ignore"):
            sometimes, always = formula.may_give_anything({"x": ends})
            given = bounds(parsed(text, "test"), {"x": x.reshape(-1).astype(np.float64)}, allowed)
        found = ((given.low == -np.inf) & (given.high == np.inf) & given.nan).reshape(x.shape)
        finite = np.isfinite(FIRST) & np.isfinite(LAST)
        assert not found[:, finite & ~sometimes].any()
        assert found[:, finite & always].all()


@pytest.mark.parametrize("text", ["log(x + sqrt(x * x + 1))", "log(x + sqrt(x * x - 1))"])
def test_a_square_that_overflows_may_cancel_to_anything(text):
    with np.errstate(all="ignore"):
        _, always = RelaxedArithmetic(text).may_give_anything({"x": (np.minimum(FIRST, LAST), np.maximum(FIRST, LAST))})
    finite = np.isfinite(LAST)
    assert always[finite & (FIRST < -1.2 * 2.0**64)].all()
    assert not always[finite & (LAST > -(2.0**64))].any()


def test_an_edge_is_about_no_argument_where_that_is_told():
    x = arguments(40)
    for row in builtins().values():
        for edge in edges(row.name) if FLOAT in row.formats and [p.type for p in row.inputs] == ["gentype"] else ():
            if not row.widths:
                _, never = truth_of(is_concerned, edge)
                assert not edge.matches((x.reshape(-1),), FLOAT).reshape(x.shape)[:, never].any()
                assert never.any() or edge.patterns[0].constant is None
                assert_is_told_whether_it_is_normal(edge, x)


def assert_is_told_whether_it_is_normal(edge, x):
    """An edge that is said to prescribe no normal number prescribes none."""
    if edge.may_prescribe_normal(FLOAT):
        return
    with np.errstate(all="ignore"):
        for due, result in zip(edge.expected((x.reshape(-1),), FLOAT), edge.results, strict=True):
            is_normal = np.isfinite(due) & (np.abs(due) >= FLOAT.smallest_normal)
            assert result.is_free or not is_normal.any()


def test_edges_at_single_numbers_concern_few_ranges():
    told = {edge.text: ~truth_of(is_concerned, edge)[1] for edge in edges("lgamma")}
    assert told["lgamma(1) = +0"].sum() == 1
    assert told["lgamma(±0) = +inf"].sum() == 2
    poles = told["lgamma(x) = +inf for integer x < 0"]
    assert not poles[: len(poles) // 2].any()  # of positive numbers
    assert not poles[(FIRST < 0) & (LAST > -1)].any()


def rows():
    """Every limit of one float argument, once."""
    found = {}
    for row in builtins().values():
        if FLOAT in row.formats and [p.type for p in row.inputs] == ["gentype"] and not row.widths:
            for edition in editions.known():
                for profile in PROFILES:
                    one = limit(row.name, FLOAT, profile, edition=edition)
                    found.setdefault((one.clauses, one.parameters), one)
    return list(found.values())


def asked_by(one):
    """What a limit alone asks of every range."""
    with np.errstate(all="ignore"):
        return requirements(OneLaw(one, (), waives=False, signless=False), FIRST, LAST)


def test_the_tables_have_many_kinds():
    assert len(rows()) > 25


def test_limits_of_ranges_are_those_of_every_argument():
    x = arguments(2)
    sizes = np.ldexp(RNG.uniform(1, 2, x.shape), RNG.integers(-140, 120, x.shape))
    made_up = "undefined for x > 2^20; 3 + floor(|2x|) ulp for |x| <= 7; absolute 2^-9 for x < 0; any for x = 8; 2 ulp"
    beside = "derived (180 / π) * x in rounded steps or 90 ulp"
    for one in [*rows(), *(Limit(text, "test", ("x",), parse(text, "test")) for text in (made_up, beside))]:
        told = asked_by(one)
        flat = x.reshape(-1)
        given = (flat,), Enclosure.of(sizes.reshape(-1))
        with np.errstate(all="ignore"):
            is_open = one.leaves_open((flat,), flat, FLOAT).reshape(x.shape)
            bound = one.bound(*given, FLOAT).reshape(x.shape)
        assert is_open[:, told.is_open].all()
        assert not is_open[:, told.is_judged].any()
        assert not (told.is_open & told.is_judged).any()
        ulps = FLOAT.smallest_subnormal * np.maximum(1.0, np.exp2(np.floor(np.log2(sizes)) + 126))
        where = told.is_judged & np.isfinite(FIRST)
        allowed = np.maximum(told.allowed, told.tolerance / ulps)[:, where]
        refused = np.maximum(told.refused, told.tolerance / ulps)[:, where]
        numbers = ~np.isnan(bound[:, where])  # not equality, nor a formula alone
        assert (allowed <= bound[:, where])[numbers].all()
        assert (bound[:, where] <= refused)[numbers].all()
        assert (allowed <= (0 if one.is_equality else 3))[~numbers].all()


@pytest.mark.parametrize("name, function", [("acosh", np.arccosh), ("asinh", np.arcsinh)])
def test_what_is_told_to_conform_to_a_formula_alone_does(name, function):
    """Results as far off as it says, on both sides: the last function of the formula may be off by as much alone."""
    for profile in ("relaxed", "relaxed embedded"):
        one = limit(name, FLOAT, profile)
        told, x = asked_by(one), arguments(40)
        x = np.concatenate([x, (1 + RNG.uniform(0, 2.0**-9, x.shape) ** 2).astype(np.float32)])  # acosh is steep there
        with np.errstate(all="ignore"):
            exact = function(x.astype(np.float64))
        judged = told.is_judged[FLOAT.bits(x) >> 20] & np.isfinite(exact)
        codes = FLOAT.bits(exact.astype(np.float32)).astype(np.int64)
        for farther in (-2, -1, 0, 1, 2):
            actual = FLOAT.from_bits(np.where(judged, codes + farther, codes).astype(np.uint32))
            with np.errstate(all="ignore"):
                error = ulp_errors(actual.reshape(-1), Enclosure.of(exact.reshape(-1)), FLOAT)
                within = one.within(
                    error, (x.reshape(-1),), Enclosure.of(exact.reshape(-1)), actual.reshape(-1), FLOAT, "rte"
                )
            near = (np.abs(error) <= one.clauses[0][0].least).reshape(x.shape)
            assert within.reshape(x.shape)[judged & near].all()
            assert (judged & near).sum() > 50_000


def test_of_other_formulas_no_error_is_told_to_conform():
    """A product may round to nearest, an exponential grows coarse; beside a formula stands what is allowed anyway."""
    assert RelaxedArithmetic("log(x) * 2").least == 0
    assert RelaxedArithmetic("exp(x)").least == 0
    assert limit("atanh", FLOAT, "relaxed").clauses[-1][0].least == 8192


@pytest.mark.parametrize("name, factor", [("degrees", 180 / np.pi), ("radians", np.pi / 180)])
@pytest.mark.parametrize("options", [(), ("-cl-fp32-correctly-rounded-divide-sqrt",)], ids=str)
def test_what_is_told_of_a_product_holds(name, factor, options):
    """Results as far off as it says conform, those that are farther off do not, and something is told of most."""
    for profile in ("full", "embedded"):
        one = limit(name, FLOAT, profile, options=options)
        told, x = asked_by(one), arguments(2).reshape(-1)[::5]
        powers = (np.exp2(np.arange(-100, 100)) / factor).astype(np.float32)  # above one, floats are farther apart
        x = np.concatenate([x, *(FLOAT.from_bits(FLOAT.bits(powers) - np.uint32(n)) for n in range(9))])
        with np.errstate(invalid="ignore"):  # signaling NaN
            exact = x.astype(np.float64) * factor
        usual = (np.abs(exact) < FLOAT.largest / 8) & (np.abs(exact) >= FLOAT.smallest_normal * 8)
        x, exact = x[usual], exact[usual]
        allowed, refused = (sizes[FLOAT.bits(x) >> 20] for sizes in (told.allowed, told.refused))
        assert (allowed > (0.2 if options else 1.5)).all()
        assert (refused < 7).all()
        codes = FLOAT.bits(exact.astype(np.float32)).astype(np.int64)
        seen = np.zeros(2, np.int64)
        for farther in (-9, -5, -3, -2, -1, 0, 1, 2, 3, 5, 9):
            actual = FLOAT.from_bits((codes + farther).astype(np.uint32))
            error = ulp_errors(actual, Enclosure.of(exact), FLOAT)
            within = one.within(error, (x,), Enclosure.of(exact), actual, FLOAT, "rte")
            assert within[np.abs(error) <= allowed].all()
            assert not within[np.abs(error) > refused].any()
            seen += (np.abs(error) <= allowed).sum(), (np.abs(error) > refused).sum()
        assert (seen > 5_000).all()


LAWS = [
    Law(profile, "rte", flushes=flushes, options=options, edition=edition)
    for profile, options, flushes in (
        ("full", (), False),
        ("embedded", ("-cl-finite-math-only",), True),
        ("relaxed", ("-cl-fast-relaxed-math",), True),
        ("relaxed embedded", ("-cl-unsafe-math-optimizations",), False),
    )
    for edition in (editions.DEFAULT, "opencl-c-3.1.1")
]


@for_each("law", LAWS)
@np.errstate(all="ignore")
def test_what_the_law_in_lanes_asks_of_a_range_it_asks_of_every_argument(law):
    """Of each row, in some ranges: limits, waivers and edges; of formulas see above."""
    some = np.sort(RNG.choice(len(STARTS), 400, replace=False))
    x, first, last = arguments(2)[:, some], FIRST[some], LAST[some]
    wide = x.reshape(-1).astype(np.float64)
    scale = np.exp2(RNG.integers(-100, 140, wide.shape).astype(np.float64))
    seen = np.zeros(3, np.int64)
    for name in sorted({row.name for row in builtins().values() if is_of_one_float(row)}):
        one = OneLaw.of(law, Item(builtin(name), FLOAT))
        if not is_known_limit(one.limit, FLOAT):
            continue
        told = requirements(one, first, last)
        said = required((wide,), Got(wide, scale, FLOAT, RTE, on_host=True), one)
        is_open = np.broadcast_to(said.is_waived | (said.leaves_open & said.is_known), wide.shape).reshape(x.shape)
        is_free = np.broadcast_to(said.is_waived | said.allowed.is_open, wide.shape).reshape(x.shape)
        assert is_open[:, told.is_open].all(), name
        assert not is_free[:, told.is_judged].any(), name
        assert not (told.is_open & (told.is_judged | told.is_edged)).any(), name
        assert is_free[:, told.is_edged].all(), name
        error, ulps = said.allowed.error.reshape(x.shape), scale.reshape(x.shape)
        least, most = (np.maximum(told.tolerance * ulps, one) for one in (told.allowed, told.refused))
        of_formula = max((rule.formula.least for rule, _ in one.limit.clauses if is_relaxed(rule)), default=0.0)
        steps = any(isinstance(getattr(rule, "formula", None), RoundedSteps) for rule, _ in one.limit.clauses)
        if not steps:
            assert (least <= np.maximum(error, of_formula))[:, told.is_judged].all(), name
        assert (error <= most)[:, told.is_judged].all(), name
        seen += told.is_open.sum(), told.is_judged.sum(), np.isfinite(told.refused[told.is_judged]).sum()
    assert (seen > 1_000).all() or law.profile == "full"


def is_relaxed(rule):
    return isinstance(getattr(rule, "formula", None), RelaxedArithmetic)


def is_of_one_float(row):
    return FLOAT in row.formats and [p.type for p in row.inputs] == ["gentype"] and not row.widths


ENDS = [-np.inf, -2.5, -1.0, 0.0, 0.5, 1.0, 3.0, np.inf]
SPANS = [(low, high, nan) for k, low in enumerate(ENDS) for high in ENDS[k:] for nan in (False, True)]
SPANS.append((np.inf, -np.inf, True))  # nothing but NaN
PAIRS = [(a, b) for a in SPANS for b in SPANS]
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
    """Some numbers of a range, both ends among them."""
    low, high, nan = span
    return [x for x in (*ENDS, -0.25, 2.0, 0.75, 1e9) if low <= x <= high] + [np.nan] * nan


def by_name(x, y, name):
    """An operation, as a lane function."""
    return OPERATIONS[name](x, y, select)


@for_each("name", OPERATIONS)
@np.errstate(all="ignore")
def test_an_operation_on_ranges_gives_what_it_gives_for_their_numbers(name):
    """All of that, and no more: ends are met, and what is said of all or some numbers is true of those."""
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
