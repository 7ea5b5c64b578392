"""Random inputs of rows whose errors are measured: each follows from its number; a device draws the same as the host.

A row that a device might judge has them in large pieces if there are many, and may then be audited in parts.
"""

from __future__ import annotations

import functools
import zlib
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.inputs.aims import interval, recipe_word
from clmath.audit.inputs.lane_draws import WORDS, Aim, mixture
from clmath.audit.inputs.lane_recipes import RECIPES
from clmath.audit.inputs.layout import dtypes, is_exhaustive
from clmath.audit.inputs.special import specials
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import PIECE, pieces_of
from clmath.kernels import for_devices
from clmath.spec.builtins import precise

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.plan.plan import Plan
    from clmath.callables import AnyFunction
    from clmath.kernels import Kernel

__all__ = [
    "PIECE",
    "aim_of",
    "columns",
    "drawn",
    "integers_of",
    "is_numbered",
    "kernel_of",
    "length",
    "parts",
    "recipe_of",
]

_BLOCK = 1 << 14  # inputs drawn at a time, so that temporaries stay in cache


def is_numbered(item: Item, plan: Plan) -> bool:
    """Whether the random inputs of a row come in pieces of ``PIECE``: many, for a row that a device might judge."""
    return plan.is_numbered and _may_be_numbered(item)


@functools.lru_cache(maxsize=4096)
def _may_be_numbered(item: Item) -> bool:
    """Whether a device might judge the row: it is of scalars, has a kernel, and not all inputs are tried anyway."""
    is_scalar = type(item) is Item and item.vector == 1 and not item.width
    return is_scalar and not is_exhaustive(item) and bool(_kernels(item))


def kernel_of(item: Item) -> Kernel | None:
    """The kernel that encloses the results of a row, ints aside; None if there is none, or more than one."""
    enclosing = [kernel for kernel in _kernels(item) if not kernel.is_integer]
    return enclosing[0] if len(enclosing) == 1 else None


def integers_of(item: Item) -> tuple[Kernel, ...]:
    """The kernels of the results of a row that are ints, which come last."""
    return tuple(kernel for kernel in _kernels(item) if kernel.is_integer)


def _kernels(item: Item) -> tuple[Kernel, ...]:
    return for_devices.kernels_of(precise(item.builtin.called), item.form)


def _word(item: Item) -> str:
    return "interval" if item.columns == ("gentype",) and not item.width else recipe_word(item)


def recipe_of(item: Item) -> AnyFunction:
    """The lane function that draws a row's arguments, as encodings, from an input's number and the row's aim."""
    return RECIPES[_word(item)]


@functools.lru_cache(maxsize=64)
def aim_of(item: Item, seed: int) -> Aim:
    """What determines the inputs of a row, besides their numbers."""
    bounds = interval(item) if _word(item) == "interval" else (0.0, 0.0)
    keys = np.random.SeedSequence([seed % 2**64, zlib.crc32(str(item).encode())]).generate_state(WORDS, np.uint64)
    known = specials(item.form, short=True).astype(np.float64)
    special = np.resize(known, 1 << (len(known) - 1).bit_length())  # repeated up to a power of two
    return Aim(item.form, item.columns, bounds, tuple(keys.view(np.int64).tolist()), special, item.width)


def parts(plan: Plan) -> range:
    """The numbers of the pieces of random inputs that belong to the plan's part."""
    k, n = plan.part
    return range(k - 1, pieces_of(plan.count), n)


def length(count: int, pieces: range) -> int:
    """How many inputs some pieces have, in ascending order, of ``count`` in all; the very last piece may be shorter."""
    return sum(min(PIECE, count - piece * PIECE) for piece in pieces[-1:]) + PIECE * len(pieces[:-1])


def columns(item: Item, plan: Plan, piece: int) -> tuple[np.ndarray, ...]:
    """The random inputs of a piece, one array per argument."""
    first = piece * PIECE
    return drawn(item, plan.seed, np.arange(first, min(first + PIECE, plan.count)))


@np.errstate(all="ignore")
def drawn(item: Item, seed: int, numbers: NDArray[np.int64]) -> tuple[np.ndarray, ...]:
    """The inputs with these ``numbers``, one array per argument.

    >>> from clmath.audit.plan.rows import item_named
    >>> (x,) = drawn(item_named("exp", "float"), 0, np.array([3, 10**12]))
    >>> (again,) = drawn(item_named("exp", "float"), 0, np.array([10**12]))
    >>> x[1] == again[0]
    np.True_
    """
    found = [np.empty(len(numbers), dtype) for dtype in dtypes(item)]
    aim, recipe = aim_of(item, seed), recipe_of(item)
    for start in range(0, len(numbers), _BLOCK):
        index = numbers[start : start + _BLOCK]
        aimed = recipe(index, aim)
        codes = mixture(index, *(aimed if isinstance(aimed, tuple) else (aimed,)), aim)
        for column, code in zip(found, codes, strict=True):
            column.view(f"u{column.itemsize}")[start : start + _BLOCK] = code.astype(f"u{column.itemsize}")
    return tuple(found)
