"""Exact values of a function that is given in mpmath, or as any function of exact numbers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias

import mpmath
import numpy as np

from clmath import errors
from clmath.numbers.rounding import Enclosure, enclosed, fraction, round_real

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.callables import AnyFunction
    from clmath.numbers.formats import Format

__all__ = ["Reference", "rough", "stacked"]

Real: TypeAlias = "Any"  # an mpf, which mpmath does not type

_FIRST, _LAST = 128, 16384  # bits of precision
_SURE = 4096  # bits at which apparent zeros and midpoints are verified: 1 - cos(2^-1000) is neither
_BEYOND = 256  # binades beyond the range of a format, where all values are treated as one size
_AGREEING = 96  # leading bits that two evaluations share, so that errors in ulp are known


@dataclass(frozen=True)
class Reference:
    """A reference ``function`` of mpf numbers, or with ``vectors`` of lists of them; it returns a number, or a list.

    It is evaluated with more and more bits, until two evaluations agree in 96 leading bits and, where results are to be
    correctly rounded to ``form``, both round to the same number. A complex number counts as NaN. Calls are left out for
    which it raises ValueError or ZeroDivisionError, as at poles.
    """

    function: AnyFunction
    form: Format
    correctly_rounded: bool = False
    vectors: bool = False

    def values(self, args: Sequence[np.ndarray | np.generic]) -> list[Real]:
        """Return the exact results for one call, empty if it raises; RangeError if evaluations never agree."""
        before, bits = self._at(args, _FIRST), 2 * _FIRST
        while bits <= _LAST:
            now = self._at(args, bits)
            if len(before) == len(now) and all(map(self._agree, before, now)):
                if bits >= _SURE or not any(map(self._seems_exact, now)):
                    return now
                bits = _SURE // 2
            before, bits = now, 2 * bits
        raise errors.RangeError(
            f"conformance_test(): the reference gives other leading digits with {_LAST} bits than with {_LAST // 2} at "
            f"{args}: compute it with mpmath's functions of the given numbers, at their precision"
        )

    def _at(self, args: Sequence[np.ndarray | np.generic], bits: int) -> list[Real]:
        with mpmath.workprec(bits):
            given = [
                [mpmath.mpf(float(v)) for v in np.asarray(a)] if np.ndim(a) else mpmath.mpf(float(a)) for a in args
            ]
            try:
                found = self.function(*given)
                return [self._clipped(_real(v)) for v in (found if isinstance(found, list | tuple) else [found])]
            except (ValueError, ZeroDivisionError):
                return []
            except (ArithmeticError, AttributeError, LookupError, NameError, TypeError) as error:
                said = f"{type(error).__name__}: {error}"
                remedy = "give a function of as many mpmath numbers, or a list of them, that returns numbers"
                raise errors.DTypeError(f"the reference raises {said}, for {args}; {remedy}") from error

    def _clipped(self, value: Real) -> Real:
        """Return a value far beyond the largest number, or below the smallest one, with an exponent of a few digits."""
        if value == 0 or not mpmath.isfinite(value):
            return value
        size = mpmath.mag(value)
        far = min(max(size, self.form.quantum - _BEYOND), self.form.emax + _BEYOND)
        return value if far == size else mpmath.ldexp(mpmath.sign(value), far)

    def _agree(self, before: Real, now: Real) -> bool:
        if not (mpmath.isfinite(before) and mpmath.isfinite(now)):
            return bool(before == now) or bool(mpmath.isnan(before) and mpmath.isnan(now))
        off = abs(fraction(now) - fraction(before))
        if off * 2**_AGREEING > abs(fraction(now)):
            return False
        ends = [round_real(fraction(now) + sign * off, self.form, "rte") for sign in (-1, 1)]
        return not self.correctly_rounded or bool(ends[0] == ends[1])

    def _seems_exact(self, value: Real) -> bool:
        """Whether a value is zero, or a midpoint: there the smallest difference matters."""
        if not mpmath.isfinite(value):
            return False
        exact = abs(fraction(value))
        return exact == 0 or (self.correctly_rounded and exact.numerator.bit_length() == self.form.precision + 1)


def _real(value: Real) -> Real:
    """Return a reference's number as an mpf of the current precision; NaN for a complex one."""
    if isinstance(value, complex | mpmath.mpc):
        return mpmath.mpf(value.real) if value.imag == 0 else mpmath.nan
    if isinstance(value, mpmath.mpf | float | int):
        return mpmath.mpf(value)
    exact = fraction(value)
    return mpmath.mpf(exact.numerator) / exact.denominator


def rough(function: AnyFunction, args: Sequence[float]) -> float:
    """Return the value of a reference as a double, NaN without one; for the search for its zeros and extrema."""
    with mpmath.workprec(64):
        try:
            found = function(*map(mpmath.mpf, args))
            return float(found) if not isinstance(found, complex | mpmath.mpc) else float("nan")
        except (ValueError, ZeroDivisionError, TypeError, OverflowError):
            return float("nan")


def stacked(values: Sequence[Real]) -> Enclosure:
    """Exact results as arrays."""
    found = [enclosed(v) if mpmath.isfinite(v) else Enclosure.of(float(v)) for v in values]
    parts = [(one.hi, one.lo, one.err, one.exponent) for one in found]
    return Enclosure(*(np.array([one[k] for one in parts]) for k in range(4)))
