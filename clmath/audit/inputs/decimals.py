"""Numbers to print: of everyday size, with few decimal digits, and halfway between two decimals of any precision."""

from __future__ import annotations

import numpy as np

from clmath.numbers.formats import format_of

__all__ = ["drawn", "numbers"]

USUAL = (  # some are rounded up to one digit more; at 1e-4, 1e5 and 1e6 %g changes its style
    0.1, 0.2, 0.3, 0.7, 0.95, 0.995, 1.005, 1.15, 1.45, 9.5, 9.95, 9.995, 99.5, 99.95, 999.5, 999.6, 9999.5, 99999.5,
    999999.5, 3.0, 5.0, 7.0, 10.0, 42.0, 99.0, 100.0, 999.0, 1e3, 1234.0, 1e4, 12345.678, 99999.0, 1e5, 123456.0,
    123456.789, 999999.0, 1e6, 1234567.0, 1e7, 123456789.0, 1e9, 1e-2, 1e-3, 1e-4, 1.2345e-4, 9.9999e-5, 1e-5, 1e-6,
    3.14159265, 2.71828183,
)  # fmt: skip
WHOLE = (3, 5, 7, 9, 10, 11, 12, 42, 99, 100, 101, 123, 999, 1000, 1001, 12345, 99999, 100000, 123456789, 999999999)
_POWERS_OF_TEN: np.ndarray = np.array([float(10**k) for k in range(10)])  # exact, which NumPy's power need not be
DIGITS = 20  # the largest number of decimals of numbers that lie halfway between two decimals


def numbers(special: np.ndarray) -> np.ndarray:
    """Return special values of a type, then numbers to print; every other halfway number is negative."""
    dtype = special.dtype
    if format_of(dtype) is None:
        listed = [sign * n for n in WHOLE for sign in (1, -1)]
        info = np.iinfo(dtype)
        return np.concatenate([special, np.array([n for n in listed if info.min <= n <= info.max], dtype)])
    halves = np.array([start + part / 2.0**q for q in range(1, DIGITS + 1) for start, part in _parts(q)])
    with np.errstate(over="ignore"):
        usual = np.array(USUAL).astype(dtype)
    exact = halves[halves.astype(dtype) == halves].astype(dtype)
    exact[1::2] *= -1
    return np.concatenate([special, usual[np.isfinite(usual)], exact])


def _parts(q: int) -> tuple[tuple[float, float], ...]:
    """Return whole parts, and odd multiples of 2^-q, which has q decimals and ends with a 5."""
    return (0, 1), (0, 3), (0, 2**q - 1), (1, 1), (1, 3), (9, 2**q - 1), (12, 1)


def drawn(rng: np.random.Generator, dtype: np.dtype, count: int) -> np.ndarray:
    """Return random numbers of up to nine digits; a quarter of the floats lie halfway between two decimals."""
    digits = rng.integers(0, 10 ** rng.integers(1, 10, count))
    if format_of(dtype) is None:
        return np.where((rng.random(count) < 0.5) & (dtype.kind == "i"), -digits, digits).astype(dtype)
    halves = np.ldexp(2.0 * rng.integers(0, 1000, count) + 1.0, -rng.integers(1, 13, count))
    found: np.ndarray = np.where(rng.random(count) < 0.25, halves, digits / _POWERS_OF_TEN[rng.integers(0, 10, count)])
    with np.errstate(over="ignore"):
        return np.where(rng.random(count) < 0.5, found, -found).astype(dtype)
