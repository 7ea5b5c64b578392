"""One folder that came back from a lab: what its host says of the device, and the results row by row."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.audit.offline.folder import DEVICE, Folder, small_text
from clmath.audit.offline.stored import Stored

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from clmath.audit.offline.folder import Row

__all__ = ["Returned", "refuse_strangers"]

_OURS = ("name", "asked", "chosen")  # facts of a report that are not the host's to say


class Returned:
    """The folder at ``path``; ClmathError where it is none, or holds no results.

    ``facts``: what the host wrote of the device; ``rows``: those that it does not say are absent.
    """

    def __init__(self, path: Path, call: str) -> None:
        self.folder = Folder.read(path, call)
        told = small_text(path, DEVICE, call)
        rows = self.folder.rows.values()
        if told is None and not any((path / o.file).exists() for row in rows for o in row.results):
            raise errors.ClmathError(f"{call}: {path} holds no results; run its host, as {path / 'README.txt'} says")
        lines = [line.partition(":") for line in (told or "").splitlines()]
        facts = {name.strip(): value.strip() for name, colon, value in lines if colon}
        self.facts = {name: value for name, value in facts.items() if name and name not in _OURS}
        self.rows = tuple(row for row in rows if not self._is_absent(row))
        self._stored: tuple[str, Stored] | None = None

    def results(self, name: str, args: Sequence[NDArray[Any]]) -> tuple[NDArray[Any], ...] | None:
        """The results for calls of a row; None where it has no such inputs, SubjectError where files are not right."""
        stored = self.looked_at(name)
        return None if stored is None else stored.results(args)

    def looked_at(self, name: str) -> Stored | None:
        """The files of a row, once nothing is wrong with any of them; None where the folder has no such row."""
        if name not in self.folder.rows:
            return None
        if self._stored is None or self._stored[0] != name:
            if self._stored is not None:
                self._stored[1].close()
                self._stored = None
            self._stored = (name, Stored(self.folder, self.folder.rows[name]))
        return self._stored[1]

    def _is_absent(self, row: Row) -> bool:
        """Whether the host says that there is no such function; what else it says is looked at with the results."""
        try:
            return (small_text(self.folder.path, row.status, row.name) or "").split()[:1] == ["absent"]
        except errors.ClmathError:
            return False


def refuse_strangers(looks: Sequence[Returned], call: str) -> None:
    """ClmathError where folders are not one, or one and a second look at it, both with results of one device."""
    first, *others = looks
    if first.folder.after:
        raise errors.ClmathError(
            f"{call}: {first.folder.path} is a second look at another folder; name that one before it"
        )
    for second in others:
        if second.folder.after != first.folder.digest or len(others) > 1:
            raise errors.ClmathError(
                f"{call}: {second.folder.path} is no second look at {first.folder.path}; name a folder, and the one"
                " that 'clmath check FOLDER --second-look' wrote after it"
            )
        for name in dict.fromkeys([*first.facts, *second.facts]):
            facts = [look.facts.get(name, "") for look in (first, second)]
            if facts[0] != facts[1]:
                raise errors.ClmathError(
                    f"{call}: {second.folder.path} has results of another device: {name} is {facts[1]!r}, and"
                    f" {facts[0]!r} in {first.folder.path}; run both on one device, with the same options"
                )
