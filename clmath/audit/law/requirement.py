"""The requirement of one row: plain data from the tables of an edition, the rounding mode and the build options."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, NamedTuple

from clmath.spec.limits import Derived, Ulps

if TYPE_CHECKING:
    from clmath.numbers.formats import Format
    from clmath.spec.edges import Edge
    from clmath.spec.limits import Clauses, Rule

__all__ = ["Requirement"]


class Requirement(NamedTuple):
    """The requirement on results of one built-in in one format.

    ``mode``: the number of the rounding mode. ``clauses``: limits with the conditions on arguments of ``parameters``
    under which they hold; the first one whose condition holds applies. ``edges``: the special values; a target that
    flushes may also return those of ``flushing_edges``. ``zero_sign``: whether the sign of zeros that are exact is
    judged, or the sign of all zeros is open. ``positive_zeros``: whether +0 is acceptable for -0.
    ``not_finite_waived``: whether nothing is required where an argument, or a correctly rounded result, is not finite;
    ``overflow_waived``: where the largest number is the correctly rounded result. ``flushes``: whether subnormal
    arguments and results may be flushed, ``product_flushed``: the product of a multiplication before an addition, too.
    ``flushed_below``: magnitude below which arguments may be flushed, as the tables write it. ``gives_no_number``:
    whether no result has a limit. ``width``: of vectors; 0 for scalars.
    """

    form: Format
    mode: int
    clauses: Clauses
    parameters: tuple[str, ...]
    edges: tuple[Edge, ...] = ()
    flushing_edges: tuple[Edge, ...] = ()
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
        """The rules, and of a formula the limit for results that it does not give."""
        return tuple(rule.otherwise if isinstance(rule, Derived) else rule for rule, _ in self.clauses)

    @property
    def may_be_open(self) -> bool:
        """Whether no limit may hold for some arguments."""
        return self.clauses[-1][1] is not None or any(rule.may_be_open for rule, _ in self.clauses)

    @property
    def is_in_halves(self) -> bool:
        """Whether all limits are multiples of half an ulp."""
        return all(rule is None or (type(rule) is Ulps and (2 * rule.constant).is_integer()) for rule in self.rules)
