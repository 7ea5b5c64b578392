"""What the examples in docstrings may use without importing it."""

import numpy as np
import pytest

import clmath


@pytest.fixture(autouse=True)
def _names_of_examples(doctest_namespace: dict[str, object]) -> None:
    doctest_namespace.update(np=np, clmath=clmath)
