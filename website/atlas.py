"""The atlas: a matrix of built-ins and devices, a page for each built-in and type, one for each device, downloads."""

from __future__ import annotations

import csv
import io
import json
import math
import textwrap
from pathlib import Path
from typing import TYPE_CHECKING, Any

from clmath.audit.reports.charts import EQUALITY
from website import curve, measured, published
from website.cells import LEVELS, anchor, coloured, count, fails, how, share, tried, worst
from website.markdown import code, escaped, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from website.measured import Row, Target

__all__ = ["facts", "files"]

HEAD = Path(__file__).with_name("atlas_head.md")
TYPES = ("float", "double", "half")
WIDE = "---\nhide:\n  - navigation\n---"
UNSEARCHED = "---\nsearch:\n  exclude: true\n---"  # the page of the built-in is found, and leads here


def files() -> dict[str, str]:
    """All pages and downloads by their paths."""
    every = measured.rows()
    calls = dict.fromkeys((row.name, row.type) for row in every)
    found = {"atlas/index.md": _index(every), "atlas/published.md": published.page()}
    found |= {f"atlas/{name}/{type}.md": _builtin(name, type) for name, type in calls}
    found |= {f"atlas/{target.slug}.md": _device(target) for target in measured.targets()}
    found |= {"atlas/atlas.json": json.dumps([facts(row) for row in every], indent=1), "atlas/atlas.csv": _csv(every)}
    return found | {f"atlas/devices/{file.name}": file.read_text(encoding="utf-8") for file in measured.files()}


def _index(every: Sequence[Row]) -> str:
    """The matrix of each type, the full profile first."""
    parts = [WIDE, HEAD.read_text(encoding="utf-8").rstrip(), "## Errors by built-in and device {#errors}", _legend()]
    for profile in dict.fromkeys(row.profile for row in every):
        for type in TYPES:
            rows = [row for row in every if (row.profile, row.type) == (profile, type)]
            if rows:
                parts.append(_tab(f"{type.capitalize()}, {profile} profile", _matrix(rows)))
    return "\n\n".join([*parts, "## Who was measured", _targets()]) + "\n"


def _tab(title: str, text: str) -> str:
    """One of several tabs, in the syntax of pymdownx.tabbed."""
    return f'=== "{title}"\n\n' + textwrap.indent(text, "    ")


def _legend() -> str:
    """The colours of cells with their meaning."""
    return " ".join(f'<span class="level level-{name}">{meaning}</span>' for name, meaning in LEVELS.items())


def _targets() -> str:
    lines = []
    for target in measured.targets():
        rows = [row for row in measured.rows() if row.target.slug == target.slug]
        dates = sorted({row.date for row in rows})
        when = " to ".join(dict.fromkeys([dates[0], dates[-1]]))
        lines.append((f"[{target.slug}]({target.slug}.md)", escaped(target.title), escaped(target.driver), when))
    return table(("", "what", "driver, version", "measured"), lines)


def _matrix(rows: Sequence[Row]) -> str:
    """A line for each built-in, a column for each target: the worst error and the share of right results."""
    known = {(row.name, row.target.slug): row for row in rows}
    slugs = [s.slug for s in measured.targets() if any(row.target.slug == s.slug for row in rows)]
    type, heads = rows[0].type, [f"[{slug}]({slug}.md)" for slug in slugs]
    lines = [
        [f"[{name}]({name}/{type}.md)", *(_cell(known.get((name, slug))) for slug in slugs)]
        for name in dict.fromkeys(row.name for row in rows)
    ]
    return table(["built-in", *heads], lines, "l" + "r" * len(slugs), "sortable wide matrix")


def _cell(row: Row | None) -> str:
    if row is None:
        return ""
    page = f"{row.name}/{row.type}.md#{anchor(row)}"
    return f"{coloured(row)}[{worst(row)}]({page}){fails(row)}<br><small>{share(row)}, {how(row)}</small>"


def _builtin(name: str, type: str) -> str:
    """Everything about a built-in of one type."""
    rows = measured.of(name, type)
    parts = [
        UNSEARCHED,
        f"# {name} of {type}",
        f"Measured errors of [`{name}`](../../{name}.md); [how to read this](../index.md).",
    ]
    heads = ("target", "worst error (ulp)", "correctly rounded", "profile", "limit", "inputs", "fail")
    lines = [
        (
            f"[{row.target.slug}](#{anchor(row)})",
            worst(row) + fails(row),  # the second column, so that a phone shows target and error
            share(row),
            row.profile,
            escaped(row.verdict.limit),
            tried(row),
            count(row.verdict.tally.failed),
        )
        for row in rows
    ]
    parts.append(table(heads, lines, "lrrllrr", "sortable wide"))
    curves = {(row.target.slug, row.profile): row for row in measured.curves(name, type)}
    for row in rows:
        parts += _target(row)
        known = curves.get((row.target.slug, row.profile))
        if known is not None:
            parts += curve.figures(known)
        else:
            parts.append(_no_curve(row))
    return "\n\n".join(parts) + "\n"


def _no_curve(row: Row) -> str:
    """Return the reason why a row has no curve."""
    if abs(row.verdict.worst_error) <= EQUALITY:
        return "No error beyond half an ulp was found, so that there is no curve."
    return "Of this run the errors by binade were not kept, so that there is no curve."


def _target(row: Row) -> Iterator[str]:
    """Return the section on one target: worst input, result, date, machine and the command that replays it."""
    title = row.target.slug if row.profile == "full" else f"{row.target.slug}, {row.profile}"
    yield f"## {title} {{#{anchor(row)}}}"
    yield "\n".join(f"- {line}" for line in _facts(row))
    example = row.verdict.tally.worst
    if row.worst_call and example is not None:
        values = [part.partition(" [")[0] for part in row.worst_call.split(", ")]
        yield f"```sh\n.venv/bin/clmath eval {row.name} {' '.join(values)} --type {row.type}\n```"
    if row.verdict.tally.failures:
        yield _failures(row)


def _facts(row: Row) -> Iterator[str]:
    verdict, example = row.verdict, row.verdict.tally.worst
    yield f"[{escaped(row.target.title)}](../{row.target.slug}.md), {escaped(row.target.driver)}"
    yield f"limit {escaped(verdict.limit)} ({escaped(verdict.source)}); **{verdict.status}**"
    if row.worst_call and example is not None:
        got, nearest = (code(verdict.result_text(example, value)) for value in (example.got, example.expected))
        yield f"worst error {worst(row)} ulp at {code(row.worst_call)}: returned {got}, nearest {nearest}"
    else:
        yield f"worst error {worst(row)} ulp"
    yield f"correctly rounded: {share(row)} of {tried(row)} inputs ({row.inputs})"
    yield f"measured {row.date} on {escaped(row.machine)} by {code(row.command)}"


def _failures(row: Row) -> str:
    """Why inputs fail, with the first of each kind."""
    verdict, counts = row.verdict, dict(row.verdict.tally.reasons)
    lines = [
        (
            escaped(e.reason),
            count(counts[e.reason]),
            code(verdict.arguments_text(e)),
            code(verdict.result_text(e, e.got)),
            code(verdict.result_text(e, e.expected)),
        )
        for e in {e.reason: e for e in reversed(verdict.tally.failures)}.values()
    ]
    return table(("why inputs fail", "inputs", "one of them", "returned", "nearest"), lines, "lrlll", "wide")


def _device(target: Target) -> str:
    """Everything about a device."""
    rows = [row for row in measured.rows() if row.target.slug == target.slug]
    machines = dict.fromkeys(row.machine for row in rows)
    commands = dict.fromkeys(row.command for row in rows)
    parts = [
        f"# {target.slug}",
        f"{escaped(target.title)}; {escaped(target.driver)}. Measured on {'; '.join(map(escaped, machines))}.",
        (
            f"All figures: [{target.slug}.json](devices/{target.slug}.json), made from reports of "
            f"{', '.join(map(code, commands))}."
        ),
    ]
    heads = ("built-in", "type", "limit", "worst error (ulp)", "at", "correctly rounded", "inputs")
    for profile in dict.fromkeys(row.profile for row in rows):
        own = [row for row in rows if row.profile == profile]
        failing = [f"[{row.name} {row.type}]({row.name}/{row.type}.md#{anchor(row)})" for row in own if fails(row)]
        parts.append(f"## {profile.capitalize()} profile")
        parts.append(f"{len(own)} rows; " + (f"inputs fail in {', '.join(failing)}." if failing else "none fails."))
        parts.append(table(heads, [_line(row) for row in own], "lllrlrr", "sortable wide"))
    return "\n\n".join(parts) + "\n"


def _line(row: Row) -> tuple[str, ...]:
    link = f"[{row.name}]({row.name}/{row.type}.md#{anchor(row)})"
    return (
        link,
        row.type,
        escaped(row.verdict.limit),
        worst(row) + fails(row),
        code(row.worst_call),
        share(row),
        tried(row),
    )


def facts(row: Row) -> dict[str, Any]:
    """A row as plain values."""
    verdict = row.verdict
    return {
        "built-in": row.name,
        "type": row.type,
        "subject": row.target.slug,
        "driver": row.target.driver,
        "profile": row.profile,
        "limit": verdict.limit,
        "status": verdict.status,
        "worst ulp": _number(verdict.worst_error),
        "worst at": row.worst_call,
        "correctly rounded": verdict.tally.spread.share,
        "tried": verdict.tally.tried,
        "exhaustive": row.is_exhaustive,
        "failed": verdict.tally.failed,
        "date": row.date,
        "machine": row.machine,
    }


def _number(value: float) -> float | str | None:
    """Return a number for JSON: infinities and NaN as text, None if nothing was measured."""
    return None if math.isnan(value) else value if math.isfinite(value) else "inf"


def _csv(every: Iterable[Row]) -> str:
    text = io.StringIO()
    lines = [facts(row) for row in every]
    writer = csv.DictWriter(text, list(lines[0]), lineterminator="\n")
    writer.writeheader()
    writer.writerows(lines)
    return text.getvalue()
