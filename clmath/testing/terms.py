"""The terms of a judgement, from the keywords of an assertion."""

from __future__ import annotations

from dataclasses import dataclass, fields, replace
from numbers import Real
from typing import TYPE_CHECKING, Any, Self

from clmath import errors
from clmath.audit.plan.plan import PROFILES, Profile
from clmath.numbers.rounding import Rounding, checked_mode
from clmath.spec.edition_names import checked_edition
from clmath.spec.editions import DEFAULT

if TYPE_CHECKING:
    from clmath.testing.limited import Limited

__all__ = ["Terms", "check_limit"]


@dataclass(frozen=True)
class Terms:
    """Edition, profile, mode, and waivers."""

    edition: Any = DEFAULT
    profile: Profile = "full"
    rounding: Rounding = "rte"
    flushes: bool = False
    build_options: str = ""
    limit: float | None = None
    vector: bool = False

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
    def law(self) -> Limited:
        """The acceptance criteria of an audit on these terms."""
        from clmath.testing.limited import Limited

        options = tuple(self.build_options.split())
        return Limited(
            self.profile, self.rounding, self.flushes, options=options, edition=self.edition, ulps=self.limit
        )

    @property
    def options(self) -> tuple[tuple[str, Any], ...]:
        """The keywords with other than default values."""
        given = [(f.name, getattr(self, f.name), f.default) for f in fields(self)]
        return tuple((name, value) for name, value, default in given if value != default)


def check_limit(call: str, limit: object) -> None:
    """Raise RangeError if ``limit`` is not a number of ulp."""
    if not isinstance(limit, Real) or not float(limit) >= 0:
        raise errors.RangeError(f"{call}: limit={limit!r} is not a number of ulp, 0 or more")
