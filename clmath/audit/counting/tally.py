"""Tallies of judged inputs, which are added up in any order; errors that are known, and the verdict that follows."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.audit.counting.spread import Spread, Stretches, joined
from clmath.audit.plan.item import Item
from clmath.audit.plan.printed_rows import formats_of
from clmath.audit.plan.types import TEXT, form_of, text_of
from clmath.numbers.formats import Format

DEPENDS = "depends on "  # begins the reasons of failures whose input passes alone
BEYOND = "not within the limit: "  # prefix of the reasons of failures that are errors in ulp
KEPT = 4  # failures kept for each reason; all are counted
Status: TypeAlias = Literal["pass", "fail", "not judged", "missing"]
JUDGEMENTS = ("pass", "fail", "not judged")  # verdicts of an audit; a row that it did not reach is missing


@dataclass(frozen=True)
class Example:
    """One input, its result and the correct result: numbers as encodings (unsigned integers), ints as values.

    ``index``: the input's place among the row's inputs. ``args``: one entry per argument, or per vector component.
    ``output``: the number of the result column (for a vector result, of the component). ``got``: the value returned.
    ``expected``: the exact value correctly rounded in the device's mode. ``exact``: hi, lo and exponent of the exact
    value (hi + lo) x 2^exponent; None for an int. ``error``: in ulp, signed. ``reason``: why the result fails; empty
    if it does not. ``vector``: the arguments of all calls that were passed to the target in one vector; this call's
    arguments are component ``index`` modulo the width.
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
    def fails_alone(self) -> bool:
        """Whether the input fails in a call of its own, so that a command can replay the failure."""
        return not self.reason.startswith(DEPENDS)

    @property
    def place(self) -> tuple[int, int]:
        """The place in the row, by which examples are ordered."""
        return (self.index, self.output)


class Otherwise(NamedTuple):
    """The counts of the same inputs by another edition of the specification, which has other rules for the row."""

    edition: str
    unjudged: int
    failed: int


@dataclass(frozen=True)
class Tally:
    """Counts, worst error and examples of some inputs of one row; ``+`` is associative and commutative.

    ``tried`` counts all inputs, ``unjudged`` inputs for whose results neither a limit nor a special value holds,
    ``flushed`` inputs that pass only because 4.5.3 allows subnormals to be flushed, ``failed`` inputs that fail.
    ``reasons`` counts failures by reason, sorted by the reasons' texts. ``worst`` has the largest |error| of the inputs
    that are judged and not counted as flushed; ``failures`` has the first ``KEPT`` failures of every reason.
    ``others``: the counts by other editions of the specification, sorted by name. ``spread``: distances of results from
    the correctly rounded ones, over the inputs from which ``worst`` is chosen.
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
        """The number of inputs with a result for which a limit or a special value holds."""
        return self.tried - self.unjudged

    @property
    def unspecified(self) -> str:
        """The share of the inputs that were not judged, ``36 %``, never rounded to 0 or 100 %; empty if all were."""
        return _percent(self.unjudged, self.tried) if self.unjudged else ""

    def times(self, count: int) -> Tally:
        """Return the tally of ``count`` inputs, each of which has this tally, without examples."""
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
        """Return the tally without its errors by region."""
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


def tally_of_failures(groups: Mapping[str, NDArray[np.intp]], example: Callable[[int, str], Example]) -> Tally:
    """Return the counts of failing calls by reason, with the first ``KEPT`` of each as examples."""
    reasons = tuple(sorted((text, len(calls)) for text, calls in groups.items()))
    shown = (example(call, text) for text, calls in groups.items() for call in calls[:KEPT].tolist())
    return Tally(reasons=reasons, failures=_first(tuple(shown)))


def _percent(part: int, whole: int) -> str:
    """Return a share in percent: a whole number from 1 to 99, and neither 0 nor 100 unless that is exact."""
    share = 100 * part / whole
    if part in {0, whole} or 1 <= share <= 99:
        return f"{share:.0f} %"
    if share < 1:
        return f"{share:.1g} %" if share >= 0.001 else "less than 0.001 %"
    return f"{math.floor(share * 10) / 10:.1f} %"


def _together(others: tuple[Otherwise, ...]) -> tuple[Otherwise, ...]:
    """Return the entries, added up for each edition."""
    found: dict[str, Otherwise] = {}
    for edition, unjudged, failed in others:
        before = found.get(edition, Otherwise(edition, 0, 0))
        found[edition] = Otherwise(edition, before.unjudged + unjudged, before.failed + failed)
    return tuple(found[edition] for edition in sorted(found))


def _worse(one: Example | None, other: Example | None) -> Example | None:
    """Return the example with the larger |error|; if these are equal, the earlier one."""
    if one is None or other is None:
        return one or other
    return min(one, other, key=lambda e: (-abs(e.error), e.place))


def _first(examples: tuple[Example, ...]) -> tuple[Example, ...]:
    """Return the first ``KEPT`` examples of every reason, in the order of the inputs."""
    kept: list[Example] = []
    seen: dict[str, int] = {}
    for example in sorted(examples, key=lambda e: (e.place, e.reason)):
        seen[example.reason] = seen.get(example.reason, 0) + 1
        if seen[example.reason] <= KEPT:
            kept.append(example)
    return tuple(kept)


class Elsewhere(NamedTuple):
    """The verdict on the same inputs by another edition of the specification, with the limit of that edition.

    ``alike``: further editions that agree with it on the row.
    """

    edition: str
    status: Status
    limit: str
    source: str
    alike: tuple[str, ...] = ()

    @property
    def editions(self) -> str:
        """The names of the edition and of the editions that agree with it."""
        return ", ".join((self.edition, *self.alike))


@dataclass(frozen=True)
class Verdict:
    """Verdict of an audit on one built-in in one format (and vector width).

    ``limit``: in the words of the specification; ``source``: the section that has them. ``reason``: why the status is
    'fail' (the most frequent reason) or 'not judged' (a build log, say). ``notes``: remarks for the reader. A row that
    a report should have and does not have has the status 'missing'. ``is_unspecified``: the row is not judged because
    its results are unspecified, not because something went wrong. ``others``: the verdicts by editions that have other
    rules for the row.
    """

    item: Item
    profile: str
    limit: str
    source: str
    status: Status
    tally: Tally
    reason: str = ""
    notes: tuple[str, ...] = ()
    is_unspecified: bool = False
    others: tuple[Elsewhere, ...] = ()

    @property
    def is_sampled(self) -> bool:
        """Whether some inputs were not tried, so that the worst may be one of them; always true for vectors."""
        return self.item.vector > 1 or self.tally.tried != 1 << self.item.size

    @property
    def worst_error(self) -> float:
        """The |error| of the worst input in ulp, or NaN if no error was measured."""
        return abs(self.tally.worst.error) if self.tally.worst else math.nan

    def with_share(self, said: str) -> str:
        """Return the text ``said`` with the share of inputs that were not judged: ``pass (36 % ... unspecified)``.

        The text is unchanged if the row was not judged at all, since the reason says so.
        """
        if not self.tally.unspecified or self.status not in ("pass", "fail"):
            return said
        return f"{said} ({self.tally.unspecified} of the inputs unspecified)"

    def arguments_text(self, example: Example) -> str:
        """Return the arguments of an example with bits: '0x1.8p+1 [0x40400000], 3'; formats of printf as texts."""
        item, kinds = self.item, self.item.columns
        text = ", ".join(value_text(v, k, item.form) for v, k in zip(example.args, kinds, strict=True))
        formats = formats_of(item.builtin, item.form.name)
        return f"{text} {formats[example.args[-1] % len(formats)]!r}" if formats else text

    def result_text(self, example: Example, value: int) -> str:
        """Return ``value``, one of ``example.got`` and ``example.expected``, as text with its bits."""
        return value_text(value, self.item.results[example.output], self.item.form)


def ulps_text(error: float, *, beyond: bool = False) -> str:
    """Return a signed error in ulp as text with three decimals; ints have no decimals, huge errors four digits.

    ``beyond``: the error exceeds a limit, so that it is not shown rounded to one: 2.0000001, not 2.000. (Limits are
    multiples of a quarter of an ulp.)
    """
    if isinstance(error, int) and abs(error) < 100_000:
        return f"{error:+d} ulp"
    text = f"{error:+.3f}" if error == 0 or 0.001 <= abs(error) < 1000.0 else f"{error:+.4g}"
    if beyond and abs(error) < 10_000.0 and error != float(text):  # no limit is larger
        finer = (f"{error:+.{digits}f}" for digits in range(3, 17))
        text = next((f for f in (text, *finer) if (4 * float(f)) % 1), f"{error:+}")
    return f"{text} ulp"


def off_text(example: Example, form: Format) -> str:
    """Return the error of a result as text: in words if both are zeros; empty for an int or an unmeasured error."""
    if example.exact is None:
        return ""
    if {example.got, example.expected} == {0, 1 << form.width - 1}:
        return "wrong sign of zero"
    shown = ulps_text(example.error, beyond=bool(example.reason))
    return shown if math.isfinite(example.error) and example.error != 0 else ""


def value_text(value: int, kind: str, form: Format) -> str:
    """Return a stored value as text: a number as hex float with bits, an integer in decimal, a text in quotes."""
    if kind == TEXT.name:
        return repr(text_of(value).decode("latin-1"))
    type = form_of(kind, form)
    if type is None:
        return str(value)
    number = float(type.from_bits(value))
    text = number.hex() if math.isfinite(number) else str(number)
    mantissa, _, exponent = text.partition("p")
    digits = mantissa.rstrip("0").rstrip(".") if "." in mantissa else mantissa
    shown = f"{digits}p{exponent}" if exponent else text
    return f"{shown} [0x{value:0{type.width // 4}x}]"


class KnownErrors(NamedTuple):
    """The largest errors so far in ulp, of the case, with the place of its input, and of each interval of an argument.

    ``at``: an equal error at a later place is of no interest; None if the place is unknown.
    """

    floor: float = 0.0
    stretches: Stretches = ()
    at: int | None = None

    @classmethod
    def of(cls, tally: Tally) -> KnownErrors:
        """Return the errors that a tally contains."""
        if tally.worst is None:
            return cls(stretches=tally.spread.worst)
        return cls(abs(tally.worst.error), tally.spread.worst, tally.worst.index)

    def joined(self, other: KnownErrors) -> KnownErrors:
        """Return the larger errors of the two."""
        first = min(self, other, key=lambda known: (-known.floor, math.inf if known.at is None else known.at))
        stretches = joined(self.stretches, [dict(errors) for errors in other.stretches])
        return KnownErrors(first.floor, stretches, first.at)


NONE_KNOWN = KnownErrors()
