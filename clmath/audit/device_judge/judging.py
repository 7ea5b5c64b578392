"""Protocol of an implementation under test that can judge its own results."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol, runtime_checkable

if TYPE_CHECKING:
    from clmath.audit.counting.spread import Stretches
    from clmath.audit.device_judge.question import Question
    from clmath.audit.device_judge.summary import Summary

__all__ = ["Judging"]


@runtime_checkable
class Judging(Protocol):
    """Implementation under test on a device that can judge the results."""

    def judging(
        self, question: Question | None, parts: range, floor: float = 0.0, known: Stretches = (), at: int | None = None
    ) -> Summary | None:
        """Judge the results for the chunks ``parts`` of inputs, or for the first of these chunks, on the device.

        ``floor``: the largest error in ulp that the row has elsewhere; smaller errors need not be looked for.
        ``known``: the largest errors elsewhere by argument and bin. ``at``: the place of the input with the error
        ``floor`` among all floats; an equal error at a later place is of no interest; None if the place is unknown.
        If ``question`` is None, only find out whether the device can judge. SubjectError if the device cannot, or if
        something goes wrong.
        """
