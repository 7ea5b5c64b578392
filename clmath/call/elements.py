"""One call that turns each element into one of another type: conversions and image channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

from clmath.call.chunks import run
from clmath.call.containers import opened
from clmath.call.results import handed_back, result_arrays
from clmath.exact.conversions import conversion

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    import numpy as np
    from numpy.typing import NDArray

    from clmath.formats import Format
    from clmath.rounding import Rounding

__all__ = ["converted", "elementwise", "rounded_to_format", "with_containers"]

Block: TypeAlias = "Callable[[NDArray[Any]], NDArray[Any]]"


def elementwise(call: str, source: NDArray[Any], target: np.dtype[Any], block: Block) -> NDArray[Any]:
    """A new array of dtype ``target``: ``block`` of ``source``, in bounded memory whatever the strides."""
    results = result_arrays(call, [source.shape], [target], None, [source])

    def step(chunk: Sequence[NDArray[Any]], targets: Sequence[NDArray[Any]]) -> None:
        targets[0][...] = block(*chunk)

    run(call, step, [source], results, fresh=True)
    return results[0]


def converted(
    call: str, source: NDArray[Any], target: np.dtype[Any], mode: Rounding, *, sat: bool = False
) -> NDArray[Any]:
    """A new array: ``source`` (any of the twelve types) as ``target``; ``mode`` and ``sat`` as ``convert`` has them."""
    return elementwise(call, source, target, conversion(source.dtype, target, mode, sat=sat))


def rounded_to_format(source: NDArray[Any], form: Format, mode: Rounding, call: str = "convert()") -> NDArray[Any]:
    """A new array: ``source`` (any of the twelve types) rounded to ``form`` in ``mode``."""
    return converted(call, source, form.dtype, mode)


def with_containers(call: str, argument: str, value: Any, evaluated: Callable[[Any], NDArray[Any]]) -> Any:
    """``evaluated`` of what a container holds, in a container like it; a scalar for a scalar."""
    (inner,), restore = opened(call, [argument], (value,))
    return handed_back([evaluated(inner)], None, restore)
