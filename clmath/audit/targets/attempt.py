"""Evaluate one batch on a target: exceptions, wrong results and a changed processor state become TargetErrors.

The floating-point environment of this thread is saved before a target runs, and restored afterwards.
"""

from __future__ import annotations

import contextlib
import ctypes
import functools
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar, cast

import numpy as np

from clmath.audit.inputs import vectors
from clmath.audit.inputs.layout import Columns, arguments
from clmath.audit.plan.item import Item
from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.target import Ahead, FaultError, Talks, Target, TargetError, check_results
from clmath.audit.targets.layouts import LAYOUTS, LaidOut, Layout
from clmath.numbers import guard
from clmath.numbers.formats import Format
from clmath.spec.builtins import Builtin

Result = TypeVar("Result")

_SIZE = 256  # bytes; the largest fenv_t of the systems we know has 32


def evaluated(target: Target, item: Item, values: Columns) -> tuple[np.ndarray, ...]:
    """Return the checked results of ``target`` for the inputs ``values``, which are left unchanged."""
    guard.refuse_altered_arithmetic("clmath audit")  # altered before this call: the target is not to blame
    args = _given(item, tuple(v.copy() for v in values))  # a target may write into its arguments
    return _checked(item, attempt(target, item.builtin, item.form, args), args)


def evaluated_in(layout: Layout, target: Target, item: Item, values: Columns) -> tuple[np.ndarray, ...]:
    """Return the checked results of ``target`` for arguments in the memory layout ``layout``."""
    args = LaidOut.of(_given(item, values), LAYOUTS.index(layout))
    return _checked(item, attempt(target, item.builtin, item.form, args), args)


def evaluated_ahead(target: Target, item: Item, batches: Sequence[Columns]) -> Iterator[tuple[np.ndarray, ...]]:
    """Yield the checked results for each batch, in turn; a target that is ``Ahead`` begins with all of them at once."""
    if not _is_ahead(type(target)):
        return (evaluated(target, item, values) for values in batches)
    given = [_given(item, values) for values in batches]
    found = cast("Ahead", target).started(item.builtin, item.form, given)
    return (_checked(item, results, args) for args, results in zip(given, found, strict=True))


def _given(item: Item, values: Columns) -> Columns:
    """Return the arrays that a target is given for the inputs ``values``."""
    return vectors.stacked(item, arguments(item, values))


def _checked(item: Item, results: object, args: Columns) -> Columns:
    """Return the target's results, checked for types and shapes; vectors are split into one call per component."""
    return vectors.flat(item, check_results(item, results, len(args[0])))


@functools.cache
def _is_ahead(kind: type) -> bool:
    """Whether targets of this class are ``Ahead``; cached, since the check is too slow for every batch."""
    return issubclass(kind, Ahead)


def printed(target: Target) -> str:
    """Return a remark on the text that ``target`` has printed since the last call; empty if it printed nothing."""
    return target.printed() if isinstance(target, Talks) else ""


def attempt(target: Target, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> object:
    """Return the results of ``target``; every exception except TargetError and KeyboardInterrupt is a FaultError.

    If the target changes the processor's mode or flags, they are restored, and the batch raises FaultError.
    """
    return contained(f"{target.name}: {row.name}({form})", lambda: target.evaluate(row, form, args))


def contained(call: str, work: Callable[[], Result]) -> Result:
    """Return the result of ``work``, which runs a target's code; errors, as in ``attempt``, name the ``call``."""
    before = taken()
    try:
        found = work()
        change = _change()
    except (TargetError, KeyboardInterrupt):
        raise
    except BaseException as error:  # noqa: BLE001 - code of others: panics and exits do not derive from Exception
        raise FaultError(call, f"raised {message_of(error)}") from None
    finally:
        if _change():
            restore(before)
    if change:
        raise FaultError(call, change, lasting=True)
    return found


def _change() -> str:
    """Return words for a change of the processor's state; empty if it is unchanged."""
    if guard.rounds_otherwise():
        return "left another rounding mode set in the processor (fesetround)"
    if guard.flushes():
        return "left the processor flushing subnormal numbers to zero (FTZ or DAZ)"
    return ""


@functools.cache
def c_library() -> ctypes.CDLL | None:
    """Return the C library of this process, or None if it has none under this name."""
    try:
        return ctypes.CDLL(None)
    except (OSError, TypeError):  # Windows
        return None


def taken() -> ctypes.Array[ctypes.c_char] | None:
    """Return rounding mode, flushing and the other flags of this thread, for ``restore``."""
    library = c_library()
    if library is None or not hasattr(library, "fegetenv"):
        return None
    environment = ctypes.create_string_buffer(_SIZE)
    library.fegetenv(environment)
    return environment


def restore(environment: object) -> None:
    """Restore an environment that ``taken`` returned."""
    library = c_library()
    if library is not None and environment is not None:
        library.fesetenv(environment)


@contextlib.contextmanager
def entered(environment: object) -> Iterator[None]:
    """Run the block in an environment that ``taken`` returned; None changes nothing."""
    before = taken() if environment is not None else None
    restore(environment)
    try:
        yield
    finally:
        restore(before)
