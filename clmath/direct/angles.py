"""Products with the irrational factors between degrees and radians, in pairs of doubles."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.numbers.errorfree import mantissa, two_product, two_sum
from clmath.numbers.rounding import to_odd

if TYPE_CHECKING:
    from clmath.numbers.errorfree import F64, I64

__all__ = ["DEGREES", "RADIANS", "Factor", "product_with"]

Factor: TypeAlias = "tuple[float, float, float]"

# as three doubles, good to 2^-166. The products with 53-bit mantissas come out to 2^-155 and lie further than 2^-112 of
# themselves from every number and every midpoint of double (tests/direct/test_common.py), so that their side is known
DEGREES = (
    float.fromhex("0x1.ca5dc1a63c1f8p+5"),
    float.fromhex("-0x1.1e7ab456405f9p-49"),
    float.fromhex("-0x1.b505196fabb41p-103"),
)
RADIANS = (
    float.fromhex("0x1.1df46a2529d39p-6"),
    float.fromhex("0x1.5c1d8becdd291p-62"),
    float.fromhex("-0x1.1d937fa428858p-116"),
)


def product_with(x: F64, factor: Factor) -> tuple[F64, F64, I64]:
    """The product of finite x and an irrational ``factor``, as (head + rest) 2^exponent, the rest rounded to odd.

    It is the sum of three partial products of x's mantissa.
    """
    m, exponent = mantissa(x)
    head, tail = two_product(m, np.full_like(m, factor[0]))
    middle, low = two_product(m, np.full_like(m, factor[1]))
    middle, rest = two_sum(tail, middle)
    low += rest + m * factor[2]
    head, high = two_sum(head, middle)
    return *two_sum(head, to_odd(*two_sum(high, low))), exponent
