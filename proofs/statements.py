"""What is claimed on a cell as plain data, for checkers that share no code with the prover.

Values are named by their numbers in the trace, functions and constants by their names; numbers are floats, taken
exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "EnclosedPower",
    "EnclosedSine",
    "EnclosedSum",
    "Known",
    "Reduced",
]


@dataclass(frozen=True)
class Known:
    """What is known of values of the trace on a cell.

    ``argument`` lies in the cell and is a multiple of 2^``grid``; ``bounded``: pairs of a value and how large it may
    be in size; ``residues``: an integer, its rest, and the modulus, a power of two; ``false``: conditions that do not
    hold, ``true``: those that do; ``exactly``: values that are known, doubles as floats and integers as they are.
    """

    argument: int
    grid: int
    bounded: tuple[tuple[int, float], ...] = ()
    residues: tuple[tuple[int, int, int], ...] = ()
    false: tuple[int, ...] = ()
    true: tuple[int, ...] = ()
    exactly: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class EnclosedPower:
    """2^(n/steps) e^(a + all that is bounded + d), n the integer of ``known`` and |d| <= ``off``, is enclosed.

    By the sum of the outputs ``parts`` -+ the output ``err``, n less its multiple of steps, which the output
    ``exponent`` tells; where that is None, by the value and its bound ``rounded`` once, |n/steps| <= ``most``. What is
    enclosed is ``negative`` or not.
    """

    known: Known
    steps: int
    off: float
    parts: tuple[int, ...]
    err: int
    exponent: int | None
    most: int
    negative: bool = False


@dataclass(frozen=True)
class Reduced:
    """a c = n ln(2)/``steps`` + the sum of the values ``rest`` + d, |d| <= ``off``, each of them within ``bounds``.

    a is the argument and all that is bounded, c the natural logarithm of ``base``; |n/steps| <= ``most``; the first of
    ``rest`` is a multiple of 2^``grid``.
    """

    known: Known
    base: Literal["e", "e^2", "2", "10", "1/e"]
    n: int
    steps: int
    rest: tuple[int, ...]
    bounds: tuple[float, ...]
    off: float
    grid: int
    most: int


@dataclass(frozen=True)
class EnclosedSum:
    """The sum of c 2^(j/``steps``) e^(s z), (c, j, s) each of ``terms``, is enclosed, or that over the sum of ``over``.

    z is the argument of ``known`` and all that is bounded + d, |d| <= ``off``; values that are known are ``numbers``
    with their values, integers, doubles or conditions. The enclosure is the sum of the values ``parts`` -+ the value
    ``err``, or -+ ``bound`` where that is not 0.
    """

    known: Known
    numbers: tuple[tuple[int, int | float | bool], ...]
    steps: int
    terms: tuple[tuple[float, int, int], ...]
    over: tuple[tuple[float, int, int], ...]
    off: float
    parts: tuple[int, ...]
    err: int
    bound: float = 0.0


@dataclass(frozen=True)
class EnclosedSine:
    """Functions of (n + f) pi/1024 or, where ``is_angle``, of n pi/1024 + f, are enclosed by three outputs each.

    f is the argument and all that is bounded + d, |d| <= ``off``, and n the integer of ``known`` with its rest modulo
    2048. Each is enclosed by the sum of its first two outputs -+ the third.
    """

    known: Known
    functions: tuple[Literal["sin", "cos", "tan"], ...] = ("sin",)
    is_angle: bool = False
    off: float = 0.0
