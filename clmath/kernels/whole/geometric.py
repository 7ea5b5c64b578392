"""Geometric functions, whole: from the exact sum of products, as an expansion, to results rounded once.

The components of p0 come before the components of p1. The last result is whether
the element is left undecided: roots and quotients that lie closer to a number or a midpoint than two doubles can
decide, and, in the quick ways of doubles, numbers beyond the range of exact products and squares.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from clmath.ir.primitives import *
from clmath.kernels.accurate.arithmetic import mantissa
from clmath.kernels.whole.arithmetic import add, mul, negated, rounded_product, rounded_sum, sub
from clmath.kernels.whole.far import (
    ALONE,
    NOTHING,
    SIDE,
    Component,
    aligned_sum,
    beside_one,
    every,
    scaled,
    total,
    within_scale,
)
from clmath.kernels.whole.rounding import Exact, coded, exactly
from clmath.numbers.expansions import expansion, odd_sum, pair
from clmath.numbers.rounded_encodings import RTN, RTP, to_normal_double

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

InScale: TypeAlias = "tuple[list[Component], Integer, Truth] | None"
"""The results of ``within_scale``; None for narrow formats, which need no scale."""

Results: TypeAlias = "tuple[Integer | Truth | int, ...]"


def unit(x: Real) -> Real:
    """±1 in place of finite numbers other than zero."""
    return select((x - x == 0.0) & (x != 0.0), from_bits((bits(x) & SIGN) | ONE), x)


def dot_parts(a: Sequence[Real], b: Sequence[Real], form: str, mode: int) -> Exact:
    """The parts of the sum of products."""
    if mode == RTN:
        return negated(*dot_parts([-x for x in a], b, form, RTP))
    finite = every([(x - x == 0.0) & (y - y == 0.0) for x, y in zip(a, b, strict=True)])
    zero = every([(x == 0.0) | (y == 0.0) for x, y in zip(a, b, strict=True)])
    special = zero | ~finite
    if form != "double":  # products are exact
        products = [x * y for x, y in zip(a, b, strict=True)]
        return select(special, total(products), odd_sum(expansion(products))), 0.0, 0
    hi, lo, exponent = aligned_sum(a, b)
    plain = total([unit(x) * unit(y) for x, y in zip(a, b, strict=True)])
    return select(special, plain, hi), select(special, 0.0, lo), select(special, 0, exponent)


def halves(given: Sequence[Real]) -> tuple[Sequence[Real], Sequence[Real]]:
    """The components of p0, and of p1."""
    half = len(given) // 2
    return given[:half], given[half:]


def dot(*given: Real, form: str, mode: int, way: str) -> Results:
    """The exact sum of the products, rounded once; the quick way is for doubles that do not cancel much."""
    a, b = halves(given)
    if way == QUICK:
        return quick_sum(a, b, form, mode)
    return closed(form, [coded(form, mode, *dot_parts(a, b, form, mode))], given[0])


def closed(form: str, codes: list[Integer | int], component: Real) -> Results:
    """The results, and for double, whose quick way may leave elements, that this element is not left."""
    return (*codes, (component == component) & (component != component)) if form == "double" else tuple(codes)


def quick_sum(a: Sequence[Real], b: Sequence[Real], form: str, mode: int) -> tuple[Integer, Truth]:
    """The compensated sum of products of doubles, and whether the element is left: zeros always are."""
    inside = every([(x == 0.0) | ((abs(x) >= LEAST) & (abs(x) <= MOST)) for x in (*a, *b)])
    head, tail, size, _ = compensated([two_product(x, y) for x, y in zip(a, b, strict=True)])
    code, apart = ends(head, tail, size * SUM_ERROR, 0, form, mode, QUICK)
    return code, apart | ~inside | (head == 0.0) | (size > abs(head) * CANCELLED)


def dot_in_steps(*given: Real, form: str, mode: int) -> Integer:
    """The sum of the products, each rounded, from left to right, each sum rounded."""
    if len(given) == 2:
        return mul(given[0], given[1], form, mode)
    *products, last = [rounded_product(x, y, form, mode) for x, y in zip(*halves(given), strict=True)]
    found = products[0]
    for product in products[1:]:
        found = rounded_sum(found, product, form, mode)
    return add(found, last, form, mode)


def planes(given: Sequence[Real]) -> tuple[tuple[Real, Real, Real, Real], ...]:
    """The factors a, b, c, d of each component a b - c d of a cross product."""
    (a, b, c, *_), (x, y, z, *_) = halves(given)
    return (b, z, c, y), (c, x, a, z), (a, y, b, x)


def cross(*given: Real, form: str, mode: int, way: str) -> Results:
    """The three components, each exact and rounded once, and +0 for w; the quick way is as in ``dot``."""
    fourth = [0] * (len(given) // 8)
    if way == QUICK:
        found = [quick_sum((a, -c), (b, d), form, mode) for a, b, c, d in planes(given)]
        return (*(code for code, _ in found), *fourth, found[0][1] | found[1][1] | found[2][1])
    exact = [dot_parts((a, -c), (b, d), form, mode) for a, b, c, d in planes(given)]
    return closed(form, [coded(form, mode, *parts) for parts in exact] + fourth, given[0])


def cross_in_steps(*given: Real, form: str, mode: int) -> tuple[Integer | int, ...]:
    """The cross product with every operation rounded."""
    codes = [dot_in_steps(a, -c, b, d, form=form, mode=mode) for a, b, c, d in planes(given)]
    return (*codes, *[0] * (len(given) // 8))


def rooted(components: Sequence[Component], form: str) -> tuple[Real, Real, Real]:
    """The root of the sum of squares of ``components``, as head, tail and the error of that.

    Without rounding errors, and if the remainder of the squares is known exactly,
    the tail has the right sign, and is zero if the root is exact; this holds for all narrow numbers without rounding
    errors.
    """
    lacking = [low for _, low in components if low is not None]
    if form != "double" and not lacking:
        squares = expansion([x * x for x, _ in components])
        hi, lo = pair(squares) if len(squares) > 1 else (squares[0], 0.0)
        exact = near = lo == lo
    else:
        hi, lo, size, exact = compensated([two_product(x, x) for x, _ in components])
        near = abs(lo) == size  # nothing cancels: its error is a few of its own last places
    head = sqrt(hi)
    square, rest = two_product(head, head)
    below = total([x * low for x, low in components if low is not None]) if lacking else 0.0
    left = (hi - square) - rest
    tail = select(head > 0.0, (left + (lo + (below + below))) / (head + head), 0.0)
    clean = (exact & ((left == 0.0) | (tail == 0.0))) | (near & ((left == 0.0) | (lo == 0.0)))
    if lacking:
        clean = clean & every([low == 0.0 for low in lacking])
    return head, tail, select(clean, abs(tail) * TAIL_ERROR, head * ROOT_ERROR)


def compensated(products: Sequence[Pair]) -> tuple[Real, Real, Real, Truth]:
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
        return coded(form, mode, to_odd(hi, lo)), (err > 0.0) & (abs(lo) <= err)
    low, high = fast_two_sum(head, tail - err), fast_two_sum(head, tail + err)
    codes = coded(form, mode, *low, exponent), coded(form, mode, *high, exponent)
    return codes[0], codes[0] != codes[1]


def root_of(
    components: Sequence[Component], in_scale: InScale, form: str, way: str, most_of_others: float = ALONE
) -> tuple[Real, Real, Real]:
    """The root of the sum of squares divided by a power of two, as head, tail and the error of that.

    ``in_scale`` is the result of ``within_scale`` for ``components``.
    """
    head, tail, err = rooted(in_scale[0] if in_scale else components, form)
    if way != FAR:
        return head, tail, err
    if in_scale:  # dropped parts are at most 2^-396 of the root
        _, exponent, dropped = in_scale
        err = select(dropped & (err < head * ROOT_ERROR), head * ROOT_ERROR, err)
    alone, top, side, beside = beside_one(components, most_of_others)
    top = scaled(top, exponent) if in_scale else top
    tail = select(alone, top * SIDE * side, tail)
    head, err = select(alone, top, head), select(alone, abs(tail) * TAIL_ERROR, err)
    if beside is None:
        return head, tail, err
    short, low = beside
    low = scaled(low, exponent) if in_scale else low
    return select(short, top, head), select(short, low, tail), select(short, 0.0, err)


def length_of(
    components: Sequence[Component], form: str, mode: int, way: str, raised: Integer | int = 0
) -> tuple[Integer, Truth]:
    """The root of the sum of squares times 2^raised; NaN if a component is NaN, else +inf if one is infinite.

    The second result is whether the element is left undecided.
    """
    finite = every([x - x == 0.0 for x, _ in components])
    plain = total([abs(x) for x, _ in components])
    in_scale = within_scale(components) if form == "double" else None
    head, tail, err = root_of(components, in_scale, form, way)
    if form != "double" and components[0][1] is None:
        # the sign of the tail, which is right, decides: a boundary has 25 bits, so only the head itself may be one
        code = coded(form, mode, select(finite, to_odd(*fast_two_sum(head, tail)), plain))
        return code, finite & ~finite
    exponent = in_scale[1] + raised if in_scale else raised
    code, apart = ends(head, tail, err, exponent, form, mode, way)
    open_ = apart | in_scale[2] if in_scale and way == QUICK else apart
    return select(finite, code, exactly(form, plain)), open_ & finite


def length(*given: Real, form: str, mode: int, way: str) -> tuple[Integer, Truth]:
    """The length of a vector; the quick way is for normal numbers that are not too small next to one another."""
    return length_of([(x, None) for x in given], form, mode, way)


def distance(*given: Real, form: str, mode: int, way: str) -> tuple[Integer, Truth]:
    """The length of the exact difference, and whether the element is left; the quick way is as in ``length``."""
    first, second = halves(given)
    if len(first) == 1:
        return size_of_difference(first[0], second[0], form, mode)
    raised: Integer | int
    raised, finite = 0, every([x - x == 0.0 for x in given])
    if way == FAR and form == "double":
        # Where a difference or a step of two_sum overflows, as in x - DBL_MAX, take a quarter of all elements: the
        # change in the others is dropped next to the large difference.
        tails = [two_sum(x, -y)[1] for x, y in zip(first, second, strict=True)]
        over = finite & ~every([tail - tail == 0.0 for tail in tails])
        raised, part = select(over, 2, 0), select(over, 0.25, 1.0)
        first, second = [x * part for x in first], [y * part for y in second]
    differences = [two_sum(x, -y) for x, y in zip(first, second, strict=True)]
    exact: list[Component] = [(hi, select(hi - hi == 0.0, lo, 0.0)) for hi, lo in differences]
    code, left = length_of(exact, form, mode, way, raised)
    if way != QUICK:
        return code, left
    return code, left | (finite & ~every([abs(x) < HIGH for x in given]))


def size_of_difference(x: Real, y: Real, form: str, mode: int) -> tuple[Integer, Truth]:
    """The rounded |x - y|, +0 if they are equal, and that the element is not left."""
    falls = x > y
    greater, lesser = select(falls, x, y), select(falls, y, x)
    return select(greater - lesser == 0.0, 0, sub(greater, lesser, form, mode)), falls & ~falls


def normalize(*given: Real, form: str, mode: int, way: str) -> Results:
    """Each component divided by the length, rounded once, and whether the vector is left.

    A vector of zeros is returned unchanged; a NaN component makes all NaN; in a vector with an infinity, infinities
    count as ±1 and everything else as ±0. Source: OpenCL C++ 1.0, 4.5.1. By the quick way where all are normal numbers,
    or zeros, and none is too small next to another.
    """
    infinite = ~every([abs(x) < INFINITY for x in given])
    components = [select(infinite, from_bits((bits(x) & SIGN) | select(abs(x) == INFINITY, ONE, 0)), x) for x in given]
    undefined = ~every([x == x for x in given])
    pairs: list[Component] = [(x, None) for x in components]
    in_scale = within_scale(pairs) if form == "double" else None
    within, exponent, dropped = in_scale or (pairs, 0, False)
    head, tail, err = root_of(pairs, in_scale, form, way, NOTHING)
    left = dropped if way == QUICK else undefined & ~undefined
    codes, clean = [], err <= abs(tail) * TAIL_ERROR
    for x, (part, _) in zip(components, within, strict=True):
        digits, place = mantissa(x) if way == FAR else (part, exponent)
        code, apart = quotient_of(digits, (head, tail), clean, place - exponent, form, mode, way)
        left = left | (apart & (x != 0.0))
        codes.append(select(x == 0.0, exactly(form, x), code))
    nan = exactly(form, components[0] * 0.0 + NAN)
    return (*(select(undefined, nan, code) for code in codes), left & ~undefined)


def quotient_of(
    part: Real, root: Pair, clean: Truth, exponent: Integer | int, form: str, mode: int, way: str
) -> tuple[Integer, Truth]:
    """The rounding of (part / root) 2^exponent, and whether its ends may round apart.

    ``clean``: the second part of the root errs by TAIL_ERROR of itself.
    """
    head, tail = root
    quotient = part / head
    product, rest = two_product(quotient, head)
    lacking = (part - product) - rest
    low = (lacking - quotient * tail) / head
    rounded_off = abs(quotient) * (
        select(clean, CLEAN_QUOTIENT_ERROR, QUOTIENT_ERROR) if way == FAR else QUOTIENT_ERROR
    )
    bound = select(clean & ((lacking == 0.0) | (tail == 0.0)), abs(low) * TAIL_ERROR, rounded_off)
    return ends(quotient, low, bound, exponent, form, mode, way)
