"""Recipes for random arguments: each draws the columns of a call together, so that most results tell something.

``lane_recipes`` has those again that devices draw as well.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, TypeAlias

import numpy as np

from clmath.audit.inputs.aims import lowest_of

if TYPE_CHECKING:
    from collections.abc import Mapping

    from numpy.typing import NDArray

    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = ["Columns", "any_bits", "beside_borders", "exponent", "interval", "nearly", "recipe", "with_exponents"]

_INDEX = 12  # bits that select an entry of a table, at most
Columns: TypeAlias = "tuple[NDArray[Any], ...]"
Generator: TypeAlias = np.random.Generator


class Recipe(Protocol):
    """Draws ``n`` calls of ``item``: one column per input value."""

    def __call__(self, rng: Generator, item: Item, n: int) -> Columns:
        """Draw."""


def with_exponents(rng: Generator, form: Format, exponents: Any, *, positive: bool = False) -> NDArray[Any]:
    """Numbers m x 2^e, 1 <= m < 2 with every bit of m random, for each e of ``exponents`` clipped to the format."""
    above = np.clip(np.asarray(exponents, np.int64), form.quantum, form.emax) - form.emin  # the smallest normal's
    hidden = np.uint64(1 << (form.precision - 1))
    significand = rng.integers(hidden, 2 * hidden, above.shape, np.uint64).view(np.int64)
    magnitude = (significand >> np.maximum(-above, 0)) + (np.maximum(above, 0) << form.precision - 1)
    bits = magnitude.view(np.uint64)
    if not positive:
        bits |= rng.integers(0, 2, above.shape, np.uint64) << np.uint64(form.width - 1)
    return form.from_bits(bits.astype(form.bits_dtype, copy=False))


def any_bits(rng: Generator, form: Format, n: int) -> NDArray[Any]:
    """``n`` finite numbers of either sign, every exponent of the format equally likely."""
    return with_exponents(rng, form, _exponents(rng, form, n))


def _exponents(rng: Generator, form: Format, n: int, low: int | None = None, high: int | None = None) -> NDArray[Any]:
    least = form.quantum if low is None else low
    return rng.integers(least, (form.emax if high is None else high) + 1, n)


def interval(rng: Generator, form: Format, bounds: tuple[float, float], n: int) -> NDArray[Any]:
    """``n`` numbers of [least, greatest], half of them uniform, half with every exponent equally likely.

    Of an interval as wide as the format, uniform numbers would be among the largest, so half are of modest size.
    """
    least, greatest = bounds
    top, lowest = int(np.frexp(max(abs(least), abs(greatest)))[1]) - 1, lowest_of(form, bounds)
    is_wide = top > 2 * form.precision
    scattered = with_exponents(rng, form, _exponents(rng, form, n, lowest, top), positive=least >= 0)
    even = _modest(rng, form, least, n) if is_wide else _uniform(rng, form, bounds, n)
    chosen = np.where(rng.random(n) < 0.5, even, scattered)
    inside = (chosen >= least) & (chosen <= greatest)
    return np.where(inside, chosen, np.where((-chosen >= least) & (-chosen <= greatest), -chosen, even))


def _uniform(rng: Generator, form: Format, bounds: tuple[float, float], n: int) -> NDArray[Any]:
    share = rng.random(n)
    numbers: NDArray[Any] = (bounds[0] * (1.0 - share) + bounds[1] * share).astype(form.dtype)
    return numbers  # greatest - least may overflow


def _modest(rng: Generator, form: Format, least: float, n: int) -> NDArray[Any]:
    """Numbers between 2^-(p + 2) and 2^(p + 2): beyond, most functions are their argument or hardly change."""
    lowest = int(np.frexp(least)[1]) - 1 if least > 0 else -form.precision - 2
    return with_exponents(rng, form, _exponents(rng, form, n, lowest, form.precision + 2), positive=least >= 0)


def recipe(word: str) -> Recipe:
    """The recipe that the table calls ``word``."""
    return _RECIPES[word]


def _mixed(rng: Generator, n: int, *choices: Columns) -> Columns:
    """Every call from one of ``choices``, equally likely."""
    which = rng.integers(0, len(choices), n)
    return tuple(np.choose(which, column) for column in zip(*choices, strict=True))


def _any(rng: Generator, item: Item, n: int) -> Columns:
    return tuple(_column(rng, kind, item.form, n) for kind in item.columns)


def _column(rng: Generator, kind: str, form: Format, n: int) -> NDArray[Any]:
    """Independent values of one type, all magnitudes equally likely."""
    if kind == "gentype":
        return any_bits(rng, form, n)
    if kind == "intn":
        return _ints(rng, n, 31)
    codes: NDArray[Any] = rng.integers(0, (1 << form.width) - 1, n, form.bits_dtype.type, endpoint=True)
    return codes


def _ints(rng: Generator, n: int, bits: int) -> NDArray[np.int32]:
    """Non-zero ints of either sign, every magnitude up to 2^bits equally likely."""
    magnitude = np.exp2(rng.uniform(0.0, bits, n)).astype(np.int64)
    return np.clip(np.where(rng.random(n) < 0.5, magnitude, -magnitude), -(2**31), 2**31 - 1).astype(np.int32)


def _beside(rng: Generator, form: Format, x: NDArray[Any], reach: int) -> NDArray[Any]:
    """Numbers whose exponents differ from those of ``x`` by at most ``reach``."""
    return with_exponents(rng, form, exponent(x) + rng.integers(-reach, reach + 1, x.shape))


def exponent(x: NDArray[Any]) -> NDArray[np.int64]:
    """The exponents e of numbers m x 2^e, 1 <= m < 2."""
    return np.frexp(x.astype(np.float64))[1].astype(np.int64) - 1


def nearly(rng: Generator, form: Format, x: NDArray[Any], ulps: int = 64) -> NDArray[Any]:
    """Numbers a few places away from ``x`` in the order of encodings; never across zero or infinity."""
    step = np.exp2(rng.uniform(0.0, np.log2(ulps), x.shape)).astype(np.int64) * rng.choice([-1, 1], x.shape)
    magnitude = form.bits(np.abs(x)).astype(np.int64)
    most = int(form.bits(form.largest))
    bits = np.clip(magnitude + step, 0, most).astype(form.bits_dtype)
    near: NDArray[Any] = np.copysign(form.from_bits(bits), x)
    return near


def beside_borders(rng: Generator, form: Format, x: NDArray[Any]) -> NDArray[Any]:
    """Numbers a little beside ``x`` cut to its first bits: tables and estimates change their entry there."""
    cut = form.precision - 1 - rng.integers(1, min(_INDEX, form.precision - 3) + 1, x.shape)
    step = np.exp2(rng.random(x.shape) * (cut - 1)).astype(np.int64) * rng.choice([-1, 1], x.shape)
    border = form.bits(np.abs(x)).astype(np.int64) >> cut << cut
    bits = np.clip(border + step, 0, int(form.bits(form.largest))).astype(form.bits_dtype)
    beside: NDArray[Any] = np.copysign(form.from_bits(bits), x)
    return beside


def _comparable(rng: Generator, item: Item, n: int) -> Columns:
    x = any_bits(rng, item.form, n)
    reach = item.form.precision // 2 + 1
    return _mixed(rng, n, (x, _beside(rng, item.form, x, reach)), (x, _beside(rng, item.form, x, 1)))


def _sum(rng: Generator, item: Item, n: int) -> Columns:
    form = item.form
    x = any_bits(rng, form, n)
    near, wide = _beside(rng, form, x, 2), _beside(rng, form, x, form.precision + 2)
    signs = rng.choice(np.array([-1, 1], form.dtype), n)
    return _mixed(rng, n, (x, near), (x, wide), (x, signs * nearly(rng, form, x)))


def _difference(rng: Generator, item: Item, n: int) -> Columns:
    """As for a sum, the greater number mostly first."""
    x, y = _sum(rng, item, n)
    swapped = rng.random(n) < 0.1
    low, high = np.minimum(x, y), np.maximum(x, y)
    return np.where(swapped, low, high), np.where(swapped, high, low)


def _angle(rng: Generator, item: Item, n: int) -> Columns:
    y = any_bits(rng, item.form, n)
    return y, _beside(rng, item.form, y, item.form.precision + 3)


def _product_pair(rng: Generator, form: Format, n: int) -> Columns:
    """Two factors of any size, whose product is within the format."""
    target = _exponents(rng, form, n, form.quantum - 1, form.emax)
    least, most = np.maximum(target - form.emax, form.quantum), np.minimum(target - form.quantum, form.emax)
    first = rng.integers(least, most + 1)
    return with_exponents(rng, form, first), with_exponents(rng, form, target - first)


def _product(rng: Generator, item: Item, n: int) -> Columns:
    return _product_pair(rng, item.form, n)


def _quotient(rng: Generator, item: Item, n: int) -> Columns:
    """Quotients of every size; a third, of modest numbers, are close below a power of two.

    There a relative error is most ulps.
    """
    form = item.form
    target = _exponents(rng, form, n, form.quantum - 1, form.emax)
    least, most = np.maximum(target + form.quantum, form.quantum), np.minimum(target + form.emax, form.emax)
    size = rng.integers(least, most + 1)
    x, y = with_exponents(rng, form, size), with_exponents(rng, form, size - target)
    divisor = _modest(rng, form, -1.0, n)
    quotient = np.ldexp(1.0 - np.exp2(rng.uniform(-form.precision, -3.0, n)), rng.integers(-form.precision, 1, n))
    dividend = (divisor.astype(np.float64) * quotient).astype(form.dtype)
    return _mixed(rng, n, (x, y), (x, y), (dividend, divisor))


def _fused(rng: Generator, item: Item, n: int) -> Columns:
    """Sums a b + c: comparable, one part almost invisible, and cancelling down to the last bits of the product."""
    form = item.form
    a, b = _product_pair(rng, form, n)
    size = exponent(a) + exponent(b)
    with np.errstate(all="ignore"):
        product = (a.astype(np.float64) * b.astype(np.float64)).astype(form.dtype)
    product = np.where(np.isfinite(product), product, a)
    beside = with_exponents(rng, form, size + rng.integers(-2, 3, n))
    apart = with_exponents(rng, form, size + rng.integers(-2 * form.precision, 2 * form.precision + 1, n))
    return _mixed(rng, n, (a, b, beside), (a, b, apart), (a, b, -product), (a, b, -nearly(rng, form, product, 8)))


def _remainder(rng: Generator, item: Item, n: int) -> Columns:
    """Quotients of every size: most near one, some as far apart as the format allows."""
    form = item.form
    x = any_bits(rng, form, n)
    small = with_exponents(rng, form, exponent(x) - rng.integers(-1, 4, n))
    medium = with_exponents(rng, form, exponent(x) - rng.integers(0, 2 * form.precision, n))
    large = with_exponents(rng, form, rng.integers(form.quantum, exponent(x) + 1))
    multiple = (x.astype(np.float64) / rng.integers(1, 512, n) * 2.0).astype(form.dtype)  # and ties
    multiple = np.where(np.isfinite(multiple) & (multiple != 0), multiple, small)
    return _mixed(rng, n, (x, small), (x, medium), (x, large), (x, multiple))


def _neighbour(rng: Generator, item: Item, n: int) -> Columns:
    x = any_bits(rng, item.form, n)
    return _mixed(rng, n, (x, any_bits(rng, item.form, n)), (x, nearly(rng, item.form, x, 4)))


def _binary_logarithms(rng: Generator, form: Format, n: int) -> NDArray[np.float64]:
    """log2 of results spread over the format's whole range, a little beyond it included."""
    return rng.uniform(form.quantum - 1.0, form.emax + 1.0, n)


def _base(rng: Generator, form: Format, n: int) -> NDArray[Any]:
    """Positive numbers: of every exponent, or close to one, where powers are hardest."""
    distance = np.exp2(rng.uniform(1.0 - form.precision, 0.0, n)) * rng.choice([-0.5, 1.0], n)
    near = (1.0 + distance).astype(form.dtype)
    return np.where(rng.random(n) < 0.5, near, with_exponents(rng, form, _exponents(rng, form, n), positive=True))


def _positive_power(rng: Generator, item: Item, n: int) -> Columns:
    form = item.form
    x = _base(rng, form, n)
    size = np.log2(x.astype(np.float64))
    size = np.where(size == 0.0, 1.0, size)
    y = np.clip(_binary_logarithms(rng, form, n) / size, -form.largest, form.largest)
    return x, y.astype(form.dtype)


def _power(rng: Generator, item: Item, n: int) -> Columns:
    """As for a positive base; negative bases get integer exponents."""
    x, y = _positive_power(rng, item, n)
    whole = np.rint(y)
    negative = (rng.random(n) < 0.4) & (whole != 0)
    return np.where(negative, -x, x), np.where(negative, whole, y)


def _whole_power(rng: Generator, item: Item, n: int) -> Columns:
    """Bases ±2^(t/k) for a result of size 2^t; k as large as leaves x different from one."""
    form = item.form
    k = _ints(rng, n, min(31, form.precision + 3))
    x = np.exp2(np.clip(_binary_logarithms(rng, form, n) / k, form.quantum, form.emax)).astype(form.dtype)
    x = nearly(rng, form, x, 4)
    return x * rng.choice(np.array([-1, 1], form.dtype), n), k


def _root(rng: Generator, item: Item, n: int) -> Columns:
    """Small and large degrees, negative radicands for odd ones only."""
    few, many = _ints(rng, n, 6), _ints(rng, n, min(31, item.form.precision))
    degree = np.where(rng.random(n) < 0.7, few, many)
    x = any_bits(rng, item.form, n)
    return np.where(degree % 2 == 0, np.abs(x), x), degree


def _scale(rng: Generator, item: Item, n: int) -> Columns:
    """Results of every exponent, gradual underflow and a little overflow included."""
    form = item.form
    x = any_bits(rng, form, n)
    target = _exponents(rng, form, n, form.quantum - 2, form.emax + 1)
    return x, (target - exponent(x)).astype(np.int32)


def _ordered(rng: Generator, item: Item, n: int) -> Columns:
    """Values beside an ordered pair of bounds."""
    form = item.form
    one = any_bits(rng, form, n)
    other, x = _beside(rng, form, one, 2), _beside(rng, form, one, 2)
    return x, np.minimum(one, other), np.maximum(one, other)


def _between(rng: Generator, item: Item, n: int) -> Columns:
    """Two edges and an x that is mostly between them, all of modest size so that no formula overflows."""
    form = item.form
    one = with_exponents(rng, form, _exponents(rng, form, n, form.emin // 2, form.emax // 4))
    other = _beside(rng, form, one, 3)
    low, high = np.minimum(one, other), np.maximum(one, other)
    inside = (low + (high - low) * rng.random(n)).astype(form.dtype)
    outside = _beside(rng, form, one, 3)
    return low, high, np.where(rng.random(n) < 0.8, inside, outside)


def _blend(rng: Generator, item: Item, n: int) -> Columns:
    """Two comparable ends of modest size and a share between 0 and 1."""
    form = item.form
    x = with_exponents(rng, form, _exponents(rng, form, n, form.emin // 2, form.emax - 2))
    return x, _beside(rng, form, x, 3), interval(rng, form, (0.0, 1.0), n)


def _lanes(rng: Generator, item: Item, n: int, exponents: NDArray[Any]) -> Columns:
    """Vectors whose lanes are comparable; the second one is at times close to the first, or nearly orthogonal."""
    form = item.form
    first = [with_exponents(rng, form, exponents + rng.integers(-3, 4, n)) for _ in range(item.width)]
    if len(item.columns) == item.width:
        return tuple(first)
    free = [with_exponents(rng, form, exponents + rng.integers(-3, 4, n)) for _ in range(item.width)]
    close = [nearly(rng, form, lane) for lane in first]
    turned = [lane * form.dtype.type((-1) ** i) for i, lane in enumerate(first[::-1])]
    return (*first, *_mixed(rng, n, tuple(free), tuple(free), tuple(close), tuple(turned)))


def _vectors(rng: Generator, item: Item, n: int) -> Columns:
    """Most with squares within the format, the others of every size; some lanes of any size at all."""
    form = item.form
    safe = _exponents(rng, form, n, form.emin // 2 + 2, form.emax // 2 - 5)
    columns = _lanes(rng, item, n, np.where(rng.random(n) < 0.7, safe, _exponents(rng, form, n)))
    return tuple(np.where(rng.random(n) < 0.05, any_bits(rng, form, n), c) for c in columns)


def _modest_vectors(rng: Generator, item: Item, n: int) -> Columns:
    """Vectors whose sum of squares neither overflows nor underflows: elsewhere the fast forms are free."""
    form = item.form
    return _lanes(rng, item, n, _exponents(rng, form, n, form.emin // 2 + 4, form.emax // 2 - 5))


_RECIPES: Mapping[str, Recipe] = {
    "any": _any,
    "sum": _sum,
    "difference": _difference,
    "product": _product,
    "quotient": _quotient,
    "angle": _angle,
    "power": _power,
    "whole_power": _whole_power,
    "positive_power": _positive_power,
    "root": _root,
    "scale": _scale,
    "fused": _fused,
    "remainder": _remainder,
    "neighbour": _neighbour,
    "comparable": _comparable,
    "ordered": _ordered,
    "between": _between,
    "blend": _blend,
    "vectors": _vectors,
    "modest_vectors": _modest_vectors,
}
