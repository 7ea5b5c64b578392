"""Few vectors of bytes are taken as one number each: the same results, however they lie in memory."""

from __future__ import annotations

import numpy as np

from clmath.functions import integer
from tests.cases import for_each


@for_each("left", ["i1", "u1"])
@for_each("right", ["i1", "u1"])
@for_each("count", [0, 1, 7, 2048, 2049])
def test_dot_products(left, right, count):
    rng = np.random.default_rng(count)
    a, b = (rng.integers(0, 256, (count, 4), np.uint8).view(kind) for kind in (left, right))
    word = np.uint32 if (left, right) == ("u1", "u1") else np.int32
    ends = np.iinfo(word)
    acc = rng.integers(ends.min, ends.max, count, word, endpoint=True)
    exact = [sum(x * y for x, y in zip(*rows, strict=True)) for rows in zip(a.tolist(), b.tolist(), strict=True)]
    added = [min(max(x + y, ends.min), ends.max) for x, y in zip(exact, acc.tolist(), strict=True)]
    apart = np.zeros(4 * count + 1, np.uint8)[1:].view(left).reshape(count, 4)  # not where numbers lie
    apart[...] = a
    for vectors in (a, apart, np.asfortranarray(a)):
        for found, wanted in (
            (integer.dot(vectors, b), exact),
            (integer.dot_acc_sat(vectors, b, acc), added),
        ):
            assert (found.dtype, found.tolist()) == (word, wanted)
