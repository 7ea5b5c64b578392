"""Compact file of a device: the figures that the site shows for every row (built-in and type) of its reports.

Rows are grouped by profile and type. Figures of a row: number of inputs ``tried`` and ``failed``; ``counted``, the
results compared with the exact value, and ``right``, the correctly rounded ones of them; the worst ``error`` in ulp,
the input ``at`` which it occurs, the result ``got`` there and the result ``due``; an example of the ``failures`` for
each reason; a ``curve`` for each argument, see ``_curve``. ``limit`` and ``run`` are indices into the lists at the head
of the file. Values equal to their entry in ``USUAL`` are omitted. In the file a row is one line, its values in the
order of ``COLUMNS``.
"""

from __future__ import annotations

import json
import math
from dataclasses import dataclass, field
from itertools import pairwise
from typing import TYPE_CHECKING, Any

from clmath.audit.counting.spread import BINS, Spread, shift
from clmath.audit.counting.tally import Example, Tally, Verdict
from clmath.audit.plan.rows import item_named
from clmath.audit.plan.types import form_of
from clmath.spec.builtins import builtins
from clmath.spec.editions import PROFILES

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence
    from pathlib import Path

    from clmath.audit.plan.item import Item
    from clmath.audit.records.reading import Read

__all__ = ["Device"]

TYPES = ("float", "double", "half")
PIECES = 6  # steps of a curve on one side of zero
DIGITS = 9  # significant digits of the worst error
HUGE = 1e99  # ulp: takes the place of an infinite error when steps of a curve are merged
COLUMNS = (
    *("built-in", "limit", "run", "tried", "right", "error", "at", "got", "due", "curve"),
    *("counted", "status", "failed", "failures", "left open", "output", "of curve"),
)
USUAL = {"status": "pass", "left open": False, "failed": 0, "error": None, "output": 0, "failures": [], "curve": {}}


@dataclass
class Device:
    """A device and its rows by profile, type and built-in.

    ``runs``: for each audit, title and driver of the device, date, machine, inputs, commit and command. ``limits``:
    texts of limits with their sources.
    """

    runs: list[dict[str, str]] = field(default_factory=list)
    limits: list[list[str]] = field(default_factory=list)
    rows: dict[tuple[str, str, str], dict[str, Any]] = field(default_factory=dict)

    @classmethod
    def load(cls, path: Path) -> Device:
        """Return the device of a file, or a device without rows if the file does not exist."""
        known = json.loads(path.read_text(encoding="utf-8")) if path.exists() else {"columns": [], "rows": {}}
        columns = known.pop("columns")
        rows = {}
        for profile, types in known.pop("rows").items():
            for type, lines in types.items():
                for line in lines:
                    row = {key: value for key, value in zip(columns, line, strict=False) if value is not None}
                    rows[profile, type, row.pop("built-in")] = row
        return cls(**known, rows=rows)

    @property
    def last(self) -> dict[str, str]:
        """The latest run."""
        return max(self.runs, key=lambda run: run["date"])

    def text(self) -> str:
        """Return the text of the file, a line for each row; usual values are null, or omitted at the end of a line."""
        order = [(profile, type, name) for profile in PROFILES for type in TYPES for name in builtins()]
        lines: dict[str, dict[str, list[str]]] = {}
        for profile, type, name in sorted(self.rows, key=order.index):
            row = {"built-in": name, **self.rows[profile, type, name]}
            line = [row.get(column) for column in COLUMNS[: 1 + max(map(COLUMNS.index, row))]]
            lines.setdefault(profile, {}).setdefault(type, []).append(_json(line))
        parts = {
            profile: ",\n".join(f'"{type}":[\n' + ",\n".join(some) + "\n]" for type, some in types.items())
            for profile, types in lines.items()
        }
        rows = ",\n".join(f'"{profile}":{{\n{part}\n}}' for profile, part in parts.items())
        head = {"runs": self.runs, "limits": self.limits, "columns": COLUMNS}
        return f'{_json(head).removesuffix("}")},"rows":{{\n{rows}\n}}}}\n'

    def add(self, read: Read, run: Mapping[str, str]) -> None:
        """Add the rows of a report; figures and curves that are known for more inputs are kept.

        ``run``: date, machine, inputs, commit and command.
        """
        facts = read.head["subject"]
        number = _place(self.runs, {"title": _title(facts), "driver": _driver(facts), **run})
        measured = [v for v in read.verdicts.values() if v.item.builtin.name in builtins()]
        for verdict in measured:  # operators on a vector and a scalar are left out: the function is the scalar one
            key = read.head["plan"]["profile"] or verdict.profile, verdict.item.form.name, verdict.item.builtin.name
            known = self.rows.get(key, {"tried": -1})
            limit = _place(self.limits, [verdict.limit, verdict.source])
            new = {"limit": limit, "run": number, **_figures(verdict)}
            self.rows[key] = _better(known, new)

    def verdict(self, profile: str, type: str, name: str) -> Verdict:
        """Return the stored figures of a row as the verdict of an audit."""
        row, item = self.rows[profile, type, name], item_named(name, type)
        row = _usual(row) | row
        nowhere = {"at": [0] * len(item.columns), "got": 0, "due": 0}  # no result is wrong
        limit, source = self.limits[row["limit"]]
        failures = [Example(0, *_example(failure), 0.0, failure["why"]) for failure in row["failures"]]
        return Verdict(
            item,
            profile,
            limit,
            source,
            row["status"],
            Tally(
                row["tried"],
                failed=row["failed"],
                reasons=tuple((failure["why"], failure["count"]) for failure in row["failures"]),
                worst=None if row["error"] is None else Example(0, *_example(nowhere | row), float(row["error"])),
                failures=tuple(failures),
                spread=_spread(row, item),
            ),
            is_unspecified=row["left open"],
        )


def _json(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def _place(known: list[Any], value: Any) -> int:
    """Return the index of a value in a list, after appending it if it is new."""
    if value not in known:
        known.append(value)
    return known.index(value)


def _title(facts: Mapping[str, str]) -> str:
    """Return the name of an OpenCL device, or of a library and the device that it ran on."""
    words = [] if facts["kind"] == "opencl" else facts.get("device", "").split()
    device = " ".join(dict.fromkeys(words))  # JAX calls its processor "cpu cpu"
    return " on ".join(text for text in (" ".join(facts["name"].split()), device) if text)


def _driver(facts: Mapping[str, str]) -> str:
    versions = [facts.get(key, "") for key in ("driver", "platform version", "version")]
    return ", ".join(dict.fromkeys(" ".join(version.split()) for version in versions if version))


def _better(known: dict[str, Any], new: dict[str, Any]) -> dict[str, Any]:
    """Return the row of more inputs, with the curve of more inputs.

    If the curve is from another run, ``of curve`` is that run and its number of inputs.
    """
    row, other = (new, known) if new["tried"] >= known["tried"] else (known, new)
    curves = [one.get("of curve", [one["run"], one["tried"]]) for one in (row, other) if "curve" in one]
    if "curve" not in other or ("curve" in row and curves[0][1] >= curves[1][1]):
        return row
    return row | {"curve": other["curve"], "of curve": curves[-1]}


def _figures(verdict: Verdict) -> dict[str, Any]:
    """Return the figures of a row, without usual values."""
    tally, counts = verdict.tally, dict(verdict.tally.reasons)
    first = {failure.reason: failure for failure in reversed(tally.failures)}
    found = {
        "status": verdict.status,
        "left open": verdict.is_unspecified,
        "tried": tally.tried,
        "failed": tally.failed,
        "right": tally.spread.right,
        "counted": tally.spread.counted,
        "curve": _curves(verdict),
        "failures": [{"why": why, "count": counts[why], **_input(verdict, one)} for why, one in first.items()],
    }
    if tally.worst is not None:
        error = float(f"{tally.worst.error:.{DIGITS}g}")
        found |= {"error": _short(error)}
        found |= _input(verdict, tally.worst) if error else {}
    usual = _usual(found)
    return {key: value for key, value in found.items() if key not in usual or value != usual[key]}


def _usual(row: Mapping[str, Any]) -> dict[str, Any]:
    """Return the values that a row omits: among them, every result is counted and correctly rounded."""
    return USUAL | {"counted": row["tried"], "right": row.get("counted", row["tried"])}


def _input(verdict: Verdict, example: Example) -> dict[str, Any]:
    """Return an input, its result and the expected one; floating-point values as encodings in hexadecimal."""
    item, result = verdict.item, verdict.item.results[example.output]
    values = [(value, kind) for value, kind in zip(example.args, item.columns, strict=True)]
    at, got, due = (
        [value if form_of(kind, item.form) is None else f"{value:#x}" for value, kind in pairs]
        for pairs in (values, [(example.got, result)], [(example.expected, result)])
    )
    output = {"output": example.output} if example.output else {}
    return {"at": at, "got": got[0], "due": due[0], **output}


def _example(row: Mapping[str, Any]) -> tuple[tuple[int, ...], int, int, int, None]:
    """Return the fields of an ``Example``: arguments, index of the result, result and expected result, no reason."""
    got, due = _number(row["got"]), _number(row["due"])
    return tuple(map(_number, row["at"])), row.get("output", 0), got, due, None


def _short(error: float) -> float | str:
    """Return an error for JSON: whole numbers as integers, an infinity as text."""
    return str(error) if not math.isfinite(error) else int(error) if error == int(error) else error


def _number(stored: int | str) -> int:
    return int(stored, 16) if isinstance(stored, str) else stored


def _spread(row: Mapping[str, Any], item: Item) -> Spread:
    """Return the distribution of errors: correctly rounded results, others, and the curves of the arguments."""
    counts = {BINS[0]: row["right"], BINS[-2]: row["counted"] - row["right"]}
    return Spread.of(counts, [_stretches(row["curve"].get(name, []), item) for name in item.measured])


def _curves(verdict: Verdict) -> dict[str, list[list[float | str]]]:
    """Return the curves of the arguments whose errors by binade are known."""
    pairs = zip(verdict.item.measured, verdict.tally.spread.worst, strict=False)
    return {name: _curve(dict(worst), _half(verdict.item)) for name, worst in pairs if worst}


def _half(item: Item) -> int:
    """Return the number of bins on one side of zero."""
    return 1 << item.form.width - shift(item.form) - 1


def _curve(errors: Mapping[int, float], half: int) -> list[list[float | str]]:
    """Return the curve of an argument: one side for positive numbers, and one for negative numbers if they differ.

    A side is a list "start, error, start, error, ...", each error being the largest in the bins from its start up to
    the next start. A bin is a binade (eight binades for double), numbered by its leading exponent bits.
    """
    sides = [_pieces([errors.get(start + n, 0.0) for n in range(half)]) for start in (0, half)]
    return sides[: 1 + (sides[0] != sides[1])]


def _pieces(errors: Sequence[float]) -> list[float | str]:
    """Merge neighbouring steps until ``PIECES`` are left, first the pairs whose larger error overstates least."""
    pieces = [(n, error) for n, error in enumerate(errors) if n == 0 or errors[n - 1] != error]
    while len(pieces) > PIECES:
        starts = [start for start, _ in pieces] + [len(errors)]
        heights = [math.log1p(min(error, HUGE)) for _, error in pieces]
        costs = [
            abs(low - high) * (starts[n + 1] - starts[n] if low < high else starts[n + 2] - starts[n + 1])
            for n, (low, high) in enumerate(pairwise(heights))
        ]
        n = costs.index(min(costs))
        pieces[n : n + 2] = [(pieces[n][0], max(pieces[n][1], pieces[n + 1][1]))]
    return [part for start, error in pieces for part in (start, _short(error))]


def _stretches(curve: Sequence[Sequence[float | str]], item: Item) -> dict[int, float]:
    """Return the errors of a curve by bin."""
    half, found = _half(item), dict[int, float]()
    for side, pieces in enumerate((*curve, *curve)[:2]):
        ends = [*map(int, pieces[2::2]), half]
        for start, error, end in zip(map(int, pieces[::2]), map(float, pieces[1::2]), ends, strict=True):
            found |= {side * half + n: error for n in range(start, end) if error}
    return found
