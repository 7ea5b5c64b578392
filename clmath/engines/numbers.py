"""Kernels on single numbers: their lines rewritten for Python's floats, where arrays of one lane cost the most.

The same lines give the same bits: ``select`` becomes a conditional expression, which evaluates one side only, and
``~`` of a condition ``not``; the primitives of ``lanes`` get a meaning for floats. What a float cannot do, such as
dividing by zero, raises ArithmeticError or ValueError.
"""

from __future__ import annotations

import ast
import importlib
import inspect
import math
import struct
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.engines.locks import once
from clmath.numbers import lanes

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["on_numbers", "rounded"]

_DOUBLE, _INTEGER, _ENCODING = struct.Struct("<d"), struct.Struct("<q"), struct.Struct("<Q")
_ALL_BITS, _SIGN = (1 << 64) - 1, 1 << 63
_OF_LANES = (lanes.__name__, "clmath.kernels.")


@once
def on_numbers(kernel: Kernel) -> Callable[..., tuple[Any, ...]]:
    """``kernel`` with its exact results found, from Python floats to the parts of each result's enclosure."""
    found = _rewritten(kernel.module)
    function = found[kernel.name]
    if kernel.ordinary:
        function = _either(found[f"is_ordinary_{kernel.name}"], found[f"ordinary_{kernel.name}"], function)
    if kernel.refining is None:
        return function  # type: ignore[no-any-return]
    refine = found[kernel.refining]
    return lambda *args: refine(*args, *function(*args))


def _either(holds: Callable[..., Any], ordinary: Callable[..., Any], general: Callable[..., Any]) -> Callable[..., Any]:
    return lambda *args: ordinary(*args) if holds(*args) else general(*args)


def rounded(kernel: Kernel, form: Format, mode: Rounding) -> Callable[..., Any]:
    """``kernel``, which has one result, from Python numbers to its value rounded to ``form``: None where undecided."""
    from clmath.reference.number import InFormat

    bounds, target = on_numbers(kernel), InFormat(form, form.precision, mode=mode).target
    has_exponent = "exponent" in kernel.parts

    def of_number(*args: float) -> Any:
        try:
            parts = bounds(*args)
        except (ArithmeticError, ValueError):
            return None
        hi, lo, err, exponent = parts if has_exponent else (parts[0], 0.0, parts[1], 0)
        if not (hi - hi == 0.0 and hi):  # a zero, an infinity or NaN is exact
            return hi
        below, above = target.add(hi, lo - err), target.add(hi, lo + err)
        if below != above and err:
            return None
        return _scaled(below, exponent) if exponent else float(below)

    return of_number


def _scaled(value: Any, exponent: int) -> Any:
    """A rounded number times 2^exponent where that is a normal double, whatever it is; None elsewhere."""
    return float(value) * 2.0**exponent if -500 < exponent < 500 and 1e-150 < abs(value) < 1e150 else None


@once
def _rewritten(name: str) -> dict[str, Any]:
    """What the module ``name`` defines and imports, its lane functions rewritten, its tables as lists."""
    module = importlib.import_module(name)
    space = {key: _converted(value, name) for key, value in vars(module).items() if not key.startswith("__")}
    space |= _OPERATORS | (_PRIMITIVES if module is lanes else {})
    tree = ast.parse(inspect.getsource(module))
    defined = [node for node in tree.body if isinstance(node, ast.FunctionDef) and _is_lane(node)]
    body = ast.Module([_Rewriting().visit(node) for node in defined], type_ignores=[])
    exec(compile(ast.fix_missing_locations(body), inspect.getfile(module), "exec"), space)  # noqa: S102 - our own lines
    return space


def _converted(value: Any, inside: str) -> Any:
    """A table as a list, what comes from another module of lane functions rewritten."""
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, tuple) and value and isinstance(value[0], np.ndarray):
        return tuple(table.tolist() for table in value)
    origin = getattr(value, "__module__", None) or inside
    if inspect.isfunction(value) and origin != inside and origin.startswith(_OF_LANES):
        return _rewritten(origin)[value.__name__]
    return value


def _is_lane(node: ast.FunctionDef) -> bool:
    return any(isinstance(d, ast.Name) and d.id == "lane" for d in node.decorator_list)


class _Rewriting(ast.NodeTransformer):
    """Turns the language of lanes into that of numbers."""

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        """Without the decorator and the annotations."""
        self.generic_visit(node)
        node.decorator_list, node.returns = [], None
        for argument in node.args.args:
            argument.annotation = None
        return node

    def visit_Call(self, node: ast.Call) -> ast.AST:
        """``select`` evaluates what it chooses."""
        self.generic_visit(node)
        if isinstance(node.func, ast.Name) and node.func.id == "select":
            return ast.IfExp(*node.args)
        return node

    def visit_UnaryOp(self, node: ast.UnaryOp) -> ast.AST:
        """``~`` is for conditions, which are bools here, and for integers."""
        self.generic_visit(node)
        if isinstance(node.op, ast.Invert):
            return ast.Call(ast.Name("inverted", ast.Load()), [node.operand], [])
        return node

    def visit_BinOp(self, node: ast.BinOp) -> ast.AST:
        """Bits that are shifted out of 64 are lost."""
        self.generic_visit(node)
        if isinstance(node.op, ast.LShift):
            return ast.Call(ast.Name("shifted", ast.Load()), [node.left, node.right], [])
        return node


def _shifted(value: int, places: int) -> int:
    return ((value << places) + _SIGN & _ALL_BITS) - _SIGN


def _inverted(value: Any) -> Any:
    return not value if value.__class__ is bool else ~value


def _two_product(a: float, b: float) -> tuple[float, float]:
    """Dekker's product in one function: calls would double its time."""
    p = a * b
    t = lanes.SPLITTER * a
    a_high = t - (t - a)
    a_low = a - a_high
    t = lanes.SPLITTER * b
    b_high = t - (t - b)
    b_low = b - b_high
    return p, ((a_high * b_high - p) + a_high * b_low + a_low * b_high) + a_low * b_low


def _take(table: Any, index: int) -> Any:
    try:
        return table[index if index > 0 else 0]  # noqa: FURB136  (max is slower)
    except IndexError:
        return table[-1]


def _bits(x: float) -> int:
    return _INTEGER.unpack(_DOUBLE.pack(x))[0]  # type: ignore[no-any-return]


def _from_bits(encoding: int) -> float:
    return _DOUBLE.unpack(_ENCODING.pack(encoding & _ALL_BITS))[0]  # type: ignore[no-any-return]


_PIECES: dict[tuple[int, int], list[tuple[float, ...]]] = {}  # by the first table, which a module keeps, and the degree


def _piecewise(t: float, piece: int, tables: tuple[list[float], ...]) -> float:
    """Each polynomial's coefficients stand together, highest powers first."""
    pieces = _PIECES.get((id(tables[0]), len(tables)))
    if pieces is None:
        pieces = _PIECES[id(tables[0]), len(tables)] = list(zip(*reversed(tables), strict=True))
    y = 0.0
    for coefficient in _take(pieces, piece):
        y = y * t + coefficient
    return y


def _polynomial(x: float, coefficients: Any) -> Any:
    y = coefficients[-1]
    for coefficient in coefficients[-2::-1]:
        y = y * x + coefficient
    return y


_OPERATORS: dict[str, Any] = {"inverted": _inverted, "shifted": _shifted}
_PRIMITIVES: dict[str, Any] = {
    "take": _take,
    "bits": _bits,
    "from_bits": _from_bits,
    "integer": int,
    "real": float,
    "lesser": min,
    "greater": max,
    "clamp": lambda x, low, high: low if x < low else min(x, high),
    "sqrt": math.sqrt,
    "piecewise": _piecewise,
    "polynomial": _polynomial,
    "two_product": _two_product,
}
