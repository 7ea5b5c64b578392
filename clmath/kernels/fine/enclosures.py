"""What all fine kernels end with: the narrower of two enclosures."""

from __future__ import annotations

from typing import Any

from clmath.numbers.lanes import clamp, lane, select, two_to

__all__ = ["narrower"]


@lane
def narrower(hi: Any, lo: Any, err: Any, exponent: Any, found: Any) -> Any:
    """The parts, those of ``found``, (hi, lo, err, exponent), where they enclose less, with ``exponent``.

    Exact results stay, and so do lanes where something in ``found`` is no number. The exponents of the two differ by
    little where both enclose the same value.
    """
    new_hi, new_lo, new_err, new_exponent = found
    scale = two_to(clamp(new_exponent - exponent, -100, 100))
    closer = new_err * scale < err
    return (
        select(closer, new_hi * scale, hi),
        select(closer, new_lo * scale, lo),
        select(closer, new_err * scale, err),
        exponent,
    )
