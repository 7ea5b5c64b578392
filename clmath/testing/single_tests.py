"""Judges functions that are called once for each case: what fails among known calls, and what Hypothesis draws."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath import errors
from clmath.testing.callers import is_raised_elsewhere
from clmath.testing.failures import with_bits
from clmath.testing.single_calls import KINDS, Call, Kind

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.numbers.rounding import Rounding
    from clmath.testing.terms import Terms

__all__ = ["Single", "checked_single", "is_single"]

KEPT = 64  # calls that fail, handed to Hypothesis
FEW = 200  # numbers: of more than so many results a failure says how many differ


def is_single(name: str) -> bool:
    """Whether functions of that name are called once for each case."""
    return name in KINDS


class Sample(NamedTuple):
    """A call that Hypothesis has drawn, and the mode that the function is told."""

    name: str
    call: Call
    mode: Rounding

    def __repr__(self) -> str:
        """As Hypothesis prints it."""
        return self.call.text(self.name)

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:  # noqa: ARG002 - the signature of IPython's protocol
        printer.text(repr(self))


@dataclass(frozen=True)
class Single:
    """The function that is tested, and on what terms; ``exactly``: nothing but what clmath gives is right."""

    function: Callable[..., Any]
    name: str
    label: str
    types: tuple[str, ...]
    modes: tuple[Rounding, ...]
    terms: Terms
    takes_mode: bool
    exactly: bool

    @property
    def kind(self) -> Kind:
        """What is called, and what is right."""
        return KINDS[self.name]

    def samples(self, st: Any) -> Any:
        """What Hypothesis draws: known calls that fail, the shortest first, else any calls."""
        calls = [
            Sample(self.name, call, mode) for call in self.kind.known(self.types, self.function) for mode in self.modes
        ]
        failing = []
        for sample in calls:
            if self.said(sample)[0]:
                failing.append(sample)
                if len(failing) == KEPT:
                    break
        if failing:
            return st.sampled_from(sorted(failing, key=lambda s: len(s.call.source(""))))
        drawn = st.builds(
            lambda call, mode: Sample(self.name, call, mode),
            self.kind.drawn(self.types, self.function),
            st.sampled_from(self.modes),
        )
        return drawn | st.sampled_from(calls)

    def check(self, sample: Sample) -> None:
        """AssertionError where what comes of a call is not right."""
        __tracebackhide__ = True
        said, cause = self.said(sample)
        if said:
            raise AssertionError(said) from cause

    def said(self, sample: Sample) -> tuple[str, Exception | None]:
        """What is wrong with a call, nothing where it is right; and what the function raised."""
        asked = self._asked(sample)
        try:
            with np.errstate(all="ignore"):
                got = self.kind.made(self.function, asked)
        except Exception as error:  # noqa: BLE001 - whatever it raises is its failure
            cause = error if is_raised_elsewhere(error) else None
            return f"{sample}: {self.label} raises {type(error).__name__}: {error}\n{self._replay(asked)}", cause
        terms = replace(self.terms, rounding=sample.mode)
        is_right = _alike(got, self._due(sample)) if self.exactly else self.kind.right(sample.call, got, terms)
        return ("" if is_right else self._wrong(sample, asked, got)), None

    def _asked(self, sample: Sample) -> Call:
        told = {"rounding": sample.mode} if self.takes_mode else {}
        return sample.call._replace(keywords={**sample.call.keywords, **told})

    def _due(self, sample: Sample) -> Any:
        """What clmath's own function makes of the call."""
        told = {"rounding": sample.mode} if self.kind.rounds else {}
        call = sample.call._replace(keywords={**sample.call.keywords, **told})
        return self.kind.made(self.kind.own, call)

    def _wrong(self, sample: Sample, asked: Call, got: Any) -> str:
        due = self._due(sample)
        return f"{sample}: {self.label} gives {_told(got)}, want {_told(due)}, {sample.mode}\n{self._replay(asked)}"

    def _replay(self, asked: Call) -> str:
        imports = "import clmath; " * ("clmath." in asked.source("")) + "import numpy as np; "
        return f"replay: {imports}{asked.source(self.label)}"


def checked_single(
    call: str, name: str, types: Sequence[Any] | None, *, limit: float | None, flushes: bool
) -> tuple[str, ...]:
    """The types that are tested; an error where something is asked that makes no sense."""
    known = KINDS[name].types
    chosen = known if types is None else tuple(str(np.dtype(t) if isinstance(t, type) else t) for t in types)
    for one in chosen:
        if one not in known:
            raise errors.not_one_of(call, "types", one, known)
    if limit is not None:
        raise errors.RangeError(
            f"{call}: what {name} gives has no error in ulp, no limit goes with it; leave limit out"
        )
    if flushes:
        raise errors.RangeError(f"{call}: {name} keeps the bits that it is given, and flushes none; leave flushes out")
    return chosen


def _alike(got: Any, due: Any) -> bool:
    if isinstance(due, tuple):
        return all(map(_alike, got, due))
    if isinstance(due, str):
        return bool(got == due)
    return bool(
        np.shape(got) == np.shape(due) and getattr(got, "dtype", None) == due.dtype and got.tobytes() == due.tobytes()
    )


def _told(value: Any) -> str:
    """A result in words; of memory or many numbers no more than their count."""
    if isinstance(value, tuple):
        return " and ".join(map(_told, value))
    if isinstance(value, str):
        return repr(value)
    if not isinstance(value, (np.ndarray, np.generic)):
        return f"a {type(value).__name__} of Python"
    if value.size > FEW:
        return f"{value.dtype} of shape {value.shape}"
    return f"{with_bits(np.asarray(value).reshape(-1))}" if np.ndim(value) else with_bits(value)
