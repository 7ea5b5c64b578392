"""Numbers, products and sums of two of them, each rounded once: by integers of 128 bits, or as IEEE 754 rounds."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.numbers.formats import Format, Rounding
from clmath.reference.bitwise.blocks import in_blocks
from clmath.reference.bitwise.encodings import Bools, Codes, ones
from clmath.reference.bitwise.rounding import Exact
from clmath.reference.bitwise.wide import product_of_words

Factors: TypeAlias = "Sequence[np.ndarray]"
"""The factors of a product, or a number alone."""

_WORD = 64
_SIZE = 62  # bits of a factor that is shifted as far up as possible: products have two to spare
_NOTHING = -(1 << 20)  # the exponent of zero


def evaluated(terms: Sequence[Factors], form: Format, mode: Rounding) -> np.ndarray:
    """The sum of one or two terms, products of two numbers of a format or numbers, rounded once in ``mode``."""
    if mode == "rte" and len(numbers := [*itertools.chain(*terms)]) == 2:
        return _of_two(np.multiply if len(terms) == 1 else np.add, numbers, form)
    counts = [len(factors) for factors in terms]

    def block(*args: np.ndarray) -> np.ndarray:
        given = iter(args)
        return _evaluated([[next(given) for _ in range(count)] for count in counts], form, mode)

    return in_blocks(block, *(factor for factors in terms for factor in factors))


def _of_two(operation: np.ufunc, numbers: Factors, form: Format) -> np.ndarray:
    """One operation of IEEE 754 by NumPy: in float and in double; half by way of float.

    Products of halves are exact in float. A sum of halves that is rounded to 24 bits first is rounded as if it was not,
    since 24 is 2 * 11 + 2 or more: S. A. Figueroa, When is double rounding innocuous?, 1995.
    """
    with np.errstate(all="ignore"):
        found = np.asarray(operation(*numbers))
    return np.where(np.isnan(found), form.nan, found)


def _evaluated(terms: Sequence[Factors], form: Format, mode: Rounding) -> np.ndarray:
    first, *second = map(_term, terms)
    found = (_sum(first, *second, downward=mode == "rtn") if second else first).cut().in_format(form, mode)
    special = ~np.logical_and.reduce([np.isfinite(factor) for factors in terms for factor in factors])
    if special.any():
        found[special] = _among_special([[factor[special] for factor in factors] for factors in terms], form)
    return found


def _among_special(terms: Sequence[Factors], form: Format) -> np.ndarray:
    """The infinities and NaN that sums of products with infinities and NaN are."""
    with np.errstate(invalid="ignore"):
        found = sum(np.prod([_sign_only(factor) for factor in factors], axis=0) for factors in terms)
    return np.where(np.isnan(found), form.nan, np.asarray(found).astype(form.dtype))


def _sign_only(x: np.ndarray) -> NDArray[np.float64]:
    """1 with the sign of each finite number except 0: in sums with infinities only signs count."""
    wide = x.astype(np.float64)
    return np.where(np.isfinite(wide) & (wide != 0), np.copysign(1.0, wide), wide)


class _Words(NamedTuple):
    """The numbers (-1)^minus (high 2^64 + low) 2^exponent."""

    minus: Bools
    high: Codes
    low: Codes
    exponent: NDArray[np.int64]

    def shifted(self, count: NDArray[np.int64]) -> _Words:
        """The sizes over 2^count; the last bit is set where bits that are set are dropped."""
        far = count >= _WORD
        high, low = np.where(far, 0, self.high), np.where(far, self.high, self.low)
        near = np.minimum(np.where(far, count - _WORD, count), _WORD - 1)
        right, left = near.astype(np.uint64), (_WORD - near).astype(np.uint64)
        dropped = ((low & ones(near)) != 0) | (far & (self.low != 0))
        carried = np.where(near > 0, high << np.minimum(left, _WORD - 1), 0)
        return _Words(self.minus, high >> right, (low >> right) | carried | dropped, self.exponent + count)

    def cut(self) -> Exact:
        """The numbers with as many bits as one word holds, the last one set where others were."""
        about = self.high.astype(np.float64) * 2.0**_WORD + self.low.astype(np.float64)
        lengths = np.frexp(about)[1].astype(np.int64)  # or one more, of numbers next to a power of two
        found = self.shifted(np.maximum(lengths - _SIZE, 0))
        return Exact(found.minus, found.low, found.exponent)


def _term(factors: Factors) -> _Words:
    """A product, or a number, without rounding."""
    minus, size, exponent = _shifted_up(factors[0])
    if len(factors) == 1:
        return _Words(minus, size, np.zeros_like(size), exponent - _WORD)
    minus_too, size_too, exponent_too = _shifted_up(factors[1])
    return _Words(minus != minus_too, *product_of_words(size, size_too), exponent + exponent_too)


def _shifted_up(x: np.ndarray) -> Exact:
    """Numbers with sizes of the same number of bits, except zeros."""
    fraction, exponent = np.frexp(np.where(np.isfinite(x), x, 0).astype(np.float64))
    size = np.abs(fraction * 2.0**_SIZE).astype(np.uint64)
    return Exact(np.signbit(fraction), size, np.where(size > 0, exponent - np.int64(_SIZE), _NOTHING))


def _sum(x: _Words, y: _Words, *, downward: bool) -> _Words:
    """The sum of two terms.

    Their sizes differ by at most four bits, so that a term that loses bits is far smaller than the other one: then the
    sum is at least half as large as the other term, and has all its digits. 0 is -0 of two -0, and ``downward`` of
    numbers of different signs, or +0: IEEE 754, 6.3.
    """
    x, y = x.shifted(np.maximum(y.exponent - x.exponent, 0)), y.shifted(np.maximum(x.exponent - y.exponent, 0))
    is_greater = (x.high > y.high) | ((x.high == y.high) & (x.low >= y.low))
    alike = x.minus == y.minus
    a_high, a_low = np.where(is_greater, x.high, y.high), np.where(is_greater, x.low, y.low)
    b_high, b_low = np.where(is_greater, y.high, x.high), np.where(is_greater, y.low, x.low)
    total, difference = a_low + b_low, a_low - b_low
    high = np.where(alike, a_high + b_high + (total < a_low), a_high - b_high - (a_low < b_low))
    low = np.where(alike, total, difference)
    minus = np.where(is_greater, x.minus, y.minus)
    is_zero = (high == 0) & (low == 0)
    return _Words(np.where(is_zero & ~alike, downward, minus), high, low, x.exponent)
