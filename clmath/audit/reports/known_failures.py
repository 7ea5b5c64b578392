"""Known failures, a plain text file that the vendor keeps with a reason on every line; cases that need attention."""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from clmath import errors
from clmath.audit.counting.tally import BEYOND, Example, Tally, Verdict
from clmath.audit.plan.rows import WIDTHS, item_called, item_named
from clmath.audit.plan.types import without_components

Standing: TypeAlias = Literal[
    "pass", "fail", "not judged", "missing", "known failure", "worse than known", "listed, but passes"
]


class Entry(NamedTuple):
    """Why a case is known to fail, and by how many ulp at most; without a number, any failure is covered."""

    reason: str
    most: float | None = None


@dataclass(frozen=True)
class Known:
    """The entries of a list by the names of cases: 'tgamma float', 'length double4'.

    ``apart``: further entries, by target. ``unclear``: why a part of the list cannot be assigned to a target.
    """

    entries: Mapping[str, Entry] = field(default_factory=lambda: MappingProxyType({}))
    apart: Mapping[str, Mapping[str, Entry]] = field(default_factory=lambda: MappingProxyType({}))
    unclear: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))

    def called(self, names: Mapping[str, Sequence[str]], place: str) -> Known:
        """Return the list with further names of its targets: ``names`` has all possible meanings of a name in the list.

        ``place``, in errors, is the name of the list.
        """
        apart = {name: dict(entries) for name, entries in self.apart.items()}
        unclear = {}
        for name, entries in self.apart.items():
            for other in names[name]:
                if len(names[name]) == 1:
                    apart[other] = {**entries, **apart.get(other, {})}
                else:
                    unclear[other] = f"{place}: [{name}] may mean {', '.join(names[name])}; write one of them"
        return Known(self.entries, apart, unclear)

    def of(self, target: str) -> Known:
        """Return the known failures of the target that the command line calls ``target``.

        ClmathError if a part of the list may belong to this target or to another.
        """
        if target in self.unclear:
            raise errors.ClmathError(self.unclear[target])
        return Known({**self.entries, **self.apart.get(target, {})})

    def reason(self, verdict: Verdict) -> str:
        """Return the listed reason, after a note if the case is worse than listed; empty if the case is not listed."""
        entry = self._entry(verdict)
        return "" if entry is None else f"{_growth(verdict, entry)}{entry.reason}"

    def _entry(self, verdict: Verdict) -> Entry | None:
        """Return the entry of a case; reports look each case up dozens of times, mostly without a list."""
        return self.entries.get(str(verdict.item)) if self.entries else None

    def standing(self, verdict: Verdict) -> Standing:
        """Return the status of a case in view of the list: a listed case must fail, within its entry's bound."""
        entry = self._entry(verdict)
        if entry is not None and verdict.status == "fail":
            return "worse than known" if _growth(verdict, entry) else "known failure"
        if entry is not None and entry.reason and verdict.status == "pass":
            return "listed, but passes"
        return verdict.status


NONE_KNOWN = Known()


def _growth(verdict: Verdict, entry: Entry) -> str:
    """Return how a case fails by more than its entry says, in words; empty if it does not."""
    if entry.most is None or verdict.status != "fail":
        return ""
    tally, known = verdict.tally, f"known are errors up to {entry.most:.15g} ulp"
    for reason, count in tally.reasons:
        if not reason.startswith(BEYOND):
            return f"{count} of {tally.tried} inputs fail otherwise ({reason}), {known}: "
    off = max([abs(e.error) for e in (*tally.failures, *([tally.worst] if tally.worst else ()))], default=math.nan)
    if off <= entry.most:
        return ""
    return (
        f"off by {math.ceil(off * 1000) / 1000:.15g} ulp, {known}: "
        if math.isfinite(off)
        else f"off by {off}, {known}: "
    )


def known_failures(path: Path, call: str) -> Known:
    """Return the list in the file ``path``: one line 'BUILT-IN TYPE: REASON' per case, blank lines and comments.

    'BUILT-IN TYPE <= N ulp: REASON' covers failures by errors up to N ulp, and no others. Lines after '[SUBJECT]' are
    about that target alone. ClmathError if the file cannot be read, or if a line is malformed, names no case, or names
    a case that is already listed.
    """
    try:
        lines = path.read_text(encoding="utf-8-sig").splitlines()  # without a byte order mark
    except (OSError, UnicodeDecodeError) as error:
        wanted = "a file of lines such as 'floor float: why it fails'"
        raise errors.not_read(call, f"--known-failures {path}", error, wanted) from None
    every: dict[str, Entry] = {}
    entries, apart = every, dict[str, dict[str, Entry]]()
    for number, line in enumerate(lines, 1):
        if not line.strip() or line.lstrip().startswith("#"):
            continue
        place = f"{call}: {path}, line {number}"
        if line.lstrip().startswith("["):
            entries = apart.setdefault(_target(line.strip(), place), {})
            continue
        name, _, reason = (part.strip() for part in line.partition(":"))
        name, sign, bound = (part.strip() for part in name.partition("<="))
        row = _row(name, place)
        most = _most(bound, row, place) if sign else None
        if not reason:
            raise errors.ClmathError(f"{place}: {row} has no reason; write {row}: why it fails")
        if row in entries or row in every:
            raise errors.ClmathError(f"{place}: {row} stands there twice; remove one of the lines")
        entries[row] = Entry(reason, most)
    return Known(every, apart)


def _most(bound: str, row: str, place: str) -> float:
    """Return the number of ulp up to which errors of a case are known."""
    if not item_called(row).measured:
        raise errors.ClmathError(f"{place}: {row} is judged bit by bit, without errors in ulp; leave <= {bound} out")
    found = re.fullmatch(r"(\d+(?:\.\d*)?(?:[eE]\+?\d{1,2})?) *ulp", bound)
    if found is None:
        raise errors.ClmathError(f"{place}: {bound!r} is not a number of ulp; write {row} <= 28 ulp: why it fails")
    return float(found[1])


def _target(line: str, place: str) -> str:
    """Return the target whose part of the list begins."""
    found = re.fullmatch(r"\[(.+)\]\s*(#.*)?", line)
    if found is None:
        raise errors.ClmathError(f"{place}: {line!r} does not begin the part of a target; write [TARGET]")
    return found[1].strip()


def _row(name: str, place: str) -> str:
    """Return the name of a case as reports write it."""
    words = name.split()
    if len(words) != 2:
        raise errors.ClmathError(f"{place}: {name!r} is not the name of a case; write tgamma float: why it fails")
    form = without_components(words[1])
    row = item_named(words[0], form, call=place).builtin
    width, widths = words[1].removeprefix(form), [str(w) for w in row.widths or WIDTHS if w > 1]
    if width and width not in widths:
        known = ", ".join(widths)
        raise errors.ClmathError(f"{place}: {words[1]} has {width} components; vectors have {known}; leave 1 out")
    return " ".join(words)


# statuses of cases that a reader must look at, the most severe first
_ORDER: tuple[Standing, ...] = ("fail", "worse than known", "listed, but passes", "missing", "not judged")


def largest_failure(verdict: Verdict) -> Example | None:
    """Return the kept failure with the largest error, or None; an error without a size (NaN) counts as infinite."""
    return next(iter(_kept(verdict.tally)), None)


def worst_of(tally: Tally, reason: str) -> list[Example]:
    """Return the kept failures with a reason, the largest error first; each input appears once."""
    found = {(e.args, e.vector, e.output, e.got): e for e in _kept(tally) if e.reason == reason}
    return list(found.values())


def _kept(tally: Tally) -> list[Example]:
    """Return the kept failures, and the worst input if it fails, in descending order of errors."""
    worst = [tally.worst] if tally.worst and tally.worst.reason else []
    return sorted([*worst, *tally.failures], key=lambda example: -_size(example))


def _size(example: Example) -> float:
    return math.inf if math.isnan(example.error) else abs(example.error)


def needs_attention(verdict: Verdict, known: Known = NONE_KNOWN) -> bool:
    """Whether a reader must look at a case: it does not pass, is not a known failure, and is not unspecified."""
    return known.standing(verdict) in _ORDER and not verdict.is_unspecified


def severity(verdict: Verdict, known: Known = NONE_KNOWN) -> tuple[int, float, float]:
    """Return a key that sorts cases, the most severe first: by status, largest error of a failure, and failing share.

    A zero of the wrong sign has no error, and comes last of failures. All cases that need no attention are equal.
    """
    if not needs_attention(verdict, known):
        return len(_ORDER), 0.0, 0.0
    worst, tally = largest_failure(verdict), verdict.tally
    share = tally.failed / max(tally.tried, 1)
    return _ORDER.index(known.standing(verdict)), -_size(worst) if worst else 0.0, -share


def by_severity(verdicts: Iterable[Verdict], known: Known = NONE_KNOWN) -> list[Verdict]:
    """Return all cases: first the ones that need attention, the most severe first, then the others in their order."""
    return sorted(verdicts, key=lambda verdict: severity(verdict, known))


def needing_attention(verdicts: Iterable[Verdict], known: Known = NONE_KNOWN) -> list[Verdict]:
    """Return the cases that need attention, the most severe first."""
    return [v for v in by_severity(verdicts, known) if needs_attention(v, known)]
