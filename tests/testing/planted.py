"""Small built-ins in NumPy, each with one bug that is known from real kernels, and where each of them is wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

import clmath
from clmath.spec import files

if TYPE_CHECKING:
    from collections.abc import Callable

    from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True)
class Planted:
    """A built-in with a bug: ``computed`` is wrong at some inputs of ``name``, ``correct`` at none."""

    what: str
    name: str
    type: str
    computed: Callable[..., Any]
    correct: Callable[..., Any]
    to: str = ""  # the type that is converted to, where name is 'convert'

    def inputs(self, strategies: Any) -> SearchStrategy[Any]:
        """The arguments that the strategies draw for it."""
        if self.to:
            return strategies.conversions(self.type, self.to).map(lambda x: (x,))
        return strategies.arguments(self.name, self.type)


def same(got: Any, want: Any) -> bool:
    """Whether two results have the same bits, any NaN being equal to any NaN."""
    got, want = np.asarray(got), np.asarray(want)
    return got.tobytes() == want.tobytes() or bool(got.dtype.kind == "f" and np.isnan(got) and np.isnan(want))


def _nudged(y: Any) -> Any:
    return np.nextafter(y, y.dtype.type(0)) if np.isfinite(y) and y != 0 else y


def powr_of_one(x, y):
    """powr(1, inf) is NaN; pow's answer is given."""
    return np.float32(1) if x == 1 and np.isinf(y) else clmath.powr(x, y)


def add_rtz_as_rtn(x, y):
    return clmath.add(x, y, rounding="rtn")


def add_rtz(x, y):
    return clmath.add(x, y, rounding="rtz")


def exp_low_bits(x):
    y = clmath.exp(x)
    return _nudged(y) if int(x.view(np.uint64)) & 7 == 5 else y


def _hard_inputs():
    return frozenset(float.fromhex(line) for line in files.load("hard/double.toml")["exp"])


def exp_hard(x):
    y = clmath.exp(x)
    return _nudged(y) if float(x) in _hard_inputs() else y


def mul_flushes(x, y):
    z = clmath.mul(x, y)
    return np.copysign(np.float32(0), z) if 0 < abs(z) < np.finfo(np.float32).tiny else z


def ilogb_smallest_normal(x):
    return np.int32(-1023) if x == np.finfo(np.float64).tiny else clmath.ilogb(x)


def exp2_overflows_early(x):
    return np.float32(np.inf) if 127 <= x < 128 else clmath.exp2(x)


def trunc_loses_minus_zero(x):
    y = clmath.trunc(x)
    return np.float32(0) if y == 0 else y


def double_to_half_through_float(x):
    return clmath.convert(clmath.convert(x, "float"), "half")


def double_to_half(x):
    return clmath.convert(x, "half")


def mad_sat_overflows(a, b, c):
    """The product wraps before the sum saturates."""
    with np.errstate(over="ignore"):
        product = a * b
    return clmath.add_sat(product, c)


def rint_ties_up(x):
    y = clmath.rint(x)
    return clmath.ceil(x) if np.isfinite(x) and abs(x - y) == 0.5 else y


PLANTED = (
    Planted("wrong special value", "powr", "float", powr_of_one, clmath.powr),
    Planted("rtz as rtn", "add", "float", add_rtz_as_rtn, add_rtz),
    Planted("exp off by one ulp where the low bits are 5", "exp", "double", exp_low_bits, clmath.exp),
    Planted("exp wrong at hard inputs", "exp", "double", exp_hard, clmath.exp),
    Planted("mul flushes subnormals", "mul", "float", mul_flushes, clmath.mul),
    Planted("ilogb of the smallest normal", "ilogb", "double", ilogb_smallest_normal, clmath.ilogb),
    Planted("exp2 overflows a binade early", "exp2", "float", exp2_overflows_early, clmath.exp2),
    Planted("trunc loses -0", "trunc", "float", trunc_loses_minus_zero, clmath.trunc),
    Planted("double to half through float", "convert", "double", double_to_half_through_float, double_to_half, "half"),
    Planted("mad_sat overflow", "mad_sat", "int", mad_sat_overflows, clmath.mad_sat),
    Planted("rint ties up", "rint", "float", rint_ties_up, clmath.rint),
)
