"""Calls that enclosures of exact values decide, so that the reference is asked about the others alone."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath import ladder
from clmath.audit.acceptance.on_host import accepted
from clmath.audit.acceptance.other_arguments import other_calls, with_zeros
from clmath.audit.acceptance.reasons import numbers_of_reasons
from clmath.audit.judge.bounds import lanes_of, rounded_results
from clmath.audit.law.batch import Call, side_by_side
from clmath.audit.law.law import requirement

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.on_host import Exact
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
    surely = side_by_side([one.surely for one in found])
    perhaps = side_by_side([one.perhaps for one in found])
    passes, may_pass = np.asarray(surely.all(axis=-1)), np.asarray(perhaps.all(axis=-1))
    is_known, waives = (surely | ~perhaps).all(axis=-1), law.waives("signs of zero", item)
    if not passes.all() and (law.may_flush(item) or waives):
        may_pass |= _may_pass(call, exact, due, ~passes, any_zero=waives)
    numbers = side_by_side(numbers_of_reasons(call, exact, due, need, [~one.surely for one in found]))
    unspecified = np.logical_and.reduce([one.unspecified for one in found])
    return Decided(np.asarray(is_known & (passes | ~may_pass)), numbers, unspecified)


def _may_pass(call: Call, exact: Sequence[Exact], due: Sequence[np.ndarray], tried: Bools, *, any_zero: bool) -> Bools:
    """Return which of the calls ``tried`` may conform with flushed results or for other arguments."""
    need, found = requirement(call.item, call.law), np.zeros(len(tried), np.bool_)
    part = call.lanes(tried)
    may_pass = _perhaps(part, [lanes_of(e, tried) for e in exact], [d[tried] for d in due], need)
    for zeros, others in other_calls(part, need, may_pass, any_zero=any_zero):
        values, results = with_zeros(part.values, zeros, others), tuple(r[others] for r in part.results)
        other = Call.on(part.item, values, results, part.law)
        enclosed = ladder.enclose(other.name, other.args, other.form)
        may_pass[others] = _perhaps(other, enclosed, rounded_results(other, enclosed)[0], need)
    found[tried] = may_pass
    return found


def _perhaps(call: Call, exact: Sequence[Exact], due: Sequence[np.ndarray], need: Requirement) -> Bools:
    return np.asarray(side_by_side([one.perhaps for one in accepted(call, exact, due, need)]).all(axis=-1))
