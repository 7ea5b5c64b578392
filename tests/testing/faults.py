"""Small NumPy built-ins with one fault each, known from real kernels, and the options of their tests."""

from __future__ import annotations

import functools
from typing import Any, NamedTuple

import numpy as np

import clmath
from clmath.spec import files
from clmath.testing.aliases import CONVERSION


class Fault(NamedTuple):
    """A built-in with a fault: ``wrong`` takes arrays and is wrong at some inputs of ``name``.

    ``options``: keywords of ``conformance_test`` under which it fails; its ``modes`` are passed to ``wrong`` as
    ``rounding``.
    """

    name: str
    type: str
    wrong: Any
    options: Any = {}  # noqa: RUF012 - never changed

    @property
    def computed(self):
        """Return the function on arrays, without warnings."""

        @functools.wraps(self.wrong)
        def called(*args, **keywords):
            with np.errstate(all="ignore"):
                return self.wrong(*map(np.asarray, args), **keywords)

        return called

    @property
    def arguments_of_test(self):
        """Return the keywords of ``conformance_test``."""
        return {"types": [self.type], **self.options}

    @property
    def rounding(self):
        """Return the keyword of the mode in which it is wrong, if it takes a mode."""
        return {"rounding": self.options["modes"][-1]} if "modes" in self.options else {}

    def inputs(self, strategies):
        """Return a strategy of its arguments."""
        conversion = CONVERSION.fullmatch(self.name)
        if conversion:
            return strategies.conversions(self.type, conversion["type"]).map(lambda x: (x,))
        return strategies.arguments(self.name, self.type)

    def is_wrong(self, args):
        """Whether the result for ``args`` differs from the built-in's."""
        return not same(self.computed(*args, **self.rounding), getattr(clmath, self.name)(*args, **self.rounding))


def same(got, want):
    """Whether results have the same bits, where all NaNs are equal; several results are compared one by one."""
    if isinstance(want, tuple):
        return all(map(same, got, want))
    got, want = np.asarray(got), np.asarray(want)
    if want.dtype.kind != "f":
        return bool((got == want).all())
    here = np.isnan(got) & np.isnan(want)
    return bool((here | ((got == want) & (np.signbit(got) == np.signbit(want)))).all())


def nudged(values, where):
    """Return ``values`` moved up by one number at ``where``; infinities and zeros stay."""
    kept = ~where | ~np.isfinite(values) | (values == 0)
    return np.where(kept, values, np.nextafter(values, values.dtype.type(np.inf)))


def smallest(x):
    return np.finfo(x.dtype).smallest_normal


@functools.cache
def hard_inputs():
    return np.array([float.fromhex(line) for line in files.load("hard/calls.toml")["found"]["double"]["exp"]])


def flushed(values):
    return np.where(np.abs(values) < smallest(values), np.copysign(values.dtype.type(0), values), values)


def saturating_each_step(p, q, acc):
    total = acc.astype(np.int64)
    for k in range(4):
        total = np.clip(total + p[..., k].astype(np.int64) * q[..., k], -(2**31), 2**31 - 1)
    return total.astype(np.int32)


def without_sticky_bit(x):
    halved = (x >> np.uint64(1)).astype(np.int64).astype(np.float32) * np.float32(2)
    return np.where(x >= np.uint64(2**63), halved, clmath.convert_float(x))


def nan_before_infinity(x, y):
    return np.where(np.isnan(x) | np.isnan(y), x.dtype.type(np.nan), clmath.hypot(x, y))


def of_six_bits(x, y):
    rest, quotient = clmath.remquo(x, y)
    return rest, np.sign(quotient) * (np.abs(quotient) & np.int32(63))


def to_nearest_where_subnormal(x):
    return np.where(np.abs(x) < 2.0**-14, clmath.convert_half_rte(x), clmath.convert_half_rtz(x))


def one_exponent_for_subnormals(x):
    return np.where((np.abs(x) < 2.0**-14) & (x != 0), np.float16(-15), clmath.logb(x))


def without_a_sign(x):
    return np.where((x < 0) & (x > -1), np.abs(clmath.tgamma(x)), clmath.tgamma(x))


def rtz_as_rtn(x, y, rounding):
    return clmath.add(x, y, rounding="rtn" if rounding == "rtz" else rounding)


def one(x):
    return x.dtype.type(1)


def zero(x):
    return x.dtype.type(0)


NEAREST = {"correctly_rounded": True}
FAULTS = {
    "powr(1, inf) is 1": Fault(
        "powr", "float", lambda x, y: np.where((x == 1) & np.isinf(y), one(x), clmath.powr(x, y))
    ),
    "rtz is rtn": Fault("add", "float", rtz_as_rtn, {"modes": ["rte", "rtz"]}),
    "off where low bits are 5": Fault(
        "exp", "double", lambda x: nudged(clmath.exp(x), x.view(np.uint64) & np.uint64(7) == 5), NEAREST
    ),
    "off at hard inputs": Fault("exp", "double", lambda x: nudged(clmath.exp(x), np.isin(x, hard_inputs())), NEAREST),
    "flushes": Fault("mul", "float", lambda x, y: flushed(clmath.mul(x, y))),
    "the smallest normal": Fault(
        "ilogb", "double", lambda x: clmath.ilogb(x) - (np.abs(x) == smallest(x)).astype(np.int32)
    ),
    "overflows early": Fault("exp2", "float", lambda x: np.where(x >= 127, np.float32(np.inf), clmath.exp2(x))),
    "loses minus zero": Fault("trunc", "float", lambda x: np.trunc(x) + zero(x)),
    "through float": Fault("convert_half", "double", lambda x: x.astype(np.float32).astype(np.float16)),
    "the product wraps": Fault("mad_sat", "int", lambda a, b, c: clmath.add_sat(a * b, c)),
    "ties up": Fault("rint", "float", lambda x: np.where(np.abs(x - np.trunc(x)) == 0.5, np.ceil(x), clmath.rint(x))),
    # the following ones are too rare for a few hundred generated arguments, or similar to faults above
    "no NaN": Fault("sinpi", "float", lambda x: np.where(np.isinf(x), zero(x), clmath.sinpi(x))),
    "unmasked counts": Fault("rotate", "short", lambda x, k: np.where(np.abs(k) < 16, clmath.rotate(x, k), zero(x))),
    "the difference wraps": Fault("abs_diff", "char", lambda x, y: np.abs(x - y).view(np.uint8)),
    "the sum overflows": Fault("hadd", "int", lambda x, y: (x + y) >> one(x)),
    "off at minus one": Fault(
        "mul_hi", "long", lambda x, y: clmath.mul_hi(x, y) + ((x < 0) & (y == -1)).astype(x.dtype)
    ),
    "each step saturates": Fault("dot_acc_sat", "char", saturating_each_step),
    "the smallest is not normal": Fault(
        "isnormal", "half", lambda x: np.where(np.abs(x) == smallest(x), 0, clmath.isnormal(x)).astype(np.int32)
    ),
    "bits are compared": Fault(
        "isequal", "double", lambda x, y: (x.view(np.uint64) == y.view(np.uint64)).astype(np.int32)
    ),
    "no sticky bit": Fault("convert_float", "ulong", without_sticky_bit),
    "wraps at its end": Fault(
        "convert_int_sat",
        "float",
        lambda x: np.where(x == np.float32(2**31), np.int32(-(2**31)), clmath.convert_int_sat(x)),
    ),
    "ties of uchar up": Fault(
        "convert_uchar_sat_rte", "float", lambda x: clmath.convert_uchar_sat_rtn(x.astype(np.float64) + 0.5)
    ),
    "the floor of subnormal numbers": Fault(
        "convert_short_sat",
        "half",
        lambda x: np.where((x < 0) & (x > -(2.0**-14)), np.int16(-1), clmath.convert_short_sat(x)),
    ),
    "to nearest where subnormal": Fault("convert_half_rtz", "float", to_nearest_where_subnormal),
    "the edge itself": Fault("step", "half", lambda edge, x: np.where(x == edge, zero(x), clmath.step(edge, x))),
    "squares overflow": Fault("length", "float", lambda p: np.sqrt((p * p).sum(axis=-1, dtype=p.dtype))),
    "off in one binade": Fault("sqrt", "double", lambda x: nudged(clmath.sqrt(x), (x >= 2.0**21) & (x < 2.0**22))),
    "fma through double": Fault("fma", "float", lambda a, b, c: (a.astype(np.float64) * b + c).astype(np.float32)),
    "NaN before infinity": Fault("hypot", "double", nan_before_infinity),
    "positive zeros": Fault("sinpi", "double", lambda x: np.where(clmath.sinpi(x) == 0, 0.0, clmath.sinpi(x))),
    "the least int is negated": Fault("pown", "float", lambda x, n: np.where(n == -(2**31), one(x), clmath.pown(x, n))),
    "one exponent for subnormals": Fault("logb", "half", one_exponent_for_subnormals),
    "off at one half": Fault("erf", "half", lambda x: nudged(clmath.erf(x), x == np.float16(0.8477)), NEAREST),
    "no sign": Fault("tgamma", "double", without_a_sign),
    "tiny numbers": Fault("log1p", "double", lambda x: np.where(np.abs(x) < 2.0**-26, x, clmath.log1p(x)), NEAREST),
    "far numbers": Fault("fmod", "float", lambda x, y: np.where(np.abs(x / y) > 2.0**24, zero(x), clmath.fmod(x, y))),
    "six bits": Fault("remquo", "double", of_six_bits),
}
COMMON = [*FAULTS][:11]  # faults that a few hundred generated arguments usually show
