"""Injected faults: the same for the same seed, violations all of them, and found where an audit has to find them."""

import importlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

ROOT = Path(__file__).resolve().parents[2]

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(not (ROOT / "benchmarks").is_dir(), reason="an installed clmath has no benchmarks"),
]


@pytest.fixture
def faults(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.detection.faults")


@pytest.fixture
def doors(monkeypatch):
    monkeypatch.syspath_prepend(str(ROOT))
    return importlib.import_module("benchmarks.detection.doors")


def injected(faults, seed, count):
    return list(faults.planted(np.random.default_rng(seed), faults.KINDS, count))


def test_seed_determines_the_faults(faults):
    one, again, others = ([f"{kind}: {fault}" for kind, fault in injected(faults, seed, 6)] for seed in (5, 5, 6))
    assert one == again
    assert not set(one) & set(others)


def test_kinds_have_their_shares(faults):
    kinds = [kind for kind, _ in injected(faults, 1, 40)]
    for kind, (share, _) in faults.KINDS.items():
        assert abs(kinds.count(kind) - share / 5) <= 1.0, kind


def test_audit_finds_a_fault_of_each_kind(faults, doors):
    of_kind = {}
    for number, (kind, fault) in enumerate(injected(faults, 7, 24)):
        of_kind.setdefault(kind, []).append((number, fault))
    for kind in of_kind.keys() - {"band of 2^-10 to 1 binade", "band of one argument of several"}:
        number, fault = of_kind[kind][0]
        assert doors.DOORS["audit"](fault, number), f"{kind}: {fault}"


@pytest.mark.parametrize("door", ["audit", "conformance_test", "strategies"])
def test_no_door_finds_a_fault_in_right_results(faults, doors, door):
    _, fault = injected(faults, 2, 1)[0]
    correct = replace(fault, results=lambda right, args: right(*args))
    assert doors.DOORS[door](correct, 0) is False


def test_kit_is_not_asked_for_vectors(faults, doors):
    fault = next(f for kind, f in injected(faults, 3, 60) if kind == "lane" and f.item.vector > 1)
    assert doors.DOORS["conformance_test"](fault, 0) is None
    assert doors.DOORS["strategies"](fault, 0) is None
