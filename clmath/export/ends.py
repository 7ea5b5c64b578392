"""Rounding of enclosures in portable arithmetic: their middles and both ends, for kernels of any format."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.engines.device.ends import to_narrow
from clmath.ir.primitives import fast_two_sum, select
from clmath.numbers.formats import format_named
from clmath.numbers.rounded_encodings import encoded_ends, rounded, to_double

if TYPE_CHECKING:
    from clmath.ir.values import Integer, Real

__all__ = ["ends", "ends_of_one"]


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
