"""Seconds that the first call of a built-in takes the Numba engine: compiling it, and loading what a cache holds.

Run as a program with the name of a built-in, it is the fresh process in which that is measured.
"""

from __future__ import annotations

import functools
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks import inputs
from benchmarks.sections import Section
from benchmarks.timing import seconds
from clmath import call as front
from clmath.engines import choice
from clmath.kernels import QUICK
from clmath.numbers.formats import DOUBLE, FLOAT, HALF

if TYPE_CHECKING:
    from benchmarks.sections import Job, Options, Row

__all__ = ["SECTION"]

NAMES = tuple(kernel.name for kernel in QUICK.single)
FORMS = (FLOAT, HALF, DOUBLE)
ROOT = Path(__file__).resolve().parent.parent


def _first_calls(name: str) -> dict[str, float]:
    """Seconds of the first call in each format, Numba being imported already."""
    import numba  # noqa: F401

    calls = [inputs.call(name, form, "natural", 64) for form in FORMS]
    times = {}
    for call in calls:
        run = functools.partial(front.floats, name, call.args, "rte", None, "numba")
        times[call.form.name] = seconds(run)
    return times


def _in_a_fresh_process(name: str, cache: str) -> dict[str, float]:
    command = [sys.executable, "-m", "benchmarks.compiling", name]
    environment = os.environ | {"CLMATH_CACHE_DIR": cache}
    child = subprocess.run(command, env=environment, cwd=ROOT, capture_output=True, text=True, check=True)  # noqa: S603
    found: dict[str, float] = json.loads(child.stdout)
    return found


def _row(name: str) -> Row:
    with tempfile.TemporaryDirectory() as cache:
        cold, warm = (_in_a_fresh_process(name, cache) for _ in range(2))
    columns = {f"{form}, compiled": cold[form.name] for form in FORMS}
    return {"function": name, **columns, **{f"{form}, from the cache": warm[form.name] for form in FORMS}}


def _jobs(options: Options) -> list[Job]:
    if not choice.can_compile():
        return []
    return [functools.partial(_row, name) for name in options.chosen(NAMES)]


SECTION = Section(
    "compile",
    "First call of the Numba engine in a fresh process, seconds (importing Numba not counted)",
    (
        "function",
        *(f"{form}, compiled" for form in FORMS),
        *(f"{form}, from the cache" for form in FORMS),
    ),
    _jobs,
    NAMES,
)

if __name__ == "__main__":
    print(json.dumps(_first_calls(sys.argv[1])))
