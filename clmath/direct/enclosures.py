"""Exact values of direct built-ins that round, as enclosures: what they round, before they round it."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.direct.lane_angles import DEGREES, RADIANS, narrow_product_with, product_with
from clmath.numbers.errorfree import mantissa, two_product, two_sum
from clmath.numbers.expansions import product_plus
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import Enclosure, to_odd

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.direct.lane_angles import Factor
    from clmath.numbers.errorfree import F64
    from clmath.numbers.formats import Format

__all__ = ["enclose", "exact_sum", "is_enclosed"]

Bools: TypeAlias = "NDArray[np.bool_]"
InTwoDoubles: TypeAlias = "Callable[..., Sequence[Enclosure]]"
InOneDouble: TypeAlias = "Callable[..., Sequence[F64]]"

_CORRECTION = 2.0**-102  # of a value below 2: half a last place of its head, 2^-53, is corrected to 2^-51 of itself
_FARTHEST = 2400  # 2^±2400 takes every double out of range, and the exponent of every number with it


def is_enclosed(name: str) -> bool:
    """Whether ``enclose`` knows the built-in: none of those that are exact, mix, smoothstep, or of vectors."""
    return name in _OF_DOUBLES


def enclose(name: str, args: Sequence[NDArray[Any]], form: Format) -> tuple[Enclosure, ...]:
    """The exact value of every result: in one double, rounded to odd, for narrow formats, in two for double."""
    if form.is_narrow:
        wide = [a.astype(np.float64) for a in args]
        return tuple(map(Enclosure.of, _OF_NARROW[name](form, *wide)))
    return tuple(_OF_DOUBLES[name](*args))


def _with_special(special: Bools, plain: F64, value: Enclosure) -> Enclosure:
    """``value``; where a call is ``special`` the result of plain arithmetic, which is exact there."""
    if not special.any():
        return value
    lo, err = np.where(special, 0.0, value.lo), np.where(special, 0.0, value.err)
    return Enclosure(np.where(special, plain, value.hi), lo, err, np.where(special, 0, value.exponent))


def _ordinary(x: F64) -> Bools:
    """Where x is a number other than zero."""
    return np.asarray(np.isfinite(x) & (x != 0.0))


def exact_sum(x: F64, y: F64) -> Enclosure:
    """The sum x + y; as a quarter of it, with exponent 2, where that overflows or its transformation does."""
    head, tail = two_sum(x, y)
    finite = np.isfinite(x) & np.isfinite(y)
    large = finite & ~np.isfinite(tail)
    if large.any():
        quarter, rest = two_sum(x * 0.25, y * 0.25)
        head, tail = np.where(large, quarter, head), np.where(large, rest, tail)
    return Enclosure.of(head, np.where(finite, tail, 0.0), exponent=2 * large.astype(np.int64))


def _product(x: F64, y: F64) -> Enclosure:
    (m, e), (n, f) = mantissa(x), mantissa(y)
    value = Enclosure.of(*two_product(m, n), exponent=e + f)
    return _with_special(~(_ordinary(x) & _ordinary(y)), x * y, value)


def _fused(a: F64, b: F64, c: F64) -> Enclosure:
    head, rest, exponent = product_plus(a, b, c)
    special = ~(_ordinary(a) & _ordinary(b) & np.isfinite(c))
    # a product that overflows in plain arithmetic is finite: beside it an infinite or NaN addend stays
    plain = np.where(np.isfinite(a) & np.isfinite(b) & ~np.isfinite(c), c, a * b + c)
    return _with_special(special, plain, Enclosure.of(head, rest, exponent=exponent))


def _corrected(head: F64, tail: F64, exponent: Any) -> Enclosure:
    """A value that is ``head``, or less than half its last place off: by about ``tail``."""
    hi, lo = two_sum(head, tail)
    return Enclosure.of(hi, lo, np.where(tail == 0.0, 0.0, _CORRECTION), exponent)


def _quotient(x: F64, y: F64) -> Enclosure:
    (m, e), (n, f) = mantissa(x), mantissa(y)
    head = m / n
    product, rest = two_product(head, n)
    value = _corrected(head, ((m - product) - rest) / n, e - f)
    return _with_special(~(_ordinary(x) & _ordinary(y)), x / y, value)


def _root(x: F64) -> Enclosure:
    m, e = mantissa(x)
    odd = e & 1
    m = m * (1 + odd)
    head = np.sqrt(m)
    square, rest = two_product(head, head)
    value = _corrected(head, ((m - square) - rest) / (2.0 * head), (e - odd) >> 1)
    return _with_special(~(_ordinary(x) & (x > 0.0)), np.sqrt(x), value)


def _positive_difference(x: F64, y: F64) -> Enclosure:
    return _with_special(x <= y, np.zeros_like(x), exact_sum(x, -y))


def _fraction(x: F64) -> tuple[Enclosure, Enclosure]:
    whole, zero, below_one = *_whole(x), 1.0 - DOUBLE.eps / 2.0
    value = exact_sum(x, -whole)
    above = (value.hi > below_one) | ((value.hi == below_one) & (value.lo > 0.0))
    value = _with_special(above, np.full_like(x, below_one), value)
    return _with_special(x == whole, zero, value), Enclosure.of(whole)


def _whole(x: F64) -> tuple[F64, F64]:
    """The floor of x, and the zero that the fraction of an integer is: -0 for -0 and -inf."""
    signed = np.isinf(x) | (x == 0.0)
    return np.copysign(np.floor(x), x), np.copysign(0.0, np.where(signed, x, 0.0))


def _scaled(x: F64, k: NDArray[np.int32]) -> Enclosure:
    m, e = mantissa(x)
    value = Enclosure.of(m, exponent=e + np.clip(k.astype(np.int64), -_FARTHEST, _FARTHEST))
    return _with_special(~_ordinary(x), x, value)


def _turned(x: F64, factor: Factor) -> Enclosure:
    m, exponent = mantissa(x)
    return _with_special(~_ordinary(x), x, Enclosure.of(*product_with(m, factor), exponent=exponent))


_OF_DOUBLES: Mapping[str, InTwoDoubles] = MappingProxyType(
    {
        "add": lambda x, y: (exact_sum(x, y),),
        "sub": lambda x, y: (exact_sum(x, -y),),
        "mul": lambda x, y: (_product(x, y),),
        "div": lambda x, y: (_quotient(x, y),),
        "recip": lambda x: (_quotient(np.ones_like(x), x),),
        "sqrt": lambda x: (_root(x),),
        "fma": lambda a, b, c: (_fused(a, b, c),),
        "fdim": lambda x, y: (_positive_difference(x, y),),
        "fract": _fraction,
        "ldexp": lambda x, k: (_scaled(x, k),),
        "degrees": lambda x: (_turned(x, DEGREES),),
        "radians": lambda x: (_turned(x, RADIANS),),
    }
)


def _narrow_sum(x: F64, y: F64) -> F64:
    return to_odd(*two_sum(x, y))


def _narrow_fraction(form: Format, x: F64) -> tuple[F64, F64]:
    whole, zero = _whole(x)
    part = np.minimum(_narrow_sum(x, -whole), 1.0 - form.eps / 2.0)
    return np.where(x == whole, zero, part), whole


def _narrow_turned(x: F64, factor: Factor) -> F64:
    return np.where(_ordinary(x), narrow_product_with(x, factor), x)


# A factor or a power of two never takes floats out of double's range, and a product of two has 48 bits. A quotient or a
# root of floats that is no number and no midpoint is further than 2^-51 of itself from all: rounding hides no side.
_OF_NARROW: Mapping[str, InOneDouble] = MappingProxyType(
    {
        "add": lambda _, x, y: (_narrow_sum(x, y),),
        "sub": lambda _, x, y: (_narrow_sum(x, -y),),
        "mul": lambda _, x, y: (x * y,),
        "div": lambda _, x, y: (x / y,),
        "recip": lambda _, x: (1.0 / x,),
        "sqrt": lambda _, x: (np.sqrt(x),),
        "fma": lambda _, a, b, c: (_narrow_sum(a * b, c),),
        "fdim": lambda _, x, y: (np.where(x <= y, 0.0, _narrow_sum(x, -y)),),
        "fract": _narrow_fraction,
        "ldexp": lambda _, x, k: (np.ldexp(x, np.clip(k, -400.0, 400.0).astype(np.int32)),),
        "degrees": lambda _, x: (_narrow_turned(x, DEGREES),),
        "radians": lambda _, x: (_narrow_turned(x, RADIANS),),
    }
)
