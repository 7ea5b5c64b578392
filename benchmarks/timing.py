"""Clock of all benchmarks: processor time of the calling thread; contestants are measured in turns."""

from __future__ import annotations

import gc
import math
import statistics
import time
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

__all__ = ["race", "seconds"]

SHORTEST = 0.02  # seconds: shorter calls are repeated to last so long, far above the clock's resolution


def seconds(call: Callable[[], object], repeats: int = 1) -> float:
    """Return this thread's processor time per call, over ``repeats`` calls in a row."""
    start = time.thread_time_ns()
    for _ in range(repeats):
        call()
    return (time.thread_time_ns() - start) / repeats * 1e-9


def race(calls: Mapping[str, Callable[[], object]], runs: int, shortest: float = SHORTEST) -> dict[str, float]:
    """Return the median seconds of each call over ``runs`` runs.

    Every call is first made once untimed, for compilation. A run times all calls in turn, each run starting with
    another call, so that a noisy minute or a hot processor affects all alike. A call shorter than ``shortest`` seconds
    is repeated until it lasts so long; before, it is made once untimed, as the other calls have emptied the caches and
    changed the processor's frequency. As in ``timeit``, the garbage collector is disabled.
    """
    for call in calls.values():
        call()
    repeats = {name: max(1, math.ceil(shortest / max(seconds(call), 1e-6))) for name, call in calls.items()}
    times: dict[str, list[float]] = {name: [] for name in calls}
    names = list(calls)
    collecting = gc.isenabled()
    gc.disable()
    try:
        for run in range(runs):
            first = run % max(len(names), 1)
            for name in names[first:] + names[:first]:
                if repeats[name] > 1:
                    calls[name]()
                times[name].append(seconds(calls[name], repeats[name]))
    finally:
        if collecting:
            gc.enable()
    return {name: statistics.median(found) for name, found in times.items()}
