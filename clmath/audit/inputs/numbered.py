"""Random inputs of rows whose errors are measured: an input's number determines it, on a device as on the host.

If there are many, a row that a device might judge has them in large chunks, and may then be audited in parts.
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

_BLOCK = 1 << 14  # inputs generated at a time, so that temporaries stay in cache


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


def _word(item: Item) -> str:
    return "interval" if item.columns == ("gentype",) and not item.width else recipe_word(item)


def recipe_of(item: Item) -> AnyFunction:
    """Return the elementwise function that makes arguments, as encodings, from an input's number and the row's aim."""
    return RECIPES[_word(item)]


@functools.lru_cache(maxsize=64)
def aim_of(item: Item, seed: int) -> Aim:
    """Return the parameters of a row that, with an input's number, determine the input."""
    bounds = interval(item) if _word(item) == "interval" else (0.0, 0.0)
    keys = np.random.SeedSequence([seed % 2**64, zlib.crc32(str(item).encode())]).generate_state(WORDS, np.uint64)
    known = specials(item.form, short=True).astype(np.float64)
    special = np.resize(known, 1 << (len(known) - 1).bit_length())  # repeated up to a power of two
    return Aim(item.form, item.columns, bounds, tuple(keys.view(np.int64).tolist()), special, item.width)


def parts(plan: Plan) -> range:
    """Return the numbers of the chunks of random inputs that belong to the plan's part."""
    k, n = plan.part
    return range(k - 1, pieces_of(plan.count), n)


def length(count: int, pieces: range) -> int:
    """Return the number of inputs in some chunks, in ascending order, of ``count`` inputs; the last may be shorter."""
    return sum(min(PIECE, count - piece * PIECE) for piece in pieces[-1:]) + PIECE * len(pieces[:-1])


def columns(item: Item, plan: Plan, piece: int) -> tuple[np.ndarray, ...]:
    """Return the random inputs of a chunk, one array per argument."""
    first = piece * PIECE
    return drawn(item, plan.seed, np.arange(first, min(first + PIECE, plan.count)))


@np.errstate(all="ignore")
def drawn(item: Item, seed: int, numbers: NDArray[np.int64]) -> tuple[np.ndarray, ...]:
    """Return the inputs with these ``numbers``, one array per argument.

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
