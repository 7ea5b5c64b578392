"""One number at a time, where whole arrays would cost the most: MPFR in the format and the mode, which rounds once."""

from __future__ import annotations

import functools
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import gmpy2

from clmath.reference.arithmetic import Arithmetic
from clmath.reference.operations import operation
from clmath.reference.stepwise import STEPWISE

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["rounded_operation"]

_ROUND = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}
_WIDE = gmpy2.context(precision=400)
_DEFAULT = gmpy2.context()  # in force while an operation runs: the caller's own may have any precision


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


def rounded_operation(
    name: str, form: Format, mode: Rounding, *, contracted: bool = True
) -> Callable[..., tuple[Any, ...]]:
    """The built-in ``name`` as a function of Python floats and ints, numbers of ``form``.

    It returns all results, correctly rounded in ``mode``, or with each operation rounded where the built-in is a
    formula: mpfr numbers and floats of ``form``, and ints.
    """
    on = InFormat(form, form.precision, downward=mode == "rtn", mode=mode, contracted=contracted)
    evaluate = functools.partial(STEPWISE[name], on) if name in STEPWISE else operation(name, on)

    def rounded(*args: Any) -> tuple[Any, ...]:
        callers = gmpy2.get_context()
        gmpy2.set_context(_DEFAULT)
        try:
            found = evaluate(*args)
        finally:
            gmpy2.set_context(callers)
        return found if isinstance(found, tuple) else (found,)

    return rounded
