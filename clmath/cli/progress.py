"""How far an audit has come: a live bar on a terminal, a line a minute on a plain log."""

from __future__ import annotations

import contextlib
import sys
import time
from typing import TYPE_CHECKING, Protocol, TypeAlias

from clmath.audit import report
from clmath.audit.inputs import weight
from clmath.cli.streams import complain

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterator, Sequence

    from clmath.audit.plan import Item, Plan

    Show: TypeAlias = Callable[[Item, int, int], None]

__all__ = ["EVERY", "progress"]

EVERY = 60.0  # seconds between two lines of a plain log


@contextlib.contextmanager
def progress(plan: Plan, items: Sequence[Item], finished: Collection[Item]) -> Iterator[Show]:
    """What is to be called as pieces are judged: it shows the row, and the time that all of them will take."""
    weights = {item: weight(item, plan) for item in items}
    before = sum(weights[item] for item in finished)
    if not sys.stderr.isatty():
        yield _Counted(weights, before, _Lines(sum(weights.values()), before)).show
        return
    from rich.progress import BarColumn, Progress, TextColumn, TimeElapsedColumn, TimeRemainingColumn

    columns = (
        BarColumn(),
        TimeElapsedColumn(),
        TextColumn("left"),
        TimeRemainingColumn(),
        TextColumn("{task.description}"),
    )
    with Progress(*columns, console=report.console(sys.stderr), transient=True) as bar:
        task = bar.add_task("", total=sum(weights.values()), completed=before)
        yield _Counted(weights, before, lambda done, text: bar.update(task, completed=done, description=text)).show


class _Told(Protocol):
    """Whatever shows how much is done."""

    def __call__(self, done: float, text: str, /) -> None: ...


class _Counted:
    """How many of all inputs are judged."""

    def __init__(self, weights: dict[Item, int], before: int, told: _Told) -> None:
        self._weights = weights
        self._places = {item: place for place, item in enumerate(weights, 1)}
        self._done = float(before)
        self._begun: dict[Item, float] = {}
        self._told = told

    def show(self, item: Item, piece: int, pieces: int) -> None:
        """``piece`` of the ``pieces`` of a row are judged."""
        judged = self._weights[item] * piece / pieces
        self._done += judged - self._begun.get(item, 0.0)  # a row may be looked at once more while the next has begun
        self._begun[item] = judged
        self._told(self._done, f"{item} {piece}/{pieces}, row {self._places[item]} of {len(self._places)}")


class _Lines:
    """A line on standard error, once in a while."""

    def __init__(self, total: int, before: int) -> None:
        self._total = total
        self._before = before
        self._begun = self._last = time.monotonic()

    def __call__(self, done: float, text: str) -> None:
        """Say it, unless something was said a moment ago."""
        now = time.monotonic()
        if now - self._last < EVERY:
            return
        self._last = now
        left = (now - self._begun) * (self._total - done) / max(done - self._before, 1.0)
        complain(f"clmath audit: {100 * done / self._total:.0f} %, about {_minutes(left)} left: {text}")


def _minutes(seconds: float) -> str:
    return f"{seconds / 60:.0f} min" if seconds < 7200 else f"{seconds / 3600:.1f} h"
