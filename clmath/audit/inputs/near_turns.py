"""The numbers of a format that lie closest to multiples of pi/2, binade by binade: where reductions lose the most."""

from __future__ import annotations

import functools
import itertools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format

__all__ = ["near_turns", "pi_bits"]

_COUNT, _TRIED = 2, 16  # in each binade: how many are kept, and of how many about
_PLACES = 3  # of fractions, for each bit of a significand
_SPARE = 64  # bits of pi beyond those that tell a distance


class _Vector(NamedTuple):
    """A significand m, weighted, and how far its number lies from a multiple of pi/2, as an integer."""

    m: int
    apart: int

    def minus(self, other: _Vector, times: int) -> _Vector:
        """The vector minus a multiple of another."""
        return _Vector(self.m - times * other.m, self.apart - times * other.apart)

    def dot(self, other: _Vector) -> int:
        """The scalar product."""
        return self.m * other.m + self.apart * other.apart


@functools.cache
def near_turns(form: Format) -> NDArray[np.float64]:
    """The numbers of each binade from 2 on that are closest to a multiple of pi/2, at most two of each."""
    found = [np.ldexp(float(m), e - form.precision + 1) for e in range(1, form.emax + 1) for m in _closest(form, e)]
    return np.array(found)


def _closest(form: Format, exponent: int) -> list[int]:
    """The significands, integers of as many bits as the format has, of the closest numbers of a binade.

    m 2^e lies as far from a multiple of pi/2 as m times a fraction from an integer: all m with their distances are a
    lattice, and those in a square that holds a few are small multiples of a reduced basis.
    """
    bits, places = form.precision, _PLACES * form.precision
    side = _TRIED << places - bits
    weight = max(side >> bits, 1)
    basis = _reduced(_Vector(weight, _fraction(exponent + 1 - bits, form)), _Vector(0, 1 << places))
    inside = [v for v in _multiples(*basis, side) if 1 << bits - 1 <= abs(v.m) // weight < 1 << bits]
    nearest = sorted({(abs(v.apart), abs(v.m) // weight) for v in inside})
    return [m for _, m in nearest[:_COUNT]]


def _fraction(exponent: int, form: Format) -> int:
    """The fraction of 2^exponent 2/pi, with as many places as tell distances, cut to an integer."""
    places, bits = _PLACES * form.precision, _PLACES * form.precision + form.emax + _SPARE
    return (_two_over_pi(bits) >> bits - places - exponent) & (1 << places) - 1


@functools.cache
def _two_over_pi(bits: int) -> int:
    """The number 2/pi, times 2^bits."""
    return (1 << 2 * bits + 1) // pi_bits(bits)


def _reduced(a: _Vector, b: _Vector) -> tuple[_Vector, _Vector]:
    """The shortest two vectors of the lattice of ``a`` and ``b`` (Lagrange and Gauss)."""
    while True:
        if a.dot(a) > b.dot(b):
            a, b = b, a
        size = a.dot(a)
        times = (2 * a.dot(b) + size) // (2 * size)
        if not times:
            return a, b
        b = b.minus(a, times)


def _multiples(a: _Vector, b: _Vector, side: int) -> Iterator[_Vector]:
    """The sums of multiples of ``a`` and ``b`` neither of whose parts is larger than ``side``; of v and -v one."""
    area = abs(a.m * b.apart - a.apart * b.m)
    most_a, most_b = (side * (abs(v.m) + abs(v.apart)) // area for v in (b, a))
    for i in range(most_a + 1):
        m, apart = i * a.m - most_b * b.m, i * a.apart - most_b * b.apart
        for _ in range(2 * most_b + 1):
            if -side <= m <= side and -side <= apart <= side:
                yield _Vector(m, apart)
            m, apart = m + b.m, apart + b.apart


@functools.cache
def pi_bits(bits: int) -> int:
    """floor(pi 2^bits), by Machin's formula in integers."""
    unit = 1 << bits + 32

    def arctangent_of_inverse(n: int) -> int:
        term, total, sign = unit // n, 0, 1
        for k in itertools.count(1, 2):
            if not term:
                break
            total += sign * (term // k)
            term, sign = term // (n * n), -sign
        return total

    return (16 * arctangent_of_inverse(5) - 4 * arctangent_of_inverse(239)) >> 32
