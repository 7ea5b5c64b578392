"""Operations of NumPy overflow and underflow in every test here."""

import numpy as np
import pytest


@pytest.fixture(autouse=True)
def _quiet():
    with np.errstate(all="ignore"):
        yield
