"""Calls of built-ins for the benchmarks: on typical ranges (natural) and on uniformly random encodings (bits).

The same name, type and inputs always give the same numbers.
"""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.numbers.formats import Format

__all__ = ["INPUTS", "Call", "call"]

INPUTS = ("natural", "bits")
Interval: TypeAlias = tuple[float, float]

WIDTH = 4  # components of a vector of the geometric built-ins
USUAL = (-10.0, 10.0)
POSITIVE = (0.0, 100.0)
UNIT = (-1.0, 1.0)

# arguments are uniform over these intervals, or over USUAL if not listed; the intervals suit half, too
TYPICAL: dict[str, tuple[Interval, ...]] = {
    **dict.fromkeys(("log", "log2", "log10", "lgamma", "lgamma_r", "rsqrt", "sqrt"), (POSITIVE,)),
    **dict.fromkeys(("asin", "acos", "asinpi", "acospi", "atanh"), (UNIT,)),
    "acosh": ((1.0, 100.0),),
    "cbrt": ((-100.0, 100.0),),
    "erf": ((-3.0, 3.0),),
    "erfc": ((-3.0, 3.0),),
    "exp2": ((-14.0, 14.0),),
    "exp10": ((-4.0, 4.0),),
    "log1p": ((-1.0, 100.0),),
    "tgamma": ((-8.0, 8.0),),
    "pow": ((0.0, 10.0), (-4.0, 4.0)),
    "powr": ((0.0, 10.0), (-4.0, 4.0)),
    "pown": ((-4.0, 4.0), (-8, 8)),
    "rootn": (POSITIVE, (1, 8)),
    "ldexp": (USUAL, (-20, 20)),
    "mix": (USUAL, USUAL, (0.0, 1.0)),
    "smoothstep": ((0.0, 1.0), (1.0, 2.0), (0.0, 2.0)),
}


@dataclass(frozen=True)
class Call:
    """A built-in and its arguments, natural or bits: arrays of one length, vectors along a last axis."""

    name: str
    form: Format
    inputs: str
    args: tuple[np.ndarray, ...]

    @property
    def lanes(self) -> int:
        """The number of results (a vector counts as one)."""
        return len(self.args[0])

    def first(self, lanes: int) -> Call:
        """Return the call of the first ``lanes`` elements."""
        return Call(self.name, self.form, self.inputs, tuple(a[:lanes] for a in self.args))


def call(name: str, form: Format, inputs: str, lanes: int) -> Call:
    """Return the call of ``name`` on ``lanes`` elements of ``form``; vectors have four components."""
    row = builtin(name)
    rng = np.random.default_rng(zlib.crc32(f"{name} {form} {inputs}".encode()))
    shape = (lanes, WIDTH) if row.widths else (lanes,)
    intervals = TYPICAL.get(name, (USUAL,) * len(row.inputs))
    args = []
    for parameter, interval in zip(row.inputs, intervals, strict=True):
        integer = parameter.type == "intn"
        args.append(_ints(rng, inputs, interval, shape) if integer else _numbers(rng, form, inputs, interval, shape))
    return Call(name, form, inputs, tuple(args))


def _numbers(
    rng: np.random.Generator, form: Format, inputs: str, interval: Interval, shape: tuple[int, ...]
) -> np.ndarray:
    if inputs == "bits":
        return form.from_bits(rng.integers(0, 1 << form.width, shape, form.bits_dtype))
    return rng.uniform(*interval, shape).astype(form.dtype)


def _ints(rng: np.random.Generator, inputs: str, interval: Interval, shape: tuple[int, ...]) -> NDArray[np.int32]:
    low, high = (-(2**31), 2**31 - 1) if inputs == "bits" else map(int, interval)
    return rng.integers(low, high, shape, np.int32, endpoint=True)
