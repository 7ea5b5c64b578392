"""A function under test that is called on arrays: the calls that fail, and their failure text."""

from __future__ import annotations

import warnings
from dataclasses import dataclass, field, replace
from inspect import signature as signature_of
from typing import TYPE_CHECKING, NamedTuple, Protocol

import numpy as np

import clmath
from clmath.audit.isolation.culprit import narrowed
from clmath.audit.targets.layouts import by_layout
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import format_of
from clmath.pragmas import select_rounding_mode
from clmath.testing import failures, steadiness
from clmath.testing.aliases import CONVERSION, CONVERTED
from clmath.testing.bits import due
from clmath.testing.callers import TEST, ChangedError, is_raised_elsewhere
from clmath.testing.strategies.calls import of_row
from clmath.testing.strategies.scalars import operands_of
from clmath.testing.terms import Terms
from clmath.testing.trials import Trial, judged

if TYPE_CHECKING:
    from collections.abc import Sequence

    from hypothesis.strategies import SearchStrategy

    from clmath.callables import AnyFunction
    from clmath.testing.aliases import Columns
    from clmath.testing.cells import Cell

DIGITS = 52  # after the first one of a double
KEPT = 64  # inputs that fail, handed to Hypothesis, which finds the simplest


class Printer(Protocol):
    """The printer of IPython's protocol."""

    def text(self, text: str, /) -> None:
        """Print a text."""


class Sample(NamedTuple):
    """One call that Hypothesis has generated; ``fact``: a failure of it that cannot be reproduced."""

    cell: Cell
    args: Columns
    fact: str = ""

    def __repr__(self) -> str:
        """Hypothesis prints the call like this; the assertion has its result."""
        return f"{self.cell}: {_text(self.cell, self.args)}"

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:  # noqa: ARG002 - the signature of IPython's protocol
        printer.text(repr(self))


def _text(cell: Cell, args: Columns) -> str:
    """Text of the call with its bits, or of many calls the number."""
    if len(args[0]) > failures.MOST:
        return f"{cell.name} of {len(args[0])} calls"
    return failures.called(cell.name, failures.only(args) if len(args[0]) == 1 else args)


@dataclass
class Tested:
    """The function under test, its terms, and the worst error that was found in each cell, with its limit.

    ``label``: the function's name in the test's file; ``seen``: messages
    of failed calls; ``given``: the results of cells whose limit holds in several modes; ``shares``: the number of
    failing inputs of a cell.
    """

    function: AnyFunction
    terms: Terms
    grid: Sequence[Cell] = ()
    takes_mode: bool = False
    label: str = "f"
    worst: dict[Cell, tuple[float, str]] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    given: dict[Cell, object] = field(default_factory=dict)
    shares: dict[Cell, str] = field(default_factory=dict)

    def warn_of_unjudged_modes(self) -> None:
        """Warn if a single mode is tested under a limit that holds in all modes."""
        alone = {replace(cell, mode="rte") for cell in self.grid}
        if self.takes_mode and len(alone) == len(self.grid):
            unjudged = [str(cell) for cell in self.grid if not self._tells_modes_apart(cell)]
            if unjudged:
                fact = "the limit holds for the results of every mode, so that nothing of the mode is judged"
                remedy = "name a second mode, or ask for correctly_rounded=True"
                warnings.warn(f"{TEST}: {', '.join(unjudged)}: {fact}; {remedy}", stacklevel=3)

    def samples(self) -> SearchStrategy[Sample]:
        """Strategy of calls: calls known to fail, with fewer and fewer digits, else inputs of an audit."""
        from hypothesis import strategies as st

        for cell in self.grid:
            failing = self.failing(cell)
            if failing:
                digits = st.sampled_from([*range(DIGITS), *[DIGITS] * DIGITS])  # few digits if they suffice
                return st.builds(_shortened, st.sampled_from(failing), digits)
        return st.one_of([_all_of(cell) for cell in self.grid])

    def terms_of(self, cell: Cell) -> Terms:
        """The terms of a cell."""
        terms = Terms(exactly=True) if self.terms.exactly else self.terms
        limit = terms.limit if cell.measured else None
        return replace(terms, rounding=cell.mode, limit=limit, vector=cell.vector > 1)

    def asked(self, cell: Cell, args: Columns, check: str = "") -> failures.Assertion:
        """Return the assertion of a call, or one that makes another ``check``."""
        assertion = "assert_correctly_rounded" if self.terms.exactly else "assert_conforms"
        mode = f", rounding={cell.mode!r}" if self.takes_mode else ""
        return failures.Assertion(assertion, cell.name, self.terms_of(cell).options, self.label, mode, args, check)

    def results(self, cell: Cell, args: Columns) -> object:
        """Return the function's results for copies of ``args``."""
        __tracebackhide__ = True
        return cell.called(self.function, args, self._keywords(cell))

    def _keywords(self, cell: Cell) -> dict[str, object]:
        return {"rounding": cell.mode} if self.takes_mode else {}

    def check(self, call: Sample) -> None:
        """Raise AssertionError if the function raises on a call, or its results do not conform, now or before."""
        __tracebackhide__ = True
        with np.errstate(all="ignore"):  # a decorator would be a frame in the failures that pytest shows
            said, cause, key = call.fact, None, repr(call)
            if not said:
                said, cause = self._said(call.cell, call.args)
            if said:
                self.seen.setdefault(key, said)
            elif key in self.seen:
                said = steadiness.unsteady(self.seen[key], self.label)
            if said:
                raise AssertionError(failures.with_share(said, self.shares.get(call.cell, ""))) from cause

    def _said(self, cell: Cell, args: Columns) -> tuple[str, Exception | None]:
        """Return the message of failed calls (empty if they conform), and the exception that the function raised."""
        try:
            found = self.results(cell, args)
        except ChangedError as error:
            kept = f"args[{error.place}].tobytes()"
            asked = self.asked(cell, args, f"kept = {kept}; {failures.CALL}; assert {kept} == kept")
            return f"{_text(cell, args)}: {self.label} {error}\nreplay: {asked.replay(args)}", None
        except Exception as error:  # noqa: BLE001 - any exception is the function's failure
            cause = error if is_raised_elsewhere(error) else None
            return self._broken(cell, args, f"raises {type(error).__name__}: {error}"), cause
        return self._judged(cell, args, found), None

    def _judged(self, cell: Cell, args: Columns, results: object) -> str:
        """Return the message of the calls that do not conform, empty if all conform."""
        for one in (result for result in steadiness.tuple_of(results) if not hasattr(result, "dtype")):
            what = "None" if one is None else f"a {type(one).__name__} of Python, no array"
            listed = failures.CALL if isinstance(results, tuple) else f"[{failures.CALL}]"
            return self._broken(cell, args, f"gives {what}", f"assert all(hasattr(r, 'dtype') for r in {listed})")
        try:
            found = self._found(cell, args, results, failures.SHOWN)
        except failures.UnfitError as error:
            return self._broken(cell, args, f"gives the wrong kind of result: {str(error).partition('(): ')[2]}")
        return found.message(self.asked(cell, args)) if found.count else ""

    def _found(self, cell: Cell, args: Columns, results: object, most: int) -> failures.Found:
        """Return the results that do not conform; UnfitError if they cannot be judged."""
        if not all(hasattr(result, "dtype") for result in steadiness.tuple_of(results)):
            raise failures.UnfitError
        return judged(TEST, cell.name, args, results, self.terms_of(cell), most)

    def _broken(self, cell: Cell, args: Columns, what: str, check: str = "") -> str:
        """Message of a call whose results cannot be judged: the result, the expected one, and how to replay it."""
        lines = [f"{_text(cell, args)}: {self.label} {what}, {_due(cell, args)}"]
        if self._takes_single_numbers(cell, args):
            dtypes = [w.dtype.name for w in _wanted(cell, args)]
            lifted = f"np.vectorize({self.label}, otypes={dtypes})"
            lines.append(f"{self.label} takes single numbers and is given arrays: test {lifted}")
        return "\n".join([*lines, f"replay: {self.asked(cell, args, check).replay(args)}"])

    def _takes_single_numbers(self, cell: Cell, args: Columns) -> bool:
        """Whether the function gives a number for the numbers of the first call, though not for arrays."""
        if any(np.ndim(a) != 1 or not len(a) for a in args) or cell.memory is not None:
            return False
        wanted = _wanted(cell, args)
        try:
            found = steadiness.tuple_of(self.results(cell, args))
            if [np.asarray(r).shape for r in found] == [w.shape for w in wanted]:
                return False  # the type is wrong
        except Exception:  # noqa: BLE001, S110 - arrays are refused
            pass
        try:
            numbers = steadiness.tuple_of(self.results(cell, tuple(a[0] for a in args)))
        except Exception:  # noqa: BLE001 - single numbers are refused, too
            return False
        return len(numbers) == len(wanted) and all(isinstance(r, (int, float, np.generic)) for r in numbers)

    def fails(self, cell: Cell, args: Columns) -> bool:
        """Whether the function raises on ``args``, or returns results that do not conform."""
        try:
            return self._found(cell, args, self.results(cell, args), 1).count > 0
        except Exception:  # noqa: BLE001 - any exception is found again by Hypothesis, and shown
            return True

    @np.errstate(all="ignore")
    def failing(self, cell: Cell) -> list[Sample]:
        """Return calls that fail among the inputs of an audit, the simplest first: at most ``KEPT``."""
        args, results = cell.arguments(), None
        try:
            results = self.results(cell, args)
            rows = self._failing_rows(cell, args, results)
        except Exception:  # noqa: BLE001 - as above
            rows = None
        if rows == []:
            return self._unsteady(cell, args, results) or self._alike_in_modes(cell, args, results)
        first = (next((one for one in cell.alone(args, k) if self.fails(cell, one)), None) for k in rows or ())
        alone = [one for one in first if one is not None]
        if alone:
            return [Sample(cell, one) for one in sorted(alone, key=failures.complexity)]
        said = self._said(cell, args)[0] if rows is None else self._judged(cell, args, results)
        return [self._together(cell, args, said)]

    def _failing_rows(self, cell: Cell, args: Columns, results: object) -> list[int]:
        """Return the places of failing calls, and remember their number and the worst error."""
        found, terms, worst = self._found(cell, args, results, KEPT), self.terms_of(cell), None
        if found.count:
            self.shares[cell] = f"{cell}: {failures.share(found.count, found.total, found.what, 'fail')}"
        if cell.measured:
            trial = Trial.of(TEST, cell.name, args, results, vector=terms.vector)
            tally = trial.tally(terms.criteria) if terms.exactly else None
            worst = tally.worst.error if tally and tally.worst else found.worst
            if worst is not None:
                self.worst[cell] = (worst, terms.criteria.limit(trial.item).text)
        return list(dict.fromkeys(failure.index[0] for failure in found.failures))

    def _together(self, cell: Cell, args: Columns, said: str) -> Sample:
        """Return some of the calls that fail again; if none does, the calls with the message ``said``."""
        found = self._smallest(cell, args)
        if len(found[0]) == 1:
            found = next((one for one in cell.alone(found, 0) if self.fails(cell, one)), found)
        fails_again = all(self.fails(cell, found) for _ in range(2))  # one failure may be by chance
        return Sample(cell, found, "" if fails_again else steadiness.unsteady(said, self.label))

    def _unsteady(self, cell: Cell, args: Columns, results: object) -> list[Sample]:
        """Return calls that conform together and fail in another order or number, or after others."""
        for places in steadiness.batches(len(args[0])):
            some = cell.picked(args, places)
            try:
                found = self.results(cell, some)
                is_same = cell.stored is None and steadiness.alike(found, results, places)
                said = "" if is_same else self._judged(cell, some, found)
            except Exception:  # noqa: BLE001 - as above
                said = self._said(cell, some)[0]
            if said:
                return [self._together(cell, some, said)]
        return self._stale(cell, args) or self._overwritten(cell, args) or self._by_layout(cell, args, results)

    def _stale(self, cell: Cell, args: Columns) -> list[Sample]:
        """Return failing calls with others' results: first and last elements and sums of their arguments are equal."""
        calls, others = steadiness.similar_calls(cell, args)
        said = self._said(cell, calls)[0]
        if said:
            return [self._together(cell, calls, said)]
        found = ((some, self._said(cell, some)[0]) for some in others)
        return next(([Sample(cell, some, steadiness.stale(said, self.label))] for some, said in found if said), [])

    def _overwritten(self, cell: Cell, args: Columns) -> list[Sample]:
        """Return a call whose result is changed by a later call."""
        pairs = [(np.arange(0, 1), np.arange(k, k + 1)) for k in (1, len(args[0]) // 2)]
        for places in (*pairs, tuple(steadiness.places_of(len(args[0])))):
            one, other = (cell.picked(args, p) for p in places)
            if cell.stored is None and steadiness.twice(self.results, cell, one, other):
                text = f"{_text(cell, one)}: {self.label} changes the array that it returned when it is called again"
                return [Sample(cell, one, f"{text}, for {_text(cell, other)}: return a new one each time")]
        return []

    def _by_layout(self, cell: Cell, args: Columns, results: object) -> list[Sample]:
        """Return calls that fail if their arguments have another memory layout or shape."""
        if cell.memory is not None:
            return []
        for layout, places, found, error in steadiness.in_layouts(self.function, args, self._keywords(cell)):
            some = cell.picked(args, places)
            if error is not None:
                what = f"raises {type(error).__name__}: {error}"
                said = f"{_text(cell, some)}: {self.label} {what}, {_due(cell, some)}"
            else:
                said = "" if steadiness.alike(found, results, places) else self._judged(cell, some, found)
            if said:
                return [Sample(cell, some, by_layout(said, layout))]
        return []

    def _alike_in_modes(self, cell: Cell, args: Columns, results: object) -> list[Sample]:
        """Find a call with the same results in two modes, if no result follows the mode."""
        if not self.takes_mode or self._tells_modes_apart(cell):
            return []
        for other in (other for other in self.given if replace(other, mode=cell.mode) == cell):
            found = steadiness.unmoved(self.given[other], results, _wanted(other, args), _wanted(cell, args))
            if found is not None:
                output, place, falls = found
                one, picked = cell.picked(args, slice(place, place + 1)), f"[{output}]" * isinstance(results, tuple)
                pair = (other, cell) if falls else (cell, other)
                return [Sample(cell, one, self._same(pair, one, picked))]
        self.given[cell] = results
        return []

    def _tells_modes_apart(self, cell: Cell) -> bool:
        """Whether the result of another mode fails wherever it differs, or cannot differ."""
        if self.terms.exactly or cell.item is None or not cell.measured:
            return True
        limit = self.terms_of(cell).criteria.limit(cell.item)
        return limit.is_exact or limit.is_equality

    def _same(self, pair: tuple[Cell, Cell], args: Columns, picked: str) -> str:
        """Say that a call has one result in two modes, and how to see it."""
        cell, modes = pair[0], tuple(one.mode for one in pair)
        one, other = (f"{self.label}(*args, rounding={mode!r}){picked}" for mode in modes)
        asked = self.asked(cell, args, f"assert ({one} > {other}).any()")
        wanted = [_due(one, args).removeprefix("want ") for one in pair]
        said = steadiness.same(f"{_text(cell, args)}: {self.label}", modes, wanted)
        return f"{said}\nreplay: {asked.replay(args)}"

    def _smallest(self, cell: Cell, args: Columns) -> Columns:
        """Return neighbouring calls that fail only together, or the one that makes the function raise."""

        def fails(low: int, high: int) -> bool:
            return self.fails(cell, cell.picked(args, slice(low, high)))

        place = narrowed(fails, len(args[0]))
        low, high = (0, len(args[0])) if place is None else (place, place + 1)
        while high - low > 1:
            middle = (low + high) // 2
            halves = [half for half in ((low, middle), (middle, high)) if fails(*half)]
            if not halves:
                break
            low, high = halves[0]
        return cell.picked(args, slice(low, high))


def _all_of(cell: Cell) -> SearchStrategy[Sample]:
    """Strategy of generated calls, and of single calls of an audit."""
    from hypothesis import strategies as st

    def sample(k: int) -> Sample:
        return Sample(cell, cell.picked(cell.arguments(), slice(k, k + 1)))

    def one_row(args: Columns) -> Sample:
        shared = item.shared if item is not None and item.vector > 1 else (False,) * len(args)
        pairs = zip(args, shared, strict=True)
        rows = (np.atleast_1d(a)[np.newaxis, :1] if alone else np.asarray(a)[np.newaxis] for a, alone in pairs)
        return Sample(cell, tuple(rows))

    tried = st.integers(0, len(cell.arguments()[0]) - 1).map(sample)
    target, item = CONVERSION.fullmatch(cell.name), cell.item
    if item is not None:
        return of_row(item).map(one_row) | tried
    if target and target["type"] in CONVERTED and cell.type != "bool" and cell.name.startswith("convert"):
        return operands_of("", cell.type, target["type"], (), None, {}).map(lambda x: one_row((x,))) | tried
    return tried


def _due(cell: Cell, args: Columns) -> str:
    """Text of the expected results of a call, with their bits if there are few."""
    wanted = _wanted(cell, args)
    if sum(w.size for w in wanted) > failures.SHOWN * len(wanted):
        return f"want {', '.join(f'{w.dtype} of shape {w.shape}' for w in wanted)}"
    texts = [failures.with_bits(w.reshape(-1)[0] if w.size == 1 else w.reshape(-1)) for w in wanted]
    return f"want {', '.join(texts)} ({', '.join(f'{w.dtype} of shape {w.shape}' for w in wanted)})"


def _wanted(cell: Cell, args: Columns) -> tuple[np.ndarray, ...]:
    """Return clmath's results of a call, or the memory after it; the reference's in a format that no edition has."""
    if cell.item is not None and not (cell.type in SCALARS and hasattr(clmath, cell.name)):
        return due(cell.item, args, cell.mode)
    function = getattr(clmath, cell.name)
    mode = {"rounding": cell.mode} if "rounding" in signature_of(function).parameters else {}
    with np.errstate(all="ignore"), select_rounding_mode(cell.mode):
        return tuple(map(np.asarray, steadiness.tuple_of(cell.called(function, args, {**cell.keywords, **mode}))))


def _shortened(call: Sample, digits: int) -> Sample:
    """Return the calls with at most ``digits`` binary digits after the first one of every number."""
    return call if call.fact else call._replace(args=tuple(_cut(a, digits) for a in call.args))


def _cut(values: np.ndarray | int, digits: int) -> np.ndarray | int:
    form = format_of(values.dtype) if isinstance(values, np.ndarray) else None
    if form is None or digits >= form.precision - 1:
        return values
    mask = form.bits_dtype.type((1 << form.width) - (1 << form.precision - 1 - digits))
    short = form.from_bits(form.bits(values) & mask)
    return np.where(np.isnan(values), values, short)
