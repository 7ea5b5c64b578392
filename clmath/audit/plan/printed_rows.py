"""Rows of printf: the formats of each row, the values that a call prints, and the expected text."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Sequence
from typing import TypeAlias, TypeVar

import numpy as np

from clmath.audit.plan.exact_item import ExactItem
from clmath.numbers.rounding import Rounding
from clmath.reference.bitwise.printing import Conversion, parsed, text
from clmath.spec.builtins import Builtin

Args: TypeAlias = "tuple[np.ndarray, ...]"
T = TypeVar("T")

LITERAL = "clmath"  # the string that %s prints
RETURNED = "<r>"  # in a format: the value 0 that the call of printf that prints all before it returns (3.23.2)
_PLACES = {**dict.fromkeys("fega", 0), **dict.fromkeys("dic", 1), **dict.fromkeys("oux", 2)}  # arguments by conversion
_NUL = "\\0"
_ORDER = (0, 1, 2, 3, 3, 2, 1, 0, 1, 3, 0, 2, 2, 0, 3, 1)  # four successive components differ from the four before
_VECTOR = re.compile(r"v(\d+)")
_MODIFIERS = {  # the length modifier for a scalar, and for a vector
    "char": ("hh", "hh"),
    "uchar": ("hh", "hh"),
    "short": ("h", "h"),
    "ushort": ("h", "h"),
    "half": ("", "h"),
    "int": ("", "hl"),
    "uint": ("", "hl"),
    "float": ("", "hl"),
    "long": ("l", "l"),
    "ulong": ("l", "l"),
    "double": ("", "l"),
}


def formats_of(row: Builtin, type: str) -> tuple[str, ...]:
    """Return the formats of a row in a type, in the order of their numbers."""
    one, vector = _MODIFIERS.get(type, ("", ""))
    return tuple(text.replace("<l>", one).replace("<v>", vector) for text in row.printed)


def components_in(format: str) -> int:
    """Return the number of components that a format prints, or 1 for a scalar."""
    match = _VECTOR.search(format)
    return int(match[1]) if match else 1


def given(values: Sequence[T], format: str) -> list[T]:
    """Return the printed components: the values, then the values in other orders; none for a string."""
    return [values[place % len(values)] for place in _ORDER[: components_in(format)]] if values else []


def has_several(row: Builtin) -> bool:
    """Whether formats of a row of printf have more than one conversion specification."""
    return any(RETURNED in format or format.count("%") > 1 for format in row.printed)


@functools.lru_cache(maxsize=512)
def specifications(format: str) -> tuple[Conversion, ...]:
    """Return the conversion specifications of a format."""
    return tuple(piece for piece in parsed(format) if isinstance(piece, Conversion))


def passed(values: Sequence[T], format: str) -> list[T | str]:
    """Return the arguments of a format with several conversions of scalars, one for each conversion."""
    kinds = [one.kind.lower() for one in specifications(format)]
    return [LITERAL if kind == "s" else values[min(_PLACES[kind], len(values) - 1)] for kind in kinds]


def computed(item: ExactItem, args: Args, rounding: Rounding = "rte") -> np.ndarray:
    """Return the text that is expected of each call, as results hold it."""
    *values, numbers = (column.tolist() for column in args)
    formats = formats_of(item.builtin, item.form.name)
    texts = [_text(item, formats[number], [v[k] for v in values], rounding) for k, number in enumerate(numbers)]
    return np.array(stored_texts(texts), item.result.dtype)


def _text(item: ExactItem, format: str, values: list[float | str], rounding: Rounding) -> str:
    """Return the text of one call."""
    left: Iterator[float | str | list[float | str]]
    if has_several(item.builtin):
        left = iter(passed(values, format))
    else:
        components = given(values, format) or [LITERAL]
        left = iter([components] if components_in(format) > 1 else components)
    pieces = parsed(format.replace(RETURNED, "0"))
    return "".join(piece if isinstance(piece, str) else text(piece, next(left), rounding) for piece in pieces)


def stored_texts(texts: Sequence[str]) -> list[bytes]:
    r"""Return texts as arrays hold them: bytes, with "\\0" for the character 0, since NumPy drops zeros at the end."""
    return [text.replace("\0", _NUL).encode("latin-1") for text in texts]
