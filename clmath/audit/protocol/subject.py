"""What a subject offers to an audit: the protocols of devices, libraries, callables and files that are judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

from clmath.errors import ClmathError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from contextlib import AbstractContextManager

    import numpy as np
    from numpy.typing import NDArray

    from clmath.audit.plan.item import Item
    from clmath.audit.protocol.memory import Place
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = [
    "PRINTED",
    "UNDER_WAY",
    "UNSTEADY",
    "Ahead",
    "Anew",
    "Expects",
    "FaultError",
    "Storing",
    "Subject",
    "SubjectError",
    "Sweeping",
    "Talks",
    "has_groups_of",
    "has_infinities",
    "mode_in",
    "widths_of",
]


UNDER_WAY = 4  # the most batches that a ``Storing`` subject works on at a time: where one ends, others go on
UNSTEADY = "not deterministic"  # begins reasons and remarks where one input had different results
PRINTED = "the subject printed"  # begins the remark on what the subject has printed


class SubjectError(ClmathError):
    """A target could not evaluate a built-in: the row is not judged, and the text (a build log, say) is its reason.

    ``lasting``: its process cannot be used any more.
    """

    lasting = False


class FaultError(SubjectError):
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
    """A subject that evaluates batches while this process does something else."""

    def started(
        self, row: Builtin, form: Format, batches: Sequence[tuple[np.ndarray, ...]]
    ) -> Iterator[tuple[np.ndarray, ...]]:
        """Begin with batches; the iterator waits for the results of each in turn, and raises what ``evaluate`` would.

        It ends after a batch that fails.
        """


@runtime_checkable
class Anew(Protocol):
    """A target that can be called in a new process, so that earlier calls have no influence."""

    def anew(self) -> AbstractContextManager[None]:
        """Have a new process answer within the block; afterwards, the process that answered before."""


@runtime_checkable
class Expects(Protocol):
    """A subject that works faster if it knows beforehand what will be asked."""

    def expect(self, items: Sequence[Item]) -> None:
        """Tell the subject the rows of the audit, in their order."""


@runtime_checkable
class Storing(Protocol):
    """A subject that stores its results in memory that it is given, while this process does something else."""

    def storing(
        self, row: Builtin, form: Format, args: tuple[np.ndarray, ...], rooms: Sequence[NDArray[np.uint8]]
    ) -> Callable[[], None]:
        """Begin with a batch of scalars; returns a function that waits for the results, and raises as ``evaluate``.

        At most ``UNDER_WAY`` batches are under way. ``args`` are not changed until the results are there. ``rooms``:
        for each result, memory of its size and ``memory.BEHIND`` more bytes, in which nothing may be stored.
        """


@runtime_checkable
class Sweeping(Protocol):
    """A subject that makes all floats itself, and stores results in memory that every process can read."""

    can_sweep: bool

    def swept(self, item: Item, parts: Sequence[int]) -> Iterator[Place]:
        """Begin with these parts of all floats; the iterator waits for each in turn, and gives its results.

        In their place the first results of all calls come before the second ones; they stay until it is given back.
        """

    def give_back(self, place: Place) -> None:
        """Allow that the place is used for other results."""


@runtime_checkable
class Talks(Protocol):
    """A subject whose output is captured."""

    def printed(self) -> str:
        """A remark on what the subject has printed since the last call of this; empty if it has printed nothing."""


@runtime_checkable
class Subject(Protocol):
    """Whatever evaluates built-ins; the object is never sent to another process.

    ``clmath audit`` makes it in a child process, from its name. An object that a script passes to ``audit`` runs in
    the script's process: an exception costs the row, and what ends the process ends the audit. A subject that can be
    called on vectors has an attribute ``widths``, see ``widths_of``; see also ``has_infinities`` and ``mode_in``.
    """

    name: str

    def describe(self) -> dict[str, str]:
        """Facts about the subject for the report: device, driver, versions, build options ..."""

    def formats(self) -> tuple[Format, ...]:
        """The formats that the subject computes in."""

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the subject has the built-in in this format."""

    def evaluate(self, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Evaluate one batch; SubjectError where that fails.

        ``args``: one array per argument. Its dtype is that of ``form``, int32 for int arguments, and for chapters that
        are judged bit by bit that of the declared type; its shape is (n,), or (n, lanes) for the vectors of a geometric
        built-in. Returns one array per result, in the order of ``row.outputs``: shape (n,), or (n, lanes) where a
        geometric built-in returns a vector. Where a subject with ``widths`` is asked for another built-in on vectors,
        all arrays have the shape (n, width), but (n,) for an argument that is declared as a scalar; a lane that is
        true is -1 then.
        """

    def flushes(self, form: Format) -> bool:
        """Whether subnormals may be flushed to zero: the device lacks CL_FP_DENORM for this format."""

    def mode(self, form: Format) -> Rounding:
        """The device's default rounding mode: rte, or rtz where it has no other."""

    def build_options(self) -> tuple[str, ...]:
        """The options of the OpenCL compiler, some of which change what is judged; () where there is no compiler."""


def widths_of(subject: Subject) -> tuple[int, ...]:
    """The vector widths that a subject declares as ``widths``, some of 1, 2, 3, 4, 8, 16; without it (1,), scalars."""
    return tuple(getattr(subject, "widths", (1,)))


def has_groups_of(subject: Subject, item: Item) -> bool:
    """Whether a subject has work-groups as large as a row asks for; they have no limit without ``largest_group``."""
    return item.builtin.chapter != "groups" or item.width <= getattr(subject, "largest_group", item.width)


def has_infinities(subject: Subject, form: Format) -> bool:
    """Whether a subject has infinities and NaN of ``form`` (CL_FP_INF_NAN); True if it has no method of this name."""
    asked = getattr(subject, "has_infinities", None)
    return True if asked is None else bool(asked(form))


def mode_in(subject: Subject, row: Builtin, form: Format) -> Rounding:
    """The mode in which a built-in rounds: ``subject.mode_of(row, form)`` if it has that method, else its ``mode``."""
    asked = getattr(subject, "mode_of", None)
    return subject.mode(form) if asked is None else asked(row, form)
