"""Arguments of math, common and geometric built-ins: checked against declarations, and brought to their types."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath import errors
from clmath.call.arguments import (
    agreed,
    any_of,
    as_array,
    as_floats,
    checked_width,
    common_shape,
    is_typed_array,
    is_weak,
    misfit,
    weak,
)
from clmath.call.containers import opened
from clmath.call.readers import number_readers, sample
from clmath.call.remedies import best_of, into, likewise
from clmath.numbers.datatypes import declared, type_name
from clmath.numbers.formats import DOUBLE, Format, format_of
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.call.containers import Restore
    from clmath.call.plans import Plan
    from clmath.call.readers import Kind, Operand

__all__ = ["Call", "Signature", "plan_by", "prepare", "signature_of"]

_INT = np.dtype(np.int32)


class Signature(NamedTuple):
    """The types of a call, which follow from the name of a built-in and the types of its arguments.

    ``readers`` bring each argument to the type of its parameter; a reader of None changes nothing. ``results`` are the
    dtypes of the results. ``form``: the format, for built-ins that round.
    """

    builtin: Builtin
    label: str
    readers: tuple[Callable[[Operand], np.ndarray] | None, ...]
    results: tuple[np.dtype, ...]
    form: Format | None = None

    def read(self, given: Sequence[Any]) -> list[np.ndarray]:
        """The arguments in the types of their parameters."""
        return [a if read is None else read(a) for read, a in zip(self.readers, given, strict=True)]


class Call(NamedTuple):
    """A checked call: arguments of the right types that broadcast to ``shape``.

    ``bare``: a geometric built-in was called on scalars, to which a vector axis of width 1 was added. ``restore`` puts
    a result into the container of the arguments.
    """

    signature: Signature
    args: tuple[np.ndarray, ...]
    shape: tuple[int, ...]
    bare: bool = False
    restore: Restore | None = None

    @property
    def builtin(self) -> Builtin:
        """The built-in of the call."""
        return self.signature.builtin

    @property
    def form(self) -> Format:
        """The format of the gentype arguments."""
        assert self.signature.form is not None, self.label
        return self.signature.form

    @property
    def label(self) -> str:
        """The name of the call in messages."""
        return self.signature.label


def prepare(
    name: str, args: tuple[object, ...], out: object = None, where: object = True, *, judged: bool = False
) -> Call:
    """Check ``args`` against the declaration of ``name`` and bring them to their types; an error before any work.

    ``judged``: the results come from elsewhere, also in formats that clmath does not compute the built-in in.
    """
    row, label = builtin(name), f"{name}()"
    args, restore = opened(label, row.names, args, out, [True] * len(args) if row.widths else (), where=where)
    given = [
        a if is_typed_array(a) else _seen(label, p, a)  # lists, scalars and plain Python numbers
        for p, a in zip(row.inputs, args, strict=True)
    ]
    signature = signature_of(row, given, judged=judged)
    arrays = signature.read(given)
    bare = False
    if row.widths:
        bare = all(a.ndim == 0 for a in arrays)
        arrays = [a[np.newaxis] if a.ndim == 0 and 1 in row.widths else a for a in arrays]
        _check_widths(label, row, arrays)
    shape = common_shape(label, row.names, [a.shape for a in arrays])
    return Call(signature, tuple(arrays), shape, bare, restore)


_SIGNATURES: dict[tuple[object, ...], Signature] = {}


def signature_of(row: Builtin, given: Sequence[object], *, judged: bool = False) -> Signature:
    """Return the signature of a call with these arguments, arrays and plain Python numbers; an error if none fits."""
    key = row.name, judged, *[a.dtype if isinstance(a, np.ndarray) else type(a) for a in given]
    if key not in _SIGNATURES:
        label, form = f"{row.name}()", _common_format(row, given, judged=judged)
        readers = [
            None if isinstance(a, np.ndarray) and _is_as_declared(p, a.dtype) else _reader(label, p, form)
            for p, a in zip(row.inputs, given, strict=True)
        ]
        results = tuple(declared(p.type, form.dtype) for p in row.outputs)
        _SIGNATURES[key] = Signature(row, label, tuple(readers), results, form)
    return _SIGNATURES[key]


def plan_by(
    signed: Callable[[Sequence[Operand]], Signature],
    kinds: tuple[Kind, ...],
    made: Callable[[Signature, Sequence[np.dtype]], Plan | None],
) -> Plan | None:
    """Return the plan that ``made`` makes for the signature of arguments of these kinds.

    None if such a call is an error, or without a plan.
    """
    samples = [sample(kind) for kind in kinds]
    try:
        signature = signed(samples)
        inputs = [a.dtype.newbyteorder("=") for a in signature.read(samples)]
    except errors.ClmathError:
        return None
    plan = made(signature, inputs)
    return None if plan is None else plan._replace(readers=number_readers(signature.readers, kinds, inputs))


def _is_as_declared(parameter: Parameter, dtype: np.dtype) -> bool:
    """Whether an array of ``dtype``, of which the common format is known, needs no further step."""
    return parameter.type != "intn" or dtype == _INT


def _reader(call: str, parameter: Parameter, form: Format) -> Callable[[Operand], np.ndarray]:
    return lambda arg: _typed(call, parameter, arg, form)


def _seen(call: str, parameter: Parameter, arg: object) -> np.ndarray | float:
    """Return a plain Python number unchanged, everything else as an array."""
    if parameter.type == "gentype":
        return arg if is_weak(arg) else as_floats(call, parameter.name, arg)
    return arg if type(arg) is int else as_array(call, parameter.name, arg)


def _common_format(row: Builtin, given: Sequence[object], *, judged: bool) -> Format:
    """Return the one format of all gentype arguments; double, or the built-in's only format, if all are weak."""
    typed = [
        (p, a.dtype)
        for p, a in zip(row.inputs, given, strict=True)
        if p.type in ("gentype", "nancode") and isinstance(a, np.ndarray)
    ]
    if typed and typed[0][0].type == "nancode":
        return _format_of_code(row, *typed[0])
    found = [(p.name, form.dtype) for p, dtype in typed if (form := format_of(dtype)) is not None]
    wrong = [(p.name, dtype) for p, dtype in typed if format_of(dtype) is None]
    if wrong:
        raise _no_format(row, wrong, [dtype for _, dtype in found])
    taken = agreed(f"{row.name}()", found, "format", [f.dtype for f in row.formats])
    form = None if taken is None else format_of(taken)
    if form is None or taken is None:
        return DOUBLE if DOUBLE in row.formats else row.formats[0]
    if form not in row.formats + row.computed and not (judged and row.takes(form.name)):
        (name, _), *others = found
        remedy = into(name, taken, best_of([taken], [f.dtype for f in row.formats])) + likewise(n for n, _ in others)
        raise errors.DTypeError(f"{row.name}(): {name} is {form}; only {any_of(row.formats)} is defined: {remedy}")
    return form


def _no_format(row: Builtin, wrong: Sequence[tuple[str, np.dtype]], beside: Sequence[np.dtype]) -> errors.DTypeError:
    """Error for arguments that are not of a floating-point format; ``beside`` are the formats of others."""
    known = [f.dtype for f in row.formats]
    target = next((dtype for dtype in beside if dtype in known), known[-1])
    (name, dtype), *others = wrong
    remedy = errors.conversion(name, type_name(target)) + likewise(other for other, _ in others)
    return errors.wrong_dtype(f"{row.name}()", name, dtype, any_of(row.formats), remedy, target)


def _format_of_code(row: Builtin, parameter: Parameter, dtype: np.dtype) -> Format:
    """Return the format of the NaN whose code has this ``dtype``."""
    for form in row.formats:
        if dtype.newbyteorder("=") == form.bits_dtype:
            return form
    remedy = f"ushort gives a half, uint a float, ulong a double; {errors.conversion(parameter.name, 'uint')}"
    raise errors.wrong_dtype(f"{row.name}()", parameter.name, dtype, "ushort, uint or ulong", remedy, "uint32")


def _typed(call: str, parameter: Parameter, arg: Operand, form: Format) -> np.ndarray:
    """Return the argument in the declared type of its parameter."""
    if parameter.type == "gentype":
        return arg if isinstance(arg, np.ndarray) else weak(call, parameter.name, arg, form)
    if parameter.type == "nancode":
        return _nancode(call, parameter, arg, form)
    return _as_int(call, parameter.name, arg)


def _nancode(call: str, parameter: Parameter, arg: Operand, form: Format) -> np.ndarray:
    """Return the code of a NaN in the unsigned type of the format's width."""
    try:
        return np.asarray(arg, form.bits_dtype if type(arg) is int else None)
    except OverflowError:
        fact = f"{parameter.name} is {errors.shown(arg)}; an ulong lies in 0 .. 2^64-1"
        way = f"mask it first, {parameter.name} & (2**64 - 1)"
        raise errors.DTypeError(f"{call}: {fact}: {way}") from None


def _as_int(call: str, name: str, arg: object) -> NDArray[np.int32]:
    """Return ``arg`` as int (32 bits); an error if it is not an integer or does not fit."""
    array = np.asarray(arg)
    rule = f"an int lies in -2^31 .. 2^31-1: {errors.conversion(name, 'int', ', sat=True')}, the nearest one"
    if type(arg) is int and array.dtype.kind == "O":
        raise errors.DTypeError(f"{call}: {name} is {errors.shown(arg)}; {rule}")
    if array.dtype.kind not in "iu":
        raise errors.wrong_dtype(call, name, array.dtype, "an integer type", errors.conversion(name, "int"), "int32")
    beyond = misfit(array, _INT)
    if beyond is not None:
        raise errors.DTypeError(f"{call}: {name} holds {beyond}; {rule}")
    return array.astype(np.int32, copy=False)


def _check_widths(call: str, row: Builtin, arrays: Sequence[np.ndarray]) -> None:
    """Check that the last axes have one common width that the built-in takes: vectors are not broadcast."""
    widths = {p.name: checked_width(call, p.name, a, row.widths) for p, a in zip(row.inputs, arrays, strict=True)}
    if len(set(widths.values())) > 1:
        facts = ", ".join(f"{name} has {width} lanes" for name, width in widths.items())
        raise errors.ShapeError(f"{call}: {facts}; all vectors of a call need one width: cut or pad some")
