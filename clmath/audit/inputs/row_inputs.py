"""The inputs of the rows of an audit, which the seed determines in any process.

A random input follows from its number: a plan with few inputs has the first inputs of a plan with many. Calls on
vectors are the calls on scalars; the calls of each chunk are put into vectors together.
"""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.inputs import floats, numbered, vectors
from clmath.audit.inputs.drawn import calls_of, random_inputs
from clmath.audit.inputs.layout import is_exhaustive
from clmath.audit.inputs.numbered import is_numbered
from clmath.audit.inputs.spaced import spaced, spaced_count
from clmath.audit.inputs.structured import structured
from clmath.audit.plan.types import form_of
from clmath.numbers.formats import FLOAT
from clmath.spec.families import widens

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan

__all__ = [
    "CHUNK",
    "VERSION",
    "chunk_size",
    "chunks",
    "columns",
    "fixed_chunks",
    "is_parted",
    "is_swept",
    "length",
    "place_of_first_numbered",
    "places",
    "weight",
]

VERSION = 9  # raised whenever a plan gives other inputs than before: --resume and --merge refuse rows of other versions
CHUNK = 8192  # inputs that are passed to a target and to a worker at a time


def chunks(item: Item, plan: Plan) -> int:
    """Return the number of chunks of the row's inputs: first chunks of fixed inputs, then of random ones."""
    if is_swept(item, plan):
        return len(floats.swept_parts(plan))
    random = len(numbered.parts(plan)) if is_numbered(item, plan) else _pieces(item, _random_count(item, plan))
    return fixed_chunks(item, plan) + random


def fixed_chunks(item: Item, plan: Plan) -> int:
    """Return the number of chunks with fixed inputs; if a row is audited in parts, only the first part has some."""
    is_of_another_part = is_numbered(item, plan) and plan.part[0] > 1
    return 0 if is_swept(item, plan) or is_of_another_part else _pieces(item, _fixed_count(item, plan))


def columns(item: Item, plan: Plan, chunk: int) -> Columns:
    """Return the inputs of one chunk, one array per input value (one per component for vectors)."""
    if is_swept(item, plan):
        return floats.swept_columns(item, [floats.swept_parts(plan)[chunk]])
    first, size = fixed_chunks(item, plan), chunk_size(item)
    if chunk < first:
        return _fixed(item, plan, chunk * size, (chunk + 1) * size)
    piece = chunk - first
    if is_numbered(item, plan):
        return numbered.columns(item, plan, numbered.parts(plan)[piece])
    drawn = random_inputs(item, plan.seed, piece * size, min((piece + 1) * size, _random_count(item, plan)))
    if item.vector == 1:
        return drawn
    rng = np.random.default_rng([plan.seed % 2**64, zlib.crc32(str(item).encode()), piece])
    return vectors.arranged(rng, item, drawn)


def places(item: Item, plan: Plan, chunk: int) -> int | NDArray[np.uint32]:
    """Return the place in the row of the first input of a chunk, a number from 0 on.

    If all floats are tried as scalars, return the places of all inputs, which are the floats' encodings.
    """
    if is_numbered(item, plan):
        return _place_of_numbered(item, plan, chunk)
    if not is_swept(item, plan):
        return chunk * chunk_size(item)
    return (
        floats.encodings(item, [floats.swept_parts(plan)[chunk]])
        if item.vector == 1
        else floats.swept_parts(plan)[chunk] * floats.part_length(item)
    )


def _place_of_numbered(item: Item, plan: Plan, chunk: int) -> int:
    """Return the place of a chunk, which does not depend on the part; chunks of the local search come last."""
    size, parts = chunk_size(item), numbered.parts(plan)
    piece = chunk - fixed_chunks(item, plan)
    if piece < 0:
        return chunk * size
    if piece < len(parts):
        return place_of_first_numbered(item, plan.count) + parts[piece] * numbered.PIECE
    return place_of_first_numbered(item, plan.count) + len(parts) * numbered.PIECE + (piece - len(parts)) * size


def place_of_first_numbered(item: Item, count: int) -> int:
    """Return the place in a row of the random input numbered 0, if a plan asks for ``count`` random inputs."""
    return _pieces(item, _length(structured(item)) + spaced_count(item, count)) * chunk_size(item)


def weight(item: Item, plan: Plan) -> int:
    """Return an estimate of the number of the row's inputs without listing them."""
    if is_swept(item, plan):
        return floats.part_length(item) * len(floats.swept_parts(plan))
    if plan.total:
        return plan.count
    if is_exhaustive(item):
        return 1 << item.size
    if is_numbered(item, plan):
        return numbered.length(plan.count, numbered.parts(plan)) + spaced_count(item, plan.count) + CHUNK
    return _random_count(item, plan) + spaced_count(item, plan.count) + CHUNK


def length(item: Item, plan: Plan, pieces: int) -> int:
    """Return the number of inputs in the first ``pieces`` chunks of a row."""
    if is_swept(item, plan):
        return floats.part_length(item) * pieces
    fixed, size, first = _fixed_count(item, plan), chunk_size(item), fixed_chunks(item, plan)
    later = max(pieces - first, 0)
    if is_numbered(item, plan):
        return min(fixed, min(pieces, first) * size) + numbered.length(plan.count, numbered.parts(plan)[:later])
    return min(fixed, pieces * size) + min(_random_count(item, plan), later * size)


def is_parted(item: Item, plan: Plan) -> bool:
    """Whether an audit of a part tries only some of the row's inputs."""
    return is_swept(item, plan) or (is_numbered(item, plan) and plan.part != (1, 1))


def is_swept(item: Item, plan: Plan) -> bool:
    """Whether the plan is exhaustive, and the row has one argument of 32 bits, or two halfs."""
    is_pair = len(item.columns) == 2 and not item.width and all(form_of(c, item.form) for c in item.columns)
    return plan.exhaustive and item.size == FLOAT.width and (len(item.columns) == 1 or is_pair)


def chunk_size(item: Item) -> int:
    """Return the number of inputs of every chunk except the last, which fill whole vectors."""
    return CHUNK - CHUNK % item.vector


def _fixed_count(item: Item, plan: Plan) -> int:
    return _length(_structured(item, plan)) + _spaced_count(item, plan)


def _spaced_count(item: Item, plan: Plan) -> int:
    return 0 if plan.total else spaced_count(item, plan.count)


def _structured(item: Item, plan: Plan) -> Columns:
    """Return the structured inputs, or an even selection if the plan limits the number of all inputs.

    Then at most half of the inputs are structured, or all if no others exist. Vectors stay whole.
    """
    every = structured(item)
    vectors = _length(every) // item.vector
    most = _total(item, plan) // (1 if is_exhaustive(item) else 2) // item.vector
    if not plan.total or vectors <= most:
        return every
    chosen = np.arange(most) * vectors // most if most else np.arange(0)
    places = (chosen[:, np.newaxis] * item.vector + np.arange(item.vector)).reshape(-1)
    return tuple(column[places] for column in every)


def _total(item: Item, plan: Plan) -> int:
    """Return the number of all inputs of a row: whole vectors, at least one."""
    return max(plan.count - plan.count % item.vector, item.vector)


def _fixed(item: Item, plan: Plan, start: int, stop: int) -> Columns:
    """Return some of the inputs before the random ones: first structured inputs, then inputs spaced over the domain."""
    first = _structured(item, plan)
    known = _length(first)
    if stop <= known:
        return tuple(c[start:stop].copy() for c in first)
    then = spaced(item, plan.seed, _spaced_count(item, plan) and plan.count)
    places = slice(max(start - known, 0), stop - known)
    return tuple(np.concatenate([a[start:known], b[places]]) for a, b in zip(first, then, strict=True))


def _pieces(item: Item, n: int) -> int:
    return -(-n // chunk_size(item))


def _length(values: Columns) -> int:
    return len(values[0])


def _random_count(item: Item, plan: Plan) -> int:
    """Return the number of a row's random inputs; spaced inputs replace at most three quarters of the requested."""
    if is_exhaustive(item):
        return 0
    if plan.total:
        return _total(item, plan) - _length(_structured(item, plan))
    if widens(item.builtin):
        return -(-plan.count // item.width)
    count = calls_of(item, plan.count)
    return count + -count % item.vector - min(spaced_count(item, count), 3 * count // 4)
