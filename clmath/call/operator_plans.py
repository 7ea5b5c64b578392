"""Operators of expressions at once: on numbers, and on arrays as they are, by plans that kinds of operands decide."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors, pragmas
from clmath.call import number, plain
from clmath.call.chunks import CHUNK
from clmath.call.elements import converted
from clmath.call.operands import Operands, whole
from clmath.call.plans import of_numbers
from clmath.call.rounded import floats
from clmath.direct.conversions import is_cast
from clmath.direct.converted_numbers import reader
from clmath.direct.operators_on_numbers import OPERATORS, TESTS
from clmath.engines import choice
from clmath.numbers import guard
from clmath.numbers.datatypes import SCALARS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.plans import Plan
    from clmath.callables import AnyFunction
    from clmath.direct.converted_numbers import OnNumber
    from clmath.numbers.rounding import Rounding

__all__ = ["Asked", "Prepare", "Prepared", "at_once"]

Dtype: TypeAlias = "np.dtype"
Prepared: TypeAlias = "tuple[list[np.ndarray], Dtype, Callable[..., np.ndarray] | None]"
"""The operands in the types that they are converted to, the type of results, and what computes them from arrays of
these types; None where the built-in of floating-point numbers does."""

Prepare: TypeAlias = "Callable[[Operands, Rounding], Prepared]"

Asked: TypeAlias = "tuple[Rounding, tuple[str, ...], str, Prepare]"
"""The mode in which integers become floating-point numbers, parameters and kinds as ``Operands.of`` has them, and what
brings operands to their types."""


def at_once(name: str, option: object, args: tuple[object, ...], asked: Asked) -> Any:
    """The operator ``name`` of scalars, of one shape or numbers; None for what needs more, or is an error.

    All of ``asked`` but its mode follows from ``name`` and ``option``.
    """
    if pragmas.may_flush():
        return None
    key = asked[0], option
    if np.ndarray in map(type, args):
        found = plain.of_arrays(_planned_for_arrays, name, key, args, None, 1, asked)
        if found is not None:
            return found
    return of_numbers(_planned, name, key, args, asked)


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
    """What evaluates the operator on numbers of these kinds."""
    if any(isinstance(kind, tuple) for kind in kinds):
        return None
    prepared = _prepared(name, kinds, asked)
    if prepared is None:
        return None
    sources, dtype, compute = prepared
    dtypes = [source.dtype.newbyteorder("=") for source in sources]
    readers = [reader(k, needed, as_floats=compute is None) for k, needed in zip(kinds, dtypes, strict=True)]
    label, kind = f"{name}()", dtype.type
    if compute is None:
        rounded = number.planned(name, asked[0], tuple(needed.type for needed in dtypes))
        return None if rounded is None else _of_rounded(rounded, *readers)
    if name in TESTS:
        return _tested(label, TESTS[name], readers, kind(1), kind(0))
    found = OPERATORS[name](dtype)
    return _plan(label, lambda *numbers: _typed(found(*numbers), kind), readers)


def _of_rounded(rounded: Plan, first: OnNumber, second: OnNumber) -> Plan:
    """``rounded``, which refuses altered arithmetic itself, of what two numbers are read as."""

    def of_two(args: tuple[object, ...]) -> Any:
        try:
            return rounded((first(args[0]), second(args[1])))
        except OverflowError:  # a number that its type does not hold, as arrays say it
            return None

    return of_two


def _typed(value: Any, kind: Any) -> Any:
    """``value`` as a number of ``kind``; one that is keeps its bits."""
    return value if type(value) is kind else kind(value)


def _plan(label: str, compute: AnyFunction, readers: Sequence[OnNumber]) -> Plan:
    if len(readers) == 1:
        return _of_one(label, compute, readers[0])
    if len(readers) == 2:
        return _of_two(label, compute, *readers)

    first, second, third = readers

    def of_three(args: tuple[object, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        try:
            return compute(first(args[0]), second(args[1]), third(args[2]))
        except OverflowError:  # a number that its type does not hold, as arrays say it
            return None

    return of_three


def _of_one(label: str, compute: AnyFunction, read: OnNumber) -> Plan:
    def of_one(args: tuple[object, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        try:
            return compute(read(args[0]))
        except OverflowError:  # as above
            return None

    return of_one


def _of_two(label: str, compute: AnyFunction, first: OnNumber, second: OnNumber) -> Plan:
    def of_two(args: tuple[object, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        try:
            return compute(first(args[0]), second(args[1]))
        except OverflowError:  # as above
            return None

    return of_two


def _tested(label: str, test: Callable[..., bool], readers: Sequence[OnNumber], true: object, false: object) -> Plan:
    """What tests numbers; ``true`` and ``false`` are the results."""
    return _plan(label, lambda *numbers: true if test(*numbers) else false, readers)


def _planned_for_arrays(name: str, _: object, kinds: tuple[object, ...], asked: Asked) -> plain.Planned:
    """What evaluates the operator on arrays as they are, and numbers."""
    prepared = _prepared(name, kinds, asked)
    if prepared is None:
        return None
    sources, dtype, compute = prepared
    dtypes = [source.dtype.newbyteorder("=") for source in sources]
    label = f"{name}()"
    readers = tuple(_array_reader(label, kind, needed, asked[0]) for kind, needed in zip(kinds, dtypes, strict=True))
    if compute is None:
        return _of_floats(name, asked[0], readers)
    found = compute

    def decide(args: Sequence[np.ndarray]) -> Sequence[np.ndarray]:
        return (np.asarray(found(*args)).astype(dtype, copy=False),)

    some = readers if any(readers) else None
    loop = choice.NATIVE.whole_loop(
        whole(name, dtypes, dtype),
        [
            kind if isinstance(kind, np.dtype) and read is None else needed
            for kind, read, needed in zip(kinds, readers, dtypes, strict=True)
        ],
    )
    most = CHUNK if loop is None or some else math.inf
    return plain.Plan(label, asked[1], (dtype,), loop, decide, some, most, is_quiet=_is_quiet(name, dtypes))


def _is_quiet(name: str, dtypes: Sequence[Dtype]) -> bool:
    """Whether NumPy has nothing to warn of: integers, and numbers that are compared and were not rounded to half."""
    return all(d.kind != "f" or (name in TESTS and d != SCALARS["half"]) for d in dtypes)


def _of_floats(
    name: str, mode: Rounding, readers: Sequence[Callable[[Any], np.ndarray | None] | None]
) -> Callable[[tuple[Any, ...]], Any]:
    """What asks the built-in of floating-point numbers."""

    def plan(args: tuple[object, ...]) -> Any:
        given = tuple([a if read is None else read(a) for read, a in zip(readers, args, strict=True)])
        return None if any(a is None for a in given) else floats(name, given, mode)

    return plan


def _array_reader(label: str, kind: object, needed: Dtype, mode: Rounding) -> Callable[[Any], np.ndarray | None] | None:
    """What brings an array, or a number, to the type ``needed``; None where it is of that."""
    if not isinstance(kind, np.dtype):
        return _number_reader(reader(kind, needed), needed)
    if kind == needed:
        return None
    is_exact = kind.newbyteorder("=") == needed or needed.kind != "f"
    if is_exact or (kind.kind != "f" and is_cast(kind, needed, mode)):
        return lambda array: array.astype(needed)
    return lambda array: converted(label, array, needed, mode)


def _number_reader(read: OnNumber, needed: Dtype) -> Callable[[Any], np.ndarray | None]:
    def reader(number: object) -> np.ndarray | None:
        try:
            return np.asarray(read(number), needed)
        except OverflowError:
            return None

    return reader
