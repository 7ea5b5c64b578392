"""How far a result that a device returned is from an enclosure, in lane arithmetic: what ``screen`` says of arrays."""

from __future__ import annotations

import functools
import operator
from typing import TYPE_CHECKING, Any, NamedTuple

from clmath.audit.lanes.lane_errors import errors_of, number_of
from clmath.audit.lanes.lane_flushing import differs_in_kind, fails, is_flushed
from clmath.audit.lanes.lane_formulas import everywhere
from clmath.audit.lanes.lane_limits import Got, asked_by_edges, limited, may_be_concerned
from clmath.audit.lanes.lane_missing import is_missed
from clmath.numbers.formats import DOUBLE, FLOAT
from clmath.numbers.lane_errors import bin_of
from clmath.numbers.lane_rounding import RTE, to_float, to_half
from clmath.numbers.lanes import SIGN, bits, lesser, select, to_odd, two_sum
from clmath.spec.limits import Derived, FusedOrNot, LowerBits

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.audit.lanes.lane_errors import Error
    from clmath.audit.lanes.lane_limits import Allowed
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.numbers.formats import Format
    from clmath.spec.edges import Edge
    from clmath.spec.limits import Limit

__all__ = ["OneLaw", "Terms", "furthest", "looked_at", "measured", "measured_integer", "signals"]

MORE = 18  # the number of the bin of all that is farther than the others, of ``spread.BINS``
LOW_BITS = 127
FAR = 1 << 20  # numbers of a format: more than in any other bin


class OneLaw(NamedTuple):
    """What one edition asks of the results of a row.

    ``edges``: what is prescribed; none where edges are waived. ``waives``: whether nothing is asked where an argument
    or the exact result is no number, ``waives_overflow``: whether nothing is asked where the exact result, rounded, is
    the largest number; ``signless``: whether any zero is right where one is, ``is_positive``: whether that of plus is.
    """

    limit: Limit
    edges: tuple[Edge, ...]
    waives: bool
    signless: bool
    waives_overflow: bool = False
    is_positive: bool = False

    @classmethod
    def of(cls, law: Law, item: Item) -> OneLaw:
        """What ``law`` asks of the results of a row."""
        prescribed = () if law.waives("edges", item) else law.edges(item)
        found = tuple(edge for edge in prescribed if edge.prescribes)
        overflow = law.mode != "rte" and law.waives("overflow", item)
        waived = [law.waives(what, item) for what in ("not finite", "signs of zero", "negative zeros")]
        not_finite, signless, is_positive = waived
        return cls(law.limit(item), found, not_finite, signless, overflow, is_positive)


class Terms(NamedTuple):
    """What is asked of the results of a row, and how far a value with err = 0 may lie from the exact one, in ulp.

    ``laws``: by the editions in question; the first is that of the audit. ``off``: in ulp of the widest format that the
    kernel serves. ``rounded``: how far, at most, a correctly rounded result lies from the exact value, in ulp.
    ``mode``: the number of that in which results are rounded. ``flushed``: None where nothing is told of flushed
    results; else the encodings of those that conform at zero, of built-ins of one argument. ``tells_missed``: whether
    what the limits refuse of normal numbers fails for certain. ``on_host``: whether lanes are arrays of the host.
    """

    form: Format
    laws: tuple[OneLaw, ...]
    off: float
    rounded: float
    mode: int
    flushed: tuple[int, ...] | None = None
    tells_missed: bool = False
    on_host: bool = False


def signals(code: Any, form: Format) -> Any:
    """Whether a number is a signaling NaN."""
    return ((code & form.magnitude) > form.infinite) & ((code & 1 << form.precision - 2) == 0)


class Seen(NamedTuple):
    """A result: the arguments, the parts of an enclosure of the exact value, that rounded, what was ``got``, its error.

    ``number``: what ``got`` stands for. ``brought``: whether an argument is a signaling NaN.
    """

    args: Sequence[Any]
    parts: Sequence[Any]
    rounded: Any
    got: Any
    number: Any
    brought: Any
    error: Error

    @property
    def is_due(self) -> Any:
        """Whether it is the correctly rounded one."""
        return self.got == self.rounded


class Ruled(NamedTuple):
    """What one law says of a result: whether it is ``near`` the exact value, conforms, is waived, and is left open.

    ``is_known``: whether that is known; ``free``: whether nothing limits the error; ``is_judged``: whether the limit,
    which is what is ``allowed``, decides; ``is_edged``: whether an edge may say anything.
    """

    near: Any
    conforms: Any
    is_waived: Any
    is_open: Any
    is_known: Any
    free: Any
    is_judged: Any
    is_edged: Any
    allowed: Allowed


class Failing(NamedTuple):
    """Whether the limit of a law is surely missed; and whether it is where nothing excuses it and no edge has a say."""

    refused: Any
    missed: Any


class Looked(NamedTuple):
    """A result, what each law says of it, whether it is ``plain``, and ``counts``: see ``measured``."""

    seen: Seen
    rulings: tuple[Ruled, ...]
    plain: Any
    counts: Any


def looked_at(number: Any, *rest: Any) -> Looked:
    """What all laws say of a result that is this ``number``; ``rest`` as of ``measured``."""
    *lanes, rounded, got, brought, terms = rest
    form, first, count = terms.form, terms.laws[0].limit, len(terms.laws[0].limit.parameters)
    args, parts = lanes[:count], lanes[count:]
    rounded = rounded if form is DOUBLE else rounded & (2 * form.magnitude + 1)
    seen = Seen(args, parts, rounded, got, number, brought, errors_of(parts, got, number, form, terms.off))
    rulings = tuple(ruled(seen, law, terms) for law in terms.laws)
    counts = are_finite([*args, parts[0]]) if first.gives_no_number else ~rulings[0].free
    plain = rulings[0].conforms | ~counts  # what counts is measured: here, or by the host
    for one in rulings:
        left = one.is_waived | (one.is_open & ~counts & ~signals(got, form))
        plain = plain & (one.conforms | left) & one.is_known
    return Looked(seen, rulings, plain, counts)


def measured(*rest: Any) -> Any:
    """(whether a result is plain, and counts; how far off it is; the least and most of its error; whether it is open).

    ``rest``: the arguments, the parts of an enclosure of the exact value, encodings of the correctly rounded result and
    of the one returned, whether an argument is a signaling NaN, and the terms. A plain result conforms beyond doubt, by
    every law; the rest is meant of plain results only. It counts if its error may be the worst. How far it is off is
    told by the number of a bin of ``spread.BINS``, the errors, in ulp, by doubles: the least by the upper half, the
    most by all. Whether it is left open is told by each law, then whether it conforms as one that is flushed; then
    whether it surely fails, unless other arguments excuse it; and last, whether it misses the limits of all laws, and
    nothing excuses it: what was said of plain results is meant of such as well.
    """
    *_, got, _, terms = rest
    seen, rulings, plain, counts = looked_at(number_of(got, terms.form), *rest)
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


def furthest(seen: Seen, terms: Terms) -> Any:
    """The most of the error of a result; the correctly rounded one is no farther off than rounding takes it."""
    return select(seen.is_due, lesser(seen.error.most, terms.rounded), seen.error.most)


def ruled(seen: Seen, law: OneLaw, terms: Terms) -> Ruled:
    """What one of the laws says."""
    args, got, error, form, value = seen.args, seen.got, seen.error, terms.form, seen.parts[0]
    allowed = limited(args, Got(seen.number, error.scale, form, terms.mode, terms.on_host), law.limit)
    size = seen.rounded & form.magnitude
    waived = (~are_finite(args) | ~(size < form.infinite)) & law.waives
    waived = waived | ((size == form.infinite - 1) & law.waives_overflow)  # which may have been rounded to that
    other, edged = is_other(got, args, law.limit, terms), may_be_concerned(args, law.edges, form)
    near, passes = error.is_near | (error.is_unsure & ~edged), (error.most < allowed.error) | allowed.gives | other
    near = (near & passes) | ((near | error.is_exact) & seen.is_due)
    zeros = (((got & form.magnitude) == 0) & law.signless) | ((got == 0) & law.is_positive)
    zeros = zeros & error.is_certain & (value == 0.0)
    sure = (error.is_certain & seen.is_due) | zeros | are_nans(value, got, seen.brought, form)
    is_asked, is_known = asked_by_edges(args, law.edges, form)
    return Ruled(
        near=near,
        conforms=near | sure,
        is_waived=waived,
        is_open=waived | (allowed.is_open & ~is_asked),
        is_known=waived | (allowed.is_known & (is_known | ~allowed.is_open)),
        free=allowed.is_open | waived,
        is_judged=~other & ~waived & ~allowed.is_open,
        is_edged=edged,
        allowed=allowed,
    )


def failed(seen: Seen, said: Ruled, law: OneLaw, terms: Terms) -> Failing:
    """Whether a result fails by a law of which it is ``said`` what else it says."""
    args, got, error, form, value, allowed = seen.args, seen.got, seen.error, terms.form, seen.parts[0], said.allowed
    refused = fails(got, (value, seen.parts[1], seen.rounded), error, allowed, form) if form.is_narrow else got != got
    if form.is_narrow and not any(isinstance(rule, Derived) for rule, _ in law.limit.clauses):  # it may give NaN
        refused = refused | differs_in_kind(value, got, seen.brought, form)
    loosely_edged = may_be_concerned(args, tuple(edge for edge in law.edges if not edge.prescribes_one), form)
    passing = allowed.error + float(law.limit.grows)  # what is allowed for sure is less by up to an ulp
    beyond = is_missed(args, got, (value, seen.rounded), error, passing, form)
    return Failing(
        refused=refused & said.is_judged & ~loosely_edged,
        missed=beyond & said.is_judged & ~said.is_edged & ~allowed.may_give,
    )


def measured_integer(*rest: Any) -> Any:
    """(whether an int conforms, and counts; whether it is open, and flushed; whether it surely fails).

    ``rest``: the arguments, whether another result that is due is no number, what is due, the result, and the terms.
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


def has_lower_bits(due: Any, got: Any, args: Sequence[Any], terms: Terms) -> Any:
    """Whether an int has the seven low bits of a quotient and its sign, where every limit asks for no more."""
    rules = [rule for law in terms.laws for rule, _ in law.limit.clauses]
    if not all(isinstance(rule, LowerBits) for rule in rules):
        return got != got
    x, y = args
    signed = (got == 0) | ((got < 0) == ((bits(x) ^ bits(y)) < 0))
    return signed & ((abs(got) & LOW_BITS) == (abs(due) & LOW_BITS))


def are_finite(args: Sequence[Any]) -> Any:
    """Whether all arguments are numbers."""
    return functools.reduce(operator.and_, (x - x == 0.0 for x in args))


def is_other(got: Any, args: Any, limit: Limit, terms: Terms) -> Any:
    """Whether a result is the other one that passes: a product and then a sum, each rounded, for a fused one."""
    form, ((rule, condition), *others) = terms.form, limit.clauses
    if others or condition or not isinstance(rule, FusedOrNot) or (form is DOUBLE and terms.mode != RTE):
        return got != got
    a, b, c = args
    if form is DOUBLE:
        return bits(a * b + c) == got
    to_form: Any = to_float if form is FLOAT else to_half
    product = number_of(to_form(a * b, terms.mode), form)
    return (to_form(to_odd(*two_sum(product, c)), terms.mode) & (2 * form.magnitude + 1)) == got


def are_nans(value: Any, got: Any, brought: Any, form: Format) -> Any:
    """Whether NaN is returned where it is due; a signaling one where one was ``brought``."""
    return (value != value) & ((got & form.magnitude) > form.infinite) & (brought | ~signals(got, form))


def distance(got: Any, rounded: Any, form: Format) -> Any:
    """The number of the bin of ``spread.BINS``: how many numbers lie between, from one on in doublings."""
    one, other = got & form.magnitude, rounded & form.magnitude
    sign = SIGN if form is DOUBLE else 1 << form.width - 1
    near_zero = select((one | other) < FAR, one + other, FAR)
    steps = select(((got ^ rounded) & sign) != 0, near_zero, abs(one - other))
    steps = select(steps > FAR, FAR, steps)
    found = bin_of(steps)
    return select(found > MORE, MORE, found)
