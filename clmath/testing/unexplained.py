"""Keep Hypothesis from explaining failures by lines of clmath that only failing examples run."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from types import TracebackType

    from _typeshed import TraceFunction

__all__ = ["unexplained"]

_TOOL = 3  # the tool number of Hypothesis's tracing if Python has sys.monitoring
_TRACER = "hypothesis.internal.scrutineer"


class unexplained:  # noqa: N801 - named for with statements
    """Hide the lines that run inside from Hypothesis's tracing, but not from other tracers."""

    def __enter__(self) -> None:
        self._tracer = _python_tracer()
        if self._tracer is not None:
            sys.settrace(None)
        self._events = _monitored()
        if self._events:
            sys.monitoring.set_events(_TOOL, 0)  # type: ignore[attr-defined,unused-ignore]

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, traceback: TracebackType | None
    ) -> None:
        if self._tracer is not None:
            sys.settrace(self._tracer)
        if self._events:
            sys.monitoring.set_events(_TOOL, self._events)  # type: ignore[attr-defined,unused-ignore]


def _python_tracer() -> TraceFunction | None:
    """Return the trace function of this thread if it is Hypothesis's, else None."""
    tracer = sys.gettrace()
    return tracer if type(getattr(tracer, "__self__", None)).__module__ == _TRACER else None


def _monitored() -> int:
    """Return the events that Hypothesis follows if Python has sys.monitoring (3.12), else 0."""
    monitoring = getattr(sys, "monitoring", None)
    if monitoring is None or monitoring.get_tool(_TOOL) != "scrutineer":
        return 0
    return int(monitoring.get_events(_TOOL))
