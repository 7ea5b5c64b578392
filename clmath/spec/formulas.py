"""Formulas of the tables of limits: results that they give pass at any distance from the exact value."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass

import numpy as np

from clmath.errors import TableError

PI = float(np.float32(np.pi))
CONSTANTS = {"M_PI_F": PI, "M_1_PI_F": float(np.float32(1 / np.pi))}
OF_SIGNS = frozenset({"atan2", "rootn"})  # functions whose result depends on signs of arguments
_ALLOWED = frozenset({"atan2", "exp", "exp2", "rootn"})  # functions whose errors depend on the edition
_FUNCTIONS = _ALLOWED | {"abs", "acos", "asin", "atan", "cos", "log", "log2", "sin", "sqrt", "tan"}
_LOG = 3.0  # allowed error of log in ULPs for any argument: table 37, which has more about 1
_NODES = (
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.UnaryOp, ast.USub),
    *(ast.Call, ast.Constant, ast.Name, ast.Load),
)


class Formula:
    """A formula of the text."""

    may_be_unspecified = False  # whether it may give any result for some arguments

    @property
    def variables(self) -> frozenset[str]:
        """The parameters of the built-in that the formula names, unless these are known to be right."""
        return frozenset()

    @property
    def least(self) -> float:
        """The error in ULPs that any result may have."""
        return 0.0


@dataclass(frozen=True)
class Allowance:
    """Allowed errors of functions inside of a formula, where editions differ.

    ``exp``: ULPs of exp and exp2, a constant and whether floor(|2x|) is added; the largest counts. ``atan2``: ULPs of
    an atan2 that is not derived; 0 without such a limit.
    """

    exp: tuple[tuple[float, bool], ...]
    atan2: float = 0.0


TABLE_37 = Allowance(exp=((3.0, True), (4.0, False)))  # OpenCL C++ 1.0, 4.4


@dataclass(frozen=True)
class RelaxedArithmetic(Formula):
    """A formula of x and y in the arithmetic that the relaxed table allows: table 37, and changes of other editions."""

    text: str
    allowed: Allowance = TABLE_37
    may_be_unspecified = True

    @property
    def tree(self) -> ast.expr:
        """The formula as a tree."""
        return tree_of(self.text)

    @property
    def least(self) -> float:
        """The last function's allowed error, with an exact argument."""
        return _LOG if isinstance(self.tree, ast.Call) and ast.unparse(self.tree.func) == "log" else 0.0


@dataclass(frozen=True)
class RoundedSteps(Formula):
    """A formula whose operations are rounded one by one, products and sums contracted or not, or evaluated in one go.

    In one go: with extra precision, then rounded to the format once (OpenCL C++ 1.0, 4.1). ``inner`` is the value that
    the body calls ``name``. A quotient is correctly rounded, or within ``division`` ulp; anything where the size of an
    operand lies outside of [1 / domain, domain].
    """

    body: str
    name: str = ""
    inner: str = ""
    division: float = 0.0
    domain: float = np.inf

    @property
    def variables(self) -> frozenset[str]:
        """The parameters in the body, and in the value that it names."""
        names = [_names(tree_of(text)) for text in (self.body, self.inner) if text]
        return frozenset().union(*names) - {"π", "clamp", self.name}

    @property
    def is_of_pi(self) -> bool:
        """Whether the formula has a constant that no format has: it may be any number near it."""
        return "π" in _names(tree_of(self.body))


@dataclass(frozen=True)
class SumOfProducts(Formula):
    """``p0 · p1``, or the components of ``p0 × p1``: products and sums each rounded, contracted or not, in any order.

    Or all of it with extra precision, then rounded to the format once (OpenCL C++ 1.0, 4.1).
    """

    left: str
    sign: str
    right: str

    @property
    def variables(self) -> frozenset[str]:
        """The two vectors."""
        return frozenset({self.left, self.right})


@dataclass(frozen=True)
class TwoRoundings(Formula):
    """A multiplication and an addition, each correctly rounded."""


@dataclass(frozen=True)
class RootOfSquares(Formula):
    """A number within ``allowed`` ULPs of the root of squares that are rounded on the way."""

    allowed: float


@dataclass(frozen=True)
class Argument(Formula):
    """The argument itself."""


def relaxed(text: str, where: str, allowed: Allowance) -> RelaxedArithmetic:
    """Parse a formula of the row ``where``; it has ``allowed`` if one of its functions depends on it."""
    names = _names(_checked(text, text, where, "exp2(y * log2(|x|))"))
    if not names <= {*_FUNCTIONS, *CONSTANTS, "x", "y"}:
        raise _not_a_formula(text, where, "exp2(y * log2(|x|))")
    return RelaxedArithmetic(text, allowed if names & _ALLOWED else TABLE_37)


def rounded_steps(text: str, where: str, division: float, domain: float = np.inf) -> RoundedSteps:
    """Parse a formula of the row ``where``: ``x + (y - x) * a``, or ``t * t with t = x - y``."""
    remedy = "x + (y - x) * a in rounded steps"
    body, _, let = text.partition(" with ")
    name, _, inner = let.partition(" = ")
    for part in filter(None, (body, inner)):
        calls = [node for node in ast.walk(_checked(part, text, where, remedy)) if isinstance(node, ast.Call)]
        if any(ast.unparse(call.func) != "clamp" for call in calls):
            raise _not_a_formula(text, where, remedy)
    return RoundedSteps(body, name, inner, division, domain)


def _checked(part: str, text: str, where: str, remedy: str) -> ast.expr:
    """Return a part of the formula ``text`` as a tree; TableError if it is not a formula."""
    try:
        tree = tree_of(part)
    except SyntaxError:
        raise _not_a_formula(text, where, remedy) from None
    if not all(isinstance(node, _NODES) for node in ast.walk(tree)):
        raise _not_a_formula(text, where, remedy)
    return tree


def _not_a_formula(text: str, where: str, remedy: str) -> TableError:
    return TableError(f"{where}: {text!r} is not a formula; write {remedy!r}")


@functools.cache
def tree_of(formula: str) -> ast.expr:
    """Return a formula as a tree; SyntaxError for any other text."""
    return ast.parse(formula.replace("|x|", "abs(x)"), mode="eval").body


def _names(tree: ast.expr) -> frozenset[str]:
    """Return the names in a formula."""
    return frozenset(node.id for node in ast.walk(tree) if isinstance(node, ast.Name))
