"""The modes, the enclosure of an exact value, its rounding to a format, and errors measured in ULPs.

Single numbers of the math, common and geometric built-ins are rounded by MPFR in the format instead.
"""

from __future__ import annotations

import functools
from fractions import Fraction
from typing import Any, NamedTuple

import numpy as np

from clmath import errors
from clmath.ir.primitives import to_odd
from clmath.ir.values import Integer, Real, Truth
from clmath.numbers.formats import DOUBLE, FLOAT, HALF, MODES, Format, Rounding, format_of
from clmath.numbers.rounded_encodings import MODE_NUMBERS, moved, rounded, rounded_double, to_half

__all__ = [
    "MODES",
    "ZERO_SUM",
    "Enclosure",
    "Rounding",
    "canonical",
    "checked_mode",
    "directed",
    "enclosed",
    "ends",
    "fraction",
    "narrow",
    "odd_double",
    "round_enclosure",
    "round_real",
    "round_sum",
    "ulp_error",
    "ulp_errors",
    "ulps",
    "widen",
]

_FEW = 1024  # up to this size, NumPy's slow operations on halves are faster than code that avoids them
_CLAMP = 2.0**1000  # far outside half and float
ZERO_SUM = -(2**40)  # as the exponent of hi = +0: an exact zero sum of opposite terms, -0 in rtn (IEEE 754, 6.3)


class Enclosure(NamedTuple):
    """Bounds of exact values, elementwise: value = (hi + lo + d) x 2^exponent for some |d| <= err.

    ``hi`` is hi + lo rounded to nearest even, so |lo| <= ulp(hi)/2. ``err = 0`` means that hi + lo lies on the same
    side of every rounding boundary of the target format as the exact value does: it rounds like it in every mode (an
    exact value, or one rounded to odd). Exact zeros, infinities and NaN are in ``hi`` with ``lo = 0``; a non-zero exact
    value never has ``hi = 0``, even if it is tiny: ``exponent`` extends the range of double. The one value whose sign
    depends on the mode, x - x = 0, is hi = +0 with exponent = ZERO_SUM.
    """

    hi: Real
    lo: Real
    err: Real
    exponent: Integer

    @classmethod
    def of(cls, hi: object, lo: object = 0.0, err: object = 0.0, exponent: object = 0) -> Enclosure:
        """An enclosure whose four parts have the shape of ``hi``."""
        head = np.asarray(hi, np.float64)
        return cls(
            head,
            np.broadcast_to(np.asarray(lo, np.float64), head.shape),
            np.broadcast_to(np.asarray(err, np.float64), head.shape),
            np.broadcast_to(np.asarray(exponent, np.int64), head.shape),
        )

    def elements(self, index: Any) -> Enclosure:
        """The enclosure of the elements that ``index`` selects."""
        return Enclosure(self.hi[index], self.lo[index], self.err[index], self.exponent[index])


def checked_mode(call: str, mode: object) -> Rounding:
    """``mode`` itself where it is rte, rtz, rtp or rtn; RoundingError otherwise."""
    if not isinstance(mode, str) or mode not in MODES:
        raise errors.not_a_mode(call, mode)
    return mode


def round_enclosure(value: Enclosure, form: Format, mode: Rounding) -> tuple[np.ndarray, Truth]:
    """Round ``value`` to ``form``; also return a mask of undecided elements, whose two ends round apart."""
    with np.errstate(all="ignore"):
        if not np.any(value.err):
            result = round_sum(value.hi, value.lo, value.exponent, form, mode)
            return result, np.zeros(result.shape, np.bool_)
        below, above = ends(value, form, mode)
        return below, (form.bits(below) != form.bits(above)) & ~np.isnan(value.hi)


def ends(value: Enclosure, form: Format, mode: Rounding) -> tuple[np.ndarray, np.ndarray]:
    """The roundings of the two ends of ``value``.

    Both lie outside of the ends themselves, by 2^-50 of lo and err at most, unless one of these is 0.
    """
    with np.errstate(all="ignore"):
        below, above = (round_sum(*end, value.exponent, form, mode) for end in _outer(value))
        return below, above


def _outer(value: Enclosure) -> tuple[tuple[Real, Real], tuple[Real, Real]]:
    """Both ends as head and tail, without the exponent."""
    # err, and lo -+ err, are themselves rounded, by 2^-53 of lo and err each: 2^-51 of these covers that
    wider = value.err + (np.abs(value.lo) + value.err) * 2.0**-51
    err = np.where((value.err == 0.0) | (value.lo == 0.0), value.err, wider)
    return _normalised(value.hi, value.lo - err), _normalised(value.hi, value.lo + err)


def widen(x: np.ndarray) -> Real:
    """Numbers as doubles; half by table, since a conversion in NumPy costs more on most machines."""
    if x.dtype == HALF.dtype:
        return np.take(_halves(), x.view(np.uint16))
    return x.astype(np.float64, copy=False)


@functools.cache
def _halves() -> Real:
    return np.arange(1 << 16, dtype=np.uint16).view(HALF.dtype).astype(np.float64)


def narrow(values: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """Round ``values``, doubles or floats, to a format that has at most their precision, in one step.

    A value is exact or was itself rounded to odd (``to_odd``); the results are then the exact values, rounded.
    Infinities and the sign of zero are kept. Call it under ``np.errstate(all="ignore")``.
    """
    if values.dtype == form.dtype or (mode == "rte" and form.dtype.kind == "f" and values.size <= _FEW):
        return values.astype(form.dtype)
    if form is not FLOAT:
        rounded = to_half if form is HALF else functools.partial(rounded_double, form=form)
        return form.from_bits(rounded(values.astype(np.float64, copy=False), mode=MODE_NUMBERS[mode]))
    nearest: np.ndarray = values.astype(form.dtype)
    return nearest if mode == "rte" else directed(nearest, values - nearest, form, mode)


def directed(nearest: np.ndarray, residual: np.ndarray, form: Format, mode: Rounding) -> np.ndarray:
    """Turn ``nearest``, rounded to nearest even, into the result in ``mode`` by the sign of exact - nearest.

    A zero or NaN ``residual`` changes nothing. Where rounding to nearest overflowed, ``residual`` must point back
    (its sign is the opposite of the infinity's); where it underflowed, ``nearest`` must have the exact value's sign.
    """
    if mode == "rte":
        return nearest
    code = nearest.view(f"i{form.dtype.itemsize}")
    found = moved(code.astype(np.int64), code < 0, residual > 0, residual < 0, MODE_NUMBERS[mode])
    return form.from_bits(found)


def canonical(values: np.ndarray, form: Format) -> None:
    """Replace every NaN among ``values``, an array of ``form``, in place by the canonical NaN.

    Processors generate NaNs of either sign, and pass on payloads in different ways.
    """
    if values.size and _has_nan(values, form):
        np.copyto(values, form.nan, where=np.isnan(values))


def _has_nan(values: np.ndarray, form: Format) -> bool:
    """Whether there is a NaN among ``values``; much faster than looking where."""
    if form.is_short and values.size <= _FEW:
        return bool(np.isnan(values).any())
    if form.is_short:  # compared slowly: among numbers of one sign, a NaN has the largest encoding
        top, sign = int(form.bits(form.largest)) + form.infinities, 1 << form.width - 1
        signed, unsigned = values.view(f"i{form.dtype.itemsize}"), values.view(form.bits_dtype)
        largest, most = np.maximum.reduce(signed, axis=None), np.maximum.reduce(unsigned, axis=None)
        return bool(largest > top or most > top | sign)
    largest = np.maximum.reduce(values, axis=None)
    return bool(largest != largest)


def odd_double(value: Enclosure) -> tuple[Real, Truth]:
    """Return exact values rounded to odd as doubles, and the elements that the enclosures do not decide.

    ``value``: enclosures of double's accurate kernels. Values are clamped to 2^±1000, far beyond each narrow format.
    """
    with np.errstate(all="ignore"):
        below, above = (to_odd(*end) for end in _outer(value))
        found = np.ldexp(below, value.exponent)
        size = np.abs(found)
        if not ((size >= 1.0 / _CLAMP) & (size <= _CLAMP)).all():
            beyond = (below != 0.0) & np.isfinite(below)
            found = np.where(beyond, np.copysign(np.clip(size, 1.0 / _CLAMP, _CLAMP), found), found)
        return found, (below != above) & ~np.isnan(value.hi)


def _normalised(hi: Real, lo: Real) -> tuple[Real, Real]:
    total = np.where(lo == 0.0, hi, hi + lo)  # -0 + 0 would lose the sign
    rest = (hi - total) + lo
    return total, np.where(np.isfinite(total), rest, 0.0)


def round_sum(hi: Real, lo: Real, exponent: Integer, form: Format, mode: Rounding) -> np.ndarray:
    """Round (hi + lo) 2^exponent once, where ``hi`` is hi + lo rounded to nearest; ``lo`` may be rounded to odd."""
    if mode == "rtn":
        hi = np.where((hi == 0.0) & (exponent == ZERO_SUM), -0.0, hi)
    subnormal = np.abs(hi) < DOUBLE.smallest_normal
    if subnormal.any():
        hi, lo, exponent = np.ldexp(hi, 100 * subnormal), np.ldexp(lo, 100 * subnormal), exponent - 100 * subnormal
    found = form.from_bits(rounded(hi, lo, exponent, form, MODE_NUMBERS[mode]))
    if format_of(form.dtype) is form and (nan := np.isnan(hi)).any():
        np.copyto(found, hi.astype(form.dtype), where=nan)  # with the code that a NaN carries
    return found


def fraction(value: Any) -> Fraction:
    """A finite exact real (int, float, NumPy scalar, Fraction, mpfr, mpq or mpmath mpf) as a Fraction."""
    if isinstance(value, (int, Fraction)):
        return Fraction(value)
    if hasattr(value, "man_exp"):  # mpmath
        mantissa, exponent = value.man_exp
        magnitude = Fraction(int(mantissa)) * Fraction(2) ** int(exponent)
        return -magnitude if value < 0 else magnitude
    if isinstance(value, np.generic):
        value = value.item()
    numerator, denominator = value.as_integer_ratio()
    return Fraction(int(numerator), int(denominator))


def enclosed(value: object) -> Enclosure:
    """The enclosure, err = 0, of one exact real: ``hi`` holds its first 53 bits, ``lo`` the rest rounded to odd."""
    exact = fraction(value)
    if exact == 0:
        return Enclosure.of(0.0)
    exponent = abs(exact.numerator).bit_length() - exact.denominator.bit_length()
    scaled = abs(exact) / Fraction(2) ** exponent  # in (1/2, 2)
    bits, rest = divmod(scaled.numerator << 120, scaled.denominator)
    bits |= rest != 0  # round to odd
    sign = -1.0 if exact < 0 else 1.0
    hi = float(bits)  # correctly rounded by Python
    lo = bits - int(hi)
    # the remainder of 120 bits is 67 bits wide: round it to odd too
    shift = max(abs(lo).bit_length() - 53, 0)
    odd = (abs(lo) >> shift) | (abs(lo) & ((1 << shift) - 1) != 0)
    tail = float(odd << shift) * (1 if lo >= 0 else -1)
    return Enclosure.of(np.float64(sign * hi), sign * tail, 0.0, exponent - 120)


def round_real(value: Any, form: Format, mode: Rounding) -> Any:
    """The real ``value`` (as in ``fraction``, or an infinity or NaN) correctly rounded: a NumPy scalar of ``form``.

    The sign of a zero argument is kept.
    """
    checked_mode("round_real()", mode)
    if hasattr(value, "is_zero") or isinstance(value, (float, np.floating)) or hasattr(value, "man_exp"):
        plain = float(value)
        if plain != plain:
            return form.nan
        if (plain in (np.inf, -np.inf) and not _is_finite(value)) or value == 0:
            return form.dtype.type(plain)
    return round_enclosure(enclosed(value), form, mode)[0][()]


def _is_finite(value: object) -> bool:
    """Whether an extended real that overflows double is nevertheless a finite number."""
    try:
        fraction(value)
    except (OverflowError, ValueError):
        return False
    return True


def ulp_error(actual: object, exact: object, form: Format) -> float:
    """Signed error (actual - exact) / ulp(exact) of one result of ``form``; see ``ulp_errors`` for the conventions."""
    plain = _as_double(exact)
    special = plain != plain or (plain in (np.inf, -np.inf) and not _is_finite(exact))
    value = Enclosure.of(np.float64(plain)) if special else enclosed(exact)
    return float(ulp_errors(np.asarray(actual, form.dtype), value, form))


def _as_double(value: Any) -> float:
    """``value`` as Python rounds it; an infinity where it is too large an int or fraction."""
    try:
        return float(value)
    except OverflowError:
        return np.inf if value > 0 else -np.inf


def ulp_errors(actual: np.ndarray, exact: Enclosure, form: Format) -> Real:
    """Signed errors (actual - exact) / ulp(exact), elementwise, before any rounding of the exact value.

    An infinite ``actual`` counts as 2^(emax+1), and every exact value beyond that counts as equal to it. The error of a
    finite ``actual`` uses the exact value itself. NaN against NaN and equal infinities are 0; NaN against a number, and
    anything else against an exact infinity, are infinite.
    """
    with np.errstate(all="ignore"):
        place = _last_place_of_ulp(exact, form)
        scale = exact.exponent - place
        hi, lo = np.ldexp(exact.hi, scale), np.ldexp(exact.lo, scale)
        got = np.ldexp(actual.astype(np.float64), -place)
        error = (got - hi) - lo
        return error if np.isfinite(error).all() else _far_errors(actual, exact, (got, hi, lo), form.emax + 1 - place)


def _far_errors(actual: np.ndarray, exact: Enclosure, parts: tuple[Real, Real, Real], beyond: Integer) -> Real:
    """As ``ulp_errors`` where something is infinite or NaN.

    ``parts``: the actual and the exact values in ulp; ``beyond``: of 2^(emax+1) in ulp, the exponent.
    """
    got, hi, lo = parts
    ceiling = np.ldexp(1.0, beyond)
    below = (np.abs(hi) == ceiling) & (lo != 0.0) & (np.signbit(lo) != np.signbit(hi))  # by less than half an ulp
    clamped = (np.abs(hi) >= ceiling) & ~below & np.isinf(actual)
    hi, lo = np.where(clamped, np.copysign(ceiling, hi), hi), np.where(clamped | np.isinf(hi), 0.0, lo)
    got = np.where(np.isinf(actual), np.copysign(ceiling, got), got)
    same = (actual == exact.hi) | (np.isnan(actual) & np.isnan(exact.hi))
    apart = np.isinf(exact.hi) | np.isnan(exact.hi) | np.isnan(actual)
    sign = np.where(np.signbit(got) & ~np.isnan(got), -1.0, 1.0)
    return np.where(apart, np.where(same, 0.0, sign * np.inf), (got - hi) - lo)


def ulps(exact: Enclosure, form: Format) -> Real:
    """The ulp of exact values, elementwise, as ``ulp`` defines it; NaN for NaN."""
    with np.errstate(all="ignore"):
        return np.where(np.isnan(exact.hi), np.nan, np.ldexp(1.0, _last_place_of_ulp(exact, form)))


def _last_place_of_ulp(exact: Enclosure, form: Format) -> Integer:
    """Exponent of ulp(exact): as the last place in rounding, but at a power of two itself the smaller neighbour's."""
    mantissa, binade = np.frexp(exact.hi)
    place = binade + (exact.exponent - form.precision)
    size = np.abs(mantissa)
    if not ((size > 0.5) & (size < 1.0)).all():
        outward = (np.signbit(exact.hi) == np.signbit(exact.lo)) & (exact.lo != 0.0)
        place = place - ((size == 0.5) & ~outward)
        place = np.where(exact.hi == 0.0, form.quantum, np.where(np.isinf(exact.hi), form.emax, place))
    within: Integer = np.minimum(np.maximum(place, form.quantum), form.emax - form.precision + 1)
    return within
