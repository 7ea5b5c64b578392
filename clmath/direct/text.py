"""Numbers as text, as printf writes them: decimal and hexadecimal digits rounded once from the exact value.

Decimal digits come from Python's decimal numbers, which hold every double exactly and round once in any of four modes.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterable
from typing import NamedTuple

from clmath.numbers.rounding import Rounding

__all__ = ["Text", "of_floats", "of_integer"]

_NIBBLES = 13  # hexadecimal digits after the point of a double
_CONTEXTS = {  # the precision counts for hexadecimal digits alone: quotients of 53 bits by 2^52
    "rte": decimal.Context(100, decimal.ROUND_HALF_EVEN, traps=[]),
    "rtz": decimal.Context(100, decimal.ROUND_DOWN, traps=[]),
    "rtp": decimal.Context(100, decimal.ROUND_CEILING, traps=[]),
    "rtn": decimal.Context(100, decimal.ROUND_FLOOR, traps=[]),
}


class Text(NamedTuple):
    """A converted number: its sign, prefix and magnitude, and whether zeros may be inserted before the magnitude."""

    sign: str
    prefix: str
    body: str
    zeros: bool

    def padded(self, width: int, flags: str) -> str:
        """The text in a field of at least ``width`` characters."""
        head = self.sign + self.prefix
        if "-" in flags:
            return (head + self.body).ljust(width)
        if "0" in flags and self.zeros:
            return head + self.body.rjust(width - len(head), "0")
        return (head + self.body).rjust(width)


def of_integer(value: int, conversion: str, precision: int | None, flags: str) -> Text:
    """``value`` converted by d, i, u, o, x or X."""
    magnitude = abs(value)
    body = format(magnitude, conversion if conversion in "oxX" else "d")
    body = "" if value == 0 and precision == 0 else body.rjust(precision or 1, "0")
    if "#" in flags and conversion == "o" and not body.startswith("0"):
        body = "0" + body
    prefix = "0" + conversion if "#" in flags and conversion in "xX" and value else ""
    sign = _sign(value < 0, flags) if conversion in "di" else ""
    return Text(sign, prefix, body, zeros=precision is None)


def of_floats(
    values: Iterable[float], conversion: str, precision: int | None, flags: str, mode: Rounding
) -> list[Text]:
    """``values`` converted by f, e, g, a or their upper-case forms, rounded in ``mode``."""
    with decimal.localcontext(_CONTEXTS[mode]):
        return [_of_float(value, conversion, precision, flags) for value in values]


def _of_float(value: float, conversion: str, precision: int | None, flags: str) -> Text:
    """One number converted by f, e, g, a or their upper-case forms, rounded as in the active decimal context."""
    negative, finite = math.copysign(1.0, value) < 0.0, math.isfinite(value)
    style, prefix = conversion.lower(), ""
    if not finite:
        body = "nan" if math.isnan(value) else "inf"
    elif style == "a":
        prefix, body = "0x", _hexadecimal(value, precision, flags)
    else:
        body = _DECIMAL[style](decimal.Decimal(value), 6 if precision is None else precision, "#" in flags).lstrip("-")
    if conversion.isupper():
        prefix, body = prefix.upper(), body.upper()
    return Text(_sign(negative, flags), prefix, body, finite)


def _sign(negative: bool, flags: str) -> str:
    if negative:
        return "-"
    return "+" if "+" in flags else " " if " " in flags else ""


def _point(whole: str, digits: str, alternative: bool) -> str:
    return f"{whole}.{digits}" if digits or alternative else whole


def _fixed(value: decimal.Decimal, places: int, alternative: bool) -> str:
    """[-]ddd.ddd with ``places`` digits behind the point."""
    return f"{value:.{places}f}" + "." * (alternative and not places)


def _scientific(value: decimal.Decimal, places: int) -> tuple[str, int]:
    """``places`` + 1 significant digits and the exponent of the first, after rounding."""
    digits, _, exponent = f"{value:.{places}e}".lstrip("-").partition("e")
    return digits.replace(".", ""), int(exponent) if value else 0


def _exponential(value: decimal.Decimal, places: int, alternative: bool) -> str:
    """[-]d.ddde±dd with ``places`` digits behind the point."""
    digits, exponent = _scientific(value, places)
    return f"{_point(digits[0], digits[1:], alternative)}e{exponent:+03d}"


def _general(value: decimal.Decimal, precision: int, alternative: bool) -> str:
    """``precision`` significant digits, with an exponent where it is below -4 or not below their number."""
    significant = max(precision, 1)
    digits, exponent = _scientific(value, significant - 1)
    if not -4 <= exponent < significant:
        kept = digits[1:] if alternative else digits[1:].rstrip("0")
        return f"{_point(digits[0], kept, alternative)}e{exponent:+03d}"
    digits = "0" * -exponent + digits
    whole = max(exponent, 0) + 1
    kept = digits[whole:] if alternative else digits[whole:].rstrip("0")
    return _point(digits[:whole], kept, alternative)


_DECIMAL = {"f": _fixed, "e": _exponential, "g": _general}


def _hexadecimal(value: float, precision: int | None, flags: str) -> str:
    """h.hhhhp±d of a double, behind its 0x; the first digit is 1, of subnormal doubles 0, and 2 where one carries."""
    lead, rest = value.hex().lstrip("-").removeprefix("0x").split(".")
    digits, exponent = rest.split("p")
    digits = digits.ljust(_NIBBLES, "0")
    if precision is None:
        digits = digits.rstrip("0")
    elif precision < _NIBBLES:
        signed = decimal.Decimal(math.copysign(int(lead + digits, 16), value))
        kept = abs(int((signed / 16 ** (_NIBBLES - precision)).to_integral_value()))
        lead, digits = f"{kept >> 4 * precision:x}", f"{kept:0{precision + 1}x}"[1:]
    else:
        digits = digits.ljust(precision, "0")
    return f"{_point(lead, digits, '#' in flags)}p{exponent}"
