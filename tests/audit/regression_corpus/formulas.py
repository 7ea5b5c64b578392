"""Faulty formulas that libraries computed instead of a built-in, step by step in the format."""

from __future__ import annotations

import numpy as np

import clmath

TINIEST = {np.dtype(np.float16): 2.0**-14, np.dtype(np.float32): 2.0**-126, np.dtype(np.float64): 2.0**-1022}


def is_subnormal(y):
    return (np.abs(y) < TINIEST[y.dtype]) & (y != 0)


def flushed(x):
    return np.where(is_subnormal(x), np.copysign(x.dtype.type(0), x), x)


def length_unscaled(p):
    return np.sqrt(sum(np.moveaxis(p * p, -1, 0)))


def normalize_unscaled(p):
    size = length_unscaled(p)[..., np.newaxis]
    return np.where(size == 0, p, p / size)


def acosh_of_negative_numbers(x):
    """The branch depends only on the magnitude of x."""
    one = x.dtype.type(1)
    y = clmath.log(2 * x - one / (x + np.sqrt(x * x - one)))
    return np.where((x <= -2) & (x > -(2.0**26)), y, clmath.acosh(x))


def sin_in_odd_lanes(x):
    """The quadrant of every second element is wrong by one."""
    odd = np.arange(len(x)) % 2 == 1
    return np.where(odd & (np.abs(x) > 1), clmath.cos(x), clmath.sin(x))


def pown_by_multiplication(x, n):
    """Square and multiply; a negative power is the reciprocal of the positive one."""
    size = np.abs(n.astype(np.int64))
    power, square = np.ones_like(x), x.copy()
    while size.any():
        power = np.where(size % 2 == 1, power * square, power)
        square = square * square
        size = size // 2
    return np.where(n < 0, 1 / power, power)


def powr_without_its_library(x, y):
    ordinary = (x > 0) & np.isfinite(x) & np.isfinite(y) & (y != 0)
    return np.where(ordinary, np.where(y > 0, x.dtype.type(np.inf), x.dtype.type(0)), clmath.powr(x, y))


def pow_of_large_exponents(x, y):
    """Every power above 2^27 of a number at least eight ulps below 1 is assumed to underflow or overflow."""
    beyond = (np.abs(y) > 2.0**27) & (x < np.float32(1 - 2.0**-21)) & (x > 0) & np.isfinite(y)
    return np.where(beyond, np.where(y > 0, np.float32(0), np.float32(np.inf)), clmath.pow(x, y))


def fma_through_double(a, b, c):
    wide = (v.astype(np.float64) for v in (a, b, c))
    a64, b64, c64 = wide
    return (a64 * b64 + c64).astype(a.dtype)


def fma_through_float(a, b, c):
    a32, b32, c32 = (v.astype(np.float32) for v in (a, b, c))
    return (a32 * b32 + c32).astype(a.dtype)


def fma_subnormal_through_double(a, b, c):
    right = clmath.fma(a, b, c)
    return np.where(np.abs(right) < 2.0**-126, fma_through_double(a, b, c), right)


def fma_with_a_shortcut(a, b, c):
    """If the sum in double, less the product, equals the addend, the sum is assumed exact and rounded twice."""
    product, addend = a.astype(np.float64) * b.astype(np.float64), c.astype(np.float64)
    total = product + addend
    shortcut = total - product == addend
    return np.where(shortcut & np.isfinite(total), total.astype(a.dtype), clmath.fma(a, b, c))


def fma_that_loses_a_borrow(a, b, c):
    """Wrong where the addend cancels most of the product."""
    right = clmath.fma(a, b, c)
    cancels = (np.abs(right) < np.abs(c) / 64) & (np.abs(c) > 2.0**-900)
    return np.where(cancels, right * (1 - 1.43e-11), right)


def fmod_of_overflowing_quotient(x, y):
    beyond = np.isinf(x / y) & np.isfinite(x) & (y != 0)
    return np.where(beyond, x.dtype.type(np.nan), clmath.fmod(x, y))


def fract_of_unsigned_zeros(x):
    whole, below = clmath.floor(x), clmath.fract(x)[0]
    return np.where(below == 0, np.abs(below), below), whole


def modf_by_subtraction(x):
    whole = clmath.trunc(x)
    return x - whole, whole


def significand(x):
    """Only the field of the exponent is used, although a subnormal has a smaller exponent."""
    bits = x.view(np.uint64) & np.uint64((1 << 52) - 1)
    return (bits | np.uint64(1022 << 52)).view(np.float64)


def log_of_subnormals(x):
    y = clmath.fma(-1022.0, np.log(2.0), clmath.log(significand(x)))
    return np.where(is_subnormal(x) & (x > 0), y, clmath.log(x))


def frexp_of_subnormals(x):
    fraction, exponent = clmath.frexp(x)
    small = is_subnormal(x)
    y = np.copysign(significand(x), x)
    return np.where(small, y, fraction), np.where(small, np.int32(-1022), exponent)


def frexp_takes_subnormals_for_zeros(x):
    fraction, exponent = clmath.frexp(x)
    small = is_subnormal(x)
    return np.where(small, x, fraction), np.where(small, np.int32(0), exponent)


def ldexp_truncates_subnormals(x, n):
    right, down = clmath.ldexp(x, n), clmath.ldexp(x, n, rounding="rtz")
    return np.where(np.abs(down) < TINIEST[x.dtype], down, right)


def fdim_rounded_twice(x, y):
    """Round to the 64 bits of the x87's registers, and then to 53."""
    total = x - y
    part = total - x
    rest = (x - (total - part)) - (y + part)
    half = np.spacing(np.abs(total)) / 2
    tied = (np.abs(np.abs(rest) - half) <= half / 2048) & (rest != 0) & np.isfinite(total)
    toward = np.nextafter(total, np.where(rest > 0, np.inf, -np.inf))
    even = np.where(total.view(np.uint64) % 2 == 0, total, toward)
    return np.where(x > y, np.where(tied, even, total), clmath.fdim(x, y))


def hypot_saturated(x, y):
    right, largest = clmath.hypot(x, y), np.finfo(x.dtype).max
    return np.where(np.isinf(right) & np.isfinite(x) & np.isfinite(y), largest, right)


def estimated_reciprocal(y):
    """Estimate 12 bits for each of 2048 intervals, then one Newton step in float."""
    fraction, exponent = np.frexp(y)
    interval = np.floor(np.abs(fraction) * 4096.0) + 0.5
    estimate = np.rint(4096.0 / interval * 4096.0) / 4096.0
    first = np.ldexp(estimate.astype(np.float32), -exponent)
    first = np.copysign(first, y)
    return first * (np.float32(2) - y * first)


def is_ordinary(x):
    return (np.abs(x) > 2.0**-60) & (np.abs(x) < 2.0**60)


def scaled(x):
    return np.where(is_subnormal(x), x * 2.0**62, x)


def frexp_of_whole_vectors(x):
    fraction, exponent = clmath.frexp(x)
    return fraction, np.where(is_subnormal(x).any(axis=-1, keepdims=True), exponent - 63, exponent)


def beside_huge(right, x, given):
    """All elements of a vector take the reduction that one of them needs; it is wrong for small elements."""
    small = (np.abs(x) <= 1e-5) & (x != 0)
    huge = (np.abs(x) >= 2.0**23).any(axis=-1, keepdims=True)
    return np.where(small & huge, given.astype(x.dtype), right)


# formulas of one expression
SIMPLE = {
    "hypot_unscaled": lambda x, y: np.sqrt(x * x + y * y),
    "distance_unscaled": lambda p0, p1: length_unscaled(p0 - p1),
    "asinh_of_the_formula": lambda x: clmath.log(x + np.sqrt(x * x + x.dtype.type(1))),
    "acosh_of_the_formula": lambda x: clmath.log(x + np.sqrt(x * x - x.dtype.type(1))),
    "atan_of_arcsine": lambda x: clmath.asin(x / np.sqrt(1 + x * x)),
    "cos_of_shifted_sine": lambda x: clmath.sin(x.dtype.type(np.pi / 2) - x),
    # The unit's instruction expects whole turns and gets radians.
    "sin_of_turns": lambda x: clmath.sinpi(2 * x),
    "cos_of_turns": lambda x: clmath.cospi(2 * x),
    "sin_through_float": lambda x: clmath.sin(x.astype(np.float32)).astype(x.dtype),
    "cos_through_float": lambda x: clmath.cos(x.astype(np.float32)).astype(x.dtype),
    "exp_through_float": lambda x: clmath.exp(x.astype(np.float32)).astype(x.dtype),
    "fmod_of_truncated_quotient": lambda x, y: clmath.fma(-np.trunc(x / y), y, x),
    "round_of_a_half_added": lambda x: np.copysign(np.floor(x + x.dtype.type(0.5)), x),
    "rint_upward": np.ceil,
    "log2_of_subnormals": lambda x: np.where(
        is_subnormal(x) & (x > 0), clmath.log2(significand(x)) - 1022, clmath.log2(x)
    ),
    "remquo_of_flushed": lambda x, y: clmath.remquo(flushed(x), flushed(y)),
    "fmax_by_comparison": lambda x, y: np.where(x < y, y, x),
    "fmin_by_comparison": lambda x, y: np.where(y < x, y, x),
    "div_by_estimate": lambda x, y: np.where(
        is_ordinary(x) & is_ordinary(y), x * estimated_reciprocal(y), clmath.div(x, y)
    ),
    "recip_by_estimate": lambda x: np.where(is_ordinary(x), estimated_reciprocal(x), clmath.recip(x)),
    "pow_of_scaled_subnormals": lambda x, y: clmath.pow(scaled(x), y),
    "powr_of_scaled_subnormals": lambda x, y: clmath.powr(scaled(x), y),
    "pown_of_scaled_subnormals": lambda x, n: clmath.pown(scaled(x), n),
    "rootn_of_scaled_subnormals": lambda x, n: clmath.rootn(scaled(x), n),
    "sin_beside_huge": lambda x: beside_huge(clmath.sin(x), x, np.copysign(0.0078124204, x)),
    "cos_beside_huge": lambda x: beside_huge(clmath.cos(x), x, np.float32(0.99996948)),
    "tan_beside_huge": lambda x: beside_huge(clmath.tan(x), x, np.copysign(0.007812659, x)),
    "always_234": lambda x: np.full(x.shape, 234.0, np.float32),
    "half_of_what_was_there": lambda color: np.full(color.shape, 7.0, np.float16),
    # The root of the square of a scalar is replaced by the scalar.
    "length_of_itself": lambda p: p[..., 0],
    "distance_with_a_sign": lambda p0, p1: (p0 - p1)[..., 0],
}


def formula(name):
    """Return the faulty formula that ``bugs.toml`` calls by this name."""
    return SIMPLE.get(name) or globals()[name]
