"""Finds the floats whose results are the hardest to round, among all 2^32: ``python tables/hard/sweep.py 32 sin cos``.

The first word is the number of processes. For each function, 32 arguments come closest to a midpoint of two floats, at
which rounding to nearest is decided, and 32 closest to a float, at which the other modes are. Fast kernels choose
candidates; the exact distances are MPFR's. At most 8 arguments of one sign and binade are kept: at a tiny x, sin x lies
next to x in each of them.
"""

from __future__ import annotations

import multiprocessing
import sys
from collections import Counter
from functools import partial
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import reference
from clmath.engines import choice
from clmath.kernels import FAST
from clmath.numbers.formats import DOUBLE, FLOAT

if __name__ == "__main__":
    import find
else:
    from tables.hard import find

if TYPE_CHECKING:
    from collections.abc import Hashable, Sequence

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format

__all__ = ["distances", "first", "hardest"]

KEPT, OF_A_BINADE = 32, 8
CLOSE = 2.0**-22  # ulp: of candidates, as fast kernels, with an error of 2^-27, tell
CHUNK = 1 << 18
PART = 1 << 26  # encodings that a process looks at in one go


def hardest(name: str, processes: int) -> list[str]:
    """The arguments whose results lie closest to a midpoint, and those closest to a float, as the tables write them."""
    with multiprocessing.Pool(processes) as pool:
        parts = pool.map(partial(_candidates, name), range(0, 1 << 32, PART), chunksize=1)
    found = []
    for kind in (0, 1):
        x = np.concatenate([part[kind] for part in parts])
        apart = distances(name, (x,), FLOAT)[kind]
        found += _first(x, apart)
    return list(dict.fromkeys(find.short_hex(float(x)) for x in found))


def distances(
    name: str, args: Sequence[np.ndarray], form: Format
) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.int32]]:
    """How far, in ulp of ``form``, exact results are from a midpoint, and from a number; and their binades.

    A distance is infinite for results that are a midpoint or a number.
    """
    given = tuple(x if x.dtype.kind == "i" else x.astype(np.float64) for x in args)
    exact = reference.enclose(name, given, DOUBLE)[0]  # more digits than of a float
    assert isinstance(exact, find.Enclosure)
    unit = find.ulps(exact, form)
    high, low = (np.ldexp(part, exact.exponent) / unit for part in (exact.hi, exact.lo))
    midpoint, number = (np.where(apart > 0.0, apart, np.inf) for apart in _apart(high, low))
    return midpoint, number, np.frexp(high * unit)[1]


def _apart(high: NDArray[np.float64], low: Any = 0.0) -> tuple[NDArray[np.float64], NDArray[np.float64]]:
    """Distances of a number of units from halves of odd numbers, and from integers."""
    below = np.floor(high)
    return np.abs(high - below - 0.5 + low), np.abs(high - np.rint(high) + low)


def _candidates(name: str, start: int) -> list[NDArray[np.float32]]:
    """Arguments of one part of all encodings whose results seem close to a midpoint; to a float."""
    kernel, found = FAST.kernels[name], ([], [])
    for first in range(start, start + PART, CHUNK):
        x = np.arange(first, first + CHUNK, dtype=np.uint32).view(np.float32)
        with np.errstate(all="ignore"):
            value = choice.NATIVE.enclosure(kernel, (x,))
            size = np.abs(value.hi)
            is_usual = (value.err > 0.0) & (size >= FLOAT.smallest_normal) & (size <= FLOAT.largest)
            x, high = x[is_usual], value.hi[is_usual]
            units = np.ldexp(high, FLOAT.precision - np.frexp(high)[1])
            for kind, apart in zip(found, _apart(units), strict=True):
                close = np.flatnonzero(apart < CLOSE)
                kind.append(x[close[np.argsort(apart[close], kind="stable")[: 2 * OF_A_BINADE]]])
    return [_closest(name, np.concatenate(x), kind) for kind, x in enumerate(found)]


def _closest(name: str, x: NDArray[np.float32], kind: int) -> NDArray[np.float32]:
    """The hardest of some arguments by exact distances."""
    return np.array(_first(x, distances(name, (x,), FLOAT)[kind]), np.float32) if x.size else x


def _first(x: NDArray[np.float32], apart: NDArray[np.float64]) -> list[np.float32]:
    """The hardest arguments, a few of each binade and sign."""
    binades = list(zip(np.signbit(x).tolist(), np.frexp(x)[1].tolist(), strict=True))
    return [x[i] for i in first(binades, apart, KEPT, OF_A_BINADE)]


def first(binades: Sequence[Hashable], apart: NDArray[np.float64], kept: int, of_a_binade: int) -> list[int]:
    """The places of the ``kept`` least distances, at most ``of_a_binade`` of each binade."""
    counts: Counter[Hashable] = Counter()
    found: list[int] = []
    for i in np.argsort(apart, kind="stable").tolist():
        if counts[binades[i]] < of_a_binade and np.isfinite(apart[i]) and len(found) < kept:
            counts[binades[i]] += 1
            found.append(i)
    return found


def main() -> None:
    """Print the lines of ``[hardest.float]`` for the functions named on the command line, or for all."""
    processes, names = int(sys.argv[1]), sys.argv[2:] or find.SWEPT
    for name in names:
        calls = "".join(f'    "{call}",\n' for call in hardest(name, processes))
        print(f"{name} = [\n{calls}]", flush=True)


if __name__ == "__main__":
    main()
