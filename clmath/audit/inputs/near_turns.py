"""Numbers of each binade that lie closest to multiples of pi/2, where argument reductions lose the most digits."""

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

_COUNT, _TRIED = 2, 16  # numbers per binade that are kept, and about the number of candidates
_PLACES = 3  # bits of a fraction for each bit of a significand
_SPARE = 64  # further bits of pi, so that fractions are exact


class _Vector(NamedTuple):
    """A point of the lattice: a significand m, weighted, and the distance of its number from a multiple of pi/2."""

    m: int
    apart: int

    def minus(self, other: _Vector, times: int) -> _Vector:
        """Return the vector minus a multiple of another."""
        return _Vector(self.m - times * other.m, self.apart - times * other.apart)

    def dot(self, other: _Vector) -> int:
        """Return the scalar product."""
        return self.m * other.m + self.apart * other.apart


@functools.cache
def near_turns(form: Format) -> NDArray[np.float64]:
    """Return the numbers of each binade from 2 on that are closest to a multiple of pi/2, at most two per binade."""
    found = [np.ldexp(float(m), e - form.precision + 1) for e in range(1, form.emax + 1) for m in _closest(form, e)]
    return np.array(found)


def _closest(form: Format, exponent: int) -> list[int]:
    """Return the significands, as integers, of the numbers of a binade that are closest to a multiple of pi/2.

    The distance of m 2^e from a multiple of pi/2 is proportional to the distance of m f from an integer, where f is the
    fraction of 2^e 2/pi. All m with these distances form a lattice. Its few points in a small square are found as small
    multiples of a reduced basis.
    """
    bits, places = form.precision, _PLACES * form.precision
    side = _TRIED << places - bits
    weight = max(side >> bits, 1)
    basis = _reduced(_Vector(weight, _fraction(exponent + 1 - bits, form)), _Vector(0, 1 << places))
    inside = [v for v in _multiples(*basis, side) if 1 << bits - 1 <= abs(v.m) // weight < 1 << bits]
    nearest = sorted({(abs(v.apart), abs(v.m) // weight) for v in inside})
    return [m for _, m in nearest[:_COUNT]]


def _fraction(exponent: int, form: Format) -> int:
    """Return the fractional part of 2^exponent 2/pi, scaled to an integer of as many bits as distances need."""
    places, bits = _PLACES * form.precision, _PLACES * form.precision + form.emax + _SPARE
    return (_two_over_pi(bits) >> bits - places - exponent) & (1 << places) - 1


@functools.cache
def _two_over_pi(bits: int) -> int:
    """Return 2/pi times 2^bits, rounded down."""
    return (1 << 2 * bits + 1) // pi_bits(bits)


def _reduced(a: _Vector, b: _Vector) -> tuple[_Vector, _Vector]:
    """Return the shortest two vectors of the lattice of ``a`` and ``b`` (Lagrange and Gauss)."""
    while True:
        if a.dot(a) > b.dot(b):
            a, b = b, a
        size = a.dot(a)
        times = (2 * a.dot(b) + size) // (2 * size)
        if not times:
            return a, b
        b = b.minus(a, times)


def _multiples(a: _Vector, b: _Vector, side: int) -> Iterator[_Vector]:
    """Yield sums of multiples of ``a`` and ``b`` with both parts at most ``side`` in size; one of v and -v."""
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
    """Return floor(pi 2^bits), by Machin's formula in integers."""
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
