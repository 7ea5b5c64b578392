"""The operators on arrays of a format, rounded in a mode: NumPy's own to nearest, elementwise functions in other modes.

They serve where no library is compiled, and the auditor.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from clmath.callables import AnyFunction
from clmath.kernels.whole import arithmetic
from clmath.kernels.whole.rounding import MODERATE_DOUBLE
from clmath.numbers.formats import DOUBLE, Format
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.numbers.rounding import Rounding, widen

__all__ = ["Operators"]

# Doubles of 2^-reach to 2^reach in size take fewer operations: neither results nor their rounding errors are subnormal.
# These are multiples of 2^-(reach + 52) in sums, of 2^-(2 reach + 104) in products, and of 2^-(reach + 105) in roots.
OF_SUMS, OF_PRODUCTS, OF_ROOTS = 960, 400, 900


class Operators(NamedTuple):
    """The operators of a format in a mode; a NaN may have any payload. NumPy rounds halves right by way of float."""

    form: Format
    mode: Rounding

    def add(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The sum x + y."""
        return x + y if self.mode == "rte" else self._rounded(arithmetic.add, OF_SUMS, x, y)

    def sub(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The difference x - y."""
        return x - y if self.mode == "rte" else self._rounded(arithmetic.sub, OF_SUMS, x, y)

    def mul(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The product x y."""
        return x * y if self.mode == "rte" else self._rounded(arithmetic.mul, OF_PRODUCTS, x, y)

    def div(self, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        """The quotient x / y."""
        return x / y if self.mode == "rte" else self._rounded(arithmetic.div, OF_PRODUCTS, x, y)

    def sqrt(self, x: np.ndarray) -> np.ndarray:
        """The square root of x."""
        return np.sqrt(x) if self.mode == "rte" else self._rounded(arithmetic.sqrt, OF_ROOTS, x)

    def fma(self, a: np.ndarray, b: np.ndarray, c: np.ndarray) -> np.ndarray:
        """The sum a b + c, rounded once."""
        return self._rounded(arithmetic.fma, OF_PRODUCTS, a, b, c)

    def _rounded(self, function: AnyFunction, reach: int, *args: np.ndarray) -> np.ndarray:
        """Return the results of an elementwise function, of moderate doubles in fewer operations."""
        number, doubles = MODE_NUMBERS[self.mode], np.broadcast_arrays(*map(widen, args))
        if self.form is not DOUBLE:
            return self.form.from_bits(function(*doubles, self.form.name, number))
        moderate = arithmetic.are_moderate(*doubles, reach=reach)
        if moderate.all():
            return self.form.from_bits(function(*doubles, MODERATE_DOUBLE, number))
        codes = np.empty(moderate.shape, np.int64)
        for chosen, form in ((moderate, MODERATE_DOUBLE), (~moderate, DOUBLE.name)):
            codes[chosen] = function(*[double[chosen] for double in doubles], form, number)
        return self.form.from_bits(codes)
