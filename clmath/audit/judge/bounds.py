"""What arrays of enclosures tell about exact values and about results: rounding, closeness, and bounds on errors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.acceptance.on_host import are_counted, codes_of
from clmath.audit.acceptance.values import in_one_double
from clmath.audit.lanes.lane_errors import errors_of
from clmath.numbers.formats import DOUBLE
from clmath.numbers.lane_rounding import near_boundary, wide
from clmath.numbers.rounding import Enclosure, narrow, round_enclosure
from clmath.phases import Bounds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.on_host import Exact
    from clmath.audit.lanes.lane_errors import Error
    from clmath.audit.law.batch import Call
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = [
    "are_measured",
    "errors",
    "errors_of_integers",
    "is_close",
    "is_itself",
    "is_rounded",
    "is_well_finite",
    "lanes_of",
    "largest_errors",
    "parts_of",
    "rounded_result",
    "rounded_results",
    "rounded_value",
]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"
I64: TypeAlias = "NDArray[np.int64]"

_MAGNITUDE = (1 << 63) - 1


def parts_of(value: Enclosure, form: Format) -> Sequence[F64 | I64]:
    """The parts of an enclosure as lane arithmetic takes them: for narrow formats one double and its error."""
    return (value.hi, value.err) if form.is_narrow else value


def errors(exact: Bounds, actual: np.ndarray, form: Format) -> Error:
    """Bounds on the errors of results, in ulp."""
    number = actual.astype(np.float64, copy=False)
    return errors_of(parts_of(exact.value, form), codes_of(actual, form), number, form, exact.off)


def is_close(value: Enclosure, form: Format) -> Bools:
    """Where an enclosure contains, or may contain, a number of the format or a midpoint of two."""
    hi, lo, err, _ = value
    if form.is_narrow:
        return np.asarray((near_boundary(hi, form) | wide(hi, err)) & (err > 0.0))
    return np.asarray(((np.abs(lo) <= err) | (hi + (lo - err) != hi + (lo + err))) & (err > 0.0))


def rounded_value(value: Enclosure, form: Format, mode: Rounding) -> np.ndarray:
    """The middle of an enclosure rounded, whatever its error."""
    return narrow(value.hi, form, mode) if form.is_narrow else round_enclosure(value, form, mode)[0]


def rounded_result(exact: Bounds, actual: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """The middle of an enclosure rounded; where a double equals the middle's ``hi``, it is already the nearest one."""
    value = exact.value
    if form.is_narrow:
        return narrow(value.hi, form, mode)
    rounded = actual.copy()
    middle = value._replace(err=np.zeros(len(actual)))
    others = np.flatnonzero(~_is_head(actual, value, form) | (mode != "rte"))
    rounded[others] = rounded_value(middle.lanes(others), form, mode)
    return rounded


def rounded_results(call: Call, exact: Sequence[Exact]) -> tuple[list[np.ndarray], Bools]:
    """Return the middles of enclosures rounded, ints unchanged, and where it is known how all values are rounded."""
    due, is_known = list[np.ndarray](), np.ones(len(call.values[0]), np.bool_)
    for one, result in zip(exact, call.results, strict=True):
        if not isinstance(one, Bounds):
            due.append(np.asarray(one))
            continue
        is_known &= ~is_close(one.value, call.form)
        if call.law.mode == "rtn":  # the sign of a zero sum
            is_known &= one.value.hi != 0.0
        due.append(rounded_result(one, result, call.form, call.law.mode))
    return due, is_known


def lanes_of(exact: Exact, index: Any) -> Any:
    """Return the enclosures, or ints, of the calls that ``index`` picks."""
    return exact.lanes(index) if isinstance(exact, Bounds | Enclosure) else np.asarray(exact[index])


def is_rounded(exact: Bounds, actual: np.ndarray, form: Format, mode: Rounding) -> Bools:
    """Where a result certainly has the bits of the correctly rounded one; for double, in nearly all such places."""
    if not form.is_narrow and mode == "rte":
        same = _is_head(actual, exact.value, form)
    else:
        same = form.bits(actual) == form.bits(rounded_result(exact, actual, form, mode))
    return np.asarray(same & ~is_close(exact.value, form))


def is_itself(exact: Bounds, actual: np.ndarray, form: Format) -> Bools:
    """Where a result certainly is the exact value: for zeros, infinities, and normal numbers."""
    value, got = exact.value, actual.astype(np.float64, copy=False)
    is_exact, binade = (value.lo == 0.0) & (value.err == 0.0), _binade_of(value)
    normal = (binade > form.emin) & (binade <= form.emax) & np.isfinite(got) & _has_bits(got, value) & is_exact
    special = ((value.hi == 0.0) & is_exact) | np.isinf(value.hi)
    return np.asarray(normal | (special & (got.view(np.int64) == value.hi.view(np.int64))))


def _is_head(actual: F64, value: Enclosure, form: Format) -> Bools:
    """Where a result is ``hi``, so that no double is nearer to the exact value."""
    binade = _binade_of(value)
    return np.asarray(_has_bits(actual, value) & (binade > form.emin) & (binade < form.emax) & np.isfinite(actual))


def _has_bits(got: F64, value: Enclosure) -> Bools:
    """Where doubles equal ``hi`` times the enclosure's power of two, if both are normal numbers."""
    return np.asarray(got.view(np.int64) - (value.exponent << 52) == value.hi.view(np.int64))


def is_well_finite(exact: Bounds, form: Format) -> Bools:
    """Where exact values lie below the largest binade, so that they do not overflow in any rounding mode."""
    return np.asarray(_binade_of(exact.value) < form.emax)


def _binade_of(value: Enclosure) -> I64:
    """The exponent e with 2^e <= |value| < 2^(e + 1), lower where ``hi`` is subnormal; meaningless for infinities."""
    return ((value.hi.view(np.int64) & _MAGNITUDE) >> 52) - DOUBLE.emax + value.exponent


@np.errstate(all="ignore")
def largest_errors(
    call: Call, exact: Sequence[Exact], due: Sequence[np.ndarray], finer: Sequence[Bounds] = ()
) -> tuple[F64, F64]:
    """Return bounds on the largest error that counts of each call, -1 where none does; by ``finer`` ones if given.

    ``exact``: of ints those that count as right. ``due``: the correctly rounded results.
    """
    least, most = np.full((2, len(call.values[0])), -1.0)
    for k, (one, result) in enumerate(zip(exact, call.results, strict=True)):
        if not isinstance(one, Bounds):
            low = high = errors_of_integers(np.asarray(one), result)
        elif finer:
            low, high = _finer_bounds(finer[k], result, call.form)
        else:
            low, high = _error_bounds(one, result, call.form)
        here = are_measured(call, one, k, due)
        least, most = np.where(here, np.fmax(least, low), least), np.where(here, np.fmax(most, high), most)
    return least, most


def errors_of_integers(exact: np.ndarray, actual: np.ndarray) -> F64:
    """Return the sizes of the errors of ints."""
    return np.asarray(np.abs(actual.astype(np.float64) - exact.astype(np.float64)))


def are_measured(call: Call, exact: Exact, k: int, due: Sequence[np.ndarray]) -> Bools:
    """Return where the error of result ``k`` counts."""
    is_finite = np.isfinite(exact.value.hi) if isinstance(exact, Bounds) else np.ones(len(exact), np.bool_)
    return are_counted(call, k, due, is_finite)


@np.errstate(all="ignore")
def _error_bounds(exact: Bounds, actual: np.ndarray, form: Format) -> tuple[F64, F64]:
    """Bounds on the size of the errors in ulp, as ``rounding.ulp_errors`` measures them."""
    hi, infinite = exact.value.hi, np.isinf(actual)
    found = errors(exact, actual, form)
    # an enclosure may give so large a value for all larger ones: the error of a finite result has no upper bound then
    far = (_binade_of(exact.value) >= exact.widest.emax + 2) & ~infinite & (hi != 0.0)
    overflows = np.isinf(found.most) & ~infinite
    least = np.where(far | overflows, 0.0, found.least)
    return _with_special(least, np.where(far, np.inf, found.most), hi, actual)


def _with_special(least: F64, most: F64, hi: F64, actual: np.ndarray) -> tuple[F64, F64]:
    """The bounds, but for results that are, or should be, infinite or NaN: 0 where both are the same, else infinite."""
    same = (actual == hi) | (np.isnan(actual) & np.isnan(hi))
    apart = ~np.isfinite(hi) | np.isnan(actual)
    special = np.where(same, 0.0, np.inf)
    return np.where(apart, special, least), np.where(apart, special, most)


@np.errstate(all="ignore")
def _finer_bounds(exact: Bounds, actual: np.ndarray, form: Format) -> tuple[F64, F64]:
    """As ``_error_bounds`` for a narrow format, by enclosures in two doubles, rounded to odd as the reference does."""
    value, err = in_one_double(*exact.value)
    found = errors_of((value, err), codes_of(actual, form), actual.astype(np.float64), form, 0.0)
    return _with_special(found.least, found.most, exact.value.hi, actual)
