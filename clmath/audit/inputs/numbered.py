"""Random inputs that are computed from their numbers, so that a device draws the same ones as the host."""

from __future__ import annotations

import functools
import zlib
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.inputs.aims import interval, recipe_word
from clmath.audit.inputs.lane_draws import WORDS, Aim, mixture
from clmath.audit.inputs.lane_recipes import RECIPES
from clmath.audit.inputs.special import specials
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import PIECE, pieces_of
from clmath.kernels import direct
from clmath.spec.builtins import precise

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clmath.audit.plan.plan import Plan
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

_BLOCK = 1 << 14  # inputs drawn together: what lies between stays in cache


def is_numbered(item: Item, plan: Plan) -> bool:
    """Whether the random inputs of a row are drawn by their numbers: many, for a built-in that a kernel encloses."""
    return plan.is_numbered and _may_be_numbered(item)


@functools.lru_cache(maxsize=4096)
def _may_be_numbered(item: Item) -> bool:
    """Whether a device might judge the row: scalars of which not all are tried anyway, a kernel, a known recipe."""
    if type(item) is not Item or item.vector > 1 or item.width or item.size <= 16 or not _kernels(item):
        return False
    return _word(item) in RECIPES


def kernel_of(item: Item) -> Kernel | None:
    """The one kernel that encloses the results of a row that are no ints, if there is one."""
    enclosing = [kernel for kernel in _kernels(item) if not kernel.is_integer]
    return enclosing[0] if len(enclosing) == 1 else None


def integers_of(item: Item) -> tuple[Kernel, ...]:
    """The kernels of the results of a row that are ints, the last ones."""
    return tuple(kernel for kernel in _kernels(item) if kernel.is_integer)


def _kernels(item: Item) -> tuple[Kernel, ...]:
    return direct.kernels_of(precise(item.builtin.name), item.form)


def _word(item: Item) -> str:
    return "interval" if len(item.columns) == 1 else recipe_word(item)


def recipe_of(item: Item) -> Callable[..., Any]:
    """The lane function that gives the encodings of a row's arguments, of an input's number and the row's aim."""
    return RECIPES[_word(item)]


@functools.lru_cache(maxsize=64)
def aim_of(item: Item, seed: int) -> Aim:
    """What the inputs of a row follow from, beside their numbers."""
    bounds = interval(item) if len(item.columns) == 1 else (0.0, 0.0)
    keys = np.random.SeedSequence([seed % 2**64, zlib.crc32(str(item).encode())]).generate_state(WORDS, np.uint64)
    special = specials(item.form, short=True).astype(np.float64)
    return Aim(item.form, item.columns, bounds, tuple(keys.view(np.int64).tolist()), special)


def parts(plan: Plan) -> range:
    """The pieces of the random inputs of a row that belong to the plan's part."""
    k, n = plan.part
    return range(k - 1, pieces_of(plan.count), n)


def length(count: int, pieces: range) -> int:
    """How many of ``count`` inputs some pieces, in ascending order, have: the last one of all has fewer."""
    return sum(min(PIECE, count - piece * PIECE) for piece in pieces[-1:]) + PIECE * len(pieces[:-1])


def columns(item: Item, plan: Plan, piece: int) -> tuple[NDArray[Any], ...]:
    """The inputs of a piece, one array per argument."""
    first = piece * PIECE
    return drawn(item, plan.seed, np.arange(first, min(first + PIECE, plan.count)))


@np.errstate(all="ignore")
def drawn(item: Item, seed: int, numbers: NDArray[np.int64]) -> tuple[NDArray[Any], ...]:
    """The inputs with these ``numbers``, one array per argument.

    >>> from clmath.audit.plan.rows import item_named
    >>> (x,) = drawn(item_named("exp", "float"), 0, np.array([3, 10**12]))
    >>> (again,) = drawn(item_named("exp", "float"), 0, np.array([10**12]))
    >>> x[1] == again[0]
    np.True_
    """
    found = [np.empty(len(numbers), _dtype(kind, item)) for kind in item.columns]
    aim, recipe = aim_of(item, seed), recipe_of(item)
    for start in range(0, len(numbers), _BLOCK):
        index = numbers[start : start + _BLOCK]
        aimed = recipe(index, aim)
        codes = mixture(index, *(aimed if isinstance(aimed, tuple) else (aimed,)), aim)
        for column, kind, code in zip(found, item.columns, codes, strict=True):
            column[start : start + _BLOCK] = _stored(code, kind, item)
    return tuple(found)


def _dtype(kind: str, item: Item) -> np.dtype[Any]:
    return np.dtype(np.int32) if kind == "intn" else item.form.dtype


def _stored(code: NDArray[np.int64], kind: str, item: Item) -> NDArray[Any]:
    """What an argument is, from its lanes."""
    if kind == "intn":
        return code.astype(np.int32)
    return item.form.from_bits(code.view(np.uint64).astype(item.form.bits_dtype))
