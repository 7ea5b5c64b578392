"""By what a row is judged: profile, mode and build options, and what ``tables/judging.toml`` says that they waive."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from clmath.spec import files
from clmath.spec.limits import Limit, limit

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clmath.audit.plan import Item, Profile
    from clmath.numbers.rounding import Rounding
    from clmath.reference import Oracle

__all__ = ["Law", "Waiver", "openings", "options_in_force", "profile_in_force", "relaxing_option"]

Waiver: TypeAlias = Literal["edges", "not finite", "signs of zero", "subnormals"]


@functools.cache
def openings() -> dict[str, Any]:
    """What ``tables/judging.toml`` leaves open."""
    return files.load("judging.toml")


def relaxing_option() -> str:
    """The build option of an audit in the relaxed profile."""
    return str(openings()["relaxed"]["built_with"])


@functools.cache
def options_in_force(options: tuple[str, ...]) -> tuple[str, ...]:
    """The build options that have a say in the law: those of ``options`` and those that they include."""
    table = openings()["options"]
    found = [option for option in dict.fromkeys(options) if option in table]
    for option in found:
        found += [other for other in table[option].get("includes", ()) if other not in found]
    return tuple(found)


def profile_in_force(profile: Profile, options: Iterable[str]) -> Profile:
    """``profile``, or the relaxed one where a build option puts table 37 in force."""
    if profile.startswith("relaxed") or _table_37() not in options_in_force(tuple(options)):
        return profile
    return "relaxed embedded" if profile == "embedded" else "relaxed"


def _table_37() -> str:
    """The build option that table 37 belongs to."""
    return str(openings()["relaxed"]["in_force_with"])


@dataclass(frozen=True)
class Law:
    """By what a row is judged: profile, the device's mode, whether it flushes, and which oracle knows the truth.

    ``options``: the build options that the subject declares; those that ``tables/judging.toml`` lists waive what it
    says there.
    """

    profile: Profile
    mode: Rounding
    flushes: bool
    oracle: Oracle = "auto"
    options: tuple[str, ...] = ()

    @property
    def tables(self) -> Profile:
        """The profile whose tables are in force: relaxed where a build option says so."""
        return profile_in_force(self.profile, self.options)

    def limit(self, item: Item) -> Limit:
        """What the specification allows."""
        return limit(item.builtin.name, item.form, self.tables, options=options_in_force(self.options))

    def may_flush(self, item: Item) -> bool:
        """Whether subnormals may be flushed: by the device, for the built-in, or by a build option."""
        listed = item.builtin.name in openings()["may_flush"]
        return self.flushes or listed or self.waives("subnormals", item)

    def waives(self, what: Waiver, item: Item) -> bool:
        """Whether ``what`` is not asked of the row."""
        return what in _waived(self, item)


@functools.lru_cache(maxsize=4096)
def _waived(law: Law, item: Item) -> frozenset[Waiver]:
    """Everything that is not asked of a row: by the relaxed profile, and by each build option."""
    relaxed = (_table_37(),) if law.tables.startswith("relaxed") else ()
    source, form = law.limit(item).source, item.form.name
    entries = [openings()["options"][o] for o in dict.fromkeys((*relaxed, *options_in_force(law.options)))]
    return frozenset(
        waiver
        for entry in entries
        if form in entry.get("formats", (form,)) and entry.get("table", source) == source
        for waiver in entry["waives"]
    )
