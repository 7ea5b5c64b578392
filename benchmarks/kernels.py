"""Kernels of half and float: both engines compared with gmpy2, mpmath, NumPy, SciPy and published CORE-MATH times."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from benchmarks import contestants, inputs
from benchmarks.contest import contest, faster, truth_of
from benchmarks.sections import Section
from clmath import phases
from clmath.kernels import FAST

if TYPE_CHECKING:
    from benchmarks.sections import Job, Options, Row
    from clmath.numbers.formats import Format

__all__ = ["SECTION"]

NAMES = (*FAST.kernels, "lgamma_r")

# CORE-MATH, float, processor nanoseconds per element on typical ranges and on random bit patterns: scalar C, compiled
# with -O3 -march=native. Measured once on a similar machine, not in the same run.
CORE_MATH = {
    "sin": (3.7, 9.8),
    "exp": (3.0, 9.0),
    "log": (2.7, 6.0),
    "pow": (8.6, 18.0),
    "erf": (4.8, 6.3),
    "tgamma": (19.0, 9.3),
    "cbrt": (3.9, 4.0),
    "atan2": (5.7, 4.9),
    "sinpi": (3.3, 8.0),
}


def _row(name: str, form: Format, kind: str, options: Options) -> Row:
    call = inputs.call(name, form, kind, options.lanes)
    found = contest(
        {
            "clmath NumPy": contestants.by_engine(call, "numpy"),
            "clmath native": contestants.by_engine(call, "native"),
            "gmpy2": contestants.by_gmpy2(call),
            "gmpy2, arrays": contestants.by_gmpy2_arrays(call),
            "mpmath": contestants.by_mpmath(call),
            "NumPy": contestants.by_numpy(call),
            "SciPy": contestants.by_scipy(call),
        },
        truth_of(call),
        options.judged,
        options.runs,
    )
    published = CORE_MATH.get(name) if form.name == "float" else None
    c = published[inputs.INPUTS.index(kind)] if published else None
    return {
        "function": name,
        "type": form.name,
        "inputs": kind,
        **found,
        "CORE-MATH": c,
        "NumPy engine : gmpy2": faster(found["clmath NumPy"], found["gmpy2"]),
        "native engine : gmpy2": faster(found["clmath native"], found["gmpy2"]),
        "NumPy engine : gmpy2, arrays": faster(found["clmath NumPy"], found["gmpy2, arrays"]),
        "native engine : gmpy2, arrays": faster(found["clmath native"], found["gmpy2, arrays"]),
        "native engine : CORE-MATH": faster(found["clmath native"], c),
    }


def _jobs(options: Options) -> list[Job]:
    return [
        functools.partial(_row, name, form, kind, options)
        for name in options.chosen(NAMES)
        for form in options.forms
        if form.is_narrow and phases.has_kernel(name, form)
        for kind in options.inputs
    ]


SECTION = Section(
    "kernels",
    "Half and float by kernels, rte: ns per element · results wrongly rounded; a : b, how many times a is as fast",
    (
        "function",
        "type",
        "inputs",
        "clmath NumPy",
        "clmath native",
        "gmpy2",
        "gmpy2, arrays",
        "mpmath",
        "NumPy",
        "SciPy",
        "CORE-MATH",
        "NumPy engine : gmpy2",
        "native engine : gmpy2",
        "NumPy engine : gmpy2, arrays",
        "native engine : gmpy2, arrays",
        "native engine : CORE-MATH",
    ),
    _jobs,
    NAMES,
)
