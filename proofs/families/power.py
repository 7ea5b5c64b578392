"""A check of grids, for parts of the proofs of logarithms."""

from __future__ import annotations

from proofs.engine.models import Unproven

__all__ = ["check_grid"]


def check_grid(found: int, wanted: int) -> None:
    """Unproven where multiples of 2^found, doubles, need not be some of 2^wanted."""
    if max(found, -1074) < wanted:
        raise Unproven(f"a number may be finer than 2^{wanted}: a multiple of 2^{found}")
