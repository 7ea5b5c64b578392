"""Faults injected into the prover make values of small programs lie outside their models."""

from __future__ import annotations

from dataclasses import dataclass
from types import SimpleNamespace

import numpy as np
import pytest

flint = pytest.importorskip("flint")

from clmath.ir.primitives import bits, fast_two_sum, from_bits, sqrt, two_sum  # noqa: E402
from proofs.engine import exactness, execution, ideals  # noqa: E402
from proofs.engine.execution import Execution, Real  # noqa: E402
from proofs.engine.models import Cell, Model, half_ulp, precisely  # noqa: E402
from proofs.engine.traced import traced  # noqa: E402
from tests.cases import for_each  # noqa: E402
from tests.proofs import concrete  # noqa: E402
from tests.proofs.engine import results  # noqa: E402
from tests.proofs.engine.contained import assert_contained  # noqa: E402

ARB = flint.arb


def tenth(x):
    return x * 0.1


def nearly_twice(x):
    return x * 0.1 + x * 1.9


def beside_one(x):
    total, lost = fast_two_sum(x, 1.0)
    return (total - 1.0) + lost


def moved(x):
    return x + 1.5


def lost_of_sum(x):
    total, lost = two_sum(x, 1.0 / 3.0)
    return (total - 1.0) - lost


def inverse(x):
    return 1.0 / x


def root(x):
    return sqrt(x)


def square(x):
    return x * x


def split_in_two(x):
    t = 134217729.0 * x
    head = t - (t - x)
    return head * (x - head)


def without_last_bits(x):
    return from_bits((bits(x) & -(2**40)) & -(2**20))


def times_short(x):
    return x * (1.5 * 2.0**-80)


def third(x):
    return x / 3.0


@dataclass(frozen=True)
class Case:
    """A program on a cell, ``off`` unknown of its argument, and a fault of the prover that shows there."""

    fault: str
    program: object
    low: float
    high: float
    plant: object
    off: float = 0.0
    grid: int = -1074
    power: int = 0


def halved_ulps(patch):
    patch.setattr(execution, "half_ulp", lambda size: half_ulp(size) / 2)


def ulps_of_the_least(patch):
    patch.setattr(execution, "half_ulp", lambda size: half_ulp(size / 2))


def no_order(patch):
    patch.setitem(execution._CONDITIONS, "fast_two_sum", lambda *_: True)
    patch.setitem(execution._CONDITIONS, "fast_two_sum, second", lambda *_: True)
    patch.setattr(execution, "is_ordered", lambda *_: True)


def longer_digits(patch):
    patch.setattr(execution, "_DIGITS", 54)


def other_sign(patch):
    right = execution._recovered_sum

    def wrong(run, recovered):
        found = right(run, recovered)
        return Real(-found.model, found.grid, found.power)

    patch.setattr(execution, "_recovered_sum", wrong)


def nothing_beyond_series(patch):
    right = ideals._composed
    patch.setattr(ideals, "_composed", lambda *given: (right(*given)[0], ARB(0)))


def no_curvature(patch):
    series = ideals.arb_series
    patch.setattr(ideals, "arb_series", lambda coefficients, prec: series(coefficients, prec=2 if prec == 3 else prec))


def no_second_order(patch):
    right = Model.__mul__

    def first_order(self, other):
        p, q = Model(self.cell, self.p), Model(self.cell, other.p)
        return right(self, q) + right(p, other) - right(p, q)

    patch.setattr(Model, "__mul__", first_order)


def shrunk_cells(patch):
    right = Cell.__post_init__

    def wrong(self):
        right(self)
        self.radius *= ARB("0.99")
        self.place = ARB(0, self.radius)

    patch.setattr(Cell, "__post_init__", wrong)


def narrow_tails(patch):
    patch.setattr(exactness.Shapes, "width", lambda *_: 20)


def bits_kept(patch):
    patch.setitem(execution._OPERATIONS, "long.and", lambda run, _, a, _b: execution._Bits(run.value(a).real, 20))


def powers_forgotten(patch):
    patch.setattr(execution, "LEAST", -2000)


def quotients_as_products(patch):
    def inverted(cell, divisor):
        return execution.constant(cell, 1.0 / float(divisor.range().mid()))

    patch.setattr(execution, "_inverted", inverted)


CASES = [
    Case("quotients that are products with inverses", third, 1.0, 2.0, quotients_as_products, grid=-52),
    Case("half an ulp halved", tenth, 1.0, 2.0, halved_ulps),
    Case("an ulp of a smaller number", tenth, 1.25, 1.5, ulps_of_the_least),
    Case("an ulp halved where sums follow", nearly_twice, 1.0, 2.0, halved_ulps),
    Case("fast_two_sum of any numbers", beside_one, 2.0**-30, 2.0**-29, no_order),
    Case("a grid of 54 bits", moved, 3.0, 3.999, longer_digits, grid=-51),
    Case("the other sign of two_sum", lost_of_sum, 0.67, 0.68, other_sign),
    Case("1/x without what its series leaves", inverse, 1.0, 2.0, nothing_beyond_series),
    Case("sqrt without what its series leaves", root, 1.0, 2.0, nothing_beyond_series),
    Case("1/x without its curvature", inverse, 1.0, 1.0, no_curvature, off=0.125),
    Case("products without their second order", square, 0.0, 0.0, no_second_order, off=0.5),
    Case("cells with their ends cut off", tenth, 1.0, 2.0, shrunk_cells),
    Case("Veltkamp's parts of 20 bits", split_in_two, 1.0, 1.25, narrow_tails),
    Case("bits cleared less", without_last_bits, 1.0, 2.0, bits_kept),
    Case(
        "a least double that moves with no power", times_short, 1.5 * 2.0**-800, 2.0**-799, powers_forgotten, power=-200
    ),
]


def assert_true_of(case):
    """Assert that 2000 values of the program agree with the prover's models."""
    whole = traced(case.program, ("double",), ("double",))
    cell = Cell(ARB(case.low), ARB(case.high), (case.power, case.power))
    argument = cell.argument() + (cell.unknown(case.off) if case.off else cell.constant(0))
    given = {0: Real(argument, case.grid, 1 if case.power else 0)}
    run = Execution(whole.program, whole.tables, whole.shapes, cell, given)
    results.real(run, 0)
    computed = {number: known for number, known in run._found.items() if number not in given}
    numbers = np.random.default_rng(1)
    places = np.concatenate([[case.low, case.high] * 5, numbers.uniform(case.low, case.high, 990)])
    places += np.concatenate([[-case.off, case.off] * 5, numbers.uniform(-case.off, case.off, 990)])
    if case.grid > -1000:
        places = np.rint(places * 2.0**-case.grid) * 2.0**case.grid
    found = concrete.values(whole, places * 2.0**case.power)
    if case.off:  # the cell is one point: the unknown term is separate
        found_at = [np.full(places.shape, case.low), *found[1:]]
        run = SimpleNamespace(given={}, _found=computed, cell=cell, decided={})
        assert_contained(run, found_at, 0, np.zeros(places.size, int))
    else:
        scaled = [places, *found[1:]]
        run = SimpleNamespace(given={} if case.power else run.given, _found=computed, cell=cell, decided={})
        assert_contained(run, scaled, 0, np.full(places.size, case.power))


@pytest.mark.slow
@for_each("case", CASES)
def test_a_fault_of_the_prover_shows(case, monkeypatch):
    precisely()
    assert_true_of(case)
    case.plant(monkeypatch)
    with pytest.raises(AssertionError, match=r"value \d+ ="):
        assert_true_of(case)
