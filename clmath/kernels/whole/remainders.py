"""Remainders, whole: as many steps of long division as a block of lanes needs; doubles farther apart are left."""

from __future__ import annotations

from typing import Any

from clmath.kernels.remainders import BITS, fmod_of, remainder_of, remquo_of
from clmath.kernels.whole.rounding import exactly
from clmath.numbers.lanes import bits

__all__ = ["fmod", "near", "remainder", "remquo"]


def near(x: Any, y: Any, times: int) -> Any:
    """Whether so many steps divide x by y; numbers that are not finite, and zeros, take none."""
    e, f = (bits(abs(x)) >> 52), (bits(abs(y)) >> 52)
    whole = (e == 2047) | (f == 2047) | (x == 0.0) | (y == 0.0)
    return whole | ((f > 0) & (e - f < BITS * times))


def given(form: str, x: Any, y: Any, times: int, *results: Any) -> Any:
    """The results, and whether a lane is left: floats and halves are never too far apart for their last way."""
    return (*results, ~near(x, y, times)) if form == "double" else results


def fmod(x: Any, y: Any, form: str, times: int) -> Any:
    """The remainder x - n y, n being x/y rounded toward zero."""
    return given(form, x, y, times, exactly(form, fmod_of(x, y, times)))


def remainder(x: Any, y: Any, form: str, times: int) -> Any:
    """The remainder x - n y, n being the integer nearest to x/y."""
    return given(form, x, y, times, exactly(form, remainder_of(x, y, times)))


def remquo(x: Any, y: Any, form: str, times: int) -> Any:
    """The same, and the low bits of n with the sign of x/y."""
    found, quotient = remquo_of(x, y, times)
    return given(form, x, y, times, exactly(form, found), quotient)
