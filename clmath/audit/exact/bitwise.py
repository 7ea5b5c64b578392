"""Judges rows whose every result is prescribed: whether each result is right, and why it is wrong."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.audit.acceptance.reasons import FLUSHED, INFINITE, LIMIT, SIGN, SIGNALING, WORDS, kind_of
from clmath.audit.counting.spread import binned, ordered, steps
from clmath.audit.counting.tally import Example, Otherwise, Tally, tally_of_failures
from clmath.audit.exact.allowed_results import allowed_results, waived
from clmath.audit.exact.exact_criteria import Calls, ExactCriteria
from clmath.audit.exact.results import signals
from clmath.audit.inputs.layout import arguments
from clmath.audit.inputs.values import number_text
from clmath.audit.inputs.vectors import with_vectors
from clmath.audit.plan.types import TYPES, Text, Whole, code_of
from clmath.numbers import guard

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.audit.exact.results import AllowedResults
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.exact_item import ExactItem
    from clmath.ir.values import Truth
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.editions import Edition

__all__ = ["fails", "judge", "outcome", "result_text"]


_TRUE = 0  # in addition to the kinds of reasons of rows with limits
_REASONS = WORDS | {
    LIMIT: "not as prescribed: {}",
    INFINITE: "an infinity where a finite number is due",
    FLUSHED: "a subnormal flushed to zero, though it may not be",
    SIGN: "wrong sign of zero",
    SIGNALING: "a signaling NaN though no argument is one (OpenCL C++ 1.0, 3.26.4, 4.3 and 4.5.1)",
    _TRUE: "a wrong number for true: it is 1 of scalars, -1 in each lane of a vector (cl_khr_fp16)",
}


def judge(
    item: ExactItem,
    values: Columns,
    results: tuple[np.ndarray, ...],
    criteria: ExactCriteria,
    places: int | np.ndarray = 0,
    *_known: object,
) -> Tally:
    """Return the tally of one chunk of a row, as ``judge.piece.judge`` does for rows with errors in ulp.

    Errors that are known from other chunks make no difference.
    """
    guard.refuse_altered_arithmetic("clmath audit")
    got, *members = results
    calls = Calls(item, arguments(item, values), criteria, got, tuple(members))
    found = _found(calls)
    wanted, failing, flushed, free = found.asked.wanted, found.failing, found.flushed, found.free
    by_others = (calls._replace(criteria=other, wanted=wanted) for other in criteria.others(item))
    others = (_found(one).counts(one.criteria.edition) for one in by_others)
    standing = places + np.arange(len(got)) if isinstance(places, int) else places
    apart = _steps(got, wanted, item.result).max(axis=-1)
    spread = binned(np.where(failing, np.maximum(apart, np.uint64(1)), apart)[~free & ~flushed])
    counts = int(free.sum()), int(flushed.sum()), int(failing.sum())
    tally = Tally(len(got), *counts, others=tuple(others), spread=spread)
    if not failing.any():
        return tally
    tally += _failures(item, values, got, found, standing, criteria.limit(item).text)
    return tally if item.vector == 1 else with_vectors(item, tally, values, int(standing[0]))


@np.errstate(all="ignore")
def fails(item: ExactItem, values: Columns, results: tuple[np.ndarray, ...], criteria: ExactCriteria) -> bool:
    """Return whether ``judge`` counts a failure."""
    return bool(judge(item, values, results, criteria).failed)


class _Found(NamedTuple):
    """The results that are ``asked`` for, a mask of wrong results, and masks of calls.

    Calls are failing, pass only as flushed, or are unspecified (``free``).
    """

    asked: AllowedResults
    wrong: Truth
    failing: Truth
    flushed: Truth
    free: Truth

    def counts(self, edition: Edition) -> Otherwise:
        """Return the numbers of calls that are unspecified by ``edition``, and that fail by it."""
        return Otherwise(edition, int(self.free.sum()), int(self.failing.sum()))


def _found(calls: Calls) -> _Found:
    """Judge each call by the acceptance criteria."""
    asked, got = allowed_results(calls), calls.got
    assert got is not None  # as results are judged
    accepted = asked.accepts(got)
    wrong = ~(accepted | asked.is_free)
    failing = np.asarray(wrong.reshape(len(got), -1).any(axis=-1))
    flushed = np.zeros(len(got), np.bool_)
    flushed[failing] = waived(calls.at(failing))
    failing &= ~flushed
    free = np.asarray(asked.left_open(accepted).reshape(len(got), -1).all(axis=-1))
    return _Found(asked, wrong, failing, flushed, free)


def _steps(got: np.ndarray, wanted: np.ndarray, type: Format) -> NDArray[np.uint64]:
    """Return the distances of results from those due, in numbers of the type; different texts are 1 apart."""
    if isinstance(type, Text):
        return np.asarray(got != wanted).astype(np.uint64).reshape(len(got), -1)
    return steps(got.reshape(len(got), -1), wanted.reshape(len(got), -1), type)


def _failures(  # noqa: PLR0917 - the facts of one chunk
    item: ExactItem, values: Columns, got: np.ndarray, found: _Found, standing: np.ndarray, limit: str
) -> Tally:
    """Return a tally of failing calls by the reasons of their first wrong results, with examples and the worst."""
    calls, type = np.flatnonzero(found.failing), item.result
    components = np.argmax(found.wrong.reshape(len(got), -1)[calls], axis=-1)
    got, wanted = (a.reshape(len(a), -1)[calls, components] for a in (got, found.asked.wanted))
    texts = {number: words.format(limit) for number, words in _REASONS.items()}
    codes, apart = _codes(item, got, wanted), _steps(got, wanted, type)[:, 0]

    def example(k: int, text: str) -> Example:
        args = tuple(stored(v[calls[k]], TYPES[kind]) for v, kind in zip(values, item.columns, strict=True))
        sides, error = (stored(got[k], type), stored(wanted[k], type)), _error(got[k], wanted[k], type)
        return Example(int(standing[calls[k]]), args, int(components[k]), *sides, None, error, text)

    worst = int(np.argmax(apart))
    groups = {texts[code]: np.flatnonzero(codes == code) for code in np.unique(codes).tolist()}
    return Tally(worst=example(worst, texts[codes[worst]])) + tally_of_failures(groups, example)


def stored(value: object, type: Format) -> int:
    """Return the encoding of a number of a format, or an integer itself, or a text as a number."""
    return code_of(value) if isinstance(type, (Whole, Text)) else int(type.bits(value))


def _error(got: np.ndarray, wanted: np.ndarray, type: Format) -> float:
    """Return the distance from ``wanted`` to ``got`` in numbers of the type, or 1 if only their bits differ."""
    if isinstance(type, Text):
        return 1.0
    keys = [int(ordered(np.atleast_1d(v), type)[0]) for v in (got, wanted)]
    if not isinstance(type, Whole) and (np.isnan(got) != np.isnan(wanted)):
        return float("inf")
    return float(keys[0] - keys[1]) or 1.0


def _codes(item: ExactItem, got: np.ndarray, wanted: np.ndarray) -> NDArray[np.int16]:
    """Return the number of the reason why each result is wrong."""
    codes, type = np.full(got.shape, LIMIT, np.int16), item.result
    if isinstance(type, Whole):
        codes[(got != 0) & (wanted != 0) & (item.builtin.result == "booln")] = _TRUE
    if isinstance(type, (Text, Whole)):
        return codes
    are_infinite = np.isinf(got) & np.isinf(wanted)
    codes = np.where((got == 0) & (wanted == 0), SIGN, np.where(are_infinite, LIMIT, kind_of(got, wanted, type)))
    if not item.builtin.moves_bits:
        codes[np.isnan(wanted) & signals(got)] = SIGNALING
    return codes


def outcome(item: ExactItem, columns: Columns, mode: Rounding) -> Iterator[str]:
    """Yield a line for each component of one call's result: the expected value, and others that are right."""
    asked = allowed_results(Calls(item, arguments(item, columns), ExactCriteria("full", mode, flushes=False)))
    wanted, free = (a.reshape(-1) for a in (asked.wanted, asked.is_free))
    for component in range(len(wanted)):
        others = {result_text(item, other.reshape(-1)[component]) for other in asked.also}
        remarks = [f"or {other}" for other in sorted(others - {result_text(item, wanted[component])})]
        within = [[end.reshape(-1)[component] for end in ends] for ends in asked.intervals]
        ranges = (
            f"or from {result_text(item, low)} to {result_text(item, high)}" for low, high in within if low != high
        )
        remarks += dict.fromkeys(ranges)
        remarks += [f"or {asked.others}"] if asked.others else []
        remarks = ["or anything: the specification leaves it open"] if free[component] else remarks
        yield ", ".join([result_text(item, wanted[component]), *remarks])


def result_text(item: ExactItem, value: object) -> str:
    """Return a result, or one component of it, as text with its bits and in decimal."""
    return number_text(stored(np.asarray(value)[()], item.result), item.result.name, item.form)
