"""The largest errors of a case that are known from chunks judged before: smaller errors need not be looked for."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, NamedTuple

from clmath.audit.counting.spread import joined

if TYPE_CHECKING:
    from clmath.audit.counting.spread import Stretches
    from clmath.audit.counting.tally import Tally

__all__ = ["NONE_KNOWN", "KnownErrors"]


class KnownErrors(NamedTuple):
    """The largest errors so far in ulp, of the case, with the place of its input, and of each interval of an argument.

    ``at``: an equal error at a later place is of no interest; None if the place is unknown.
    """

    floor: float = 0.0
    stretches: Stretches = ()
    at: int | None = None

    @classmethod
    def of(cls, tally: Tally) -> KnownErrors:
        """Return the errors that a tally contains."""
        if tally.worst is None:
            return cls(stretches=tally.spread.worst)
        return cls(abs(tally.worst.error), tally.spread.worst, tally.worst.index)

    def joined(self, other: KnownErrors) -> KnownErrors:
        """Return the larger errors of the two."""
        first = min(self, other, key=lambda known: (-known.floor, math.inf if known.at is None else known.at))
        stretches = joined(self.stretches, [dict(errors) for errors in other.stretches])
        return KnownErrors(first.floor, stretches, first.at)


NONE_KNOWN = KnownErrors()
