"""Short cells of the arguments of whole kernels."""

from __future__ import annotations

import math

SIZES = {  # functions, and the sizes of arguments
    **dict.fromkeys(("asinh", "cbrt"), (0.01, 1000.0)),
    "acosh": (1.1, 1000.0),
    "atanh": (0.01, 0.99),
    **dict.fromkeys(("asin", "acos", "asinpi", "acospi"), (0.05, 0.95)),
    **dict.fromkeys(("atan", "atanpi"), (0.05, 30.0)),
    **dict.fromkeys(("hypot", "atan2", "atan2pi"), (0.1, 10.0)),
    **dict.fromkeys(("sinpi", "cospi", "tanpi"), (0.01, 0.24)),
    **dict.fromkeys(("sin", "cos", "tan"), (0.1, 1.3)),
    "tgamma": (0.1, 160.0),
    "lgamma": (0.1, 15.0),
    "ordinary tgamma": (0.1, 15.5),
    "ordinary lgamma": (0.1, 100.0),
}
TWO = {"hypot", "atan2", "atan2pi"}
POSITIVE = {"acosh", "hypot", "acos", "acospi", "sin", "cos", "tan"} | {name for name in SIZES if "gamma" in name}
BITS = 50  # cells are 2^-50 of their arguments long


def cell(name, draw):
    """The ends of one, and the other argument."""
    low, high = SIZES[name]
    at = math.exp(draw.uniform(math.log(low), math.log(high)))
    unit = math.ldexp(1.0, math.frexp(at)[1] - BITS)
    ends = math.floor(at / unit) * unit, (math.floor(at / unit) + 1) * unit
    if name not in POSITIVE and draw.random() < 0.5:
        ends = -ends[1], -ends[0]
    return (ends, draw.uniform(low, high)) if name in TWO else (ends,)
