"""``clmath eval sprintf FORMAT VALUE...``: the text that printf writes by a format of the user's own."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.inputs import values
from clmath.audit.plan.types import TEXT, TYPES
from clmath.functions.printf import Specification, parsed, sprintf
from clmath.numbers.formats import format_named

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from clmath.numbers.rounding import Rounding

__all__ = ["lines"]


def lines(
    words: Sequence[str], type: str | None, modes: Sequence[Rounding], call: str, *, bits: bool = False
) -> Iterator[str]:
    """Yield the arguments of the format, the first of ``words``, and the text in each mode that makes a difference.

    ``type``: the type of each scalar number, float by default.
    """
    if not words:
        raise errors.ShapeError(f"{call}: sprintf needs a format; write {call} sprintf '%.3f' 1.5")
    format, *texts = words
    form = format_named("float" if type is None else type, call)
    wanted = [piece for piece in parsed(format) if isinstance(piece, Specification)]
    count = sum(one.components or 1 for one in wanted)
    if len(texts) != count:
        fact = f"{format!r} takes {count} value{'s' * (count != 1)}, the components of vectors one by one"
        raise errors.ShapeError(f"{call}: {fact}; {len(texts)} are given: give {count}")
    yield f"text sprintf({format!r}), {form}; printf chapter, section 3.23.2"
    arguments: list[Any] = []
    for number, one in enumerate(wanted):
        components, texts = texts[: one.components or 1], texts[one.components or 1 :]
        kind = one.type_of(form.name)
        yield f"args[{number}]   {', '.join(_shown(text, kind, call, bits=bits) for text in components)}"
        stored = [_argument(text, kind, call, bits=bits) for text in components]
        arguments.append(np.concatenate(stored) if one.components else stored[0][0])
    told = [sprintf(format, *arguments, rounding=mode) for mode in modes]
    alike = len(set(told)) == 1
    for mode, text in list(zip(modes, told, strict=True))[: 1 if alike else None]:
        yield f"{'result' if alike else mode:9} {text!r}"


def _argument(text: str, kind: str, call: str, *, bits: bool) -> Any:
    """Return an array of the value, or a list of the string."""
    if kind == TEXT.name:
        return [text]
    return values.column(values.parse(text, kind, TYPES[kind], bits, call), kind, TYPES[kind])


def _shown(text: str, kind: str, call: str, *, bits: bool) -> str:
    if kind == TEXT.name:
        return repr(text)
    return values.number_text(values.parse(text, kind, TYPES[kind], bits, call), kind, TYPES[kind])
