"""Proofs of double's tgamma and lgamma: parts are given what they are proven for."""

from __future__ import annotations

from fractions import Fraction

import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.double import gamma
from proofs.families import double_gamma
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs import second_checker_of_gamma as second

KERNELS = double_gamma.NAMES
of_each = for_each("kernel", KERNELS)
SHARE = Fraction(101, 100)  # what the second checker loses is a little more than what the prover does


def parts(kernel):
    return {part.name: part for part in double_gamma.double_parts(kernel)}


# the second checker


def a_tiny_part(piece, draw):
    """A 2^-24th of it: that checker has no polynomials beside what is unknown."""
    which, low, high = piece
    step, i = (high - low) * 2.0**-24, draw.randrange(1 << 24)
    return which, low + step * i, low + step * (i + 1)


def is_verified(part, which, low, high, share=1):
    judge = second.is_near_series if part.name == "series" else second.is_near_pair
    return judge(part.traced, part.statement(which, low, high), low, high, share).holds


def is_within_reach(kernel, name, piece):
    """Whether its units are fine enough; and f, of lgamma's sine, is not negative, whose bits it does not know."""
    _, low, high = piece
    if min(abs(low), abs(high)) < 2.0**-60 or high - low < 2.0**-20 * abs(high):
        return False
    return (kernel, name) != ("lgamma", "sines") or (low < 2.0**-11 or int(low * 2048.0) % 2 == 0)


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kernel", "name"),
    [("tgamma", "pieces"), ("tgamma", "series"), ("tgamma", "sines"), ("lgamma", "series"), ("lgamma", "sines")],
)
def test_parts_are_verified_again(kernel, name, draw):
    part = parts(kernel)[name]
    pieces = [piece for piece in part.pieces() if is_within_reach(kernel, name, piece)]
    for piece in draw.sample(pieces, 12):
        assert is_verified(part, *a_tiny_part(piece, draw), SHARE), piece


# what parts are given is what arguments reach


def arguments(kernel, draw, count):
    """Ordinary doubles, those next to poles and zeros among them."""
    numbers = np.random.default_rng(draw.getrandbits(32))
    low, high = (gamma.BOTTOM, gamma.TOP) if kernel == "tgamma" else (-(2.0**52), gamma.HUGE)
    least = gamma.SMALL if kernel == "tgamma" else gamma.LEAST
    wide = np.exp2(numbers.uniform(np.log2(least), np.log2(high), count))
    below = -np.exp2(numbers.uniform(np.log2(least), np.log2(-low), count))
    near = numbers.integers(-180, 170, count) + np.exp2(numbers.uniform(-50, 0, count))
    x = np.concatenate([wide, below, near, numbers.uniform(-20.0, 20.0, count)])
    is_pole = (x <= 0.0) & (x == np.rint(x))
    return x[(x > low) & (x < high) & (np.abs(x) > least) & ~is_pole & (x != 1.0) & (x != 2.0)]


@of_each
def test_every_argument_is_linked(kernel, draw):
    """Conditions are as they are said to be, and inner values are what their parts take."""
    found = parts(kernel)
    links, family = found["links"], found["links"].family
    x = arguments(kernel, draw, 40)
    values = concrete.values(links.traced, x)
    pieces = list(links.pieces())
    for i, one in enumerate(map(float, x)):
        which = next(which for which, low, high in pieces if low <= one <= high)
        known = family.conditions(which) if kernel == "lgamma" else family.ordinary(is_negative=which == "below")
        assert all(bool(values[number][i]) == value for number, value in known.items()), one
        hi, lo = (values[number][i] for number in family.piece[2:])
        assert abs(lo) <= double_gamma.SECOND * abs(hi)
        if kernel == "tgamma":
            assert abs(values[family.rest[0]][i]) <= double_gamma.REACH
            assert abs(values[family.rest[1]][i]) <= double_gamma.REACH_LO
            dividend, _, divisor, divisor_lo = (float(values[number][i]) for number in family.over[:4])
            assert 0.99 <= dividend <= 2.01
            assert abs(divisor_lo) <= np.spacing(abs(divisor)) / 2
            assert 2.0**-200 < abs(divisor) <= 1.0
        else:
            d, d_lo = (float(values[number][i]) for number in family.of_sine[1:])
            assert abs(d_lo) <= np.spacing(d) / 2
            assert values[family.log[0]][i] <= 1.0 or which not in {"inside", "mirrored"}


# real errors


# faults
