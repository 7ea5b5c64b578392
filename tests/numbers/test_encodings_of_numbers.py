"""Encodings computed by SIMD functions equal NumPy's casts: every half, and floats and doubles of all sizes."""

from __future__ import annotations

import numpy as np
import pytest

from clmath.numbers.encodings import code_of, decoded, encoded, mask_of, sign_of
from clmath.numbers.formats import BFLOAT16, DOUBLE, FLOAT, HALF, KNOWN
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.numbers.rounding import narrow
from tests.cases import for_each


def some_codes(form):
    """All encodings of 16 bits, or many of every binade."""
    if form.width == 16:
        return np.arange(1 << 16, dtype=np.int64)
    sampled = np.random.default_rng(4).integers(0, 1 << 64, 1 << 16, np.uint64).view(np.int64)
    specials = [0.0, -0.0, np.inf, -np.inf, form.largest, form.smallest_normal, -form.smallest_subnormal]
    return np.concatenate([sampled & mask_of(form), np.array([code_of(value, form) for value in specials])])


@pytest.mark.parametrize("form", KNOWN, ids=str)
@np.errstate(all="ignore")
def test_codes_and_numbers(form):
    codes = some_codes(form)
    plain = codes.astype(np.uint64) if form is not DOUBLE else codes.view(np.uint64)
    known = form.from_bits(plain.astype(form.bits_dtype)).astype(np.float64)
    numbers = decoded(codes, form)
    np.testing.assert_array_equal(numbers.view(np.int64)[known == known], known.view(np.int64)[known == known])
    np.testing.assert_array_equal(np.isnan(numbers), np.isnan(known))
    back = encoded(numbers, form)
    np.testing.assert_array_equal(back[known == known], codes[known == known])
    if form is not BFLOAT16:
        assert set(back[known != known].tolist()) == {form.quiet_nan}


@for_each("mode", MODE_NUMBERS)
@for_each("form", [HALF, FLOAT])
@np.errstate(all="ignore")
def test_numbers_between_are_rounded(form, mode):
    numbers = decoded(some_codes(FLOAT), FLOAT) * (1.0 + 2.0**-26)
    numbers = numbers[numbers == numbers]
    wanted = form.bits(narrow(numbers, form, mode)).astype(np.int64)
    np.testing.assert_array_equal(encoded(numbers, form, MODE_NUMBERS[mode]), wanted)


@pytest.mark.parametrize("form", KNOWN, ids=str)
def test_the_sign(form):
    codes = np.array([code_of(form.largest, form), code_of(form.smallest_subnormal, form), 0])
    np.testing.assert_array_equal(decoded(codes ^ sign_of(form), form), -decoded(codes, form))
    assert mask_of(form) & ((1 << form.width) - 1) == (1 << form.width) - 1
