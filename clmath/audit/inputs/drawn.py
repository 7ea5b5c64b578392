"""Random arguments of a row, by number or from a generator; equal numbers or states give equal arguments."""

from __future__ import annotations

import functools
import zlib
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.inputs import grouped, numbered, operands
from clmath.audit.plan.exact_item import ExactItem

if TYPE_CHECKING:
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item

__all__ = ["BLOCK", "calls_of", "random_columns", "random_inputs"]

_NUMBERS = 1 << 16  # bound on the first number of inputs: in as many inputs, every special number is at every place
BLOCK = 8192  # random inputs that one generator makes together, for rows that are judged bit by bit


@functools.singledispatch
def random_inputs(item: Item, seed: int, first: int, last: int) -> Columns:
    """Return the random inputs of a row numbered ``first`` to ``last`` - 1, which do not depend on the plan's count."""
    return numbered.drawn(item, seed, np.arange(first, last))


def random_columns(rng: np.random.Generator, item: Item, n: int) -> Columns:
    """Return ``n`` random calls; equal states of ``rng`` give equal calls."""
    return _random_of(item, rng, n)


def calls_of(item: Item, count: int) -> int:
    """Return the number of random calls if ``count`` are requested: ``count``, or fewer for large work-groups."""
    if isinstance(item, ExactItem) and item.builtin.chapter == "groups":
        return grouped.calls_of(item, count)
    return count


@functools.singledispatch
def _random_of(item: Item, rng: np.random.Generator, n: int) -> Columns:
    """Return ``n`` successive inputs of a seed; the generator chooses the seed and the first input's number.

    The first number is random because input 0 of each seed has a special number.
    """
    first = int(rng.integers(_NUMBERS))
    return numbered.drawn(item, int(rng.integers(2**63)), np.arange(first, first + n))


def _in_blocks(item: ExactItem, seed: int, first: int, last: int) -> Columns:
    """Return the random inputs of a row that is judged bit by bit; each whole block has a generator of its own."""
    size = calls_of(item, BLOCK)
    blocks = range(first // size, -(-last // size))
    drawn = [_exact(item, _generator(item, seed, block), size) for block in blocks]
    kept = slice(first - blocks.start * size, last - blocks.start * size)
    return tuple(np.concatenate(column)[kept] for column in zip(*drawn, strict=True))


def _generator(item: ExactItem, seed: int, block: int) -> np.random.Generator:
    return np.random.default_rng([seed % 2**64, zlib.crc32(str(item).encode()), block])


def _exact(item: ExactItem, rng: np.random.Generator, n: int) -> Columns:
    """Return ``n`` random calls of a row that is judged bit by bit."""
    draw = grouped.random_columns if item.builtin.chapter == "groups" else operands.random_columns
    return draw(item, rng, n)


random_inputs.register(ExactItem, _in_blocks)
_random_of.register(ExactItem, _exact)
