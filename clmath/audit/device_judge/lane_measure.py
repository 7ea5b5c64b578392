"""How far a result that a device returned is from an enclosure, in lane arithmetic: what ``screen`` says of arrays."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

from clmath.audit.device_judge.lane_errors import double_errors, narrow_errors
from clmath.audit.device_judge.lane_limits import asked_by_edges, limited, may_be_concerned
from clmath.numbers.formats import DOUBLE
from clmath.numbers.lanes import SIGN, bits, lesser, real, select

if TYPE_CHECKING:
    from clmath.numbers.formats import Format
    from clmath.spec.edges import Edge
    from clmath.spec.limits import Limit

__all__ = ["Terms", "measured", "measured_integer", "signals"]

MORE = 18  # the number of the bin of all that is farther than the others, of ``spread.BINS``
FAR = 1 << 20  # numbers of a format: more than in any other bin


class Terms(NamedTuple):
    """What is asked of the results of a row, and how far a value with err = 0 may lie from the exact one, in ulp.

    ``limits``: of all editions in question; the first is that of the audit. ``edges``: what is prescribed; none where
    edges are waived. ``waives``: whether nothing is asked where an argument or the exact result is no number. ``off``:
    in ulp of the widest format that the kernel serves. ``rounded``: how far, at most, a correctly rounded result lies
    from the exact value, in ulp.
    """

    form: Format
    limits: tuple[Limit, ...]
    edges: tuple[Edge, ...]
    waives: bool
    off: float
    rounded: float


def infinite(form: Format) -> int:
    """The encoding of infinity."""
    return ((1 << form.width - form.precision) - 1) << form.precision - 1


def magnitude(form: Format) -> int:
    """All bits of an encoding but the sign."""
    return (1 << form.width - 1) - 1


def signals(code: Any, form: Format) -> Any:
    """Whether a number is a signaling NaN."""
    return ((code & magnitude(form)) > infinite(form)) & ((code & 1 << form.precision - 2) == 0)


def measured(*rest: Any) -> Any:
    """(whether a result is plain, left open, and counts; how far off it is; the least and the most of its error).

    ``rest``: the arguments, the parts of an enclosure of the exact value, encodings of the correctly rounded result and
    of the one returned, whether an argument is a signaling NaN, and the terms. A plain result conforms beyond doubt;
    the rest is meant of plain results only. It counts if its error may be the worst. How far it is off is told by the
    number of a bin of ``spread.BINS``, the errors, in ulp, by doubles: the least by the upper half, the most by all.
    """
    *lanes, rounded, got, brought, terms = rest
    form, limits = terms.form, terms.limits
    args, parts = lanes[: len(limits[0].parameters)], lanes[len(limits[0].parameters) :]
    rounded = rounded if form is DOUBLE else rounded & (2 * magnitude(form) + 1)
    find: Any = double_errors if form is DOUBLE else narrow_errors
    error = find(*parts, got, form, terms.off)
    allowed, unlimited = limited(args, error.scale, limits[0], form)
    for limit in limits[1:]:
        allowed = lesser(allowed, limited(args, error.scale, limit, form)[0])
    finite, rounds = args[0] - args[0] == 0.0, (rounded & magnitude(form)) < infinite(form)
    for x in args[1:]:
        finite = finite & (x - x == 0.0)
    waived = (~finite | ~rounds) & terms.waives
    near = error.is_near | (error.is_unsure & ~may_be_concerned(args, terms.edges, form))
    near = (near & (error.most < allowed)) | ((near | error.is_exact) & (got == rounded))
    furthest = select(got == rounded, lesser(error.most, terms.rounded), error.most)
    is_asked, is_known = asked_by_edges(args, terms.edges, form)
    is_open = waived | (unlimited & ~is_asked)
    value = parts[0]
    if limits[0].gives_no_number:
        counts = finite & (value - value == 0.0)
    else:
        counts = ~(unlimited | waived)
    shown = near & counts
    plain = near | (error.is_certain & (got == rounded)) | are_nans(value, got, brought, form)
    plain = plain | waived | (is_open & ~counts & ~signals(got, form))
    plain = plain & (is_known | waived | ~unlimited)
    far = select(shown, distance(got, rounded, form), 0)
    least, most = select(shown, bits(error.least) >> 32, 0), select(shown, bits(furthest), 0)
    return plain, is_open, counts, far, least, most


def measured_integer(*rest: Any) -> Any:
    """(whether an int conforms, is left open, and counts): ``rest`` are the arguments, what is due, what was returned.

    And the terms.
    """
    *args, due, got, terms = rest
    finite = args[0] - args[0] == 0.0
    for x in args[1:]:
        finite = finite & (x - x == 0.0)
    waived = ~finite & terms.waives
    return (due == got) | waived, waived, finite if terms.limits[0].gives_no_number else ~waived


def are_nans(value: Any, got: Any, brought: Any, form: Format) -> Any:
    """Whether NaN is returned where it is due; a signaling one where one was ``brought``."""
    return (value != value) & ((got & magnitude(form)) > infinite(form)) & (brought | ~signals(got, form))


def distance(got: Any, rounded: Any, form: Format) -> Any:
    """The number of the bin of ``spread.BINS``: how many numbers lie between, from one on in doublings."""
    one, other = got & magnitude(form), rounded & magnitude(form)
    sign = SIGN if form is DOUBLE else 1 << form.width - 1
    near_zero = select((one | other) < FAR, one + other, FAR)
    steps = select(((got ^ rounded) & sign) != 0, near_zero, abs(one - other))
    steps = select(steps > FAR, FAR, steps)
    doublings = (bits(real(steps + steps - 1)) >> 52) - 1022
    return select(steps == 0, 0, select(doublings > MORE, MORE, doublings))
