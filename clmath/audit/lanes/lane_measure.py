"""The law in lanes: whether a result conforms, and how far it is off, by an enclosure of the exact value."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any, NamedTuple

from clmath.audit.lanes.lane_errors import errors_of
from clmath.audit.lanes.lane_flushing import differs_in_kind, fails, is_flushed
from clmath.audit.lanes.lane_limits import Got, asked_by_edges, limited, may_be_concerned
from clmath.audit.lanes.lane_missing import is_missed
from clmath.ir.lanes import bits, everywhere, lane, lesser, real, select, to_odd, two_sum
from clmath.numbers.formats import DOUBLE
from clmath.numbers.lane_codes import decoded, encoded, mask_of, sign_of
from clmath.numbers.lane_rounding import RTE
from clmath.spec.limits import Derived, FusedOrNot, LowerBits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.lanes.lane_errors import Error
    from clmath.audit.lanes.lane_limits import Allowed
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.ir.values import Integer, Real, Truth
    from clmath.numbers.formats import Format
    from clmath.spec.edges import Edge
    from clmath.spec.limits import Limit

__all__ = ["OneLaw", "Terms", "bin_of", "examined", "furthest", "measured", "measured_integer", "signals"]

MORE = 18  # the number of the bin of ``spread.BINS`` for distances beyond all other bins
LOW_BITS = 127  # of remquo's quotient, the seven bits that are prescribed
FAR = 1 << 20  # a distance, in numbers of the format, that is beyond all other bins


class OneLaw(NamedTuple):
    """What one edition requires of the results of a row.

    ``edges``: the prescribed results; empty if edges are waived. ``waives``: whether nothing is required where an
    argument or the correct result is infinite or NaN. ``waives_overflow``: whether nothing is required where the
    correctly rounded result is the largest number. ``signless``: whether zeros may have any sign. ``is_positive``:
    whether +0 may stand for -0.
    """

    limit: Limit
    edges: tuple[Edge, ...]
    waives: bool
    signless: bool
    waives_overflow: bool = False
    is_positive: bool = False

    @classmethod
    def of(cls, law: Law, item: Item) -> OneLaw:
        """What ``law`` requires of the results of a row."""
        prescribed = () if law.waives("edges", item) else law.edges(item)
        found = tuple(edge for edge in prescribed if edge.prescribes)
        overflow = law.mode != "rte" and law.waives("overflow", item)
        waived = [law.waives(what, item) for what in ("not finite", "signs of zero", "negative zeros")]
        not_finite, signless, is_positive = waived
        return cls(law.limit(item), found, not_finite, signless, overflow, is_positive)


class Terms(NamedTuple):
    """All that judging the results of a row needs to know in advance.

    ``laws``: by the editions in question; the first is that of the audit. ``off``: how far a value with err = 0 may
    lie from the exact one, in ulp of the widest format that the kernel serves. ``rounded``: how far a correctly rounded
    result lies from the exact value at most, in ulp. ``mode``: the number of the rounding mode. ``flushed``: for
    built-ins of one argument, the encodings of results that conform at zero; None if flushed results are not looked
    at. ``tells_missed``: whether normal numbers that the limits refuse certainly fail.
    """

    form: Format
    laws: tuple[OneLaw, ...]
    off: float
    rounded: float
    mode: int
    flushed: tuple[int, ...] | None = None
    tells_missed: bool = False


def signals(code: Integer, form: Format) -> Truth:
    """Whether an encoding is that of a signaling NaN."""
    found: Truth = ((code & form.magnitude) > form.infinite) & ((code & 1 << form.precision - 2) == 0)
    return found


class Seen(NamedTuple):
    """A result with all that is known about it.

    ``parts``: those of an enclosure of the exact value. ``rounded``, ``got``: encodings of the correctly rounded result
    and of the result returned, whose value is ``number``. ``brought``: whether an argument is a signaling NaN.
    """

    args: Sequence[Real]
    parts: Sequence[Real]
    rounded: Integer
    got: Integer
    number: Real
    brought: Truth
    error: Error

    @property
    def is_due(self) -> Truth:
        """Whether the result is the correctly rounded one."""
        found: Truth = self.got == self.rounded
        return found


class Requirement(NamedTuple):
    """What one law requires of a result for its arguments.

    ``allowed``: what the limit allows. ``is_waived``: whether nothing is required for such arguments. ``leaves_open``:
    whether neither the limit nor an edge requires anything, where that ``is_known``. ``is_edged``: whether an edge may
    prescribe the result.
    """

    allowed: Allowed
    is_waived: Truth
    leaves_open: Truth
    is_known: Truth
    is_edged: Truth


class Ruled(NamedTuple):
    """How one law rules on a result.

    ``near``: it passes by its error, as far as that is known. ``conforms``: it certainly passes. ``is_waived``,
    ``is_open``: nothing is required of it, by a waiver, or by whatever rule; ``is_known``: whether ``is_open`` is
    known. ``free``: neither limit nor waiver lets its error count. ``is_judged``: the limit, which is what is
    ``allowed``, decides. ``is_edged``: an edge may prescribe the result.
    """

    near: Truth
    conforms: Truth
    is_waived: Truth
    is_open: Truth
    is_known: Truth
    free: Truth
    is_judged: Truth
    is_edged: Truth
    allowed: Allowed


class Failing(NamedTuple):
    """Whether a law's limit certainly refuses a result, and whether it fails for certain: nothing can excuse it."""

    refused: Truth
    missed: Truth


class Examined(NamedTuple):
    """A result, how each law rules on it, whether it is ``plain``, and whether it ``counts``: see ``measured``."""

    seen: Seen
    rulings: tuple[Ruled, ...]
    plain: Truth
    counts: Truth


def examined(number: Real, *rest: Any) -> Examined:
    """How all laws rule on a result with this value; ``rest`` as for ``measured``."""
    *lanes, rounded, got, brought, terms = rest
    form, first, count = terms.form, terms.laws[0].limit, len(terms.laws[0].limit.parameters)
    args, parts = lanes[:count], lanes[count:]
    rounded = rounded & mask_of(form)
    seen = Seen(args, parts, rounded, got, number, brought, errors_of(parts, got, number, form, terms.off))
    rulings = tuple(ruled(seen, law, terms) for law in terms.laws)
    counts = are_finite([*args, parts[0]]) if first.gives_no_number else ~rulings[0].free
    plain = rulings[0].conforms | ~counts  # what counts is measured: here, or by the host
    for one in rulings:
        left = is_left(one.is_waived, one.is_open & ~counts, got, form)
        plain = plain & (one.conforms | left) & one.is_known
    return Examined(seen, rulings, plain, counts)


def is_left(waived: Truth, is_open: Truth, got: Integer, form: Format) -> Truth:
    """Whether a law lets a result pass without judging it; a signaling NaN passes only where all is waived."""
    return waived | (is_open & ~signals(got, form))


def measured(*rest: Any) -> Any:
    """All that a device is told about a result, for one lane.

    (whether it is plain; whether it counts; the bin of its distance; bounds on its error; for each law, whether it is
    left open; whether it passes only as flushed; whether it is refused; whether it is missed). ``rest``: the arguments,
    the parts of an enclosure of the exact value, encodings of the correctly rounded result and of the result returned,
    whether an argument is a signaling NaN, and the terms.

    A plain result conforms beyond doubt by every law. A missed one fails beyond doubt by every law. The outputs up to
    "left open" hold for plain and missed results only. A result counts if its error may be the worst of the row. The
    bin is its number in ``spread.BINS``. The bounds are doubles in ulp: of the lower one the upper half of the
    encoding, of the upper one the whole. A refused result fails by the first law unless other arguments excuse it.
    """
    *_, got, _, terms = rest
    seen, rulings, plain, counts = examined(decoded(got, terms.form), *rest)
    value = seen.parts[0]
    failing = [failed(seen, one, law, terms) for one, law in zip(rulings, terms.laws, strict=True)]
    known = functools.reduce(operator.and_, (one.is_known for one in rulings), everywhere(value))
    fails = known & failing[0].refused
    flushed = fails & is_flushed(seen.args, seen.got, (value, seen.parts[1]), terms.form, terms.flushed)
    missed = functools.reduce(operator.and_, (one.missed for one in failing)) & terms.tells_missed
    shown = (rulings[0].near | missed) & counts
    far = select(shown, distance(seen.got, seen.rounded, terms.form), 0)
    least, most = select(shown, bits(seen.error.least) >> 32, 0), select(shown, bits(furthest(seen, terms)), 0)
    opens = (one.is_open for one in rulings)
    return plain | flushed, counts & ~flushed, far, least, most, *opens, flushed, fails, missed


def furthest(seen: Seen, terms: Terms) -> Real:
    """The upper bound on the error of a result; for the correctly rounded one, at most what rounding can make it."""
    return select(seen.is_due, lesser(seen.error.most, terms.rounded), seen.error.most)


def ruled(seen: Seen, law: OneLaw, terms: Terms) -> Ruled:
    """How one law rules on a result."""
    got = Got(seen.number, seen.error.scale, terms.form, terms.mode)
    other = is_other(seen.got, seen.args, law.limit, terms)
    return ruling(seen, required(seen.args, got, law), other, law, terms)


def required(args: Sequence[Any], got: Got, law: OneLaw) -> Requirement:
    """What a law requires of a result with these arguments."""
    form, allowed = got.form, limited(args, got, law.limit)
    is_asked, is_known = asked_by_edges(args, law.edges, form)
    return Requirement(
        allowed=allowed,
        is_waived=~are_finite(args) & law.waives,
        leaves_open=allowed.is_open & ~is_asked,
        is_known=allowed.is_known & (is_known | ~allowed.is_open),
        is_edged=may_be_concerned(args, law.edges, form),
    )


def ruling(seen: Seen, said: Requirement, other: Truth, law: OneLaw, terms: Terms) -> Ruled:
    """How a law rules on a result. ``said``: what it requires; ``other``: whether the result is one of ``is_other``."""
    got, error, form, value, allowed = seen.got, seen.error, terms.form, seen.parts[0], said.allowed
    waived = said.is_waived | is_waived(seen.rounded, law, form)
    near, passes = error.is_near | (error.is_unsure & ~said.is_edged), (error.most < allowed.error) | allowed.gives
    near = (near & (passes | other)) | ((near | error.is_exact) & seen.is_due)
    zeros = (((got & form.magnitude) == 0) & law.signless) | ((got == 0) & law.is_positive)
    zeros = zeros & error.is_certain & (value == 0.0)
    sure = (error.is_certain & seen.is_due) | zeros | are_nans(value, got, seen.brought, form)
    return Ruled(
        near=near,
        conforms=near | sure,
        is_waived=waived,
        is_open=waived | said.leaves_open,
        is_known=waived | said.is_known,
        free=allowed.is_open | waived,
        is_judged=~other & ~waived & ~allowed.is_open,
        is_edged=said.is_edged,
        allowed=allowed,
    )


def is_waived(rounded: Integer, law: OneLaw, form: Format) -> Truth:
    """Whether a law requires nothing, whatever the arguments, because of what the correctly rounded result is."""
    size = rounded & form.magnitude
    found: Truth = (~(size < form.infinite) & law.waives) | ((size == form.infinite - 1) & law.waives_overflow)
    return found


def failed(seen: Seen, said: Ruled, law: OneLaw, terms: Terms) -> Failing:
    """Whether a result fails by a law. ``said``: how the law rules on it."""
    args, got, error, form, value, allowed = seen.args, seen.got, seen.error, terms.form, seen.parts[0], said.allowed
    refused = fails(got, seen.rounded, error, allowed, form) if form.is_narrow else got != got
    if form.is_narrow and not any(isinstance(rule, Derived) for rule, _ in law.limit.clauses):  # it may give NaN
        refused = refused | differs_in_kind(value, got, seen.brought, form)
    loosely_edged = may_be_concerned(args, tuple(edge for edge in law.edges if not edge.prescribes_one), form)
    passing = allowed.error + float(law.limit.grows)  # what is allowed for sure is less by up to an ulp
    beyond = is_missed(args, got, (value, seen.rounded), error, passing, form)
    return Failing(
        refused=refused & said.is_judged & ~loosely_edged,
        missed=beyond & said.is_judged & ~said.is_edged & ~allowed.may_give,
    )


def measured_integer(*rest: Any) -> tuple[Truth, Truth, Truth, Truth, Truth]:
    """The same for an int: (whether it conforms; whether it counts; by law, whether it is open; flushed; refused).

    ``rest``: arguments, whether another correct result is infinite or NaN, the int due, the int returned, the terms.
    """
    *args, infinite, due, got, terms = rest
    finite, (first, *_) = are_finite(args), terms.laws
    opens = [(~finite | infinite) & law.waives for law in terms.laws]
    alike = has_lower_bits(due, got, args, terms)
    edged = functools.reduce(operator.or_, (may_be_concerned(args, law.edges, terms.form) for law in terms.laws))
    conforms = (due == got) | (alike & ~edged & finite) | functools.reduce(operator.and_, opens)
    fails = (due != got) & ~alike & finite & ~opens[0]
    never = ~everywhere(args[0])
    return conforms, finite if first.limit.gives_no_number else ~opens[0], *opens, never, fails


def has_lower_bits(due: Integer, got: Integer, args: Sequence[Any], terms: Terms) -> Any:
    """Whether an int has the sign and the seven low bits of a quotient, if no limit requires more."""
    rules = [rule for law in terms.laws for rule, _ in law.limit.clauses]
    if not all(isinstance(rule, LowerBits) for rule in rules):
        return got != got
    x, y = args
    signed = (got == 0) | ((got < 0) == ((bits(x) ^ bits(y)) < 0))
    return signed & ((abs(got) & LOW_BITS) == (abs(due) & LOW_BITS))


def are_finite(args: Sequence[Any]) -> Truth:
    """Whether all arguments are finite."""
    return functools.reduce(operator.and_, (x - x == 0.0 for x in args))


def is_other(got: Integer, args: Sequence[Real], limit: Limit, terms: Terms) -> Any:
    """Whether a result is a product and then a sum, each rounded, where the limit allows that for a fused one."""
    form, ((rule, condition), *others) = terms.form, limit.clauses
    if others or condition or not isinstance(rule, FusedOrNot) or (not form.is_narrow and terms.mode != RTE):
        return got != got
    a, b, c = args
    if not form.is_narrow:
        return bits(a * b + c) == got
    product = decoded(encoded(a * b, form, terms.mode), form)
    return encoded(to_odd(*two_sum(product, c)), form, terms.mode) == got


def are_nans(value: Real, got: Integer, brought: Truth, form: Format) -> Truth:
    """Whether NaN is returned where it is due; a signaling one only if an argument is one."""
    found: Truth = (value != value) & ((got & form.magnitude) > form.infinite) & (brought | ~signals(got, form))
    return found


def distance(got: Integer, rounded: Integer, form: Format) -> Integer:
    """The number of the bin of ``spread.BINS`` for a result, by its distance in numbers of the format."""
    one: Integer = got & form.magnitude
    other: Integer = rounded & form.magnitude
    near_zero = select(one < FAR, one + other, FAR)  # the sum of two large ones overflows
    steps = select(((got ^ rounded) & sign_of(form)) != 0, near_zero, abs(one - other))
    steps = select(steps > FAR, FAR, steps)
    found = bin_of(steps)
    return select(found > MORE, MORE, found)


@lane
def bin_of(steps: Integer) -> Integer:
    """The number of the bin of a spread for a result ``steps`` floats from the right one: 0, 1, 2, 3-4, 5-8 ..."""
    return select(steps == 0, 0, (bits(real(2 * steps - 1)) >> 52) - (DOUBLE.emax - 1))
