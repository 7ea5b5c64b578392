"""Arguments that implementations have to treat separately: exact results, and borders between two formulas.

Random arguments never meet them: only 23 doubles, all of them powers of ten, have an integer as decimal logarithm.
"""

from __future__ import annotations

import functools
import itertools
import math
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.inputs.near_turns import near_turns, pi_bits
from clmath.spec.proposals import around

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from clmath.numbers.formats import Format

__all__ = ["cases"]

_PI_BITS = 256  # number of bits of pi, for multiples that are rounded to double

Columns: TypeAlias = "tuple[np.ndarray, ...]"
Bounds: TypeAlias = "tuple[float, float]"


def cases(word: str, form: Format, bounds: Bounds) -> Columns:
    """Return the calls that the table's ``word`` names; ``bounds``: the interval of ``aims.interval``."""
    with np.errstate(all="ignore"):
        return _KINDS[word](form, bounds)


def _whole(form: Format, bounds: Bounds) -> Columns:
    """Return every integer between the bounds."""
    least, greatest = bounds
    return (np.arange(math.ceil(least), math.floor(greatest) + 1).astype(form.dtype),)


def _powers_of_ten(form: Format, bounds: Bounds) -> Columns:
    """Return the numbers nearest to the powers of ten, from the smallest to the largest."""
    exponents = range(math.floor(math.log10(form.smallest_normal)), math.floor(math.log10(bounds[1])) + 1)
    return (np.array([float(f"1e{k}") for k in exponents]).astype(form.dtype),)


def _small_powers(degree: int, form: Format, bounds: Bounds) -> Columns:  # noqa: ARG001 - as the other kinds
    """Return powers n^degree of small integers, scaled by powers of two, and 10^(degree k), with both signs."""
    whole = np.arange(1.0, 101.0) ** degree
    scales = np.ldexp(1.0, degree * np.array([0, 1, -1, form.emin // (2 * degree), form.emax // (2 * degree)]))
    tens = [float(f"1e{degree * k}") for k in range(-160, 161) if abs(degree * k) < math.log10(form.largest)]
    size = np.concatenate([np.outer(whole, scales).ravel(), tens]).astype(form.dtype)
    return (np.concatenate([size, -size]),)


def _multiples_of_log_2(form: Format, bounds: Bounds) -> Columns:  # noqa: ARG001
    """Return multiples of log(2)/4 and their neighbours; argument reductions of exponentials change at some."""
    x = around((np.arange(1, 129) * (math.log(2.0) / 4.0)).astype(form.dtype), form, 1)
    return (np.concatenate([x, -x]),)


def _turns(form: Format, bounds: Bounds) -> Columns:  # noqa: ARG001
    """Return the first 200 multiples of pi/4 with neighbours, and the numbers of each binade closest to k pi/2."""
    multiples = [float(np.ldexp(float(k * pi_bits(_PI_BITS)), -_PI_BITS - 2)) for k in range(1, 201)]
    near = around(np.array(multiples).astype(form.dtype), form, 1)
    x = np.concatenate([near, near_turns(form).astype(form.dtype)])
    return (np.concatenate([x, -x]),)


def _right_triangles(form: Format, bounds: Bounds) -> Columns:  # noqa: ARG001
    """Return legs of right triangles with integer sides, scaled to several sizes, in both orders, with all signs."""
    legs = np.array([(m * m - n * n, 2 * m * n) for m in range(2, 9) for n in range(1, m)], np.float64)
    legs = np.concatenate([legs, legs[:, ::-1]])
    scales = np.ldexp(1.0, np.array([0, -4, form.emin, form.emax - 8]))
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=2)))
    found = (legs * scales[:, np.newaxis, np.newaxis])[:, np.newaxis] * signs[:, np.newaxis]
    x, y = found.reshape(-1, 2).T.astype(form.dtype)
    return x, y


def _exact_powers(form: Format, bounds: Bounds) -> Columns:  # noqa: ARG001
    """Return small integers of either sign with every exponent, also negative, whose power the format holds exactly."""
    pairs = [
        (float(sign * base), float(way * exponent))
        for base in (2, 3, 5, 6, 7, 9, 10, 11, 12, 15)
        for exponent in range(2, form.precision)
        if (base // (base & -base)) ** exponent < 1 << form.precision and base**exponent <= form.largest
        for sign in (1, -1)
        for way in (1, -1)
    ]
    x, y = np.array(pairs).T
    return x.astype(form.dtype), y


_ENTRIES = 1 << 11  # entries of the tables from which processors estimate reciprocals of float


def _estimated_divisors(form: Format, bounds: Bounds) -> Columns:  # noqa: ARG001
    """Return numbers at which estimates of reciprocals change, with neighbours: iterations are least accurate there."""
    borders = (1.0 + np.arange(_ENTRIES) / _ENTRIES).astype(form.dtype)
    x = around(borders, form, 1)
    return (np.concatenate([x, -x]),)


def _estimated_quotients(form: Format, bounds: Bounds) -> Columns:
    """Return estimated divisors with slightly smaller dividends.

    The quotients are just below a power of two, where a relative error is largest in ulp.
    """
    (y,) = _estimated_divisors(form, bounds)
    apart = np.ldexp(1.0, -np.resize(np.arange(4, form.precision), len(y)))
    return (y.astype(np.float64) * (1.0 - apart)).astype(form.dtype), y


def _exponents_apart(form: Format, bounds: Bounds) -> Columns:  # noqa: ARG001
    """Return pairs whose exponents differ by each number up to twice the precision, so that one matters ever less."""
    apart = np.arange(-2 * form.precision, 2 * form.precision + 1)
    significands = np.array(list(itertools.product((1.125, -1.125), (1.625, -1.625))))
    x = np.outer(np.ldexp(1.0, apart - apart // 2), significands[:, 0])
    y = np.outer(np.ldexp(1.0, -(apart // 2)), significands[:, 1])
    return x.ravel().astype(form.dtype), y.ravel().astype(form.dtype)


_KINDS: Mapping[str, Callable[[Format, Bounds], Columns]] = {
    "integers": _whole,
    "powers of ten": _powers_of_ten,
    "squares": functools.partial(_small_powers, 2),
    "cubes": functools.partial(_small_powers, 3),
    "multiples of log 2": _multiples_of_log_2,
    "turns": _turns,
    "right triangles": _right_triangles,
    "exact powers": _exact_powers,
    "estimated divisors": _estimated_divisors,
    "estimated quotients": _estimated_quotients,
    "exponents apart": _exponents_apart,
}
