"""Calls of the whole built-ins in a library."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING

import numpy as np

from clmath.engines.native.arrays import MOST, NUMBERS, Entries, bound_one, bound_vectors, bound_whole
from clmath.engines.native.helpers import Helpers
from clmath.engines.native.operands import address, operands
from clmath.engines.ufuncs import Loop as UfuncLoop

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.callables import AnyFunction
    from clmath.engines.native.arrays import Loop
    from clmath.engines.protocol import Values
    from clmath.engines.ufuncs import Decide, Types

__all__ = ["Wholes"]

INT = 4  # bytes of an integer that every double holds, at most


class Wholes:
    """Those in a ``loaded`` library, none where it was built without; ``holding``: it, while no other thread runs."""

    def __init__(self, loaded: ctypes.CDLL, holding: ctypes.PyDLL) -> None:
        self.numbers: Mapping[str, int] = {}
        if not hasattr(loaded, "clmath_whole"):
            return
        names = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(loaded, "clmath_wholes"))).decode().split()
        self.numbers = {name: number for number, name in enumerate(names)}
        self._evaluate = loaded.clmath_whole
        self._evaluate.restype = ctypes.c_int64
        self._evaluate.argtypes = [ctypes.c_int64] * 2 + [ctypes.c_void_p] * 3
        one, two = holding.clmath_whole_one, holding.clmath_whole_two
        few, many = holding.clmath_whole_few, loaded.clmath_whole_many
        helpers = Helpers.of(loaded, holding)
        self._entries = Entries.declared(few, many, one, two, helpers)
        self._ufunc_loop = ctypes.cast(loaded.clmath_whole_loop, ctypes.c_void_p).value or 0
        self._vectors = self._entries.of_vectors(holding.clmath_whole_vectors, loaded.clmath_whole_many_vectors)

    def loop(self, label: str, dtypes: Sequence[np.dtype]) -> Loop | None:
        """What stores every result of ``label`` for arrays of ``dtypes`` as they are; None where nothing does."""
        number = self.numbers.get(label)
        return None if number is None else bound_whole(self._entries, number, dtypes)

    def ufunc_loop(self, label: str, types: Types, decide: Decide) -> UfuncLoop | None:
        """Return the loop of a ufunc for ``label``; None where there is none."""
        number, (inputs, outputs) = self.numbers.get(label), types
        if number is None or len(inputs) > MOST[0] or len(outputs) > MOST[1]:
            return None
        return UfuncLoop.of(self._ufunc_loop, (number, 0, 0), types, decide, halves_as_floats=False)

    def on_numbers(self, label: str, dtypes: Sequence[np.dtype], results: Sequence[np.dtype]) -> AnyFunction | None:
        """All one or two results of ``label`` of numbers that ``dtypes`` hold; None where it is not there, or none are.

        NaN, or that first, for what it does not tell.
        """
        number = self.numbers.get(label)
        held = all(dtype.kind == "f" or (dtype.kind in "iu" and dtype.itemsize <= INT) for dtype in (*dtypes, *results))
        if number is None or not held or len(dtypes) > MOST[0]:
            return None
        kinds = [NUMBERS[result.kind] for result in results]
        if len(kinds) == 1:
            return bound_one(self._entries.one, (number, kinds[0], 0), dtypes)
        return bound_one(self._entries.two, (number, kinds[0], kinds[1]), dtypes)

    def on_vectors(self, label: str, vectors: int, *, is_vector: bool) -> Loop | None:
        """What stores the one result of ``label``, which ``is_vector``, for arrays of so many vectors; None without."""
        number = self.numbers.get(label)
        return None if number is None else bound_vectors(self._vectors, number, vectors, is_vector=is_vector)

    def evaluate(self, number: int, args: Sequence[Values], targets: Sequence[Values]) -> NDArray[np.int64]:
        """Store every result of the built-in of that number for one-dimensional arrays; the lanes that it leaves."""
        count = args[0].size
        left = np.empty(count, np.int64)
        found = self._evaluate(number, count, operands(args), operands(targets), address(left))
        return left[:found]
