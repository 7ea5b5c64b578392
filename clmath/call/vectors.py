"""Geometric built-ins on arrays of vectors as they are, few or many."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath import ladder
from clmath.call.plain import Apart, are_done
from clmath.call.results import fresh
from clmath.engines import choice
from clmath.engines.native.arrays import FEW, operands
from clmath.numbers import guard
from clmath.numbers.formats import format_of
from clmath.pragmas import contracts

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.engines.native.arrays import Loop
    from clmath.ladder import Step
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = ["planned"]

WORTH_A_THREAD = 1 << 12  # vectors


def planned(row: Builtin, mode: Rounding, kinds: tuple[Any, ...]) -> Apart | None:
    """What evaluates a geometric built-in on vectors of one format; None for arguments of other kinds."""
    dtype = kinds[0]
    form = format_of(dtype) if isinstance(dtype, np.dtype) and dtype.isnative else None
    if form not in row.formats or any(kind != dtype for kind in kinds) or choice.NATIVE.library is None:
        return None
    is_vector, name = row.result == "gentype", row.name

    @functools.cache
    def stored(width: int, contracted: bool) -> Loop | None:
        return ladder.on_vectors(name, form, mode, len(kinds), width, contracted=contracted)

    plain = ladder.step(name, form, mode, choice.PLAIN)

    def evaluated(args: tuple[np.ndarray, ...], out: Any, threads: int) -> Any:
        shape = _shape(args)
        loop = stored(shape[-1], contracts()) if shape and shape[-1] in row.widths else None
        if loop is None:
            return None
        wanted = shape if is_vector else shape[:-1]
        if out is not None:
            vectors = _Vectors(f"{name}()", args, out, is_vector)
            return out if _is_plain(out, dtype, wanted) and vectors.are_done(loop, plain, threads) else None
        result = np.empty(wanted, dtype) if len(wanted) < 2 else fresh(wanted, dtype, args)
        is_done = _are_few_done(loop, args, result) or _Vectors(f"{name}()", args, result, is_vector).are_done(
            loop, plain, threads
        )
        return None if not is_done else result if result.ndim else result[()]

    return Apart(evaluated)


def _shape(args: Sequence[np.ndarray]) -> tuple[int, ...]:
    """The one shape of all, or that beside which the other is one vector as wide; empty where there is neither."""
    first = args[0].shape
    for other in args[1:]:
        if other.shape == first:
            continue
        if first[-1:] != other.shape[-1:] or 1 not in {len(first), other.ndim}:
            return ()
        first = max(first, other.shape, key=len)
    return first


def _is_plain(out: object, dtype: np.dtype, shape: tuple[int, ...]) -> bool:
    return type(out) is np.ndarray and out.dtype == dtype and out.shape == shape and out.flags.writeable


def _are_few_done(loop: Loop, args: tuple[np.ndarray, ...], result: np.ndarray) -> bool:
    """Whether there are so few vectors, in arrays of one shape, that the new result is written at once."""
    first, second = args if len(args) == 2 else (args[0], None)
    shape = first.shape
    if first.size > FEW or len(shape) > 2 or (second is not None and second.shape != shape):
        return False
    return not loop.few(loop.address, first, second, result)


class _Vectors(NamedTuple):
    """The arguments and the result of a call, in which each vector is one lane."""

    label: str
    args: tuple[np.ndarray, ...]
    result: np.ndarray
    is_vector: bool

    def are_done(self, loop: Loop, plain: Step, threads: int) -> bool:
        """Whether the result is written: all of it, or nothing. ``plain`` decides what the loop leaves open."""
        guard.refuse_altered_arithmetic(self.label)
        count = math.prod(self._shape())
        given, decide = operands(self.args, (self.result,)), functools.partial(self._decide, plain)
        return are_done(loop, given, count, min(threads, count // WORTH_A_THREAD), decide)

    def _shape(self) -> tuple[int, ...]:
        return self.result.shape[:-1] if self.is_vector else self.result.shape

    def _decide(self, plain: Step, places: NDArray[np.int64]) -> None:
        """Have the vectors at ``places`` in C order decided."""
        at = np.unravel_index(places, self._shape()) if self._shape() else (np.zeros_like(places),)
        lanes = []
        for array in self.args:
            whole = np.broadcast_to(array, (*self._shape(), array.shape[-1]))
            some = whole[at] if self._shape() else whole[np.newaxis][at]
            lanes += [np.ascontiguousarray(lane) for lane in some.T]
        targets = [
            np.empty(places.size, self.result.dtype) for _ in range(self.args[0].shape[-1] * self.is_vector or 1)
        ]
        with np.errstate(all="ignore"):
            plain(lanes, targets)
        found = np.stack(targets, axis=-1) if self.is_vector else targets[0]
        if self._shape():
            self.result[at] = found
        else:
            self.result[...] = found[0]
