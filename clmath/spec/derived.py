"""Bounds of what a formula of the relaxed table may give in the float arithmetic that the table allows inside of it."""

from __future__ import annotations

import ast
import functools
import operator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from clmath.direct import operators
from clmath.errors import TableError
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounding import narrow

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.sample import Sample

    class _Operator(Protocol):
        def __call__(self, form: Format, mode: Rounding, x: np.ndarray, y: np.ndarray, /) -> tuple[np.ndarray]: ...


__all__ = ["TABLE_37", "Allowance", "Interval", "RelaxedArithmetic", "bounds", "parsed", "relaxed"]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"
Intervals: TypeAlias = "Mapping[str, Interval]"

ULP = FLOAT.eps  # no ulp of a normal number is a larger share of it
PI = float(np.float32(np.pi))
CONSTANTS = {"M_PI_F": PI, "M_1_PI_F": float(np.float32(1 / np.pi))}
DIVIDEND = 2.0**62  # table 37: x / y is limited for magnitudes of 2^-62 to 2^62, 1.0 / x for 2^-126 to 2^126
RECIPROCAL = 2.0**126
APART = 2.0**-10


@dataclass(frozen=True)
class Allowance:
    """What functions inside of a formula may be off by, where editions differ.

    ``exp``: ULPs of exp and exp2, a constant and whether floor(|2x|) is added; the largest counts. ``atan2``: ULPs of
    one that is not derived; 0 where there is no such limit.
    """

    exp: tuple[tuple[float, bool], ...]
    atan2: float = 0.0


TABLE_37 = Allowance(exp=((3.0, True), (4.0, False)))  # OpenCL C++ 1.0, 4.4


@dataclass(frozen=True)
class RelaxedArithmetic:
    """A formula in the arithmetic that the relaxed table allows: table 37, and what other editions change of it."""

    text: str
    allowed: Allowance = TABLE_37

    @property
    def variables(self) -> frozenset[str]:
        """Those that a formula may name are parameters wherever it stands: x and y."""
        return frozenset()

    @property
    def least(self) -> float:
        """ULPs that any result may be off by: what the last function may be, of the exact value of its argument."""
        match parsed(self.text, "limits.toml"):
            case ast.Call(func=ast.Name(id=name)):
                return _LAST.get(name, 0.0)
        return 0.0

    def gives(self, sample: Sample) -> Bools:
        """Which results the formula may give."""
        return self._bounds(sample).holds(sample.actual.astype(np.float64))

    def may_give_anything(self, ranges: Mapping[str, tuple[F64, F64]]) -> tuple[Bools, Bools]:
        """Return where the formula gives anything, NaN too, for some arguments within ``ranges``, and where for all.

        ``ranges``: the ends by name. Every operation on wider bounds gives wider bounds. The ends are moved apart by
        far more than any rounding.
        """
        tree = parsed(self.text, "limits.toml")
        hulls = {name: _apart(low, high) for name, (low, high) in ranges.items()}
        low, high, _ = _bounds(tree, hulls, self.allowed)
        return np.asarray((low == -np.inf) & (high == np.inf)), _gives_anything(tree, hulls, self.allowed)

    def _bounds(self, sample: Sample) -> Interval:
        arguments = {name: values.astype(np.float64) for name, values in sample.named.items()}
        return bounds(parsed(self.text, "limits.toml"), arguments, self.allowed)


class Interval(NamedTuple):
    """Bounds of a result, lane by lane: floats, kept as doubles. ``nan``: where it may be NaN as well."""

    low: F64
    high: F64
    nan: Bools

    def holds(self, values: np.ndarray) -> Bools:
        """Which ``values`` the result may be."""
        return np.asarray(((values >= self.low) & (values <= self.high)) | (self.nan & np.isnan(values)))


def _outward(low: F64, high: F64, nan: Any) -> Interval:
    """The floats around bounds; everything where a bound is NaN."""
    unknown = np.isnan(low) | np.isnan(high)
    low = narrow(np.where(unknown, -np.inf, low), FLOAT, "rtn").astype(np.float64)
    high = narrow(np.where(unknown, np.inf, high), FLOAT, "rtp").astype(np.float64)
    return Interval(low, high, unknown | nan)


def _widened(low: F64, high: F64, nan: Any, ulps: Any, absolute: Any = 0.0) -> Interval:
    """A result with its error, in ulp and ``absolute``; bounds that are infinite stay."""
    slack = absolute + ulps * FLOAT.smallest_subnormal
    low = np.where(np.isinf(low), low, low - np.abs(low) * ulps * ULP - slack)
    return _outward(low, np.where(np.isinf(high), high, high + np.abs(high) * ulps * ULP + slack), nan)


def _open(result: Interval, where: Any) -> Interval:
    """No limit ``where`` an argument lies outside the domain of the table."""
    low, high = np.where(where, -np.inf, result.low), np.where(where, np.inf, result.high)
    return Interval(low, high, result.nan | where)


def _corners(operation: Callable[[Any, Any], Any], a: Interval, b: Interval) -> tuple[F64, F64]:
    values = [operation(x, y) for x in (a.low, a.high) for y in (b.low, b.high)]
    return functools.reduce(np.minimum, values), functools.reduce(np.maximum, values)


def _combined(operation: _Operator, a: Interval, b: Interval) -> Interval:
    """A sum, difference or product, correctly rounded in any mode, or not at all as in a contraction."""

    def rounded(mode: Rounding, x: F64, y: F64) -> F64:
        return operation(FLOAT, mode, x.astype(np.float32), y.astype(np.float32))[0].astype(np.float64)

    low, _ = _corners(functools.partial(rounded, "rtn"), a, b)
    _, high = _corners(functools.partial(rounded, "rtp"), a, b)
    return _outward(low, high, a.nan | b.nan)


def _outside(a: Interval, border: float) -> Any:
    """Where magnitudes of an interval leave [1/border, border]."""
    sizes = _magnitude(a)
    return (sizes.low < 1 / border) | (sizes.high > border)


def _is_whole(a: Interval) -> bool:
    """Whether a dividend is the 1 of a reciprocal, whose domain is a wider one."""
    return bool(np.all(a.low == 1.0) and np.all(a.high == 1.0))


def _quotient(a: Interval, b: Interval) -> Interval:
    """2.5 ulp, or 3 in the embedded profile, between the table's powers of two."""
    result = _widened(*_corners(operator.truediv, a, b), a.nan | b.nan, 3.0)
    return _open(result, _outside(b, RECIPROCAL) if _is_whole(a) else _outside(a, DIVIDEND) | _outside(b, DIVIDEND))


def _is_no_quotient(a: Interval, b: Interval) -> Any:
    """Where no numbers between these bounds lie in the domain of a quotient."""

    def leaves(one: Interval, border: float) -> Any:
        sizes = _magnitude(one)
        return (sizes.high < 1 / border) | (sizes.low > border)

    return leaves(b, RECIPROCAL) if _is_whole(a) else leaves(a, DIVIDEND) | leaves(b, DIVIDEND)


def _log(function: Callable[[Any], Any], a: Interval) -> Interval:
    """-inf at zero, NaN below."""
    near_one = np.where((a.low <= 2.0) & (a.high >= 0.5), 2.0**-21, 0.0)
    low, high = (function(np.maximum(end, 0.0)) for end in (a.low, a.high))
    return _widened(low, high, a.nan | (a.low < 0), 4.0, near_one)


def _exp(function: Callable[[Any], Any], allowed: Allowance, a: Interval) -> Interval:
    growth = np.floor(2 * np.maximum(np.abs(a.low), np.abs(a.high)))
    error = functools.reduce(np.maximum, [constant + growth * growing for constant, growing in allowed.exp])
    return _widened(function(a.low), function(a.high), a.nan, error)


def _magnitude(a: Interval) -> Interval:
    crosses = (a.low <= 0) & (a.high >= 0)
    sizes = np.abs(np.stack((a.low, a.high)))
    return Interval(np.where(crosses, 0.0, sizes.min(axis=0)), sizes.max(axis=0), a.nan)


def _sqrt(a: Interval) -> Interval:
    """NaN below zero."""
    low, high = (np.sqrt(np.maximum(end, 0.0)) for end in (a.low, a.high))
    return _widened(low, high, a.nan | (a.low < 0), 4.0)


def _arc(function: Callable[[Any], Any], a: Interval) -> Interval:
    """acos, asin, atan: 4096 ulp."""
    ends = function(a.low), function(a.high)
    return _widened(np.minimum(*ends), np.maximum(*ends), a.nan, 4096.0)


def _wave(function: Callable[[Any], Any], a: Interval) -> Interval:
    """sin, cos: 2^-11 in [-π, π]; they move no faster than their argument."""
    middle, reach = (a.low + a.high) / 2, (a.high - a.low) / 2
    value = function(middle)
    waved = _widened(value, value, a.nan, 0.0, reach + 2.0**-11)
    return _open(waved, (a.low < -np.pi) | (a.high > np.pi))


def _tan(a: Interval) -> Interval:
    one = np.ones_like(a.low)
    whole = Interval(one, one, np.zeros(one.shape, np.bool_))
    return _combined(operators.mul, _wave(np.sin, a), _quotient(whole, _wave(np.cos, a)))


def _rootn(allowed: Allowance, a: Interval, n: Interval) -> Interval:
    """exp2(log2(|x|) / n) with the sign of x; zero at zero."""
    low, high, nan = _exp(np.exp2, allowed, _quotient(_log(np.log2, _magnitude(a)), n))
    zero, negative = (a.low == 0) & (a.high == 0), a.high < 0
    low, high = np.where(negative, -high, low), np.where(negative, -low, high)
    return Interval(np.where(zero, 0.0, low), np.where(zero, 0.0, high), np.where(zero, a.nan, nan))


def _atan2(allowed: Allowance, y: Interval, x: Interval) -> Interval:
    """atan(y / x), and ±π with it for negative x, or what is near the angle; the table says nothing on the axes."""
    angle = _arc(np.arctan, _quotient(y, x))
    turn = np.where(x.high < 0, np.copysign(PI, y.low), 0.0)
    turned = _combined(operators.add, angle, Interval(turn, turn, angle.nan))
    near = _widened(*_corners(np.arctan2, y, x), angle.nan, allowed.atan2)
    either = Interval(np.fmin(turned.low, near.low), np.fmax(turned.high, near.high), turned.nan)
    return _open(either if allowed.atan2 else turned, (y.low == 0) | (x.low == 0))


_ALLOWED: Mapping[str, Callable[..., Interval]] = {
    "atan2": _atan2,
    "exp": lambda allowed, a: _exp(np.exp, allowed, a),
    "exp2": lambda allowed, a: _exp(np.exp2, allowed, a),
    "rootn": _rootn,
}
OF_SIGNS = frozenset({"atan2", "rootn"})  # functions that look at the signs of their arguments
_FUNCTIONS: Mapping[str, Callable[..., Interval]] = {
    "abs": _magnitude,
    "acos": functools.partial(_arc, np.arccos),
    "asin": functools.partial(_arc, np.arcsin),
    "atan": functools.partial(_arc, np.arctan),
    "cos": functools.partial(_wave, np.cos),
    "log": functools.partial(_log, np.log),
    "log2": functools.partial(_log, np.log2),
    "sin": functools.partial(_wave, np.sin),
    "sqrt": _sqrt,
    "tan": _tan,
}
# beyond which sizes of the argument a function has no limit, or no value: of those that have one such border
_BORDERS: Mapping[str, float] = {"acos": 1.0, "asin": 1.0, "cos": np.pi, "sin": np.pi, "tan": np.pi}
# ULPs that a function may be off by wherever its argument lies: table 37 has 3 for log, widened by more above
_LAST: Mapping[str, float] = {"log": 3.0}
_OPERATIONS: Mapping[type[ast.operator], Callable[[Interval, Interval], Interval]] = {
    ast.Add: functools.partial(_combined, operators.add),
    ast.Sub: functools.partial(_combined, operators.sub),
    ast.Mult: functools.partial(_combined, operators.mul),
    ast.Div: _quotient,
}


@functools.cache
def parsed(formula: str, where: str) -> ast.expr:
    """The formula as a tree; TableError naming ``where``, the row, for what is not one."""
    try:
        tree = ast.parse(formula.replace("|x|", "abs(x)"), mode="eval").body
    except SyntaxError:
        tree = ast.expr()
    for node in ast.walk(tree):
        known = {*_FUNCTIONS, *_ALLOWED, *CONSTANTS, "x", "y"}
        if type(node) is ast.expr or (isinstance(node, ast.Name) and node.id not in known):
            raise TableError(f"{where}: {formula!r} is not a formula; write 'exp2(y * log2(|x|))'")
    return tree


def relaxed(text: str, where: str, allowed: Allowance) -> RelaxedArithmetic:
    """The formula ``text`` of the row ``where``, with what is ``allowed`` where one of its functions depends on it."""
    named = {node.id for node in ast.walk(parsed(text, where)) if isinstance(node, ast.Name)}
    return RelaxedArithmetic(text, allowed if named & _ALLOWED.keys() else TABLE_37)


def bounds(tree: ast.expr, arguments: Mapping[str, F64], allowed: Allowance = TABLE_37) -> Interval:
    """Between which numbers a derived implementation's results lie, for float64 arrays of arguments by name.

    Every operation and function of the formula may take the whole error that table 37 (the larger of both profiles)
    allows it, or what is ``allowed`` by another edition. Sums and products are rounded in any mode, so that
    ``x * x - 1`` is no less than 0 for x = 1. What may be NaN, the logarithm of a sum that cancels, may be any number
    of its bounds too. Flushed operands and results are zeros, with no number between them and these bounds: see
    ``law.flushing``. Subnormal numbers inside of a formula are not flushed: they change no bound of the table's
    formulas. Source: OpenCL C++ 1.0, 4.4, table 37.
    """
    return _bounds(tree, {name: _outward(values, values, nan=False) for name, values in arguments.items()}, allowed)


def _bounds(tree: ast.expr, arguments: Intervals, allowed: Allowance) -> Interval:
    """As ``bounds``, for arguments of which no more is known than between which numbers they lie."""
    match tree:
        case ast.Constant(value=float() | int() as number):
            return _constant(number, arguments)
        case ast.Name(id=name):
            return arguments[name] if name in arguments else _constant(CONSTANTS[name], arguments)
        case ast.UnaryOp(op=ast.USub(), operand=operand):
            low, high, nan = _bounds(operand, arguments, allowed)
            return Interval(-high, -low, nan)
        case ast.BinOp(left=left, op=op, right=right):
            return _OPERATIONS[type(op)](_bounds(left, arguments, allowed), _bounds(right, arguments, allowed))
        case ast.Call(func=ast.Name(id=name), args=args):
            function = _FUNCTIONS.get(name) or functools.partial(_ALLOWED[name], allowed)
            return function(*(_bounds(a, arguments, allowed) for a in args))
        case _:
            raise TableError(f"limits.toml: {ast.unparse(tree)!r} is not a formula")


def _constant(value: float, arguments: Intervals) -> Interval:
    values = np.full(next(iter(arguments.values())).low.shape, value, np.float64)
    return _outward(values, values, nan=False)


def _apart(low: F64, high: F64) -> Interval:
    """Between the ends of ranges that are moved apart by far more than any rounding, so that it can be neglected."""
    low, high = low - np.abs(low) * APART, high + np.abs(high) * APART
    return _outward(np.maximum(low, -FLOAT.largest), np.minimum(high, FLOAT.largest), nan=False)


def _gives_anything(tree: ast.expr, arguments: Intervals, allowed: Allowance) -> Bools:
    """Where a formula gives any number and NaN for all arguments between ``arguments``, as far as that is easily told.

    What has an operand that may be anything is anything itself: sums, differences, products, quotients, waves, arcs. So
    is what has one that is sure to lie outside of the domain of the table, or of the function; and a logarithm of what
    may be infinite, and below zero.
    """

    def of(part: ast.expr) -> Bools:
        return _gives_anything(part, arguments, allowed)

    def lies(part: ast.expr) -> Interval:
        return _bounds(part, arguments, allowed)

    match tree:
        case ast.UnaryOp(operand=operand):
            return of(operand)
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return np.asarray(of(left) | of(right) | _is_no_quotient(lies(left), lies(right)))
        case ast.BinOp(left=left, right=right):
            return np.asarray(of(left) | of(right))
        case ast.Call(func=ast.Name(id=name), args=[operand]) if name in _BORDERS:
            low, high, _ = lies(operand)
            return np.asarray(of(operand) | (low > _BORDERS[name]) | (high < -_BORDERS[name]))
        case ast.Call(func=ast.Name(id="log" | "log2"), args=[operand]):
            least, most = _sure(operand, arguments, allowed)
            return np.asarray(of(operand) | (least < 0) & (most == np.inf))
        case _:
            return np.zeros(next(iter(arguments.values())).low.shape, np.bool_)


def _sure(tree: ast.expr, arguments: Intervals, allowed: Allowance) -> tuple[F64, F64]:
    """(least, most): numbers that the lower bound of a formula is never above, and the upper one never below.

    For all arguments between ``arguments``: the formula may be whatever lies between the two, if the first is smaller.
    Errors that move bounds apart are left out; sums are rounded toward what says less.
    """

    def of(part: ast.expr) -> tuple[F64, F64]:
        return _sure(part, arguments, allowed)

    match tree:
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() as op, right=right):
            (least, most), (other, another) = of(left), of(right)
            if isinstance(op, ast.Sub):
                other, another = -another, -other
            least, most = narrow(least + other, FLOAT, "rtp"), narrow(most + another, FLOAT, "rtn")
            return least.astype(np.float64), most.astype(np.float64)
        case ast.Call(func=ast.Name(id="sqrt"), args=[operand]):
            least, most = (np.sqrt(np.maximum(end, 0.0)) for end in of(operand))
            return least, most
    low, high, _ = _bounds(tree, arguments, allowed)
    match tree:
        case ast.BinOp(left=left, op=ast.Mult(), right=right):
            factors = (_bounds(part, arguments, allowed) for part in (left, right))
            overflows = _corners(operator.mul, *factors)[0] > FLOAT.largest
            return np.where(overflows, FLOAT.largest, high), np.where(overflows, np.inf, low)
    return high, low
