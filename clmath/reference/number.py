"""One number at a time, where whole arrays would cost the most: MPFR in the format and the mode, which rounds once."""

from __future__ import annotations

import functools
from collections.abc import Callable
from dataclasses import dataclass

import gmpy2

from clmath.numbers.formats import Format
from clmath.numbers.rounding import Rounding
from clmath.reference.arithmetic import Arithmetic, Context, Mpfr
from clmath.reference.operations import operation

__all__ = ["rounded_operation"]

_DEFAULT = gmpy2.context()  # in force while an operation runs: the caller's own may have any precision
_ROUND = {"rte": gmpy2.RoundToNearest, "rtz": gmpy2.RoundToZero, "rtp": gmpy2.RoundUp, "rtn": gmpy2.RoundDown}


@dataclass(frozen=True)
class _InFormat(Arithmetic):
    """Arithmetic whose results are rounded to the format in ``mode``, including subnormal and overflowing results."""

    mode: Rounding = "rte"

    @functools.cached_property
    def target(self) -> Context:
        """The context that results come from; MPFR's exponents are for 0.1f x 2^e, one more than IEEE's."""
        return gmpy2.context(
            precision=self.form.precision,
            emax=self.form.emax + 1,
            emin=self.form.quantum + 1,
            subnormalize=True,
            round=_ROUND[self.mode],
        )


def rounded_operation(name: str, form: Format, mode: Rounding) -> Callable[..., tuple[Mpfr, ...]]:
    """The built-in ``name`` as a function of Python floats and ints, numbers of ``form``.

    It returns all results, correctly rounded in ``mode``: mpfr numbers and floats of ``form``, and ints.
    """
    evaluate = operation(name, _InFormat(form, form.precision, downward=mode == "rtn", mode=mode))

    def rounded(*args: object) -> tuple[Mpfr, ...]:
        callers = gmpy2.get_context()
        gmpy2.set_context(_DEFAULT)
        try:
            found = evaluate(*args)
        finally:
            gmpy2.set_context(callers)
        return found if isinstance(found, tuple) else (found,)

    return rounded
