"""Texts that printf may write other than the expected ones: OpenCL C++ 1.0, 3.23.2, and ISO/IEC 9899:TC2, 7.19.6.1."""

from __future__ import annotations

import functools
import math
import re
from fractions import Fraction

import numpy as np

from clmath.audit.exact.exact_criteria import AllowedResults, Calls
from clmath.audit.plan.printed_rows import RETURNED, computed, formats_of, given, has_several, passed, specifications
from clmath.ir.values import Truth
from clmath.numbers.rounding import Rounding
from clmath.reference.bitwise.printing import Conversion, parsed, rounded, text

DIGITS = 17  # DECIMAL_DIG of double: for more, "the value is bounded by two adjacent decimal strings", 7.19.6.1
_HEXADECIMAL = re.compile(r"0x(?P<zeros>0*)(?P<lead>[0-9a-f])(?P<point>\.?)(?P<digits>[0-9a-f]*)p(?P<exponent>[+-]\d+)")
_NAN = r"nan(\([0-9a-z_]*\))?"  # "the meaning of any n-char-sequence is implementation-defined"
_INFINITY = r"inf(inity)?"
_DIGIT = re.compile(r"\d")
_AROUND: tuple[Rounding, Rounding] = ("rtz", "rtp")
_LEAST_NORMAL = 2.0**-1022


def allowed(calls: Calls) -> AllowedResults:
    """Return the expected texts, and other texts that are right; of integers and strings no other text is."""
    item, (*columns, numbers), modes = calls.item, calls.args, calls.criteria.modes
    formats, wanted = formats_of(item.builtin, item.form.name), computed(item, calls.args, modes[0])

    def is_another(call: int, shown: str) -> bool:
        format, values = formats[int(numbers[call])], [column[call].item() for column in columns]
        if not any(one.is_floating for one in specifications(format)):
            return False
        if has_several(item.builtin):
            return any(_is_right_in_all(format, passed(values, format), shown, mode) for mode in modes)
        components = given(values, format)
        return bool(components) and any(is_right(format, components, shown, mode) for mode in modes)

    def are_others(got: np.ndarray) -> Truth:
        found = np.zeros(got.shape, np.bool_)
        for call in np.flatnonzero(got != wanted).tolist():
            found[call] = is_another(call, got[call].decode("latin-1"))
        return found

    return AllowedResults(wanted, is_another=are_others)


def is_right(format: str, values: list[float | str], shown: str, mode: Rounding) -> bool:
    """Whether a device that rounds in ``mode`` may write ``shown`` for the components ``values`` in this format.

    - NaN may have any sign, and any text in parentheses behind it; an infinity is inf or infinity.
    - a: the first digit may be any except 0; for 0 and subnormal numbers of double it may be any. Without a precision
      there may be more zeros at the end.
    - f, e and g with more than 17 digits: the number lies between the two numbers of 17 digits next to the value.
    """
    (specification,) = parsed(format)
    assert isinstance(specification, Conversion)  # as the table has them
    if not specification.is_floating:
        return shown == text(specification, values if specification.components else values[0], mode)
    fields = shown.split(",")
    pairs = zip(fields, values, strict=False)
    return len(fields) == len(values) and all(_is_field(specification, f, float(v), mode) for f, v in pairs)


def _is_right_in_all(format: str, values: list[float | str], shown: str, mode: Rounding) -> bool:
    """Whether a text with several printed numbers is right; only floats may be written in several ways."""
    left, pattern = iter(values), ""
    floats: list[tuple[Conversion, float]] = []
    for piece in parsed(format.replace(RETURNED, "0")):
        if isinstance(piece, str):
            pattern += re.escape(piece)
        elif piece.is_floating:
            pattern += "(.*)"
            floats.append((piece, float(next(left))))
        else:
            pattern += re.escape(text(piece, next(left), mode))
    match = re.fullmatch(pattern, shown, re.DOTALL)
    pairs = zip(floats, match.groups() if match else (), strict=False)
    return match is not None and all(_is_field(piece, field, value, mode) for (piece, value), field in pairs)


def _is_field(specification: Conversion, field: str, value: float, mode: Rounding) -> bool:
    """Whether the text of one component is right."""
    due = functools.partial(_due, specification, value)
    if field == due(mode):
        return True
    if specification.kind.isupper():
        if field != field.upper():
            return False
        field = field.lower()
    core, width = field.strip(" "), specification.width
    padded = core.ljust(width) if "-" in specification.flags else core.rjust(width)
    if field not in (padded, f" {core}".rjust(width), f" {core}".ljust(width)):
        return False
    if math.isnan(value):
        return _is_signed(specification, core, _NAN, field, "[+-]" if "+" in specification.flags else "-?")
    sign = re.escape(due(mode).strip(" ")[0]) if math.copysign(1.0, value) < 0 or "+" in specification.flags else ""
    if math.isinf(value):
        return _is_signed(specification, core, _INFINITY, field, sign)
    head = core[: 1 if sign else 0]
    if re.fullmatch(sign, head) is None or not _has_space(specification, core, field):
        return False
    if specification.kind in "aA":
        return _is_hexadecimal(specification, core[len(head) :], value, mode, len(head))
    return _lies_between(core, value, due("rte").strip(" ").lower())


def _due(specification: Conversion, value: float, mode: Rounding) -> str:
    return text(specification._replace(components=0), value, mode)


def _is_signed(specification: Conversion, core: str, word: str, field: str, sign: str) -> bool:
    """Whether a text is a word behind a sign."""
    return re.fullmatch(sign + word, core) is not None and _has_space(specification, core, field)


def _has_space(specification: Conversion, core: str, field: str) -> bool:
    """Whether a text without a sign begins with a space if the flag asks for one."""
    asked = " " in specification.flags and "+" not in specification.flags and core[0] not in "+-"
    lead = len(field) - len(field.lstrip(" "))
    return lead > 0 if asked else True


def _is_hexadecimal(specification: Conversion, shown: str, value: float, mode: Rounding, signs: int) -> bool:
    """Whether the digits are right for the value, rounded to their last place; the first digit sets the exponent."""
    match, precision = _HEXADECIMAL.fullmatch(shown), specification.precision
    if match is None or bool(match["point"]) != (bool(match["digits"]) or "#" in specification.flags):
        return False
    fills = "0" in specification.flags and "-" not in specification.flags
    if match["zeros"] and not (fills and len(shown) + signs == specification.width):
        return False
    if precision is not None and len(match["digits"]) != precision:
        return False
    if abs(value) >= _LEAST_NORMAL and match["lead"] == "0":
        return False
    unit = Fraction(2) ** (int(match["exponent"]) - 4 * len(match["digits"]))
    digits = int(match["lead"] + match["digits"], 16)
    exact = Fraction(abs(value)) / unit
    return digits == (exact if precision is None else rounded(exact, mode, negative=value < 0))


def _lies_between(core: str, value: float, wanted: str) -> bool:
    """Whether a text has as many digits as ``wanted``, more than 17, and lies between the neighbours of 17 digits."""
    digits = wanted.partition("e")[0].lstrip("+-0.")
    if sum(c.isdigit() for c in digits) <= DIGITS or _DIGIT.sub("0", core) != _DIGIT.sub("0", wanted):
        return False
    (precise,) = parsed(f"%.{DIGITS - 1}e")
    assert isinstance(precise, Conversion)
    down, up = (Fraction(text(precise, abs(value), mode)) for mode in _AROUND)
    return down <= Fraction(core.lstrip("+-")) <= up
