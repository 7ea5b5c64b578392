"""Calls with prepared arguments: their targets, the selection of elements, and the container of results."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.call import slices
from clmath.call.arguments import common_shape
from clmath.call.results import handed_back, mask_of, picked, result_arrays
from clmath.engines.ufuncs import raise_own

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.containers import Restore
    from clmath.call.slices import Operands, Work

Check: TypeAlias = "Callable[[str, Sequence[np.ndarray]], None]"
"""Sees the call's name and its arguments; raises an error for values that the built-in does not take."""

Store: TypeAlias = "Callable[[Operands, int], None]"
"""Stores the results of operands, in a number of threads."""


def by_ufunc(ufunc: np.ufunc) -> Store:
    """Return the store of a ufunc."""
    return functools.partial(slices.store, ufunc)


def by_step(call: str, step: Work) -> Store:
    """Return the store that takes ``step`` over block after block."""
    return functools.partial(slices.store_by_step, call, step)


class Evaluation(NamedTuple):
    """An evaluation: the operands of ``call``, and the types of its results.

    ``names`` and ``arguments``: of the parameters, for messages; ``shapes``: the shape of each argument's operands,
    without the axis of vectors. ``components``: the components of the one result if it is a vector, each with a target
    of its own; None for numbers. ``vectors``: the operands, and the result, that are whole arrays of vectors; None
    without any.
    """

    call: str
    names: Sequence[str]
    arguments: Sequence[np.ndarray]
    operands: Sequence[np.ndarray]
    shapes: Sequence[tuple[int, ...]]
    dtypes: Sequence[np.dtype]
    components: int | None = None
    vectors: tuple[bool, ...] | None = None

    @classmethod
    def of_elements(
        cls, call: str, names: Sequence[str], arrays: Sequence[np.ndarray], dtypes: Sequence[np.dtype]
    ) -> Evaluation:
        """Return the evaluation of ``arrays`` element by element."""
        return cls(call, names, arrays, arrays, [a.shape for a in arrays], dtypes)

    def by(
        self,
        ufunc: np.ufunc,
        out: object,
        where: object,
        *,
        restore: Restore | None,
        threads: int,
        check: Check | None = None,
    ) -> object:
        """Return the results of ``ufunc``: as ``evaluated`` does, but few elements at once."""
        if out is None and where is True and check is None and not (self.vectors or self.components):
            shape = common_shape(self.call, self.names, self.shapes, self.arguments)
            if math.prod(shape) <= (slices.SLICE if threads == 1 else slices.LEAST):
                found = ufunc(*self.operands)
                raise_own()
                return handed_back(found if isinstance(found, tuple) else (found,), None, restore)
        return self.evaluated(by_ufunc(ufunc), out, where, restore=restore, threads=threads, check=check)

    def evaluated(
        self,
        store: Store,
        out: object,
        where: object,
        *,
        restore: Restore | None,
        threads: int,
        check: Check | None = None,
    ) -> Any:
        """The results that ``store`` stores, in the container that ``restore`` makes.

        ``check`` sees the call's name and the arguments first. Elements that ``where`` leaves out are neither checked
        nor computed.
        """
        if where is not True:
            return self._of_some(store, out, where, restore=restore, threads=threads, check=check)
        shape = common_shape(self.call, self.names, self.shapes, self.arguments)
        if check is not None:
            check(self.call, self.arguments)
        results = self._results(shape, out)
        store(slices.Operands.of(self.operands, self._targets(results), self.vectors), threads)
        return handed_back(results, out, restore)

    def _of_some(
        self, store: Store, out: object, where: object, *, restore: Restore | None, threads: int, check: Check | None
    ) -> object:
        """Return the results for the elements that ``where`` picks, by slices; others keep their values, or are 0."""
        mask = mask_of(self.call, where, self.names, self.shapes)
        results = self._results(mask.shape, out, cleared=True)
        count = len(self.operands)
        flags = self.vectors or (*[False] * count, self.components is not None)
        if check is not None:
            pairs = zip(self.operands, flags, strict=False)
            check(self.call, [picked(mask, a, a.shape[-1:] if is_vector else ()) for a, is_vector in pairs])
        whole = slices.Operands.of([*self.operands, mask], results, (*flags[:count], False, *flags[count:]))
        for (*args, chosen), targets in (whole if out is None else whole.apart()).slices(slices.SLICE):
            written = [np.empty((np.count_nonzero(chosen), *t.shape[mask.ndim :]), t.dtype) for t in targets]
            some = [a[chosen] for a in args]
            store(slices.Operands.of(some, self._targets(written), self.vectors), threads)
            for target, values in zip(targets, written, strict=True):
                target[chosen] = values
        return handed_back(results, out, restore)

    def _results(self, shape: tuple[int, ...], out: object, *, cleared: bool = False) -> list[np.ndarray]:
        shape = shape if self.components is None else (*shape, self.components)
        shapes = [shape] * len(self.dtypes)
        return result_arrays(self.call, shapes, self.dtypes, out, self.arguments, cleared=cleared)

    def _targets(self, results: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        if self.components is None or self.vectors is not None:
            return results
        return [results[0][..., component] for component in range(self.components)]
