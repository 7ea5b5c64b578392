"""Sets of acceptable results of one format, in the language of elementwise functions; what special values prescribe.

Numbers lie on a line of integers: the place of a number is its encoding without the sign, negated for negative
numbers, so that neighbours are 1 apart and infinities lie next to the largest numbers. Both zeros have the place 0.
"""

from __future__ import annotations

import functools
import operator
from collections.abc import Iterable, Iterator, Sequence
from typing import NamedTuple

import numpy as np

from clmath.audit.acceptance.criteria import Requirement
from clmath.ir.primitives import everywhere, filled, greater, integer, lesser, rarely, select
from clmath.ir.values import Integer, Real, Truth
from clmath.numbers.encodings import encoded, sign_of
from clmath.numbers.formats import Format
from clmath.spec.special_values import SpecialValue, SpecialValueOfVectors, alternatives, holds

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


class Prescribed(NamedTuple):
    """The results that one special value of the table (an ``SpecialValue``) allows.

    ``number``: its number in the table. ``here``: whether it applies to the arguments. ``decides``: whether its results
    replace the set; if not, they are a range within which limits decide. ``concerns``: whether it restricts the result.
    """

    number: int
    here: Truth
    results: Set
    decides: Truth | bool
    concerns: Truth | bool


def prescribed(
    args: Sequence[np.ndarray],
    special_values: Sequence[SpecialValue],
    need: Requirement,
    k: int,
    like: Real,
    *,
    is_integer: bool = False,
) -> Iterator[Prescribed]:
    """Yield the results that special values prescribe for result ``k`` of calls, in the order of the table.

    ``args``: scalars as doubles, vectors as arrays of the format with the elements on the last axis. ``like``: elements
    in the shape of the result. If calls are arrays, special values that apply to no call are left out.
    """
    for number, special_value in enumerate(special_values):
        if not special_value.prescribes:
            continue
        if isinstance(special_value, SpecialValueOfVectors):
            yield _of_vectors(number, special_value, args, need, like)
            continue
        result, here = special_value.results[k], rarely(holds(special_value, args, need.form))
        if holds_nowhere(here):
            continue
        if result.low is not None and result.high is not None:
            zero, always = integer(filled(0.0, like)), everywhere(like)
            low, high = (_place(end, need.form) for end in (result.low, result.high))
            found = between(zero + low, zero + (high if result.is_closed else high - 1), always)
            yield Prescribed(number, here, found, decides=False, concerns=True)
        elif special_value.prescribes_exactly:
            allowed = _integers if is_integer else _alternatives
            found = everything(like) if result.is_any else allowed(special_value, k, args, need, like)
            yield Prescribed(number, here, found, decides=True, concerns=not result.is_free)


def _place(number: float, form: Format) -> int:
    """Return the place of a number of the format."""
    size = int(form.bits(abs(number)))
    return -size if number < 0.0 else size


def _alternatives(
    special_value: SpecialValue, k: int, args: Sequence[np.ndarray], need: Requirement, like: Real
) -> Set:
    """Return the set of the values of result ``k`` that a special value allows."""
    either = need.zero_sign == "open"
    codes = [encoded(value, need.form) for value in alternatives(special_value, k, args, need.form)]
    sets = [single(code, need.form, either_zero=either) for code in codes]
    return functools.reduce(united, sets, nothing(like))


def _integers(special_value: SpecialValue, k: int, args: Sequence[np.ndarray], need: Requirement, like: Real) -> Set:
    """Return the set of the values of an int result that a special value allows."""
    values = [integer(value) for value in alternatives(special_value, k, args, need.form)]
    return nothing(like)._replace(spans=tuple((value, value) for value in values))


def _of_vectors(
    number: int, special_value: SpecialValueOfVectors, args: Sequence[np.ndarray], need: Requirement, like: Real
) -> Prescribed:
    """Return the results that a special value prescribes for vectors, or for the number that such a call returns."""
    vectors, form = args[0], need.form
    here = special_value.matches(tuple(args), form)
    if not special_value.is_of_vectors:
        found = _alternatives(special_value, 0, [a[..., 0].astype(np.float64) for a in args], need, like)
        return Prescribed(number, here, found, decides=True, concerns=not special_value.results[0].is_free)
    wanted, concerns, exact = special_value.of_elements(vectors)
    codes, here = form.bits(wanted).astype(np.int64), np.broadcast_to(here[..., np.newaxis], vectors.shape) & concerns
    whole = single(codes, form, either_zero=need.zero_sign == "open")
    found = chosen(concerns, chosen(exact, whole, _directions(codes, form)), everything(like))
    return Prescribed(number, here, found, exact, concerns=True)


def _directions(codes: Integer, form: Format) -> Set:
    """Return the numbers with the sign of ``codes`` and a size from 1/2 to 1: elements of a direction."""
    half, one = (int(form.bits(size)) for size in (0.5, 1.0))
    negative = place_of(codes, form) < 0
    low, high = np.where(negative, -one, half), np.where(negative, -half, one)
    return between(low, high, negative | ~negative)


def concerned(found: Sequence[Prescribed], like: Real) -> Truth:
    """Return whether some special value restricts a result."""
    return any_of([~everywhere(like), *(one.here & one.concerns for one in found)])


def are_decided(found: Sequence[Prescribed], like: Real) -> Truth:
    """Return whether some special value alone decides a result."""
    return any_of([~everywhere(like), *(one.here & one.decides for one in found)])


def applied(one: Set, found: Prescribed) -> Set:
    """Return a set replaced by the results of a special value, or cut to its range."""
    if found.decides is True:
        return chosen(found.here, found.results, one)
    if found.decides is False:
        return chosen(found.here, _common(one, found.results), one)
    part = chosen(found.here & ~found.decides, _common(one, found.results), one)
    return chosen(found.here & found.decides, found.results, part)


def _common(one: Set, numbers: Set) -> Set:
    """Return the numbers of a set that lie in a range, which is a set of one span."""
    ((least, most),) = numbers.spans
    spans = tuple((greater(least, low), lesser(most, high)) for low, high in one.spans)
    never = numbers.quiet
    return Set(spans, one.plus & numbers.plus, one.minus & numbers.minus, never, never, one.unspecified)
