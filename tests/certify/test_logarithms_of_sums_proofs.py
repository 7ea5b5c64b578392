"""Proofs of double's asinh, acosh and atanh: every argument is in a piece, real errors, faults that they find."""

from __future__ import annotations

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.certify.certificates import certificate
from clmath.certify.proof import prove
from clmath.certify.proofs import logarithms_of_sums as proofs
from clmath.engines.device.program import Value
from clmath.kernels.double import inverse_hyperbolic as source
from clmath.kernels.double import logarithm
from tests.cases import for_each
from tests.certify import concrete, planted
from tests.certify.test_growth_proofs import raised

EXACTLY = gmpy2.context(precision=400, emin=-20000, emax=20000)
PLACE = 100
FUNCTIONS = {"asinh": gmpy2.asinh, "acosh": gmpy2.acosh, "atanh": gmpy2.atanh}


@pytest.fixture(scope="module")
def parts():
    """Those of each kernel."""
    return {name: {part.name: part for part in proofs.double_parts(name)} for name in FUNCTIONS}


def sizes(name, rng, count=1500):
    """Ordinary arguments of all sizes, next to 1, to powers of two, and to where the kernel does otherwise."""
    ends = np.concatenate([0.5 ** np.arange(0.0, 54.0), [source.DECIDED, source.LARGE]])
    ends = np.concatenate([ends, 1.0 - ends, 1.0 + ends, 1.0 + np.array(proofs._ABOUT_SMALL), 2.0 ** np.arange(1, 64)])
    drawn = np.exp2(rng.uniform(-40.0, 0.0, count)), np.exp2(rng.uniform(-53.0, 0.0, count)), rng.random(count)
    beyond = np.exp2(rng.uniform(0.0, 60.0, count)), np.exp2(rng.uniform(60.0, 1023.99, count // 4))
    near = 2.0 ** rng.integers(1, 41, count) * (1.0 + np.exp2(rng.uniform(-52.0, -1.0, count)))
    found = [ends, np.nextafter(ends, 0.0), np.nextafter(ends, 2.0), drawn[0], 1.0 - drawn[1], 1.0 + drawn[1], drawn[2]]
    found = np.concatenate([*found, *beyond, near])
    found = found[found > proofs._TOO_SMALL]
    return found[found > 1.0] if name == "acosh" else found[found < 1.0] if name == "atanh" else found


def is_small(name, a):
    """Where the kernel takes the polynomial."""
    return np.array(
        [gmpy2.sqrt(gmpy2.mpfr(x) ** 2 - 1) < source.SMALL if name == "acosh" else x < source.SMALL for x in a]
    )


@pytest.mark.parametrize("name", FUNCTIONS)
def test_every_argument_is_in_a_piece(name, parts):
    """And what is given of values there is so."""
    family, pieces = parts[name]["sums"].family, list(parts[name]["sums"].pieces())
    a = sizes(name, np.random.default_rng(21))
    with EXACTLY:
        small = is_small(name, a)
    near = list(parts[name]["near zero"].pieces())
    assert all(any(low <= one <= high for _, low, high in near) for one in a[small])
    found = concrete.values(family.traced, a)
    if name == "acosh":
        assert np.array_equal(found[family.small[0]], small)
    a = a[~small]
    if family.claimed.large:
        large = a > source.LARGE
        assert large.any()
        assert not found[family.m_lo][~small][large].any()
        a = a[~large]
    assert all(any(low <= one <= high for _, low, high in pieces) for one in a)
    found = concrete.values(family.traced, np.concatenate([a, -a]) if family.claimed.is_odd else a)
    y, rest, m_lo, k = (found[number] for number in (family.sum, family.rest, family.m_lo, family.k))
    assert (y > proofs._LEAST).all()
    assert (np.abs(rest) <= proofs._REST * y).all()
    assert (np.abs(m_lo) <= proofs._LEFT).all()
    assert ((k >= 0) & (k <= proofs._LAST_K)).all()
    assert np.array_equal(found[family.scale], np.exp2(-k.astype(float)))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_sums_are_as_near_as_is_proven(name, parts):
    """Y and what is beside it, by MPFR, where second parts of squares are largest."""
    family, rng = parts[name]["sums"].family, np.random.default_rng(23)
    a = sizes(name, rng)
    with EXACTLY:
        a = a[~is_small(name, a) & (a <= source.LARGE)]
        found = concrete.values(family.traced, a)
        for one, y, rest in zip(a.tolist(), found[family.sum].tolist(), found[family.rest].tolist(), strict=True):
            x = gmpy2.mpfr(one)
            exact = {
                "asinh": lambda x: x + gmpy2.sqrt(x * x + 1),
                "acosh": lambda x: x + gmpy2.sqrt(x * x - 1),
                "atanh": lambda x: (1 + x) / (1 - x),
            }[name](x)
            reach = max(
                reach.off for reach in family.claimed.sums if any(low <= one <= high for low, high in reach.binades())
            )
            assert abs(gmpy2.mpfr(y) + gmpy2.mpfr(rest) - exact) <= reach * exact


@pytest.mark.parametrize("name", FUNCTIONS)
def test_no_error_is_larger_than_what_is_proven(name):
    """By MPFR: as a share of err, below the largest that the certificate knows."""
    a = sizes(name, np.random.default_rng(22))
    x = a if name == "acosh" else np.concatenate([a, -a])
    with np.errstate(over="ignore"):  # of lanes that are scaled where they are tiny
        hi, lo, err, exponent = getattr(source, name)(x)
    assert not np.any(exponent)
    worst = 0.0
    with EXACTLY:
        for i, one in enumerate(x.tolist()):
            error = abs(gmpy2.mpfr(float(hi[i])) + gmpy2.mpfr(float(lo[i])) - FUNCTIONS[name](gmpy2.mpfr(one)))
            if abs(one) < source.DECIDED:
                assert error < 0.3 * np.spacing(abs(one))
                assert not err[i]
                continue
            worst = max(worst, float(error / gmpy2.mpfr(float(err[i]))))
    assert 0.05 < worst <= max(part["worst"] for part in certificate("double", name)["parts"])


def without(what):
    """The trace with 0 for the value that ``what`` takes of the numbers of the proof."""
    return lambda name: planted.without(what(proofs.family_of(name)))


def first_residual(family):
    """What the first of the sums that are a square root's residual is taken from."""
    head = family.heads[1]
    return next(
        number
        for number, s in enumerate(family.traced.program.statements, len(family.traced.program.inputs))
        if s.operation == "double.mul" and {o.number for o in s.operands if isinstance(o, Value)} == {head}
    )


ALL = tuple(FUNCTIONS)
ROOTS = ("asinh", "acosh")
FAULTS = {
    "coefficient of the logarithm": (
        ALL,
        "logarithm",
        planted.constant(logarithm.LOG1P_TAIL[0], raised(1.0 / 3.0, 40)),
    ),
    "head of a logarithm one place up": (ALL, "logarithm", planted.entry(logarithm.LOG_HI, PLACE)),
    "reciprocal one place up": (ALL, "logarithm", planted.entry(logarithm.RECIPROCAL, PLACE)),
    "k LN2_LO left out": (ALL, "logarithm", planted.constant(logarithm.LN2_LO, 0.0)),
    "what is beside y left out": (ALL, "logarithm", without(lambda family: family.m_lo)),
    "1": (ALL, "sums", planted.constant(1.0, 1.0 + 2.0**-52)),
    "0.5": (ROOTS, "sums", planted.constant(0.5, 0.5 - 2.0**-10)),
    "square of the root's head left out": (ROOTS, "sums", without(first_residual)),
    "bound near zero": (("asinh", "atanh"), "near zero", planted.constant(source.TAIL_BOUND, source.TAIL_BOUND / 64.0)),
    "bound near zero, relative": (
        ("acosh",),
        "near zero",
        planted.constant(source.ACOSH_BOUND, source.ACOSH_BOUND / 4.0),
    ),
    "coefficient": (("atanh",), "near zero", planted.constant(source.ATANH_TAIL[0], raised(source.ATANH_TAIL[0], 44))),
    "coefficient of the other": (
        ROOTS,
        "near zero",
        planted.constant(source.ASINH_TAIL[0], raised(source.ASINH_TAIL[0], 40)),
    ),
    "bound halved": (ROOTS, "values", planted.constant(source.WIDEST, source.WIDEST / 2.0)),
    "bound of atanh halved": (("atanh",), "values", planted.constant(source.ATANH_WIDEST, source.ATANH_WIDEST / 2.0)),
    "bias": (ALL, "places", planted.integer(1023, 1022)),
    "mask of j": (ALL, "places", planted.integer(255, 127)),
}
CASES = [(fault, name) for fault, (names, _, _) in FAULTS.items() for name in names]


def shown(part):
    pieces = list(part.pieces())
    if part.name == "logarithm":
        return [piece for piece in pieces if piece[0][1] == PLACE]
    if part.name in {"places", "near zero"}:
        return pieces
    return [*pieces[:: max(6, len(pieces) // 10)], *pieces[-2:]]


@pytest.mark.slow
@for_each(("fault", "name"), CASES)
def test_faults_are_found(fault, name, parts):
    _, part, change = FAULTS[fault]
    change = change if change.__name__ == "change" else change(name)
    right = parts[name][part]
    assert planted.is_refused(planted.altered(right, change), right, shown(right))


@pytest.mark.parametrize("name", FUNCTIONS)
def test_nothing_is_found_there_without_faults(name, parts):
    for part in parts[name].values():
        assert not prove(part, pieces=shown(part)).failed
