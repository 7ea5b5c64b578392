"""Random inputs of a row: the number of an input determines it, on a device as on the host.

Rows that are judged bit by bit have a generator for each chunk instead. If there are many inputs, a row that a device
might judge has them in large chunks, and may then be audited in parts.
"""

from __future__ import annotations

import functools
import zlib

import numpy as np
from numpy.typing import NDArray

from clmath.audit.inputs import operands
from clmath.audit.inputs.aims import interval, recipe_word
from clmath.audit.inputs.layout import Columns, dtypes, is_exhaustive
from clmath.audit.inputs.recipes import aimed
from clmath.audit.inputs.special import specials
from clmath.audit.inputs.streams import WORDS, Aim, mixture
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import PIECE, Plan, pieces_of
from clmath.kernels import Kernel, for_devices
from clmath.spec.builtins import precise

_NUMBERS = 1 << 16  # bound on the first number of inputs: in as many inputs, every special number is at every place
_BLOCK = 1 << 14  # inputs generated at a time, so that temporaries stay in cache


def random_columns(rng: np.random.Generator, item: Item, n: int) -> Columns:
    """Return ``n`` random calls; equal states of ``rng`` give equal calls.

    They are successive inputs of a seed. The generator chooses the seed and the first input's number, since input 0 of
    each seed has a special number.
    """
    if isinstance(item, ExactItem):
        return operands.random_columns(item, rng, n)
    first = int(rng.integers(_NUMBERS))
    return numbered(item, int(rng.integers(2**63)), np.arange(first, first + n))


def calls_of(item: Item, count: int) -> int:
    """Return the number of calls if ``count`` are requested: large work-groups have fewer, of as many items."""
    return min(count, -(-2 * count // item.width)) if item.builtin.chapter == "groups" else count


def generator(item: Item, seed: int, *numbers: int) -> np.random.Generator:
    """Return a generator that depends on a row, the seed of an audit, and further numbers."""
    return np.random.default_rng([s % 2**64 for s in (seed, zlib.crc32(str(item).encode()), *numbers)])


def is_numbered(item: Item, plan: Plan) -> bool:
    """Whether the random inputs of a row come in chunks of ``PIECE``: there are many, and a device might judge it."""
    return plan.is_numbered and _may_be_numbered(item)


@functools.lru_cache(maxsize=4096)
def _may_be_numbered(item: Item) -> bool:
    """Whether a device might judge the row: it is of scalars, has a kernel, and not all inputs are tried anyway."""
    is_scalar = type(item) is Item and item.vector == 1 and not item.width
    return is_scalar and not is_exhaustive(item) and bool(_kernels(item))


def kernel_of(item: Item) -> Kernel | None:
    """Return the kernel that encloses the results of a row, except ints, or None if not exactly one does."""
    enclosing = [kernel for kernel in _kernels(item) if not kernel.is_integer]
    return enclosing[0] if len(enclosing) == 1 else None


def integers_of(item: Item) -> tuple[Kernel, ...]:
    """Return the kernels of the results of a row that are ints, which come last."""
    return tuple(kernel for kernel in _kernels(item) if kernel.is_integer)


def _kernels(item: Item) -> tuple[Kernel, ...]:
    return for_devices.kernels_of(precise(item.builtin.called), item.form)


@functools.lru_cache(maxsize=64)
def aim_of(item: Item, seed: int) -> Aim:
    """Return the parameters of a row that, with an input's number, determine the input."""
    keys = np.random.SeedSequence([seed % 2**64, zlib.crc32(str(item).encode())]).generate_state(WORDS, np.uint64)
    known = specials(item.form, short=True).astype(np.float64)
    special = np.resize(known, 1 << (len(known) - 1).bit_length())  # repeated up to a power of two
    numbers = tuple(keys.view(np.int64).tolist())
    return Aim(item.form, item.columns, interval(item), numbers, special, recipe_word(item), item.width)


def parts(plan: Plan) -> range:
    """Return the numbers of the chunks of random inputs that belong to the plan's part."""
    k, n = plan.part
    return range(k - 1, pieces_of(plan.count), n)


def length(count: int, pieces: range, size: int = 0) -> int:
    """Return the number of inputs in some chunks, in ascending order, of ``count`` inputs; the last may be shorter.

    ``size``: the number of inputs of a whole chunk, by default ``PIECE``.
    """
    size = size or PIECE
    return sum(min(size, count - piece * size) for piece in pieces[-1:]) + size * len(pieces[:-1])


@np.errstate(all="ignore")
def numbered(item: Item, seed: int, numbers: NDArray[np.int64]) -> Columns:
    """Return the inputs with these ``numbers``, one array per argument.

    >>> from clmath.audit.plan.rows import item_named
    >>> (x,) = numbered(item_named("exp", "float"), 0, np.array([3, 10**12]))
    >>> (again,) = numbered(item_named("exp", "float"), 0, np.array([10**12]))
    >>> x[1] == again[0]
    np.True_
    """
    found, aim = [np.empty(len(numbers), dtype) for dtype in dtypes(item)], aim_of(item, seed)
    for start in range(0, len(numbers), _BLOCK):
        index = numbers[start : start + _BLOCK]
        for column, code in zip(found, mixture(index, *aimed(index, aim), aim), strict=True):
            column.view(f"u{column.itemsize}")[start : start + _BLOCK] = code.astype(f"u{column.itemsize}")
    return tuple(found)
