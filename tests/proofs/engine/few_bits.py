"""A binary floating-point format of few bits, on which the package's SIMD functions run with every operation rounded.

Numbers are held in arrays of doubles. The result of an operation is exact in double, which is asserted, and then
rounded to nearest even. Quotients and square roots may be inexact in double, but cannot lie so close to a midpoint of
two short numbers that the second rounding matters. Exponents have no ends, or none upward: ``least`` is the last place
of subnormal numbers.
"""

from __future__ import annotations

from dataclasses import dataclass
from types import FunctionType

import numpy as np

from clmath.ir import primitives
from clmath.kernels.accurate import pairs


@dataclass(frozen=True)
class Few:
    """A format of ``precision`` bits, and the SIMD functions in this format."""

    precision: int
    least: int = -100

    def rounded(self, exact):
        """Doubles rounded to nearest even."""
        place = np.maximum(np.frexp(exact)[1] - self.precision, self.least)
        return np.ldexp(np.rint(np.ldexp(exact, -place)), place)

    def elements(self, values):
        """Lanes of these numbers, which are numbers of the format."""
        values = np.asarray(values, np.float64)
        assert np.array_equal(self.rounded(values), values)
        return Lanes(self, values)

    def functions(self):
        """The functions on pairs of doubles, with this format's elements, split and magic constant."""
        operations = {
            "SPLITTER": 2.0 ** ((self.precision + 1) // 2) + 1.0,
            "MAGIC": 1.5 * 2.0 ** (self.precision - 1),
            "MAGIC_BITS": 1.5 * 2.0 ** (self.precision - 1),
            "bits": lambda x: x.values,  # where the last place is 1, encodings count by ones
            "sqrt": lambda x: Lanes(self, self.rounded(np.sqrt(x.values))),
        }
        whole_vectors = _copied(primitives, vars(primitives) | operations)
        return _copied(pairs, whole_vectors | vars(pairs) | {name: whole_vectors[name] for name in primitives.__all__})

    def significands(self):
        """Every number from 1 to 2."""
        half = 1 << self.precision - 1
        return np.arange(half, 2 * half) / half

    def numbers(self, exponents, *, zero=True):
        """Every number of these exponents, of both signs, and zero."""
        found = np.concatenate([np.ldexp(self.significands(), e) for e in exponents])
        return np.concatenate([found, -found, [0.0] * zero])

    def fma(self, a, b, c):
        """The fused multiply-add of arrays of this format."""
        product = a.values * b.values
        return Lanes(self, self.rounded(exact_sum(product, c.values)))


def _copied(module, space):
    """A namespace with copies of the functions of ``module``, which look up their globals in it."""
    space = dict(space)
    for name, value in vars(module).items():
        if isinstance(value, FunctionType) and value.__module__ == module.__name__ and not _is_new(space, name, value):
            space[name] = FunctionType(value.__code__, space, name, value.__defaults__)
    return space


def _is_new(space, name, value):
    return space.get(name) is not value


def exact_sum(a, b):
    """The sum of doubles that is a double."""
    total = a + b
    part = total - a
    assert not ((a - (total - part)) + (b - part)).any()
    return total


class Lanes:
    """An array of numbers of a format of few bits; the package's SIMD functions take it in place of doubles."""

    __array_ufunc__ = None

    def __init__(self, form, values):
        self.form, self.values = form, values

    def _of(self, exact):
        return Lanes(self.form, self.form.rounded(exact))

    def _other(self, other):
        return other.values if isinstance(other, Lanes) else self.form.elements(other).values

    def __add__(self, other):
        return self._of(exact_sum(self.values, self._other(other)))

    def __radd__(self, other):
        return self + other

    def __neg__(self):
        return Lanes(self.form, -self.values)

    def __sub__(self, other):
        return self._of(exact_sum(self.values, -self._other(other)))

    def __rsub__(self, other):
        return -self + other

    def __mul__(self, other):
        return self._of(self.values * self._other(other))  # of twice as few bits: exact

    def __rmul__(self, other):
        return self * other

    def __truediv__(self, other):
        return self._of(self.values / self._other(other))

    def __rtruediv__(self, other):
        return self._of(self._other(other) / self.values)
