"""The terminal's report: one table per type, failures with commands that replay them, and the verdict."""

from __future__ import annotations

import math
import os
import shlex
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain
from typing import TextIO

from rich import box
from rich.console import Console
from rich.table import Table
from rich.text import Text

from clmath.audit.counting.spread import Spread
from clmath.audit.counting.tally import BEYOND, Elsewhere, Example, Tally, Verdict, off_text
from clmath.audit.plan.item import Item
from clmath.audit.protocol.printable import printable
from clmath.audit.protocol.target import PRINTED, UNSTEADY
from clmath.audit.records.record import Head
from clmath.audit.reports.known_failures import (
    NONE_KNOWN,
    Known,
    Standing,
    largest_failure,
    needing_attention,
    worst_of,
)
from clmath.numbers.formats import Format
from clmath.spec.editions import DEFAULT

HEAD, TAIL = 12, 6  # lines that are kept at the beginning and at the end


def abridged(text: str, elsewhere: str, head: int = HEAD, tail: int = TAIL) -> str:
    """Return ``text``, or its first and last lines with the number of the other lines, and where to find these."""
    lines = text.splitlines()
    if len(lines) <= head + tail + 1:
        return text
    left_out = len(lines) - head - tail
    return "\n".join([*lines[:head], f"[... {left_out} more lines: {elsewhere} ...]", *lines[-tail:]])


CONFORMS, DIFFERS, UNJUDGED = 0, 1, 2
SHOWN = 2  # failures printed for each reason; the JSON has more, and all are counted
FAILING: frozenset[Standing] = frozenset(("fail", "worse than known"))
LISTED = 40  # cases in the closing list
_MANY, _FIRST = 16, 4  # in a line of that list, a call with more than _MANY values is shown by its _FIRST ones
_LONG = 160  # characters of the values, or of a text that is a result
COLORS = ("auto", "always", "never")
LEAST = 120  # columns if the output is not a terminal and COLUMNS is not set
_ALL_LINES = "--json FILE and --log FILE have them"
_STYLES = {
    "pass": "green",
    "fail": "bold red",
    "not judged": "yellow",
    "missing": "bold red",
    "known failure": "yellow",
    "worse than known": "bold red",
    "listed, but passes": "bold red",
}


class _Console(Console):
    """A console that leaves the exit status to its caller if the reader of its output has closed it."""

    def on_broken_pipe(self) -> None:
        """Raise the BrokenPipeError again; rich would end the process with status 1, which is a verdict."""
        raise  # noqa: PLE0704 - called while it is handled


def console(stream: TextIO, color: str = "auto") -> Console:
    """Return a console on ``stream``; except on a terminal, it writes plain text.

    ``color``: one of ``COLORS``; auto has none if NO_COLOR is set.
    """
    if stream.isatty():
        no_color = {"auto": None, "always": False, "never": True}[color]
        return _Console(file=stream, highlight=False, soft_wrap=False, no_color=no_color)
    columns = os.environ.get("COLUMNS", "")
    width = int(columns) if columns.isdecimal() and int(columns) > 0 else LEAST
    if color == "always":
        return _Console(
            file=stream, highlight=False, width=width, color_system="standard", force_terminal=True, no_color=False
        )
    return _Console(file=stream, highlight=False, width=width, color_system=None, force_terminal=False)


class Replay:
    """Commands that replay one input: on the reference, and on the target."""

    def __init__(self, target: str, options: Sequence[str] = ()) -> None:
        self._target = target
        self._options = options

    def lines(self, item: Item, example: Example) -> Iterator[str]:
        """Yield the ``clmath eval`` and ``clmath audit`` commands for ``example``; a sentence if it passes alone."""
        shown, bits = _on_command_line(replace(item, vector=1), (example.args,))
        yield shlex.join(["clmath", "eval", item.builtin.name, *chain(*shown), "--type", item.form.name, *bits])
        yield self.command(item, example) or "this input passes alone: no replay shows the failure, an audit does"

    def command(self, item: Item, example: Example | None) -> str:
        """Return the ``clmath audit`` command that replays the input of ``example``; empty if it passes alone."""
        if example is None or not example.fails_alone:
            return ""
        shown, bits = _on_command_line(item, example.vector or (example.args,))
        width = ["--widths", str(item.vector)] if item.vector > 1 else []
        audit = ["clmath", "audit", self._target, "--functions", item.builtin.name, "--types", item.form.name, *width]
        return shlex.join([*audit, *self._options, *bits, f"--replay={','.join(chain(*shown))}"])


def _on_command_line(item: Item, calls: Sequence[Sequence[int]]) -> tuple[list[list[str]], list[str]]:
    """Return the words of a command line for ``calls``, by argument, and the option that says how to read them.

    They are numbers; with --bits they are encodings, if a number would lose the payload of a NaN. ``calls``: one call,
    or one per component of a vector.
    """
    from clmath.audit.inputs import values

    plain = all(values.is_plain(args, item.columns, item.form) for args in calls)
    text = values.plain_text if plain else values.encoding_text
    columns = zip(item.given, zip(*calls, strict=True), strict=True)
    shown = [[text(v, kind, item.form) for v in components[:count]] for (kind, count), components in columns]
    return shown, [] if plain else ["--bits"]


def repeated(edition: str, profile: str, build_options: str, declared: str = "") -> list[str]:
    """Return the options that a replaying command must repeat; ``declared``: options with properties of the target."""
    words = ["--edition", edition] if edition != DEFAULT else []
    words += ["--profile", profile.replace(" ", "-")] if profile != "full" else []
    # one word: the text itself begins with a dash
    return words + declared.split() + ([f"--build-options={build_options}"] if build_options else [])


def replay_of(head: Head) -> Replay:
    """Return the commands for inputs of a report with this ``head``."""
    target, plan = head["subject"], head["plan"]
    said = target.get("build options", ""), target.get("declared", "")
    options = repeated(plan["edition"], plan["profile"], *said)
    return Replay(target.get("asked", "SUBJECT"), options)


def show(
    out: Console, verdicts: Sequence[Verdict], replay: Replay, known: Known = NONE_KNOWN, *, quiet: bool = False
) -> None:
    """Print the tables, the failures, the cases that were not judged, the list of cases that do not pass, the verdict.

    ``quiet``: only the list of cases that do not pass, and the verdict.
    """
    if not quiet:
        _show_rows(out, verdicts, replay, known)
    _show_attention(out, verdicts, known)
    _print_line(out, summary(verdicts, known), "bold")


def _show_rows(out: Console, verdicts: Sequence[Verdict], replay: Replay, known: Known) -> None:
    for form in dict.fromkeys(v.item.form for v in verdicts):
        out.print(Text(f"\n{form.name}", style="bold"))
        _print_table(out, _table((v for v in verdicts if v.item.form == form), known))
    for verdict in verdicts:
        if known.standing(verdict) in FAILING:
            _show_failures(out, verdict, replay)
    _show_known(out, verdicts, known)
    for verdict in verdicts:
        if verdict.status in ("not judged", "missing") and not verdict.is_unspecified:
            text = abridged(verdict.reason, _ALL_LINES)
            _print_line(out, f"{verdict.status}: {verdict.item}: {text}", _STYLES[verdict.status])
        if verdict.status != "fail":
            for note in verdict.notes:
                if note.startswith((PRINTED, UNSTEADY)):
                    _print_line(out, f"note: {verdict.item}: {abridged(note, _ALL_LINES)}")
    _show_unspecified(out, [v for v in verdicts if v.is_unspecified])
    _show_other_editions(out, verdicts)


def _show_attention(out: Console, verdicts: Sequence[Verdict], known: Known) -> None:
    """Print a line for each case that does not pass, the most severe first."""
    rows = needing_attention(verdicts, known)
    if not rows:
        return
    _print_line(
        out, f"\n{len(rows)} case{'s do' if len(rows) != 1 else ' does'} not pass, the most severe first:", "bold"
    )
    for verdict in rows[:LISTED]:
        _print_line(out, f"  {verdict.item}: {attention_line(verdict, known)}", _STYLES[known.standing(verdict)])
    if len(rows) > LISTED:
        _print_line(out, f"  and {len(rows) - LISTED} more")


def attention_line(verdict: Verdict, known: Known = NONE_KNOWN) -> str:
    """Return why a case does not pass, on one line: '811 of 55786 inputs fail: REASON, -4.500 ulp at 0x1.8p+1'.

    If there are several reasons, the reason of the largest error: '811 of 55786 inputs fail; worst: REASON, ...'.
    """
    standing, tally, worst = known.standing(verdict), verdict.tally, named_failure(verdict, known)
    reason = known.reason(verdict) or (worst.reason if worst else "") or verdict.reason
    reason = " ".join(reason.partition("\n")[0].split())
    if worst is None:
        return f"{standing}: {reason}" if reason else standing
    off = off_text(worst, verdict.item.form) or f"got {_without_bits(verdict.result_text(worst, worst.got))}"
    kind, at = "" if standing == "fail" else f"{standing}: ", _without_bits(verdict.arguments_text(worst))
    which = "; worst" if len(tally.reasons) > 1 else ""
    return f"{kind}{tally.failed} of {tally.tried} inputs fail{which}: {reason}, {off} at {at}"


def named_failure(verdict: Verdict, known: Known = NONE_KNOWN) -> Example | None:
    """Return the failure that ``attention_line`` names, or None if no input fails."""
    is_worse = known.standing(verdict) == "worse than known"
    return (_beside_errors(verdict.tally) if is_worse else None) or largest_failure(verdict)


def _beside_errors(tally: Tally) -> Example | None:
    """Return the worst failure other than an error in ulp, which no bound of a list of known failures covers."""
    others = (worst_of(tally, reason) for reason, _ in tally.reasons if not reason.startswith(BEYOND))
    return next((example for found in others for example in found), None)


def _without_bits(values: str) -> str:
    """Return ``0x1.8p+1 [0x40400000], inf [0x7f800000]`` as ``0x1.8p+1, inf``; long lists are cut and counted."""
    parts = [part.partition(" [")[0] for part in values.split(", ")]
    if len(parts) > _MANY:
        parts[_FIRST:] = [f"... ({len(parts)} values)"]
    text = ", ".join(parts)
    return text if len(text) <= _LONG else f"{text[: _LONG - 4]} ..."


def _show_known(out: Console, verdicts: Sequence[Verdict], known: Known) -> None:
    """Print a line for each case that is listed as failing."""
    for verdict in verdicts:
        standing, reason = known.standing(verdict), known.reason(verdict)
        tally = verdict.tally
        if standing == "known failure":
            text = f"known failure: {verdict.item}: {tally.failed} of {tally.tried} inputs fail: {reason}"
            _print_line(out, text, _STYLES[standing])
        elif standing == "worse than known":
            _print_line(out, f"{standing}: {verdict.item}: {reason}", _STYLES[standing])
        elif standing == "listed, but passes":
            _print_line(out, f"{standing}: {verdict.item}: {reason}; take it off the list", _STYLES[standing])


def _print_line(out: Console, text: str, style: str = "") -> None:
    """Print a line without wrapping it, so that commands can be copied; control characters are escaped."""
    out.print(Text(printable(text), style=style), soft_wrap=True)


def _show_unspecified(out: Console, verdicts: Sequence[Verdict]) -> None:
    """Print one line for each reason why the specification has no criteria, with its cases."""
    for reason in dict.fromkeys(v.reason for v in verdicts):
        rows = ", ".join(str(v.item) for v in verdicts if v.reason == reason)
        _print_line(out, f"not judged: {reason}: {rows}", _STYLES["not judged"])


def _show_other_editions(out: Console, verdicts: Sequence[Verdict]) -> None:
    """Print one line for each verdict that another edition would change, or that all verdicts are the same."""
    lines = [f"{v.item}: {otherwise(v, other)}" for v in verdicts for other in differing(v)]
    for line in lines or ["All verdicts are the same under the other specification versions."]:
        _print_line(out, line)


def differing(verdict: Verdict) -> list[Elsewhere]:
    """Return the other editions of the specification by which the verdict would be different."""
    return [other for other in verdict.others if other.status != verdict.status]


def otherwise(verdict: Verdict, other: Elsewhere) -> str:
    """Return ``would fail by opencl-c-3.1.1: 3 of 65536 inputs (limit 1 ulp; SOURCE)``."""
    failed = next(o.failed for o in verdict.tally.others if o.edition == other.edition)
    what = {"fail": "fail", "pass": "pass", "not judged": "not be judged"}[other.status]
    inputs = f": {failed} of {verdict.tally.tried} inputs" if failed else ""
    return f"would {what} by {other.editions}{inputs} (limit {other.limit}; {other.source})"


def _print_table(out: Console, table: Table) -> None:
    """Print a table; on anything but a terminal, without trailing blanks."""
    if out.is_terminal:
        out.print(table)
        return
    with out.capture() as captured:
        out.print(table)
    lines = [line.rstrip() for line in captured.get().splitlines()]
    out.file.write("\n".join(line for line in lines if line) + "\n\n")


def _table(verdicts: Iterable[Verdict], known: Known) -> Table:
    rows = [(verdict, *_status(verdict, known)) for verdict in verdicts]
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    table.add_column("built-in", no_wrap=True)
    table.add_column("limit", max_width=34)
    table.add_column("worst (ulp)", justify="right", no_wrap=True)
    table.add_column("at", overflow="fold")
    table.add_column("inputs", justify="right", no_wrap=True)
    texts = [verdict.with_share(status) for verdict, _, status in rows]
    words = [word for text in texts for word in text.split()]
    # the share may be wrapped, but not its words
    table.add_column("verdict", min_width=max(map(len, [*words, *(status for _, _, status in rows)])))
    for (verdict, standing, _), text in zip(rows, texts, strict=True):
        table.add_row(
            _name(verdict.item),
            Text(verdict.limit),
            error_text(verdict.worst_error),
            worst_text(verdict),
            f"{verdict.tally.tried} {'sampled' if verdict.is_sampled else 'all'}",
            Text(text, style=_STYLES[standing]),
        )
    return table


def _status(verdict: Verdict, known: Known) -> tuple[Standing, str]:
    """Return the status of a case, and the status with the number of failed inputs."""
    standing, failed = known.standing(verdict), verdict.tally.failed
    return standing, f"{standing.replace(' failure', '')} {failed}" if failed else standing


def _name(item: Item) -> str:
    return f"{item.builtin.name} {item.form}{item.components}" if item.components > 1 else item.builtin.name


def error_text(error: float) -> str:
    """Return an error in ulp: three decimals, or three digits if it is smaller or huge; '-' if nothing was measured.

    An error that is slightly more than 0.5 or a whole number, which limits are, gets a sign: '>0.500'.
    """
    if math.isnan(error):
        return "-"
    if error and not 0.001 <= error < 1e6:
        return f"{error:.3g}"
    text = f"{error:.3f}"
    return f">{text}" if error > float(text) and text.endswith((".000", "0.500")) else text


def share_text(spread: Spread, digits: int = 4) -> str:
    """Return the share of correctly rounded results in percent, rounded down; '-' if none was counted."""
    if not spread.counted:
        return "-"
    whole, rest = divmod(spread.right * 100 * 10**digits // spread.counted, 10**digits)
    return f"{whole}.{rest:0{digits}d} %"


def worst_text(verdict: Verdict) -> str:
    """Return the worst input, as hex floats without their bits."""
    worst = verdict.tally.worst
    if worst is None or worst.error == 0:
        return ""
    return ", ".join(part.partition(" [")[0] for part in verdict.arguments_text(worst).split(", "))


def _show_failures(out: Console, verdict: Verdict, replay: Replay) -> None:
    for number, line in enumerate(failure_lines(verdict, replay)):
        _print_line(out, line, "" if number else _STYLES["fail"])
    out.print()


def failure_lines(verdict: Verdict, replay: Replay) -> Iterator[str]:
    """Yield lines on a failing case: counts by reason, the worst inputs kept of every reason with replays, notes."""
    tally = verdict.tally
    yield f"{verdict.item}: {tally.failed} of {tally.tried} inputs fail ({limited(verdict)}; {verdict.source})"
    for reason, count in reasons(tally):
        yield f"  {count} x {reason}"
        for example in worst_of(tally, reason)[:SHOWN]:
            yield from (f"    {line}" for line in example_lines(verdict, example, replay))
    for note in verdict.notes:
        yield f"  note: {abridged(note, _ALL_LINES)}"


def limited(verdict: Verdict) -> str:
    """Return ``limit 4 ulp``, or the limit's own words if it begins with "no"."""
    return verdict.limit if verdict.limit.startswith("no ") else f"limit {verdict.limit}"


def reasons(tally: Tally) -> list[tuple[str, int]]:
    """Return the reasons for failures with their counts, the most frequent first."""
    return sorted(tally.reasons, key=lambda pair: (-pair[1], pair[0]))


def example_lines(verdict: Verdict, example: Example, replay: Replay) -> Iterator[str]:
    """Yield lines on one input: the expected and the actual result, and the commands that replay it."""
    item = verdict.item
    outputs = item.builtin.outputs
    has_components = len(item.results) > 1 and (len(outputs) == 1 or bool(item.width))
    which = f" {outputs[example.output].name}" if len(outputs) > 1 and not has_components else ""
    which = f" lane {example.output}" if has_components else which
    yield f"{item.builtin.name}({verdict.arguments_text(example)}){which}{_in_vector(item, example)}"
    yield f"    expected {verdict.result_text(example, example.expected)}"
    yield f"    got      {verdict.result_text(example, example.got)}{_off(example, item.form)}"
    yield from (f"    {line}" for line in replay.lines(item, example))


def _in_vector(item: Item, example: Example) -> str:
    """Return the place of the input in its vector, which the replaying command contains; empty for scalars."""
    return f" in component {example.index % item.vector} of the vector replayed below" if example.vector else ""


def _off(example: Example, form: Format) -> str:
    text = off_text(example, form)
    return f", {text}" if text else ""


def summary(verdicts: Sequence[Verdict], known: Known = NONE_KNOWN) -> str:
    """Return the last line: the counts of cases by status, and the meaning of the exit status."""
    standings = [known.standing(verdict) for verdict in verdicts]
    parts = [f"{standings.count(s)} {s}" for s in _STYLES if s in standings]
    counts = Tally(sum(v.tally.tried for v in verdicts), sum(v.tally.unjudged for v in verdicts))
    unspecified = f" ({counts.unspecified} unspecified)" if counts.unspecified else ""
    return f"{', '.join(parts) or 'no cases'}; {counts.tried} inputs tried{unspecified}: {meaning(verdicts, known)}"


def meaning(verdicts: Sequence[Verdict], known: Known = NONE_KNOWN) -> str:
    """Return the meaning of the exit status in words."""
    standings = {known.standing(verdict) for verdict in verdicts}
    code = exit_code(verdicts, known)
    if code == CONFORMS:
        return "conforms but for known failures" if "known failure" in standings else "conforms"
    if code == UNJUDGED:
        return "could not be judged"
    return "does not conform" if standings & FAILING else "a failure that is listed as known does not count"


def worst_code(codes: Iterable[int]) -> int:
    """Return the exit status of several targets: 1 if one does not conform, else 2 if one could not be judged."""
    found = set(codes)
    return next((code for code in (DIFFERS, UNJUDGED, CONFORMS) if code in found), UNJUDGED)


def exit_code(verdicts: Iterable[Verdict], known: Known = NONE_KNOWN) -> int:
    """Return 0 if all that the specification requires of the cases was judged and conforms, 1 if a case fails, else 2.

    An unspecified case does not count: 0 requires a case that passes. A case that was not judged for another reason (no
    kernel, a crash), or is missing, makes the status 2. A case that is listed as a known failure counts as passed if it
    fails, and as failed if it passes.
    """
    rows = list(verdicts)
    standings = {known.standing(v) for v in rows}
    if standings & {*FAILING, "listed, but passes"}:
        return DIFFERS
    if any(v.status in ("not judged", "missing") and not v.is_unspecified for v in rows):
        return UNJUDGED
    return CONFORMS if standings & {"pass", "known failure"} else UNJUDGED
