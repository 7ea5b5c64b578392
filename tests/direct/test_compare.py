"""The comparison functions, written again one lane at a time."""

import math

import numpy as np

from clmath.direct import compare
from tests.cases import for_each


def fmax(x, y):
    return y if x < y or math.isnan(x) else x


def fmin(x, y):
    return y if y < x or math.isnan(x) else x


def maxmag(x, y):
    return x if abs(x) > abs(y) else y if abs(y) > abs(x) else fmax(x, y)


def minmag(x, y):
    return x if abs(x) < abs(y) else y if abs(y) < abs(x) else fmin(x, y)


@for_each("function", [fmax, fmin, maxmag, minmag])
def test_one_of_the_arguments(plain, function):
    x, y = plain.operands(2, 3000, 1)
    want = np.array([function(a, b) for a, b in zip(map(float, x), map(float, y), strict=True)]).astype(x.dtype)
    plain.same(getattr(compare, function.__name__)(plain.form, "rtp", x, y)[0], want, x, y)


def test_fdim(bench):
    x, y = bench.operands(2, 3000, 2)
    want = bench.oracle(lambda c, a, b: c.sub(a, b) if not a <= b else 0.0, x, y)
    bench.same(compare.fdim(bench.form, bench.mode, x, y)[0], want, x, y)
