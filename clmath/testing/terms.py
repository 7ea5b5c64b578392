"""The terms of a judgement: the keywords of an assertion, and the acceptance criteria of an audit on these terms."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import TYPE_CHECKING, Self

import numpy as np

from clmath import errors
from clmath.audit.acceptance.batch import Call, are_prescribed
from clmath.audit.acceptance.criteria import Criteria, optional_subnormals
from clmath.audit.exact.exact_criteria import ExactCriteria
from clmath.numbers.rounding import Rounding, checked_mode
from clmath.spec.edition_names import checked_edition
from clmath.spec.editions import DEFAULT, PROFILES, Profile
from clmath.spec.limits import Limit, Ulps, Unlimited

if TYPE_CHECKING:
    from os import PathLike

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item


class NothingAskedError(errors.RangeError):
    """The terms allow every result, so nothing could fail."""


@dataclass(frozen=True)
class Limited(Criteria):
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


def refuse_unlimited(call: str, item: Item, criteria: Limited) -> None:
    """Raise NothingAskedError if no error of a result could be too large."""
    limit = criteria.limit(item)
    if criteria.ulps is None and limit.gives_no_number:
        raise NothingAskedError(
            f"{call}: the specification sets no limit to errors of {item}: {limit}; say limit=4 or any other "
            "number of ulp (inf for prescribed results alone), or ask for correctly rounded results"
        )


def refuse_unasked(call: str, item: Item, columns: Columns, results: Columns, criteria: Limited) -> None:
    """Raise NothingAskedError if the limit allows every result and not all results are prescribed."""
    if criteria.ulps is None and criteria.limit(item).gives_no_number:
        asked = are_prescribed(Call.on(item, columns, results, criteria))
        if not all(np.all(a) for a, r in zip(asked, results, strict=True) if r.dtype == item.form.dtype):
            refuse_unlimited(call, item, criteria)


@dataclass(frozen=True)
class Terms:
    """Edition, profile, mode, and waivers; ``exactly``: only the correctly rounded result passes."""

    edition: str | PathLike[str] = DEFAULT
    profile: Profile = "full"
    rounding: Rounding = "rte"
    flushes: bool = False
    build_options: str = ""
    limit: float | None = None
    vector: bool = False
    exactly: bool = False

    def checked(self, call: str) -> Self:
        """Return the checked terms, with the whole path of an edition in a folder; an error for an unknown term."""
        checked_mode(call, self.rounding)
        if self.profile not in PROFILES:
            raise errors.not_one_of(call, "profile", self.profile, PROFILES)
        if not isinstance(self.build_options, str):
            raise errors.DTypeError(f"{call}: build_options={self.build_options!r} is not text; '-cl-mad-enable' is")
        if self.limit is not None:
            check_limit(call, self.limit)
        flushes, vector = (errors.checked_flag(call, name, getattr(self, name)) for name in ("flushes", "vector"))
        return replace(self, edition=checked_edition(call, self.edition), flushes=flushes, vector=vector)

    @property
    def criteria(self) -> Limited:
        """The acceptance criteria of an audit on these terms."""
        options = tuple(self.build_options.split())
        return Limited(
            self.profile, self.rounding, self.flushes, options=options, edition=str(self.edition), ulps=self.limit
        )

    @property
    def exact_criteria(self) -> ExactCriteria:
        """The acceptance criteria, bit for bit, on these terms."""
        options, edition = tuple(self.build_options.split()), str(self.edition)
        flushed = optional_subnormals(edition) if self.flushes else frozenset()
        return ExactCriteria(
            self.profile, self.rounding, self.flushes, options=options, edition=edition, flushed=flushed
        )

    @property
    def options(self) -> tuple[tuple[str, object], ...]:
        """The keywords of an assertion with other than default values."""
        given = [(f.name, getattr(self, f.name), f.default) for f in fields(self) if f.name != "exactly"]
        return tuple((name, value) for name, value, default in given if value != default)


def check_limit(call: str, limit: object) -> None:
    """Raise RangeError if ``limit`` is not a number of ulp."""
    if not isinstance(limit, Real) or not float(limit) >= 0:
        raise errors.RangeError(f"{call}: limit={limit!r} is not a number of ulp, 0 or more")
