"""Which calls can be judged by enclosures alone, and which the reference must look at: those that fail or stand out."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import ladder
from clmath.audit.judge.bounds import (
    MAGNITUDE,
    ROUNDED,
    binade_of,
    bits_of,
    error_bounds,
    in_scale,
    is_close,
    may_be_number,
    off_in_ulp,
    rounded_value,
)
from clmath.audit.law.prescribed import edges_met
from clmath.audit.plan.exact_item import ExactItem
from clmath.ladder import Bounds
from clmath.numbers.rounding import Enclosure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.law.batch import Call
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item

__all__ = ["Exact", "Screened", "is_screened", "lanes_of", "largest", "screened"]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"
I64: TypeAlias = "NDArray[np.int64]"
Exact: TypeAlias = "Bounds | NDArray[np.int32]"

BLOCK = 1 << 13  # calls looked at together, so that temporaries stay in cache
_INFINITE = 2047 << 52


@dataclass(frozen=True)
class Screened:
    """What the enclosures say of the calls ``lanes``; all others conform, with errors below the floor.

    ``doubtful``: the reference must judge. The others conform, ``unjudged`` of them because the specification leaves
    their results open; their largest error that counts lies within ``least`` .. ``most`` ulp, -1 where none counts.
    ``exact``: where the exact values of all calls lie; for ints that conform see ``leading.with_wrong_integers``.
    """

    lanes: NDArray[np.intp]
    doubtful: Bools
    unjudged: Bools
    least: F64
    most: F64
    exact: tuple[Exact, ...]

    @property
    def in_doubt(self) -> NDArray[np.intp]:
        """The calls that the reference must judge."""
        lanes: NDArray[np.intp] = self.lanes[self.doubtful]
        return lanes

    def leaders(self, floor: float, is_open: Bools | None = None) -> NDArray[np.intp]:
        """The calls without doubt whose error may be the first of the largest, and no less than ``floor``.

        ``is_open``: of all calls, those that the reference judges anyway; those ``in_doubt`` if left out.
        """
        apart = self.doubtful if is_open is None else is_open[self.lanes]
        least, most = np.where(apart, -1.0, self.least), np.where(apart, -1.0, self.most)
        return self.lanes[largest(least, most, max(floor, 0.0))]


def largest(least: F64, most: F64, floor: float) -> Bools:
    """Where the first of the largest errors may be, if it is no less than ``floor``, by bounds on them all."""
    if not most.size or most.max() < 0.0:
        return np.zeros(most.shape, np.bool_)
    first = int(np.argmax(least))
    beside = (most == least[first]) & (np.arange(len(most)) <= first)
    return np.asarray(((most > least[first]) | beside) & (most >= floor))


@functools.singledispatch
def is_screened(item: Item, law: Law) -> bool:
    """Whether there are enclosures, and nobody has asked for a certain oracle; then a piece is soon judged."""
    return law.oracle == "auto" and not item.width and ladder.is_enclosed(item.builtin.name, item.form)


@is_screened.register(ExactItem)
def _(item: ExactItem, law: Law) -> bool:  # noqa: ARG001 - the signature of all rows
    return True


def screened(call: Call, floor: float | None = None, exact: Sequence[Exact] | None = None) -> Screened:
    """Look at the calls block by block; the exact values for all of them come at once, if they are not given.

    ``floor``: errors below it need not be looked for, nor those that are 0 after the first one; where it is left out,
    every call is looked at.
    """
    exact = whole = ladder.enclose(call.name, call.args, call.form) if exact is None else tuple(exact)
    lanes = np.flatnonzero(~_plain(call, exact, floor))
    if len(lanes) < len(call.values[0]):
        call, exact = call.lanes(lanes), tuple(lanes_of(e, lanes) for e in exact)
    parts = [_block(call, exact, slice(i, i + BLOCK)) for i in range(0, max(len(lanes), 1), BLOCK)]
    doubtful, unjudged, least, most = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Screened(lanes, doubtful, unjudged, least, most, whole)


def _plain(call: Call, exact: Sequence[Exact], floor: float | None) -> Bools:
    """The calls with nothing special about them, at a few operations each: errors below ``floor`` and the limit.

    Where no error is known yet, those without any, but for the first: it may be the worst of a row that has no errors.
    """
    lanes, least = len(call.values[0]), call.limit.least
    waived = any(call.law.waives(what, call.item) for what in ("not finite", "overflow"))
    if floor is None or call.law.mode == "rtn" or waived or least is None:
        return np.zeros(lanes, np.bool_)
    plain = np.ones(lanes, np.bool_)
    for start in range(0, lanes, BLOCK):
        block = slice(start, start + BLOCK)
        for e, r in zip(exact, call.results, strict=True):
            plain[block] &= _is_plain(lanes_of(e, block), r[block], call, min(max(floor, 0.0), least))
    if floor <= 0.0 and lanes:
        plain[np.argmax(plain)] = False
    return plain


@np.errstate(all="ignore")
def _is_plain(exact: Exact, actual: NDArray[Any], call: Call, allowed: float) -> Bools:
    """Equal to what is exact, or off by less than ``allowed`` ulp from what no edge prescribes: it is no number.

    An ulp of x is at least 2^-precision |x|. Also an infinity for what is beyond all numbers, unless another mode asks
    for equality, and a zero for what is far below them.
    """
    if not isinstance(exact, Bounds):
        return np.asarray(actual == exact)
    form, (hi, lo, err, _) = call.form, exact.value
    got, encoding, binade = actual.astype(np.float64, copy=False), hi.view(np.int64) & MAGNITUDE, binade_of(exact.value)
    scaled, off = in_scale(got, exact.value, form), off_in_ulp(exact, form)
    size = np.abs(hi) * 2.0**-form.precision
    near = np.abs((scaled - hi) - lo) + err < size * np.where(err > 0.0, allowed, allowed - off) * (1.0 - ROUNDED)
    near &= ~may_be_number(exact.value, form) & (binade > form.emin) & (binade < form.emax)
    signed = np.copysign(got, got * hi)
    far = (binade >= exact.widest.emax + 2) & (signed == np.inf) & (allowed > 0.0 or call.law.mode == "rte")
    if allowed > off + 2.0**-4:
        far |= (binade < exact.widest.quantum - 7) & (signed == 0.0) & ~np.signbit(signed)
    far &= (encoding > 0) & (encoding < _INFINITE)
    special = ((encoding == 0) | (encoding == _INFINITE)) & (bits_of(got) == bits_of(hi))
    same = (bits_of(scaled) == bits_of(hi)) & (lo == 0.0) & (binade > form.emin) & (binade <= form.emax)
    quiet_nans = (got != got) & (hi != hi) & ~form.signals(actual)
    return np.asarray(near | far | ((same | special) & (err == 0.0)) | quiet_nans)


@np.errstate(all="ignore")
def _block(call: Call, exact: Sequence[Exact], block: slice) -> tuple[Bools, Bools, F64, F64]:
    part = call.lanes(block)
    lanes = len(part.values[0])
    found = [_Result.of(part, lanes_of(e, block), r) for e, r in zip(exact, part.results, strict=True)]
    said = _Edges.of(part)
    doubtful, unjudged = said.wrong, np.ones(lanes, np.bool_)
    least, most = np.full(lanes, -1.0), np.full(lanes, -1.0)
    due = [one.due(part) for one in found]
    for k, one in enumerate(found):
        waived, without = part.is_waived(k, due), part.has_no_limit(k)
        fine = one.conforms(part) | said.accepted[k] | waived | without
        doubtful = doubtful | one.close | one.signals(part) | ~fine
        unjudged &= waived | (without & ~said.judged[k])
        counted = part.counts(waived | without, one.is_finite)
        least = np.where(counted, np.fmax(least, one.least), least)
        most = np.where(counted, np.fmax(most, one.most), most)
    return doubtful, unjudged, least, most


def lanes_of(exact: Exact, index: Any) -> Exact:
    """The exact values of the calls that ``index`` picks."""
    return exact.lanes(index) if isinstance(exact, Bounds) else np.asarray(exact[index])


@dataclass(frozen=True)
class _Edges:
    """What edges say of calls: ``accepted``, ``judged``, one entry a result, where they decide it and where they ask.

    ``wrong``: calls of which an edge refuses a result; ``met``: calls that meet one that prescribes exactly.
    """

    accepted: list[Bools]
    judged: list[Bools]
    wrong: Bools
    met: Bools

    @classmethod
    def of(cls, call: Call) -> _Edges:
        """Look through all that are met."""

        def none() -> Bools:
            return np.zeros(len(call.values[0]), np.bool_)

        found = cls([none() for _ in call.results], [none() for _ in call.results], none(), none())
        for met in edges_met(call):
            found.met[met.here] |= met.edge.prescribes_exactly
            for k, accepted in enumerate(met.accepted):
                found.accepted[k][met.here] |= accepted & met.decided[k]
                found.judged[k][met.here] |= met.concerned[k]
                found.wrong[met.here] |= ~accepted
        return found


@dataclass(frozen=True)
class _Result:
    """One result against its bounds: the error's in ulp, and where they say too little.

    ``exact``: an int result, or an enclosure whose error is left out.
    """

    exact: Enclosure | NDArray[np.int32]
    actual: NDArray[Any]
    least: F64
    most: F64
    close: Bools

    @classmethod
    def of(cls, call: Call, exact: Exact, actual: NDArray[Any]) -> _Result:
        """Measure ``actual``; ints are right or in doubt."""
        if not isinstance(exact, Bounds):
            zeros = np.zeros(len(actual))
            return cls(exact, actual, zeros, zeros, np.zeros(len(actual), np.bool_))
        close = is_close(exact.value, call.form)
        if call.law.mode == "rtn":  # the sign of a zero sum
            close |= exact.value.hi == 0.0
        middle = exact.value._replace(err=np.zeros(len(actual)))
        return cls(middle, actual, *error_bounds(exact, actual, call.form), close)

    def signals(self, call: Call) -> Bools:
        """Where the result is a signaling NaN: the reference looks at the arguments."""
        if not isinstance(self.exact, Enclosure):
            return np.zeros(len(self.actual), np.bool_)
        return call.form.signals(self.actual)

    @property
    def is_finite(self) -> Bools:
        """Where the exact value is a number."""
        if isinstance(self.exact, Enclosure):
            return np.isfinite(self.exact.hi)
        return np.ones(len(self.actual), np.bool_)

    def due(self, call: Call) -> NDArray[Any]:
        """The exact value in the format; the result in its place where it does not matter to what is waived."""
        if isinstance(self.exact, Enclosure) and self._asks_for_rounded(call):
            return rounded_value(self.exact, call.form, call.law.mode)
        return self.actual

    def _asks_for_rounded(self, call: Call) -> bool:
        """Whether it depends on the correctly rounded results what is waived."""
        waives = call.waives_not_finite or call.law.waives("overflow", call.item)
        return waives or bool(np.isnan(self.actual).any())

    def conforms(self, call: Call) -> Bools:
        """Where the limit, and the sign of an exact zero, allow the result whatever the bounds leave open."""
        if not isinstance(self.exact, Enclosure):
            return np.asarray(self.actual == self.exact)
        hi, form, mode = self.exact.hi, call.form, call.law.mode
        if call.limit.is_equality:
            nan = np.isnan(hi) & np.isnan(self.actual)
            return np.asarray((form.bits(self.actual) == form.bits(rounded_value(self.exact, form, mode))) | nan)
        within = call.limit.within(self.most, call.args, self.exact, self.actual, form, mode)
        return np.asarray(within & ((hi != 0.0) | (np.signbit(hi) == np.signbit(self.actual))))
