"""The page of the atlas in Markdown: all that was measured, side by side and device by device."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from benchmarks.atlas import runs
from benchmarks.atlas.groups import EVERY, GROUPS
from clmath.audit.protocol.printable import printable
from clmath.audit.records import reading
from clmath.audit.reports.terminal import error_text, share_text, worst_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping, Sequence

    from benchmarks.atlas.groups import Group
    from clmath.audit.counting.tally import Verdict
    from clmath.audit.records.reading import Read

__all__ = ["Sheet", "page", "reports", "sheets"]

CALL = "benchmarks.atlas"
HEAD = Path(__file__).with_name("head.md")


@dataclass(frozen=True)
class Sheet:
    """What was measured of one subject in one profile: its reports by group, and the runs that made them."""

    name: str
    reports: dict[str, Read]
    runs: list[runs.Run]

    @property
    def facts(self) -> dict[str, str]:
        """What the subject says of itself."""
        return dict(next(iter(self.reports.values())).head["subject"])

    @property
    def profile(self) -> str:
        """By whose tables it is judged."""
        return str(next(iter(self.reports.values())).head["plan"]["profile"])

    def rows(self, group: Group) -> dict[str, Verdict]:
        """The verdicts on a group, by built-in."""
        report = self.reports.get(group.name)
        return {v.item.builtin.name: v for v in report.verdicts.values()} if report else {}


def reports(folder: Path) -> list[Path]:
    """The files of all reports, subject by subject, in the order of the groups."""
    subjects = sorted(path for path in folder.iterdir() if path.is_dir())
    files = (one / f"{name}.json" for one in subjects for name in GROUPS)
    return [file for file in files if file.exists()]


def sheets(folder: Path) -> list[Sheet]:
    """All that lies in the folder, by name; ClmathError where a report is not to be believed."""
    found: dict[Path, dict[str, Read]] = {}
    for file in reports(folder):
        found.setdefault(file.parent, {})[file.stem] = reading.read(file, CALL)
    return [Sheet(one.name, read, runs.read(one)) for one, read in found.items()]


def page(folder: Path) -> str:
    """The page; the same for the same reports."""
    found = sheets(folder)
    parts = [HEAD.read_text(encoding="utf-8").rstrip("\n")]
    if found:
        parts += ["## What was measured", _table(_SUBJECTS, map(_subject, found), "l" * len(_SUBJECTS))]
        parts += ["## What was found", _found(found)]
    for group in GROUPS.values():
        parts += _side_by_side(group, found)
    for sheet in found:
        parts += _sheet(sheet)
    return "\n\n".join(parts) + "\n"


_SUBJECTS = ("", "what", "driver, platform", "profile, options", "measured", "on")


def _subject(sheet: Sheet) -> tuple[str, ...]:
    """Who was measured, when and where."""
    facts = sheet.facts
    versions = [facts.get(key, "") for key in ("driver", "platform version", "version")]
    built = facts.get("build options", "")
    dates = sorted({run.date[:10] for run in sheet.runs})
    commits = dict.fromkeys(run.commit for run in sheet.runs if run.commit)
    by = f"clmath {next(iter(sheet.reports.values())).head['versions']['clmath']}"
    return (
        _link(sheet),
        _escaped(facts["name"]),
        _escaped(", ".join(dict.fromkeys(" ".join(version.split()) for version in versions if version))),
        sheet.profile + (f", `{built}`" if built else ""),
        ", ".join([" to ".join(dict.fromkeys([dates[0], dates[-1]])) if dates else "", by, *commits]),
        "<br>".join(_escaped(text) for text in dict.fromkeys(run.machine for run in sheet.runs)),
    )


def _link(sheet: Sheet) -> str:
    """To the tables of a sheet: headings are reached by their letters, digits and hyphens."""
    return f"[{sheet.name}](#{''.join(c for c in sheet.name.lower() if c.isalnum() or c in '-_')})"


def _found(found: Sequence[Sheet]) -> str:
    """How many built-ins of each group conform, and which do not."""
    groups = [group for group in GROUPS.values() if any(sheet.rows(group) for sheet in found)]
    lines = [[_link(sheet), *(_standing(sheet, group) for group in groups)] for sheet in found]
    return _table(["built-ins that conform", *(group.title for group in groups)], lines, "l" * (1 + len(groups)))


def _standing(sheet: Sheet, group: Group) -> str:
    judged = [v for v in sheet.rows(group).values() if v.status != "not judged"]
    if not judged:
        return ""
    failing = [f"`{v.item.builtin.name}`" for v in judged if v.status == "fail"]
    passing = f"{len(judged) - len(failing)} of {len(judged)}" if failing else f"all {len(judged)}"
    so_far = "" if sheet.reports[group.name].complete else " so far"
    return f"{passing}{so_far}" + (f"; not {' '.join(failing)}" if failing else "")


def _side_by_side(group: Group, found: Sequence[Sheet]) -> Iterator[str]:
    """The worst errors and the shares of all that have a group, a line each built-in."""
    having = [sheet for sheet in found if sheet.rows(group)]
    if not having:
        return
    yield f"## {group.title}"
    yield _inputs(group, having)
    full = {name: verdict for sheet in having if sheet.profile == "full" for name, verdict in sheet.rows(group).items()}
    rows = [sheet.rows(group) for sheet in having]
    names = [name for name in group.functions if any(name in row for row in rows)]
    lines = [
        [f"`{name}`", _limit(full.get(name)), *(_cell(row[name]) if name in row else "" for row in rows)]
        for name in names
    ]
    yield _table(["", "limit, full profile", *map(_link, having)], lines, "ll" + "r" * len(having))


def _limit(verdict: Verdict | None) -> str:
    return _escaped(verdict.limit) if verdict else ""


def _inputs(group: Group, having: Sequence[Sheet]) -> str:
    """Of how many inputs the figures tell."""
    asked = {sheet.name: _asked(sheet.reports[group.name].head["plan"]) for sheet in having}
    if len(set(asked.values())) == 1:
        return f"{asked[having[0].name].capitalize()}."
    return "; ".join(f"{name}: {text}" for name, text in asked.items()) + "."


def _asked(plan: Mapping[str, Any]) -> str:
    """The inputs of a plan, in words."""
    part = "" if plan.get("part", "1/1") == "1/1" else f"part {plan['part']} of "
    if plan["inputs"] == EVERY:
        return f"{part}all inputs of each built-in"
    return f"{part}{_count(plan['inputs'])} random inputs of each built-in, seed {plan['seed']}, after structured ones"


def _count(number: int) -> str:
    """A power of two as that."""
    return f"2^{number.bit_length() - 1}" if number and number & (number - 1) == 0 else str(number)


def _cell(verdict: Verdict) -> str:
    """Worst error and share; bold, and how many fail, where an input does."""
    failed = verdict.tally.failed
    if _is_unknown(verdict):
        return "not judged"
    text = f"{error_text(verdict.worst_error)} · {share_text(verdict.tally.spread, 2)}"
    return f"**{text}** · ✗ {_thousands(failed)}" if failed else text


def _is_unknown(verdict: Verdict) -> bool:
    """Whether something went wrong: it crashed, or did not compile."""
    return verdict.status == "not judged" and not verdict.left_open


def _thousands(number: int) -> str:
    """A count with thin gaps."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


_ROWS = ("built-in", "limit", "worst error (ulp)", "at", "returned", "nearest", "correctly rounded", "inputs", "fail")


def _sheet(sheet: Sheet) -> Iterator[str]:
    """All that is known of one subject."""
    yield f"## {sheet.name}"
    yield _told(sheet)
    for group in GROUPS.values():
        verdicts = sheet.rows(group)
        if verdicts:
            yield from _details(sheet, group, list(verdicts.values()))
    yield "Made by\n\n```sh\n" + "\n".join(_commands(sheet)) + "\n```"


def _told(sheet: Sheet) -> str:
    """Who it is, in its own words."""
    facts = sheet.facts
    version = facts.get("driver") or facts.get("version", "")
    config = [f"{key} `{facts[key]}`" for key in ("half config", "float config", "double config") if facts.get(key)]
    return "; ".join([f"{_escaped(facts['name'])}, {_escaped(version)}, profile {sheet.profile}", *config]) + "."


def _commands(sheet: Sheet) -> Iterator[str]:
    """The audit of each group."""
    commands = {run.group: run.command for run in sheet.runs}
    yield from (commands[name] for name in sheet.reports if name in commands)


def _details(sheet: Sheet, group: Group, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A line for each built-in of a group, and one for each reason why inputs fail; folded."""
    failing = sum(v.status == "fail" for v in verdicts)
    whole = "" if sheet.reports[group.name].complete else f", {len(verdicts)} of {len(group.functions)} so far"
    said = f"{failing} of {len(verdicts)} built-ins fail" if failing else "none fails"
    yield f"<details><summary><b>{group.title}</b>{whole}: {said}</summary>"
    yield _table(_ROWS, map(_row, verdicts), "llrlllrrr")
    reasons = [line for v in verdicts for line in _failures(v)]
    if reasons:
        yield _table(
            ("built-in", "why inputs fail", "inputs", "the first of them", "returned", "nearest"), reasons, "llrlll"
        )
    yield "</details>"


def _row(verdict: Verdict) -> tuple[str, ...]:
    tally, worst = verdict.tally, verdict.tally.worst
    values = (worst.got, worst.expected) if worst is not None and worst.error != 0 else ()
    got, nearest = [_plain(verdict.result_text(worst, value)) for value in values] or ("", "")
    failing = f"**{_thousands(tally.failed)}**" if tally.failed else "0"
    return (
        f"`{verdict.item.builtin.name}`",
        _escaped(verdict.limit),
        error_text(verdict.worst_error),
        _code(worst_text(verdict)),
        _code(got),
        _code(nearest),
        share_text(tally.spread),
        _thousands(tally.tried),
        "not judged" if _is_unknown(verdict) else failing,
    )


def _failures(verdict: Verdict) -> Iterator[tuple[str, ...]]:
    counts, name = dict(verdict.tally.reasons), f"`{verdict.item.builtin.name}`"
    if _is_unknown(verdict):
        yield name, _escaped(f"not judged: {verdict.reason}"), "", "", "", ""
    for example in verdict.tally.failures:
        results = [verdict.result_text(example, value) for value in (example.got, example.expected)]
        shown = [_code(_plain(text)) for text in (verdict.arguments_text(example), *results)]
        yield name, _escaped(example.reason), _thousands(counts[example.reason]), *shown


def _plain(text: str) -> str:
    """Numbers without their bits."""
    return ", ".join(part.partition(" [")[0] for part in text.split(", "))


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _escaped(text: str) -> str:
    """Text that Markdown takes as it stands, in a cell."""
    text = printable(" ".join(text.split()))
    for character in "\\|*_<>":
        text = text.replace(character, f"\\{character}")
    return text


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], sides: str) -> str:
    marks = {"l": "---", "r": "---:"}
    lines = [heads, [marks[side] for side in sides], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
