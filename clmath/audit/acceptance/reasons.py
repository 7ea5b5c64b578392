"""Reasons of failures: which rule refuses a result, found from the sets of results that each rule allows."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.acceptance.limits import limited
from clmath.audit.acceptance.on_host import asked_of, codes_of, given, value_on_host
from clmath.audit.acceptance.sets import contains, spans_hold
from clmath.audit.acceptance.special_values import prescribed
from clmath.audit.counting.tally import BEYOND

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.batch import Batch, Call
    from clmath.audit.acceptance.criteria import Requirement
    from clmath.audit.acceptance.special_values import Prescribed
    from clmath.ir.values import Truth
    from clmath.numbers.formats import Format
    from clmath.spec.limits import Limit

__all__ = [
    "FLUSHED",
    "INFINITE",
    "LIMIT",
    "SIGN",
    "SIGNALING",
    "WORDS",
    "kind_of",
    "numbers_of_reasons",
    "out_of_limit",
    "reason",
]

Codes: TypeAlias = "NDArray[np.int16]"

NAN, NUMBER, INFINITE, FINITE, FLUSHED, SIGN, SIGNALING, INTEGER, LIMIT, _FIRST_EDGE = range(1, 11)
WORDS = {
    NAN: "NaN where a number is due",
    NUMBER: "a number where NaN is due",
    INFINITE: "an infinity where another number is due",
    FINITE: "a finite number where an infinity is due",
    FLUSHED: "a subnormal flushed to zero, though the device has denormals",
    SIGN: "wrong sign of zero",
    SIGNALING: "a signaling NaN though no argument is one (OpenCL C++ 1.0, 4.3 and 4.5.1)",
}


def reason(number: int, call: Call, output: int) -> str:
    """Return the reason ``number`` in words for the result column ``output``: the requirement and its section."""
    if number >= _FIRST_EDGE:
        edge = call.criteria.edges(call.item)[number - _FIRST_EDGE]
        return f"{edge.text} ({edge.source})"
    if number == INTEGER:
        return f"wrong {call.item.builtin.outputs[output].name}"  # rows of vectors have no ints
    if number == LIMIT:
        return out_of_limit(call.limit)
    if number == SIGN:
        clauses = call.criteria.judging_rules["zero_sign"].items()
        clause = next((clause for clause, names in clauses if call.name in names), "")
        return f"{WORDS[number]} ({clause})"
    return WORDS[number]


def out_of_limit(limit: Limit) -> str:
    """Return the reason of failures whose error exceeds the limit."""
    return f"{BEYOND}{limit.text}"


@np.errstate(all="ignore")
def numbers_of_reasons(batch: Batch, need: Requirement, wrong: Sequence[Truth]) -> list[Codes]:
    """Return for each result, in its shape, the numbers of the reasons why it is ``wrong``, 0 if it is not.

    The reason is the last special value that refuses a result, unless a later one decides and accepts; else the limit;
    else that a NaN is signaling.
    """
    found = []
    for k, is_wrong in enumerate(wrong):
        numbers = np.zeros(is_wrong.shape, np.int16)
        calls = np.flatnonzero(is_wrong.any(axis=tuple(range(1, is_wrong.ndim))))
        if calls.size:
            numbers[calls] = _of_result(batch.elements(calls), need, k)
        found.append(np.where(is_wrong, numbers, 0).astype(np.int16))
    return found


def _of_result(batch: Batch, need: Requirement, k: int) -> Codes:
    """Return the numbers of the reasons of result ``k`` of calls, all of which are assumed to be wrong."""
    asked, exact, result, form = asked_of(batch, k, batch.due), batch.exact[k], batch.results[k], batch.form
    codes = given_codes = codes_of(result, form)
    if isinstance(exact, np.ndarray):
        numbers = np.full(result.shape, INTEGER, np.int16)
        for edge in prescribed(asked.args, need.edges, need, k, asked.args[0], is_integer=True):
            numbers = _by_edge(numbers, edge, spans_hold(edge.results, codes))
        return np.where(numbers == 0, INTEGER, numbers)
    value, signals = value_on_host(exact, need), form.signals(result)
    codes = np.where(signals, codes | 1 << form.precision - 2, codes)  # a signaling NaN is the last reason
    by_limit = limited(asked.named, value, need)
    inner, outer = (contains(one, codes, form) for one in by_limit.sets)
    within = by_limit.is_unspecified | inner
    if batch.is_certain and (outer & ~within).any():
        within |= outer & given(batch, k, need, asked, by_limit)
    zero = np.asarray((result == 0) & value.zero)
    numbers = np.where(within, 0, np.where(zero, SIGN, kind_of(result, batch.due[k], form))).astype(np.int16)
    for edge in prescribed(asked.args, need.edges, need, k, value.least_ulp):
        seen = given_codes if need.edges[edge.number].results[k].is_quiet_nan else codes
        numbers = _by_edge(numbers, edge, contains(edge.results, seen, form))
    numbers = np.where(signals & (numbers == 0), SIGNALING, numbers)
    return np.where(numbers == 0, LIMIT, numbers).astype(np.int16)


def _by_edge(numbers: Codes, edge: Prescribed, allows: Truth) -> Codes:
    """Return the numbers, replaced by a special value's number where it refuses, and by 0 where it accepts alone."""
    refused, settled = edge.here & ~allows, edge.here & allows & edge.decides
    return np.where(refused, _FIRST_EDGE + edge.number, np.where(settled, 0, numbers)).astype(np.int16)


def kind_of(result: np.ndarray, due: np.ndarray, form: Format) -> Codes:
    """Return the numbers of the reasons by which results that the limit refuses differ from the right ones."""
    numbers = np.full(result.shape, LIMIT)
    subnormal = (np.abs(due) < form.smallest_normal) & (due != 0)
    numbers = np.where((result == 0) & subnormal, FLUSHED, numbers)
    numbers = np.where(np.isinf(due) & ~np.isinf(result), FINITE, numbers)
    numbers = np.where(np.isinf(result), INFINITE, numbers)
    numbers = np.where(np.isnan(result) & ~np.isnan(due), NAN, numbers)
    return np.where(np.isnan(due) & ~np.isnan(result), NUMBER, numbers).astype(np.int16)
