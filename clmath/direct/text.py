"""Numbers as text, as printf writes them: decimal and hexadecimal digits rounded once from the exact value.

Decimal digits come from Python's decimal numbers, which hold every double exactly and round once in any of four modes.
"""

from __future__ import annotations

import decimal
import math
from collections.abc import Iterable
from dataclasses import dataclass

from clmath.numbers.rounding import Rounding

_NIBBLES = 13  # hexadecimal digits after the point of a double
_CONTEXTS = {  # the precision counts for hexadecimal digits alone: quotients of 53 bits by 2^52
    "rte": decimal.Context(100, decimal.ROUND_HALF_EVEN, traps=[]),
    "rtz": decimal.Context(100, decimal.ROUND_DOWN, traps=[]),
    "rtp": decimal.Context(100, decimal.ROUND_CEILING, traps=[]),
    "rtn": decimal.Context(100, decimal.ROUND_FLOOR, traps=[]),
}


@dataclass(frozen=True)
class Style:
    """How a number is written: flags, the least width, the precision if there is one, and the conversion."""

    flags: str
    width: int
    precision: int | None
    conversion: str

    def padded(self, sign: str, body: str, *, zeros: bool) -> str:
        """The text in a field of at least ``width`` characters; ``zeros``: whether zeros may precede the body."""
        if "-" in self.flags:
            return (sign + body).ljust(self.width)
        if "0" in self.flags and zeros:
            return sign + body.rjust(self.width - len(sign), "0")
        return (sign + body).rjust(self.width)

    def sign(self, *, negative: bool) -> str:
        """The sign of a number."""
        return "-" if negative else "+" if "+" in self.flags else " " if " " in self.flags else ""

    def pointed(self, digits: str, whole: int = 1) -> str:
        """``digits`` with a point after the first ones; # keeps a point without digits behind it."""
        has_point = len(digits) > whole or "#" in self.flags
        return f"{digits[:whole]}.{digits[whole:]}" if has_point else digits


def of_integers(values: Iterable[int], style: Style) -> list[str]:
    """``values`` converted by d, i, u, o, x or X."""
    digits = f"%.{style.precision or 1}{style.conversion if style.conversion in 'oxX' else 'd'}"
    return [_of_integer(v, digits % abs(v) if v or style.precision != 0 else "", style) for v in values]


def _of_integer(value: int, digits: str, style: Style) -> str:
    conversion, is_alternative = style.conversion, "#" in style.flags
    sign = style.sign(negative=value < 0) if conversion in "di" else ""
    if is_alternative and conversion == "o" and not digits.startswith("0"):
        digits = "0" + digits
    if is_alternative and conversion in "xX" and value:
        sign = "0" + conversion
    return style.padded(sign, digits, zeros=style.precision is None)


def of_floats(values: Iterable[float], style: Style, mode: Rounding) -> list[str]:
    """``values`` converted by f, e, g, a or their upper-case forms, rounded in ``mode``."""
    with decimal.localcontext(_CONTEXTS[mode]):
        return [_of_float(value, style) for value in values]


def _of_float(value: float, style: Style) -> str:
    """One number converted by f, e, g, a or their upper-case forms, rounded as in the active decimal context."""
    sign, conversion = style.sign(negative=math.copysign(1.0, value) < 0.0), style.conversion.lower()
    if not math.isfinite(value):
        body = "nan" if math.isnan(value) else "inf"
    elif conversion == "a":
        sign, body = sign + "0x", _hexadecimal(value, style)
    else:
        places = 6 if style.precision is None else style.precision
        body = _DECIMAL[conversion](decimal.Decimal(value), places, style).lstrip("-")
    if style.conversion.isupper():
        sign, body = sign.upper(), body.upper()
    return style.padded(sign, body, zeros=math.isfinite(value))


def _fixed(value: decimal.Decimal, places: int, style: Style) -> str:
    """[-]ddd.ddd with ``places`` digits behind the point."""
    return f"{value:.{places}f}" + "." * ("#" in style.flags and not places)


def _scientific(value: decimal.Decimal, places: int) -> tuple[str, int]:
    """``places`` + 1 significant digits and the exponent of the first, after rounding."""
    digits, _, exponent = f"{value:.{places}e}".lstrip("-").partition("e")
    return digits.replace(".", ""), int(exponent) if value else 0


def _exponential(value: decimal.Decimal, places: int, style: Style) -> str:
    """[-]d.ddde±dd with ``places`` digits behind the point."""
    digits, exponent = _scientific(value, places)
    return f"{style.pointed(digits)}e{exponent:+03d}"


def _general(value: decimal.Decimal, precision: int, style: Style) -> str:
    """``precision`` significant digits, with an exponent where it is below -4 or not below their number."""
    significant = max(precision, 1)
    digits, exponent = _scientific(value, significant - 1)
    is_fixed = -4 <= exponent < significant
    digits, whole = "0" * -exponent * is_fixed + digits, max(exponent, 0) * is_fixed + 1
    if "#" not in style.flags:
        digits = digits[:whole] + digits[whole:].rstrip("0")
    return style.pointed(digits, whole) + ("" if is_fixed else f"e{exponent:+03d}")


_DECIMAL = {"f": _fixed, "e": _exponential, "g": _general}


def _hexadecimal(value: float, style: Style) -> str:
    """h.hhhhp±d of a double, behind its 0x; the first digit is 1, of subnormal doubles 0, and 2 where one carries."""
    digits, exponent = value.hex().lstrip("-").removeprefix("0x").replace(".", "").split("p")
    digits, precision = digits.ljust(_NIBBLES + 1, "0"), style.precision
    if precision is None:
        digits = digits[0] + digits[1:].rstrip("0")
    elif precision < _NIBBLES:
        signed = decimal.Decimal(math.copysign(int(digits, 16), value))
        kept = abs(int((signed / 16 ** (_NIBBLES - precision)).to_integral_value()))
        digits = f"{kept:0{precision + 1}x}"
    else:
        digits = digits.ljust(precision + 1, "0")
    return f"{style.pointed(digits)}p{exponent}"
