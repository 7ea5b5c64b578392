"""Judges calls by exact values: reasons of failures, calls that pass as flushed, and the examples of reports."""

from __future__ import annotations

import itertools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.audit.acceptance.batch import side_by_side
from clmath.audit.acceptance.criteria import requirement
from clmath.audit.acceptance.on_host import Accepted, accepted, are_counted
from clmath.audit.acceptance.reasons import numbers_of_reasons, reason
from clmath.audit.counting.spread import Deviations, steps
from clmath.audit.counting.tally import Example, Otherwise, Tally, tally_of_failures
from clmath.numbers.rounding import Enclosure
from clmath.spec.notation import number

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.batch import Batch, Call
    from clmath.audit.acceptance.criteria import Requirement
    from clmath.audit.counting.spread import Spread
    from clmath.audit.inputs.layout import Columns
    from clmath.audit.plan.item import Item
    from clmath.ir.values import Real, Truth
    from clmath.numbers.formats import Format

__all__ = ["Findings", "Judged", "are_acceptable", "by_reason", "judged"]


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
