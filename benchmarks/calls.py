"""Microseconds per call by the number of elements, compared with NumPy's own functions."""

from __future__ import annotations

import functools
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np

import clmath
from benchmarks.sections import Section
from benchmarks.timing import race
from clmath.call.slices import LEAST

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.sections import Job, Options, Row
    from clmath.numbers.formats import Format

__all__ = ["SECTION"]

RIVALS = {"sin": np.sin, "exp": np.exp, "pow": np.power, "atan2": np.arctan2}
RIVALS |= {"fmax": np.fmax, "fmod": np.fmod, "floor": np.floor, "add": np.add, "isnan": np.isnan}  # without a kernel
TWO = {"pow", "atan2", "fmax", "fmod", "add"}  # built-ins of two arguments
PLAIN = {"fmax", "fmod", "floor", "isnan"}  # built-ins without rounding modes
HANDED_OVER = 500  # pairs of calls whose median is taken
STEPS = (1, 2, 5)  # sizes in each power of ten
A_LOOP = 1000  # largest number of elements for which a loop over single numbers is measured
THREADS = 2
WORTH = 10**5  # smallest number of elements for which threads are measured


def _counts(most: int) -> list[int]:
    """Return sizes from 1 to ``most``."""
    return [step * 10**power for power in range(len(str(most))) for step in STEPS if step * 10**power <= most]


def _arrays(name: str, form: Format, count: int) -> list[Any]:
    """Return random arguments between 0.1 and 3, other ones for each size."""
    rng = np.random.default_rng(count)
    return [rng.uniform(0.1, 3.0, count).astype(form.dtype) for _ in range(1 + (name in TWO))]


def _row(name: str, form: Format, count: int, options: Options) -> Row:
    ours, args = getattr(clmath, name), _arrays(name, form, count)
    last = [a[::2] for a in args]
    calls: dict[str, Callable[[], object]] = {
        "clmath": lambda: ours(*args),
        "every second": lambda: ours(*last),
        "NumPy": lambda: RIVALS[name](*args),
    }
    if name not in PLAIN:
        calls["rtp"] = lambda: ours(*args, rounding="rtp")
    if count <= A_LOOP:
        rows = list(zip(*args, strict=True))
        calls["loop over numbers"] = lambda: [ours(*row) for row in rows]
    found = {key: seconds * 1e6 for key, seconds in race(calls, options.runs).items()}
    return {
        "function": name,
        "type": form.name,
        "elements": f"{count}",
        **found,
        "ns per element": found["clmath"] / count * 1e3,
        "two threads : one": _gain(lambda threads: ours(*args, threads=threads), options.runs, _shared(count)),
        "handing over": _handed_over() if _shared(count) else None,
    }


def _shared(count: int) -> int:
    """Return the number of elements if threads share them, else 0."""
    return count if count >= WORTH else 0


def _handed_over() -> float:
    """Return the cost of sharing: the wall time of two threads minus half the time of one, in microseconds."""
    x = np.ones(THREADS * LEAST, np.float32)
    out = np.empty_like(x)

    def call(threads: int) -> object:
        return clmath.floor(x, out=out, threads=threads)

    call(THREADS)
    pairs = [(_wall(call, THREADS), _wall(call, 1)) for _ in range(HANDED_OVER)]
    return statistics.median(two - one / THREADS for two, one in pairs) * 1e6


def _gain(call: Callable[[int], object], runs: int, count: int) -> float | None:
    """Return the median speed-up of two threads over one, by wall time; None for few elements."""
    if not count:
        return None
    call(THREADS)
    pairs = max(runs, min(50 * runs, 10**7 // count))
    return statistics.median(_wall(call, 1) / _wall(call, THREADS) for _ in range(pairs))


def _wall(call: Callable[[int], object], threads: int) -> float:
    start = time.perf_counter()
    call(threads)
    return time.perf_counter() - start


def _jobs(options: Options) -> list[Job]:
    return [
        functools.partial(_row, name, form, count, options)
        for name in options.chosen(tuple(RIVALS))
        for form in options.forms
        for count in _counts(options.lanes)
    ]


SECTION = Section(
    "calls",
    "Calls by the number of elements: microseconds of one call; two threads : one by wall time",
    (
        "function",
        "type",
        "elements",
        "clmath",
        "rtp",
        "every second",
        "NumPy",
        "loop over numbers",
        "ns per element",
        "two threads : one",
        "handing over",
    ),
    _jobs,
    tuple(RIVALS),
)
