"""The request of an export: built-ins, types and the language."""

from __future__ import annotations

import fnmatch
import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, TypeAlias

from clmath import errors
from clmath.export.whole import conversions, is_whole
from clmath.kernels.for_devices import kernels_of
from clmath.numbers.formats import FORMATS
from clmath.spec.builtins import EXACT, builtins, precise
from clmath.spec.synonyms import advice

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

Language: TypeAlias = Literal["c", "opencl", "cuda"]
LANGUAGES: tuple[Language, ...] = ("c", "opencl", "cuda")
ALL = "all"
_TYPES = {"gentype", "intn"}  # of arguments and results
_LIST = "'clmath export --list' shows what can be exported"


@dataclass(frozen=True)
class Request:
    """Built-ins in the order of the specification, formats from the narrowest on, and a language."""

    builtins: tuple[Builtin, ...]
    formats: tuple[Format, ...]
    language: Language

    @functools.cached_property
    def functions(self) -> tuple[tuple[Builtin, Format], ...]:
        """Each built-in in each format that it has."""
        return tuple((row, form) for row in self.builtins for form in self.formats_of(row))

    def formats_of(self, row: Builtin) -> tuple[Format, ...]:
        """Return the formats of ``row`` that are requested; a conversion leaves out its own format."""
        return tuple(form for form in self.formats if form in row.formats)


@functools.cache
def exportable() -> tuple[Builtin, ...]:
    """Return the built-ins of numbers that kernels, or one function, compute completely, and the conversions."""
    return (*(row for row in builtins().values() if _is_exportable(row)), *conversions())


def _is_exportable(row: Builtin) -> bool:
    is_plain = {p.type for p in (*row.inputs, *row.outputs)} <= _TYPES and not row.widths
    if is_whole(row) or not is_plain:
        return is_plain
    return precise(row.name) == row.name and all(kernels_of(row.name, form) for form in FORMATS)


def request_of(call: str, names: str, types: str, language: str) -> Request:
    """Return the request for ``names``, ``types`` and ``language``; UnknownNameError if one of them is unknown."""
    rows = _rows(call, names)
    formats = _formats(call, types)
    known = next((one for one in LANGUAGES if one == language), None)
    if known is None:
        raise errors.not_one_of(call, "--language", language, LANGUAGES)
    asked = Request(tuple(row for row in rows if set(row.formats) & set(formats)), formats, known)
    missing = [row for row in rows if row.name in _words(names) and row not in asked.builtins]
    if missing or not asked.builtins:
        raise _only_itself((missing or list(rows))[0], call, types)
    return asked


def _only_itself(row: Builtin, call: str, types: str) -> errors.UnknownNameError:
    """Return the error about a conversion from the one format that it does not take."""
    others = ",".join(map(str, row.formats))
    return errors.UnknownNameError(
        f"{call}: {row.name} takes numbers of other formats, and --types is {types!r}; write --types {others}"
    )


def _words(text: str) -> list[str]:
    return [word.strip() for word in text.split(",") if word.strip()]


def _rows(call: str, names: str) -> tuple[Builtin, ...]:
    """Return the built-ins that match the names and globs, in the order of the table."""
    known = [row.name for row in exportable()]
    found: set[str] = set()
    for word in _words(names):
        matches = known if word == ALL else fnmatch.filter(known, word)
        if not matches:
            raise _unknown(call, word, known)
        found.update(matches)
    if not found:
        raise errors.UnknownNameError(f"{call}: {names!r} names no built-in; write sin,exp, or all; {_LIST}")
    return tuple(row for row in exportable() if row.name in found)


def _unknown(call: str, word: str, known: Sequence[str]) -> errors.UnknownNameError:
    """Return the error about a name that is not a built-in, or that cannot be exported."""
    row = builtins().get(word) or builtins(*EXACT).get(word)
    if row is None:
        return errors.unknown(call, "built-in", word, known, _LIST, advice(word, known))
    meant = row.same_as
    remedy = f"write {meant}" if meant in known and meant != word else "leave it out"
    return errors.UnknownNameError(
        f"{call}: what is exported takes and gives numbers, correctly rounded, and {_other(row)}; {remedy}: {_LIST}"
    )


def _other(row: Builtin) -> str:
    """Return the kind of a built-in that cannot be exported."""
    if row.chapter in EXACT:
        return f"{row.name} is of the {row.chapter} chapter"
    if row.widths:
        return f"{row.name} takes vectors"
    return f"{row.name} is less accurate" if row.same_as != row.name else f"{row.name} takes an encoding"


def _formats(call: str, types: str) -> tuple[Format, ...]:
    """Return the named formats."""
    known = [form.name for form in FORMATS]
    words = _words(types)
    for word in words:
        if word not in known:
            raise errors.not_one_of(call, "--types", word, known)
    if not words:
        raise errors.UnknownNameError(f"{call}: --types {types!r} names nothing; write --types {','.join(known)}")
    return tuple(form for form in FORMATS if form.name in words)
