"""Records of attacks on kernels are true and within the proven bounds; an attack finds a bound that is too small."""

import numpy as np
import pytest

pytest.importorskip("flint")


from benchmarks.attack import climb, judges
from benchmarks.attack.arguments import KINDS, Space, members
from benchmarks.attack.records import FOUND, attacked, record
from clmath.kernels import ACCURATE, FAST
from clmath.kernels.fast import logarithm
from proofs.certificates import certificate
from proofs.registry import PROOFS
from tests.cases import for_each

SEED = 1
RECORDS = attacked()


@for_each(("phase", "name"), RECORDS)
def test_records_are_true(phase, name):
    found, proven = record(phase, name), certificate(phase, name)
    again = f"python -m benchmarks.attack {name} --phase {phase} --undecided 2e6 --out {FOUND}"
    assert found["program"] == proven["program"], again
    args = tuple(np.array([float.fromhex(x)]) for x in found["arguments"])
    kernel = judges.kernel_of(phase, name)
    (share,) = judges.by_mpfr(kernel, args, Space.of(kernel).integers)
    assert share == pytest.approx(found["share"], abs=1e-4)
    assert 0.0 < share <= max(part["worst"] for part in proven["parts"])


@pytest.mark.slow
@for_each(("phase", "name"), [one for one in RECORDS if one[0] != "narrowing"])
def test_both_judges_agree(phase, name):
    """Arguments of all kinds: by a closer kernel as by MPFR, where that is more than a hundredth of the bound."""
    kernel = judges.kernel_of(phase, name)
    space, rng = Space.of(kernel), np.random.default_rng(SEED)
    for kind in KINDS:
        args = space.generated(rng, kind, 256)
        shares = judges.by_a_closer_kernel(kernel, args)
        some = np.flatnonzero(shares > 0.01)
        exact = judges.by_mpfr(kernel, [a[some] for a in args], space.integers)
        np.testing.assert_allclose(shares[some], exact, atol=0.01)


@pytest.mark.slow
def test_an_attack_finds_a_bound_that_is_too_small(monkeypatch):
    kernel, parts = FAST.kernels["log"], PROOFS["fast", "log"]("log")  # traced, and kept, with the right bound
    monkeypatch.setattr(logarithm, "BOUND", 0.4 * logarithm.BOUND)
    found = climb.climbed(kernel, parts, certificate("fast", "log"), 1 << 18, SEED)
    assert found.share > 1.0


def test_members_lie_in_a_cell_of_arguments():
    kernel, (part,) = FAST.kernels["asinpi"], PROOFS["fast", "asinpi"]("asinpi")
    where, space, rng = "arguments 1: 0.25 .. 0.25390625", Space.of(kernel), np.random.default_rng(SEED)
    (x,) = members(part, where, space, rng, lambda count: space.generated(rng, KINDS[0], count))
    assert x.size > 1000
    assert np.all((x >= 0.25) & (x <= 0.25390625))
    np.testing.assert_array_equal(x, x.astype(np.float32))


def test_members_lie_in_a_cell_of_rests():
    kernel, (_, part) = ACCURATE.kernels["exp"], PROOFS["accurate", "exp"]("exp")
    where, space, rng = "power 103: 0.0007 .. 0.0014", Space.of(kernel), np.random.default_rng(SEED)
    (x,) = members(part, where, space, rng, lambda count: space.generated(rng, KINDS[0], count))
    n = np.rint(x * (256.0 / np.log(2.0)))
    rest = x - n * (np.log(2.0) / 256.0)
    assert x.size > 20
    assert np.all(n % 256 == 103)
    assert np.all((rest > 0.0007 - 1e-12) & (rest < 0.0014))
