"""Evaluates one batch on a subject: exceptions, wrong results and a changed processor state are SubjectErrors."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, cast

from clmath.audit.inputs import vectors
from clmath.audit.inputs.layout import arguments
from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.results import check_results
from clmath.audit.protocol.subject import Ahead, FaultError, SubjectError, Talks
from clmath.audit.subjects import environment
from clmath.audit.subjects.layouts import LAYOUTS, LaidOut
from clmath.numbers import guard

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    import numpy as np

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.audit.protocol.subject import Subject
    from clmath.audit.subjects.layouts import Layout
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["attempt", "contained", "evaluated", "evaluated_ahead", "evaluated_in", "printed"]


def evaluated(subject: Subject, item: Item, values: Columns) -> tuple[np.ndarray, ...]:
    """The checked results of ``subject`` for the inputs ``values``, which stay what they are."""
    guard.refuse_altered_arithmetic("clmath audit")  # altered before this call: the subject is not to blame
    args = _given(item, tuple(v.copy() for v in values))  # a subject may write into its arguments
    return _checked(item, attempt(subject, item.builtin, item.form, args), args)


def evaluated_in(layout: Layout, subject: Subject, item: Item, values: Columns) -> tuple[np.ndarray, ...]:
    """What ``evaluated`` returns, if the arguments lie in a layout in memory."""
    args = LaidOut.of(_given(item, values), LAYOUTS.index(layout))
    return _checked(item, attempt(subject, item.builtin, item.form, args), args)


def evaluated_ahead(subject: Subject, item: Item, batches: Sequence[Columns]) -> Iterator[tuple[np.ndarray, ...]]:
    """What ``evaluated`` returns for each batch, in turn; a subject that is ``Ahead`` begins with all at once."""
    if not _is_ahead(type(subject)):
        return (evaluated(subject, item, values) for values in batches)
    given = [_given(item, values) for values in batches]
    found = cast("Ahead", subject).started(item.builtin, item.form, given)
    return (_checked(item, results, args) for args, results in zip(given, found, strict=True))


def _given(item: Item, values: Columns) -> Columns:
    """The arrays that a subject is given for the inputs ``values``."""
    return vectors.stacked(item, arguments(item, values))


def _checked(item: Item, results: Any, args: Columns) -> Columns:
    """The subject's results, checked for types and shapes; the lanes of vectors become calls of their own."""
    return vectors.flat(item, check_results(item, results, len(args[0])))


@functools.cache
def _is_ahead(kind: type) -> bool:
    """Whether subjects of this class are ``Ahead``; to look at its methods for every batch would take too long."""
    return issubclass(kind, Ahead)


def printed(subject: Subject) -> str:
    """A remark on what ``subject`` has printed since this was asked last; empty where nothing was, or is captured."""
    return subject.printed() if isinstance(subject, Talks) else ""


def attempt(subject: Subject, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> Any:
    """What ``subject`` returns; whatever it raises is a FaultError, but for SubjectError and KeyboardInterrupt.

    The processor's mode and flags are put back where the subject changed them, and the batch is a FaultError.
    """
    return contained(f"{subject.name}: {row.name}({form})", lambda: subject.evaluate(row, form, args))


def contained(call: str, work: Callable[[], Any]) -> Any:
    """What ``work``, which runs code of a subject, returns; errors are those of ``attempt``, and name the ``call``."""
    before = environment.taken()
    try:
        found = work()
        change = _change()
    except (SubjectError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - code of others: panics and exits are no Exception
        raise FaultError(call, f"raised {message_of(error)}") from None
    finally:
        if _change():
            environment.restore(before)
    if change:
        raise FaultError(call, change, lasting=True)
    return found


def _change() -> str:
    """What is changed in the processor; empty where nothing is."""
    if guard.rounds_otherwise():
        return "left another rounding mode set in the processor (fesetround)"
    if guard.flushes():
        return "left the processor flushing subnormal numbers to zero (FTZ or DAZ)"
    return ""
