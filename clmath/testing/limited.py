"""An audit's acceptance criteria with a limit of the caller's own instead of the specification's."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.audit.acceptance.batch import Call
from clmath.audit.acceptance.on_host import are_prescribed
from clmath.audit.law.law import Law
from clmath.spec.limits import Limit, Ulps, Unlimited

if TYPE_CHECKING:
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item

__all__ = ["Limited", "NothingAskedError", "refuse_unasked", "refuse_unlimited"]


class NothingAskedError(errors.RangeError):
    """The terms allow every result, so nothing could fail."""


@dataclass(frozen=True)
class Limited(Law):
    """``ulps``: the largest error of a result, or None for the specification's limit.

    Exact results stay exact, prescribed results stay prescribed, and unspecified ones unspecified.
    """

    ulps: float | None = None

    def limit(self, item: Item) -> Limit:
        """The limit of an item."""
        found = super().limit(item)
        if self.ulps is None or found.is_exact:
            return found
        rule = Unlimited("any") if math.isinf(self.ulps) else Ulps(float(self.ulps))
        undefined = tuple((r, met) for r, met in found.clauses if isinstance(r, Unlimited) and met is not None)
        text = f"{self.ulps:g} ulp"
        return replace(
            found, text=text, source="as asked, beside prescribed results", clauses=(*undefined, (rule, None))
        )


def refuse_unlimited(call: str, item: Item, law: Limited) -> None:
    """Raise NothingAskedError if no error of a result could be too large."""
    limit = law.limit(item)
    if law.ulps is None and limit.gives_no_number:
        raise NothingAskedError(
            f"{call}: the specification sets no limit to errors of {item}: {limit}; say limit=4 or any other "
            "number of ulp (inf for prescribed results alone), or ask for correctly rounded results"
        )


def refuse_unasked(call: str, item: Item, columns: Columns, results: Columns, law: Limited) -> None:
    """Raise NothingAskedError if the limit allows every result and not all results are prescribed."""
    if law.ulps is None and law.limit(item).gives_no_number:
        asked = are_prescribed(Call.on(item, columns, results, law))
        if not all(np.all(a) for a, r in zip(asked, results, strict=True) if r.dtype == item.form.dtype):
            refuse_unlimited(call, item, law)
