"""Judge results by the terms of an assertion: the specification's limits, or correct rounding."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any, NoReturn

import numpy as np

from clmath import errors
from clmath.call.measured import MisfitError
from clmath.pragmas import contracts
from clmath.spec.builtins import builtin
from clmath.spec.families import reads_truths
from clmath.testing import exactly, prescribed
from clmath.testing.failures import SHOWN, Assertion, UnfitError, message, share
from clmath.testing.memory_calls import memory_call
from clmath.testing.trials import Trial

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.testing.failures import Failure
    from clmath.testing.terms import Terms

    Found = tuple[list[Failure], int, int]

__all__ = [
    "bit_failures",
    "conforming",
    "correctly_rounded",
    "misrounded_bits",
    "refuse_formula",
    "refuse_limit",
]


def conforming(call: str, actual: object, args: object, terms: Terms, asked: Assertion) -> None:
    """Raise AssertionError if the specification does not allow ``actual`` for ``args`` on these terms."""
    __tracebackhide__ = True
    with np.errstate(all="ignore"):  # a decorator would be a frame in the failures that pytest shows
        if exactly.is_exact(asked.name, args):
            if terms.limit is not None:
                refuse_limit(call, asked.name)
            _every_bit(call, asked, bit_failures, actual, args, terms)
        else:
            Trial.of(call, asked.name, args, actual, vector=terms.vector).judge(call, terms.law, asked)


def correctly_rounded(call: str, actual: object, args: object, terms: Terms, asked: Assertion) -> None:
    """Raise AssertionError if ``actual`` is not correctly rounded in the mode of ``terms``."""
    __tracebackhide__ = True
    with np.errstate(all="ignore"):  # as above
        if exactly.is_exact(asked.name, args):
            _every_bit(call, asked, misrounded_bits, actual, args, terms)
            return
        refuse_formula(call, asked.name)
        Trial.of(call, asked.name, args, actual, vector=terms.vector).round(terms.rounding, asked)


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


@np.errstate(all="ignore")
def misrounded_bits(call: str, name: str, actual: object, args: object, terms: Terms, most: int) -> Found:  # noqa: PLR0917
    """Return the ``most`` results that differ most from clmath's, how many differ, and how many there are."""
    given = exactly.arguments_of(call, name, args)
    item = prescribed.item_of_call(name, given, vector=terms.vector)
    if item is not None and reads_truths(item.builtin):  # the edition defines which values are true
        return prescribed.failures(call, item, given, actual, terms, most)
    return exactly.failures(call, name, args, actual, terms.rounding, most=most, vector=terms.vector)


@np.errstate(all="ignore")
def bit_failures(call: str, name: str, actual: object, args: object, terms: Terms, most: int) -> Found:  # noqa: PLR0917
    """Return the results that the specification forbids if every bit counts, else the misrounded ones."""
    given = exactly.arguments_of(call, name, args)
    item = prescribed.item_of_call(name, given, vector=terms.vector, result=getattr(actual, "dtype", None))
    if item is None:
        return misrounded_bits(call, name, actual, args, terms, most)
    return prescribed.failures(call, item, given, actual, terms, most)


def _every_bit(  # noqa: PLR0917 - a judge and its terms
    call: str,
    asked: Assertion,
    judged: Callable[[str, str, Any, Any, Terms, int], Found],
    actual: object,
    args: object,
    terms: Terms,
) -> None:
    """Raise AssertionError if ``actual`` has not the expected bits."""
    __tracebackhide__ = True
    try:
        failures, count, total = judged(call, asked.name, actual, args, terms, SHOWN)
    except MisfitError as error:
        raise UnfitError(str(error)) from None
    if failures:
        memory = memory_call(asked.name)
        asked = asked if memory is None else replace(asked, stored=memory.stored)
        summary = f"{share(count, total, 'results')} not the bits that are due"
        raise AssertionError(message(asked, failures, summary, total))
