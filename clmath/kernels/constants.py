"""The coefficients and tables of kernels, read from ``tables/kernels``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np
from numpy.typing import NDArray

__all__ = ["coefficients", "pairs", "pieces", "table"]


def _row(file: str, name: str) -> Mapping[str, Sequence[str]]:
    from clmath.spec import files

    row: Mapping[str, Sequence[str]] = files.load(f"kernels/{file}.toml")[name]
    return row


def coefficients(file: str, name: str) -> tuple[float, ...]:
    """The coefficients [name] of ``tables/kernels/<file>.toml``, constant term first."""
    return tuple(float.fromhex(c) for c in _row(file, name)["coefficients"])


def table(file: str, name: str) -> NDArray[np.float64]:
    """The table [name] of ``tables/kernels/<file>.toml`` as a read-only array."""
    values = np.array([float.fromhex(c) for c in _row(file, name)["table"]])
    values.flags.writeable = False
    return values


def pairs(file: str, name: str) -> tuple[tuple[float, float], ...]:
    """The table [name] of pairs, (hi, lo) each."""
    values = list(map(float, table(file, name)))
    return tuple(zip(values[::2], values[1::2], strict=True))


def pieces(file: str, name: str, count: int) -> tuple[NDArray[np.float64], ...]:
    """The table [name] of ``count`` polynomials for ``primitives.piecewise``: one array for each power."""
    return tuple(table(file, name).reshape(-1, count))
