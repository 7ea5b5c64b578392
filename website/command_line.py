"""The page of the command line, from its parser, so that it has every option."""

from __future__ import annotations

import argparse
import os
from typing import TYPE_CHECKING

from clmath.cli import _parser as the_parser
from clmath.cli.brief import value_of
from website.markdown import code, escaped, table

if TYPE_CHECKING:
    from collections.abc import Iterator

__all__ = ["commands", "page"]

_HEAD = """# The command line

Every command and every option, from the parser itself. `clmath COMMAND --help-all` prints the same;
[the vendor's manual](guide/vendor.md) says what they are for.

## Completion in a shell {#completion}

`pip install 'clmath[completion]'` brings [shtab](https://pypi.org/project/shtab/), which writes what a shell completes
commands, options, their values and the names of built-ins by:

```sh
mkdir -p ~/.local/share/bash-completion/completions
.venv/bin/shtab --shell=bash --prog clmath clmath.cli.completion.parser \\
    > ~/.local/share/bash-completion/completions/clmath
```

`--shell=zsh`, `--shell=fish` and `--shell=tcsh` write the same for these shells.

## A man page {#man}

The same extra brings [argparse-manpage](https://pypi.org/project/argparse-manpage/), which writes a man page from the
texts of `--help`. Packagers of distributions run this command in their recipe:

```sh
mkdir -p ~/.local/share/man/man1
.venv/bin/argparse-manpage --module clmath.cli.completion --function parser --prog clmath --project-name clmath \\
    --manual-title "clmath" --description "judge devices by the numerics of OpenCL C" \\
    --output ~/.local/share/man/man1/clmath.1
```
"""


def commands() -> dict[str, argparse.ArgumentParser]:
    """The parsers of all commands, by name."""
    (found,) = (a for a in the_parser()._actions if isinstance(a, argparse._SubParsersAction))
    return dict(found.choices)


def page() -> str:
    """The page in Markdown."""
    return "\n".join([_HEAD, *(line for name, parser in commands().items() for line in _command(name, parser))])


def _command(name: str, parser: argparse.ArgumentParser) -> Iterator[str]:
    yield f"## clmath {name}\n"
    yield f"```text\n{_usage(parser)}\n```\n"
    if parser.description:
        yield f"{escaped(parser.description)}\n"
    arguments = [a for a in parser._actions if a.help is not argparse.SUPPRESS and a.dest != "help"]
    if arguments:
        yield table(("argument", "what it says"), [(_spelled(a), escaped(_said(a))) for a in arguments]) + "\n"
    if parser.epilog:
        yield f"```text\n{parser.epilog.strip()}\n```\n"


def _usage(parser: argparse.ArgumentParser) -> str:
    """Return the help as a terminal of 100 columns shows it."""
    before = os.environ.get("COLUMNS")
    os.environ["COLUMNS"] = "100"
    try:
        return parser.format_usage().strip()
    finally:
        if before is None:
            del os.environ["COLUMNS"]
        else:
            os.environ["COLUMNS"] = before


def _said(action: argparse.Action) -> str:
    """Its help, without the doubled percent signs that argparse wants."""
    return (action.help or "").replace("%%", "%")


def _spelled(action: argparse.Action) -> str:
    """Return the argument as users write it."""
    value = "" if action.nargs == 0 else value_of(action)
    names = [f"{name} {value}".strip() for name in action.option_strings] or [value]
    return ", ".join(map(code, names))
