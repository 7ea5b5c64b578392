"""Sums of products, and of squares, of doubles whose exponents lie far apart: in one scale, with all that decides.

A sum of at most four products is exact except for the size of gaps between them, which changes no rounding. In sums of
squares of numbers with rounding errors, parts far below the greatest number are dropped: they are less than a root's
error or, if all other numbers are tiny, decide the side of the greatest number on which the root lies.
"""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import TypeAlias

from clmath.ir.primitives import *
from clmath.kernels.accurate.arithmetic import mantissa
from clmath.numbers.expansions import expansion, pair

BASE = 400  # where the largest product is put: a product 1300 binades below is still a normal double
PRODUCT_GAP = 170  # between products: 104 bits below one, 54 more for a midpoint of the sum of higher ones, 12 to spare
CANCELLED = 120  # binades below the greatest product so far: a sum of all before a gap is at least that, or zero
APART = 2.0**-400  # relative to the greatest number: squares of smaller numbers may not be representable
# relative to the greatest number: bounds under which the root lies between it and the next boundary, 2^-54 of it away,
# for each of three other numbers, which add at most 3 x 2^-57, and for its own rounding error. The third bounds other
# numbers that add at most 3 x 2^-95.
ALONE, ALONE_LOW, NOTHING = 2.0**-28, 2.0**-56, 2.0**-47
# the digits of a rounding error after its first 24. If they are zero, and the error exceeds ALONE_LOW, boundaries are
# at its end or 2^-80 away: other numbers that add less decide the side, and so does its own last place, 2^-105.
LATER_DIGITS = (1 << 28) - 1
CLEARLY = 2.0**-40  # of a sum of three squares and a product: more than the roundings on the way, 2^-50 together
SIDE = 2.0**-130  # relative to a number: represents a term that decides the side on which a root lies

Component: TypeAlias = "tuple[Real, Real | None]"
"""A number and its rounding error, None for zero."""


def every(conditions: list[Truth]) -> Truth:
    """Whether all hold."""
    found = conditions[0]
    for condition in conditions[1:]:
        found = found & condition
    return found


def total(values: list[Real]) -> Real:
    """The sum of values from left to right."""
    found = values[0]
    for value in values[1:]:
        found = found + value
    return found


def scaled(x: Real, exponent: Integer) -> Real:
    """The number x 2^-exponent, for exponents of doubles: in two steps."""
    half = exponent >> 1
    return x * two_to(-half) * two_to(half - exponent)


def falling(exponents: list[Integer]) -> list[Integer]:
    """The exponents in falling order."""
    found = list(exponents)
    for i in range(1, len(found)):
        for j in range(i, 0, -1):
            above, below = found[j - 1], found[j]
            swapped = below > above
            found[j - 1], found[j] = select(swapped, below, above), select(swapped, above, below)
    return found


def aligned_sum(a: Sequence[Real], b: Sequence[Real]) -> tuple[Real, Real, Integer]:
    """The sum of the products of numbers, as (head + rest) 2^exponent, the rest rounded to odd.

    Gaps between exponents are shortened: no product lies more than PRODUCT_GAP binades below the next greater one,
    which changes no sign and no rounding of the sum. A sum of products of exponent e and more is a multiple of
    2^(e-104), or zero: smaller products cannot reach it. If all products before a gap cancel, the exponent is reduced
    by the amount taken from the gap. The sum in this scale is 2^-220 to 2^402 in size.
    """
    factors = [(mantissa(x), mantissa(y)) for x, y in zip(a, b, strict=True)]
    exponents = [e + f for (_, e), (_, f) in factors]
    ordered = falling(exponents)
    place: Integer | int
    shifts, place = [exponent - ordered[0] + BASE for exponent in exponents], BASE
    gaps: list[tuple[Real | float, Integer]] = []
    for above, below in itertools.pairwise(ordered):
        excess = above - below - PRODUCT_GAP
        excess = select(excess > 0, excess, 0)
        shifts = [s + select(e < above, excess, 0) for s, e in zip(shifts, exponents, strict=True)]
        floor = 2.0 ** (BASE - CANCELLED) if isinstance(place, int) else two_to(place - CANCELLED)
        gaps.append((floor, excess))
        place = place - (above - below - excess)
    parts = [
        part * two_to(shift)
        for ((m, _), (n, _)), shift in zip(factors, shifts, strict=True)
        for part in two_product(m, n)[::-1]
    ]
    head, rest = pair(expansion(parts))
    exponent = ordered[0] - BASE
    for floor, excess in gaps:
        exponent = exponent - select(abs(head) < floor, excess, 0)
    return head, rest, exponent


def within_scale(components: Sequence[Component]) -> tuple[list[Component], Integer, Truth]:
    """The components divided by the power of two in the greatest, and its exponent.

    Then which vectors have parts that are dropped. Nothing is stated about vectors with an infinity, or of zeros alone.
    """
    top = abs(components[0][0])
    for x, _ in components[1:]:
        top = select(abs(x) > top, abs(x), top)
    some = (top > 0.0) & (top < INFINITY)
    exponent = select(some, mantissa(select(some, top, 1.0))[1], 0)
    least = top * APART
    dropped, within = ~some & some, []

    def kept(part: Real) -> tuple[Real, Truth]:
        small = (abs(part) < least) & (part != 0.0)
        return select(small, 0.0, scaled(part, exponent)), small

    for x, low in components:
        part, small = kept(x)
        dropped, rest = dropped | small, low
        if low is not None:
            rest, small = kept(low)
            dropped = dropped | small
        within.append((part, rest))
    return within, exponent, dropped & some


def beside_one(
    components: Sequence[Component], most_of_others: float
) -> tuple[Truth, Real, Real, tuple[Truth, Real] | None]:
    """Whether the root of the sum of squares is next to the greatest number, this number, and the side of it: -1, 0, 1.

    Then whether it is next to the sum of that number and its rounding error, and this error, moved by a last place if
    other numbers are not zero; None without rounding errors. The square is top^2 + 2 top low + low^2 + the others'
    squares, and these are ``most_of_others`` of the greatest at most.
    """
    (x, lacking), *rest = components
    others: list[Real] = []
    top, low, most = abs(x), None if lacking is None else side_of(lacking, x), x * 0.0
    for number, lacking in rest:
        size = abs(number)
        falls = size > top
        others.append(select(falls, top, size))
        most, top = select(others[-1] > most, others[-1], most), select(falls, size, top)
        if low is not None and lacking is not None:
            low = select(falls, side_of(lacking, number), low)
    alone, side = most <= top * most_of_others, select(most > 0.0, 1.0, 0.0)
    if low is None:
        return alone, top, side, None
    less, more = compared(top, abs(low), most, others)
    falls, known = low < 0.0, (most == 0.0) | less | more
    side = select(falls & ((most == 0.0) | more), -1.0, select(low > 0.0, 1.0, side))
    small = abs(low) <= top * ALONE_LOW
    short = ~small & (most <= top * NOTHING) & ((bits(low) & LATER_DIGITS) == 0)
    beside = from_bits(bits(low) + select(most > 0.0, select(falls, -1, 1), 0))
    return alone & small & (~falls | known), top, side, (short, beside)


def compared(top: Real, low: Real, most: Real, others: list[Real]) -> tuple[Truth, Truth]:
    """Whether 2 top low is surely less, and whether it is surely more, than the squares of at most three numbers.

    ``most`` is the greatest of these, not zero. Both are taken in the scale of the square of its power of two, where
    the squares are 1 to 12; values outside the scale are moved to its ends, 1/2 or less and 16 or more.
    """
    (m, e), (n, f), (q, g) = mantissa(top), mantissa(low), mantissa(most)
    place = e + f - (g + g)
    product = m * n * two_to(select(place > 4, 4, select(place < -4, -4, place)) + 1)
    squares = q * q * total([(other / most) * (other / most) for other in others]) if others else q
    return product * (1.0 + CLEARLY) < squares, product > squares * (1.0 + CLEARLY)


def side_of(part: Real, x: Real) -> Real:
    """A part of the number x, positive where it is of its sign."""
    return select(x < 0.0, -part, part)
