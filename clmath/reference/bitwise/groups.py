"""Functions of groups by exact sums, and the possible sums of rounded additions in any order.

The last axis is the axis of work-items.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from clmath.numbers.formats import Format, Rounding, format_of
from clmath.reference.bitwise.encodings import Bools, decoded, form_of, is_minus, is_nan, is_zero, magnitudes
from clmath.reference.bitwise.rounding import Exact, of_floats, of_quotients

_FARTHEST = np.iinfo(np.int64)
_TRUTHS = {"all": np.all, "any": np.any}


def truth(name: str, predicate: np.ndarray) -> np.ndarray:
    """Whether predicates are true for all or for any work-items, 1 or 0, for every work-item."""
    return _to_all(_TRUTHS[name](~is_zero(predicate), axis=-1, keepdims=True), predicate).astype(predicate.dtype)


def broadcast(a: np.ndarray, local_id: np.ndarray) -> np.ndarray:
    """The value that one work-item has, for every work-item."""
    return _to_all(np.take_along_axis(a, local_id.astype(np.intp)[..., np.newaxis], axis=-1), a)


def _to_all(values: np.ndarray, x: np.ndarray) -> np.ndarray:
    return np.array(np.broadcast_to(values, x.shape))


def _over(values: np.ndarray, over: str, identity: object) -> np.ndarray:
    """Return the results of inclusive scans or of reductions unchanged, or make exclusive scans of inclusive ones."""
    if over != "scan_exclusive":
        return values
    first = np.full_like(values[..., :1], identity)
    return np.concatenate([first, values[..., :-1]], axis=-1)


def extreme(x: np.ndarray, op: str, over: str) -> np.ndarray:
    """The least or the greatest values, -0 below +0; NaN only where there is nothing else."""
    form = format_of(x.dtype)
    operation = np.minimum if op == "min" else np.maximum
    if form is None:
        info = np.iinfo(x.dtype)
        found = _over(_up_to_each(operation, x, over), over, info.max if op == "min" else info.min)
        return _to_all(found, x)
    places = np.where(is_minus(x), ~magnitudes(x), magnitudes(x))
    last = _FARTHEST.max if op == "min" else _FARTHEST.min
    found = _up_to_each(operation, np.where(is_nan(x), last, places), over)
    sign = np.uint64(1 << form.width - 1)
    values = decoded(np.where(found < 0, (~found).view(np.uint64) | sign, found.view(np.uint64)), x.dtype)
    values = _over(np.where(found == last, form.nan, values), over, np.inf if op == "min" else -np.inf)
    return _to_all(values, x)


def group_sum(x: np.ndarray, over: str, mode: Rounding) -> np.ndarray:
    """Sums of integers modulo 2^n; the exact sums of floating-point numbers, rounded once."""
    if format_of(x.dtype) is None:
        wide = x.astype(np.int64 if x.dtype.kind == "i" else np.uint64).view(np.uint64)
        return _to_all(_over(decoded(_up_to_each(np.add, wide, over), x.dtype), over, 0), x)
    return _to_all(_over(_rounded_sums(x, mode, over), over, 0), x)


def _up_to_each(operation: np.ufunc, values: np.ndarray, over: str) -> np.ndarray:
    """Join values with all values before them; for a reduction only the values of all work-items."""
    if over == "reduce":
        return np.asarray(operation.reduce(values, axis=-1, keepdims=True))
    return np.asarray(operation.accumulate(values, axis=-1))


def _rounded_sums(x: np.ndarray, mode: Rounding, over: str) -> np.ndarray:
    """The sums up to each work-item, rounded; exact sums are taken only in groups where doubles leave one undecided."""
    form = form_of(x.dtype)
    up, down = (_up_to_each(np.logical_or, x == end, over) for end in (np.inf, -np.inf))
    is_undefined = (up & down) | _up_to_each(np.logical_or, is_nan(x), over)
    found, is_sure = _sums_in_double(x, over)
    exactly = ~(up | down | is_undefined | (is_sure & (mode == "rte"))).all(axis=-1)
    if exactly.any():
        found[exactly] = _exact_sums(x[exactly], mode, over)
    found = np.select([up, down], [form.dtype.type(np.inf), form.dtype.type(-np.inf)], found)
    return np.where(is_undefined, form.nan, found)


def _exact_sums(x: np.ndarray, mode: Rounding, over: str) -> np.ndarray:
    """The sums of finite numbers; zeros have the sign of one IEEE 754 addition of all."""
    n, unit = _in_units(x)
    totals, signs = _up_to_each(np.add, n, over), is_minus(x)
    only_minus, only_plus = (_up_to_each(np.logical_and, is_zero(x) & s, over) for s in (signs, ~signs))
    is_null = (totals == 0).astype(np.bool_)
    minus = np.where(is_null, only_minus | (~only_plus & (mode == "rtn")), (totals < 0).astype(np.bool_))
    return _quotient(totals, 1, minus, unit).in_format(form_of(x.dtype), mode)


def _sums_in_double(x: np.ndarray, over: str) -> tuple[np.ndarray, Bools]:
    """Sums rounded in rte, and a mask of the certain ones: sums with the errors of all additions, each of which is
    exact.

    The error of the sum of n errors is at most n 2^-52 times the sum of their magnitudes, the last two roundings
    included. If both ends of the possible sums round to one number, that number is certain. Zeros, whose signs are
    rules of their own, are never certain. Source: D. E. Knuth, The Art of Computer Programming 2, 4.2.2, theorem B.
    """
    with np.errstate(all="ignore"):
        numbers = np.moveaxis(x.astype(np.float64), -1, 0)
        total = error = size = np.zeros(x.shape[:-1])
        kept = []
        for number in numbers:
            last, total = total, total + number
            taken = total - last
            lost = (last - (total - taken)) + (number - taken)
            error, size = error + lost, size + np.abs(lost)
            kept.append((total, error, size))
        sums, errors, sizes = (
            np.stack(v, axis=-1) for v in zip(*(kept if over != "reduce" else kept[-1:]), strict=True)
        )
        slack = sizes * (len(numbers) + 2) * 2.0**-52
        ends = [sums + (errors - slack), sums + (errors + slack)]
        if x.dtype != np.float64:  # they are rounded once more, which counts where they are not exact
            ends = [
                np.where(sizes > 0, np.nextafter(e, inf), e) for e, inf in zip(ends, (-np.inf, np.inf), strict=True)
            ]
        low, high = (end.astype(x.dtype) for end in ends)
    return low, (low == high) & (low != 0)


def _in_units(x: np.ndarray) -> tuple[np.ndarray, NDArray[np.int64]]:
    """The finite numbers of each group as integers in units of 2^k; infinities and NaN as 0. The k of each group."""
    minus, size, exponent = of_floats(np.where(np.isfinite(x), x, x.dtype.type(0)))
    unit = exponent.min(axis=-1, keepdims=True)
    units = size.astype(object) << (exponent - unit).astype(object)
    return np.where(minus, -units, units), unit


def _quotient(n: np.ndarray, d: np.ndarray | int, minus: Bools, unit: NDArray[np.int64]) -> Exact:
    found = of_quotients(np.abs(n), d, minus)
    return found._replace(exponent=found.exponent + unit)


def group_sum_range(x: np.ndarray, over: str, mode: Rounding) -> tuple[np.ndarray, np.ndarray]:
    """The least and the greatest number that additions in any order, each rounded in ``mode``, may give.

    A number that takes part in at most n - 1 additions is multiplied by at most n - 1 factors 1 + d, where |d| is at
    most 2^-p in rte and 2^(1-p) in the other modes: sums below the normal numbers are exact. So the error of a sum is
    at most (n-1) d / (1 - (n-1) d) times the sum of the magnitudes. Zeros do not count. Two numbers have one order; and
    where all are multiples of a unit that no sum of magnitudes exceeds 2^p times, every addition is exact. From -inf to
    inf where an addition may overflow, which may make NaN of an infinity. Source: N. J. Higham, Accuracy and Stability
    of Numerical Algorithms, 4.2.
    """
    form, exact = form_of(x.dtype), _rounded_sums(x, mode, over)
    n, unit = _in_units(x)
    largest = (2**form.precision - 1) << (form.emax - form.precision + 1 - unit).astype(object)
    totals, sizes = _up_to_each(np.add, n, over), _up_to_each(np.add, np.abs(n), over)
    additions = np.maximum(_up_to_each(np.add, (~is_zero(x)).astype(np.int64), over) - 1, 0).astype(object)
    whole = 2 ** (form.precision if mode == "rte" else form.precision - 1) - additions
    error = sizes * additions  # in units over ``whole``
    is_small = (sizes <= largest).astype(np.bool_)
    certain = (additions <= 1).astype(np.bool_) | (
        _is_exact(_up_to_each(np.bitwise_or, n, over), sizes, form) & is_small
    )
    reach = sizes * whole + error
    may_overflow = ~certain & (reach >= largest * whole).astype(np.bool_) & ~np.isnan(exact)
    certain |= ~np.isfinite(exact)
    ends = []
    toward: Rounding
    for distance, toward, infinity in ((-error, "rtp", -np.inf), (error, "rtn", np.inf)):
        numerators = totals * whole + distance
        minus = (numerators < 0).astype(np.bool_)
        end = np.where(certain, exact, _quotient(numerators, whole, minus, unit).in_format(form, toward))
        ends.append(_to_all(_over(np.where(may_overflow, form.dtype.type(infinity), end), over, 0), x))
    return ends[0], ends[1]


def never_overflow(x: np.ndarray) -> Bools:
    """Whether additions of the finite numbers of groups surely do not overflow, in any order and mode.

    Up to 2^(p-2) additions make of no sum of magnitudes more than twice as much; see ``group_sum_range``.
    """
    form = form_of(x.dtype)
    with np.errstate(over="ignore"):
        sizes = np.abs(np.where(np.isfinite(x), x, 0).astype(np.float64)).sum(axis=-1)
    return np.asarray((sizes < 2.0 ** (form.emax - 2)) & (x.shape[-1] <= 2 ** (form.precision - 2)))


def _is_exact(joined: np.ndarray, sizes: np.ndarray, form: Format) -> Bools:
    """Whether integers, whose bits are ``joined``, are multiples of a power of two such that sums are at most 2^p times
    it.
    """
    return np.asarray(sizes <= (joined & -joined) << form.precision).astype(np.bool_)
