"""Judges one piece of a row: what conforms, what flushing to zero excuses, and the tally of the rest."""

from __future__ import annotations

import functools
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit import compiled
from clmath.audit.batch import Batch, Call, side_by_side
from clmath.audit.conformity import codes_of, reason
from clmath.audit.deviation import Deviations, steps
from clmath.audit.exact import judge as exact_judge
from clmath.audit.exact import law as exact_law
from clmath.audit.exact.rows import ExactItem
from clmath.audit.flushing import excused
from clmath.audit.law import Law
from clmath.audit.prescribed import judged_by_edges
from clmath.audit.screen import Screened, is_screened, screened, spread_of
from clmath.audit.subject import has_infinities, mode_in
from clmath.audit.tally import KEPT, Elsewhere, Example, Otherwise, Tally, Verdict
from clmath.audit.vectors import with_vectors
from clmath.ladder import Bounds, has_kernel
from clmath.numbers import guard
from clmath.numbers.rounding import Enclosure
from clmath.spec.edges import edges
from clmath.spec.limits import Unlimited

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.inputs import Columns
    from clmath.audit.plan import Item, Plan
    from clmath.audit.spread import Spread, Stretches
    from clmath.audit.subject import Subject
    from clmath.audit.tally import Status
    from clmath.numbers.formats import Format
    from clmath.spec.limits import Limit

__all__ = ["conclude", "elsewhere", "judge", "law_of", "of_part", "of_the_whole", "trouble", "worst_failures"]

Bools: TypeAlias = "NDArray[np.bool_]"

NO_NUMBER = "the error is measured and not judged: the specification gives no number"
AT_ONCE = 1 << 15  # calls the reference is asked about together: memory stays bounded where many are in doubt


@functools.singledispatch
def law_of(item: Item, plan: Plan, subject: Subject) -> Law:
    """The law for one row of one subject."""
    form = item.form
    mode = mode_in(subject, item.builtin, form)
    declared = (mode, subject.flushes(form), plan.oracle, subject.build_options(), plan.edition)
    return Law(plan.profile, *declared, infinities=has_infinities(subject, form))


@functools.singledispatch
def judge(  # noqa: PLR0917 - the facts of one piece, in the order they come about
    item: Item,
    values: Columns,
    results: tuple[NDArray[Any], ...],
    law: Law,
    places: int | NDArray[Any] = 0,
    floor: float = 0.0,
    known: Stretches = (),
) -> Tally:
    """The tally of one piece of a row: inputs ``values`` (columns) and the subject's ``results``, checked before.

    ``places``: where the inputs stand in the row, ascending; or where the first does, the others following it.
    Of vectors the first one's is asked for, and the examples name the others of their vector. ``floor``: an error in
    ulp that the row has elsewhere; smaller ones are not looked for. ``known``: such errors by argument and stretch.
    What enclosures cannot decide, and whatever is shown, the reference tells, but for zeros of a function, which
    kernels find: the row's tally is the same without them.
    The counts by other editions of the specification are those of the same inputs.
    """
    guard.refuse_altered_arithmetic("clmath audit")  # a driver's library may have set the flags of this thread
    standing = places + np.arange(len(values[0])) if isinstance(places, int) else places
    found = _tally(Call.on(item, values, results, law), standing, floor, known)
    return found if item.vector == 1 else with_vectors(item, found, values, int(standing[0]))


def _tally(call: Call, standing: NDArray[Any], floor: float, known: Stretches) -> Tally:
    """The tally of calls that stand in the row at ``standing``."""
    if not is_screened(call.item, call.law):
        return _judged(call, standing)
    if not compiled.serves(call):
        return _decided(call, standing, floor, known)
    counted, rest = compiled.screened(call, floor, known)
    return counted + _decided(call.lanes(rest), standing[rest], floor, known)


def _decided(call: Call, standing: NDArray[Any], floor: float, known: Stretches) -> Tally:
    """The tally of calls most of which enclosures decide."""
    item, law = call.item, call.law
    found = _screened(call, floor)
    others = {other.edition: _screened(call.under(other), np.inf) for other in law.others(item)}
    doubtful = functools.reduce(np.union1d, [other.in_doubt for other in others.values()], found.in_doubt)
    counts = tuple(Otherwise(edition, _left_open(other, doubtful), 0) for edition, other in others.items())
    tally = Tally(tried=len(standing) - len(doubtful), unjudged=_left_open(found, doubtful), others=counts)
    tally += _judged(call, standing, doubtful, _zeros(call, found))
    leaders = found.leaders(max(abs(tally.worst.error) if tally.worst else 0.0, floor))
    tally += Tally(worst=_judged(call, standing, leaders).worst)
    return tally + Tally(spread=spread_of(call, found.exact, doubtful, known))


def _screened(call: Call, floor: float) -> Screened:
    """What enclosures say. The floor takes exact values for right, as the edges of the default edition have them."""
    as_exact = call.law.edges(call.item) == edges(call.name)
    return screened(call, floor if as_exact else 0.0)


def _left_open(found: Screened, doubtful: NDArray[np.intp]) -> int:
    """How many of the calls that are not ``doubtful`` have results that the specification leaves open."""
    return int((found.unjudged & ~np.isin(found.lanes, doubtful)).sum())


def worst_failures(
    item: Item, values: Columns, results: tuple[NDArray[Any], ...], law: Law, count: int
) -> tuple[Example, ...]:
    """The ``count`` inputs that fail by most ulps, the worst first; each with its worst result and its reason."""
    call = Call.on(item, values, results, law)
    standing = np.arange(len(values[0]))
    chosen = _screened(call, 0.0).in_doubt if is_screened(item, law) else standing
    kept: list[Example] = []
    for found in _findings(call, standing, chosen):
        kept = sorted([*kept, *found.worst_failures(count)], key=lambda e: (-abs(e.error), e.place))[:count]
    return tuple(kept)


def _zeros(call: Call, found: Screened) -> NDArray[np.float64] | None:
    """The zeros of the function that kernels have found, NaN for all else: half of a device's may have the wrong sign.

    None where there are several results, or where the sign of a zero depends on the mode.
    """
    if len(found.exact) > 1 or call.law.mode == "rtn" or not has_kernel(call.name, call.form):
        return None
    (exact,) = found.exact
    if not isinstance(exact, Bounds):
        return None
    hi, lo, err, _ = exact.value
    return np.where((hi == 0.0) & (lo == 0.0) & (err == 0.0), hi, np.nan)


def _judged(
    call: Call, places: NDArray[Any], chosen: NDArray[np.intp] | None = None, zeros: NDArray[np.float64] | None = None
) -> Tally:
    """The tally of the calls ``chosen`` (default: all) by the reference, but for ``zeros`` that are known."""
    lanes = np.arange(len(places)) if chosen is None else chosen
    found = _findings(call, places, lanes, zeros)
    return sum((one.tally() + Tally(others=one.otherwise()) for one in found), Tally())


def _findings(
    call: Call, places: NDArray[Any], lanes: NDArray[np.intp], zeros: NDArray[np.float64] | None = None
) -> Iterator[_Findings]:
    """What the reference finds of the calls ``lanes``, a part at a time; ``zeros`` are known."""
    for part in (lanes[i : i + AT_ONCE] for i in range(0, len(lanes), AT_ONCE)):
        chosen, known = call.lanes(part), None if zeros is None else zeros[part]
        yield _found(Batch.of(chosen.item, chosen.values, chosen.results, chosen.law, known), places[part])


def _found(batch: Batch, places: NDArray[Any]) -> _Findings:
    """What is found of calls whose truth is known."""
    codes = side_by_side(codes_of(batch))
    failing = codes.any(axis=-1)
    flushed, unsigned = np.zeros(failing.shape, np.bool_), np.zeros(failing.shape, np.bool_)
    flushes = batch.law.may_flush(batch.item)
    if flushes and failing.any():
        flushed[failing] = excused(batch.picked(failing, flushing=True))
    failing &= ~flushed
    if batch.law.waives("signs of zero", batch.item) and failing.any():
        unsigned[failing] = excused(batch.picked(failing, flushing=flushes), any_zero=True)
    return _Findings(batch, codes, flushed, unsigned, places)


def conclude(item: Item, law: Law, tally: Tally, notes: tuple[str, ...] = ()) -> Verdict:
    """The verdict on a row from the tally of all its inputs: it passes only if something of it was judged."""
    limit = law.limit(item)
    notes = _remarks(tally, has_number=not _has_no_number(limit)) + notes
    status = _status(tally.tried, tally.unjudged, tally.failed)
    why = _why(status, tally, _nothing_asked(limit))
    common = (item, law.tables, limit.text, limit.source, status, tally, why, notes)
    return Verdict(*common, left_open=status == "not judged", others=elsewhere(item, law, tally))


def of_the_whole(verdicts: Sequence[Verdict], plans: Sequence[Plan]) -> Verdict:
    """The verdict on a row all of whose inputs were judged in parts, each by its plan."""
    first, tally = verdicts[0], sum((verdict.tally for verdict in verdicts), Tally())
    has_number = NO_NUMBER not in first.notes
    notes = _remarks(tally, has_number=has_number)
    for verdict, plan in zip(verdicts, plans, strict=True):
        of_the_part = (*_remarks(verdict.tally, has_number=has_number), of_part(plan))
        notes += tuple(note for note in verdict.notes if note not in (*of_the_part, *notes))
    status = _status(tally.tried, tally.unjudged, tally.failed)
    counts = {edition: (unjudged, failed) for edition, unjudged, failed in tally.others}
    others = tuple(o._replace(status=_status(tally.tried, *counts[o.edition])) for o in first.others)
    why = _why(status, tally, first.reason)  # none of the whole is judged where none of any part is
    left_open = status == "not judged"
    return replace(first, status=status, tally=tally, reason=why, notes=notes, left_open=left_open, others=others)


def of_part(plan: Plan) -> str:
    """The note on a row of which the audit is only a part."""
    return f"part {plan.part[0]} of {plan.part[1]} of all floats"


def _why(status: Status, tally: Tally, open_because: str) -> str:
    """The reason for a verdict: the most frequent one of failures."""
    if status == "not judged":
        return open_because
    return max(tally.reasons, key=lambda r: r[1], default=("", 0))[0] if status == "fail" else ""


def _status(tried: int, unjudged: int, failed: int) -> Status:
    """What follows from the counts of a row."""
    if failed:
        return "fail"
    return "not judged" if tried and unjudged == tried else "pass"


def elsewhere(item: Item, law: Law, tally: Tally) -> tuple[Elsewhere, ...]:
    """The verdicts on a row by the editions that ask something else of it."""
    found = []
    laws = {other.edition: other for other in law.others(item)}
    for edition, unjudged, failed in tally.others:
        limit = laws[edition].limit(item)
        found.append(Elsewhere(edition, _status(tally.tried, unjudged, failed), limit.text, limit.source))
    return tuple(found)


def trouble(item: Item, law: Law, tally: Tally, reason: str, notes: tuple[str, ...] = ()) -> Verdict:
    """The verdict on a row that could not be judged to its end; ``reason`` says what was wrong with the subject."""
    limit = law.limit(item)
    return Verdict(item, law.tables, limit.text, limit.source, "not judged", tally, reason, notes)


def _nothing_asked(limit: Limit) -> str:
    """Why no result of a row was judged."""
    if limit.gives_no_number:
        return f"{limit.text}: the specification gives no number; the error is measured"
    return "the specification leaves the results of all these inputs open; the error is measured"


def _has_no_number(limit: Limit) -> bool:
    """Whether the specification gives no number, whatever the arguments."""
    return all(isinstance(rule, Unlimited) for rule, _ in limit.clauses)


def _remarks(tally: Tally, *, has_number: bool) -> tuple[str, ...]:
    """Notes on a row for the reader of a report."""
    notes = [] if has_number else [NO_NUMBER]
    if tally.flushed:
        notes.append(f"{tally.flushed} results are allowed only because subnormals may be flushed to zero (4.5.3)")
    if tally.unjudged:
        notes.append(f"{tally.unjudged} results are left open by the specification")
    return tuple(notes)


@dataclass(frozen=True)
class _Findings:
    """What was found: reasons by (calls, result columns), which calls are excused, and where they stand in the row.

    ``flushed``: calls that may flush subnormals (4.5.3), ``unsigned``: those right for zeros of another sign.
    """

    batch: Batch
    codes: NDArray[np.int16]
    flushed: Bools
    unsigned: Bools
    places: NDArray[Any]

    @property
    def excused(self) -> Bools:
        """The calls whose results are right for other arguments."""
        return np.asarray(self.flushed | self.unsigned)

    def _failing(self) -> NDArray[np.intp]:
        """The calls that fail."""
        return np.flatnonzero(self.codes.any(axis=-1) & ~self.excused)

    def otherwise(self) -> tuple[Otherwise, ...]:
        """The counts of the same calls by the editions that ask something else of them."""
        others = self.batch.law.others(self.batch.item)
        return tuple(_found(self.batch.under(other), self.places).counts() for other in others)

    def counts(self) -> Otherwise:
        """How many calls are left open, and how many fail."""
        unjudged = int(self._free().all(axis=-1).sum())
        return Otherwise(self.batch.law.edition, unjudged, len(self._failing()))

    def tally(self) -> Tally:
        """Count, and keep the worst input and the first failures of each reason."""
        failing = self._failing()
        tally = Tally(
            tried=len(self.codes),
            unjudged=int(self._free().all(axis=-1).sum()),
            flushed=int(self.flushed.sum()),
            failed=len(failing),
            worst=self._worst(),
            spread=self._spread(),
        )
        for text, lanes in self._by_reason(failing).items():
            kept = tuple(self._failure(int(i), text) for i in lanes[:KEPT])
            tally += Tally(reasons=((text, len(lanes)),), failures=kept)
        return tally

    def worst_failures(self, count: int) -> list[Example]:
        """The ``count`` calls that fail by most ulps, each with the worst of its wrong results."""
        failing = self._failing()
        sizes = np.where(self.codes[failing] != 0, self._sizes()[failing], -1.0)
        order = np.argsort(-sizes.max(axis=-1, initial=-1.0), kind="stable")[:count]
        return [self._failing_result(int(failing[k]), int(np.argmax(sizes[k]))) for k in order]

    def _failing_result(self, lane: int, output: int) -> Example:
        return self._example(lane, output, reason(int(self.codes[lane, output]), self.batch, output))

    def _by_reason(self, failing: NDArray[np.intp]) -> dict[str, NDArray[np.intp]]:
        """The calls that fail by the reason: that of their first wrong result."""
        outputs = np.argmax(self.codes[failing] != 0, axis=-1)
        pairs = np.stack([self.codes[failing, outputs], outputs.astype(np.int16)], axis=-1)
        found: dict[str, NDArray[np.intp]] = {}
        for code, output in np.unique(pairs, axis=0).tolist():
            text = reason(code, self.batch, output)
            lanes = failing[(pairs == (code, output)).all(axis=-1)]
            found[text] = np.sort(np.concatenate([found[text], lanes])) if text in found else lanes
        return found

    def _failure(self, lane: int, text: str) -> Example:
        """The first wrong result of a call; of a vector that is wrong as a whole, the first element that differs."""
        wrong = [self._example(lane, int(output), text) for output in np.flatnonzero(self.codes[lane])]
        return next((example for example in wrong if _differs(example)), wrong[0])

    def _free(self) -> Bools:
        """Where neither a limit nor an edge has a say, or what they say is waived."""
        batch, prescribed = self.batch, judged_by_edges(self.batch)
        return self._by_column(lambda k: batch.waived(k) | (batch.has_no_limit(k) & ~prescribed[k]))

    def _by_column(self, of_result: Callable[[int], Bools]) -> Bools:
        """What ``of_result`` says of every result, against results that may be vectors."""
        results = self.batch.results
        return side_by_side([np.broadcast_to(of_result(k), r.shape) for k, r in enumerate(results)])

    def _worst(self) -> Example | None:
        """The first of the largest errors that count."""
        sizes = np.where(self._counted(), self._sizes(), -1.0)
        if not sizes.size or sizes.max() < 0:
            return None
        lane, output = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
        return self._example(int(lane), int(output), "")

    def _spread(self) -> Spread:
        """How far the results that count are from the correctly rounded ones."""
        pairs = list(zip(self.batch.results, self.batch.truth, strict=True))
        apart = side_by_side([steps(result, truth.rounded, self.batch.form) for result, truth in pairs])
        counted = self._counted()
        apart = np.where(counted & ~self._whole_and_right(), apart, np.uint64(0)).max(axis=-1)
        found = Deviations(self.batch.item, self.batch.values, apart, np.asarray(counted.any(axis=-1)))
        sizes = np.where(counted, self._sizes(), 0.0).max(axis=-1)
        return found.spread(found.wrong, sizes[found.wrong])

    def _counted(self) -> Bools:
        """The results whose errors count, side by side."""
        return np.asarray(self._by_column(self.batch.is_counted) & ~self.excused[:, np.newaxis])

    def _sizes(self) -> NDArray[np.float64]:
        """Errors in ulp without their signs, side by side; ints have one only where they are wrong."""
        pairs = list(zip(self.batch.truth, self.batch.results, strict=True))
        sizes = side_by_side([np.abs(truth.errors(result)) for truth, result in pairs])
        return np.where(self._whole_and_right(), 0.0, sizes)

    def _whole_and_right(self) -> Bools:
        """The ints that conform."""
        return np.asarray(self._by_column(lambda k: np.array(not self.batch.is_real(k))) & (self.codes == 0))

    def _example(self, lane: int, output: int, text: str) -> Example:
        """One input with everything there is to say about it."""
        form = self.batch.form
        k, place = self._place(lane, output)
        result, truth = self.batch.results[k], self.batch.truth[k]
        exact = truth.exact.lanes(place) if isinstance(truth.exact, Enclosure) else None
        return Example(
            int(self.places[lane]),
            tuple(_stored(v[lane], form) for v in self.batch.values),
            output,
            _stored(result[place], form),
            _stored(truth.rounded[place], form),
            None if exact is None else (float(exact.hi), float(exact.lo), int(exact.exponent)),
            float(truth.errors(result)[place]),
            text,
        )

    def _place(self, lane: int, output: int) -> tuple[int, tuple[int, ...]]:
        """Which result a result column belongs to, and where in that array the call ``lane`` has its value."""
        for k, result in enumerate(self.batch.results):
            width = result.shape[1] if result.ndim > 1 else 1
            if output < width:
                return k, (lane, output)[: result.ndim]
            output -= width
        raise IndexError(output)


def _differs(example: Example) -> bool:
    """Whether a result has other bits than the expected one; any NaN equals any NaN."""
    both_nan = example.exact is not None and np.isnan(example.exact[0]) and example.error == 0.0
    return example.got != example.expected and not both_nan


def _stored(value: Any, form: Format) -> int:
    """The encoding of a number of the format, or an int itself."""
    return int(form.bits(value) if value.dtype == form.dtype else value)


law_of.register(ExactItem, exact_law.law_of)
judge.register(ExactItem, exact_judge.judge)
