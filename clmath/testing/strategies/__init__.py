"""Hypothesis strategies for inputs at which code fails: numbers, modes, conversions, and arguments of a built-in.

They generate NumPy scalars, or arrays if a shape is given, and shrink towards simple values: 0, 1, few digits.

>>> from hypothesis import given
>>> from clmath.testing import strategies as cl
>>> @given(cl.arguments("hypot", "float", allow_nan=False), cl.rounding_modes())
... def hypot_is_not_below_its_arguments(args, mode):
...     assert clmath.hypot(*args, rounding=mode) >= clmath.fmax(*map(clmath.fabs, args))
"""

from clmath.testing.strategies.calls import arguments, hard, near_boundary
from clmath.testing.strategies.domains import for_function
from clmath.testing.strategies.memory import Copy, Read, copies, printed, reads
from clmath.testing.strategies.scalars import (
    arrays,
    conversions,
    doubles,
    floats,
    halfs,
    integers,
    numbers,
    rounding_modes,
    vectors,
)

__all__ = [
    "Copy",
    "Read",
    "arguments",
    "arrays",
    "conversions",
    "copies",
    "doubles",
    "floats",
    "for_function",
    "halfs",
    "hard",
    "integers",
    "near_boundary",
    "numbers",
    "printed",
    "reads",
    "rounding_modes",
    "vectors",
]


def __dir__() -> list[str]:
    return sorted([*(name for name in globals() if name.startswith("__")), *__all__])
