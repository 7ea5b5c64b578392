"""The values that a formula of a relaxed table allows, in lane arithmetic: bounds within the host's, or around them.

The operations are those of ``clmath.spec.derived``, on intervals whose ends are floats. What lies inside of operands
gives what lies inside of results. Sums, products, quotients and roots have the same bits here as there; where a
function is asked, there by the C library, here by a kernel, its value is taken for any that is next to it.
"""

from __future__ import annotations

import ast
import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.ir.lanes import copysign, everywhere, from_float_bits, greater, lesser, select, sqrt, to_odd, two_sum
from clmath.kernels.exact import floor
from clmath.kernels.fast.exponential import exp, exp2
from clmath.kernels.fast.inverse_trigonometric import acos, asin, atan, atan2
from clmath.kernels.fast.logarithm import log, log2
from clmath.kernels.fast.trigonometric import ordinary_cos, ordinary_sin
from clmath.numbers.formats import FLOAT
from clmath.numbers.lane_rounding import RTN, RTP, to_float
from clmath.spec import derived

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from clmath.ir.values import Pair, Real, Truth
    from clmath.spec.derived import Allowance

__all__ = ["Ends", "ends_of", "gives_anything", "is_known_formula", "may_give", "sides"]

INFINITY = float("inf")
CLOSE = 2.0**-40  # relative: more than the width of an enclosure, and the error of the C library
STANDS = 2.0**-24  # relative: at most 3/8 ulp of a float, by which a kernel's value with err = 0 may be off
LEAST = 2.0**-150  # the same, absolute, for subnormal floats
TURNED = 2.0**-48  # relative: the error of an angle that is the midpoint of two floats, rounded
BEYOND, VANISHED = 2.0**129, 2.0**-155  # a kernel's exponential this large, or small, stands for all beyond
VANISHING = -700.0  # arguments are not below this, so that exponentials are positive doubles
FAR = 4.0  # an angle beyond those for which sines have a limit


class Ends(NamedTuple):
    """Bounds of a formula's values, lane by lane: floats, kept as doubles.

    ``inner``: the bounds lie within the host's where they are ``sure``, and the host has NaN, too, where ``nan``. Outer
    bounds are always ``sure``: the host's bounds lie within them, and it has NaN only where ``nan``.
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


def is_known_formula(tree: ast.expr, allowed: Allowance) -> bool:
    """Whether ``ends_of`` knows a formula: exponentials have growing errors, and signs are those of arguments."""
    calls = [node for node in ast.walk(tree) if isinstance(node, ast.Call)]
    of_signs = [call for call in calls if ast.unparse(call.func) in derived.OF_SIGNS]
    known = all(isinstance(arg, ast.Name | ast.Constant) for call in of_signs for arg in call.args)
    return known and any(growing for _, growing in allowed.exp)


def may_give(ends: Ends, number: Real) -> Truth:
    """Whether a formula certainly allows ``number``, by inner bounds."""
    found: Truth = ends.sure & (number >= ends.low) & (number <= ends.high)
    return found


def gives_anything(ends: Ends) -> Truth:
    """Whether a formula allows any number, and NaN: certainly by inner bounds, perhaps by outer ones."""
    found: Truth = ends.sure & ends.nan & (ends.low == -INFINITY) & (ends.high == INFINITY)
    return found


def ends_of(tree: ast.expr, arguments: Mapping[str, Any], allowed: Allowance, *, inner: bool) -> Ends:
    """The bounds of ``derived.bounds`` in lanes, for arguments by name and a formula that ``is_known_formula``."""

    def of(part: ast.expr) -> Ends:
        return ends_of(part, arguments, allowed, inner=inner)

    like = next(iter(arguments.values()))
    named = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    if not named & arguments.keys():
        return constant(tree, like, allowed, inner=inner)
    match tree:
        case ast.Name(id=name):
            return point(arguments[name], inner=inner)
        case ast.UnaryOp(operand=operand):
            low, high, nan, sure, _ = of(operand)
            return Ends(-high, -low, nan, sure, inner)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return quotient(of(left), of(right), is_reciprocal=isinstance(left, ast.Constant) and left.value == 1)
        case ast.BinOp(left=left, op=op, right=right):
            return combined(operations()[type(op)], of(left), of(right))
        case ast.Call(func=ast.Name(id=name), args=args):
            return functions(allowed)[name](*(of(arg) for arg in args))
    raise AssertionError(ast.dump(tree))


def ends_on_host(tree: ast.expr, arguments: Mapping[str, Any], allowed: Allowance) -> Ends:
    """The bounds of ``derived.bounds`` itself, on arrays."""
    low, high, nan = derived.bounds(tree, arguments, allowed)
    return Ends(low, high, nan, np.True_, inner=True)


def sides(tree: ast.expr, arguments: Mapping[str, Any], allowed: Allowance) -> tuple[Ends, Ends]:
    """Return bounds within those of ``derived.bounds`` and bounds around them; on arrays both are these themselves."""
    if isinstance(next(iter(arguments.values())), np.ndarray):
        found = ends_on_host(tree, arguments, allowed)
        return found, found
    return ends_of(tree, arguments, allowed, inner=True), ends_of(tree, arguments, allowed, inner=False)


def constant(tree: ast.expr, like: Real, allowed: Allowance, *, inner: bool) -> Ends:
    """The bounds that the host has for an expression without arguments."""
    found = derived.bounds(tree, {"": np.zeros(1)}, allowed)
    (low,), (high,), nan = found.low.tolist(), found.high.tolist(), bool(np.all(found.nan))
    zero = same(like) * 0.0
    return Ends(zero + low, zero + high, everywhere(zero) & nan, everywhere(zero), inner)


def same(x: Real) -> Real:
    """``x`` where it is finite, else 0."""
    return select(x - x == 0.0, x, 0.0)


def is_nan(x: Real) -> Truth:
    """Whether a lane is NaN."""
    found: Truth = x != x
    return found


def point(x: Real, *, inner: bool) -> Ends:
    """The bounds of an argument: both are the argument."""
    return rounded(x, x, ~everywhere(x), everywhere(x), inner=inner)


def rounded(low: Real, high: Real, nan: Truth, sure: Truth | np.bool_, *, inner: bool) -> Ends:
    """Bounds rounded to floats."""
    unknown = is_nan(low) | is_nan(high)
    low = from_float_bits(to_float(select(unknown, -INFINITY, low), RTN))
    high = from_float_bits(to_float(select(unknown, INFINITY, high), RTP))
    return Ends(low, high, nan | unknown, sure & ~unknown if inner else sure, inner)


def opened(ends: Ends, where: Truth) -> Ends:
    """Infinite bounds ``where`` an argument lies outside of a function's domain."""
    low, high = select(where, -INFINITY, ends.low), select(where, INFINITY, ends.high)
    return Ends(low, high, ends.nan | where, ends.sure | where, ends.inner)


def widened(low: Near, high: Near, operand: Ends, ulps: Real | float, absolute: Real | float = 0.0) -> Ends:
    """Bounds widened by an error in ulp, or an ``absolute`` one; infinite bounds stay as they are."""
    slack = absolute + ulps * FLOAT.smallest_subnormal

    def down(x: Real) -> Real:
        return select(abs(x) == INFINITY, x, x - abs(x) * ulps * derived.ULP - slack)

    def up(x: Real) -> Real:
        return select(abs(x) == INFINITY, x, x + abs(x) * ulps * derived.ULP + slack)

    inner = operand.inner
    first, last = (greater, lesser) if inner else (lesser, greater)
    least, most = first(down(low.below), down(low.above)), last(up(high.below), up(high.above))
    return rounded(least, most, operand.nan, operand.sure, inner=inner)


def itself(x: Real) -> Near:
    """A value that the host has with the same bits."""
    return Near(x, x)


def near(found: Pair, absolute: float = 0.0) -> Near:
    """Bounds on the host's value, from a kernel's value and error; if err = 0 it may stand for values next to it."""
    value, err = found
    margin = abs(value) * CLOSE + select(err > 0.0, 0.0, abs(value) * STANDS + LEAST) + absolute
    margin = select(abs(value) == INFINITY, 0.0, margin)
    return Near(value - margin, value + margin)


def least_of(values: Sequence[Near]) -> Near:
    """The least of several lanes."""
    return Near(*(functools.reduce(lesser, side) for side in zip(*values, strict=True)))


def greatest_of(values: Sequence[Near]) -> Near:
    """The greatest of several lanes."""
    return Near(*(functools.reduce(greater, side) for side in zip(*values, strict=True)))


def either(one: Ends, other: Ends) -> Ends:
    """The flags of an operation on two operands, and the first one's bounds."""
    return one._replace(nan=one.nan | other.nan, sure=one.sure & other.sure)


def combined(operation: Callable[[Any, Any], Any], a: Ends, b: Ends) -> Ends:
    """Bounds of a sum, difference or product that is rounded in any mode; infinite if an operand's are."""
    values = [operation(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high, both = functools.reduce(lesser, values), functools.reduce(greater, values), either(a, b)
    found = rounded(low, high, both.nan, both.sure, inner=a.inner)
    return opened(found, gives_anything(a) | gives_anything(b))


def total(x: Real, y: Real) -> Real:
    """The sum of two floats as a double, rounded to odd."""
    return to_odd(*two_sum(x, y))


def difference(x: Real, y: Real) -> Real:
    """The difference of two floats as a double, rounded to odd."""
    return total(x, -y)


def product(x: Real, y: Real) -> Real:
    """The product of two floats, which a double holds exactly."""
    return x * y


def magnitude(a: Ends) -> Ends:
    """The absolute value."""
    crosses = (a.low <= 0.0) & (a.high >= 0.0)
    low, high = abs(a.low), abs(a.high)
    return a._replace(low=select(crosses, 0.0, lesser(low, high)), high=greater(low, high))


def outside(a: Ends, border: float) -> Truth:
    """Where the size of a value may lie outside of [1/border, border]."""
    sizes = magnitude(a)
    found: Truth = ((sizes.low < 1.0 / border) | (sizes.high > border)) & a.sure
    return found


def quotient(a: Ends, b: Ends, *, is_reciprocal: bool) -> Ends:
    """The quotient: its error is 3 ulp within the powers of two that the table names."""
    values = [x / y for x in (a.low, a.high) for y in (b.low, b.high)]
    low, high = itself(functools.reduce(lesser, values)), itself(functools.reduce(greater, values))
    if is_reciprocal:
        where = outside(b, derived.RECIPROCAL)
    else:
        where = outside(a, derived.DIVIDEND) | outside(b, derived.DIVIDEND)
    return opened(widened(low, high, either(a, b), 3.0), where)


def logarithm(function: Callable[[Any], Any], a: Ends) -> Ends:
    """A logarithm: -inf at zero, NaN below."""
    near_one = select((a.low <= 2.0) & (a.high >= 0.5), 2.0**-21, 0.0)
    low, high = (near(function(select(end > 0.0, end, 0.0))) for end in (a.low, a.high))
    return widened(low, high, a._replace(nan=a.nan | (a.low < 0.0)), 4.0, near_one)


def exponential(function: Callable[[Any], Any], allowed: Allowance, a: Ends) -> Ends:
    """An exponential, whose error grows with the argument: any value is allowed where the argument may be infinite."""
    growth = floor(2.0 * greater(abs(a.low), abs(a.high)))
    ulps = functools.reduce(greater, [growth * float(growing) + constant for constant, growing in allowed.exp])
    least, is_endless = function(a.low), a.high == INFINITY
    low, high = power(least, -INFINITY), power(function(a.high), INFINITY)
    found = widened(low, high, a, ulps)
    if a.inner:
        found = opened(found, (a.low == -INFINITY) & a.sure)
        is_number, where = is_endless & a.sure, is_endless & a.sure & (least[0] < BEYOND)
    else:
        is_number, where = a.low > VANISHING, (a.low == -INFINITY) | is_endless
    found = opened(found, where)
    if all(growing for _, growing in allowed.exp):  # else the error there has no bound, and NaN is possible
        found = found._replace(nan=(found.nan & ~is_number) | a.nan)
    return found


def power(found: Pair, least: float) -> Near:
    """``near`` of an exponential; beyond all floats, and far below them, a value stands for all that lie there.

    Of what is beyond, the host's error may be infinite: ``least`` is the least that its bound may be.
    """
    value, (below, above) = found[0], near(found)
    below, above = select(value > BEYOND, least, below), select(value > BEYOND, INFINITY, above)
    return Near(select(value < VANISHED, 0.0, below), select(value < VANISHED, VANISHED, above))


def root(a: Ends) -> Ends:
    """The square root: NaN below zero."""
    low, high = (itself(sqrt(select(end > 0.0, end, 0.0))) for end in (a.low, a.high))
    return widened(low, high, a._replace(nan=a.nan | (a.low < 0.0)), 4.0)


def arc(function: Callable[[Any], Any], a: Ends) -> Ends:
    """acos, asin or atan: their error is 4096 ulp."""
    ends = [near(function(end)) for end in (a.low, a.high)]
    return widened(least_of(ends), greatest_of(ends), a, 4096.0)


def wave(function: Callable[[Any], Any], a: Ends) -> Ends:
    """The function sin or cos: its error is 2^-11 in [-π, π], and it changes no faster than the argument."""
    width = a.high - a.low
    value = near(function(select(abs(a.low) < FAR, a.low, 0.0)), TURNED)
    reach = 0.0 if a.inner else width + width
    found = widened(value, value, a, 0.0, reach + 2.0**-11)
    return opened(found, ((a.low < -math.pi) | (a.high > math.pi)) & a.sure)


def tangent(a: Ends) -> Ends:
    """sin(x) * (1 / cos(x))."""
    one = same(a.low) * 0.0 + 1.0
    whole = Ends(one, one, ~everywhere(one), everywhere(one), a.inner)
    return combined(product, wave(ordinary_sin, a), quotient(whole, wave(ordinary_cos, a), is_reciprocal=True))


def rooted(allowed: Allowance, a: Ends, n: Ends) -> Ends:
    """exp2(log2(|x|) / n) with the sign of x; zero at zero."""
    logs = quotient(logarithm(log2, magnitude(a)), n, is_reciprocal=False)
    found, negative = exponential(exp2, allowed, logs), a.high < 0.0
    low, high = select(negative, -found.high, found.low), select(negative, -found.low, found.high)
    zero = (a.low == 0.0) & (a.high == 0.0)
    nan, sure = (zero & a.nan) | (~zero & found.nan), (zero & a.sure) | (~zero & found.sure)
    return Ends(select(zero, 0.0, low), select(zero, 0.0, high), nan, sure, a.inner)


def angle(allowed: Allowance, y: Ends, x: Ends) -> Ends:
    """atan(y / x), with ±π added for negative x, or a value near the angle; on the axes the table has no limit."""
    turn = select(x.high < 0.0, copysign(derived.PI + same(y.low) * 0.0, y.low), 0.0)
    slope = arc(atan, quotient(y, x, is_reciprocal=False))
    found = combined(total, slope, Ends(turn, turn, slope.nan, slope.sure, slope.inner))
    if allowed.atan2:
        values = [near(atan2(v, u)) for v in (y.low, y.high) for u in (x.low, x.high)]
        other = widened(least_of(values), greatest_of(values), slope, allowed.atan2)
        low, high = lesser(found.low, other.low), greater(found.high, other.high)
        found = found._replace(low=low, high=high, sure=found.sure & other.sure)
    return opened(found, ((y.low == 0.0) & y.sure) | ((x.low == 0.0) & x.sure))


def operations() -> Mapping[type[ast.operator], Callable[[Any, Any], Any]]:
    """The operations of formulas, without the quotient."""
    return {ast.Add: total, ast.Sub: difference, ast.Mult: product}


def functions(allowed: Allowance) -> Mapping[str, Callable[..., Ends]]:
    """The functions of formulas."""
    return {
        "abs": magnitude,
        "acos": functools.partial(arc, acos),
        "asin": functools.partial(arc, asin),
        "atan": functools.partial(arc, atan),
        "atan2": functools.partial(angle, allowed),
        "cos": functools.partial(wave, ordinary_cos),
        "exp": functools.partial(exponential, exp, allowed),
        "exp2": functools.partial(exponential, exp2, allowed),
        "log": functools.partial(logarithm, log),
        "log2": functools.partial(logarithm, log2),
        "rootn": functools.partial(rooted, allowed),
        "sin": functools.partial(wave, ordinary_sin),
        "sqrt": root,
        "tan": tangent,
    }
