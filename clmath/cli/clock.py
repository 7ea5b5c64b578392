"""When an audit began, and how long each of its rows took."""

from __future__ import annotations

import time
from datetime import UTC, datetime
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from clmath.audit.plan import Item

__all__ = ["Clock"]


class Clock:
    """Starts when it is made. The time of a row counts from the verdict on the row before, so that all add up."""

    def __init__(self) -> None:
        self.started = datetime.now(UTC).isoformat(timespec="seconds").replace("+00:00", "Z")
        self.seconds: dict[Item, float] = {}
        self._last = time.monotonic()

    def ended(self, item: Item) -> None:
        """The verdict on ``item`` is there."""
        now = time.monotonic()
        self.seconds[item], self._last = now - self._last, now
