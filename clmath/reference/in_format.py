"""Arithmetic of MPFR whose every result is rounded to a format in a mode."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gmpy2

from clmath.reference.arithmetic import Arithmetic

if TYPE_CHECKING:
    from clmath.numbers.rounding import Rounding

__all__ = ["InFormat"]

_ROUND = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}
_WIDE = gmpy2.context(precision=400)


@dataclass(frozen=True)
class InFormat(Arithmetic):
    """Arithmetic whose results are rounded as the format and ``mode`` have it, subnormal and overflowing ones too.

    ``contracted``: whether a formula may be contracted.
    """

    mode: Rounding = "rte"
    contracted: bool = True

    @functools.cached_property
    def target(self) -> Any:
        """The context that results come from; MPFR's exponents are those of 0.1f x 2^e, one more than IEEE's."""
        return gmpy2.context(
            precision=self.form.precision,
            emax=self.form.emax + 1,
            emin=self.form.quantum + 1,
            subnormalize=True,
            round=_ROUND[self.mode],
        )

    def sum_at(self, hi: float, lo: float, exponent: int) -> Any:
        """The number (hi + lo) 2^exponent, 2^-500 <= |hi| <= 2^500 and |lo| at least 2^-200 |hi| or 0, rounded once."""
        total = _WIDE.add(hi, lo)
        return self.target.mul_2exp(total, exponent) if exponent >= 0 else self.target.div_2exp(total, -exponent)
