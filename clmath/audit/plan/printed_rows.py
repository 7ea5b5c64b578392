"""Rows of printf: the formats of each row, the values that a call prints, and the text due."""

from __future__ import annotations

import functools
import re
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.functions.printf import Specification, parsed, sprintf

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = [
    "LITERAL",
    "RETURNED",
    "computed",
    "formats_of",
    "given",
    "has_several",
    "lanes_in",
    "passed",
    "specifications",
    "stored_texts",
]

Args: TypeAlias = "tuple[np.ndarray, ...]"

LITERAL = "clmath"  # the string that %s prints
RETURNED = "<r>"  # in a format: what the call of printf that prints all before returned, 0 (3.23.2)
_PLACES = {**dict.fromkeys("fega", 0), **dict.fromkeys("dic", 1), **dict.fromkeys("oux", 2)}  # arguments by conversion
_NUL = "\\0"
_ORDER = (0, 1, 2, 3, 3, 2, 1, 0, 1, 3, 0, 2, 2, 0, 3, 1)  # so that no four components are those before them
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
    """The formats of a row in a type, in the order of their numbers."""
    one, vector = _MODIFIERS.get(type, ("", ""))
    return tuple(text.replace("<l>", one).replace("<v>", vector) for text in row.printed)


def lanes_in(format: str) -> int:
    """The number of lanes that a format prints; 1 where it prints a scalar."""
    match = _VECTOR.search(format)
    return int(match[1]) if match else 1


def given(values: Sequence[object], format: str) -> list[Any]:
    """Return the printed components; those after the fourth are the values in other orders. Empty for a string."""
    return [values[place % len(values)] for place in _ORDER[: lanes_in(format)]] if values else []


def has_several(row: Builtin) -> bool:
    """Whether formats of a row of printf are more than one conversion specification each."""
    return any(RETURNED in format or format.count("%") > 1 for format in row.printed)


@functools.lru_cache(maxsize=512)
def specifications(format: str) -> tuple[Specification, ...]:
    """The conversion specifications of a format."""
    return tuple(piece for piece in parsed(format) if isinstance(piece, Specification))


def passed(values: Sequence[object], format: str) -> list[Any]:
    """The arguments of a format with several conversions of scalars: the number that each conversion prints."""
    kinds = [one.conversion.lower() for one in specifications(format)]
    return [LITERAL if kind == "s" else values[min(_PLACES[kind], len(values) - 1)] for kind in kinds]


def computed(item: ExactItem, args: Args, rounding: Rounding = "rte") -> np.ndarray:
    """The text that ``clmath.sprintf`` gives for each call, as results hold it."""
    *values, numbers = args
    result = np.zeros(len(numbers), item.result.dtype)
    for number, format in enumerate(formats_of(item.builtin, item.form.name)):
        here = numbers == number
        if here.any():
            write = _written_several if has_several(item.builtin) else _written
            result[here] = stored_texts(write(format, [v[here] for v in values], rounding, int(here.sum())))
    return result


def _written(format: str, values: list[np.ndarray], rounding: Rounding, count: int) -> list[str]:
    lanes = given(values, format)
    if not lanes:
        return [sprintf(format, LITERAL)] * count
    argument = np.stack(lanes, axis=-1) if len(lanes) > 1 else lanes[0]
    return list(sprintf(format, argument, rounding=rounding))


def _written_several(format: str, values: list[np.ndarray], rounding: Rounding, count: int) -> list[str]:
    found = sprintf(format.replace(RETURNED, "0"), *passed(values, format), rounding=rounding)
    return [found] * count if isinstance(found, str) else list(found)


def stored_texts(texts: Sequence[str]) -> list[bytes]:
    r"""Texts as arrays hold them: bytes, with "\\0" for the character 0, since NumPy drops zeros at the end."""
    return [text.replace("\0", _NUL).encode("latin-1") for text in texts]
