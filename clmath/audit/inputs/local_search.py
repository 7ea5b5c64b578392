"""Inputs of the local search near the worst input of a row: one for every ten inputs tried before."""

from __future__ import annotations

import itertools

import numpy as np
from numpy.typing import NDArray

from clmath import phases
from clmath.audit.counting.tally import Example
from clmath.audit.inputs import layout, row_inputs, vectors
from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.random import generator, is_numbered
from clmath.audit.inputs.streams import beside_few_bits, exponents, generated, nearly, with_exponent
from clmath.audit.inputs.structured import structured
from clmath.audit.inputs.thresholds import heights
from clmath.audit.inputs.values import stored_columns
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import NUMBERED, Plan
from clmath.numbers.formats import Format

SHARE = 10  # inputs tried before, except inputs spaced over the domain, for each input of the local search
_POOL = 64  # inputs that are generated for each one that is chosen by its result
_BLOCK = 1 << 14  # inputs evaluated at a time, so that temporaries stay in cache


def _count(item: Item, plan: Plan) -> int:
    """Return the number of inputs of the local search.

    It is 0 if all inputs were tried, in parts of an audit, and if the plan has no local search. It does not grow beyond
    ``NUMBERED`` random inputs.
    """
    is_complete = layout.is_exhaustive(item) or row_inputs.is_parted(item, plan)
    if not item.measured or not plan.local_search or plan.total or is_complete:
        return 0
    count = min(plan.count, NUMBERED) if is_numbered(item, plan) else plan.count
    return -(-(len(structured(item)[0]) + count) // SHARE)


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
    rng = generator(item, plan.seed, piece, *worst)
    given = stored_columns(item, [worst[:inner]])
    alike = _alike(rng, item, given, n // 3)
    near = _around(rng, item, given, n - len(alike[0]))
    found = layout.without_repetition(tuple(map(np.concatenate, zip(near, alike, strict=True))))
    if item.vector == 1:
        return found
    component, *calls = worst[inner:]
    stored = stored_columns(item, [calls[i : i + inner] for i in range(0, len(calls), inner)])
    return vectors.beside(item, found, stored, component)


def _around(rng: np.random.Generator, item: Item, given: Columns, n: int) -> Columns:
    """Return ``n`` inputs, each argument near the given one or in its binade; half of the calls treat all alike."""
    together, wide = rng.random(n) < 0.5, rng.random(n) < 0.5
    choices = [np.where(together, wide, rng.random(n) < 0.5) for _ in given]
    kinds = zip(item.columns, given, choices, strict=True)
    return tuple(_column(rng, kind, item.form, x.repeat(n), chosen) for kind, x, chosen in kinds)


def _alike(rng: np.random.Generator, item: Item, given: Columns, n: int) -> Columns:
    """Return at most ``n`` inputs in the given binades with results most like the given input's result.

    Half have the results nearest to its result, half have results just below the next power of two. No inputs are
    returned if results are vectors or are not known without the reference, or if the given input's result is 0 or not
    finite.
    """
    is_known = n > 0 and not item.width and phases.is_enclosed(item.builtin.called, item.form)
    own = heights(item, given)[0] if is_known else np.nan
    if not np.isfinite(own):
        return tuple(x[:0] for x in given)
    wide = np.ones(_POOL * n, np.bool_)
    made = tuple(
        _column(rng, kind, item.form, x.repeat(len(wide)), wide) for kind, x in zip(item.columns, given, strict=True)
    )
    blocks = (tuple(column[i : i + _BLOCK] for column in made) for i in range(0, len(wide), _BLOCK))
    found, above = np.concatenate([heights(item, block) for block in blocks]), np.floor(own) + 1.0
    below_power = np.where(found < above, above - found, np.inf)
    places = np.concatenate([_least(np.abs(found - own), n // 2), _least(below_power, n - n // 2)])
    return tuple(column[places] for column in made)


def _least(distances: NDArray[np.float64], n: int) -> NDArray[np.intp]:
    """Return the places of the ``n`` least finite distances; equal distances keep their order."""
    order = np.argsort(distances, kind="stable")[:n]  # NaN is last
    return order[np.isfinite(distances[order])]


def _column(rng: np.random.Generator, kind: str, form: Format, x: np.ndarray, wide: NDArray[np.bool_]) -> np.ndarray:
    """Return values about ``x``, whose elements are equal: in its binade if ``wide``, else near it or equal to it."""
    moved, n = rng.random(x.shape) < 0.75, len(x)
    if kind == "intn":
        step = rng.integers(-8, 9, x.shape) * (wide | moved)
        return np.clip(x + step, -(2**31), 2**31 - 1).astype(np.int32)
    if kind == "nancode" or not (n and np.isfinite(x[0]) and x[0]):
        return x
    own, code = exponents(x), form.bits(x).astype(np.int64)
    with np.errstate(all="ignore"):
        binade = np.copysign(generated(rng, form, n, lambda stream: with_exponent(stream, own)), x)
        few = generated(rng, form, n, lambda stream: beside_few_bits(stream, form.bits(binade).astype(np.int64)))
        near = generated(rng, form, n, lambda stream: nearly(stream, code, form.precision - 1))
    return np.where(wide, np.where(rng.random(n) < 0.5, few, binade), np.where(moved, near, x))
