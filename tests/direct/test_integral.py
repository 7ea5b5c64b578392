"""Integral values and fractions against Python's integers and fractions, bit by bit."""

import math
from fractions import Fraction

import numpy as np

from clmath.direct import integral
from clmath.numbers.rounding import round_real
from tests.cases import for_each


def numbers(bench):
    """Specials, bit patterns, and integers and half-integers with their neighbours."""
    rng = np.random.default_rng(1)
    halves = rng.integers(-4096, 4096, 600) / 2.0
    near = np.concatenate(
        [halves, np.ldexp(rng.integers(-9, 9, 200) / 2.0, rng.integers(0, bench.form.precision, 200))]
    )
    near = near.astype(bench.form.dtype)
    up, down = (np.nextafter(near, bench.form.dtype.type(s)) for s in (np.inf, -np.inf))
    return np.concatenate([bench.specials(), bench.patterns(2000, 2), near, up, down, bench.moderate(1000, 3, 12)])


def half_away(x):
    return int(math.copysign(math.floor(abs(Fraction(x)) + Fraction(1, 2)), x))


WHOLE = {"ceil": math.ceil, "floor": math.floor, "trunc": math.trunc, "rint": round, "round": half_away}


@for_each("name", WHOLE)
def test_integral_values(plain, name):
    x = numbers(plain)
    want = [v if not math.isfinite(v) else math.copysign(float(WHOLE[name](v)), v) for v in map(float, x)]
    plain.same(getattr(integral, name)(plain.form, "rtp", x)[0], np.array(want).astype(x.dtype), x)


def test_fract(bench):
    x = numbers(bench)
    got, whole = integral.fract(bench.form, bench.mode, x)
    bench.same(whole, integral.floor(bench.form, "rte", x)[0], x)
    most = Fraction(1) - Fraction(bench.form.eps) / 2
    want = []
    for v in map(float, x):
        if not math.isfinite(v) or v == 0.0:
            want.append(math.copysign(0.0, v) if v == v else v)
        else:
            exact = min(Fraction(v) - math.floor(v), most)
            want.append(float(round_real(exact, bench.form, bench.mode)))
    bench.same(got, np.array(want).astype(x.dtype), x)
    assert not np.any(got >= 1.0)


def test_modf(plain):
    x = numbers(plain)
    got, whole = integral.modf(plain.form, "rtn", x)
    want = [math.modf(v) for v in map(float, x)]
    plain.same(got, np.array([w[0] for w in want]).astype(x.dtype), x)
    plain.same(whole, np.array([w[1] for w in want]).astype(x.dtype), x)
