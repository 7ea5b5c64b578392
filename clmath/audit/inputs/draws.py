"""Random numbers of a format from a NumPy generator, whose random words go to the functions of ``lane_draws``."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.inputs import lane_draws

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.numbers.formats import Format

__all__ = ["any_bits", "beside_borders", "exponent", "interval", "nearly", "with_exponents"]


def with_exponents(rng: np.random.Generator, form: Format, exponents: NDArray[np.int64]) -> np.ndarray:
    """Return m x 2^e for each e of ``exponents``, clipped to the format; 1 <= m < 2, every bit of m is random."""
    return _numbers(lane_draws.with_exponent(next(_words(rng, len(exponents))), form, exponents), form)


def any_bits(rng: np.random.Generator, form: Format, n: int) -> np.ndarray:
    """Return ``n`` finite numbers of either sign, every exponent of the format equally likely."""
    given = _words(rng, n)
    return _numbers(lane_draws.any_number(next(given), next(given), form), form)


def interval(rng: np.random.Generator, form: Format, bounds: tuple[float, float], n: int) -> np.ndarray:
    """Return ``n`` numbers of [least, greatest], half of them uniform, half with every exponent equally likely."""
    return _numbers(lane_draws.interval_of(_words(rng, n), form, bounds), form)


def exponent(x: np.ndarray) -> NDArray[np.int64]:
    """Return the exponents e of numbers m x 2^e, 1 <= m < 2."""
    found: NDArray[np.int64] = lane_draws.exponent_of(x.astype(np.float64))
    return found


def nearly(rng: np.random.Generator, form: Format, x: np.ndarray, most: int) -> np.ndarray:
    """Return numbers less than 2^``most`` places away from ``x``, never across zero or infinity."""
    given = _words(rng, len(x))
    return _numbers(lane_draws.nearly(_codes(x, form), next(given), next(given), most, form), form)


def beside_borders(rng: np.random.Generator, form: Format, x: np.ndarray) -> np.ndarray:
    """Return numbers close to ``x`` with only its first bits kept, where look-up tables change their entry."""
    given = _words(rng, len(x))
    return _numbers(lane_draws.beside_few_bits(_codes(x, form), next(given), next(given), next(given), form), form)


def _words(rng: np.random.Generator, n: int) -> Iterator[NDArray[np.int64]]:
    """Yield arrays of ``n`` words of 64 random bits each, without end."""
    while True:
        yield rng.integers(0, 2**64, n, np.uint64).view(np.int64)


def _codes(x: np.ndarray, form: Format) -> NDArray[np.int64]:
    return form.bits(x).astype(np.int64)


def _numbers(codes: NDArray[np.int64], form: Format) -> np.ndarray:
    return form.from_bits(codes.astype(form.bits_dtype))
