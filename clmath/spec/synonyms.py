"""Names that are not built-ins: functions of other libraries, and public names without a case in audits."""

from __future__ import annotations

import functools
import re
from types import MappingProxyType
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.spec import files
from clmath.spec.aliases import aliases

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

_FAST = re.compile("^(native|half|fast)_")  # OpenCL C has such forms of a few functions


@functools.cache
def synonyms() -> Mapping[str, tuple[str, ...]]:
    """Return the built-ins that compute a function of another library, the likeliest first."""
    return MappingProxyType({name: tuple(meant) for group in _part("same").values() for name, meant in group.items()})


@functools.cache
def differences() -> Mapping[str, str]:
    """Differences between functions of other libraries and the built-ins that are nearest to them."""
    groups = _part("differs").items()
    return MappingProxyType(
        {name: f"{_of(library)} {name} {how}" for library, group in groups for name, how in group.items()}
    )


@functools.cache
def strangers() -> Mapping[str, str]:
    """Return the functions of other libraries without a similar built-in, each with its library."""
    return MappingProxyType({name: library for library, names in _part("none").items() for name in names.split()})


def advice(name: str, known: Sequence[str]) -> str:
    """Return the end of a message about ``name``: its counterpart in ``known``; empty if no table has it."""
    same = synonyms().get(name, ())
    meant = [builtin for builtin in same if builtin in known]
    if meant:
        return f"; did you mean {' or '.join(map(repr, meant))}?"
    if same:
        return f"; it is clmath.{same[0]}, which has no place here"
    if name in differences():
        return f"; {differences()[name]}"
    precise = _FAST.sub("", errors.text_of(name))
    if precise != name and precise in known:
        return f"; did you mean {precise!r}?"
    library = strangers().get(name)
    return "" if library is None else f"; {library} has {name}, and no built-in computes anything like it"


def unknown_builtin(call: str, name: str, known: Sequence[str]) -> errors.UnknownNameError:
    """Return the error for ``name``, which is not among the built-ins ``known``."""
    return errors.unknown(call, "built-in", name, known, "'clmath list' shows them all", advice(name, known))


def _of(library: str) -> str:
    """Return the possessive of a name."""
    return f"{library}'" if library.endswith("s") else f"{library}'s"


def _part(kind: str) -> Mapping[str, Any]:
    part: Mapping[str, Any] = files.load("synonyms.toml")[kind]
    return part


_WIDTH = re.compile(r"(?<=[a-z])(2|3|4|8|16)(?=_|$)")


@functools.cache
def unaudited() -> Mapping[str, str]:
    """Return the reason for every name."""
    groups = files.load("unaudited.toml").values()
    return MappingProxyType({name: group["reason"] for group in groups for name in group["names"]})


def not_audited(call: str, name: str, known: Sequence[str]) -> errors.UnknownNameError:
    """Error for a ``name`` without cases in an audit: the reason if clmath has it, or else a suggestion."""
    case = case_of_vectors(name, known)
    if case is not None:
        fact = f"{name!r} has no case of its own; the case of {case!r} has vectors of every width"
        return errors.UnknownNameError(f"{call}: {fact}: write {case}")
    reason = unaudited().get(name)
    if reason is None:
        return unknown_builtin(call, name, known)
    return errors.UnknownNameError(
        f"{call}: {name!r} has no case: {reason}; name others, 'clmath list' shows all cases"
    )


def case_of_vectors(name: str, known: Sequence[str]) -> str | None:
    """Return the audit's case in ``known`` that covers the vectors of alias ``name``: convert_int for convert_int4."""
    case = _WIDTH.sub("", name)
    return case if name in aliases() and name != case and case in known else None
