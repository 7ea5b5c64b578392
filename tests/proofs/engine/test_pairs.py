"""Arithmetic on pairs, hi + lo, of numbers of 4 to 6 bits: the largest error over all pairs is within its claimed
bound.

The docstrings' bounds of 2^-104, 2^-102 and 2^-100 are 4, 16 and 64 u^2 with u = 2^-53; here u is 2^-p. Published
bounds: Joldes, Muller and Popescu, Tight and rigorous error bounds for basic building blocks of double-word arithmetic
(TOMS 44(2), 2017), their algorithms 4 (2 u^2), 6 (3 u^2 / (1 - 4 u)), 8 (3 u^2) and 10; of the last one Muller and
Rideau, Formalization of double-word arithmetic (TOMS 48(1), 2022), have 5 u^2 in place of 7 u^2. The papers state them
from 3 to 5 bits on. The quotient's and the root's order of operations is of this package; for similar ones there are 15
u^2 + 56 u^3 (algorithm 17), and 25/8 u^2 (Lefevre, Louvet, Muller, Picot and Rideau, TOMS 49(1), 2023).
"""

from __future__ import annotations

import numpy as np
import pytest

from clmath.ir import primitives
from clmath.kernels.accurate import pairs as source
from tests.cases import for_each
from tests.planting import plant
from tests.proofs.engine.few_bits import Few, exact_sum

FORMS = [Few(precision) for precision in (4, 5, 6)]
of_each = pytest.mark.parametrize("form", FORMS, ids=lambda form: f"{form.precision} bits")
BELOW = {4: 5, 5: 1, 6: 2}  # number of binades below half a place for lo
COUNT = 20_000  # couples for each distance of exponents


def all_pairs(form, below, widest=0.5):
    """Heads from 1 to 2, and with each every lo that leaves it so, to as many binades below half a place, and zero.

    ``widest``: how many places of hi lo may have, hi not being the rounded sum then.
    """
    tails = form.numbers(range(-form.precision - below, -form.precision + 2))
    hi, lo = (grid.ravel() for grid in np.meshgrid(form.significands(), tails))
    kept = form.rounded(hi + lo) == hi if widest == 0.5 else np.abs(lo) <= widest * 2.0 ** (1 - form.precision)
    return hi[kept], lo[kept]


def couples(form, name, rng):
    """Random pairs with pairs of either sign, or with numbers, the second moved by binades where that matters."""
    one = all_pairs(form, BELOW[form.precision])
    other = one if name.endswith("pair") else (form.significands(), np.zeros(len(form.significands())))
    apart = 2 * form.precision + 2 if name.startswith("plus") else 0
    for shift in range(-apart, apart + 1):
        places = rng.integers(0, one[0].size * other[0].size * 2, COUNT)
        first, second = (places >> 1) // other[0].size, (places >> 1) % other[0].size
        scale = np.where(places & 1, -1.0, 1.0) * 2.0**shift
        parts = (one[0][first], one[1][first], other[0][second] * scale, other[1][second] * scale)
        yield tuple(map(form.elements, parts))


def is_pair(hi, lo):
    """Whether hi is hi + lo rounded."""
    return np.array_equal((hi + lo).values, hi.values)


class Worst:
    """The largest relative error, in u^2, computed exactly."""

    def __init__(self, form):
        self.form, self.value = form, 0.0

    def note(self, error, size):
        """Take errors of results into account, with the sizes that they are relative to."""
        assert not error[size == 0.0].any()
        ratio = np.abs(error[size != 0.0] / size[size != 0.0])
        self.value = max(self.value, float(ratio.max(initial=0.0)) * 4.0**self.form.precision)


def worst_of(form, name, couples):
    """The largest errors of a function of two pairs, or of a pair and a number."""
    function, worst = form.functions()[name], Worst(form)
    for hi, lo, b_hi, b_lo in couples:
        parts = (hi, lo, b_hi, b_lo) if name.endswith("pair") else (hi, lo, b_hi)
        found = function(*parts)
        assert is_pair(*found), name
        got, a = exact_sum(found[0].values, found[1].values), exact_sum(hi.values, lo.values)
        b = exact_sum(b_hi.values, b_lo.values) if name.endswith("pair") else b_hi.values
        if name.startswith("plus"):
            exact = exact_sum(a, b)
            worst.note(exact_sum(got, -exact), exact)
        elif name.startswith("times"):
            worst.note(exact_sum(got, -(a * b)), a * b)
        else:
            worst.note(exact_sum(got * b, -a), a)
    return worst.value


# by function: the published bound, the docstring's bound, and the least value of the largest error, all in u^2
CLAIMED = {
    "plus": (lambda u: 2.0, 4.0, 1.5),  # noqa: ARG005
    "plus_pair": (lambda u: 3.0 / (1.0 - 4.0 * u), 4.0, 1.8),
    "times": (lambda u: 3.0, 4.0, 1.2),  # noqa: ARG005
    "times_pair": (lambda u: 5.0, 16.0, 2.2),  # noqa: ARG005
    "over_pair": (lambda u: 15.0 + 56.0 * u, 64.0, 2.5),
}


@pytest.mark.slow
@of_each
@for_each("name", CLAIMED)
def test_errors_of_pairs(name, form):
    """Relative ones, of sums even where the two cancel; results are pairs again."""
    check_errors(name, form, np.random.default_rng(form.precision))


def check_errors(name, form, rng):
    published, said, reached = CLAIMED[name]
    worst = worst_of(form, name, couples(form, name, rng))
    assert reached < worst <= min(published(2.0**-form.precision), said)


@of_each
def test_square_root(form):
    """For pairs with |lo| up to a last place of hi, s + s_lo is within 64 u^2; if hi is the rounded sum, within 25/8
    u^2.
    """
    for widest, bound in ((0.5, 25 / 8), (1.0, 64.0)):
        hi, lo = (np.concatenate([part, 2.0 * part]) for part in all_pairs(form, 5, widest))
        s, rest = form.functions()["square_root"](form.elements(hi), form.elements(lo))
        got, exact = exact_sum(s.values, rest.values), exact_sum(hi, lo)
        assert (np.abs(got * got - exact) * 4.0**form.precision <= 2.0 * bound * exact).all()
        assert (got * got != exact).any()


FAULTS = [
    (primitives.two_sum, "(a - (s - t)) + (b - t)", "(b - t)"),
    (primitives.fast_two_sum, "(a - s) + b", "(b - s) + a"),
    (primitives.two_product, "+ al * bl", "+ 0.0 * bl"),
    (source.plus_pair, "t, f = two_sum(lo, b_lo)", "t, f = lo + b_lo, 0.0"),
    (source.plus_pair, "fast_two_sum(s, e + t)", "s, e + t"),
    (source.plus, "e + lo", "e"),
    (source.times, "lo * b", "0.5 * lo * b"),
    (source.times_pair, "+ lo * b_hi", "- lo * b_hi"),
    (source.over_pair, "- quotient * b_lo", ""),
    (source.over_pair, "- e)", "+ e)"),
]


@pytest.mark.slow
@for_each("fault", FAULTS)
def test_faults_are_detected(fault, monkeypatch):
    """A term left out of a sum or a product makes an error larger than its bound."""
    plant(monkeypatch, *fault)
    rng = np.random.default_rng(1)
    assert not all(are_as_claimed(name, rng) for name in reversed(CLAIMED))  # sums, which take longest, at last


def are_as_claimed(name, rng):
    try:
        check_errors(name, FORMS[-1], rng)
    except AssertionError:
        return False
    return True
