"""A test of any function against its reference: the inputs, the judging, and the text of a failure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

from clmath import errors
from clmath.audit.targets.layouts import by_layout
from clmath.numbers.formats import KNOWN
from clmath.numbers.rounding import Enclosure, round_enclosure, ulp_errors
from clmath.testing.callers import TEST, ChangedError, on_copies
from clmath.testing.failures import SHOWN, called, complexity, imports_of, share, source_of, with_bits
from clmath.testing.steadiness import in_layouts, places_of
from clmath.testing.strategies.domains import Reference, columns, domains_of, rows_of_vectors, stacked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from clmath.callables import AnyFunction
    from clmath.numbers.formats import Format
    from clmath.testing.strategies.domains import Domain
    from clmath.typing import Type

Array: TypeAlias = "np.ndarray"
Arrays: TypeAlias = "tuple[Array, ...]"
_SIGNATURES = {"": 0, "(n)->()": 1, "(n)->(n)": 2}  # their numbers in OfReference


class Bounds(NamedTuple):
    """The largest errors that pass: in ulp, absolute, or relative to the exact value; one that holds suffices."""

    ulp: float | None = None
    absolute: float | None = None
    relative: float | None = None
    correctly_rounded: bool = False

    @classmethod
    def checked(cls, limit: float | None, absolute: float | None, relative: float | None, *, exactly: bool) -> Bounds:
        """Return the requested bounds; RangeError without any, or for correct rounding with another bound."""
        bounds = cls(limit, absolute, relative, exactly)
        given = [f"{name}={value}" for name, value in bounds._asdict().items() if value not in (None, False)]
        if not given:
            raise errors.RangeError(f"{TEST}: reference= needs a bound: give limit=4 (ulp), or correctly_rounded=True")
        if exactly and len(given) > 1:
            raise errors.RangeError(f"{TEST}: {' and '.join(given)} are asked: leave out one of them")
        return bounds

    def __str__(self) -> str:
        if self.correctly_rounded:
            return "correctly rounded"
        texts = ((self.ulp, "ulp"), (self.absolute, "absolute"), (self.relative, "relative"))
        return " or ".join(f"{value:g} {unit}" for value, unit in texts if value is not None)

    def failing(self, got: Array, exact: Enclosure, form: Format) -> tuple[Array, Array]:
        """Return a mask of the results that fail, and their errors in ulp."""
        errors_in_ulp = ulp_errors(got, exact, form)
        if self.correctly_rounded:
            wanted = round_enclosure(exact, form, "rte")[0]
            is_same = (got == wanted) | (np.isnan(got) & np.isnan(wanted))
            return ~is_same, errors_in_ulp
        with np.errstate(all="ignore"):
            value = np.ldexp(exact.hi, exact.exponent)
            size = np.abs((got.astype(np.float64) - value) - np.ldexp(exact.lo, exact.exponent))
            size = np.where(errors_in_ulp == 0.0, 0.0, size)
            passes = np.zeros(got.shape, np.bool_)
            for bound, error in (
                (self.ulp, np.abs(errors_in_ulp)),
                (self.absolute, size),
                (self.relative, size / np.abs(value)),
            ):
                passes |= bound is not None and error <= bound
        return ~passes, errors_in_ulp


class Outcome(NamedTuple):
    """The outcome of a test: the number of inputs, the worst error in ulp with its call, and the text of a failure."""

    judged: int = 0
    worst: float = 0.0
    call: str = ""
    failure: str = ""


@dataclass(frozen=True)
class OfReference:
    """The function under test in one format, with its reference and its bounds.

    ``vectors``: 1 if it takes vectors on the last axis and returns one number, 2 if it returns vectors, else 0.
    ``call``: the name of the assertion, for messages; ``module``: imported by a line that replays a failure, after
    NumPy.
    """

    function: AnyFunction
    reference: Reference
    domains: tuple[Domain, ...]
    bounds: Bounds
    label: str
    vectors: int = 0
    call: str = TEST
    module: str = ""

    @property
    def form(self) -> Format:
        """The format of arguments and results."""
        return self.reference.form

    def check(self) -> Outcome:
        """Return the number of inputs, and the worst error; AssertionError at the simplest call beyond the bounds."""
        __tracebackhide__ = True
        found = Outcome()
        for given in self._arguments():
            known = _Known.of(self.reference, given, self._outputs(given))
            if len(known.args[0]):
                size = np.nan_to_num(np.abs(self._judged(known, self._results(known.args))))
                place = int(np.argmax(size))
                if not found.call or size[place] > found.worst:
                    call = self._call(known.args, place // self._outputs(given))
                    found = found._replace(worst=float(size[place]), call=call)
                found = found._replace(judged=found.judged + len(known.args[0]))
                self._judge_again(known)
        if not found.judged:
            raise errors.RangeError(
                f"{self.call}: nothing can be judged: domain={self.domains} has no number of {self.form}, or the "
                "reference raises for all of them; give a domain in which it has values"
            )
        return found

    def outcome(self) -> Outcome:
        """Return the outcome of ``check``, with the failure in it."""
        try:
            return self.check()
        except AssertionError as error:
            return Outcome(failure=str(error))

    def _arguments(self) -> Iterator[Arrays]:
        if self.vectors:
            for rows in rows_of_vectors(self.domains[0], self.form):
                yield (rows,)
        else:
            yield columns(self.reference.function, self.domains, self.form)

    def _outputs(self, args: Arrays) -> int:
        """Return the number of results of one call."""
        return args[0].shape[-1] if self.vectors == 2 else 1

    def _results(self, args: Arrays) -> object:
        """Return the function's results; AssertionError if it raises, or writes into its arguments."""
        __tracebackhide__ = True
        try:
            return on_copies(self.function, args)[0]
        except ChangedError as error:
            raise AssertionError(f"{self.label} {error}") from None
        except Exception as error:
            place = next((k for k in range(len(args[0])) if self._raises(args, k)), 0)
            said = f"{self._call(args, place)}: {self.label} raises {type(error).__name__}: {error}"
            raise AssertionError(f"{said}\n{self._replay(args, place)}") from error

    def _raises(self, args: Arrays, place: int) -> bool:
        try:
            on_copies(self.function, [a[place : place + 1] for a in args])
        except Exception:  # noqa: BLE001 - any exception is a failure
            return True
        return False

    def _judged(self, known: _Known, found: object, said: Callable[[str], str] = str) -> Array:
        """Return the errors in ulp; AssertionError if results are not within the bounds; ``said`` adds to its text."""
        __tracebackhide__ = True
        args = known.args
        shape = args[0].shape if self.vectors != 1 else args[0].shape[:1]
        got = np.asarray(found)
        if not hasattr(found, "dtype") or got.dtype != self.form.dtype or got.shape != shape:
            what = f"{got.dtype} of shape {got.shape}" if hasattr(found, "dtype") else f"a {type(found).__name__}"
            raise AssertionError(said(f"{self.label}: expected {self.form.dtype} of shape {shape}, got {what}"))
        fails, off = self.bounds.failing(got.reshape(-1), known.exact, self.form)
        if fails.any():
            raise AssertionError(said(self._text(known, got.reshape(-1), fails, off)))
        return off

    def _judge_again(self, known: _Known) -> None:
        """Judge calls in other orders and numbers, and arguments of other memory layouts or shapes."""
        __tracebackhide__ = True
        count = len(known.args[0])
        for places in [*places_of(count), *(np.arange(k % count, k % count + 1) for k in (0, count // 3))]:
            some = known.picked(places)
            self._judged(some, self._results(some.args))
        for layout, places, found, error in in_layouts(self.function, known.args, {}, vectors=self.vectors > 0):
            some = known.picked(places)
            if error is not None:
                said = f"{self._call(some.args, 0)}: {self.label} raises {type(error).__name__}: {error}"
                raise AssertionError(by_layout(said, layout)) from error
            self._judged(some, found, lambda text: by_layout(text, layout))  # noqa: B023 - called here

    def _text(self, known: _Known, got: Array, fails: Array, off: Array) -> str:
        """Message of the failures, the simplest first, with the share that fails and a line that replays the first."""
        args, width = known.args, self._outputs(known.args)
        places = sorted(np.flatnonzero(fails).tolist(), key=lambda k: complexity([a[k // width] for a in args]))
        lines = []
        for k in places[:SHOWN]:
            output = f"[{k % width}]" * (width > 1)
            want = round_enclosure(known.exact.elements(np.array([k])), self.form, "rte")[0][0]
            call = self._call(args, k // width, output)
            lines.append(f"{call}: got {with_bits(got[k])}, want {with_bits(want)} ({off[k]:+.4g} ulp)")
        worst = float(np.nanmax(np.abs(off[fails]), initial=0.0))
        count = share(int(fails.sum()), len(got), "results", "fail")
        lines = [*dict.fromkeys(lines), f"{count}, by up to {worst:.4g} ulp", f"limit: {self.bounds}"]
        return "\n".join([*lines, self._replay(args, places[0] // width)])

    def _call(self, args: Arrays, place: int, output: str = "") -> str:
        return called(self.label, [a[place] for a in args], output)

    def _replay(self, args: Arrays, place: int) -> str:
        given = ", ".join(source_of(a[place : place + 1]) for a in args)
        imported = f"import {self.module}; " * bool(self.module)
        return f"replay: {imports_of(args)}{imported}print({self.label}({given}))"


class _Known(NamedTuple):
    """Calls and their exact results, ``each`` for one call."""

    args: Arrays
    exact: Enclosure
    each: int

    @classmethod
    def of(cls, reference: Reference, args: Arrays, each: int) -> _Known:
        """Return the calls for which the reference has values; ShapeError if it has not ``each`` of them for a call."""
        values = [reference.values(row) for row in zip(*args, strict=True)]
        other = next((len(one) for one in values if len(one) not in {0, each}), each)
        if other != each:
            raise errors.ShapeError(f"the reference returned {other} numbers for one call, and {each} are expected")
        has_value = np.array([len(one) > 0 for one in values], np.bool_)
        flat = [value for one in values for value in one]
        return cls(tuple(a[has_value] for a in args), stacked(flat), len(flat) // max(int(has_value.sum()), 1))

    def picked(self, places: Array) -> _Known:
        """Return the calls at ``places``."""
        wanted = (places[:, np.newaxis] * self.each + np.arange(self.each)).reshape(-1)
        return _Known(tuple(a[places] for a in self.args), self.exact.elements(wanted), self.each)


def of_reference(  # noqa: PLR0917 - a function and its test's terms
    function: AnyFunction,
    reference: AnyFunction,
    domain: object,
    types: Sequence[Type | str] | None,
    bounds: Bounds,
    vectors: str,
    label: str,
    call: str = TEST,
    module: str = "",
) -> list[OfReference]:
    """Return the tests of a function, one for each format, by default for double."""
    if not callable(reference):
        raise errors.DTypeError(
            f"{call}: reference={reference!r} cannot be called; give a function of mpmath's numbers"
        )
    if vectors not in _SIGNATURES:
        raise errors.not_one_of(call, "signature", vectors, list(_SIGNATURES))
    number = _SIGNATURES[vectors]
    found = []
    for form in forms_of(call, types):
        exact = Reference(reference, form, bounds.correctly_rounded, vectors=number > 0)
        domains = domains_of(call, reference, domain, form)
        found.append(OfReference(function, exact, domains, bounds, label, number, call, module))
    return found


def forms_of(call: str, types: Sequence[Type | str] | None) -> list[Format]:
    """The formats under test; UnknownNameError for an unknown type."""
    known = {name: form for form in KNOWN for name in (form.name, form.storage.rpartition(".")[2])}
    names = ["double"] if types is None else [t if isinstance(t, str) else np.dtype(t).name for t in types]
    for name in names:
        if name not in known:
            raise errors.not_one_of(call, "types", name, [form.name for form in KNOWN])
    return [known[name] for name in names]
