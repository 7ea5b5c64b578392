"""By what a row is judged whose results are prescribed one by one: mode, flushing, and what build options waive."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from clmath.audit.exact.types import Whole
from clmath.audit.law import Law, openings, options_in_force

if TYPE_CHECKING:
    from clmath.audit.exact.rows import ExactItem
    from clmath.audit.plan import Item, Plan, Profile
    from clmath.audit.subject import Subject
    from clmath.spec.editions import Edition

__all__ = ["Asked", "ExactLaw", "law_of"]


@dataclass(frozen=True)
class Asked:
    """What is asked of every result of a row, and where that stands; ``Limit`` of other rows."""

    text: str
    source: str
    clauses: tuple[tuple[str, None], ...] = (("prescribed", None),)
    gives_no_number: bool = False


@dataclass(frozen=True)
class ExactLaw(Law):
    """``mode``: in which results are rounded where the name of the built-in has none; ``flushed``: formats' names."""

    flushed: frozenset[str] = frozenset()

    @property
    def tables(self) -> Profile:
        """The profile asked for: no table of limits is in force."""
        return self.profile

    def limit(self, item: Item) -> Any:
        """What the specification prescribes."""
        section = item.builtin.section
        source = f"OpenCL C++ 1.0, {section}" if section[0].isdigit() else f"OpenCL C, {section}"
        return Asked(item.builtin.limit, source)

    def waives(self, what: Any, item: Item) -> bool:
        """Whether a build option says that ``what`` is not asked of the row."""
        formats = {*item.columns, *item.results}
        return any(_waives(openings(self.edition)["options"][o], what, formats) for o in self._options())

    def _options(self) -> tuple[str, ...]:
        return options_in_force(self.options, self.edition)

    @property
    def contracts(self) -> bool:
        """Whether a build option lets a * b + c be anything that mad may be."""
        return "-cl-mad-enable" in self._options()

    def others(self, item: Item) -> tuple[Law, ...]:  # noqa: ARG002 - the signature of a law
        """None: every edition asks the same."""
        return ()


def _waives(option: dict[str, Any], what: str, formats: set[str]) -> bool:
    return what in option["waives"] and bool(formats & set(option.get("formats", formats)))


def law_of(item: ExactItem, plan: Plan, subject: Subject) -> ExactLaw:
    """The law for one row of one subject: the mode of the format it computes in, and what it flushes."""
    offered, result = subject.formats(), item.result
    mode = "rte" if isinstance(result, Whole) or result not in offered else subject.mode(result)
    options = subject.build_options()
    flushed = frozenset(f.name for f in offered if subject.flushes(f)) | _flushed_by(options, plan.edition)
    return ExactLaw(plan.profile, mode, bool(flushed), options=options, edition=plan.edition, flushed=flushed)


def _flushed_by(options: tuple[str, ...], edition: Edition) -> frozenset[str]:
    """The formats whose subnormals build options allow to be flushed."""
    table = openings(edition)["options"]
    waiving = [table[o] for o in options_in_force(options, edition) if "subnormals" in table[o]["waives"]]
    return frozenset(name for option in waiving for name in option["formats"])
