"""One folder that came back from an offline run: its host's facts about the device, and the results by case."""

from __future__ import annotations

import functools
import hashlib
import json
from collections.abc import Sequence
from pathlib import Path

import numpy as np

from clmath import errors
from clmath.audit.offline.folder import DEVICE, Folder, Row, small_text
from clmath.audit.offline.stored import Stored
from clmath.spec.editions import PROFILES

_OURS = ("name", "asked", "chosen", "end")  # names that reports use themselves; a host's facts cannot have them
_WHOLE = ("opencl", "C library")  # kinds that our own hosts write, whose last line is 'end: all facts'
_SHOWN = 60  # characters of a line


class Returned:
    """The folder at ``path``; ClmathError if it is not a folder of inputs, or holds no results.

    ``facts``: the host's facts about the device; ``rows``: all cases except the ones that it reports as absent.
    """

    def __init__(self, path: Path, call: str) -> None:
        self.folder = Folder.read(path, call)
        said = small_text(path, DEVICE, call)
        rows = self.folder.rows.values()
        if said is None and not any((path / o.file).exists() for row in rows for o in row.results):
            raise errors.ClmathError(f"{call}: {path} holds no results; run its host, as {path / 'README.txt'} says")
        facts = _facts(said or "", f"{call}: {path / DEVICE}")
        self.facts = {name: value for name, value in facts.items() if name not in _OURS}
        self._said = {row.name: self._status(row) for row in rows}
        if any(_is_of_host(said) for said in self._said.values()) and "end" not in facts:
            fact = "is missing" if said is None else "is empty" if not said.strip() else "is cut off"
            raise errors.ClmathError(f"{call}: {path / DEVICE} {fact}, which the host wrote; copy results/ back again")
        self.rows = tuple(row for row in rows if self._said[row.name].split()[:1] != ["absent"])
        self._stored = functools.lru_cache(1)(lambda name: Stored(self.folder, self.folder.rows[name]))

    def results(self, name: str, args: Sequence[np.ndarray]) -> tuple[np.ndarray, ...] | None:
        """Return the results for calls of a case, or None if it lacks such inputs; TargetError if files are wrong."""
        stored = self.looked_at(name)
        return None if stored is None else stored.results(args)

    def looked_at(self, name: str) -> Stored | None:
        """Return the files of a case, all of them checked, or None if the folder does not have the case."""
        return self._stored(name) if name in self.folder.rows else None

    @property
    def digest(self) -> str:
        """A digest that changes if a host runs again: of its status texts, with CRC-32, and of file sizes."""
        files = [self.folder.path / o.file for row in self.folder.rows.values() for o in row.results]
        sizes = [file.stat().st_size if file.is_file() else -1 for file in files]
        return hashlib.sha256(json.dumps([self.folder.digest, self._said, sizes]).encode()).hexdigest()[:16]

    def _status(self, row: Row) -> str:
        """Return the host's status of a case; empty if unreadable, as reading the results will report the reason."""
        try:
            return small_text(self.folder.path, row.status, row.name) or ""
        except errors.ClmathError:
            return ""


def _is_of_host(said: str) -> bool:
    """Whether one of our hosts has written this status: the case is done, with the checksums of its results."""
    word, *sums = said.split() or [""]
    return word == "done" and len(sums) > 0


def _facts(text: str, where: str) -> dict[str, str]:
    """Return the host's facts about its device, by name; ClmathError if a line is malformed, or lines are missing."""
    found: dict[str, str] = {}
    for line in filter(str.strip, text.splitlines()):
        name, colon, value = (part.strip() for part in line.partition(":"))
        if not name or not colon or name in found:
            fact = f"has two lines {name!r}" if colon and name else f"has a line {line[:_SHOWN]!r}"
            raise errors.ClmathError(f"{where} {fact}; write one line 'name: value' for each fact, as README.txt says")
        found[name] = value
    if found.get("kind") in _WHOLE and "end" not in found:
        raise errors.ClmathError(f"{where} is cut off: its last line, 'end: all facts', is missing; copy it again")
    if found.get("profile", "full") not in PROFILES:
        known = ", ".join(PROFILES)
        raise errors.ClmathError(f"{where} says profile {found['profile']!r}, which is not one of {known}; correct it")
    return found


def refuse_strangers(looks: Sequence[Returned], call: str) -> None:
    """Raise ClmathError unless these are one folder, or a folder and its local search on the same device."""
    first, *others = looks
    if first.folder.after:
        raise errors.ClmathError(
            f"{call}: {first.folder.path} is the local search of another folder; name that folder before it"
        )
    for second in others:
        if second.folder.after != first.folder.digest or len(others) > 1:
            raise errors.ClmathError(
                f"{call}: {second.folder.path} is not the local search of {first.folder.path}; name a folder, and"
                " the one that 'clmath check FOLDER --local-search' wrote after it"
            )
        for name in dict.fromkeys([*first.facts, *second.facts]):
            facts = [look.facts.get(name, "") for look in (first, second)]
            if facts[0] != facts[1]:
                raise errors.ClmathError(
                    f"{call}: {second.folder.path} has results of another device: {name} is {facts[1]!r}, and"
                    f" {facts[0]!r} in {first.folder.path}; run both on one device, with the same options"
                )
