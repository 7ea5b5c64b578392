"""The engines of the host compared on every kernel, rounding to nearest and upward."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from benchmarks import contestants, inputs
from benchmarks.contest import contest, faster, truth_of
from benchmarks.sections import Section
from clmath import phases
from clmath.engines import choice
from clmath.kernels import ACCURATE, FAST

if TYPE_CHECKING:
    from benchmarks.sections import Job, Options, Row
    from clmath.numbers.formats import Format

__all__ = ["SECTION"]

NAMES = tuple(dict.fromkeys((*FAST.kernels, *ACCURATE.kernels)))


def _row(name: str, form: Format, kind: str, options: Options) -> Row:
    call = inputs.call(name, form, kind, options.lanes)
    found = contest(
        {
            "native": contestants.by_engine(call, "native"),
            "NumPy": contestants.by_engine(call, "numpy"),
            "native, rtp": contestants.by_engine(call, "native", "rtp"),
        },
        truth_of(call),
        options.judged,
        options.runs,
    )
    return {
        "function": name,
        "type": form.name,
        "inputs": kind,
        **found,
        "native : NumPy": faster(found["native"], found["NumPy"]),
    }


def _jobs(options: Options) -> list[Job]:
    if choice.NATIVE not in choice.installed():
        return []
    return [
        functools.partial(_row, name, form, kind, options)
        for name in options.chosen(NAMES)
        for form in options.forms
        if phases.has_kernel(name, form)
        for kind in options.inputs
    ]


SECTION = Section(
    "engines",
    "Kernels by engine: ns per element · results wrongly rounded; a : b, how many times a is as fast",
    (
        "function",
        "type",
        "inputs",
        "native",
        "NumPy",
        "native, rtp",
        "native : NumPy",
    ),
    _jobs,
    NAMES,
)
