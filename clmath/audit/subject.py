"""What an audit asks of a subject: the device, library or file of results that is being judged."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, Protocol, runtime_checkable

from clmath.errors import ClmathError

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.formats import Format
    from clmath.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = ["Subject", "SubjectError"]


class SubjectError(ClmathError):
    """A subject could not evaluate a built-in: the row is not judged, and the text (a build log, say) is its reason."""


@runtime_checkable
class Subject(Protocol):
    """Whatever evaluates built-ins; only the process that audits calls it, it is never sent to another one."""

    name: str

    def describe(self) -> dict[str, str]:
        """Facts for the report: device, driver, versions, build options ..."""

    def formats(self) -> tuple[Format, ...]:
        """The formats the subject computes in."""

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the subject has the built-in in this format."""

    def evaluate(self, row: Builtin, form: Format, args: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
        """Evaluate one batch; SubjectError where that fails.

        ``args``: one array an input, of ``form``'s dtype (int32 for int arguments), shape (n,), or (n, lanes) for the
        vectors of a geometric built-in. Returns one array an output, in the order of ``row.outputs``: shape (n,), or
        (n, lanes) where a geometric built-in returns a vector.
        """

    def flushes(self, form: Format) -> bool:
        """Whether subnormals may be flushed to zero: the device lacks CL_FP_DENORM for this format."""

    def mode(self, form: Format) -> Rounding:
        """The device's default rounding mode: rte, or rtz where it has no other."""

    def build_options(self) -> tuple[str, ...]:
        """The options of the OpenCL compiler that are in force: some choose the law; () where there is no compiler."""
