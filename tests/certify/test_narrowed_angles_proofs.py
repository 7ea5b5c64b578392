"""Proofs of fine's sin, cos and tan: attacked, and faults that they find."""

from __future__ import annotations

import math

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import double_angles, narrowed_turns
from clmath.certify.proofs import narrowed_angles as proofs
from clmath.engines.device.program import Value
from clmath.kernels.double import angles
from clmath.kernels.double import trigonometric as double
from clmath.kernels.fine import trigonometric as fine
from clmath.kernels.rungs import DOUBLE
from tests.cases import for_each
from tests.certify import concrete, planted

KERNELS = proofs.NAMES
FUNCTIONS = {"sin": gmpy2.sin, "cos": gmpy2.cos, "tan": gmpy2.tan}
EXACTLY = gmpy2.context(precision=1500, emin=-5000, emax=5000)
# next to multiples of pi/2 (Muller et al., 11.3.2), and of pi/1024: exponents of the least distances
HARD = np.ldexp(np.array([6381956970095103.0, 5281755943099489.0]), (797, 2))


def parts_of(name):
    return {part.name: part for part in proofs.fine_parts(name)}


def arguments(rng, count):
    """Doubles of all sizes from TINY on, of both signs, and next to multiples of pi/1024 and pi/2, and half steps."""
    step = math.pi / 1024
    near = np.concatenate([rng.integers(1, 1 << 22, count) * step, rng.integers(1, 1 << 12, count) * (512 * step)])
    halves = (rng.integers(0, 4096, count // 2) + 0.5) * step
    ends = np.concatenate([near, halves, np.exp2(np.arange(-31.0, 16.0))])
    sizes = [np.nextafter(ends, way) for way in (0.0, np.inf)]
    sizes += [ends, np.exp2(rng.uniform(-32.0, 1024.0, count)), rng.uniform(1e-9, 4.0, count), HARD]
    x = np.concatenate([*sizes, [np.finfo(np.float64).max, angles.TINY]])
    x = x[x >= angles.TINY]
    return np.concatenate([x, -x])


def values_of(name, x):
    """All values of the trace, told what the double kernel gives; and that."""
    with np.errstate(all="ignore"):
        told = [np.broadcast_to(part, x.shape) for part in DOUBLE.kernels[name].function(x)]
    return concrete.values(parts_of(name)["reduction"].traced, x, *told), told


@pytest.mark.parametrize("name", KERNELS)
def test_what_a_part_is_given_is_what_the_one_before_it_leaves(name, rng):
    """For arguments of all kinds: the parts of w, n and the significand; the sine and the cosine of w."""
    x = arguments(rng, 80)
    family = parts_of(name)["reduction"].family
    values, told = values_of(name, x)
    assert (told[3] == 0).all()
    m, row = values[family.significand[3]], values[family.significand[2]]
    summands = [values[number] for number in family.summands]
    for found, said in zip(summands, proofs.SUMMANDS, strict=True):
        assert (np.abs(found) <= said.most).all()
        assert (np.ldexp(found, -said.grid) == np.rint(np.ldexp(found, -said.grid))).all()
    sine, sine_lo, bend, bend_lo = (values[number] for number in family.tails)
    assert (np.abs(sine) <= narrowed_turns.REACH).all()
    assert (np.abs(sine_lo) <= np.abs(sine) * narrowed_turns._SINE_LO).all()
    assert (np.abs(bend_lo) <= narrowed_turns._COSINE_LO).all()
    with EXACTLY:
        unit = 1024 / gmpy2.const_pi()
        for i, one in enumerate(x.tolist()):
            exponent = math.frexp(one)[1] - 1
            assert row[i] == double_angles.row_of(exponent)
            assert gmpy2.mpfr(float(m[i])) * gmpy2.exp2(exponent - 52) == one
            n, w = int(values[family.n][i]), sum(gmpy2.mpfr(float(part[i])) for part in summands)
            left = gmpy2.mpfr(one) * unit - n - w
            assert abs(left - 2048 * gmpy2.rint(left / 2048)) <= proofs.OFF_STEPS
            assert proofs.LEAST_STEPS <= abs(w) <= proofs.TOP
            r = (w + left - 2048 * gmpy2.rint(left / 2048)) / unit
            off = gmpy2.mpfr(float(sine[i])) + gmpy2.mpfr(float(sine_lo[i])) - gmpy2.sin(r)
            assert abs(off) <= narrowed_turns._SINE_OFF * abs(sine[i]) + family.beside[0]
            off = gmpy2.mpfr(float(bend[i])) + gmpy2.mpfr(float(bend_lo[i])) - (gmpy2.cos(r) - 1)
            assert abs(off) <= narrowed_turns._COSINE_OFF
            s = gmpy2.mpfr(float(sine[i]))
            assert abs(bend[i] - (gmpy2.sqrt(1 - s * s) - 1)) <= narrowed_turns._COSINE_NEAR
            assert n % 512 or abs(sine[i]) >= family.smallest


@pytest.mark.parametrize("name", KERNELS)
def test_every_argument_is_in_a_piece(name, rng):
    """Of each part."""
    parts = parts_of(name)
    family, x = parts["reduction"].family, arguments(rng, 20)
    values, _ = values_of(name, x)
    pieces = {name: list(part.pieces()) for name, part in parts.items()}

    def has(part, at, which=None):
        return any((which is None or of == which) and low <= at <= high for of, low, high in pieces[part])

    for i, one in enumerate(x.tolist()):
        exponent, n = math.frexp(one)[1] - 1, int(values[family.n][i])
        assert ((exponent, int(one < 0.0)), 0.0, 0.0) in pieces["significand"]
        assert has("reduction", values[family.significand[3]][i], exponent)
        assert (exponent, 0.0, 0.0) in pieces["distance"]
        assert (exponent, 0.0, 0.0) in pieces["distance from steps"]
        assert has("tails", sum(float(values[number][i]) for number in family.summands))
        assert has("value", values[family.tails[0]][i], n % 2048)
    assert values[family.own.taken].mean() > 0.9
    assert (values[family.own.scale] == 1.0).all()


@pytest.mark.parametrize("name", KERNELS)
def test_what_is_exact_or_decided_is_kept(name):
    x = np.array([0.0, -0.0, np.inf, -np.inf, np.nan, 5e-324, -(2.0**-80), np.nextafter(angles.TINY, 0.0)])
    values, told = values_of(name, x)
    assert (told[2] == 0.0).all()
    assert not values[parts_of(name)["reduction"].family.own.taken].any()


def test_bounds_of_special_arguments_and_exponents_are_found(monkeypatch):
    """Where the double kernel would tell them."""
    monkeypatch.setitem(proofs._CONDITIONS, "tiny", lambda x: (abs(x) < 2.0**-31,))
    with pytest.raises(LookupError, match="special argument"):
        proofs.fine_parts("sin")


@pytest.mark.parametrize("name", KERNELS)
def test_no_error_is_larger_than_what_is_proven(name, rng):
    """By MPFR, where the kernel takes its own enclosure; climbing from the worst ones."""
    (proven,) = (part["worst"] for part in certificate("fine", name)["parts"] if part["name"] == "value")
    x, worst = arguments(rng, 150), 0.0
    for _ in range(3):
        shares = shares_of(name, x)
        worst = max(worst, float(shares.max()))
        best = x[np.argsort(shares)[-20:]]
        steps = np.exp2(rng.uniform(0.0, 40.0, (12, best.size))).astype(np.int64) * rng.choice((-1, 1), (12, best.size))
        x = (best.view(np.int64) + steps).view(np.float64).ravel()
        x = x[(np.abs(x) >= angles.TINY) & np.isfinite(x)]
    assert 0.001 < worst <= proven


def shares_of(name, x):
    """The errors of what the kernel gives where it takes its own enclosure, as shares of the bound."""
    values, told = values_of(name, x)
    outputs = concrete.outputs(parts_of(name)["reduction"].traced, values)
    with EXACTLY:
        return concrete.shares(outputs[:3], told[2], lambda i: FUNCTIONS[name](gmpy2.mpfr(float(x[i]))))


# faults


def raised(c, bits):
    return c, c * (1.0 + 2.0**-bits)


def without(name, place):
    """What the kernel computes there counts as 0."""
    return name, lambda: planted.without(place(parts_of(name)["reduction"].family))


def other(name, old, new):
    """A constant is another one."""
    return name, lambda: planted.constant(old, new)


def less_whole_turns():
    """The product of the first word less whole turns is rounded once."""
    family = parts_of("sin")["reduction"].family
    return planted.contracted(planted.user(family.traced, "double.sub", Value(family.taken)))


def less_quotient():
    """What is left of a quotient is rounded once, and what the product was rounded by is taken off nevertheless."""
    traced = parts_of("tan")["reduction"].family.traced
    statements, first = traced.program.statements, len(traced.program.inputs)
    (quotient, *_) = (i + first for i, s in enumerate(statements) if s.operation == "double.div")
    product = planted.user(traced, "double.mul", Value(quotient))
    return planted.contracted(planted.user(traced, "double.sub", Value(product)))


PLACE, ROW = 46, 300  # of the entries that are altered
FAULTS = {
    "sin: pi/1024": other("sin", *raised(fine.STEP[1], 40)),
    "sin: coefficient of the sine one ulp up": other("sin", *raised(fine.SINE_SERIES[0][0], 52)),
    "cos: coefficient of the cosine one ulp up": other("cos", *raised(fine.COSINE_SERIES[1][0], 52)),
    "tan: tail of the sine": other("tan", *raised(fine.SINE_TAIL[0], 20)),
    "sin: word of 1024/pi one ulp up": ("sin", lambda: planted.entry(angles.WORDS, ROW)),
    "cos: entry one ulp up": ("cos", lambda: planted.entry(double.SINE_HI, PLACE)),
    "sin: tail of an entry": ("sin", lambda: planted.entry(double.SINE_LO, PLACE)),
    "tan: what is beside both": ("tan", lambda: planted.entry(fine.SINE_REST, PLACE, 2**44)),
    "sin: bound halved": other("sin", fine.BOUND, fine.BOUND / 2.001),  # the proof of half of it takes long to fail
    "cos: bound of the angle": other("cos", fine.ANGLE_ERROR, fine.ANGLE_ERROR / 16),
    "tan: bound halved": other("tan", fine.TANGENT_BOUND, fine.TANGENT_BOUND / 2),
    "tan: bound of the angle": other("tan", 2.0 * fine.ANGLE_ERROR, fine.ANGLE_ERROR / 16),
    "sin: third word left out": without("sin", lambda family: family.summands[3]),
    "cos: rest of the third word left out": without("cos", lambda family: family.summands[4]),
    "tan: fourth word left out": without("tan", lambda family: family.summands[5]),
    "sin: rest of the second word left out": without("sin", lambda family: family.summands[2]),
    "sin: lower part of the sine left out": without("sin", lambda family: family.tails[1]),
    "cos: lower part of the cosine left out": without("cos", lambda family: family.tails[3]),
    "sin: whole turns": other("sin", angles.TWO_TURNS, angles.TWO_TURNS / 8.0),
    "sin: product contracted": ("sin", less_whole_turns),
    "tan: product contracted": ("tan", less_quotient),
    "cos: quarter of a turn": ("cos", lambda: planted.integer(512, 511)),
    "sin: row": ("sin", lambda: planted.integer(angles.INTEGER_EXPONENT + angles.FIRST_WORD, 990)),
    "tan: place of the exponent": ("tan", lambda: planted.integer(52, 51)),
}


def shown(part):
    """The pieces that faults are sought in."""
    pieces = list(part.pieces())
    if part.name == "value":
        near = [piece for piece in pieces if piece[0] in {PLACE, PLACE + 512, 2048 - 512 + PLACE}]
        quarter = [piece for piece in pieces if piece[0] == 512]
        return near + pieces[:6] + pieces[80:84] + quarter[:4]
    of_row = [piece for piece in pieces if piece[0] == angles.FIRST_WORD + 52 + ROW]
    return of_row + pieces[-4:] + pieces[:: len(pieces) // 8]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_found(fault):
    name, change = FAULTS[fault]
    assert planted.is_found(change(), proofs.fine_parts(name), shown)


@pytest.mark.parametrize("name", KERNELS)
def test_nothing_is_found_there_without_faults(name):
    for part in proofs.fine_parts(name):
        assert not prove(part, pieces=shown(part)).failed


CLAIMS = {
    "off": ("OFF_STEPS", 2.0**-147, "reduction"),
    "top": ("TOP", 0.4999, "reduction"),
    "sizes": ("SUMMANDS", (*proofs.SUMMANDS[:5], proofs.Summand(2.0**-95, -249)), "reduction"),
    "grids": ("SUMMANDS", (proofs.Summand(2.0**12, -30), *proofs.SUMMANDS[1:]), "reduction"),
    "least": ("LEAST_STEPS", 2.0**-61.5, "distance from steps"),
}


@pytest.mark.slow
@pytest.mark.parametrize("claim", CLAIMS)
def test_false_claims_are_refused(claim):
    constant, value, name = CLAIMS[claim]
    assert planted.is_refused_with((proofs, constant, value), lambda: parts_of("sin")[name])
