"""Arguments whose exact results lie next to a number or to a midpoint of two numbers, so that double rounding fails.

A computation that rounds to a wider format first, and then to its own, loses the small difference of the exact result
from the midpoint (rte) or from the number (rtz, rtp, rtn). Random arguments rarely have such results. Calls are made of
integers: (n, e) is the number n 2^e; p is the precision of the format, which holds it if n has at most p bits.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from random import Random
from typing import TypeAlias

import numpy as np

from clmath.audit.inputs.layout import Columns
from clmath.numbers.formats import Format

Number: TypeAlias = "tuple[int, int]"
Calls: TypeAlias = "Iterator[Sequence[Number]]"

EACH = 256  # calls of each kind, from a generator with a fixed seed, so that all audits have the same calls


def halfway(word: str, form: Format) -> Columns:
    """Return the calls that the table's ``word`` names, with random signs except for roots."""
    rng = Random(form.width)
    columns = [np.array(column, np.int64).T for column in zip(*_KINDS[word](rng, form), strict=True)]
    signs = np.array(rng.choices((1.0, 1.0 if word == "root" else -1.0), k=columns[0].size)).reshape(2, -1)
    if word == "scale":
        (n, e), (power, _) = columns
        return np.ldexp(signs[0] * n, e).astype(form.dtype), power.astype(np.int32)
    return tuple(np.ldexp(signs[k % 2] * n, e).astype(form.dtype) for k, (n, e) in enumerate(columns))


def _odd(rng: Random, bits: int) -> int:
    """Return a random odd integer of exactly ``bits`` bits."""
    return rng.getrandbits(bits) | 1 << bits - 1 | 1


def _little(rng: Random) -> int:
    """Return a small odd integer of either sign."""
    return rng.choice((1, -1)) * rng.randrange(1, 16, 2)


def _significand(rng: Random, form: Format) -> int:
    """Return an integer with as many bits as the format's precision."""
    return rng.getrandbits(form.precision - 1) | 1 << form.precision - 1


def _scaled(rng: Random, form: Format, a: int, b: int, total: int) -> tuple[Number, Number]:
    """Return two numbers with the integers ``a`` and ``b``, in the format's range, whose exponents add to ``total``."""
    least, most = form.quantum, form.emax - form.precision + 1
    first = rng.randint(max(least, total - most), min(most, total - least))
    return (a, first), (b, total - first)


def _sum(rng: Random, form: Format) -> Calls:
    """Yield x and y, where y is close to half the distance from x to the next number, or to 0."""
    p = form.precision
    for call in range(EACH):
        e, j = rng.randrange(form.quantum + p + 2, form.emax - p), 1 + call % (p - 1)
        y = ((1 << j) + rng.choice((1, -1)), e - 1 - j) if call % 4 else (1, e - 2 - j)
        yield rng.sample(((_significand(rng, form), e), y), 2)


def _factors(rng: Random, form: Format, low: int) -> tuple[int, int]:
    """Return odd factors whose product is close to half of 2^low, or to 0, modulo 2^low."""
    a, ending = _odd(rng, form.precision), (1 << low - 1) * rng.choice((0, 1, 1))
    return a, (ending + _little(rng)) * pow(a, -1, 1 << low) % (1 << low)


def _product(rng: Random, form: Format) -> Calls:
    """Yield factors of products of 2p - 1 or 2p bits, and of products that end below the smallest number."""
    p = form.precision
    for low in [p - 1, p] * EACH:
        a, b = _factors(rng, form, low)
        total = rng.randrange(form.emin - 2 * p + 2, form.emax - 2 * p + 1)
        yield _scaled(rng, form, a, b | (1 << p - 1 if low < p else 0), total)
    for _ in range(EACH):
        low = rng.randrange(p // 2 + 2, p)
        yield _scaled(rng, form, *_factors(rng, form, low), form.quantum - low)


def _fused(rng: Random, form: Format) -> Calls:
    """Yield sums a b + c of three kinds.

    The product is a midpoint, or a number, and c is far smaller; c is 0; or the product, (1 + 2^-k) (1 - 2^-k) scaled,
    is slightly less than half of the last place of c.
    """
    p = form.precision
    for call in range(EACH):
        bits = rng.randrange(2, p)
        a, b = _odd(rng, bits), _odd(rng, p + 1 - bits - (call % 4 == 0))
        # exponents for which c is at least the smallest number, and the product at most the largest
        e = rng.randrange(form.quantum + 3, form.emax - p - 1)
        yield *_scaled(rng, form, a, b, e), (rng.choice((1, 3)), max(e - 2 - call % (3 * p - 2), form.quantum))
    yield from ((x, y, (0, 0)) for x, y in _product(rng, form))
    for call in range(EACH):
        one, part, c = 1 << p - 1, 1 << p - 2 - call % (p - 1), _significand(rng, form)
        e = rng.randrange(form.quantum, form.emax - p + 1)
        if call % 4 < 2:  # c is subnormal
            c, e = c >> rng.randrange(1, p), form.quantum
        yield *_scaled(rng, form, one + part, one - part, e - 1 - 2 * (p - 1)), (c, e)


def _quotient(rng: Random, form: Format) -> Calls:
    """Yield quotients x / y next to m / 2^k: x 2^k = m y - r, r is small, and m has p or p + 1 bits.

    Other quotients, in units of half the smallest number, are odd integers m, that is ties, or next to these.
    """
    p, least, most = form.precision, form.quantum, form.emax - form.precision + 1
    for k in [p + 1, p + 1, p] * EACH:
        y, r = _odd(rng, p), _little(rng)
        m = r * pow(y, -1, 1 << k) % (1 << k)
        x = m * y - r >> k
        if m.bit_length() == k and x.bit_length() <= p:
            apart = rng.randrange(form.emin + 2, form.emax - 1)
            e = rng.randint(max(least, least - apart), min(most, most - apart))
            yield (x, e + apart), (y, e)
    for call in range(EACH):
        bits, e = rng.randrange(1, p - 2), 1 + call * (most - 1) // (EACH - 1)
        m, y = _odd(rng, bits), _odd(rng, p - bits)
        x = m * y + rng.choice((0, 0, 1, -1))
        yield (x if x.bit_length() <= p else m * y, e + least - 1), (y, e)


def _root(rng: Random, form: Format) -> Calls:
    """Yield x with x 2^k = m^2 - r and small r; m has one bit more than the format: the root is next to a midpoint."""
    p = form.precision
    for r, k in itertools.product(range(-255, 257, 8), (p + 1, p + 2)):
        root = _root_modulo(r, k)
        for m in sorted({(s * root + t) % (1 << k) for s in (1, -1) for t in (0, 1 << (k - 1))}):
            x = m * m - r >> k
            if m >> p == 1 and 0 < x < 1 << p:
                yield ((x, 2 * rng.randrange(form.quantum // 2 + 1, (form.emax - p) // 2) + k % 2),)


def _root_modulo(r: int, places: int) -> int:
    """Return a square root of r modulo 2^places, bit by bit; r is 1 modulo 8."""
    root = 1
    for place in range(3, places):
        if (root * root - r) >> place & 1:
            root += 1 << (place - 1)
    return root


def _hypotenuse(rng: Random, form: Format) -> Calls:
    """Yield pairs x, y whose hypotenuse is next to the midpoint x + 1/2, or to x + 1, in units of the last place.

    Then y^2 is next to x + 1/4, or to 2 x + 1: y = Y / 2^k, and the last 2k bits of Y^2 are nearly 2^(2k) / 4, or 0.
    """
    p = form.precision
    for r, is_number in itertools.product(range(1 - 8 * EACH, 8 * EACH, 8), (False, True)):
        k = (p - is_number) // 2
        ending = r + (0 if is_number else 1 << (2 * k - 2))
        root = _root_modulo(ending, 2 * k)
        for s, t, top in itertools.product((1, -1), (0, 1 << (2 * k - 1)), range(1 << p - 2 * k)):
            y = (s * root + t) % (1 << 2 * k) + (top << 2 * k)
            whole = y * y - ending >> 2 * k
            x = whole >> is_number
            if x >> (p - 1) == 1 and not (is_number and whole % 2 == 0):
                e = rng.randrange(form.quantum + p // 2, form.emax - p - 1)
                yield rng.sample(((x, e), (y, e - k)), 2)


def _scale(rng: Random, form: Format) -> Calls:
    """Yield calls x 2^n with subnormal results; the bits that are lost are half of the last place, or nearly half."""
    p, least = form.precision, form.quantum
    for lost, little in itertools.product(range(1, p + 1), [0, -1, 1] * 4):
        ending = (1 << lost - 1) + (little if lost > 1 else 0)
        e = least + rng.randrange(4) if rng.random() < 0.5 else rng.randrange(least, form.emax - p)
        yield ((_significand(rng, form) >> lost << lost) + ending, e), (least - lost - e, 0)


_KINDS: Mapping[str, Callable[[Random, Format], Calls]] = {
    "sum": _sum,
    "product": _product,
    "fused": _fused,
    "quotient": _quotient,
    "root": _root,
    "hypotenuse": _hypotenuse,
    "scale": _scale,
}
