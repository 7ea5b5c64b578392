"""One call of a built-in whose results are bits (integer and relational chapters): check, cut, evaluate, hand back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.datatypes import INTEGERS, SCALARS, as_array, type_name, weak
from clmath.evaluate import blocks, result_arrays
from clmath.formats import FORMATS
from clmath.spec.builtins import EXACT, Builtin, Parameter, builtins

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = ["all_integers", "evaluate"]

Dtype: TypeAlias = "np.dtype[Any]"

_WEAK = ("long", "int", "double")  # what plain Python numbers become where no array says otherwise, if allowed


def all_integers(*args: Any) -> bool:
    """Whether a call of a built-in that integers and floating-point numbers share is the integers' own."""
    try:
        typed = [np.asarray(a).dtype.kind for a in args if not _is_weak(a)]
    except ValueError:  # a ragged list, which the other built-in refuses
        return False
    if typed:
        return all(kind in "iub" for kind in typed)
    return all(type(a) is int for a in args)


@dataclass(frozen=True)
class _Types:
    """What the words of a declaration stand for in one call."""

    gentype: Dtype
    word: Dtype
    vector: bool

    def of(self, word: str) -> Dtype:
        """The dtype of a parameter or result declared as ``word``."""
        size, kind = self.gentype.itemsize, self.gentype.kind
        if word == "gentype":
            return self.gentype
        if word == "ugentype":
            return np.dtype(f"u{size}")
        if word in ("igentype", "condition") or (word == "booln" and self.vector):
            return np.dtype(f"i{size}")
        if word == "wgentype":
            return np.dtype(f"{kind}{2 * size}")
        return self.word if word == "word" else INTEGERS["int" if word == "booln" else word]


def evaluate(
    name: str,
    implementation: Callable[..., NDArray[Any]],
    args: tuple[Any, ...],
    out: Any = None,
    *,
    vector: bool = False,
    check: Callable[[str, Sequence[NDArray[Any]]], None] | None = None,
) -> Any:
    """Evaluate the integer or relational built-in ``name`` by ``implementation``, block by block.

    Plain Python integers take the type of the arrays beside them, long where there is none. The implementation gets
    one-dimensional native blocks of the declared types; vectors that are reduced come as one argument a lane.
    ``check`` sees the call's name and its whole arguments first.
    """
    row = builtins(*EXACT)[name]
    types = _Types(_gentype(row, args), _word(row, args), vector)
    arrays = [_typed(row, p, a, types) for p, a in zip(row.inputs, args, strict=True)]
    sources = [lane for p, a in zip(row.inputs, arrays, strict=True) for lane in _lanes(row, p, a)]
    shape = _shape(row, arrays)
    if check is not None:
        check(f"{name}()", arrays)
    target = result_arrays(f"{name}()", [shape], [types.of(row.result)], out)[0]
    with np.errstate(all="ignore"):
        for block in blocks(sources, [target]):
            block[-1][...] = implementation(*block[:-1])
    return target[()] if out is None else out


def _is_weak(arg: Any) -> bool:
    return type(arg) in (int, float)


def _array(row: Builtin, parameter: Parameter, arg: Any) -> NDArray[Any]:
    return as_array(f"{row.name}()", parameter.name, arg)


def _gentype(row: Builtin, args: tuple[Any, ...]) -> Dtype:
    """The one type of all gentype arguments; that of a ugentype argument, or a default, where all are weak."""
    given = [(p, _array(row, p, a).dtype) for p, a in zip(row.inputs, args, strict=True) if not _is_weak(a)]
    found: dict[Dtype, str] = {}
    for parameter, dtype in given:
        if parameter.type == "gentype":
            if type_name(dtype) not in row.types:
                raise _refused(row, parameter, dtype, row.types)
            found.setdefault(dtype.newbyteorder("="), parameter.name)
    if len(found) > 1:
        facts = ", ".join(f"{name} is {type_name(dtype)}" for dtype, name in found.items())
        remedy = errors.conversion(list(found.values())[-1], type_name(next(iter(found))))
        raise errors.DTypeError(f"{row.name}(): all gentype arguments need one type; {facts}: {remedy}")
    if found:
        return next(iter(found))
    beside = [d.newbyteorder("=") for p, d in given if p.type == "ugentype" and type_name(d) in row.types]
    return beside[0] if beside else _default(row, args)


def _default(row: Builtin, args: tuple[Any, ...]) -> Dtype:
    """The type of a call whose gentype arguments are all plain Python numbers."""
    if any(type(a) is float for a in args) and "double" in row.types:
        return SCALARS["double"]
    return next((SCALARS[name] for name in _WEAK if name in row.types), SCALARS[row.types[0]])


def _word(row: Builtin, args: tuple[Any, ...]) -> Dtype:
    """The type of a sum of products: uint where every byte4 argument is uchar4, otherwise int."""
    kinds = {_array(row, p, a).dtype.kind for p, a in zip(row.inputs, args, strict=True) if p.type == "byte4"}
    return INTEGERS["uint" if kinds == {"u"} else "int"]


def _typed(row: Builtin, parameter: Parameter, arg: Any, types: _Types) -> NDArray[Any]:
    """``arg`` in the type that its parameter is declared with."""
    if parameter.type == "byte4":
        return _one_of(row, parameter, arg, ("char", "uchar"))
    if parameter.type == "truths":
        return _one_of(row, parameter, arg, row.types if types.vector else ("bool", *row.types))
    if parameter.type == "condition" and not _is_weak(arg):
        return _condition(row, parameter, arg, types)
    needed = types.of(parameter.type)
    if _is_weak(arg):
        return _weak(row, parameter, arg, needed)
    array = _array(row, parameter, arg)
    if array.dtype.newbyteorder("=") == needed:
        return array
    if parameter.type in INTEGERS or parameter.type == "word":
        return _fitting(row, parameter, array, needed)
    raise _refused(row, parameter, array.dtype, (type_name(needed),))


def _one_of(row: Builtin, parameter: Parameter, arg: Any, names: Sequence[str]) -> NDArray[Any]:
    array = _array(row, parameter, arg)
    if type_name(array.dtype) not in names:
        raise _refused(row, parameter, array.dtype, names)
    return array


def _condition(row: Builtin, parameter: Parameter, arg: Any, types: _Types) -> NDArray[Any]:
    """A truth value: an integer type of gentype's width, or bool where no sign bit is asked for."""
    size = types.gentype.itemsize
    names = [name for name, dtype in INTEGERS.items() if dtype.itemsize == size]
    array = _one_of(row, parameter, arg, names if types.vector else ["bool", *names])
    return array.view(f"{array.dtype.byteorder}i{size}") if array.dtype.kind == "u" else array


def _weak(row: Builtin, parameter: Parameter, arg: Any, needed: Dtype) -> NDArray[Any]:
    """A plain Python number as an array of the type that is needed, refused where it does not fit."""
    if needed.kind == "f":
        return weak(arg, next(form for form in FORMATS if form.dtype == needed))
    if type(arg) is float:
        name = type_name(needed)
        raise errors.DTypeError(
            f"{row.name}(): {parameter.name} is a Python float; {name} is needed: give a Python int"
        )
    info = np.iinfo(needed)
    if not info.min <= arg <= info.max:
        raise _beyond(row, parameter, arg, needed)
    return np.asarray(arg, needed)


def _fitting(row: Builtin, parameter: Parameter, array: NDArray[Any], needed: Dtype) -> NDArray[Any]:
    """An array of another integer type whose values all fit: for parameters of one fixed type."""
    if array.dtype.kind not in "iu":
        raise _refused(row, parameter, array.dtype, (type_name(needed),))
    info = np.iinfo(needed)
    for value in (int(array.min()), int(array.max())) if array.size else ():
        if not info.min <= value <= info.max:
            raise _beyond(row, parameter, value, needed)
    return array.astype(needed)


def _beyond(row: Builtin, parameter: Parameter, value: int, needed: Dtype) -> errors.DTypeError:
    info, name = np.iinfo(needed), type_name(needed)
    return errors.DTypeError(
        f"{row.name}(): {parameter.name} holds {value}; {name} lies in {info.min} .. {info.max}: "
        f"{errors.conversion(parameter.name, name, ', sat=True')}"
    )


def _refused(row: Builtin, parameter: Parameter, dtype: Any, names: Sequence[str]) -> errors.DTypeError:
    """``parameter`` has a type that the declaration does not allow."""
    needed = " or ".join(filter(None, (", ".join(names[:-1]), names[-1])))
    return errors.wrong_dtype(
        f"{row.name}()", parameter.name, dtype, needed, errors.conversion(parameter.name, names[-1])
    )


def _is_vector(row: Builtin, parameter: Parameter) -> bool:
    return bool(row.lanes) and parameter.type in ("byte4", "truths")


def _lanes(row: Builtin, parameter: Parameter, array: NDArray[Any]) -> list[NDArray[Any]]:
    """The operands that stand for one argument: itself, or the lanes of its last axis."""
    if not _is_vector(row, parameter):
        return [array]
    if array.ndim == 0 and 1 in row.lanes:
        return [array]
    count = array.shape[-1] if array.ndim else 1
    if count not in row.lanes:
        needed = " or ".join(filter(None, (", ".join(map(str, row.lanes[:-1])), str(row.lanes[-1]))))
        raise errors.ShapeError(
            f"{row.name}(): the last axis of {parameter.name} has {count} lanes; {needed} are needed"
        )
    return [array[..., i] for i in range(count)]


def _shape(row: Builtin, arrays: Sequence[NDArray[Any]]) -> tuple[int, ...]:
    shapes = [a.shape[:-1] if _is_vector(row, p) else a.shape for p, a in zip(row.inputs, arrays, strict=True)]
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        names = [p.name for p in row.inputs]
        raise errors.no_shape(f"{row.name}()", names, [a.shape for a in arrays]) from None
