"""Random arguments of a row, by their numbers or from a generator; the same number or state gives the same ones."""

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

_NUMBERS = 1 << 16  # where inputs that are drawn begin: special numbers are in all lanes of as many
BLOCK = 8192  # random inputs that one generator draws together, of rows that are judged bit by bit


@functools.singledispatch
def random_inputs(item: Item, seed: int, first: int, last: int) -> Columns:
    """The random inputs of a row numbered ``first`` to ``last`` - 1: the same ones however many a plan asks for."""
    return numbered.drawn(item, seed, np.arange(first, last))


def random_columns(rng: np.random.Generator, item: Item, n: int) -> Columns:
    """``n`` random calls; the same ones for the same state of ``rng``."""
    return _random_of(item, rng, n)


def calls_of(item: Item, count: int) -> int:
    """Return the number of random calls for ``count`` asked for: as many, but of large groups fewer."""
    if isinstance(item, ExactItem) and item.builtin.chapter == "groups":
        return grouped.calls_of(item, count)
    return count


@functools.singledispatch
def _random_of(item: Item, rng: np.random.Generator, n: int) -> Columns:
    """``n`` inputs of a seed, from a number on; both are drawn from the generator.

    The first input of each seed has a special number, so that inputs drawn one by one would all have one.
    """
    first = int(rng.integers(_NUMBERS))
    return numbered.drawn(item, int(rng.integers(2**63)), np.arange(first, first + n))


def _in_blocks(item: ExactItem, seed: int, first: int, last: int) -> Columns:
    """The same for a row that is judged bit by bit: each block of inputs has its own generator, and is drawn whole."""
    size = calls_of(item, BLOCK)
    blocks = range(first // size, -(-last // size))
    drawn = [_exact(item, _generator(item, seed, block), size) for block in blocks]
    kept = slice(first - blocks.start * size, last - blocks.start * size)
    return tuple(np.concatenate(column)[kept] for column in zip(*drawn, strict=True))


def _generator(item: ExactItem, seed: int, block: int) -> np.random.Generator:
    return np.random.default_rng([seed % 2**64, zlib.crc32(str(item).encode()), block])


def _exact(item: ExactItem, rng: np.random.Generator, n: int) -> Columns:
    """``n`` random calls of a row that is judged bit by bit."""
    draw = grouped.random_columns if item.builtin.chapter == "groups" else operands.random_columns
    return draw(item, rng, n)


random_inputs.register(ExactItem, _in_blocks)
_random_of.register(ExactItem, _exact)
