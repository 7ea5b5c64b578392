"""Real errors of kernels, by MPFR, are no larger than their certificates say.

What attacks have found is tried again in test_attacks.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
import pytest

pytest.importorskip("flint")

from benchmarks.attack import judges
from benchmarks.attack.arguments import KINDS, Space
from clmath.kernels import RUNGS
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
    rung: str
    function: Callable


def results_of(rung, name):
    """The results of a kernel."""
    kernel = judges.kernel_of(rung, name)
    names = RUNGS["double" if rung == "fine" else rung].together.get(name, (name,))
    width = 2 if rung == "quick" else 4
    for i, one in enumerate(names):
        yield Result(one, rung, lambda *args, i=i: kernel.function(*args)[i * width : (i + 1) * width])


def shares(result, args, integers):
    """The errors as shares of the bound; 0 where the kernel says that a result is exact or beyond all numbers."""
    with np.errstate(all="ignore"):
        parts = [np.broadcast_to(part, args[0].shape) for part in result.function(*args)]
        (hi, *_, err), exponent = (parts, 0) if result.rung == "quick" else (parts[:3], parts[3])
        size = np.abs(np.ldexp(hi, exponent))
    least, most = QUICK if result.rung == "quick" else DOUBLE
    judged = np.flatnonzero((err > 0.0) & (size > least) & (size < most))
    found = np.zeros(args[0].shape)
    found[judged] = judges.by_mpfr(result, [a[judged] for a in args], integers)
    return found


def largest(rung, name, count, rounds):
    """The largest share of its bound that an error takes, climbing from the arguments where it is largest."""
    space, rng, worst = Space.of(judges.kernel_of(rung, name)), np.random.default_rng(len(name)), 0.0
    drawn = [np.concatenate(given) for given in zip(*(space.drawn(rng, kind, count) for kind in KINDS), strict=True)]
    for result in results_of(rung, name):
        args = drawn
        for _ in range(rounds):
            found = shares(result, args, space.integers)
            worst = max(worst, found.max())
            args = space.nearby(rng, [np.repeat(a[np.argsort(found)[-count:]], 4) for a in args])
    return worst


def check(rung, name, count, rounds):
    proven = max(part["worst"] for part in certificate(rung, name)["parts"])
    worst = largest(rung, name, count, rounds)
    assert 0.0 < worst <= proven


@for_each(("rung", "name"), KERNELS)
def test_no_error_is_larger_than_proven(rung, name):
    check(rung, name, 50, 2)


@pytest.mark.slow
@pytest.mark.parametrize("rung", ["quick", "double", "fine"])
def test_no_error_is_larger_than_proven_where_an_attack_climbs(rung):
    for name in [name for one, name in KERNELS if one == rung]:
        check(rung, name, 500, 4)
