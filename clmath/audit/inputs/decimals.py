"""Numbers to print: of everyday size, with few decimal digits, and halfway between two decimals of any precision."""

from __future__ import annotations

import numpy as np

from clmath.numbers.formats import format_of

USUAL = (  # some are rounded up to one digit more; at 1e-4, 1e5 and 1e6 %g changes its style
    0.1, 0.2, 0.3, 0.7, 0.95, 0.995, 1.005, 1.15, 1.45, 9.5, 9.95, 9.995, 99.5, 99.95, 999.5, 999.6, 9999.5, 99999.5,
    999999.5, 3.0, 5.0, 7.0, 10.0, 42.0, 99.0, 100.0, 999.0, 1e3, 1234.0, 1e4, 12345.678, 99999.0, 1e5, 123456.0,
    123456.789, 999999.0, 1e6, 1234567.0, 1e7, 123456789.0, 1e9, 1e-2, 1e-3, 1e-4, 1.2345e-4, 9.9999e-5, 1e-5, 1e-6,
    3.14159265, 2.71828183,
)  # fmt: skip
WHOLE = (3, 5, 7, 9, 10, 11, 12, 42, 99, 100, 101, 123, 999, 1000, 1001, 12345, 99999, 100000, 123456789, 999999999)
DIGITS = 20  # the largest number of decimals of numbers that lie halfway between two decimals


def numbers(special: np.ndarray) -> np.ndarray:
    """Return special values of a type, then numbers to print; every other halfway number is negative."""
    dtype = special.dtype
    if format_of(dtype) is None:
        info = np.iinfo(dtype)
        return np.append(
            special, np.array([s * n for n in WHOLE for s in (1, -1) if info.min <= s * n <= info.max], dtype)
        )
    # odd multiples of 2^-q have q decimals, the last of them 5
    parts = {q: ((0, 1), (0, 3), (0, 2**q - 1), (1, 1), (1, 3), (9, 2**q - 1), (12, 1)) for q in range(1, DIGITS + 1)}
    halves = np.array([whole + odd / 2.0**q for q, some in parts.items() for whole, odd in some])
    with np.errstate(over="ignore"):
        usual, exact = np.array(USUAL).astype(dtype), halves[halves.astype(dtype) == halves].astype(dtype)
    exact[1::2] *= -1
    return np.concatenate([special, usual[np.isfinite(usual)], exact])


def generated(rng: np.random.Generator, dtype: np.dtype, count: int) -> np.ndarray:
    """Return random numbers of up to nine digits; a quarter of the floats lie halfway between two decimals."""
    digits = rng.integers(0, 10 ** rng.integers(1, 10, count))
    signs = rng.choice([1, -1], count)
    if format_of(dtype) is None:
        return (digits if dtype.kind == "u" else signs * digits).astype(dtype)
    powers = np.array([float(10**k) for k in range(10)])  # exact, which NumPy's power need not be
    halves = np.ldexp(2.0 * rng.integers(0, 1000, count) + 1.0, -rng.integers(1, 13, count))
    found = np.where(rng.random(count) < 0.25, halves, digits / powers[rng.integers(0, 10, count)])
    with np.errstate(over="ignore"):
        return np.asarray((signs * found).astype(dtype))
