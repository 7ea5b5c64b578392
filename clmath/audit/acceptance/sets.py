"""Sets of acceptable results of one format, in the language of elementwise functions.

Numbers lie on a line of integers: the place of a number is its encoding without the sign, negated for negative
numbers, so that neighbours are 1 apart and infinities lie next to the largest numbers. Both zeros have the place 0.
"""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.ir.primitives import everywhere, rarely, select
from clmath.numbers.encodings import sign_of

if TYPE_CHECKING:
    from collections.abc import Iterable

    from clmath.ir.values import Integer, Real, Truth
    from clmath.numbers.formats import Format

__all__ = [
    "BEYOND",
    "Set",
    "any_of",
    "between",
    "choice",
    "chosen",
    "contains",
    "everything",
    "holds_nowhere",
    "nothing",
    "place_of",
    "signals",
    "single",
    "spans_hold",
    "united",
]

BEYOND = (1 << 63) - 1  # a place beyond all numbers of every format


class Set(NamedTuple):
    """Acceptable results.

    ``spans``: pairs (least, greatest) of places; a pair whose least place is the greater one holds no number. Zeros are
    in the set by ``plus`` and ``minus``, NaNs by ``quiet`` and ``signaling``; spans do not matter to them.
    ``unspecified``: whether the specification requires nothing, so that every number and every quiet NaN is acceptable.
    """

    spans: tuple[tuple[Integer | int, Integer | int], ...]
    plus: Truth
    minus: Truth
    quiet: Truth
    signaling: Truth
    unspecified: Truth


def any_of(conditions: Iterable[Truth]) -> Truth:
    """Return whether one of several conditions holds."""
    return functools.reduce(operator.or_, conditions)


def place_of(code: Integer, form: Format) -> Integer:
    """Return the place of an encoding on the line of its format."""
    size = code & form.magnitude
    return select((code & sign_of(form)) != 0, -size, size)


def signals(code: Integer, form: Format) -> Truth:
    """Return whether an encoding is a signaling NaN."""
    found: Truth = ((code & form.magnitude) > form.infinite) & ((code & 1 << form.precision - 2) == 0)
    return found


def spans_hold(one: Set, place: Integer) -> Truth:
    """Return whether a place, or an int, lies in a span of a set."""
    return any_of((low <= place) & (place <= high) for low, high in one.spans)


def contains(one: Set, code: Integer, form: Format) -> Truth:
    """Return whether the result with the encoding ``code`` is in a set."""
    size, within = code & form.magnitude, spans_hold(one, place_of(code, form))
    zero = choice((code & sign_of(form)) != 0, one.minus, one.plus)
    nan = choice((code & 1 << form.precision - 2) != 0, one.quiet | one.unspecified, one.signaling)
    return choice(rarely(size > form.infinite), nan, one.unspecified | choice(rarely(size == 0), zero, within))


def choice(condition: Truth, yes: Truth, no: Truth) -> Truth:
    """Return ``yes`` where a condition holds and ``no`` elsewhere."""
    return (condition & yes) | (~condition & no)


def holds_nowhere(condition: Truth) -> bool:
    """Return whether a condition is known to hold for no element; it is known only for arrays."""
    return isinstance(condition, np.ndarray) and not condition.any()


def nothing(like: Real) -> Set:
    """Return the empty set, for elements such as ``like``."""
    return Set(((1, 0),), *[~everywhere(like)] * 5)


def everything(like: Real) -> Set:
    """Return the set of all numbers and all quiet NaNs, which a limit without a number allows."""
    always = everywhere(like)
    return Set(((-BEYOND, BEYOND),), always, always, always, ~always, ~always)


def single(code: Integer, form: Format, here: Truth | None = None, *, either_zero: bool = False) -> Set:
    """Return the set of the result ``code`` where ``here`` holds.

    If it is a NaN, the set has all quiet NaNs. If it is a zero, the set has both zeros if ``either_zero``.
    """
    always: Truth = code == code
    here = always if here is None else here
    size, negative = code & form.magnitude, (code & sign_of(form)) != 0
    nan, zero, place = size > form.infinite, size == 0, place_of(code, form)
    plain = here & ~(nan | zero)
    span = (select(plain, place, 1), select(plain, place, 0))
    plus, minus = here & zero & (~negative | either_zero), here & zero & (negative | either_zero)
    return Set((span,), plus, minus, here & nan, ~always, ~always)


def between(low: Integer, high: Integer, here: Truth) -> Set:
    """Return the set of all numbers from place ``low`` to place ``high``, zeros of both signs among them."""
    zero, never = here & (low <= 0) & (high >= 0), here & ~here
    return Set(((select(here, low, 1), select(here, high, 0)),), zero, zero, never, never, never)


def united(one: Set, other: Set) -> Set:
    """Return the results that are in one of two sets."""
    return Set(one.spans + other.spans, *(a | b for a, b in zip(one[1:], other[1:], strict=True)))


def chosen(condition: Truth, yes: Set, no: Set) -> Set:
    """Return the set ``yes`` where a condition holds and ``no`` elsewhere."""
    count = max(len(yes.spans), len(no.spans))
    pairs = zip(*((*one.spans, *[(1, 0)] * (count - len(one.spans))) for one in (yes, no)), strict=True)
    spans = tuple((select(condition, a, c), select(condition, b, d)) for (a, b), (c, d) in pairs)
    return Set(spans, *(choice(condition, a, b) for a, b in zip(yes[1:], no[1:], strict=True)))
