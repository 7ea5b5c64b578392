"""Texts that printf writes, from exact fractions: OpenCL C++ 1.0, 3.23.2, and ISO/IEC 9899:TC2, 7.19.6.1."""

from __future__ import annotations

import functools
import math
import re
from collections.abc import Callable
from fractions import Fraction
from typing import NamedTuple, TypeAlias

from clmath.numbers.formats import Rounding

FLOATING, SIGNED, _TEXTS = "fega", "di", "cs"
_NIBBLES = 13  # hexadecimal digits after the point of a double
_BITS = {"hh": 8, "h": 16}  # of the types that integers are converted to
_CONVERSION = re.compile(
    r"%(?P<flags>[-+ #0]*)(?P<width>\d*)(?:\.(?P<precision>\d*))?(?:v(?P<lanes>\d+))?(?P<length>hh|hl|h|l)?(?P<kind>.)"
)


Printed: TypeAlias = float | str


class Conversion(NamedTuple):
    """A conversion specification; ``components``: of a vector, 0 for a scalar."""

    whole: str
    flags: str
    width: int
    precision: int | None
    components: int
    length: str
    kind: str

    @property
    def is_floating(self) -> bool:
        """Whether it converts floating-point numbers."""
        return self.kind.lower() in FLOATING


@functools.lru_cache(maxsize=512)
def parsed(format: str) -> tuple[str | Conversion, ...]:
    """Return the ordinary characters and the conversion specifications of a format that is defined."""
    pieces: list[str | Conversion] = []
    place = 0
    for match in _CONVERSION.finditer(format):
        width, precision, components = (int(match[name] or 0) for name in ("width", "precision", "lanes"))
        precise = None if match["precision"] is None else precision
        known = Conversion(match[0], match["flags"], width, precise, components, match["length"] or "", match["kind"])
        pieces += [format[place : match.start()], "%" if match["kind"] == "%" else known]
        place = match.end()
    return tuple(piece for piece in (*pieces, format[place:]) if piece)


def text(one: Conversion, values: Printed | list[Printed] | tuple[Printed, ...], mode: Rounding) -> str:
    """Return the text of an argument; of a vector the elements with commas between."""
    elements = values if isinstance(values, (list, tuple)) else [values]
    return ",".join(_converted(one, value, mode) for value in elements)


def _converted(one: Conversion, value: Printed, mode: Rounding) -> str:
    if one.kind in _TEXTS:
        shown = chr(int(value) & 0xFF) if one.kind == "c" else str(value)[: one.precision]
        return _padded(one, "", shown, zeros=False)
    if one.is_floating:
        number = float(value)
        sign = _sign(one, negative=math.copysign(1.0, number) < 0)
        head, body = _of_float(one, number, mode)
        head, body = (head.upper(), body.upper()) if one.kind.isupper() else (head, body)
        return _padded(one, sign + head, body, zeros=math.isfinite(number))
    head, body = _of_integer(one, _in_type(one, int(value)))
    return _padded(one, head, body, zeros=one.precision is None)


def _padded(one: Conversion, head: str, body: str, *, zeros: bool) -> str:
    """Return a text in its field; ``head`` stands before zeros that fill it."""
    if "0" in one.flags and "-" not in one.flags and zeros:
        body = body.rjust(one.width - len(head), "0")
    return (head + body).ljust(one.width) if "-" in one.flags else (head + body).rjust(one.width)


def _sign(one: Conversion, *, negative: bool) -> str:
    return "-" if negative else "+" if "+" in one.flags else " " if " " in one.flags else ""


def _in_type(one: Conversion, value: int) -> int:
    """Return an integer converted to the type that the length modifier of a scalar names."""
    bits = 0 if one.components else _BITS.get(one.length, 0)
    low = value % (1 << bits) if bits else value
    return low - (1 << bits) if bits and one.kind in SIGNED and low >> bits - 1 else low


def _of_integer(one: Conversion, value: int) -> tuple[str, str]:
    """Return sign or prefix, and the digits of an integer."""
    digits = f"{abs(value):{one.kind if one.kind in 'oxX' else 'd'}}"
    digits = "" if value == 0 and one.precision == 0 else digits.rjust(one.precision or 1, "0")
    if "#" in one.flags and one.kind == "o" and not digits.startswith("0"):
        digits = f"0{digits}"
    if one.kind in SIGNED:
        return _sign(one, negative=value < 0), digits
    return f"0{one.kind}" if "#" in one.flags and one.kind in "xX" and value else "", digits


def _of_float(one: Conversion, value: float, mode: Rounding) -> tuple[str, str]:
    """Return the prefix and the digits of a number without its sign, in lower case."""
    if not math.isfinite(value):
        return "", "nan" if math.isnan(value) else "inf"
    kind, precision = one.kind.lower(), 6 if one.precision is None else one.precision
    point = "#" in one.flags
    if kind != "a" and mode == "rte":  # as Python's % rounds
        return "", f"%{'#' * point}.{precision}{kind}" % abs(value)
    round_in_mode = functools.partial(rounded, mode=mode, negative=value < 0)
    if kind == "a":
        return "0x", _hexadecimal(abs(value), one.precision, round_in_mode, point=point)
    exact = abs(Fraction(value))
    if kind == "f":
        return "", _fixed(round_in_mode(exact * 10**precision), precision, point=point)
    significant = precision + 1 if kind == "e" else max(precision, 1)
    digits, exponent = _scientific(exact, significant, round_in_mode)
    if kind == "g" and -4 <= exponent < significant:
        return "", _stripped(_fixed(digits, significant - 1 - exponent, point=point), keep=point)
    shown = _fixed(digits, significant - 1, point=point)
    return "", f"{_stripped(shown, keep=point or kind == 'e')}e{exponent:+03d}"


def rounded(exact: Fraction, mode: Rounding, *, negative: bool) -> int:
    """Return the size of a number rounded to an integer."""
    if mode == "rte":
        return round(exact)
    return math.ceil(exact) if mode == ("rtn" if negative else "rtp") else math.floor(exact)


def _fixed(digits: int, places: int, *, point: bool) -> str:
    """Return an integer with a point before its last ``places`` digits."""
    shown = f"{digits:0{places + 1}}"
    return f"{shown[: len(shown) - places]}.{shown[len(shown) - places :]}" if places or point else shown


def _stripped(shown: str, *, keep: bool) -> str:
    return shown if keep or "." not in shown else shown.rstrip("0").removesuffix(".")


def _scientific(exact: Fraction, significant: int, round_in_mode: Callable[[Fraction], int]) -> tuple[int, int]:
    """Return as many ``significant`` digits, and the exponent of the first one."""
    if not exact:
        return 0, 0
    exponent = len(str(exact.numerator)) - len(str(exact.denominator))
    exponent -= Fraction(10) ** exponent > exact
    digits = round_in_mode(exact * Fraction(10) ** (significant - 1 - exponent))
    return (digits // 10, exponent + 1) if digits == 10**significant else (digits, exponent)


def _hexadecimal(size: float, precision: int | None, round_in_mode: Callable[[Fraction], int], *, point: bool) -> str:
    """Return h.hhhhp±d; the first digit is 1, of subnormal doubles 0, and 2 where one carries."""
    lead, _, rest = size.hex().removeprefix("0x").partition(".")
    digits, _, exponent = rest.partition("p")
    whole = int(lead + digits.ljust(_NIBBLES, "0"), 16)
    places = _NIBBLES if precision is None else precision
    kept = round_in_mode(whole * Fraction(16) ** (places - _NIBBLES))
    shown = f"{kept:0{places + 1}x}"
    fraction = shown[1:].rstrip("0") if precision is None else shown[1:]
    return f"{shown[0]}{'.' if fraction or point else ''}{fraction}p{exponent}"
