"""The law for results in float of built-ins of one argument, as the compiled loop runs it: with requirements given.

The loop has the requirements of ``lane_measure.required`` for whole ranges of arguments, see ``judge.regimes``.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from clmath.audit.lanes.lane_errors import errors_of
from clmath.audit.lanes.lane_limits import Allowed, Got, may_be_concerned
from clmath.audit.lanes.lane_measure import (
    OneLaw,
    Requirement,
    Seen,
    Terms,
    are_finite,
    distance,
    furthest,
    is_left,
    is_waived,
    required,
    ruling,
)
from clmath.audit.lanes.lane_missing import is_missed
from clmath.ir.lanes import everywhere, greater, lane, select
from clmath.numbers.formats import FLOAT
from clmath.numbers.lane_codes import decoded
from clmath.numbers.lane_rounding import RTE, near_float, to_float, wide
from clmath.spec.limits import Derived, Limit

if TYPE_CHECKING:
    from clmath.ir.values import Integer, Real, Truth


__all__ = ["is_rounded_to_float", "judged", "left_free", "left_waived", "required_there"]

WORD = 0xFFFFFFFF
FLOAT_QUIET_NAN = int(FLOAT.bits(FLOAT.nan))
ROUNDED = 0.5  # ulp: what a correctly rounded result is off by, at most
BEYOND, VANISHING = 2.0 ** (FLOAT.emax + 1), 2.0 ** (FLOAT.quantum - 1)  # in size: rounded to infinity, and to zero
NOTHING = Limit("", "", (), ())  # no rules: what is allowed is given to the loop


@lane
def is_rounded_to_float(hi: Real, err: Real, code: Integer) -> Truth:
    """Where results, of the encodings ``code``, are certainly ``hi ± err`` rounded to nearest; or both are quiet NaN.

    Such a result is off by half an ulp at most.
    """
    unsure = (near_float(hi) | wide(hi, err)) & (err != 0.0)
    found: Truth = ((code == to_float(hi, RTE)) & ~unsure) | (
        (hi != hi) & ((code & FLOAT.magnitude) >= FLOAT_QUIET_NAN)
    )
    return found


def judged(x: Real, value: Real, err: Real, code: Integer, *given: Any) -> tuple[Truth, Truth, Real, Real, Integer]:
    """(whether a result certainly conforms, and certainly fails; bounds on its error; the bin of its distance).

    ``value``, ``err``: the enclosure of the exact value. ``given``: how far a value with err = 0 may lie from the exact
    one, in ulp; errors that pass, in ulp and absolute; and an error in ulp beyond which a result fails if it exceeds
    the absolute one, too. Nothing is waived here, and no edge prescribes a normal number.
    """
    off, passing, tolerance, refused = given
    law = OneLaw(NOTHING, (), waives=False, signless=False)
    terms = Terms(FLOAT, (law,), off, ROUNDED, RTE)
    got, rounded = code & WORD, to_float(value, RTE) & WORD
    number, always = decoded(got, FLOAT), everywhere(value)
    error = errors_of((value, err), got, number, FLOAT, off)
    seen = Seen((x,), (value, err), rounded, got, number, ~always, error)
    absolute = error.scale * tolerance
    allowed = Allowed(greater(passing, absolute), ~always, ~always, ~always, always)
    said = ruling(seen, Requirement(allowed, ~always, ~always, always, always), ~always, law, terms)
    missed = is_missed((x,), got, (value, rounded), error, greater(refused, absolute), FLOAT)
    is_known, shown = knows_rounded(value, err), said.near | missed
    least, most = select(shown, error.least, 0.0), select(shown, furthest(seen, terms), 0.0)
    return said.conforms & is_known, missed & is_known, least, most, select(shown, distance(got, rounded, FLOAT), 0)


def required_there(x: Any, scale: Any, *rest: Any) -> tuple[Any, ...]:
    """What a law requires at an argument.

    (the error in ulp that passes, whether other results may pass, whether no limit holds, whether everything is waived,
    whether everything is left open, whether an edge may prescribe a normal number). ``scale``: the number of ulp in the
    number one. ``rest``: for each rule with a formula, an error that passes, whether other results may pass, and
    whether all may; then the law.
    """
    *told, law = rest
    always, rules = everywhere(x), [rule for rule, _ in law.limit.clauses if isinstance(rule, Derived)]
    of_rules = zip(told[::3], told[1::3], told[2::3], strict=True)
    allowed = [Allowed(error, ~always, may_give, is_open, always) for error, may_give, is_open in of_rules]
    got = Got(x, scale, FLOAT, RTE, given=tuple(zip(rules, allowed, strict=True)))
    said, edges = required((x,), got, law), tuple(edge for edge in law.edges if edge.may_prescribe_normal(FLOAT))
    error, _, may_give, is_open, _ = said.allowed
    return error, may_give, is_open, said.is_waived, said.leaves_open, may_be_concerned((x,), edges, FLOAT)


def knows_rounded(value: Real, err: Real) -> Truth:
    """Whether it is known how the exact value is rounded: it is next to no midpoint, overflows, or rounds to zero."""
    size, is_close = abs(value), (near_float(value) | wide(value, err)) & (err > 0.0)
    return ~is_close | (size - err >= BEYOND) | (size + err < VANISHING)


def left_waived(x: Real, value: Real, err: Real, code: Integer) -> tuple[Truth, Truth]:
    """(whether a result is certainly left open, certainly judged): waived is what should be infinite, or NaN."""
    law = OneLaw(NOTHING, (), waives=True, signless=False)
    waived, is_known = is_waived(to_float(value, RTE) & WORD, law, FLOAT), knows_rounded(value, err)
    return is_left(waived, ~everywhere(x), code & WORD, FLOAT) & is_known, ~waived & is_known


def left_free(x: Real, value: Real, err: Real, code: Integer) -> tuple[Truth, Truth]:
    """The same if no limit holds, so that errors are only measured, where argument and exact value are finite."""
    counts = are_finite((x, value))
    return is_left(err != err, ~counts, code & WORD, FLOAT), counts
