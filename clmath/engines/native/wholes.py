"""Calls of the whole built-ins in a library."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from clmath.engines.native.operands import address, operands
from clmath.engines.ufuncs import MOST, Loop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.engines.protocol import Values
    from clmath.engines.ufuncs import Decide, Types

__all__ = ["Wholes"]


class Wholes:
    """Those in a ``loaded`` library, none where it was built without."""

    def __init__(self, loaded: ctypes.CDLL) -> None:
        self.numbers: Mapping[str, int] = {}
        if not hasattr(loaded, "clmath_whole"):
            return
        names = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(loaded, "clmath_wholes"))).decode().split()
        self.numbers = {name: number for number, name in enumerate(names)}
        self._evaluate = loaded.clmath_whole
        self._evaluate.restype = ctypes.c_int64
        self._evaluate.argtypes = [ctypes.c_int64] * 2 + [ctypes.c_void_p] * 3
        self._ufunc_loop = ctypes.cast(loaded.clmath_whole_loop, ctypes.c_void_p).value or 0

    def ufunc_loop(self, label: str, types: Types, decide: Decide) -> Loop | None:
        """Return the loop of a ufunc for ``label``; None where there is none."""
        number, (inputs, outputs) = self.numbers.get(label), types
        if number is None or len(inputs) > MOST[0] or len(outputs) > MOST[1]:
            return None
        return Loop.of(self._ufunc_loop, (number, 0, 0), types, decide, halves_as_floats=False)

    def evaluate(self, number: int, args: Sequence[Values], targets: Sequence[Values]) -> NDArray[np.int64]:
        """Store every result of the built-in of that number for one-dimensional arrays; the lanes that it leaves."""
        count = args[0].size
        left = np.empty(count, np.int64)
        found = self._evaluate(number, count, operands(args), operands(targets), address(left))
        return left[:found]
