"""Which calls can be judged by enclosures alone, and which the reference must look at: those that fail or stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.deviation import Deviations, leaders, steps
from clmath.audit.enclosed import CLAIMED, Bracket, is_enclosed
from clmath.audit.measure import truths
from clmath.audit.prescribed import edges_met
from clmath.numbers.formats import FLOAT
from clmath.numbers.lane_rounding import near_boundary, wide
from clmath.numbers.rounding import Enclosure, narrow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.batch import Call, Law
    from clmath.audit.enclosed import Exact
    from clmath.audit.plan import Item
    from clmath.audit.spread import Spread
    from clmath.numbers.formats import Format

__all__ = ["Screened", "is_screened", "screened", "spread_of"]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"

BLOCK = 1 << 13  # calls looked at together, so that temporaries stay in cache
_MAGNITUDE = (1 << 63) - 1
_VANISHING = (1023 - 150) << 52  # encodings below are of numbers under 2^-150, whatever they stand for
_VANISHED = (1023 - 156) << 52  # 2^-7 ulp of the smallest floats
_NORMAL = (1023 - 126) << 52  # from here on a float, and a midpoint of two, ends in 28 zeros as a double
_BEYOND = 2.0**129  # in size: right as an infinity in every format
_ENDS = (1 << 28) - 1
_ROUNDED = 2.0**-40  # of an error: far more than the roundings on the way to it


@dataclass(frozen=True)
class Screened:
    """What the enclosures say of the calls ``lanes``; all others conform, with errors below the floor.

    ``doubtful``: the reference must judge. The others conform, ``unjudged`` of them because the specification leaves
    their results open; their largest error that counts lies within ``least`` .. ``most`` ulp, -1 where none counts.
    """

    lanes: NDArray[np.intp]
    doubtful: Bools
    unjudged: Bools
    least: F64
    most: F64

    @property
    def in_doubt(self) -> NDArray[np.intp]:
        """The calls that the reference must judge."""
        lanes: NDArray[np.intp] = self.lanes[self.doubtful]
        return lanes

    def leaders(self, floor: float) -> NDArray[np.intp]:
        """The calls without doubt whose error may be the first of the largest, and no less than ``floor``."""
        least = np.where(self.doubtful, -1.0, self.least)
        most = np.where(self.doubtful, -1.0, self.most)
        if not most.size or most.max() < 0:
            return np.empty(0, np.intp)
        first = int(np.argmax(least))
        beside = (most == least[first]) & (np.arange(len(most)) <= first)
        lanes: NDArray[np.intp] = self.lanes[((most > least[first]) | beside) & (most >= max(floor, 0.0))]
        return lanes


def is_screened(item: Item, law: Law) -> bool:
    """Whether there are enclosures, and nobody has asked for a certain oracle."""
    return law.oracle == "auto" and not item.width and is_enclosed(item.builtin.name, item.form)


def screened(call: Call, exact: Sequence[Exact], floor: float = 0.0) -> Screened:
    """Look at the calls, whose results should be ``exact``, block by block."""
    lanes = np.flatnonzero(~_plain(call, exact, floor))
    if len(lanes) < len(call.values[0]):
        call, exact = call.lanes(lanes), tuple(_lanes(e, lanes) for e in exact)
    parts = [_block(call, exact, slice(i, i + BLOCK)) for i in range(0, max(len(lanes), 1), BLOCK)]
    return Screened(lanes, *(np.concatenate(column) for column in zip(*parts, strict=True)))


def _plain(call: Call, exact: Sequence[Exact], floor: float) -> Bools:
    """The calls with nothing special about them, at a few operations each: errors below ``floor`` and the limit."""
    lanes = len(call.values[0])
    least = call.limit.least
    special = call.law.mode == "rtn" or call.law.waives("not finite", call.item)
    if floor <= 0.0 or special or least is None:
        return np.zeros(lanes, np.bool_)
    plain = np.ones(lanes, np.bool_)
    for start in range(0, lanes, BLOCK):
        block = slice(start, start + BLOCK)
        for e, r in zip(exact, call.results, strict=True):
            plain[block] &= _is_plain(_lanes(e, block), r[block], call, min(floor, least))
    return plain


@np.errstate(all="ignore")
def _is_plain(exact: Exact, actual: NDArray[Any], call: Call, allowed: float) -> Bools:
    """Equal to what is exact, or off by less than ``allowed`` ulp from what no edge prescribes: it is no float.

    An ulp of x is at least 2^-precision |x| where x is normal. Also an infinity for what is beyond all numbers, unless
    another mode asks for equality, and a zero for what is far below them.
    """
    form = call.form
    if not isinstance(exact, Bracket):
        return np.asarray(actual == exact)
    value, err, got = exact.value, exact.err, actual.astype(np.float64)
    encoding = value.view(np.int64) & _MAGNITUDE
    size = np.abs(value) * 2.0**-form.precision
    off = exact.off * 2.0 ** (form.precision - FLOAT.precision)
    near = np.abs(got - value) + err < size * np.where(err > 0.0, allowed, allowed - off) * (1.0 - _ROUNDED)
    near &= (encoding & _ENDS) != 0
    near &= (encoding >= (1023 + form.emin) << 52) & (encoding < (1023 + form.emax) << 52)
    signed = np.copysign(got, got * value)
    far = (np.abs(value) >= _BEYOND) & (signed == np.inf) & (allowed > 0.0 or call.law.mode == "rte")
    if allowed > off + 2.0**-4:
        far |= (encoding < _VANISHED) & (encoding != 0) & (signed == 0.0) & ~np.signbit(signed)
    quiet_nans = (got != got) & (value != value) & ~form.signals(actual)
    same = (got.view(np.int64) == value.view(np.int64)) & (err == 0.0) | quiet_nans
    if exact.off >= CLAIMED:  # of a zero the sign is the edges', or the reference's
        same &= value != 0.0
    return np.asarray(near | far | same)


@np.errstate(all="ignore")
def _block(call: Call, exact: Sequence[Exact], block: slice) -> tuple[Bools, Bools, F64, F64]:
    part = call.lanes(block)
    lanes = len(part.values[0])
    found = [_Result.of(part, _lanes(e, block), r) for e, r in zip(exact, part.results, strict=True)]
    said = _Edges.of(part)
    doubtful, unjudged = said.wrong, np.ones(lanes, np.bool_)
    least, most = np.full(lanes, -1.0), np.full(lanes, -1.0)
    for k, one in enumerate(found):
        waived, without = one.is_waived(part, k), part.has_no_limit(k)
        fine = one.conforms(part) & (said.met | ~one.sign_is_open_to_doubt)
        doubtful = doubtful | one.close | one.signals(part) | ~(fine | said.accepted[k] | waived | without)
        unjudged &= waived | (without & ~said.judged[k])
        counted = part.counts(waived | without, one.is_finite)
        least = np.where(counted, np.fmax(least, one.least), least)
        most = np.where(counted, np.fmax(most, one.most), most)
    return doubtful, unjudged, least, most


def _lanes(exact: Exact, index: Any) -> Exact:
    if isinstance(exact, Bracket):
        return Bracket(exact.value[index], exact.err[index], exact.off)
    return np.asarray(exact[index])


@dataclass(frozen=True)
class _Edges:
    """What edges say of calls: ``accepted``, ``judged``, one entry a result, where they settle it and where they ask.

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
                found.accepted[k][met.here] |= accepted & met.settled[k]
                found.judged[k][met.here] |= met.concerned[k]
                found.wrong[met.here] |= ~accepted
        return found


@dataclass(frozen=True)
class _Result:
    """One result against its bracket: the error's bounds in ulp, and where the bracket says too little."""

    exact: Exact
    actual: NDArray[Any]
    least: F64
    most: F64
    close: Bools

    @classmethod
    def of(cls, call: Call, exact: Exact, actual: NDArray[Any]) -> _Result:
        """Measure ``actual``; ints are right or in doubt."""
        if not isinstance(exact, Bracket):
            zeros = np.zeros(len(actual))
            return cls(exact, actual, zeros, zeros, np.zeros(len(actual), np.bool_))
        near = near_boundary(exact.value, call.form)
        close = (near | wide(exact.value, exact.err)) & (exact.err > 0.0)
        if call.law.mode == "rtn":  # the sign of a zero sum
            close |= exact.value == 0.0
        return cls(exact, actual, *_errors(exact, actual, call.form), close)

    def signals(self, call: Call) -> Bools:
        """Where the result is a signaling NaN: the reference looks at the arguments."""
        if not isinstance(self.exact, Bracket):
            return np.zeros(len(self.actual), np.bool_)
        return call.form.signals(self.actual)

    @property
    def sign_is_open_to_doubt(self) -> Bools:
        """Where a kernel says zero and no edge has the word: the reference then tells its sign."""
        if not isinstance(self.exact, Bracket) or self.exact.off < CLAIMED:
            return np.zeros(len(self.actual), np.bool_)
        return np.asarray(self.exact.value == 0.0)

    @property
    def is_finite(self) -> Bools:
        """Where the exact value is a number."""
        if isinstance(self.exact, Bracket):
            return np.isfinite(self.exact.value)
        return np.ones(len(self.actual), np.bool_)

    def is_waived(self, call: Call, k: int) -> Bools:
        """Where nothing is asked of the result."""
        rounded = self.actual
        if isinstance(self.exact, Bracket) and call.law.waives("not finite", call.item):
            rounded = narrow(self.exact.value, call.form, call.law.mode)
        return call.is_waived(k, rounded)

    def conforms(self, call: Call) -> Bools:
        """Where the limit, and the sign of an exact zero, allow the result whatever the bracket leaves open."""
        if not isinstance(self.exact, Bracket):
            return np.asarray(self.actual == self.exact)
        value, mode = self.exact.value, call.law.mode
        if call.limit.is_equality:
            nan = np.isnan(value) & np.isnan(self.actual)
            return np.asarray((call.form.bits(self.actual) == call.form.bits(narrow(value, call.form, mode))) | nan)
        within = call.limit.within(self.most, call.args, Enclosure.of(value), self.actual, call.form, mode)
        return np.asarray(within & ((value != 0.0) | (np.signbit(value) == np.signbit(self.actual))))


def _errors(exact: Bracket, actual: NDArray[Any], form: Format) -> tuple[F64, F64]:
    """The least and the greatest size of the error in ulp, measured as ``rounding.ulp_errors`` does."""
    value = exact.value
    encoding = value.view(np.int64) & _MAGNITUDE
    # less one, a power of two counts among the numbers below it, whose ulp is the smaller
    place = np.clip(((encoding - 1) >> 52) - (1022 + form.precision), form.quantum, form.emax - form.precision + 1)
    inverse = ((1023 - place) << 52).view(np.float64)
    ceiling = 2.0 ** (form.emax + 1)
    got, infinite = np.clip(actual.astype(np.float64), -ceiling, ceiling), np.isinf(actual)
    due = np.where(infinite, np.clip(value, -ceiling, ceiling), value)
    beyond = np.copysign(got - due, (got - due) * value) * inverse  # positive where the result is too large in size
    inward, outward = _reach(exact, encoding, form)
    slack = np.where(infinite & (np.abs(value) >= 2.0 * ceiling), 0.0, exact.err * inverse + np.abs(beyond) * _ROUNDED)
    low, high = beyond - outward - slack, beyond + inward + slack
    same = (actual == value) | (np.isnan(actual) & np.isnan(value))
    apart = ~np.isfinite(value) | np.isnan(actual)
    special = np.where(same, 0.0, np.inf)
    least, most = np.maximum(np.maximum(low, -high), 0.0), np.maximum(-low, high)
    # such a value may stand for any that is larger, and a finite result is as far from it as it is
    far = (np.abs(value) >= _BEYOND) & ~infinite
    least, most = np.where(far, 0.0, least), np.where(far, np.inf, most)
    return np.where(apart, special, least), np.where(apart, special, most)


def _reach(exact: Bracket, encoding: NDArray[np.int64], form: Format) -> tuple[F64, F64]:
    """How many ulp exact values may lie nearer to zero, and farther from it, than values whose err does not say so.

    A float, or a midpoint of two, is the exact value; the double next to one stands for all that lies beyond it.
    """
    off = exact.off * 2.0 ** (form.precision - FLOAT.precision)
    end = encoding & _ENDS
    stands = (exact.err == 0.0) & ((end != 0) | (encoding < _NORMAL))
    stands = (stands & (np.abs(exact.value) < _BEYOND)) | ((encoding < _VANISHING) & (encoding != 0))
    next_to_one = encoding >= _NORMAL
    return (
        np.where(stands & ~(next_to_one & (end == 1)), off, 0.0),
        np.where(stands & ~(next_to_one & (end == _ENDS)), off, 0.0),
    )


def spread_of(call: Call, exact: Sequence[Exact], doubtful: NDArray[np.intp]) -> Spread:
    """The spread of the calls that are not ``doubtful``; the reference measures the worst of every stretch."""
    apart, counted = _apart(call, exact)
    counted[doubtful] = False
    found = Deviations(call.item, call.values, apart, counted)
    wrong = found.wrong
    least, most = _bounds(call.lanes(wrong), [_lanes(e, wrong) for e in exact])
    chosen = wrong[leaders(call.item, tuple(v[wrong] for v in call.values), least, most)]
    return found.spread(chosen, _measured(call.lanes(chosen)))


@np.errstate(all="ignore")
def _apart(call: Call, exact: Sequence[Exact]) -> tuple[NDArray[np.uint64], Bools]:
    """How far each call is from the correctly rounded results, and whether that counts; ints are right or in doubt."""
    lanes = len(call.values[0])
    apart, counted = np.zeros(lanes, np.uint64), np.zeros(lanes, np.bool_)
    for start in range(0, lanes, BLOCK):
        block = slice(start, start + BLOCK)
        part = call.lanes(block)
        for k, (e, r) in enumerate(zip(exact, part.results, strict=True)):
            cut = _lanes(e, block)
            due = _correctly_rounded(part, cut, k) if isinstance(cut, Bracket) else r
            here = _counts(part, cut, k, due)
            counted[block] |= here
            differs = np.flatnonzero(here & (r != due))
            apart[start + differs] = np.maximum(apart[start + differs], steps(r[differs], due[differs], call.form))
    return apart, counted


def _correctly_rounded(call: Call, exact: Bracket, k: int) -> NDArray[Any]:
    """Result ``k`` as it should be; the reference tells it where the bracket does not."""
    rounded = narrow(exact.value, call.form, call.law.mode)
    unsure = np.flatnonzero((exact.err > 0.0) & (near_boundary(exact.value, call.form) | wide(exact.value, exact.err)))
    if unsure.size:
        values = tuple(v[unsure] for v in call.values)
        rounded[unsure] = truths(call.item, values, call.law.mode, call.law.oracle)[k].rounded
    return rounded


def _counts(call: Call, exact: Exact, k: int, rounded: NDArray[Any]) -> Bools:
    """Whether the error of result ``k`` counts."""
    is_finite = np.isfinite(exact.value) if isinstance(exact, Bracket) else np.ones(len(exact), np.bool_)
    return call.counts(call.has_no_limit(k) | call.is_waived(k, rounded), is_finite)


@np.errstate(all="ignore")
def _bounds(call: Call, exact: Sequence[Exact]) -> tuple[F64, F64]:
    """The bounds on the largest error of each call that counts."""
    least, most = np.zeros(len(call.values[0])), np.zeros(len(call.values[0]))
    for k, (e, r) in enumerate(zip(exact, call.results, strict=True)):
        if isinstance(e, Bracket):
            here = _counts(call, e, k, narrow(e.value, call.form, call.law.mode))
            low, high = _errors(e, r, call.form)
            least, most = np.where(here, np.fmax(least, low), least), np.where(here, np.fmax(most, high), most)
    return least, most


def _measured(call: Call) -> F64:
    """The largest |error| of each call that counts, by the reference; an int that is not in doubt is right."""
    largest = np.zeros(len(call.values[0]))
    found = truths(call.item, call.values, call.law.mode, call.law.oracle) if largest.size else ()
    for k, truth in enumerate(found):
        if isinstance(truth.exact, Enclosure):
            here = call.counts(call.has_no_limit(k) | call.is_waived(k, truth.rounded), np.isfinite(truth.exact.hi))
            largest = np.where(here, np.fmax(largest, np.abs(truth.errors(call.results[k]))), largest)
    return largest
