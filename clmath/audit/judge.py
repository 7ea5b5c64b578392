"""Judges one piece of a row: what conforms, what flushing to zero excuses, and the tally of the rest."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.batch import Batch, Law, openings, side_by_side
from clmath.audit.conformity import codes_of, reason
from clmath.audit.flushing import excused
from clmath.audit.tally import KEPT, Example, Tally
from clmath.rounding import Enclosure
from clmath.spec.limits import Unlimited

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.inputs import Columns
    from clmath.audit.plan import Item, Plan
    from clmath.audit.subject import Subject
    from clmath.formats import Format

__all__ = ["Law", "judge", "law_of", "remarks"]

Bools: TypeAlias = "NDArray[np.bool_]"


def law_of(item: Item, plan: Plan, subject: Subject) -> Law:
    """The law for one row of one subject."""
    flushes = subject.flushes(item.form) or item.builtin.name in openings()["may_flush"]
    return Law(plan.profile, subject.mode(item.form), flushes, plan.oracle, plan.exact_divide)


def judge(item: Item, values: Columns, results: tuple[NDArray[Any], ...], law: Law, first: int = 0) -> Tally:
    """The tally of one piece of a row: inputs ``values`` (columns) and the subject's ``results``, checked before.

    ``first`` is the place of the piece's first input in the row.
    """
    batch = Batch.of(item, values, results, law)
    codes = side_by_side(codes_of(batch))
    failing = codes.any(axis=-1)
    flushed = np.zeros(failing.shape, np.bool_)
    if law.flushes and failing.any():
        flushed[failing] = excused(batch.for_flushing(failing))
    return _Findings(batch, codes, flushed, first).tally()


def remarks(item: Item, law: Law, tally: Tally) -> tuple[str, ...]:
    """Notes on a row for the reader of a report."""
    rules = [rule for rule, _ in law.limit(item).clauses]
    notes = []
    if all(isinstance(rule, Unlimited) for rule in rules):
        notes.append("the error is measured and not judged: the specification gives no number")
    if tally.flushed:
        notes.append(f"{tally.flushed} results are allowed only because subnormals may be flushed to zero (4.5.3)")
    if tally.unjudged:
        notes.append(f"{tally.unjudged} results are left open by the specification")
    return tuple(notes)


@dataclass(frozen=True)
class _Findings:
    """What was found: reasons by (calls, result columns), and which calls are excused."""

    batch: Batch
    codes: NDArray[np.int16]
    flushed: Bools
    first: int

    def tally(self) -> Tally:
        """Count, and keep the worst input and the first failures of each reason."""
        reasons = self._reasons()
        free = self._free()
        tally = Tally(
            tried=len(reasons),
            unjudged=int(free.all(axis=-1).sum()),
            flushed=int(self.flushed.sum()),
            failed=int((reasons != "").sum()),
            worst=self._worst(free),
        )
        for text in sorted(set(reasons) - {""}):
            lanes = np.flatnonzero(reasons == text)
            kept = tuple(self._example(int(i), self._output(int(i)), text) for i in lanes[:KEPT])
            tally += Tally(reasons=((text, len(lanes)),), failures=kept)
        return tally

    def _reasons(self) -> NDArray[Any]:
        """The reason of every call that fails, an empty text for the others: that of its first wrong result."""
        reasons = np.full(len(self.codes), "", object)
        for lane in np.flatnonzero(self.codes.any(axis=-1) & ~self.flushed):
            output = self._output(int(lane))
            reasons[lane] = reason(int(self.codes[lane, output]), self.batch, output)
        return reasons

    def _output(self, lane: int) -> int:
        """The first result column that is wrong."""
        return int(np.argmax(self.codes[lane] != 0))

    def _free(self) -> Bools:
        results = self.batch.results
        return side_by_side([np.broadcast_to(self.batch.free(k), r.shape) for k, r in enumerate(results)])

    def _worst(self, free: Bools) -> Example | None:
        """The first of the largest errors among what is judged; ints count only where they are wrong."""
        pairs = list(zip(self.batch.truth, self.batch.results, strict=True))
        sizes = side_by_side([np.abs(truth.errors(result)) for truth, result in pairs])
        whole = side_by_side([np.full(r.shape, not self.batch.is_real(k)) for k, (_, r) in enumerate(pairs)])
        sizes = np.where(whole & (self.codes == 0), 0.0, sizes)
        sizes = np.where(free | self.flushed[:, np.newaxis], -1.0, sizes)
        if not sizes.size or sizes.max() < 0:
            return None
        lane, output = np.unravel_index(int(np.argmax(sizes)), sizes.shape)
        return self._example(int(lane), int(output), "")

    def _example(self, lane: int, output: int, text: str) -> Example:
        """One input with everything there is to say about it."""
        form = self.batch.form
        k, place = self._place(lane, output)
        result, truth = self.batch.results[k], self.batch.truth[k]
        exact = truth.exact.lanes(place) if isinstance(truth.exact, Enclosure) else None
        return Example(
            self.first + lane,
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


def _stored(value: Any, form: Format) -> int:
    """The encoding of a number of the format, or an int itself."""
    return int(form.bits(value) if value.dtype == form.dtype else value)
