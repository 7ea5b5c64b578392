"""Formulas of the relaxed tables, in the float arithmetic that the tables allow inside of them."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass

import numpy as np

from clmath.errors import TableError

__all__ = ["CONSTANTS", "OF_SIGNS", "PI", "TABLE_37", "Allowance", "RelaxedArithmetic", "parsed", "relaxed"]

PI = float(np.float32(np.pi))
CONSTANTS = {"M_PI_F": PI, "M_1_PI_F": float(np.float32(1 / np.pi))}
OF_SIGNS = frozenset({"atan2", "rootn"})  # functions whose result depends on signs of arguments
_ALLOWED = frozenset({"atan2", "exp", "exp2", "rootn"})  # functions whose errors depend on the edition
_FUNCTIONS = _ALLOWED | {"abs", "acos", "asin", "atan", "cos", "log", "log2", "sin", "sqrt", "tan"}
# allowed error in ULPs of a function for any argument: table 37 has 3 for log, with more about 1
_LAST = {"log": 3.0}


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
class RelaxedArithmetic:
    """A formula in the arithmetic that the relaxed table allows: table 37, and the changes of other editions."""

    text: str
    allowed: Allowance = TABLE_37

    @property
    def variables(self) -> frozenset[str]:
        """The parameters of the built-in that the formula names: none, since x and y are parameters anyway."""
        return frozenset()

    @property
    def least(self) -> float:
        """The error in ULPs that any result may have: the last function's allowed error, with an exact argument."""
        match parsed(self.text, "limits.toml"):
            case ast.Call(func=ast.Name(id=name)):
                return _LAST.get(name, 0.0)
        return 0.0


@functools.cache
def parsed(formula: str, where: str) -> ast.expr:
    """Return the formula as a tree; TableError naming ``where``, the row, if it is not a formula."""
    try:
        tree = ast.parse(formula.replace("|x|", "abs(x)"), mode="eval").body
    except SyntaxError:
        tree = ast.expr()
    for node in ast.walk(tree):
        known = {*_FUNCTIONS, *CONSTANTS, "x", "y"}
        if type(node) is ast.expr or (isinstance(node, ast.Name) and node.id not in known):
            raise TableError(f"{where}: {formula!r} is not a formula; write 'exp2(y * log2(|x|))'")
    return tree


def relaxed(text: str, where: str, allowed: Allowance) -> RelaxedArithmetic:
    """Return the formula ``text`` of the row ``where``, with ``allowed`` if one of its functions depends on it."""
    named = {node.id for node in ast.walk(parsed(text, where)) if isinstance(node, ast.Name)}
    return RelaxedArithmetic(text, allowed if named & _ALLOWED else TABLE_37)
