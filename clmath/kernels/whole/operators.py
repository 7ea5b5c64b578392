"""The operators on arrays of a format, rounded in a mode: NumPy's own to nearest, elementwise functions in other modes.

They serve where no library is compiled, and the auditor.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import NamedTuple, TypeAlias

import numpy as np

from clmath.callables import AnyFunction
from clmath.ir.values import Real, Truth
from clmath.kernels.whole import arithmetic
from clmath.kernels.whole.rounding import MODERATE_DOUBLE
from clmath.numbers.formats import DOUBLE, Format
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.numbers.rounding import Rounding, widen

__all__ = ["Operators"]

# A product of doubles and its rounding error are two doubles if the factors are at most LARGE in size, and the product
# is at least TINY or 0. A quotient is a factor of its dividend, and a root of its argument.
LARGE, TINY = 2.0**990, 2.0**-960
OF_PRODUCTS = 400  # fused products of numbers of 2^-400 to 2^400 in size are normal, and so are their rounding errors

_AreModerate: TypeAlias = Callable[..., Truth]
"""Whether results and arguments need no more than the operations of moderate doubles."""


class Operators(NamedTuple):
    """The operators of a format in a mode; a NaN may have any payload. NumPy rounds halves right by way of float."""

    form: Format
    mode: Rounding

    def add(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The sum x + y."""
        return x + y if self.mode == "rte" else self._rounded(arithmetic.add, _is_sum_moderate, x, y)

    def sub(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The difference x - y."""
        return x - y if self.mode == "rte" else self._rounded(arithmetic.sub, _is_sum_moderate, x, y)

    def mul(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The product x y."""
        return x * y if self.mode == "rte" else self._rounded(arithmetic.mul, _is_product_moderate, x, y)

    def div(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The quotient x / y."""
        return x / y if self.mode == "rte" else self._rounded(arithmetic.div, _is_product_moderate, x, y)

    def sqrt(self, x: np.ndarray) -> np.ndarray:
        """The square root of x."""
        return np.sqrt(x) if self.mode == "rte" else self._rounded(arithmetic.sqrt, _is_product_moderate, x)

    def fma(self, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        """The sum a b + c, rounded once."""
        return self._rounded(arithmetic.fma, _is_fused_product_moderate, a, b, c)

    def _rounded(self, function: AnyFunction, are_moderate: _AreModerate, *args: np.ndarray) -> np.ndarray:
        """Return the results of an elementwise function, of moderate doubles in fewer operations."""
        number, doubles = MODE_NUMBERS[self.mode], np.broadcast_arrays(*map(widen, args))
        if self.form is not DOUBLE:
            return self.form.from_bits(function(*doubles, self.form.name, number))
        codes = function(*doubles, MODERATE_DOUBLE, number)
        others = np.nonzero(~are_moderate(codes.view(np.float64), *doubles))
        if others[0].size:
            codes[others] = function(*[double[others] for double in doubles], DOUBLE.name, number)
        return self.form.from_bits(codes)


def _is_sum_moderate(_: Real, x: Real, y: Real) -> Truth:
    """Whether neither a sum nor its transformation overflows: its rounding error is always a double."""
    moderate: Truth = (abs(x) <= LARGE) & (abs(y) <= LARGE)
    return moderate


def _is_product_moderate(result: Real, x: Real, *more: Real) -> Truth:
    """Whether the rounding error of a product, a quotient or a root is a double, or the result is 0 or NaN."""
    sizes = [abs(value) for value in (result, x, *more)]
    moderate: Truth = (sizes[0] >= TINY) & (sizes[1] >= TINY)
    for size in sizes:
        moderate &= size <= LARGE
    for size in sizes[1:]:
        moderate |= size == 0.0
    moderate |= result != result
    return moderate


def _is_fused_product_moderate(_: Real, a: Real, b: Real, c: Real) -> Truth:
    """Whether neither a fused product nor its rounding error is subnormal, and nothing overflows."""
    return arithmetic.are_moderate(a, b, c, reach=OF_PRODUCTS)
