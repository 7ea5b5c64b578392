"""Inputs of the local search near the worst input of a row: one for every ten inputs tried before."""

from __future__ import annotations

import itertools
import zlib
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath import phases
from clmath.audit.inputs import draws, layout, row_inputs, structured, vectors
from clmath.audit.inputs.numbered import is_numbered
from clmath.audit.inputs.thresholds import heights
from clmath.audit.plan.plan import NUMBERED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.counting.tally import Example
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.numbers.formats import Format

__all__ = ["SHARE", "around", "columns", "most_alike", "pieces"]

_BLOCK = 1 << 14  # inputs evaluated at a time, so that temporaries stay in cache
Lanes: TypeAlias = "NDArray[np.int64]"


def most_alike(item: Item, given: Columns, drawn: Columns, n: int) -> Lanes:
    """Return the places of the ``n`` inputs of ``drawn`` with results most like the result of ``given``, one input.

    Half have the results nearest to its result, half have results just below the next power of two. No places are
    returned if results are vectors or are not known without the reference, or if the result of ``given`` is 0 or not
    finite.
    """
    if item.width or not phases.is_enclosed(item.builtin.called, item.form):
        return np.empty(0, np.int64)
    own = heights(item, given)[0]
    if not np.isfinite(own):
        return np.empty(0, np.int64)
    blocks = [tuple(column[i : i + _BLOCK] for column in drawn) for i in range(0, len(drawn[0]), _BLOCK)]
    found = np.concatenate([heights(item, block) for block in blocks])
    above = np.floor(own) + 1.0
    below_power = np.where(found < above, above - found, np.inf)
    return np.concatenate([_least(np.abs(found - own), n // 2), _least(below_power, n - n // 2)])


def _least(distances: NDArray[np.float64], n: int) -> Lanes:
    """Return the places of the ``n`` least finite distances; equal distances keep their order."""
    places = np.flatnonzero(np.isfinite(distances))
    if n < len(places):
        farthest = np.partition(distances[places], n)[n]
        places = places[distances[places] <= farthest]
    return places[np.argsort(distances[places], kind="stable")[:n]]


SHARE = 10  # inputs tried before, except inputs spaced over the domain, for each input of the local search
_POOL = 64  # inputs that are generated for each one that is chosen by its result


def _count(item: Item, plan: Plan) -> int:
    """Return the number of inputs of the local search.

    It is 0 if all inputs were tried, in parts of an audit, and if the plan has no local search. It does not grow beyond
    ``NUMBERED`` random inputs.
    """
    if (
        not item.measured
        or not plan.second_look
        or plan.total
        or layout.is_exhaustive(item)
        or row_inputs.is_parted(item, plan)
    ):
        return 0
    count = min(plan.count, NUMBERED) if is_numbered(item, plan) else plan.count
    return -(-(len(structured.structured(item)[0]) + count) // SHARE)


def pieces(item: Item, plan: Plan) -> int:
    """Return the number of chunks of the local search's inputs."""
    return -(-_count(item, plan) // row_inputs.chunk_size(item))


def around(worst: Example | None) -> tuple[int, ...] | None:
    """Return the input to search around: arguments, then component and vector, if any. Return None without errors."""
    if worst is None or worst.error == 0.0:
        return None
    if not worst.vector:
        return worst.args
    return (*worst.args, worst.index % len(worst.vector), *itertools.chain(*worst.vector))


def columns(item: Item, plan: Plan, worst: tuple[int, ...], piece: int) -> Columns:
    """Return the inputs of one chunk: arguments in the binades of ``worst``, or near it at distances of every size.

    Some of several arguments may be equal to the arguments of ``worst``, since an error often depends on one argument.
    A third of the inputs lie in the binades of ``worst`` and have results close to its result, or just below the next
    power of two, where an ulp is smallest. No input occurs twice, except in vectors: in every second one, all
    components except one come from the worst input's vector. Inputs depend only on the plan's seed and on ``worst``,
    stored arguments.
    """
    size, inner = row_inputs.chunk_size(item), len(item.columns)
    n = min(size, _count(item, plan) - piece * size)
    seeds = [plan.seed, zlib.crc32(str(item).encode()), piece, *worst]
    rng = np.random.default_rng([s % 2**64 for s in seeds])
    found = _drawn(rng, item, worst[:inner], n)
    if item.vector == 1:
        return found
    lane, *calls = worst[inner:]
    return vectors.of_lane(item, found, [calls[i : i + inner] for i in range(0, len(calls), inner)], lane)


def _drawn(rng: np.random.Generator, item: Item, worst: tuple[int, ...], n: int) -> Columns:
    """Return at most ``n`` inputs for one ``worst``."""
    alike = _alike(rng, item, worst, n // 3)
    n -= len(alike[0])
    drawn = _around(rng, item, worst, n)
    return structured.without_repetition(item, tuple(map(np.concatenate, zip(drawn, alike, strict=True))))


def _around(rng: np.random.Generator, item: Item, worst: tuple[int, ...], n: int) -> Columns:
    """Return ``n`` inputs, each argument in the binade of ``worst`` or near it; half of the calls treat all alike."""
    together, wide = rng.random(n) < 0.5, rng.random(n) < 0.5
    return tuple(
        _column(rng, kind, item.form, x, np.where(together, wide, rng.random(n) < 0.5))
        for kind, x in zip(item.columns, _repeated(item, worst, n), strict=True)
    )


def _alike(rng: np.random.Generator, item: Item, worst: tuple[int, ...], n: int) -> Columns:
    """Return at most ``n`` inputs in the binades of ``worst`` whose results are close to its result."""
    if not n:
        return _repeated(item, worst, 0)
    wide = np.ones(_POOL * n, np.bool_)
    stored = _repeated(item, worst, len(wide))
    drawn = tuple(_column(rng, kind, item.form, x, wide) for kind, x in zip(item.columns, stored, strict=True))
    places = most_alike(item, _repeated(item, worst, 1), drawn, n)
    return tuple(column[places] for column in drawn)


def _repeated(item: Item, worst: tuple[int, ...], n: int) -> Columns:
    """Return ``n`` inputs that all equal ``worst``."""
    return tuple(
        np.full(n, value, np.int32) if kind == "intn" else _decoded(np.full(n, value, np.uint64), kind, item.form)
        for kind, value in zip(item.columns, worst, strict=True)
    )


def _decoded(codes: NDArray[np.uint64], kind: str, form: Format) -> np.ndarray:
    encodings = codes.astype(form.bits_dtype)
    return encodings if kind == "nancode" else form.from_bits(encodings)


def _column(rng: np.random.Generator, kind: str, form: Format, x: np.ndarray, wide: NDArray[np.bool_]) -> np.ndarray:
    """Return values about ``x``, whose elements are equal: in its binade if ``wide``, else near it or equal to it."""
    moved = rng.random(x.shape) < 0.75
    if kind == "intn":
        step = rng.integers(-8, 9, x.shape) * (wide | moved)
        return np.clip(x + step, -(2**31), 2**31 - 1).astype(np.int32)
    if kind == "nancode" or not (x.size and np.isfinite(x[0]) and x[0]):
        return x
    with np.errstate(all="ignore"):
        binade = np.copysign(draws.with_exponents(rng, form, np.broadcast_to(draws.exponent(x[:1]), x.shape)), x)
        binade = np.where(rng.random(x.shape) < 0.5, draws.beside_borders(rng, form, binade), binade)
        near = draws.nearly(rng, form, x, form.precision - 1)
    return np.where(wide, binade, np.where(moved, near, x))
