"""Exact numbers as integers times powers of two, and their rounding to formats and to integers by integers alone."""

from __future__ import annotations

from collections.abc import Iterable
from fractions import Fraction
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clmath.numbers.formats import DOUBLE, Format, Rounding
from clmath.reference.bitwise.encodings import Bools, Codes, decoded, form_of, is_minus, magnitudes, ones

_CUT = 60  # bits that are kept of a quotient or one more: more than any format has
_ALL = 63  # larger shifts are reduced to this one: sizes below 2^62 become less than a half


class Exact(NamedTuple):
    """The numbers (-1)^minus size 2^exponent."""

    minus: Bools
    size: Codes
    exponent: NDArray[np.int64]

    def in_format(self, form: Format, mode: Rounding) -> np.ndarray:
        """The numbers rounded to a format."""
        last = np.maximum(self.exponent + bit_lengths(self.size) - form.precision, form.quantum)
        count = _in_units(self, last, mode)
        binade = np.minimum(last - form.quantum, 2 * form.emax + 2).astype(np.uint64)
        # encodings of consecutive numbers are consecutive integers, also where the exponent grows
        codes = np.where(count > 0, count + (binade << np.uint64(form.precision - 1)), 0)
        if (is_beyond := codes >= form.infinite).any():
            codes[is_beyond] = form.infinite - ~_is_away_from_zero(mode, self.minus[is_beyond])
        signs = self.minus.astype(np.uint64) << np.uint64(form.width - 1)
        return decoded(codes | signs, form.dtype)

    def in_integers(self, dtype: np.dtype, mode: Rounding) -> np.ndarray:
        """The numbers rounded to integers; the ends of the type in the place of those beyond it."""
        info = np.iinfo(dtype)
        most = np.where(self.minus, np.uint64(-int(info.min)), np.uint64(info.max))
        is_beyond = (self.size > 0) & (self.exponent + bit_lengths(self.size) > 64)
        size = np.where(is_beyond, most, np.minimum(_in_units(self, np.zeros_like(self.exponent), mode), most))
        return decoded(np.where(self.minus, ~size + np.uint64(1), size), dtype)


def bit_lengths(size: Codes) -> NDArray[np.int64]:
    """The number of bits of each integer without leading zeros: its exponent as a double.

    Without bits next to higher ones that are set it has the same highest bit, and is not rounded up to a power of two.
    """
    sparse: Codes = size & ~(size >> np.uint64(1))
    fields = sparse.astype(np.float64).view(np.int64) >> DOUBLE.precision - 1
    return np.asarray(np.maximum(fields - (DOUBLE.emax - 1), 0))


def _in_units(x: Exact, last: NDArray[np.int64], mode: Rounding) -> Codes:
    """The sizes in units of 2^last, rounded to integers; they have few enough bits."""
    left = np.clip(x.exponent - last, 0, _ALL).astype(np.uint64)
    right = np.clip(last - x.exponent, 0, _ALL)
    cut = right.astype(np.uint64)
    below, rest, unit = x.size << left >> cut, x.size & ones(right), np.uint64(1) << cut
    if mode == "rtz":
        return np.asarray(below)
    if mode == "rte":  # to the greater one above a half, and at a half if the lower one is odd
        return np.asarray(below + (rest + (below & np.uint64(1)) > unit - rest))
    return np.asarray(below + ((rest > 0) & (x.minus == (mode == "rtn"))))


def _is_away_from_zero(mode: Rounding, minus: Bools) -> Bools:
    """Where a number beyond the largest one becomes infinite."""
    if mode in ("rte", "rtz"):
        return np.full(minus.shape, mode == "rte")
    return np.asarray(minus == (mode == "rtn"))


def of_integers(x: np.ndarray) -> Exact:
    """Integers of any type."""
    minus, codes = x < 0, x.astype(np.int64 if x.dtype.kind == "i" else np.uint64).view(np.uint64)
    return Exact(minus, np.where(minus, ~codes + np.uint64(1), codes), np.zeros(x.shape, np.int64))


def of_floats(x: np.ndarray) -> Exact:
    """Floating-point numbers; infinities and NaN as if their exponents were exponents of numbers."""
    form = form_of(x.dtype)
    bits, hidden = magnitudes(x), 1 << form.precision - 1
    fields, fraction = bits >> form.precision - 1, bits & hidden - 1
    size = np.where(fields > 0, fraction + hidden, fraction)
    return Exact(is_minus(x), size.view(np.uint64), np.maximum(fields, 1) - 1 + form.quantum)


def of_quotients(n: np.ndarray, d: np.ndarray | int, minus: Bools) -> Exact:
    """Quotients of arrays of Python's integers ``n`` >= 0 and ``d`` > 0.

    An infinite quotient is cut after enough bits for every format and mode; its last bit is then set.
    """
    d = np.broadcast_to(np.asarray(d, object), n.shape)
    more = _CUT - (_python_lengths(n) - _python_lengths(d))
    n, d = n << np.maximum(more, 0), d << np.maximum(-more, 0)
    kept = (n // d) | (n % d > 0).astype(object)
    return Exact(minus, kept.astype(np.uint64), -more.astype(np.int64))


def _python_lengths(n: np.ndarray) -> np.ndarray:
    return np.asarray(np.frompyfunc(int.bit_length, 1, 1)(n), object)


def of_fractions(values: Iterable[Fraction]) -> Exact:
    """Fractions; 0 is +0."""
    values = list(values)
    n, d = (np.array([int(p) for p in parts] or [], object) for parts in (
        [v.numerator for v in values], [v.denominator for v in values]))  # fmt: skip
    return of_quotients(abs(n), d, np.array(n < 0, np.bool_))


def scaled(x: np.ndarray) -> tuple[np.ndarray, int]:
    """Finite floating-point numbers as Python's integers in units of the smallest number; the number of units in 1."""
    form = form_of(x.dtype)
    minus, size, exponent = of_floats(x)
    units = size.astype(object) << (exponent - form.quantum).astype(object)
    return np.where(minus, -units, units), 1 << -form.quantum
