"""Rounding knows a format by its row alone: one of 8 bits, with infinities or with numbers in their place."""

import numpy as np
import pytest

from clmath.numbers.formats import DOUBLE, FLOAT, Format
from clmath.numbers.rounding import MODES, Enclosure, narrow, round_enclosure, round_real
from tests.cases import for_each

ml_dtypes = pytest.importorskip("ml_dtypes")

FINITE = Format("e4m3fn", "ml_dtypes.float8_e4m3fn", precision=4, emin=-6, emax=8, quiet_nan=0x7F, infinities=False)
WITH_INFINITIES = Format("e5m2", "ml_dtypes.float8_e5m2", precision=3, emin=-14, emax=15, quiet_nan=0x7E)


@pytest.mark.parametrize("form", [FINITE, WITH_INFINITIES], ids=str)
def test_the_row_says_what_the_package_does(form):
    info = ml_dtypes.finfo(form.dtype)
    assert (form.largest, form.smallest_normal) == (float(info.max), float(info.tiny))
    assert (form.smallest_subnormal, form.width) == (float(info.smallest_subnormal), 8)


@for_each("mode", MODES)
@for_each("source", [FLOAT, DOUBLE])
@for_each("form", [FINITE, WITH_INFINITIES])
def test_the_fast_way_and_the_slow_one_agree(form, source, mode):
    with np.errstate(all="ignore"):
        numbers = form.from_bits(np.arange(256, dtype=np.uint8)).astype(source.dtype)
        middles = (numbers[:-1] + numbers[1:]) / 2
        near = [np.nextafter(middles, source.dtype.type(end)) for end in (-np.inf, np.inf)]
        bits = np.random.default_rng(1).integers(0, 1 << source.width, 5000, dtype=source.bits_dtype)
        values = np.concatenate([numbers, middles, *near, source.from_bits(bits), numbers * source.dtype.type(1.1)])
        fast = narrow(values, form, mode)
        slow = round_enclosure(Enclosure.of(values.astype(np.float64)), form, mode)[0]
    nan = np.isnan(slow.astype(np.float64))
    np.testing.assert_array_equal(form.bits(fast)[~nan], form.bits(slow)[~nan])
    assert np.isnan(fast.astype(np.float64)[nan]).all()


def test_what_lies_beyond_the_largest_number():
    assert [float(round_real(1e6, FINITE, mode)) for mode in ("rtz", "rtn")] == [448.0, 448.0]
    assert all(np.isnan(float(round_real(1e6, FINITE, mode))) for mode in ("rte", "rtp"))
    assert float(round_real(1e6, WITH_INFINITIES, "rte")) == np.inf
