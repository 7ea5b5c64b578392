"""MPFR and mpmath agree on every built-in, format and mode; they share no code, so errors are independent."""

from __future__ import annotations

import ast
from pathlib import Path

import numpy as np
import pytest

from clmath import reference
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS
from clmath.numbers.rounding import MODES, Enclosure
from clmath.reference import mpfr, plain
from clmath.spec.builtins import builtins, precise
from clmath.spec.special_values import parse, special_values
from tests.builtins import CASES, Case, Expected, assert_bits, expected, inputs
from tests.cases import for_each

PACKAGE = Path(reference.__file__).parent
SLOW = ("erf", "erfc", "tgamma")  # in mpmath


def imported(module: str) -> set[str]:
    """Return the modules of the reference that ``module`` imports, directly or not, including itself."""
    found, waiting = {module}, [module]
    while waiting:
        tree = ast.parse((PACKAGE / f"{waiting.pop()}.py").read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.ImportFrom) and node.module == "clmath.reference":
                names = {alias.name for alias in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module.startswith("clmath.reference."):
                names = {node.module.rpartition(".")[2]}
            else:
                continue
            waiting += sorted(names - found)
            found |= names
    return found


def test_oracles_share_no_module():
    first, second = imported("mpfr"), imported("mp")
    assert {"operations", "plain", "geometry"} <= first
    assert {"encoded", "rational", "special"} <= second
    assert first & second == set()


def columns(case, count):
    """Return evenly spaced inputs of a case, so of all kinds, as an array for each number that a call takes."""
    args, kinds = inputs(case)
    places = np.unique(np.linspace(0, kinds.size - 1, count).astype(int))
    return Expected(case, tuple(a[places] for a in args)).columns


def assert_agree(case, given):
    """Assert equal bits by MPFR and mpmath in every mode; ``given``: an array for each number that a call takes."""
    plain = case._replace(width=0)
    ours, theirs = (Expected(plain, given, oracle) for oracle in ("mpfr", "mpmath"))
    for mode in MODES:
        assert_bits(theirs.once(mode), ours.once(mode), plain, f"{mode}, mpmath", given)


def of_one_value(form):
    """Return the cases of a format, without built-ins that have the same exact value as another one."""
    return [case for case in CASES if case.form is form and precise(case.name) == case.name]


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_oracles_agree(form):
    for case in of_one_value(form):
        count = 20 if case.name in SLOW else 60
        assert_agree(case, columns(case, count))


@pytest.mark.exhaustive
@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_oracles_agree_on_all_special_and_hard_values(form):
    for case in of_one_value(form):
        _, kinds = inputs(case)
        places = np.flatnonzero(np.isin(kinds, ["special", "prescribed", "hard"]))[:: 4 if case.name in SLOW else 1]
        assert_agree(case, [c[places] for c in expected(case).columns])


@for_each("case", [case for case in CASES if precise(case.name) != case.name])
def test_exact_values_of_variants_equal_the_precise_built_in(case):
    given = columns(case, 9)
    for oracle in ("mpfr", "mpmath"):
        found, want = (reference.enclose(n, given, case.form, oracle) for n in (case.name, precise(case.name)))
        for one, other in zip(found, want, strict=True):
            assert all(np.array_equal(a, b, equal_nan=True) for a, b in zip(one, other, strict=True))


@for_each("case", CASES)
def test_enclosures_are_normalized_and_exact(case):
    for value in reference.enclose(case.name, columns(case, 200), case.form):
        if not isinstance(value, Enclosure):
            assert value.dtype == np.int32
            continue
        assert not value.err.any()
        with np.errstate(all="ignore"):
            nearest = value.hi + np.where(np.isfinite(value.hi), value.lo, 0.0)
        assert np.array_equal(value.hi, nearest, equal_nan=True)
        if case.form is not DOUBLE:
            assert not value.lo.any()
            assert not value.exponent[value.hi != 0.0].any()


@for_each("name", ["sin", "dot", "frexp", "normalize", "sincos"])
@for_each("oracle", ["mpfr", "mpmath"])
def test_empty_arrays_give_empty_results(name, oracle):
    row = builtins()[name]
    args = [np.zeros(0, np.float32) for _ in range(len(row.inputs) * max(row.widths, default=1))]
    results = reference.enclose(name, args, DOUBLE, oracle)
    assert [len(getattr(r, "hi", r)) for r in results] == [0] * (4 if name == "normalize" else len(row.outputs))


@pytest.mark.slow
@for_each("name", sorted(plain.PLAIN))
def test_fault_in_the_first_oracle_is_not_in_the_second(name, monkeypatch):
    right = plain.PLAIN[name]

    def opposite(value):
        if isinstance(value, tuple):
            return tuple(map(opposite, value))
        return ~value if isinstance(value, int) else -value

    wrong = (lambda *_: 0.0) if name == "nan" else lambda form, *args: opposite(right(form, *args))
    given = columns(Case(name, FLOAT), 300)
    monkeypatch.setitem(plain.PLAIN, name, wrong)
    mpfr._evaluation.cache_clear()  # caches the correct function
    try:
        with pytest.raises(AssertionError, match=f"{name}, float, rte, mpmath"):
            assert_agree(Case(name, FLOAT), given)
    finally:
        mpfr._evaluation.cache_clear()  # caches the faulty function


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_fault_in_special_values_is_not_in_both_oracles(form, monkeypatch):
    from clmath.reference import special

    wrong = parse("tanpi(1) = +0", "a mistake")
    monkeypatch.setattr(special, "special_values", lambda name: (*special_values(name), wrong))
    with pytest.raises(AssertionError, match=r"1 of 3 wrong in result 0, the first at \(1,\): tanpi\(0x1.0"):
        assert_agree(Case("tanpi", form), [np.array([0.5, 1.0, 2.0], form.dtype)])
