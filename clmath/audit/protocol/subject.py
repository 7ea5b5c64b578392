"""What an audit asks of a subject: the device, library or file of results that is being judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from clmath.errors import ClmathError

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

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
    "Expects",
    "FaultError",
    "Storing",
    "Subject",
    "SubjectError",
    "Sweeping",
    "Talks",
    "has_infinities",
    "mode_in",
    "widths_of",
]


UNDER_WAY = 4  # batches that a subject which stores its results works on at most: where one ends, others go on
UNSTEADY = "not deterministic"  # prefix of reasons and remarks where one input got different results
PRINTED = "the subject printed"  # prefix of a remark on what the subject has printed


class SubjectError(ClmathError):
    """A subject could not evaluate a built-in: the row is not judged, and the text (a build log, say) is its reason."""


class FaultError(SubjectError):
    """A subject did on a batch what it must not: it raised, died, hung or left the processor changed.

    ``call`` names subject and built-in, ``deed`` says what it did; ``lasting``: its process is not to be used again.
    """

    def __init__(self, call: str, deed: str, *, lasting: bool = False) -> None:
        super().__init__(f"{call} {deed}")
        self.call = call
        self.deed = deed
        self.lasting = lasting


@runtime_checkable
class Ahead(Protocol):
    """A subject that works on batches while this process does something else."""

    def started(
        self, row: Builtin, form: Format, batches: Sequence[tuple[NDArray[Any], ...]]
    ) -> Iterator[tuple[NDArray[Any], ...]]:
        """Begin with batches; what is returned waits for what ``evaluate`` returns or raises for one after the other.

        After one that goes wrong there are no more.
        """


@runtime_checkable
class Expects(Protocol):
    """A subject that makes use of knowing what it will be asked for."""

    def expect(self, items: Sequence[Item]) -> None:
        """The rows of the audit, in their order."""


@runtime_checkable
class Storing(Protocol):
    """A subject that stores its results where it is told, and works while this process does something else."""

    def storing(
        self, row: Builtin, form: Format, args: tuple[NDArray[Any], ...], rooms: Sequence[NDArray[np.uint8]]
    ) -> Callable[[], None]:
        """Begin with a batch of scalars; what is returned waits for the results, and raises what ``evaluate`` does.

        No more than ``UNDER_WAY`` batches are begun and not waited for. ``args`` stay as they are until then.
        ``rooms``: for each result the bytes that it takes, and then ``memory.BEHIND`` more, where nothing is stored.
        """


@runtime_checkable
class Sweeping(Protocol):
    """A subject that makes all floats itself, and whose results every process can read where they lie."""

    can_sweep: bool

    def swept(self, item: Item, parts: Sequence[int]) -> Iterator[Place]:
        """Begin with these parts of all floats; what is returned waits for the results of one after the other.

        They lie there, the first result of all calls before the second, until the place is given back.
        """

    def give_back(self, place: Place) -> None:
        """Have the place used for other results."""


@runtime_checkable
class Talks(Protocol):
    """A subject whose output is captured."""

    def printed(self) -> str:
        """A remark on what it has printed since this was asked last; empty where that is nothing."""


@runtime_checkable
class Subject(Protocol):
    """Whatever evaluates built-ins; it is never sent to another process.

    ``clmath audit`` runs it in a child process, where it is made by its name. An object that a script hands to
    ``audit`` runs in that script's process: what it raises costs the row, what ends the process ends the audit. One
    that is to be called on vectors has an attribute ``widths``, see ``widths_of``; see also ``has_infinities``.
    """

    name: str

    def describe(self) -> dict[str, str]:
        """Facts for the report: device, driver, versions, build options ..."""

    def formats(self) -> tuple[Format, ...]:
        """The formats the subject computes in."""

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the subject has the built-in in this format."""

    def evaluate(self, row: Builtin, form: Format, args: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
        """Evaluate one batch; SubjectError where that fails.

        ``args``: one array per input, of ``form``'s dtype (int32 for int arguments, and of the chapters that are judged
        bit by bit the types of the declaration), shape (n,), or (n, lanes) for the
        vectors of a geometric built-in. Returns one array per output, in the order of ``row.outputs``: shape (n,), or
        (n, lanes) where a geometric built-in returns a vector. All arrays have the shape (n, width) where a subject
        that has ``widths`` is asked for calls of another built-in on vectors, but (n,) for an argument that its
        declaration makes a scalar for all lanes; what is true in a lane is -1 then.
        """

    def flushes(self, form: Format) -> bool:
        """Whether subnormals may be flushed to zero: the device lacks CL_FP_DENORM for this format."""

    def mode(self, form: Format) -> Rounding:
        """The device's default rounding mode: rte, or rtz where it has no other."""

    def build_options(self) -> tuple[str, ...]:
        """The options of the OpenCL compiler that are in force: some choose the law; () where there is no compiler."""


def widths_of(subject: Subject) -> tuple[int, ...]:
    """The vector widths that a subject declares as ``widths``, any of 1, 2, 3, 4, 8, 16; else it has scalars alone."""
    return tuple(getattr(subject, "widths", (1,)))


def has_infinities(subject: Subject, form: Format) -> bool:
    """Whether a subject has infinities and NaN of ``form`` (CL_FP_INF_NAN); one without a method of this name has."""
    asked = getattr(subject, "has_infinities", None)
    return True if asked is None else bool(asked(form))


def mode_in(subject: Subject, row: Builtin, form: Format) -> Rounding:
    """The mode in which a built-in rounds: what ``mode_of(row, form)`` says where there is one, else the subject's."""
    asked = getattr(subject, "mode_of", None)
    return subject.mode(form) if asked is None else asked(row, form)
