"""Whether results conform, and if not, why: edges prescribe some results, all others must be within the limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.counting.tally import BEYOND
from clmath.audit.law.batch import along_lanes
from clmath.audit.law.prescribed import edges_met, flushing_edges_met, judged_by_edges
from clmath.numbers.rounding import Enclosure

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.law.batch import Batch, Call
    from clmath.audit.law.measure import Truth
    from clmath.audit.law.prescribed import Met
    from clmath.numbers.formats import Format
    from clmath.spec.limits import Limit

__all__ = ["codes_of", "out_of_limit", "reason"]

Bools: TypeAlias = "NDArray[np.bool_]"
Codes: TypeAlias = "NDArray[np.int16]"

_NAN, _NUMBER, _INFINITE, _FINITE, _FLUSHED, _SIGN, _SIGNALING, _INTEGER, _LIMIT, _FIRST_EDGE = range(1, 11)
_WORDS = {
    _NAN: "NaN where a number is due",
    _NUMBER: "a number where NaN is due",
    _INFINITE: "an infinity where another number is due",
    _FINITE: "a finite number where an infinity is due",
    _FLUSHED: "a subnormal flushed to zero, though the device has denormals",
    _SIGN: "wrong sign of zero",
    _SIGNALING: "a signaling NaN though no argument is one (OpenCL C++ 1.0, 4.3 and 4.5.1)",
}


def codes_of(batch: Batch) -> list[Codes]:
    """One array per result, in its shape: 0 where it conforms, else the number of the reason why not."""
    codes = [np.where(batch.has_no_limit(k), 0, _by_limit(batch, k)) for k in range(len(batch.results))]
    for met in edges_met(batch):
        _by_edge(batch, codes, met, _FIRST_EDGE + met.number)
    for k, signals in enumerate(_signaling(batch)):
        codes[k] = np.where(signals & (codes[k] == 0), _SIGNALING, codes[k])
    if batch.flushing:
        for met in flushing_edges_met(batch):
            _by_edge(batch, codes, met, 0)
    return [np.where(batch.waived(k), 0, c).astype(np.int16) for k, c in enumerate(codes)]


def reason(code: int, call: Call, output: int) -> str:
    """The reason that a code of the result column ``output`` stands for: what is required, and by which section."""
    if code >= _FIRST_EDGE:
        edge = call.law.edges(call.item)[code - _FIRST_EDGE]
        return f"{edge.text} ({edge.source})"
    if code == _INTEGER:
        return f"wrong {call.item.builtin.outputs[output].name}"  # rows of vectors have no ints
    if code == _LIMIT:
        return out_of_limit(call.limit)
    if code == _SIGN:
        return f"{_WORDS[code]} ({_clause_of_zero(call)})"
    return _WORDS[code]


def out_of_limit(limit: Limit) -> str:
    """The reason of failures whose error exceeds the limit."""
    return f"{BEYOND}{limit.text}"


def _signaling(batch: Batch) -> list[Bools]:
    """Where each result is a signaling NaN though no argument is; in rows without limit, only where an edge holds."""
    found = [_signals(batch, result) for result in batch.results]
    if not (batch.limit.gives_no_number and any(signals.any() for signals in found)):
        return found
    return [signals & judged for signals, judged in zip(found, judged_by_edges(batch), strict=True)]


def _signals(batch: Batch, result: np.ndarray) -> Bools:
    if result.dtype != batch.form.dtype:
        return np.zeros(result.shape, np.bool_)
    brought = [batch.form.signals(v) for v in batch.values if v.dtype == batch.form.dtype]
    quiet = ~np.logical_or.reduce(brought) if brought else np.ones(len(result), np.bool_)
    return np.asarray(batch.form.signals(result) & along_lanes(quiet, result))


def _by_limit(batch: Batch, k: int) -> Codes:
    """The codes by the limit, and by the sign of zeros that are exact results."""
    actual, truth = batch.results[k], batch.truth[k]
    if not isinstance(truth.exact, Enclosure):
        return np.where(batch.within(k, actual), 0, _INTEGER).astype(np.int16)
    zeros = (actual == 0) & (truth.exact.hi == 0)
    sign_asked = not _sign_open(batch) and bool(_clause_of_zero(batch))
    right_sign = (np.signbit(actual) == np.signbit(truth.rounded)) | (not sign_asked) | _may_be_positive(batch, actual)
    of_zeros = np.where(right_sign, 0, _SIGN).astype(np.int16)
    if zeros.all():
        return of_zeros
    # the correctly rounded result passes even where an absolute limit is smaller than half an ulp
    within = batch.within(k, actual) | _is_rounded(batch, actual, truth.rounded) | _product_flushed(batch, actual)
    of_others = np.where(within, 0, _kind(actual, truth, batch.form))
    return np.where(zeros, of_zeros, of_others).astype(np.int16)


def _is_rounded(batch: Batch, actual: np.ndarray, rounded: np.ndarray) -> Bools:
    """Where a result is the correctly rounded one: any NaN for a NaN, any zero for a zero if its sign is open."""
    same = (batch.form.bits(actual) == batch.form.bits(rounded)) | (np.isnan(actual) & np.isnan(rounded))
    other = (actual == 0) & (rounded == 0)
    return np.asarray(same | other if _sign_open(batch) else same | (other & _may_be_positive(batch, actual)))


def _may_be_positive(batch: Batch, actual: np.ndarray) -> Bools:
    """Where a result has the sign of +0, if the law allows that all zeros are +0."""
    return np.asarray(~np.signbit(actual) & batch.law.waives("negative zeros", batch.item))


def _kind(actual: np.ndarray, truth: Truth, form: Format) -> Codes:
    """The codes of results that the limit refuses: how they differ from what is due."""
    due = truth.rounded
    codes = np.full(actual.shape, _LIMIT)
    subnormal = (np.abs(due) < form.smallest_normal) & (due != 0)
    codes = np.where((actual == 0) & subnormal, _FLUSHED, codes)
    codes = np.where(np.isinf(due) & ~np.isinf(actual), _FINITE, codes)
    codes = np.where(np.isinf(actual), _INFINITE, codes)
    codes = np.where(np.isnan(actual) & ~np.isnan(due), _NAN, codes)
    return np.where(np.isnan(due) & ~np.isnan(actual), _NUMBER, codes).astype(np.int16)


def _sign_open(batch: Batch) -> bool:
    """Whether zeros may have any sign; so they may in vectors with flushed operands."""
    flushed_vector = batch.flushing and batch.item.width > 0
    waived = batch.law.waives("signs of zero", batch.item)
    return waived or flushed_vector or batch.name in batch.law.openings["zero_sign_open"]


def _clause_of_zero(call: Call) -> str:
    """The section that prescribes the sign of exact zeros where no edge does; empty if there is none."""
    clauses = call.law.openings["zero_sign"].items()
    return next((clause for clause, names in clauses if call.name in names), "")


def _product_flushed(batch: Batch, actual: np.ndarray) -> Bools:
    """Where a product was flushed before the addition, so that the result is the addend."""
    if not (batch.flushing and batch.name in batch.law.openings["multiply_then_add"]):
        return np.zeros(actual.shape, np.bool_)
    with np.errstate(all="ignore"):
        a, b, c = (v.astype(np.float64) for v in batch.args)
        return np.asarray((np.abs(a * b) < batch.form.smallest_normal) & (actual == c))


def _by_edge(batch: Batch, codes: list[Codes], met: Met, code: int) -> None:
    """Set codes where an edge holds: 0 where it decides and accepts, else ``code``; of 0, others stay as they are."""
    args = tuple(a[met.here] for a in batch.args)
    for k, wanted in enumerate(met.edge.expected(args, batch.form)):
        found, before = batch.results[k][met.here], codes[k][met.here]
        right = along_lanes(met.accepted[k], found)
        if _sign_open(batch):
            right = right | (found == wanted)  # +0 and -0 are equal
        decided = along_lanes(met.decided[k], found)
        codes[k][met.here] = np.where(right, np.where(decided, 0, before), code or before)
