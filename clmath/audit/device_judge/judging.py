"""What a subject that can judge its own results has to offer."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from clmath.audit.counting.spread import Stretches
    from clmath.audit.device_judge.question import Question
    from clmath.audit.device_judge.summary import Summary

__all__ = ["Judging"]


@runtime_checkable
class Judging(Protocol):
    """A subject that is a device on which its results can be judged."""

    def judging(
        self, question: Question | None, parts: range, floor: float = 0.0, known: Stretches = (), at: int | None = None
    ) -> Summary | None:
        """What the device finds of its results for the pieces ``parts`` of inputs, or of the first of them.

        ``floor``, ``known``: errors in ulp that the row has elsewhere, the largest of all and by argument and stretch;
        smaller ones need not be looked for. ``at``: where the input with the largest one stands among all floats, after
        which an equal one is of no interest; None where that is not known. Without a row, nothing but whether it can
        judge. SubjectError where it cannot, or where something goes wrong.
        """
