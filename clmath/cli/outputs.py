"""The files of an audit in addition to its JSON: --junit, --csv, --html, --cts-json."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

from clmath import errors
from clmath.audit.isolation.choosing import meant
from clmath.audit.reports.for_programs import cts, junit, sheet
from clmath.audit.reports.known_failures import NONE_KNOWN, Known, known_failures
from clmath.audit.reports.page import page

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Callable

    from clmath.audit.reports.outcome import Whole

__all__ = ["Outputs", "outputs_of"]

_KINDS: dict[str, Callable[[Whole], str]] = {"junit": junit, "csv": sheet, "html": page, "cts_json": cts}


class Outputs(NamedTuple):
    """The requested files; ``call`` is the command, for errors."""

    call: str
    files: dict[str, Path]
    known: Known

    def write(self, whole: Whole) -> None:
        """Write every file completely, or not at all."""
        for kind, path in self.files.items():
            beside = path.with_name(f"{path.name}.part")
            try:
                beside.write_text(_KINDS[kind](whole), encoding="utf-8", newline="")
                beside.replace(path)
            except OSError as error:
                with contextlib.suppress(OSError):
                    beside.unlink()
                raise errors.not_written(self.call, path, error, f"--{_option(kind)}") from None


def outputs_of(options: Namespace, call: str, *, together: bool = False) -> Outputs:
    """Return the files and known failures that the options name; ClmathError, before any work, if one is impossible.

    ``together``: whether the run is over several targets.
    """
    if together and options.cts_json is not None:
        remedy = f"write it from the report of all: clmath report FILE --target TARGET --cts-json {options.cts_json}"
        raise errors.ClmathError(f"{call}: --cts-json is for one device, and there are several; {remedy}")
    files: dict[str, Path] = {}
    for kind in _KINDS:
        name = getattr(options, kind)
        if name is None:
            continue
        path = Path(os.path.realpath(name) if os.path.islink(name) else name)  # noqa: PTH114 - as below
        obstacle = _obstacle(str(path) if name else name)
        if obstacle:
            raise errors.not_written(call, path, obstacle, f"--{_option(kind)}")
        if any(path.resolve() == other.resolve() for other in (*files.values(), *_others(options))):
            raise errors.ClmathError(
                f"{call}: --{_option(kind)} {path} is another file of this audit already; name a new one"
            )
        files[kind] = path
    known = options.known_failures
    return Outputs(call, files, NONE_KNOWN if known is None else _known(Path(known), call))


def _known(path: Path, call: str) -> Known:
    """Return the list in a file; entries with a device's number or part of its name apply to its stable name."""
    found = known_failures(path, call)
    return found.called(meant(found.apart), f"{call}: {path}")


def _obstacle(name: str) -> OSError | None:
    """Return why a file cannot be written, or None; the temporary file next to it is tried."""
    if not name or os.path.isdir(name):  # noqa: PTH112 - False, not an exception, for a name that is too long
        return OSError(0, "it is not a file in a folder that you may write to")
    if os.path.exists(name) and not os.path.isfile(name):  # noqa: PTH110, PTH113 - as above
        return OSError(0, "it is not a plain file, and would be replaced")
    beside = Path(f"{name}.part")
    try:
        beside.open("xb").close()
        beside.unlink()
    except FileExistsError:
        return None
    except OSError as error:
        return error
    return None


def _others(options: Namespace) -> list[Path]:
    """Return the report itself, the log and the list, which no other file may overwrite."""
    names = [getattr(options, name, None) for name in ("json", "log", "known_failures")]
    return [Path(name) for name in (*names, *getattr(options, "report", ())) if name]


def _option(kind: str) -> str:
    return kind.replace("_", "-")
