"""Calls of built-ins whose results are bits: the integer and relational chapters."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import pragmas
from clmath.call import exact, others
from clmath.call.arguments import checked_width
from clmath.call.evaluation import Evaluation, by_ufunc
from clmath.call.plans import Plan, at_once
from clmath.call.prepared import Signature, is_vector, plan_by, read
from clmath.call.slices import checked_threads
from clmath.call.subnormals import all_as_here
from clmath.spec.builtins import EXACT, Builtin, builtins

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.evaluation import Check
    from clmath.call.readers import Kind

__all__ = ["bits", "planned"]

Dtype: TypeAlias = "np.dtype"
Implementation: TypeAlias = "Callable[..., np.ndarray]"


def bits(
    name: str,
    args: tuple[object, ...],
    out: object = None,
    where: object = True,
    *,
    implementation: Implementation | None = None,
    vector: bool = False,
    truth: Dtype | None = None,
    check: Check | None = None,
    threads: int = 1,
) -> Any:
    """Evaluate the integer or relational built-in ``name`` by a ufunc of ``implementation``, by default its own.

    Plain Python integers take the type of the arrays among the arguments, or long. The implementation gets
    one-dimensional native blocks of the declared types; each component of a vector is an argument, except that vectors
    of truth values stay whole on the last axis. ``check`` sees the call's name and its whole arguments first.
    ``truth``: the type of a truth value, if it is not the declared one. Elements that ``where`` leaves out are neither
    checked nor computed.
    """
    workers, implementation = checked_threads(name, threads), implementation or _of_itself(name)
    if where is True and not pragmas.may_flush():
        result = at_once(_planned, name, (vector, truth), args, out, workers, implementation, check)
        if result is not None:
            return result
    row, label = builtins(*EXACT)[name], f"{name}()"
    if not row.widths:
        found = others.later(name, args, _keywords(vector=vector, truth=truth), out, where)
        if found is not None:
            return found
    signature, arrays, restore = read(row, args, out, where, vector)
    if row.result != "gentype":  # others move bits
        arrays = all_as_here(arrays)
    result = truth or signature.results[0]
    if _reduces(row):
        _check_lanes(row, arrays)
        (t,) = arrays = [np.atleast_1d(arrays[0])]
        asked = Evaluation(label, row.names, arrays, arrays, [t.shape[:-1]], [result], vectors=(True, False))
        ufunc = exact.reducing(result, implementation)
        return asked.evaluated(by_ufunc(ufunc), out, where, restore=restore, threads=workers)
    sources, shapes = _lanes(row, arrays)
    asked = Evaluation(label, row.names, arrays, sources, shapes, [result])
    ufunc = exact.elementwise(label, [s.dtype for s in sources], result, implementation)
    return asked.evaluated(by_ufunc(ufunc), out, where, restore=restore, threads=workers, check=check)


def _of_itself(name: str) -> Implementation:
    from clmath.direct import integers, relational

    return relational.BY_NAME.get(name) or getattr(integers, name, None) or relational.select


def _keywords(*, vector: bool, truth: Dtype | None) -> dict[str, object]:
    """Return the equivalent keywords of a public function."""
    return ({"vector": True} if vector else {}) | ({} if truth is None else {"dtype": bool})


def planned(name: str, kinds: tuple[Kind, ...], **options: object) -> Plan | None:
    """Return the plan for arguments of these kinds without keywords, or None for preparation or an error."""
    return None if options else _planned(name, (False, None), kinds, _of_itself(name), None)


def _planned(
    name: str,
    option: tuple[bool, Dtype | None],
    kinds: tuple[Kind, ...],
    implementation: Implementation,
    check: Check | None,
) -> Plan | None:
    """Return the plan for arguments of these kinds, or None for preparation or an error."""
    row, (vector, truth) = builtins(*EXACT)[name], option
    if row.widths and not (_reduces(row) and any(isinstance(kind, np.dtype) for kind in kinds)):
        return None

    def made(signature: Signature, inputs: Sequence[Dtype]) -> Plan:
        result = truth or signature.results[0]
        if row.widths:
            widths = frozenset((width,) for width in row.widths)
            return Plan(exact.reducing(result, implementation), inputs, (result,), widths=widths)
        ufunc = exact.elementwise(signature.label, inputs, result, implementation)
        checked = None if check is None else functools.partial(check, signature.label)
        return Plan(ufunc, inputs, (result,), check=checked)

    return plan_by(row, kinds, made, vector=vector)


def _reduces(row: Builtin) -> bool:
    """Whether a built-in takes a vector of truth values, and has one."""
    return any(p.type == "truths" for p in row.inputs)


def _check_lanes(row: Builtin, arrays: Sequence[np.ndarray]) -> None:
    """Raise ShapeError for a vector of truth values of a wrong number of components; a number is a vector of one."""
    for parameter, array in zip(row.inputs, arrays, strict=True):
        if array.ndim:
            checked_width(f"{row.name}()", parameter.name, array, row.widths)


def _lanes(row: Builtin, arrays: list[np.ndarray]) -> tuple[list[np.ndarray], list[tuple[int, ...]]]:
    """Return the operands, the arguments or the components of their last axes, and the shapes without those axes."""
    if not row.widths:
        return arrays, [a.shape for a in arrays]
    lanes: list[np.ndarray] = []
    shapes = []
    for parameter, array in zip(row.inputs, arrays, strict=True):
        if not is_vector(row, parameter) or (array.ndim == 0 and 1 in row.widths):
            lanes.append(array)
            shapes.append(array.shape)
        else:
            width = checked_width(f"{row.name}()", parameter.name, array, row.widths)
            lanes += [array[..., i] for i in range(width)]
            shapes.append(array.shape[:-1])
    return lanes, shapes
