"""Fits polynomials and writes coefficient tables as hex floats with the error bound each was generated to.

A script runs from the folder ``tables``: ``python -m kernels.fast.exponential`` writes kernels/fast/exponential.toml.
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
    for x in _sample(low, high, samples):
        exact = function(x)
        error = abs(mp.polyval([mpf(c) for c in reversed(rounded)], x) - exact)
        worst = max(worst, error / abs(exact) if exact else error)
    return rounded, worst


def fitted_quotient(
    function: Callable[[mpf], mpf], low: float, high: float, degrees: tuple[int, int]
) -> tuple[list[float], list[float], mpf]:
    """Coefficients of two polynomials of the given ``degrees``, constant first, whose quotient is near ``function``.

    The quotient is that which agrees with the function in the zeros of a Chebyshev polynomial of [low, high]; both
    constant terms are 1, which has to be the function's value at 0. The third result is as ``fit``'s second.
    """
    upper, lower = degrees
    count = upper + lower
    places = [low + (high - low) * (1 - mp.cos(mp.pi * (2 * i + 1) / (2 * count))) / 2 for i in range(count)]
    rows = [
        [x**j for j in range(1, upper + 1)] + [-function(x) * x**j for j in range(1, lower + 1)]
        for x in map(mpf, places)
    ]
    found = list(map(as_double, mp.lu_solve(mp.matrix(rows), mp.matrix([function(x) - 1 for x in places]))))
    over, under = [1.0, *found[:upper]], [1.0, *found[upper:]]
    return over, under, max(abs(_quotient(over, under, x) / function(x) - 1) for x in _sample(low, high, SAMPLES))


def _quotient(over: list[float], under: list[float], x: mpf) -> mpf:
    return mp.polyval(list(map(mpf, reversed(over))), x) / mp.polyval(list(map(mpf, reversed(under))), x)


def _sample(low: float, high: float, samples: int) -> list[mpf]:
    """Places between ``low`` and ``high``, the ends among them, closer near these."""
    return [mpf(low) + (mpf(high) - low) * (1 - mp.cos(mp.pi * k / samples)) / 2 for k in range(samples + 1)]


def _bits(worst: mpf) -> int:
    """The n with 2^-n above twice the ``worst`` error that was seen."""
    return int(mp.floor(-mp.log(worst, 2))) - 1


class Table:
    """A coefficient file in the making."""

    def __init__(self, script: str) -> None:
        self.lines = [f"# Written by tables/kernels/{script}.py; do not edit. Hex floats, constant term first.", ""]
        self.file = Path(__file__).parent / f"{script}.toml"

    def polynomial(self, name: str, function: Callable[[mpf], mpf], low: float, high: float, degree: int) -> None:
        """Fit ``function`` on [low, high] and record it."""
        values, worst = fit(function, low, high, degree)
        self._fitted(name, values, f"2^-{_bits(worst)} relative on [{low}, {high}]")

    def quotient(
        self, name: str, function: Callable[[mpf], mpf], low: float, high: float, degrees: tuple[int, int]
    ) -> None:
        """Fit ``function``, which is 1 at 0, on [low, high] by a quotient, and record both its polynomials."""
        *both, worst = fitted_quotient(function, low, high, degrees)
        for part, values in zip(("over", "under"), both, strict=True):
            self._fitted(f"{name}_{part}", values, f"2^-{_bits(worst)} relative on [{low}, {high}], over / under")

    def _fitted(self, name: str, values: list[float], bound: str) -> None:
        self.lines += [f"[{name}]", f'bound = "{bound}"']
        self._values("coefficients", values)

    def piecewise(
        self, name: str, function: Callable[[mpf], mpf], centres: list[float], reach: float, degree: int
    ) -> None:
        """Fit ``function`` on centre -+ reach for each centre, in t = x - centre, and record all constant terms, then
        all linear ones and so on.
        """
        fits = [fit(lambda t, c=c: function(c + t), -reach, reach, degree, 4 * degree) for c in map(mpf, centres)]
        bound = _bits(max(worst for _, worst in fits))
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
