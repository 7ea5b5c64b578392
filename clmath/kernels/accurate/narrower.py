"""Last steps of functions that narrow enclosures: the narrower of two, and the sign of odd functions."""

from __future__ import annotations

from clmath.ir.primitives import *

LEAST = 2.0**-700  # errors of products are exact where these are above 2^-900


def closer(err: Real, exponent: Integer, new_err: Real, new_exponent: Integer | int) -> tuple[Truth, Real]:
    """Whether the second bound, with its exponent, is the smaller one, and 2^(new_exponent - exponent)."""
    apart = mark("apart", new_exponent - exponent)
    scale = two_to(clamp(apart, -1000, 1000))
    return (new_err * scale < err) & (new_err > LEAST) & (abs(apart) <= 1000), scale


def narrower(hi: Real, lo: Real, err: Real, exponent: Integer, found: Enclosed) -> Parts:
    """The parts, or where the parts ``found``, (hi, lo, err, exponent), enclose less, these, scaled to ``exponent``.

    Exact results stay, and so do elements with an infinity or NaN in ``found``. Exponents further apart than 2^1000
    cannot belong to one value; bounds below LEAST belong to numbers whose products may have lost bits.
    """
    new_hi, new_lo, new_err, new_exponent = found
    is_closer, scale = closer(err, exponent, new_err, new_exponent)
    new_hi, new_lo, new_err = mark("own_hi own_lo own_err", new_hi, new_lo, new_err)
    is_closer, scale, _ = mark("closer scale own_exponent", is_closer, scale, new_exponent)
    hi, lo = select(is_closer, new_hi * scale, hi), select(is_closer, new_lo * scale, lo)
    return hi, lo, select(is_closer, new_err * scale, err), exponent


def with_sign_of(x: Real, hi: Real, lo: Real) -> Pair:
    """(hi, lo) for positive ``x``, their opposites for negative."""
    sign = select(mark("negative", x < 0.0), -1.0, 1.0)
    return hi * sign, lo * sign
