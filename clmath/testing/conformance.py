"""A property-based test for somebody's implementation of a built-in, on the inputs that an audit tries."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from inspect import signature as signature_of
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

import clmath
from clmath import errors
from clmath.audit.isolation.culprit import narrowed
from clmath.audit.subjects.layouts import by_layout, in_one_dimension, layouts
from clmath.numbers.datatypes import SCALARS, spelled_type
from clmath.numbers.formats import format_of
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.pragmas import select_rounding_mode
from clmath.testing.any_function import Bounds, of_reference
from clmath.testing.bit_inputs import CONVERSION
from clmath.testing.by_terms import (
    bit_failures,
    conforming,
    correctly_rounded,
    misrounded_bits,
    refuse_formula,
    refuse_limit,
)
from clmath.testing.callers import caller, is_raised_elsewhere, name_at, standing_at
from clmath.testing.cells import Cell, ChangedError, Columns, cells
from clmath.testing.failures import MOST, SHOWN, Assertion, UnfitError, called, only, share, with_bits, with_share
from clmath.testing.limited import refuse_unlimited
from clmath.testing.memory_calls import memory_call
from clmath.testing.modes import Pair, same, told_apart, unmoved, warn_of_unjudged_mode
from clmath.testing.prescribed import due
from clmath.testing.single_tests import Single, checked_single, is_single
from clmath.testing.steadiness import alike, batches, places_of, similar_calls, stale, twice, unsteady
from clmath.testing.strategies import conversions
from clmath.testing.strategies.calls import of_row
from clmath.testing.strategies.keywords import several
from clmath.testing.strategies.operands import CONVERTED
from clmath.testing.terms import Terms
from clmath.testing.trials import Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence
    from types import FrameType

    from clmath.audit.plan.item import Item
    from clmath.callables import AnyFunction
    from clmath.typing import Edition, Profile, Rounding, Type

__all__ = ["Subject", "conformance_test"]

CALL = "conformance_test()"
DIGITS = 52  # after the first one of a double
KEPT = 64  # inputs that fail, handed to Hypothesis, which finds the simplest


def conformance_test(
    function: AnyFunction,
    name: str = "",
    *,
    types: Iterable[Type] | None = None,
    modes: Iterable[Rounding] | None = None,
    edition: Edition = "opencl-c++-1.0",
    profile: Profile = "full",
    flushes: bool = False,
    build_options: str = "",
    limit: float | None = None,
    correctly_rounded: bool = False,
    settings: object = None,
    reference: AnyFunction | None = None,
    domain: object = None,
    absolute: float | None = None,
    relative: float | None = None,
    signature: str = "",
) -> Callable[[], None]:
    """Return a test, for pytest or to be called, that ``function`` conforms as the built-in ``name``.

    ``function`` takes arrays of one axis (two if it is called on vectors, with the components on the last one) and
    returns results like ``clmath``'s: an array, or a tuple of several. It is called on the inputs that ``clmath audit``
    tries first: prescribed results, limits' borders, hard cases, special values in every combination, random ones.
    Hypothesis then generates more, and shrinks inputs that fail to the simplest: a failure is of a single call. Calls
    are repeated in another order and number: results must depend on the arguments only, arguments must stay unchanged,
    and a later call must not change an earlier result. Nor may results depend on the layout of the arguments: strided,
    reversed, misaligned, read-only and broadcast arrays have to give equal results; so have arrays of two dimensions,
    of none, without elements, and of 100 001. A function may raise for arrays of other dimensions or without elements;
    a function that ``np.vectorize`` has lifted from single numbers is not called on an array that large.

    Functions that are called once for each case have contracts of their own: "sprintf" takes a format and a number,
    a vector or a string; "async_work_group_copy" and "async_work_group_strided_copy" two memories and a number of
    elements, with ``src_stride`` or ``dst_stride``, and ``width`` if it takes that; "work_group_broadcast" and
    "sub_group_broadcast" an array whose last axis is a group, and the number of a work-item; "Image.read" an image, a
    sampler (None for ints in texels) and coordinates, with ``type="half"`` if it takes that and halfs are requested.

    ``name``: a built-in of any chapter, or an alias of a conversion, load or store such as "convert_half" and
    "vstore4"; offsets of loads and stores are arrays, too, and a store is judged by the memory ``p`` after it.
    ``types``: the types of gentype, of the operand of a conversion, of loaded or stored values, in OpenCL's names:
    "float4" are vectors (with 16 components ``("float", 16)``, since "float16" is NumPy's half), or in NumPy's,
    ``np.float16``; None: all scalar types of OpenCL C. Results of "bfloat16" (ml_dtypes) must be correctly rounded,
    since no edition has it.
    A built-in that computes element by element is then called on vectors of similar and of unrelated values;
    truths are 0 and -1 in each component, and values that all components share have a last axis of 1. ``modes``: the
    values of the function's keyword ``rounding``, rte rtz rtp or rtn; None: it has none and rounds to nearest even.
    If a limit holds for results of all modes, results of several modes have to differ wherever the correctly rounded
    results do; for a single mode a warning says that its direction is not judged. ``limit``: the largest error of
    results in ulp, regardless of the specification's; prescribed results stay. ``correctly_rounded``: only the
    correctly rounded result passes. The others as in ``assert_conforms``. ``settings``: ``hypothesis.settings``, by
    default without a deadline.

    ``reference``: tests any function, without a ``name``. It is a function of mpmath's numbers, or of any numbers that
    it computes with exactly or more precisely, and is evaluated with growing precision until the result is known.
    ``domain``: the least and the greatest argument, or such a pair for each argument; None: all finite numbers.
    Inputs are the ends of the domain, numbers of every binade, zeros and extrema of the reference, and where its values
    overflow or vanish. One of the bounds has to hold: ``limit`` in ulp, ``absolute``, or ``relative`` to the exact
    value; or results are ``correctly_rounded``. ``signature``: "(n)->()" or "(n)->(n)" for functions of vectors on
    the last axis, whose reference takes a list and returns a number or a list. ``types``: double, if none are given.

    UnknownNameError, RoundingError for unknown names and modes; DTypeError for ``modes`` of a function without
    ``rounding``; RangeError if ``correctly_rounded`` is requested for a formula, or together with ``limit``, or if
    nothing could fail, as for ``native_sin``; MissingDependencyError if Hypothesis is not installed.

    >>> test_sqrt = conformance_test(np.sqrt, "sqrt", types=["float"])
    >>> test_sqrt()
    >>> def cut(x):
    ...     return np.where(np.abs(x) < 2.0**-126, np.float32(0), x)
    >>> conformance_test(cut, "fabs", types=["float"])()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: fabs(...
    >>> import mpmath
    >>> def sigmoid(x):
    ...     return 1 / (1 + np.exp(-x))
    >>> conformance_test(sigmoid, reference=lambda x: 1 / (1 + mpmath.exp(-x)), domain=(-50, 50), limit=4)()
    """
    refuse_altered_arithmetic(CALL)
    if reference is not None:
        if name:
            raise errors.RangeError(f"{CALL}: name={name!r} and reference are given; leave out one of them")
        bounds = Bounds.checked(limit, absolute, relative, exactly=correctly_rounded)
        label = name_at(caller(), function)
        return _test_of_all(
            of_reference(function, reference, domain, _several("types", types, "float"), bounds, signature, label)
        )
    try:
        from hypothesis import settings as settings_of
        from hypothesis import strategies as st
    except ImportError:
        raise errors.missing(CALL, "hypothesis", "test") from None
    _check(function, name, settings, settings_of)
    correctly_rounded = errors.checked_flag(CALL, "correctly_rounded", correctly_rounded)
    types, chosen = _several("types", types, "float"), _several("modes", modes, "rte")
    _check_modes(function, chosen)
    frame = caller()
    if is_single(name):
        told = Terms(edition, profile, build_options=build_options)
        known = checked_single(CALL, name, types, limit=limit, flushes=flushes)
        modes_told = tuple(replace(told, rounding=m).checked(CALL).rounding for m in chosen or ("rte",))
        single = Single(
            function, name, name_at(frame, function), known, modes_told, told, chosen is not None, correctly_rounded
        )
        return _test_of(frame, single, name, settings or settings_of(deadline=None), lambda: single.samples(st))
    terms = [Terms(edition, profile, mode, flushes, build_options, limit).checked(CALL) for mode in chosen or ("rte",)]
    grid = cells(CALL, name, types, [t.rounding for t in terms])
    _check_asked(name, grid, terms[0], exactly=correctly_rounded)
    subject = Subject(function, terms[0], chosen is not None, correctly_rounded, name_at(frame, function))
    subject.warn_of_unjudged_modes(grid)
    return _test_of(frame, subject, name, settings or settings_of(deadline=None), lambda: _samples(st, subject, grid))


def _test_of_all(tests: Sequence[Any]) -> Callable[[], None]:
    """Return the test that checks a function in each format."""

    def test() -> None:
        __tracebackhide__ = True
        for one in tests:
            one.check()

    test.__name__ = test.__qualname__ = f"test_{tests[0].label.replace('.', '_')}"
    return test


def _test_of(
    frame: FrameType, subject: Subject | Single, name: str, settings: Any, samples: Callable[[], Any]
) -> Callable[[], None]:
    """Return the test, located at ``frame``, in which Hypothesis checks examples of ``samples``."""
    from hypothesis import given
    from hypothesis import strategies as st

    def check(call: Any) -> None:
        __tracebackhide__ = True
        subject.check(call)

    test = standing_at(frame, check)
    test.__name__ = test.__qualname__ = f"test_{subject.label.replace('.', '_')}_as_{name.replace('.', '_')}"
    test.__module__ = str(frame.f_globals.get("__name__", __name__))
    test.__doc__ = f"{subject.label} conforms to what is asked of {name}."
    found: Callable[[], None] = _unexplained(settings)(given(call=st.deferred(samples))(test))
    found.__globals__["__tracebackhide__"] = True  # of the module that Hypothesis makes for this function alone
    found.subject = subject  # type: ignore[attr-defined]
    return found


def _unexplained(settings: Any) -> Any:
    """Return the settings without Hypothesis's explanation, which is arbitrary among inputs that fail."""
    from hypothesis import Phase

    return type(settings)(settings, phases=[phase for phase in settings.phases if phase is not Phase.explain])


def _check_modes(function: Any, modes: Any) -> None:
    """Raise DTypeError if modes are requested and the function does not take one."""
    try:
        parameters = signature_of(function).parameters.values()
    except (TypeError, ValueError):  # its signature is unknown
        return
    takes = any(p.name == "rounding" or p.kind is p.VAR_KEYWORD for p in parameters)
    if modes is not None and not takes:
        raise errors.DTypeError(
            f"{CALL}: modes={list(modes)!r} are passed to the function as rounding=, which it does not take; give it "
            "that keyword, or leave modes out to test rounding to nearest even"
        )


def _check_asked(name: str, grid: Sequence[Cell], terms: Terms, *, exactly: bool) -> None:
    """Raise RangeError if the requested terms contradict a cell, or cannot fail."""
    measured = [cell for cell in grid if cell.measured]
    if terms.limit is not None and exactly:
        raise errors.RangeError(f"{CALL}: limit={terms.limit} and correctly_rounded=True are asked; leave one out")
    if terms.limit is not None and not measured:
        refuse_limit(CALL, name)
    if exactly and measured:
        refuse_formula(CALL, name)
    for cell in measured:
        if cell.item is not None and not exactly:
            refuse_unlimited(CALL, cell.item, replace(terms, rounding=cell.mode).law)


def _check(function: Any, name: Any, settings: Any, settings_of: Any) -> None:
    """Raise DTypeError for an argument of a wrong type."""
    if not callable(function):
        raise errors.DTypeError(f"{CALL}: function={function!r} cannot be called; give the function itself")
    if not isinstance(name, str):
        raise errors.DTypeError(f"{CALL}: name={name!r} is not text; give the name of a built-in, such as 'sqrt'")
    if settings is not None and not isinstance(settings, settings_of):
        raise errors.DTypeError(f"{CALL}: settings={settings!r} is not hypothesis.settings")


def _several(keyword: str, values: Any, example: str) -> tuple[Any, ...] | None:
    """Return the values of a keyword that takes several; DTypeError for a single one, RangeError without any."""
    if values is None:
        return None
    found = several(CALL, keyword, values, example)
    if not found:
        raise errors.RangeError(f"{CALL}: {keyword} is empty, so that nothing would be tested; leave it out for all")
    return found


class Sample(NamedTuple):
    """One call that Hypothesis has generated; ``fact``: a failure of it that cannot be reproduced."""

    cell: Cell
    args: Columns
    fact: str = ""

    def __repr__(self) -> str:
        """Hypothesis prints the call like this; the assertion has its result."""
        return f"{self.cell}: {_text(self.cell, self.args)}"

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - the signature of IPython's protocol
        printer.text(repr(self))


def _text(cell: Cell, args: Columns) -> str:
    """Text of the call with its bits, or of many calls the number."""
    if len(args[0]) > MOST:
        return f"{cell.name} of {len(args[0])} calls"
    return called(cell.name, only(args) if len(args[0]) == 1 else args)


@dataclass
class Subject:
    """The function under test, its terms, and the worst error that was found in each cell, with its limit.

    ``label``: the function's name in the test's file; ``seen``: messages of failed calls; ``given``: the results of
    cells whose limit holds in several modes; ``shares``: the number of failing inputs of a cell.
    """

    function: AnyFunction
    terms: Terms
    takes_mode: bool = False
    correctly_rounded: bool = False
    label: str = "f"
    worst: dict[Cell, tuple[float, str]] = field(default_factory=dict)
    seen: dict[str, str] = field(default_factory=dict)
    given: dict[Cell, Any] = field(default_factory=dict)
    shares: dict[Cell, str] = field(default_factory=dict)

    def warn_of_unjudged_modes(self, grid: Sequence[Cell]) -> None:
        """Warn if a single mode is tested under a limit that holds in all modes."""
        alone = {replace(cell, mode="rte") for cell in grid}
        if self.takes_mode and len(alone) == len(grid):
            unjudged = [cell for cell in grid if not self._tells_modes_apart(cell)]
            if unjudged:
                warn_of_unjudged_mode(CALL, unjudged)

    def terms_of(self, cell: Cell) -> Terms:
        """The terms of a cell."""
        limit = self.terms.limit if cell.measured else None
        return replace(self.terms, rounding=cell.mode, limit=limit, vector=cell.vector > 1)

    def asked(self, cell: Cell, args: Columns) -> Assertion:
        """Return the assertion of a call."""
        terms = self.terms_of(cell)
        if self.correctly_rounded:
            terms = Terms(rounding=terms.rounding, vector=terms.vector)
        assertion = "assert_correctly_rounded" if self.correctly_rounded else "assert_conforms"
        mode = f", rounding={cell.mode!r}" if self.takes_mode else ""
        return Assertion(assertion, cell.name, terms.options, "", self.label, mode, given=args)

    def results(self, cell: Cell, args: Columns) -> Any:
        """Return the function's results for copies of ``args``."""
        __tracebackhide__ = True
        with np.errstate(all="ignore"):
            return cell.called(self.function, args, self._keywords(cell))

    def _called(self, cell: Cell, args: Sequence[Any]) -> Any:
        """Return the function's results for ``args`` in their present layout."""
        with np.errstate(all="ignore"):
            return self.function(*args, **self._keywords(cell))

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
                said = unsteady(self.seen[key], self.label)
            if said:
                raise AssertionError(with_share(said, self.shares.get(call.cell, ""))) from cause

    def _said(self, cell: Cell, args: Columns) -> tuple[str, Exception | None]:
        """Return the message of failed calls (empty if they conform), and the exception that the function raised."""
        asked = self.asked(cell, args)
        try:
            found = self.results(cell, args)
        except ChangedError as error:
            asked = replace(asked, assertion="", changed=error.place)
            return f"{_text(cell, args)}: {self.label} {error}\nreplay: {asked.replay(args)}", None
        except Exception as error:  # noqa: BLE001 - any exception is the function's failure
            cause = error if is_raised_elsewhere(error) else None
            return self._broken(cell, args, f"raises {type(error).__name__}: {error}", asked), cause
        return self._judged(cell, args, found), None

    def _judged(self, cell: Cell, args: Columns, found: object) -> str:
        """Return the message of the calls that do not conform, empty if all conform."""
        asked = self.asked(cell, args)
        for result in found if isinstance(found, tuple) else (found,):
            if not hasattr(result, "dtype"):
                asked = replace(asked, assertion="", several=isinstance(found, tuple))
                return self._broken(cell, args, f"gives {_kind(result)}", asked)
        judge = correctly_rounded if self.correctly_rounded else conforming
        try:
            judge(CALL, found, args, self.terms_of(cell), asked)
        except UnfitError as error:
            return self._broken(cell, args, f"gives the wrong kind of result: {str(error).partition('(): ')[2]}", asked)
        except AssertionError as error:
            return str(error)
        return ""

    def _broken(self, cell: Cell, args: Columns, what: str, asked: Assertion) -> str:
        """Message of a call whose results cannot be judged: the result, the expected one, and how to replay it."""
        memory = memory_call(cell.name)
        asked = asked if memory is None else replace(asked, stored=memory.stored)
        lines = [f"{_text(cell, args)}: {self.label} {what}, {_due(cell, args)}"]
        if self._takes_single_numbers(cell, args):
            dtypes = [w.dtype.name for w in _wanted(cell, args)]
            lifted = f"np.vectorize({self.label}, otypes={dtypes})"
            lines.append(f"{self.label} takes single numbers and is given arrays: test {lifted}")
        return "\n".join([*lines, f"replay: {asked.replay(args)}"])

    def _takes_single_numbers(self, cell: Cell, args: Columns) -> bool:
        """Whether the function gives a number for the numbers of the first call, though not for arrays."""
        if any(np.ndim(a) != 1 for a in args) or memory_call(cell.name) is not None:
            return False
        try:
            if _shapes(self.results(cell, args)) == _shapes(_wanted(cell, args)):  # the type is wrong
                return False
        except Exception:  # noqa: BLE001, S110 - arrays are refused
            pass
        try:
            found = self.results(cell, tuple(a[0] for a in args))
        except Exception:  # noqa: BLE001 - single numbers are refused, too
            return False
        numbers = found if isinstance(found, tuple) else (found,)
        return len(numbers) == len(_wanted(cell, args)) and all(
            isinstance(r, (int, float, np.generic)) for r in numbers
        )

    def fails(self, cell: Cell, args: Columns) -> bool:
        """Whether the function raises on ``args``, or returns results that do not conform."""
        try:
            if cell.measured and not self.correctly_rounded:
                return not self._conform(cell, args)
            return bool(self._said(cell, args)[0])
        except Exception:  # noqa: BLE001 - any exception is found again by Hypothesis, and shown
            return True

    def _conform(self, cell: Cell, args: Columns) -> bool:
        """Whether measured calls conform; faster than ``_said``, which writes the message."""
        found, terms = self.results(cell, args), self.terms_of(cell)
        if not all(hasattr(result, "dtype") for result in (found if isinstance(found, tuple) else (found,))):
            return False
        return Trial.of(CALL, cell.name, args, found, vector=terms.vector).is_right(CALL, terms.law)

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
            return [Sample(cell, one) for one in sorted(alone, key=_complexity)]
        said = self._said(cell, args)[0] if rows is None else self._judged(cell, args, results)
        return [self._together(cell, args, said)]

    def _together(self, cell: Cell, args: Columns, said: str) -> Sample:
        """Return some of the calls that fail again; if none does, the calls with the message ``said``."""
        found = self._smallest(cell, args)
        if len(found[0]) == 1:
            found = next((one for one in cell.alone(found, 0) if self.fails(cell, one)), found)
        fails_again = all(self.fails(cell, found) for _ in range(2))  # one failure may be by chance
        return Sample(cell, found, "" if fails_again else unsteady(said, self.label))

    def _unsteady(self, cell: Cell, args: Columns, results: object) -> list[Sample]:
        """Return calls that conform together and fail in another order or number, or after others."""
        count = len(args[0])
        for places in batches(count):
            some = cell.picked(args, places)
            try:
                found = self.results(cell, some)
                is_same = cell.stored is None and alike(found, results, places)
                said = "" if is_same else self._judged(cell, some, found)
            except Exception:  # noqa: BLE001 - as above
                said = self._said(cell, some)[0]
            if said:
                return [self._together(cell, some, said)]
        return self._stale(cell, args) or self._overwritten(cell, args) or self._by_layout(cell, args, results)

    def _stale(self, cell: Cell, args: Columns) -> list[Sample]:
        """Return failing calls with others' results: first and last elements and sums of their arguments are equal."""
        calls, others = similar_calls(cell, args)
        said = self._said(cell, calls)[0]
        if said:
            return [self._together(cell, calls, said)]
        found = ((some, self._said(cell, some)[0]) for some in others)
        return next(([Sample(cell, some, stale(said, self.label))] for some, said in found if said), [])

    def _overwritten(self, cell: Cell, args: Columns) -> list[Sample]:
        """Return a call whose result is changed by a later call."""
        pairs = [(np.arange(0, 1), np.arange(k, k + 1)) for k in (1, len(args[0]) // 2)]
        for places in (*pairs, tuple(places_of(len(args[0])))):
            one, other = (cell.picked(args, p) for p in places)
            if cell.stored is None and twice(self.results, cell, one, other):
                text = f"{_text(cell, one)}: {self.label} changes the array that it returned when it is called again"
                return [Sample(cell, one, f"{text}, for {_text(cell, other)}: return a new one each time")]
        return []

    def _by_layout(self, cell: Cell, args: Columns, results: object) -> list[Sample]:
        """Return calls that fail if their arguments have another memory layout or shape."""
        if memory_call(cell.name) is not None:
            return []
        for layout, places in layouts(len(args[0]), self.function):
            some = cell.picked(args, places)
            try:
                given = self._called(cell, [layout.made(a) for a in some])
                if not (layout.required or hasattr(given, "dtype") or isinstance(given, tuple)):
                    continue  # a Python number instead of an array without dimensions
                found = in_one_dimension(given, len(places))
                said = "" if alike(found, results, places) else self._judged(cell, some, found)
            except Exception as error:  # noqa: BLE001 - any exception is the function's failure
                what = f"raises {type(error).__name__}: {error}"
                said = f"{_text(cell, some)}: {self.label} {what}, {_due(cell, some)}" if layout.required else ""
            if said:
                return [Sample(cell, some, by_layout(said, layout))]
        return []

    def _alike_in_modes(self, cell: Cell, args: Columns, results: object) -> list[Sample]:
        """Find a call with the same results in two modes, if no result follows the mode."""
        if not self.takes_mode or self._tells_modes_apart(cell):
            return []
        for other, known in self.given.items():
            if replace(other, mode=cell.mode) == cell:
                found = unmoved(Pair(known, results, _wanted(other, args), _wanted(cell, args)))
                if found is not None:
                    output, place, falls = found
                    one, picked = cell.rows(args, place, place + 1), f"[{output}]" * isinstance(results, tuple)
                    pair = (other, cell) if falls else (cell, other)
                    return [Sample(cell, one, self._same(pair, one, picked))]
        self.given[cell] = results
        return []

    def _tells_modes_apart(self, cell: Cell) -> bool:
        """Whether the result of another mode fails wherever it differs."""
        return self.correctly_rounded or cell.item is None or told_apart(cell, self.terms_of(cell).law)

    def _same(self, pair: tuple[Cell, Cell], args: Columns, picked: str) -> str:
        """Say that a call has one result in two modes, and how to see it."""
        cell, modes = pair[0], tuple(one.mode for one in pair)
        asked = replace(self.asked(cell, args), assertion="", modes=modes, picked=picked)
        due = [_due(one, args).removeprefix("want ") for one in pair]
        said = same(f"{_text(cell, args)}: {self.label}", modes, due)
        return f"{said}\nreplay: {asked.replay(args)}"

    def _failing_rows(self, cell: Cell, args: Columns, results: object) -> list[int]:
        if not cell.measured:
            judged = misrounded_bits if self.correctly_rounded else bit_failures
            found, count, total = judged(CALL, cell.name, results, args, self.terms_of(cell), KEPT)
            self.shares[cell] = f"{cell}: {share(count, total, 'results', 'fail')}" * (count > 0)
            return list(dict.fromkeys(f.index[0] for f in found))
        terms = self.terms_of(cell)
        trial, law = Trial.of(CALL, cell.name, args, results, vector=terms.vector), terms.law
        tally = trial.tally(law)
        if tally.worst:
            self.worst[cell] = (tally.worst.error, law.limit(trial.item).text)
        if self.correctly_rounded:
            failures, count = trial.misrounded(cell.mode, KEPT)
            total = sum(r.size for r in trial.results)
            self.shares[cell] = f"{cell}: {share(count, total, 'results', 'fail')}" * (count > 0)
            return list(dict.fromkeys(f.index[0] for f in failures))
        self.shares[cell] = f"{cell}: {share(tally.failed, tally.tried, 'inputs', 'fail')}" * (tally.failed > 0)
        return list(dict.fromkeys(map(trial.call_of, trial.worst_rows(law, KEPT)))) if tally.failed else []

    def _smallest(self, cell: Cell, args: Columns) -> Columns:
        """Return neighbouring calls that fail only together, or the one that makes the function raise."""

        def fails(low: int, high: int) -> bool:
            return self.fails(cell, cell.rows(args, low, high))

        place = narrowed(fails, len(args[0]))
        if place is not None:
            return cell.rows(args, place, place + 1)
        low, high = 0, len(args[0])
        while high - low > 1:
            middle = (low + high) // 2
            halves = [half for half in ((low, middle), (middle, high)) if fails(*half)]
            if not halves:
                break
            low, high = halves[0]
        return cell.rows(args, low, high)


def _samples(st: Any, subject: Subject, grid: Sequence[Cell]) -> Any:
    """Strategy of calls: calls known to fail, with fewer and fewer digits, else inputs of an audit."""
    for cell in grid:
        failing = subject.failing(cell)
        if failing:
            digits = st.sampled_from([*range(DIGITS), *[DIGITS] * DIGITS])  # few digits if they suffice
            return st.builds(_shortened, st.sampled_from(failing), digits)
    return st.one_of([_all_of(st, cell) for cell in grid])


def _all_of(st: Any, cell: Cell) -> Any:
    """Strategy of generated calls, and of single calls of an audit."""

    def sample(k: int) -> Sample:
        return Sample(cell, cell.rows(cell.arguments(), k, k + 1))

    tried = st.integers(0, len(cell.arguments()[0]) - 1).map(sample)
    target = CONVERSION.fullmatch(cell.name)
    item = cell.item
    if item is not None:
        drawn = of_row(item).map(lambda args: _as_given(item, args))
    elif target and target["type"] in CONVERTED and cell.type != "bool" and cell.name.startswith("convert"):
        kinds = [spelled_type(CALL, type).dtype for type in (cell.type, target["type"])]
        drawn = conversions(*kinds).map(lambda x: (np.asarray(x)[np.newaxis],))
    else:
        return tried
    return drawn.map(lambda args: Sample(cell, args)) | tried


def _as_given(item: Item, args: Columns) -> Columns:
    """Return one generated call for the function: first axes of one; arguments that all components share once."""
    shared = item.shared if item.vector > 1 else (False,) * len(args)
    return tuple(np.asarray(a[:1] if s else a)[np.newaxis] for a, s in zip(args, shared, strict=True))


def _shapes(results: object) -> list[tuple[int, ...]]:
    return [np.shape(r) for r in (results if isinstance(results, tuple) else (results,))]


def _kind(value: object) -> str:
    """Describe a returned value that is not an array."""
    return "None" if value is None else f"a {type(value).__name__} of Python, no array"


def _due(cell: Cell, args: Columns) -> str:
    """Text of the expected results of a call, with their bits if there are few."""
    wanted = _wanted(cell, args)
    if sum(w.size for w in wanted) > SHOWN * len(wanted):
        return f"want {', '.join(f'{w.dtype} of shape {w.shape}' for w in wanted)}"
    texts = [with_bits(w.reshape(-1)[0] if w.size == 1 else w.reshape(-1)) for w in wanted]
    return f"want {', '.join(texts)} ({', '.join(f'{w.dtype} of shape {w.shape}' for w in wanted)})"


def _wanted(cell: Cell, args: Columns) -> tuple[np.ndarray, ...]:
    """Return clmath's results of a call, or the memory after it; the reference's in a format that no edition has."""
    if cell.item is not None and not (cell.type in SCALARS and hasattr(clmath, cell.name)):
        return due(cell.item, args, cell.mode)
    function = getattr(clmath, cell.name)
    mode = {"rounding": cell.mode} if "rounding" in signature_of(function).parameters else {}
    with np.errstate(all="ignore"), select_rounding_mode(cell.mode):
        told: Any = cell.called(function, args, {**cell.keywords, **mode})
    return tuple(map(np.asarray, told if isinstance(told, tuple) else (told,)))


def _shortened(call: Sample, digits: int) -> Sample:
    """Return the calls with at most ``digits`` binary digits after the first one of every number."""
    return call if call.fact else call._replace(args=tuple(_cut(a, digits) for a in call.args))


def _cut(values: Any, digits: int) -> Any:
    form = format_of(values.dtype) if isinstance(values, np.ndarray) else None
    if form is None or digits >= form.precision - 1:
        return values
    mask = form.bits_dtype.type((1 << form.width) - (1 << form.precision - 1 - digits))
    short = form.from_bits(form.bits(values) & mask)
    return np.where(np.isnan(values), values, short)


def _complexity(args: Columns) -> tuple[bool, int, float]:
    """Sort key of simplicity: few numbers, short numbers, moderate magnitudes first."""
    digits, size = 0, 0.0
    for a in args:
        numbers = np.reshape(a, -1)
        form = format_of(numbers.dtype)
        if form is None:
            digits += sum(abs(int(n)).bit_length() for n in numbers)
            continue
        fractions = form.bits(numbers) & form.bits_dtype.type((1 << form.precision - 1) - 1)
        digits += sum(form.precision - 1 - (int(f) & -int(f)).bit_length() + 1 for f in fractions if f)
        with np.errstate(all="ignore"):
            size += float(np.abs(np.log2(np.abs(numbers.astype(np.float64)))).sum())
    return sum(map(np.size, args)) > MOST, digits, size
