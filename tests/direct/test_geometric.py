"""The geometric functions against exact sums in MPFR, which rounds once."""

import math

import gmpy2
import numpy as np

from clmath.direct import geometric
from clmath.numbers.formats import DOUBLE
from clmath.pragmas import fp_contract
from tests.cases import for_each

WIDE = gmpy2.context(precision=4600, emin=-9000, emax=9000)
WIDTHS = (1, 2, 3, 4)


def vectors(bench, lanes, count, seed):
    """Vectors of specials, of bit patterns, near 1, of small integers, and of far apart magnitudes."""
    form, rng = bench.form, np.random.default_rng(seed)
    specials = rng.choice(bench.specials(), (lanes, count))
    wild = bench.patterns(lanes * count, seed + 1).reshape(lanes, count)
    wild[:, ::5] = np.where(np.isfinite(wild[:, ::5]), wild[:, ::5], form.dtype.type(0.0))
    near = bench.moderate(lanes * count, seed + 2, 2).reshape(lanes, count)
    small = rng.integers(-6, 7, (lanes, count)).astype(form.dtype)
    exponents = rng.choice([form.quantum, form.emin, form.emin // 2, 0, 0, form.emax // 2, form.emax], (lanes, count))
    apart = np.ldexp(rng.integers(-15, 16, (lanes, count)) / 16.0, exponents).astype(form.dtype)
    scaled = np.ldexp(near.astype(np.float64), rng.choice([form.emin, form.emin // 2, form.emax - 2], count)).astype(
        form.dtype
    )
    return [np.concatenate(v) for v in zip(specials, wild, near, small, apart, scaled, strict=True)]


def exact_dot(a, b):
    total = WIDE.mul(a[0], b[0])
    for x, y in zip(a[1:], b[1:], strict=True):
        total = WIDE.add(total, WIDE.mul(x, y))
    return total


def signed_zero(context, value, plain):
    """Zeros have the sign that the mode gives the plain sum."""
    return plain() if value == 0 else context.plus(value)


def plain_dot(context, a, b):
    total = context.mul(a[0], b[0])
    for x, y in zip(a[1:], b[1:], strict=True):
        total = context.add(total, context.mul(x, y))
    return total


@for_each("width", WIDTHS)
def test_dot(bench, width):
    lanes = vectors(bench, 2 * width, 150, width)
    # products that cancel: all four, or the first and third, however far the others lie below
    if width == 4:
        for i, lot in ((0, slice(None, None, 3)), (0, slice(1, None, 3)), (1, slice(1, None, 3))):
            lanes[2 + i][lot], lanes[6 + i][lot] = lanes[i][lot], -lanes[4 + i][lot]
    want = bench.oracle(
        lambda c, *v: signed_zero(c, exact_dot(v[:width], v[width:]), lambda: zero_of(c, v[:width], v[width:])), *lanes
    )
    bench.same(geometric.dot(bench.form, bench.mode, *lanes)[0], want, *lanes)
    with fp_contract("OFF"):
        got = geometric.dot(bench.form, bench.mode, *lanes)[0]
    bench.same(got, bench.oracle(lambda c, *v: plain_dot(c, v[:width], v[width:]), *lanes), *lanes)


def zero_of(context, a, b):
    """IEEE's sign of an exact zero sum of products: their common sign, else that of the mode."""
    down = gmpy2.context(WIDE, round=context.round)
    total = down.mul(a[0], b[0])
    for x, y in zip(a[1:], b[1:], strict=True):
        total = down.add(total, down.mul(x, y))
    return total


@for_each("width", WIDTHS)
def test_length(bench, width):
    lanes = vectors(bench, width, 150, 10 + width)

    def expected(c, *v):
        return c.sqrt(exact_dot(v, v))

    bench.same(geometric.length(bench.form, bench.mode, *lanes)[0], bench.oracle(expected, *lanes), *lanes)
    assert geometric.fast_length is geometric.length


@for_each("width", WIDTHS)
def test_distance(bench, width):
    lanes = vectors(bench, 2 * width, 100, 20 + width)

    def expected(c, *v):
        sides = [WIDE.sub(x, y) for x, y in zip(v[:width], v[width:], strict=True)]
        return c.sqrt(exact_dot(sides, sides))

    bench.same(geometric.distance(bench.form, bench.mode, *lanes)[0], bench.oracle(expected, *lanes), *lanes)


@for_each("width", WIDTHS)
def test_normalize(bench, width):
    lanes = vectors(bench, width, 100, 30 + width)
    got = geometric.normalize(bench.form, bench.mode, *lanes)
    for number in range(width):
        bench.same(got[number], bench.oracle(lambda c, *v, n=number: normalized(c, v, n), *lanes), *lanes)


def normalized(context, vector, lane):
    if any(map(gmpy2.is_nan, vector)):
        return gmpy2.nan()
    if any(map(gmpy2.is_infinite, vector)):
        vector = [gmpy2.mpfr(math.copysign(float(gmpy2.is_infinite(v)), v)) for v in vector]
    if vector[lane] == 0:
        return vector[lane]
    return context.div(vector[lane], WIDE.sqrt(exact_dot(vector, vector)))


@for_each("width", [3, 4])
def test_cross(bench, width):
    lanes = vectors(bench, 2 * width, 100, 40 + width)
    planes = ((1, 2), (2, 0), (0, 1))
    for state in ("ON", "OFF"):
        with fp_contract(state):
            got = geometric.cross(bench.form, bench.mode, *lanes)
        assert len(got) == width
        for result, (i, j) in zip(got, planes, strict=False):

            def expected(c, *v, i=i, j=j, state=state):
                a, b, x, y = v[i], v[width + j], v[j], v[width + i]
                return c.fmma(a, b, -x, y) if state == "ON" else c.add(c.mul(a, b), c.mul(-x, y))

            bench.same(result, bench.oracle(expected, *lanes), *lanes)
        for result in got[3:]:
            bench.same(result, np.zeros_like(result))


def test_exact_and_midway_roots(bench):
    """Sums of four squares that are squares of numbers and of midpoints: 2 a b + ... = (a + b)^2 and neighbours."""
    form, rng = bench.form, np.random.default_rng(50)
    most = 2 ** ((form.precision + 1) // 2 - 1)
    m, n, p, q = (rng.integers(0, most, 400) for _ in range(4))
    # (m^2 + n^2 - p^2 - q^2, 2 (m q + n p), 2 (n q - m p)) has the length m^2 + n^2 + p^2 + q^2, of p + 1 bits at most
    quadruple = [m * m + n * n - p * p - q * q, 2 * (m * q + n * p), 2 * (n * q - m * p)]
    scale = 2.0 ** (10 if form.emax < 20 else 0)
    lanes = [(v / scale).astype(form.dtype) for v in quadruple]
    fits = np.all([v.astype(np.float64) * scale == w for v, w in zip(lanes, quadruple, strict=True)], axis=0)
    assert fits.sum() > 100
    lanes = [v[fits] for v in lanes]
    for tiny in (0.0, form.smallest_subnormal):
        four = [*lanes, np.full_like(lanes[0], tiny)]
        want = bench.oracle(lambda c, *v: c.sqrt(exact_dot(v, v)), *four)
        bench.same(geometric.length(form, bench.mode, *four)[0], want, *four)
        got = geometric.normalize(form, bench.mode, *four)[1]
        bench.same(got, bench.oracle(lambda c, *v: normalized(c, v, 1), *four), *four)


def test_cancelling_differences_of_far_apart_magnitudes():
    """Cross terms 2 h t of the squared differences that cancel exactly, so that the squares of the tails decide."""
    big, small = 2.0**500, 2.0**-560
    lanes = [np.array([big]), np.array([big]), np.array([small]), np.array([-small])]
    for mode in ("rte", "rtz", "rtp", "rtn"):
        with np.errstate(all="ignore"):
            got = geometric.distance(DOUBLE, mode, *lanes)[0]
        rounding = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}
        sides = [WIDE.sub(gmpy2.mpfr(big), gmpy2.mpfr(s)) for s in (small, -small)]
        want = gmpy2.context(precision=53, round=rounding[mode]).sqrt(exact_dot(sides, sides))
        assert got.tolist() == [float(want)]
