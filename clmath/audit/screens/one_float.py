"""Acceptance of results in float of built-ins of one argument, for the compiled loop, and the library's text in C11.

The loop has the limits for whole ranges of arguments, see ``judge.regimes``.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path

from clmath.audit.acceptance.acceptable import Asked, are_waived
from clmath.audit.acceptance.criteria import Requirement
from clmath.audit.acceptance.limits import Limited, Reach, Sides, holds_subnormal, within
from clmath.audit.acceptance.sets import contains, everything, nothing
from clmath.audit.acceptance.values import EXACT, Source, Value, distance, errors_of, value_of
from clmath.audit.screens.loop import own_kernels
from clmath.engines.native.loops import header, tables_text, template
from clmath.engines.native.text import enclosing_loop, loop_name
from clmath.ir.primitives import everywhere, greater, lesser, select
from clmath.ir.printing import printed
from clmath.ir.program import Kind, Tables
from clmath.ir.trace import trace
from clmath.ir.values import Integer, Real, Truth
from clmath.numbers.encodings import decoded
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounded_encodings import RTE, near_float, to_float, wide

WORD = 0xFFFFFFFF
FLOAT_QUIET_NAN = int(FLOAT.bits(FLOAT.nan))
SMALLEST_NORMAL = 1 << FLOAT.precision - 1  # its encoding
INFINITY = float("inf")
ROUNDED = 0.5  # ulp: the largest error of a correctly rounded result
# the rules of every requirement that the loop serves; if the sign of zero is unspecified, the host judges zeros
PLAIN = Requirement(FLOAT, RTE, (), (), zero_sign="judged")
WAIVING = PLAIN._replace(not_finite_waived=True)


def is_rounded_to_float(hi: Real, err: Real, code: Integer) -> Truth:
    """Whether results with the encodings ``code`` certainly are ``hi ± err`` rounded to nearest, or both quiet NaN.

    Such a result is acceptable, with an error of half an ulp at most.
    """
    unsure = (near_float(hi) | wide(hi, err)) & (err != 0.0)
    found: Truth = ((code == to_float(hi, RTE)) & ~unsure) | (
        (hi != hi) & ((code & FLOAT.magnitude) >= FLOAT_QUIET_NAN)
    )
    return found


def measured(hi: Real, err: Real, code: Integer, off: float) -> tuple[Truth, Real, Real]:
    """Return whether the error of a result that ``is_rounded_to_float`` is known, and bounds on it.

    A result with a known error conforms. ``off``: the largest error of a value with err = 0, in ulp.
    """
    got = code & WORD
    return _decided((hi, err), got, got, off, everywhere(hi))


def _decided(
    parts: tuple[Real, Real], got: Integer, due: Integer, off: float, is_known: Truth
) -> tuple[Truth, Real, Real]:
    """Return whether the error is known or zero, apart from special values, and its bounds: 0 if it is not measured.

    ``due``: the correctly rounded result of a number, if it ``is_known``.
    """
    error = errors_of(parts, got, decoded(got, FLOAT), FLOAT, off)
    is_right, is_measured = got == due, error.is_unsure & is_known
    is_decided = is_measured & (error.is_near | (error.is_exact & is_right))
    is_decided = is_decided | (error.is_certain & is_right) | (parts[0] - parts[0] != 0.0)  # infinite, or NaN
    most = select(is_right, lesser(error.most, ROUNDED), error.most)
    return is_decided, select(is_measured, error.least, 0.0), select(is_measured, most, 0.0)


def judged(  # noqa: PLR0917 - the parameters of the traced function
    x: Real, hi: Real, err: Real, code: Integer, off: float, passing: Real, failing: Real, tolerance: Real
) -> tuple[Truth, Truth, Real, Real, Integer]:
    """Return whether a result certainly conforms, whether it certainly fails, bounds on its error, and its bin.

    ``passing``, ``tolerance``: errors that pass, in ulp and absolute. A result fails if its error is more than
    ``failing`` ulp, and than ``tolerance``: ``failing`` must be infinite if a special value may be a normal number,
    which could make the result acceptable. Nothing is waived here, and no special value prescribes a normal number.
    """
    got, value = code & WORD, value_of((hi, 0.0, err, 0), FLOAT, RTE, Source(off))
    inside, beyond = (within(_reach(value, ulps, tolerance), value, PLAIN) for ulps in (passing, failing))
    due, is_known = inside.due.codes[0], inside.due.is_known
    is_decided, least, most = _decided((hi, err), got, due, off, is_known)
    is_measured = errors_of((hi, err), got, decoded(got, FLOAT), FLOAT, off).is_unsure & is_known
    is_refused = is_measured & (most < INFINITY) & ~contains(beyond.sets.outer, got, FLOAT)
    apart = select(is_measured, distance(got, due, FLOAT), 0)
    conforms = contains(inside.sets.inner, got, FLOAT) & is_decided
    return conforms, is_refused & ~_may_be_waived(x, got, beyond), least, most, apart


def _reach(value: Value, ulps: Real, tolerance: Real) -> Reach:
    """Return the reach of a limit in ulp, or of an absolute one if that is wider."""
    none = nothing(ulps)
    least, most = greater(ulps * value.least_ulp, tolerance), greater(ulps * value.most_ulp, tolerance)
    return Reach(least, most, ulps, tolerance, none.quiet, Sides(none, none))


def _may_be_waived(x: Real, got: Integer, by_limit: Limited) -> Truth:
    """Return whether more than a limit may decide: flushing, or a rule other than the limit.

    It may if argument, result or correctly rounded result are not normal numbers. A zero passes as flushed only if a
    subnormal number is within the limit.
    """
    size, due = got & FLOAT.magnitude, by_limit.due.codes[0] & FLOAT.magnitude
    are_normal = (abs(x) >= FLOAT.smallest_normal) & (due >= SMALLEST_NORMAL) & (due < FLOAT.infinite)
    is_flushed = (size == 0) & holds_subnormal(by_limit.sets.outer, 1, by_limit, size < 0, FLOAT)
    found: Truth = ~(are_normal & (size < FLOAT.infinite)) | is_flushed
    return found


def left_waived(x: Real, hi: Real, err: Real, code: Integer) -> tuple[Truth, Truth]:  # noqa: ARG001 - as ``left_free``
    """Return whether a result is certainly waived, and whether it is certainly judged.

    Results that should be infinite or NaN are waived.
    """
    value, always = value_of((hi, 0.0, err, 0), FLOAT, RTE, EXACT), everywhere(x)
    asked = Asked((x,), {}, ~always, ~always, always)  # the loop does not judge infinite arguments
    sizes = (select(value.is_number, code & FLOAT.magnitude, FLOAT.infinite) for code in value.due)
    waived = [are_waived(asked, size, WAIVING) for size in sizes]
    return waived[0] & waived[-1], ~(waived[0] | waived[-1])


def left_free(x: Real, hi: Real, err: Real, code: Integer) -> tuple[Truth, Truth]:  # noqa: ARG001 - as ``left_waived``
    """Return whether a result certainly passes unmeasured, and whether it is certainly measured, if no limit holds.

    Errors are measured if argument and exact value are finite.
    """
    counts = (x - x == 0.0) & (hi - hi == 0.0)
    return ~counts & contains(everything(hi), code & WORD, FLOAT), counts


_LIMITED: tuple[Kind, ...] = ("double", "double", "double", "double")
_ENCLOSED: tuple[Kind, ...] = ("double", "double", "long")  # the enclosure, and the encoding of a result
# by the names that the loops call: function, inputs and outputs
_FUNCTIONS: dict[str, tuple[Callable[..., object], Sequence[Kind], Sequence[Kind]]] = {
    "is_rounded": (is_rounded_to_float, _ENCLOSED, ("bool",)),
    "left_waived": (left_waived, ("double", *_ENCLOSED), ("bool", "bool")),
    "left_free": (left_free, ("double", *_ENCLOSED), ("bool", "bool")),
    "measured": (measured, (*_ENCLOSED, "double"), ("bool", "double", "double")),
    "judged": (judged, ("double", *_ENCLOSED, *_LIMITED), ("bool", "bool", "double", "double", "long")),
}


def element_functions(tables: Tables) -> str:
    """Return the text of the functions that the loops call for every element."""
    return "\n".join(
        printed(name, trace(function, inputs, outputs, tables))
        for name, (function, inputs, outputs) in _FUNCTIONS.items()
    )


def library_texts() -> dict[str, str]:
    """Return the files of the library by name."""
    return {"kernels.c": _kernels_text(), "screens.c": _screens_text()}


def _kernels_text() -> str:
    """Return the functions of the library's own kernels, and the loops that compute enclosures."""
    tables = Tables()
    loops = [enclosing_loop(kernel, tables) for kernel in own_kernels()]
    return "\n".join([header(), tables_text(tables), *loops])


def _screens_text() -> str:
    """Return the loop that screens results, and the functions that it calls for every element."""
    tables, loops = Tables(), [loop_name(kernel) for kernel in own_kernels()]
    functions, names = element_functions(tables), " ".join(kernel.name for kernel in own_kernels())
    return "\n".join(
        [
            header(),
            template("kernel.h"),
            *(f"HIDDEN Loop {loop};" for loop in loops),
            f'EXPORT const char clmath_kernels_here[] = "{names}";',
            f"static Loop *const OWN[] = {{{', '.join(loops)}}};",
            template("listed.c"),
            tables_text(tables),
            functions,
            Path(__file__).with_name("screens.c").read_text(encoding="utf-8"),
        ]
    )
