"""Calls of built-ins whose results are bits: the integer and relational chapters."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeAlias, cast

import numpy as np

from clmath.call import exact, others
from clmath.call.arguments import checked_width
from clmath.call.evaluation import Evaluation
from clmath.call.plans import Plan
from clmath.call.prepared import is_vector, read, typed
from clmath.call.slices import checked_threads
from clmath.call.subnormals import all_as_here
from clmath.numbers.datatypes import SCALARS
from clmath.spec.builtins import EXACT, Builtin, builtins

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.evaluation import Check
    from clmath.call.readers import Kind

Dtype: TypeAlias = "np.dtype"
Implementation: TypeAlias = "Callable[..., np.ndarray]"


def bits(
    name: str,
    args: tuple[object, ...],
    out: object = None,
    where: object = True,
    *,
    vector: bool = False,
    truth: Dtype | None = None,
    check: Check | None = None,
    threads: int = 1,
) -> object:
    """Evaluate the integer or relational built-in ``name`` by a ufunc.

    Plain Python integers take the type of the arrays among the arguments, or long. ``check`` sees the call's name and
    its whole arguments first. ``vector``: true is all bits set, and a condition its most significant bit, as for
    vectors. ``truth``: the type of a truth value, if it is not the declared one. Elements that ``where`` leaves out are
    neither checked nor computed.
    """
    workers, implementation = checked_threads(name, threads), _implementation(name, vector=vector)
    row = builtins(*EXACT)[name]
    if not row.widths:
        found = others.later(name, args, _keywords(vector=vector, truth=truth), out, where)
        if found is not None:
            return found
    signature, arrays, restore = read(row, args, out, where, vector)
    if row.result != "gentype":  # others move bits
        arrays = all_as_here(arrays)
    asked, ufunc = _asked(row, arrays, truth or signature.results[0], implementation)
    return asked.by(ufunc, out, where, restore=restore, threads=workers, check=check)


def _asked(
    row: Builtin, arrays: list[np.ndarray], result: Dtype, implementation: Implementation
) -> tuple[Evaluation, np.ufunc]:
    """Return the evaluation of a call, and its ufunc."""
    label, names = f"{row.name}()", row.names
    if not row.widths:
        ufunc = exact.elementwise(label, [a.dtype for a in arrays], result, implementation)
        return Evaluation.of_elements(label, names, arrays, [result]), ufunc
    flags = _vectors(row, arrays)
    if _reduces(row):
        (t,) = arrays = [np.atleast_1d(arrays[0])]
        asked = Evaluation(label, names, arrays, arrays, [t.shape[:-1]], [result], vectors=(True, False))
        return asked, exact.reducing(result, implementation)
    sources: list[np.ndarray] = []
    for array, flag in zip(arrays, flags, strict=True):
        sources += [array[..., i] for i in range(array.shape[-1])] if flag else [array]
    shapes = [a.shape[:-1] if flag else a.shape for a, flag in zip(arrays, flags, strict=True)]
    ufunc = exact.elementwise(label, [s.dtype for s in sources], result, implementation)
    return Evaluation(label, names, arrays, sources, shapes, [result]), ufunc


@functools.cache
def _implementation(name: str, *, vector: bool) -> Implementation:
    """Return the function that evaluates a built-in on one-dimensional native blocks of the declared types.

    Each component of a vector is an argument, except that vectors of truth values stay whole on the last axis.
    """
    from clmath.direct import integers, relational

    if name == "select":
        found = relational.select_by_sign if vector else relational.select
    else:
        found = relational.BY_NAME.get(name) or getattr(integers, name)
        found = (relational.OF_SIGNS.get(name) or relational.as_vectors(found)) if vector else found
    return cast("Implementation", found)


def _keywords(*, vector: bool, truth: Dtype | None) -> dict[str, object]:
    """Return the equivalent keywords of a public function."""
    return ({"vector": True} if vector else {}) | ({} if truth is None else {"dtype": bool})


def planned(
    name: str,
    kinds: tuple[Kind, ...],
    *,
    vector: object = False,
    dtype: object = None,
    check: Check | None = None,
    **others: object,
) -> Plan | None:
    """Return the plan for arguments of these kinds and keywords; None, or an error, for preparation."""
    if others or not isinstance(vector, bool) or dtype not in {None, bool} or (vector and dtype is not None):
        return None
    row, truth = builtins(*EXACT)[name], None if dtype is None else SCALARS["bool"]
    implementation = _implementation(name, vector=vector)
    if row.widths and not (_reduces(row) and any(isinstance(kind, np.dtype) for kind in kinds)):
        return None
    types = typed(row, kinds, vector=vector)
    if types is None:
        return None
    result = truth or types.results[0]
    if row.widths:
        widths = frozenset((width,) for width in row.widths)
        return Plan(exact.reducing(result, implementation), types.inputs, (result,), widths=widths)
    ufunc = exact.elementwise(f"{name}()", types.inputs, result, implementation)
    checked = None if check is None else functools.partial(check, f"{name}()")
    return Plan(ufunc, types.inputs, (result,), types.readers, checked)


def _reduces(row: Builtin) -> bool:
    """Whether a built-in takes a vector of truth values, and has one."""
    return any(p.type == "truths" for p in row.inputs)


def _vectors(row: Builtin, arrays: Sequence[np.ndarray]) -> list[bool]:
    """Return which arguments have vectors on their last axis; ShapeError for a wrong number of components."""
    flags = [
        is_vector(row, p) and not (a.ndim == 0 and 1 in row.widths) for p, a in zip(row.inputs, arrays, strict=True)
    ]
    for parameter, array, flag in zip(row.inputs, arrays, flags, strict=True):
        if flag:
            checked_width(f"{row.name}()", parameter.name, array, row.widths)
    return flags
