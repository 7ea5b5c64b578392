"""Printed form of an outcome, in full or only failures, in colours, for CI; standard streams without tracebacks."""

from __future__ import annotations

import errno
import os
import sys
from typing import TYPE_CHECKING, TextIO

from clmath.audit.protocol.printable import printable
from clmath.audit.reports import terminal
from clmath.audit.reports.known_failures import needing_attention

if TYPE_CHECKING:
    from argparse import ArgumentParser, Namespace
    from collections.abc import Iterable, Iterator

    from rich.console import Console

    from clmath.audit.records.record import Head
    from clmath.audit.reports.outcome import Outcome

UNWRITABLE = frozenset((errno.ENOSPC, errno.EFBIG, errno.EIO, errno.EDQUOT))  # with no file name: a full disk


def ensure_open() -> None:
    """Open /dev/null in place of closed standard streams: else the next file or socket would take their numbers."""
    for descriptor in range(3):
        try:
            os.fstat(descriptor)
        except OSError:
            os.set_inheritable(os.open(os.devnull, os.O_RDWR), True)  # the lowest free number: this one
    sys.stdout = sys.stdout or _nothing()
    sys.stderr = sys.stderr or _nothing()


def complain(line: str) -> None:
    """Print to standard error; if that fails, the exit status must suffice."""
    try:
        print(line, file=sys.stderr, flush=True)
    except OSError:
        sys.stderr = _nothing()


def discard_output() -> None:
    """Discard output from now on: the interpreter's last flush must not fail."""
    sys.stdout = _nothing()


def _nothing() -> TextIO:
    return open(os.devnull, "w", encoding="utf-8")  # noqa: PTH123 - open until the process ends


MOST = 10  # annotations that GitHub shows for a step
_CI = ("auto", "github", "none")


def add_options(command: ArgumentParser) -> None:
    """Add the options of this module."""
    add = command.add_argument
    add("--quiet", action="store_true", help="print only the verdict and cases that do not pass; no progress")
    add(
        "--color",
        choices=terminal.COLORS,
        metavar="|".join(terminal.COLORS),
        default="auto",
        help="when to use colours; auto: on a terminal unless NO_COLOR is set (default: auto)",
    )
    add(
        "--annotations",
        choices=_CI,
        metavar="|".join(_CI),
        default="auto",
        help="annotate cases that do not pass on GitHub; auto: if GITHUB_ACTIONS is true (default: auto)",
    )


def console(options: Namespace) -> Console:
    """Return standard output, coloured as the options say."""
    return terminal.console(sys.stdout, options.color)


def shown(options: Namespace, heading: Iterable[str], outcome: Outcome, name: str = "") -> None:
    """Print an outcome below its ``heading``, with ``--quiet`` only its first line; ``name``: of its target."""
    out, lines = console(options), list(heading)
    for line in lines[:1] if options.quiet else lines:
        out.print(printable(line.partition("\n")[0] if options.quiet else line), soft_wrap=True, markup=False)
    terminal.show(out, outcome.verdicts, outcome.replay, outcome.known, quiet=options.quiet)
    for line in annotated(options, outcome, name):
        print(printable(line), flush=True)


def heading_of(head: Head) -> str:
    """Return a report's description of its audit: the target, the edition, the profile, and the part of the inputs."""
    plan = head["plan"]
    k, _, count = str(plan.get("part", "1/1")).partition("/")
    part = f", part {k} of {count} of the inputs" if count != "1" else ""
    return f"{head['subject']['name']}\nedition {plan['edition']}, profile {plan['profile']}{part}"


def annotated(options: Namespace, outcome: Outcome, name: str = "") -> Iterator[str]:
    """Yield GitHub annotations of the most severe cases that do not pass: errors, or warnings if not judged."""
    wanted = options.annotations
    if wanted == "none" or (wanted == "auto" and os.environ.get("GITHUB_ACTIONS") != "true"):
        return
    rows = needing_attention(outcome.verdicts, outcome.known)
    reported = rows if len(rows) <= MOST else rows[: MOST - 1]
    target = name or str(outcome.head["subject"]["name"])
    for verdict in reported:
        kind = "warning" if verdict.status == "not judged" else "error"
        replayed = outcome.replay.command(verdict.item, terminal.named_failure(verdict, outcome.known))
        command = f"\n{replayed}" if replayed else ""
        title = _escaped(f"{verdict.item} on {target}").replace(":", "%3A").replace(",", "%2C")
        yield f"::{kind} title={title}::{_escaped(terminal.attention_line(verdict, outcome.known) + command)}"
    if len(reported) < len(rows):
        yield f"::error title={_escaped('clmath')}::{len(rows) - len(reported)} more cases do not pass"


def _escaped(text: str) -> str:
    """Return the text as GitHub's annotations need it."""
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")
