"""Failures that are known: a plain text file that the vendor keeps, with a reason on every line."""

from __future__ import annotations

import re
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from clmath import errors
from clmath.audit.plan import WIDTHS, item_named

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from clmath.audit.tally import Verdict

__all__ = ["NONE_KNOWN", "Known", "Standing", "known_failures"]

Standing: TypeAlias = Literal["pass", "fail", "not judged", "missing", "known failure", "listed, but passes"]


@dataclass(frozen=True)
class Known:
    """Why rows are known to fail, by their names: 'tgamma float', 'length double4'; ``apart``: of one subject alone."""

    reasons: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    apart: Mapping[str, Mapping[str, str]] = field(default_factory=lambda: MappingProxyType({}))

    def called(self, names: Mapping[str, str]) -> Known:
        """The same where some subjects have other names, too: ``names`` by those in the list."""
        also = {names[name]: reasons for name, reasons in self.apart.items() if names.get(name)}
        return Known(self.reasons, {**also, **self.apart})

    def of(self, subject: str) -> Known:
        """What is known of the rows of ``subject``, as it is called on the command line."""
        return Known({**self.reasons, **self.apart.get(subject, {})})

    def reason(self, verdict: Verdict) -> str:
        """The reason that stands in the list; empty where the row does not."""
        return self.reasons.get(str(verdict.item), "")

    def standing(self, verdict: Verdict) -> Standing:
        """The status of a row, in view of the list: a row that is on it must fail."""
        if self.reason(verdict) and verdict.status == "fail":
            return "known failure"
        if self.reason(verdict) and verdict.status == "pass":
            return "listed, but passes"
        return verdict.status


NONE_KNOWN = Known()


def known_failures(path: Path, call: str) -> Known:
    """The list in the file ``path``: a line 'BUILT-IN TYPE: REASON' a row; blank lines and those with # are skipped.

    Lines after '[SUBJECT]' are of that subject alone. ClmathError where the file cannot be read, or a line is not of
    that kind, names no row, or one that stands there already.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()  # some editors begin a file with a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        fact = getattr(error, "strerror", None) or "it is not text in UTF-8"
        raise errors.ClmathError(f"{call}: --known-failures {path} cannot be read: {fact}") from None
    every: dict[str, str] = {}
    reasons, apart = every, dict[str, dict[str, str]]()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        place = f"{call}: {path}, line {number}"
        if line.lstrip().startswith("["):
            reasons = apart.setdefault(_subject(line.strip(), place), {})
            continue
        name, _, reason = (part.strip() for part in line.partition(":"))
        row = _row(name, place)
        if not reason:
            raise errors.ClmathError(f"{place}: {row} has no reason; write {row}: why it fails")
        if row in reasons or row in every:
            raise errors.ClmathError(f"{place}: {row} stands there twice; remove one of the lines")
        reasons[row] = reason
    return Known(every, apart)


def _subject(line: str, place: str) -> str:
    """The subject whose part of the list begins."""
    found = re.fullmatch(r"\[(.+)\]\s*(#.*)?", line)
    if found is None:
        raise errors.ClmathError(f"{place}: {line!r} does not begin the part of a subject; write [SUBJECT]")
    return found[1].strip()


def _row(name: str, place: str) -> str:
    """The name of a row as reports write it."""
    words = name.split()
    if len(words) != 2:
        raise errors.ClmathError(f"{place}: {name!r} is not the name of a row; write tgamma float: why it fails")
    form = words[1].rstrip("0123456789")
    item_named(words[0], form, call=place)
    width = words[1].removeprefix(form)
    if width and width not in map(str, WIDTHS[1:]):
        known = ", ".join(map(str, WIDTHS[1:]))
        raise errors.ClmathError(f"{place}: {words[1]} has {width} lanes; vectors have {known}; leave 1 out")
    return " ".join(words)
