"""What is claimed on a cell as plain data, for checkers that share no code with the prover.

Values are named by their numbers in the trace, functions and constants by their names; numbers are floats, taken
exactly.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

__all__ = [
    "Enclosed",
    "EnclosedArcTangent",
    "EnclosedError",
    "EnclosedGamma",
    "EnclosedPower",
    "EnclosedProduct",
    "EnclosedRatio",
    "EnclosedSine",
    "EnclosedSum",
    "InverseRoot",
    "Known",
    "Logarithm",
    "MirroredLogGamma",
    "NearLogarithm",
    "NearPair",
    "NearSeries",
    "NearSine",
    "Reduced",
    "SmallLogarithm",
    "Through",
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
class EnclosedRatio:
    """z / (z + ``added``) times ``sign`` is enclosed by the sum of the values ``parts`` -+ the value ``err``.

    z, and ``numbers``, as in ``EnclosedSum``.
    """

    known: Known
    numbers: tuple[tuple[int, int | float | bool], ...]
    added: float
    sign: int
    off: float
    parts: tuple[int, ...]
    err: int


@dataclass(frozen=True)
class EnclosedArcTangent:
    """The angle whose tangent is the argument, over pi where that is said, is enclosed as in ``EnclosedRatio``."""

    known: Known
    numbers: tuple[tuple[int, int | float | bool], ...]
    over_pi: bool
    off: float
    parts: tuple[int, ...]
    err: int


@dataclass(frozen=True)
class EnclosedError:
    """The error function of the argument, or its complement times e^(argument^2), is enclosed as in ``EnclosedSum``."""

    known: Known
    numbers: tuple[tuple[int, int | float | bool], ...]
    function: Literal["erf", "e^(x^2) erfc"]
    parts: tuple[int, ...]
    err: int
    bound: float = 0.0
    off: float = 0.0


@dataclass(frozen=True)
class EnclosedProduct:
    """A product is enclosed by the sum of the values ``parts`` -+ the value ``err``: of a + b + d and f + g + h.

    a is the argument and b the first that is bounded, |d| <= the first of ``offs``; g the second that is bounded, |h|
    <= the second, and ``factor`` tells where f stands and between what it lies. Where ``of_2`` is no None, it is 2 -
    the product 2^of_2 that is enclosed. ``numbers``: as in ``EnclosedSum``.
    """

    known: Known
    numbers: tuple[tuple[int, int | float | bool], ...]
    factor: tuple[int, float, float]
    offs: tuple[float, float]
    of_2: int | None
    parts: tuple[int, ...]
    err: int


@dataclass(frozen=True)
class Enclosed:
    """f(z) 2^(``power`` k) is enclosed by the first output -+ the second, rounded once, for every z of the cell.

    The value ``argument`` is 2^(``scale`` k) (z + d), |d| <= ``off`` |z|, a multiple of 2^(``grid`` + scale k) that has
    ``width`` bits at most. ``integers`` and ``conditions``: values that are known, by number. ``exponent``: the integer
    of the trace that is k, which lies between the two ``powers``. ``function``: the name of f, and what it has for
    parameters.
    """

    function: tuple[str, *tuple[float, ...]]
    argument: int
    grid: int
    width: int = 53
    off: float = 0.0
    scale: int = 0
    power: int = 0
    powers: tuple[int, int] = (0, 0)
    exponent: int | None = None
    integers: tuple[tuple[int, int], ...] = ()
    conditions: tuple[tuple[int, bool], ...] = ()


@dataclass(frozen=True)
class Logarithm:
    """The only output is within ``off`` of q log 2 + log(m + l 2^-q), of that, for every m of the cell.

    For each q from the first to the second of ``powers``; m is a multiple of 2^``grid``. Where values stand: ``m``; the
    rest l, a double that is within ``left`` 2^q; 2^-q as ``scale``; and ``k``, which is q + ``carried``. ``integers``:
    values that are known, by number.
    """

    m: int
    grid: int
    rest: int
    left: float
    scale: int
    k: int
    carried: int
    powers: tuple[int, int]
    integers: tuple[tuple[int, int], ...]
    off: float


@dataclass(frozen=True)
class Through:
    """f(x) is enclosed by the first output -+ the second, rounded once, for every x of the cell, a multiple of 2^grid.

    Where the value ``logarithm`` is log(1 + w) (1 + d), |d| <= ``off``, w being the value ``sum`` for this x, which
    lies between the two numbers ``reach``. ``conditions``: values that are known, by number.
    """

    function: str
    grid: int
    width: int
    sum: int
    logarithm: int
    off: float
    reach: tuple[float, float]
    conditions: tuple[tuple[int, bool], ...]


@dataclass(frozen=True)
class SmallLogarithm:
    """The only output is within ``off`` of log(1 + t), of that, for every t of the cell, a multiple of 2^``grid``.

    t is the argument, and the value ``m`` the value ``total``, 1 + t rounded. ``doubles`` and ``integers``: values that
    are known, by number.
    """

    grid: int
    m: int
    total: int
    doubles: tuple[tuple[int, float], ...]
    integers: tuple[tuple[int, int], ...]
    off: float


@dataclass(frozen=True)
class InverseRoot:
    """1/sqrt(s^2 + q), s = (1 - r) / y, is enclosed by the sum of the first two outputs -+ the third, for every y.

    The value ``y`` is a multiple of 2^``grid``. The values ``missed`` are within the second of their ``bounds`` of r
    and q, which are no larger than the first. ``true``: conditions that hold.
    """

    y: int
    grid: int
    missed: tuple[int, int]
    bounds: tuple[tuple[float, float], tuple[float, float]]
    true: tuple[int, ...]


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


@dataclass(frozen=True)
class EnclosedGamma:
    """gamma(x), or log|gamma(x)|, is enclosed by the first output -+ the second, rounded once.

    For every x of the cell, the first argument, a multiple of 2^``grid`` of ``width`` bits. ``region``: where x lies,
    "above" 1, "inside" 0 .. 1, or "below" 0. ``logarithms``: (a, b, off, beside), the value b is log a, but for
    ``off`` of it and ``beside``. ``base``: a value that is as near to the same as ``off`` of it, None where that is not
    claimed. ``conditions``: values that are known, by number.
    """

    function: Literal["gamma", "log gamma"]
    region: Literal["above", "inside", "below"]
    grid: int
    width: int
    conditions: tuple[tuple[int, bool], ...]
    logarithms: tuple[tuple[int, int, float, float], ...] = ()
    base: int | None = None
    off: float = 0.0


@dataclass(frozen=True)
class NearLogarithm:
    """The only output is k log 2 + log m, but for ``off`` of it and ``beside``, for every m of the cell.

    For each k from the first to the second of ``powers``, less ``carried`` beside log m. Where values stand: ``m``, a
    multiple of 2^``grid``, ``k``, a double, and ``place``, an integer with its value.
    """

    m: int
    grid: int
    k: int
    carried: int
    powers: tuple[int, int]
    place: tuple[int, int]
    off: float
    beside: float


@dataclass(frozen=True)
class NearSine:
    """The value ``sine`` is |sin(pi r)|, but for ``off`` of it, for every r of the cell, a multiple of 2^``grid``."""

    r: int
    grid: int
    n: tuple[int, int]
    sine: int
    off: float
    conditions: tuple[tuple[int, bool], ...]


@dataclass(frozen=True)
class MirroredLogGamma:
    """log pi - a - b is enclosed by the first output -+ the second, rounded once, for every b of the cell.

    And every a between the ``ends``; the value ``log`` is a, but for the first of ``offs``, the value ``base`` is b,
    but for the second one of its size. ``x``: what the argument lies between.
    """

    ends: tuple[float, float]
    log: int
    base: int
    offs: tuple[float, float]
    x: tuple[float, float]
    conditions: tuple[tuple[int, bool], ...]


@dataclass(frozen=True)
class NearPair:
    """The sum of the first two outputs is a function of the argument number ``argument``, a multiple of 2^``grid``.

    But for ``share`` of it, and ``most``, the smaller of them. The function: log gamma(x + ``ahead``), sin(pi x)/pi, or
    sin(pi x). ``doubles``: arguments that are known.
    """

    function: Literal["log gamma", "sine over pi", "sine"]
    argument: int
    grid: int
    share: float
    most: float
    ahead: int = 0
    doubles: tuple[tuple[int, float], ...] = ()


@dataclass(frozen=True)
class NearSeries:
    """The sum of both outputs is log gamma(a + b) but for ``off``, or ``share`` of it where that is 0.

    The arguments: a, a multiple of 2^``grid``; b, no larger than ``below``; 1/a, but for ``inverse`` of it; and log a
    as a pair, but for ``log``, the second part no larger than ``second``, the first a multiple of 2^``grid_of_log``.
    """

    grid: int
    below: float
    inverse: float
    log: float
    second: float
    grid_of_log: int
    off: float
    share: float
