"""MPFR contexts for one evaluation, and the loop that brackets an irrational value until it is decided."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import TYPE_CHECKING, Any

import gmpy2

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.numbers.formats import Format

__all__ = ["Arithmetic", "decided"]

_GUARD = 24  # bits beyond the target that the first approximation has
_SLACK = 8  # an approximation is good to all but these bits of its precision


@dataclass(frozen=True)
class Arithmetic:
    """Where an operation on numbers of ``form`` is evaluated, ``precision`` bits being asked for.

    MPFR's functions are correctly rounded and say whether they had to round: a truncated result and that fact
    (``.rc`` is not 0) are the exact value rounded to odd. ``downward`` turns every rounding downward; it serves to
    find the zeros whose sign depends on the mode.
    """

    form: Format
    precision: int
    downward: bool = False

    @cached_property
    def target(self) -> Any:
        """The context that results come from."""
        mode = gmpy2.RoundDown if self.downward else gmpy2.RoundToZero
        return gmpy2.context(precision=self.precision, round=mode)

    @cached_property
    def exact(self) -> Any:
        """A context wide enough for sums of products of up to three differences, and sworn to never round."""
        width = 3 * (self.form.emax - self.form.quantum) + 64
        mode = gmpy2.RoundDown if self.downward else gmpy2.RoundToNearest
        return gmpy2.context(precision=width, round=mode, trap_inexact=True)

    @cached_property
    def root(self) -> Any:
        """A context in which the square root of an exact sum is exact wherever it is rational."""
        return gmpy2.context(precision=self.exact.precision, round=gmpy2.RoundToZero)

    def constant(self, value: float) -> Any:
        """A special value."""
        return gmpy2.mpfr(value, 53)


def decided(on: Arithmetic, approximate: Callable[[Any], Any]) -> Any:
    """The irrational value that ``approximate(context)`` is near to, truncated to the target, ``.rc`` telling so.

    An approximation errs by less than 2^(8 - precision) of itself. The value must not be representable in
    any number of bits: otherwise its two sides never truncate alike.
    """
    target = on.target
    precision = target.precision + _GUARD
    while True:
        wide = gmpy2.context(precision=precision, round=gmpy2.RoundToNearest)
        middle = approximate(wide)
        radius = wide.div_2exp(middle, precision - _SLACK)
        outer, inner = target.add(middle, radius), target.sub(middle, radius)
        if inner == outer:
            return outer
        precision *= 2
