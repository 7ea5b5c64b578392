"""Checks that a device must pass: the operations of kernels, one by one and where a compiler may join them.

Each is a function of three doubles and two integers; the host runs the same lines and so knows the results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.ir.primitives import (
    bits,
    clamp,
    float_bits,
    from_bits,
    from_float_bits,
    greater,
    integer,
    lesser,
    real,
    select,
    sqrt,
    take,
    two_product,
)

if TYPE_CHECKING:
    from clmath.ir.values import Integer, Pair, Real

__all__ = ["CHECKS", "all_checks"]

FRACTION = 0xFFFFFFFFFFFFF
ONE = 0x3FF0000000000000
ENTRIES = np.array([0.5, -0.0, 2.0**-1074, 3.0])


def significand(x: Real) -> Real:
    """A number from 1 to 2, or its opposite, with the digits of ``x``."""
    return from_bits((bits(x) & ~0x7FF0000000000000) | ONE)


def arithmetic(a: Real, b: Real, c: Real) -> tuple[Real, ...]:
    """Operations of one rounding each; where c is an operand, the other one is the result of an operation."""
    return a + b, a - b, a * b, a / b, sqrt(abs(a)), -a, abs(a), a + c, c - b


def joined(a: Real, b: Real, c: Real) -> tuple[Real, ...]:
    """Operations of two roundings each: a fused multiply-add, or a product with a reciprocal, gets them wrong."""
    return a * b + c, a * b - c, c - a * b, a * b + b * c, (a / b) * b - a, (a + b) - a, (a - (a - b)) - b


def products(a: Real, b: Real) -> tuple[Real, Real, Real, Real]:
    """Products and their rounding errors, which only a fused multiply-add gives in two operations."""
    first, rest = two_product(significand(a), significand(b))
    square, of_square = two_product(significand(a), significand(a))
    return first, rest, square, of_square


def conversions(a: Real, i: Integer, j: Integer) -> tuple[Integer, Real, Integer, Real, Integer, Real]:
    """Conversions between double, float and integers, including subnormal floats."""
    number = select(a != a, 1.0, a)
    within = clamp(number, -(2.0**62), 2.0**62)
    return float_bits(number), from_float_bits(j & 0x7F7FFFFF), integer(within), real(i), bits(a), from_bits(i)


def conditions(a: Real, b: Real) -> tuple[Integer, Real, Real]:
    """All comparisons, of numbers and NaN, as the bits of one integer, and selections by them."""
    found = select(a < b, 1, 0) | select(a <= b, 2, 0) | select(a > b, 4, 0) | select(a >= b, 8, 0)
    found = found | select(a == b, 16, 0) | select(a != b, 32, 0) | select((a < b) ^ ~(b > 0.0), 64, 0)
    return found, select((a < b) | (a == 0.0), a, b), select((a > b) & (b != 0.0), a, b)


def choices(a: Real, b: Real) -> tuple[Real, Real, Real]:
    """The primitives that select a value by a condition."""
    x, y = select((a != a) | (a == 0.0), 1.0, a), select((b != b) | (b == 0.0), 2.0, b)
    return lesser(x, y), greater(x, y), clamp(x, -1.5, 1e300)


def integers(i: Integer, j: Integer) -> tuple[Integer, ...]:
    """Wrapping sums and products, shifts and bits."""
    n = j & 63
    return i + j, i - j, i * j, -i, ~i, i & j, i | j, i ^ j, i << n, i >> n, 1 << n


def order(i: Integer, j: Integer) -> tuple[Integer, Integer]:
    """All comparisons of integers as the bits of one, and selections by them."""
    found = select(i < j, 1, 0) | select(i <= j, 2, 0) | select(i > j, 4, 0) | select(i >= j, 8, 0)
    found = found | select(i == j, 16, 0) | select(i != j, 32, 0)
    found = found | select((i < j) == (i < 0), 64, 0) | select((i < j) != (j < 0), 128, 0)
    return found, select(i < j, i, j)


def entries(i: Integer) -> Pair:
    """A table, read inside and beyond its ends."""
    return take(ENTRIES, i & 3), take(ENTRIES, i)


CHECKS = (  # names of the checks in messages, in the order of all_checks
    *("a + b", "a - b", "a * b", "a / b", "sqrt(|a|)", "-a", "|a|", "a + c", "c - b"),
    *("a * b + c, two roundings", "a * b - c, two roundings", "c - a * b, two roundings"),
    *("a * b + b * c, three roundings", "(a / b) * b - a, three roundings"),
    *("(a + b) - a, two roundings", "(a - (a - b)) - b, three roundings"),
    *("the product of significands", "what the product of significands loses, by fma"),
    *("the square of a significand", "what the square of a significand loses, by fma"),
    *("double to float", "float to double", "double to integer", "integer to double"),
    *("the encoding of a double", "the double of an encoding"),
    *("comparisons of a and b", "a or b, chosen by comparing", "b or a, chosen by comparing"),
    *("the lesser of a and b", "the greater of a and b", "a moved into a range"),
    *("i + j", "i - j", "i * j", "-i", "~i", "i & j", "i | j", "i ^ j", "i << n", "i >> n", "1 << n"),
    *("comparisons of i and j", "the lesser of i and j"),
    *("an entry of a table", "an entry of a table beyond its ends"),
)


def all_checks(a: Real, b: Real, c: Real, i: Integer, j: Integer) -> tuple[Real | Integer, ...]:
    """Every result, in the order of CHECKS."""
    return (
        *arithmetic(a, b, c),
        *joined(a, b, c),
        *products(a, b),
        *conversions(a, i, j),
        *conditions(a, b),
        *choices(a, b),
        *integers(i, j),
        *order(i, j),
        *entries(i),
    )
