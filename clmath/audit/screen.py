"""Which calls can be judged by enclosures alone, and which the reference must look at: those that fail or stand out."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import ladder
from clmath.audit.bounds import (
    MAGNITUDE,
    ROUNDED,
    binade_of,
    bits_of,
    error_bounds,
    finer_bounds,
    in_scale,
    is_close,
    may_be_number,
    off_in_ulp,
    rounded_value,
)
from clmath.audit.deviation import Deviations, foremost, joined, leaders, steps, worst_by_stretch
from clmath.audit.exact.rows import ExactItem
from clmath.audit.measure import truths
from clmath.audit.prescribed import edges_met
from clmath.ladder import Bounds
from clmath.numbers.rounding import Enclosure, narrow

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.batch import Call
    from clmath.audit.law import Law
    from clmath.audit.plan import Item
    from clmath.audit.spread import Spread, Stretches
    from clmath.numbers.formats import Format

__all__ = [
    "Exact",
    "Screened",
    "first_of_largest",
    "is_screened",
    "lanes_of",
    "measured",
    "screened",
    "spread_of",
    "with_wrong_integers",
]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"
I64: TypeAlias = "NDArray[np.int64]"
Exact: TypeAlias = "Bounds | NDArray[np.int32]"

MANY = 64  # calls that may lead, from which on that is looked at more closely
BLOCK = 1 << 13  # calls looked at together, so that temporaries stay in cache
_INFINITE = 2047 << 52


@dataclass(frozen=True)
class Screened:
    """What the enclosures say of the calls ``lanes``; all others conform, with errors below the floor.

    ``doubtful``: the reference must judge. The others conform, ``unjudged`` of them because the specification leaves
    their results open; their largest error that counts lies within ``least`` .. ``most`` ulp, -1 where none counts.
    ``exact``: where the exact values of all calls lie; ints that conform are exact, see ``with_wrong_integers``.
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
        return self.lanes[_first_of_largest(least, most, max(floor, 0.0))]


def _first_of_largest(least: F64, most: F64, floor: float) -> Bools:
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


def screened(call: Call, floor: float = 0.0, exact: Sequence[Exact] | None = None) -> Screened:
    """Look at the calls block by block; the exact values for all of them come at once, if they are not given."""
    exact = whole = ladder.enclose(call.name, call.args, call.form) if exact is None else tuple(exact)
    lanes = np.flatnonzero(~_plain(call, exact, floor))
    if len(lanes) < len(call.values[0]):
        call, exact = call.lanes(lanes), tuple(lanes_of(e, lanes) for e in exact)
    parts = [_block(call, exact, slice(i, i + BLOCK)) for i in range(0, max(len(lanes), 1), BLOCK)]
    doubtful, unjudged, least, most = (np.concatenate(column) for column in zip(*parts, strict=True))
    return Screened(lanes, doubtful, unjudged, least, most, whole)


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
            plain[block] &= _is_plain(lanes_of(e, block), r[block], call, min(floor, least))
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
    for k, one in enumerate(found):
        waived, without = one.is_waived(part, k), part.has_no_limit(k)
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

    def is_waived(self, call: Call, k: int) -> Bools:
        """Where nothing is asked of the result."""
        rounded = self.actual
        if isinstance(self.exact, Enclosure) and self._asks_for_rounded(call):
            rounded = rounded_value(self.exact, call.form, call.law.mode)
        return call.is_waived(k, rounded)

    def _asks_for_rounded(self, call: Call) -> bool:
        """Whether it depends on the correctly rounded results what is waived."""
        waives = call.law.waives("not finite", call.item) or call.law.waives("overflow", call.item)
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


def with_wrong_integers(call: Call, found: Screened, lanes: NDArray[np.intp], codes: NDArray[np.int16]) -> Screened:
    """With ints for exact wherever they conform, and with the errors of those that fail for certain.

    ``codes``: of the calls ``lanes``, by (calls, results); wherever else an int is wrong, the reference judges.
    """
    exact, wrong = list(found.exact), lanes[codes.any(axis=-1)]
    if all(isinstance(due, Bounds) for due in exact):
        return found
    for k, due in enumerate(found.exact):
        if not isinstance(due, Bounds):
            settled, fails = np.array(call.results[k]), lanes[codes[:, k] != 0]
            settled[fails] = due[fails]
            exact[k] = settled
    sizes = _sizes_of_integers(call.lanes(wrong), [lanes_of(e, wrong) for e in exact])
    least, most, which = found.least.copy(), found.most.copy(), np.searchsorted(found.lanes, wrong)
    least[which], most[which] = np.fmax(least[which], sizes), np.fmax(most[which], sizes)
    return Screened(found.lanes, found.doubtful, found.unjudged, least, most, tuple(exact))


def _sizes_of_integers(call: Call, exact: Sequence[Exact]) -> F64:
    """The largest error of each call's ints that count, 0 where they are right; -1 where none counts."""
    sizes = np.full(len(call.values[0]), -1.0)
    for k, (due, actual) in enumerate(zip(exact, call.results, strict=True)):
        if not isinstance(due, Bounds):
            size = np.abs(actual.astype(np.float64) - due.astype(np.float64))
            sizes = np.where(_counts(call, due, k, due), np.fmax(sizes, size), sizes)
    return sizes


def spread_of(call: Call, exact: Sequence[Exact], doubtful: NDArray[np.intp], known: Stretches = ()) -> Spread:
    """The spread of the calls that are not ``doubtful``; the reference measures the worst of every stretch.

    ``known``: errors of stretches that need not be looked for.
    """
    apart, counted = _apart(call, exact)
    counted[doubtful] = False
    found = Deviations(call.item, call.values, apart, counted)
    wrong = found.wrong
    chosen, errors = _leading(call.lanes(wrong), [lanes_of(e, wrong) for e in exact], known)
    return found.spread(wrong[chosen], errors)


def _leading(call: Call, exact: Sequence[Exact], known: Stretches) -> tuple[NDArray[np.intp], F64]:
    """Calls among which are the worst of every stretch, as far as reports tell it, and their errors by the reference.

    Where many may lead, finer enclosures tell which do; and one of each stretch is measured before the others: what
    is off by the same at many inputs leads at one of them.
    """
    least, most = _bounds_on_errors(call, exact)
    chosen = np.flatnonzero(leaders(call.item, call.values, least, most, known))
    if len(chosen) <= MANY:
        return chosen, _measured(call, exact, chosen)
    part, found = call.lanes(chosen), [lanes_of(e, chosen) for e in exact]
    least, most = _finer(part, found, least[chosen], most[chosen])
    first = np.flatnonzero(leaders(part.item, part.values, least, most, known))
    first = first[foremost(part.item, tuple(v[first] for v in part.values), most[first])]
    errors = _measured(part, found, first)
    told = joined(known, worst_by_stretch(call.item, tuple(v[first] for v in part.values), errors))
    is_left = leaders(part.item, part.values, least, most, told)
    is_left[first] = False
    others = np.flatnonzero(is_left)
    return chosen[np.concatenate([first, others])], np.concatenate([errors, _measured(part, found, others)])


def _measured(call: Call, exact: Sequence[Exact], lanes: NDArray[np.intp]) -> F64:
    """The largest |error| of each of ``lanes`` that counts, by the reference; that of ints by what is ``exact``."""
    part = call.lanes(lanes)
    return np.fmax(measured(part), _sizes_of_integers(part, [lanes_of(e, lanes) for e in exact]))


def first_of_largest(call: Call, exact: Sequence[Exact], lanes: NDArray[np.intp]) -> NDArray[np.intp]:
    """Of ``lanes``, in ascending order, that may have the first of the largest errors, those that indeed may."""
    if len(lanes) <= MANY:
        return lanes
    part, found = call.lanes(lanes), [lanes_of(e, lanes) for e in exact]
    least, most = _finer(part, found, *_bounds_on_errors(part, found))
    return lanes[_first_of_largest(least, most, 0.0)]


def _finer(call: Call, exact: Sequence[Exact], least: F64, most: F64) -> tuple[F64, F64]:
    """Closer bounds on the errors of calls than those by ``exact``, where there are finer enclosures."""
    finer = ladder.enclose_finely(call.name, call.args, call.form)
    if len(finer) != len(exact):
        return least, most
    is_unsure = np.zeros(len(least), np.bool_)
    for one in finer:
        is_unsure |= (np.abs(one.value.lo) <= one.value.err) & (one.value.err > 0.0)
    low, high = _bounds_on_errors(call, exact, finer)
    return np.where(is_unsure, least, low), np.where(is_unsure, most, high)


@np.errstate(all="ignore")
def _apart(call: Call, exact: Sequence[Exact]) -> tuple[NDArray[np.uint64], Bools]:
    """How far each call is from the correctly rounded results, and whether that counts."""
    lanes = len(call.values[0])
    apart, counted = np.zeros(lanes, np.uint64), np.zeros(lanes, np.bool_)
    for start in range(0, lanes, BLOCK):
        block = slice(start, start + BLOCK)
        part = call.lanes(block)
        for k, (e, r) in enumerate(zip(exact, part.results, strict=True)):
            cut = lanes_of(e, block)
            due = _correctly_rounded(part, cut, k) if isinstance(cut, Bounds) else cut
            here = _counts(part, cut, k, due)
            counted[block] |= here
            differs = np.flatnonzero(here & (r != due))
            apart[start + differs] = np.maximum(apart[start + differs], steps(r[differs], due[differs], call.form))
    return apart, counted


def _correctly_rounded(call: Call, exact: Bounds, k: int) -> NDArray[Any]:
    """Result ``k`` as it should be; the reference tells it where the bounds do not."""
    form, mode, value = call.form, call.law.mode, exact.value
    if form.is_narrow:
        rounded = narrow(value.hi, form, mode)
    else:
        rounded = call.results[k].copy()
        others = np.flatnonzero(~_is_head(rounded, exact, form) | (mode != "rte"))
        rounded[others] = rounded_value(value.lanes(others), form, mode)
    unsure = np.flatnonzero(is_close(value, form))
    if unsure.size:
        values = tuple(v[unsure] for v in call.values)
        rounded[unsure] = truths(call.item, values, mode, call.law.oracle)[k].rounded
    return rounded


def _is_head(actual: F64, exact: Bounds, form: Format) -> Bools:
    """Where a double is the first part of the exact value, which is then nearer to it than to any other double."""
    binade = binade_of(exact.value)
    same = bits_of(in_scale(actual, exact.value, form)) == bits_of(exact.value.hi)
    return np.asarray(same & (binade > form.emin) & (binade < form.emax) & np.isfinite(actual))


def _counts(call: Call, exact: Exact, k: int, rounded: NDArray[Any]) -> Bools:
    """Whether the error of result ``k`` counts."""
    is_finite = np.isfinite(exact.value.hi) if isinstance(exact, Bounds) else np.ones(len(exact), np.bool_)
    return call.counts(call.has_no_limit(k) | call.is_waived(k, rounded), is_finite)


@np.errstate(all="ignore")
def _bounds_on_errors(call: Call, exact: Sequence[Exact], finer: Sequence[Bounds] = ()) -> tuple[F64, F64]:
    """The bounds on the largest error of each call that counts, by ``finer`` enclosures if there are some."""
    least, most = np.zeros(len(call.values[0])), np.zeros(len(call.values[0]))
    for k, (e, r) in enumerate(zip(exact, call.results, strict=True)):
        if isinstance(e, Bounds):
            here = _counts(call, e, k, rounded_value(e.value, call.form, call.law.mode))
            low, high = finer_bounds(finer[k], r, call.form) if finer else error_bounds(e, r, call.form)
            least, most = np.where(here, np.fmax(least, low), least), np.where(here, np.fmax(most, high), most)
    sizes = _sizes_of_integers(call, exact)
    return np.fmax(least, sizes), np.fmax(most, sizes)


def measured(call: Call) -> F64:
    """The largest |error| of each call that counts, by the reference; of results that are no ints."""
    largest = np.zeros(len(call.values[0]))
    found = truths(call.item, call.values, call.law.mode, call.law.oracle) if largest.size else ()
    for k, truth in enumerate(found):
        if isinstance(truth.exact, Enclosure):
            here = call.counts(call.has_no_limit(k) | call.is_waived(k, truth.rounded), np.isfinite(truth.exact.hi))
            largest = np.where(here, np.fmax(largest, np.abs(truth.errors(call.results[k]))), largest)
    return largest
