"""The page of the atlas in Markdown: all that was measured, side by side and device by device."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.atlas import runs
from benchmarks.atlas.groups import EVERY, GROUPS
from clmath.audit import reading
from clmath.audit.report import error_text, share_text, worst_text

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from benchmarks.atlas.groups import Group
    from clmath.audit.reading import Read
    from clmath.audit.tally import Verdict

__all__ = ["Sheet", "page", "sheets"]

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


def sheets(folder: Path) -> list[Sheet]:
    """All that lies in the folder, by name; ClmathError where a report is not to be believed."""
    found = []
    for one in sorted(path for path in folder.iterdir() if path.is_dir()):
        files = {name: one / f"{name}.json" for name in GROUPS}
        reports = {name: reading.read(file, CALL) for name, file in files.items() if file.exists()}
        if reports:
            found.append(Sheet(one.name, reports, runs.read(one)))
    return found


def page(folder: Path) -> str:
    """The page; the same for the same reports."""
    found = sheets(folder)
    parts = [HEAD.read_text(encoding="utf-8").rstrip("\n")]
    if found:
        parts += ["## What was measured", _table(_SUBJECTS, map(_subject, found), "l" * len(_SUBJECTS))]
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
        f"[{sheet.name}](#{sheet.name})",
        facts["name"],
        ", ".join(dict.fromkeys(" ".join(version.split()) for version in versions if version)),
        sheet.profile + (f", `{built}`" if built else ""),
        ", ".join([" to ".join(dict.fromkeys([dates[0], dates[-1]])) if dates else "", by, *commits]),
        "<br>".join(dict.fromkeys(run.machine for run in sheet.runs)),
    )


def _side_by_side(group: Group, found: Sequence[Sheet]) -> Iterator[str]:
    """The worst errors and the shares of all that have a group, a line each built-in."""
    having = [sheet for sheet in found if sheet.rows(group)]
    if not having:
        return
    yield f"## {group.title}"
    yield _inputs(group, having)
    rows = [sheet.rows(group) for sheet in having]
    names = [name for name in group.functions if any(name in row for row in rows)]
    lines = ([f"`{name}`", *(_cell(row[name]) if name in row else "" for row in rows)] for name in names)
    yield _table(["", *(f"[{sheet.name}](#{sheet.name})" for sheet in having)], lines, "l" + "r" * len(having))


def _inputs(group: Group, having: Iterable[Sheet]) -> str:
    """Of how many inputs the figures tell."""
    if group.inputs == EVERY:
        return f"All 2^{group.form.width} inputs of each."
    counts = {sheet.name: sheet.reports[group.name].head["plan"] for sheet in having}
    said = {f"{_count(plan['inputs'])} random inputs of each, seed {plan['seed']}" for plan in counts.values()}
    if len(said) == 1:
        return f"{said.pop()}, after the structured ones."
    told = (f"{name} {_count(plan['inputs'])}" for name, plan in counts.items())
    return f"Random inputs of each, after the structured ones: {', '.join(told)}."


def _count(number: int) -> str:
    """A power of two as that."""
    return f"2^{number.bit_length() - 1}" if number and number & (number - 1) == 0 else str(number)


def _cell(verdict: Verdict) -> str:
    """Worst error and share; bold, and how many fail, where an input does."""
    failed = verdict.tally.failed
    text = f"{error_text(verdict.worst_error)} · {share_text(verdict.tally.spread, 2)}"
    return f"**{text}** · ✗ {_thousands(failed)}" if failed else text


def _thousands(number: int) -> str:
    """A count with thin gaps."""
    return f"{number:,}".replace(",", "\N{NARROW NO-BREAK SPACE}")


_ROWS = ("built-in", "limit", "worst error (ulp)", "at", "returned", "nearest", "correctly rounded", "inputs", "fail")


def _sheet(sheet: Sheet) -> Iterator[str]:
    """All that is known of one subject."""
    yield f"## {sheet.name}"
    facts = sheet.facts
    told = [f"{facts['name']}, {facts.get('driver') or facts.get('version', '')}, profile {sheet.profile}."]
    told += [f"`{key}`: {facts[key]}." for key in ("float config", "double config", "half config") if facts.get(key)]
    yield " ".join(told)
    for group in GROUPS.values():
        verdicts = sheet.rows(group)
        if verdicts:
            yield from _details(sheet, group, list(verdicts.values()))
    yield "Made by\n\n```sh\n" + "\n".join(_commands(sheet)) + "\n```"


def _commands(sheet: Sheet) -> Iterator[str]:
    """The audit of each group."""
    commands = {run.group: run.command for run in sheet.runs}
    yield from (commands[name] for name in sheet.reports if name in commands)


def _details(sheet: Sheet, group: Group, verdicts: Sequence[Verdict]) -> Iterator[str]:
    """A line for each built-in of a group, and one for each reason why inputs fail; folded."""
    failing = sum(v.status == "fail" for v in verdicts)
    whole = "" if sheet.reports[group.name].complete else f", {len(verdicts)} of {len(group.functions)} so far"
    said = f"{failing} of {len(verdicts)} built-ins fail" if failing else "none fails"
    yield f"<details><summary><b>{group.title.replace('`', '')}</b>{whole}: {said}</summary>"
    yield _table(_ROWS, map(_row, verdicts), "llrlllrrr")
    reasons = [line for v in verdicts for line in _failures(v)]
    if reasons:
        yield _table(
            ("built-in", "fails because of", "inputs", "the first of them", "returned", "nearest"), reasons, "llrlll"
        )
    yield "</details>"


def _row(verdict: Verdict) -> tuple[str, ...]:
    tally, worst = verdict.tally, verdict.tally.worst
    shown = worst is not None and worst.error != 0
    got = nearest = ""
    if worst is not None and shown:
        got, nearest = (_plain(verdict.result_text(worst, value)) for value in (worst.got, worst.expected))
    return (
        f"`{verdict.item.builtin.name}`",
        _escaped(verdict.limit),
        error_text(verdict.worst_error),
        _code(worst_text(verdict)),
        _code(got),
        _code(nearest),
        share_text(tally.spread),
        _thousands(tally.tried),
        f"**{_thousands(tally.failed)}**" if tally.failed else "0",
    )


def _failures(verdict: Verdict) -> Iterator[tuple[str, ...]]:
    counts = dict(verdict.tally.reasons)
    for example in verdict.tally.failures:
        args, got, nearest = (
            _plain(text)
            for text in (
                verdict.arguments_text(example),
                verdict.result_text(example, example.got),
                verdict.result_text(example, example.expected),
            )
        )
        count = _thousands(counts[example.reason])
        name = f"`{verdict.item.builtin.name}`"
        yield name, _escaped(example.reason), count, _code(args), _code(got), _code(nearest)


def _plain(text: str) -> str:
    """Numbers without their bits."""
    return ", ".join(part.partition(" [")[0] for part in text.split(", "))


def _code(text: str) -> str:
    return f"`{text}`" if text else ""


def _escaped(text: str) -> str:
    """Text that Markdown takes as it stands, in a cell."""
    for character in "\\|*_<>":
        text = text.replace(character, f"\\{character}")
    return text


def _table(heads: Sequence[str], rows: Iterable[Sequence[str]], sides: str) -> str:
    marks = {"l": "---", "r": "---:"}
    lines = [heads, [marks[side] for side in sides], *rows]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)
