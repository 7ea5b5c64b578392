"""Which calls can be judged by enclosures alone, and which the reference must look at: those that fail or stand out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.enclosed import CLAIMED, Bracket, enclosed, is_enclosed
from clmath.engines.narrow import close_to_float, close_to_half
from clmath.formats import FLOAT
from clmath.rounding import Enclosure, narrow
from clmath.spec.edges import edges

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.batch import Call
    from clmath.audit.enclosed import Exact
    from clmath.formats import Format

__all__ = ["Screened", "can_screen", "screened"]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"

BLOCK = 1 << 13  # calls looked at together, so that temporaries stay in cache
_MAGNITUDE = (1 << 63) - 1
_VANISHING = (1023 - 150) << 52  # encodings below are of numbers under 2^-150, whatever they stand for
_NORMAL = (1023 - 126) << 52  # from here on a float, and a midpoint of two, ends in 28 zeros as a double
_BEYOND = (1023 + 129) << 52
_ENDS = (1 << 28) - 1
_ROUNDED = 2.0**-40  # of an error: far more than the roundings on the way to it


@dataclass(frozen=True)
class Screened:
    """What the enclosures say, call by call.

    ``doubtful``: the reference must judge. The others conform, ``unjudged`` of them because the specification leaves
    their results open; their largest error that counts lies within ``least`` .. ``most`` ulp, -1 where none counts.
    """

    doubtful: Bools
    unjudged: Bools
    least: F64
    most: F64

    def candidates(self, floor: float) -> NDArray[np.intp]:
        """The calls without doubt whose error may be the first of the largest, and no less than ``floor``."""
        least = np.where(self.doubtful, -1.0, self.least)
        most = np.where(self.doubtful, -1.0, self.most)
        if not most.size or most.max() < 0:
            return np.empty(0, np.intp)
        leader = int(np.argmax(least))
        beside = (most == least[leader]) & (np.arange(len(most)) <= leader)
        return np.flatnonzero(((most > least[leader]) | beside) & (most >= max(floor, 0.0)))


def can_screen(call: Call) -> bool:
    """Whether there are enclosures, and nobody has asked for a certain oracle."""
    item = call.item
    return call.law.oracle == "auto" and not item.width and is_enclosed(item.builtin.name, item.form)


def screened(call: Call) -> Screened:
    """Look at the calls block by block; the exact values for all of them come at once."""
    exact = enclosed(call.name, call.args, call.form)
    parts = [_block(call, exact, slice(i, i + BLOCK)) for i in range(0, max(len(call.values[0]), 1), BLOCK)]
    return Screened(*(np.concatenate(column) for column in zip(*parts, strict=True)))


@np.errstate(all="ignore")
def _block(call: Call, exact: Sequence[Exact], block: slice) -> tuple[Bools, Bools, F64, F64]:
    part = call.lanes(block)
    lanes = len(part.values[0])
    found = [_Result.of(part, _lanes(e, block), r) for e, r in zip(exact, part.results, strict=True)]
    right, wrong, met = _by_edges(part)
    doubtful, unjudged = wrong, np.ones(lanes, np.bool_)
    least, most = np.full(lanes, -1.0), np.full(lanes, -1.0)
    for k, one in enumerate(found):
        free = one.is_free(part, k)
        fine = one.conforms(part) & (met | ~one.sign_is_open_to_doubt)
        doubtful = doubtful | one.close | ~(fine | right[k] | free)
        unjudged &= free
        counted = part.counts(free, one.is_finite)
        least = np.where(counted, np.fmax(least, one.least), least)
        most = np.where(counted, np.fmax(most, one.most), most)
    return doubtful, unjudged, least, most


def _lanes(exact: Exact, block: slice) -> Exact:
    if isinstance(exact, Bracket):
        return Bracket(exact.value[block], exact.err[block], exact.off)
    return exact[block]


def _by_edges(call: Call) -> tuple[list[Bools], Bools, Bools]:
    """Which results the edges that prescribe exactly accept, which calls one does not, and which calls meet one."""
    lanes = len(call.values[0])
    right = [np.zeros(lanes, np.bool_) for _ in call.results]
    wrong, met = np.zeros(lanes, np.bool_), np.zeros(lanes, np.bool_)
    for edge in () if call.law.relaxed else edges(call.name):
        if not edge.prescribes_exactly:
            continue
        here = np.flatnonzero(edge.matches(call.args, call.form))
        if not here.size:
            continue
        met[here] = True
        accepts = edge.accepts(tuple(a[here] for a in call.args), tuple(r[here] for r in call.results), call.form)
        for k, accepted in enumerate(accepts):
            right[k][here] = accepted
            wrong[here] |= ~accepted
    return right, wrong, met


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
        close = (close_to_float if call.form is FLOAT else close_to_half)(exact.value, exact.err)
        if call.law.mode == "rtn":  # the sign of a zero sum
            close |= exact.value == 0.0
        return cls(exact, actual, *_errors(exact, actual, call.form), close)

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

    def is_free(self, call: Call, k: int) -> Bools:
        """Where the specification leaves the result open."""
        rounded = self.actual
        if call.law.relaxed and isinstance(self.exact, Bracket):
            rounded = narrow(self.exact.value, call.form, call.law.mode)
        return call.is_open(k, rounded)

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
    got, due = (np.clip(v, -ceiling, ceiling) for v in (actual.astype(np.float64), value))
    beyond = np.copysign(got - due, (got - due) * value) * inverse  # positive where the result is too large in size
    inward, outward = _reach(exact, encoding, form)
    slack = np.where(np.abs(value) >= 2.0 * ceiling, 0.0, exact.err * inverse + np.abs(beyond) * _ROUNDED)
    low, high = beyond - outward - slack, beyond + inward + slack
    same = (actual == value) | (np.isnan(actual) & np.isnan(value))
    apart = ~np.isfinite(value) | np.isnan(actual)
    special = np.where(same, 0.0, np.inf)
    least = np.maximum(np.maximum(low, -high), 0.0)
    return np.where(apart, special, least), np.where(apart, special, np.maximum(-low, high))


def _reach(exact: Bracket, encoding: NDArray[np.int64], form: Format) -> tuple[F64, F64]:
    """How many ulp exact values may lie nearer to zero, and farther from it, than values whose err does not say so.

    A float, or a midpoint of two, is the exact value; the double next to one stands for all that lies beyond it.
    """
    off = exact.off * 2.0 ** (form.precision - FLOAT.precision)
    end = encoding & _ENDS
    stands = (exact.err == 0.0) & ((end != 0) | (encoding < _NORMAL))
    stands = (stands & (encoding < _BEYOND)) | ((encoding < _VANISHING) & (encoding != 0))
    next_to_one = encoding >= _NORMAL
    return (
        np.where(stands & ~(next_to_one & (end == 1)), off, 0.0),
        np.where(stands & ~(next_to_one & (end == _ENDS)), off, 0.0),
    )
