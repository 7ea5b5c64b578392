"""Small formats by enumeration: all numbers of a format on the real line, and the rounding of every real by definition.

Only the description of a format comes from the package: numbers are fractions, and the nearest one is sought among all.
"""

from __future__ import annotations

from bisect import bisect_left
from fractions import Fraction
from functools import cache, cached_property
from itertools import pairwise

import numpy as np

from clmath.numbers.formats import Format


class Small(Format):
    """A format of few bits whose numbers are held as encodings, one in a byte."""

    @property
    def bits_dtype(self):
        """The dtype of encodings: bytes."""
        return np.dtype(np.uint8)

    def bits(self, values):
        """Return arrays unchanged, as they hold encodings; look up the encoding of a plain number."""
        if isinstance(values, float):
            return np.uint8(line_of(self).encoding(values))
        return np.asarray(values, np.uint8)


def small(exponent_bits, fraction_bits, infinities=True):
    """The IEEE 754 format with the given numbers of bits; without infinities, only encodings of all ones are NaN."""
    bias = (1 << exponent_bits - 1) - 1
    top = (1 << exponent_bits) - (2 if infinities else 1)
    ones = (1 << exponent_bits + fraction_bits) - 1
    return Small(
        f"e{exponent_bits}m{fraction_bits}{'' if infinities else 'fn'}",
        "uint8",
        precision=fraction_bits + 1,
        emin=1 - bias,
        emax=top - bias,
        quiet_nan=ones - (1 << fraction_bits - 1) + 1 if infinities else ones,
        infinities=infinities,
    )


class Line:
    """All marks of a format on the real line (numbers and midpoints), and the gaps between them.

    A place is 2 i + 1 at mark number i, 2 i in the gap before it.
    """

    def __init__(self, form):
        self.form = form
        unit = [Fraction(2) ** (e - form.precision + 1) for e in range(form.emin, form.emax + 1)]
        every = {k * u for u in unit for k in range(1 << form.precision)}
        if not form.infinities:
            every.remove(max(every))
        self.numbers = sorted(every)  # the encoding of a number that is not negative is its place here
        last = self.numbers[-1] - self.numbers[-2]
        self.candidates = [*self.numbers, self.numbers[-1] + last]  # the last one represents everything beyond
        middles = [(a + b) / 2 for a, b in pairwise(self.candidates)]
        half = sorted(self.candidates + middles)
        self.marks = [-mark for mark in half[:0:-1]] + half
        self.zero = 2 * len(half) - 1  # the place of zero

    @cached_property
    def values(self):
        """Numbers by their encodings, beyond the largest infinity or NaN."""
        half = np.full(1 << self.form.width - 1, np.nan)
        half[: len(self.numbers)] = [float(number) for number in self.numbers]
        if self.form.infinities:
            half[len(self.numbers)] = np.inf
        return np.concatenate([half, -half])

    def encoding(self, value):
        """That of one number, of infinity or of the NaN of computations."""
        if value != value:
            return self.form.quiet_nan
        return int(np.flatnonzero(self.values == value)[0])

    def place(self, value):
        """The place of a fraction."""
        i = bisect_left(self.marks, value)
        return 2 * i + (i < len(self.marks) and self.marks[i] == value)

    def representatives(self):
        """A real at every place, in their order."""
        outside = [self.marks[0] - 1, *self.marks, self.marks[-1] + 1]
        for before, mark in pairwise(outside):
            yield (before + mark) / 2
            yield mark

    @cache  # noqa: B019 - there are few lines, which stay
    def results(self, mode):
        """Encodings that reals round to, by place; zero itself to +0."""
        per_unit = 8 / self.numbers[1]  # then all marks, and the midpoints between two marks, are integers
        candidates = [int(number * per_unit) for number in self.candidates]
        return np.array([self._rounded(int(real * per_unit), candidates, mode) for real in self.representatives()][:-1])

    def _rounded(self, real, candidates, mode):
        """The encoding of a real rounded by definition: the nearest candidate, or the next one in a direction."""
        negative, size = real < 0, abs(real)
        if mode == "rte":
            code = min(range(len(candidates)), key=lambda i: (abs(candidates[i] - size), i & 1))
        elif mode == ("rtn" if negative else "rtp"):
            code = next((i for i, number in enumerate(candidates) if number >= size), len(self.numbers))
        else:
            code = max(i for i, number in enumerate(candidates[:-1]) if number <= size)
        if code == len(self.numbers) and not self.form.infinities:
            code = self.form.magnitude
        return code | negative << self.form.width - 1


@cache
def line_of(form):
    """The line of a format."""
    return Line(form)
