"""Calls of built-ins whose results are bits: the integer and relational chapters."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors, pragmas
from clmath.call import exact, others
from clmath.call.arguments import (
    agreed,
    any_of,
    as_array,
    as_floats,
    checked_width,
    is_typed_array,
    is_weak,
    misfit,
    weak,
)
from clmath.call.containers import opened
from clmath.call.evaluation import Evaluation, by_ufunc
from clmath.call.plans import Plan, at_once
from clmath.call.prepared import Signature, plan_by
from clmath.call.remedies import best_of, into, likewise
from clmath.call.slices import checked_threads
from clmath.call.subnormals import all_as_here
from clmath.numbers.datatypes import INTEGERS, SCALARS, declared, type_name
from clmath.numbers.formats import FORMATS
from clmath.spec.builtins import EXACT, Builtin, Parameter, builtins

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.plans import Check
    from clmath.call.readers import Kind, Operand
    from clmath.callables import AnyFunction

__all__ = ["bits", "planned"]

Dtype: TypeAlias = "np.dtype"

_COUNTED = frozenset({"rotate"})  # the last argument is a count, of which the low bits are used
_WEAK = ("long", "int", "double")  # types of plain Python numbers if no array decides, where allowed


@dataclass(frozen=True)
class _Types:
    """The types of the words of a declaration in one call."""

    gentype: Dtype
    word: Dtype
    vector: bool

    def of(self, word: str) -> Dtype:
        """The dtype of a parameter or result declared as ``word``."""
        if word == "booln":
            word = "igentype" if self.vector else "int"
        return self.word if word == "word" else declared(word, self.gentype)


def bits(
    name: str,
    args: tuple[object, ...],
    out: object = None,
    where: object = True,
    *,
    implementation: Callable[..., np.ndarray] | None = None,
    vector: bool = False,
    truth: Dtype | None = None,
    check: Callable[[str, Sequence[np.ndarray]], None] | None = None,
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
    vectors = [_is_vector(row, p) for p in row.inputs] if row.widths else ()
    args, restore = opened(label, row.names, args, out, vectors, where=where)
    given = [
        a if is_typed_array(a) or is_weak(a) else _seen(row, p, a)  # lists, scalars and containers
        for p, a in zip(row.inputs, args, strict=True)
    ]
    found = _signature(row, vector, given)
    arrays = found.read(given)
    if row.result != "gentype":  # others move bits
        arrays = all_as_here(arrays)
    result = truth or found.results[0]
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


def _of_itself(name: str) -> AnyFunction:
    from clmath.direct import integers, relational

    found: AnyFunction | None = relational.BY_NAME.get(name) or getattr(integers, name, None)
    return found or relational.select


def _keywords(*, vector: bool, truth: Dtype | None) -> dict[str, object]:
    """Return the equivalent keywords of a public function."""
    return ({"vector": True} if vector else {}) | ({} if truth is None else {"dtype": bool})


_SIGNATURES: dict[tuple[object, ...], Signature] = {}


def _signature(row: Builtin, vector: bool, given: Sequence[Operand]) -> Signature:
    """Return the signature of a call with arrays and plain Python numbers; an error for wrong types."""
    kinds = tuple([a.dtype if isinstance(a, np.ndarray) else type(a) for a in given])
    key = row.name, vector, kinds, _needs_ulong(given)
    if key not in _SIGNATURES:
        types = _Types(_gentype(row, given), _word(row, given), vector)
        readers = [
            None if _typed(row, p, types, a) is a else functools.partial(_typed, row, p, types)
            for p, a in zip(row.inputs, given, strict=True)
        ]
        _SIGNATURES[key] = Signature(row, f"{row.name}()", tuple(readers), (types.of(row.result),))
    return _SIGNATURES[key]


def planned(name: str, kinds: tuple[Kind, ...], **options: object) -> Plan | None:
    """Return the plan for arguments of these kinds without keywords, or None for preparation or an error."""
    return None if options else _planned(name, (False, None), kinds, _of_itself(name), None)


def _planned(
    name: str,
    option: tuple[bool, Dtype | None],
    kinds: tuple[Kind, ...],
    implementation: AnyFunction,
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
            return Plan(signature.label, exact.reducing(result, implementation), inputs, (result,), widths=widths)
        ufunc = exact.elementwise(signature.label, inputs, result, implementation)
        return Plan(signature.label, ufunc, inputs, (result,), check=check)

    return plan_by(functools.partial(_signature, row, vector), kinds, made)


def _reduces(row: Builtin) -> bool:
    """Whether a built-in takes a vector of truth values, and has one."""
    return any(p.type == "truths" for p in row.inputs)


def _check_lanes(row: Builtin, arrays: Sequence[np.ndarray]) -> None:
    """Raise ShapeError for a vector of truth values of a wrong number of components; a number is a vector of one."""
    for parameter, array in zip(row.inputs, arrays, strict=True):
        if array.ndim:
            checked_width(f"{row.name}()", parameter.name, array, row.widths)


def _seen(row: Builtin, parameter: Parameter, arg: object) -> np.ndarray:
    """Return an argument as an array; a list of Python numbers becomes doubles if the built-in has no integers."""
    floating = parameter.type == "gentype" and not INTEGERS.keys() & row.types
    return (as_floats if floating else as_array)(f"{row.name}()", parameter.name, arg)


def _gentype(row: Builtin, given: Sequence[object]) -> Dtype:
    """Return the one type of all gentype arguments; if all are weak, the type of a ugentype argument, or a default."""
    strong = [(p, a.dtype) for p, a in zip(row.inputs, given, strict=True) if isinstance(a, np.ndarray)]
    found = [(p.name, dtype.newbyteorder("=")) for p, dtype in strong if p.type == "gentype"]
    wrong = [(name, dtype) for name, dtype in found if type_name(dtype) not in row.types]
    if wrong:
        raise _no_type(row, wrong, [dtype for _, dtype in found if type_name(dtype) in row.types])
    if row.name in _COUNTED and len({dtype for _, dtype in found}) > 1:
        raise _wide_count(row, *found)
    gentype = agreed(f"{row.name}()", found, "type", [SCALARS[name] for name in row.types])
    if gentype is not None:
        return gentype
    beside = [d.newbyteorder("=") for p, d in strong if p.type == "ugentype" and type_name(d) in row.types]
    return beside[0] if beside else _default(row, given)


def _wide_count(row: Builtin, turned: tuple[str, Dtype], count: tuple[str, Dtype]) -> errors.DTypeError:
    """Error for a count of another type than the rotated number's, whose width decides the result."""
    name = type_name(turned[1])
    fact = f"{turned[0]} is {name}, {count[0]} is {type_name(count[1])}"
    way = f"{errors.conversion(count[0], name)}, which keeps the low bits that count"
    return errors.DTypeError(f"{row.name}(): all gentype arguments need one type; {fact}: {way}")


def _needs_ulong(given: Sequence[object]) -> bool:
    """Whether a plain Python int is too large for a long, and all are such that a ulong could hold them."""
    ints = [a for a in given if type(a) is int]
    return any(a >= 2**63 for a in ints) and all(0 <= a < 2**64 for a in ints)


def _no_type(row: Builtin, wrong: Sequence[tuple[str, Dtype]], beside: Sequence[Dtype]) -> errors.DTypeError:
    """Error for gentype arguments of types that the built-in does not take; ``beside`` are the types of others."""
    known = [SCALARS[name] for name in row.types]
    (name, dtype), *others = wrong
    target = beside[0] if beside else best_of([dtype], known)
    remedy = into(name, dtype, target, () if beside else known) + likewise(other for other, _ in others)
    return errors.wrong_dtype(f"{row.name}()", name, dtype, any_of(row.types), remedy, target)


def _default(row: Builtin, given: Sequence[object]) -> Dtype:
    """Return the type of a call whose gentype arguments are all plain Python numbers; ulong if one of them needs it."""
    if _needs_ulong(given) and "ulong" in row.types:
        return SCALARS["ulong"]
    if any(type(a) is float for a in given) and "double" in row.types:
        return SCALARS["double"]
    return next((SCALARS[name] for name in _WEAK if name in row.types), SCALARS[row.types[0]])


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
    needed = types.of(parameter.type)
    if is_weak(arg):
        return _weak(row, parameter, arg, needed)
    array: np.ndarray = arg
    if array.dtype.newbyteorder("=") == needed:
        return array
    if parameter.type in INTEGERS or parameter.type == "word":
        return _fitting(row, parameter, array, needed)
    raise _refused(row, parameter, array.dtype, (type_name(needed),))


def _one_of(row: Builtin, parameter: Parameter, arg: object, names: Sequence[str]) -> np.ndarray:
    array = np.asarray(arg)
    if type_name(array.dtype) not in names:
        raise _refused(row, parameter, array.dtype, names)
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
    if needed.kind == "f":
        return weak(f"{row.name}()", parameter.name, arg, next(form for form in FORMATS if form.dtype == needed))
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
        raise _refused(row, parameter, array.dtype, (type_name(needed),))
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


def _refused(row: Builtin, parameter: Parameter, dtype: np.dtype, names: Sequence[str]) -> errors.DTypeError:
    """Error for a ``parameter`` of a type that the declaration does not allow."""
    known = [SCALARS[name] for name in names]
    target = best_of([dtype], known)
    remedy = into(parameter.name, dtype, target, known)
    return errors.wrong_dtype(f"{row.name}()", parameter.name, dtype, any_of(names), remedy, target)


def _is_vector(row: Builtin, parameter: Parameter) -> bool:
    return bool(row.widths) and parameter.type in ("byte4", "truths")


def _lanes(row: Builtin, arrays: list[np.ndarray]) -> tuple[list[np.ndarray], list[tuple[int, ...]]]:
    """Return the operands, the arguments or the components of their last axes, and the shapes without those axes."""
    if not row.widths:
        return arrays, [a.shape for a in arrays]
    lanes: list[np.ndarray] = []
    shapes = []
    for parameter, array in zip(row.inputs, arrays, strict=True):
        if not _is_vector(row, parameter) or (array.ndim == 0 and 1 in row.widths):
            lanes.append(array)
            shapes.append(array.shape)
        else:
            width = checked_width(f"{row.name}()", parameter.name, array, row.widths)
            lanes += [array[..., i] for i in range(width)]
            shapes.append(array.shape[:-1])
    return lanes, shapes
