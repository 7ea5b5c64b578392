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


@dataclass(frozen=True)
class InFormat(Arithmetic):
    """Arithmetic whose results are rounded as the format and ``mode`` have it, subnormal and overflowing ones too."""

    mode: Rounding = "rte"

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
