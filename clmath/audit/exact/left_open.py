"""Unspecified results of rows whose results are otherwise prescribed, and macros with more than one value."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.plan.types import Whole
from clmath.numbers.formats import is_float
from clmath.reference.bitwise import macros
from clmath.reference.bitwise.blocks import in_blocks
from clmath.reference.bitwise.integers import low24, mul24, mul_hi
from clmath.reference.bitwise.operators import exact, is_no_quotient
from clmath.reference.bitwise.wide import is_beyond
from clmath.spec.builtins import DIVIDED
from clmath.spec.editions import DEFAULT
from clmath.spec.statements import statement

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clmath.audit.exact.results import Args
    from clmath.audit.plan.exact_item import ExactItem
    from clmath.ir.values import Real, Truth
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin
    from clmath.spec.editions import Edition

__all__ = [
    "may_be_modulo",
    "of_conversion",
    "of_row",
    "statement_on_conversion",
    "values_of_macro",
    "values_that_agree",
]


UNDEFINED = -1  # a kernel stores this for an optional macro that is not defined


_TO_INTEGER: Mapping[Rounding, Callable[[Real], Real]] = {
    "rte": np.rint,
    "rtz": np.trunc,
    "rtp": np.ceil,
    "rtn": np.floor,
}


def statement_on_conversion(source: np.dtype, target: Format, *, saturates: bool) -> str:
    """Return the name of the statement on a conversion that editions differ in, or "" if all results are prescribed.

    Integers wrap in unsigned types.
    """
    if not isinstance(target, Whole):
        return ""
    if is_float(source):
        return "saturated_nan" if saturates else "rounded_into_range"
    return "" if saturates or target.dtype.kind == "u" or np.can_cast(source, target.dtype) else "wrapped"


def of_conversion(x: np.ndarray, target: Format, mode: Rounding, edition: Edition, *, saturates: bool) -> Truth:
    """Return where a conversion of ``x`` in ``mode`` is unspecified by ``edition``.

    Without saturation, numbers beyond the range of an integer type are, unless the statement of the edition says
    otherwise. With saturation, only NaN may be.
    """
    name = statement_on_conversion(x.dtype, target, saturates=saturates)
    if not name or not isinstance(target, Whole):
        return np.zeros(x.shape, np.bool_)
    is_required = not statement(name, edition).requires_nothing
    if name == "rounded_into_range":
        wide = x.astype(np.float64)
        return ~_within(_TO_INTEGER[mode](wide) if is_required else wide, target)
    if is_required:
        return np.zeros(x.shape, np.bool_)
    return np.isnan(x) if name == "saturated_nan" else ~_holds(x, target)


def _within(x: Real, target: Whole) -> Truth:
    """Return where a number lies within the range of an integer type; False for NaN."""
    beyond = float(target.most + 1)  # a power of two
    below_most = (x < beyond) if target.width > 52 else (x <= target.most)
    return np.asarray(below_most & (x >= target.least))


def _holds(x: np.ndarray, target: Whole) -> Truth:
    """Return where integers lie within the range of a type."""
    info = np.iinfo(x.dtype)
    least, most = max(target.least, int(info.min)), min(target.most, int(info.max))
    return np.asarray((x >= x.dtype.type(least)) & (x <= x.dtype.type(most)))


def of_row(row: Builtin, args: Args, result: np.ndarray, edition: Edition = DEFAULT) -> Truth:
    """Return where a built-in of the integer or relational chapter, or an operator, is unspecified.

    Arguments have the shape of the result.
    """
    is_modulo = not statement("signed_overflow", edition).requires_nothing
    rule = _MODULO.get(row.left_open, row.left_open) if is_modulo else row.left_open
    if row.operator:
        args = tuple(a.astype(result.dtype) for a in args)  # the usual conversions
    return in_blocks(_OPEN[rule], *args) if rule else np.zeros(result.shape, np.bool_)


def may_be_modulo(row: Builtin) -> bool:
    """Return whether a built-in has sums, differences or products that an edition may take modulo 2^n."""
    return row.left_open in _MODULO


def _beyond_24_bits(*factors: np.ndarray) -> Truth:
    return np.asarray((low24(factors[0]) != factors[0]) | (low24(factors[1]) != factors[1]))


def _sum_overflows(a: np.ndarray, b: np.ndarray, c: np.ndarray) -> Truth:
    """Return where a sum of signed integers overflows their type: ISO/IEC 9899:TC2, 6.5."""
    return is_beyond(exact("add", mul_hi(a, b), c), a.dtype)


def _sum_of_24_bits_overflows(x: np.ndarray, y: np.ndarray, z: np.ndarray) -> Truth:
    return _beyond_24_bits(x, y) | _overflows("add")(mul24(x, y), z)


def _overflows(name: str) -> Callable[..., Truth]:
    """Return a function that finds where the result of the operator ``name`` is beyond a signed operand type."""
    return _of_signed(lambda *args: is_beyond(exact(name, *args), args[0].dtype))


def _of_signed(is_unspecified: Callable[..., Truth]) -> Callable[..., Truth]:
    """Return the function ``is_unspecified`` restricted to signed integers; unsigned ones are never unspecified."""
    return lambda *args: is_unspecified(*args) if args[0].dtype.kind == "i" else np.zeros(args[0].shape, np.bool_)


_OPEN: dict[str, Callable[..., Truth]] = {
    "minval > maxval": lambda x, least, most: least > most,  # noqa: ARG005 - arguments as declared
    "a factor beyond 24 bits": _beyond_24_bits,
    "a factor beyond 24 bits, or the sum overflows": _sum_of_24_bits_overflows,
    "the sum overflows": _of_signed(_sum_overflows),
    "a signed sum overflows": _overflows("add"),
    "a signed difference overflows": _overflows("sub"),
    "a signed product overflows": _overflows("mul"),
    "a signed opposite overflows": _overflows("negative"),
    DIVIDED: is_no_quotient,
}
_MODULO = {  # the rules that remain if sums, differences and products that overflow are taken modulo 2^n
    "a factor beyond 24 bits, or the sum overflows": "a factor beyond 24 bits",
    "the sum overflows": "",
    "a signed sum overflows": "",
    "a signed difference overflows": "",
    "a signed product overflows": "",
}


def values_of_macro(item: ExactItem, flushed: frozenset[str]) -> tuple[int | float, ...]:
    """Return the values that a macro may have: the specification's value first, then others that it allows.

    An optional macro may be 1 or undefined. ``flushed``: formats without subnormal numbers.
    """
    row = item.builtin
    absent = (0,) if row.rule == "subnormals" and flushed.issuperset(row.needs) else ()
    return (1, UNDEFINED) if row.optional else tuple(dict.fromkeys((macros.value(row.name), *row.also, *absent)))


def values_that_agree(values: tuple[int | float, ...], returned: tuple[int, ...]) -> tuple[int | float, ...]:
    """Return the ``values`` that agree with all that was ``returned``; none if calls returned several of them.

    A call that returns none of ``values`` is wrong, and does not count.
    """
    conforming = [value for value in returned if value in values]
    return tuple(value for value in values if all(other == value for other in conforming))
