"""Calls that enclosures of exact values decide, so that the reference is asked about the others alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath import phases
from clmath.audit.acceptance.on_host import accepted
from clmath.audit.acceptance.other_arguments import other_calls, with_zeros
from clmath.audit.acceptance.reasons import numbers_of_reasons
from clmath.audit.judge.bounds import lanes_of, rounded_results
from clmath.audit.law.batch import Call, side_by_side
from clmath.audit.law.law import requirement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.on_host import Accepted, Exact
    from clmath.audit.law.requirement import Requirement

__all__ = ["Decided", "decided"]

Bools: TypeAlias = "NDArray[np.bool_]"
Codes: TypeAlias = "NDArray[np.int16]"


class Decided(NamedTuple):
    """Whether enclosures decide each call, and its verdict.

    ``numbers``: of the reasons of failures by (calls, results), 0 for acceptable results. ``unspecified``: calls of
    which nothing is required.
    """

    is_known: Bools
    numbers: Codes
    unspecified: Bools


@np.errstate(all="ignore")
def decided(call: Call, exact: Sequence[Exact], due: Sequence[np.ndarray]) -> Decided:
    """Return the calls that enclosures decide; calls that pass only by flushing are left to the reference.

    ``due``: the correctly rounded results, where it is known how exact values are rounded.
    """
    law, item = call.law, call.item
    need = requirement(item, law, flushing=False)
    found = accepted(call, exact, due, need)
    surely, perhaps = _side_by_side(found)
    passes, may_pass = np.asarray(surely.all(axis=-1)), np.asarray(perhaps.all(axis=-1))
    is_known, numbers = np.asarray((surely | ~perhaps).all(axis=-1)), _numbers(call, exact, due, need, found)
    left, waives = np.flatnonzero(~passes), law.waives("signs of zero", item)
    if left.size and (law.may_flush(item) or waives):
        rest = _Enclosed(call.lanes(left), [lanes_of(e, left) for e in exact], [d[left] for d in due])
        may_pass[left], known, numbers[left] = _with_excuses(rest, any_zero=waives)
        is_known[left] = known
    unspecified = np.logical_and.reduce([one.unspecified for one in found])
    return Decided(np.asarray(is_known & (passes | ~may_pass)), numbers, unspecified)


class _Enclosed(NamedTuple):
    """Calls, enclosures of their exact values, and these rounded."""

    call: Call
    exact: Sequence[Exact]
    due: Sequence[np.ndarray]


def _with_excuses(enclosed: _Enclosed, *, any_zero: bool) -> tuple[Bools, Bools, Codes]:
    """Return which calls may pass with flushed results or for other arguments; which are known; numbers of reasons."""
    call, need = enclosed.call, requirement(enclosed.call.item, enclosed.call.law)
    found = accepted(*enclosed, need)
    surely, perhaps = _side_by_side(found)
    may_pass, is_known = np.asarray(perhaps.all(axis=-1)), np.asarray((surely | ~perhaps).all(axis=-1))
    for zeros, others in other_calls(call, need, may_pass, any_zero=any_zero):
        values, results = with_zeros(call.values, zeros, others), tuple(r[others] for r in call.results)
        other = Call.on(call.item, values, results, call.law)
        exact = phases.enclose(other.name, other.args, other.form)
        due, _ = rounded_results(other, exact)
        may_pass[others] = _side_by_side(accepted(other, exact, due, need))[1].all(axis=-1)
    return may_pass, is_known, _numbers(*enclosed, need, found)


def _side_by_side(found: Sequence[Accepted]) -> tuple[Bools, Bools]:
    """Return which results certainly, and which perhaps, are acceptable, by (calls, results)."""
    return side_by_side([one.surely for one in found]), side_by_side([one.perhaps for one in found])


def _numbers(
    call: Call, exact: Sequence[Exact], due: Sequence[np.ndarray], need: Requirement, found: Sequence[Accepted]
) -> Codes:
    return side_by_side(numbers_of_reasons(call, exact, due, need, [~one.surely for one in found]))
