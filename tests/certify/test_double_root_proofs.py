"""Proofs of double's cbrt and hypot: what they say of real values, faults that they find, errors that kernels make."""

from __future__ import annotations

from fractions import Fraction

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import double_roots as proofs
from clmath.kernels.double import roots
from clmath.numbers.lanes import SPLITTER
from tests.cases import for_each
from tests.certify import concrete, planted

KERNELS = ("hypot", "cbrt")
EXACTLY = gmpy2.context(precision=400, emin=-5000, emax=5000)
FRACTION = (1 << 52) - 1


def parts_of(name):
    return {part.name: part for part in proofs.double_parts(name)}


def without(kernel, name):
    """What stands there counts as 0."""
    return planted.without(parts_of(kernel)["normalised"].family.at[name])


FAULTS = {
    "bound of hypot halved": ("hypot", "root", planted.constant(roots.HYPOT_ERROR, roots.HYPOT_ERROR / 2.0)),
    "splitting after 20 bits": ("hypot", "squares", planted.constant(SPLITTER, 2.0**33 + 1.0)),
    "rest of the sum": ("hypot", "root", without("hypot", "rest")),
    "rest of the larger square": ("hypot", "root", without("hypot", "p_lo")),
    "rest of the smaller square": ("hypot", "root", without("hypot", "q_lo")),
    "twice the root": ("hypot", "root", planted.constant(2.0, 2.0 + 2.0**-40)),
    "twice the product": ("hypot", "squares", planted.constant(2.0, 2.0 + 2.0**-51)),
    "mantissa of the larger leg": ("hypot", "places", planted.integer(FRACTION, FRACTION >> 1)),
    "bias": ("hypot", "places", planted.integer(1023, 1022)),
    "scale of subnormal legs": ("hypot", "normalised", planted.integer(1074 << 52, 1073 << 52)),
    "bound of cbrt": ("cbrt", "root", planted.constant(roots.CBRT_ERROR, roots.CBRT_ERROR / 2.0)),
    "a third": ("cbrt", "root", planted.raised(1.0 / 3.0, 40)),
    "what is missed": ("cbrt", "root", without("cbrt", "missed")),
    "three times the square": ("cbrt", "cubes", planted.constant(3.0, 3.0 + 2.0**-40)),
    "the third product": ("cbrt", "missed", without("cbrt", "third")),
    "first coefficient": ("cbrt", "near", planted.raised(roots.CBRT_TAIL[0], 26)),
    "second coefficient": ("cbrt", "near", planted.raised(roots.CBRT_TAIL[1], 12)),
    "entry of the table": ("cbrt", "near", planted.entry(roots.ROOT, 37, 2**20)),
    "reciprocal": ("cbrt", "near", planted.entry(roots.RECIPROCAL, 37, 2**24)),
    "17 bits": ("cbrt", "near", planted.constant(roots.TO_17_BITS, roots.TO_17_BITS / 4.0)),
    "34 bits": ("cbrt", "near", planted.constant(roots.TO_34_BITS, roots.TO_34_BITS / 4.0)),
    "a third of the exponent": ("cbrt", "exponents", planted.integer(21846, 21845)),
    "row of the table": ("cbrt", "near", planted.integer(7, 6)),
    "place in the row": ("cbrt", "places", planted.integer(45, 44)),
    "scale of subnormal numbers": ("cbrt", "normalised", planted.integer(1074 << 52, 1073 << 52)),
}


def shown(part):
    """Pieces in which faults are sought."""
    pieces = list(part.pieces())
    if part.name == "near":
        return [piece for piece in pieces if piece[0] in {(0, 37), (1, 5), (2, 127)}]
    return pieces[:: max(len(pieces) // 12, 1)]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    kernel, name, change = FAULTS[fault]
    part = parts_of(kernel)[name]
    assert planted.is_refused(planted.altered(part, change), part, shown(part))


@for_each(("kernel", "name"), sorted({(kernel, name) for kernel, name, _ in FAULTS.values()}))
def test_nothing_is_found_there_without_faults(kernel, name):
    part = parts_of(kernel)[name]
    assert not prove(part, pieces=shown(part)).failed


CLAIMS = {
    "rest of a square": ("hypot", "_SQUARE_REST", 2.0**-53, "squares"),
    "rest of the sum": ("hypot", "_REST", 2.0**-52, "sum"),
    "how near": ("cbrt", "_AWAY", 2.0**-36, "near"),
    "lower part": ("cbrt", "_LOWER", 2.0**-18, "near"),
    "upper part": ("cbrt", "_UPPER", 0.45, "near"),
    "second product": ("cbrt", "_SECOND", 2.0**-14, "cubes"),
    "third product": ("cbrt", "_THIRD", 2.0**-33, "cubes"),
    "rounding of the third product": ("cbrt", "_OFF_THIRD", 2.0**-87, "cubes"),
    "what is computed": ("cbrt", "_ROUNDED", 2.0**-85, "missed"),
}


@pytest.mark.slow
@for_each("claim", CLAIMS)
def test_false_claims_are_refused(claim):
    kernel, constant, value, name = CLAIMS[claim]
    assert planted.is_refused_with((proofs, constant, value), lambda: parts_of(kernel)[name])


def numbers(rng, count):
    """Positive doubles of all sizes, and next to the ends of binades and of the table's places."""
    sizes = np.exp2(rng.uniform(-1074.0, 1023.9, count))
    near = np.ldexp(1.0 + rng.integers(0, 129, count) / 128.0, rng.integers(-1000, 1000, count))
    near = np.concatenate([near, np.nextafter(near, 0.0), np.nextafter(near, np.inf)])
    return np.concatenate([sizes, near, rng.uniform(1.0, 8.0, count)])


def arguments(name, rng, count):
    x = numbers(rng, count)
    x *= rng.choice([-1.0, 1.0], x.size)
    if name == "cbrt":
        return (x,)
    return x, np.ldexp(rng.uniform(1.0, 2.0, x.size), np.frexp(x)[1] - rng.integers(-3, 34, x.size))


def exact(name, args):
    """The function by MPFR."""
    numbers = [gmpy2.mpfr(one) for one in args]
    return gmpy2.cbrt(*numbers) if name == "cbrt" else gmpy2.sqrt(sum(gmpy2.square(one) for one in numbers))


@pytest.mark.parametrize("name", KERNELS)
def test_no_error_is_larger_than_what_is_proven(name):
    part = parts_of(name)["root"]
    args = arguments(name, np.random.default_rng(7), 1500)
    hi, lo, err, exponent = concrete.outputs(part.traced, concrete.values(part.traced, *args))
    worst = 0.0
    with EXACTLY:
        for i in np.flatnonzero(err > 0.0):
            value = gmpy2.mul_2exp(gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i])), 3000 + int(exponent[i]))
            error = abs(value - gmpy2.mul_2exp(exact(name, [float(one[i]) for one in args]), 3000))
            worst = max(worst, float(error / gmpy2.mul_2exp(gmpy2.mpfr(float(err[i])), 3000 + int(exponent[i]))))
    assert 0.01 < worst <= max(one["worst"] for one in certificate("double", name)["parts"])


def fraction(x):
    return Fraction(float(x))


def test_legs_are_those_that_are_proven():
    """Legs are a 2^n and b 2^n; squares, and their sum, are exact, and their parts as large as said."""
    family = parts_of("hypot")["root"].family
    x, y = arguments("hypot", np.random.default_rng(8), 400)
    found = concrete.values(family.traced, x, y)
    at = {name: found[number] for name, number in family.at.items()}
    for i in np.flatnonzero(~at["slight"] & ~at["special"]):
        a, b, p, p_lo, q, q_lo, t, rest = (
            fraction(at[name][i]) for name in ("a", "b", "p", "p_lo", "q", "q_lo", "t", "rest")
        )
        scale = Fraction(2) ** int(at["n"][i])
        assert sorted([a * scale, b * scale]) == sorted([abs(fraction(x[i])), abs(fraction(y[i]))])
        assert (p + p_lo, q + q_lo, t + rest) == (a * a, b * b, p + q)
        assert 1 <= a < 2
        assert b <= a
        assert 1 <= t <= 8
        assert max(abs(p_lo), abs(q_lo)) <= proofs._SQUARE_REST
        assert abs(rest) <= proofs._REST


def test_parts_of_roots_are_those_that_are_proven():
    """The powers of two, the parts of y, the products, and what m - y^3 is computed for."""
    family = parts_of("cbrt")["root"].family
    (x,) = arguments("cbrt", np.random.default_rng(9), 400)
    found = concrete.values(family.traced, x)
    at = {name: found[number] for name, number in family.at.items()}
    for i in range(x.size):
        m, h, l, y, second, third, missed = (
            fraction(at[name][i]) for name in ("m", "h", "l", "y", "second", "third", "missed")
        )
        assert abs(fraction(x[i])) == m * Fraction(8) ** int(at["exponent"][i])
        assert 1 <= m < 8
        assert y == h + l
        assert (second, abs(second) <= proofs._SECOND) == (3 * h * h * l, True)
        assert abs(third - l * l * (3 * h + l)) <= proofs._OFF_THIRD
        assert abs(m - y**3) <= proofs._MISSED
        assert abs(missed - (m - y**3)) <= proofs._ROUNDED
        assert 1 + Fraction(int(at["j"][i]), 128) <= fraction(at["v"][i]) < 1 + Fraction(int(at["j"][i]) + 1, 128)
