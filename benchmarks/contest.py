"""Contest of several contestants, which do the same work in turns; results are compared with the exact ones."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from benchmarks.timing import race
from clmath import call as front

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from benchmarks.inputs import Call
    from clmath.numbers.rounding import Rounding

__all__ = ["Contestant", "Outcome", "Truth", "contest", "faster", "truth_of", "wrong_share"]

Truth: TypeAlias = "Callable[[Rounding, int], np.ndarray]"
"""Correctly rounded results in a mode, of the first elements, as many as the second argument says."""


@dataclass(frozen=True)
class Contestant:
    """Implementation that is compared: ``run`` is timed and computes ``lanes`` elements.

    ``values`` converts what ``run`` returned to an array, the results of the first elements in order; it is not timed.
    ``mode`` is the rounding mode of the results, or None if they are not judged.
    """

    run: Callable[[], object]
    lanes: int
    values: Callable[[Any], np.ndarray] = lambda results: results
    mode: Rounding | None = "rte"


@dataclass(frozen=True)
class Outcome:
    """Nanoseconds per element, and the share of ``judged`` results that are not correctly rounded."""

    ns: float
    lanes: int
    wrong: float | None = None
    judged: int = 0


def contest(
    contestants: Mapping[str, Contestant | None], truth: Truth, judged: int, runs: int
) -> dict[str, Outcome | None]:
    """Return the outcome of each contestant, None for missing ones; at most ``judged`` results are judged."""
    present = {name: c for name, c in contestants.items() if c is not None}
    known = functools.cache(truth)
    with np.errstate(all="ignore"):
        shares = {name: _judge(c, known, judged) for name, c in present.items()}
        times = race({name: c.run for name, c in present.items()}, runs)
    outcomes = {n: Outcome(times[n] / c.lanes * 1e9, c.lanes, *shares[n]) for n, c in present.items()}
    return {name: outcomes.get(name) for name in contestants}


def _judge(contestant: Contestant, truth: Truth, judged: int) -> tuple[float | None, int]:
    if contestant.mode is None:
        return None, 0
    got = contestant.values(contestant.run())[:judged]
    return wrong_share(got, truth(contestant.mode, len(got))), len(got)


def wrong_share(got: np.ndarray, want: np.ndarray) -> float:
    """Return the share of ``got`` whose bits differ from ``want``; NaNs are equal, -0 and +0 are not."""
    unsigned = f"u{want.dtype.itemsize}"
    differ = got.astype(want.dtype, copy=False).view(unsigned) != want.view(unsigned)
    return float(np.mean(differ & ~((got != got) & (want != want))))


def truth_of(call: Call) -> Truth:
    """Return a function that computes the correctly rounded results of ``call`` with the reference."""

    def truth(mode: Rounding, lanes: int) -> np.ndarray:
        found = front.by_reference(call.name, call.first(lanes).args, mode)
        return np.asarray(found[0] if isinstance(found, tuple) else found)

    return truth


def faster(one: Outcome | float | None, other: Outcome | float | None) -> float | None:
    """Return the speed of ``one`` divided by the speed of ``other``, or None if either is missing."""
    if one is None or other is None:
        return None
    first, second = (o.ns if isinstance(o, Outcome) else o for o in (one, other))
    return second / first
