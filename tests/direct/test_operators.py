"""The operators, sqrt, fma and mad against MPFR in every format and mode, and half against plain integers."""

from fractions import Fraction

import gmpy2
import numpy as np
import pytest

from clmath.direct import operators
from clmath.numbers.formats import DOUBLE, HALF
from clmath.numbers.rounding import round_real
from clmath.pragmas import fp_contract
from tests.cases import for_each

BINARY = {
    "add": lambda c, x, y: c.add(x, y),
    "sub": lambda c, x, y: c.sub(x, y),
    "mul": lambda c, x, y: c.mul(x, y),
    "div": lambda c, x, y: c.div(x, y),
}


@for_each("name", BINARY)
def test_binary_operators(bench, name):
    x, y = bench.operands(2, 3000, 1)
    got = getattr(operators, name)(bench.form, bench.mode, x, y)[0]
    bench.same(got, bench.oracle(BINARY[name], x, y), x, y)


@for_each("name, function", [("recip", lambda c, x: c.div(1, x)), ("sqrt", lambda c, x: c.sqrt(x))])
def test_unary_operators(bench, name, function):
    x = np.abs(bench.operands(1, 4000, 2)[0]) if name == "sqrt" else bench.operands(1, 4000, 2)[0]
    x = np.concatenate([x, -x])
    bench.same(getattr(operators, name)(bench.form, bench.mode, x)[0], bench.oracle(function, x), x)


def test_products_and_quotients_around_both_ends_of_the_range(bench):
    form = bench.form
    rng = np.random.default_rng(3)
    x = bench.moderate(3000, 4)
    least = rng.integers(form.quantum - 3, form.emin + 3, x.size)
    ends = np.where(rng.random(x.size) < 0.5, least, form.emax + rng.integers(-2, 2, x.size))
    half = rng.integers(-form.emax // 2, form.emax // 2, x.size)
    a, b = np.ldexp(x, half).astype(form.dtype), np.ldexp(x[::-1], ends - half).astype(form.dtype)
    bench.same(operators.mul(form, bench.mode, a, b)[0], bench.oracle(BINARY["mul"], a, b), a, b)
    b = np.ldexp(x[::-1], half - ends).astype(form.dtype)
    bench.same(operators.div(form, bench.mode, a, b)[0], bench.oracle(BINARY["div"], a, b), a, b)


def test_fma_of_specials(bench):
    a, b, c = (g[::7] if bench.form is not HALF else g[::5] for g in bench.crossed(3))
    got = operators.fma(bench.form, bench.mode, a, b, c)[0]
    bench.same(got, bench.oracle(lambda o, x, y, z: o.fma(x, y, z), a, b, c), a, b, c)


def test_fma(bench):
    a, b, c = bench.operands(3, 3000, 5)
    got = operators.fma(bench.form, bench.mode, a, b, c)[0]
    bench.same(got, bench.oracle(lambda o, x, y, z: o.fma(x, y, z), a, b, c), a, b, c)


def test_fma_where_the_parts_meet(bench):
    """Addends that cancel the product, that stand beyond its last bit, and results at both ends of the range."""
    form = bench.form
    rng = np.random.default_rng(6)
    a, b = bench.moderate(6000, 7), bench.moderate(6000, 8)
    product = (a.astype(np.float64) * b).astype(form.dtype)
    gap = rng.integers(-3 * form.precision, 3 * form.precision, a.size) * (np.arange(a.size) % 3 > 0)
    c = np.ldexp(-product * rng.choice([1.0, -1.0], a.size).astype(form.dtype), gap).astype(form.dtype)
    shift = rng.choice([0, form.emin // 2 - form.precision // 2, form.emin // 2, form.emax // 2], a.size)
    a, b, c = (np.ldexp(v, s).astype(form.dtype) for v, s in ((a, shift), (b, shift), (c, 2 * shift)))
    got = operators.fma(form, bench.mode, a, b, c)[0]
    bench.same(got, bench.oracle(lambda o, x, y, z: o.fma(x, y, z), a, b, c), a, b, c)


def test_mad_follows_the_contraction(bench):
    a, b, c = bench.operands(3, 1000, 9)
    with fp_contract("ON"):
        got = operators.mad(bench.form, bench.mode, a, b, c)[0]
    bench.same(got, bench.oracle(lambda o, x, y, z: o.fma(x, y, z), a, b, c), a, b, c)
    with fp_contract("OFF"):
        got = operators.mad(bench.form, bench.mode, a, b, c)[0]
    bench.same(got, bench.oracle(lambda o, x, y, z: o.add(o.mul(x, y), z), a, b, c), a, b, c)


def test_sums_of_zeros_and_cancelling_numbers(bench):
    x = np.array([0.0, -0.0, 0.0, -0.0, 1.5, -1.5], bench.form.dtype)
    y = np.array([0.0, -0.0, -0.0, 0.0, -1.5, 1.5], bench.form.dtype)
    mixed = -0.0 if bench.mode == "rtn" else 0.0
    want = np.array([0.0, -0.0, *[mixed] * 4], bench.form.dtype)
    bench.same(operators.add(bench.form, bench.mode, x, y)[0], want, x, y)
    bench.same(operators.fma(bench.form, bench.mode, x, np.ones_like(x), y)[0], want, x, y)


def test_the_transformation_does_not_overflow_where_the_sum_does_not():
    top = DOUBLE.largest
    ulp = 2.0**971
    x = np.array([top, top, top, -top, top, -top, ulp / 2, -ulp / 4, 2.0**1023])
    y = np.array([-ulp / 2, ulp / 4, -ulp / 4, ulp / 2, ulp / 2, ulp * 1.5, top, top, 2.0**1023])
    for mode in ("rtz", "rtp", "rtn"):
        with np.errstate(all="ignore"):
            got = operators.add(DOUBLE, mode, x, y)[0]
        want = [round_real(Fraction(a) + Fraction(b), DOUBLE, mode) for a, b in zip(x, y, strict=True)]
        assert got.tolist() == [float(w) for w in want]


OPERANDS = np.array([1.0, 3.140625, -0.1, 2.0**-24, -1023 * 2.0**-24, 65504.0, 1e-3], np.float16)


def _scaled(x):
    """A half as an integer multiple of 2^-24."""
    return int(float(x) * 2**24)


def _rounded(numerator, denominator, negative_zero, mode):
    """The quotient of integers, times 2^-24, as the bits of a half, by integer division alone."""
    negative = numerator < 0 or (numerator == 0 and negative_zero)
    n = abs(numerator)
    place = max(n.bit_length() - denominator.bit_length() - 12, 0)
    while n >= denominator << (place + 11):
        place += 1
    while place and n < denominator << (place + 10):
        place -= 1
    count, rest = divmod(n, denominator << place)
    twice = 2 * rest - (denominator << place)
    up = {"rte": twice > 0 or (twice == 0 and count & 1), "rtz": False, "rtp": not negative, "rtn": negative}[mode]
    bits = (place << 10) + count + int(bool(up and rest))
    largest = 0x7BFF
    if bits > largest:
        bits = largest if mode == "rtz" or (mode == "rtp" and negative) or (mode == "rtn" and not negative) else 0x7C00
    return bits | (negative << 15)


@pytest.mark.parametrize("name", ["add", "mul", "div"])
def test_half_rows_against_integers(name):
    """Every half beside a row of operands: the second operand of each mode is another one of the row."""
    halves = np.arange(1 << 16, dtype=np.uint16).view(np.float16)
    halves = halves[np.isfinite(halves) & ((halves != 0) | (name == "mul"))]
    integers = [_scaled(h) for h in halves]
    negative = np.signbit(halves).tolist()
    for number, y in enumerate(OPERANDS):
        mode = ("rte", "rtz", "rtp", "rtn")[number % 4]
        other, sign = _scaled(y), bool(np.signbit(y))
        if name == "add":
            want = [_rounded(n + other, 1, mode == "rtn" and n + other == 0, mode) for n in integers]
        elif name == "mul":
            want = [_rounded(n * other, 1 << 24, s != sign, mode) for n, s in zip(integers, negative, strict=True)]
        else:
            flip = -1 if sign else 1
            want = [
                _rounded(flip * (n << 24), abs(other), s != sign, mode) for n, s in zip(integers, negative, strict=True)
            ]
        with np.errstate(all="ignore"):
            got = getattr(operators, name)(HALF, mode, halves, np.full_like(halves, y))[0]
        assert np.array_equal(got.view(np.uint16), np.array(want, np.uint16)), (name, mode, y)


def test_the_judge_is_judged():
    """MPFR set up for half agrees with the integers on multiples of 2^-27, most of them subnormal."""
    for n in (1, 3, 4, 5, 12, 20, 1023, 1025, 2047, 8191, 2**20 + 2**9, 2**20 + 2**9 + 1):
        for mode, rounding in (("rte", gmpy2.RoundToNearest), ("rtp", gmpy2.RoundUp), ("rtn", gmpy2.RoundDown)):
            exact = gmpy2.mpfr(n * 2.0**-27)
            with gmpy2.context(precision=11, emax=16, emin=-23, subnormalize=True, round=rounding) as context:
                got = np.float16(float(context.plus(exact))).view(np.uint16)
            assert got == _rounded(n, 8, False, mode)
