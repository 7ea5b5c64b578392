"""The math, common and geometric built-ins on single numbers and short vectors.

Those that no ufunc takes: where nothing is compiled MPFR rounds once, in the format.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.call.arguments import weak
from clmath.call.plans import INTS
from clmath.direct.floating_point import ON_CODES, ON_SCALARS
from clmath.numbers import guard
from clmath.numbers.datatypes import declared
from clmath.numbers.formats import DOUBLE, FORMATS, Format
from clmath.pragmas import contracts
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.plans import Plan
    from clmath.callables import AnyFunction
    from clmath.direct.converted_numbers import OnNumber
    from clmath.numbers.rounding import Rounding

__all__ = ["planned"]

_FORMATS = {form.dtype.type: form for form in FORMATS}
_KINDS: dict[str, tuple[dict[Any, Format], frozenset[Any]]] = {  # that decide the format, and others
    "gentype": (_FORMATS, frozenset({int, float})),
    "nancode": ({form.bits_dtype.type: form for form in FORMATS}, frozenset({int})),
    "intn": ({}, INTS),
}


def planned(name: str, mode: Rounding, kinds: tuple[Any, ...]) -> Plan | None:
    """What evaluates ``name`` on arguments of these kinds; None where the ways of arrays must be gone."""
    row = builtin(name)
    bare = row.widths and not any(isinstance(kind, tuple) for kind in kinds)
    if row.widths and not bare:
        return _of_vectors(row, mode, kinds)
    form = _common_format(row, kinds)
    if form is None or (bare and 1 not in row.widths):
        return None
    given = zip(row.inputs, kinds, strict=True)
    readers = [_reader(f"{name}()", p, kind, form, as_it_is=row.moves_bits) for p, kind in given]
    return _moving(row, form, readers) if row.moves_bits else _computing(row, mode, form, readers)


def _computing(row: Builtin, mode: Rounding, form: Format, readers: Sequence[Callable[[Any], Any]]) -> Plan:
    types = [declared(p.type, form.dtype).type for p in row.outputs]
    return _by_all(f"{row.name}()", _operation(row, form, mode), readers, types, form)


def _by_all(
    label: str, operation: Callable[..., tuple[Any, ...]], readers: Sequence[Any], types: Sequence[Any], form: Format
) -> Plan:
    if len(readers) == len(types) == 1:
        return _of_one(label, operation, readers[0], types[0], form)

    def plan(args: tuple[Any, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        numbers = [read(a) for read, a in zip(readers, args, strict=True)]
        if None in numbers:
            return None
        found = operation(*numbers)
        results = [convert(v) if v == v else form.nan for convert, v in zip(types, found, strict=True)]
        return results[0] if len(results) == 1 else tuple(results)

    return plan


def _of_one(label: str, operation: Callable[..., tuple[Any, ...]], read: OnNumber, convert: Any, form: Format) -> Plan:
    """The same with one argument and one result, without lists of them: two microseconds less."""

    def plan(args: tuple[Any, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        number = read(args[0])
        if number is None:
            return None
        (value,) = operation(number)
        return convert(value if value == value else form.nan)

    return plan


def _moving(row: Builtin, form: Format, readers: Sequence[OnNumber]) -> Plan:
    """Bits that are moved, those of a NaN too, are moved as in arrays."""
    label = f"{row.name}()"
    if row.name in ON_CODES:
        return _of_code(label, ON_CODES[row.name](form), readers[0], form)
    return _of_scalars(label, ON_SCALARS[row.name], readers, form.dtype.type)


def _of_code(label: str, encoded: Callable[[int], int], read: OnNumber, form: Format) -> Plan:
    """The number whose encoding ``encoded`` makes of an integer."""
    code, kind = form.bits_dtype.type, form.dtype.type

    def of_one(args: tuple[object, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        number = read(args[0])
        return None if number is None else code(encoded(int(number))).view(kind)

    return of_one


def _of_scalars(label: str, move: AnyFunction, readers: Sequence[OnNumber], kind: Any) -> Plan:
    """What ``move`` makes of numbers as scalars of one format, ``kind``."""
    first, second = readers[0], readers[-1]

    def of_one(args: tuple[Any, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        number = first(args[0])
        return move(number if type(number) is kind else kind(number))

    def of_two(args: tuple[Any, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        one, two = first(args[0]), second(args[1])
        return move(one if type(one) is kind else kind(one), two if type(two) is kind else kind(two))

    return of_one if len(readers) == 1 else of_two


def _of_vectors(row: Builtin, mode: Rounding, kinds: tuple[Any, ...]) -> Plan | None:
    """A geometric built-in on vectors of one format and width."""
    dtype, lanes = next(kind for kind in kinds if isinstance(kind, tuple))
    form = _FORMATS[dtype.type]
    if form not in row.formats or lanes not in row.widths or any(kind != (dtype, lanes) for kind in kinds):
        return None
    label, operation, is_vector = f"{row.name}()", _operation(row, form, mode), row.result == "gentype"

    def plan(args: tuple[Any, ...]) -> Any:
        guard.refuse_altered_arithmetic(label)
        found = operation(*[x for a in args for x in a.tolist()])
        results = [float(v) if v == v else form.nan for v in found]
        return np.array(results, dtype) if is_vector else dtype.type(results[0])

    return plan


def _operation(row: Builtin, form: Format, mode: Rounding) -> Callable[..., tuple[Any, ...]]:
    """The built-in as a function of Python numbers, with or without contraction as it is in force at each call."""
    from clmath.reference.number import rounded_operation

    contracted = rounded_operation(row.name, form, mode)
    if not (row.formula or row.uncontracted):
        return contracted
    stepwise = rounded_operation(row.name, form, mode, contracted=False)

    def either(*numbers: object) -> tuple[Any, ...]:
        return contracted(*numbers) if contracts() else stepwise(*numbers)

    return either


def _common_format(row: Builtin, kinds: tuple[object, ...]) -> Format | None:
    """The one format of all gentype arguments; None where a kind is not the parameter's or formats differ."""
    found = set()
    for parameter, kind in zip(row.inputs, kinds, strict=True):
        deciding, others = _KINDS[parameter.type]
        if kind in deciding:
            found.add(deciding[kind])
        elif kind not in others:
            return None
    if len(found) > 1:
        return None
    form = found.pop() if found else DOUBLE if DOUBLE in row.formats else row.formats[0]
    return form if form in row.formats else None


def _reader(call: str, parameter: Parameter, kind: type, form: Format, *, as_it_is: bool) -> OnNumber:
    """What turns an argument into a number that the format or int holds; None where it does not."""
    if as_it_is and kind in _KINDS[parameter.type][0]:
        return lambda number: number
    if parameter.type == "intn":
        return lambda number: int(number) if -(2**31) <= number < 2**31 else None
    if parameter.type == "nancode":
        return lambda code: code if 0 <= code < 2**64 else None
    if kind in _FORMATS or (kind is float and form is DOUBLE):
        return float
    reach, rounded = min(form.largest, 2.0**53), float if form is DOUBLE else form.dtype.type
    return lambda n: float(rounded(n) if -reach <= n <= reach else weak(call, parameter.name, n, form))
