"""Help that fits a screen: longer help is cut to a line for each option, and shown in full on demand."""

from __future__ import annotations

import argparse
import re
import shutil
import textwrap
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterator

SCREEN = 40  # lines; longer help is shortened
_NAMES = 30  # columns for the names of options


class _Help(argparse.Action):
    """Prints help, in full or cut to a screen, and ends the command."""

    def __call__(self, parser: argparse.ArgumentParser, *_: object) -> None:
        whole = parser.format_help()
        fits = self.dest == "all" or whole.count("\n") <= SCREEN
        print(whole if fits else brief(parser), end="")
        parser.exit()


def add_help(parser: argparse.ArgumentParser) -> None:
    """Add the option ``--help``, and ``--help-all``, which shortened help names."""
    for names, dest, text in (
        (("-h", "--help"), "help", "show this help message and exit"),
        (("--help-all",), "all", argparse.SUPPRESS),
    ):
        parser.add_argument(*names, dest=dest, help=text, nargs=0, default=argparse.SUPPRESS, action=_Help)


def brief(parser: argparse.ArgumentParser) -> str:
    """Return a line for each argument: its names, and the beginning of its help."""
    shown = [a for a in parser._actions if a.help is not argparse.SUPPRESS]  # noqa: SLF001 - argparse has no public list
    given = [a for a in shown if not a.option_strings]
    usage = " ".join([parser.prog, "[OPTIONS]", *map(_placed, given)])
    lines = [f"usage: {usage}", "", *textwrap.wrap(parser.description or "", _columns()), ""]
    lines += [_line(action) for action in (*given, *(a for a in shown if a.option_strings))]
    return "\n".join([*lines, *_end(parser)]) + "\n"


def _end(parser: argparse.ArgumentParser) -> Iterator[str]:
    if parser.epilog:
        yield from ("", parser.epilog.strip())
    yield f"'{parser.prog} --help-all' says all of it."


def _placed(action: argparse.Action) -> str:
    """Return the form of an argument without a name in the usage."""
    name = str(action.metavar or action.dest)
    forms = {"*": f"[{name} ...]", "+": f"{name} [{name} ...]", "?": f"[{name}]"}
    return forms.get(str(action.nargs), name)


def _line(action: argparse.Action) -> str:
    value = "" if action.nargs == 0 else f" {value_of(action)}"
    names = ", ".join(action.option_strings) + value if action.option_strings else str(action.metavar)
    width = _columns() - _NAMES - 4
    (said, *_) = re.split(r"; | \(", action.help or "", maxsplit=1)
    return f"  {names:<{_NAMES}}  {textwrap.shorten(said, width, placeholder=' ...')}"


def value_of(action: argparse.Action) -> str:
    """Return the form of an option's value: its metavar, its choices, or its name in capitals."""
    choices = f"{{{','.join(map(str, action.choices))}}}" if action.choices else action.dest.upper()
    return action.metavar if isinstance(action.metavar, str) else choices


def _columns() -> int:
    return max(min(shutil.get_terminal_size().columns, 120), 72)
