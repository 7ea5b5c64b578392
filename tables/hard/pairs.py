"""Finds the pairs of bfloat16 whose results are the hardest to round: ``python tables/hard/pairs.py pow hypot``.

For each function, 16 pairs come closest to a midpoint of two numbers, at which rounding to nearest is decided, and 16
closest to a number, at which the other modes are; at most 4 of one binade of results. All 2^32 pairs are searched:

- Powers of two scale quotients, and change neither angles nor the shape of a triangle if both sides have the same one.
  So dividend, divisor and one side lie in [1, 2). Exponents of sides differ by at most the precision; beyond, the
  shorter side hardly counts.
- Powers and roots of all positive bases, except results so close to 1 that hardly any digit of the exponent counts.

Fast kernels choose candidates among powers and roots; the exact distances are MPFR's.

Remainders are exact. They are hard where a quotient lies just below an integer (fmod), or next to a midpoint of two
integers (remainder, remquo), and is rounded to it or across it: one pair of each binade of quotients, up to float's.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from clmath.engines import choice
from clmath.kernels import FAST
from clmath.numbers.formats import BFLOAT16, FLOAT

if __name__ == "__main__":
    import find
    import sweep
else:
    from tables.hard import find, sweep

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns

__all__ = ["SEARCHED", "hardest"]

KEPT, OF_A_BINADE = 16, 4
TOGETHER = 32  # bases that are tried together
CANDIDATES = 64  # pairs with these bases that are kept, as fast kernels, with an error of 2^-44, tell
LEAST = 1 << BFLOAT16.precision - 1  # significand, as an integer
FINEST = 2.0**-BFLOAT16.precision  # binary logarithm of the result closest to 1 that is tried


def hardest(name: str) -> list[str]:
    """The pairs whose results lie closest to a midpoint, and those closest to a number, as the tables write them."""
    if name in REMAINDERS:
        return _hardest_quotients(name)
    tried = tuple(np.concatenate(column) for column in zip(*SEARCHED[name](name), strict=True))
    *kinds, binades = sweep.distances(name, tried, BFLOAT16)
    places = [sweep.first(binades.tolist(), apart, KEPT, OF_A_BINADE) for apart in kinds]
    return list(dict.fromkeys(find.line(tried, i) for some in places for i in some))


def _hardest_quotients(name: str) -> list[str]:
    """The pairs whose quotients lie closest to where the integer quotient changes, relative to their size."""
    significands, apart = np.arange(LEAST, 2 * LEAST), np.arange(FLOAT.precision + 1)
    m, y, e = (column.ravel() for column in np.meshgrid(significands, significands, apart, indexing="ij"))
    x = m << e
    rest = -x % y if name == "fmod" else np.abs(2 * (x % y) - y)
    places = sweep.first(np.frexp(x / y)[1].tolist(), np.where(rest > 0, rest / x, np.inf), len(apart), 1)
    return [find.line((x.astype(np.float64), y.astype(np.float64)), i) for i in places]


def _scaled(name: str) -> Iterator[Columns]:
    """Yield pairs of which the first lies in [1, 2); the second is also negative for angles."""
    significands, apart = _numbers(1.0, 2.0), 0 if name == "div" else BFLOAT16.precision
    y = np.outer(significands, 2.0 ** np.arange(-apart, apart + 1)).ravel()
    both = np.append(y, -y) if name.startswith("atan") else y
    yield tuple(column.ravel() for column in np.meshgrid(significands, both, indexing="ij"))


def _numbers(least: float, end: float) -> NDArray[np.float64]:
    """All numbers from ``least`` on, and below ``end``."""
    codes = BFLOAT16.bits(np.array([least, end]).astype(BFLOAT16.dtype))
    return BFLOAT16.from_bits(np.arange(*codes, dtype=np.uint16)).astype(np.float64)


def _powers(name: str) -> Iterator[Columns]:
    """Yield candidates among positive bases with numbers, or ints, as exponents or degrees."""
    x = _numbers(BFLOAT16.smallest_subnormal, np.inf)
    x = x[x != 1.0]
    size = np.abs(np.log2(x))
    low, high = (FINEST / size, (BFLOAT16.emax + 1) / size)
    if name == "rootn":
        low, high = 1.0 / high, 1.0 / low
    for start in range(0, len(x), TOGETHER):
        some = [
            _column(base, _exponents(name, least, most))
            for base, least, most in zip(*(a[start : start + TOGETHER] for a in (x, low, high)), strict=True)
        ]
        yield _close(name, tuple(np.concatenate(column) for column in zip(*some, strict=True)))


def _column(base: float, second: np.ndarray) -> Columns:
    """One base with each exponent of both signs."""
    both = np.append(second, -second)
    return np.full(len(both), base), both


def _exponents(name: str, least: float, most: float) -> np.ndarray:
    """The positive exponents or degrees between two bounds, roughly."""
    if name in ("pow", "powr"):
        return _numbers(max(least, BFLOAT16.smallest_subnormal), min(most, BFLOAT16.largest))
    return np.arange(max(int(least), 2), max(int(most), 2), dtype=np.int32)


def _close(name: str, args: Columns) -> Columns:
    """The calls whose results seem closest to a midpoint or a number, and are neither subnormal nor infinite."""
    with np.errstate(all="ignore"):
        value = choice.NATIVE.enclosure(FAST.kernels[name], args)
        size = np.abs(value.hi)
        halves = np.ldexp(size, BFLOAT16.precision + 1 - np.frexp(size)[1])
        is_usual = (value.err > 0.0) & (size >= BFLOAT16.smallest_normal) & (size <= BFLOAT16.largest)
        apart = np.where(is_usual, np.abs(halves - np.rint(halves)), np.inf)
    closest = np.argsort(apart)[: min(CANDIDATES, is_usual.sum())]
    return tuple(column[closest] for column in args)


REMAINDERS = ("fmod", "remainder", "remquo")
SEARCHED: dict[str, Callable[[str], Iterator[Columns]]] = {
    **dict.fromkeys(("div", "hypot", "atan2", "atan2pi"), _scaled),
    **dict.fromkeys(("pow", "powr", "pown", "rootn"), _powers),
}


def main() -> None:
    """Print the lines of ``[hardest.bfloat16]`` for the functions named on the command line, or for all."""
    for name in sys.argv[1:] or (*SEARCHED, *REMAINDERS):
        calls = "".join(f'    "{call}",\n' for call in hardest(name))
        print(f"{name} = [\n{calls}]", flush=True)


if __name__ == "__main__":
    main()
