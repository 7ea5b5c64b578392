"""Judge results by the terms of an assertion: the specification's limits, or correct rounding."""

from __future__ import annotations

from typing import TYPE_CHECKING, NoReturn

import numpy as np

from clmath import errors
from clmath.call.measured import MisfitError
from clmath.pragmas import contracts
from clmath.spec.builtins import builtin
from clmath.testing import bits
from clmath.testing.failures import UnfitError
from clmath.testing.trials import Trial

if TYPE_CHECKING:
    from clmath.testing.failures import Found
    from clmath.testing.terms import Terms

__all__ = ["judged", "refuse_formula", "refuse_limit"]


def judged(call: str, name: str, args: object, actual: object, terms: Terms, most: int) -> Found:  # noqa: PLR0917
    """Return the ``most`` worst results that these terms do not allow, and how many there are.

    UnfitError if results have a wrong number, shape or type.
    """
    __tracebackhide__ = True
    with np.errstate(all="ignore"):  # a decorator would be a frame in the failures that pytest shows
        if bits.is_exact(name, args):
            if terms.limit is not None:
                refuse_limit(call, name)
            try:
                return bits.judged(call, name, args, actual, terms, most)
            except MisfitError as error:
                raise UnfitError(str(error)) from None
        if terms.exactly:
            refuse_formula(call, name)
        trial = Trial.of(call, name, args, actual, vector=terms.vector)
        return trial.rounded(terms.rounding, most) if terms.exactly else trial.judged(call, terms.criteria, most)


def refuse_limit(call: str, name: str) -> NoReturn:
    """Raise RangeError: a limit in ulp makes no sense if every bit counts."""
    raise errors.RangeError(f"{call}: every bit of {name} counts, no limit in ulp goes with it; leave limit out")


def refuse_formula(call: str, name: str) -> None:
    """Raise RangeError if the built-in is an expression, of which every operation is rounded."""
    __tracebackhide__ = True
    row = builtin(name, call)
    formula = row.formula or ("" if contracts() else row.uncontracted)
    if formula:
        where = "" if row.formula else "under fp_contract('OFF') "
        raise errors.RangeError(
            f"{call}: name={row.name!r} {where}is the formula {formula}, each operation of which is rounded: no "
            f"result is the correctly rounded one; use assert_conforms, or compare with what clmath.{row.name} gives"
        )
