"""Every public name of clmath has rows in an audit, or a stated reason for having none."""

import pytest

import clmath
from clmath.audit.plan.plan import Plan
from clmath.audit.targets.clmath_functions import Clmath
from clmath.errors import UnknownNameError
from clmath.spec.builtins import builtins
from clmath.spec.families import exact_builtins
from clmath.spec.synonyms import unaudited
from tests.cases import for_each

ROWS = {**builtins(), **exact_builtins()}


def test_every_public_name_has_rows_or_a_reason():
    public = set(clmath.__all__)
    assert public - ROWS.keys() - unaudited().keys() == set()
    assert unaudited().keys() - public == set()  # reasons are only for public names
    assert unaudited().keys() & ROWS.keys() == set()  # and only for names without rows
    assert all(unaudited().values())


@for_each("name", sorted(unaudited()))
def test_error_for_a_name_without_rows_states_the_reason(name):
    with pytest.raises(UnknownNameError) as caught:
        Plan.of([name])
    assert f"{name!r} has no case: {unaudited()[name]}" in str(caught.value)
    assert "did you mean" not in str(caught.value)


def test_clmath_as_target_has_every_row():
    missing = [
        (row.name, form.name)
        for row in ROWS.values()
        for form in Plan.of([row.name]).formats
        if row.takes(form.name) and not Clmath().defines(row, form)
    ]
    assert missing == []
