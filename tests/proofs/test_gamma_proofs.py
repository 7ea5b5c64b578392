"""Proofs of quick's tgamma and lgamma: parts are given what they are proven for."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.kernels.quick import gamma as quick
from proofs.families import gamma
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs import second_checker_of_gamma as second

KERNELS = gamma.NAMES
EXACTLY = gmpy2.context(precision=300)
of_each = for_each("kernel", KERNELS)


def parts(kernel):
    return {part.name: part for part in gamma.quick_parts(kernel)}


def pieces_of(part):
    """The pieces that have arguments."""
    return [piece for piece in part.pieces() if part.cell(piece[0], *map(arb, piece[1:])) is not None]


def a_small_part(piece, draw):
    """A 32nd of it, without its ends: polynomials of the second checker are short, and at an end cases meet."""
    which, low, high = piece
    if low < high:
        low, high = math.nextafter(low, high), math.nextafter(high, low)
    step, i = (high - low) / 32, draw.randrange(32)
    return which, low + step * i, min(low + step * (i + 1), high)


# the second checker


def is_verified(part, which, low, high, share=1):
    if part.name == "arguments":
        return second.encloses(part.traced, part.statement(which, low, high), low, high, share, deepest=6).holds
    if part.name == "sines":
        return second.is_near_sine(part.traced, part.statement(which), low, high, share).holds
    if part.name == "mirrored":
        return second.is_mirrored(part.traced, part.statement(which), low, high, share).holds
    return second.is_near_logarithm(part.traced, part.statement(which, low), low, high, share, deepest=7).holds


@pytest.mark.slow
@of_each
def test_arguments_are_verified_again(kernel, draw):
    part = parts(kernel)["arguments"]
    regions = {which for which, _, _ in part.pieces()}
    for region in sorted(regions):
        for piece in draw.sample([piece for piece in pieces_of(part) if piece[0] == region], 6):
            which, low, high = a_small_part(piece, draw)
            if part.cell(which, arb(low), arb(high)) is not None:
                assert is_verified(part, which, low, high), (which, low, high)


@pytest.mark.slow
@pytest.mark.parametrize("name", ["sum of floats", "sum of doubles", "sines", "mirrored"])
def test_parts_are_verified_again(name, draw):
    part = parts("lgamma")[name]
    for piece in draw.sample(list(part.pieces()), 20):
        for which, low, high in singly(part, *piece):
            assert is_verified(part, which, low, high), (which, low, high)


def singly(part, which, low, high):
    """The piece, or its floats where it has few of them: by itself each is one number, not one of several."""
    unit = 2.0**-23
    if part.name != "sum of floats" or high - low > 8 * unit:
        return [(which, low, high)]
    count = round((high - low) / unit)
    return [(which, low + i * unit, low + i * unit) for i in range(count + 1)]


# what parts are given is what arguments reach


def arguments(kernel, draw, count):
    """Ordinary floats, those next to poles and ends among them."""
    numbers = np.random.default_rng(draw.getrandbits(32))
    encodings = numbers.integers(0, 1 << 32, count, np.uint32).view(np.float32)
    reach = 43.0 if kernel == "tgamma" else 16777216.0
    near = np.concatenate([numbers.integers(-43, 40, count) + np.exp2(numbers.uniform(-25, 0, count))])
    wide = -np.exp2(numbers.uniform(-30, np.log2(reach), count))
    encodings = encodings[np.isfinite(encodings)]
    x = np.concatenate([encodings, near, wide]).astype(np.float32).astype(np.float64)
    top = quick.TOP if kernel == "tgamma" else np.inf
    is_integer = (x == np.rint(x)) & ((x <= 0.0) | (x <= 15.0 if kernel == "tgamma" else x <= 2.0))
    return x[(x < top) & (x > -reach) & ~is_integer]


@of_each
def test_every_argument_is_in_a_piece(kernel, draw):
    all_parts = parts(kernel)
    part = all_parts["arguments"]
    x = arguments(kernel, draw, 300)
    found = concrete.values(part.traced, x)
    pieces = list(part.pieces())
    for i, one in enumerate(map(float, x)):
        inside = [which for which, low, high in pieces if low <= one <= high]
        if not inside:
            assert kernel == "lgamma"
            assert one <= -0.5
            assert_mirrored_is_given(all_parts, found, i, one)
            continue
        ways = [part.conditions(which).items() for which in inside]  # an end belongs to two pieces, one of which is its
        assert is_touching(kernel, one) or any(all(found[n][i] == known for n, known in way) for way in ways)


def is_touching(kernel, x):
    return kernel == "tgamma" and abs(x) < quick.SLIGHT and np.frexp(abs(x))[0] == 0.5


def assert_mirrored_is_given(all_parts, found, i, x):
    """Values are within what ``mirrored`` is given of them, and the sine's argument within ``sines``."""
    part, sines = all_parts["mirrored"], all_parts["sines"]
    assert all(found[number][i] == known for number, known in part.conditions)
    with EXACTLY:
        r = gmpy2.mpfr(x) - round(x)
        log = gmpy2.log(abs(gmpy2.sin(gmpy2.const_pi() * r)))
        base = gmpy2.lgamma(1 - gmpy2.mpfr(x))[0]
        ((which, *_), *_) = [piece for piece in part.pieces() if piece[0][0] <= log <= piece[0][1]]
        of_log, of_base = part.statement(which).offs
        assert abs(gmpy2.mpfr(float(found[part.log][i])) - log) <= of_log
        assert abs(gmpy2.mpfr(float(found[part.base][i])) - base) <= of_base * abs(base)
    assert any(low <= base <= high for where, low, high in part.pieces() if where == which)
    least = min(abs(end) for _, low, high in sines.pieces() for end in (low, high))
    assert least <= abs(r) <= 0.5


# real errors


@of_each
def test_results_without_error_are_exact(kernel):
    """(n - 1)!, the zeros of lgamma, and powers of two whose gamma is next to 1/x."""
    n = np.arange(1.0, 16.0 if kernel == "tgamma" else 3.0)
    value, err = getattr(quick, kernel)(n)
    assert np.all(err == 0.0)
    for one, found in zip(n, value, strict=True):
        assert found == (gmpy2.fac(int(one) - 1) if kernel == "tgamma" else 0.0)


# faults
