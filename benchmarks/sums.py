"""Exact sums of work-groups of several sizes, rounded once, compared with NumPy's sums and math.fsum."""

from __future__ import annotations

import functools
import itertools
import math
from fractions import Fraction
from typing import TYPE_CHECKING

import numpy as np

import clmath
from benchmarks.contest import Contestant, contest, faster
from benchmarks.sections import Section
from clmath.numbers.formats import DOUBLE
from clmath.numbers.rounding import round_real

if TYPE_CHECKING:
    from benchmarks.contest import Truth
    from benchmarks.sections import Job, Options, Row
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["SECTION"]

SIZES = (10, 100, 1000, 100_000)  # elements of a group
# NumPy's counterpart of each, and whether it is a scan (returns all partial sums)
FUNCTIONS = {
    "work_group_reduce_add": (functools.partial(np.add.reduce, axis=-1), False),
    "work_group_scan_inclusive_add": (functools.partial(np.add.accumulate, axis=-1), True),
}


def _groups(form: Format, size: int, lanes: int) -> np.ndarray:
    """Return normally distributed numbers, whose sums do not overflow in half."""
    count = max(lanes // size, 1)
    return np.random.default_rng(1).standard_normal((count, size)).astype(form.dtype)


def _truth(groups: np.ndarray, form: Format, *, is_scan: bool) -> Truth:
    def truth(mode: Rounding, lanes: int) -> np.ndarray:
        rows = groups[: -(-lanes // groups.shape[1])] if is_scan else groups[:lanes]
        exact = (itertools.accumulate(map(Fraction, row.tolist())) for row in rows)
        sums = [total for row in exact for total in (row if is_scan else list(row)[-1:])]
        return np.array([round_real(total, form, mode) for total in sums[:lanes]], form.dtype)

    return truth


def _by_fsum(groups: np.ndarray, form: Format, *, is_scan: bool) -> Contestant | None:
    """Return math.fsum on lists of Python floats, which are made before timing, or None if it does not apply."""
    if form is not DOUBLE or is_scan:
        return None
    rows = groups.tolist()
    return Contestant(lambda: list(map(math.fsum, rows)), groups.size, np.asarray)


def _row(name: str, form: Format, size: int, options: Options) -> Row:
    groups, (by_numpy, is_scan) = _groups(form, size, options.lanes), FUNCTIONS[name]
    ours = functools.partial(getattr(clmath, name), groups)
    flat = np.ravel
    contestants = {
        "clmath": Contestant(ours, groups.size, flat),
        "NumPy": Contestant(functools.partial(by_numpy, groups), groups.size, flat),
        "fsum": _by_fsum(groups, form, is_scan=is_scan),
    }
    judged = max(options.judged // (1 if is_scan else size), 1)
    found = contest(contestants, _truth(groups, form, is_scan=is_scan), judged, options.runs)
    return {
        "function": name,
        "type": form.name,
        "elements": f"{size}",
        **found,
        "clmath : NumPy": faster(found["clmath"], found["NumPy"]),
        "clmath : fsum": faster(found["clmath"], found["fsum"]),
    }


def _jobs(options: Options) -> list[Job]:
    return [
        functools.partial(_row, name, form, size, options)
        for name in options.chosen(list(FUNCTIONS))
        for form in options.forms
        for size in SIZES
    ]


SECTION = Section(
    "sums",
    "Sums of work-groups: ns per element · results wrongly rounded; a : b, how many times a is as fast",
    ("function", "type", "elements", "clmath", "NumPy", "fsum", "clmath : NumPy", "clmath : fsum"),
    _jobs,
    tuple(FUNCTIONS),
)
