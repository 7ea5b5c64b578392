"""Finds the one input of a batch that makes a subject fail."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable

__all__ = ["narrowed"]


def narrowed(fails: Callable[[int, int], bool], count: int) -> int | None:
    """The place of an input that fails by itself, in a batch of ``count`` that fails; None where none was found.

    ``fails(low, high)`` tries the inputs from ``low`` to ``high``. It is asked log2(count) times: which half fails is
    taken to be the second one where the first does not, and the input that is left must fail alone.
    """
    low, high, is_known = 0, count, True
    while high - low > 1:
        middle = (low + high) // 2
        is_known = fails(low, middle)
        low, high = (low, middle) if is_known else (middle, high)
    return low if is_known or fails(low, high) else None
