"""Geometric functions, whole: from the exact sum of products, as an expansion, to results rounded once.

The components of p0 come before the components of p1; ``form`` and ``mode`` come after all. The last result is whether
the element is left undecided: roots and quotients that lie closer to a number or a midpoint than two doubles can
decide, and, in the quick ways of doubles, numbers beyond the range of exact products and squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from clmath.direct.lane_arithmetic import mantissa
from clmath.ir.lanes import *
from clmath.kernels.whole.arithmetic import add, mul, negated, rounded_product, rounded_sum, sub
from clmath.kernels.whole.far import (
    ALONE,
    NOTHING,
    SIDE,
    aligned_sum,
    beside_one,
    every,
    expansion,
    odd_sum,
    pair,
    scaled,
    total,
    within_scale,
)
from clmath.kernels.whole.rounding import coded, exactly
from clmath.numbers.lane_rounding import RTN, RTP, to_normal_double

__all__ = ["cross", "cross_in_steps", "distance", "dot", "dot_in_steps", "length", "normalize"]

QUICK, NEAR, FAR = "quick", "near", "far"  # ways: of ordinary doubles, of numbers near each other, of any
LEAST, MOST = 2.0**-240, 2.0**240  # range of factors: products and their rounding errors are representable
HIGH = 2.0**1000  # sums and differences of smaller numbers, and their error-free transformations, do not overflow
# Four squares summed in two doubles, a root and a quotient: each step errs by 2^-102 of its result or less.
ROOT_ERROR = 2.0**-98
QUOTIENT_ERROR = 2.0**-96
CLEAN_QUOTIENT_ERROR = 2.0**-92  # QUOTIENT_ERROR if a tail represents one of up to 3 x 2^-95 of the root
# Relative to the size of the rest of a compensated sum: 6 x 2^-53 for adding it up, 2^-53 each for its size and for
# either end.
SUM_ERROR = 2.0**-49
CANCELLED = 2.0**-20  # relative to a head: a smaller rest, and its error, change only the head's last place
TAIL_ERROR = 2.0**-48  # relative to a tail from one sum, exact except for its last place, and a few operations


def unit(x: Real) -> Real:
    """±1 in place of finite numbers other than zero."""
    return select((x - x == 0.0) & (x != 0.0), from_bits((bits(x) & SIGN) | ONE), x)


def dot_parts(a: Sequence[Real], b: Sequence[Real], form: str, mode: int) -> Any:
    """The parts of the sum of products."""
    if mode == RTN:
        return negated(dot_parts([-x for x in a], b, form, RTP))
    finite = every([(x - x == 0.0) & (y - y == 0.0) for x, y in zip(a, b, strict=True)])
    zero = every([(x == 0.0) | (y == 0.0) for x, y in zip(a, b, strict=True)])
    special = zero | ~finite
    if form != "double":  # products are exact
        products = [x * y for x, y in zip(a, b, strict=True)]
        return (select(special, total(products), odd_sum(expansion(products))),)
    hi, lo, exponent = aligned_sum(a, b)
    plain = total([unit(x) * unit(y) for x, y in zip(a, b, strict=True)])
    return select(special, plain, hi), select(special, 0.0, lo), select(special, 0, exponent)


def dot(*given: Any) -> Any:
    """The exact sum of the products, rounded once; the quick way is for doubles that do not cancel much."""
    *lanes, form, mode, way = given
    half = len(lanes) // 2
    if way == QUICK:
        return quick_sum(lanes[:half], lanes[half:], form, mode)
    return closed(form, [coded(form, mode, dot_parts(lanes[:half], lanes[half:], form, mode))], lanes[0])


def closed(form: str, codes: list[Integer | int], lane: Real) -> Any:
    """The results, and for double, whose quick way may leave elements, that this element is not left."""
    return (*codes, (lane == lane) & (lane != lane)) if form == "double" else tuple(codes)


def quick_sum(a: Sequence[Real], b: Sequence[Real], form: str, mode: int) -> tuple[Integer, Truth]:
    """The compensated sum of products of doubles, and whether the element is left: zeros always are."""
    inside = every([(x == 0.0) | ((abs(x) >= LEAST) & (abs(x) <= MOST)) for x in (*a, *b)])
    head, tail, size, _ = compensated([two_product(x, y) for x, y in zip(a, b, strict=True)])
    code, apart = ends(head, tail, size * SUM_ERROR, 0, form, mode, QUICK)
    return code, apart | ~inside | (head == 0.0) | (size > abs(head) * CANCELLED)


def dot_in_steps(*given: Any) -> Integer:
    """The sum of the products, each rounded, from left to right, each sum rounded."""
    *lanes, form, mode = given
    half = len(lanes) // 2
    if half == 1:
        return mul(lanes[0], lanes[1], form, mode)
    *products, last = [rounded_product(x, y, form, mode) for x, y in zip(lanes[:half], lanes[half:], strict=True)]
    found = products[0]
    for product in products[1:]:
        found = rounded_sum(found, product, form, mode)
    return add(found, last, form, mode)


def planes(
    lanes: list[Real],
) -> tuple[tuple[Real, Real, Real, Real], tuple[Real, Real, Real, Real], tuple[Real, Real, Real, Real]]:
    """The factors a, b, c, d of each component a b - c d of a cross product."""
    half = len(lanes) // 2
    (a, b, c), (x, y, z) = lanes[:3], lanes[half : half + 3]
    return (b, z, c, y), (c, x, a, z), (a, y, b, x)


def cross(*given: Any) -> Any:
    """The three components, each exact and rounded once, and +0 for w; the quick way is as in ``dot``."""
    *lanes, form, mode, way = given
    fourth = [0] * (len(lanes) // 8)
    if way == QUICK:
        found = [quick_sum((a, -c), (b, d), form, mode) for a, b, c, d in planes(lanes)]
        return (*(code for code, _ in found), *fourth, found[0][1] | found[1][1] | found[2][1])
    exact = [dot_parts((a, -c), (b, d), form, mode) for a, b, c, d in planes(lanes)]
    return closed(form, [coded(form, mode, parts) for parts in exact] + fourth, lanes[0])


def cross_in_steps(*given: Any) -> tuple[Integer | int, ...]:
    """The cross product with every operation rounded."""
    *lanes, form, mode = given
    codes = [dot_in_steps(a, -c, b, d, form, mode) for a, b, c, d in planes(lanes)]
    return (*codes, *[0] * (len(lanes) // 8))


def rooted(lanes: Any, form: str) -> tuple[Real, Real, Real]:
    """The root of the sum of squares of ``lanes``, pairs of a number and its rounding error, or None for zero.

    As head, tail and the error of that. Without rounding errors, and if the remainder of the squares is known exactly,
    the tail has the right sign, and is zero if the root is exact; this holds for all narrow numbers without rounding
    errors.
    """
    lacking = [low for _, low in lanes if low is not None]
    if form != "double" and not lacking:
        hi, lo = pair(expansion([x * x for x, _ in lanes]))
        exact = near = lo == lo
    else:
        hi, lo, size, exact = compensated([two_product(x, x) for x, _ in lanes])
        near = abs(lo) == size  # nothing cancels: its error is a few of its own last places
    head = sqrt(hi)
    square, rest = two_product(head, head)
    below = total([x * low for x, low in lanes if low is not None]) if lacking else 0.0
    left = (hi - square) - rest
    tail = select(head > 0.0, (left + (lo + (below + below))) / (head + head), 0.0)
    clean = (exact & ((left == 0.0) | (tail == 0.0))) | (near & ((left == 0.0) | (lo == 0.0)))
    if lacking:
        clean = clean & every([low == 0.0 for low in lacking])
    return head, tail, select(clean, abs(tail) * TAIL_ERROR, head * ROOT_ERROR)


def compensated(products: Any) -> tuple[Real, Real, Real, Truth]:
    """The sum of exact ``products``, pairs of head and tail, as a number and the rest, and how far to trust that.

    The rest is a sum of at most 7 numbers for 4 products, none of them rounded: it errs by 6 x 2^-53 of their size,
    which comes next. It is exact where no more than one of them is not zero, which comes last.
    """
    (head, low), *others = products
    parts = [low]
    for product, rest in others:
        head, error = two_sum(head, product)
        parts += [error, rest]
    alone = total([select(part != 0.0, 1.0, 0.0) for part in parts]) < 2.0
    return head, total(parts), total([abs(part) for part in parts]), alone


def ends(
    head: Real, tail: Real, err: Real, exponent: Integer | int, form: str, mode: int, way: str
) -> tuple[Integer, Truth]:
    """The rounding of (head + tail ± err) 2^exponent, and whether its ends may round apart.

    In the quick way, results that are not normal doubles count as apart. Boundaries of narrow formats are doubles many
    places apart: there only the side of the nearest double matters.
    """
    if way == QUICK:
        hi, lo = fast_two_sum(head, tail)
        return to_normal_double(hi, lo, err, exponent, mode)
    if form != "double":
        hi, lo = fast_two_sum(head, tail)
        return coded(form, mode, (to_odd(hi, lo),)), (err > 0.0) & (abs(lo) <= err)
    low, high = fast_two_sum(head, tail - err), fast_two_sum(head, tail + err)
    codes = coded(form, mode, (*low, exponent)), coded(form, mode, (*high, exponent))
    return codes[0], codes[0] != codes[1]


def root_of(lanes: Any, in_scale: Any, form: str, way: str, most_of_others: float = ALONE) -> tuple[Real, Real, Real]:
    """The root of the sum of squares divided by a power of two, as head, tail and the error of that.

    ``lanes`` are numbers and their rounding errors, None for zero; ``in_scale`` is the result of ``within_scale`` for
    them.
    """
    within, exponent, dropped = in_scale
    head, tail, err = rooted(within, form)
    if way != FAR:
        return head, tail, err
    if form == "double":  # dropped parts are at most 2^-396 of the root
        err = select(dropped & (err < head * ROOT_ERROR), head * ROOT_ERROR, err)
    low: Any
    alone, top, side, short, low = beside_one(lanes, most_of_others)
    top = scaled(top, exponent) if form == "double" else top
    tail = select(alone, top * SIDE * side, tail)
    head, err = select(alone, top, head), select(alone, abs(tail) * TAIL_ERROR, err)
    if short is None:
        return head, tail, err
    low = scaled(low, exponent) if form == "double" else low
    return select(short, top, head), select(short, low, tail), select(short, 0.0, err)


def length_of(lanes: Any, form: str, mode: int, way: str, raised: Integer | int = 0) -> tuple[Integer, Truth]:
    """The root of the sum of squares times 2^raised; NaN if a component is NaN, else +inf if one is infinite.

    The second result is whether the element is left undecided.
    """
    finite = every([x - x == 0.0 for x, _ in lanes])
    plain = total([abs(x) for x, _ in lanes])
    dropped: Any
    in_scale = _, exponent, dropped = within_scale(lanes) if form == "double" else (lanes, 0, None)
    head, tail, err = root_of(lanes, in_scale, form, way)
    if form != "double" and lanes[0][1] is None:
        # the sign of the tail, which is right, decides: a boundary has 25 bits, so only the head itself may be one
        code = coded(form, mode, (select(finite, to_odd(*fast_two_sum(head, tail)), plain),))
        return code, finite & ~finite
    code, apart = ends(head, tail, err, exponent + raised, form, mode, way)
    open_ = apart | dropped if way == QUICK else apart
    return select(finite, code, exactly(form, plain)), open_ & finite


def length(*given: Any) -> tuple[Integer, Truth]:
    """The length of a vector; the quick way is for normal numbers that are not too small next to one another."""
    *lanes, form, mode, way = given
    return length_of([(x, None) for x in lanes], form, mode, way)


def distance(*given: Any) -> tuple[Integer, Truth]:
    """The length of the exact difference, and whether the element is left; the quick way is as in ``length``."""
    *lanes, form, mode, way = given
    half = len(lanes) // 2
    first, second = lanes[:half], lanes[half:]
    if half == 1:
        return size_of_difference(first[0], second[0], form, mode)
    raised: Integer | int
    raised, finite = 0, every([x - x == 0.0 for x in lanes])
    if way == FAR and form == "double":
        # Where a difference or a step of two_sum overflows, as in x - DBL_MAX, take a quarter of all elements: the
        # change in the others is dropped next to the large difference.
        tails = [two_sum(x, -y)[1] for x, y in zip(first, second, strict=True)]
        over = finite & ~every([tail - tail == 0.0 for tail in tails])
        raised, part = select(over, 2, 0), select(over, 0.25, 1.0)
        first, second = [x * part for x in first], [y * part for y in second]
    differences = [two_sum(x, -y) for x, y in zip(first, second, strict=True)]
    exact = [(hi, select(hi - hi == 0.0, lo, 0.0)) for hi, lo in differences]
    code, left = length_of(exact, form, mode, way, raised)
    if way != QUICK:
        return code, left
    return code, left | (finite & ~every([abs(x) < HIGH for x in lanes]))


def size_of_difference(x: Real, y: Real, form: str, mode: int) -> tuple[Integer, Truth]:
    """The rounded |x - y|, +0 if they are equal, and that the element is not left."""
    falls = x > y
    greater, lesser = select(falls, x, y), select(falls, y, x)
    return select(greater - lesser == 0.0, 0, sub(greater, lesser, form, mode)), falls & ~falls


def normalize(*given: Any) -> Any:
    """Each component divided by the length, rounded once, and whether the vector is left.

    A vector of zeros is returned unchanged; a NaN component makes all NaN; in a vector with an infinity, infinities
    count as ±1 and everything else as ±0. Source: OpenCL C++ 1.0, 4.5.1. By the quick way where all are normal numbers,
    or zeros, and none is too small next to another.
    """
    *vector, form, mode, way = given
    infinite = ~every([abs(x) < INFINITY for x in vector])
    lanes = [select(infinite, from_bits((bits(x) & SIGN) | select(abs(x) == INFINITY, ONE, 0)), x) for x in vector]
    undefined = ~every([x == x for x in vector])
    pairs = [(x, None) for x in lanes]
    left: Any
    in_scale = within, exponent, left = within_scale(pairs) if form == "double" else (pairs, 0, None)
    head, tail, err = root_of(pairs, in_scale, form, way, NOTHING)
    left = left if way == QUICK else undefined & ~undefined
    codes, clean = [], err <= abs(tail) * TAIL_ERROR
    for x, (part, _) in zip(lanes, within, strict=True):
        digits, place = mantissa(x) if way == FAR else (part, exponent)
        code, apart = quotient_of(digits, head, tail, clean, place - exponent, form, mode, way)
        left = left | (apart & (x != 0.0))
        codes.append(select(x == 0.0, exactly(form, x), code))
    nan = exactly(form, lanes[0] * 0.0 + NAN)
    return (*(select(undefined, nan, code) for code in codes), left & ~undefined)


def quotient_of(*given: Any) -> tuple[Integer, Truth]:
    """The rounding of (part / (head + tail)) 2^exponent, and whether its ends may round apart.

    ``clean``: the tail errs by TAIL_ERROR of itself.
    """
    part, head, tail, clean, exponent, form, mode, way = given
    quotient = part / head
    product, rest = two_product(quotient, head)
    lacking = (part - product) - rest
    low = (lacking - quotient * tail) / head
    rounded_off = abs(quotient) * (
        select(clean, CLEAN_QUOTIENT_ERROR, QUOTIENT_ERROR) if way == FAR else QUOTIENT_ERROR
    )
    bound = select(clean & ((lacking == 0.0) | (tail == 0.0)), abs(low) * TAIL_ERROR, rounded_off)
    return ends(quotient, low, bound, exponent, form, mode, way)
