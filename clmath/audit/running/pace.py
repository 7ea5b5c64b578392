"""Measure how long the host takes per input of a case, before a device is asked about all inputs."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, TypeVar, cast

import numpy as np

from clmath.audit.inputs.exhaustive import swept_columns, swept_parts
from clmath.audit.inputs.row_inputs import columns, fixed_chunks, places
from clmath.audit.judge.piece import judge
from clmath.audit.protocol.subject import SubjectError, Sweeping
from clmath.audit.running import swept

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.audit.judge.known_errors import KnownErrors
    from clmath.audit.running.case import Case

__all__ = ["least_time", "of_host"]

T = TypeVar("T")
SAMPLE = 1 << 17  # random inputs that the host is timed with
REPEATED = 4  # repetitions: the first one loads tables, and others may be disturbed


def of_host(case: Case, known: KnownErrors, most: float) -> float:
    """Return the seconds per input if all processes of the host judge while the device evaluates; inf on failure.

    ``known``: largest errors so far. If evaluating alone takes more than ``most``, judging is not timed.
    """
    timed = _of_sweep if swept.is_served(case) else _of_sample
    try:
        return timed(case, known, most)
    except SubjectError:
        return np.inf


def _of_sweep(case: Case, known: KnownErrors, most: float) -> float:
    """Return the seconds per input if all floats are tried and results are judged in shared memory."""
    parts, subject = [swept_parts(case.plan)[0]], cast("Sweeping", case.subject)
    lanes = len(swept_columns(case.item, parts)[0])

    def evaluate() -> None:
        (place,) = subject.swept(case.item, parts)
        subject.give_back(place)

    evaluating, _ = least_time(evaluate)
    if evaluating > most * lanes:
        return evaluating / lanes
    (place,) = subject.swept(case.item, parts)
    judging, _ = least_time(lambda: swept.judged_part(case.item, [place], case.law, parts, known))
    subject.give_back(place)
    return (evaluating + judging / case.plan.jobs) / lanes


def _of_sample(case: Case, known: KnownErrors, most: float) -> float:
    """Return the seconds per input if arguments are sent and results are fetched."""
    item, plan = case.item, case.plan
    chunk, begun = fixed_chunks(item, plan), time.perf_counter()
    values = columns(item, plan, chunk)
    drawing = (time.perf_counter() - begun) / len(values[0]) * SAMPLE
    values = tuple(v[:SAMPLE] for v in values)
    first = places(item, plan, chunk)
    where = first if isinstance(first, int) else first[:SAMPLE]
    evaluating, results = least_time(lambda: case.evaluated(values))
    if evaluating > most * SAMPLE:
        return evaluating / SAMPLE
    judging, _ = least_time(lambda: judge(item, values, results, case.law, where, known))
    return (drawing + evaluating + (drawing + judging) / plan.jobs) / SAMPLE  # judging generates the inputs again


def least_time(work: Callable[[], T]) -> tuple[float, T]:
    """Return the shortest of several times of ``work``, in seconds, and its result."""
    seconds = []
    for _ in range(REPEATED):
        begun = time.perf_counter()
        found = work()
        seconds.append(time.perf_counter() - begun)
    return min(seconds), found
