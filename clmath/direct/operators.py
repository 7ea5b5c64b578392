"""The arithmetic operators, square root and fused multiply-add: one rounding in every format and mode."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeAlias

import numpy as np

from clmath.direct import lane_arithmetic as lanes
from clmath.ir.lanes import two_product, two_sum
from clmath.ir.values import Integer, Real, Truth
from clmath.numbers.formats import DOUBLE, Format
from clmath.numbers.rounding import Rounding, directed, narrow, round_sum, widen

__all__ = ["add", "div", "fma", "mul", "recip", "sqrt", "sub"]

Block: TypeAlias = "np.ndarray"
Result: TypeAlias = "tuple[np.ndarray]"

_FRACTION = DOUBLE.precision - 1
_IMPLICIT = 1 << _FRACTION


def add(form: Format, mode: Rounding, x: Block, y: Block) -> Result:
    """The sum x + y. An exact zero sum of unequal zeros or numbers is +0, in rtn -0. Source: IEEE 754, 6.3."""
    if mode == "rtn":  # so that zeros come out right
        return (np.negative(add(form, "rtp", -x, -y)[0]),)
    if form.sums_are_exact:
        return (narrow(widen(x) + widen(y), form, mode),)
    if mode == "rte":
        return (x + y,)
    total, rest = two_sum(x, y)
    unclear = ~np.isfinite(rest)
    if unclear.any():
        lanes = np.flatnonzero(unclear)
        rest[lanes] = _rest_of_large(x[lanes], y[lanes], total[lanes])
    return (directed(total, rest, form, mode),)


def _rest_of_large(x: Block, y: Block, total: Block) -> Block:
    """The sign of x + y - total where the transformation overflowed: nothing where x or y is not finite."""
    half = x.dtype.type(0.5)
    rest = two_sum(x * half, y * half)[1]
    rest = np.where(np.isinf(total), -total, rest)
    return np.where(np.isfinite(x) & np.isfinite(y), rest, half * 0)


def sub(form: Format, mode: Rounding, x: Block, y: Block) -> Result:
    """The difference x - y = x + (-y)."""
    if mode == "rte" and not form.sums_are_exact:
        return (x - y,)
    return add(form, mode, x, -y)


def mul(form: Format, mode: Rounding, x: Block, y: Block) -> Result:
    """The product x y. Floats and halves have exact products in double."""
    if form.is_narrow:
        return (x * y,) if mode == "rte" and not form.is_short else (narrow(widen(x) * widen(y), form, mode),)
    product = x * y
    if mode == "rte":
        return (product,)
    return (directed(product, _rest_of_product(x, y, product), form, mode),)


def div(form: Format, mode: Rounding, x: Block, y: Block) -> Result:
    """The quotient x / y.

    A quotient of floats that is not a float or midway between two is further than 2^-51 of itself from all of them,
    so that double's rounding does not hide on which side it lies; the more so for halves.
    """
    if form.is_narrow:
        return (x / y,) if mode == "rte" and not form.is_short else (narrow(widen(x) / widen(y), form, mode),)
    quotient = x / y
    if mode == "rte":
        return (quotient,)
    return (directed(quotient, _rest_of_quotient(x, y, quotient), form, mode),)


def recip(form: Format, mode: Rounding, x: Block) -> Result:
    """1 / x."""
    if mode == "rte" and not form.is_short:
        return (form.dtype.type(1.0) / x,)
    return div(form, mode, np.ones_like(x), x)


def sqrt(form: Format, mode: Rounding, x: Block) -> Result:
    """The square root, correctly rounded; sqrt(-0) = -0. Double's rounding hides no side, as in ``div``."""
    if form.is_narrow:
        return (np.sqrt(x),) if mode == "rte" and not form.is_short else (narrow(np.sqrt(widen(x)), form, mode),)
    root = np.sqrt(x)
    if mode == "rte":
        return (root,)
    return (directed(root, _rest_of_root(x, root), form, mode),)


def fma(form: Format, mode: Rounding, a: Block, b: Block, c: Block) -> Result:
    """The sum a b + c rounded once. Source: IEEE 754-2008, 5.4.1."""
    if mode == "rtn":  # so that zeros come out right
        return (np.negative(fma(form, "rtp", -a, b, -c)[0]),)
    if form is DOUBLE:
        hi, lo, _, exponent = lanes.fma(a, b, c)
        return (round_sum(hi, lo, exponent, form, mode),)
    return (narrow(lanes.narrow_fma(widen(a), widen(b), widen(c)), form, mode),)


def _significand(x: Real) -> Integer:
    """The 53 bits of normal numbers, as integers."""
    return (x.view(np.int64) & (_IMPLICIT - 1)) | _IMPLICIT


def _is_normal(x: Real) -> Truth:
    magnitude = np.abs(x)
    return (magnitude >= DOUBLE.smallest_normal) & (magnitude <= DOUBLE.largest)


def _signed_like(rest: Integer, x: Real) -> Integer:
    """``rest``, negated where x is negative."""
    sign = x.view(np.int64) >> 63
    return (rest ^ sign) - sign


def _sign(value: Real) -> Integer:
    """-1, 0 or 1 as the value is negative, zero or NaN, or positive."""
    return (value > 0).astype(np.int64) - (value < 0)


def _rest_of_product(x: Real, y: Real, product: Real) -> Integer:
    """The sign of x y - product.

    Both are multiples of the same unit less than 2^53 apart, so the difference modulo 2^64 of the integers is exact;
    the product's 53 bits are followed by 53 zeros where its significand is less than a factor's, else by 52.
    """
    factor, rounded = _significand(x), _significand(product)
    longer = rounded < factor
    rest = factor * _significand(y)
    rest -= (rounded << _FRACTION) << longer
    rest = _signed_like(rest, product)
    edge = np.flatnonzero(~(_is_normal(product) & _is_normal(x) & _is_normal(y)))
    if edge.size:
        rest[edge] = _rest_at_the_edge(x[edge], y[edge], product[edge], _rest_of_edge_product)
    return rest


def _rest_at_the_edge(x: Real, y: Real, result: Real, rest_of: Callable[[Real, Real, Real], Integer]) -> Integer:
    """The sign of (exact value - ``result``): 0 if an operand is zero, infinite or NaN."""
    inexact = np.isfinite(x) & np.isfinite(y) & (x != 0.0) & (y != 0.0)
    rest: Integer = _signed_like(1 - 2 * np.isinf(result).astype(np.int64), result) * inexact
    within = np.flatnonzero(inexact & (result != 0.0) & np.isfinite(result))
    rest[within] = rest_of(x[within], y[within], result[within])
    return rest


def _rest_of_edge_product(x: Real, y: Real, product: Real) -> Integer:
    """The sign of x y - product where one of them is subnormal: by mantissas, with the product in their scale."""
    (m, e), (n, f) = np.frexp(x), np.frexp(y)
    head, tail = two_product(m, n)
    return _sign((head - np.ldexp(product, -(e + f))) + tail)


def _rest_of_quotient(x: Real, y: Real, quotient: Real) -> Integer:
    """The sign of x / y - quotient, from the sign of |x| - |quotient y|, as in ``_rest_of_product``."""
    dividend, divisor = _significand(x), _significand(y)
    rest = (dividend << _FRACTION) << (dividend < divisor)
    rest -= _significand(quotient) * divisor
    rest = _signed_like(rest, quotient)
    edge = np.flatnonzero(~(_is_normal(quotient) & _is_normal(x) & _is_normal(y)))
    if edge.size:
        rest[edge] = _rest_at_the_edge(x[edge], y[edge], quotient[edge], _rest_of_edge_quotient)
    return rest


def _rest_of_edge_quotient(x: Real, y: Real, quotient: Real) -> Integer:
    """The sign of x / y - quotient where one of them is subnormal."""
    (m, e), (n, f) = np.frexp(np.abs(x)), np.frexp(np.abs(y))
    head, tail = two_product(np.ldexp(np.abs(quotient), f - e), n)
    return _signed_like(_sign((m - head) - tail), quotient)


def _rest_of_root(x: Real, root: Real) -> Integer:
    """The sign of sqrt(x) - root, from the sign of x - root^2; an odd exponent gives x one bit more."""
    small = (x < DOUBLE.smallest_normal) & (x > 0.0)
    if small.any():
        x, root = np.where(small, x * 2.0**108, x), np.where(small, root * 2.0**54, root)
    odd = ~(x.view(np.int64) >> _FRACTION) & 1
    significand = _significand(root)
    rest = (_significand(x) << _FRACTION) << odd
    rest -= significand * significand
    rest *= (x > 0.0) & (x <= DOUBLE.largest)
    return rest
