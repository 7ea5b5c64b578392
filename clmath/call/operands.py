"""The operands of an operator in the types that the text converts them to: OpenCL C++ 1.0, 2.1.2, 2.3 and 2.4."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath import errors, phases
from clmath.call import exact
from clmath.call.arguments import agreed, any_of, is_weak, operand, weak
from clmath.call.containers import opened
from clmath.call.elements import converted
from clmath.call.evaluation import Evaluation
from clmath.call.plans import Plan
from clmath.call.readers import int_reader, number_reader, sample
from clmath.call.slices import checked_threads
from clmath.engines import choice
from clmath.numbers.datatypes import SCALARS, type_name
from clmath.numbers.formats import format_of
from clmath.numbers.rounding import checked_mode

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.containers import Restore
    from clmath.call.plans import Planner
    from clmath.call.readers import Kind, Operand, Reader
    from clmath.numbers.rounding import Rounding

Dtype: TypeAlias = "np.dtype"
Prepared: TypeAlias = "tuple[list[np.ndarray], Dtype, Callable[..., np.ndarray] | None]"
"""The operands in the types that they are converted to, the type of results, and what computes them from arrays of
these types; None where the built-in of floating-point numbers does."""

Prepare: TypeAlias = "Callable[[Operands, Rounding], Prepared]"

INTEGERS, FLOATS = "biu", "f"  # kinds of dtypes that operators take

_FORMATS = {dtype for dtype in SCALARS.values() if dtype.kind == "f"}
_INT, _LONG, _ULONG, _DOUBLE = (SCALARS[name] for name in ("int", "long", "ulong", "double"))
_LITERALS = (_INT, _LONG, _ULONG)


def are_of_one_format(*args: object) -> bool:
    """Whether operands are floating-point numbers of one format, or plain Python numbers, but not ints alone."""
    found = {getattr(a, "dtype", type(a)) for a in args if type(a) is not int}
    formats = found - {float}
    return bool(found) and formats <= _FORMATS and len(formats) < 2


@dataclass(frozen=True)
class Operands:
    """The operands of one call: its name, and arrays or plain Python numbers by the names of parameters.

    ``vector``: arrays are vectors, and numbers among them are widened; without it every element is a scalar.
    """

    call: str
    given: dict[str, Any]
    vector: bool
    restore: Restore | None

    @classmethod
    def of(
        cls,
        name: str,
        parameters: Sequence[str],
        args: tuple[object, ...],
        kinds: str,
        *,
        vector: bool,
        out: object = None,
        where: object = True,
    ) -> Operands:
        """Check the arguments, each of one of the ``kinds`` of types; ``out`` and ``where`` as in ``opened``."""
        call = f"{name}()"
        vector = errors.checked_flag(call, "vector", vector)
        args, restore = opened(call, parameters, args, out, where=where)
        given = {p: _checked(call, p, a, kinds) for p, a in zip(parameters, args, strict=True)}
        return cls(call, given, vector, restore)

    @property
    def name(self) -> str:
        """The name of the operator."""
        return self.call.removesuffix("()")

    def only(self, *names: str) -> Operands:
        """Some of the operands."""
        return replace(self, given={name: self.given[name] for name in names})

    def common(self, mode: Rounding, kinds: str = "biuf") -> list[np.ndarray]:
        """Return all operands in their common type: by the usual arithmetic conversions, or widened to vectors.

        ``kinds``: the kinds that elements of vectors may have. Conversions to floating point round in ``mode``.
        """
        if not self.vector:
            target = _common_type(self.call, self.given)
            return [self._as(name, value, target, mode) for name, value in self.given.items()]
        target = self._element_type(kinds)
        self._check_components()
        return [self._widened(name, value, target, mode) for name, value in self.given.items()]

    def promoted(self, name: str) -> np.ndarray:
        """Return one operand after the integer promotions, which do not apply to elements of vectors."""
        value = self.given[name]
        if self.vector and not is_weak(value) and value.dtype.kind != "b":
            return np.asarray(value)
        return self._as(name, value, _common_type(self.call, {name: value}), "rte")

    def check_shift(self) -> None:
        """Raise ShapeError if vectors shift a scalar, or have different numbers of components."""
        if self.vector:
            self._check_components()
            if not np.shape(self.given["x"]) and np.shape(self.given["y"]):
                fact = "x is a scalar and y has vectors; a vector may shift vectors only (2.4)"
                raise errors.ShapeError(f"{self.call}: {fact}: widen x, np.full_like(y, x)")

    def _check_components(self) -> None:
        """Raise ShapeError if vectors have different numbers of components."""
        shapes = {n: np.shape(a) for n, a in self.given.items() if np.shape(a)}
        if len({shape[-1] for shape in shapes.values()}) > 1:
            facts = ", ".join(f"{n} has {shape[-1]} components" for n, shape in shapes.items())
            raise errors.ShapeError(f"{self.call}: {facts}; vectors need the same number (2.4): cut or pad one of them")

    def _element_type(self, kinds: str) -> Dtype:
        """Return the type of the elements of all vectors; without vectors, of the scalars that have a type."""
        typed = {n: a for n, a in self.given.items() if not is_weak(a)}
        vectors = {n: a for n, a in typed.items() if a.ndim} or typed
        found = [(n, a.dtype.newbyteorder("=")) for n, a in vectors.items()]
        target = agreed(self.call, found, "type", [d for d in SCALARS.values() if d.kind in kinds])
        if target is None:
            return _common_type(self.call, self.given)
        if target.kind not in kinds:
            name, dtype = found[0]
            needed = any_of([n for n, d in SCALARS.items() if d.kind in kinds])
            raise errors.wrong_dtype(self.call, name, dtype, needed, errors.conversion(name, "char"))
        return target

    def _widened(self, name: str, value: Operand, target: Dtype, mode: Rounding) -> np.ndarray:
        """Return a vector, or a scalar as an element of one, which must hold it (2.3); Python floats are rounded."""
        if type(value) is float and target.kind == "f":
            return self._as(name, value, target, mode)
        if not is_weak(value) and value.dtype.newbyteorder("=") == target:
            return np.asarray(value)
        scalar = value if is_weak(value) else value.item()
        fits = type(value) is int if is_weak(value) else _rank(value.dtype) <= _rank(target)
        if fits and target.kind in "iu":
            fits = int(np.iinfo(target).min) <= int(scalar) <= int(np.iinfo(target).max)
        result = self._as(name, value, target, mode) if fits else None
        if result is None or not (result.item() == scalar or scalar != scalar):  # NaN is NaN in every format
            kind = type(value).__name__ if is_weak(value) else type_name(value.dtype)
            fact = f"{name} is {errors.shown(scalar)}, a scalar of type {kind}"
            rule = f"next to vectors of {type_name(target)} it would be truncated or rounded, which is ill-formed (2.3)"
            raise errors.DTypeError(f"{self.call}: {fact}; {rule}: {errors.conversion(name, type_name(target))}")
        return result

    def _as(self, name: str, value: Operand, target: Dtype, mode: Rounding) -> np.ndarray:
        """Return ``value`` converted to ``target``: integers modulo 2^n, floating-point numbers rounded in ``mode``."""
        form = format_of(target)
        if is_weak(value):
            if form is not None:
                return weak(self.call, name, value, form)
            bits = 8 * target.itemsize
            return np.asarray(value % 2**bits, f"u{target.itemsize}").view(target)
        array: np.ndarray = value
        if array.dtype.newbyteorder("=") == target:
            return array
        return converted(self.call, array, target, mode)

    def reader(self, name: str, kind: Kind, needed: Dtype, kinds: Sequence[Kind], mode: Rounding) -> Reader | None:
        """Return a function that gives an operand of a kind the type ``needed``, or None for operands that have it.

        An int from 2^31 on is a long next to uint, but not in NumPy.
        """
        if kind is int and needed == SCALARS["uint"]:
            return int_reader(needed, 2**31 - 1)
        if kind in {int, float}:
            return number_reader(lambda x: self._as(name, x, needed, mode), kind, needed, kinds)
        source = np.dtype(kind)
        is_same = source.newbyteorder("=") == needed
        convert = None if is_same else exact.converting(self.call, source, needed, mode, sat=False)
        return number_reader(convert, kind, needed, kinds)

    def evaluated(self, prepared: Prepared, mode: Rounding, out: object, where: object, threads: int) -> object:
        """Return the results of operands that are ``prepared``."""
        workers = checked_threads(self.name, threads)
        sources, dtype, _ = prepared
        asked = Evaluation.of_elements(self.call, tuple(self.given), sources, [dtype])
        ufunc = _ufunc(self.call, prepared, mode)
        return asked.by(ufunc, out, where, restore=self.restore, threads=workers)


class Operator(NamedTuple):
    """An operator on scalars: its name, the kinds of types that it takes, and the function that converts operands.

    ``mode``: the mode of conversions of integers to floating point.
    """

    name: str
    kinds: str
    prepare: Prepare
    mode: Rounding = "rte"


def plan_of(kinds: str, prepare: Prepare) -> Planner:
    """Return the function that makes plans for an operator on ``kinds`` of types, in a mode or the mode in force."""

    def planned(name: str, of: tuple[Kind, ...], *, rounding: object = None, **others: object) -> Plan | None:
        if others:
            return None
        mode = checked_mode(f"{name}()", "rte" if rounding is None else rounding)
        samples = tuple(map(sample, of))
        operands = Operands.of(name, parameters(samples), samples, kinds, vector=False)
        prepared = prepare(operands, mode)
        needed = [source.dtype.newbyteorder("=") for source in prepared[0]]
        each = zip(operands.given, of, needed, strict=True)
        readers = [operands.reader(argument, kind, dtype, of, mode) for argument, kind, dtype in each]
        return Plan(_ufunc(operands.call, prepared, mode), needed, (prepared[1],), readers, in_mode=rounding is None)

    return planned


def _ufunc(call: str, prepared: Prepared, mode: Rounding) -> np.ufunc:
    """Return the ufunc for operands that are ``prepared``."""
    sources, dtype, compute = prepared
    if compute is None:
        return phases.ufunc(call.removesuffix("()"), mode, choice.chosen(call, choice.AUTO))
    return exact.elementwise(call, [source.dtype for source in sources], dtype, compute)


def parameters(args: Sequence[object]) -> tuple[str, ...]:
    """The names of the parameters of an operator of ``args``."""
    return ("c", "x", "y")[-len(args) :] if len(args) > 1 else ("x",)


def _checked(call: str, name: str, value: object, kinds: str) -> Operand:
    """Return ``value`` as an array of one of the twelve types whose kind is in ``kinds``, or a plain Python number."""
    if is_weak(value) and (type(value) is int or "f" in kinds):
        return value
    array = operand(call, name, value)
    if array.dtype.kind not in kinds:
        needed = any_of([n for n, d in SCALARS.items() if d.kind in kinds])
        target = "float" if "f" in kinds else "long"
        raise errors.wrong_dtype(call, name, type_name(array.dtype), needed, errors.conversion(name, target))
    return array


def _rank(dtype: Dtype) -> tuple[bool, int]:
    """The conversion rank: floating-point types above integers, then by size, bool lowest."""
    return dtype.kind == "f", 0 if dtype.kind == "b" else dtype.itemsize


def _common_type(call: str, given: dict[str, Operand]) -> Dtype:
    """Return the common type by the usual arithmetic conversions; plain Python numbers are literals.

    A Python float is a double if no operand has a format, and ints are long or ulong if no operand has a type.
    """
    typed = [a.dtype.newbyteorder("=") for a in given.values() if not is_weak(a)]
    floats = [d for d in typed if d.kind == "f"]
    if floats:
        return max(floats, key=lambda d: d.itemsize)
    if any(type(a) is float for a in given.values()):
        return _DOUBLE
    literals = [_literal(call, n, a) for n, a in given.items() if type(a) is int]
    found = [_INT if d.kind == "b" or d.itemsize < _INT.itemsize else d for d in typed]
    result = (found or [_LONG])[0]
    for dtype in [*found, *literals]:
        result = _usual(result, dtype)
    return result


def _usual(first: Dtype, second: Dtype) -> Dtype:
    """Return the common type of two promoted integer types: the greater rank, at equal ranks the unsigned one."""
    return max(first, second, key=lambda d: (d.itemsize, d.kind == "u"))


def _literal(call: str, name: str, value: int) -> Dtype:
    """The type of an integer literal: int, long or ulong, the first that holds it."""
    for dtype in _LITERALS:
        if np.iinfo(dtype).min <= value <= np.iinfo(dtype).max:
            return dtype
    raise errors.held_by_no_integer(call, name, value)
