"""The inputs of the rows of an audit, which the seed determines in any process.

A random input follows from its number: a plan with few inputs has the first inputs of a plan with many. Calls on
vectors are the calls on scalars; the calls of each chunk are put into vectors together.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clmath.audit.inputs import exhaustive, random, vectors
from clmath.audit.inputs.exhaustive import is_swept
from clmath.audit.inputs.layout import Columns, is_exhaustive
from clmath.audit.inputs.random import is_numbered
from clmath.audit.inputs.spaced import spaced, spaced_count
from clmath.audit.inputs.structured import structured
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import PIECE, Plan
from clmath.spec.families import widens

VERSION = 10  # raised whenever a plan gives other inputs than before: --resume and --merge refuse rows of other ones
CHUNK = 8192  # inputs that are passed to a target and to a worker at a time


class _Pieces(NamedTuple):
    """The inputs behind the fixed ones: the chunks that a plan has, the size of each except the last, and the total."""

    pieces: range
    size: int
    total: int


def _behind(item: Item, plan: Plan) -> _Pieces:
    """Return the pieces of the random inputs, or of all floats."""
    if is_swept(item, plan):
        parts, size = exhaustive.swept_parts(plan), exhaustive.part_length(item)
        return _Pieces(parts, size, size * parts.stop)
    if is_numbered(item, plan):
        return _Pieces(random.parts(plan), PIECE, plan.count)
    count, size = _random_count(item, plan), chunk_size(item)
    return _Pieces(range(_pieces(item, count)), size, count)


def chunks(item: Item, plan: Plan) -> int:
    """Return the number of chunks of the row's inputs: first chunks of fixed inputs, then of random ones."""
    return fixed_chunks(item, plan) + len(_behind(item, plan).pieces)


def fixed_chunks(item: Item, plan: Plan) -> int:
    """Return the number of chunks with fixed inputs; if a row is audited in parts, only the first part has some."""
    is_of_another_part = is_numbered(item, plan) and plan.part[0] > 1
    return 0 if is_of_another_part else _pieces(item, _fixed_count(item, plan))


def columns(item: Item, plan: Plan, chunk: int) -> Columns:
    """Return the inputs of one chunk, one array per input value (one per component for vectors)."""
    first, size = fixed_chunks(item, plan), chunk_size(item)
    if chunk < first:
        return _fixed(item, plan, chunk * size, (chunk + 1) * size)
    pieces, size, total = _behind(item, plan)
    piece = pieces[chunk - first]
    if is_swept(item, plan):
        return exhaustive.swept_columns(item, [piece])
    generated = random_inputs(item, plan.seed, piece, size, min(size, total - piece * size))
    if item.vector == 1:
        return generated
    return vectors.arranged(random.generator(item, plan.seed, piece, item.vector), item, generated)


def random_inputs(item: Item, seed: int, piece: int, size: int, count: int) -> Columns:
    """Return the first ``count`` random inputs of a row's chunk number ``piece``, which has at most ``size`` inputs."""
    if isinstance(item, ExactItem):
        generated = random.random_columns(random.generator(item, seed, piece), item, size)
        return tuple(column[:count] for column in generated)
    return random.numbered(item, seed, np.arange(piece * size, piece * size + count))


def places(item: Item, plan: Plan, chunk: int) -> int | NDArray[np.uint32]:
    """Return the place in the row of the first input of a chunk, a number from 0 on, which does not depend on the part.

    Chunks of the local search come last. If all floats are tried as scalars, return the places of all inputs, which are
    the floats' encodings.
    """
    pieces, length, _ = _behind(item, plan)
    if is_swept(item, plan) and item.vector == 1:
        return exhaustive.encodings(item, [pieces[chunk]])
    size, number = chunk_size(item), chunk - fixed_chunks(item, plan)
    if number < 0:
        return chunk * size
    before = _pieces(item, _fixed_count(item, plan)) * size
    if number < len(pieces):
        return before + pieces[number] * length
    return before + len(pieces) * length + (number - len(pieces)) * size


def place_of_first_numbered(item: Item, count: int) -> int:
    """Return the place in a row of the random input numbered 0, if a plan asks for ``count`` random inputs."""
    return _pieces(item, len(structured(item)[0]) + spaced_count(item, count)) * chunk_size(item)


def weight(item: Item, plan: Plan) -> int:
    """Return an estimate of the number of the row's inputs without listing them."""
    if plan.total:
        return plan.count
    if is_exhaustive(item):
        return 1 << item.size
    pieces, size, total = _behind(item, plan)
    others = 0 if is_swept(item, plan) else spaced_count(item, plan.count) + CHUNK
    return random.length(total, pieces, size) + others


def length(item: Item, plan: Plan, pieces: int) -> int:
    """Return the number of inputs in the first ``pieces`` chunks of a row."""
    first, (parts, size, total) = fixed_chunks(item, plan), _behind(item, plan)
    fixed = min(_fixed_count(item, plan), min(pieces, first) * chunk_size(item))
    return fixed + random.length(total, parts[: max(pieces - first, 0)], size)


def is_parted(item: Item, plan: Plan) -> bool:
    """Whether an audit of a part tries only some of the row's inputs."""
    return is_swept(item, plan) or (is_numbered(item, plan) and plan.part != (1, 1))


def chunk_size(item: Item) -> int:
    """Return the number of inputs of every chunk except the last: whole vectors, and fewer for large work-groups."""
    return min(random.calls_of(item, 8 * CHUNK), CHUNK - CHUNK % item.vector)


def _fixed_count(item: Item, plan: Plan) -> int:
    return 0 if is_swept(item, plan) else len(_structured(item, plan)[0]) + _spaced_count(item, plan)


def _spaced_count(item: Item, plan: Plan) -> int:
    return 0 if plan.total else spaced_count(item, plan.count)


def _structured(item: Item, plan: Plan) -> Columns:
    """Return the structured inputs, or an even selection if the plan limits the number of all inputs.

    Then at most half of the inputs are structured, or all if no others exist. Vectors stay whole.
    """
    every = structured(item)
    known = len(every[0]) // item.vector
    most = _total(item, plan) // (1 if is_exhaustive(item) else 2) // item.vector
    if not plan.total or known <= most:
        return every
    chosen = np.arange(most) * known // max(most, 1) * item.vector
    return tuple(column[np.add.outer(chosen, np.arange(item.vector)).ravel()] for column in every)


def _total(item: Item, plan: Plan) -> int:
    """Return the number of all inputs of a row: whole vectors, at least one."""
    return max(plan.count - plan.count % item.vector, item.vector)


def _fixed(item: Item, plan: Plan, start: int, stop: int) -> Columns:
    """Return some of the inputs before the random ones: first structured inputs, then inputs spaced over the domain."""
    first = _structured(item, plan)
    known = len(first[0])
    if stop <= known:
        return tuple(c[start:stop].copy() for c in first)
    then = spaced(item, plan.seed, _spaced_count(item, plan) and plan.count)
    rest = slice(max(start - known, 0), stop - known)
    return tuple(np.concatenate([a[start:known], b[rest]]) for a, b in zip(first, then, strict=True))


def _pieces(item: Item, n: int) -> int:
    return -(-n // chunk_size(item))


def _random_count(item: Item, plan: Plan) -> int:
    """Return the number of a row's random inputs; spaced inputs replace at most three quarters of the requested."""
    if is_exhaustive(item):
        return 0
    if plan.total:
        return _total(item, plan) - len(_structured(item, plan)[0])
    if widens(item.builtin):
        return -(-plan.count // item.width)
    count = random.calls_of(item, plan.count)
    return count + -count % item.vector - min(spaced_count(item, count), 3 * count // 4)
