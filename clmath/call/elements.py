"""One call that turns each element into one of another type: conversions and image channels."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.call import plain
from clmath.call.chunks import CHUNK
from clmath.call.containers import opened
from clmath.call.one_result import OneResult
from clmath.call.plans import of_numbers
from clmath.call.results import as_given
from clmath.call.workers import checked_threads
from clmath.direct.conversions import conversion, label
from clmath.direct.converted_numbers import on_number, reader
from clmath.engines import choice
from clmath.numbers import guard
from clmath.numbers.formats import HALF

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.plans import Plan
    from clmath.direct.converted_numbers import OnNumber
    from clmath.ladder import Step
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = [
    "NEW",
    "Into",
    "channel_number",
    "conversion_step",
    "converted",
    "converted_number",
    "elementwise",
    "into",
    "returned",
    "rounded_to_format",
    "whole_step",
    "with_containers",
]

_LEAST_LONG, _MOST_LONG = -(2**63), 2**63 - 1

Block: TypeAlias = "Callable[[np.ndarray], np.ndarray]"


class Into(NamedTuple):
    """Where results go, and who computes them: ``out``, ``where`` and ``threads`` of a call."""

    out: Any = None
    where: Any = True
    threads: int = 1


NEW = Into()


def into(call: str, out: object, where: object, threads: object) -> Into:
    """The same of a ``call``, checked; ``NEW`` itself for a new array of all elements by the caller's thread."""
    if out is None and where is True and type(threads) is int and threads == 1:
        return NEW
    return Into(out, where, checked_threads(call.removesuffix("()"), threads))


def returned(result: np.ndarray, out: object) -> Any:
    """``result`` as a call gives it back: the array of ``out`` where given, otherwise a scalar for a 0-d one."""
    return result[()] if out is None or as_given("", out, 1)[0] is None else result


def elementwise(
    call: str,
    source: np.ndarray,
    target: np.dtype,
    block: Block,
    *,
    whole: str = "",
    option: object = None,
    into: Into = NEW,
    argument: str = "x",
) -> np.ndarray:
    """An array of dtype ``target``: ``block`` of ``source``, in bounded memory whatever the strides.

    ``whole``: what the native engine calls the same, if it has it. ``option``: what ``block`` follows from, beside
    that, ``call``, ``target`` and the type of ``source``. ``into``: where the results go, and who computes them.
    ``argument``: what messages call ``source``.
    """
    out, where, threads = into
    if source.ndim and where is True:
        result = plain.of_arrays(
            _planned_for_arrays, call, (target.type, whole, option), (source,), out, threads, target, block, whole
        )
        if result is not None:
            return result  # type: ignore[no-any-return]
    return _in_chunks(call, source, target, whole_step(block, whole), into, argument)


def _in_chunks(  # noqa: PLR0917 - as ``elementwise`` has them
    call: str, source: np.ndarray, target: np.dtype, step: Step, into: Into, argument: str
) -> np.ndarray:
    asked = OneResult(call, (argument,), [source], [source], [source.shape], target)
    return np.asarray(asked.evaluated(step, into.out, into.where, restore=None, threads=into.threads))


def whole_step(block: Block, whole: str) -> Step:
    """What writes ``block`` of a chunk, or what the native engine calls ``whole``."""

    def step(chunk: Sequence[np.ndarray], targets: Sequence[np.ndarray]) -> None:
        if choice.NATIVE.whole(whole, chunk, targets) is None:
            targets[0][...] = block(*chunk)

    return step


def conversion_step(source: np.dtype, target: np.dtype, mode: Rounding) -> Step:
    """What writes a chunk of native numbers, converted as ``converted`` does."""
    return whole_step(conversion(source, target, mode, sat=False), label(source, target, mode))


def _planned_for_arrays(
    call: str, _: Any, kinds: tuple[Any, ...], target: np.dtype, block: Block, whole: str
) -> plain.Plan | None:
    """What evaluates ``block`` on arrays of one type as they are; None where they need more."""
    (source,) = kinds
    loop = choice.NATIVE.whole_loop(whole, [source])
    if loop is None and not source.isnative:
        return None

    def decide(args: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        return (block(args[0]).astype(target, copy=False),)

    most = CHUNK if loop is None else math.inf
    is_quiet = source.kind != "f" and (target.kind != "f" or target.itemsize > HALF.dtype.itemsize)
    return plain.Plan(call, ("x",), (target,), loop, decide, most=most, is_quiet=is_quiet)


def converted(
    call: str,
    source: np.ndarray,
    target: np.dtype,
    mode: Rounding,
    *,
    sat: bool = False,
    into: Into = NEW,
    argument: str = "x",
) -> np.ndarray:
    """An array: ``source`` (any of the twelve types) as ``target``; ``mode`` and ``sat`` as ``convert`` has them."""
    if source.ndim and into.where is True:
        option = target.type, mode, sat
        result = plain.of_arrays(_planned_conversion, call, option, (source,), into.out, into.threads, target)
        if result is not None:
            return result  # type: ignore[no-any-return]
    step = whole_step(conversion(source.dtype, target, mode, sat=sat), label(source.dtype, target, mode))
    return _in_chunks(call, source, target, step, into, argument)


def _planned_conversion(
    call: str, option: tuple[Any, Rounding, bool], kinds: tuple[object, ...], target: np.dtype
) -> plain.Plan | None:
    """What converts arrays of one type."""
    (source,), (_, mode, sat) = kinds, option
    block, whole = conversion(source, target, mode, sat=sat), label(source, target, mode)
    return _planned_for_arrays(call, None, kinds, target, block, whole)


def converted_number(call: str, value: object, target: np.dtype, mode: Rounding, *, sat: bool = False) -> Any:
    """``value``, where it is a single number, as ``converted`` has it; None for everything else."""
    return of_numbers(_planned, call, (target.type, mode, sat), (value,), target)


def _planned(call: str, option: tuple[Any, Rounding, bool], kinds: tuple[Any, ...], target: np.dtype) -> Plan | None:
    """What converts numbers of one kind to ``target``."""
    (kind,), (result, mode, sat) = kinds, option
    if isinstance(kind, tuple):
        return None
    source = np.dtype(kind)
    convert = conversion(source, target, mode, sat=sat)

    def rest(args: tuple[object, ...]) -> Any:
        guard.refuse_altered_arithmetic(call)
        try:
            block = np.asarray(args[0], source).reshape(1)
        except OverflowError:  # an int that no long holds
            return None
        with np.errstate(all="ignore"):
            return result(convert(block)[0])

    on_python = on_number(source, target, mode, sat=sat)
    if on_python is not None:
        return _by_python(call, on_python, result, rest, unbounded=kind is int)
    if source == target:
        return _as_it_is(call, result)
    return _by_compiled(label(source, target, mode), source, target, rest)


def _as_it_is(call: str, kind: Any) -> Plan:
    """A number of a format in that format, every bit kept."""

    def of_one(args: tuple[Any, ...]) -> Any:
        guard.refuse_altered_arithmetic(call)
        number = args[0]
        return number if type(number) is kind else kind(number)

    return of_one


def _by_python(call: str, convert: OnNumber, result: Any, rest: Plan, *, unbounded: bool) -> Plan:
    def of_one(args: tuple[Any, ...]) -> Any:
        guard.refuse_altered_arithmetic(call)
        number = args[0]
        if unbounded and not _LEAST_LONG <= number <= _MOST_LONG:
            return None
        try:
            return result(convert(number))
        except OverflowError:
            return rest(args)

    return of_one


def _by_compiled(whole: str, source: np.dtype, target: np.dtype, rest: Plan) -> Plan:
    """What compiled code decides, and ``rest`` for what it does not, or where it is not there."""
    compute, result = choice.NATIVE.whole_on_numbers(whole, [source], [target]), target.type
    if compute is None:
        return rest

    def of_one(args: tuple[object, ...]) -> Any:
        value = compute(args[0])
        return result(value) if value == value else rest(args)

    return of_one


Made: TypeAlias = "Callable[[np.dtype], tuple[np.dtype, OnNumber | str]]"
"""The type of results for numbers of a type, and what computes them, or what the native engine calls that."""


def channel_number(call: str, value: object, option: object, sources: Sequence[np.dtype], made: Made) -> Any:
    """What ``made`` makes of ``value``, where it is a single number of one of ``sources``; None for everything else.

    A Python number becomes one of the last of them. ``made`` follows from ``call`` and ``option``.
    """
    if type(value) is np.ndarray and value.ndim:
        return None
    return of_numbers(_planned_channel, call, option, (value,), sources, made)


def _planned_channel(
    call: str, _: object, kinds: tuple[object, ...], sources: Sequence[np.dtype], made: Made
) -> Plan | None:
    """What converts numbers of one kind to what an image stores, or returns."""
    (kind,) = kinds
    source = sources[-1] if kind in {int, float} else next((s for s in sources if s.type is kind), None)
    if source is None or (kind is float and source.kind != "f"):
        return None
    target, how = made(source)
    compute = choice.NATIVE.whole_on_numbers(how, [source], [target]) if isinstance(how, str) else how
    if compute is None:
        return None
    read = reader(kind, source) if source.kind == "f" else lambda number: int(source.type(number))
    found, result = compute, target.type

    def of_one(args: tuple[object, ...]) -> Any:
        guard.refuse_altered_arithmetic(call)
        try:
            number = found(read(args[0]))
        except OverflowError:  # as arrays say it
            return None
        return result(number) if number == number else None

    return of_one


def rounded_to_format(
    source: np.ndarray, form: Format, mode: Rounding, call: str = "convert()", *, threads: int = 1
) -> np.ndarray:
    """A new array: ``source`` (any of the twelve types) rounded to ``form`` in ``mode``."""
    return converted(call, source, form.dtype, mode, into=Into(threads=threads))


def with_containers(
    call: str,
    argument: str,
    value: object,
    evaluated: Callable[[Any], np.ndarray],
    *,
    out: object = None,
    where: object = True,
) -> Any:
    """``evaluated`` of what a container holds, in a container like it; a scalar for a scalar; ``out`` where given."""
    (inner,), restore = opened(call, [argument], (value,), out, where=where)
    result = evaluated(inner)
    return returned(result, out) if restore is None else restore(result)
