"""Proofs of quick's tgamma and lgamma: seen again by the second checker, attacked, and with faults planted."""

from __future__ import annotations

import dataclasses
import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from flint import arb

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import gamma
from clmath.kernels.quick import gamma as quick
from clmath.kernels.quick import logarithm
from tests.cases import for_each
from tests.certify import concrete, planted
from tests.certify import second_checker_of_gamma as second
from tests.certify.second_checker import Undecided

KERNELS = gamma.NAMES
EXACTLY = gmpy2.context(precision=300)
of_each = pytest.mark.parametrize("kernel", KERNELS)


def parts(kernel):
    return {part.name: part for part in gamma.quick_parts(kernel)}


def pieces_of(part):
    """Those that have arguments."""
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


@of_each
def test_arguments_are_verified_again(kernel, draw):
    part = parts(kernel)["arguments"]
    regions = {which for which, _, _ in part.pieces()}
    for region in sorted(regions):
        for piece in draw.sample([piece for piece in pieces_of(part) if piece[0] == region], 6):
            which, low, high = a_small_part(piece, draw)
            if part.cell(which, arb(low), arb(high)) is not None:
                assert is_verified(part, which, low, high), (which, low, high)


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


def exactly(kernel, x):
    if kernel == "tgamma":
        return gmpy2.gamma(gmpy2.mpfr(x))
    return gmpy2.lgamma(gmpy2.mpfr(x))[0]


@of_each
def test_no_error_is_larger_than_what_is_proven(kernel, draw):
    x = arguments(kernel, draw, 2500)
    value, err = getattr(quick, kernel)(x)
    proven = max(part["worst"] for part in certificate("quick", kernel)["parts"])
    met = 0.0
    with EXACTLY:
        for i in np.flatnonzero(err > 0.0):
            error = abs(gmpy2.mpfr(float(value[i])) - exactly(kernel, float(x[i])))
            bound = err[i] - np.spacing(abs(value[i]) + err[i]) / 2
            met = max(met, float(error / gmpy2.mpfr(float(bound))))
    assert 0.1 < met <= proven


@of_each
def test_what_is_exact_is_so(kernel):
    """(n - 1)!, the zeros of lgamma, and powers of two whose gamma is next to 1/x."""
    n = np.arange(1.0, 16.0 if kernel == "tgamma" else 3.0)
    value, err = getattr(quick, kernel)(n)
    assert np.all(err == 0.0)
    for one, found in zip(n, value, strict=True):
        assert found == (gmpy2.fac(int(one) - 1) if kernel == "tgamma" else 0.0)


# faults


def faulty(part, change):
    """The part with ``change`` applied to the trace of its kernel."""
    if hasattr(part, "family"):
        return planted.altered(part, change)
    return dataclasses.replace(part, traced=change(part.traced))


def some(part, *ends):
    """The pieces with these arguments."""
    found = [piece for piece in pieces_of(part) if any(piece[1] <= x <= piece[2] for x in ends)]
    assert found
    return found


INSIDE, BEYOND, ABOVE = 0.3, 21.7, 1.3
# kernel, part, the fault, arguments where it has to be seen
FAULTS = {
    "tgamma: bound of an eighth": (
        "tgamma",
        "arguments",
        planted.constant(quick.TGAMMA_BOUND, quick.TGAMMA_BOUND / 8),
        (BEYOND,),
    ),
    "tgamma: constant term of a piece": ("tgamma", "arguments", planted.entry(quick.GAMMA[0], 2, 40), (ABOVE,)),
    "tgamma: linear term of a piece": ("tgamma", "arguments", planted.entry(quick.GAMMA[1], 2, 2**20), (ABOVE,)),
    "tgamma: pi": ("tgamma", "arguments", planted.raised(quick.PI, 48), (-2.6,)),
    "tgamma: width of pieces": ("tgamma", "arguments", planted.constant(0.125, 0.125 + 2.0**-45), (INSIDE,)),
    "lgamma: bound of an eighth": (
        "lgamma",
        "arguments",
        planted.constant(quick.LGAMMA_BOUND, quick.LGAMMA_BOUND / 8),
        (BEYOND,),
    ),
    "lgamma: constant term of a piece": ("lgamma", "arguments", planted.entry(quick.LOG_GAMMA[0], 10, 40), (ABOVE,)),
    "lgamma: second term of a piece": ("lgamma", "arguments", planted.entry(quick.LOG_GAMMA[2], 10, 2**36), (ABOVE,)),
    "lgamma: Stirling's constant": ("lgamma", "arguments", planted.raised(quick.STIRLING_CONSTANT, 44), (BEYOND,)),
    "lgamma: Stirling's series": ("lgamma", "arguments", planted.raised(quick.STIRLING_TAIL[0], 38), (9.5,)),
    "lgamma: log pi, close to 0": ("lgamma", "arguments", planted.raised(quick.LOG_PI, 44), (-INSIDE,)),
    "lgamma: log pi": ("lgamma", "mirrored", planted.raised(quick.LOG_PI, 46), (0.1,)),
    "lgamma: bound of the mirrored": ("lgamma", "mirrored", planted.halved(quick.LGAMMA_BOUND), (20.0,)),
    "lgamma: series of the logarithm": ("lgamma", "sum of floats", planted.raised(logarithm.LOG1P_TAIL[0], 24), (1.3,)),
    "lgamma: k LN2_LO left out": ("lgamma", "sum of doubles", planted.constant(logarithm.LN2_LO, 0.0), (1.3,)),
}


def is_seen_to_hold(part, pieces):
    """Whether the second checker sees all of them to hold."""
    try:
        return all(is_verified(part, *piece) for piece in pieces)
    except (AssertionError, Undecided):
        return False


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found_by_both(fault):
    kernel, name, change, ends = FAULTS[fault]
    right = parts(kernel)[name]
    part, chosen = faulty(right, change), some(right, *ends)
    assert planted.is_refused(part, right, chosen)
    assert not is_seen_to_hold(part, chosen)


@pytest.mark.slow
@pytest.mark.parametrize("change", [planted.constant(1.0, 1.0 + 2.0**-20), planted.constant(-16777216.0, -4194304.0)])
def test_faults_of_reductions_are_found(change):
    part = parts("lgamma")["reduction"]
    assert not prove(part).failed
    assert planted.is_refused(faulty(part, change), part)


@pytest.mark.slow
@pytest.mark.parametrize("contract", ["BASE_OFF", "SINE_OFF", "LOG_OFF"])
def test_smaller_errors_of_parts_are_refused(contract, monkeypatch):
    name = {"BASE_OFF": "arguments", "SINE_OFF": "sines", "LOG_OFF": "sum of floats"}[contract]
    part, claim = parts("lgamma")[name], (gamma, contract, 2.0**-54)
    chosen = some(part, 0.4 if name == "sines" else 1.4)
    assert planted.is_refused_with(claim, lambda: part, chosen)
    monkeypatch.setattr(*claim)
    assert not is_seen_to_hold(part, chosen[:1])
