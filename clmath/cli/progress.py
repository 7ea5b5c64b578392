"""The progress of an audit: a live bar on a terminal, one line per minute on a plain log."""

from __future__ import annotations

import contextlib
import sys
import time
from statistics import median_low
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

from clmath.audit.inputs.row_inputs import weight
from clmath.audit.reports import terminal
from clmath.cli.shown import complain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan

    Show: TypeAlias = Callable[[Item, int, int], None]

EVERY = 60.0  # seconds between two lines of a plain log
MANY = 1 << 20  # inputs of a case; more are generated and judged by compiled code
# time of an input of a case of each chapter on a processor under PoCL, in microseconds: if nothing better is known,
# only their ratios count
_COSTS = {
    "math": 55.0,
    "common": 75.0,
    "geometric": 70.0,
    "relational": 45.0,
    "contraction": 30.0,
    "memory": 25.0,
    "images": 20.0,
    "printf": 20.0,
    "reinterpretation": 14.0,
    "integer": 5.0,
    "operators": 5.0,
    "conversions": 2.3,
    "constants": 2.4,
}
_COST, _COST_OF_MANY = 20.0, 0.05  # for a chapter that is not listed, for an input among many
_COST_OF_ROW = 0.3e6  # for compiling its kernel, and for all else that does not depend on the inputs


@contextlib.contextmanager
def progress(plan: Plan, items: Sequence[Item], finished: Collection[Item], *, quiet: bool = False) -> Iterator[Show]:
    """Yield a function to be called as chunks are judged: it shows the case, and the time that all cases will take."""
    if quiet:
        yield lambda *_: None
        return
    estimate = Estimate({item: weight(item, plan) for item in items}, finished)
    begun = time.monotonic()
    if not sys.stderr.isatty():
        yield _counting(estimate, begun, _lines(estimate, begun))
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn

    columns = (BarColumn(), TimeElapsedColumn(), TextColumn("{task.description}"))
    with Progress(*columns, console=terminal.console(sys.stderr), transient=True) as bar:
        task = bar.add_task("the first case is compiled and run", total=1.0)
        bar.update(task, completed=estimate.share)

        def tell(_: float, text: str) -> None:
            bar.update(task, completed=estimate.share, description=f"about {_minutes(estimate.left)} left: {text}")

        yield _counting(estimate, begun, tell)


def _counting(estimate: Estimate, last: float, tell: Callable[[float, str], None]) -> Show:
    """Return a function that counts the judged chunks of a case, and passes the time and a text to ``tell``."""

    def show(item: Item, piece: int, pieces: int) -> None:
        nonlocal last
        now = time.monotonic()
        estimate.took(item, piece / pieces, now - last)
        last = now
        tell(now, f"{item} {piece}/{pieces}, case {estimate.places[item]} of {len(estimate.places)}")

    return show


def _lines(estimate: Estimate, last: float) -> Callable[[float, str], None]:
    """Return a function that prints a line on standard error, unless the last one is recent."""

    def tell(now: float, text: str) -> None:
        nonlocal last
        if now - last >= EVERY:
            last = now
            complain(f"clmath audit: {100 * estimate.share:.0f} %, about {_minutes(estimate.left)} left: {text}")

    return tell


@contextlib.contextmanager
def waiting(text: str, *, quiet: bool = False) -> Iterator[None]:
    """Show on a terminal why the command waits, and erase it afterwards."""
    if quiet or not sys.stderr.isatty():
        yield
        return
    print(f"{text} ...", end="\r", file=sys.stderr, flush=True)
    try:
        yield
    finally:
        print(" " * (len(text) + 4), end="\r", file=sys.stderr, flush=True)


class _Taken(NamedTuple):
    """The seconds that a case has taken so far, and the list's microseconds for the same share of it."""

    seconds: float = 0.0
    cost: float = 0.0

    @property
    def rate(self) -> float:
        """The seconds per microsecond of the list."""
        return self.seconds / self.cost


class Estimate:
    """The time that cases will take, by a list of costs, and by the times of most cases of the same chapter and type.

    One case that took much longer, e.g. because a compiler hung, does not influence the others. ``weights``: the inputs
    of each case; ``finished``: cases that are not waited for.
    """

    def __init__(self, weights: dict[Item, int], finished: Collection[Item] = ()) -> None:
        self.places = {item: place for place, item in enumerate(weights, 1)}
        self._costs = {item: _cost(item, count) for item, count in weights.items()}  # microseconds, by the list
        self._kinds = {item: (item.builtin.chapter, item.form.name, count > MANY) for item, count in weights.items()}
        self._total = max(sum(self._costs.values()), 1.0)
        self._done = dict.fromkeys(finished, 1.0)
        self._taken: dict[Item, _Taken] = {}

    def took(self, item: Item, share: float, seconds: float) -> None:
        """Record that ``share`` of a case is judged, ``seconds`` after the last record."""
        cost = self._costs[item] * (share - self._done.get(item, 0.0))
        self._done[item] = share
        before = self._taken.get(item, _Taken())
        self._taken[item] = _Taken(before.seconds + seconds, before.cost + max(cost, 0.0))

    @property
    def share(self) -> float:
        """The share of the time that is over, by the list."""
        return sum(self._costs[item] * share for item, share in self._done.items() if item in self._costs) / self._total

    @property
    def left(self) -> float:
        """Seconds to wait."""
        known = {item: taken.rate for item, taken in self._taken.items() if taken.cost}
        usual = self._usual_rates(known)
        left = {item: cost * (1.0 - self._done.get(item, 0.0)) for item, cost in self._costs.items()}
        return sum(cost * known.get(item, usual[self._kinds[item]]) for item, cost in left.items())

    def _usual_rates(self, known: dict[Item, float]) -> dict[tuple[str, str, bool], float]:
        """Return for each kind of cases the median rate; the overall rate counts as one further case."""
        overall = median_low([1e-6, *known.values()])
        rates: dict[tuple[str, str, bool], list[float]] = {kind: [overall] for kind in self._kinds.values()}
        for item, rate in known.items():
            rates[self._kinds[item]].append(rate)
        return {kind: median_low(found) for kind, found in rates.items()}


def _cost(item: Item, count: int) -> float:
    """Return the list's time for a case of ``count`` inputs, in microseconds."""
    return _COST_OF_ROW + count * (_COST_OF_MANY if count > MANY else _COSTS.get(item.builtin.chapter, _COST))


def _minutes(seconds: float) -> str:
    if seconds < 90:
        return f"{seconds:.0f} s"
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
