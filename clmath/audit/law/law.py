"""The law of a row: edition, profile, mode and build options, and what ``judging.toml`` says that these waive."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, Self, TypeAlias

from clmath.spec import editions
from clmath.spec.edges import edges, flushing_edges
from clmath.spec.editions import DEFAULT, Edition
from clmath.spec.limits import Limit, limit

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping

    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Profile
    from clmath.numbers.rounding import Rounding
    from clmath.reference import Oracle
    from clmath.spec.edges import Edge

__all__ = [
    "Law",
    "Waiver",
    "lacks_infinities",
    "modes_of",
    "openings",
    "optional_subnormals",
    "options_in_force",
    "profile_in_force",
    "relaxing_option",
]

Waiver: TypeAlias = Literal["edges", "negative zeros", "not finite", "overflow", "signs of zero", "subnormals"]


def openings(edition: Edition = DEFAULT) -> dict[str, Any]:
    """What the ``judging.toml`` of an edition leaves open."""
    return editions.table(edition, "judging.toml")


def optional_subnormals(edition: Edition = DEFAULT) -> frozenset[str]:
    """The names of the formats of which a device need not have subnormal numbers."""
    return frozenset(openings(edition)["optional_subnormals"])


def relaxing_option(edition: Edition = DEFAULT) -> str:
    """The build option of an audit in the relaxed profile."""
    return str(openings(edition)["relaxed"]["built_with"])


@functools.cache
def options_in_force(options: tuple[str, ...], edition: Edition = DEFAULT) -> tuple[str, ...]:
    """The build options that have a say in the law: those of ``options`` and those that they include."""
    table = openings(edition)["options"]
    found = [option for option in dict.fromkeys(options) if option in table]
    for option in found:
        found += [other for other in table[option].get("includes", ()) if other not in found]
    return tuple(found)


def profile_in_force(profile: Profile, options: Iterable[str], edition: Edition = DEFAULT) -> Profile:
    """``profile``, or the relaxed one where a build option puts the relaxed table in force."""
    if profile.startswith("relaxed") or _relaxed_by(edition) not in options_in_force(tuple(options), edition):
        return profile
    return "relaxed embedded" if profile == "embedded" else "relaxed"


def _relaxed_by(edition: Edition) -> str:
    """The build option that the relaxed table belongs to."""
    return str(openings(edition)["relaxed"]["in_force_with"])


@dataclass(frozen=True)
class Law:
    """By what a row is judged: profile, the device's mode, whether it flushes, and which oracle knows the truth.

    ``options``: the build options that the subject declares; those that ``judging.toml`` lists waive what it says
    there. ``edition``: of the specification, a name or the path of a folder. ``infinities``: whether the device has
    infinities and NaN of the format. ``also``: modes beside ``mode`` that another text allows. ``default``: the mode of
    the device where that is another than ``mode``.
    """

    profile: Profile
    mode: Rounding
    flushes: bool
    oracle: Oracle = "auto"
    options: tuple[str, ...] = ()
    edition: Edition = DEFAULT
    infinities: bool = True
    also: tuple[Rounding, ...] = ()
    default: Rounding | None = None

    def each(self) -> tuple[Self, ...]:
        """The law with each of the modes that are allowed alone."""
        return tuple(replace(self, mode=mode, also=()) for mode in (self.mode, *self.also))

    @property
    def tables(self) -> Profile:
        """The profile whose tables are in force: relaxed where a build option says so."""
        return profile_in_force(self.profile, self.options, self.edition)

    def limit(self, item: Item) -> Limit:
        """What the specification allows."""
        options = options_in_force(self.options, self.edition)
        return limit(item.builtin.name, item.form, self.tables, options=options, edition=self.edition)

    def edges(self, item: Item) -> tuple[Edge, ...]:
        """What the specification prescribes."""
        return edges(item.builtin.name, self.edition)

    def flushing_edges(self, item: Item) -> tuple[Edge, ...]:
        """What it prescribes to a device that flushes, where it so chooses."""
        return flushing_edges(item.builtin.name, self.edition)

    @property
    def openings(self) -> dict[str, Any]:
        """What the edition leaves open."""
        return openings(self.edition)

    def may_flush(self, item: Item) -> bool:
        """Whether subnormals may be flushed: by the device, for the built-in, or by a build option."""
        listed = item.builtin.name in self.openings["may_flush"]
        flushes = self.flushes and item.form.name in optional_subnormals(self.edition)
        return flushes or listed or self.waives("subnormals", item)

    def waives(self, what: Waiver, item: Item) -> bool:
        """Whether ``what`` is not asked of the row."""
        return what in _waived(self, item)

    def others(self, item: Item) -> tuple[Law, ...]:
        """The law of every other edition that lies with the tables, if it asks something else of the row."""
        return _others(self, item)


@functools.lru_cache(maxsize=4096)
def _waived(law: Law, item: Item) -> frozenset[Waiver]:
    """Everything that is not asked of a row: by the relaxed profile, and by each build option."""
    relaxed = (_relaxed_by(law.edition),) if law.tables.startswith("relaxed") else ()
    source, form = law.limit(item).source, item.form.name
    sources = editions.table(law.edition, "limits.toml")["sources"]
    given = dict.fromkeys((*relaxed, *options_in_force(law.options, law.edition)))
    entries = [law.openings["options"][option] for option in given]
    found: set[Waiver] = set()
    for entry in entries:
        if form in entry.get("formats", (form,)) and ("table" not in entry or sources[entry["table"]] == source):
            found |= set(entry["waives"])
    if not law.infinities and _is_listed(item, law, law.openings["without_infinities"]):
        found |= {"not finite", "overflow"}
    if _is_listed(item, law, law.openings["positive_zeros"]):
        found.add("negative zeros")
    return frozenset(found)


def _is_listed(item: Item, law: Law, table: Mapping[str, Any]) -> bool:
    """Whether a table of operations is for the row: its type is listed, for its profile and its mode."""
    allowed = table.get(item.form.name, {"profile": "none"})
    named = allowed.get("operations", table["operations"])
    return _fits(allowed, law.profile, law.default or law.mode) and (named == "all" or item.builtin.name in named)


def _fits(allowed: Mapping[str, Any], profile: Profile, mode: Rounding) -> bool:
    """Whether a device of the profile that rounds so by default is one of those ``allowed``."""
    kind = "embedded" if profile.endswith("embedded") else "full"
    return bool(allowed.get("profile", kind) == kind and allowed.get("mode", mode) == mode)


def modes_of(item: Item, in_force: Rounding, profile: Profile, edition: Edition = DEFAULT) -> tuple[Rounding, ...]:
    """The modes in which a measured row may round where one is in force: that of a device, or one that is selected."""
    table, form = openings(edition)["rounding"], item.form.name
    if item.builtin.name in table["operators"]:
        return (in_force,)
    if not _fits(table["by_default"].get(form, {"profile": "none"}), profile, in_force):
        return (table["functions"],)
    alone = item.builtin.name in table["alone"].get(form, ())
    return (in_force,) if alone else tuple(dict.fromkeys((table["functions"], in_force)))


def lacks_infinities(name: str, profile: Profile, mode: Rounding, edition: Edition = DEFAULT) -> bool:
    """Whether a device that rounds so by default need have neither infinities nor NaN of a format, in no built-in."""
    allowed = openings(edition)["without_infinities"].get(name, {"profile": "none"})
    return allowed.get("operations") == "all" and _fits(allowed, profile, mode)


@functools.lru_cache(maxsize=4096)
def _others(law: Law, item: Item) -> tuple[Law, ...]:
    others = (replace(law, edition=edition) for edition in editions.known() if edition != law.edition)
    return tuple(other for other in others if _asked(other, item) != _asked(law, item))


def _asked(law: Law, item: Item) -> tuple[Any, ...]:
    """All that an edition says of a row, but for its words."""
    name, opened = item.builtin.name, law.openings
    listed = [name in opened[key] for key in ("zero_sign_open", "may_flush", "multiply_then_add")]
    clause = next((clause for clause, names in opened["zero_sign"].items() if name in names), "")
    waived, flushed = _waived(law, item), opened["flushed_below"].get(name)
    return law.limit(item).clauses, law.edges(item), law.flushing_edges(item), waived, listed, clause, flushed
