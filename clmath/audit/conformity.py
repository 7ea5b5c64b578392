"""Whether results conform, and if not, why: prescribed results are right or wrong, the others within the limit."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.batch import along_lanes, openings
from clmath.rounding import Enclosure
from clmath.spec.edges import edges, flushing_edges

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.batch import Batch
    from clmath.audit.measure import Truth
    from clmath.formats import Format
    from clmath.spec.edges import Edge

__all__ = ["codes_of", "reason"]

Bools: TypeAlias = "NDArray[np.bool_]"
Codes: TypeAlias = "NDArray[np.int16]"

_NAN, _NUMBER, _INFINITE, _FINITE, _FLUSHED, _SIGN, _INTEGER, _LIMIT, _FIRST_EDGE = range(1, 10)
_WORDS = {
    _NAN: "NaN where a number is due",
    _NUMBER: "a number where NaN is due",
    _INFINITE: "an infinity where another number is due",
    _FINITE: "a finite number where an infinity is due",
    _FLUSHED: "a subnormal flushed to zero, though the device has denormals",
    _SIGN: "wrong sign of zero",
}


def codes_of(batch: Batch) -> list[Codes]:
    """One array a result, in its shape: 0 where it conforms, else the number of the reason why not."""
    codes = [_by_limit(batch, k) for k in range(len(batch.results))]
    if not batch.law.relaxed:
        _by_edges(batch, codes)
    return [np.where(batch.free(k), 0, c).astype(np.int16) for k, c in enumerate(codes)]


def reason(code: int, batch: Batch, output: int) -> str:
    """The text of a code of the result column ``output``."""
    if code >= _FIRST_EDGE:
        return edges(batch.name)[code - _FIRST_EDGE].text
    if code == _INTEGER:
        return f"wrong {_column_names(batch)[output]}"
    if code == _LIMIT:
        return f"not within the limit: {batch.limit.text}"
    return _WORDS[code]


def _column_names(batch: Batch) -> list[str]:
    width = batch.item.width or 1
    return [p.name for p in batch.item.builtin.outputs for _ in range(width if p.type == "gentype" else 1)]


def _by_limit(batch: Batch, k: int) -> Codes:
    """What the limit says, and the sign of zeros that are exact."""
    actual, truth = batch.results[k], batch.truth[k]
    within = batch.within(k, actual)
    if not isinstance(truth.exact, Enclosure):
        return np.where(within, 0, _INTEGER).astype(np.int16)
    zeros = (actual == 0) & (truth.exact.hi == 0)
    right_sign = (np.signbit(actual) == np.signbit(truth.rounded)) | _sign_open(batch)
    of_zeros = np.where(right_sign, 0, _SIGN)
    # no rounding is better than the correct one, even where an absolute tolerance is below the last place
    within = within | _is_rounded(batch, actual, truth.rounded) | _product_flushed(batch, actual)
    of_others = np.where(within, 0, _kind(actual, truth, batch.form))
    return np.where(zeros, of_zeros, of_others).astype(np.int16)


def _is_rounded(batch: Batch, actual: NDArray[Any], rounded: NDArray[Any]) -> Bools:
    """Where a result is the correctly rounded one, whatever the sign of a zero where that is open."""
    same = batch.form.bits(actual) == batch.form.bits(rounded)
    return np.asarray(same | ((actual == 0) & (rounded == 0)) if _sign_open(batch) else same)


def _kind(actual: NDArray[Any], truth: Truth, form: Format) -> Codes:
    """In what way a result is wrong that the limit does not allow."""
    due = truth.rounded
    codes = np.full(actual.shape, _LIMIT)
    subnormal = (np.abs(due) < form.smallest_normal) & (due != 0)
    codes = np.where((actual == 0) & subnormal, _FLUSHED, codes)
    codes = np.where(np.isinf(due) & ~np.isinf(actual), _FINITE, codes)
    codes = np.where(np.isinf(actual), _INFINITE, codes)
    codes = np.where(np.isnan(actual) & ~np.isnan(due), _NAN, codes)
    return np.where(np.isnan(due) & ~np.isnan(actual), _NUMBER, codes).astype(np.int16)


def _sign_open(batch: Batch) -> bool:
    """Whether the sign of a zero is not prescribed; a vector with flushed operands may have any."""
    flushed_vector = batch.flushing and batch.item.width > 0
    return batch.law.relaxed or flushed_vector or batch.name in openings()["zero_sign_open"]


def _product_flushed(batch: Batch, actual: NDArray[Any]) -> Bools:
    """Where a multiply that flushed left nothing but the addend."""
    if not (batch.flushing and batch.name in openings()["multiply_then_add"]):
        return np.zeros(actual.shape, np.bool_)
    with np.errstate(all="ignore"):
        a, b, c = (v.astype(np.float64) for v in batch.args)
        small = np.abs(a * b) < batch.form.smallest_normal
        return np.asarray(small & (actual == c))


def _by_edges(batch: Batch, codes: list[Codes]) -> None:
    """Lay over ``codes`` what edges prescribe: the limit has nothing to say there."""
    for place, edge in enumerate(edges(batch.name)):
        if edge.prescribes_exactly:
            _by_edge(batch, codes, edge, _FIRST_EDGE + place)
    if batch.flushing:
        for edge in flushing_edges(batch.name):
            _by_edge(batch, codes, edge, 0)


def _by_edge(batch: Batch, codes: list[Codes], edge: Edge, code: int) -> None:
    """Results an edge accepts conform; the others get ``code``, 0 leaving them as they are."""
    met = edge.matches(batch.args, batch.form)
    if not met.any():
        return
    args, results = tuple(a[met] for a in batch.args), tuple(r[met] for r in batch.results)
    accepts = edge.accepts(args, results, batch.form)
    for k, wanted in enumerate(edge.expected(args, batch.form)):
        right = along_lanes(accepts[k], results[k])
        if _sign_open(batch):
            right = right | (results[k] == wanted)  # zeros compare equal
        codes[k][met] = np.where(right, 0, code or codes[k][met])
