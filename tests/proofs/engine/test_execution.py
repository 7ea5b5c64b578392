"""Models of values on cells contain the values themselves: doubles computed by NumPy, and integers one by one."""

from __future__ import annotations

import itertools
from fractions import Fraction

import gmpy2
import numpy as np
import pytest
from flint import arb, ctx

from clmath.ir.primitives import bits, fast_two_sum, from_bits, polynomial, real, sqrt, two_product, two_sum
from clmath.ir.program import Program, Value
from proofs.engine import execution
from proofs.engine.exactness import Shapes
from proofs.engine.execution import Execution, Fork, Power, Real, constant, is_ordered
from proofs.engine.ideals import least_distance
from proofs.engine.models import Cell, Unproven, precisely
from proofs.engine.traced import traced
from proofs.terms import Encoding
from tests.cases import for_each
from tests.proofs.engine import results

CELLS = [(1.0, 1.0 + 2.0**-10), (1.0, 4.0), (-3.0, -0.75), (0.1, 0.7), (2.0**-30, 2.0**-28), (1.9, 2.1), (1.25, 1.25)]
GRID = 1.5 * 2.0**30
MASK = -0x8000000


@pytest.fixture(autouse=True)
def _precision():
    precisely()


def to_a_grid(x):
    short = (x + GRID) - GRID
    return short, x - short, short * short, (x - short) * (x + short)


def squared_in_parts(x):
    head = (x + GRID) - GRID
    tail = x - head
    return head * head + 2.0 * (head * tail), tail * tail


def without_last_bits(x):
    head = from_bits(bits(x) & MASK)
    return head, x - head, head * head


def short_without_last_bits(x):
    """From 2 on more bits are cleared than below."""
    head = (x + GRID) - GRID
    return head, from_bits(bits(head) & -(1 << 30))


def sums(x):
    s, e = two_sum(x, x * 0.1)
    h, f = fast_two_sum(x, x * 0.3)
    return s, e, h, f, s + (h * 0.7 + f)


def sum_of_the_lesser_first(x):
    head = (x + GRID) - GRID
    return fast_two_sum(head - 1.0, x * 0.001)


def horner(x):
    return polynomial(x, (0.3, 1.7, -0.9, 0.2)), x * 0.25, x * -4.0, x * 3.0


def quotients(x):
    s, e = two_sum(x / 4.0, x)
    return x / 0.5, (x / 8.0) * 4.0, x / 3.0, x / -2.0, s, e


FUNCTIONS = {
    quotients: 6,
    to_a_grid: 4,
    squared_in_parts: 2,
    without_last_bits: 3,
    short_without_last_bits: 2,
    sums: 5,
    sum_of_the_lesser_first: 2,
    horner: 4,
}


def outputs(function, cell, count, decided=None):
    """Models of the results: more than one answer where conditions are not the same on the cell."""
    whole = traced(function, ("double",), ("double",) * count)
    least = min(abs(float(cell.low)), abs(float(cell.high)))
    given = {0: Real(cell.argument(), int(np.frexp(least)[1]) - 53)}
    decided = decided or {}
    try:
        run = Execution(whole.program, whole.tables, whole.shapes, cell, given, decided)
        return [[results.real(run, place) for place in range(count)]]
    except Fork as fork:
        both = ({**decided, fork.condition: way} for way in (True, False))
        return [found for ways in both for found in outputs(function, cell, count, ways)]


@for_each("ends", CELLS)
@for_each("function", FUNCTIONS)
def test_models_contain_the_values_of_programs(function, ends):
    low, high = ends
    rng = np.random.default_rng(3)
    x = np.concatenate([[low, high], low + (high - low) * rng.uniform(0.0, 1.0, 300)])
    short = x.astype(np.float32).astype(np.float64)
    x = np.unique(np.concatenate([x, short[(low <= short) & (short <= high)]]))
    cell = Cell(arb(low), arb(high))
    found = outputs(function, cell, FUNCTIONS[function])
    for one, *values in zip(x.tolist(), *(values.tolist() for values in function(x)), strict=True):
        place = arb(one) - cell.middle
        assert any(all(map(_is_held, values, known, itertools.repeat(place))) for known in found)


def _is_held(value, known, place):
    """Whether the model contains ``value``, for an argument at ``place`` of the cell."""
    off = arb(value) - known.model.p(place)
    width = constant(known.model.cell, value).width
    on_grid = value == 0.0 or execution.grid_of(value) >= known.grid
    return off.overlaps(known.model.off()) and on_grid and width <= known.width


@pytest.mark.parametrize("by", [2.0**-40, 0.5, 4.0, 2.0**60])
def test_quotients_by_powers_of_two_are_not_rounded(by):
    cell = Cell(arb(1), arb(1.25))
    ((found,),) = outputs(lambda x: x / by, cell, 1)
    assert (found.model - cell.argument().scaled(1 / arb(by))).range().is_zero()
    ((found,),) = outputs(lambda x: x / (by * 1.5), cell, 1)
    assert not (found.model - cell.argument().scaled(1 / arb(by * 1.5))).range().is_zero()


def test_error_of_a_small_products_tail_is_within_the_stated_bound():
    """Products of doubles, by Dekker and by an fma, next to the range in which they are exact, and smaller ones."""
    rng = np.random.default_rng(5)
    a = rng.uniform(1.0, 2.0, 3000) * np.exp2(rng.integers(-500, -470, 3000))
    b = rng.uniform(1.0, 2.0, 3000) * np.exp2(rng.integers(-560, -470, 3000))
    (p, e), least = two_product(a, b), Fraction(2) ** -1030
    lossy = 0
    for x, y, head, tail in zip(a.tolist(), b.tolist(), p.tolist(), e.tolist(), strict=True):
        exact = Fraction(x) * Fraction(y) - Fraction(head)
        assert abs(Fraction(tail) - exact) <= least
        assert abs(Fraction(float(exact)) - exact) <= least
        lossy += Fraction(tail) != exact
    assert lossy > 300
    cell = Cell(arb(2) ** -520, arb(2) ** -519)
    whole = traced(lambda x: two_product(x, x * 1.5), ("double",), ("double", "double"))
    run = Execution(whole.program, whole.tables, whole.shapes, cell, {0: Real(cell.argument(), -572)})
    head, tail = results.real(run, 0), results.real(run, 1)
    off = (head.model + tail.model - run.real(Value(1)).model * cell.argument()).range()
    assert 0 < off.abs_upper() < arb(2) ** -1029
    assert run.lemmas["two_product, underflow"] == 1


def test_squares_of_distances_from_the_grid_cancel():
    cell = Cell(arb(1), arb(1) + arb(2) ** -9)

    def function(x):
        head = (x + GRID) - GRID
        tail = x - head
        return (head * head - 1.0) + ((head * tail) * 2.0 + tail * tail)

    ((found,),) = outputs(function, cell, 1)
    argument = cell.argument()
    error = found.model - argument * argument + cell.constant(1)
    assert error.range().abs_upper() < 2.0**-58  # |tail| < 2^-23: its square is 2^-46


def test_products_of_paired_numbers_are_the_same_number():
    cell = Cell(arb(0), arb(1))
    a, b, c = cell.unknown(0.5), cell.unknown(0.25), cell.unknown(0.125)
    cell.paired |= {0, 1}
    assert (a * b - b * a).range().is_zero()
    assert ((a + b) * (a + b) - a * a - b * b - (a * b).scaled(2)).range().is_zero()
    assert (a * b).range().abs_upper() >= 0.125
    assert (a * (b + c) - a * b).range().abs_upper() >= 0.0625
    assert ((a + c) * b - a * b).range().abs_upper() >= 0.03125
    assert not (a * c - c * a).range().is_zero()  # not paired
    assert (a * c).range().abs_upper() >= 0.0625


@for_each("x", [1.0, 1.5, -1.0, 2.0**40, 1.0 - 2.0**-53, 0.1, -(2.0**-300)])
def test_all_of_a_ball_is_rounded_to_the_double_that_is_named(x):
    up, down = (Fraction(float(np.nextafter(x, to))) for to in (np.inf, -np.inf))
    for share in (Fraction(1, 8), Fraction(3, 8), Fraction(49, 100), Fraction(51, 100), Fraction(3, 4)):
        above, below = Fraction(x) + (up - Fraction(x)) * share, Fraction(x) - (Fraction(x) - down) * share
        for end in (above, below):
            ball = (arb(x) + as_arb(end)) / 2 + arb(0, 1) * abs(as_arb(end) - arb(x)) / 2
            assert execution._nearest(ball) in ({x, None} if share < Fraction(1, 2) else {None})
    assert execution._nearest(arb(x)) == x


def as_arb(fraction):
    return arb(fraction.numerator) / fraction.denominator


@pytest.mark.parametrize("precision", [3, 4, 5])
def test_fast_two_sum_is_exact_where_the_first_is_a_multiple_of_the_last_place_of_the_second(precision):
    """Test formats of few bits with first operands of any size that are multiples of the second's last place."""

    def rounded(exact):
        place = np.frexp(exact)[1] - precision
        return np.ldexp(np.rint(np.ldexp(exact, -place)), place)

    b = np.arange(2 ** (precision - 1), 2**precision, dtype=np.float64)
    a = np.unique(rounded(np.arange(-(2.0 ** (precision + 3)), 2.0 ** (precision + 3) + 1)))
    for first, second in itertools.product(a.tolist(), [*b.tolist(), *(-b).tolist()]):
        s = rounded(first + second)
        back = first - s
        assert rounded(back) == back
        assert rounded(back + second) == back + second == first + second - s


@pytest.mark.parametrize(
    ("grid", "first", "second", "expected"),
    [
        (-52, 1.0, 1.75, True),  # less in size, and a multiple of the last place of numbers below 2
        (-52, 1.0, 2.25, False),
        (-51, 1.0, 3.5, True),
        (-51, 1.0, 4.0, False),
        (-60, 4.0, 3.0, True),
    ],
)
def test_when_fast_two_sum_is_said_to_be_exact(grid, first, second, expected):
    cell = Cell(arb(0), arb(0))
    a, b = (Real(cell.constant(size) + cell.unknown(0.125), grid) for size in (first, second))
    run = Execution(None, None, Shapes(Program(("double", "double"), (), ())), cell, {0: a, 1: b})
    assert is_ordered(run, execution.Value(0), execution.Value(1)) is expected


def spans():
    for first, count, period in itertools.product(range(-9, 18, 3), (1, 2, 4), (0, 8, 16)):
        yield Encoding(first, count, period)


def values_of(known, q, i):
    if isinstance(known, Encoding):
        return known.period * q + known.first + (i if known.count > 1 else 0)
    return known


@pytest.mark.parametrize("by", [0, 1, 2, 3])
def test_spans_without_their_last_bits(by):
    _compare(lambda span: execution._without_last(span, by), lambda n: n >> by)


@pytest.mark.parametrize("mask", [0, 1, 3, 7])
def test_last_bits_of_spans(mask):
    _compare(lambda span: execution._masked(span, mask), lambda n: n & mask)


def _compare(on_spans, on_integers):
    seen = 0
    for span in spans():
        try:
            found = on_spans(span)
        except Unproven:
            continue
        seen += 1
        for q, i in itertools.product(range(-3, 4), range(span.count)):
            assert values_of(found, q, i) == on_integers(values_of(span, q, i))
    assert seen > 10


@pytest.mark.parametrize("added", [-5, 0, 3])
def test_spans_and_constants(added):
    _compare(lambda span: execution._plus(None, span, added), lambda n: n + added)


def test_bits_that_are_set_in_spans():
    cell = Cell(arb(0), arb(0))
    for span, mask in itertools.product(spans(), (4, 8, 24)):
        run = Execution(None, None, None, cell, {0: span})
        try:
            found = execution._long_or(run, 9, execution.Value(0), execution.Constant("long", mask))
        except Unproven:
            continue
        assert all(values_of(found, 0, i) == values_of(span, 0, i) | mask for i in range(span.count))


def test_spans_with_bits_cleared_and_set():
    for first, count in ((5 << 10, 1 << 10), (-7 << 10, 1 << 10), (3, 4)):
        for mask in (-(1 << 63) | 1023, ~0x7C00):
            found = execution._masked(Encoding(first, count), mask)
            assert [found.first + i for i in range(count)] == [(first + i) & mask for i in range(count)]
            found = execution._with_bits(Encoding(first, count), 0x9400)
            assert [found.first + i for i in range(count)] == [(first + i) | 0x9400 for i in range(count)]


def test_the_exponent_of_spans_of_encodings():
    span = Encoding((1023 << 52) + (5 << 44), 1 << 44, 1 << 52)
    found = execution._masked(span, 0x7FF0000000000000)
    for q, i in itertools.product((-1022, -1, 0, 1, 1023), (0, 7, (1 << 44) - 1)):
        assert values_of(found, q, i) == (span.period * q + span.first + i) & 0x7FF0000000000000
    with pytest.raises(Unproven):
        execution._masked(Encoding((1 << 52) - 1, 2, 1 << 52), 0x7FF0000000000000)


def test_powers_of_two_whose_exponent_is_taken_away():
    def function(x):
        k = bits(x)
        return from_bits((1024 - k) << 52) * 3.0, real(k)

    whole = traced(function, ("double",), ("double", "double"))
    number = 1  # of bits(x)
    cell = Cell(arb(0), arb(1), (-7, 9))
    k = Real(cell.constant(1) + cell.unknown(8), 0)
    run = Execution(whole.program, whole.tables, whole.shapes, cell, {number: Power(0, 1, k)})
    scaled = results.real(run, 0)
    assert (scaled.power, float(scaled.model.range())) == (-1, 6.0)  # 2^(1024 - 1023) 3
    assert results.real(run, 1) == k
    far = Cell(arb(0), arb(1), (-7, 1024))
    run = Execution(whole.program, whole.tables, whole.shapes, far, {number: Power(0, 1, k)})
    with pytest.raises(Unproven, match="power of two"):
        results.real(run, 0)


def test_the_closest_double_is_at_the_distance_that_is_known():
    """6381956970095103 2^797 (Muller et al., Handbook of Floating-Point Arithmetic, 11.3.2)."""
    with gmpy2.context(precision=1400, emin=-5000, emax=5000):
        turns = gmpy2.mpfr(6381956970095103) * gmpy2.exp2(797) / (gmpy2.const_pi() / 2)
        away = float(abs(turns - gmpy2.rint(turns)))
    with ctx.workprec(1400):
        quarter_turns = 2 / arb.pi() * arb(2) ** 797
    assert float(least_distance(quarter_turns, 1 << 53, 1400)) == pytest.approx(away, rel=1e-9)


def test_given_values_may_follow_from_others():
    whole = traced(sums, ("double",), ("double",) * 5)
    cell = Cell(arb(1), arb(1))
    given = {0: constant(cell, 1.0), 1: lambda run: run.value(execution.Value(0))}
    run = Execution(whole.program, whole.tables, whole.shapes, cell, given)
    assert float(run.real(execution.Value(1)).model.range()) == 1.0


def test_roots_of_odd_powers_are_unproven():
    whole = traced(lane_root, ("double",), ("double",))
    cell = Cell(arb(1), arb(4), (-149, 127))
    for power in (2, 1):
        run = Execution(whole.program, whole.tables, whole.shapes, cell, {0: Real(cell.argument(), -50, power)})
        if power == 2:
            assert results.real(run, 0).power == 1
            continue
        with pytest.raises(Unproven, match="an odd power"):
            results.real(run, 0)


def lane_root(x):
    return sqrt(x)
