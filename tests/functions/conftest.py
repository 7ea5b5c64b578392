"""Arguments and calls for every built-in that is judged in ULPs."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest

import clmath
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin, builtins

EXACT = frozenset(name for name, row in builtins().items() if row.exact)
VALUES = (0.0, -0.0, 1.0, -1.0, 0.5, 2.0, -3.0, 1.25, 0.3125, 7.0, -0.75, np.inf, -np.inf, np.nan)
INTS = (0, 1, -1, 2, 3, -3, 5, 30, -30, 1000, -(2**31), 2**31 - 1)


@dataclass(frozen=True)
class Sampler:
    """Plain contiguous arguments for one built-in in one format, the same ones every time."""

    name: str
    form: object

    @property
    def row(self):
        return builtin(self.name)

    def args(self, shape: tuple[int, ...], seed: int = 0) -> tuple[np.ndarray, ...]:
        """One array per argument; those of geometric built-ins get 3 lanes more."""
        rng = np.random.default_rng([seed, len(self.name)])
        full = (*shape, 3) if self.row.widths else shape
        return tuple(self.argument(p.type, full, rng) for p in self.row.inputs)

    def argument(self, kind: str, shape: tuple[int, ...], rng: np.random.Generator) -> np.ndarray:
        if kind == "intn":
            return rng.choice(np.array(INTS, np.int32), shape)
        if kind == "nancode":
            return rng.integers(0, 2**self.form.width, shape, self.form.bits_dtype)
        easy = rng.choice(np.array(VALUES, self.form.dtype), shape)
        bits = self.form.from_bits(rng.integers(0, 2**self.form.width, shape, self.form.bits_dtype))
        near = rng.normal(0.0, 2.0, shape).astype(self.form.dtype)
        return np.choose(rng.integers(0, 3, shape), [easy, bits, near])

    def call(self, args, rounding=None, out=None):
        function = getattr(clmath, self.name)
        options = {} if self.name in EXACT else {"rounding": rounding}
        return function(*args, out=out, **options)

    @property
    def modes(self) -> tuple[str, ...]:
        return MODES[:1] if self.name in EXACT else MODES


@pytest.fixture(scope="session")
def exact_names() -> frozenset[str]:
    """Built-ins whose result is exact in every mode: they take no ``rounding``."""
    return EXACT


@pytest.fixture(scope="session")
def sampler():
    return Sampler


@pytest.fixture(scope="session")
def same():
    """Asserts equal results: dtypes, shapes, bits; any NaN equals any NaN."""

    def check(got, want) -> None:
        if isinstance(want, tuple):
            assert isinstance(got, tuple)
            assert len(got) == len(want)
            for g, w in zip(got, want, strict=True):
                check(g, w)
            return
        got, want = np.asarray(got), np.asarray(want)
        assert got.dtype.newbyteorder("=") == want.dtype
        assert got.shape == want.shape
        if want.dtype.kind == "f":
            got = got.astype(want.dtype)
            np.testing.assert_array_equal(np.isnan(got), np.isnan(want))
            bits = f"u{want.dtype.itemsize}"
            got, want = (np.where(np.isnan(v), 0, v).astype(want.dtype).view(bits) for v in (got, want))
        np.testing.assert_array_equal(got, want)

    return check
