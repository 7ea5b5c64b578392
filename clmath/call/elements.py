"""Calls that turn each element into an element of another type: conversions and image channels."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath.call import exact
from clmath.call.containers import opened
from clmath.call.evaluation import Evaluation
from clmath.call.plans import Plan
from clmath.call.readers import int_reader
from clmath.call.results import handed_back
from clmath.call.slices import SLICE, checked_threads
from clmath.engines import ufuncs
from clmath.numbers.datatypes import type_named
from clmath.numbers.rounding import checked_mode

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.call.readers import Kind
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

Block: TypeAlias = "Callable[[np.ndarray], np.ndarray]"


class Into(NamedTuple):
    """Targets and threads of a call: its ``out``, ``where`` and ``threads``."""

    out: object = None
    where: object = True
    threads: int = 1


NEW = Into()


def into(call: str, out: object, where: object, threads: object) -> Into:
    """Return the checked targets of a ``call``; ``NEW`` itself for a new array by the caller's thread."""
    if out is None and where is True and type(threads) is int and threads == 1:
        return NEW
    return Into(out, where, checked_threads(call.removesuffix("()"), threads))


def returned(result: np.ndarray, out: object) -> object:
    """Return ``result`` to the caller: the array of ``out`` if given, otherwise a scalar for a 0-d array."""
    return handed_back([result], out)


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
    """Return an array of dtype ``target``: ``block`` of ``source``.

    ``whole``: the native engine's name of ``block``, if it has it. ``option``: further facts, apart from ``whole``,
    ``call``, ``target`` and the type of ``source``, on which ``block`` depends. ``into``: the target array and the
    threads. ``argument``: the name of ``source`` in messages.
    """
    ufunc = exact.ufunc(call, option, (source.dtype,), target, block, whole)
    return _stored(call, ufunc, source, target, into, argument)


def _stored(  # noqa: PLR0917 - the parameters of ``elementwise``
    call: str, ufunc: np.ufunc, source: np.ndarray, target: np.dtype, into: Into, argument: str
) -> np.ndarray:
    """The results of ``ufunc``, as an array."""
    out, where, threads = into
    if into is NEW and source.size <= SLICE:
        found = np.asarray(ufunc(source))
        ufuncs.raise_own()
        return found
    asked = Evaluation.of_elements(call, (argument,), [source], [target])
    return np.asarray(asked.by(ufunc, out, where, restore=None, threads=threads))


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
    """Convert ``source`` (any of the twelve types) to an array of ``target``; keywords as in ``convert``."""
    ufunc = exact.converting(call, source.dtype, target, mode, sat=sat)
    return _stored(call, ufunc, source, target, into, argument)


def plan_of_conversion(
    _name: str,
    kinds: tuple[Kind, ...],
    option: object = None,
    /,
    *,
    type: object = None,
    sat: object = False,
    rounding: object = None,
    **others: object,
) -> Plan | None:
    """Return the plan to convert numbers of a kind to a type of scalars; None, or an error, for preparation."""
    (kind,) = kinds
    target = type_named("convert()", type if option is None else option)
    if others or not (sat is False or (sat is True and target.dtype.kind in "iu")):
        return None
    in_mode = rounding is None and target.form is not None
    mode = checked_mode("convert()", ("rte" if in_mode else "rtz") if rounding is None else rounding)
    is_array, source = isinstance(kind, np.dtype), np.dtype(kind)
    ufunc = exact.converting("convert()", source, target.dtype, mode, sat=sat)
    if target.components > 1:
        widths = frozenset({(target.components,)})
        return Plan(ufunc, [source], [target.dtype], widths=widths, in_mode=in_mode) if is_array else None
    readers = [int_reader(source)] if kind is int else []
    return Plan(ufunc, [source], [target.dtype], readers, in_mode=in_mode)


def converted_number(call: str, value: object, target: np.dtype, mode: Rounding) -> object:
    """Convert a number as ``converted`` does."""
    found = exact.converting(call, np.dtype(type(value)), target, mode, sat=False)(value)
    ufuncs.raise_own()
    return found


def rounded_to_format(
    source: np.ndarray, form: Format, mode: Rounding, call: str = "convert()", *, threads: int = 1
) -> np.ndarray:
    """Return a new array: ``source`` (any of the twelve types) rounded to ``form`` in ``mode``."""
    return converted(call, source, form.dtype, mode, into=Into(threads=threads))


def with_containers(
    call: str,
    argument: str,
    value: object,
    evaluated: Callable[[object], np.ndarray],
    *,
    out: object = None,
    where: object = True,
) -> object:
    """Return ``evaluated`` of a container's content, in a like container; a scalar for a scalar; ``out`` if given."""
    (inner,), restore = opened(call, [argument], (value,), out, where=where)
    return handed_back([evaluated(inner)], out, restore)
