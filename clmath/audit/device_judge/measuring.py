"""The judge of one result on a device, in the language of elementwise functions: by sets of acceptable results."""

from __future__ import annotations

import functools
import operator
from collections.abc import Sequence
from typing import NamedTuple, cast

import numpy as np

from clmath.audit.acceptance.acceptable import Asked, acceptable, acceptable_integer, are_waived, contains_integer
from clmath.audit.acceptance.criteria import Criteria, Requirement, requirement
from clmath.audit.acceptance.limits import are_unspecified, limited
from clmath.audit.acceptance.sets import contains, prescribed
from clmath.audit.acceptance.values import Error, Source, Value, distance, errors_of, value_of
from clmath.audit.plan.item import Item
from clmath.ir.primitives import bits, everywhere, lesser, select
from clmath.ir.values import Integer, Parts, Real, Truth
from clmath.numbers.encodings import decoded, mask_of
from clmath.numbers.formats import Format
from clmath.spec.notation import number

INFINITY = float("inf")


class Terms(NamedTuple):
    """All that judging the results of a row needs to know in advance.

    ``all_criteria``: the criteria of each edition in question, the audit's edition first. ``off``: the largest error of
    a value with err = 0, in ulp of the widest format that the kernel serves. ``rounded``: the largest error of a
    correctly rounded result, in ulp. ``flushed``: whether a device finds out which results are flushed.
    """

    item: Item
    all_criteria: tuple[Criteria, ...]
    off: float
    rounded: float
    flushed: bool = False

    @property
    def needs(self) -> list[Requirement]:
        """The requirements of each edition as if nothing were flushed."""
        return [requirement(self.item, criteria, flushing=False) for criteria in self.all_criteria]


class Seen(NamedTuple):
    """A result in a format with all that is known about it.

    ``parts``: the parts of an enclosure of the exact value. ``due``, ``got``: encodings of the correctly rounded result
    and of the result returned. ``brought``: whether an argument is a signaling NaN. ``number``: the index of the result
    in the call.
    """

    form: Format
    args: Sequence[Real]
    parts: Sequence[Real]
    due: Integer
    got: Integer
    brought: Truth
    error: Error
    number: int

    @property
    def is_due(self) -> Truth:
        """Whether the result is the correctly rounded one, or a quiet NaN if the exact value is NaN."""
        value, quiet = self.parts[0], self.form.infinite | 1 << self.form.precision - 2
        found: Truth = (self.got == self.due) | ((value != value) & ((self.got & self.form.magnitude) >= quiet))
        return found


class Judged(NamedTuple):
    """Verdict of one edition on a result.

    ``passes``, ``fails``: whether it certainly does, as if nothing were flushed. ``is_fine``, ``is_wrong``: whether it
    certainly passes or fails, with all that may be flushed. ``is_unspecified``: whether nothing is required of it.
    ``counts``: whether its error may be the worst. ``is_known``: whether ``is_unspecified`` and ``counts`` are certain.
    ``is_far``: whether only the limit refuses it, if it fails, and no other arguments could make it pass.
    """

    passes: Truth
    fails: Truth
    is_fine: Truth
    is_wrong: Truth
    is_unspecified: Truth
    counts: Truth
    is_known: Truth
    is_far: Truth


def facts(*given: object) -> tuple[np.ndarray, ...]:
    """Return facts about one result that a device needs before it determines which results are acceptable.

    (whether it is the correctly rounded one; whether it is plain if it is acceptable; whether it counts; the bin of its
    distance; bounds on its error; for each edition, whether nothing is required of it). ``given``: the arguments, the
    parts of an enclosure of the exact value, encodings of the correctly rounded result and of the result returned,
    whether an argument is a signaling NaN, the terms, and the number of the result in the call.

    A plain result is acceptable beyond doubt by every edition. The correctly rounded result is acceptable, since a
    device does not judge rows whose special values prescribe another. The other facts hold for plain and missed
    results, see ``verdict``. A result counts if its error may be the worst of the row. The bin is its number in
    ``spread.BINS``. The bounds are encodings of doubles in ulp: the upper half for the lower bound, the whole for the
    upper bound.
    """
    seen, said, terms = judged_by_all(given)
    shown = seen.error.is_unsure & said[0].counts
    bounds = bits(seen.error.least) >> 32, bits(furthest(seen, terms))
    sizes = (select(shown, one, 0) for one in (distance(seen.got, seen.due, seen.form), *bounds))
    return seen.is_due, are_known(seen, said), said[0].counts, *sizes, *(one.is_unspecified for one in said)


def accepted(*given: object) -> Truth:
    """Return whether a result is acceptable by every edition as if nothing were flushed."""
    _, said, _ = judged_by_all(given)
    return all_of([one.passes for one in said])


def verdict(*given: object) -> tuple[Truth, ...]:
    """Return whether a result is plain, whether it passes only as flushed, whether it is refused, whether it is missed.

    A refused result fails by the first edition unless it passes with other arguments. A missed result is beyond the
    limit of every edition.
    """
    seen, said, terms = judged_by_all(given)
    known, flushed = are_known(seen, said), is_flushed(seen, said, terms)
    plain = (all_of([one.passes for one in said]) & known) | flushed
    missed = all_of([one.is_wrong & one.is_far for one in said]) & known & said[0].counts
    return plain, flushed, said[0].fails, missed & (seen.error.most < INFINITY)


def judged_by_all(given: tuple[object, ...]) -> tuple[Seen, list[Judged], Terms]:
    """Return the result in the parameters of ``facts``, its verdicts by every edition, and the terms."""
    terms, number = cast("Terms", given[-2]), cast("int", given[-1])
    *inputs, due, got, brought = cast("Sequence[np.ndarray]", given[:-2])
    form, count = terms.item.form, len(terms.needs[0].parameters)
    args, parts, due = inputs[:count], inputs[count:], due & mask_of(form)
    error = errors_of(parts, got, decoded(got, form), form, terms.off)
    seen = Seen(form, args, parts, due, got, brought, error, number)
    return seen, [judged(seen, criteria, terms) for criteria in terms.all_criteria], terms


def are_known(seen: Seen, said: Sequence[Judged]) -> Truth:
    """Return whether all verdicts on a result that passes are certain, and its error is known if it counts."""
    found: Truth = all_of([one.is_known for one in said])
    return found & (~said[0].counts | seen.error.is_unsure | has_no_error(seen))


def all_of(conditions: Sequence[Truth]) -> Truth:
    """Return whether all of several conditions hold."""
    return functools.reduce(operator.and_, conditions)


def furthest(seen: Seen, terms: Terms) -> Real:
    """Return the upper bound on the error of a result; for the correctly rounded result at most ``terms.rounded``."""
    return select(seen.got == seen.due, lesser(seen.error.most, terms.rounded), seen.error.most)


def has_no_error(seen: Seen) -> Truth:
    """Return whether a result is a zero, an infinity or NaN, as is the exact value."""
    value, size = seen.parts[0], seen.got & seen.form.magnitude
    both_zero = (value == 0.0) & (size == 0)
    both_nan = (value != value) & (size > seen.form.infinite)
    found: Truth = (seen.error.is_certain & ((seen.got == seen.due) | both_zero)) | both_nan
    return found


def judged(seen: Seen, criteria: Criteria, terms: Terms) -> Judged:
    """Return the verdict of one edition on a result."""
    need, flushing = requirement(terms.item, criteria, flushing=False), requirement(terms.item, criteria)
    form, any_zero = seen.form, criteria.waives("signs of zero", terms.item)
    value = value_in(seen, need, terms.off)
    asked = asked_of(seen, need)
    inner, outer = acceptable(asked, value, need)
    passes, fails = contains(inner, seen.got, form), ~contains(outer, seen.got, form)
    is_fine, is_wrong = passes, fails
    if flushing != need:
        sets = acceptable(asked, value, flushing)
        is_fine, is_wrong = contains(sets.inner, seen.got, form), ~contains(sets.outer, seen.got, form)
    by_limit, of_nan = limited(asked.named, value, need), is_waived_nan(seen, value, form)
    counts, is_counting_known = asked.finite & value.is_number, everywhere(seen.args[0])
    if not need.gives_no_number:
        free = by_limit.is_unspecified | are_waived(asked, seen.due & form.magnitude, need) | of_nan
        counts, is_counting_known = ~free, free | ~by_limit.sets.outer.unspecified
    return Judged(
        passes,
        fails,
        is_fine,
        is_wrong,
        is_unspecified=inner.unspecified | of_nan,
        counts=counts,
        is_known=(inner.unspecified | ~outer.unspecified) & is_counting_known,
        is_far=is_beyond_limit(seen, asked, value, need) & ~may_have_other_arguments(seen, flushing, any_zero=any_zero),
    )


def value_in(seen: Seen, need: Requirement, off: float) -> Value:
    """Return the value in an enclosure: one double and its error, or for double two doubles, error and exponent."""
    parts, source = seen.parts, Source(off, beyond=True)
    whole = (parts[0], 0.0, parts[1], 0) if need.form.is_narrow else cast("Parts", parts)
    return value_of(whole, need.form, need.mode, source, in_halves=need.is_in_halves, due=seen.due)


def asked_of(seen: Seen, need: Requirement) -> Asked:
    """Return the facts about a result on which acceptable results depend."""
    named = dict(zip(need.parameters, seen.args, strict=True))
    never = ~everywhere(seen.args[0])
    return Asked(seen.args, named, seen.brought, never, are_finite(seen.args), seen.number)


def are_finite(args: Sequence[Real]) -> Truth:
    """Return whether all arguments are finite."""
    return all_of([x - x == 0.0 for x in args])


def is_waived_nan(seen: Seen, value: Value, form: Format) -> Truth:
    """Return whether NaN is returned for a number, as a signaling argument allows."""
    found: Truth = seen.brought & ~value.nan & ((seen.got & form.magnitude) > form.infinite)
    return found


def is_beyond_limit(seen: Seen, asked: Asked, value: Value, need: Requirement) -> Truth:
    """Return whether the limit is the reason if a result fails.

    Both the result and the correct one are finite. The result is neither a zero in place of a subnormal number nor a
    zero of the wrong sign. No special value applies.
    """
    form, size, due = need.form, seen.got & need.form.magnitude, seen.due & need.form.magnitude
    found: Truth = (size < form.infinite) & (due < form.infinite)
    found = found & ((size > 0) | (due >= 1 << form.precision - 1))
    for special_value in prescribed(asked.args, need.special_values, need, asked.number, value.least_ulp):
        found = found & ~special_value.here
    return found


def may_have_other_arguments(seen: Seen, need: Requirement, *, any_zero: bool) -> Truth:
    """Return whether some argument may be flushed, or may be a zero of the other sign, if ``any_zero`` may."""
    found = ~everywhere(seen.args[0])
    for x in seen.args:
        if need.flushes:
            found = found | ((abs(x) < number(need.flushed_below, need.form)) & (x != 0.0))
        if any_zero:
            found = found | (x == 0.0)
    return found


def is_flushed(seen: Seen, said: Sequence[Judged], terms: Terms) -> Truth:
    """Return whether a result fails by the first edition as if nothing were flushed, and passes by all as flushed."""
    flushed = all_of([one.is_fine & one.is_known for one in said])
    return said[0].fails & flushed if terms.flushed else ~everywhere(seen.args[0])


def measured_integer(*given: object) -> tuple[Truth, ...]:
    """Judge a result that is an int: whether it conforms, whether it counts, is unspecified per edition, is refused.

    ``given``: arguments, whether another correct result is infinite or NaN, the correct int, the int returned, the
    terms, and the number of the result in the call.
    """
    terms, number = cast("Terms", given[-2]), cast("int", given[-1])
    *args, infinite, due, got = cast("Sequence[np.ndarray]", given[:-2])
    needs, never, finite = terms.needs, ~everywhere(args[0]), are_finite(args)
    asked = [Asked(args, dict(zip(n.parameters, args, strict=True)), never, infinite, finite, number) for n in needs]
    sets = [acceptable_integer(one, due, need) for one, need in zip(asked, needs, strict=True)]
    right = [contains_integer(one, got, due, args) for one in sets]
    free = are_unspecified(asked[0].named, needs[0], args[0], is_integer=True) | are_waived(asked[0], due & 0, needs[0])
    counts = finite if needs[0].gives_no_number else ~free
    return all_of(right), counts, *(one.unspecified for one in sets), ~right[0]
