"""One call that turns each element into one of another type: conversions and image channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.call.chunks import run
from clmath.call.containers import opened
from clmath.call.plans import INTS, of_numbers
from clmath.call.results import fresh
from clmath.direct.conversions import conversion, label
from clmath.engines import choice
from clmath.numbers import guard

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.call.plans import Plan
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["converted", "converted_number", "elementwise", "rounded_to_format", "with_containers"]

_INT = np.dtype(np.int32)

Block: TypeAlias = "Callable[[NDArray[Any]], NDArray[Any]]"


def elementwise(call: str, source: NDArray[Any], target: np.dtype[Any], block: Block, whole: str = "") -> NDArray[Any]:
    """A new array of dtype ``target``: ``block`` of ``source``, in bounded memory whatever the strides.

    ``whole``: what the native engine calls the same, if it has it.
    """
    result = fresh(source.shape, target, [source])

    def step(chunk: Sequence[NDArray[Any]], targets: Sequence[NDArray[Any]]) -> None:
        if choice.NATIVE.whole(whole, chunk, targets) is None:
            targets[0][...] = block(*chunk)

    run(call, step, [source], [result], fresh=True)
    return result


def converted(
    call: str, source: NDArray[Any], target: np.dtype[Any], mode: Rounding, *, sat: bool = False
) -> NDArray[Any]:
    """A new array: ``source`` (any of the twelve types) as ``target``; ``mode`` and ``sat`` as ``convert`` has them."""
    block = conversion(source.dtype, target, mode, sat=sat)
    return elementwise(call, source, target, block, label(source.dtype, target, mode))


def converted_number(call: str, value: Any, target: np.dtype[Any], mode: Rounding, *, sat: bool = False) -> Any:
    """``value``, where it is a single number, as ``converted`` has it; None for everything else."""
    return of_numbers(_planned, call, (target.type, mode, sat), (value,), target)


def _planned(
    call: str, option: tuple[Any, Rounding, bool], kinds: tuple[Any, ...], target: np.dtype[Any]
) -> Plan | None:
    """What converts numbers of one kind to ``target``."""
    (kind,), (result, mode, sat) = kinds, option
    if isinstance(kind, tuple):
        return None
    source = np.dtype(kind)
    convert = conversion(source, target, mode, sat=sat)
    small, from_int = kind in INTS, conversion(_INT, target, mode, sat=sat)

    def plan(args: tuple[Any, ...]) -> Any:
        guard.refuse_altered_arithmetic(call)
        value = args[0]
        with np.errstate(all="ignore"):
            if small and -(2**31) <= value < 2**31:  # what becomes of an integer depends on its value alone
                return result(from_int(np.asarray(value, _INT).reshape(1))[0])
            try:
                return result(convert(np.asarray(value, source).reshape(1))[0])
            except OverflowError:  # an int that no long holds
                return None

    return plan


def rounded_to_format(source: NDArray[Any], form: Format, mode: Rounding, call: str = "convert()") -> NDArray[Any]:
    """A new array: ``source`` (any of the twelve types) rounded to ``form`` in ``mode``."""
    return converted(call, source, form.dtype, mode)


def with_containers(call: str, argument: str, value: Any, evaluated: Callable[[Any], NDArray[Any]]) -> Any:
    """``evaluated`` of what a container holds, in a container like it; a scalar for a scalar."""
    (inner,), restore = opened(call, [argument], (value,))
    result = evaluated(inner)
    return result[()] if restore is None else restore(result)
