"""Sign, exponent, mantissa and neighbours against Python's own functions and MPFR."""

import math

import gmpy2
import numpy as np

from clmath.direct import floating_point
from clmath.numbers.formats import FORMATS

INTS = np.array([-(2**31), -5000, -2200, -1100, -200, -60, -3, -1, 0, 1, 5, 100, 1000, 2100, 5000, 2**31 - 1], np.int32)


def test_ldexp(bench):
    rng = np.random.default_rng(1)
    x = np.concatenate([np.repeat(bench.specials(), INTS.size), bench.patterns(2000, 2), bench.moderate(4000, 3)])
    spread = rng.integers(bench.form.quantum - 4, bench.form.emax + 3, 6000)
    k = np.concatenate([np.tile(INTS, bench.specials().size), spread]).astype(np.int32)
    with gmpy2.context(precision=60, emin=-9000, emax=9000):
        powers = [gmpy2.exp2(min(max(int(n), -4400), 4400)) for n in k]
    target = bench.context()
    want = np.array([float(target.mul(gmpy2.mpfr(float(v)), p)) for v, p in zip(x, powers, strict=True)])
    bench.same(floating_point.ldexp(bench.form, bench.mode, x, k)[0], want.astype(x.dtype), x, k)


def test_frexp_ilogb_logb(plain):
    x = np.concatenate([plain.specials(), plain.patterns(3000, 4)])
    m, e = floating_point.frexp(plain.form, "rte", x)
    want = [math.frexp(v) if math.isfinite(v) else (v, 0) for v in map(float, x)]
    plain.same(m, np.array([w[0] for w in want]).astype(x.dtype), x)
    assert e.dtype == np.int32
    assert e.tolist() == [w[1] for w in want]
    exponents = [
        w[1] - 1 if math.isfinite(v) and v else -(2**31) if v == 0 else 2**31 - 1 for w, v in zip(want, x, strict=True)
    ]
    got = floating_point.ilogb(plain.form, "rte", x)[0]
    assert got.dtype == np.int32
    assert got.tolist() == exponents
    logs = [
        float(n) if math.isfinite(v) and v else -math.inf if v == 0 else abs(float(v))
        for n, v in zip(exponents, x, strict=True)
    ]
    plain.same(floating_point.logb(plain.form, "rte", x)[0], np.array(logs).astype(x.dtype), x)


def test_nextafter(plain):
    x, y = plain.operands(2, 2000, 5)
    got = floating_point.nextafter(plain.form, "rte", x, y)[0]
    order = [float(v) for v in x]
    want = []
    for a, b in zip(order, map(float, y), strict=True):
        if a != a or b != b:
            want.append(math.nan)
        elif a == b:
            want.append(b)
        elif a == 0.0:
            want.append(math.copysign(plain.form.smallest_subnormal, b))
        else:
            bits = int(plain.form.bits(a)) + (1 if (b > a) == (a > 0) else -1)
            want.append(float(plain.form.from_bits(bits)))
    plain.same(got, np.array(want).astype(x.dtype), x, y)


def test_fabs_and_copysign_keep_every_other_bit(plain):
    x, y = plain.operands(2, 1000, 6)
    top = 1 << (plain.form.width - 1)
    bits, other = ([int(b) for b in plain.form.bits(v)] for v in (x, y))
    got = plain.form.bits(floating_point.fabs(plain.form, "rte", x)[0])
    assert got.tolist() == [b & ~top for b in bits]
    got = plain.form.bits(floating_point.copysign(plain.form, "rte", x, y)[0])
    assert got.tolist() == [(b & ~top) | (o & top) for b, o in zip(bits, other, strict=True)]


def test_nan_carries_the_code():
    for form in FORMATS:
        codes = np.array([0, 1, 5, (1 << (form.precision - 2)) - 1, (1 << form.width) - 1], np.uint64)
        got = floating_point.nan(form, "rte", codes)[0]
        assert got.dtype == form.dtype
        assert np.isnan(got).all()
        fraction = form.bits(got) & form.bits_dtype.type((1 << (form.precision - 1)) - 1)
        quiet = 1 << (form.precision - 2)
        assert fraction.tolist() == [quiet | (int(c) & (quiet - 1)) for c in codes]
