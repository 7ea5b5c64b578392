"""Arguments of built-ins, checked against their declarations and brought to their types, and types of results."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, NamedTuple

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
from clmath.call.readers import number_reader, sample
from clmath.call.remedies import best_of, into, likewise
from clmath.numbers.datatypes import INTEGERS, SCALARS, declared, type_name
from clmath.numbers.formats import Format, format_of
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.call.containers import Restore
    from clmath.call.readers import Kind, Operand, Reader
    from clmath.spec.builtins import Builtin, Parameter

Dtype = np.dtype

_INT = INTEGERS["int"]
_COUNTED = frozenset({"rotate"})  # the last argument is a count, of which the low bits are used
_WEAK = ("long", "int", "double")  # types of plain Python numbers if no array decides, where allowed
_VECTORS = frozenset({"gentype", "byte4", "truths"})  # types of parameters that are vectors if any are


class _Types(NamedTuple):
    """The types of the words of a declaration in one call."""

    gentype: Dtype
    word: Dtype = _INT
    vector: bool = False

    def of(self, word: str) -> Dtype:
        """The dtype of a parameter or result declared as ``word``."""
        if word == "booln":
            word = "igentype" if self.vector else "int"
        return self.word if word == "word" else declared(word, self.gentype)


class Signature(NamedTuple):
    """The types of a call, which follow from the built-in and the types of its arguments.

    ``readers`` bring each argument to ``inputs``, the types of the parameters; a reader of None changes nothing.
    ``results`` are the types of the results. ``form``: the format, for built-ins that round.
    """

    inputs: tuple[Dtype, ...]
    readers: tuple[Reader | None, ...]
    results: tuple[Dtype, ...]
    form: Format | None


class Call(NamedTuple):
    """A checked call of a built-in that rounds: arguments of the right types that broadcast to ``shape``.

    ``form``: the format of gentype arguments. ``results``: the dtypes of the results. ``bare``: a geometric built-in
    was called on scalars, to which a vector axis of width 1 was added. ``restore`` puts a result into the container of
    the arguments.
    """

    builtin: Builtin
    form: Format
    results: tuple[Dtype, ...]
    args: tuple[np.ndarray, ...]
    shape: tuple[int, ...]
    bare: bool
    restore: Restore | None

    @property
    def label(self) -> str:
        """The name of the call in messages."""
        return f"{self.builtin.name}()"


def prepare(
    name: str, args: tuple[object, ...], out: object = None, where: object = True, *, judged: bool = False
) -> Call:
    """Check ``args`` against the declaration of ``name`` and bring them to their types; an error before any work.

    ``judged``: the results come from elsewhere, also in formats that clmath does not compute the built-in in.
    """
    row, label = builtin(name), f"{name}()"
    signature, arrays, restore = read(row, args, out, where, judged=judged)
    bare = False
    if row.widths:
        bare = all(a.ndim == 0 for a in arrays)
        arrays = [a[np.newaxis] if a.ndim == 0 and 1 in row.widths else a for a in arrays]
        _check_widths(label, row, arrays)
    shape = common_shape(label, row.names, [a.shape for a in arrays])
    assert signature.form is not None, label
    return Call(row, signature.form, signature.results, tuple(arrays), shape, bare, restore)


def _check_widths(call: str, row: Builtin, arrays: Sequence[np.ndarray]) -> None:
    """Check that the last axes have one common width that the built-in takes: vectors are not broadcast."""
    widths = {p.name: checked_width(call, p.name, a, row.widths) for p, a in zip(row.inputs, arrays, strict=True)}
    if len(set(widths.values())) > 1:
        facts = ", ".join(f"{name} has {width} components" for name, width in widths.items())
        raise errors.ShapeError(f"{call}: {facts}; all vectors of a call need one width: cut or pad some")


def read(  # noqa: PLR0917 - a call and its keywords
    row: Builtin, args: tuple[object, ...], out: object, where: object, vector: bool = False, judged: bool = False
) -> tuple[Signature, list[np.ndarray], Restore | None]:
    """Return the types of a call, its arguments in these types, and what puts results into the arguments' container.

    ``vector`` and ``judged`` as in ``_signature``; ``out`` and ``where`` as in ``opened``.
    """
    label = f"{row.name}()"
    vectors = [is_vector(row, p) for p in row.inputs] if row.widths else ()
    args, restore = opened(label, row.names, args, out, vectors, where=where)
    given = [
        a if is_typed_array(a) or is_weak(a) else _seen(row, p, a)  # lists, scalars and containers
        for p, a in zip(row.inputs, args, strict=True)
    ]
    signature = _signature(row, given, vector=vector, judged=judged)
    each = zip(signature.readers, given, strict=True)
    return signature, [np.asarray(a if reader is None else reader(a)) for reader, a in each], restore


def is_vector(row: Builtin, parameter: Parameter) -> bool:
    """Whether an argument is an array of vectors, on its last axis."""
    return bool(row.widths) and parameter.type in _VECTORS


def _seen(row: Builtin, parameter: Parameter, arg: object) -> np.ndarray:
    """Return an argument as an array; a list of Python numbers becomes doubles if the built-in has no integers."""
    floating = parameter.type == "gentype" and not INTEGERS.keys() & row.types
    return (as_floats if floating else as_array)(f"{row.name}()", parameter.name, arg)


_SIGNATURES: dict[tuple[object, ...], Signature] = {}


def _signature(row: Builtin, given: Sequence[Operand], *, vector: bool = False, judged: bool = False) -> Signature:
    """Return the signature of a call with these arguments, arrays and plain Python numbers; an error if none fits.

    ``vector``: true is all bits set, as for vectors. ``judged``: the results come from elsewhere, also in formats that
    clmath does not compute the built-in in.
    """
    kinds = [a.dtype if isinstance(a, np.ndarray) else type(a) for a in given]
    key = row.chapter, row.name, vector, judged, _needs_ulong(given), *kinds
    if key not in _SIGNATURES:
        types = _Types(_gentype(row, given, judged=judged), _word(row, given), vector)
        arrays = [_typed(row, p, types, a) for p, a in zip(row.inputs, given, strict=True)]
        readers = [
            None if array is a else functools.partial(_typed, row, p, types)
            for p, a, array in zip(row.inputs, given, arrays, strict=True)
        ]
        inputs = [array.dtype.newbyteorder("=") for array in arrays]
        form = format_of(types.gentype) if row.formats else None
        results = [types.of(p.type) for p in row.outputs]
        _SIGNATURES[key] = Signature(tuple(inputs), tuple(readers), tuple(results), form)
    return _SIGNATURES[key]


def typed(row: Builtin, kinds: tuple[Kind, ...], **options: bool) -> Signature | None:
    """Return the types of calls with arguments of these kinds, with readers of a plan; None if they are an error.

    ``options`` as in ``_signature``.
    """
    try:
        signature = _signature(row, [sample(kind) for kind in kinds], **options)
    except errors.ClmathError:
        return None
    each = zip(signature.readers, kinds, signature.inputs, strict=True)
    return signature._replace(readers=tuple(number_reader(read, kind, needed, kinds) for read, kind, needed in each))


def _gentype(row: Builtin, given: Sequence[object], *, judged: bool) -> Dtype:
    """Return the one type of all gentype arguments; if all are weak, the type of a ugentype argument, or a default."""
    strong = [(p, a.dtype) for p, a in zip(row.inputs, given, strict=True) if isinstance(a, np.ndarray)]
    if strong and strong[0][0].type == "nancode":
        return _format_of_code(row, *strong[0]).dtype
    found = [(p.name, dtype) for p, dtype in strong if p.type == "gentype"]
    wrong = [(name, dtype) for name, dtype in found if not _is_known(row, dtype)]
    native = [(name, dtype.newbyteorder("=")) for name, dtype in found if _is_known(row, dtype)]
    if wrong and row.formats:
        raise _no_format(row, wrong, [dtype for _, dtype in native])
    if wrong:
        swapped = [(name, dtype.newbyteorder("=")) for name, dtype in wrong]
        raise _no_type(row, row.types, swapped, [dtype for _, dtype in native])
    if row.name in _COUNTED and len({dtype for _, dtype in native}) > 1:
        raise _wide_count(row, *native)
    gentype = agreed(f"{row.name}()", native, "format" if row.formats else "type", _known(row))
    if gentype is not None:
        _check_defined(row, [name for name, _ in native], gentype, judged=judged)
        return gentype
    beside = [d.newbyteorder("=") for p, d in strong if p.type == "ugentype" and type_name(d) in row.types]
    return beside[0] if beside else _default(row, given)


def _known(row: Builtin) -> list[Dtype]:
    """Return the types that gentype may be."""
    return [form.dtype for form in row.formats] or [SCALARS[name] for name in row.types]


def _is_known(row: Builtin, dtype: Dtype) -> bool:
    """Whether an array is of a format, or of one of the types of a built-in that does not round."""
    return format_of(dtype) is not None if row.formats else type_name(dtype.newbyteorder("=")) in row.types


def _check_defined(row: Builtin, names: Sequence[str], gentype: Dtype, *, judged: bool) -> None:
    """Raise DTypeError for a format, such as bfloat16, that a built-in does not have."""
    form = format_of(gentype) if row.formats else None
    if form is None or form in row.formats + row.computed or (judged and row.takes(form.name)):
        return
    remedy = into(names[0], gentype, best_of([gentype], _known(row))) + likewise(names[1:])
    raise errors.DTypeError(f"{row.name}(): {names[0]} is {form}; only {any_of(row.formats)} is defined: {remedy}")


def _no_format(row: Builtin, wrong: Sequence[tuple[str, Dtype]], beside: Sequence[Dtype]) -> errors.DTypeError:
    """Error for arguments that are not of a floating-point format; ``beside`` are the formats of others."""
    known = _known(row)
    target = next((dtype for dtype in beside if dtype in known), known[-1])
    (name, dtype), *others = sorted(wrong, key=lambda one: one[1].kind in "biuf")  # first those that convert() refuses
    remedy = errors.conversion(name, type_name(target)) + likewise(other for other, _ in others)
    return errors.wrong_dtype(f"{row.name}()", name, dtype, any_of(row.formats), remedy, target)


def _no_type(
    row: Builtin, names: Sequence[str], wrong: Sequence[tuple[str, Dtype]], beside: Sequence[Dtype] = ()
) -> errors.DTypeError:
    """Error for arguments of other types than ``names``; ``beside`` are the types of others."""
    known = [SCALARS[name] for name in names]
    (name, dtype), *others = wrong
    target = beside[0] if beside else best_of([dtype], known)
    remedy = into(name, dtype, target, () if beside else known) + likewise(other for other, _ in others)
    return errors.wrong_dtype(f"{row.name}()", name, dtype, any_of(names), remedy, target)


def _default(row: Builtin, given: Sequence[object]) -> Dtype:
    """Return the type of a call whose gentype arguments are all plain Python numbers; ulong if one of them needs it."""
    names = row.type_names
    if _needs_ulong(given) and "ulong" in names:
        return SCALARS["ulong"]
    if any(type(a) is float for a in given) and "double" in names:
        return SCALARS["double"]
    return next((SCALARS[name] for name in _WEAK if name in names), SCALARS[names[0]])


def _format_of_code(row: Builtin, parameter: Parameter, dtype: Dtype) -> Format:
    """Return the format of the NaN whose code has this ``dtype``."""
    for form in row.formats:
        if dtype.newbyteorder("=") == form.bits_dtype:
            return form
    remedy = f"ushort gives a half, uint a float, ulong a double; {errors.conversion(parameter.name, 'uint')}"
    raise errors.wrong_dtype(f"{row.name}()", parameter.name, dtype, "ushort, uint or ulong", remedy, "uint32")


def _wide_count(row: Builtin, turned: tuple[str, Dtype], count: tuple[str, Dtype]) -> errors.DTypeError:
    """Error for a count of another type than the rotated number's, whose width decides the result."""
    name = type_name(turned[1])
    fact = f"{turned[0]} is {name}, {count[0]} is {type_name(count[1])}"
    way = f"{errors.conversion(count[0], name)}, which keeps the low bits that count"
    return errors.DTypeError(f"{row.name}(): all gentype arguments need one type; {fact}: {way}")


def _needs_ulong(given: Sequence[object]) -> bool:
    """Whether a plain Python int is too large for a long, and all are such that a ulong could hold them."""
    ints = [a for a in given if type(a) is int]
    return bool(ints) and max(ints) >= 2**63 and all(0 <= a < 2**64 for a in ints)


def _word(row: Builtin, given: Sequence[object]) -> Dtype:
    """Return the type of a sum of products: uint if every byte4 argument is uchar4, otherwise int."""
    kinds = {np.asarray(a).dtype.kind for p, a in zip(row.inputs, given, strict=True) if p.type == "byte4"}
    return INTEGERS["uint" if kinds == {"u"} else "int"]


def _typed(row: Builtin, parameter: Parameter, types: _Types, arg: Operand) -> np.ndarray:
    """Return ``arg`` in the declared type of its parameter."""
    if parameter.type == "byte4":
        return _one_of(row, parameter, arg, ("char", "uchar"))
    if parameter.type == "truths":
        return _truths(row, parameter, arg, row.types if types.vector else ("bool", *row.types), types.vector)
    if parameter.type == "condition" and not is_weak(arg):
        return _condition(row, parameter, arg, types)
    if parameter.type == "intn":
        return _as_int(f"{row.name}()", parameter.name, arg)
    if parameter.type == "nancode":
        return _nancode(row, parameter, arg, types.gentype)
    needed = types.of(parameter.type)
    if is_weak(arg):
        return _weak(row, parameter, arg, needed)
    if arg.dtype.newbyteorder("=") == needed:
        return arg
    if parameter.type in INTEGERS or parameter.type == "word":
        return _fitting(row, parameter, arg, needed)
    raise _no_type(row, (type_name(needed),), [(parameter.name, arg.dtype)])


def _nancode(row: Builtin, parameter: Parameter, arg: Operand, gentype: Dtype) -> np.ndarray:
    """Return the code of a NaN in the unsigned type of the format's width."""
    try:
        code = np.asarray(arg, f"u{gentype.itemsize}" if type(arg) is int else None)
    except OverflowError:
        fact = f"{parameter.name} is {errors.shown(arg)}; an ulong lies in 0 .. 2^64-1"
        way = f"mask it first, {parameter.name} & (2**64 - 1)"
        raise errors.DTypeError(f"{row.name}(): {fact}: {way}") from None
    _format_of_code(row, parameter, code.dtype)
    return code


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


def _one_of(row: Builtin, parameter: Parameter, arg: object, names: Sequence[str]) -> np.ndarray:
    array = np.asarray(arg)
    if type_name(array.dtype) not in names:
        raise _no_type(row, names, [(parameter.name, array.dtype)])
    return array


def _truths(row: Builtin, parameter: Parameter, arg: object, names: Sequence[str], vector: bool) -> np.ndarray:
    """Return truth values of the types ``names``; the error for other types says how to keep their meaning."""
    array = np.asarray(arg)
    if type_name(array.dtype) in names:
        return array
    name, kind = parameter.name, array.dtype.kind
    if not vector:
        way = f"convert it to bool, {name} != 0"
    elif kind == "b":
        way = "leave vector out: bool has no most significant bit"
    else:
        size = array.dtype.itemsize
        signed = f"clmath.as_type({name}, {type_name(np.dtype(f'i{size}'))!r})" if kind in "uf" and size <= 8 else name
        least = min((INTEGERS[n] for n in names if INTEGERS[n].kind == "i"), key=lambda t: t.itemsize)
        way = f"{errors.conversion(signed, type_name(least), ', sat=True')}, which keeps the sign bit"
    raise errors.wrong_dtype(f"{row.name}()", name, array.dtype, any_of(names), way)


def _condition(row: Builtin, parameter: Parameter, arg: object, types: _Types) -> np.ndarray:
    """Return a truth value: an integer type of gentype's width, or bool unless the sign bit counts."""
    size = types.gentype.itemsize
    names = [name for name, dtype in INTEGERS.items() if dtype.itemsize == size]
    array = _truths(row, parameter, arg, names if types.vector else ["bool", *names], types.vector)
    return array.view(f"{array.dtype.byteorder}i{size}") if array.dtype.kind == "u" else array


def _weak(row: Builtin, parameter: Parameter, arg: float, needed: Dtype) -> np.ndarray:
    """Return a plain Python number as an array of the required type; an error if it does not fit."""
    form = format_of(needed)
    if form is not None:
        return weak(f"{row.name}()", parameter.name, arg, form)
    if type(arg) is float:
        name = type_name(needed)
        raise errors.DTypeError(
            f"{row.name}(): {parameter.name} is a Python float; {name} is needed: give a Python int"
        )
    info = np.iinfo(needed)
    if not info.min <= arg <= info.max:
        raise _beyond(row, parameter, arg, needed)
    return np.asarray(arg, needed)


def _fitting(row: Builtin, parameter: Parameter, array: np.ndarray, needed: Dtype) -> np.ndarray:
    """Return an array of another integer type whose values all fit: for parameters of one fixed type."""
    if array.dtype.kind not in "iu":
        raise _no_type(row, (type_name(needed),), [(parameter.name, array.dtype)])
    beyond = misfit(array, needed)
    if beyond is not None:
        raise _beyond(row, parameter, beyond, needed)
    return array.astype(needed)


def _beyond(row: Builtin, parameter: Parameter, value: float, needed: Dtype) -> errors.DTypeError:
    info, name = np.iinfo(needed), type_name(needed)
    nearest = errors.conversion(parameter.name, name, ", sat=True")
    remedy = f"{nearest}, the nearest one, or without sat its low bits"
    if row.name in _COUNTED and parameter == row.inputs[-1]:
        remedy = f"{errors.conversion(parameter.name, name)}, which keeps the low bits that count"
    fact = f"{parameter.name} holds {errors.shown(value)}; {name} lies in {info.min} .. {info.max}"
    return errors.DTypeError(f"{row.name}(): {fact}: {remedy}")
