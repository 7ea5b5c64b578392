"""Ranges of arguments for some or all of which a relaxed formula allows any result."""

from __future__ import annotations

import ast
from collections.abc import Mapping

import numpy as np

from clmath.audit.acceptance.relaxed import DIVIDEND, RECIPROCAL, Ends, magnitude, on_host, product, rounded
from clmath.ir.primitives import from_float_bits
from clmath.ir.values import Real, Truth
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounded_encodings import RTN, RTP, to_float
from clmath.spec.formulas import Allowance, RelaxedArithmetic

APART = 2.0**-10
# the size of the argument beyond which a function has no limit, or no value
_BORDERS: Mapping[str, float] = {"acos": 1.0, "asin": 1.0, "cos": np.pi, "sin": np.pi, "tan": np.pi}


def may_give_anything(formula: RelaxedArithmetic, ranges: Mapping[str, tuple[Real, Real]]) -> tuple[Truth, Truth]:
    """Return where a formula allows any result, NaN included, for some arguments within ``ranges``, and for all.

    ``ranges``: the ends by name. Every operation on wider bounds gives wider bounds. The ends are moved apart by far
    more than any rounding.
    """
    tree = formula.tree
    hulls = {name: _apart(low, high) for name, (low, high) in ranges.items()}
    found = on_host(tree, hulls, formula.allowed)
    return np.asarray((found.low == -np.inf) & (found.high == np.inf)), _gives_anything(tree, hulls, formula.allowed)


def _apart(low: Real, high: Real) -> Ends:
    """Return ranges whose ends are moved apart by far more than any rounding, so that it can be neglected."""
    low, high = low - np.abs(low) * APART, high + np.abs(high) * APART
    never, always = np.zeros(low.shape, np.bool_), np.ones(low.shape, np.bool_)
    return rounded(np.maximum(low, -FLOAT.largest), np.minimum(high, FLOAT.largest), never, always, inner=False)


def _gives_anything(tree: ast.expr, arguments: Mapping[str, Ends], allowed: Allowance) -> Truth:
    """Return where a formula certainly gives any number and NaN for all arguments between ``arguments``.

    A sum, difference, product, quotient, wave or arc with an operand that may be anything is anything itself. So is one
    with an operand outside of the domain of the table, or of the function, and the logarithm of a value that may be
    infinite, and below zero.
    """

    def of(part: ast.expr) -> Truth:
        return _gives_anything(part, arguments, allowed)

    def lies(part: ast.expr) -> Ends:
        return on_host(part, arguments, allowed)

    match tree:
        case ast.UnaryOp(operand=operand):
            return of(operand)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return np.asarray(of(left) | of(right) | _is_no_quotient(left, lies(left), lies(right)))
        case ast.BinOp(left=left, right=right):
            return np.asarray(of(left) | of(right))
        case ast.Call(func=ast.Name(id=name), args=[operand]) if name in _BORDERS:
            low, high, *_ = lies(operand)
            return np.asarray(of(operand) | (low > _BORDERS[name]) | (high < -_BORDERS[name]))
        case ast.Call(func=ast.Name(id="log" | "log2"), args=[operand]):
            least, most = _sure(operand, arguments, allowed)
            return np.asarray(of(operand) | (least < 0) & (most == np.inf))
        case _:
            return np.zeros(next(iter(arguments.values())).low.shape, np.bool_)


def _sure(tree: ast.expr, arguments: Mapping[str, Ends], allowed: Allowance) -> tuple[Real, Real]:
    """Return the largest lower bound of a formula and the smallest upper bound, or values further inward.

    They hold for all arguments between ``arguments``: if the first number is smaller, the formula may give all numbers
    between the two. Errors that move bounds apart are left out; sums are rounded inward.
    """

    def of(part: ast.expr) -> tuple[Real, Real]:
        return _sure(part, arguments, allowed)

    match tree:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            (least, most), (other, another) = of(left), of(right)
            if isinstance(op, ast.Sub):
                other, another = -another, -other
            return from_float_bits(to_float(least + other, RTP)), from_float_bits(to_float(most + another, RTN))
        case ast.Call(func=ast.Name(id="sqrt"), args=[operand]):
            least, most = (np.sqrt(np.maximum(end, 0.0)) for end in of(operand))
            return least, most
    low, high, *_ = on_host(tree, arguments, allowed)
    match tree:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            factors = (on_host(part, arguments, allowed) for part in (left, right))
            overflows = _least_product(*factors) > FLOAT.largest
            return np.where(overflows, FLOAT.largest, high), np.where(overflows, np.inf, low)
    return high, low


def _least_product(a: Ends, b: Ends) -> Real:
    """Return the least product of two numbers between bounds."""
    found: Real = np.minimum.reduce([product(x, y) for x in (a.low, a.high) for y in (b.low, b.high)])
    return found


def _is_no_quotient(dividend: ast.expr, a: Ends, b: Ends) -> Truth:
    """Return where no numbers between these bounds lie in the domain of a quotient."""

    def leaves(one: Ends, border: float) -> Truth:
        sizes = magnitude(one)
        return (sizes.high < 1 / border) | (sizes.low > border)

    is_reciprocal = isinstance(dividend, ast.Constant) and dividend.value == 1
    return leaves(b, RECIPROCAL) if is_reciprocal else leaves(a, DIVIDEND) | leaves(b, DIVIDEND)
