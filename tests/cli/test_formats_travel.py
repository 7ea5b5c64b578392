"""Formats are told apart by identity, so one that comes back from another process must be the same object."""

import copy
import pickle

import pytest

from clmath.numbers.formats import FORMATS


@pytest.mark.parametrize("form", FORMATS)
def test_a_format_is_one_object(form):
    assert pickle.loads(pickle.dumps(form)) is form  # noqa: S301 - our own bytes
    assert copy.deepcopy(form) is form
