"""Results that formulas give at any distance from the exact value, which no set holds; only on the host.

Each operation of a formula is rounded, contracted or not, in any order of a sum.
"""

from __future__ import annotations

import ast
import functools
import itertools
import operator
from collections.abc import Callable, Iterator, Mapping, Sequence
from fractions import Fraction
from typing import NamedTuple, TypeAlias

import numpy as np

from clmath.audit.counting.spread import same
from clmath.errors import TableError
from clmath.ir.primitives import two_product, two_sum
from clmath.ir.values import Integer, Real, Truth
from clmath.kernels.whole.operators import Operators
from clmath.numbers.formats import Format
from clmath.numbers.rounding import Enclosure, Rounding, ends, round_real, ulp_errors, ulps
from clmath.spec.formulas import Argument, Formula, RootOfSquares, RoundedSteps, SumOfProducts, tree_of

Block: TypeAlias = "np.ndarray"
Blocks: TypeAlias = "list[np.ndarray]"

_EXTRA_BITS = 8  # extended formats have at least this many more bits: IEEE 754-2008, 3.7
_UNIT = 8  # errors of extra precision are kept as multiples of 2^8 roundings
_LEAST_PRODUCT = 2.0**-900  # the rest of a larger product of doubles is a double
_PI = Fraction(0x3243F6A8885A308D313198A2E03707344A4093822299F31D0082EFA98EC4E6C8, 1 << 252)
_SLACK = 1 + 2.0**-40  # for the roundings of the bounds themselves
_SLACK_OF_SHARES = 1 + 2.0**-20  # for the roundings of differences of neighbouring constants


class Factor(NamedTuple):
    """The constant by which the parameter ``name`` is multiplied: exact, and the least and greatest that it may be."""

    name: str
    least: float
    exact: float
    most: float

    def errors(self, first: Real, last: Real, form: Format) -> tuple[Real, Real]:
        """Return an error in ulp that conforms for arguments between ``first`` and ``last``, and one that never does.

        Results conform from the rounded product with the least constant to the rounded product with the greatest. The
        relative distances of these constants from the exact one are relative errors of products before rounding. An
        exact product that is normal has 2^(p-1) to 2^p ulp, p being the precision, so that its relative errors times
        these are errors in ulp. Rounding moves a product by half an ulp, which is one ulp of the exact value if the
        product lies in the next binade.
        """
        shares = (1.0 - self.least / self.exact, self.most / self.exact - 1.0)
        allowed = max(min(shares), 0.0) * 2.0 ** (form.precision - 1) / _SLACK_OF_SHARES
        refused = max(shares) * 2.0**form.precision * _SLACK_OF_SHARES + 1.0
        sizes = np.abs(np.stack([first, last])) * self.exact
        usual = (sizes.min(axis=0) >= 2.0 * form.smallest_normal) & (sizes.max(axis=0) <= 0.5 * form.largest)
        return np.where(usual, allowed, 0.0), np.where(usual, refused, np.inf)


class Sample(NamedTuple):
    """Arguments, exact values and results of calls, element by element.

    ``flushing``: whether the target may have flushed subnormal numbers on the way (4.5.3).
    """

    args: tuple[np.ndarray, ...]
    exact: Enclosure
    actual: np.ndarray
    form: Format
    mode: Rounding
    parameters: tuple[str, ...]
    flushing: bool = False

    @property
    def named(self) -> dict[str, np.ndarray]:
        """The arguments by the names of their parameters."""
        return dict(zip(self.parameters, self.args, strict=True))


def gives(formula: Formula, sample: Sample) -> Truth:
    """Return which results a formula gives, of those that its set may lack."""
    args, actual, form, mode = sample.args, sample.actual, sample.form, sample.mode
    match formula:
        case RoundedSteps():
            return _given_by_steps(formula, sample)
        case SumOfProducts():
            return _given_by_products(formula, sample)
        case RootOfSquares(allowed=allowed):
            sums = _sums_of_squares(args, form, mode, flushing=sample.flushing)
            return np.asarray(np.logical_or.reduce([_may_be_root(actual, s, allowed, form) for s in sums]))
        case Argument():
            unchanged = same(actual, args[0]).all(axis=-1, keepdims=True)
            return np.broadcast_to(unchanged, actual.shape)
    raise TypeError(formula)


def _given_by_steps(formula: RoundedSteps, sample: Sample) -> Truth:
    """Return which results one evaluation of the formula may give, except for the signs of zeros.

    If π occurs, which no format has, it may have any number of digits: every result between two unflushed evaluations
    passes. All such results also pass if a quotient may be anything.
    """
    allowed = _in_one_go(formula, sample)
    left = np.flatnonzero(~allowed)
    if left.size:
        steps = _Steps(sample.form, sample.mode, sample.flushing, formula.division, formula.domain)
        arguments = {name: values[left] for name, values in sample.named.items()}
        allowed[left] = _in_steps(formula, steps, sample.actual[left], arguments)
    return allowed


def _in_steps(formula: RoundedSteps, steps: _Steps, actual: Block, arguments: Mapping[str, Block]) -> Truth:
    """Return which results evaluations in steps may give; flushed values are exactly zero, not between evaluations."""
    zero = actual.dtype.type(0)
    found = [value + zero for value in _evaluations(formula, steps, arguments)]
    allowed = np.any([same(actual + zero, value) for value in found], axis=0)
    between = np.broadcast_to(formula.is_of_pi | _divides_outside(formula, steps, arguments), actual.shape)
    if between.any():
        unflushed = list(_evaluations(formula, steps._replace(flushing=False), arguments))
        least, most = functools.reduce(np.fmin, unflushed), functools.reduce(np.fmax, unflushed)
        allowed |= between & (actual >= least) & (actual <= most)
    return np.asarray(allowed)


def factor_of(formula: RoundedSteps, form: Format, mode: Rounding) -> Factor | None:
    """Return the factor of a formula that is a product of a constant near π and a parameter, or None."""
    match tree_of(formula.body):
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Name(id=name)) if formula.is_of_pi and not formula.inner:
            steps = _Steps(form, mode, flushing=False, division=formula.division, domain=formula.domain)
            found = steps.values(left, {"": np.zeros(1)})
            exact = _constant(left)
            assert exact is not None
            return Factor(name, float(np.min(found)), float(exact), float(np.max(found)))
    return None


def _divides_outside(formula: RoundedSteps, steps: _Steps, arguments: Mapping[str, Block]) -> Truth:
    """Return where an operand of a quotient lies outside of the domain."""
    if np.isinf(formula.domain):
        return np.zeros(1, np.bool_)
    quotients = _operations(tree_of(formula.inner or formula.body), ast.Div)
    sides = [steps.values(side, arguments) for quotient in quotients for side in (quotient.left, quotient.right)]
    return np.asarray(np.any([steps.is_outside(value) for values in sides for value in values], axis=0))


def _evaluations(formula: RoundedSteps, steps: _Steps, arguments: Mapping[str, Block]) -> Iterator[Block]:
    if not formula.inner:
        yield from steps.values(tree_of(formula.body), arguments)
        return
    for value in steps.values(tree_of(formula.inner), arguments):
        yield from steps.values(tree_of(formula.body), {**arguments, formula.name: value})


def _in_one_go(formula: RoundedSteps, sample: Sample) -> Truth:
    """Return which results an evaluation in extra precision may give."""
    arguments = {name: _Near.of(values, sample.form) for name, values in sample.named.items()}
    if formula.inner:
        arguments[formula.name] = _near(tree_of(formula.inner), arguments, sample.form)
    radius = 2.0 * _near(tree_of(formula.body), arguments, sample.form).radius
    return _rounded_once(sample, np.asarray(radius), _UNIT - sample.form.precision - _EXTRA_BITS)


def _rounded_once(sample: Sample, radius: Real, exponent: object) -> Truth:
    """Return which results lie between the rounded ends of the interval of ``radius`` 2^exponent about exact values."""
    exact = sample.exact
    shift = np.where(exact.hi == 0.0, 0, exact.exponent)
    err = np.ldexp(radius, np.clip(exponent - shift, -4000, 4000))
    below, above = ends(Enclosure(exact.hi, exact.lo, exact.err + err, shift), sample.form, sample.mode)
    actual = sample.actual
    return np.asarray(((actual >= below) & (actual <= above)) | (np.isnan(actual) & np.isnan(exact.hi)))


def _constant(tree: ast.expr) -> Fraction | None:
    """Return the exact value of an expression without variables, or None."""
    match tree:
        case ast.Constant(value=int() | float() as number):
            return Fraction(number)
        case ast.Name(id="π"):
            return _PI
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _constant(left), _constant(right)
            return None if a is None or b is None else _EXACTLY[type(op)](a, b)
    return None


_EXACTLY = {ast.Add: operator.add, ast.Sub: operator.sub, ast.Mult: operator.mul, ast.Div: operator.truediv}
_ROUNDED = {ast.Add: Operators.add, ast.Sub: Operators.sub, ast.Mult: Operators.mul}


class _Steps(NamedTuple):
    """The arithmetic of one device: methods return all possible blocks of results."""

    form: Format
    mode: Rounding
    flushing: bool
    division: float = 0.0
    domain: float = np.inf
    zeros: tuple[float, ...] = (0.0, -0.0)  # replacements of flushed subnormals; sums ignore their signs

    def values(self, tree: ast.expr, arguments: Mapping[str, Block]) -> Blocks:
        """Return the values that an expression may have."""
        match tree:
            case ast.Name(id=name) if name in arguments:
                return [arguments[name]]
            case ast.UnaryOp(operand=operand):
                return [-v for v in self.values(operand, arguments)]
            case ast.Call(args=[value, low, high]):
                (least,), (most,) = self.values(low, arguments), self.values(high, arguments)
                return _distinct([np.fmin(np.fmax(v, least), most) for v in self.values(value, arguments)])
            case ast.BinOp(left=left, op=op, right=right) if _constant(tree) is None:
                found = self.operation(op, self.values(left, arguments), self.values(right, arguments))
                if isinstance(op, ast.Add | ast.Sub):
                    found += self._contracted(tree, arguments)
                return _distinct(self._flushed(found))
        return _distinct(self._constants(tree, arguments))

    def _constants(self, tree: ast.expr, arguments: Mapping[str, Block]) -> Blocks:
        """Return values on both sides of a constant, which a compiler may round at once or compute step by step."""
        exact = _constant(tree)
        if exact is None:
            raise TableError(f"limits.toml: {ast.unparse(tree)!r} is not a formula")
        shape = np.shape(next(iter(arguments.values())))
        found: Blocks = []
        for mode in ("rtn", "rtp"):
            found.append(np.full(shape, round_real(exact, self.form, mode), self.form.dtype))
            if isinstance(tree, ast.BinOp):
                operands = (self.values(side, arguments) for side in (tree.left, tree.right))
                found += self._replace(mode=mode).operation(tree.op, *operands)
        return found

    def operation(self, op: ast.operator, left: Blocks, right: Blocks) -> Blocks:
        """Return the results of an operation for all pairs of possible operands."""
        if isinstance(op, ast.Div):
            return [q for x, y in itertools.product(left, right) for q in self._quotients(x, y)]
        rounded, of = _ROUNDED[type(op)], Operators(self.form, self.mode)
        return [rounded(of, x, y) for x, y in itertools.product(left, right)]

    def _contracted(self, tree: ast.BinOp, arguments: Mapping[str, Block]) -> Blocks:
        """Return sums and differences with an exact product, rounded once."""
        sign = -1 if isinstance(tree.op, ast.Sub) else 1
        found: Blocks = []
        for product, of_product, other, of_other in (
            (tree.left, 1, tree.right, sign),
            (tree.right, sign, tree.left, 1),
        ):
            if isinstance(product, ast.BinOp) and isinstance(product.op, ast.Mult):
                factors = (self.values(side, arguments) for side in (product.left, product.right, other))
                for x, y, z in itertools.product(*factors):
                    found.append(Operators(self.form, self.mode).fma(x * of_product, y, z * of_other))
        return found

    def meets_subnormals(self, tree: ast.expr, arguments: Mapping[str, Block]) -> Truth:
        """Return where some step of a sum is subnormal, or the smallest normal number, to which one may round."""
        steps = [value for node in _operations(tree) for value in self.values(node, arguments)]
        return np.asarray(np.any([(np.abs(v) <= self.form.smallest_normal) & (v != 0) for v in steps], axis=0))

    def _quotients(self, x: Block, y: Block) -> Blocks:
        """Return the correctly rounded quotient and others within ``division`` ulp, up to twice as many numbers away.

        Numbers just below a power of two are half an ulp apart.
        """
        nearest = Operators(self.form, self.mode).div(x, y)
        found = [nearest]
        if self.division:
            exact = Enclosure.of(x.astype(np.float64) / y.astype(np.float64))
            for direction in (-np.inf, np.inf):
                value = nearest
                for _ in range(2 * int(self.division) + 2):
                    value = np.nextafter(value, self.form.dtype.type(direction))
                    near = np.abs(ulp_errors(value, exact, self.form)) <= self.division * _SLACK
                    found.append(np.where(near, value, nearest))
        outside = self.is_outside(x) | self.is_outside(y)
        if outside.any():
            found += [np.where(outside, self.form.dtype.type(most), nearest) for most in (-np.inf, np.inf)]
        return found

    def is_outside(self, values: Block) -> Truth:
        """Return where a quotient of ``values`` has no limit."""
        sizes = np.abs(values.astype(np.float64))
        return np.asarray((sizes < 1.0 / self.domain) | (sizes > self.domain))

    def _flushed(self, found: Blocks) -> Blocks:
        """Return values, also with zeros of both signs in place of subnormals and of the smallest normal number.

        The smallest normal number may be a rounded subnormal one.
        """
        if not self.flushing:
            return found
        subnormal = [(np.abs(v) <= self.form.smallest_normal) & (v != 0) for v in found]
        pairs = itertools.product(zip(found, subnormal, strict=True), self.zeros)
        zeros = [np.where(s, v.dtype.type(zero), v) for (v, s), zero in pairs if s.any()]
        return [*found, *zeros]


def _distinct(blocks: Blocks) -> Blocks:
    """Return the blocks without repetitions of equal bits."""
    return list({block.tobytes(): block for block in blocks}.values())


class _Near(NamedTuple):
    """A value in double, clipped to the largest number, and the error of its computation in extra precision.

    The unit of the error, ``radius``, is a multiple of a rounding in that precision for which it neither overflows nor
    underflows.
    """

    value: Real
    radius: Real

    @classmethod
    def of(cls, value: object, form: Format, radius: object = 0.0) -> _Near:
        """Return a ``value`` with an error of ``radius``."""
        return cls(np.clip(np.asarray(value, np.float64), -form.largest, form.largest), np.asarray(radius))


def _near(tree: ast.expr, arguments: Mapping[str, _Near], form: Format) -> _Near:
    """Return an expression in extra precision by running error analysis; the caller's factor 2 covers second order."""
    unit = 2.0**-_UNIT
    constant = _constant(tree)
    if constant is not None:
        near = float(constant)
        return _Near.of(near, form, 0.0 if Fraction(near) == constant else abs(near) * unit)
    match tree:
        case ast.Name(id=name):
            return arguments[name]
        case ast.UnaryOp(operand=operand):
            inside = _near(operand, arguments, form)
            return inside._replace(value=-inside.value)
        case ast.Call(args=[value, low, high]):
            inside, least, most = (_near(part, arguments, form) for part in (value, low, high))
            return inside._replace(value=np.fmin(np.fmax(inside.value, least.value), most.value))
        case ast.BinOp(left=left, op=op, right=right):
            a, b = _near(left, arguments, form), _near(right, arguments, form)
            result = _Near.of(_EXACTLY[type(op)](a.value, b.value), form)
            rounding = np.where(_is_exact(op, a, b, result.value, form), 0.0, np.abs(result.value) * unit)
            return result._replace(radius=_brought(op, a, b, result.value) + rounding)
    raise TableError(f"limits.toml: {ast.unparse(tree)!r} is not a formula")


def _is_exact(op: ast.operator, a: _Near, b: _Near, value: Real, form: Format) -> Truth:
    """Return where exact operands have a sum, difference or product that the format holds, so that none is rounded."""
    if isinstance(op, ast.Div):
        return np.zeros(value.shape, np.bool_)
    if isinstance(op, ast.Mult):
        _, rest = two_product(*np.broadcast_arrays(a.value, b.value))
        known = (np.abs(value) >= _LEAST_PRODUCT) | (a.value == 0.0) | (b.value == 0.0)
    else:
        _, rest = two_sum(a.value, -b.value if isinstance(op, ast.Sub) else b.value)
        known = np.ones(value.shape, np.bool_)
    exact = (a.radius == 0.0) & (b.radius == 0.0)
    return np.asarray(exact & known & (rest == 0.0) & (value.astype(form.dtype) == value))


def _brought(op: ast.operator, a: _Near, b: _Near, value: Real) -> Real:
    """Return the error of a result that comes from the errors of two operands."""
    if isinstance(op, ast.Mult):
        return np.asarray(np.abs(a.value) * b.radius + np.abs(b.value) * a.radius)
    if isinstance(op, ast.Div):
        return np.asarray((a.radius + np.abs(value) * b.radius) / np.abs(b.value))
    return np.asarray(a.radius + b.radius)


def _given_by_products(formula: SumOfProducts, sample: Sample) -> Truth:
    """Return which results some order of the sum may give, except for the signs of zeros."""
    p0, p1 = sample.named[formula.left], sample.named[formula.right]
    products = _Products(*(_components_of_cross(p0, p1) if formula.sign == "×" else _elements(p0, p1)))
    steps = _Steps(sample.form, sample.mode, flushing=False)
    allowed = _rounded_once(sample, np.zeros(sample.actual.shape), 0)
    products.allow(allowed, sample.actual, steps)
    with_more = _rounded_once(sample, *products.radius(2.0 ** -(sample.form.precision + _EXTRA_BITS)))
    allowed |= with_more & products.where(~allowed & with_more, functools.partial(_is_inexact, sample.form))
    if sample.flushing:
        chosen = products.where(~allowed, steps.meets_subnormals)
        found = allowed[chosen]
        flushed = products._replace(arguments=products.at(chosen))
        flushed.allow(found, sample.actual[chosen], steps._replace(flushing=True, zeros=(0.0,)))
        allowed[chosen] = found
    return allowed


_PLANES = ((1, 2), (2, 0), (0, 1))  # the two elements in each component of a cross product


def _elements(p0: Block, p1: Block) -> tuple[dict[str, Block], tuple[str, ...]]:
    """Return the elements of two vectors by name, and the sum of their products in every order."""
    components = range(p0.shape[-1])
    arguments = {f"{name}{k}": p[..., k] for name, p in (("x", p0), ("y", p1)) for k in components}
    return arguments, _orders(tuple(f"x{k} * y{k}" for k in components))


def _components_of_cross(p0: Block, p1: Block) -> tuple[dict[str, Block], tuple[str, ...]]:
    """Return the factors in each component of a cross product by name, and its formula; the factors of w are zeros."""
    factors = [(p0, 0), (p1, 1), (p0, 1), (p1, 0)]
    arguments = {}
    for name, (p, side) in zip("abcd", factors, strict=True):
        components = [p[..., places[side]] for places in _PLANES]
        components += [np.zeros_like(components[0])] * (p.shape[-1] - len(components))
        arguments[name] = np.stack(components, axis=-1)
    return arguments, ("a * b - c * d",)


@functools.cache
def _orders(terms: tuple[str, ...]) -> tuple[str, ...]:
    """Return a sum of ``terms`` in every order; the first term stays on the left, so that no order comes twice."""
    if len(terms) == 1:
        return terms
    first, *rest = terms
    found = []
    for count in range(1, len(terms)):
        for chosen in itertools.combinations(rest, count):
            others = (first, *(term for term in rest if term not in chosen))
            found += [f"({a}) + ({b})" for a in _orders(others) for b in _orders(chosen)]
    return tuple(found)


class _Products(NamedTuple):
    """The elements in sums of products by name, and the sum written in every order."""

    arguments: Mapping[str, Block]
    orders: tuple[str, ...]

    def radius(self, rounding: float) -> tuple[Real, Integer]:
        """Return the error of the sum, a double and a power of two, if steps have the relative error ``rounding``."""
        trees = _operations(tree_of(self.orders[0]), ast.Mult)
        sides = [[self.arguments[ast.unparse(side)] for side in (tree.left, tree.right)] for tree in trees]
        (m, e), (k, f) = (np.frexp(np.stack(side, axis=-1).astype(np.float64)) for side in zip(*sides, strict=True))
        places = np.where(m * k == 0.0, -10000, e.astype(np.int64) + f)
        exponent = places.max(axis=-1)
        sizes = np.ldexp(np.abs(m * k), places - exponent[..., np.newaxis]).sum(axis=-1)
        return sizes * (len(trees) * rounding * _SLACK), exponent

    def at(self, chosen: Truth) -> dict[str, Block]:
        """Return the elements of the chosen results, in one dimension."""
        return {name: values[chosen] for name, values in self.arguments.items()}

    def allow(self, allowed: Truth, actual: Block, steps: _Steps) -> None:
        """Add to ``allowed`` the results that some order gives."""
        zero = actual.dtype.type(0)
        for order in self.orders:
            left = ~allowed
            if left.any():
                wanted = actual[left] + zero
                found = steps.values(tree_of(order), self.at(left))
                allowed[left] = np.any([same(wanted, value + zero) for value in found], axis=0)

    def where(self, asked: Truth, holds: Callable[[ast.expr, Mapping[str, Block]], Truth]) -> Truth:
        """Return which of the results ``asked`` have an order for which ``holds`` is true."""
        found = np.zeros(asked.shape, np.bool_)
        if asked.any():
            arguments = self.at(asked)
            found[asked] = np.any([holds(tree_of(order), arguments) for order in self.orders], axis=0)
        return found


def _operations(tree: ast.expr, *kinds: type[ast.operator]) -> list[ast.BinOp]:
    """Return the operations of an expression: all of them, or only operations of the given ``kinds``."""
    found = [node for node in ast.walk(tree) if isinstance(node, ast.BinOp)]
    return [node for node in found if not kinds or isinstance(node.op, kinds)]


def _is_inexact(form: Format, tree: ast.expr, arguments: Mapping[str, Block]) -> Truth:
    """Return where extra precision may have to round, and where a product is beyond the largest number."""
    near = {name: _Near.of(values, form) for name, values in arguments.items()}
    sizes = [np.abs(_near(product, near, form).value) for product in _operations(tree, ast.Mult)]
    return np.asarray((_near(tree, near, form).radius > 0.0) | (np.max(sizes, axis=0) >= form.largest))


class _Sum(NamedTuple):
    """Bounds of a sum of squares in the arithmetic of a format: infinite if it overflows; both NaN if it is NaN.

    Squares of floats and their sums have a relative error of at most 2^-53 in double, which the bounds' steps cover.
    """

    low: Real
    high: Real


@np.errstate(all="ignore")
def _sums_of_squares(vectors: Sequence[np.ndarray], form: Format, mode: Rounding, *, flushing: bool) -> Iterator[_Sum]:
    """Yield bounds of the sum of squares of a vector, or of the difference of two.

    ``flushing``: subnormal squares may be zeros, so that there is a sum for each choice of elements that are flushed.
    """
    wide = [v.astype(np.float64) for v in vectors]
    low = high = np.abs(wide[0] if len(wide) == 1 else wide[0] - wide[1])
    if len(wide) > 1:
        low, high = _rounded(low, high, form, mode)
    low, high = _rounded(low * low, high * high, form, mode)
    may_flush = flushing & (low < form.smallest_normal) & (high != 0.0)
    elements = np.flatnonzero(may_flush.reshape(-1, may_flush.shape[-1]).any(axis=0))
    for count in range(len(elements) + 1):
        for chosen in itertools.combinations(elements.tolist(), count):
            flushed = may_flush & np.isin(np.arange(may_flush.shape[-1]), chosen)
            yield _sum(np.where(flushed, 0.0, low), np.where(flushed, 0.0, high), form, mode)


def _sum(low: Real, high: Real, form: Format, mode: Rounding) -> _Sum:
    """Return bounds of the sums of squares between ``low`` and ``high``, along the last axis."""
    sums = np.maximum((high != 0.0).sum(axis=-1) - 1, 0)  # additions of zero are exact
    low, high = low.sum(axis=-1) * (1.0 - form.eps) ** sums, high.sum(axis=-1) * (1.0 + form.eps) ** sums
    return _Sum(*_rounded(low, high, form, mode))


def _rounded(low: Real, high: Real, form: Format, mode: Rounding) -> tuple[Real, Real]:
    """Return ``low`` and ``high`` rounded outward to the format; rounding in any mode gives values between these."""
    down, up = low.astype(form.dtype), high.astype(form.dtype)
    down = np.where(down > low, np.nextafter(down, form.dtype.type(-np.inf)), down).astype(np.float64)
    up = np.where(up < high, np.nextafter(up, form.dtype.type(np.inf)), up).astype(np.float64)
    beyond = form.largest * (1.0 + form.eps / 4.0)  # half a place: from here on rte gives infinity
    return np.where((low >= beyond) & (mode == "rte"), np.inf, down), up


@np.errstate(all="ignore")
def _may_be_root(results: np.ndarray, total: _Sum, allowed: float, form: Format) -> Truth:
    """Return which results are within ``allowed`` ulp of the root of a sum, or 0 if the sum may be subnormal."""
    actual, low = results.astype(np.float64), np.sqrt(total.low)
    high = np.sqrt(np.minimum(total.high, form.largest))
    reached = (actual >= low - _places(low, allowed, form)) & (actual <= high + _places(high, allowed, form))
    flushed = (actual == 0.0) & (total.low < form.smallest_normal)
    infinite = (actual == np.inf) & (total.high == np.inf)
    return np.asarray((np.isfinite(actual) & reached) | flushed | infinite | (np.isnan(actual) & np.isnan(total.high)))


def _places(values: Real, allowed: float, form: Format) -> Real:
    return np.asarray(allowed * ulps(Enclosure.of(np.minimum(values, form.largest)), form))
