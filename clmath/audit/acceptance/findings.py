"""Judges calls by exact values: reasons of failures, calls that pass as flushed, examples of reports; the verdict."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.audit.acceptance.batch import (
    Accepted,
    Batch,
    Call,
    accepted,
    are_counted,
    asked_of,
    codes_of,
    given,
    side_by_side,
    value_on_host,
)
from clmath.audit.acceptance.criteria import Criteria, Requirement, requirement
from clmath.audit.acceptance.limits import limited
from clmath.audit.acceptance.sets import Prescribed, contains, prescribed, spans_hold
from clmath.audit.counting.spread import Deviations, Spread, steps
from clmath.audit.counting.tally import BEYOND, Elsewhere, Example, Otherwise, Status, Tally, Verdict, tally_of_failures
from clmath.audit.inputs.layout import Columns
from clmath.audit.plan.item import Item
from clmath.audit.plan.plan import Plan
from clmath.ir.values import Real, Truth
from clmath.numbers.formats import Format
from clmath.numbers.rounding import Enclosure
from clmath.spec.limits import Limit, Unlimited
from clmath.spec.notation import number

Codes: TypeAlias = "NDArray[np.int16]"

NAN, NUMBER, INFINITE, FINITE, FLUSHED, SIGN, SIGNALING, INTEGER, LIMIT, _FIRST_SPECIAL_VALUE = range(1, 11)
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
    if number >= _FIRST_SPECIAL_VALUE:
        special_value = call.criteria.special_values(call.item)[number - _FIRST_SPECIAL_VALUE]
        return f"{special_value.text} ({special_value.source})"
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
        for special_value in prescribed(asked.args, need.special_values, need, k, asked.args[0], is_integer=True):
            numbers = _by_special_value(numbers, special_value, spans_hold(special_value.results, codes))
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
    for special_value in prescribed(asked.args, need.special_values, need, k, value.least_ulp):
        seen = given_codes if need.special_values[special_value.number].results[k].is_quiet_nan else codes
        numbers = _by_special_value(numbers, special_value, contains(special_value.results, seen, form))
    numbers = np.where(signals & (numbers == 0), SIGNALING, numbers)
    return np.where(numbers == 0, LIMIT, numbers).astype(np.int16)


def _by_special_value(numbers: Codes, special_value: Prescribed, allows: Truth) -> Codes:
    """Return the numbers, replaced by a special value's number where it refuses, and by 0 where it accepts alone."""
    refused, settled = special_value.here & ~allows, special_value.here & allows & special_value.decides
    return np.where(refused, _FIRST_SPECIAL_VALUE + special_value.number, np.where(settled, 0, numbers)).astype(
        np.int16
    )


def kind_of(result: np.ndarray, due: np.ndarray, form: Format) -> Codes:
    """Return the numbers of the reasons by which results that the limit refuses differ from the right ones."""
    numbers = np.full(result.shape, LIMIT)
    subnormal = (np.abs(due) < form.smallest_normal) & (due != 0)
    numbers = np.where((result == 0) & subnormal, FLUSHED, numbers)
    numbers = np.where(np.isinf(due) & ~np.isinf(result), FINITE, numbers)
    numbers = np.where(np.isinf(result), INFINITE, numbers)
    numbers = np.where(np.isnan(result) & ~np.isnan(due), NAN, numbers)
    return np.where(np.isnan(due) & ~np.isnan(result), NUMBER, numbers).astype(np.int16)


class Judged(NamedTuple):
    """The judgement of calls by exact values, or by enclosures of these.

    ``is_known``: whether the judgement of a call is certain; if a call may be flushed or unsigned, enclosures leave it
    to the reference. ``numbers``: the numbers of the reasons of failures by (calls, result columns), 0 for results that
    pass. ``unspecified``: whether nothing is required of a result. ``flushed``: calls that may pass since subnormals
    may be flushed (4.5.3). ``unsigned``: calls that may pass since a zero among their arguments may have the other
    sign.
    """

    is_known: Truth
    numbers: NDArray[np.int16]
    unspecified: Truth
    flushed: Truth
    unsigned: Truth


@np.errstate(all="ignore")
def judged(batch: Batch) -> Judged:
    """Judge calls as if nothing were flushed; judge failing calls by flushed results and by other arguments, too."""
    criteria, item = batch.criteria, batch.item
    plain, need = requirement(item, criteria, flushing=False), requirement(item, criteria)
    found = accepted(batch, plain)
    surely, is_known = _known(found)
    left = np.flatnonzero(~surely.all(axis=-1))
    numbers, waived = np.zeros(surely.shape, np.int16), np.zeros((2, len(surely)), np.bool_)
    if left.size:
        rest = batch.elements(left)
        if need == plain:
            again = [Accepted(*(side[left] for side in one)) for one in found]
        else:
            again = accepted(rest, need)
            is_known[left] = _known(again)[1]
        waived[:, left] = _waived(rest, need)
        fails = ~np.asarray(waived.any(axis=0))[left]
        is_known[left] &= fails | batch.is_certain
        reasons = side_by_side(numbers_of_reasons(rest, need, [~one.surely for one in again]))
        numbers[left] = np.where(fails[:, np.newaxis], reasons, 0)
    return Judged(is_known, numbers, side_by_side([one.unspecified for one in found]), *waived)


def _known(found: Sequence[Accepted]) -> tuple[Truth, Truth]:
    """Return which results certainly are acceptable, by (calls, result columns), and which calls are decided."""
    surely, perhaps = (side_by_side([one[side] for one in found]) for side in (0, 1))
    return surely, np.asarray((surely | ~perhaps).all(axis=-1))


def _waived(batch: Batch, need: Requirement) -> Truth:
    """Return which calls may pass since subnormals may be flushed, and which ones for zeros of the other sign."""
    waived = np.zeros((2, len(batch.values[0])), np.bool_)
    may_be = batch.criteria.may_flush(batch.item), batch.criteria.waives("signs of zero", batch.item)
    for kind in np.flatnonzero(may_be):
        rest = np.flatnonzero(~waived.any(axis=0))
        if rest.size:
            waived[kind, rest] = are_acceptable(batch.elements(rest), need, any_zero=bool(kind))
    return waived


def are_acceptable(batch: Batch, need: Requirement, *, any_zero: bool = False) -> Truth:
    """Return which calls may pass: all results are acceptable for the arguments, or for one choice of zeros among them.

    If the target flushes, subnormal arguments may be zeros of either sign: 4.5.3; for results see ``acceptable``.
    ``any_zero``: arguments that are zero may have the other sign, since a build option ignores signs of zeros. With
    enclosures of kernels, calls may pass unless they fail for certain.
    """
    fine, replaced = _all_acceptable(batch, need), _replaceable(batch, need, any_zero=any_zero)
    for zeros in _choices(batch.item):
        tried = ~fine
        for column in zeros:
            tried = tried & replaced[column]
        if tried.any():
            values = _with_zeros(batch.values, zeros, tried)
            fine[tried] = _all_acceptable(batch.again(values, tuple(r[tried] for r in batch.results)), need)
    return fine


def _all_acceptable(batch: Batch, need: Requirement) -> Truth:
    return np.asarray(side_by_side([one.perhaps for one in accepted(batch, need)]).all(axis=-1))


def _with_zeros(values: Columns, zeros: Mapping[int, float], tried: Truth) -> Columns:
    """Return the arguments of the calls ``tried``, with some columns replaced by ``zeros``."""
    count = int(np.count_nonzero(tried))
    return tuple(np.full(count, zeros[i], v.dtype) if i in zeros else v[tried] for i, v in enumerate(values))


def _replaceable(call: Call, need: Requirement, *, any_zero: bool = False) -> Sequence[Truth]:
    """Return which arguments, column by column, may be flushed, or may be zeros of the other sign."""
    border = number(need.flushed_below, need.form)
    found = []
    for values, kind in zip(call.values, call.item.columns, strict=True):
        small = (np.abs(values) < border) & (values != 0) & need.flushes
        found.append(np.asarray((small | ((values == 0) & any_zero)) & (kind == "gentype")))
    return found


def _choices(item: Item) -> Iterator[Mapping[int, float]]:
    """Yield all choices of zeros for columns, most columns first; elements of vectors are replaced by +0.

    For vectors +0 is enough: signs of zeros among their results are unspecified then.
    """
    columns = [i for i, kind in enumerate(item.columns) if kind == "gentype"]
    signs = (0.0,) if item.width else (0.0, -0.0)
    for count in range(len(columns), 0, -1):
        for chosen in itertools.combinations(columns, count):
            for zeros in itertools.product(signs, repeat=count):
                yield dict(zip(chosen, zeros, strict=True))


@dataclass(frozen=True)
class Findings:
    """The judgement of calls by their exact values; ``places``: the places of the calls in the row."""

    batch: Batch
    judged: Judged
    places: np.ndarray

    @classmethod
    def of(cls, batch: Batch, places: np.ndarray) -> Findings:
        """Judge calls."""
        return cls(batch, judged(batch), places)

    @property
    def codes(self) -> NDArray[np.int16]:
        """The numbers of reasons by (calls, result columns), 0 for results that pass."""
        return self.judged.numbers

    def failing(self) -> NDArray[np.intp]:
        """Return the calls that fail."""
        return np.flatnonzero(self.codes.any(axis=-1))

    def otherwise(self) -> tuple[Otherwise, ...]:
        """Return the counts of the calls by the editions that have other rules for the row."""
        others = self.batch.criteria.others(self.batch.item)
        return tuple(Findings.of(self.batch.under(other), self.places).counts() for other in others)

    def counts(self) -> Otherwise:
        """Return the numbers of calls that are unspecified, and that fail."""
        unjudged = int(self.judged.unspecified.all(axis=-1).sum())
        return Otherwise(self.batch.criteria.edition, unjudged, len(self.failing()))

    def tally(self) -> Tally:
        """Return the tally of the calls, with the worst input and the first failures of each reason."""
        _, unjudged, failed = self.counts()
        flushed, (worst, spread) = int(self.judged.flushed.sum()), self._errors()
        tally = Tally(len(self.codes), unjudged, flushed, failed, worst=worst, spread=spread)
        return tally + tally_of_failures(by_reason(self.codes, self.failing(), self.batch), self._failure)

    def worst_failures(self, count: int) -> list[Example]:
        """Return the ``count`` failing calls with the largest errors, each with the worst of its wrong results."""
        failing = self.failing()
        sizes = np.where(self.codes[failing] != 0, self._sizes()[failing], -1.0)
        order = np.argsort(-sizes.max(axis=-1, initial=-1.0), kind="stable")[:count]
        return [self._example(int(failing[k]), int(np.argmax(sizes[k]))) for k in order]

    def _failure(self, call: int, text: str) -> Example:
        """Return the first wrong result of a call; if a whole vector is wrong, the first component that differs."""
        wrong = [self._example(call, int(output)) for output in np.flatnonzero(self.codes[call])]
        return replace(next(filter(_differs, wrong), wrong[0]), reason=text)

    def _by_column(self, of_result: Callable[[int], Truth]) -> Truth:
        """Return ``of_result(k)`` for every result k, with one column per result or vector component."""
        results = self.batch.results
        return side_by_side([np.broadcast_to(of_result(k), r.shape) for k, r in enumerate(results)])

    def _errors(self) -> tuple[Example | None, Spread]:
        """Return the first call with the largest |error| that counts, and the spread of the results that count."""
        batch, waived = self.batch, self.judged.flushed | self.judged.unsigned
        counted = self._by_column(lambda k: are_counted(batch, k)) & ~waived[:, np.newaxis]
        sizes = np.where(counted, self._sizes(), -1.0)
        worst = None
        if sizes.size and sizes.max() >= 0:
            call, output = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
            worst = self._example(int(call), int(output))
        pairs = zip(batch.results, batch.due, strict=True)
        apart = side_by_side([steps(result, due, batch.form) for result, due in pairs])
        apart = np.where(counted & ~self._whole_and_right(), apart, np.uint64(0)).max(axis=-1)
        found = Deviations(batch.item, batch.values, apart, np.asarray(counted.any(axis=-1)))
        return worst, found.spread(found.wrong, np.maximum(sizes.max(axis=-1), 0.0)[found.wrong])

    def _sizes(self) -> Real:
        """Return |errors| in ulp, with one column per result; ints that conform have errors of 0."""
        sizes = side_by_side([np.abs(self.batch.errors(k)) for k in range(len(self.batch.results))])
        return np.where(self._whole_and_right(), 0.0, sizes)

    def _whole_and_right(self) -> Truth:
        """Return which results are ints that conform."""
        return np.asarray(self._by_column(lambda k: np.array(not self.batch.is_real(k))) & (self.codes == 0))

    def _example(self, call: int, output: int) -> Example:
        """Return one input as reports show it."""
        form, results = self.batch.form, self.batch.results
        columns = [(k, j) for k, r in enumerate(results) for j in range(r.shape[1] if r.ndim > 1 else 1)]
        k, column = columns[output]
        one, at = self.batch.elements(slice(call, call + 1)), (0, column)[: results[k].ndim]
        exact, code = one.exact[k], int(self.codes[call, output])
        head = exact.elements(at) if isinstance(exact, Enclosure) else None
        return Example(
            int(self.places[call]),
            tuple(_stored(v[call], form) for v in self.batch.values),
            output,
            _stored(one.results[k][at], form),
            _stored(one.due[k][at], form),
            None if head is None else (float(head.hi), float(head.lo), int(head.exponent)),
            0.0 if head is None and not code else float(one.errors(k)[at]),  # ints have an error only if they are wrong
            reason(code, self.batch, output) if code else "",
        )


def by_reason(codes: NDArray[np.int16], failing: NDArray[np.intp], call: Call) -> dict[str, NDArray[np.intp]]:
    """Return the calls ``failing``, grouped by the reason of their first wrong result; ``codes`` has all calls."""
    columns = codes.shape[-1]
    outputs = np.argmax(codes[failing] != 0, axis=-1) if columns > 1 else 0
    pairs = codes[failing, outputs].astype(np.intp) * columns + outputs
    found: dict[str, NDArray[np.intp]] = {}
    for pair in np.flatnonzero(np.bincount(pairs)).tolist():
        text, elements = reason(pair // columns, call, pair % columns), failing[pairs == pair]
        found[text] = np.sort(np.concatenate([found[text], elements])) if text in found else elements
    return found


def _differs(example: Example) -> bool:
    """Whether a result has other bits than the expected one; any NaN equals any NaN."""
    both_nan = example.exact is not None and np.isnan(example.exact[0]) and example.error == 0.0
    return example.got != example.expected and not both_nan


def _stored(value: np.ndarray, form: Format) -> int:
    """Return the encoding of a number of the format, or an int itself."""
    return int(form.bits(value) if value.dtype == form.dtype else value)


NO_NUMBER = "the error is measured and not judged: the specification gives no number"


def conclude(item: Item, criteria: Criteria, tally: Tally, notes: tuple[str, ...] = ()) -> Verdict:
    """Return the verdict on a row from the tally of all its inputs; it passes only if some of them were judged."""
    limit = criteria.limit(item)
    notes = _remarks(tally, has_number=not _has_no_number(limit)) + notes
    status = _status(tally.tried, tally.unjudged, tally.failed)
    why = _why(status, tally, _nothing_asked(limit))
    common = (item, criteria.tables, limit.text, limit.source, status, tally, why, notes)
    return Verdict(*common, is_unspecified=status == "not judged", others=elsewhere(item, criteria, tally))


def of_the_whole(verdicts: Sequence[Verdict], plans: Sequence[Plan]) -> Verdict:
    """Return the verdict on a row from the verdicts on its parts, each of which was audited by its own plan."""
    first, tally = verdicts[0], sum((verdict.tally for verdict in verdicts), Tally())
    has_number = NO_NUMBER not in first.notes
    notes = _remarks(tally, has_number=has_number)
    for verdict, plan in zip(verdicts, plans, strict=True):
        of_the_part = (*_remarks(verdict.tally, has_number=has_number), of_part(plan))
        notes += tuple(note for note in verdict.notes if note not in (*of_the_part, *notes))
    status = _status(tally.tried, tally.unjudged, tally.failed)
    counts = {edition: (unjudged, failed) for edition, unjudged, failed in tally.others}
    others = tuple(o._replace(status=_status(tally.tried, *counts[o.edition])) for o in first.others)
    why = _why(status, tally, first.reason)  # the first part's reason: the whole is not judged only if no part is
    is_unspecified = status == "not judged"
    return replace(
        first, status=status, tally=tally, reason=why, notes=notes, is_unspecified=is_unspecified, others=others
    )


def of_part(plan: Plan) -> str:
    """Return the note on a row of which only a part was audited."""
    what = "all floats" if plan.exhaustive else f"{plan.count} random inputs"
    return f"part {plan.part[0]} of {plan.part[1]} of {what}"


def _why(status: Status, tally: Tally, unspecified_because: str) -> str:
    """Return the reason for a verdict; for 'fail', it is the most frequent reason of failures."""
    if status == "not judged":
        return unspecified_because
    return max(tally.reasons, key=lambda r: r[1], default=("", 0))[0] if status == "fail" else ""


def _status(tried: int, unjudged: int, failed: int) -> Status:
    """Return the status that follows from the counts of a row."""
    if failed:
        return "fail"
    return "not judged" if tried and unjudged == tried else "pass"


def elsewhere(item: Item, criteria: Criteria, tally: Tally) -> tuple[Elsewhere, ...]:
    """Return the verdicts on a row by the editions that have other rules for it."""
    found = []
    all_criteria = {other.edition: other for other in criteria.others(item)}
    for edition, unjudged, failed in tally.others:
        limit = all_criteria[edition].limit(item)
        status = _status(tally.tried, unjudged, failed)
        found.append(Elsewhere(edition, status, limit.text, limit.source, criteria.alike(item, edition)))
    return tuple(found)


def trouble(item: Item, criteria: Criteria, tally: Tally, reason: str, notes: tuple[str, ...] = ()) -> Verdict:
    """Return the verdict on a row that could not be judged to its end; ``reason`` describes the target's failure."""
    limit = criteria.limit(item)
    return Verdict(item, criteria.tables, limit.text, limit.source, "not judged", tally, reason, notes)


def _nothing_asked(limit: Limit) -> str:
    """Return the reason why no result of a row was judged."""
    if limit.gives_no_number:
        return f"{limit.text}: the specification gives no number; the error is measured"
    return "the specification leaves the results of all these inputs open; the error is measured"


def _has_no_number(limit: Limit) -> bool:
    """Whether the specification gives no number for any arguments."""
    return all(isinstance(rule, Unlimited) for rule, _ in limit.clauses)


def _remarks(tally: Tally, *, has_number: bool) -> tuple[str, ...]:
    """Return notes on a row for the reader of a report."""
    notes = [] if has_number else [NO_NUMBER]
    if tally.flushed:
        notes.append(f"{tally.flushed} results are allowed only because subnormals may be flushed to zero (4.5.3)")
    if tally.unjudged:
        notes.append(f"{tally.unjudged} results are not specified")
    return tuple(notes)
