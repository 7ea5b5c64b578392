"""Bounds on errors of results that follow from enclosures of exact values."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath.audit.acceptance.batch import binade_of, has_bits
from clmath.audit.acceptance.errors import errors_of
from clmath.audit.acceptance.on_host import are_counted, codes_of
from clmath.audit.acceptance.values import in_one_double
from clmath.ladder import Bounds
from clmath.numbers.formats import DOUBLE

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from clmath.audit.acceptance.batch import Batch
    from clmath.audit.acceptance.errors import Error
    from clmath.numbers.formats import Format

__all__ = ["errors", "errors_of_integers", "is_itself", "largest_errors", "parts_of"]

Bools: TypeAlias = "NDArray[np.bool_]"
F64: TypeAlias = "NDArray[np.float64]"


def parts_of(exact: Bounds, form: Format) -> tuple[Sequence[Any], float]:
    """Return the parts of an enclosure as lane arithmetic takes them, and how far off a value with err = 0 may be.

    For narrow formats there are one double and its error; values of finer kernels are rounded to odd.
    """
    if not form.is_narrow:
        return exact.value, exact.off
    if exact.widest is DOUBLE:
        return in_one_double(*exact.value), 0.0
    return (exact.value.hi, exact.value.err), exact.off


def errors(exact: Bounds, actual: np.ndarray, form: Format) -> Error:
    """Return bounds on the errors of results, in ulp."""
    parts, off = parts_of(exact, form)
    return errors_of(parts, codes_of(actual, form), actual.astype(np.float64, copy=False), form, off)


def is_itself(exact: Bounds, actual: np.ndarray, form: Format) -> Bools:
    """Return where a result certainly is the exact value: for zeros, infinities, and normal numbers."""
    value, got = exact.value, actual.astype(np.float64, copy=False)
    is_exact, binade = (value.lo == 0.0) & (value.err == 0.0), binade_of(value)
    normal = (binade > form.emin) & (binade <= form.emax) & np.isfinite(got) & has_bits(got, value) & is_exact
    special = ((value.hi == 0.0) & is_exact) | np.isinf(value.hi)
    return np.asarray(normal | (special & (got.view(np.int64) == value.hi.view(np.int64))))


@np.errstate(all="ignore")
def largest_errors(batch: Batch) -> tuple[F64, F64]:
    """Return bounds on the largest error that counts of each call, -1 where none does."""
    least, most = np.full((2, len(batch.values[0])), -1.0)
    for k, (one, result) in enumerate(zip(batch.exact, batch.results, strict=True)):
        if isinstance(one, Bounds):
            low, high = _error_bounds(one, result, batch.form)
        else:
            low = high = errors_of_integers(np.asarray(one), result)
        here = are_counted(batch, k)
        least, most = np.where(here, np.fmax(least, low), least), np.where(here, np.fmax(most, high), most)
    return least, most


def errors_of_integers(exact: np.ndarray, actual: np.ndarray) -> F64:
    """Return the sizes of the errors of ints."""
    return np.asarray(np.abs(actual.astype(np.float64) - exact.astype(np.float64)))


def _error_bounds(exact: Bounds, actual: np.ndarray, form: Format) -> tuple[F64, F64]:
    """Return bounds on the size of the errors in ulp, as ``rounding.ulp_errors`` measures them.

    Results that are, or should be, infinite or NaN have no error where both are the same, else an infinite one.
    """
    hi, infinite = exact.value.hi, np.isinf(actual)
    found = errors(exact, actual, form)
    # an enclosure may give so large a value for all larger ones: the error of a finite result has no upper bound then
    far = (binade_of(exact.value) >= exact.widest.emax + 2) & ~infinite & (hi != 0.0)
    overflows = np.isinf(found.most) & ~infinite
    least, most = np.where(far | overflows, 0.0, found.least), np.where(far, np.inf, found.most)
    same = (actual == hi) | (np.isnan(actual) & np.isnan(hi))
    apart, special = ~np.isfinite(hi) | np.isnan(actual), np.where(same, 0.0, np.inf)
    return np.where(apart, special, least), np.where(apart, special, most)
