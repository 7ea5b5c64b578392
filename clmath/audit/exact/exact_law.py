"""The law of a row that is judged bit by bit: modes, flushing, and what build options waive."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import TYPE_CHECKING, Any, Self

from clmath.audit.exact.sampled_reads import Freedom
from clmath.audit.law.law import Law, lacks_infinities, openings, optional_subnormals, options_in_force
from clmath.audit.plan.types import Whole
from clmath.audit.protocol.subject import has_infinities
from clmath.spec.editions import known, true_lanes, true_lanes_source
from clmath.spec.families import reads_truths

if TYPE_CHECKING:
    import numpy as np

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan, Profile
    from clmath.audit.protocol.subject import Subject
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.editions import Edition

__all__ = ["ExactLaw", "PrescribedLimit", "law_of"]


@dataclass(frozen=True)
class PrescribedLimit:
    """What is required of every result of a row, and by which section; in the place of ``Limit``."""

    text: str
    source: str
    clauses: tuple[tuple[str, None], ...] = (("prescribed", None),)
    gives_no_number: bool = False


@dataclass(frozen=True)
class ExactLaw(Law):
    """The law of a row that is judged bit by bit.

    ``mode``: the rounding mode of built-ins whose name has none. ``flushed``: the names of formats whose subnormal
    numbers may be flushed. ``flushing``: whether subnormal steps of an expression are taken as flushed. ``returned``:
    what the subject returns for the calls that a macro stands for. ``members``: for each work-item of the calls that
    are judged, the number of its sub-group, its place in it, and the sub-group's size.
    """

    flushed: frozenset[str] = frozenset()
    flushing: bool = False
    returned: tuple[int, ...] = ()
    members: tuple[np.ndarray, ...] = field(default=(), compare=False)

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
        """How many ulp the read of a normalized integer from an image may be off."""
        return float(openings(self.edition)["ulps_of_reads"][self._kind].get(item.form.name, 0.0))

    def freedom(self, item: ExactItem) -> Freedom:
        """Return the errors that a read with a sampler may have."""
        found = openings(self.edition)["sampled"]
        absolute = {type: float(Fraction(most)) for type, most in found["absolute"].items()}
        named = {name: float(found[name]) for name in ("relative", "srgb", "least", "subnormal", "weight", "offset")}
        return Freedom(self.ulps_of_reads(item), absolute=absolute, **named)

    def flushed_in(self, item: ExactItem) -> frozenset[str]:
        """The names of formats whose subnormal numbers may be flushed in arguments and results of a row."""
        listed = openings(self.edition)["flushed_in"].get(item.builtin.chapter, {}).get(self._kind, ())
        keeps = not {*item.builtin.exact_from}.isdisjoint(item.arguments)
        return frozenset(listed) | (frozenset() if keeps else self._flushed_by_device(item))

    def _flushed_by_device(self, item: ExactItem) -> frozenset[str]:
        """The formats that the device flushes; without half where it is only loaded or stored."""
        in_memory = {"half"} if item.builtin.result == "storage" else set()
        return self.flushed - in_memory

    def limit(self, item: Item) -> Any:
        """What the specification prescribes."""
        if reads_truths(item.builtin):
            return PrescribedLimit(item.builtin.limit, true_lanes_source(self.edition))
        section = item.builtin.section
        source = f"OpenCL C++ 1.0, {section}" if section[0].isdigit() else f"OpenCL C, {section}"
        return PrescribedLimit(item.builtin.limit, source)

    def waives(self, what: Any, item: Item) -> bool:
        """Whether a build option says that ``what`` is not required of the row."""
        formats = {*item.columns, *item.results}
        if what == "not finite" and not self.infinities:
            return True
        return any(_waives(openings(self.edition)["options"][o], what, formats) for o in self._options())

    def _options(self) -> tuple[str, ...]:
        return options_in_force(self.options, self.edition)

    @property
    def contracts(self) -> bool:
        """Whether a build option allows for a * b + c what is allowed for mad."""
        return "-cl-mad-enable" in self._options()

    def others(self, item: Item) -> tuple[Self, ...]:
        """The law of every other edition that takes other lanes for true; all other rules are the same in all."""
        if not reads_truths(item.builtin):
            return ()
        others = (replace(self, edition=edition) for edition in known() if edition != self.edition)
        return tuple(other for other in others if true_lanes(other.edition) != true_lanes(self.edition))


def _waives(option: dict[str, Any], what: str, formats: set[str]) -> bool:
    return what in option["waives"] and bool(formats & set(option.get("formats", formats)))


def law_of(item: ExactItem, plan: Plan, subject: Subject) -> ExactLaw:
    """The law for one row of one subject: the mode of the format it computes in, what it flushes and what it lacks.

    A conversion that names no mode rounds in rte (3.2.3, 3.22.3), or in the mode in force (SELECT_ROUNDING_MODE).
    """
    offered, result = subject.formats(), item.result
    source = next((f for f in offered if f.name in item.arguments), None)
    computed = result if result in offered else source
    in_force = "rte" if isinstance(result, Whole) or computed is None else subject.mode(computed)
    mode, *also = (in_force,) if item.builtin.chapter == "contraction" else tuple(dict.fromkeys(("rte", in_force)))
    options = subject.build_options()
    lacking = frozenset(f.name for f in offered if subject.flushes(f)) & optional_subnormals(plan.edition)
    flushed = lacking | _flushed_by(options, plan.edition)
    return ExactLaw(
        plan.profile,
        mode,
        bool(flushed),
        options=options,
        edition=plan.edition,
        infinities=not any(_lacks(f, plan, subject) for f in offered if f.name in item.needs),
        also=tuple(also),
        flushed=flushed,
    )


def _lacks(form: Format, plan: Plan, subject: Subject) -> bool:
    """Whether a device has neither infinities nor NaN of a format, and needs none."""
    return not has_infinities(subject, form) and lacks_infinities(
        form.name, plan.profile, subject.mode(form), plan.edition
    )


def _flushed_by(options: tuple[str, ...], edition: Edition) -> frozenset[str]:
    """The formats whose subnormals build options allow to be flushed."""
    table = openings(edition)["options"]
    waiving = [table[o] for o in options_in_force(options, edition) if "subnormals" in table[o]["waives"]]
    return frozenset(name for option in waiving for name in option["formats"])
