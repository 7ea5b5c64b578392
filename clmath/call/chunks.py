"""Cuts a call into chunks, whatever the strides and the byte order, and takes one step over all of them."""

from __future__ import annotations

import math
import threading
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.call.workers import at_once
from clmath.numbers import guard

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.ladder import Step

__all__ = ["CHUNK", "LARGE_CHUNK", "chunks", "run"]

CHUNK = 16384  # lanes: the dozen float64 temporaries of a kernel stay in a core's cache
LARGE_CHUNK = 1 << 17  # for compiled loops, which have no temporaries, and for threads, which meet at every operation
_PLAIN = ("contig", "aligned", "nbo", "overlap_assume_elementwise")

Operands: TypeAlias = "Sequence[np.ndarray]"
Part: TypeAlias = "tuple[Operands, Operands]"  # sources and targets


def run(
    call: str,
    step: Step,
    sources: Operands,
    targets: Operands,
    *,
    fresh: bool = False,
    threads: int = 1,
    size: int | None = None,
    strided: bool = False,
) -> None:
    """Take ``step`` over all chunks of ``sources`` and ``targets``, which broadcast; ``fresh`` targets are new arrays.

    ``strided``: the step reads and writes what does not lie next to each other as fast as a copy is made. Refused where
    a thread flushes.
    """
    size = size or CHUNK
    shared = not fresh and _overlap(sources, targets)
    parts = [(sources, targets)] if shared or threads == 1 else _parts(sources, targets, threads)
    if len(parts) == 1:
        _stepped(call, step, parts[0], size, shared=shared, strided=strided)
    else:
        _in_threads(call, step, parts, size, strided=strided)


def _stepped(
    call: str,
    step: Step,
    part: Part,
    size: int,
    *,
    shared: bool = False,
    strided: bool = False,
    failures: Sequence[BaseException] = (),
) -> None:
    """Take ``step`` over all chunks of ``part`` in this thread, until there are ``failures``."""
    guard.refuse_altered_arithmetic(call)
    sources, targets = part
    count = len(sources)
    with np.errstate(all="ignore"):
        for chunk in chunks(sources, targets, size, shared=shared, strided=strided):
            if failures:
                return
            step(chunk[:count], chunk[count:])


def _in_threads(call: str, step: Step, parts: Sequence[Part], size: int, *, strided: bool = False) -> None:
    """Take ``step`` over all chunks of ``parts``, which do not overlap, in one thread for each part."""
    failures: list[BaseException] = []
    left = iter(parts)
    taking = threading.Lock()

    def work() -> None:
        while True:
            with taking:
                part = next(left, None)
            if part is None:
                return
            _stepped(call, step, part, size, strided=strided, failures=failures)

    at_once(work, len(parts), failures)


def _overlap(sources: Operands, targets: Operands) -> bool:
    """Whether an input may share memory with a result: then one loop, which sees both, must order the accesses."""
    return any(np.may_share_memory(s, t) for s in sources for t in targets)


def _parts(sources: Operands, targets: Operands, threads: int) -> list[Part]:
    """The operands cut along the first axis, one piece per thread, each at least a chunk; uncut if that leaves one."""
    shape = targets[0].shape
    count = min(threads, math.prod(shape) // CHUNK, *shape[:1])
    if count < 2:
        return [(sources, targets)]
    full = [np.broadcast_to(s, shape) for s in sources]
    cuts = [slice(i * shape[0] // count, (i + 1) * shape[0] // count) for i in range(count)]
    return [([s[c] for s in full], [t[c] for t in targets]) for c in cuts]


def chunks(
    sources: Operands, targets: Operands, size: int, *, shared: bool, strided: bool = False
) -> Iterator[tuple[np.ndarray, ...]]:
    """One-dimensional native chunks of all operands side by side.

    ``shared``: sources and targets may overlap. Sources stay as they are while the targets of their chunk are written,
    though both be one array; only where they overlap otherwise does the iterator copy a whole operand.
    """
    operands = [*sources, *targets]
    if operands[-1].size == 0:
        return
    flat = None if shared else _flat(operands, strided=strided)
    if flat is None:
        yield from _iterated(operands, len(sources), size, shared=shared)
    elif flat[0].size <= size:
        yield tuple(flat)
    else:
        for start in range(0, flat[0].size, size):
            yield tuple([f[start : start + size] for f in flat])


def _flat(operands: Operands, *, strided: bool) -> list[np.ndarray] | None:
    """One-dimensional views of operands of one shape that lie in memory in one and the same order, otherwise None.

    ``strided``: operands of one axis need not be contiguous.
    """
    shape = operands[0].shape
    rows = columns = True
    for o in operands:
        flags = o.flags
        if o.shape != shape or not flags.aligned or not o.dtype.isnative:
            return None
        rows, columns = rows and flags.c_contiguous, columns and flags.f_contiguous
    if len(shape) == 1 and (rows or strided):
        return list(operands)
    if rows:
        return [o.reshape(-1) for o in operands]
    return [o.T.reshape(-1) for o in operands] if columns else None


def _iterated(operands: Operands, count: int, size: int, *, shared: bool) -> Iterator[tuple[np.ndarray, ...]]:
    """Chunks by NumPy's iterator, the first ``count`` operands being sources."""
    flags: list[Any] = [["readonly", *_PLAIN]] * count + [["writeonly", *_PLAIN]] * (len(operands) - count)
    with np.nditer(
        operands,
        flags=["external_loop", "buffered", "copy_if_overlap", "zerosize_ok"],
        op_flags=flags,
        op_dtypes=[o.dtype.newbyteorder("=") for o in operands],
        buffersize=size,
        casting="equiv",
    ) as iterator:
        for chunk in iterator:
            parts = chunk if isinstance(chunk, tuple) else (chunk,)
            yield (*(s.copy() for s in parts[:count]), *parts[count:]) if shared else parts
