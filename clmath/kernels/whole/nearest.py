"""Built-ins that are one operation of doubles, to nearest; of floats too, whose results may be rounded twice.

A sum, a product or a quotient of two floats that is rounded to the 53 digits of a double and then to 24 is rounded to
these as if at once, since 53 >= 2 * 24 + 2 (Figueroa, When is double rounding innocuous?, 1995); where 24 are no longer
there, below 2^-126, there are less to be rounded to, and sums are exact.
"""

from __future__ import annotations

import operator
from collections.abc import Callable, Mapping
from types import MappingProxyType

from clmath.callables import AnyFunction
from clmath.ir.primitives import *


def rounded_once(operation: Callable[..., Real]) -> AnyFunction:
    """Return the function of the results of ``operation``, with the canonical NaN for every NaN."""

    def nearest(*numbers: Real) -> Real:
        found = operation(*numbers)
        return select(found == found, found, NAN)

    return nearest


NEAREST: Mapping[str, AnyFunction] = MappingProxyType(
    {
        "add": rounded_once(operator.add),
        "div": rounded_once(operator.truediv),
        "mul": rounded_once(operator.mul),
        "recip": rounded_once(lambda x: 1.0 / x),
        "sub": rounded_once(operator.sub),
    }
)
