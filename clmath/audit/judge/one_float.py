"""Acceptance of results in float of built-ins of one argument, as the compiled loop asks it: for reaches given to it.

The loop has the reaches of whole ranges of arguments, see ``regimes``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.audit.acceptance.acceptable import Asked, are_waived
from clmath.audit.acceptance.limits import Limited, Reach, Sides, holds_subnormal, within
from clmath.audit.acceptance.sets import contains, everything, nothing
from clmath.audit.acceptance.values import EXACT, Source, rounded, value_of
from clmath.audit.lanes.lane_errors import distance, errors_of
from clmath.audit.law.requirement import Requirement
from clmath.ir.lanes import everywhere, greater, lane, lesser, select
from clmath.numbers.formats import FLOAT
from clmath.numbers.lane_codes import decoded
from clmath.numbers.lane_rounding import RTE, near_float, to_float, wide

if TYPE_CHECKING:
    from clmath.audit.acceptance.values import Value
    from clmath.ir.values import Integer, Real, Truth

__all__ = ["is_rounded_to_float", "judged", "left_free", "left_waived"]

WORD = 0xFFFFFFFF
FLOAT_QUIET_NAN = int(FLOAT.bits(FLOAT.nan))
SMALLEST_NORMAL = 1 << FLOAT.precision - 1  # as it is encoded
INFINITY = float("inf")
ROUNDED = 0.5  # ulp: what a correctly rounded result is off by, at most
# what all laws ask that the loop serves; a sign of zero that none judges is left to the host
PLAIN = Requirement(FLOAT, RTE, (), (), zero_sign="judged")
WAIVING = PLAIN._replace(not_finite_waived=True)


@lane
def is_rounded_to_float(hi: Real, err: Real, code: Integer) -> Truth:
    """Whether results with the encodings ``code`` certainly are ``hi ± err`` rounded to nearest, or both quiet NaN.

    Such a result is acceptable, and off by half an ulp at most.
    """
    unsure = (near_float(hi) | wide(hi, err)) & (err != 0.0)
    found: Truth = ((code == to_float(hi, RTE)) & ~unsure) | (
        (hi != hi) & ((code & FLOAT.magnitude) >= FLOAT_QUIET_NAN)
    )
    return found


def judged(x: Real, hi: Real, err: Real, code: Integer, *given: Any) -> tuple[Truth, Truth, Real, Real, Integer]:
    """(whether a result certainly conforms, and certainly fails; bounds on its error; the bin of its distance).

    ``given``: how far a value with err = 0 may lie from the exact one, in ulp; errors that pass, in ulp and absolute;
    and an error in ulp beyond which a result fails if it exceeds the absolute one, too, unless a special value may be a
    normal number: then it is infinite. Nothing is waived here.
    """
    off, passing, tolerance, refused = given
    got, value = code & WORD, value_of((hi, 0.0, err, 0), FLOAT, RTE, Source(off))
    least, most = greater(passing * value.least_ulp, tolerance), greater(refused * value.most_ulp, tolerance)
    none = nothing(hi)
    by_limit = within(Reach(least, most, refused, tolerance, none.quiet, Sides(none, none)), value, PLAIN)
    due, error = by_limit.due.codes[0], errors_of((hi, err), got, decoded(got, FLOAT), FLOAT, off)
    is_measured = error.is_unsure & by_limit.due.is_known
    is_passing = is_measured & (error.is_near | (error.is_exact & (got == due)))  # whatever special values prescribe
    inner, outer = (contains(one, got, FLOAT) for one in by_limit.sets)
    is_itself = error.is_certain & (got == due)  # without an error
    fails = is_measured & ~outer & ~_may_be_excused(x, got, by_limit) & (error.most < INFINITY)
    most = select(got == due, lesser(error.most, ROUNDED), error.most)
    bounds = select(is_measured, error.least, 0.0), select(is_measured, most, 0.0)
    apart = select(is_measured, distance(got, due, FLOAT), 0)
    return inner & (is_passing | is_itself | value.nan), fails, *bounds, apart


def _may_be_excused(x: Real, got: Integer, by_limit: Limited) -> Truth:
    """Return whether more than a limit may decide: flushing, or the reason is another one than the limit.

    That is where argument, result or correctly rounded result are not normal numbers; but a zero is excused only by a
    subnormal number within the limit.
    """
    size, due = got & FLOAT.magnitude, by_limit.due.codes[0] & FLOAT.magnitude
    is_normal = (abs(x) >= FLOAT.smallest_normal) & (x - x == 0.0)
    is_normal = is_normal & (due >= SMALLEST_NORMAL) & (due < FLOAT.infinite) & (size < FLOAT.infinite)
    found: Truth = ~is_normal | ((size == 0) & holds_subnormal(by_limit.sets.outer, 1, by_limit, size != size, FLOAT))
    return found


def left_waived(x: Real, hi: Real, err: Real, code: Integer) -> tuple[Truth, Truth]:  # noqa: ARG001 - as ``left_free``
    """(whether a result is certainly unspecified, certainly judged): waived is what should be infinite, or NaN."""
    value, always = value_of((hi, 0.0, err, 0), FLOAT, RTE, EXACT), everywhere(x)
    asked = Asked((x,), {}, ~always, ~always, always)  # of infinite arguments the loop is not asked
    first, other = (are_waived(asked, _size(end, value), WAIVING) for end in value.rounding)
    return first & other, ~(first | other)


def _size(end: Any, value: Value) -> Integer:
    """Return the encoding of an end of a value rounded, without its sign; infinity for NaN."""
    return select(value.is_number, rounded(end, FLOAT, RTE) & FLOAT.magnitude, FLOAT.infinite)


def left_free(x: Real, hi: Real, err: Real, code: Integer) -> tuple[Truth, Truth]:  # noqa: ARG001 - as ``left_waived``
    """The same if no limit holds, so that errors are only measured, where argument and exact value are finite."""
    counts = (x - x == 0.0) & (hi - hi == 0.0)
    return ~counts & contains(everything(hi), code & WORD, FLOAT), counts
