"""Checks that a device must pass: the operations of kernels, one by one and where a compiler may join them.

Each is an expression of three doubles and two integers, by its name in messages. The host runs the same lines and so
knows the results.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.ir.primitives import *

if TYPE_CHECKING:
    Checks: TypeAlias = "dict[str, Real | Integer]"

ENTRIES = np.array([0.5, -0.0, 2.0**-1074, 3.0])


def checks(a: Real, b: Real, c: Real, i: Integer, j: Integer) -> Checks:
    """Return every result by name."""
    of_numbers = arithmetic(a, b, c) | joined(a, b, c) | products(a, b) | conversions(a, i, j) | choices(a, b)
    return of_numbers | integers(i, j) | comparisons(i, j) | entries(i)


def arithmetic(a: Real, b: Real, c: Real) -> Checks:
    """Operations of one rounding each; where c is an operand, the other one is the result of an operation."""
    found: Checks = {"a + b": a + b, "a - b": a - b, "a * b": a * b, "a / b": a / b}
    return found | {"sqrt(|a|)": sqrt(abs(a)), "-a": -a, "|a|": abs(a), "a + c": a + c, "c - b": c - b}


def joined(a: Real, b: Real, c: Real) -> Checks:
    """Operations of two roundings each: a fused multiply-add, or a product with a reciprocal, gets them wrong."""
    return {
        "a * b + c, two roundings": a * b + c,
        "a * b - c, two roundings": a * b - c,
        "c - a * b, two roundings": c - a * b,
        "a * b + b * c, three roundings": a * b + b * c,
        "(a / b) * b - a, three roundings": (a / b) * b - a,
        "(a + b) - a, two roundings": (a + b) - a,
        "(a - (a - b)) - b, three roundings": (a - (a - b)) - b,
    }


def significand(x: Real) -> Real:
    """A number from 1 to 2, or its opposite, with the digits of ``x``."""
    return from_bits((bits(x) & ~INFINITE) | ONE)


def products(a: Real, b: Real) -> Checks:
    """Products and their rounding errors, which only a fused multiply-add gives in two operations."""
    product, lost = two_product(significand(a), significand(b))
    square, of_square = two_product(significand(a), significand(a))
    return {
        "the product of significands": product,
        "what the product of significands loses, by fma": lost,
        "the square of a significand": square,
        "what the square of a significand loses, by fma": of_square,
    }


def conversions(a: Real, i: Integer, j: Integer) -> Checks:
    """Conversions between double, float and integers, including subnormal floats."""
    number = select(a != a, 1.0, a)
    return {
        "double to float": float_bits(number),
        "float to double": from_float_bits(j & 0x7F7FFFFF),
        "double to integer": integer(clamp(number, -(2.0**62), 2.0**62)),
        "integer to double": real(i),
        "the encoding of a double": bits(a),
        "the double of an encoding": from_bits(i),
    }


def choices(a: Real, b: Real) -> Checks:
    """All comparisons, of numbers and NaN, as the bits of one integer, and the primitives that select a value."""
    found = select(a < b, 1, 0) | select(a <= b, 2, 0) | select(a > b, 4, 0) | select(a >= b, 8, 0)
    found = found | select(a == b, 16, 0) | select(a != b, 32, 0) | select((a < b) ^ ~(b > 0.0), 64, 0)
    x, y = select((a != a) | (a == 0.0), 1.0, a), select((b != b) | (b == 0.0), 2.0, b)
    return {
        "comparisons of a and b": found,
        "a or b, chosen by comparing": select((a < b) | (a == 0.0), a, b),
        "b or a, chosen by comparing": select((a > b) & (b != 0.0), a, b),
        "the lesser of a and b": lesser(x, y),
        "the greater of a and b": greater(x, y),
        "a moved into a range": clamp(x, -1.5, 1e300),
    }


def integers(i: Integer, j: Integer) -> Checks:
    """Wrapping sums and products, shifts and bits."""
    n = j & 63
    found: Checks = {"i + j": i + j, "i - j": i - j, "i * j": i * j, "-i": -i, "~i": ~i, "i & j": i & j}
    return found | {"i | j": i | j, "i ^ j": i ^ j, "i << n": i << n, "i >> n": i >> n, "1 << n": 1 << n}


def comparisons(i: Integer, j: Integer) -> Checks:
    """All comparisons of integers as the bits of one, and a selection by them."""
    found = select(i < j, 1, 0) | select(i <= j, 2, 0) | select(i > j, 4, 0) | select(i >= j, 8, 0)
    found = found | select(i == j, 16, 0) | select(i != j, 32, 0)
    found = found | select((i < j) == (i < 0), 64, 0) | select((i < j) != (j < 0), 128, 0)
    return {"comparisons of i and j": found, "the lesser of i and j": select(i < j, i, j)}


def entries(i: Integer) -> Checks:
    """A table, read inside and beyond its ends."""
    return {"an entry of a table": take(ENTRIES, i & 3), "an entry of a table beyond its ends": take(ENTRIES, i)}
