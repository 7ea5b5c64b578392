"""Formatted text: printf of OpenCL C++ 1.0, 3.23, whose result is a string here."""

from __future__ import annotations

import functools
import itertools
import math
import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors, pragmas
from clmath.call.arguments import any_of, common_shape, is_weak, operand
from clmath.direct import text
from clmath.numbers.datatypes import INTEGERS, WIDTHS, type_name
from clmath.numbers.formats import FORMATS
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.numbers.rounding import Rounding, checked_mode

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.typing import Printable

__all__ = ["sprintf"]

_CALL = "sprintf()"
_LARGEST = 2**20  # characters of a field or digits of a number; the text sets no bound, memory does

_SPECIFICATION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\*|[0-9]*)(?P<point>\.(?P<precision>\*|-?[0-9]*))?"
    r"(?P<vector>v[0-9]*)?(?P<length>hh|hl|h|ll|[ljztL])?(?P<conversion>.?)",
    re.DOTALL,
)
_SIGNED, _UNSIGNED, _FLOATING = "di", "ouxX", "fFeEgGaA"
_INTEGER = _SIGNED + _UNSIGNED
_NUMERIC = _INTEGER + _FLOATING
_SIGNS = str.maketrans("", "", "+ ")
_VECTORS = tuple(f"v{n}" for n in WIDTHS)
_RESERVED = ("ll", "j", "z", "t", "L")

_INTEGERS = {"hh": ("char", "uchar"), "h": ("short", "ushort"), "": ("int", "uint"), "hl": ("int", "uint")}
_INTEGERS["l"] = ("long", "ulong")
_FLOATS = {"h": "half", "hl": "float", "l": "double"}
_PROMOTED = ("bool", "char", "uchar", "short", "ushort", "int", "uint")  # types that a kernel passes as int or uint


def sprintf(format: str, /, *args: Printable, rounding: Rounding | None = None) -> Any:
    """The text that ``printf(format, *args)`` of a kernel writes.

    ``format``: ``%[flags][width][.precision][v2|v3|v4|v8|v16][hh|h|hl|l]conversion``. Each argument has the type of
    its conversion:

    - d, i; o, u, x, X: bool to int, and uint; with hh or h the value is converted to char or short, uchar or ushort;
      with l long or ulong. A value must be one of the conversion's own type: no negative one for u, no large uint
      for d. Python ints have the type of the conversion.
    - f, F, e, E, g, G, a, A: half, float or double, all without a length modifier.
    - with a vector specifier: the last axis has the components, and the type is exactly the one that the modifier
      names: hh char or uchar; h short, ushort or half; hl int, uint or float; l long, ulong or double. Components are
      separated by commas; flags, width and precision apply to each.
    - c: bool to int, converted to uchar, the character of that number; s: a str, up to its first NUL.

    Arrays broadcast, as work-items that print: for any argument of further axes the result is an array of str,
    otherwise it is a str. Arguments without a conversion are ignored.

    f, e, g and a round the exact value once, in ``rounding``, by default in the mode in force
    (``select_rounding_mode``). -0 and numbers that round to it have a sign, and so have NaN whose sign bit is set.
    Choices that the text leaves: inf, nan without further characters, and a begins with 0x1 (subnormal doubles, and
    zeros, with 0x0; 0x2 if the precision makes the digit carry).

    RangeError: a conversion that the text leaves undefined or to the implementation, missing arguments, or a value that
    its type does not hold. DTypeError: another type. ShapeError: components, or shapes that do not broadcast.
    Source: OpenCL C++ 1.0, 3.23.2 and 3.23.3.

    >>> sprintf("f4 = %2.2v4hlf", np.float32([1, 2, 3, 4]))
    'f4 = 1.00,2.00,3.00,4.00'
    >>> sprintf("%#v4hhx %.0e %a", np.uint8([0xFA, 0xFB, 0xFC, 0xFD]), 25.0, 0.1)
    '0xfa,0xfb,0xfc,0xfd 2e+01 0x1.999999999999ap-4'
    """
    mode = pragmas.rounding_mode() if rounding is None else checked_mode(_CALL, rounding)
    refuse_altered_arithmetic(_CALL)
    pieces = parsed(_checked_format(format))
    wanted = [p for p in pieces if isinstance(p, Specification)]
    if len(args) < len(wanted):
        fact = f"format takes {len(wanted)} of args and {len(args)} are there"
        raise errors.RangeError(f"{_CALL}: {fact}; too few are undefined (3.23.2): give {len(wanted)}, or write '%%'")
    arrays = [p.read(f"args[{i}]", a) for i, (p, a) in enumerate(zip(wanted, args, strict=False))]
    names = [f"args[{i}]" for i in range(len(arrays))]
    shapes = [a.shape[:-1] if p.components else a.shape for p, a in zip(wanted, arrays, strict=True)]
    shape = common_shape(_CALL, names, shapes) if arrays else ()
    columns: list[Sequence[float | str]] = []
    left, template = iter(arrays), ""
    for piece in pieces:
        if isinstance(piece, str):
            template += piece.replace("%", "%%")
        else:
            converted, prepared = piece.prepared(next(left), shape, mode)
            template += converted
            columns += prepared
    texts = [template % row for row in (zip(*columns, strict=True) if columns else [()])]
    return texts[0] if shape == () else np.array(texts, object).reshape(shape)


@dataclass(frozen=True)
class Specification(text.Style):
    """One conversion specification: everything between % and the conversion, ``whole``."""

    components: int
    length: str
    whole: str

    def read(self, name: str, value: object) -> np.ndarray:
        """Return the argument ``name`` as an array to convert, numbers or str, with the components of vectors last."""
        if self.conversion == "s":
            return np.array(_string(self, name, value), object)
        _refuse_text(self, name, value)
        array = _floats(self, name, value) if self.conversion in _FLOATING else _integers(self, name, value)
        if self.components and array.shape[-1:] != (self.components,):
            fact = f"{name} has shape {array.shape}; {self.whole!r} needs {self.components} components on the last axis"
            raise errors.ShapeError(f"{_CALL}: {fact}: give them, or write the vn of the argument")
        return array

    @property
    def is_promoted(self) -> bool:
        """Whether an integer argument is passed as an int or a uint."""
        return not self.components and self.length != "l"

    @functools.cached_property
    def types(self) -> tuple[str, ...]:
        """The types of numbers that the conversion takes."""
        if self.conversion in _FLOATING:
            return (_FLOATS[self.length],) if self.components else tuple(form.name for form in FORMATS)
        return _PROMOTED if self.is_promoted else _INTEGERS[self.length]

    def type_of(self, number: str) -> str:
        """Return the type of the argument, or of a vector component; ``number``: the type of a scalar number."""
        if self.conversion == "s":
            return "text"
        if self.conversion in _FLOATING:
            return _FLOATS[self.length] if self.components else number
        signed, unsigned = _INTEGERS[self.length if self.components or self.length == "l" else ""]
        return unsigned if self.conversion in _UNSIGNED else signed

    @functools.cached_property
    def python(self) -> str:
        """The specification for Python's %, which rounds the exact value to nearest even, or "" where Python differs.

        Python has no a, treats # and a precision of integers differently, and writes a sign for unsigned ones.
        """
        if self.conversion in "aA" or (
            self.conversion in _INTEGER and (self.precision is not None or "#" in self.flags)
        ):
            return ""
        flags = self.flags.translate(_SIGNS) if self.conversion in _UNSIGNED else self.flags
        precision = "" if self.precision is None else f".{self.precision}"
        return f"%{flags}{self.width or ''}{precision}{self.conversion}"

    def prepared(
        self, array: np.ndarray, shape: tuple[int, ...], mode: Rounding
    ) -> tuple[str, Sequence[Sequence[float | str]]]:
        """Return the conversion of Python's %, and a column for each component: numbers unchanged, or texts."""
        components = [array[..., k] for k in range(self.components)] if self.components else [array]
        columns = [(a if a.shape == shape else np.broadcast_to(a, shape)).reshape(-1).tolist() for a in components]
        if self.conversion in _FLOATING:
            if mode != "rte" or not self.python or not all(map(math.isfinite, itertools.chain(*columns))):
                return self._joined("%s"), [text.of_floats(column, self, mode) for column in columns]
        elif not self.python:
            return self._joined("%s"), [text.of_integers(column, self) for column in columns]
        return self._joined(self.python), columns

    def _joined(self, one: str) -> str:
        return ",".join([one] * (self.components or 1))


def _checked_format(format: object) -> str:
    if isinstance(format, str):
        return format
    fact = f"format is of type {type(format).__name__}; a str is needed: decode bytes, format.decode()"
    raise errors.DTypeError(f"{_CALL}: {fact}")


@functools.lru_cache(maxsize=512)
def parsed(format: str) -> tuple[str | Specification, ...]:
    """Parse the ordinary characters and the conversion specifications of ``format``, which ends at its first NUL."""
    format = format.partition("\0")[0]
    pieces: list[str | Specification] = []
    position = 0
    for match in _SPECIFICATION.finditer(format):
        pieces.append(format[position : match.start()])
        pieces.append("%" if match[0] == "%%" else _specification(match))
        position = match.end()
    pieces.append(format[position:])
    return tuple(p for p in pieces if p != "")


def _specification(match: re.Match[str]) -> Specification:
    """Parse a conversion specification; RangeError if the text leaves it undefined."""
    for is_wrong, fact, remedy in _faults(match):
        if is_wrong:
            raise errors.RangeError(f"{_CALL}: {match[0]!r} {fact} (3.23): {remedy}")
    precision = None if match["point"] is None else int((match["precision"] or "").lstrip("0") or 0)
    components = int(match["vector"][1:]) if match["vector"] else 0
    width = int(match["width"].lstrip("0") or 0)
    return Specification(
        match["flags"], width, precision, match["conversion"], components, match["length"] or "", match[0]
    )


_REFUSED = {
    "%": ("converts no argument; the complete specification shall be %%", "write '%%'"),
    "n": ("has the conversion specifier n, which is reserved", "take len() of what is written"),
    "p": ("writes a pointer in a manner that each implementation defines", "write the address as a ulong, '%#lx'"),
}


def _faults(match: re.Match[str]) -> Iterator[tuple[bool, str, str]]:
    """Yield, in the order of their weight, what may be wrong with a conversion: whether it is, the fact, the remedy."""
    width, precision, vector, length, conversion = match.group("width", "precision", "vector", "length", "conversion")
    is_vector, end = vector is not None, "end it with one, or write '%%' for a percent sign"
    yield not conversion, "has no conversion specifier, which is undefined", end
    fact = "takes a number from an argument; width and precision are decimal integers in the format"
    yield "*" in (width, precision), fact, "write the number, as f'%{width}d' does"
    is_negative = (precision or "").startswith("-")
    yield is_negative, "has a negative precision, which is undefined", "leave the precision out"
    fact = "has no conversion specifier of d i o u x X f F e E g G a A c s, which is undefined"
    yield conversion not in _NUMERIC + "cs%np", fact, "write one of them, or '%%' for a percent sign"
    yield conversion in _REFUSED, *_REFUSED.get(conversion, ("", ""))

    fact = f"has the length modifier {length}, which is reserved"
    yield length in _RESERVED, fact, "write l for long and ulong, none for double"
    fact = "has the length modifier hl without a vector specifier, which is undefined"
    yield not is_vector and length == "hl", fact, "leave it out"
    fact = f"has the length modifier {length} with {conversion}, which is undefined for one number"
    is_wrong = not is_vector and bool(length) and conversion not in _INTEGER
    yield is_wrong, fact, "leave it out; f, e, g and a take half, float and double as they are"
    fact = f"has the vector specifier {vector}; v2, v3, v4, v8 and v16 are defined"
    yield is_vector and vector not in _VECTORS, fact, "write one of them"
    fact = f"has a vector specifier with {conversion}, which is undefined"
    yield is_vector and conversion not in _NUMERIC, fact, "write it once for each component"
    way = "write hh for char, h for short and half, hl for int and float, l for long and double"
    yield is_vector and not length, "has a vector specifier without a length modifier, which is undefined", way
    fact = f"has the length modifier hh with {conversion}, which is undefined"
    yield length == "hh" and conversion in _FLOATING, fact, "write h for half, hl for float, l for double"

    for flag, undefined in (("#", "diucs"), ("0", "cs")):
        is_wrong = flag in match["flags"] and conversion in undefined
        yield is_wrong, f"has the flag {flag} with {conversion}, which is undefined", f"leave {flag} out"
    fact = "has a precision with c, which is undefined"
    yield match["point"] is not None and conversion == "c", fact, "leave the precision out"
    is_large = any(len(n) > len(str(_LARGEST)) or int(n) > _LARGEST for n in _digits(width, precision))
    yield is_large, f"asks for more than {_LARGEST} characters", "give a smaller width or precision"


def _digits(*numbers: str | None) -> list[str]:
    return [(number or "").lstrip("0") or "0" for number in numbers]


def _string(specification: Specification, name: str, value: object) -> str:
    """Return the characters of a str before its first NUL."""
    if not isinstance(value, str):
        fact = f"{name} is of type {type(value).__name__}; {specification.whole!r} needs a str"
        raise errors.DTypeError(f"{_CALL}: {fact}: give a literal one, or convert a number with d or g")
    characters = str(value).partition("\0")[0]
    if not characters.isascii() and (specification.width or specification.precision is not None):
        fact = f"{name} has other characters than ASCII, and {specification.whole!r} counts bytes"
        raise errors.RangeError(f"{_CALL}: {fact}; multibyte characters are not provided for (3.23): write '%s'")
    return characters


def _floats(specification: Specification, name: str, value: object) -> np.ndarray:
    """Return a half, float or double argument, or a vector of the modifier's type."""
    remedy = errors.conversion(name, specification.types[-1])
    if type(value) is int:
        raise _mismatch(specification, f"{name} is a Python int", remedy)
    array = operand(_CALL, name, value)
    if type_name(array.dtype) not in specification.types:
        raise _mismatch(specification, f"{name} is of type {type_name(array.dtype)}", remedy)
    return array


def _integers(specification: Specification, name: str, value: object) -> np.ndarray:
    """Return an integer argument as long or ulong, with the values to be printed."""
    signed, unsigned = (INTEGERS[n] for n in _INTEGERS[specification.length])
    if type(value) is int and not -(2**63) <= value < 2**64:
        raise errors.held_by_no_integer(_CALL, name, value)
    array = operand(_CALL, name, value)
    kind, is_plain = type_name(array.dtype), is_weak(value) or not hasattr(value, "dtype")
    if not (array.dtype.kind in "iu" and is_plain) and kind not in specification.types:
        remedy = errors.conversion(name, specification.types[-2])
        raise _mismatch(specification, f"{name} is of type {kind}", remedy)
    own = signed if specification.conversion in _SIGNED else unsigned
    if specification.conversion == "c" or (specification.is_promoted and specification.length):
        _check_holds(specification, name, array, INTEGERS["int"])
        narrow = INTEGERS["uchar"] if specification.conversion == "c" else own
        return array.astype(np.int64).astype(narrow)
    _check_holds(specification, name, array, own)
    return array.astype(own)


def _check_holds(specification: Specification, name: str, array: np.ndarray, dtype: np.dtype) -> None:
    """Raise RangeError if a value is outside of the type that the conversion takes."""
    if array.dtype.kind == "b" or not array.size:
        return
    info = np.iinfo(dtype)
    for value in (int(array.min()), int(array.max())):
        if not info.min <= value <= info.max:
            fact = f"{name} holds {value}, and {specification.whole!r} takes {type_name(dtype)}"
            bits = f"clmath.as_type({name}, {type_name(dtype)!r})" if array.dtype.itemsize == dtype.itemsize else ""
            low = f"clmath.convert({name}, {type_name(dtype)!r})"
            raise errors.RangeError(
                f"{_CALL}: {fact}; another value is undefined (3.23.2): {bits or low} has its low bits"
            )


def _refuse_text(specification: Specification, name: str, value: object) -> None:
    """Raise DTypeError for text that is converted as a number."""
    if isinstance(value, (str, bytes)):
        remedy = "write it with '%s'" if isinstance(value, str) else f"write {name}.decode() with '%s'"
        if len(value) == 1 and specification.conversion not in _FLOATING:
            remedy += f", or its code, ord({name})"
        raise _mismatch(specification, f"{name} is of type {type(value).__name__}", remedy)


def _mismatch(specification: Specification, fact: str, remedy: str) -> errors.DTypeError:
    """Error for an argument of another type than its conversion takes."""
    needed = f"{'a vector of ' * bool(specification.components)}{any_of(specification.types)}"
    message = f"{_CALL}: {fact}; {specification.whole!r} needs {needed}, another type is undefined (3.23.2)"
    return errors.DTypeError(f"{message}: {remedy}")
