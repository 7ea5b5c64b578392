"""Explicit conversions and reinterpretations: OpenCL C++ 1.0, 3.2 and 3.3."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import call, errors, pragmas
from clmath.call.arguments import checked_width, operand
from clmath.call.elements import plan_of_conversion
from clmath.call.exact import as_ufunc
from clmath.call.others import later
from clmath.call.plans import Plan, planned_first
from clmath.call.results import delivery, whole_vectors
from clmath.call.subnormals import as_here
from clmath.direct import real_numbers
from clmath.functions.pointers import aligned
from clmath.numbers.datatypes import SCALARS, WIDTHS, DataType, type_named
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from clmath.call.readers import Kind
    from clmath.typing import FloatLike, Floats, IntLike, Out, RealLike, Type, Where

__all__ = ["as_type", "convert"]


@planned_first(plan_of_conversion)
def convert(
    x: RealLike,
    /,
    type: Type,
    *,
    sat: bool = False,
    rounding: Rounding | None = None,
    out: Out = None,
    where: Where = True,
    threads: int = 1,
) -> Floats:
    """``x`` converted to ``type``: ``convert_<type>[_sat][_<mode>]`` of OpenCL C, ``convert_cast`` of OpenCL C++.

    ``x``: bool, char, uchar, short, ushort, int, uint, long, ulong, half, float or double, any shape. A Python float
    is a double. A Python int of any size is exact; lists of ints become int64 (uint64 from 2**63). Exact numbers, in
    lists and arrays too, are also rounded once: ``Fraction``, ``Decimal``, numbers of gmpy2 and mpmath, long double.
    Converted to integers they behave like floating point, except that ``mpz`` wraps like an int. ``type``: one of those
    twelve names; with 2, 3, 4, 8 or 16 behind it (``"uchar4"``) the last axis must have that number of components.
    A NumPy dtype or its class means its type, and so do the names that OpenCL does not use (``np.int16``,
    ``"float32"``). Names with two meanings, such as ``"int16"``, are refused: ``"short"`` is the scalar,
    ``("int", 16)`` the vector.
    Always a new array, or a scalar for a scalar, unless ``out`` is given. ``where`` picks elements; ``threads`` changes
    the speed, never the results: see ``help(clmath)``.

    - To half, float and double: correctly rounded in ``rounding``, by default in the mode in force
      (``select_rounding_mode``). Beyond the largest finite number the mode decides between it and infinity. NaN
      becomes the canonical NaN of another format; a format converted to itself keeps every bit.
    - To an integer type: from floating point rounded in ``rounding``, by default rtz in any mode in force.
      Out of range: with ``sat`` the nearest value of the type, NaN becomes 0; without ``sat`` the specification leaves
      floating-point operands to the implementation, and clmath saturates too, while integers wrap.
    - To bool: zero is false, anything else, NaN too, is true. A saturated form does not exist.

    In a block of ``flush_to_zero`` subnormal operands and results become zeros, except halfs.

    TypeError: ``sat`` for a type that is not an integer type, or a dtype that OpenCL lacks. ValueError: an unknown type
    or mode, the wrong number of components. Source: OpenCL C++ 1.0, 3.2.2 to 3.2.4.

    >>> convert(np.float32([-1.5, 2.5, 300.0]), "uchar", sat=True, rounding="rte")
    array([  0,   2, 255], dtype=uint8)
    >>> float(convert(2**64 - 1, "float", rounding="rtz")).hex()
    '0x1.fffffe0000000p+63'
    """
    target = type_named("convert()", type)
    mode, sat = _mode(target, rounding), errors.checked_flag("convert()", "sat", sat)
    if sat and (target.form or target.dtype.kind == "b"):
        raise errors.DTypeError(
            f"convert(): type={errors.shown(type)} with sat=True; only integer types saturate: leave sat out, "
            "out-of-range values follow the rounding mode"
        )

    mask = whole_vectors("convert()", where) if target.components > 1 else where  # where picks vectors, not components
    into = call.into("convert()", out, mask, threads)
    flushes = pragmas.may_flush() and (isinstance(x, bool) or not isinstance(x, int))
    if isinstance(x, int) and target.components == 1 and not -(2**63) <= x < 2**63:
        x = _of_reals(x, target, mode, sat=sat)[()]

    keywords = {"type": type, "sat": sat, "rounding": mode}
    lazy = later("convert", (x,), keywords, out, where) if target.components == 1 else None
    return _prepared(x, target, mode, into, sat=sat, flushes=flushes, where=where) if lazy is None else lazy


def _prepared(
    x: object, target: DataType, mode: Rounding, into: call.Into, *, sat: bool, flushes: bool, where: Where
) -> Floats:
    """Convert numbers in arrays, lists and containers, vectors, and exact numbers."""
    out, is_new = into.out, into.out is None and where is True

    def converted(values: object) -> np.ndarray:
        is_real = real_numbers.are_reals(values)
        source = _of_reals(values, target, mode, sat=sat) if is_real else operand("convert()", "x", values)
        if target.components > 1:
            checked_width("convert()", "x", source, (target.components,))
        if flushes:
            found = _flushing(source, target.dtype, mode, sat=sat)
            return found if is_new else call.converted("convert()", found, target.dtype, mode, into=into)
        return call.converted("convert()", source, target.dtype, mode, sat=sat, into=into)

    return call.with_containers("convert()", "x", x, converted, out=out, where=where)


def _flushing(source: np.ndarray, target: np.dtype, mode: Rounding, *, sat: bool) -> np.ndarray:
    """Convert ``source`` in a block of ``flush_to_zero``, which leaves halfs unchanged."""
    if source.dtype.newbyteorder("=") in {target, SCALARS["half"]}:
        return call.converted("convert()", source, target, mode, sat=sat)
    taken = as_here(source.astype(source.dtype.newbyteorder("="), copy=False))
    found = call.converted("convert()", taken, target, mode, sat=sat)
    return as_here(found, taken) if taken.dtype.kind == "f" else found


def _of_reals(values: object, target: DataType, mode: Rounding, *, sat: bool) -> np.ndarray:
    """Convert exact numbers; DTypeError if there is anything else among them."""
    refuse_altered_arithmetic("convert()")
    try:
        return real_numbers.converted(values, target.dtype, mode, sat=sat)
    except (TypeError, ValueError) as error:
        raise errors.DTypeError(
            f"convert(): x holds an object that is not a real number ({error}): give numbers"
        ) from error


def _mode(target: DataType, rounding: Rounding | None) -> Rounding:
    if rounding is not None:
        return checked_mode("convert()", rounding)
    return pragmas.rounding_mode() if target.form else "rtz"


def plan_of_reinterpretation(
    _name: str, kinds: tuple[Kind, ...], option: object = None, /, *, type: object = None, **others: object
) -> Plan | None:
    """Return the plan to take numbers of a kind as a type; None, or an error, for preparation."""
    target = type_named("as_type()", type if option is None else option)
    (kind,) = kinds
    source = np.dtype(f"u{target.dtype.itemsize}" if kind is int else kind).newbyteorder("=")
    if others or "b" in {source.kind, target.dtype.kind}:
        return None
    is_of_one_size = target.components == 1 and source.itemsize == target.size

    def reinterpreted(x: FloatLike | IntLike) -> Floats:
        if is_of_one_size:
            return np.array(x, source, order="C").view(target.dtype)[()]
        return _reinterpreted(_reinterpretable(x, target), target)[()]

    return Plan(as_ufunc(reinterpreted), (), ())


@planned_first(plan_of_reinterpretation)
def as_type(x: FloatLike | IntLike, /, type: Type, *, out: Out = None) -> Floats:
    """The bits of ``x`` as ``type``: ``as_<type>`` of OpenCL C.

    ``type`` as in ``convert``. ``x``: any type of ``convert`` except bool; a Python int takes the width of
    ``type`` (so ``as_type(0x3f800000, "float")`` is 1), a Python float is a double. Operand and result need the same
    size, in which 3 components count as 4. A scalar type of the same width applies to each element of an array of any
    shape. Otherwise the last axis is the vector, or each element is a scalar that becomes a vector of a new last axis.

    If the numbers of components differ, the specification defines only 4 components as 3: clmath otherwise
    keeps the bytes in the order of a little-endian device's memory, and a component that 3 components do not hold is 0.

    ``out``: see ``help(clmath)``. TypeError: another size, or bool. Source: OpenCL C++ 1.0, 3.3.2.

    >>> hex(as_type(np.float32(1.0), "uint"))
    '0x3f800000'
    >>> as_type(np.float32([1, 2, 3, 4]), "int3")
    array([1065353216, 1073741824, 1077936128], dtype=int32)
    """
    target = type_named("as_type()", type)
    found = _reinterpreted(_reinterpretable(x, target), target)
    return delivery("as_type()", found.shape, target.dtype, out)(found)


def _reinterpreted(source: np.ndarray, target: DataType) -> np.ndarray:
    """Return the bits of native, contiguous numbers as the type."""
    width = source.dtype.itemsize
    if width == target.size and target.components == 1:
        return source.view(target.dtype)
    components = source.shape[-1] if source.ndim else 1
    if components in WIDTHS and width * aligned(components) == target.size:
        stored = _padded(source) if components == 3 else source
    elif width == target.size:
        stored = source[..., np.newaxis]
    else:
        raise _sizes_differ(source, target)
    little = stored.astype(stored.dtype.newbyteorder("<"), copy=False)
    values = little.view(target.dtype.newbyteorder("<")).astype(target.dtype, copy=False)
    if target.components == 1:
        return np.asarray(values[..., 0])
    return np.ascontiguousarray(values[..., : target.components])


def _reinterpretable(x: object, target: DataType) -> np.ndarray:
    """Return a native, contiguous copy of ``x``."""
    if isinstance(x, int) and not isinstance(x, bool) and target.components == 1:
        x = _bits(x, target)
    source = operand("as_type()", "x", x)
    for argument, dtype, instead in (("x", source.dtype, "uchar"), ("type", target.dtype, "bool")):
        if dtype.kind == "b":
            raise errors.wrong_dtype("as_type()", argument, "bool", "any other type", errors.conversion("x", instead))
    return np.array(source, source.dtype.newbyteorder("="), order="C")


def _bits(value: int, target: DataType) -> np.ndarray:
    """Return a Python int as the encoding of a value of ``target``."""
    width = 8 * target.size
    if not -(2 ** (width - 1)) <= value < 2**width:
        fact = f"x={errors.shown(value)} does not fit the {width} bits of {target.name}"
        raise errors.DTypeError(f"as_type(): {fact}: mask it first, x & {hex(2**width - 1)}")
    return np.array(value % 2**width, f"u{target.size}")


def _padded(source: np.ndarray) -> np.ndarray:
    stored = np.zeros((*source.shape[:-1], 4), source.dtype)
    stored[..., :3] = source
    return stored


def _sizes_differ(source: np.ndarray, target: DataType) -> errors.DTypeError:
    fact = f"x has elements of {source.dtype.itemsize} bytes"
    if source.ndim:
        fact += f" and {source.shape[-1]} on the last axis"
    return errors.DTypeError(f"as_type(): {fact}; {target.name} takes {target.size} bytes: give as many")
