"""Which of many inputs makes a subject fail, found by asking for fewer and fewer of them."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from clmath.audit.inputs.values import arguments_text
from clmath.audit.isolation.bisect import narrowed
from clmath.audit.protocol.subject import FaultError, SubjectError

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item

__all__ = ["culprit", "was_searched"]

LESS = 2  # processes that a shorter search may lose
_ENDINGS = ("; with ", "; one of ", "; no single input of ", "; the search for the input that does it ")


def was_searched(reason: str) -> bool:
    """Whether a row's reason ends with the words of ``culprit``."""
    return any(ending in reason for ending in _ENDINGS)


def culprit(
    item: Item, args: Columns, evaluate: Callable[[Columns], None], left: float, before: int | None = None
) -> str:
    """The end of a message about a batch that fails: the arguments of the single call that fails, if one is found.

    ``left``: how many seconds the search may take. ``before``: None, or how many rows of the chapter failed before; the
    search ends then once ``LESS`` more processes are lost, since starting one takes seconds.
    """
    count, begun, lost = len(args[0]), time.monotonic(), 0
    if count == 1:
        return f"; with {arguments_text(item, args, 0)}"

    def fails(low: int, high: int) -> bool:
        nonlocal lost
        if time.monotonic() - begun > left:
            raise _TooLongError
        try:
            evaluate(tuple(a[low:high] for a in args))
        except FaultError as fault:
            lost += fault.lasting
            if before is not None and fault.lasting and lost >= LESS and high - low > 1:
                raise _LessError(low, high) from None
            return True
        return False

    try:
        lane = narrowed(fails, count)
    except _LessError as found:
        low, high = found.args
        first = f"the first with {arguments_text(item, args, low)}"
        why = f"narrowed down less, as {before} rows of the {item.builtin.chapter} chapter went wrong before"
        return f"; one of {high - low} inputs does it, {first} ({why})"
    except _TooLongError:
        return "; the search for the input that does it was given up because it took too long"
    except SubjectError as error:
        return f"; the search for the input that does it ended: {error}"
    return f"; no single input of {count} does it" if lane is None else f"; with {arguments_text(item, args, lane)}"


class _LessError(Exception):
    """The search has lost as many processes as it may: one of the inputs between two places does it."""


class _TooLongError(Exception):
    """The search has used up its time."""
