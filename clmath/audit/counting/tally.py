"""The tally of judged inputs, an immutable sum that may be taken in any order; and the verdict drawn from it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Literal, NamedTuple, TypeAlias

from clmath.audit.counting.spread import Spread
from clmath.audit.plan.types import form_of

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format

__all__ = [
    "BEYOND",
    "JUDGEMENTS",
    "KEPT",
    "Elsewhere",
    "Example",
    "Otherwise",
    "Status",
    "Tally",
    "Verdict",
    "off_text",
    "ulps_text",
    "value_text",
]

BEYOND = "not within the limit: "  # prefix of the reasons of failures that are errors in ulp
KEPT = 4  # failures kept for each reason; all are counted
Status: TypeAlias = Literal["pass", "fail", "not judged", "missing"]
JUDGEMENTS = ("pass", "fail", "not judged")  # what an audit may say of a row; one that it did not come to is missing


@dataclass(frozen=True)
class Example:
    """One input and what came of it: encodings as unsigned integers, int values as they are.

    ``index`` is the input's place among the row's inputs, ``args`` one entry per argument (lane by lane for vectors),
    ``output`` the result concerned (its lane, for a vector result) and ``got``, ``expected`` its value; ``expected``
    is the exact value correctly rounded in the device's mode. ``exact`` holds hi, lo and exponent of the exact value
    (hi + lo) x 2^exponent, or None for an int result. ``error`` is signed, in ulp. ``reason`` is empty where nothing
    is wrong with it. ``vector``: the arguments of all calls that the subject was given in one vector, in its lane
    ``index`` modulo its width those of this one.
    """

    index: int
    args: tuple[int, ...]
    output: int
    got: int
    expected: int
    exact: tuple[float, float, int] | None
    error: float
    reason: str = ""
    vector: tuple[tuple[int, ...], ...] = ()

    @property
    def place(self) -> tuple[int, int]:
        """Where the example stands in the row."""
        return (self.index, self.output)


class Otherwise(NamedTuple):
    """What an edition of the specification that asks something else says of the same inputs."""

    edition: str
    unjudged: int
    failed: int


@dataclass(frozen=True)
class Tally:
    """Counts, worst error and examples of some inputs of one row; ``+`` is associative and commutative.

    ``tried`` counts inputs, ``unjudged`` those of whose results neither a limit nor an edge says anything, ``flushed``
    those that only the allowances of 4.5.3 let pass, ``failed`` those that fail, each once; ``reasons`` counts the
    failures by reason, in the order of the text. ``worst`` has the largest |error| among inputs that are judged and
    not flushed; ``failures`` are the first ``KEPT`` of every reason. ``others``: the counts by other editions of the
    specification, by their names. ``spread``: how far the results of the inputs that may be the worst are from the
    correctly rounded ones.
    """

    tried: int = 0
    unjudged: int = 0
    flushed: int = 0
    failed: int = 0
    reasons: tuple[tuple[str, int], ...] = ()
    worst: Example | None = None
    failures: tuple[Example, ...] = ()
    others: tuple[Otherwise, ...] = ()
    spread: Spread = Spread()  # noqa: RUF009 - immutable

    @property
    def judged(self) -> int:
        """How many inputs had a result that a limit or an edge has a say in."""
        return self.tried - self.unjudged

    def times(self, count: int) -> Tally:
        """That of ``count`` inputs of each of which this is the tally, without examples."""
        return Tally(
            tried=count * self.tried,
            unjudged=count * self.unjudged,
            flushed=count * self.flushed,
            failed=count * self.failed,
            reasons=tuple((reason, count * number) for reason, number in self.reasons),
            others=tuple(Otherwise(o.edition, count * o.unjudged, count * o.failed) for o in self.others),
            spread=replace(self.spread, counts=tuple((name, count * number) for name, number in self.spread.counts)),
        )

    def without_regions(self) -> Tally:
        """The same without errors by region."""
        return replace(self, spread=replace(self.spread, regions=()))

    def __add__(self, other: Tally) -> Tally:
        counts = dict(self.reasons)
        for reason, count in other.reasons:
            counts[reason] = counts.get(reason, 0) + count
        return Tally(
            self.tried + other.tried,
            self.unjudged + other.unjudged,
            self.flushed + other.flushed,
            self.failed + other.failed,
            tuple(sorted(counts.items())),
            _worse(self.worst, other.worst),
            _first((*self.failures, *other.failures)),
            _together((*self.others, *other.others)),
            self.spread + other.spread,
        )


def _together(others: tuple[Otherwise, ...]) -> tuple[Otherwise, ...]:
    """One entry for each edition, with the sums of its counts."""
    found: dict[str, Otherwise] = {}
    for edition, unjudged, failed in others:
        before = found.get(edition, Otherwise(edition, 0, 0))
        found[edition] = Otherwise(edition, before.unjudged + unjudged, before.failed + failed)
    return tuple(found[edition] for edition in sorted(found))


def _worse(one: Example | None, other: Example | None) -> Example | None:
    """The example of the larger |error|; the earlier one of equals."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda e: (-abs(e.error), e.place))


def _first(examples: tuple[Example, ...]) -> tuple[Example, ...]:
    """The first ``KEPT`` examples of every reason, in the order of the inputs."""
    kept: list[Example] = []
    seen: dict[str, int] = {}
    for example in sorted(examples, key=lambda e: (e.place, e.reason)):
        seen[example.reason] = seen.get(example.reason, 0) + 1
        if seen[example.reason] <= KEPT:
            kept.append(example)
    return tuple(kept)


class Elsewhere(NamedTuple):
    """The verdict on a row by another edition of the specification, on the same inputs, and its limit."""

    edition: str
    status: Status
    limit: str
    source: str


@dataclass(frozen=True)
class Verdict:
    """What an audit says about one built-in in one format (and vector width).

    ``limit`` and ``source`` are the specification's words and where they stand; ``reason`` says why the status is
    'fail' (the most frequent reason) or 'not judged' (a build log, say); ``notes`` are remarks for the reader.
    A row that a report should have and has not is 'missing'.
    ``left_open``: it is not judged because the specification leaves its results open, not because something went wrong.
    ``others``: what the editions that ask something else of the row say.
    """

    item: Item
    profile: str
    limit: str
    source: str
    status: Status
    tally: Tally
    reason: str = ""
    notes: tuple[str, ...] = ()
    left_open: bool = False
    others: tuple[Elsewhere, ...] = ()

    @property
    def is_sampled(self) -> bool:
        """Whether some inputs were not tried, so that the worst may lie among those; of vectors that is always so."""
        return self.item.vector > 1 or self.tally.tried != 1 << self.item.size

    @property
    def worst_error(self) -> float:
        """|error| of the worst input in ulp; NaN where nothing was measured."""
        return abs(self.tally.worst.error) if self.tally.worst else math.nan

    def arguments_text(self, example: Example) -> str:
        """The arguments of ``example`` with their bits: '0x1.8p+1 [0x40400000], 3'."""
        kinds = self.item.columns
        return ", ".join(value_text(v, k, self.item.form) for v, k in zip(example.args, kinds, strict=True))

    def result_text(self, example: Example, value: int) -> str:
        """``value``, one of ``example.got`` and ``example.expected``, with its bits."""
        return value_text(value, self.item.results[example.output], self.item.form)


def ulps_text(error: float, *, beyond: bool = False) -> str:
    """A signed error in ulp: a few places of an int as they are, three decimals, or four digits of what is huge.

    ``beyond``: it exceeds a limit, and is not shown as if it were one, those being quarters of an ulp: 2.0000001 as
    that, not as 2.000.
    """
    if isinstance(error, int) and abs(error) < 100_000:
        return f"{error:+d} ulp"
    text = f"{error:+.3f}" if error == 0 or 0.001 <= abs(error) < 1000.0 else f"{error:+.4g}"
    if beyond and abs(error) < 10_000.0 and error != float(text):  # no limit is larger
        finer = (f"{error:+.{digits}f}" for digits in range(3, 17))
        text = next((f for f in (text, *finer) if (4 * float(f)) % 1), f"{error:+}")
    return f"{text} ulp"


def off_text(example: Example, form: Format) -> str:
    """How far a result is off, in words where both are zeros; nothing for an int, or where no error is measured."""
    if example.exact is None:
        return ""
    if {example.got, example.expected} == {0, 1 << form.width - 1}:
        return "wrong sign of zero"
    shown = ulps_text(example.error, beyond=bool(example.reason))
    return shown if math.isfinite(example.error) and example.error != 0 else ""


def value_text(value: int, kind: str, form: Format) -> str:
    """A stored value as hex float and bits, or as the integer it is where ``kind`` is not of the format."""
    type = form_of(kind, form)
    if type is None:
        return str(value)
    number = float(type.from_bits(value))
    text = number.hex() if math.isfinite(number) else str(number)
    mantissa, _, exponent = text.partition("p")
    digits = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    shown = f"{digits}p{exponent}" if exponent else text
    return f"{shown} [0x{value:0{type.width // 4}x}]"
