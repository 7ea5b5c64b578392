"""Whole arithmetic, and functions composed of it: encodings of results that are rounded in a mode.

Each function takes ``form`` and ``mode`` after its elements. Sums that are exactly zero are -0 in rtn (IEEE 754, 6.3):
there the negated sum of the negated terms is rounded, which leaves every other result unchanged.

If all arguments are zeros or moderate numbers (``are_moderate``), sums, products, quotients and fused products take the
moderate forms of ``rounding``: nothing overflows, and neither a result nor its rounding error is subnormal.
"""

from __future__ import annotations

from clmath.callables import AnyFunction
from clmath.ir.primitives import INFINITY, NAN, SIGN, bits, floor, from_bits, select, to_odd, two_product, two_sum
from clmath.ir.primitives import sqrt as root
from clmath.ir.values import Integer, Real, Truth
from clmath.kernels.accurate import arithmetic as accurate
from clmath.kernels.exact import clamp
from clmath.kernels.fast import arithmetic as fast
from clmath.kernels.whole.rounding import DOUBLES, MODERATE_DOUBLE, Exact, coded, exactly, rounded
from clmath.numbers.rounded_encodings import RTE, RTN, RTP

__all__ = [
    "add",
    "degrees",
    "div",
    "fdim",
    "fma",
    "fract",
    "ldexp",
    "mad_in_steps",
    "mix",
    "mix_in_steps",
    "mul",
    "radians",
    "recip",
    "smoothstep",
    "sqrt",
    "sub",
]

BELOW_ONE = {"half": 1.0 - 2.0**-11, "float": 1.0 - 2.0**-24, "double": 1.0 - 2.0**-53}


def are_moderate(*given: Real, reach: int) -> Truth:
    """Whether all elements are zeros or 2^-reach to 2^reach in size."""
    first, *others = [(x == 0.0) | ((abs(x) >= 2.0**-reach) & (abs(x) <= 2.0**reach)) for x in given]
    for other in others:
        first = first & other
    found: Truth = first
    return found


def exact_parts(narrow: AnyFunction, wide: AnyFunction, form: str, *args: Real | float) -> Exact:
    """The parts of an exact value, by the kernel of the format's phase."""
    if form not in DOUBLES:
        return narrow(*args)[0], 0.0, 0
    hi, lo, _, exponent = wide(*args)
    return hi, lo, exponent


def sum_parts(x: Real | float, y: Real, form: str, mode: int) -> Exact:
    """The parts of x + y."""
    if mode == RTN:
        return negated(*sum_parts(-x, -y, form, RTP))
    if form in DOUBLES and mode == RTE:
        return x + y, 0.0, 0
    if form == MODERATE_DOUBLE:
        return *two_sum(x, y), 0
    return exact_parts(fast.add, accurate.add, form, x, y)


def fused_parts(a: Real, b: Real, c: Real, form: str, mode: int) -> Exact:
    """The parts of a b + c."""
    if mode == RTN:
        return negated(*fused_parts(-a, b, -c, form, RTP))
    if form == MODERATE_DOUBLE:
        return moderate_fused(a, b, c)
    return exact_parts(fast.fma, accurate.fma, form, a, b, c)


def moderate_fused(a: Real, b: Real, c: Real) -> tuple[Real, Real, int]:
    """The parts of a b + c for moderate doubles; the rest is rounded to odd (Boldo and Melquiond, 2008)."""
    head, tail = two_product(a, b)
    middle, low = two_sum(c, tail)
    head, high = two_sum(head, middle)
    hi, lo = two_sum(head, to_odd(*two_sum(low, high)))
    return select(hi == 0.0, a * b + c, hi), lo, 0


def negated(hi: Real, lo: Real | float, exponent: Integer | int) -> Exact:
    """The parts of a value with its sign changed."""
    return -hi, -lo, exponent


def product_parts(x: Real, y: Real, form: str, mode: int) -> Exact:
    """The parts of x y."""
    if form in DOUBLES and mode == RTE:
        return x * y, 0.0, 0
    if form == MODERATE_DOUBLE:
        return *two_product(x, y), 0
    return exact_parts(fast.mul, accurate.mul, form, x, y)


def quotient_parts(x: Real, y: Real, form: str, mode: int) -> Exact:
    """The parts of x / y: the remainder of a quotient of doubles has the right sign, which decides the rounding."""
    if form in DOUBLES and mode == RTE:
        return x / y, 0.0, 0
    if form == MODERATE_DOUBLE:
        head = x / y
        product, rest = two_product(head, y)
        return head, from_bits(bits((x - product) - rest) ^ (bits(y) & SIGN)), 0
    return exact_parts(fast.div, accurate.div, form, x, y)


def root_parts(x: Real, form: str, mode: int) -> Exact:
    """The parts of the square root, as of a quotient."""
    if form in DOUBLES and mode == RTE:
        return root(x), 0.0, 0
    if form == MODERATE_DOUBLE:
        head = root(x)
        square, rest = two_product(head, head)
        return head, (x - square) - rest, 0
    return exact_parts(fast.sqrt, accurate.sqrt, form, x)


def ended(parts: Exact, form: str, mode: int) -> Integer:
    """The encoding of parts whose ``hi`` is the result where a processor's own rounding gives it."""
    return exactly(form, parts[0]) if form in DOUBLES and mode == RTE else coded(form, mode, *parts)


def stepped(parts: Exact, form: str, mode: int) -> Real:
    """The value that ``ended`` encodes."""
    return parts[0] if form in DOUBLES and mode == RTE else rounded(form, mode, *parts)


def rounded_sum(x: Real | float, y: Real, form: str, mode: int) -> Real:
    """The sum x + y, as a value."""
    return stepped(sum_parts(x, y, form, mode), form, mode)


def rounded_product(x: Real, y: Real, form: str, mode: int) -> Real:
    """The product x y, as a value."""
    return stepped(product_parts(x, y, form, mode), form, mode)


def rounded_quotient(x: Real, y: Real, form: str, mode: int) -> Real:
    """The quotient x / y, as a value."""
    return stepped(quotient_parts(x, y, form, mode), form, mode)


def add(x: Real, y: Real, form: str, mode: int) -> Integer:
    """The sum x + y."""
    return ended(sum_parts(x, y, form, mode), form, mode)


def sub(x: Real, y: Real, form: str, mode: int) -> Integer:
    """The difference x - y."""
    return add(x, -y, form, mode)


def mul(x: Real, y: Real, form: str, mode: int) -> Integer:
    """The product x y."""
    return ended(product_parts(x, y, form, mode), form, mode)


def div(x: Real, y: Real, form: str, mode: int) -> Integer:
    """The quotient x / y."""
    return ended(quotient_parts(x, y, form, mode), form, mode)


def recip(x: Real, form: str, mode: int) -> Integer:
    """The quotient 1 / x."""
    if form in DOUBLES and mode == RTE:
        return exactly(form, 1.0 / x)
    return coded(form, mode, *exact_parts(fast.recip, accurate.recip, form, x))


def sqrt(x: Real, form: str, mode: int) -> Integer:
    """The square root; the root of -0 is -0."""
    return ended(root_parts(x, form, mode), form, mode)


def fma(a: Real, b: Real, c: Real, form: str, mode: int) -> Integer:
    """The sum a b + c, rounded once."""
    return coded(form, mode, *fused_parts(a, b, c, form, mode))


def mad_in_steps(a: Real, b: Real, c: Real, form: str, mode: int) -> Integer:
    """The sum a b + c, the product rounded, too."""
    return add(rounded_product(a, b, form, mode), c, form, mode)


def mix(x: Real, y: Real, a: Real, form: str, mode: int) -> Integer:
    """The blend x + (y - x) a: the difference is rounded, then the rest at once."""
    return fma(rounded_sum(y, -x, form, mode), a, x, form, mode)


def mix_in_steps(x: Real, y: Real, a: Real, form: str, mode: int) -> Integer:
    """``mix`` with each operation rounded."""
    difference = rounded_sum(y, -x, form, mode)
    return add(x, rounded_product(difference, a, form, mode), form, mode)


def smoothstep(edge0: Real, edge1: Real, x: Real, form: str, mode: int) -> Integer:
    """0 up to ``edge0``, 1 from ``edge1`` on, else t t (3 - 2 t); t is (x - edge0) / (edge1 - edge0), clamped."""
    rise, run = rounded_sum(x, -edge0, form, mode), rounded_sum(edge1, -edge0, form, mode)
    t = clamp(rounded_quotient(rise, run, form, mode), 0.0, 1.0)
    square = rounded_product(t, t, form, mode)
    slope = rounded_sum(3.0, -(t + t), form, mode)
    inside = rounded_product(square, slope, form, mode)
    value = select(x <= edge0, 0.0, select(x >= edge1, 1.0, inside))
    unknown = (x != x) | (edge0 != edge0) | (edge1 != edge1)
    return exactly(form, select(unknown, NAN, value))


def fdim(x: Real, y: Real, form: str, mode: int) -> Integer:
    """The difference x - y where that is positive, else +0; NaN where either is."""
    return select(x <= y, 0, sub(x, y, form, mode))


def ldexp(x: Real, k: Real, form: str, mode: int) -> Integer:
    """The number x 2^k."""
    return coded(form, mode, *exact_parts(fast.ldexp, accurate.ldexp, form, x, k))


def fract(x: Real, form: str, mode: int) -> tuple[Integer, Integer]:
    """The fraction x - floor(x), below 1, and floor(x); the fraction of an infinity is a zero of its sign."""
    if form not in DOUBLES:
        part, _, whole, _ = fast.fraction(x, BELOW_ONE[form])
        return coded(form, mode, part), exactly(form, whole)
    whole = floor(x)
    zero = from_bits(bits(select((abs(x) == INFINITY) | (x == 0.0), x, 0.0)) & SIGN)
    part = rounded_sum(x, -whole, form, mode)
    part = select(part > BELOW_ONE["double"], BELOW_ONE["double"], part)
    return exactly(form, select(x == whole, zero, part)), exactly(form, whole)


def degrees(x: Real, form: str, mode: int) -> Integer:
    """The value of (180/π) x."""
    return coded(form, mode, *exact_parts(fast.degrees, accurate.degrees, form, x))


def radians(x: Real, form: str, mode: int) -> Integer:
    """The value of (π/180) x."""
    return coded(form, mode, *exact_parts(fast.radians, accurate.radians, form, x))
