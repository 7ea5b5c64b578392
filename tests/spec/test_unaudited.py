"""Every public name of clmath has rows in an audit, or a reason for having none."""

import pytest

import clmath
from clmath.audit.plan.plan import Plan
from clmath.audit.subjects.clmath_functions import Clmath
from clmath.errors import UnknownNameError
from clmath.spec.builtins import builtins
from clmath.spec.families import exact_builtins
from clmath.spec.unaudited import without_rows
from tests.cases import for_each

ROWS = {**builtins(), **exact_builtins()}


def test_every_public_name_has_rows_or_a_reason_for_having_none():
    public = set(clmath.__all__)
    assert public - ROWS.keys() - without_rows().keys() == set()
    assert without_rows().keys() - public == set()  # of something that is there
    assert without_rows().keys() & ROWS.keys() == set()  # that is still needed
    assert all(without_rows().values())


@for_each("name", sorted(without_rows()))
def test_asking_for_such_a_row_tells_why_there_is_none(name):
    with pytest.raises(UnknownNameError) as caught:
        Plan.of([name])
    assert f"{name!r} has no row: {without_rows()[name]}" in str(caught.value)
    assert "did you mean" not in str(caught.value)


def test_clmath_itself_has_every_row():
    missing = [
        (row.name, form.name)
        for row in ROWS.values()
        for form in Plan.of([row.name]).formats
        if row.takes(form.name) and not Clmath().defines(row, form)
    ]
    assert missing == []
