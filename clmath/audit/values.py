"""Values as people write them on a command line, and as reports show them."""

from __future__ import annotations

import math
import re
from fractions import Fraction
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.tally import value_text
from clmath.numbers.rounding import round_real

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format

__all__ = ["column", "encode", "is_plain", "number_text", "parse", "plain_text"]

_SPECIAL = re.compile(r"[+-]?(inf|infinity|nan)", re.IGNORECASE)
_HEX = re.compile(r"(?P<sign>[+-]?)0x(?P<whole>[0-9a-f]*)\.?(?P<part>[0-9a-f]*)p(?P<exponent>[+-]?\d+)", re.IGNORECASE)
_DECIMAL = re.compile(r"(?P<sign>[+-]?)(?P<whole>\d*)\.?(?P<part>\d*)(?:e(?P<exponent>[+-]?\d+))?", re.IGNORECASE)
_FARTHEST = 20000  # as an exponent: beyond it every format overflows or underflows all the same
_LONGEST = 2000  # characters: a double has no more than 1 100 digits
_INT_KINDS = {"intn": (-(2**31), 2**31 - 1)}


def parse(text: str, kind: str, form: Format, bits: bool = False, call: str = "clmath eval") -> int:
    """The value that ``text`` stands for: its encoding in ``form``, or the int itself for an int parameter.

    Decimals and hex floats are rounded once, to nearest even, inf and nan are taken; with ``bits`` the text is the
    encoding, as in 0x40490fdb. UnknownNameError for anything else.
    """
    text = text.strip()
    if len(text) > _LONGEST:
        raise errors.UnknownNameError(f"{call}: a value of {len(text)} characters is given; {_LONGEST} are enough")
    if kind not in ("gentype", "scalar"):
        return _integer(text, kind, form, call)
    if bits:
        return _encoding(text, form, call)
    if _SPECIAL.fullmatch(text):
        return encode(float(text), form)
    for pattern, base in ((_HEX, 16), (_DECIMAL, 10)):
        match = pattern.fullmatch(text)
        if match and (match["whole"] or match["part"]):
            value = _exact(match, base)
            rounded = round_real(value, form, "rte")
            return encode(-rounded if match["sign"] == "-" else rounded, form)
    remedy = "write a decimal (0.5), a hex float (0x1.8p+1), inf or nan"
    if re.fullmatch("0x[0-9a-fA-F]+", text):
        remedy = f"write {text}p0 for the number or add --bits for the encoding"
    raise errors.UnknownNameError(f"{call}: {text!r} is not a value of {form}; {remedy}")


def _exact(match: re.Match[str], base: int) -> Fraction:
    """The magnitude as written."""
    digits = int((match["whole"] + match["part"]) or "0", base)
    exponent = min(max(int(match["exponent"] or 0), -_FARTHEST), _FARTHEST)
    unit = Fraction(2 if base == 16 else 10)
    return Fraction(digits, base ** len(match["part"])) * Fraction(unit**exponent)


def _integer(text: str, kind: str, form: Format, call: str) -> int:
    least, most = _INT_KINDS.get(kind, (0, 2**form.width - 1))
    try:
        value = int(text, 0)
    except ValueError:
        raise errors.UnknownNameError(f"{call}: {text!r} is not an integer; write 3, -1 or 0x7f") from None
    if not least <= value <= most:
        span = f"{least} .. {most}"
        raise errors.UnknownNameError(f"{call}: {text} is not in {span}, where the parameter lies; reduce it")
    return value


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


def encode(value: float, form: Format) -> int:
    """The encoding of a number of ``form``."""
    return int(form.bits(value))


def column(value: int, kind: str, form: Format) -> NDArray[Any]:
    """A parsed value as an array of one element, of the dtype that its parameter has."""
    if kind == "gentype":
        return form.from_bits([value])
    return np.array([value], form.bits_dtype if kind == "nancode" else np.int32)


def plain_text(value: int, kind: str, form: Format) -> str:
    """A value in the shortest form that ``parse`` reads back: hex float, or the integer."""
    return value_text(value, kind, form).partition(" ")[0]


def is_plain(values: Sequence[int], kinds: Sequence[str], form: Format) -> bool:
    """Whether ``plain_text`` loses nothing: it does not carry the payload of a NaN."""
    return all(
        kind not in ("gentype", "scalar") or parse(plain_text(v, kind, form), kind, form) == v
        for v, kind in zip(values, kinds, strict=True)
    )


def number_text(value: int, kind: str, form: Format) -> str:
    """A value with its bits and in decimal: '0x1.8p+1 [0x40400000] = 3.0'."""
    if kind not in ("gentype", "scalar"):
        return str(value)
    number = form.from_bits(value)
    decimal = "" if not math.isfinite(number) else f" = {number[()]!s}"
    return value_text(value, kind, form) + decimal
