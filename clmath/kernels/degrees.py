"""Products with the irrational factors between degrees and radians."""

from __future__ import annotations

from typing import TypeAlias

from clmath.ir.primitives import *

Factor: TypeAlias = "tuple[float, float, float]"

# as three doubles, good to 2^-166. The products with 53-bit mantissas come out to 2^-155 and lie further than 2^-112 of
# themselves from every number and every midpoint of double (tests/kernels/test_degrees.py), so that their side is known
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


def product_with(m: Real, factor: Factor) -> Pair:
    """The product of m, zero or 2^-400 to 2^400 in size, and an irrational ``factor``: head, and rest rounded to odd.

    It is the sum of three partial products; the terms after the third are less than 2^-150 of it.
    """
    head, tail = two_product(m, factor[0])
    middle, low = two_product(m, factor[1])
    middle, rest = two_sum(tail, middle)
    head, high = two_sum(head, middle)
    head, rest = two_sum(head, to_odd(*two_sum(high, low + (rest + m * factor[2]))))
    return head, rest


def narrow_product_with(x: Real, factor: Factor) -> Real:
    """The product of x, a finite number of a narrow format, rounded to odd.

    Two doubles of the factor are good to 2^-104 of the product, which lies further than 2^-54 of itself from every
    number and every midpoint of half and float (tests/kernels/test_degrees.py).
    """
    product, low = two_product(x, factor[0])
    return to_odd(*fast_two_sum(product, low + x * factor[1]))
