"""Judge functions that are called once for each case, on known calls and on calls that Hypothesis generates."""

from __future__ import annotations

from dataclasses import dataclass, replace
from itertools import combinations
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath import errors
from clmath.testing.callers import is_raised_elsewhere
from clmath.testing.failures import share, with_bits, with_share
from clmath.testing.single_calls import KINDS, Call, Kind, has_bits
from clmath.testing.steadiness import mixed_up, same, unmoved
from clmath.testing.strategies.spans import checked_type

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from hypothesis.strategies import SearchStrategy

    from clmath.callables import AnyFunction
    from clmath.numbers.rounding import Rounding
    from clmath.testing.terms import Terms
    from clmath.testing.tested import Printer

__all__ = ["Single", "checked_single", "is_single"]

KEPT = 64  # calls that fail, handed to Hypothesis
STRIDE = 8  # between calls that are repeated, with elements in other orders and in other modes
NONE = np.empty(0)
FEW = 200  # numbers: a failure of more results says how many differ


def is_single(name: str) -> bool:
    """Whether functions of that name are called once for each case."""
    return name in KINDS


class Sample(NamedTuple):
    """A call that Hypothesis has generated, the mode of the function, and a fact that one call alone does not show."""

    name: str
    call: Call
    mode: Rounding
    fact: str = ""
    share: str = ""

    def __repr__(self) -> str:
        """The text that Hypothesis prints."""
        return self.call.text(self.name)

    def _repr_pretty_(self, printer: Printer, cycle: bool) -> None:  # noqa: ARG002 - the signature of IPython's protocol
        printer.text(repr(self))


@dataclass(frozen=True)
class Single:
    """The function under test, and its terms, one for each mode."""

    kind: Kind
    label: str
    terms: tuple[Terms, ...]
    takes_mode: bool

    @property
    def modes(self) -> list[Rounding]:
        """The modes in which the function is tested."""
        return [terms.rounding for terms in self.terms]

    def samples(self) -> SearchStrategy[Sample]:
        """Strategy of calls: known calls that fail, the shortest first, else any calls."""
        from hypothesis import strategies as st

        calls = [
            Sample(self.kind.name, call, mode)
            for number, known in enumerate(self.kind.known())
            for call in (known, *(rearranged(known) if number % STRIDE == 0 else ()))
            for mode in self.modes
        ]
        failing = [sample for sample in calls if self.said(sample)[0]]
        text = f"{self.kind.name}: {share(len(failing), len(calls), 'calls', 'fail')}"
        failing = [sample._replace(share=text) for sample in failing] or self._alike_in_modes(calls)
        if failing:
            return st.sampled_from(sorted(failing, key=lambda s: len(s.call.source()))[:KEPT])
        generated = st.builds(Sample, st.just(self.kind.name), self.kind.generated(), st.sampled_from(self.modes))
        return generated | st.sampled_from(calls)

    def _alike_in_modes(self, calls: Sequence[Sample]) -> list[Sample]:
        """Find a call with the same results in two modes, if no result follows the mode."""
        if not self.takes_mode or self.terms[0].exactly or not self.kind.rounds:
            return []
        some = calls[:: STRIDE * len(self.modes)]
        for modes in combinations(self.modes, 2):
            found = [self._pair(sample, modes) for sample in some]
            unmoving = unmoved(*map(np.concatenate, zip(*found, strict=True)))
            if unmoving is not None:
                ends = np.cumsum([one.size for one, *_ in found])
                return [self._same(some[int(np.searchsorted(ends, unmoving[1], "right"))], modes)]
        return []

    def _pair(self, sample: Sample, modes: Sequence[Rounding]) -> list[np.ndarray]:
        """Return the floating-point results of a call in two modes, and the correctly rounded ones."""
        samples = [sample._replace(mode=mode) for mode in modes]
        got = [self.kind.made(self.kind.function, self._asked(s)) for s in samples]
        results = (np.asarray(a) for a in (*got, *map(self._due, samples)))
        return [a.reshape(-1) if a.dtype.kind == "f" else NONE for a in results]

    def _same(self, sample: Sample, modes: Sequence[Rounding]) -> Sample:
        """Return the call with the fact that its results do not follow the mode."""
        samples = [sample._replace(mode=mode) for mode in modes]
        due = [_told(self._due(s)) for s in samples]
        replay = " ; ".join(self._replay(self._asked(s)).removeprefix("replay: ") for s in samples)
        return sample._replace(fact=f"{same(f'{sample}: {self.label}', modes, due)}\nreplay: {replay}")

    def check(self, sample: Sample) -> None:
        """Raise AssertionError if the result of a call is wrong."""
        __tracebackhide__ = True
        said, cause = (sample.fact, None) if sample.fact else self.said(sample)
        if said:
            raise AssertionError(with_share(said, sample.share)) from cause

    def said(self, sample: Sample) -> tuple[str, Exception | None]:
        """Return the message of a failed call (empty if it is right), and the exception that the function raised."""
        asked = self._asked(sample)
        try:
            with np.errstate(all="ignore"):
                got = self.kind.made(self.kind.function, asked)
        except Exception as error:  # noqa: BLE001 - any exception is the function's failure
            cause = error if is_raised_elsewhere(error) else None
            return f"{sample}: {self.label} raises {type(error).__name__}: {error}\n{self._replay(asked)}", cause
        terms = replace(self.terms[0], rounding=sample.mode)
        if has_bits(got, self._due(sample)) if terms.exactly else self.kind.right(sample.call, got, terms):
            return "", None
        want = _told(self._due(sample))
        return f"{sample}: {self.label} gives {_told(got)}, want {want}, {sample.mode}\n{self._replay(asked)}", None

    def _asked(self, sample: Sample) -> Call:
        return sample.call.in_mode(sample.mode if self.takes_mode else None)

    def _due(self, sample: Sample) -> object:
        """Return the result of clmath's own function for the call."""
        return self.kind.made(self.kind.own, sample.call.in_mode(sample.mode if self.kind.rounds else None))

    def _replay(self, asked: Call) -> str:
        imports = "import clmath; " * ("clmath." in asked.source()) + "import numpy as np; "
        return f"replay: {imports}{asked.source(self.label)}"


def rearranged(call: Call) -> Iterator[Call]:
    """Yield the call with the elements of its arrays in other orders, which keep the ends, if they are long enough."""
    for number in range(2):
        args = tuple(_in_order(a, number) if isinstance(a, np.ndarray) else a for a in call.args)
        if any(a is not b for a, b in zip(args, call.args, strict=True)):
            yield call._replace(args=args)


def _in_order(values: np.ndarray, number: int) -> np.ndarray:
    """Return the elements of the longest axis in the order of that number."""
    axis = int(np.argmax(values.shape))
    orders = mixed_up(values.shape[axis])
    return values.take(orders[number], axis) if orders else values


def checked_single(  # noqa: PLR0917 - a test, and terms that make no sense
    call: str, name: str, types: Sequence[object] | None, function: AnyFunction, limit: float | None, flushes: bool
) -> Kind:
    """Return the function with its calls; an error for terms that make no sense."""
    known = KINDS[name].every
    chosen = known if types is None else tuple(checked_type(call, type, known, "types") for type in types)
    if limit is not None:
        raise errors.RangeError(
            f"{call}: what {name} gives has no error in ulp, no limit goes with it; leave limit out"
        )
    if flushes:
        raise errors.RangeError(f"{call}: {name} keeps the bits that it is given, and flushes none; leave flushes out")
    return KINDS[name](name, chosen, function)


def _told(value: object) -> str:
    """Text of a result; for memory or many numbers only their count."""
    if isinstance(value, tuple):
        return " and ".join(map(_told, value))
    if isinstance(value, str):
        return repr(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        return f"a {type(value).__name__} of Python"
    if value.size > FEW:
        return f"{value.dtype} of shape {value.shape}"
    return f"{with_bits(np.asarray(value).reshape(-1))}" if np.ndim(value) else with_bits(value)
