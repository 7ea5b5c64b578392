"""Remainders of a division: from one quotient of doubles if that is short, else by powers of two.

Both methods give each result of ``fmod``, ``remainder`` and ``remquo`` in full, special values included. The first is
for elements where ``is_near`` holds; the second, exact for any difference of exponents, takes modular powers of two.
"""

from __future__ import annotations

from clmath.ir.primitives import *

LEAST, MOST = 2.0**-900, 2.0**900  # range of numbers whose products by a quotient, and their rounding errors, are exact
PLACES = 50  # of a short quotient before the point: it errs by 2^-4 at most
FRACTION_BITS = 52
IMPLICIT = 1 << FRACTION_BITS
LAST = 10  # binades of the last step, which counts the quotient: 53 bits so shifted are still an int64
SQUARINGS = 6  # exponents differ by less than 2^12: that leaves a first power of at most 2^32
QUOTIENT_BITS = 0x7F


def is_near(x: Real, y: Real) -> Truth:
    """Whether one quotient of doubles divides x by y; infinities, NaN and a zero y need none at all."""
    a, b = abs(x), abs(y)
    is_short = (a <= MOST) & (b >= LEAST) & (b <= MOST) & (a < b * 2.0**PLACES)
    found: Truth = is_short | ~(a < INFINITY) | ~(b < INFINITY) | (b == 0.0)
    return found


def short_division(a: Real, b: Real) -> tuple[Integer, Real]:
    """The integer n nearest to a/b, ties to even, of positive numbers, and a - n b.

    A quotient in the middle between two integers is a double, which ``nearest`` rounds to the even one. Otherwise n may
    be the farther integer, which the sign and size of a - n b show. The rounded quotient is within 9/16 of a/b. Its
    multiple of b is zero or at most a factor of 2 from a, so that their difference is exact; subtracting the product's
    rounding error is exact, too, since the result is a number: a multiple of the last place of a or b, whichever is
    less, and no larger than either.
    """
    _, n = nearest(a / b)
    product, rest = two_product(real(n), b)
    r = (a - product) - rest
    above, below = r + r > b, r + r < -b
    r = select(above, r - b, select(below, r + b, r))
    return n + select(above, 1, select(below, -1, 0)), r


def special(x: Real, y: Real, found: Real) -> Real:
    """``found``; x where it is zero or y infinite, and NaN where x is infinite, y zero or either NaN."""
    found = select((x == 0.0) | (abs(y) == INFINITY), x, found)
    return select((x - x != 0.0) | (y == 0.0) | (y != y), NAN, found)


def is_divided(x: Real, y: Real) -> Truth:
    """Whether x/y is a quotient of numbers other than zero."""
    found: Truth = (x - x == 0.0) & (x != 0.0) & (y - y == 0.0) & (y != 0.0)
    return found


def turned(r: Real, x: Real) -> Real:
    """The remainder of x from the remainder of |x|; zeros have the sign of x."""
    return from_bits(bits(r) ^ (bits(x) & SIGN))


def low_bits(n: Integer, x: Real, y: Real) -> Integer:
    """The seven low bits of a quotient's magnitude, with the sign of x/y."""
    low = n & QUOTIENT_BITS
    return select((bits(x) ^ bits(y)) < 0, -low, low)


def near_fmod(x: Real, y: Real) -> Real:
    """The remainder x - n y, n being x/y rounded toward zero; it has the sign of x."""
    _, r = short_division(abs(x), abs(y))
    return special(x, y, turned(select(r < 0.0, r + abs(y), r), x))


def near_remquo(x: Real, y: Real) -> tuple[Real, Integer]:
    """The remainder x - n y, n being the integer nearest to x/y, and the seven low bits of |n| with the sign of x/y."""
    n, r = short_division(abs(x), abs(y))
    return special(x, y, turned(r, x)), select(is_divided(x, y), low_bits(n, x, y), 0)


def near_remainder(x: Real, y: Real) -> Real:
    """The first of ``near_remquo``."""
    return near_remquo(x, y)[0]


def parts(x: Real) -> tuple[Integer, Integer]:
    """The size of x as an integer of 53 bits and the exponent of the first; meaningless where it is 0 or not finite."""
    small = abs(x) < 2.0**-1022
    code = bits(abs(select(small, x * 2.0**64, x)))
    return (code & (IMPLICIT - 1)) | IMPLICIT, (code >> FRACTION_BITS) - select(small, 1023 + 64, 1023)


def divided(x: Real, y: Real) -> tuple[Integer, Integer, Integer, Integer, Truth]:
    """The parts k, rest, divisor, unit, below: |x| = (k divisor + rest) 2^unit with 0 <= rest < divisor.

    Only the low ten bits of k are right. ``below``: |x| < |y|/2 is a remainder itself, and the others are meaningless.
    """
    (m, e), (n, f) = parts(x), parts(y)
    gap = e - f
    smaller = gap < 0  # |y|/2 < |x| < |y| or so: counted in the unit of x
    divisor = n << select(smaller, 1, 0)
    far = gap > LAST
    m = select(far, times_power_of_two(m, select(far, gap - LAST, 0), divisor), m)
    m = m << select(far, LAST, select(smaller, 0, gap))
    k = integer(real(m) / real(divisor))  # less than 2^12 in size: it errs by 1 at most
    rest = m - k * divisor
    change = select(rest >= divisor, 1, select(rest < 0, -1, 0))
    unit = f - FRACTION_BITS - select(smaller, 1, 0)
    return k + change, rest - change * divisor, divisor, unit, gap < -1


def times_power_of_two(x: Integer, exponent: Integer, modulus: Integer) -> Integer:
    """A residue x 2^exponent mod ``modulus``, of 53 bits, less than that in size, of either sign.

    The exponent is read from its top bits by squaring.
    """
    inverse = 1.0 / real(modulus)
    power = 1 << (exponent >> SQUARINGS)
    for bit in range(SQUARINGS - 1, -1, -1):
        power = product(power, power, modulus, inverse) << ((exponent >> bit) & 1)
        power = centred(power, modulus, inverse)
    return centred(product(centred(x, modulus, inverse), power, modulus, inverse), modulus, inverse)


def product(a: Integer, b: Integer, modulus: Integer, inverse: Real) -> Integer:
    """A number congruent to a b, of less than 1.5 ``modulus``, for |a|, |b| of about half of it.

    a b / modulus < 2^51 is known to within 1, and the difference of the two products is exact modulo 2^64.
    """
    return a * b - nearest(real(a) * real(b) * inverse)[1] * modulus


def centred(x: Integer, modulus: Integer, inverse: Real) -> Integer:
    """The residue of least magnitude, or its neighbour where they are about equal."""
    return x - nearest(real(x) * inverse)[1] * modulus


def scaled(r: Real, exponent: Integer) -> Real:
    """The number r 2^exponent, which is a double, for exponents of doubles: in two steps."""
    half = exponent >> 1
    return r * two_to(half) * two_to(exponent - half)


def fmod(x: Real, y: Real) -> Real:
    """The remainder x - n y, n being x/y rounded toward zero; it has the sign of x."""
    _, rest, _, unit, below = divided(x, y)
    return special(x, y, select(below, x, copysign(scaled(real(rest), unit), x)))


def remquo(x: Real, y: Real) -> tuple[Real, Integer]:
    """The remainder x - n y, n being the integer nearest to x/y, and the seven low bits of |n| with the sign of x/y."""
    k, rest, divisor, unit, below = divided(x, y)
    twice = rest + rest
    up = (twice > divisor) | ((twice == divisor) & ((k & 1) != 0))
    found = turned(scaled(real(select(up, rest - divisor, rest)), unit), x)
    quotient = select(is_divided(x, y) & ~below, low_bits(k + select(up, 1, 0), x, y), 0)
    return special(x, y, select(below, x, found)), quotient


def remainder(x: Real, y: Real) -> Real:
    """The first of ``remquo``."""
    return remquo(x, y)[0]


def quotient(x: Real, y: Real) -> Integer:
    """The second of ``remquo``."""
    return remquo(x, y)[1]
