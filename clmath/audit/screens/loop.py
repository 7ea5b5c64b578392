"""Results in float, compared with the enclosures of kernels in one compiled loop."""

from __future__ import annotations

import ctypes
import functools
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath.engines import choice
from clmath.engines.native.library import FittingLibrary, address, best, dtypes
from clmath.engines.native.sources import Package
from clmath.kernels import FAST
from clmath.kernels.for_devices import kernels_of
from clmath.locks import once
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtins, precise

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from clmath.engines.native.library import Library
    from clmath.engines.protocol import Values
    from clmath.kernels import Kernel

__all__ = ["FREE", "NOTHING", "PACKAGE", "WAIVED", "Screen", "Screens", "Seen", "own_kernels", "screens"]

PACKAGE = Package("clmath/audit/screens")

# which results are left out: none; results that should be infinite or NaN, if these are waived; results of arguments or
# exact values that are infinite or NaN, if no limit holds
NOTHING, WAIVED, FREE = range(3)


class Screen(NamedTuple):
    """The limits on results in float, and the errors that are known already, in ulp.

    A range has all arguments whose encodings agree in the first twelve bits; an interval, in the first nine.
    ``allowed``, ``tolerance``: the errors that pass in each range, in ulp and absolute. ``refused``: a result fails if
    its error exceeds both this and ``tolerance``, and argument and result are normal numbers; the first ``shown``
    failures are not counted. ``left_out``: the results that are neither judged nor measured, one of the three numbers
    above. ``floor``: smaller errors are only counted. ``known``: an error of each interval; smaller errors are not
    noted.
    """

    allowed: NDArray[np.float64]
    refused: NDArray[np.float64]
    tolerance: NDArray[np.float64]
    left_out: int
    shown: int
    floor: float
    known: NDArray[np.float64]


class Seen(NamedTuple):
    """The places of results that need a closer look, and numbers of results.

    ``others``: the places of results that are not counted. ``leading``: the places of counted results that are not
    correctly rounded and may have the largest error of their interval. ``failed``: the number of counted failures.
    ``out``: the number of results that are left out. ``floor``: the largest error that is known now.
    """

    others: NDArray[np.int64]
    leading: NDArray[np.int64]
    failed: int
    out: int
    floor: float


class _Request(ctypes.Structure):
    """``struct screen`` of the library."""

    _fields_ = (
        *((name, ctypes.c_void_p) for name in ("allowed", "refused", "tolerance", "known")),
        ("left_out", ctypes.c_int64),
        *((name, ctypes.c_void_p) for name in ("best", "bounds", "counts", "others", "wrong")),
        ("last", ctypes.c_int64),
        ("floor", ctypes.c_double),
        *((name, ctypes.c_int64) for name in ("shown", "left", "marked", "failed", "out")),
    )


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
        self,
        kernels: Sequence[Kernel],
        x: Values,
        results: Sequence[Values],
        asked: Screen,
        counts: NDArray[np.int64],
    ) -> Seen:
        """Compare ``results``, floats and ints, with the enclosures of ``kernels`` of ``x``, rounded to nearest.

        Count calls with an error below the floor that certainly conform or certainly fail. ``counts`` are by distance
        from the correctly rounded result: 0, 1, 2, up to 4, 8 ... floats, and more; the last one is not used. If a call
        has several results, the largest distance counts; calls with wrong ints are not counted.
        """
        assert x.dtype == FLOAT.dtype, x.dtype
        x, codes = np.ascontiguousarray(x), [np.ascontiguousarray(result).view(np.int32) for result in results]
        limits = [np.ascontiguousarray(one, np.float64) for one in (*asked[:3], asked.known)]
        best, bounds = np.full(len(asked.known), -1.0), np.empty(x.size)
        others, wrong = (np.empty(x.size, np.int64) for _ in range(2))
        noted = map(address, (best, bounds, counts, others, wrong))
        request = _Request(*map(address, limits), asked.left_out, *noted, len(counts) - 2, asked.floor, asked.shown)
        sources = (_Source * len(kernels))(*(self._sources[kernel] for kernel in kernels))
        of_codes = (ctypes.c_void_p * len(codes))(*map(address, codes))
        self._screened(sources, len(kernels), x.size, address(x), of_codes, ctypes.byref(request))
        lanes = wrong[: request.marked]
        stretches = FLOAT.bits(x[lanes]) >> FLOAT.precision - 1
        leading = lanes[bounds[: request.marked] >= best[stretches]]
        return Seen(others[: request.left], leading, request.failed, request.out, request.floor)


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
