"""Finds the one input of a batch that makes a subject fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["narrowed"]


def narrowed(fails: Callable[[int, int], bool], count: int) -> int | None:
    """The place of an input that fails by itself, in a batch of ``count`` that fails; None if none is found.

    ``fails(low, high)`` tries the inputs from ``low`` to ``high``. It is called about log2(count) times: if the first
    half does not fail, the second is taken to fail; the input that is left must fail alone.
    """
    low, high, is_known = 0, count, True
    while high - low > 1:
        middle = (low + high) // 2
        is_known = fails(low, middle)
        low, high = (low, middle) if is_known else (middle, high)
    return low if is_known or fails(low, high) else None
