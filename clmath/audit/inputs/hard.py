"""Hard arguments: from tables, at exact results and borders between formulas, and with results next to midpoints.

Random arguments never meet them: only 23 doubles, all of them powers of ten, have an integer as decimal logarithm.
"""

from __future__ import annotations

import functools
import itertools
import math
from collections.abc import Callable, Mapping, Sequence
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from clmath.audit.inputs.aims import interval, word
from clmath.audit.inputs.halfway import halfway
from clmath.audit.inputs.layout import Columns, dtypes
from clmath.audit.plan.item import Item
from clmath.numbers.formats import Format
from clmath.spec import files
from clmath.spec.proposals import around

TABLE = "hard/calls.toml"

Bounds: TypeAlias = "tuple[float, float]"
Case: TypeAlias = "Callable[[Format, Bounds], Columns]"

_PLACES = 3  # bits of a fraction for each bit of a significand, in the search for numbers close to multiples of pi/2
_SPARE = 64  # further bits of pi, so that these fractions are exact
_ENTRIES = 1 << 11  # entries of the tables from which processors estimate reciprocals of float


# -- tables ------------------------------------------------------------------------------------------------------------


def hard_lines(item: Item) -> Columns:
    """Return the calls whose results are hard to round, as ``tables/hard`` lists them for the built-in."""
    table = files.load(TABLE)
    return _calls(item, [table["hardest"], table["found"]])


def known_lines(item: Item) -> Columns:
    """Return the calls of reports in ``tables/hard``, at which real libraries were wrong, or least accurate."""
    return _calls(item, files.load(TABLE)["report"])


def _calls(item: Item, tables: Sequence[Mapping[str, Mapping[str, Sequence[str]]]]) -> Columns:
    """Return the calls in tables by format, one per line: hexadecimal numbers, and ints; none for vectors."""
    lists = [] if item.width else [table.get(str(item.form), {}).get(item.builtin.called, ()) for table in tables]
    lines = [line.split() for lines in lists for line in lines]
    return tuple(
        np.array([float.fromhex(line[i]) if kind == "gentype" else int(line[i]) for line in lines]).astype(t)
        for i, (kind, t) in enumerate(zip(item.columns, dtypes(item), strict=True))
    )


def hard(item: Item) -> Columns:
    """Return hard inputs, and calls at which libraries were wrong; single arguments with neighbours and both signs."""
    values = tuple(np.concatenate(column) for column in zip(hard_lines(item), known_lines(item), strict=True))
    if item.columns != ("gentype",):
        return values
    near = around(values[0], item.form, 2)
    return (np.concatenate([near, -near]),)


# -- arguments that computations treat apart ---------------------------------------------------------------------------


def halfway_of(item: Item) -> list[Columns]:
    """Return the calls with results next to midpoints that ``tables/builtins.toml`` names; none for most built-ins."""
    kind = word("halfway", item.builtin.called)
    return [halfway(kind, item.form)] if kind else []


def cases(item: Item) -> list[Columns]:
    """Return the calls at exact results or borders that ``tables/builtins.toml`` names; none for most built-ins."""
    kind = word("cases", item.builtin.called)
    with np.errstate(all="ignore"):
        return [_KINDS[kind](item.form, interval(item))] if kind else []


def _whole(form: Format, bounds: Bounds) -> Columns:
    """Return every integer between the bounds."""
    return (np.arange(math.ceil(bounds[0]), math.floor(bounds[1]) + 1).astype(form.dtype),)


def _powers_of_ten(form: Format, bounds: Bounds) -> Columns:
    """Return the numbers nearest to the powers of ten, from the smallest to the largest."""
    exponents = range(math.floor(math.log10(form.smallest_normal)), math.floor(math.log10(bounds[1])) + 1)
    return (np.array([float(f"1e{k}") for k in exponents]).astype(form.dtype),)


def _both_signs(x: np.ndarray) -> Columns:
    return (np.concatenate([x, -x]),)


def _small_powers(degree: int, form: Format, _: Bounds) -> Columns:
    """Return powers n^degree of small integers, scaled by powers of two, and 10^(degree k), with both signs."""
    scales = np.ldexp(1.0, degree * np.array([0, 1, -1, form.emin // (2 * degree), form.emax // (2 * degree)]))
    tens = [float(f"1e{degree * k}") for k in range(-160, 161) if abs(degree * k) < math.log10(form.largest)]
    return _both_signs(np.append(np.outer(np.arange(1.0, 101.0) ** degree, scales), tens).astype(form.dtype))


def _multiples_of_log_2(form: Format, _: Bounds) -> Columns:
    """Return multiples of log(2)/4 and their neighbours; argument reductions of exponentials change at some."""
    return _both_signs(around((np.arange(1, 129) * (math.log(2.0) / 4.0)).astype(form.dtype), form, 1))


def _turns(form: Format, _: Bounds) -> Columns:
    """Return the first 200 multiples of pi/4 with neighbours, and the numbers of each binade closest to k pi/2."""
    multiples = np.array([k * math.pi / 4.0 for k in range(1, 201)])
    return _both_signs(
        np.concatenate([around(multiples.astype(form.dtype), form, 1), near_turns(form).astype(form.dtype)])
    )


@functools.cache
def near_turns(form: Format) -> NDArray[np.float64]:
    """Return the two numbers of each binade from 2 on that are closest to a multiple of pi/2."""
    found = [np.ldexp(float(m), e - form.precision + 1) for e in range(1, form.emax + 1) for m in _closest(form, e)]
    return np.array(found)


def _closest(form: Format, exponent: int) -> list[int]:
    """Return the significands, as integers, of the two numbers of a binade that are closest to a multiple of pi/2.

    The distance of m 2^e from a multiple of pi/2 is proportional to the distance of m f from an integer, where f is the
    fraction of 2^e 2/pi. Every m is a sum of multiples of the denominators of two successive convergents of f, small
    multiples for the least distances.
    """
    p, most, unit = form.precision, 1 << form.precision, 1 << _PLACES * form.precision
    f = (_two_over_pi(form) >> form.emax - exponent + _SPARE + p - 1) % unit
    below, above, n, d = 0, 1, unit, f  # denominators of convergents, and the rest of Euclid's algorithm
    while d and (following := below + n // d * above) < most:
        below, above, n, d = above, following, d, n % d
    every = {i * above + j * below for j in range(-2, 3) for i in range(most // above + 3)}
    inside = [m for m in every if most // 2 <= m < most]
    return sorted(inside, key=lambda m: abs((m * f + unit // 2) % unit - unit // 2))[:2]


@functools.cache
def _two_over_pi(form: Format) -> int:
    """Return 2/pi as an integer, times a power of two that leaves enough bits of every multiple."""
    import gmpy2

    bits = _PLACES * form.precision + form.emax + _SPARE
    with gmpy2.context(precision=bits + _SPARE):
        return int(gmpy2.mul_2exp(2 / gmpy2.const_pi(), bits))


def _right_triangles(form: Format, _: Bounds) -> Columns:
    """Return legs of right triangles with integer sides, scaled to several sizes, in both orders, with all signs."""
    legs = np.array([(m * m - n * n, 2 * m * n) for m in range(2, 9) for n in range(1, m)], np.float64)
    scales = np.ldexp(1.0, np.array([0, -4, form.emin, form.emax - 8]))
    signs = np.array(list(itertools.product((1.0, -1.0), repeat=2)))
    found = np.multiply.outer(scales, np.concatenate([legs, legs[:, ::-1]]))[:, :, np.newaxis] * signs
    x, y = found.reshape(-1, 2).T.astype(form.dtype)
    return x, y


def _exact_powers(form: Format, _: Bounds) -> Columns:
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
    return x.astype(form.dtype), y.astype(form.dtype)


def _estimated_divisors(form: Format, _: Bounds) -> Columns:
    """Return numbers at which estimates of reciprocals change, with neighbours: iterations are least accurate there."""
    return _both_signs(around((1.0 + np.arange(_ENTRIES) / _ENTRIES).astype(form.dtype), form, 1))


def _estimated_quotients(form: Format, bounds: Bounds) -> Columns:
    """Return estimated divisors with slightly smaller dividends.

    The quotients are just below a power of two, where a relative error is largest in ulp.
    """
    (y,) = _estimated_divisors(form, bounds)
    apart = np.ldexp(1.0, -np.resize(np.arange(4, form.precision), len(y)))
    return (y.astype(np.float64) * (1.0 - apart)).astype(form.dtype), y


def _exponents_apart(form: Format, _: Bounds) -> Columns:
    """Return pairs whose exponents differ by each number up to twice the precision, so that one matters ever less."""
    apart = np.arange(-2 * form.precision, 2 * form.precision + 1)
    x = np.outer(np.ldexp(1.0, apart - apart // 2), [1.125, 1.125, -1.125, -1.125])
    y = np.outer(np.ldexp(1.0, -(apart // 2)), [1.625, -1.625, 1.625, -1.625])
    return x.ravel().astype(form.dtype), y.ravel().astype(form.dtype)


_KINDS: Mapping[str, Case] = {
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
