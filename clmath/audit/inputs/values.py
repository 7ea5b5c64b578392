"""Conversion of values from text on a command line, and to text in reports."""

from __future__ import annotations

import math
import re
from collections.abc import Sequence
from fractions import Fraction

import numpy as np

from clmath import errors
from clmath.audit.counting.tally import value_text
from clmath.audit.inputs.layout import Columns, dtype_of
from clmath.audit.plan.item import Item
from clmath.audit.plan.types import TEXT, TYPES, Whole, form_of, result_called
from clmath.numbers.datatypes import type_name
from clmath.numbers.formats import Format, is_float
from clmath.numbers.rounding import round_real

_SPECIAL = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)
_HEX = re.compile(r"(?P<sign>[+-]?)0x(?P<whole>[0-9a-f]*)\.?(?P<part>[0-9a-f]*)p(?P<exponent>[+-]?\d+)", re.IGNORECASE)
_DECIMAL = re.compile(r"(?P<sign>[+-]?)(?P<whole>\d*)\.?(?P<part>\d*)(?:e(?P<exponent>[+-]?\d+))?", re.IGNORECASE)
_FARTHEST = 20000  # larger exponents are clipped to it: every format overflows or underflows there
_ALL_DIGITS = 1e16  # integers below it are shown in full
_LONGEST = 2000  # characters: a double has no more than 1 100 digits


def parse(text: str, kind: str, form: Format, bits: bool = False, call: str = "clmath eval") -> int:
    """Return the value of ``text``: its encoding in ``form``, or the int itself for an int parameter.

    Decimals and hex floats are rounded once, to nearest even; inf and nan are accepted. With ``bits`` the text is the
    encoding, as in 0x40490fdb. UnknownNameError for anything else.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        raise errors.UnknownNameError(f"{call}: a value of {len(text)} characters is given; {_LONGEST} are enough")
    type = form_of(kind, form)
    if type is None:
        return _integer(text, kind, form, call)
    form = type
    if bits:
        return _encoding(text, form, call)
    if _SPECIAL.fullmatch(text):
        return int(form.bits(float(text)))
    for pattern, base in ((_HEX, 16), (_DECIMAL, 10)):
        match = pattern.fullmatch(text)
        if match and (match["whole"] or match["part"]):
            value = _exact(match, base)
            rounded = round_real(value, form, "rte")
            return int(form.bits(-rounded if match["sign"] == "-" else rounded))
    remedy = "write a decimal (0.5), a hex float (0x1.8p+1), inf or nan"
    if re.fullmatch("0x[0-9a-fA-F]+", text):
        remedy = f"write {text}p0 for the number or add --bits for the encoding"
    raise errors.UnknownNameError(f"{call}: {text!r} is not a value of {form}; {remedy}")


def _exact(match: re.Match[str], base: int) -> Fraction:
    """Return the exact magnitude of the number that matched."""
    digits = int((match["whole"] + match["part"]) or "0", base)
    exponent = min(max(int(match["exponent"] or 0), -_FARTHEST), _FARTHEST)
    unit = Fraction(2 if base == 16 else 10)
    return Fraction(digits, base ** len(match["part"])) * Fraction(unit**exponent)


def _integer(text: str, kind: str, form: Format, call: str) -> int:
    least, most = span(kind, form)
    try:
        value = int(text, 0)
    except ValueError:
        raise errors.UnknownNameError(f"{call}: {text!r} is not an integer; write 3, -1 or 0x7f") from None
    if not least <= value <= most:
        remedy = "reduce it" if value > most else "raise it"
        raise errors.UnknownNameError(f"{call}: {text} is not in {least} .. {most}, where the parameter lies; {remedy}")
    return value


def span(kind: str, form: Format) -> tuple[int, int]:
    """Return the least and the greatest stored value of a parameter; a number is stored as its encoding."""
    type = TYPES["int"] if kind == "intn" else result_called(kind) if kind in (*TYPES, TEXT.name) else None
    return (type.least, type.most) if isinstance(type, Whole) else (0, 2 ** (type or form).width - 1)


def _encoding(text: str, form: Format, call: str) -> int:
    try:
        value = int(text, 0)
    except ValueError:
        value = -1
    if not 0 <= value < 2**form.width:
        digits = form.width // 4
        raise errors.UnknownNameError(
            f"{call}: {text!r} is not an encoding of {form}; write {form.width} bits as 0x and {digits} hex digits"
        )
    return value


def column(value: int, kind: str, form: Format) -> np.ndarray:
    """Return a parsed value as an array of one element, of the dtype that its parameter has."""
    type = form_of(kind, form)
    if type is not None:
        return type.from_bits([value])
    return np.array([value], dtype_of(kind, form))


def stored(values: np.ndarray) -> list[int]:
    """Return the values as reports store them: encodings of numbers, and ints."""
    return [int(v) for v in (values.view(f"u{values.itemsize}") if is_float(values.dtype) else values)]


def stored_columns(item: Item, calls: Sequence[Sequence[int]]) -> Columns:
    """Return the inputs of calls from the stored values of their arguments."""
    return tuple(
        np.concatenate([column(value, kind, item.form) for value in values])
        for kind, values in zip(item.columns, zip(*calls, strict=True), strict=True)
    )


def plain_text(value: int, kind: str, form: Format) -> str:
    """Return a value in the shortest form that ``parse`` reads back: hex float, or the integer."""
    return value_text(value, kind, form).partition(" ")[0]


def encoding_text(value: int, kind: str, form: Format) -> str:
    """Return the encoding of a number, which ``parse`` reads back with ``bits``, or an integer in decimal."""
    type = form_of(kind, form)
    return str(value) if type is None else f"0x{value:0{type.width // 4}x}"


def is_plain(values: Sequence[int], kinds: Sequence[str], form: Format) -> bool:
    """Whether ``plain_text`` loses nothing, as it does for the payload of a NaN."""
    return all(
        form_of(kind, form) is None or parse(plain_text(v, kind, form), kind, form) == v
        for v, kind in zip(values, kinds, strict=True)
    )


def number_text(value: int, kind: str, form: Format) -> str:
    """Return a value as hex float, with its bits, and in decimal: '0x1.8p+1 [0x40400000] = 3.0'."""
    type = form_of(kind, form)
    if type is None:
        return value_text(value, kind, form)
    number = type.from_bits(value)[()]
    decimal = float(number)
    if not math.isfinite(decimal):
        return value_text(value, kind, form)
    is_short_integer = decimal.is_integer() and abs(decimal) < _ALL_DIGITS
    return f"{value_text(value, kind, form)} = {f'{decimal:.1f}' if is_short_integer else str(number)}"


def arguments_text(item: Item, args: Columns, place: int) -> str:
    """Return the arguments of one call by their names, with their bits."""
    shown = []
    for parameter, values in zip(item.builtin.inputs, args, strict=True):
        kind, components = type_name(values.dtype), values[place : place + 1].reshape(-1)
        texts = [value_text(v, kind, item.form) for v in stored(components)]
        shown.append(f"{parameter.name} = {texts[0] if values.ndim == 1 else '(' + ', '.join(texts) + ')'}")
    return ", ".join(shown)
