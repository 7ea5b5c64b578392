"""Small built-ins in NumPy, each with one fault that is known from real kernels, and how each of them is tested."""

from __future__ import annotations

import functools
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np

import clmath
from clmath.spec import files
from clmath.testing.bit_inputs import CONVERSION

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from hypothesis.strategies import SearchStrategy


@dataclass(frozen=True)
class Fault:
    """A built-in with a fault: ``computed`` takes arrays and is wrong at some inputs of ``name``.

    ``options``: those of ``conformance_test``, by which it is wrong; ``modes`` are what it takes as ``rounding``.
    """

    computed: Callable[..., Any]
    name: str
    type: str
    options: Mapping[str, Any] = field(default_factory=dict)

    def __str__(self) -> str:
        return self.computed.__name__

    @property
    def arguments_of_test(self) -> dict[str, Any]:
        """The keywords of ``conformance_test``."""
        return {"types": [self.type], **self.options}

    @property
    def correct(self) -> Callable[..., Any]:
        """The built-in."""
        return getattr(clmath, self.name)

    @property
    def rounding(self) -> dict[str, str]:
        """The mode in which it is wrong, where it takes one."""
        return {"rounding": self.options["modes"][-1]} if "modes" in self.options else {}

    def inputs(self, strategies: Any) -> SearchStrategy[Any]:
        """A strategy of its arguments."""
        conversion = CONVERSION.fullmatch(self.name)
        if conversion:
            return strategies.conversions(self.type, conversion["type"]).map(lambda x: (x,))
        return strategies.arguments(self.name, self.type)


def same(got: Any, want: Any) -> bool:
    """Whether two results have the same bits, any NaN being equal to any NaN; several results each by itself."""
    if isinstance(want, tuple):
        return all(map(same, got, want))
    got, want = np.asarray(got), np.asarray(want)
    if want.dtype.kind != "f":
        return bool((got == want).all())
    here = np.isnan(got) & np.isnan(want)
    return bool((here | ((got == want) & (np.signbit(got) == np.signbit(want)))).all())


def quiet(function):
    """The function on arrays, without warnings."""

    @functools.wraps(function)
    def called(*args, **keywords):
        with np.errstate(all="ignore"):
            return function(*map(np.asarray, args), **keywords)

    return called


def nudged(values, where):
    """``values``, one number up where ``where`` says; infinities and zeros stay."""
    kept = ~where | ~np.isfinite(values) | (values == 0)
    return np.where(kept, values, np.nextafter(values, values.dtype.type(np.inf)))


def smallest(x):
    return np.finfo(x.dtype).smallest_normal


@quiet
def powr_of_one(x, y):
    """powr(1, inf) is NaN; pow's answer is given."""
    return np.where((x == 1) & np.isinf(y), x.dtype.type(1), clmath.powr(x, y))


@quiet
def rtz_as_rtn(x, y, rounding):
    return clmath.add(x, y, rounding="rtn" if rounding == "rtz" else rounding)


@quiet
def exp_off_where_low_bits_are_5(x):
    return nudged(clmath.exp(x), x.view(np.uint64) & np.uint64(7) == 5)


@functools.cache
def hard_inputs():
    return np.array([float.fromhex(line) for line in files.load("hard/double.toml")["exp"]])


@quiet
def exp_off_at_hard_inputs(x):
    return nudged(clmath.exp(x), np.isin(x, hard_inputs()))


@quiet
def mul_that_flushes(x, y):
    z = clmath.mul(x, y)
    return np.where(np.abs(z) < smallest(x), np.copysign(x.dtype.type(0), z), z)


@quiet
def ilogb_of_the_smallest_normal(x):
    return clmath.ilogb(x) - (np.abs(x) == smallest(x)).astype(np.int32)


@quiet
def exp2_that_overflows_early(x):
    return np.where(x >= 127, np.float32(np.inf), clmath.exp2(x))


@quiet
def trunc_that_loses_minus_zero(x):
    return np.trunc(x) + x.dtype.type(0)


@quiet
def double_to_half_through_float(x):
    return x.astype(np.float32).astype(np.float16)


@quiet
def mad_sat_that_overflows(a, b, c):
    """The product wraps before the sum saturates."""
    return clmath.add_sat(a * b, c)


@quiet
def rint_that_rounds_ties_up(x):
    return np.where(np.abs(x - np.trunc(x)) == 0.5, np.ceil(x), clmath.rint(x))


@quiet
def sinpi_without_nan(x):
    return np.where(np.isinf(x), x.dtype.type(0), clmath.sinpi(x))


NEAREST = {"correctly_rounded": True}
COMMON = (
    Fault(powr_of_one, "powr", "float"),
    Fault(rtz_as_rtn, "add", "float", {"modes": ["rte", "rtz"]}),
    Fault(exp_off_where_low_bits_are_5, "exp", "double", NEAREST),
    Fault(exp_off_at_hard_inputs, "exp", "double", NEAREST),
    Fault(mul_that_flushes, "mul", "float"),
    Fault(ilogb_of_the_smallest_normal, "ilogb", "double"),
    Fault(exp2_that_overflows_early, "exp2", "float"),
    Fault(trunc_that_loses_minus_zero, "trunc", "float"),
    Fault(double_to_half_through_float, "convert_half", "double"),
    Fault(mad_sat_that_overflows, "mad_sat", "int"),
    Fault(rint_that_rounds_ties_up, "rint", "float"),
)
"""Faults that a few hundred drawn arguments show as a rule."""


@quiet
def rotate_by_unmasked_counts(x, k):
    return np.where(np.abs(k) < 16, clmath.rotate(x, k), x.dtype.type(0))


@quiet
def abs_diff_that_wraps(x, y):
    return np.abs(x - y).view(np.uint8)


@quiet
def hadd_that_overflows(x, y):
    return (x + y) >> x.dtype.type(1)


@quiet
def mul_hi_off_at_minus_one(x, y):
    return clmath.mul_hi(x, y) + ((x < 0) & (y == -1)).astype(x.dtype)


@quiet
def dot_acc_sat_that_saturates_each_step(p, q, acc):
    total = acc.astype(np.int64)
    for k in range(4):
        total = np.clip(total + p[..., k].astype(np.int64) * q[..., k], -(2**31), 2**31 - 1)
    return total.astype(np.int32)


@quiet
def isnormal_without_the_smallest(x):
    return np.where(np.abs(x) == smallest(x), 0, clmath.isnormal(x)).astype(np.int32)


@quiet
def isequal_of_bits(x, y):
    return (x.view(np.uint64) == y.view(np.uint64)).astype(np.int32)


@quiet
def ulong_to_float_without_sticky_bit(x):
    halved = (x >> np.uint64(1)).astype(np.int64).astype(np.float32) * np.float32(2)
    return np.where(x >= np.uint64(2**63), halved, clmath.convert_float(x))


@quiet
def to_int_that_wraps_at_its_end(x):
    return np.where(x == np.float32(2**31), np.int32(-(2**31)), clmath.convert_int_sat(x))


@quiet
def to_uchar_with_ties_up(x):
    return clmath.convert_uchar_sat_rtn(x.astype(np.float64) + 0.5)


@quiet
def to_short_with_the_floor_of_subnormal_numbers(x):
    return np.where((x < 0) & (x > -(2.0**-14)), np.int16(-1), clmath.convert_short_sat(x))


@quiet
def to_half_to_nearest_where_subnormal(x):
    return np.where(np.abs(x) < 2.0**-14, clmath.convert_half_rte(x), clmath.convert_half_rtz(x))


@quiet
def step_of_the_edge_itself(edge, x):
    return np.where(x == edge, x.dtype.type(0), clmath.step(edge, x))


@quiet
def length_of_squares(p):
    return np.sqrt((p * p).sum(axis=-1, dtype=p.dtype))


@quiet
def sqrt_off_in_one_binade(x):
    return nudged(clmath.sqrt(x), (x >= 2.0**21) & (x < 2.0**22))


@quiet
def fma_through_double(a, b, c):
    return (a.astype(np.float64) * b + c).astype(np.float32)


@quiet
def hypot_with_nan_before_infinity(x, y):
    return np.where(np.isnan(x) | np.isnan(y), x.dtype.type(np.nan), clmath.hypot(x, y))


@quiet
def sinpi_with_positive_zeros(x):
    y = clmath.sinpi(x)
    return np.where(y == 0, np.abs(y), y)


@quiet
def pown_that_negates_the_least_int(x, n):
    return np.where(n == -(2**31), x.dtype.type(1), clmath.pown(x, n))


@quiet
def logb_with_one_exponent_for_subnormals(x):
    return np.where((np.abs(x) < 2.0**-14) & (x != 0), np.float16(-15), clmath.logb(x))


@quiet
def erf_off_at_one_half(x):
    return nudged(clmath.erf(x), x == np.float16(0.8477))


@quiet
def tgamma_without_a_sign(x):
    return np.where((x < 0) & (x > -1), np.abs(clmath.tgamma(x)), clmath.tgamma(x))


@quiet
def log1p_of_tiny_numbers(x):
    return np.where(np.abs(x) < 2.0**-26, x, clmath.log1p(x))


@quiet
def fmod_of_far_numbers(x, y):
    return np.where(np.abs(x / y) > 2.0**24, x.dtype.type(0), clmath.fmod(x, y))


@quiet
def remquo_with_six_bits(x, y):
    rest, quotient = clmath.remquo(x, y)
    return rest, np.sign(quotient) * (np.abs(quotient) & np.int32(63))


RARE = (
    Fault(sinpi_without_nan, "sinpi", "float"),
    Fault(rotate_by_unmasked_counts, "rotate", "short"),
    Fault(abs_diff_that_wraps, "abs_diff", "char"),
    Fault(hadd_that_overflows, "hadd", "int"),
    Fault(mul_hi_off_at_minus_one, "mul_hi", "long"),
    Fault(dot_acc_sat_that_saturates_each_step, "dot_acc_sat", "char"),
    Fault(isnormal_without_the_smallest, "isnormal", "half"),
    Fault(isequal_of_bits, "isequal", "double"),
    Fault(ulong_to_float_without_sticky_bit, "convert_float", "ulong"),
    Fault(to_int_that_wraps_at_its_end, "convert_int_sat", "float"),
    Fault(to_uchar_with_ties_up, "convert_uchar_sat_rte", "float"),
    Fault(to_short_with_the_floor_of_subnormal_numbers, "convert_short_sat", "half"),
    Fault(to_half_to_nearest_where_subnormal, "convert_half_rtz", "float"),
    Fault(step_of_the_edge_itself, "step", "half"),
    Fault(length_of_squares, "length", "float"),
    Fault(sqrt_off_in_one_binade, "sqrt", "double"),
    Fault(fma_through_double, "fma", "float"),
    Fault(hypot_with_nan_before_infinity, "hypot", "double"),
    Fault(sinpi_with_positive_zeros, "sinpi", "double"),
    Fault(pown_that_negates_the_least_int, "pown", "float"),
    Fault(logb_with_one_exponent_for_subnormals, "logb", "half"),
    Fault(erf_off_at_one_half, "erf", "half", NEAREST),
    Fault(tgamma_without_a_sign, "tgamma", "double"),
    Fault(log1p_of_tiny_numbers, "log1p", "double", NEAREST),
    Fault(fmod_of_far_numbers, "fmod", "float"),
    Fault(remquo_with_six_bits, "remquo", "double"),
)
"""Faults in all chapters, some too rare for a few hundred drawn arguments."""
FAULTS = {str(fault): fault for fault in (*COMMON, *RARE)}
