"""Compare results with their exact values, as an audit does: find the wrong ones, and the worst of these."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.counting.tally import off_text, ulps_text
from clmath.audit.plan.item import Item
from clmath.call import by_reference
from clmath.call.measured import Measured, MisfitError, as_results
from clmath.numbers.datatypes import WIDTHS
from clmath.testing.failures import SHOWN, Assertion, Failure, UnfitError, message, share
from clmath.testing.limited import refuse_unasked
from clmath.testing.steps import differ, farthest, sizes, steps

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.counting.tally import Example, Tally
    from clmath.audit.law.law import Law
    from clmath.numbers.rounding import Rounding
    from clmath.testing.limited import Limited

__all__ = ["Trial"]

Arrays: TypeAlias = "tuple[np.ndarray, ...]"

FEW = 64  # calls that the reference criteria judge at once; for few, this is faster than the code for many


@dataclass(frozen=True)
class Trial:
    """A measured call as a case of an audit, and the places of its failures."""

    measured: Measured
    item: Item
    vector: bool = False

    @classmethod
    def of(cls, asked_by: str, name: str, args: object, actual: object, *, vector: bool = False) -> Trial:
        """Return the trial of ``actual``; UnfitError if it has not the shape and dtype of a result.

        ``vector``: the last axis is a vector on which an elementwise built-in was called.
        """
        __tracebackhide__ = True
        try:
            measured = Measured.of(asked_by, name, args, actual)
        except MisfitError as error:
            raise UnfitError(str(error)) from None
        lanes = measured.shape[-1:] if vector and not measured.width else ()
        if lanes and lanes[0] not in WIDTHS:
            known = ", ".join(map(str, WIDTHS))
            raise errors.ShapeError(
                f"{asked_by}: vector=True: the last axis has {lanes[0]} components; vectors have {known}"
            )
        return cls(measured, Item(measured.call.builtin, measured.call.form, measured.width), bool(lanes))

    @property
    def results(self) -> Arrays:
        """Return one array for each result, with one row per call."""
        return self.measured.results

    def conforms(self, law: Law) -> bool:
        """Whether all results are allowed, for few calls, by the audit's reference criteria and without counting."""
        from clmath.audit.acceptance.batch import Batch
        from clmath.audit.acceptance.on_host import accepted
        from clmath.audit.law.law import requirement

        batch = Batch.of(self.item, self.measured.columns, self.results, law)
        return all(one.surely.all() for one in accepted(batch, requirement(self.item, law, flushing=False)))

    def tally(self, law: Law) -> Tally:
        """Return the counts of an audit."""
        from clmath.audit.judge.piece import judge

        return judge(self.item, self.measured.columns, self.results, law)

    def worst_rows(self, law: Law, count: int) -> list[int]:
        """Return at most ``count`` calls with the largest failures."""
        return [example.index for example in self._worst(law, count)]

    def call_of(self, row: int) -> int:
        """Return the number on the first axis of the call of a row of ``columns``."""
        return self._index(row)[0]

    def is_right(self, call: str, law: Limited) -> bool:
        """Whether results conform; NothingAskedError if no result could fail."""
        refuse_unasked(call, self.item, self.measured.columns, self.results, law)
        return self.conforms(law) if self._is_few() else not self.tally(law).failed

    def _is_few(self) -> bool:
        return len(self.measured.columns[0]) <= FEW

    def judge(self, call: str, law: Limited, asked: Assertion) -> None:
        """Raise AssertionError if results do not conform, NothingAskedError if no result could fail."""
        __tracebackhide__ = True
        refuse_unasked(call, self.item, self.measured.columns, self.results, law)
        if self._is_few() and self.conforms(law):
            return
        tally = self.tally(law)
        if tally.failed:
            failures = [self._of_example(e) for e in self._worst(law, SHOWN)]
            summary = f"{share(tally.failed, tally.tried, 'inputs', 'fail')}: {_reasons(tally)}"
            asked = replace(asked, limit=str(law.limit(self.item)))
            raise AssertionError(message(asked, failures, summary, tally.tried))

    def _worst(self, law: Law, count: int) -> tuple[Example, ...]:
        from clmath.audit.judge.piece import worst_failures

        return worst_failures(self.item, self.measured.columns, self.results, law, count)

    def round(self, mode: Rounding, asked: Assertion) -> None:
        """Raise AssertionError if results are not correctly rounded."""
        __tracebackhide__ = True
        failures, count = self.misrounded(mode, SHOWN)
        if failures:
            total = sum(r.size for r in self.results)
            raise AssertionError(
                message(asked, failures, f"{share(count, total, 'results')} not correctly rounded", total)
            )

    def misrounded(self, mode: Rounding, most: int) -> tuple[list[Failure], int]:
        """Return the ``most`` worst results that are not correctly rounded, and how many there are."""
        wanted = self._rounded(mode)
        pairs = list(zip(self.results, wanted, strict=True))
        wrong = [differ(got, want) for got, want in pairs]
        places = _largest([sizes(got, want) for got, want in pairs], wrong, most)
        failures = [self._failure(k, p, wanted, steps(self.results[k][p], wanted[k][p]), mode) for k, p in places]
        return failures, sum(int(w.sum()) for w in wrong)

    @np.errstate(all="ignore")
    def within(self, limit: float, asked: Assertion) -> None:
        """Raise AssertionError if errors are larger than ``limit`` ulp."""
        __tracebackhide__ = True
        off = self.measured.flat_errors()
        wrong = [~(np.abs(e) <= limit) for e in off]
        if any(w.any() for w in wrong):
            wanted, reason = self._rounded("rte"), f"more than {limit} ulp"
            failures = [
                self._failure(k, p, wanted, ulps_text(float(off[k][p]), beyond=True), reason)
                for k, p in _largest([np.abs(e) for e in off], wrong, SHOWN)
            ]
            raise AssertionError(
                message(asked, failures, f"{_share(wrong)} off by more than {limit} ulp", _total(wrong))
            )

    def _rounded(self, mode: Rounding) -> Arrays:
        call = self.measured.call
        args = tuple(a[..., 0] for a in call.args) if call.bare else call.args
        return self.measured.flat(as_results(call.label, by_reference(call.builtin.name, args, mode)))

    def _failure(self, number: int, place: tuple[int, ...], wanted: Arrays, off: str, reason: str) -> Failure:
        got, want = self.results[number][place], wanted[number][place]
        return self._failing(place[0], _output(self.item, number, place[1:]), got, want, off, reason)

    def _of_example(self, example: Example) -> Failure:
        """Return the failure of an example of the judge."""
        form = self.item.form
        kind = self.item.results[example.output]
        got, want = (np.int32(v) if kind == "intn" else form.from_bits(v)[()] for v in (example.got, example.expected))
        output = _outputs(self.item)[example.output]
        off = off_text(example, form)
        return self._failing(example.index, output, got, want, off, example.reason)

    def _failing(self, row: int, output: str, *facts: Any) -> Failure:
        """Return the failure of one call; its arguments are vectors if the call is one component of a vector."""
        index = self._index(row)
        if self.vector:
            index, output = index[:-1], f"{output}[{index[-1]}]"
        return Failure(index, self._arguments(index), output, *facts)

    def _index(self, row: int) -> tuple[int, ...]:
        return tuple(int(i) for i in np.unravel_index(row, self.measured.shape)) if self.measured.shape else ()

    def _arguments(self, index: tuple[int, ...]) -> tuple[Any, ...]:
        call = self.measured.call
        return tuple(np.broadcast_to(a, call.shape)[index] for a in call.args)


def _largest(
    distances: Sequence[NDArray[np.float64]], wrong: Sequence[NDArray[np.bool_]], most: int
) -> list[tuple[int, tuple[int, ...]]]:
    """Return the result's number and the place of the ``most`` worst wrong results."""
    places = [
        (-float(d[p]), k, p)
        for k, (d, w) in enumerate(zip(distances, wrong, strict=True))
        for p in farthest(d, w, most)
    ]
    return [(k, p) for _, k, p in sorted(places)[:most]]


def _share(wrong: Sequence[NDArray[np.bool_]]) -> str:
    return share(sum(int(w.sum()) for w in wrong), _total(wrong), "results")


def _total(wrong: Sequence[NDArray[np.bool_]]) -> int:
    return sum(w.size for w in wrong)


def _outputs(item: Item) -> list[str]:
    """Return the labels that distinguish the result columns of a built-in."""
    outputs = item.builtin.outputs
    return [
        _output(item, number, (lane,) if item.width and p.type == "gentype" else ())
        for number, p in enumerate(outputs)
        for lane in range(item.width if item.width and p.type == "gentype" else 1)
    ]


def _output(item: Item, number: int, lane: tuple[int, ...]) -> str:
    outputs = item.builtin.outputs
    name = f".{outputs[number].name}" if len(outputs) > 1 else ""
    return name + "".join(f"[{k}]" for k in lane)


def _reasons(tally: Tally) -> str:
    return "; ".join(f"{count} x {reason}" for reason, count in tally.reasons)
