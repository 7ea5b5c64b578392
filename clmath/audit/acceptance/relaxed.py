"""Bounds of the values that a formula of a relaxed table allows, on the host, and bounds within or around these.

Every operation and function of a formula may take the whole error that table 37 (the larger of both profiles) allows
it, or the error that another edition allows. Sums and products are rounded in any mode, so that ``x * x - 1`` is 0 or
more for x = 1. A value that may be NaN, the logarithm of a sum that cancels, may be any number of its bounds too.
Flushed operands and results are zeros, with no number between them and these bounds. Subnormal numbers inside of a
formula are not flushed: they change no bound of the tables' formulas. Source: OpenCL C++ 1.0, 4.4, table 37.

The host has the functions of the C library. Devices have kernels, whose values are close to these. If bounds of
operands lie within the host's bounds, so do the bounds of the result that follow from them. Sums, products, quotients
and roots have equal bits everywhere.
"""

from __future__ import annotations

import ast
import functools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from clmath.callables import AnyFunction
from clmath.errors import TableError
from clmath.ir.primitives import copysign, everywhere, from_float_bits, greater, lesser, select, sqrt, to_odd, two_sum
from clmath.ir.values import Pair, Real, Truth
from clmath.kernels.exact import floor
from clmath.kernels.fast.exponential import exp as kernel_exp
from clmath.kernels.fast.exponential import exp2 as kernel_exp2
from clmath.kernels.fast.inverse_trigonometric import acos as kernel_acos
from clmath.kernels.fast.inverse_trigonometric import asin as kernel_asin
from clmath.kernels.fast.inverse_trigonometric import atan as kernel_atan
from clmath.kernels.fast.inverse_trigonometric import atan2 as kernel_atan2
from clmath.kernels.fast.logarithm import log as kernel_log
from clmath.kernels.fast.logarithm import log2 as kernel_log2
from clmath.kernels.fast.trigonometric import ordinary_cos as kernel_cos
from clmath.kernels.fast.trigonometric import ordinary_sin as kernel_sin
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounded_encodings import RTN, RTP, to_float
from clmath.spec.formulas import CONSTANTS, OF_SIGNS, PI, Allowance

INFINITY = float("inf")
ULP = FLOAT.eps  # relative: the largest ulp of a normal number
DIVIDEND = 2.0**62  # table 37: x / y is limited for magnitudes of 2^-62 to 2^62, 1.0 / x for 2^-126 to 2^126
RECIPROCAL = 2.0**126
CLOSE = 2.0**-40  # relative: more than the width of an enclosure, and the error of the C library
STANDS = 2.0**-24  # relative: the largest error of a kernel's value with err = 0, at most 3/8 ulp of a float
LEAST = 2.0**-150  # absolute: the largest error of a kernel's value with err = 0 for subnormal floats
TURNED = 2.0**-48  # relative: the error of an angle that is the midpoint of two floats, rounded
BEYOND, VANISHED = 2.0**129, 2.0**-155  # a kernel's exponential this large, or small, represents all beyond
VANISHING = -700.0  # a bound on arguments above which exponentials are positive doubles
FAR = 4.0  # an angle outside of the interval in which sines have a limit


class Ends(NamedTuple):
    """Bounds of a formula's values, element by element: floats, kept as doubles.

    Inner bounds lie within the host's if they are ``sure``, and the host has NaN, too, if ``nan``. Outer bounds are
    always ``sure``: the host's bounds lie within them, and the host has NaN only if ``nan``. The host's own bounds are
    outer ones. ``inner``: whether these are inner bounds.
    """

    low: Real
    high: Real
    nan: Truth
    sure: Truth | np.bool_
    inner: bool


class Near(NamedTuple):
    """The doubles between which the host's value of a function lies."""

    below: Real
    above: Real


class Library(NamedTuple):
    """Functions by name, and a function that bounds the host's value by the value of one of them."""

    functions: Mapping[str, AnyFunction]
    near: Callable[..., Near]


def is_known_formula(tree: ast.expr, allowed: Allowance) -> bool:
    """Return whether kernels serve a formula: exponentials have growing errors, and only arguments have signs."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    of_signs = [call for call in calls if ast.unparse(call.func) in OF_SIGNS]
    known = all(isinstance(arg, ast.Name | ast.Constant) for call in of_signs for arg in call.args)
    return known and any(growing for _, growing in allowed.exp)


def gives_anything(ends: Ends) -> Truth:
    """Whether a formula allows any number, and NaN: certainly by inner bounds, perhaps by outer ones."""
    found: Truth = ends.sure & ends.nan & (ends.low == -INFINITY) & (ends.high == INFINITY)
    return found


def bounds_of(
    tree: ast.expr, arguments: Mapping[str, Real | Ends], allowed: Allowance, library: Library, *, inner: bool = False
) -> Ends:
    """Return the bounds of a formula for arguments by name, which are numbers, or bounds themselves.

    A ``library`` of kernels serves formulas that are ``is_known_formula``.
    """

    def of(part: ast.expr) -> Ends:
        return bounds_of(part, arguments, allowed, library, inner=inner)

    named, first = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}, next(iter(arguments.values()))
    like = first.low if isinstance(first, Ends) else first
    if library is not HOST and not named & arguments.keys():
        return constant(tree, like, allowed, inner=inner)
    match tree:
        case ast.Name(id=name) if name in arguments:
            found = arguments[name]
            return found if isinstance(found, Ends) else point(found, inner=inner)
        case ast.Name(id=name):
            return of(ast.Constant(CONSTANTS[name]))
        case ast.Constant(value=float() | int() as number):
            return point(np.full_like(like, number), inner=inner)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            low, high, nan, sure, _ = of(operand)
            return Ends(-high, -low, nan, sure, inner)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return quotient(of(left), of(right), is_reciprocal=isinstance(left, ast.Constant) and left.value == 1)
        case ast.BinOp(left=left, op=op, right=right):
            return combined({ast.Add: total, ast.Sub: difference, ast.Mult: product}[type(op)], of(left), of(right))
        case ast.Call(func=ast.Name(id=name), args=args):
            return applied(name, library, allowed, *(of(arg) for arg in args))
    raise TableError(f"limits.toml: {ast.unparse(tree)!r} is not a formula")


def applied(name: str, library: Library, allowed: Allowance, a: Ends, *more: Ends) -> Ends:
    """Return the bounds of a function that a formula calls by ``name``."""
    match name:
        case "abs":
            return magnitude(a)
        case "acos" | "asin" | "atan":
            return arc(name, library, a)
        case "atan2":
            return angle(library, allowed, a, *more)
        case "cos" | "sin":
            return wave(name, library, a)
        case "exp" | "exp2":
            return exponential(name, library, allowed, a)
        case "log" | "log2":
            return logarithm(name, library, a)
        case "rootn":
            return rooted(library, allowed, a, *more)
        case "sqrt":
            return root(a)
        case "tan":
            return tangent(library, a)
    raise TableError(f"limits.toml: no function is called {name!r}")


def on_host(tree: ast.expr, arguments: Mapping[str, Real | Ends], allowed: Allowance) -> Ends:
    """Return the bounds by functions of the C library, which decide, for arrays of arguments by name."""
    return bounds_of(tree, arguments, allowed, HOST)


def sides(tree: ast.expr, arguments: Mapping[str, Real | Ends], allowed: Allowance) -> tuple[Ends, Ends]:
    """Return bounds within the host's bounds and bounds around them; for arrays both are the host's."""
    if isinstance(next(iter(arguments.values())), np.ndarray):
        found = on_host(tree, arguments, allowed)
        return found, found
    within, around = (bounds_of(tree, arguments, allowed, kernels(), inner=inner) for inner in (True, False))
    return within, around


_of_numbers = functools.partial(on_host)  # a trace does not replace the function in a partial one


def constant(tree: ast.expr, like: Real, allowed: Allowance, *, inner: bool) -> Ends:
    """Return the host's bounds of an expression without arguments."""
    found = _of_numbers(tree, {"": np.zeros(1)}, allowed)
    zero = same(like) * 0.0
    low, high = (zero + float(end[0]) for end in (found.low, found.high))
    return Ends(low, high, everywhere(zero) & bool(np.all(found.nan)), everywhere(zero), inner)


def same(x: Real) -> Real:
    """Return ``x`` if it is finite, else 0."""
    return select(x - x == 0.0, x, 0.0)


def point(x: Real, *, inner: bool) -> Ends:
    """Return the bounds of an argument: both are the argument."""
    return rounded(x, x, ~everywhere(x), everywhere(x), inner=inner)


def rounded(low: Real, high: Real, nan: Truth, sure: Truth | np.bool_, *, inner: bool) -> Ends:
    """Return bounds rounded to floats, outward."""
    unknown = (low != low) | (high != high)
    low = from_float_bits(to_float(select(unknown, -INFINITY, low), RTN))
    high = from_float_bits(to_float(select(unknown, INFINITY, high), RTP))
    return Ends(low, high, nan | unknown, sure & ~unknown if inner else sure, inner)


def opened(ends: Ends, where: Truth) -> Ends:
    """Return bounds that are infinite ``where`` an argument lies outside of a function's domain."""
    low, high = select(where, -INFINITY, ends.low), select(where, INFINITY, ends.high)
    return Ends(low, high, ends.nan | where, ends.sure | where, ends.inner)


def widened(low: Near, high: Near, operand: Ends, ulps: Real | float, absolute: Real | float = 0.0) -> Ends:
    """Return bounds widened by an error in ulp and an ``absolute`` error; infinite bounds do not change."""
    slack = absolute + ulps * FLOAT.smallest_subnormal

    def moved(near: Near, side: float, choose: Callable[[Real, Real], Real]) -> Real:
        ends = (near.below,) if near.below is near.above else near
        return functools.reduce(
            choose, [select(abs(x) == INFINITY, x, x + (abs(x) * ulps * ULP + slack) * side) for x in ends]
        )

    inner = operand.inner
    first, last = (greater, lesser) if inner else (lesser, greater)
    return rounded(moved(low, -1.0, first), moved(high, 1.0, last), operand.nan, operand.sure, inner=inner)


def itself(x: Real) -> Near:
    """Return bounds for a value that has equal bits on the host."""
    return Near(x, x)


def near(found: Pair, absolute: float = 0.0) -> Near:
    """Return bounds on the host's value, from a kernel's value and error; with err = 0 it may represent neighbours."""
    value, err = found
    margin = abs(value) * CLOSE + select(err > 0.0, 0.0, abs(value) * STANDS + LEAST) + absolute
    margin = select(abs(value) == INFINITY, 0.0, margin)
    return Near(value - margin, value + margin)


def hull(values: Sequence[Near]) -> tuple[Near, Near]:
    """Return bounds on the least and on the greatest of several values."""
    least, greatest = ([functools.reduce(f, side) for side in zip(*values, strict=True)] for f in (lesser, greater))
    return Near(*least), Near(*greatest)


def either(one: Ends, other: Ends) -> Ends:
    """Return the flags of an operation on two operands, and the bounds of the first one."""
    return one._replace(nan=one.nan | other.nan, sure=one.sure & other.sure)


def combined(operation: Callable[[Real, Real], Real], a: Ends, b: Ends) -> Ends:
    """Return bounds of a sum, difference or product that is rounded in any mode, infinite if an operand's are."""
    values = [operation(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high, both = functools.reduce(lesser, values), functools.reduce(greater, values), either(a, b)
    found = rounded(low, high, both.nan, both.sure, inner=a.inner)
    return opened(found, gives_anything(a) | gives_anything(b))


def total(x: Real, y: Real) -> Real:
    """Return the sum of two floats as a double, rounded to odd."""
    return to_odd(*two_sum(x, y))


def difference(x: Real, y: Real) -> Real:
    """Return the difference of two floats as a double, rounded to odd."""
    return total(x, -y)


def product(x: Real, y: Real) -> Real:
    """Return the product of two floats, which a double holds exactly."""
    return x * y


def magnitude(a: Ends) -> Ends:
    """Return bounds of the absolute value."""
    crosses = (a.low <= 0.0) & (a.high >= 0.0)
    low, high = abs(a.low), abs(a.high)
    return a._replace(low=select(crosses, 0.0, lesser(low, high)), high=greater(low, high))


def outside(a: Ends, border: float) -> Truth:
    """Return where the size of a value may lie outside of [1/border, border]."""
    sizes = magnitude(a)
    found: Truth = ((sizes.low < 1.0 / border) | (sizes.high > border)) & a.sure
    return found


def quotient(a: Ends, b: Ends, *, is_reciprocal: bool) -> Ends:
    """Return bounds of a quotient: its error is 3 ulp within the powers of two that the table names."""
    values = [x / y for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high = hull([itself(value) for value in values])
    if is_reciprocal:
        where = outside(b, RECIPROCAL)
    else:
        where = outside(a, DIVIDEND) | outside(b, DIVIDEND)
    return opened(widened(low, high, either(a, b), 3.0), where)


def logarithm(name: str, library: Library, a: Ends) -> Ends:
    """Return bounds of a logarithm: -inf at zero, NaN below."""
    function = library.functions[name]
    near_one = select((a.low <= 2.0) & (a.high >= 0.5), 2.0**-21, 0.0)
    low, high = (library.near(function(select(end > 0.0, end, 0.0))) for end in (a.low, a.high))
    return widened(low, high, a._replace(nan=a.nan | (a.low < 0.0)), 4.0, near_one)


def exponential(name: str, library: Library, allowed: Allowance, a: Ends) -> Ends:
    """Return bounds of an exponential, whose error grows with the argument, infinite if the argument may be."""
    growth = floor(2.0 * greater(abs(a.low), abs(a.high)))
    ulps = functools.reduce(greater, [growth * float(growing) + constant for constant, growing in allowed.exp])
    least, most = (library.functions[name](end) for end in (a.low, a.high))
    if library is HOST:
        return widened(itself(least), itself(most), a, ulps)
    is_endless = a.high == INFINITY
    found = widened(power(least, -INFINITY), power(most, INFINITY), a, ulps)
    if a.inner:
        found = opened(found, (a.low == -INFINITY) & a.sure)
        is_number, where = is_endless, is_endless & a.sure & (least[0] < BEYOND)
    else:
        is_number, where = a.low > VANISHING, is_endless
    found = opened(found, where)
    if all(growing for _, growing in allowed.exp):  # else the error there has no bound, and NaN is possible
        found = found._replace(nan=(found.nan & ~is_number) | a.nan)
    return found


def power(found: Pair, least: float) -> Near:
    """Return bounds on the host's exponential, where one value represents all beyond or far below all floats.

    The host's error of a value beyond all floats may be infinite: ``least`` is the least value that its bound may have.
    """
    value, (below, above) = found[0], near(found)
    below, above = select(value > BEYOND, least, below), select(value > BEYOND, INFINITY, above)
    return Near(select(value < VANISHED, 0.0, below), select(value < VANISHED, VANISHED, above))


def root(a: Ends) -> Ends:
    """Return bounds of a square root: NaN below zero."""
    low, high = (itself(sqrt(select(end > 0.0, end, 0.0))) for end in (a.low, a.high))
    return widened(low, high, a._replace(nan=a.nan | (a.low < 0.0)), 4.0)


def arc(name: str, library: Library, a: Ends) -> Ends:
    """Return bounds of acos, asin or atan, whose error is 4096 ulp."""
    ends = [library.near(library.functions[name](end)) for end in (a.low, a.high)]
    return widened(*hull(ends), a, 4096.0)


def wave(name: str, library: Library, a: Ends) -> Ends:
    """Return bounds of sin or cos, whose error is 2^-11 in [-π, π], and which changes no faster than the argument."""
    middle, reach = (a.low + a.high) * 0.5, (a.high - a.low) * 0.5
    value = library.near(library.functions[name](select(abs(middle) < FAR, middle, 0.0)), TURNED)
    found = widened(value, value, a, 0.0, reach + 2.0**-11)
    return opened(found, ((a.low < -math.pi) | (a.high > math.pi)) & a.sure)


def tangent(library: Library, a: Ends) -> Ends:
    """Return bounds of sin(x) * (1 / cos(x))."""
    one = same(a.low) * 0.0 + 1.0
    whole = Ends(one, one, ~everywhere(one), everywhere(one), a.inner)
    sine, cosine = (wave(name, library, a) for name in ("sin", "cos"))
    return combined(product, sine, quotient(whole, cosine, is_reciprocal=True))


def rooted(library: Library, allowed: Allowance, a: Ends, n: Ends) -> Ends:
    """Return bounds of exp2(log2(|x|) / n) with the sign of x; zero at zero."""
    logs = quotient(logarithm("log2", library, magnitude(a)), n, is_reciprocal=False)
    found = exponential("exp2", library, allowed, logs)
    low, high = select(a.low < 0.0, -found.high, found.low), select(a.high > 0.0, found.high, -found.low)
    zero = (a.low == 0.0) & (a.high == 0.0)
    return found._replace(low=select(zero, 0.0, low), high=select(zero, 0.0, high), nan=~zero & found.nan)


def angle(library: Library, allowed: Allowance, y: Ends, x: Ends) -> Ends:
    """Return bounds of atan(y / x), with ±π added for negative x, or of a value near it; on the axes none holds."""
    turn = select(x.high < 0.0, copysign(PI + same(y.low) * 0.0, y.low), 0.0)
    slope = arc("atan", library, quotient(y, x, is_reciprocal=False))
    found = combined(total, slope, Ends(turn, turn, slope.nan, slope.sure, slope.inner))
    if allowed.atan2:
        function = library.functions["atan2"]
        values = [library.near(function(v, u)) for v in (y.low, y.high) for u in (x.low, x.high)]
        other = widened(*hull(values), slope, allowed.atan2)
        low, high = lesser(found.low, other.low), greater(found.high, other.high)
        found = found._replace(low=low, high=high)
    return opened(found, (y.low == 0.0) | (x.low == 0.0))  # both are arguments, or constants


_NAMES = ("acos", "asin", "atan", "atan2", "cos", "exp", "exp2", "log", "log2", "sin")
HOST = Library({name: getattr(np, name) for name in _NAMES}, lambda value, _absolute=0.0: itself(value))


def kernels() -> Library:
    """Return the kernels of functions; they are named here, because a trace replaces the names of this module."""
    found: Mapping[str, AnyFunction] = {
        "acos": kernel_acos,
        "asin": kernel_asin,
        "atan": kernel_atan,
        "atan2": kernel_atan2,
        "cos": kernel_cos,
        "exp": kernel_exp,
        "exp2": kernel_exp2,
        "log": kernel_log,
        "log2": kernel_log2,
        "sin": kernel_sin,
    }
    return Library(found, near)
