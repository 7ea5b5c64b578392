"""Results in float, compared with the enclosures of kernels in one compiled loop."""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from clmath.engines import choice
from clmath.engines.native.library import FittingLibrary, Library, address, best, dtypes
from clmath.engines.native.sources import Package
from clmath.kernels import FAST, Kernel
from clmath.kernels.for_devices import kernels_of
from clmath.locks import once
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtins, precise

if TYPE_CHECKING:  # the text of the compiled loop does not depend on it: library.toml of screens
    from clmath.engines.protocol import Values

PACKAGE = Package("clmath/audit/screens")

# which results are left out: none; results that should be infinite or NaN, if these are waived; results of arguments or
# exact values that are infinite or NaN, if no limit holds
NOTHING, WAIVED, FREE = range(3)


class Screen(ctypes.Structure):
    """Limits on results in float, the errors known so far, and counts: ``struct screen`` of the library.

    A range has all arguments whose encodings agree in the first twelve bits; an interval, in the first nine.
    ``allowed``, ``tolerance``: the errors that pass in each range, in ulp and absolute. ``refused``: a result fails if
    its error exceeds both this and ``tolerance``, and argument and result are normal numbers. ``left_out``: the results
    that are neither judged nor measured, one of the three numbers above. ``known``: an error of each interval; smaller
    errors are not noted. ``shown``: so many failures are not counted. ``floor``: smaller errors are only counted;
    raised to the largest error that is known.

    ``counts``: the number of results by distance from the correctly rounded result, 0, 1, 2, up to 4, 8 ... floats, and
    more; the last one is not used. ``failed``, ``out``: the numbers of counted failures, and of results left out.
    """

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("_allowed", "_refused", "_tolerance")),
        ("left_out", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in ("_best", "_bounds", "_counts", "_others", "_wrong")),
        ("_last", ctypes.c_int64),
        ("floor", ctypes.c_double),
        *((name, ctypes.c_int64) for name in ("shown", "_left", "_marked", "failed", "out")),
    )
    floor: float
    failed: int
    out: int

    def __init__(
        self, limits: Sequence[NDArray[np.float64]], left_out: int, known: NDArray[np.float64], bins: int
    ) -> None:
        super().__init__(left_out=left_out, _last=bins - 2)
        self._limits = [np.ascontiguousarray(one, np.float64) for one in limits]
        self.counts = np.zeros(bins, np.int64)
        self._worst = np.where(np.isinf(known), np.nan, np.nextafter(known, np.inf))  # no known error is noted again
        self._allowed, self._refused, self._tolerance = map(address, self._limits)
        self._best, self._counts = address(self._worst), address(self.counts)

    def begin(self, count: int) -> None:
        """Take memory for the places of ``count`` calls."""
        self._room = np.empty(count), *np.empty((2, count), np.int64)
        self._bounds, self._others, self._wrong = map(address, self._room)
        self._left = self._marked = 0

    def found(self, x: NDArray[np.float32]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Return the places of calls that are not counted, and of counted ones that may have an interval's worst error.

        The results of the latter are not correctly rounded.
        """
        bounds, others, wrong = self._room
        elements = wrong[: self._marked]
        stretches = FLOAT.bits(x[elements]) >> FLOAT.precision - 1
        return others[: self._left], elements[bounds[: self._marked] >= self._worst[stretches]]


class _Source(ctypes.Structure):
    """``struct source`` of the library: a kernel, and the function that encloses by it."""

    _fields_ = (
        ("enclose", ctypes.c_void_p),
        *((name, ctypes.c_int64) for name in ("number", "results", "is_exact", "is_integer")),
        ("reach", ctypes.c_double),
    )


class Screens(FittingLibrary):
    """The loaded library of screens, which takes enclosures from its own kernels and from the library ``kernels``."""

    def __init__(self, kernels: Library, path: Path, level: str) -> None:
        super().__init__(path, level)
        number, pointer = ctypes.c_int64, ctypes.c_void_p
        self._screened = self._loaded.clmath_screened
        self._screened.restype, self._screened.argtypes = None, [pointer, number, number, *[pointer] * 3]
        here = ctypes.cast(self._loaded.clmath_enclosed_here, pointer).value or 0
        numbers = {name: number for number, name in enumerate(self.names("clmath_kernels_here"))}
        places = {kernel: (here, numbers[kernel.name]) for kernel in own_kernels() if kernel.name in numbers}
        places |= {kernel: (kernels.address("clmath_enclosed"), number) for kernel, number in kernels.kernels.items()}
        self._sources = {
            kernel: _Source(*place, kernel.results, kernel.is_exact, kernel.is_integer, kernel.reach)
            for kernel, place in places.items()
            if kernel.phase == FAST.name and dtypes(kernel) == (FLOAT.dtype,)
        }

    def serve(self, kernels: Sequence[Kernel]) -> bool:
        """Return whether the loop has all of ``kernels``, which give the results of a built-in together."""
        return all(kernel in self._sources for kernel in kernels)

    def screened(
        self, kernels: Sequence[Kernel], x: Values, results: Sequence[Values], screen: Screen
    ) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
        """Compare ``results``, floats and ints, with the enclosures of ``kernels`` of ``x``, rounded to nearest.

        Count calls with an error below the floor that certainly conform or certainly fail; return what
        ``Screen.found`` does. If a call has several results, the largest distance counts; calls with wrong ints are not
        counted.
        """
        assert x.dtype == FLOAT.dtype, x.dtype
        x, codes = np.ascontiguousarray(x), [np.ascontiguousarray(result).view(np.int32) for result in results]
        screen.begin(x.size)
        sources = (_Source * len(kernels))(*(self._sources[kernel] for kernel in kernels))
        of_codes = (ctypes.c_void_p * len(codes))(*map(address, codes))
        self._screened(sources, len(kernels), x.size, address(x), of_codes, ctypes.byref(screen))
        return screen.found(x)


def screens() -> Screens | None:
    """Return the screens of this installation, or None if one of the two libraries is missing or stale."""
    kernels = choice.NATIVE.library
    return None if kernels is None else _with(kernels)


@once
def _with(kernels: Library) -> Screens | None:
    return best(PACKAGE, functools.partial(Screens, kernels))


@functools.cache
def own_kernels() -> tuple[Kernel, ...]:
    """Return the kernels of built-ins of one float that only this library has, in its order."""
    rows = [precise(row.name) for row in builtins().values() if len(row.inputs) == 1]
    found = dict.fromkeys(kernel for name in rows for kernel in kernels_of(name, FLOAT))
    return tuple(kernel for kernel in found if FAST.kernels.get(kernel.name) != kernel)
