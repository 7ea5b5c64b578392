"""Proofs of fine's log1p, asinh, acosh and atanh: parts are given what they are proven for."""

from __future__ import annotations

import gmpy2
import numpy as np
import pytest

pytest.importorskip("flint")

from proofs.families import narrowed_sums as proofs
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.proofs_of import fine_parts, told

KERNELS = tuple(proofs.CLAIMED)
CONTRACTS = proofs.CONTRACTS
EXACTLY = gmpy2.context(precision=2400)


def is_argument(name, x):
    """Whether the double kernel does not decide by itself."""
    size = np.abs(x)
    if name == "log1p":
        return (size >= 2.0**-60) & (x > -1.0) & (x < np.inf)
    if name == "acosh":
        return (x > 1.0) & (x < np.inf)
    return (size >= 1.5 * 2.0**-27) & (size < (1.0 if name == "atanh" else np.inf))


def arguments(name, draw, count):
    """Of all binades, and of all distances from what ends them: 1, -1, 2^60, halves of steps of ln(2)/256."""
    rng = np.random.default_rng(draw.getrandbits(32))
    ties = (np.arange(0, 600, 7) + 0.5) * (np.log(2.0) / 256)
    inverse = {"log1p": np.expm1, "asinh": np.sinh, "acosh": np.cosh, "atanh": lambda y: np.tanh(y / 2)}[name]
    near = np.exp2(rng.uniform(-53.0, 0.0, count))
    sizes = [np.exp2(rng.uniform(-60.0, 1024.0, count)), np.exp2(rng.uniform(-60.0, 3.0, count))]
    ends = [[np.finfo(np.float64).max, 2.0**60, 1.0 + 2.0**-52, 1.0 - 2.0**-53, 1.5 * 2.0**-27, 2.0**-60]]
    sizes = np.concatenate([*sizes, *ends, np.nextafter(2.0**60, ends[0][:2]), inverse(ties), 1.0 + near, 1.0 - near])
    x = np.concatenate([sizes, -sizes])
    return x[is_argument(name, x)]


def values_of(name, x):
    """All values of the trace, told what the double kernel gives; and that."""
    given = told(name, x)
    return concrete.values(fine_parts(name)["sums"].traced, x, *given), given


def meant(name, x):
    """Q, and what the kernel's value is without its sign, or twice that."""
    size = abs(x)
    if name == "log1p":
        return (x if x > 0 else -x / (1 + x)), abs(gmpy2.log1p(x))
    if name == "asinh":
        return size + gmpy2.sqrt(size * size + 1) - 1, gmpy2.asinh(size)
    if name == "acosh":
        return x - 1 + gmpy2.sqrt((x - 1) * (x + 1)), gmpy2.acosh(x)
    return 2 * size / (1 - size), 2 * gmpy2.atanh(size)


@for_each("name", KERNELS)
def test_each_part_is_given_values_that_the_one_before_leaves(name, draw):
    """The contracts, at arguments of all kinds: by MPFR, with the values of the trace."""
    family, x = fine_parts(name)["sums"].family, arguments(name, draw, 60)
    values, told = values_of(name, x)
    numbers = (*family.l, *family.q, *family.top, family.n, *family.turned, *family.rise, family.step, family.change)
    for i in np.flatnonzero(told[2] > 0.0).tolist():
        with EXACTLY:
            found = [gmpy2.mpfr(values[number][i].item()) for number in numbers]
            l, l_lo, q, q_lo, top, top_lo, n, r, r_lo, rise, rise_lo, step, change = found
            k, err = int(values[family.integers[0]][i]), gmpy2.mpfr(float(told[2][i])) / family.factor
            whole, exact = meant(name, gmpy2.mpfr(float(x[i])))
            s = 1 - gmpy2.exp(l + l_lo - exact)
            twice = 1 if family.large is not None and values[family.large][i] else 0
            assert abs(l + l_lo - exact) <= err <= CONTRACTS.most(float(l))
            assert abs((q + q_lo) * 2**twice - whole) <= proofs.Q_BOUND * whole
            assert abs(q_lo) <= CONTRACTS.low * q
            assert abs((top + top_lo) * gmpy2.exp2(k) - whole) <= CONTRACTS.share * whole
            assert abs(step - s) <= change + CONTRACTS.beside * CONTRACTS.most(float(l) if n == 0 else 1.0)
            assert 0 <= change <= CONTRACTS.change * l
            if n:
                assert abs(r + r_lo + n * gmpy2.const_log2() / 256 - l - l_lo) <= CONTRACTS.off
                assert abs(rise + rise_lo - gmpy2.expm1(r + r_lo)) <= CONTRACTS.rise_off
                assert abs(r) <= CONTRACTS.reach
                assert abs(r_lo) <= CONTRACTS.reach_lo
                assert abs(rise) <= CONTRACTS.rise
                assert abs(rise_lo) <= CONTRACTS.rise_lo
        assert abs(l_lo) <= 2.0**-53 * l


@for_each("name", KERNELS)
def test_every_argument_is_in_a_piece(name, draw):
    """Of each part that speaks of it."""
    parts = fine_parts(name)
    family, x = parts["sums"].family, arguments(name, draw, 40)
    values, told = values_of(name, x)
    pieces = {name: list(part.pieces()) for name, part in parts.items()}

    def has(part, at, *which):
        return any((not which or of == which[0]) and low <= at <= high for of, low, high in pieces[part])

    numbers = family.l[0], family.q[0], family.n, *family.integers, family.turned[0], family.rise[0]
    for i in np.flatnonzero(told[2] > 0.0).tolist():
        l, q, n, k, j, r, rise = (values[number][i].item() for number in numbers)
        twice = int(family.large is not None and values[family.large][i])
        assert name == "log1p" or any(has(part, abs(x[i])) for part in pieces if part.startswith("told"))
        assert has("sums", l, -1 if x[i] < 0.0 else 1)
        assert has("reduction", l)
        assert has("scaled", q, (k, twice))
        assert n == 256 * k + j
        if "roots" in parts:
            assert has("roots", abs(x[i]), "large" if twice else "usual") or has("roots", abs(x[i]) - 1.0, "next to 1")
        elif name == "atanh" or x[i] < 0.0:
            assert has("quotients", abs(x[i]))
        if n == 0:
            assert has("step near 0", l)
            continue
        assert has("rise", r)
        assert any(low <= k <= high and of == j and abs(rise) <= end for ((low, high), of), _, end in pieces["step"])
    assert values[family.own.taken].mean() > 0.5
    assert (values[family.own.scale][values[family.own.taken]] == 1.0).all()


# faults
