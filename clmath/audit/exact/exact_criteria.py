"""Acceptance criteria of a row that is judged bit by bit, and calls under them."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction
from typing import TYPE_CHECKING, NamedTuple

from clmath.audit.acceptance.criteria import (
    Criteria,
    entries_in_force,
    judging_rules,
    lacks_infinities,
    modes_of,
    optional_subnormals,
    options_in_force,
)
from clmath.audit.exact import left_open
from clmath.audit.plan.exact_item import ExactItem
from clmath.audit.plan.types import TYPES, Whole
from clmath.audit.protocol.target import has_infinities
from clmath.spec.families import WRITES_NORMALIZED, reads_truths
from clmath.spec.limits import Limit, NoRounding
from clmath.spec.statements import statement

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    import numpy as np
    from numpy.typing import NDArray

    from clmath.audit.acceptance.criteria import Waiver
    from clmath.audit.exact.results import Args
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan, Profile
    from clmath.audit.protocol.target import Target
    from clmath.ir.values import Truth
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.statements import Statement

__all__ = ["Calls", "ExactCriteria", "Freedom", "criteria_of", "is_saturated"]

_PRESCRIBED = ((NoRounding(), None),)


class Freedom(NamedTuple):
    """The errors that the read of an image may have.

    ``ulps``: the error of each channel that is read, in ulp. Filters and normalized coordinates add the other errors.
    ``relative``: in parts of the largest texel. ``absolute``: by channel type. ``srgb``: of filtered colours, in codes.
    ``least``: of every number. ``subnormal``: in addition, if a texel is subnormal.
    ``weight``: of the weights of a filter. ``offset``: of the location of the nearest texel, in texels.
    """

    ulps: float
    relative: float
    absolute: Mapping[str, float]
    srgb: float
    least: float
    subnormal: float
    weight: float
    offset: float


@dataclass(frozen=True)
class ExactCriteria(Criteria):
    """Acceptance criteria of a row that is judged bit by bit.

    ``mode``: the rounding mode of built-ins whose name has none. ``flushed``: the names of formats whose subnormal
    numbers may be flushed. ``returned``: the results of the target for the calls that a macro describes.
    """

    flushed: frozenset[str] = frozenset()
    returned: tuple[int, ...] = ()

    @property
    def modes(self) -> tuple[Rounding, ...]:
        """The modes in which a conversion without a mode in its name may round."""
        return (self.mode, *self.also)

    @property
    def tables(self) -> Profile:
        """The profile of the audit, since no table of limits applies."""
        return self.profile

    @property
    def _kind(self) -> str:
        """The profile without its relaxed table."""
        return "embedded" if self.profile.endswith("embedded") else "full"

    def ulps_of_reads(self, item: ExactItem) -> float:
        """Return the error in ulp that the read of a normalized integer from an image may have."""
        return float(judging_rules(self.edition)["ulps_of_reads"][self._kind].get(item.form.name, 0.0))

    def freedom(self, item: ExactItem) -> Freedom:
        """Return the errors that a read with a sampler may have."""
        found = judging_rules(self.edition)["sampled"]
        absolute = {type: float(Fraction(most)) for type, most in found["absolute"].items()}
        named = {name: float(found[name]) for name in ("relative", "srgb", "least", "subnormal", "weight", "offset")}
        return Freedom(self.ulps_of_reads(item), absolute=absolute, **named)

    def flushed_in(self, item: ExactItem) -> frozenset[str]:
        """Return the names of formats whose subnormal numbers may be flushed in arguments and results of a row."""
        listed = judging_rules(self.edition)["flushed_in"].get(item.builtin.chapter, {}).get(self._kind, ())
        keeps = not {*item.builtin.exact_from}.isdisjoint(item.arguments)
        in_memory = {"half"} if item.builtin.result == "storage" else set()  # it is only loaded or stored
        return frozenset(listed) | (frozenset() if keeps else self.flushed - in_memory)

    def limit(self, item: Item) -> Limit:
        """Return the requirement of the specification on the row, in words."""
        said, section = self.statements(item), item.builtin.section
        source = f"OpenCL C++ 1.0, {section}" if section[0].isdigit() else f"OpenCL C, {section}"
        source = "; ".join(found.source for found in said.values()) or source
        return Limit(item.builtin.limit, source, (), _PRESCRIBED)

    def waives(self, what: Waiver, item: Item) -> bool:
        """Whether a build option waives the requirement ``what`` for the row."""
        formats = {*item.columns, *item.results}
        if what == "not finite" and not self.infinities:
            return True
        entries = entries_in_force(self.options, self.edition)
        return any(what in one["waives"] and formats & {*one.get("formats", formats)} for one in entries)

    @property
    def saturates_writes(self) -> bool:
        """Whether an infinity or NaN that is written to normalized integers must saturate."""
        return not statement("non_finite_writes", self.edition).requires_nothing

    @property
    def contracts(self) -> bool:
        """Whether a build option allows the same results for a * b + c as for mad."""
        return "-cl-mad-enable" in options_in_force(self.options, self.edition)

    def statements(self, item: Item) -> dict[str, Statement]:
        """Return the statements of the edition that concern the row, by their names."""
        assert isinstance(item, ExactItem)
        return {name: statement(name, self.edition) for name in _concerning(item)}

    def requirement(self, item: Item) -> tuple[object, ...]:
        """Return all that the edition requires of the row without its wording, so that editions can be compared."""
        assert isinstance(item, ExactItem)
        return (
            {name: found.says for name, found in self.statements(item).items()},
            self.waives("not finite", item),
            self.waives("signs of zero", item),
            self.flushed_in(item),
            self.contracts,
            self.freedom(item) if item.builtin.chapter == "images" else None,
        )


def is_saturated(item: ExactItem) -> bool:
    """Whether the row is a conversion that saturates."""
    return "sat" in item.builtin.name.split("_")


def _concerning(item: ExactItem) -> Iterator[str]:
    """Yield the names of the statements of editions that concern the row."""
    row = item.builtin
    if reads_truths(row):
        yield "true_lanes"
    if row.chapter == "conversions":
        source = TYPES[item.arguments[0]].dtype
        if name := left_open.statement_on_conversion(source, item.result, saturates=is_saturated(item)):
            yield name
    if item.result.dtype.kind == "i" and left_open.may_be_modulo(row):
        yield "signed_overflow"
    if row.rule in WRITES_NORMALIZED:
        yield "non_finite_writes"


class Calls(NamedTuple):
    """Calls of a row under acceptance criteria; the last axis of arrays of vectors has the components.

    ``got``: the results. With them, right results in addition to the wanted one are found only for calls that do not
    return the wanted one. ``members``: for each work-item, as the target reports it, the number of its sub-group, its
    place in it, and the sub-group's size. ``wanted``: the expected bits, found for another edition, in chapters where
    no edition changes them. ``flushing``: whether subnormal steps of an expression are taken as flushed.
    """

    item: ExactItem
    args: Args
    criteria: ExactCriteria
    got: np.ndarray | None = None
    members: Args = ()
    wanted: np.ndarray | None = None
    flushing: bool = False

    def at(self, index: NDArray[np.intp] | Truth) -> Calls:
        """Return the chosen calls."""
        args, members = (tuple(values[index] for values in columns) for columns in (self.args, self.members))
        got, wanted = (None if values is None else values[index] for values in (self.got, self.wanted))
        return self._replace(args=args, members=members, got=got, wanted=wanted)


def criteria_of(item: ExactItem, plan: Plan, target: Target) -> ExactCriteria:
    """Return the criteria for one row of one target, by its modes, flushed formats and missing infinities."""
    offered, result = target.formats(), item.result
    source = next((f for f in offered if f.name in item.arguments), None)
    computed = result if result in offered else source
    in_force = "rte" if isinstance(result, Whole) or computed is None else target.mode(computed)
    mode, *also = _modes(item, in_force, plan)
    options = target.build_options()
    lacking = frozenset(f.name for f in offered if target.flushes(f)) & optional_subnormals(plan.edition)
    waiving = [one for one in entries_in_force(options, plan.edition) if "subnormals" in one["waives"]]
    flushed = lacking.union(*(one["formats"] for one in waiving))
    return ExactCriteria(
        plan.profile,
        mode,
        bool(flushed),
        options=options,
        edition=plan.edition,
        infinities=not any(_lacks(f, plan, target) for f in offered if f.name in item.needs),
        also=tuple(also),
        flushed=flushed,
    )


def _modes(item: ExactItem, in_force: Rounding, plan: Plan) -> tuple[Rounding, ...]:
    """Return the modes in which a row may round.

    Expressions round in the mode in force. Sums of groups and printf are functions, which may round in it if it is a
    default mode. A conversion that names no mode rounds in rte (3.2.3, 3.22.3), or in the mode in force
    (SELECT_ROUNDING_MODE).
    """
    if item.builtin.chapter == "contraction":
        return (in_force,)
    if item.builtin.chapter in {"groups", "printf"}:
        return modes_of(item, in_force, plan.profile, plan.edition)
    return tuple(dict.fromkeys(("rte", in_force)))


def _lacks(form: Format, plan: Plan, target: Target) -> bool:
    """Whether a device has neither infinities nor NaN of a format, and needs none."""
    return not has_infinities(target, form) and lacks_infinities(
        form.name, plan.profile, target.mode(form), plan.edition
    )
