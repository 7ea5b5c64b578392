"""The second oracle's exact half: built-ins that are fractions, or square roots of fractions, of their arguments."""

from __future__ import annotations

import math
from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

from clmath.callables import AnyFunction
from clmath.numbers.formats import Format

OPPOSED = "+0, or -0 in rtn"  # the exact zero sum of opposite terms
Value: TypeAlias = "float | Fraction | str"

_ROOT_BITS = 160  # a root is truncated there; one more bit marks an inexact root


def _finite(*args: float) -> bool:
    return all(map(math.isfinite, args))


def _minus(x: float) -> bool:
    return math.copysign(1.0, x) < 0.0


def _sum(exact: Fraction, negatives: Sequence[bool]) -> Value:
    """An exact sum; ``negatives`` are the signs of its terms, which decide the sign of a zero sum."""
    if exact:
        return exact
    return OPPOSED if len(set(negatives)) > 1 else -0.0 if negatives[0] else 0.0


def _sum_of_products(left: Sequence[float], right: Sequence[float]) -> Value:
    """The sum a b + c d + ... of finite or infinite numbers and NaN."""
    pairs = list(zip(left, right, strict=True))
    if not _finite(*left, *right):
        # among infinite terms only the signs of the finite ones count
        signs = [(_sign_only(a), _sign_only(b)) for a, b in pairs]
        return sum(a * b for a, b in signs)
    return _sum(
        sum((Fraction(a) * Fraction(b) for a, b in pairs), Fraction(0)), [_minus(a) != _minus(b) for a, b in pairs]
    )


def _sign_only(x: float) -> float:
    return math.copysign(1.0, x) if x and math.isfinite(x) else x


def add(_: Format, x: float, y: float) -> Value:
    """The sum."""
    return _sum_of_products((x, y), (1.0, 1.0))


def sub(_: Format, x: float, y: float) -> Value:
    """The difference."""
    return _sum_of_products((x, -y), (1.0, 1.0))


def mul(_: Format, x: float, y: float) -> Value:
    """The product."""
    return _sum_of_products((x,), (y,))


def fma(_: Format, a: float, b: float, c: float) -> Value:
    """The product of a and b plus c."""
    return _sum_of_products((a, c), (b, 1.0))


def div(_: Format, x: float, y: float) -> Value:
    """The quotient."""
    if _finite(x, y) and x and y:
        return Fraction(x) / Fraction(y)
    if x != x or y != y or (x == 0.0 and y == 0.0) or (math.isinf(x) and math.isinf(y)):
        return math.nan
    size = math.inf if math.isinf(x) or y == 0.0 else 0.0
    return math.copysign(size, -1.0 if _minus(x) != _minus(y) else 1.0)


def recip(form: Format, x: float) -> Value:
    """The quotient of 1 and x."""
    return div(form, 1.0, x)


def fdim(form: Format, x: float, y: float) -> Value:
    """The difference if positive, +0 otherwise."""
    return 0.0 if x <= y else sub(form, x, y)


def ldexp(_: Format, x: float, k: int) -> Value:
    """The product of x and 2^k; binades beyond every format's range are cut off."""
    if x == 0.0 or not math.isfinite(x):
        return x
    return Fraction(x) * Fraction(2) ** min(max(k, -5000), 5000)


def fract(form: Format, x: float) -> tuple[Value, float]:
    """The difference of x and floor(x), held at the largest number below 1, and floor(x)."""
    if not math.isfinite(x):
        return (x if x != x else math.copysign(0.0, x)), x
    whole = math.floor(x)
    rest = min(Fraction(x) - whole, 1 - Fraction(1, 2**form.precision))
    return rest or (x if x == 0.0 else 0.0), math.copysign(float(whole), x)


def mix(_: Format, x: float, y: float, a: float) -> Value:
    """The blend x + (y - x) a."""
    if not _finite(x, y, a):
        return x + (y - x) * a
    exact = Fraction(x) + (Fraction(y) - Fraction(x)) * Fraction(a)
    if exact:
        return exact
    upward, downward = (_negative_blend(x, y, a, down=down) for down in (False, True))
    return OPPOSED if upward != downward else -0.0 if upward else 0.0


def _negative_blend(x: float, y: float, a: float, *, down: bool) -> bool:
    """The sign of a blend that is 0, where an exact zero sum of opposite terms is -0 (``down``) or +0."""
    difference = y < x if y != x else _minus(y) if x == 0.0 and _minus(y) != _minus(x) else down
    product = difference != _minus(a)
    return _minus(x) if _minus(x) == product else down


def smoothstep(_: Format, edge0: float, edge1: float, x: float) -> Value:
    """The cubic t t (3 - 2 t)."""
    if x != x or edge0 != edge0 or edge1 != edge1:
        return math.nan
    if x <= edge0:
        return 0.0
    if x >= edge1:
        return 1.0
    if not _finite(edge0, edge1):
        return 0.0
    t = (Fraction(x) - Fraction(edge0)) / (Fraction(edge1) - Fraction(edge0))
    return t * t * (3 - 2 * t)


def square_root(square: Fraction) -> Fraction:
    """The root of a positive fraction, exact or cut after 160 bits with one more bit to say so."""
    bits = square.numerator.bit_length() - square.denominator.bit_length()
    places = max(_ROOT_BITS - bits // 2, 0)
    scaled, cut = divmod(square.numerator << 2 * places, square.denominator)
    root = math.isqrt(scaled)
    return Fraction(2 * root + (cut != 0 or root * root != scaled), 2 << places)


def _exact_root(square: Fraction) -> Fraction:
    """The root of a fraction of squares in lowest terms, or the cut one."""
    top, bottom = math.isqrt(square.numerator), math.isqrt(square.denominator)
    if top * top == square.numerator and bottom * bottom == square.denominator:
        return Fraction(top, bottom)
    return square_root(square)


def sqrt(_: Format, x: float) -> Value:
    """The square root."""
    if x in (0.0, math.inf):
        return x
    return _exact_root(Fraction(x)) if x > 0.0 else math.nan


def _length(squares: Value) -> Value:
    if isinstance(squares, Fraction):
        return _exact_root(squares)
    return 0.0 if squares in (0.0, OPPOSED) else squares


def length(_: Format, *components: float) -> Value:
    """The square root of the sum of squares; NaN wins over infinity."""
    return _length(_sum_of_products(components, components))


def hypot(form: Format, x: float, y: float) -> Value:
    """The length of (x, y); infinity wins over NaN."""
    return math.inf if math.isinf(x) or math.isinf(y) else length(form, x, y)


def distance(_: Format, *components: float) -> Value:
    """The length of the difference."""
    half = len(components) // 2
    if not _finite(*components):
        differences = [_sign_only(a) - _sign_only(b) for a, b in zip(components[:half], components[half:], strict=True)]
        return _length(_sum_of_products(differences, differences))
    squares = [(Fraction(a) - Fraction(b)) ** 2 for a, b in zip(components[:half], components[half:], strict=True)]
    return _length(sum(squares, Fraction(0)) or 0.0)


def dot(_: Format, *components: float) -> Value:
    """The sum of the products."""
    half = len(components) // 2
    return _sum_of_products(components[:half], components[half:])


def cross(_: Format, *components: float) -> tuple[Value, ...]:
    """Three differences of two products, and 0 for w."""
    half = len(components) // 2
    (a, b, c), (x, y, z) = components[:3], components[half : half + 3]
    planes = ((b, z, c, y), (c, x, a, z), (a, y, b, x))
    return (*(_sum_of_products((p, -r), (q, s)) for p, q, r, s in planes), *[0.0][: half - 3])


def normalize(_: Format, *components: float) -> tuple[Value, ...]:
    """Each component divided by the length; OpenCL C++ 1.0, 4.5.1 for infinities and NaN."""
    if any(map(math.isnan, components)):
        return tuple(math.nan for _ in components)
    if not _finite(*components):
        components = tuple(math.copysign(math.isinf(x), x) for x in components)
    square = sum((Fraction(x) ** 2 for x in components), Fraction(0))
    return tuple((-1 if x < 0 else 1) * _exact_root(Fraction(x) ** 2 / square) if x else x for x in components)


_FUNCTIONS: tuple[AnyFunction, ...] = (
    *(add, sub, mul, fma, div, recip, fdim, ldexp, fract, mix, smoothstep, sqrt, hypot),
    *(length, distance, dot, cross, normalize),
)
RATIONAL: dict[str, AnyFunction] = {function.__name__: function for function in _FUNCTIONS}
