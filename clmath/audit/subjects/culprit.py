"""Which of many inputs makes a subject fail, found by asking for fewer and fewer of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from clmath.audit.narrow import narrowed
from clmath.audit.subject import FaultError, SubjectError
from clmath.audit.values import arguments_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.audit.arguments.layout import Columns
    from clmath.audit.plan import Item

__all__ = ["culprit"]


def culprit(item: Item, args: Columns, evaluate: Callable[[Columns], None], left: float) -> str:
    """The end of a message that ``evaluate`` fails: the arguments of the one call that does it, where one is found.

    ``left``: how many seconds the search may take.
    """
    count, begun = len(args[0]), time.monotonic()
    if count == 1:
        return f"; with {arguments_text(item, args, 0)}"

    def fails(low: int, high: int) -> bool:
        if time.monotonic() - begun > left:
            raise _TooLongError
        try:
            evaluate(tuple(a[low:high] for a in args))
        except FaultError:
            return True
        return False

    try:
        lane = narrowed(fails, count)
    except _TooLongError:
        return "; the search for the input that does it was given up because it took too long"
    except SubjectError as error:
        return f"; the search for the input that does it ended: {error}"
    return f"; no single input of {count} does it" if lane is None else f"; with {arguments_text(item, args, lane)}"


class _TooLongError(Exception):
    """The search has used up its time."""
