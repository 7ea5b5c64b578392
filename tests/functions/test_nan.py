"""Every computation returns the canonical NaN (test_every_builtin.py); functions that move bits keep payloads."""

from __future__ import annotations

import numpy as np
import pytest

import clmath
from clmath import reference
from clmath.numbers.formats import DOUBLE, FLOAT, FORMATS, HALF
from clmath.numbers.rounding import MODES, canonical
from clmath.spec.builtins import builtins
from tests.builtins import as_tuple, nans
from tests.cases import for_each

CANONICAL = {HALF: 0x7E00, FLOAT: 0x7FC00000, DOUBLE: 0x7FF8000000000000}


def check_nans(results, form):
    """Assert that every NaN among ``results`` is canonical; return their number."""
    found = 0
    for result in as_tuple(results):
        if result.dtype == form.dtype:
            codes = form.bits(result)[np.isnan(result)]
            assert (codes == CANONICAL[form]).all(), [hex(c) for c in np.unique(codes)[:5]]
            found += codes.size
    return found


@pytest.mark.parametrize("form", FORMATS, ids=str)
def test_the_canonical_nan(form):
    assert form.bits(form.nan) == CANONICAL[form]


@pytest.mark.parametrize("form", FORMATS, ids=str)
class TestCanonical:
    @pytest.fixture
    def numbers(self, form):
        return np.array([0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, form.largest, -form.largest], form.dtype)

    def test_numbers_stay(self, form, numbers):
        values = numbers.copy()
        canonical(values, form)
        assert values.tobytes() == numbers.tobytes()

    def test_every_nan_changes_and_no_other_element(self, form, numbers):
        for nan in nans(form):
            for place in (0, 3, 8):
                values = np.insert(numbers, place, nan)
                canonical(values, form)
                assert form.bits(values[place]) == CANONICAL[form]
                assert np.delete(values, place).tobytes() == numbers.tobytes()

    def test_any_layout(self, form):
        for values in (nans(form)[0], nans(form)[:0], nans(form)[::-2], nans(form)[:6].reshape(3, 2).T):
            array = np.array(values) if values.ndim == 0 else values
            canonical(array, form)
            assert (form.bits(array) == CANONICAL[form]).all()


@for_each("target", FORMATS)
@for_each("source", FORMATS)
def test_conversions(source, target):
    """Conversions between formats return the canonical NaN; a conversion to the same format returns its argument."""
    values = nans(source)
    for mode in MODES:
        result = clmath.convert(values, str(target), rounding=mode)
        if source is target:
            assert result.tobytes() == values.tobytes()
        else:
            assert check_nans(result, target) == values.size
            swapped = values.astype(values.dtype.newbyteorder("S"))
            assert clmath.convert(swapped[::-2], str(target), rounding=mode).tobytes() == result[::-2].tobytes()


def test_halves_in_memory():
    assert check_nans(clmath.vload_half(np.arange(16), nans(HALF)), FLOAT) == 16
    for form in (FLOAT, DOUBLE):
        memory = np.zeros(nans(form).size, np.float16)
        clmath.vstore_half(nans(form), np.arange(memory.size), memory)
        assert check_nans(memory, HALF) == memory.size


@pytest.mark.parametrize("form", FORMATS, ids=str)
class TestBitsThatAreMoved:
    def test_fabs_and_copysign_only_touch_the_sign(self, form):
        values, sign = nans(form), form.bits_dtype.type(1 << (form.width - 1))
        assert np.array_equal(form.bits(clmath.fabs(values)), form.bits(values) & ~sign)
        for y, bit in ((1.0, 0), (-1.0, sign)):
            moved = clmath.copysign(values, form.dtype.type(y))
            assert np.array_equal(form.bits(moved), (form.bits(values) & ~sign) | form.bits_dtype.type(bit))

    def test_nan_carries_its_code(self, form):
        code = form.bits_dtype.type(5)
        assert form.bits(clmath.nan(code)) == CANONICAL[form] | 5
        assert form.bits(reference.rounded("nan", (code,), form, "rte")) == CANONICAL[form] | 5

    def test_selection_and_memory(self, form):
        values = nans(form)[:32]
        truth = np.full(32, -1, f"i{form.dtype.itemsize}")
        assert clmath.select(np.zeros_like(values), values, truth).tobytes() == values.tobytes()
        assert clmath.bitselect(np.zeros_like(values), values, truth.view(values.dtype)).tobytes() == values.tobytes()
        assert clmath.shuffle(values[:4], [3, 2, 1, 0]).tobytes() == values[:4][::-1].tobytes()
        memory = np.zeros_like(values)
        clmath.vstore(clmath.vload([0, 1], values, 16), [0, 1], memory)
        assert memory.tobytes() == values.tobytes()
        name = {HALF: "short", FLOAT: "int", DOUBLE: "long"}[form]
        assert clmath.as_type(values, name).tobytes() == values.tobytes()


def test_the_table_knows_which_built_ins_move_bits():
    assert {name for name, row in builtins().items() if row.moves_bits} == {"copysign", "fabs", "nan"}
