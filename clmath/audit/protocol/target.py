"""The interface of a target: the protocols of devices, libraries, callables and files that are judged; results."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager
from typing import Protocol, runtime_checkable

import numpy as np
from numpy.typing import NDArray

from clmath.audit.plan.item import Item
from clmath.audit.protocol.memory import Place
from clmath.errors import ClmathError
from clmath.numbers.formats import Format
from clmath.numbers.rounding import Rounding
from clmath.spec.builtins import Builtin

UNDER_WAY = 4  # the most batches that a ``Storing`` target works on at a time: when one ends, others go on
UNSTEADY = "not deterministic"  # begins reasons and remarks if one input had different results
PRINTED = "the target printed"  # begins the remark on the text that the target has printed


class TargetError(ClmathError):
    """A target could not evaluate a built-in: the case is not judged, and the text (e.g. a build log) is the reason.

    ``lasting``: whether its process is unusable from now on.
    """

    lasting = False


class FaultError(TargetError):
    """A target must not do this on a batch: it raised, died, hung or left the processor's state changed.

    ``call`` names target and built-in, ``deed`` says what happened.
    """

    def __init__(self, call: str, deed: str, *, lasting: bool = False) -> None:
        super().__init__(f"{call} {deed}")
        self.call = call
        self.deed = deed
        self.lasting = lasting


@runtime_checkable
class Ahead(Protocol):
    """A target that evaluates batches while this process does something else."""

    def started(
        self, row: Builtin, form: Format, batches: Sequence[tuple[np.ndarray, ...]]
    ) -> Iterator[tuple[np.ndarray, ...]]:
        """Begin with batches; the iterator waits for the results of each in turn, and raises as ``evaluate`` does.

        It ends after a batch that fails.
        """


@runtime_checkable
class Anew(Protocol):
    """A target that can be called in a new process, so that earlier calls have no influence."""

    def anew(self) -> AbstractContextManager[None]:
        """Have a new process answer within the block; afterwards, the process that answered before."""


@runtime_checkable
class Expects(Protocol):
    """A target that works faster if it knows the cases to come."""

    def expect(self, items: Sequence[Item]) -> None:
        """Pass the target the cases of the audit, in their order."""


@runtime_checkable
class Storing(Protocol):
    """A target that stores its results in memory that it is given, while this process does something else."""

    def storing(
        self, row: Builtin, form: Format, args: tuple[np.ndarray, ...], rooms: Sequence[NDArray[np.uint8]]
    ) -> Callable[[], None]:
        """Begin with a batch of scalars; return a function that waits for the results, and raises as ``evaluate`` does.

        At most ``UNDER_WAY`` batches are under way. ``args`` are not changed until the results are complete. ``rooms``:
        for each result, memory of its size and ``memory.BEHIND`` more bytes, which must not be written.
        """


@runtime_checkable
class Sweeping(Protocol):
    """A target that generates all floats itself, and stores results in memory that every process can read."""

    can_sweep: bool

    def swept(self, item: Item, parts: Sequence[int]) -> Iterator[Place]:
        """Begin with these parts of all floats; the iterator waits for each in turn, and yields its results' place.

        There the first results of all calls come before the second ones; they stay until the place is given back.
        """

    def give_back(self, place: Place) -> None:
        """Allow the place to be used for other results."""


@runtime_checkable
class Talks(Protocol):
    """A target whose output is captured."""

    def printed(self) -> str:
        """Return a remark on the target's output since the last call of this method; empty without output."""


@runtime_checkable
class Target(Protocol):
    """The interface of everything that evaluates built-ins; the object is never sent to another process.

    ``clmath audit`` makes it in a child process, from its name. An object that a script passes to ``audit`` runs in
    the script's process: an exception costs only the case, but the end of the process is the end of the audit. A target
    that can be called on vectors has an attribute ``widths``, see ``widths_of``; see also ``has_infinities`` and
    ``mode_in``.
    """

    name: str

    def describe(self) -> dict[str, str]:
        """Return facts about the target for the report: device, driver, versions, build options ..."""

    def formats(self) -> tuple[Format, ...]:
        """Return the formats in which the target computes."""

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the target has the built-in in this format."""

    def evaluate(self, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Evaluate one batch; TargetError on failure.

        ``args``: one array per argument. Its dtype is the dtype of ``form``, int32 for int arguments, and the declared
        type in chapters that are judged bit by bit. Its shape is (n,), or (n, components) for vectors of a geometric
        built-in. Return one array per result, in the order of ``row.outputs``: shape (n,), or (n, components) if a
        geometric built-in returns a vector. If a target with ``widths`` evaluates another built-in on vectors, all
        arrays have the shape (n, width), except an argument that is declared as a scalar, which has (n,); true is -1
        in vectors.
        """

    def flushes(self, form: Format) -> bool:
        """Whether subnormals may be flushed to zero: the device lacks CL_FP_DENORM for this format."""

    def mode(self, form: Format) -> Rounding:
        """Return the device's default rounding mode: rte, or rtz if it has no other."""

    def build_options(self) -> tuple[str, ...]:
        """Return the options of the OpenCL compiler, some of which change the criteria; () without a compiler."""


def widths_of(target: Target) -> tuple[int, ...]:
    """Return the vector widths that a target declares as ``widths``, some of 1, 2, 3, 4, 8, 16; (1,) by default."""
    return tuple(getattr(target, "widths", (1,)))


def has_groups_of(target: Target, item: Item) -> bool:
    """Whether a target has work-groups of the size of a case; without ``largest_group`` they have no limit."""
    return item.builtin.chapter != "groups" or item.width <= getattr(target, "largest_group", item.width)


def has_infinities(target: Target, form: Format) -> bool:
    """Whether a target has infinities and NaN of ``form`` (CL_FP_INF_NAN); True if it has no method of this name."""
    asked = getattr(target, "has_infinities", None)
    return True if asked is None else bool(asked(form))


def mode_in(target: Target, row: Builtin, form: Format) -> Rounding:
    """Return the rounding mode of a built-in: ``target.mode_of(row, form)`` if that method exists, else ``mode``."""
    asked = getattr(target, "mode_of", None)
    return target.mode(form) if asked is None else asked(row, form)


def check_results(item: Item, results: object, count: int) -> tuple[np.ndarray, ...]:
    """Return ``results`` as a tuple of arrays; TargetError if their number, dtypes or shapes are wrong.

    ``count``: number of calls, or of vectors if a target is given calls in vectors.
    """
    outputs = item.builtin.outputs
    if not isinstance(results, (tuple, list)) or len(results) != len(outputs):
        fact = f"{len(results)} results" if isinstance(results, (tuple, list)) else f"a {type(results).__name__}"
        raise TargetError(f"{item}: the target returned {fact}; a tuple of {len(outputs)} arrays is needed")
    for output, result, (dtype, shape) in zip(outputs, results, item.layout(count), strict=True):
        if not isinstance(result, np.ndarray) or result.dtype != dtype or result.shape != shape:
            fact = f"{getattr(result, 'dtype', type(result).__name__)} of shape {getattr(result, 'shape', '?')}"
            raise TargetError(f"{item}: {output.name} is {fact}; {dtype} of shape {shape} is needed")
    return tuple(results)
