"""Formulas in which each operation is rounded, in the notation of the tables of limits."""

from __future__ import annotations

import ast
import functools
from dataclasses import dataclass

import numpy as np

__all__ = ["RoundedSteps", "SumOfProducts", "rounded_steps", "tree_of"]


@dataclass(frozen=True)
class RoundedSteps:
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
        """The parameters that the formula names."""
        trees = [tree_of(text) for text in (self.body, self.inner) if text]
        names = {node.id for tree in trees for node in ast.walk(tree) if isinstance(node, ast.Name)}
        return frozenset(names - {"π", "clamp", self.name})

    @property
    def is_of_pi(self) -> bool:
        """Whether the formula has a constant that no format has: it may be any number near it."""
        return any(isinstance(node, ast.Name) and node.id == "π" for node in ast.walk(tree_of(self.body)))


@dataclass(frozen=True)
class SumOfProducts:
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


def rounded_steps(text: str, division: float, domain: float = np.inf) -> RoundedSteps:
    """Parse the formula ``text``: ``x + (y - x) * a``, or ``t * t with t = x - y``.

    Raises SyntaxError unless it is a formula of sums, products, quotients, ``π`` and ``clamp``.
    """
    body, _, let = text.partition(" with ")
    name, _, inner = let.partition(" = ")
    steps = RoundedSteps(body, name, inner, division, domain)
    for tree in [tree_of(part) for part in (body, inner) if part]:
        for node in ast.walk(tree):
            if not isinstance(node, _NODES) or (isinstance(node, ast.Call) and ast.unparse(node.func) != "clamp"):
                raise SyntaxError(text)
    return steps


_NODES = (
    *(ast.BinOp, ast.Add, ast.Sub, ast.Mult, ast.Div, ast.UnaryOp, ast.USub),
    *(ast.Call, ast.Constant, ast.Name, ast.Load),
)


@functools.cache
def tree_of(formula: str) -> ast.expr:
    """Return a formula as a tree."""
    return ast.parse(formula, mode="eval").body
