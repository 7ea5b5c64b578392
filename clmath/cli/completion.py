"""Shell completions for each option and argument: shtab writes them from ``parser()``."""

from __future__ import annotations

import argparse
from typing import TYPE_CHECKING

from clmath.audit.plan.types import TYPES
from clmath.cli import CHAPTERS
from clmath.cli import _parser as the_parser
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounding import MODES
from clmath.reference import ORACLES
from clmath.spec import editions
from clmath.spec.editions import PROFILES
from clmath.spec.families import audited_builtins

if TYPE_CHECKING:
    from collections.abc import Iterator

# shtab's commands for names of files or folders in each shell
_FILES = {"bash": "_shtab_compgen_files", "zsh": "_files", "tcsh": "f", "fish": "(__fish_complete_path)"}
_FOLDERS = {"bash": "_shtab_compgen_dirs", "zsh": "_files -/", "tcsh": "d", "fish": "(__fish_complete_directories)"}
_SUBJECTS = ("opencl", "opencl:all", "libm", "library:", "numpy", "scipy", "clmath", "torch", "jax", "cupy", "files:")


def parser() -> argparse.ArgumentParser:
    """Return the command line's parser; each argument with few possible values has them as ``choices``."""
    whole = the_parser()
    for action in _arguments(whole):
        place = action.metavar if isinstance(action.metavar, str) else ""
        if place in ("FILE", "OLD", "NEW"):
            _complete(action, _FILES)
        elif place == "DIR":
            _complete(action, _FOLDERS)
        else:
            action.choices = _values(action.dest, place) or action.choices
    return whole


def _complete(action: argparse.Action, how: dict[str, str]) -> None:
    """Set the attribute in which shtab looks for the completion."""
    action.complete = how  # type: ignore[attr-defined]


def _arguments(parser: argparse.ArgumentParser) -> Iterator[argparse.Action]:
    """Yield all arguments of all commands."""
    for action in parser._actions:  # noqa: SLF001 - argparse has no public list
        if isinstance(action, argparse._SubParsersAction):  # noqa: SLF001
            for command in action.choices.values():
                yield from _arguments(command)
        else:
            yield action


def _values(dest: str, place: str) -> tuple[str, ...]:
    """Return the possible values of an argument; for lists, of one of their parts."""
    if place == "BUILT-IN" or dest in ("functions", "names"):
        return tuple(dict.fromkeys(row.name for row in audited_builtins()))
    floats = tuple(form.name for form in FORMATS)
    known: dict[str, tuple[str, ...]] = {
        "targets": _SUBJECTS,
        "chapters": (*CHAPTERS, "all"),
        "chapter": CHAPTERS,
        "types": tuple(TYPES),
        "type": tuple(TYPES),
        "flushes": floats,
        "no_infinities": floats,
        "widths": ("1", "2", "3", "4", "8", "16", "all"),
        "inputs": ("quick", "total:2000", "exhaustive"),
        "edition": editions.known(),
        "oracle": ORACLES,
        "profile": tuple(profile.replace(" ", "-") for profile in PROFILES),
        "mode": MODES,
        "rounding": MODES,
    }
    alternatives = tuple(place.split("|")) if "|" in place else ()  # auto|host|device
    return tuple(known.get(dest, alternatives))
