"""Exact functions of forms: power series about a middle, and bounds of their remainders.

The reductions come from textbooks: powers of two taken out of exponentials and logarithms; tangents of half angles; the
recurrence and Stirling's series of gamma, whose error for x > 0 is smaller than the first term that is left out (NIST
Handbook of Mathematical Functions, 5.11(ii)); Taylor's series of e^(x^2) erfc x.
"""

from __future__ import annotations

import math
from fractions import Fraction
from functools import cache
from math import comb, factorial, isqrt
from typing import TYPE_CHECKING

from proofs.check.forms import ONE, Form, K, number, require, up

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

__all__ = ["FUNCTIONS", "HALF", "inverse", "odd", "pi", "power_of_2", "root", "sine_and_cosine"]

HALF = Fraction(1, 2)
_TERMS = 40  # of series
_UNIT = number(1)


def _beyond(size: int, divisors: Iterable[int]) -> int:
    """Return twice the product of size / n, more than a series leaves whose terms fall by a half from there on."""
    left = ONE
    for n in divisors:
        left = up(left * size) // n + 1
    return 2 * left


def _series(u: Form, coefficients: Sequence[Form], beyond: int) -> Form:
    """Return the sum of c_n u^n, and something no larger than ``beyond`` units."""
    total = Form([0])
    for c in reversed(coefficients):
        total = total * u + c
    return total + Form([0], None, beyond)


def _short_series(u: Form, coefficients: Sequence[Form]) -> Form:
    """Return the same where no coefficient is larger than 1, and u no larger than 1/2."""
    require(2 * u.size() <= ONE, "a series on a long cell")
    return _series(u, coefficients, _beyond(u.size(), [1] * len(coefficients)))


def _about_middle(form: Form) -> tuple[Fraction, Form]:
    """Return (middle, u) where the form is middle (1 + u)."""
    require(form.least(), "a function of what may be zero")
    return form.middle(), form.beside().scaled(1 / form.middle())


@cache
def _binomials(exponent: Fraction) -> list[Form]:
    """Return the coefficients of (1 + u)^exponent for -1 and 1/2, which are at most 1."""
    found = [Fraction(1)]
    for n in range(_TERMS - 1):
        found.append(found[-1] * (exponent - n) / (n + 1))
    return list(map(number, found))


def _power(form: Form, exponent: Fraction, of_middle: Callable[[Fraction], Form]) -> Form:
    middle, u = _about_middle(form)
    return _short_series(u, _binomials(exponent)) * of_middle(middle)


def inverse(form: Form) -> Form:
    """Return 1 / form."""
    return _power(form, Fraction(-1), lambda x: number(1 / x))


def root(form: Form) -> Form:
    """Return the square root."""
    require(form.p[0] > 0, "a root of a negative number")
    return _power(form, HALF, lambda x: Form([isqrt((x.numerator << 2 * K) // x.denominator)], None, 1))


def odd(function: Callable[[Form], Form]) -> Callable[[Form], Form]:
    """Return the odd function that extends a function of positive forms."""
    return lambda z: -function(-z) if z.p[0] < 0 else function(z)


# exponentials and logarithms

_EXPONENTIAL = [number(Fraction(1, factorial(n))) for n in range(34)]
_LOGARITHM = [Form([0]), *(number(Fraction((-1) ** (n + 1), n)) for n in range(1, _TERMS))]


def _exponential(z: Form) -> Form:
    """Return e^z, a power of two taken out."""
    n = round(z.middle() / _log_2().middle())
    rest = z - _log_2().scaled(Fraction(n)) if n else z
    require(2 * rest.size() <= ONE, "an exponential on a long cell")
    beyond = _beyond(rest.size(), range(1, len(_EXPONENTIAL) + 1))
    return _series(rest, _EXPONENTIAL, beyond).scaled(Fraction(2) ** n)


def power_of_2(x: Fraction) -> Form:
    """Return 2^x where the denominator of x is a power of two: by square roots, rounded down and up."""
    whole = math.floor(x)
    power, steps = (x - whole).as_integer_ratio()
    low = high = ONE << power
    while steps > 1:
        steps //= 2
        low, high = isqrt(low << K), isqrt(high << K) + 1
    return Form([low], None, high - low).scaled(Fraction(2) ** whole)


def _logarithm(form: Form) -> Form:
    """Return the natural logarithm: log(1 + u) plus e log 2 + 2 atanh((y - 1) / (y + 1)) for the middle 2^e y."""
    middle, u = _about_middle(form)
    require(middle > 0, "the logarithm of what may be less than zero")
    e = middle.numerator.bit_length() - middle.denominator.bit_length()
    y = middle / Fraction(2) ** e
    of_middle = _log_2().scaled(Fraction(e)) + _inverse_tangent((y - 1) / (y + 1)).scaled(Fraction(2))
    return _short_series(u, _LOGARITHM) + of_middle


@cache
def _log_2() -> Form:
    return _inverse_tangent(Fraction(1, 3)).scaled(Fraction(2))


def _inverse_tangent(z: Fraction, sign: int = 1, one: int = ONE) -> Form:
    """Return atanh z = z + z^3/3 + ..., |z| <= 1/3, in units of 1/``one``; atan z for the sign -1."""
    assert 3 * abs(z) <= 1
    power, square, total, n = int(abs(z) * one), int(z * z * one), 0, 0
    while power:
        total += sign**n * (power // (2 * n + 1))
        power, n = power * square // one, n + 1
    return Form([total if z >= 0 else -total], None, 4 * n + 4)  # the error of each term is less than 4


# angles

_STEEPEST = Fraction(1, 32)  # of slopes whose angles are summed
_NEAR = 30  # bits of the slope next to one
_ANGLE = [number(Fraction((-1) ** n, 2 * n + 1)) for n in range(_TERMS)]
_SINE, _COSINE = ([number(Fraction((-1) ** n, factorial(2 * n + first))) for n in range(27)] for first in (1, 0))


@cache
def pi(one: int = ONE) -> Form:
    """Return pi in units of 1/``one``: 16 atan(1/5) - 4 atan(1/239) (Machin)."""
    five, other = (_inverse_tangent(Fraction(1, n), -1, one) for n in (5, 239))
    return five.scaled(Fraction(16)) - other.scaled(Fraction(4))


def sine_and_cosine(z: Form) -> tuple[Form, Form]:
    """Return both of a form below 2 in size; the series leave no more than 2^-175."""
    require(z.size() <= 2 * ONE, "the sine of a large angle")
    if not z.size():
        return z, _UNIT
    square, beyond = z * z, _beyond(z.size(), range(1, 2 * len(_COSINE)))  # |z|^53 / 53!
    return z * _series(square, _SINE, beyond), _series(square, _COSINE, beyond)


def _arc_tangent(z: Form) -> Form:
    """Return the angle of a positive slope: the angle of a number near it, and the angle between both."""
    near = Fraction(z.p[0] >> K - _NEAR, 1 << _NEAR)
    return _angle(near) + _small_angle((z - number(near)) * inverse(_UNIT + z.scaled(near)))


def _small_angle(z: Form) -> Form:
    require(z.size() <= _STEEPEST * ONE, "the angle of a steep slope")
    return z * _short_series(z * z, _ANGLE)


@cache
def _angle(slope: Fraction) -> Form:
    """Return the arc tangent of a number: twice the arc tangent of s / (1 + sqrt(1 + s^2)), until s is small."""
    z, times = number(slope), 1
    while z.size() > _STEEPEST * ONE:
        z, times = z * inverse(_UNIT + root(_UNIT + z * z)), 2 * times
    return _small_angle(z).scaled(Fraction(times))


def _arc_sine(z: Form) -> Form:
    """Return the arc tangent of z / sqrt(1 - z^2)."""
    if not z.radius() and abs(z.p[0]) == ONE:
        return pi().scaled(z.middle() / 2)
    return odd(_arc_tangent)(z * inverse(root(_UNIT - z * z)))


# error functions

_SLOPE = 128  # additional bits of values that are summed with larger numbers
_DEGREES = 20


def _error_function(z: Form) -> Form:
    """Return erf z of either sign, |z| < 7: 2/sqrt(pi) times the sum of (-1)^n z^(2n+1) / (n! (2n+1))."""
    square, power, total, n = z * z, z, z, 0
    require(square.size() < 49 * ONE, "the error function of a large number")
    while power.size() > 4 * power.rest or n < 100:  # then terms fall by more than a half
        n += 1
        power = (power * square).scaled(Fraction(-1, n))
        total += power.scaled(Fraction(1, 2 * n + 1))
    return (total + Form([0], None, 2 * power.size())) * inverse(root(pi())).scaled(Fraction(2))


def _complement(z: Form) -> Form:
    """Return erfc z = e^(-z^2) w(z), w the scaled one; 2 - erfc(-z) below zero."""
    if z.p[0] < 0:
        return number(2) - _complement(-z)
    return _exponential(-(z * z)) * _scaled_complement(z)


def _scaled_complement(z: Form) -> Form:
    """Return e^(z^2) erfc z = w, z >= 0: by Taylor's series about the middle c, for w' = 2 z w - 2/sqrt(pi).

    w is the integral of 2/sqrt(pi) e^(-t^2 - 2 z t) over t > 0, so that every coefficient is at most its value for z =
    0, where the coefficient of z^n is 1 over the gamma function of n/2 + 1, below 1.13. w(c) is e^(c^2) less 2/sqrt(pi)
    times the sum of 2^n c^(2n+1) / (1 3 5 .. (2n+1)), computed with twice as much additional precision as e^(c^2)
    needs.
    """
    c = z.middle()
    more = 3 * int(c * c) + _SLOPE + 8 * int(c)  # the n-th coefficient's error is (2 c)^n times w(c)'s
    unit, half = ONE << more, Fraction(isqrt(pi(ONE << more + 32).p[0] << K + more + 32), 1 << K + more + 33)
    square, power, term = c * c, unit, int(c * unit)  # half: sqrt(pi)/2
    powers = total = n = 0
    while power or term:
        powers, total = powers + power, total + term
        n += 1
        power, term = int(power * square / n), int(term * 2 * square / (2 * n + 1))
    w = [powers - int(total / half)]
    w.append(int(2 * c * w[0] - unit / half))
    for i in range(2, _DEGREES):
        w.append(int((2 * c * w[i - 1] + 2 * w[i - 2]) / i))
    return _short_series(z.beside(), [Form([coefficient >> more], None, 2) for coefficient in w])


# gamma

_FAR = 40  # from here on Stirling's series is used
_STIRLING = 20  # terms


@cache
def _bernoulli(n: int) -> Fraction:
    """Return B_n: the sum of comb(n + 1, k) B_k, k = 0 .. n, is 0."""
    if n == 0:
        return Fraction(1)
    return -sum((comb(n + 1, k) * _bernoulli(k) for k in range(n)), Fraction(0)) / (n + 1)


def _stirling(x: Form) -> Form:
    """Return (x - 1/2) log x - x + log(2 pi)/2 + the sum of B_2n / (2n (2n - 1) x^(2n - 1)), log gamma x."""
    require(x.ends()[0] >= _FAR * ONE, "the series of a small argument")
    over = inverse(x)
    square, power, total = over * over, over, Form([0])
    *factors, last = (_bernoulli(2 * n) / (2 * n * (2 * n - 1)) for n in range(1, _STIRLING + 1))
    for factor in factors:
        total += power.scaled(factor)
        power *= square
    beyond = Form([0], None, int(abs(last) / _FAR ** (2 * _STIRLING - 1) * ONE) + 1)
    return (x - number(HALF)) * _logarithm(x) - x + _logarithm(pi().scaled(Fraction(2))).scaled(HALF) + total + beyond


def _moved(x: Form) -> tuple[Form, Form]:
    """Return (y, p): y is x plus an integer, ``_FAR`` or more, and gamma(y) = p gamma(x)."""
    product = _UNIT
    for _ in range(max(_FAR + 1 - x.p[0] // ONE, 0)):
        product, x = product * x, x + _UNIT
    return x, product


def _log_gamma(x: Form) -> Form:
    """Return log gamma of a positive form."""
    y, product = _moved(x)
    return _stirling(y) - _logarithm(product)


def _gamma(x: Form) -> Form:
    """Return gamma of a form without poles."""
    y, product = _moved(x)
    return _exponential(_stirling(y)) * inverse(product)


FUNCTIONS: dict[str, Callable[[Form], Form]] = {
    "exp": _exponential,
    "log": _logarithm,
    "inverse": inverse,
    "sqrt": root,
    "cbrt": odd(lambda z: _exponential(_logarithm(z).scaled(Fraction(1, 3)))),
    "sin": lambda z: sine_and_cosine(z)[0],
    "cos": lambda z: sine_and_cosine(z)[1],
    "atan": odd(_arc_tangent),
    "asin": _arc_sine,
    "acos": lambda z: pi().scaled(HALF) - _arc_sine(z),
    "erf": _error_function,
    "erfc": _complement,
    "erfcx": _scaled_complement,
    "gamma": _gamma,
    "log_gamma": _log_gamma,
    "log_gamma_1p": lambda z: _log_gamma(z + _UNIT),
    "gamma_less_pole": lambda z: _gamma(z) - inverse(z),
}
