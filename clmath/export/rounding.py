"""The shared text: the rounding of enclosures to each format in each mode."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.engines.device.ends import at_once, to_narrow
from clmath.engines.device.source import in_each_mode, kinds
from clmath.export import climb
from clmath.export.functions import filled
from clmath.ir.primitives import fast_two_sum, select
from clmath.ir.printing import C_TYPES, printed
from clmath.ir.program import Tables
from clmath.ir.trace import trace
from clmath.numbers.formats import format_named
from clmath.numbers.rounded_encodings import encoded_ends, half_value, rounded, to_double
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.export.request import Request
    from clmath.ir.program import Kind
    from clmath.ir.values import Integer, Real
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format

_THREE: tuple[Kind, ...] = ("long", "long", "long")


def ends_of_one(value: Real, err: Real, form: str, mode: int) -> tuple[Integer, Integer, Integer]:
    """Round value ± err to half or float: the encodings of the middle, the lower and the upper end."""
    middle, below, above = (to_narrow(end, form, mode) for end in (value, value - err, value + err))
    return _of_exact(err, middle, below, above)


def ends(  # noqa: PLR0917 - an enclosure, the format and the mode
    hi: Real, lo: Real, err: Real, exponent: Integer, form: str, mode: int
) -> tuple[Integer, Integer, Integer]:
    """Round (hi + lo ± err) 2^exponent, likewise, to any format; the enclosure decides if all three are equal."""
    if form == "double":
        return _of_exact(err, to_double(hi, lo, exponent, mode), *encoded_ends(hi, lo, err, exponent, mode))
    narrow = format_named(form)
    below, above = (rounded(*fast_two_sum(hi, tail), exponent, narrow, mode) for tail in (lo - err, lo + err))
    return _of_exact(err, rounded(hi, lo, exponent, narrow, mode), below, above)


def _of_exact(err: Real, middle: Integer, below: Integer, above: Integer) -> tuple[Integer, Integer, Integer]:
    """Return the middle for both ends of an exact value."""
    is_exact = ~(err > 0.0)
    return middle, select(is_exact, middle, below), select(is_exact, middle, above)


def source(asked: Request) -> str:
    """Return the functions that the files of built-ins call."""
    texts = [_half_value()] if any(form.name == "half" for form in asked.formats) else []
    first: dict[str, str] = {}
    later: dict[str, str] = {}
    for row, form in asked.functions:
        for result in climb.results(row, form):
            kernel = result.kernel
            if kernel.is_integer:
                continue
            first.setdefault(climb.name_of_rounding(form, kernel), _at_once(form, kernel, asked))
            for other in (kernel, *climb.further(result)):
                later.setdefault(f"{form}_of_{other.phase}", _ends(form, other))
    return "\n".join([*texts, *first.values(), *later.values()])


def _half_value() -> str:
    value = printed("clmath_half_value", trace(half_value, ["long"], ["double"], Tables()))
    return "\n".join([value, filled("half_number.c", {})])


def _at_once(form: Format, kernel: Kernel, asked: Request) -> str:
    """Return the function that rounds midpoints of a kernel's enclosures; in C also its loop over a block."""
    parts, name = kinds(kernel), climb.name_of_rounding(form, kernel)
    programs = [
        trace(at_once, parts, ("long", "bool"), Tables(), form.name, m, kernel.record.is_wide) for m in range(4)
    ]
    text = in_each_mode(f"clmath_at_once_{name}", parts, programs)
    return "\n".join([text, _round(name, parts)]) if asked.language == "c" else text


def _round(name: str, parts: Sequence[Kind]) -> str:
    elements = ", ".join(f"p{i}[i]" for i in range(len(parts)))
    cases = [
        filled("round_case.c", {"number": number, "name": name, "mode": mode, "elements": elements})
        for number, mode in enumerate(MODES)
    ]
    sources = ", ".join(f"const {C_TYPES[kind]} *restrict p{i}" for i, kind in enumerate(parts))
    return filled("round.c", {"name": name, "sources": sources, "cases": "".join(cases)})


def _ends(form: Format, kernel: Kernel) -> str:
    """Return the function that rounds the midpoint and both ends."""
    parts = kinds(kernel)
    function = ends if len(parts) == 4 else ends_of_one
    programs = [trace(function, parts, _THREE, Tables(), form.name, m) for m in range(4)]
    name = f"clmath_ends_{form}_of_{kernel.phase}_parts"
    taken = ", ".join(f"const {C_TYPES[kind]} v{i}" for i, kind in enumerate(parts))
    values = ", ".join(f"v{i}" for i in range(len(parts)))
    fill = {"name": f"{form}_of_{kernel.phase}", "taken": taken, "values": values}
    return "\n".join([in_each_mode(name, parts, programs, _THREE), filled("ends.c", fill)])
