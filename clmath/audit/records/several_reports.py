"""The file with the reports of several targets: an audit of all of them writes it, and it is read again."""

from __future__ import annotations

import json
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, TypeGuard

from clmath import errors
from clmath.audit.records import trusted_rows
from clmath.audit.records.reading import RESUMING, TO_READ, TO_RESUME, Reader
from clmath.audit.records.record import SCHEMA

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from clmath.audit.records.reading import Read

__all__ = ["Reports", "again", "digest", "earlier", "name_of", "read", "text"]


@dataclass(frozen=True)
class Reports:
    """The reports of a file, by the SUBJECT of the command line; ``troubles``: why targets could not be audited.

    ``together``: whether the reports are from one run over several targets, even if only one was found.
    ``unreached``: the targets that the run did not reach.
    """

    reports: Mapping[str, Read]
    together: bool
    troubles: Mapping[str, str] = field(default_factory=lambda: MappingProxyType({}))
    unreached: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """Whether every target is reached and has all its cases."""
        return not self.unreached and all(one.complete for one in self.reports.values())


def text(targets: Sequence[str], reports: Mapping[str, str], troubles: Mapping[str, str]) -> str:
    """Return the text of the file: ``reports`` by ``record.report_text``, in the order of ``targets``."""
    told = {name: troubles[name] for name in targets if name in troubles}
    parts = [f'"schema": {SCHEMA}', f'"subjects": {_json(list(targets))}', f'"not audited": {_json(told)}']
    parts.append(f'"digest": {_json(digest(list(targets), told))}')
    parts.append('"reports": [\n' + ",\n".join(reports[name].rstrip("\n") for name in targets if name in reports) + "]")
    return "{\n " + ",\n ".join(parts) + "\n}\n"


def again(report: Mapping[str, object]) -> str:
    """Return the text of a target's earlier report, which stays in the file until the run continues it."""
    return json.dumps(report, ensure_ascii=False, indent=1)


def digest(targets: Sequence[str], troubles: Mapping[str, str]) -> str:
    """Return the first 16 hex digits of a SHA-256 of a run's targets, and of the reasons why some were not audited."""
    return trusted_rows.digest({"subjects": list(targets)}, {"not audited": dict(troubles)})


def _json(value: object) -> str:
    return json.dumps(value, ensure_ascii=False)


def read(path: Path, call: str) -> Reports:
    """Return the reports of a file, or its only one; ClmathError if a report cannot be trusted.

    Cases of a target that could not be audited later are left out; ``earlier`` has them.
    """
    reader = Reader(path, call, TO_READ)
    parsed = reader.parsed()
    if not _is_of_several(parsed):
        one = reader.read(parsed)
        return Reports({name_of(one.head): one}, together=False)
    targets, troubles, listed = _told(reader, parsed)
    reports = {name_of(one.head): one for one in map(reader.read, listed)}
    if not reports.keys() | troubles.keys() <= set(targets) or len(reports) != len(listed):
        raise reader.no_report()
    whole = {name: one for name, one in reports.items() if name not in troubles}
    unreached = tuple(name for name in targets if name not in troubles and name not in whole)
    return Reports(whole, together=True, troubles=troubles, unreached=unreached)


def earlier(path: Path, targets: Sequence[str]) -> dict[str, dict[str, Any]]:
    """Return the reports of an earlier run over these ``targets``, to be continued; {} if the file does not exist.

    Raise ClmathError if the file is something else, or has a report of another target, which would be lost.
    """
    if not path.exists():
        return {}
    reader = Reader(path, RESUMING, TO_RESUME)
    parsed = reader.parsed()
    if not _is_of_several(parsed):
        reader.report(parsed)
        raise errors.ClmathError(f"{RESUMING}: {path} is of one target; name it alone, or another file with --json")
    *_, listed = _told(reader, parsed)
    found = {name_of(one): one for one in map(reader.report, listed)}
    for name in found:
        if name not in targets:
            fact = f"{path} holds a report of {name}, which is not asked for"
            raise errors.ClmathError(f"{RESUMING}: {fact}; name it too, or write the file anew with --force")
    return found


def name_of(head: Mapping[str, Any]) -> str:
    """Return the SUBJECT of the command line of a report; for an audit from Python, the target's name."""
    return str(head["subject"].get("asked", head["subject"]["name"]))


def _is_of_several(parsed: object) -> TypeGuard[dict[str, object]]:
    return isinstance(parsed, dict) and "reports" in parsed


def _told(reader: Reader, parsed: Mapping[str, object]) -> tuple[list[str], dict[str, str], list[object]]:
    """Return the targets of a run, the reasons why some could not be audited, and the reports of others."""
    if parsed.get("schema") != SCHEMA:
        fact = f"has schema {parsed.get('schema')!r}, this clmath reads {SCHEMA}; audit again"
        raise errors.ClmathError(f"{reader.call}: {reader.path} {fact}")
    targets, troubles, reports = (parsed.get(key) for key in ("subjects", "not audited", "reports"))
    if not (isinstance(targets, list) and isinstance(troubles, dict) and isinstance(reports, list)):
        raise reader.no_report()
    if not all(isinstance(one, str) for one in (*targets, *troubles.values())) or len({*targets}) < len(targets):
        raise reader.no_report()
    if parsed.get("digest") != digest(targets, troubles):
        fact = "the list of its targets was changed after it was written: its digest is another"
        raise errors.ClmathError(f"{reader.call}: {reader.path}: {fact}; audit again")
    return targets, troubles, reports
