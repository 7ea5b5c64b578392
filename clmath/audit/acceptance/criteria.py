"""Acceptance criteria of a row: edition, profile, mode and build options, and the waivers of ``judging.toml``."""

from __future__ import annotations

import functools
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, Self, TypeAlias

from clmath.numbers.formats import Format
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.numbers.rounding import Rounding
from clmath.reference import Oracle
from clmath.spec import editions
from clmath.spec.editions import DEFAULT, Edition, Profile
from clmath.spec.limits import Clauses, Derived, Limit, Rule, Ulps, limit, opens_integers
from clmath.spec.special_values import SpecialValue, are_usual, flushing_special_values, special_values

if TYPE_CHECKING:  # the text of the compiled loop does not depend on it: library.toml of screens
    from clmath.audit.plan.item import Item


class Requirement(NamedTuple):
    """The requirement on results of one built-in in one format.

    ``mode``: the number of the rounding mode. ``clauses``: limits with the conditions on arguments of ``parameters``
    under which they hold; the first one whose condition holds applies. ``special_values``: the special values; a target
    that flushes may also return the special values ``flushing_special_values``. ``zero_sign``: whether the sign of
    zeros that are exact is judged, or the sign of all zeros is unspecified. ``positive_zeros``: whether +0 is
    acceptable for -0. ``not_finite_waived``: whether nothing is required if an argument, or a correctly rounded result,
    is not finite. ``overflow_waived``: whether nothing is required if the largest number is the correctly rounded
    result. ``flushes``: whether subnormal arguments and results may be flushed. ``product_flushed``: whether the
    product of a multiplication before an addition may be flushed, too. ``flushed_below``: magnitude below which
    arguments may be flushed, as the tables write it. ``gives_no_number``: whether no result has a limit. ``width``: the
    width of vectors; 0 for scalars.
    """

    form: Format
    mode: int
    clauses: Clauses
    parameters: tuple[str, ...]
    special_values: tuple[SpecialValue, ...] = ()
    flushing_special_values: tuple[SpecialValue, ...] = ()
    zero_sign: Literal["judged", "not judged", "open"] = "not judged"
    positive_zeros: bool = False
    not_finite_waived: bool = False
    overflow_waived: bool = False
    flushes: bool = False
    product_flushed: bool = False
    flushed_below: str = "smallest normal"
    gives_no_number: bool = False
    width: int = 0

    @property
    def rules(self) -> tuple[Rule | None, ...]:
        """The rules; a formula is replaced by the limit for results that it does not give."""
        return tuple(rule.otherwise if isinstance(rule, Derived) else rule for rule, _ in self.clauses)

    @property
    def may_be_unspecified(self) -> bool:
        """Whether no limit may hold for some arguments."""
        return self.clauses[-1][1] is not None or any(rule.may_be_unspecified for rule, _ in self.clauses)

    @property
    def may_open_integers(self) -> bool:
        """Whether nothing is required of ints for some arguments."""
        waived = self.gives_no_number and self.not_finite_waived
        return waived or any(opens_integers(rule) for rule, _ in self.clauses)

    @property
    def is_in_halves(self) -> bool:
        """Whether all limits are multiples of half an ulp."""
        return all(rule is None or (isinstance(rule, Ulps) and _is_in_halves(rule)) for rule in self.rules)


def _is_in_halves(limit: Ulps) -> bool:
    """Whether a limit is a multiple of half an ulp."""
    return not limit.relative and (2 * limit.constant).is_integer()


Waiver: TypeAlias = Literal["special values", "negative zeros", "not finite", "overflow", "signs of zero", "subnormals"]


def judging_rules(edition: Edition = DEFAULT) -> dict[str, Any]:
    """Return the ``judging.toml`` of an edition, which lists unspecified results, waivers and permitted flushing."""
    return editions.table(edition, "judging.toml")


def optional_subnormals(edition: Edition = DEFAULT) -> frozenset[str]:
    """Return the names of the formats whose subnormal numbers a device need not support."""
    return frozenset(judging_rules(edition)["optional_subnormals"])


def relaxing_option(edition: Edition = DEFAULT) -> str:
    """Return the build option of an audit in the relaxed profile."""
    return str(judging_rules(edition)["relaxed"]["built_with"])


@functools.cache
def options_in_force(options: tuple[str, ...], edition: Edition = DEFAULT) -> tuple[str, ...]:
    """Return the build options that change acceptance criteria, among ``options`` and the options they include."""
    table = judging_rules(edition)["options"]
    found = [option for option in dict.fromkeys(options) if option in table]
    for option in found:
        found += [other for other in table[option].get("includes", ()) if other not in found]
    return tuple(found)


def entries_in_force(options: tuple[str, ...], edition: Edition) -> list[dict[str, Any]]:
    """Return the entry of ``judging.toml`` for each build option in force."""
    return [judging_rules(edition)["options"][option] for option in options_in_force(options, edition)]


def profile_in_force(profile: Profile, options: Iterable[str], edition: Edition = DEFAULT) -> Profile:
    """Return ``profile``, or the relaxed profile if a build option puts the relaxed table in force."""
    if profile.startswith("relaxed") or _relaxed_by(edition) not in options_in_force(tuple(options), edition):
        return profile
    return "relaxed embedded" if profile == "embedded" else "relaxed"


def _relaxed_by(edition: Edition) -> str:
    """Return the build option that puts the relaxed table in force."""
    return str(judging_rules(edition)["relaxed"]["in_force_with"])


@dataclass(frozen=True)
class Criteria:
    """Acceptance criteria: profile, the device's mode, whether it flushes, and the oracle for exact values.

    ``options``: the build options that the implementation under test declares; ``judging.toml`` lists the waivers of
    each. ``edition``: an edition of the specification, by its name or the path of its folder. ``infinities``: whether
    the device has infinities and NaN of the format. ``also``: further modes that a text allows. ``default``: the mode
    of the device if it is not ``mode``.
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
        """Return the criteria once for each allowed mode, with this mode only."""
        return tuple(replace(self, mode=mode, also=()) for mode in (self.mode, *self.also))

    @property
    def tables(self) -> Profile:
        """The profile whose tables are in force, which is a relaxed one if a build option says so."""
        return profile_in_force(self.profile, self.options, self.edition)

    def limit(self, item: Item) -> Limit:
        """Return the limit of a row."""
        options = options_in_force(self.options, self.edition)
        return limit(item.builtin.called, item.form, self.tables, options=options, edition=self.edition)

    def special_values(self, item: Item) -> tuple[SpecialValue, ...]:
        """Return the special values of a row, in the order of the table."""
        return special_values(item.builtin.called, self.edition)

    def has_usual_special_values(self, item: Item) -> bool:
        """Whether no special value makes a correctly rounded result wrong."""
        return are_usual(item.builtin.called, self.edition)

    def flushing_special_values(self, item: Item) -> tuple[SpecialValue, ...]:
        """Return the special values of a row that a device that flushes may return instead."""
        return flushing_special_values(item.builtin.called, self.edition)

    @property
    def judging_rules(self) -> dict[str, Any]:
        """The ``judging.toml`` of the edition."""
        return judging_rules(self.edition)

    def may_flush(self, item: Item) -> bool:
        """Whether subnormals may be flushed: by the device, for the built-in, or by a build option."""
        listed = item.builtin.called in self.judging_rules["may_flush"]
        flushes = self.flushes and item.form.name in optional_subnormals(self.edition)
        return flushes or listed or self.waives("subnormals", item)

    def waives(self, what: Waiver, item: Item) -> bool:
        """Whether the requirement ``what`` is waived for the row."""
        return what in _waived(self, item)

    def requirement(self, item: Item) -> tuple[object, ...]:
        """Return the requirement of the row, so that editions can be compared."""
        return requirement(item, self)

    def others(self, item: Item) -> tuple[Self, ...]:
        """Return the criteria of every other known edition that requires something else of the row.

        If several editions require the same, only the first is returned; ``alike`` returns the others.
        """
        return tuple(replace(self, edition=first) for first, *_ in _differing(self, item))

    def alike(self, item: Item, edition: Edition) -> tuple[Edition, ...]:
        """Return the editions that agree on the row with ``edition``, the edition of one of ``others``."""
        return next(tuple(alike) for first, *alike in _differing(self, item) if first == edition)


@functools.lru_cache(maxsize=4096)
def _waived(criteria: Criteria, item: Item) -> frozenset[Waiver]:
    """Return all waivers for a row: of the relaxed profile, of build options, or for lack of infinities."""
    relaxed = (_relaxed_by(criteria.edition),) if criteria.tables.startswith("relaxed") else ()
    source, form = criteria.limit(item).source, item.form.name
    sources = editions.table(criteria.edition, "limits.toml")["sources"]
    given = dict.fromkeys(
        (*relaxed, *options_in_force(criteria.options, criteria.edition))
    )  # without what relaxed includes
    found: set[Waiver] = set()
    for entry in (criteria.judging_rules["options"][option] for option in given):
        if form in entry.get("formats", (form,)) and ("table" not in entry or sources[entry["table"]] == source):
            found |= set(entry["waives"])
    if not criteria.infinities and _is_listed(item, criteria, criteria.judging_rules["without_infinities"]):
        found |= {"not finite", "overflow"}
    if _is_listed(item, criteria, criteria.judging_rules["positive_zeros"]):
        found.add("negative zeros")
    return frozenset(found)


def _is_listed(item: Item, criteria: Criteria, table: Mapping[str, Any]) -> bool:
    """Whether a table of operations names the row: its type, for its profile and mode, and its operation."""
    allowed = table.get(item.form.name, {"profile": "none"})
    named = allowed.get("operations", table["operations"])
    return _fits(allowed, criteria.profile, criteria.default or criteria.mode) and (
        named == "all" or item.builtin.called in named
    )


def _fits(allowed: Mapping[str, object], profile: Profile, mode: Rounding) -> bool:
    """Whether a device with this profile and this default mode is ``allowed``."""
    kind = "embedded" if profile.endswith("embedded") else "full"
    return bool(allowed.get("profile", kind) == kind and allowed.get("mode", mode) == mode)


def modes_of(item: Item, in_force: Rounding, profile: Profile, edition: Edition = DEFAULT) -> tuple[Rounding, ...]:
    """Return the modes in which a row may round if ``in_force`` is the device's mode, or a selected one."""
    table, form = judging_rules(edition)["rounding"], item.form.name
    if item.builtin.called in table["operators"]:
        return (in_force,)
    if not _fits(table["by_default"].get(form, {"profile": "none"}), profile, in_force):
        return (table["functions"],)
    alone = item.builtin.called in table["alone"].get(form, ())
    return (in_force,) if alone else tuple(dict.fromkeys((table["functions"], in_force)))


def lacks_infinities(name: str, profile: Profile, mode: Rounding, edition: Edition = DEFAULT) -> bool:
    """Whether a device with this default mode needs neither infinities nor NaN of a format, in any built-in."""
    allowed = judging_rules(edition)["without_infinities"].get(name, {"profile": "none"})
    return allowed.get("operations") == "all" and _fits(allowed, profile, mode)


@functools.lru_cache(maxsize=4096)
def _differing(criteria: Criteria, item: Item) -> tuple[tuple[Edition, ...], ...]:
    """Return the editions that require something else of a row than ``criteria``, grouped by equal requirements."""
    required = {edition: replace(criteria, edition=edition).requirement(item) for edition in editions.known()}
    left = [edition for edition in required if required[edition] != criteria.requirement(item)]
    firsts = [e for k, e in enumerate(left) if all(required[e] != required[before] for before in left[:k])]
    return tuple(tuple(e for e in left if required[e] == required[first]) for first in firsts)


@functools.lru_cache(maxsize=4096)
def requirement(item: Item, criteria: Criteria, *, flushing: bool | None = None) -> Requirement:
    """Return the requirement of a row that has a limit.

    ``flushing``: whether flushed results are acceptable; by default they are if the row may be flushed. Vectors of a
    target that flushes may have zeros of any sign.
    """
    limit, table, name = criteria.limit(item), criteria.judging_rules, item.builtin.called
    flushes = criteria.may_flush(item) if flushing is None else flushing
    is_unspecified = (
        criteria.waives("signs of zero", item) or name in table["zero_sign_open"] or (flushes and item.width > 0)
    )
    judged = any(name in names for names in table["zero_sign"].values())
    return Requirement(
        form=item.form,
        mode=MODE_NUMBERS[criteria.mode],
        clauses=limit.clauses,
        parameters=limit.parameters,
        special_values=() if criteria.waives("special values", item) else criteria.special_values(item),
        flushing_special_values=criteria.flushing_special_values(item),
        zero_sign="open" if is_unspecified else "judged" if judged else "not judged",
        positive_zeros=criteria.waives("negative zeros", item),
        not_finite_waived=criteria.waives("not finite", item),
        overflow_waived=criteria.mode != "rte" and criteria.waives("overflow", item),
        flushes=flushes,
        product_flushed=name in table["multiply_then_add"],
        flushed_below=table["flushed_below"].get(name, "smallest normal"),
        gives_no_number=limit.gives_no_number,
        width=item.width,
    )
