"""Find the input that makes a target fail, by evaluating fewer and fewer inputs."""

from __future__ import annotations

import time
from collections.abc import Callable

from clmath.audit.inputs.layout import Columns
from clmath.audit.inputs.values import arguments_text
from clmath.audit.plan.item import Item
from clmath.audit.protocol.target import FaultError, TargetError

UNTRIED = "no input was tried"  # ends the reason of a case whose kernel makes the compiler die
_UNSEARCHED = "; the input that does it was not searched for, "
_ENDINGS = ("; with ", "; no single input of ", "; the search for the input that does it ", _UNSEARCHED)


def was_lost(item: Item, reason: str) -> bool:
    """Whether the reason of a case says that its process was lost, and not that it went on after a fault."""
    call = f"{item.builtin.name}({item.form})"
    went_on = any(f"{call} {deed} " in reason for deed in ("raised", "wrote beyond"))
    return reason.endswith(UNTRIED) or (not went_on and any(ending in reason for ending in _ENDINGS))


def unsearched(item: Item, deaths: int) -> str:
    """Return the end of a message about a failing batch, after ``deaths`` of cases like this one."""
    width = f"of width {item.components}" if item.components > 1 else "on scalars"
    return f"{_UNSEARCHED}as {deaths} cases of the {item.builtin.chapter} chapter {width} died before"


def culprit(item: Item, args: Columns, evaluate: Callable[[Columns], None], left: float) -> str:
    """Return the end of a message about a failing batch: the arguments of the single call that fails, if one is found.

    ``left``: the seconds that the search may take.
    """
    count, begun = len(args[0]), time.monotonic()
    if count == 1:
        return f"; with {arguments_text(item, args, 0)}"

    def fails(low: int, high: int) -> bool:
        if time.monotonic() - begun > left:
            raise TimeoutError
        try:
            evaluate(tuple(a[low:high] for a in args))
        except FaultError:
            return True
        return False

    try:
        place = narrowed(fails, count)
    except TimeoutError:
        return "; the search for the input that does it was given up because it took too long"
    except TargetError as error:
        return f"; the search for the input that does it ended: {error}"
    return f"; no single input of {count} does it" if place is None else f"; with {arguments_text(item, args, place)}"


def narrowed(fails: Callable[[int, int], bool], count: int) -> int | None:
    """Return the place of an input that fails by itself, in a failing batch of ``count``, or None if none is found.

    ``fails(low, high)`` tries the inputs from ``low`` to ``high``. It is called about log2(count) times: if the first
    half does not fail, the second is assumed to fail; the last input must fail alone.
    """
    low, high, is_known = 0, count, True
    while high - low > 1:
        middle = (low + high) // 2
        is_known = fails(low, middle)
        low, high = (low, middle) if is_known else (middle, high)
    return low if is_known or fails(low, high) else None
