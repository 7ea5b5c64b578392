"""Call functions on arrays of one type once, with symbols as arrays, and print the recorded operations as C11.

Symbols have a dtype, and every operation has NumPy's result: integers wrap in their type, plain Python numbers take
the type of the other operand. So the functions of NumPy's engine are also the source of compiled loops. Floating-point
numbers are only compared and converted: that is exact in any floating-point type of C, and halfs are doubles there.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import numpy as np
from numpy.lib.mixins import NDArrayOperatorsMixin

from clmath.ir import printing
from clmath.ir.trace import TraceError

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import DTypeLike

    from clmath.callables import AnyFunction

Dtype: TypeAlias = "np.dtype"
Operand: TypeAlias = "Symbol | np.number | np.bool_ | float"
Operation: TypeAlias = "Callable[[Operand, Operand], Symbol]"

_BOOL = np.dtype(np.bool_)
C_NAMES: dict[Dtype, str] = {_BOOL: "bool"} | {
    np.dtype(f"{kind}{size}"): f"{'u' * (kind == 'u')}int{8 * size}_t" for kind in "iu" for size in (1, 2, 4, 8)
}
_FLOATS = {np.dtype(np.float16): "double", np.dtype(np.float32): "float", np.dtype(np.float64): "double"}
C_TYPES = C_NAMES | _FLOATS
_SWAPS = {1: "", 2: "__builtin_bswap16", 4: "__builtin_bswap32", 8: "__builtin_bswap64"}


def printed(name: str, function: AnyFunction, inputs: Sequence[Dtype], output: Dtype) -> str:
    """Return the function ``name`` of numbers of the dtypes ``inputs``, and of a pointer to its result.

    TraceError if ``function`` is more than a straight line of statements, or returns another type.
    """
    lines: list[str] = []
    found = function(*(Symbol(lines, dtype, f"v{i}") for i, dtype in enumerate(inputs)))
    if not isinstance(found, Symbol) or not _holds(output, found.dtype):
        raise TraceError(f"{name}: gives {getattr(found, 'dtype', found)}, not {output}")
    found = found.astype(output)
    lines.append(f"*r0 = {found.text};")
    return printing.function(name, [C_TYPES[dtype] for dtype in inputs], [C_TYPES[output]], lines)


def _holds(output: Dtype, found: Dtype) -> bool:
    """Whether results of the type ``found`` can be stored as ``output``: truth values become 1, or -1 if signed."""
    return found == output or (output.kind in "iu" and found.itemsize == 1 and np.can_cast(found, output))


class Symbol(NDArrayOperatorsMixin):
    """Numbers, or conditions, without a known value: each operation on them becomes a statement."""

    __hash__ = None  # type: ignore[assignment]

    def __init__(self, lines: list[str], dtype: Dtype, text: str) -> None:
        self.lines, self.dtype, self.text = lines, dtype, text

    def stated(self, dtype: Dtype, expression: str) -> Symbol:
        """Return the value of one more statement."""
        if dtype not in C_TYPES:
            _refuse(f"computes in {dtype}")
        name = f"t{len(self.lines)}"
        self.lines.append(f"const {C_TYPES[dtype]} {name} = ({C_TYPES[dtype]})({expression});")
        return Symbol(self.lines, dtype, name)

    def astype(self, dtype: DTypeLike, copy: bool = True) -> Symbol:  # noqa: ARG002 - NumPy's signature
        """Return the numbers in another type: integers wrap, formats round to nearest, bool is True unless 0."""
        target = np.dtype(dtype)
        if self.dtype == target:
            return self
        if self.dtype.kind == "f" and target != _BOOL:
            _refuse(f"converts {self.dtype} to {target}")
        return self.stated(target, f"{self.text} != 0" if target == _BOOL else self.text)

    def view(self, dtype: DTypeLike) -> Symbol:
        """Return the bits as another type of the same width."""
        if np.dtype(dtype).itemsize != self.dtype.itemsize or self.dtype.kind == "f":
            _refuse(f"views {self.dtype} as {dtype}")
        return self.astype(dtype)

    def copy(self) -> Symbol:
        """Return the same numbers."""
        return self

    def byteswap(self) -> Symbol:
        """Return the bytes in the opposite order."""
        return self.stated(self.dtype, f"{_SWAPS[self.dtype.itemsize]}({_word(self)}{self.text})")

    def __array_ufunc__(self, ufunc: np.ufunc, method: str, *given: Operand, out: object = None) -> Symbol:
        """Record a call of NumPy, or an operator, which calls a ufunc; with ``out`` if it assigns the result."""
        if method != "__call__" or ufunc not in _UFUNCS:
            _refuse(f"calls {ufunc.__name__}")
        return _UFUNCS[ufunc](*given)

    def __array_function__(
        self, function: Callable[..., object], types: object, given: tuple[Operand, ...], more: object
    ) -> Symbol:
        if function not in _FUNCTIONS or more:
            _refuse(f"calls {getattr(function, '__name__', function)}")
        return _FUNCTIONS[function](*given)

    def __bool__(self) -> bool:  # noqa: PLE0304 - it never returns
        _refuse("branches on what differs from element to element")

    __int__ = __index__ = __iter__ = __len__ = __bool__


def _refuse(fact: str) -> NoReturn:
    raise TraceError(f"a function of arrays cannot be compiled: it {fact}")


def _together(left: Operand, right: Operand) -> tuple[Symbol, Symbol]:
    """Return two operands in their common type, one of them a symbol."""
    symbol = next(x for x in (left, right) if isinstance(x, Symbol))
    dtype = np.result_type(*(x.dtype if isinstance(x, (Symbol, np.number, np.bool_)) else x for x in (left, right)))
    first, second = (_as(symbol, x, dtype) for x in (left, right))
    return first, second


def _as(symbol: Symbol, value: Operand, dtype: Dtype) -> Symbol:
    """Return ``value``, a symbol or a number that the type must hold, in the type."""
    if isinstance(value, Symbol):
        return value.astype(dtype)
    if dtype not in C_TYPES or dtype.type(value) != value:
        _refuse(f"takes {value!r} for {dtype}")
    if dtype.kind == "f":
        return Symbol(symbol.lines, dtype, _constant(float(value), dtype))
    return Symbol(symbol.lines, dtype, f"(({C_NAMES[dtype]}){int(value) & (2**64 - 1):#x}ULL)")


def _constant(number: float, dtype: Dtype) -> str:
    """Return the text of a floating-point number."""
    text = number.hex() if math.isfinite(number) else "__builtin_inf()" if number > 0 else "-__builtin_inf()"
    return f"(({C_TYPES[dtype]}){text})"


def _word(symbol: Symbol) -> str:
    """Return the cast to an unsigned type at least as wide as int: arithmetic in it wraps, and does not promote."""
    if symbol.dtype.kind == "f":
        _refuse(f"computes in {symbol.dtype}")
    unsigned = np.dtype(f"u{symbol.dtype.itemsize}")
    return f"({'Double' if unsigned.itemsize == 8 else 'Word'})({C_NAMES[unsigned]})"


def _written(text: str, result: Dtype | None = None) -> Operation:
    """Return the operation that ``text`` writes; ``result``: its type, by default the common type of the operands.

    {a}, {b}: the operands. {wrapped}: a cast to a type in which results are modulo the width of the operands' type.
    {last}: that width less one, the longest shift: longer shifts are undefined in C, and no built-in does them.
    """

    def found(left: Operand, right: Operand) -> Symbol:
        a, b = _together(left, right)
        wrapped = _word(a) if "{wrapped}" in text else ""
        last = 8 * a.dtype.itemsize - 1
        return a.stated(result or a.dtype, text.format(a=a.text, b=b.text, wrapped=wrapped, last=last))

    return found


def _wrapped(sign: str) -> Operation:
    return _written(f"{{wrapped}}{{a}} {sign} {{wrapped}}{{b}}")


_both, _either, _minus = _wrapped("&"), _wrapped("|"), _wrapped("-")
_less, _equal, _unequal = (_written(f"{{a}} {sign} {{b}}", _BOOL) for sign in ("<", "==", "!="))
_least, _most = _written("{a} < {b} ? {a} : {b}"), _written("{a} > {b} ? {a} : {b}")
# toward zero; division by 0 or -1 is undefined in C, and no built-in does it
_quotient, _rest = _written("{a} / {b}"), _written("{a} % {b}")


def _floored(left: Operand, right: Operand) -> Symbol:
    """Return the quotient rounded down."""
    first, second = _together(left, right)
    found = _quotient(first, second)
    if first.dtype.kind == "u":
        return found
    rest = _unequal(_rest(first, second), 0)
    return _minus(found, _both(rest, _less(_wrapped("^")(first, second), 0)))


def _chosen(condition: Symbol, left: Operand, right: Operand) -> Symbol:
    """Return ``left`` if a condition holds, else ``right``."""
    first, second = _together(left, right)
    return first.stated(first.dtype, f"{condition.text} ? {first.text} : {second.text}")


def _has_sign(x: Symbol) -> Symbol:
    return _less(x.stated(x.dtype, f"__builtin_copysign(1.0, {x.text})"), 0.0)


def _inverted(x: Symbol) -> Symbol:
    return x.stated(x.dtype, f"{'!' if x.dtype == _BOOL else '~'}{x.text}")


def _true(x: Symbol) -> Symbol:
    return x if x.dtype == _BOOL else _unequal(x, 0)


def _magnitude(x: Symbol) -> Symbol:
    if x.dtype.kind == "f":
        return x.stated(x.dtype, f"__builtin_fabs{'f' * (x.dtype.itemsize == 4)}({x.text})")
    return _most(x, _minus(0, x)) if x.dtype.kind == "i" and x.dtype != _BOOL else x


def _counted(x: Symbol) -> Symbol:
    """Count the set bits of an unsigned integer; of a signed one NumPy would count the bits of the magnitude."""
    if x.dtype.kind != "u":
        _refuse(f"counts the bits of {x.dtype}")
    return x.stated(np.dtype(np.uint8), f"__builtin_popcountll((Double){x.text})")


_UFUNCS: dict[np.ufunc, Callable[..., Symbol]] = {
    np.add: _wrapped("+"),
    np.subtract: _minus,
    np.multiply: _wrapped("*"),
    np.bitwise_and: _both,
    np.bitwise_or: _either,
    np.bitwise_xor: _wrapped("^"),
    np.left_shift: _written("{wrapped}{a} << ({b} & {last})"),
    np.right_shift: _written("{a} >> ({b} & {last})"),
    np.negative: lambda x: _minus(0, x),
    np.invert: _inverted,
    np.fmod: _rest,
    np.floor_divide: _floored,
    np.minimum: _least,
    np.maximum: _most,
    np.absolute: _magnitude,
    np.bitwise_count: _counted,
    np.equal: _equal,
    np.not_equal: _unequal,
    np.less: _less,
    np.less_equal: _written("{a} <= {b}", _BOOL),
    np.greater: _written("{a} > {b}", _BOOL),
    np.greater_equal: _written("{a} >= {b}", _BOOL),
    np.logical_and: lambda x, y: _both(_true(x), _true(y)),
    np.logical_or: lambda x, y: _either(_true(x), _true(y)),
    np.logical_not: lambda x: _inverted(_true(x)),
    np.isfinite: lambda x: _less(_magnitude(x), math.inf),
    np.isinf: lambda x: _equal(_magnitude(x), math.inf),
    np.isnan: lambda x: _unequal(x, x),  # NaN alone differs from itself
    np.signbit: _has_sign,
}

_FUNCTIONS: dict[Callable[..., object], Callable[..., Symbol]] = {
    np.where: _chosen,
    np.clip: lambda x, least, most: _least(_most(x, least), most),
}
