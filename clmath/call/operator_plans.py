"""Plans by the types of operands for operators of expressions on numbers and arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors, phases, pragmas
from clmath.call import exact
from clmath.call.arguments import weak
from clmath.call.elements import converted, converted_number
from clmath.call.operands import Operands
from clmath.call.plans import Plan, at_once, int_reader
from clmath.engines import choice
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.plans import Reader
    from clmath.numbers.rounding import Rounding

__all__ = ["Asked", "Prepare", "Prepared", "operator_at_once"]

Dtype: TypeAlias = "np.dtype"
Prepared: TypeAlias = "tuple[list[np.ndarray], Dtype, Callable[..., np.ndarray] | None]"
"""The operands in the types that they are converted to, the type of results, and what computes them from arrays of
these types; None where the built-in of floating-point numbers does."""

Prepare: TypeAlias = "Callable[[Operands, Rounding], Prepared]"

Asked: TypeAlias = "tuple[Rounding, tuple[str, ...], str, Prepare]"
"""The mode in which integers become floating-point numbers, parameters and kinds as ``Operands.of`` has them, and what
brings operands to their types."""


def operator_at_once(name: str, option: object, args: tuple[object, ...], asked: Asked) -> Any:
    """The operator ``name`` of numbers and arrays of scalars; None for what needs more, or is an error.

    All of ``asked`` but its mode follows from ``name`` and ``option``.
    """
    if pragmas.may_flush():
        return None
    full = (asked[0], option) if option or asked[0] != "rte" else None
    return at_once(_planned, name, full, args, None, 1, asked)


def _prepared(name: str, kinds: Sequence[object], asked: Asked) -> Prepared | None:
    """What becomes of operands of such kinds; None where that is an error, as the general way says it."""
    mode, parameters, types, prepare = asked
    samples = tuple(_sample(kind) for kind in kinds)
    try:
        return prepare(Operands.of(name, parameters, samples, types, vector=False), mode)
    except errors.ClmathError:
        return None


def _sample(kind: Any) -> Any:
    """An operand of a kind: an array, or a number."""
    return np.empty(0, kind) if isinstance(kind, np.dtype) else kind(0)


def _planned(name: str, _: object, kinds: tuple[object, ...], asked: Asked) -> Plan | None:
    """The plan for operands of these kinds."""
    prepared = _prepared(name, kinds, asked)
    if prepared is None:
        return None
    sources, result, compute = prepared
    needed = [source.dtype.newbyteorder("=") for source in sources]
    label, mode = f"{name}()", asked[0]
    readers = [
        None if _is_weak(kind, dtype, kinds) else _reader(label, parameter, kind, dtype, mode)
        for parameter, kind, dtype in zip(asked[1], kinds, needed, strict=True)
    ]
    if compute is None:
        ufunc = phases.ufunc(name, mode, choice.chosen(label, choice.AUTO))
    else:
        ufunc = exact.elementwise(label, needed, result, compute)
    return Plan(label, ufunc, (result,), tuple(readers) if any(readers) else None)


def _is_weak(kind: object, needed: Dtype, kinds: Sequence[Any]) -> bool:
    """Whether all other operands have the type of a Python int, which NumPy then converts itself.

    Never for uint: with it, an int from 2^31 on is a long here, but not in NumPy.
    """
    if needed == SCALARS["uint"]:
        return False
    others = [np.dtype(other).newbyteorder("=") for other in kinds if other is not int]
    return kind is int and needed.kind in "iu" and bool(others) and all(other == needed for other in others)


def _reader(label: str, parameter: str, kind: Any, needed: Dtype, mode: Rounding) -> Reader:
    """Return a function that gives an operand the type ``needed``; None for operands of that."""
    if isinstance(kind, np.dtype):
        same = kind.newbyteorder("=") == needed
        return None if same else lambda array: converted(label, array, needed, mode)
    if kind is int:
        return _literal_reader(label, parameter, needed)
    if kind is float and needed == SCALARS["double"]:
        return None
    form = format_of(needed)
    if kind is float and form is not None:
        return lambda number: weak(label, parameter, number, form)
    if np.dtype(kind) == needed:
        return None
    return lambda number: converted_number(label, number, needed, mode)


def _literal_reader(label: str, parameter: str, needed: Dtype) -> Reader:
    """Return a function that gives a Python int the type ``needed``; None is left of one that is of another type."""
    form = format_of(needed)
    if form is not None:
        return lambda number: weak(label, parameter, number, form)
    if needed == SCALARS["uint"]:
        number = needed.type
        return lambda n: number(n) if 0 <= n < 2**31 else None
    return int_reader(needed)
