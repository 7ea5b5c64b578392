"""Judge results by the terms of an assertion: the specification's limits, or correct rounding."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NoReturn, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.acceptance.batch import Batch, accepted
from clmath.audit.acceptance.criteria import requirement
from clmath.audit.counting.spread import same
from clmath.audit.counting.tally import off_text, ulps_text
from clmath.audit.judge.piece import judge, worst_failures
from clmath.audit.plan.item import Item
from clmath.call import by_reference
from clmath.call.measured import Measured, MisfitError, as_results
from clmath.numbers.datatypes import WIDTHS
from clmath.pragmas import contracts
from clmath.spec.builtins import builtin
from clmath.testing import bits
from clmath.testing.failures import Compared, Failure, Found, UnfitError, share, worst
from clmath.testing.terms import refuse_unasked

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.acceptance.criteria import Criteria
    from clmath.audit.counting.tally import Example, Tally
    from clmath.numbers.rounding import Rounding
    from clmath.testing.failures import CallAt, Place
    from clmath.testing.terms import Limited, Terms

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
        components = measured.shape[-1:] if vector and not measured.width else ()
        if components and components[0] not in WIDTHS:
            known = ", ".join(map(str, WIDTHS))
            raise errors.ShapeError(
                f"{asked_by}: vector=True: the last axis has {components[0]} components; vectors have {known}"
            )
        return cls(measured, Item(measured.call.builtin, measured.call.form, measured.width), bool(components))

    @property
    def results(self) -> Arrays:
        """Return one array for each result, with one row per call."""
        return self.measured.results

    def conforms(self, criteria: Criteria) -> bool:
        """Whether all results are allowed, for few calls, by the audit's reference criteria and without counting."""
        batch = Batch.of(self.item, self.measured.columns, self.results, criteria)
        return all(one.surely.all() for one in accepted(batch, requirement(self.item, criteria, flushing=False)))

    def tally(self, criteria: Criteria) -> Tally:
        """Return the counts of an audit."""
        return judge(self.item, self.measured.columns, self.results, criteria)

    def judged(self, call: str, criteria: Limited, most: int) -> Found:
        """Return the results that do not conform; NothingAskedError if no result could fail."""
        refuse_unasked(call, self.item, self.measured.columns, self.results, criteria)
        if len(self.measured.columns[0]) <= FEW and self.conforms(criteria):
            return Found()
        tally, limit = self.tally(criteria), str(criteria.limit(self.item))
        worst = tally.worst.error if tally.worst else None
        if not tally.failed:
            return Found(total=tally.tried, worst=worst)
        examples = worst_failures(self.item, self.measured.columns, self.results, criteria, most)
        reasons = "; ".join(f"{count} x {reason}" for reason, count in tally.reasons)
        summary = f"{share(tally.failed, tally.tried, 'inputs', 'fail')}: {reasons}"
        failures = [self._of_example(example) for example in examples]
        return Found(failures, tally.failed, tally.tried, summary, "inputs", limit, worst)

    def rounded(self, mode: Rounding, most: int) -> Found:
        """Return the results that are not correctly rounded."""
        pairs = zip(self.results, self._rounded(mode), strict=True)
        compared = [
            Compared(got, want, ~same(got, want), mode, self._call_of(k)) for k, (got, want) in enumerate(pairs)
        ]
        return worst(compared, "not correctly rounded", most)

    @np.errstate(all="ignore")
    def within(self, limit: float, most: int) -> Found:
        """Return the results with errors larger than ``limit`` ulp."""
        errors_in_ulp = self.measured.flat_errors()
        if all((np.abs(error) <= limit).all() for error in errors_in_ulp):
            return Found()
        wanted = self._rounded("rte")
        return beyond(limit, self.results, wanted, errors_in_ulp, list(map(self._call_of, range(len(wanted)))), most)

    def _call_of(self, output: int) -> CallAt:
        """Return the function that describes the call of a result of the output with this number."""
        return lambda place: self._call_at(place[0], _output(self.item, output, place[1:]))

    def _rounded(self, mode: Rounding) -> Arrays:
        call = self.measured.call
        args = tuple(a[..., 0] for a in call.args) if call.bare else call.args
        return self.measured.flat(as_results(call.label, by_reference(call.builtin.name, args, mode)))

    def _of_example(self, example: Example) -> Failure:
        """Return the failure of an example of the judge."""
        item, number = self.item, example.output
        codes = [example.got, example.expected]
        got, want = np.array(codes, np.int32) if item.results[number] == "intn" else item.form.from_bits(codes)
        call = self._call_at(example.index, _outputs(item)[number])
        return Failure(*call, got, want, off_text(example, item.form), example.reason)

    def _call_at(self, row: int, output: str) -> tuple[Place, tuple[object, ...], str]:
        """Return the index and the arguments of one call, vectors if the call is a component of one; and ``output``."""
        call = self.measured.call
        index = tuple(int(i) for i in np.unravel_index(row, self.measured.shape)) if self.measured.shape else ()
        if self.vector:
            index, output = index[:-1], f"{output}[{index[-1]}]"
        return index, tuple(np.broadcast_to(a, call.shape)[index] for a in call.args), output


def beyond(  # noqa: PLR0917 - a limit, and the facts of each result
    limit: float, results: Arrays, wanted: Arrays, errors: Sequence[np.ndarray], calls: Sequence[CallAt], most: int
) -> Found:
    """Return the results with errors larger than ``limit`` ulp."""

    def compared(got: np.ndarray, want: np.ndarray, error: np.ndarray, call: CallAt) -> Compared:
        size = np.abs(error)

        def off(place: Place) -> str:
            return ulps_text(float(error[place]), beyond=True)

        return Compared(got, want, ~(size <= limit), f"more than {limit} ulp", call, size, off)

    each = list(map(compared, results, wanted, errors, calls))
    return worst(each, f"off by more than {limit} ulp", most)


def _outputs(item: Item) -> list[str]:
    """Return the labels that distinguish the result columns of a built-in."""
    return [
        _output(item, number, (component,) if item.width and p.type == "gentype" else ())
        for number, p in enumerate(item.builtin.outputs)
        for component in range(item.width if item.width and p.type == "gentype" else 1)
    ]


def _output(item: Item, number: int, component: Place) -> str:
    outputs = item.builtin.outputs
    name = f".{outputs[number].name}" if len(outputs) > 1 else ""
    return name + "".join(f"[{k}]" for k in component)


def judged(call: str, name: str, args: object, actual: object, terms: Terms, most: int) -> Found:  # noqa: PLR0917
    """Return the ``most`` worst results that these terms do not allow, and how many there are.

    UnfitError if results have a wrong number, shape or type.
    """
    __tracebackhide__ = True
    with np.errstate(all="ignore"):  # a decorator would be a frame in the failures that pytest shows
        if bits.is_exact(name, args):
            if terms.limit is not None:
                refuse_limit(call, name)
            try:
                return bits.judged(call, name, args, actual, terms, most)
            except MisfitError as error:
                raise UnfitError(str(error)) from None
        if terms.exactly:
            refuse_formula(call, name)
        trial = Trial.of(call, name, args, actual, vector=terms.vector)
        return trial.rounded(terms.rounding, most) if terms.exactly else trial.judged(call, terms.criteria, most)


def refuse_limit(call: str, name: str) -> NoReturn:
    """Raise RangeError: a limit in ulp makes no sense if every bit counts."""
    raise errors.RangeError(f"{call}: every bit of {name} counts, no limit in ulp goes with it; leave limit out")


def refuse_formula(call: str, name: str) -> None:
    """Raise RangeError if the built-in is an expression, of which every operation is rounded."""
    __tracebackhide__ = True
    row = builtin(name, call)
    formula = row.formula or ("" if contracts() else row.uncontracted)
    if formula:
        where = "" if row.formula else "under fp_contract('OFF') "
        raise errors.RangeError(
            f"{call}: name={row.name!r} {where}is the formula {formula}, each operation of which is rounded: no "
            f"result is the correctly rounded one; use assert_conforms, or compare with what clmath.{row.name} gives"
        )
