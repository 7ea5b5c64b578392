"""Numbers as text, as printf writes them: decimal and hexadecimal digits rounded once from the exact value.

Nothing here computes in floating point but the first guess of a decimal exponent, which integers put right.
"""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from clmath.numbers.rounding import Rounding

__all__ = ["Text", "of_float", "of_integer"]

_PLACES = 1074  # digits behind the point that the least double has: all further ones are 0
_DIGITS = 767  # significant decimal digits that a double has at most (2^-1022 - 2^-1074): all further ones are 0
_NIBBLES = 13  # hexadecimal digits behind the point that a double has


class Text(NamedTuple):
    """A converted number: its magnitude, what stands before it, and whether zeros may stand between the two."""

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


def of_float(value: float, conversion: str, precision: int | None, flags: str, mode: Rounding) -> Text:
    """``value`` converted by f, e, g, a or the same in upper case, rounded in ``mode``."""
    negative = math.copysign(1.0, value) < 0.0
    style, prefix, finite = conversion.lower(), "", math.isfinite(value)
    if not finite:
        body = "nan" if math.isnan(value) else "inf"
    elif style == "a":
        prefix, body = "0x", _hexadecimal(value, precision, flags, _Rounder(mode, negative))
    else:
        exact = _Exact(*abs(value).as_integer_ratio(), _Rounder(mode, negative))
        body = _DECIMAL[style](exact, 6 if precision is None else precision, "#" in flags)
    if conversion.isupper():
        prefix, body = prefix.upper(), body.upper()
    return Text(_sign(negative, flags), prefix, body, finite)


def _sign(negative: bool, flags: str) -> str:
    if negative:
        return "-"
    return "+" if "+" in flags else " " if " " in flags else ""


class _Rounder(NamedTuple):
    """The mode, and the sign of the number whose magnitude it rounds."""

    mode: Rounding
    negative: bool

    def quotient(self, numerator: int, denominator: int) -> int:
        """The quotient rounded to an integer."""
        floor, rest = divmod(numerator, denominator)
        if self.mode == "rte":
            return floor + (2 * rest > denominator or (2 * rest == denominator and floor % 2))
        away = self.mode == ("rtn" if self.negative else "rtp")
        return floor + (rest > 0 and away)


def _ten_to(power: int) -> int:
    """10^power, 1 for negative powers."""
    return int(10 ** max(power, 0))


class _Exact(NamedTuple):
    """The magnitude of a number as a fraction, and how it is rounded."""

    numerator: int
    denominator: int
    rounder: _Rounder

    def times_ten_to(self, power: int) -> int:
        """The value times 10^power, rounded to an integer."""
        return self.rounder.quotient(self.numerator * _ten_to(power), self.denominator * _ten_to(-power))

    def exponent(self) -> int:
        """The n with 10^n <= value < 10^(n + 1); 0 of zero."""
        if not self.numerator:
            return 0
        found = math.floor((self.numerator.bit_length() - self.denominator.bit_length()) * math.log10(2.0)) - 1
        while self._reaches(found + 1):
            found += 1
        return found

    def _reaches(self, power: int) -> bool:
        return self.numerator * _ten_to(-power) >= self.denominator * _ten_to(power)

    def scientific(self, places: int) -> tuple[str, int]:
        """``places`` + 1 significant digits and the exponent of the first, after rounding."""
        exponent, kept = self.exponent(), min(places, _DIGITS)
        digits = str(self.times_ten_to(kept - exponent))
        if len(digits) > kept + 1 and self.numerator:  # 9.99 became 10.0
            digits, exponent = digits[:-1], exponent + 1
        return digits.rjust(kept + 1, "0").ljust(places + 1, "0"), exponent


def _point(whole: str, digits: str, alternative: bool) -> str:
    return f"{whole}.{digits}" if digits or alternative else whole


def _fixed(value: _Exact, places: int, alternative: bool) -> str:
    """[-]ddd.ddd with ``places`` digits behind the point."""
    kept = min(places, _PLACES)
    digits = str(value.times_ten_to(kept)).rjust(kept + 1, "0")
    whole = len(digits) - kept
    return _point(digits[:whole], digits[whole:].ljust(places, "0"), alternative)


def _exponential(value: _Exact, places: int, alternative: bool) -> str:
    """[-]d.ddde±dd with ``places`` digits behind the point."""
    digits, exponent = value.scientific(places)
    return f"{_point(digits[0], digits[1:], alternative)}e{exponent:+03d}"


def _general(value: _Exact, precision: int, alternative: bool) -> str:
    """``precision`` significant digits, with an exponent where it is below -4 or not below their number."""
    significant = max(precision, 1)
    digits, exponent = value.scientific(significant - 1)
    if not -4 <= exponent < significant:
        kept = digits[1:] if alternative else digits[1:].rstrip("0")
        return f"{_point(digits[0], kept, alternative)}e{exponent:+03d}"
    digits = "0" * -exponent + digits
    whole = max(exponent, 0) + 1
    kept = digits[whole:] if alternative else digits[whole:].rstrip("0")
    return _point(digits[:whole], kept, alternative)


_DECIMAL = {"f": _fixed, "e": _exponential, "g": _general}


def _hexadecimal(value: float, precision: int | None, flags: str, rounder: _Rounder) -> str:
    """h.hhhhp±d of a double, behind its 0x; the first digit is 1, of subnormal doubles 0, and 2 where one carries."""
    lead, rest = abs(value).hex().removeprefix("0x").split(".")
    digits, exponent = rest.split("p")
    digits = digits.ljust(_NIBBLES, "0")
    if precision is None:
        digits = digits.rstrip("0")
    elif precision < _NIBBLES:
        kept = rounder.quotient(int(lead + digits, 16), 16 ** (_NIBBLES - precision))
        lead, digits = f"{kept >> 4 * precision:x}", f"{kept:0{precision + 1}x}"[1:]
    else:
        digits = digits.ljust(precision, "0")
    return f"{_point(lead, digits, '#' in flags)}p{exponent}"
