"""Calls of the whole built-ins in a library."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from clmath.engines.native.operands import address, operands
from clmath.engines.ufuncs import Loop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.engines.protocol import Values
    from clmath.engines.ufuncs import Decide, Types, Vectors

__all__ = ["Wholes"]


class Wholes:
    """The whole built-ins in a ``loaded`` library, empty if it was built without them."""

    def __init__(self, loaded: ctypes.CDLL) -> None:
        self.numbers: Mapping[str, int] = {}
        if not hasattr(loaded, "clmath_whole"):
            return
        names = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(loaded, "clmath_wholes"))).decode().split()
        self.numbers = {name: number for number, name in enumerate(names)}
        self._evaluate = loaded.clmath_whole
        self._evaluate.restype = ctypes.c_int64
        self._evaluate.argtypes = [ctypes.c_int64] * 2 + [ctypes.c_void_p] * 3
        self._loop, self._loop_of_vectors = (
            ctypes.cast(function, ctypes.c_void_p).value or 0
            for function in (loaded.clmath_whole_loop, loaded.clmath_whole_vectors)
        )

    def ufunc_loop(self, label: str, types: Types, decide: Decide) -> Loop | None:
        """Return the loop of a ufunc for ``label``, or None if it is not compiled."""
        number = self.numbers.get(label)
        if number is None:
            return None
        return Loop.of(self._loop, (number, 0, 0), types, decide, halves_as_floats=False)

    def ufunc_loop_of_vectors(self, labels: Mapping[int, str], vectors: Vectors, other: Loop) -> Loop:
        """Return the loop of a generalised ufunc for the built-in that has ``labels`` by the width of vectors.

        ``other`` runs for vectors of other widths.
        """
        found = {
            width: self.ufunc_loop(label, vectors.lanes(width), vectors.function) for width, label in labels.items()
        }
        by_width = {width: loop for width, loop in found.items() if loop is not None}
        return Loop.of_widths(self._loop_of_vectors, by_width, other, vectors) if by_width else other

    def evaluate(self, number: int, args: Sequence[Values], targets: Sequence[Values]) -> NDArray[np.int64]:
        """Store every result of the built-in of that number for arrays of one axis; return the elements left."""
        count = args[0].size
        left = np.empty(count, np.int64)
        found = self._evaluate(number, count, operands(args), operands(targets), address(left))
        return left[:found]
