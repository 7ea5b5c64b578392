"""Sets of acceptable results compared with exact fractions, by exact values and by enclosures."""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction

import numpy as np
import pytest

from clmath.audit.acceptance import sets
from clmath.audit.acceptance.acceptable import Asked, _is_tiny_product, acceptable, acceptable_integer, contains_integer
from clmath.audit.acceptance.batch import Batch, asked_of, codes_of, value_on_host
from clmath.audit.acceptance.criteria import Requirement
from clmath.audit.acceptance.limits import Sides, _of_ends, _without_zeros, limited
from clmath.audit.acceptance.relaxed import Ends
from clmath.audit.acceptance.sets import Prescribed, are_decided, concerned
from clmath.audit.plan.item import Item
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.numbers.rounding import MODES, ZERO_SUM, Enclosure, enclosed, round_real
from clmath.phases import Bounds
from clmath.spec.builtins import builtin
from clmath.spec.limits import parse
from tests.cases import for_each

ALL = np.arange(1 << 16, dtype=np.int64)  # the encodings of all halves
NAN, QUIET, ZERO = (ALL & 0x7FFF) > 0x7C00, (ALL & 0x200) != 0, (ALL & 0x7FFF) == 0
LIMITS = (
    "correctly rounded",
    "0.5 ulp",
    "1 ulp",
    "2.5 ulp",
    "4 ulp + relative 2^-9",
    "absolute 2^-13",
    "absolute 2^20",
)


def members(one):
    """Return the encodings of the halves in a set for one element."""
    return set(np.flatnonzero(sets.contains(one, ALL, HALF)).tolist())


def single(code, **more):
    return members(sets.single(np.array([code]), HALF, **more))


def test_set_of_one_result():
    for code in (1, 0x3C00, 0x7BFF, 0x7C00, 0xFC00, 0x8001):
        assert single(code) == {code}
        assert single(code, either_zero=True) == {code}
    assert (single(0), single(0x8000)) == ({0}, {0x8000})
    assert single(0, either_zero=True) == single(0x8000, either_zero=True) == {0, 0x8000}
    assert single(0x7E01) == single(0xFE01) == set(np.flatnonzero(NAN & QUIET).tolist())
    for code in (0, 0x8000, 0x3C00, 0xBC00, 0x7E00, 0xFE00):
        assert single(code, here=np.array([False])) == set()
        assert single(code, here=np.array([False]), either_zero=True) == set()


def test_spans_contain_their_ends_and_zeros_of_both_signs():
    always = np.array([True])
    for low, high in itertools.product((-3, -1, 0, 1, 3), repeat=2):
        found = members(sets.between(np.array([low]), np.array([high]), always))
        assert found == {
            c for p in range(low, high + 1) for c in ((p,) if p > 0 else (0x8000 - p, 0) if not p else (0x8000 - p,))
        }
        assert members(sets.between(np.array([low]), np.array([high]), ~always)) == set()


def test_everything_and_nothing():
    like = np.ones(1)
    assert members(sets.nothing(like)) == set()
    assert members(sets.everything(like)) == set(np.flatnonzero(~NAN | QUIET).tolist())
    both = sets.united(sets.single(np.array([5]), HALF), sets.single(np.array([0x7E00]), HALF))
    assert members(both) == {5, *np.flatnonzero(NAN & QUIET).tolist()}
    chosen = [members(sets.chosen(np.array([here]), both, sets.nothing(like))) for here in (True, False)]
    assert chosen == [members(both), set()]


@functools.cache
def ulp_of(value, form):
    """Return the ulp of the specification; at a power of two, the ulp of the numbers below."""
    size = abs(value)
    exponent = size.numerator.bit_length() - size.denominator.bit_length() - 1
    while Fraction(2) ** (exponent + 1) < size:
        exponent += 1
    return Fraction(2) ** min(max(exponent - form.precision + 1, form.quantum), form.emax - form.precision + 1)


@functools.cache
def rounded(value, form, mode):
    return round_real(value, form, mode)


@functools.cache
def reach_of(text, value, form):
    """Return the allowed distance of a result from an exact value, or None for equality."""
    number, _, unit = text.partition(" ")
    if number == "absolute":
        return Fraction(2) ** int(unit.removeprefix("2^"))
    if number == "correctly":
        return None
    share = Fraction(2) ** -9 * abs(value) if "relative" in unit else 0
    return Fraction(number) * ulp_of(value, form) + share


def is_allowed(got, value, text, form, mode):
    """Whether a limit allows a result for an exact value other than zero, by exact fractions."""
    if got.tobytes() == rounded(value, form, mode).tobytes():
        return True
    end = Fraction(2) ** (form.emax + 1)  # the value of an infinity, and the bound of exact values compared with it
    value = value if math.isfinite(got) else max(min(value, end), -end)
    reach = reach_of(text, value, form)
    if reach is None or math.isnan(got):
        return False
    return abs((Fraction(float(got)) if math.isfinite(got) else end if got > 0 else -end) - value) <= reach


def values_of(form):
    """Return exact values: numbers, midpoints, values next to them, powers of two, subnormal, tiny and huge values."""
    unit, tiny = Fraction(2) ** (1 - form.precision), Fraction(2) ** -110
    shares = [1, 1 + unit / 2, 1 + unit / 3, 2 - unit / 2, 1 + unit / 2 + tiny, 1 - tiny]
    places = [0, form.emin - 1, form.emin, form.emin + 1, form.quantum - 1, form.quantum + 2, form.quantum - 70]
    places += [form.emax, form.emax + 1, form.emax + 70]
    return [s * share * Fraction(2) ** place for s in (1, -1) for share in shares for place in places]


def results_of(value, form):
    """Return the number nearest to a value, numbers near it, and results of every other kind."""
    code = int(form.bits(round_real(value, form, "rtz"))) & form.magnitude
    near = [code + k for k in range(-4, 5) if 0 <= code + k <= form.infinite]
    near += [int(form.bits(form.dtype.type(2.0**-13))) + k for k in (-1, 0, 1)]
    near += [0, 1, 3, form.infinite, form.infinite - 1, form.infinite + 1, form.infinite | 1 << form.precision - 2]
    near += [int(form.bits(form.dtype.type(2.0**20))) + k for k in (-1, 0, 1)] if form.emax > 20 else []
    sign = 1 << form.width - 1
    return [form.from_bits(np.array(c | s, form.bits_dtype))[()] for c in near for s in (0, sign)]


def pairs_of(form):
    return [(v, r) for v in values_of(form) for r in results_of(v, form)]


def stacked(enclosures):
    return Enclosure(*(np.array(column) for column in zip(*enclosures, strict=True)))


def sides_of(exact, results, text, form, mode, **more):
    """Return the inner and the outer condition: whether sets by exact values or by enclosures contain the results."""
    more = {"zero_sign": "judged"} | more
    need = Requirement(form, MODE_NUMBERS[mode], parse(text, "a test"), ("x",), **more)
    x = np.ones(len(results), form.dtype)
    with np.errstate(all="ignore"):
        batch = Batch(Item(builtin("sin"), form), None, _Named, (x,), (x,), (results,))
        found = acceptable(asked_of(batch, 0), value_on_host(exact, need), need)
        return [np.asarray(sets.contains(one, codes_of(results, form), form)) for one in found]


class _Named:
    parameters = ("x",)


@pytest.mark.slow
@for_each("form", [HALF, FLOAT, DOUBLE])
def test_limits_agree_with_exact_fractions(form):
    pairs = pairs_of(form)
    exact, results = stacked([enclosed(v) for v, _ in pairs]), np.array([r for _, r in pairs], form.dtype)
    for text, mode in itertools.product(LIMITS, MODES):
        inner, outer = sides_of(exact, results, text, form, mode)
        assert np.array_equal(inner, outer)
        wanted = np.array([is_allowed(r, v, text, form, mode) for v, r in pairs])
        small = np.array([abs(v) < 1 for v, _ in pairs])  # the size of values with an absolute limit
        wrong = np.flatnonzero((inner != wanted) & (small | ("absolute" not in text)))
        assert not wrong.size, [
            (text, mode, str(pairs[k][0])[:60], float(pairs[k][1]).hex(), bool(wanted[k])) for k in wrong[:3]
        ]


@for_each("form", [HALF, FLOAT, DOUBLE])
def test_flushing_target_may_return_zero_for_subnormal_results(form):
    pairs = pairs_of(form)
    exact, results = stacked([enclosed(v) for v, _ in pairs]), np.array([r for _, r in pairs], form.dtype)
    least = form.from_bits(np.array(1 << form.precision - 1, form.bits_dtype))[()]
    for text, mode in itertools.product(LIMITS, ("rte", "rtz")):
        plain, flushing = (sides_of(exact, results, text, form, mode, flushes=flushes)[0] for flushes in (False, True))
        differs = flushing & ~plain
        assert (results[differs] == 0).all()
        assert not (plain & ~flushing).any()
        for (value, got), passes in zip(pairs, flushing, strict=True):
            if got == 0 and abs(value) < Fraction(float(least)):
                assert passes  # the correctly rounded result is subnormal before rounding
            if got == 0 and reach_of(text, value, form) is None and abs(value) >= Fraction(float(least)):
                assert not passes


@for_each("form", [HALF, FLOAT, DOUBLE])
def test_zero_passes_if_an_end_of_the_enclosure_is_subnormal(form):
    values = np.array([s * 2.0**form.emin for s in (1.0, -1.0)])
    parts = (values, values * 0.0, np.abs(values) * 2.0**-40, np.zeros(2, np.int64))
    given = Bounds(Enclosure(*parts), form, 0.0), np.zeros(2, form.dtype), "0.5 ulp", form, "rte"
    assert sides_of(*given, flushes=True)[1].all()
    assert not sides_of(*given)[1].any()


@pytest.mark.slow
@for_each("form", [HALF, FLOAT, DOUBLE])
def test_enclosures_agree_with_both_of_their_ends(form):
    """In a binade: results that both ends allow are certain, and results that neither end allows are refused."""
    width = Fraction(2) ** (-20 - form.precision) if form.is_narrow else Fraction(2) ** -90
    chosen = []
    for value in values_of(form):
        (head, low, _, exponent) = parts = enclosed(Fraction(float(value)) if form.is_narrow else value)
        size = abs(float(head)) * width
        ends = [Fraction(float(head)) + Fraction(float(low)) + s * Fraction(float(size)) for s in (-1, 0, 1)]
        ends = [end * Fraction(2) ** int(exponent) for end in ends]
        within = Fraction(2) ** (form.quantum + 3) < abs(value) < Fraction(2) ** (form.emax + 1)
        if within and len({ulp_of(end, form) for end in ends}) == 1:
            hi = float(head) * 2.0 ** int(exponent) if form.is_narrow else float(head)
            err = size * 2.0 ** int(exponent) if form.is_narrow else size
            parts = (hi, 0.0 if form.is_narrow else float(low), err, 0 if form.is_narrow else int(exponent))
            chosen += [(ends, parts, r) for r in results_of(value, form)]
    exact, results = stacked([c[1] for c in chosen]), np.array([c[2] for c in chosen], form.dtype)
    reported = 0
    for text, mode in itertools.product(LIMITS, MODES):
        inner, outer = sides_of(Bounds(exact, form, 0.0), results, text, form, mode)
        by_ends = np.array([[is_allowed(r, end, text, form, mode) for end in ends] for ends, _, r in chosen])
        assert by_ends.all(axis=-1)[inner].all()
        assert outer[by_ends.any(axis=-1)].all()
        same = by_ends.all(axis=-1) | ~by_ends.any(axis=-1)
        reported += np.count_nonzero(same & (inner == outer))
        assert np.mean((inner == outer)[same]) > 0.99, (text, mode)
    assert reported > 1000


@pytest.mark.parametrize("sign", [1.0, -1.0])
def test_non_finite_and_zero_exact_values(sign):
    """NaN, infinities, and zeros with their sign."""
    results = HALF.from_bits(ALL.astype(np.uint16))
    for value, wanted in ((math.nan, NAN & QUIET), (sign * math.inf, results == sign * math.inf)):
        exact = Enclosure(*(np.full(len(ALL), part) for part in (value, 0.0, 0.0, 0)))
        for text, mode in itertools.product(LIMITS, MODES):
            for one in sides_of(exact, results, text, HALF, mode):
                assert np.array_equal(one, wanted), (value, text, mode)
    exact = Enclosure(*(np.full(len(ALL), part) for part in (math.copysign(0.0, sign), 0.0, 0.0, 0)))
    for mode, flushes in itertools.product(MODES, (False, True)):
        for one in sides_of(exact, results, "correctly rounded", HALF, mode, flushes=flushes):
            assert np.flatnonzero(one).tolist() == [0 if sign > 0 else 0x8000]
        for zero_sign in ("not judged", "open"):
            for one in sides_of(exact, results, "correctly rounded", HALF, mode, flushes=flushes, zero_sign=zero_sign):
                assert np.flatnonzero(one).tolist() == [0, 0x8000]


def test_equal_sides_are_evaluated_once():
    asked = []
    assert Sides.of(lambda side: asked.append(side) or side, same=True) == (1, 1)
    assert Sides.of(lambda side: asked.append(side) or side, same=False) == (0, 1)
    assert asked == [1, 1, 0]
    value = value_on_host(
        stacked([enclosed(Fraction(1, 3))]), need := Requirement(FLOAT, 0, parse("2 ulp", "a test"), ("x",))
    )
    assert limited({"x": np.ones(1)}, value, need).sets.is_one


def test_zero_sum_of_opposite_numbers_is_negative_only_in_rtn():
    results = np.array([0.0, -0.0])
    exact = Enclosure(np.zeros(2), np.zeros(2), np.zeros(2), np.full(2, ZERO_SUM))
    for mode in MODES:
        inner, outer = sides_of(exact, results, "correctly rounded", DOUBLE, mode)
        assert inner.tolist() == outer.tolist() == [mode != "rtn", mode == "rtn"]


@for_each("form", [HALF, FLOAT, DOUBLE])
@np.errstate(all="ignore")
def test_products_that_are_subnormal_before_rounding(form):
    least = Fraction(2) ** form.emin
    rng = np.random.default_rng(5)
    a = rng.uniform(1.0, 2.0, 300).astype(form.dtype)
    b = (2.0**form.emin / a.astype(np.float64)).astype(form.dtype)
    pairs = [(x, np.nextafter(y, form.dtype.type(s))) for x, y in zip(a, b, strict=True) for s in (0.0, 1.0)]
    pairs += [
        *zip(a, b, strict=True),
        (form.dtype.type(1.0), form.smallest_normal),
        (form.dtype.type(-1.0), form.largest),
    ]
    x, y = (np.array(side, np.float64) for side in zip(*pairs, strict=True))
    wanted = [abs(Fraction(float(p)) * Fraction(float(q))) < least for p, q in zip(x, y, strict=True)]
    assert _is_tiny_product(x, y, form).tolist() == wanted
    assert {True, False} == set(wanted)


def test_ints_without_a_requirement():
    got, due = np.arange(-3, 4), np.zeros(7, np.int64)
    x = np.ones(7)
    never = np.zeros(7, np.bool_)
    asked = Asked((x,), {"x": x}, never, never, ~never)
    for text, right in (("any", [True] * 7), ("undefined for x > 2; 2 ulp", [k == 0 for k in got])):
        found = acceptable_integer(asked, due, Requirement(FLOAT, 0, parse(text, "a test"), ("x",)))
        assert contains_integer(found, got, due, (x,)).tolist() == right
        assert found.unspecified.tolist() == [text == "any"] * 7
        assert contains_integer(found._replace(unspecified=never), got, due, (x,)).tolist() == right


def test_special_value_of_any_result_restricts_nothing():
    like, here = np.ones(2), np.array([True, False])
    found = [Prescribed(0, here, sets.everything(like), decides=True, concerns=False)]
    assert not concerned(found, like).any()
    assert concerned([*found, found[0]._replace(concerns=True)], like).tolist() == here.tolist()
    assert are_decided(found, like).tolist() == here.tolist()


def test_bounds_of_a_formula_that_are_not_sure_allow_nothing_for_certain():
    low, high, empty = np.ones(4), np.full(4, 2.0), sets.nothing(np.ones(4))
    sure, nan = np.array([True, False, True, False]), np.array([True, True, False, False])
    found = _of_ends(Ends(low, high, nan, sure, inner=True), FLOAT, empty)
    number, quiet = (np.full(4, int(FLOAT.bits(x)), np.int64) for x in (1.5, np.nan))
    assert sets.contains(found, number, FLOAT).tolist() == sure.tolist()
    assert sets.contains(found, quiet, FLOAT).tolist() == (sure & nan).tolist()
    anything = _of_ends(Ends(low - np.inf, high + np.inf, nan, sure, inner=True), FLOAT, empty)
    assert (found.unspecified.tolist(), anything.unspecified.tolist()) == ([False] * 4, (sure & nan).tolist())


def test_further_results_have_no_zeros_where_the_exact_value_is_zero():
    """Only the rule about its sign says which zeros are acceptable."""
    zero, always = np.array([True, False]), np.ones(2, np.bool_)
    others = sets.between(np.zeros(2, np.int64), np.zeros(2, np.int64), always)
    value = value_on_host(Enclosure.of(np.where(zero, 0.0, 1.0)), Requirement(FLOAT, 0, (), ("x",)))
    found = _without_zeros(others, value)
    assert (found.plus.tolist(), found.minus.tolist()) == ([False, True], [False, True])
