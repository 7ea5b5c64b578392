"""The set of acceptable results of a call, from its arguments, its exact value and the requirement."""

from __future__ import annotations

import functools
import operator
from collections.abc import Callable, Sequence
from typing import NamedTuple

import numpy as np

from clmath.audit.acceptance.criteria import Requirement
from clmath.audit.acceptance.limits import Limited, Sides, are_unspecified, holds_subnormal, limited
from clmath.audit.acceptance.sets import (
    BEYOND,
    Prescribed,
    Set,
    applied,
    are_decided,
    concerned,
    nothing,
    prescribed,
    single,
    spans_hold,
    united,
)
from clmath.audit.acceptance.values import Value
from clmath.ir.primitives import bits, everywhere, select
from clmath.ir.values import Integer, Real, Truth
from clmath.kernels.whole.arithmetic import rounded_product
from clmath.numbers.encodings import encoded
from clmath.numbers.formats import Format
from clmath.numbers.rounded_encodings import RTZ
from clmath.spec.limits import LowerBits

LOW_BITS = 127  # the seven prescribed bits of remquo's quotient


class Asked(NamedTuple):
    """One result of calls, with facts about the calls.

    ``args``: the arguments as doubles; vectors are arrays of the format. ``named``: by name, in the shape of the
    result, arguments, and values that conditions of limits compute from vectors. ``brought``: whether an argument is a
    signaling NaN. ``others``: whether another correctly rounded result of the call is not finite. ``finite``: whether
    all arguments are finite. ``number``: the index of the result in the call.
    """

    args: Sequence[np.ndarray]
    named: dict[str, Real]
    brought: Truth
    others: Truth
    finite: Truth
    number: int = 0


def acceptable(asked: Asked, value: Value, need: Requirement) -> Sides[Set]:
    """Return the inner and the outer set of acceptable results.

    The order of the rules: limits; a product that may be flushed before an addition; special values, which replace the
    set or cut it; everything, if neither a limit nor a special value holds; signaling NaNs; the special values of a
    target that flushes; zeros for subnormal results; any NaN for a signaling argument; waivers.
    """
    like = value.least_ulp
    by_limit = limited(asked.named, value, need)
    special = list(prescribed(asked.args, need.special_values, need, asked.number, like))
    flushing = need.flushing_special_values if need.flushes else ()
    instead = list(prescribed(asked.args, flushing, need, asked.number, like))
    decided = are_decided(special, like)

    def set_of(side: int) -> Set:
        one = _with_special_values(by_limit.sets[side], by_limit, special, asked, value, need)
        other = nothing(like)
        for special_value in instead:
            other = applied(other, special_value)
        one = united(one, other) if instead else one
        if need.flushes:
            zero = holds_subnormal(one, side, by_limit, decided, need.form) & value.is_number & ~value.zero
            one = one._replace(plus=one.plus | zero, minus=one.minus | zero)
        return _waived(one, asked, value, need, operator.or_ if side else operator.and_)

    return Sides.of(set_of, same=by_limit.sets.is_one)


def _with_special_values(  # noqa: PLR0917 - the facts about a result
    one: Set, by_limit: Limited, special: Sequence[Prescribed], asked: Asked, value: Value, need: Requirement
) -> Set:
    """Return the set of a limit with a product that may be flushed, changed by special values."""
    if need.product_flushed and need.flushes:
        one = united(one, _addend(asked.args, by_limit, value, need))
    for special_value in special:
        one = applied(one, special_value)
    is_unspecified = by_limit.is_unspecified & ~concerned(special, value.least_ulp)
    one = one._replace(unspecified=one.unspecified | is_unspecified)
    signaling = asked.brought & one.quiet
    return one._replace(signaling=signaling | one.unspecified if need.gives_no_number else signaling)


def _addend(args: Sequence[Real], by_limit: Limited, value: Value, need: Requirement) -> Set:
    """Return the set of the addend, which is the sum if the product may be flushed before the addition."""
    a, b, c = args
    here = _is_tiny_product(a, b, need.form) & ~(by_limit.is_unspecified | (value.zero & (c == 0.0)))
    return single(encoded(c, need.form), need.form, here, either_zero=True)


def _is_tiny_product(a: Real, b: Real, form: Format) -> Truth:
    """Return whether a product is subnormal before it is rounded; a product of doubles may round to a normal number."""
    product = a * b if form.is_narrow else rounded_product(a, b, form.name, RTZ)
    return abs(product) < form.smallest_normal


def _waived(one: Set, asked: Asked, value: Value, need: Requirement, both: Callable[[Truth, Truth], Truth]) -> Set:
    """Return the set with the waivers applied: for signaling arguments, infinities, NaN and overflow.

    ``both``: combines a condition on the two ends between which the value is rounded, by "and" or "or".
    """
    of_nan = asked.brought & ~value.nan
    one = one._replace(quiet=one.quiet | of_nan, signaling=one.signaling | of_nan)
    if not (need.not_finite_waived or need.overflow_waived):
        return one
    beyond = [select(value.is_number, code & need.form.magnitude, need.form.infinite) for code in value.due]
    waived = functools.reduce(both, (are_waived(asked, size, need) for size in beyond))
    return one._replace(unspecified=one.unspecified | waived, signaling=one.signaling | waived)


def are_waived(asked: Asked, size: Integer, need: Requirement) -> Truth:
    """Return whether a result is waived; ``size``: the encoding of the correctly rounded result without its sign."""
    found: Truth = size != size
    if need.not_finite_waived:
        found = ~asked.finite | asked.others | (size >= need.form.infinite)
    if need.overflow_waived:
        found = found | (size == need.form.infinite - 1)
    return found


def acceptable_integer(asked: Asked, due: Integer, need: Requirement) -> Set:
    """Return the set of an int result whose exact value is ``due``.

    ``plus`` says whether only its lowest bits and its sign must agree with that value.
    """
    like = asked.args[0]
    is_unspecified = are_unspecified(asked.named, need, like, is_integer=True)
    lower = everywhere(like) & all(isinstance(rule, LowerBits) for rule, _ in need.clauses)
    one = nothing(like)._replace(
        spans=((select(is_unspecified, -BEYOND, due), select(is_unspecified, BEYOND, due)),), plus=lower
    )
    special = list(prescribed(asked.args, need.special_values, need, asked.number, like, is_integer=True))
    for special_value in special:
        one = applied(one, special_value)
    unspecified = is_unspecified & ~concerned(special, like)
    return one._replace(unspecified=unspecified | are_waived(asked, due & 0, need))


def contains_integer(one: Set, got: Integer, due: Integer, args: Sequence[Real]) -> Truth:
    """Return whether an int result is in a set."""
    found = spans_hold(one, got)
    if len(args) > 1:
        negative = (bits(args[0]) ^ bits(args[1])) < 0
        signed = (got == 0) | ((got < 0) == negative)
        found = found | (one.plus & signed & ((abs(got) & LOW_BITS) == (abs(due) & LOW_BITS)))
    return found | one.unspecified
