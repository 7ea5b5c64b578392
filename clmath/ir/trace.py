"""Call functions of elements once with symbols as arguments, and record their operations as a ``Program``.

Other engines run the same functions: only the primitives of ``primitives`` get another meaning, in copies of the
namespaces in which the functions look them up.
"""

from __future__ import annotations

import functools
import importlib
import inspect
from collections.abc import Callable, Mapping, Sequence
from types import FunctionType, MappingProxyType, SimpleNamespace
from typing import Literal, NoReturn, TypeAlias

import numpy as np

from clmath import errors
from clmath.ir import primitives
from clmath.ir.program import Constant, Kind, Operand, Program, Statement, Tables, Value
from clmath.ir.values import Real
from clmath.locks import once

__all__ = ["Machine", "Symbol", "TraceError", "trace"]

Machine: TypeAlias = Literal["device", "usual", "python", "ranges"]
Traced: TypeAlias = "Symbol | float"  # an element, or a number that is known in advance
_Operator: TypeAlias = "Callable[[Symbol, Traced], Symbol]"

# and the modules whose names begin with lane_
_ELEMENTWISE = (
    *(primitives.__name__, "clmath.kernels.", "clmath.audit.acceptance.", "clmath.spec."),
    *("clmath.numbers.", "clmath.direct.exact_", "clmath.engines.device.", "clmath.export."),
)
_WIDTH: dict[Kind, int] = {"bool": 0, "long": 1, "double": 2}
_WHOLE = 2.0**52  # from here on every double is an integer
_INT64 = range(-(1 << 63), 1 << 63)


class TraceError(errors.ClmathError, TypeError):
    """A traced function does something that straight-line code cannot express."""


def trace(
    function: Callable[..., object],
    inputs: Sequence[Kind],
    outputs: Sequence[Kind],
    tables: Tables,
    *known: object,
    named: Mapping[str, object] = MappingProxyType({}),
    machine: Machine = "device",
) -> Program:
    """Record the operations of ``function`` on values of the kinds ``inputs``; its results have the kinds ``outputs``.

    The tables that it reads are placed in ``tables``; ``known`` and ``named`` are further arguments, which are
    constants in the program. A device has fused products, and tables may be read beyond their ends; programs for
    Python's floats express both by other operations. Ranges have the integer part as one operation: the bits of a range
    say nothing. Raise TraceError if the function branches on an element.
    """
    record = _Record(function, inputs, tables)
    symbols = (Symbol(record, kind, Value(i)) for i, kind in enumerate(inputs))
    found = _traceable(function, machine)(*symbols, *known, **named)
    parts = found if isinstance(found, tuple) else (found,)
    results = [(kind, record.operand(part, kind)) for part, kind in zip(parts, outputs, strict=True)]
    return Program.needed(inputs, record.statements, results, record.names)


def _traceable(function: Callable[..., object], machine: Machine) -> Callable[..., object]:
    """A copy of ``function`` that takes symbols; for a function local to another one, with the names of its module."""
    if not isinstance(function, FunctionType):
        raise TraceError(f"trace(): {function!r} is not a lane function; pass a function of a module of kernels")
    space = _namespace(function.__module__, machine)
    primitive = space.get(function.__name__) if getattr(primitives, function.__name__, None) is function else None
    return primitive if callable(primitive) else _copied(function, space)


def _copied(function: FunctionType, space: dict[str, object]) -> FunctionType:
    copy = FunctionType(function.__code__, space, function.__name__, function.__defaults__, function.__closure__)
    copy.__kwdefaults__ = function.__kwdefaults__
    return copy


@once
def _namespace(name: str, machine: Machine) -> dict[str, object]:
    """The names that the module ``name`` defines and imports; its functions are copied so that they take symbols."""
    module = importlib.import_module(name)
    space = dict(vars(module))
    for key, value in vars(module).items():
        if inspect.ismodule(value) and _may_have_elements(value.__name__, name):
            space[key] = SimpleNamespace(**_namespace(value.__name__, machine))
        elif inspect.isfunction(value) and value.__module__ == name:
            space[key] = _copied(value, space)
        elif inspect.isfunction(value) and _may_have_elements(value.__module__, name):
            space[key] = _namespace(value.__module__, machine)[value.__name__]
    if module is primitives:
        space.update(_PRIMITIVES | _OF_MACHINES[machine])
    return space


def _may_have_elements(module: str, importer: str) -> bool:
    """Whether functions of ``module`` that ``importer`` imports may take elements; true for modules of one package,
    too.
    """
    return module.startswith(_ELEMENTWISE) or module.rpartition(".")[0] == importer.rpartition(".")[0]


class _Record:
    """The statements so far; equal ones are written once."""

    def __init__(self, function: Callable[..., object], inputs: Sequence[Kind], tables: Tables) -> None:
        self.function = f"{function.__module__}.{function.__qualname__}"
        self.statements: list[Statement] = []
        self.tables = tables
        self._inputs = len(inputs)
        self._known: dict[Statement, Symbol] = {}
        parameters = inspect.signature(function).parameters.items()
        arguments = [name for name, one in parameters if one.kind is not one.KEYWORD_ONLY][: len(inputs)]
        self.scopes: list[str] = []
        self.names: dict[str, Value | Constant] = {name: Value(i) for i, name in enumerate(arguments)}

    def add(self, kind: Kind, operation: str, *operands: Operand) -> Symbol:
        """Return the value of one more statement, or of an equal earlier statement."""
        statement = Statement(kind, operation, operands)
        if statement not in self._known:
            self._known[statement] = Symbol(self, kind, Value(self._inputs + len(self.statements)))
            self.statements.append(statement)
        return self._known[statement]

    def operand(self, value: Traced, kind: Kind) -> Value | Constant:
        """``value``, a symbol or a number, as a ``kind``: wider kinds hold the narrower ones."""
        if not isinstance(value, Symbol):
            return self._constant(value, kind)
        if _WIDTH[value.kind] > _WIDTH[kind]:
            self.refuse(f"takes a {value.kind} for a {kind}")
        if value.kind == kind:
            return value.operand
        return self.add(kind, f"{kind}.of_{value.kind}", value.operand).operand

    def _constant(self, value: float, kind: Kind) -> Constant:
        if _WIDTH[_kind(value)] > _WIDTH[kind]:
            self.refuse(f"takes {value!r} for a {kind}")
        if kind == "double":
            return Constant(kind, _code(value))
        if int(value) not in _INT64:
            self.refuse(f"uses the integer {value}, which has more than 64 bits")
        return Constant(kind, int(value))

    def name(self, name: str, value: Traced) -> None:
        """Name ``value``; a second value of the same name becomes ``name.2``, a third ``name.3``."""
        operand = value.operand if isinstance(value, Symbol) else self._constant(value, _kind(value))
        name = ".".join((*self.scopes, name))
        free, count = name, 1
        while self.names.setdefault(free, operand) != operand:
            count += 1
            free = f"{name}.{count}"

    def refuse(self, fact: str) -> NoReturn:
        """Say that the function cannot be traced."""
        raise TraceError(f"{self.function} cannot run on a device: it {fact}")


def _kind(value: Traced) -> Kind:
    """The kind of a symbol or a number."""
    if isinstance(value, Symbol):
        return value.kind
    if isinstance(value, (bool, np.bool_)):
        return "bool"
    return "long" if isinstance(value, (int, np.integer)) else "double"


def _wider(*values: Traced) -> Kind:
    return max(map(_kind, values), key=_WIDTH.__getitem__)


def _both_ways(name: str, least: Kind = "long") -> tuple[_Operator, _Operator]:
    """Return an operator and its reflected form for a symbol on the right; both compute in the wider kind, or in
    ``least``.
    """

    def applied(left: Traced, right: Traced) -> Symbol:
        kind = max(_wider(left, right), least, key=_WIDTH.__getitem__)
        return _recorded(kind, f"{kind}.{name}", kind, left, right)

    return applied, lambda right, left: applied(left, right)


def _comparison(name: str) -> _Operator:
    """Return a comparison of numbers in the wider of both kinds."""

    def compared(left: Traced, right: Traced) -> Symbol:
        kind = _wider(left, right)
        return _recorded("bool", f"{kind}.{name}", kind, left, right)

    return compared


def _alone(name: str) -> Callable[[Symbol], Symbol]:
    return lambda self: self.record.add(self.kind, f"{self.kind}.{name}", self.operand)


class Symbol:
    """An element whose value is not known yet: each operation on it is recorded."""

    __array_ufunc__ = None  # a NumPy scalar on the left leaves the operation to the symbol
    __hash__ = None  # type: ignore[assignment]

    def __init__(self, record: _Record, kind: Kind, operand: Value | Constant) -> None:
        self.record, self.kind, self.operand = record, kind, operand

    __add__, __radd__ = _both_ways("add")
    __sub__, __rsub__ = _both_ways("sub")
    __mul__, __rmul__ = _both_ways("mul")
    __truediv__, __rtruediv__ = _both_ways("div", "double")
    __lshift__, __rlshift__ = _both_ways("shl")
    __rshift__, __rrshift__ = _both_ways("shr")
    __and__, __rand__ = _both_ways("and", "bool")
    __or__, __ror__ = _both_ways("or", "bool")
    __xor__, __rxor__ = _both_ways("xor", "bool")

    __lt__, __le__, __gt__, __ge__ = (_comparison(name) for name in ("lt", "le", "gt", "ge"))
    __eq__, __ne__ = _comparison("eq"), _comparison("ne")  # type: ignore[assignment]
    __neg__, __abs__, __invert__ = _alone("neg"), _alone("abs"), _alone("not")

    def __bool__(self) -> bool:  # noqa: PLE0304 - it never returns
        self.record.refuse("branches on a lane, whose value differs from lane to lane; write select(condition, a, b)")

    def __float__(self) -> float:
        self.record.refuse("asks for the number in a lane, which only the device knows")

    __int__ = __index__ = __iter__ = __len__ = __float__


def _recorded(kind: Kind, operation: str, of: Kind, *values: Traced) -> Symbol:
    """The operation on ``values``, at least one of them a symbol, as numbers of the kind ``of``."""
    record = _record_of(*values)
    return record.add(kind, operation, *(record.operand(value, of) for value in values))


def _record_of(*values: Traced) -> _Record:
    return next(value.record for value in values if isinstance(value, Symbol))


def _select(condition: Traced, yes: Traced, no: Traced) -> Traced:
    if not isinstance(condition, Symbol):
        return yes if condition else no
    record, kind = condition.record, _wider(yes, no)
    chosen = record.operand(yes, kind), record.operand(no, kind)
    return record.add(kind, f"{kind}.select", record.operand(condition, "bool"), *chosen)


def _mark(names: str, *values: Traced) -> object:
    for name, value in zip(names.split(), values, strict=True):
        _record_of(*values).name(name, value)
    return primitives.mark(names, *values)


def _scope(name: str, function: Callable[..., object]) -> Callable[..., object]:
    def scoped(*values: Traced) -> object:
        scopes = _record_of(*values).scopes
        scopes.append(name)
        try:
            return function(*values)
        finally:
            scopes.pop()

    return scoped


def _rarely(condition: Traced) -> Traced:
    return _recorded("bool", "rarely", "bool", condition) if isinstance(condition, Symbol) else condition


def _take(table: Real, index: Traced) -> Symbol:
    record = _record_of(index)
    if not (isinstance(table, np.ndarray) and table.dtype == np.float64 and table.ndim == 1):
        record.refuse("takes entries of what is no one-dimensional table of doubles")
    return record.add("double", "take", record.operand(index, "long"), record.tables.place(table))


def _piecewise(entry: Callable[[Real, Symbol], Symbol], t: Symbol, piece: Symbol, tables: Sequence[Real]) -> Symbol:
    y = entry(tables[-1], piece)
    for table in tables[-2::-1]:
        y = y * t + entry(table, piece)
    return y


def _lesser(a: Traced, b: Traced) -> Traced:
    return _select((a < b) | (a != a), a, b)  # NaN is passed on, as by np.minimum


def _greater(a: Traced, b: Traced) -> Traced:
    return _select((a > b) | (a != a), a, b)


def _clamp(x: Symbol, low: Traced, high: Traced) -> Traced:
    return _select(x < low, low, _select(x > high, high, x))


def _copysign(magnitude: Traced, x: Traced) -> Symbol:
    code = _recorded("long", "bits", "double", magnitude) if isinstance(magnitude, Symbol) else _code(magnitude)
    return _recorded("double", "from_bits", "long", code | (_recorded("long", "bits", "double", x) & primitives.SIGN))


def _code(x: float) -> int:
    return int(np.float64(x).view(np.int64))


def _trunc(x: Symbol) -> Traced:
    small = abs(x) < _WHOLE
    whole = _recorded("double", "double.of_long", "long", _integer(_select(small, x, 0.0)))
    return _select(small, _copysign(abs(whole), x), x)


def _rint(x: Symbol) -> Traced:
    size = abs(x)
    return _select(size < _WHOLE, _copysign((size + _WHOLE) - _WHOLE, x), x)


def _integer(x: Traced) -> Symbol:
    return _recorded("long", "integer", "double", x)


def _two_product(a: Traced, b: Traced) -> tuple[Traced, Symbol]:
    p = a * b
    return p, _recorded("double", "fma", "double", a, b, -p)


def _take_inside(table: Real, index: Symbol) -> Symbol:
    """An entry of a table for machines that have none beyond its ends."""
    return _take(table, _clamp(index, 0, len(table) - 1))


_PRIMITIVES: dict[str, object] = {
    "mark": _mark,
    "scope": _scope,
    "rarely": lambda condition: condition,
    "filled": lambda value, like: Symbol(like.record, "double", Constant("double", _code(value))),
    "select": _select,
    "bits": lambda x: _recorded("long", "bits", "double", x),
    "from_bits": lambda i: _recorded("double", "from_bits", "long", i),
    "float_bits": lambda x: _recorded("long", "float_bits", "double", x),
    "from_float_bits": lambda i: _recorded("double", "from_float_bits", "long", i),
    "integer": _integer,
    "real": lambda i: _recorded("double", "double.of_long", "long", i),
    "lesser": _lesser,
    "greater": _greater,
    "clamp": _clamp,
    "copysign": _copysign,
    "trunc": _trunc,
    "rint": _rint,
    "sqrt": lambda x: _recorded("double", "sqrt", "double", x),
}
_FUSED = {"take": _take, "two_product": _two_product, "piecewise": functools.partial(_piecewise, _take)}
_OF_MACHINES: dict[Machine, dict[str, object]] = {
    "device": _FUSED,
    "usual": _FUSED | {"rarely": _rarely},
    "python": {"take": _take_inside, "piecewise": functools.partial(_piecewise, _take_inside)},
    "ranges": _FUSED | {"trunc": lambda x: _recorded("double", "trunc", "double", x)},
}
