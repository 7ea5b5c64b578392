"""Errors of kernels, measured by MPFR, are within the bounds of their certificates.

The worst arguments found by searches are tried again in test_attacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

pytest.importorskip("flint")

from benchmarks.attack import judges
from benchmarks.attack.arguments import KINDS, Space
from clmath.kernels import PHASES
from proofs.certificates import certificate
from proofs.registry import PROOFS
from tests.cases import for_each

if TYPE_CHECKING:
    from collections.abc import Callable

KERNELS = sorted(PROOFS)
QUICK, DOUBLE = (2.0**-152, 2.0**130), (0.0, np.inf)  # sizes beyond which values only round like the exact ones


class Result(NamedTuple):
    """One of the results of a kernel, as judges take kernels."""

    name: str
    phase: str
    function: Callable


def results_of(phase, name):
    """The results of a kernel."""
    kernel = judges.kernel_of(phase, name)
    names = PHASES["accurate" if phase == "narrowing" else phase].together.get(name, (name,))
    width = 2 if phase == "fast" else 4
    for i, one in enumerate(names):
        yield Result(one, phase, lambda *args, i=i: kernel.function(*args)[i * width : (i + 1) * width])


def shares(result, args, integers):
    """The errors relative to the bound; 0 where the kernel claims that a result is exact or beyond all numbers."""
    with np.errstate(all="ignore"):
        parts = [np.broadcast_to(part, args[0].shape) for part in result.function(*args)]
        (hi, *_, err), exponent = (parts, 0) if result.phase == "fast" else (parts[:3], parts[3])
        size = np.abs(np.ldexp(hi, exponent))
    least, most = QUICK if result.phase == "fast" else DOUBLE
    judged = np.flatnonzero((err > 0.0) & (size > least) & (size < most))
    found = np.zeros(args[0].shape)
    found[judged] = judges.by_mpfr(result, [a[judged] for a in args], integers)
    return found


def largest(phase, name, count, rounds):
    """The largest share of its bound that an error takes, climbing from the arguments where it is largest."""
    space, rng, worst = Space.of(judges.kernel_of(phase, name)), np.random.default_rng(len(name)), 0.0
    generated = [
        np.concatenate(given) for given in zip(*(space.generated(rng, kind, count) for kind in KINDS), strict=True)
    ]
    for result in results_of(phase, name):
        args = generated
        for _ in range(rounds):
            found = shares(result, args, space.integers)
            worst = max(worst, found.max())
            args = space.nearby(rng, [np.repeat(a[np.argsort(found)[-count:]], 4) for a in args])
    return worst


def climb(phase, step):
    """Every ``step``-th kernel of a phase is attacked at length."""
    for name in [name for one, name in KERNELS if one == phase][::step]:
        check(phase, name, 500, 4)


def check(phase, name, count, rounds):
    proven = max(part["worst"] for part in certificate(phase, name)["parts"])
    worst = largest(phase, name, count, rounds)
    assert 0.0 < worst <= proven


@for_each(("phase", "name"), KERNELS)
def test_no_error_is_larger_than_proven(phase, name):
    check(phase, name, 50, 2)


@pytest.mark.slow
@pytest.mark.parametrize("phase", ["fast", "accurate", "narrowing"])
def test_no_error_is_larger_than_proven_where_an_attack_climbs(phase):
    climb(phase, step=8)


@pytest.mark.exhaustive
@pytest.mark.parametrize("phase", ["fast", "accurate", "narrowing"])
def test_no_error_of_any_kernel_is_larger_than_proven_where_an_attack_climbs(phase):
    climb(phase, step=1)
