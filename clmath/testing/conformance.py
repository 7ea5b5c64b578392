"""A property-based test for somebody's implementation of a built-in, on the inputs that an audit tries."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.narrow import narrowed
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import format_of
from clmath.numbers.guard import refuse_altered_arithmetic
from clmath.testing.bit_inputs import CONVERSION
from clmath.testing.cells import Cell, Columns, cells
from clmath.testing.failures import Asked
from clmath.testing.memory_calls import memory_call
from clmath.testing.strategies import arguments, conversions
from clmath.testing.terms import Terms, bit_failures, conforming, correctly_rounded, misrounded_bits, refuse_formula
from clmath.testing.trials import Trial

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Sequence

    from clmath.audit.plan import Profile
    from clmath.numbers.rounding import Rounding
    from clmath.spec.editions import Edition

__all__ = ["Subject", "conformance_test"]

CALL = "conformance_test()"
DIGITS = 52  # behind the first one of a double
KEPT = 64  # inputs that fail, handed to Hypothesis, which finds the simplest


def conformance_test(
    function: Callable[..., Any],
    name: str,
    *,
    types: Iterable[Any] | None = None,
    modes: Iterable[Rounding] | None = None,
    edition: Edition = "opencl-c++-1.0",
    profile: Profile = "full",
    flushes: bool = False,
    build_options: str = "",
    correctly_rounded: bool = False,
    settings: Any = None,
) -> Callable[[], None]:
    """A test, to be run by pytest or called, that ``function`` is a conforming implementation of the built-in ``name``.

    ``function`` takes arrays of one axis (two where the built-in takes vectors, their lanes on the last one) and
    returns what ``clmath``'s does: an array, or a tuple of several. It is given the inputs that ``clmath audit`` tries
    first: prescribed results, limits' borders, hard cases, special values in every combination, random ones. Hypothesis
    then draws more, and where inputs fail it looks for the simplest that does: a failure is of a single call.

    ``name``: a built-in of any chapter, or a spelled conversion, load or store such as "convert_half" and "vstore4";
    offsets of loads and stores are arrays, too, and what a store leaves in ``p`` is judged. ``types``: those of
    gentype, of the operand of a conversion, of what is loaded or stored; None: all. ``modes``: what the keyword
    ``rounding`` of the function takes, rte rtz rtp or rtn; None: it has none and rounds to nearest even.
    ``correctly_rounded``: nothing but the correctly rounded result passes, whatever the specification allows. The
    others as in ``assert_conforms``. ``settings``: ``hypothesis.settings``, by default without a deadline.

    UnknownNameError, RoundingError for what is not known; RangeError where ``correctly_rounded`` is asked of a
    formula; MissingDependencyError where Hypothesis is not installed.

    >>> test_sqrt = conformance_test(np.sqrt, "sqrt", types=["float"])
    >>> test_sqrt()
    >>> def cut(x):
    ...     return np.where(np.abs(x) < 2.0**-126, np.float32(0), x)
    >>> conformance_test(cut, "fabs", types=["float"])()  # doctest: +ELLIPSIS
    Traceback (most recent call last):
    AssertionError: fabs(...
    """
    refuse_altered_arithmetic(CALL)
    try:
        from hypothesis import given
        from hypothesis import settings as settings_of
        from hypothesis import strategies as st
    except ImportError:
        raise errors.missing(CALL, "hypothesis", "test") from None
    _check(function, name, settings, settings_of)
    types, chosen = _several("types", types, "float"), _several("modes", modes, "rte")
    terms = [Terms(edition, profile, mode, flushes, build_options).checked(CALL) for mode in chosen or ("rte",)]
    grid = cells(CALL, name, types, [t.rounding for t in terms])
    if correctly_rounded and any(cell.measured for cell in grid):
        refuse_formula(CALL, name)
    subject = Subject(function, terms[0], chosen is not None, correctly_rounded)
    samples = st.deferred(lambda: _samples(st, subject, grid))

    def test(sample: Sample) -> None:
        __tracebackhide__ = True
        subject.check(sample.cell, sample.args)

    test.__name__ = test.__qualname__ = f"test_{subject.label}_as_{name}"
    test.__doc__ = f"{subject.label} conforms to what is asked of {name}."
    found: Callable[[], None] = (settings or settings_of(deadline=None))(given(samples)(test))
    found.subject = subject  # type: ignore[attr-defined]
    return found


def _check(function: Any, name: Any, settings: Any, settings_of: Any) -> None:
    """DTypeError where an argument is not what it has to be."""
    if not callable(function):
        raise errors.DTypeError(f"{CALL}: function={function!r} cannot be called; give the function itself")
    if not isinstance(name, str):
        raise errors.DTypeError(f"{CALL}: name={name!r} is no text; give the name of a built-in, such as 'sqrt'")
    if settings is not None and not isinstance(settings, settings_of):
        raise errors.DTypeError(f"{CALL}: settings={settings!r} is no hypothesis.settings")


def _several(keyword: str, values: Any, example: str) -> tuple[Any, ...] | None:
    """The values of a keyword that takes several; DTypeError for a single one, RangeError for none."""
    if values is None:
        return None
    if isinstance(values, (str, type)) or not hasattr(values, "__iter__"):
        raise errors.DTypeError(f"{CALL}: {keyword}={values!r} is no list; give one, such as {keyword}=[{example!r}]")
    several = tuple(values)
    if not several:
        raise errors.RangeError(f"{CALL}: {keyword} is empty, so that nothing would be tested; leave it out for all")
    return several


@dataclass(frozen=True)
class Sample:
    """One call that Hypothesis has drawn."""

    cell: Cell
    args: Columns

    def __repr__(self) -> str:
        """As Hypothesis prints it; the assertion has the bits."""
        return f"<{self.cell}: {', '.join(map(str, self.args))}>"


@dataclass
class Subject:
    """The function that is tested, on what terms, and the worst error that was found in each cell, with its limit."""

    function: Callable[..., Any]
    terms: Terms
    takes_mode: bool = False
    correctly_rounded: bool = False
    worst: dict[Cell, tuple[float, str]] = field(default_factory=dict)

    @property
    def label(self) -> str:
        """What the function calls itself, where that is a name."""
        name = getattr(self.function, "__name__", "f")
        return name if isinstance(name, str) and name.isidentifier() else "f"

    def results(self, cell: Cell, args: Columns) -> Any:
        """What the function gives for copies of ``args``."""
        keywords = {"rounding": cell.mode} if self.takes_mode else {}
        with np.errstate(all="ignore"):
            return cell.called(self.function, args, keywords)

    def check(self, cell: Cell, args: Columns) -> None:
        """AssertionError where the results for ``args`` do not conform."""
        __tracebackhide__ = True
        terms = replace(self.terms, rounding=cell.mode)
        called_with = f", rounding={cell.mode!r}" if self.takes_mode else ""
        if self.correctly_rounded:
            options = Terms(rounding=cell.mode).options
            asked = Asked("assert_correctly_rounded", cell.name, options, "", self.label, called_with)
            correctly_rounded(CALL, self.results(cell, args), args, cell.mode, asked)
        else:
            asked = Asked("assert_conforms", cell.name, terms.options, "", self.label, called_with)
            conforming(CALL, self.results(cell, args), args, terms, asked)

    def fails(self, cell: Cell, args: Columns) -> bool:
        """Whether the function raises on ``args``, or gives what does not conform."""
        try:
            self.check(cell, args)
        except Exception:  # noqa: BLE001 - whatever it raises is found again by Hypothesis, and shown
            return True
        return False

    def failing(self, cell: Cell) -> list[Columns]:
        """Calls that fail among the inputs of an audit, the simplest first: at most ``KEPT``."""
        args = cell.arguments()
        try:
            rows = self._failing_rows(cell, args, self.results(cell, args))
        except Exception:  # noqa: BLE001 - as above
            rows = None
        if rows == []:
            return []
        alone = [one for k in rows or () for one in cell.alone(args, k) if self.fails(cell, one)]
        return sorted(alone, key=_complexity) or [self._smallest(cell, args)]

    def _failing_rows(self, cell: Cell, args: Columns, results: Any) -> list[int]:
        if not cell.measured:
            judged = misrounded_bits if self.correctly_rounded else bit_failures
            terms = replace(self.terms, rounding=cell.mode)
            found, *_ = judged(CALL, cell.name, results, args, terms, KEPT)
            return list(dict.fromkeys(f.index[0] for f in found))
        trial = Trial.of(CALL, cell.name, args, results)
        law = replace(self.terms, rounding=cell.mode).law
        tally = trial.tally(law)
        if tally.worst:
            self.worst[cell] = (tally.worst.error, law.limit(trial.item).text)
        if self.correctly_rounded:
            failures, _ = trial.misrounded(cell.mode, KEPT)
            return list(dict.fromkeys(f.index[0] for f in failures))
        return trial.worst_rows(law, KEPT) if tally.failed else []

    def _smallest(self, cell: Cell, args: Columns) -> Columns:
        """Neighbouring calls that fail together and not alone, or the one that makes the function raise."""

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
    """What Hypothesis draws: calls that are known to fail, with fewer and fewer digits, else inputs of an audit."""
    for cell in grid:
        failing = subject.failing(cell)
        if failing:
            digits = st.sampled_from([*range(DIGITS), *[DIGITS] * DIGITS])  # few digits where they suffice
            shortened = st.builds(_shortened, st.sampled_from(failing), digits)
            return st.builds(Sample, st.just(cell), shortened)
    return st.one_of([_all_of(st, cell) for cell in grid])


def _all_of(st: Any, cell: Cell) -> Any:
    """Calls that strategies draw, and single ones of an audit."""

    def sample(k: int) -> Sample:
        return Sample(cell, cell.rows(cell.arguments(), k, k + 1))

    tried = st.integers(0, len(cell.arguments()[0]) - 1).map(sample)
    target = CONVERSION.fullmatch(cell.name)
    if memory_call(cell.name) is not None:
        return tried
    if target is None:
        calls = arguments(cell.name, cell.type)
    elif target["type"] in SCALARS and cell.type != "bool" and cell.name.startswith("convert"):
        calls = conversions(cell.type, target["type"]).map(lambda x: (x,))
    else:
        return tried
    return calls.map(lambda args: Sample(cell, tuple(np.asarray(a)[np.newaxis] for a in args))) | tried


def _shortened(args: Columns, digits: int) -> Columns:
    """The same calls with no more than ``digits`` binary digits behind the first one of every number."""
    return tuple(_cut(a, digits) for a in args)


def _cut(values: Any, digits: int) -> Any:
    form = format_of(values.dtype) if isinstance(values, np.ndarray) else None
    if form is None or digits >= form.precision - 1:
        return values
    mask = form.bits_dtype.type((1 << form.width) - (1 << form.precision - 1 - digits))
    short = form.from_bits(form.bits(values) & mask)
    return np.where(np.isnan(values), values, short)


def _complexity(args: Columns) -> tuple[int, float]:
    """Short numbers of ordinary size are simple."""
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
    return digits, size
