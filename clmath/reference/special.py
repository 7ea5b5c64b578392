"""The second oracle's special values: from the tables, and a few that follow from a definition."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

import numpy as np

from clmath.numbers.formats import DOUBLE
from clmath.spec.special_values import special_values


def special(name: str, args: Sequence[np.ndarray]) -> list[float | None]:
    """The special values of the built-in ``name`` for each element of arrays of doubles or ints; None elsewhere."""
    rule, rows = _RULES.get(name), zip(*(a.tolist() for a in args), strict=True)
    found = [None if rule is None else rule(*row) for row in rows]
    for special_value in special_values("pow") + special_values(name) if name == "pown" else special_values(name):
        if special_value.prescribes_one:
            values, *_ = special_value.expected(tuple(args), DOUBLE)
            for i in np.flatnonzero(special_value.matches(tuple(args), DOUBLE)):
                found[i] = float(values[i])
    return found


def _scaled(x: float) -> float | None:
    """The product of a number and an irrational one."""
    return x if x == 0.0 or not math.isfinite(x) else None


def _powr(x: float, y: float) -> float | None:
    """e^(y log x) where one of them is infinite."""
    if math.isinf(x) or math.isinf(y):
        return math.inf if (x > 1.0) == (y > 0.0) else 0.0
    return None


def _rootn(x: float, y: int) -> float | None:
    if not math.isinf(x):
        return None
    return math.copysign(math.inf if y > 0 else 0.0, x if y % 2 else 1.0)


def _rsqrt(x: float) -> float | None:
    """IEEE 754, 9.2.1."""
    if x == 0.0:
        return math.copysign(math.inf, x)
    return math.nan if not x > 0.0 else 0.0 if math.isinf(x) else None


_RULES: dict[str, Callable[..., float | None]] = {
    "degrees": _scaled,
    "powr": _powr,
    "radians": _scaled,
    "rootn": _rootn,
    "rsqrt": _rsqrt,
}
