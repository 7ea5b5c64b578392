"""Sampled image reads by the formulas of OpenCL C++ 1.0, chapter 5, in exact fractions, one texel at a time."""

from __future__ import annotations

import itertools
import math
from fractions import Fraction

import gmpy2

from tests.rounding_reference import rounded

HALF = Fraction(1, 2)
# components of the stored channels (3.11.14), by channel order
LETTERS = {
    "r": "r", "rx": "r", "a": "a", "rg": "rg", "rgx": "rg", "ra": "ra", "rgb": "rgb", "rgbx": "rgb", "rgba": "rgba",
    "bgra": "bgra", "argb": "argb", "abgr": "abgr", "intensity": "i", "luminance": "l", "depth": "d", "srgb": "rgb",
    "srgbx": "rgb", "srgba": "rgba", "sbgra": "bgra",
}  # fmt: skip
OPAQUE = {"r", "rg", "rgb", "luminance", "srgb"}  # orders whose border has alpha 1 (3.11.11)
MOST = {"unorm_int8": 255, "unorm_int16": 65535, "snorm_int8": 127, "snorm_int16": 32767}
FIELDS = {
    "unorm_short_565": ((11, 31), (5, 63), (0, 31)),
    "unorm_short_555": ((10, 31), (5, 31), (0, 31)),
    "unorm_int_101010": ((20, 1023), (10, 1023), (0, 1023)),
}
BITS = 300


def power(code):
    """Return the linear value of an sRGB code, exact or to ``BITS`` bits."""
    r = Fraction(code, 255)
    if r <= Fraction(4045, 100000):
        return r / Fraction(1292, 100)
    if code == 255:
        return Fraction(1)
    with gmpy2.context(precision=BITS):
        root = gmpy2.root(gmpy2.mpfr(gmpy2.mpq((r + Fraction(55, 1000)) / Fraction(1055, 1000))), 5)
        return Fraction(*map(int, (root**12).as_integer_ratio()))


POWERS = [power(code) for code in range(256)]


def color(texel, type, order):
    """Return the components of a stored texel: (r, g, b, a), or one for depth."""
    if type in FIELDS:
        word = int(texel)
        channels = [Fraction(word >> shift & most, most) for shift, most in FIELDS[type]]
    else:
        channels = [Fraction(c) for c in texel.tolist()]
        if type in MOST:
            channels = [max(Fraction(-1), c / MOST[type]) for c in channels]
    named = dict(zip(LETTERS[order], channels, strict=True))
    if order.startswith("s"):
        for letter, stored in zip(LETTERS[order], texel.tolist(), strict=True):
            if letter != "a":
                named[letter] = POWERS[stored]
    if order == "depth":
        return (named["d"],)
    if order == "intensity":
        return (named["i"],) * 4
    if order == "luminance":
        return (named["l"],) * 3 + (Fraction(1),)
    return tuple(named.get(letter, Fraction(letter == "a")) for letter in "rgba")


def border(order):
    return (Fraction(0),) if order == "depth" else (Fraction(0),) * 3 + (Fraction(order in OPAQUE),)


def clamp(a, b, c):
    return b if a < b else min(a, c)


def nearest(s, size, addressing, normalized):
    """Return the index of the nearest texel for one coordinate, by the steps of the specification."""
    if addressing == "repeat":
        u = (s - math.floor(s)) * size
        i = math.floor(u)
        return i - size if i > size - 1 else i
    if addressing == "mirrored_repeat":
        turned = 2 * round(s / 2)
        return min(math.floor(abs(s - turned) * size), size - 1)
    i = math.floor(s * size if normalized else s)
    return clamp(i, 0, size - 1) if addressing == "clamp_to_edge" else clamp(i, -1, size)


def linear(s, size, addressing, normalized):
    """Return the indices of two texels and their weights."""
    if addressing == "repeat":
        u = (s - math.floor(s)) * size
        i0 = math.floor(u - HALF)
        i1 = i0 + 1
        i0 = size + i0 if i0 < 0 else i0
        i1 = i1 - size if i1 > size - 1 else i1
    elif addressing == "mirrored_repeat":
        u = abs(s - 2 * round(s / 2)) * size
        i0 = math.floor(u - HALF)
        i1 = min(i0 + 1, size - 1)
        i0 = max(i0, 0)
    else:
        u = s * size if normalized else s
        least, most = (0, size - 1) if addressing == "clamp_to_edge" else (-1, size)
        i0, i1 = (clamp(math.floor(u - HALF) + n, least, most) for n in (0, 1))
    a = u - HALF - math.floor(u - HALF)
    return (i0, 1 - a), (i1, a)


def sample(data, kind, sampler, coordinate):
    """Return the exact components at a coordinate, a tuple of floats: x first, the layer last.

    ``kind``: channel type, order, and whether the first axis is the layer.
    """
    (type, order, array), (addressing, filter, normalized) = kind, sampler
    exact = [Fraction(c) for c in coordinate]
    channels = 0 if type in FIELDS else 1
    if array:
        data = data[clamp(round(exact.pop()), 0, data.shape[0] - 1)]
    sizes = data.shape[: data.ndim - channels][::-1]
    if filter == "nearest":
        ends = [[(nearest(s, n, addressing, normalized), Fraction(1))] for s, n in zip(exact, sizes, strict=True)]
    else:
        ends = [linear(s, n, addressing, normalized) for s, n in zip(exact, sizes, strict=True)]
    total = None
    for chosen in itertools.product(*ends):
        place = tuple(i for i, _ in chosen)[::-1]
        inside = all(0 <= i < n for i, n in zip(place, sizes[::-1], strict=True))
        texel = color(data[place], type, order) if inside else border(order)
        weight = math.prod(w for _, w in chosen)
        total = [t + weight * c for t, c in zip(total or [0] * len(texel), texel, strict=True)]
    return total


def is_rounded(got, true, mode):
    """Whether a number is the exact value rounded to its format; the sign of zero is ignored."""
    return bool(rounded([true], got.dtype, mode)[0] == got)
