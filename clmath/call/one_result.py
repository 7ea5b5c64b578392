"""Calls of what has one result, a number or a vector for each element, wherever its operands come from."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.call import selected
from clmath.call.arguments import common_shape
from clmath.call.chunks import CHUNK, LARGE_CHUNK, run
from clmath.call.results import handed_back, result_arrays

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.containers import Restore
    from clmath.ladder import Step

__all__ = ["OneResult"]


class OneResult(NamedTuple):
    """What is evaluated: the operands of a step of ``call``, and the type of its result.

    ``names`` and ``arguments``: of the parameters, for messages; ``shapes``: of the operands of each without the axis
    whose lanes are operands of their own. ``lanes``: how many a vector of the result has, which are targets of their
    own; None for numbers.
    """

    call: str
    names: Sequence[str]
    arguments: Sequence[np.ndarray]
    operands: Sequence[np.ndarray]
    shapes: Sequence[tuple[int, ...]]
    dtype: np.dtype
    lanes: int | None = None

    def evaluated(
        self,
        step: Step,
        out: object,
        where: object,
        *,
        restore: Restore | None,
        threads: int,
        check: Callable[[str, Sequence[np.ndarray]], None] | None = None,
        size: int | None = None,
    ) -> Any:
        """The result of ``step`` over all chunks, of ``size`` elements, in the container that ``restore`` makes.

        ``check`` sees the call's name and the arguments first. Elements that ``where`` leaves out are neither checked
        nor computed.
        """
        operands = self.operands
        if where is True:
            mask, shape = None, common_shape(self.call, self.names, self.shapes, self.arguments)
        else:
            mask = selected.mask_of(self.call, where, self.names, self.shapes)
            shape, operands = mask.shape, [selected.picked(mask, array) for array in operands]
        if check is not None:
            check(self.call, self.arguments if mask is None else operands)
        vector = () if self.lanes is None else (self.lanes,)
        results = result_arrays(
            self.call, [(*shape, *vector)], [self.dtype], out, self.arguments, cleared=mask is not None
        )
        written = results[0] if mask is None else np.empty((int(mask.sum()), *vector), self.dtype)
        targets = [written] if self.lanes is None else [written[..., lane] for lane in range(self.lanes)]
        is_fresh, size = out is None or mask is not None, size or (LARGE_CHUNK if threads > 1 else CHUNK)
        run(self.call, step, operands, targets, fresh=is_fresh, threads=threads, size=size, strided=bool(vector))
        if mask is not None:
            selected.put(mask, results, [written])
        return handed_back(results, out, restore)
