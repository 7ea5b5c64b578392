"""Faults in the second checker: values of random programs then lie where it says that they do not."""

from __future__ import annotations

import random

import pytest

pytest.importorskip("flint")

from tests.certify.second_checker import Evaluation, Form
from tests.certify.test_random_programs import look_at_second

PROGRAMS = 300


def halved_symbols(patch):
    right = Evaluation.symbol
    patch.setattr(Evaluation, "symbol", lambda run, bound: right(run, bound >> 1))


def sums_in_any_order(patch):
    patch.setattr(Form, "least", Form.size)


def products_to_first_order(patch):
    right = Form.__mul__

    def wrong(x, y):
        p, q = Form(x.p), Form(y.p)
        rest = right(x, q).rest + right(p, y).rest - right(p, q).rest
        product = right(x, y)
        return Form(product.p, product.terms, rest)

    patch.setattr(Form, "__mul__", wrong)


def narrow_splits(patch):
    right = Evaluation.bits_of_split
    patch.setattr(Evaluation, "bits_of_split", lambda run, number: right(run, number) // 2)


def cells_without_their_ends(patch):
    patch.setattr(Form, "wiggle", lambda form: sum(map(abs, form.p[2:])))


FAULTS = (
    halved_symbols,
    sums_in_any_order,
    products_to_first_order,
    narrow_splits,
    cells_without_their_ends,
)


@pytest.mark.slow
@pytest.mark.parametrize("fault", FAULTS, ids=lambda fault: fault.__name__)
def test_a_fault_of_the_second_checker_shows(fault, monkeypatch):
    fault(monkeypatch)
    with pytest.raises(AssertionError, match=r"^\(\d+, "):
        look_at_many()


def look_at_many():
    for seed in range(PROGRAMS):
        look_at_second(random.Random(seed))
