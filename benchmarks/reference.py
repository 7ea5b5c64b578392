"""The arbitrary-precision reference and ``ulp_error`` in every type, compared with gmpy2, mpmath, NumPy and SciPy."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from benchmarks import contestants, inputs
from benchmarks.contest import contest, faster, truth_of
from benchmarks.kernels import NAMES
from benchmarks.sections import Section

if TYPE_CHECKING:
    from benchmarks.sections import Job, Options, Row
    from clmath.numbers.formats import Format

__all__ = ["SECTION"]


def _row(name: str, form: Format, kind: str, options: Options) -> Row:
    call = inputs.call(name, form, kind, options.lanes)
    found = contest(
        {
            "reference": contestants.by_reference(call),
            "ulp_error": contestants.by_ulp_error(call.first(max(options.lanes // 10, 1))),
            "gmpy2": contestants.by_gmpy2(call),
            "mpmath": contestants.by_mpmath(call),
            "NumPy": contestants.by_numpy(call),
            "SciPy": contestants.by_scipy(call),
        },
        truth_of(call),
        options.judged,
        options.runs,
    )
    ours = found["reference"]
    return {
        "function": name,
        "type": form.name,
        "inputs": kind,
        **found,
        "reference, results/s": ours and round(1e9 / ours.ns),
        "reference : gmpy2": faster(ours, found["gmpy2"]),
    }


def _jobs(options: Options) -> list[Job]:
    return [
        functools.partial(_row, name, form, kind, options)
        for name in options.chosen(NAMES)
        for form in options.forms
        for kind in options.inputs
    ]


SECTION = Section(
    "reference",
    "The reference, rte: ns per element · results wrongly rounded; a : b, how many times a is as fast",
    (
        "function",
        "type",
        "inputs",
        "reference",
        "reference, results/s",
        "ulp_error",
        "gmpy2",
        "mpmath",
        "NumPy",
        "SciPy",
        "reference : gmpy2",
    ),
    _jobs,
    NAMES,
)
