"""Proofs of fine's erf and erfc: parts are given what they are proven for."""

from __future__ import annotations

import numpy as np
import pytest

pytest.importorskip("flint")

from clmath.kernels.double import error_function as double
from clmath.kernels.fine import error_function as source
from proofs.families import narrowed_error_function as proofs
from tests.cases import for_each
from tests.proofs import concrete
from tests.proofs.proofs_of import fine_parts, told

KERNELS = proofs.NAMES


def kernel_of(name):
    return fine_parts(name)["series"].family


# the second checker


# all arguments are in a piece


def arguments(name, rng, count=80):
    """Of all sizes that are not decided, of both signs, and next to where the kernel does otherwise."""
    top = double.SATURATED if name == "erf" else double.TOP
    ends = np.concatenate([[double.TINY, source.ROOT, double.SATURATED, double.TOP], np.arange(1, 56, 4) / 16])
    near = np.concatenate([ends, np.nextafter(ends, 0.0), np.nextafter(ends, np.inf)])
    sizes = np.concatenate([near, np.exp2(rng.uniform(-61.0, 4.8, count)), rng.uniform(0.0, top, count)])
    if name == "erf":
        sizes = np.concatenate([sizes, np.exp2(rng.uniform(-1074.0, -60.0, count // 4)), [2.0**-1074, 2.0**-1022]])
    sizes = sizes[(sizes >= (0.0 if name == "erf" else double.TINY)) & (sizes <= top)]
    x = np.concatenate([sizes, -sizes])
    return x[(np.abs(x) < double.SATURATED) | ((name == "erfc") & (x > 0.0))]


def values_of(name, x):
    """All values of the trace, told what the double kernel gives; and that."""
    given = told(name, x)
    return concrete.values(kernel_of(name).traced, x, *given), given


@for_each("name", KERNELS)
def test_every_argument_is_proven(name, rng):
    """Values are as parts are given them, and they lie in pieces; exponents are what is told, or no less."""
    x = arguments(name, rng)
    parts, kernel = fine_parts(name), kernel_of(name)
    values, told = values_of(name, x)
    far = np.abs(x) > source.ROOT
    assert np.array_equal(values[kernel.far], far)
    assert values[kernel.usable][~far].all()
    pieces = [(low, high) for _, low, high in parts["series"].pieces()]
    assert all(any(low <= one <= high for low, high in pieces) for one in np.abs(x[~far]).tolist())
    for decay, here in ((kernel.near, ~far & (np.abs(x) >= double.TINY)), (kernel.beyond, far)):
        assert_decays(decay, values, here, -17 if decay is kernel.beyond else 0)
    assert_pair(values, kernel.pairs[-1], far, proofs._FRACTIONS, proofs._LOWER_OF_FRACTION)
    apart = told[3] - exponents(kernel, values, x.shape)
    scaled = (name == "erfc") & ~far & (x > 0.0)
    assert not apart[~scaled].any()
    assert ((apart[scaled] <= 0) & (apart[scaled] >= -proofs._MOST_APART)).all()


def exponents(kernel, values, shape):
    own = kernel.own.exponent
    return np.broadcast_to(values[own.number], shape)


def assert_decays(decay, values, here, most_k):
    assert_pair(values, decay.power, here, proofs._ENDS, proofs._LOWER)
    k, j, n = (values[number][here] for number in (decay.k, decay.j, decay.n))
    assert np.array_equal(n, 256 * k + j)
    assert (k <= most_k).all()
    rest, rest_lo = (values[number][here] for number in decay.rest)
    assert (np.abs(rest) <= 0.00136).all()
    assert (np.abs(rest_lo) <= 2.0**-62).all()


def assert_pair(values, pair, here, ends, lower):
    hi, lo = (values[number][here] for number in pair)
    assert ((hi >= ends[0]) & (hi <= ends[1])).all()
    assert (np.abs(lo) <= lower * hi).all()


# the kernels' real errors


# faults
