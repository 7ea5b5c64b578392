"""Fits polynomials and writes coefficient tables as hex floats with the error bound each was generated to.

A script runs from the folder ``tables``: ``python -m kernels.quick.exponential`` writes kernels/quick/exponential.toml.
"""

from __future__ import annotations

import functools
from pathlib import Path
from typing import TYPE_CHECKING

from mpmath import mp, mpf

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable

mp.prec = 320
SAMPLES = 400


def as_double(value: mpf) -> float:
    """The double nearest to ``value``."""
    return float(mp.mpf(value))


def pair(value: mpf) -> list[float]:
    """The double nearest to ``value``, and that nearest to the rest."""
    hi = as_double(value)
    return [hi, as_double(value - hi)]


def pieces(value: mpf, *widths: int) -> list[float]:
    """Doubles that sum to ``value``: the first ones hold the given numbers of bits, the last the rest, rounded."""
    parts = []
    for width in widths:
        exponent = int(mp.floor(mp.log(abs(value), 2))) + 1 - width if value else 0
        part = mp.floor(value / mpf(2) ** exponent) * mpf(2) ** exponent
        parts.append(float(part))
        value -= part
    return [*parts, float(value)]


def chebyshev(function: Callable[[mpf], mpf], low: float, high: float, degree: int) -> list[mpf]:
    """Near-minimax (Chebyshev) coefficients of ``function`` on [low, high], constant first.

    mpmath asks for the same values of the function once for every coefficient.
    """
    return mp.chebyfit(functools.cache(function), [low, high], degree + 1)[::-1]


def fit(
    function: Callable[[mpf], mpf], low: float, high: float, degree: int, samples: int = SAMPLES
) -> tuple[list[float], mpf]:
    """Near-minimax (Chebyshev) coefficients of ``function`` on [low, high], constant first, rounded to double.

    The second result is the largest error of the rounded polynomial in exact arithmetic, relative to the function,
    on a Chebyshev-spaced sample: the bound recorded in the table is twice that.
    """
    rounded = [as_double(c) for c in chebyshev(function, low, high, degree)]
    worst = mpf(0)
    for k in range(samples + 1):
        x = mpf(low) + (mpf(high) - low) * (1 - mp.cos(mp.pi * k / samples)) / 2
        exact = function(x)
        error = abs(mp.polyval([mpf(c) for c in reversed(rounded)], x) - exact)
        worst = max(worst, error / abs(exact) if exact else error)
    return rounded, worst


class Table:
    """A coefficient file in the making."""

    def __init__(self, script: str) -> None:
        self.lines = [f"# Written by tables/kernels/{script}.py; do not edit. Hex floats, constant term first.", ""]
        self.file = Path(__file__).parent / f"{script}.toml"

    def polynomial(self, name: str, function: Callable[[mpf], mpf], low: float, high: float, degree: int) -> None:
        """Fit ``function`` on [low, high] and record it."""
        values, worst = fit(function, low, high, degree)
        bound = int(mp.floor(-mp.log(worst, 2))) - 1
        self.lines += [f"[{name}]", f'bound = "2^-{bound} relative on [{low}, {high}]"']
        self._values("coefficients", values)

    def piecewise(
        self, name: str, function: Callable[[mpf], mpf], centres: list[float], reach: float, degree: int
    ) -> None:
        """Fit ``function`` on centre -+ reach for each centre, in t = x - centre, and record all constant terms, then
        all linear ones and so on.
        """
        fits = [fit(lambda t, c=c: function(c + t), -reach, reach, degree, 4 * degree) for c in map(mpf, centres)]
        bound = int(mp.floor(-mp.log(max(worst for _, worst in fits), 2))) - 1
        self.lines += [f"[{name}]", f'bound = "2^-{bound} relative, {len(centres)} pieces of +-{reach}"']
        self._values("table", [values[i] for i in range(degree + 1) for values, _ in fits])

    def numbers(self, name: str, values: Iterable[float], comment: str) -> None:
        """Record a look-up table or a handful of constants."""
        self.lines += [f"[{name}]", f'comment = "{comment}"']
        self._values("table", values)

    def pairs(self, name: str, values: Iterable[mpf], comment: str) -> None:
        """Record numbers as pairs, one after the other."""
        self.numbers(name, [part for value in values for part in pair(value)], f"pairs: {comment}")

    def _values(self, key: str, values: Iterable[float]) -> None:
        self.lines += [f"{key} = ["] + [f'    "{value.hex()}",' for value in values] + ["]", ""]

    def write(self) -> None:
        """Write the file."""
        self.file.write_text("\n".join(self.lines), encoding="utf-8")
