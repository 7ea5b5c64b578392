"""Arguments whose exact results lie next to a number or to a midpoint of two numbers, so that double rounding fails.

A computation that rounds to a wider format first, and then to its own, loses the small difference of the exact result
from the midpoint (rte) or from the number (rtz, rtp, rtn). Random arguments rarely have such results.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format

__all__ = ["halfway"]

Columns: TypeAlias = "tuple[np.ndarray, ...]"
U64: TypeAlias = "NDArray[np.uint64]"
Generator: TypeAlias = np.random.Generator

DRAWN = 256  # calls of each kind, from a generator with a fixed seed, so that all audits have the same calls


def halfway(word: str, form: Format) -> Columns:
    """Return the calls that the table's ``word`` names."""
    with np.errstate(all="ignore"):
        return _KINDS[word](np.random.default_rng(form.width), form)


def _number(form: Format, significand: Any, exponent: Any) -> np.ndarray:
    """Return significand x 2^exponent, which the format holds exactly."""
    return np.asarray(np.ldexp(np.asarray(significand, np.float64), exponent), form.dtype)


def _signed(rng: Generator, values: np.ndarray) -> np.ndarray:
    return np.asarray(values * rng.choice(np.array([-1, 1], values.dtype), values.shape))


def _odd(rng: Generator, bits: object, n: int) -> U64:
    """Return random odd integers of exactly ``bits`` bits."""
    least = np.uint64(1) << (np.broadcast_to(np.asarray(bits), (n,)) - 1).astype(np.uint64)
    return rng.integers(least, 2 * least, n, np.uint64) | np.uint64(1)


def _significand(rng: Generator, form: Format, n: int) -> U64:
    """Return integers with as many bits as the format's precision."""
    least = 1 << (form.precision - 1)
    return rng.integers(least, 2 * least, n, np.uint64)


def _split(rng: Generator, form: Format, total: NDArray[np.int64]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """Return two exponents of numbers with integer significands, in the format's range, whose sum is ``total``."""
    least, most = form.quantum, form.emax - form.precision + 1
    first = rng.integers(np.maximum(least, total - most), np.minimum(most, total - least) + 1)
    return first, total - first


def _sum(rng: Generator, form: Format) -> Columns:
    """Return x and y, where y is close to half the distance from x to the next number, or to 0."""
    p = form.precision
    e = rng.integers(form.quantum + p + 2, form.emax - p, DRAWN)
    x = _number(form, _significand(rng, form, DRAWN), e)
    part = np.ldexp(1.0, -np.resize(np.arange(1, p), DRAWN))
    half = 1.0 + part * rng.choice([-1.0, 1.0], DRAWN)
    y = np.where(rng.random(DRAWN) < 0.75, np.ldexp(half, e - 1), np.ldexp(part, e - 2)).astype(form.dtype)
    swapped = rng.random(DRAWN) < 0.5
    x, y = _signed(rng, x), _signed(rng, y)
    return np.where(swapped, y, x), np.where(swapped, x, y)


def _inverse(odd: U64) -> U64:
    """Return 1/odd modulo 2^64 by Newton's iteration: 3 bits are right at first, and each step doubles their number."""
    inverse = odd
    for _ in range(5):
        inverse = inverse * (np.uint64(2) - odd * inverse)
    return inverse


def _little(rng: Generator, n: int) -> U64:
    """Return small odd integers of either sign, modulo 2^64."""
    size = rng.integers(0, 8, n, np.uint64) * np.uint64(2) + np.uint64(1)
    return np.where(rng.random(n) < 0.5, size, np.uint64(0) - size)


def _factors(rng: Generator, form: Format, low: NDArray[np.int64]) -> tuple[U64, U64]:
    """Return odd A and B whose product is close to half of 2^low, or to 0, modulo 2^low.

    B has the top bit of the format if ``low`` is less than the precision.
    """
    n = len(low)
    a = _odd(rng, form.precision, n)
    places = low.astype(np.uint64)
    ending = (np.uint64(1) << (places - np.uint64(1))) * rng.choice(np.array([0, 1, 1], np.uint64), n)
    b = ((ending + _little(rng, n)) * _inverse(a)) & ((np.uint64(1) << places) - np.uint64(1))
    free = rng.integers(0, 1 << form.precision, n, np.uint64) >> places << places
    top = np.uint64(1 << (form.precision - 1))
    return a, np.where(low < form.precision, b | free | top, b)


def _product(rng: Generator, form: Format) -> Columns:
    """Return factors of products of 2p - 1 or 2p bits, and of products that end below the smallest number."""
    p = form.precision
    normal = _factors(rng, form, np.full(DRAWN, p - 1))
    longest = _factors(rng, form, np.full(DRAWN, p))
    low = rng.integers(p // 2 + 2, p, DRAWN)
    tiny = _factors(rng, form, low)
    columns = []
    for a, b in (normal, longest):
        first, second = _split(rng, form, rng.integers(form.emin - 2 * p + 2, form.emax - 2 * p + 1, DRAWN))
        columns.append((_number(form, a, first), _number(form, b, second)))
    first, second = _split(rng, form, form.quantum - low)
    columns.append((_number(form, tiny[0], first), _number(form, tiny[1] % (1 << low), second)))
    x, y = (np.concatenate(column) for column in zip(*columns, strict=True))
    return _signed(rng, x), _signed(rng, y)


def _fused(rng: Generator, form: Format) -> Columns:
    """Return sums a b + c of three kinds.

    The product is a midpoint, or a number, and c is far smaller; c is 0; or the product is slightly less than half of
    the last place of c.
    """
    p = form.precision
    bits = rng.integers(2, p, DRAWN)
    a, b = _odd(rng, bits, DRAWN), _odd(rng, p + 1 - bits - (rng.random(DRAWN) < 0.25), DRAWN)
    # exponents for which c is at least the smallest number, and the product at most the largest
    e = rng.integers(form.quantum + 3, form.emax - p - 1, DRAWN)
    first, second = _split(rng, form, e)
    apart = np.resize(np.arange(2, 3 * p), DRAWN)
    c = _number(form, 1.0 + rng.integers(0, 2, DRAWN) * form.eps, np.maximum(e - apart, form.quantum))
    small = _number(form, a, first), _number(form, b, second), c
    x, y = _product(rng, form)
    columns = zip(small, (x, y, np.zeros_like(x)), _nearly_half(rng, form), strict=True)
    found = tuple(np.concatenate(column) for column in columns)
    return tuple(_signed(rng, column) for column in found)


def _nearly_half(rng: Generator, form: Format) -> Columns:
    """Return factors 1 + d and 1 - d, d = 2^-k, scaled, and c: their product is just below half of c's last place.

    Half of the c are subnormal.
    """
    p = form.precision
    k = np.resize(np.arange(1, p), DRAWN)
    top, part = np.uint64(1 << (p - 1)), np.uint64(1) << (p - 1 - k).astype(np.uint64)
    e = rng.integers(form.quantum, form.emax - p + 1, DRAWN)
    shorter = rng.integers(1, p, DRAWN).astype(np.uint64)
    is_small = rng.random(DRAWN) < 0.5
    e, shorter = np.where(is_small, form.quantum, e), np.where(is_small, shorter, np.uint64(0))
    first, second = _split(rng, form, e - 1 - 2 * (p - 1))
    c = _number(form, _significand(rng, form, DRAWN) >> shorter, e)
    return _number(form, top + part, first), _number(form, top - part, second), c


def _quotient(rng: Generator, form: Format) -> Columns:
    """Return quotients x / y next to m / 2^k: x 2^k = m y - r, r is small, and m has p or p + 1 bits."""
    p = form.precision
    y = _odd(rng, p, 2 * DRAWN)
    places = np.resize(np.array([p + 1, p + 1, p]), 2 * DRAWN)
    r = _little(rng, 2 * DRAWN)
    m = (r * _inverse(y)) & ((np.uint64(1) << places.astype(np.uint64)) - np.uint64(1))
    found = []
    for one, divisor, rest, k in zip(m.tolist(), y.tolist(), r.view(np.int64).tolist(), places.tolist(), strict=True):
        x = (one * divisor - rest) >> k
        if one.bit_length() == k and x.bit_length() <= p:
            found.append((x, divisor))
    dividend, divisors = np.array(found, np.uint64).T
    apart = rng.integers(form.emin + 2, form.emax - 1, len(found))
    least, most = form.quantum, form.emax - p + 1
    e = rng.integers(np.maximum(least, least - apart), np.minimum(most, most - apart) + 1)
    tied, by = _subnormal_ties(rng, p)
    every = np.linspace(1, most, DRAWN).astype(
        np.int64
    )  # exponents of divisors; dividends are scaled by the same exponents, in halves of the smallest number
    x = _number(form, np.concatenate([dividend, tied]), np.concatenate([e + apart, every + (form.quantum - 1)]))
    return _signed(rng, x), _signed(rng, _number(form, np.concatenate([divisors, by]), np.concatenate([e, every])))


def _subnormal_ties(rng: Generator, precision: int) -> tuple[U64, U64]:
    """Return products m y of odd integers, or neighbours of these, and y.

    The quotients, in units of half the smallest number, are ties m, or next to ties.
    """
    bits = rng.integers(1, precision - 2, DRAWN)
    m, y = _odd(rng, bits, DRAWN), _odd(rng, precision - bits, DRAWN)
    little = rng.choice(np.array([0, 0, 1, 2**64 - 1], np.uint64), DRAWN)
    x = m * y + little
    return np.where(x >> np.uint64(precision) == 0, x, m * y), y


def _root(rng: Generator, form: Format) -> Columns:
    """Return x with x 2^k = m^2 - r and small r; m has one bit more than the format: the root is next to a midpoint."""
    p = form.precision
    found = []
    for r in range(-255, 257, 8):
        for k in (p + 1, p + 2):
            root = _root_modulo(r, k)
            for m in {(s * root + t) % (1 << k) for s in (1, -1) for t in (0, 1 << (k - 1))}:
                x = (m * m - r) >> k
                if m >> p == 1 and 0 < x < 1 << p:
                    found.append((x, k % 2))
    significand, odd = np.array(found, np.int64).T
    e = 2 * rng.integers(form.quantum // 2 + 1, (form.emax - p) // 2, len(found)) + odd
    return (_number(form, significand, e),)


def _root_modulo(r: int, places: int) -> int:
    """Return a square root of r modulo 2^places, bit by bit; r is 1 modulo 8."""
    root = 1
    for place in range(3, places):
        if (root * root - r) >> place & 1:
            root += 1 << (place - 1)
    return root


def _hypotenuse(rng: Generator, form: Format) -> Columns:
    """Return pairs x, y whose hypotenuse is next to the midpoint x + 1/2, or to x + 1, in units of the last place.

    Then y^2 is next to x + 1/4, or to 2 x + 1: y = Y / 2^k, and the last 2k bits of Y^2 are nearly 2^(2k) / 4, or 0.
    """
    p, found = form.precision, []
    for r, is_number in itertools.product(range(1 - 8 * DRAWN, 8 * DRAWN, 8), (False, True)):
        k = (p - is_number) // 2
        ending = r + (0 if is_number else 1 << (2 * k - 2))
        root = _root_modulo(ending, 2 * k)
        for s, t, top in itertools.product((1, -1), (0, 1 << (2 * k - 1)), range(1 << p - 2 * k)):
            y = (s * root + t) % (1 << 2 * k) + (top << 2 * k)
            whole = (y * y - ending) >> 2 * k
            x = whole >> is_number
            if x >> (p - 1) == 1 and not (is_number and whole % 2 == 0):
                found.append((x, y, k))
    x, y, places = np.array(found, np.int64).T
    e = rng.integers(form.quantum + p // 2, form.emax - p - 1, len(found))
    pair = _signed(rng, _number(form, x, e)), _signed(rng, _number(form, y, e - places))
    swapped = rng.random(len(found)) < 0.5
    return np.where(swapped, pair[1], pair[0]), np.where(swapped, pair[0], pair[1])


def _scale(rng: Generator, form: Format) -> Columns:
    """Return calls x 2^n with subnormal results; the bits that are lost are half of the last place, or nearly half."""
    p = form.precision
    kept = np.repeat(np.arange(p), 12)
    n = len(kept)
    lost = (p - kept).astype(np.uint64)
    half = np.uint64(1) << (lost - np.uint64(1))
    little = rng.choice(np.array([0, 1, 1], np.uint64), n)
    below = rng.random(n) < 0.5
    ending = np.where(below, half - little, half + np.where(lost > 1, little, np.uint64(0)))
    significand = (_significand(rng, form, n) >> lost << lost) + ending
    low, wide = form.quantum + rng.integers(0, 4, n), rng.integers(form.quantum, form.emax - p, n)
    e = np.where(rng.random(n) < 0.5, low, wide)
    return _signed(rng, _number(form, significand, e)), (form.quantum - lost.astype(np.int64) - e).astype(np.int32)


_KINDS: Mapping[str, Callable[[Generator, Format], Columns]] = {
    "sum": _sum,
    "product": _product,
    "fused": _fused,
    "quotient": _quotient,
    "root": _root,
    "hypotenuse": _hypotenuse,
    "scale": _scale,
}
