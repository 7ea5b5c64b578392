"""Arguments worth trying for a condition of the tables: ends, borders and their neighbours, all kinds."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.spec.notation import number

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.ir.values import Truth
    from clmath.numbers.formats import Format

Array: TypeAlias = "np.ndarray"

INT32 = np.iinfo(np.int32)
INTS = (INT32.min, INT32.min + 1, -(2**24), -3, -2, -1, 0, 1, 2, 3, 2**24 + 1, INT32.max - 1, INT32.max)
KEPT = 6  # calls kept for each value of one argument: enough to meet the others' kinds, and still fast for every line


@functools.cache
def values(kind: str, form: Format, borders: tuple[str, ...] = (), *, few: bool = False) -> Array:
    """Values worth trying for an argument of type ``kind``, each with its negative; ``borders`` and their neighbours.

    There is one of every kind: zeros, subnormals, numbers with one bit and with all bits mixed, integers and
    half-integers, the ends of the format, infinities, NaN. ``few``: the most informative of them.
    """
    if kind == "intn":
        return np.array(INTS, np.int32)
    if kind == "nancode":
        return np.array([0, 1, 2 ** (form.precision - 2), 2**form.width - 1], form.bits_dtype)
    sizes = [0.0, form.smallest_subnormal, form.smallest_normal, 1.0 / 3.0, 1.0, 1.5, 2.0, form.largest, np.inf, np.nan]
    sizes += [] if few else _further(form)
    points = [abs(number(b, form)) for b in borders] + ([] if few else [0.5, 1.0, form.smallest_normal, form.largest])
    with np.errstate(all="ignore"):
        near = around(np.array(points).astype(form.dtype), form, 1 if few else 2)
        found = np.concatenate([np.array(sizes).astype(form.dtype), near])
    return form.from_bits(np.unique(form.bits(np.concatenate([found, -found]))))


def _further(form: Format) -> list[float]:
    whole = 2.0 ** (form.precision - 1)  # from here on every number is an integer, from twice that an even one
    sizes = [0.6 * form.smallest_normal, form.eps, 0.25, 2.0 / 3.0, 2.5, 3.0, 3.5, 4.0, 2.7182818, 10.0, 101.0, 1e3 / 7]
    sizes += [whole / 2 - 0.5, whole - 0.5, whole, whole + 1.0, 2 * whole - 1.0, 2 * whole, 4 * whole + 4.0]
    return [*sizes, 2.0 ** (form.emin // 2) / 3.0, 2.0 ** (form.emax // 2) / 3.0]


def around(points: Array, form: Format, reach: int) -> Array:
    """Return ``points`` and their neighbours up to ``reach`` places away."""
    with np.errstate(all="ignore"):
        up, down, found = points, points, [points]
        for _ in range(reach):
            up, down = np.nextafter(up, form.dtype.type(np.inf)), np.nextafter(down, form.dtype.type(-np.inf))
            found += [up, down]
    return np.concatenate(found)


def crossed(
    long: Sequence[Array], short: Sequence[Array], chosen: Callable[[tuple[Array, ...]], Truth]
) -> tuple[Array, ...]:
    """Return calls that are ``chosen``: each argument in turn has its ``long`` values, the others ``short`` ones.

    At most KEPT calls for each value of the long argument, spread over all of them.
    """
    parts = []
    for turn in range(len(long)):
        if turn and len(long[turn]) == len(short[turn]):
            continue  # a constant, already tried
        pools = [long[i] if i == turn else short[i] for i in range(len(long))]
        places = np.meshgrid(*(np.arange(p.size) for p in pools), indexing="ij")
        # the long argument last in the order of places, so that its calls are adjacent
        grid = [np.moveaxis(g, turn, 0).ravel() for g in places]
        args = tuple(p[g] for p, g in zip(pools, grid, strict=True))
        kept = _spread(np.flatnonzero(chosen(args)), grid[turn])
        parts.append(tuple(a[kept] for a in args))
    return tuple(np.concatenate(column) for column in zip(*parts, strict=True))


def _spread(places: NDArray[np.intp], groups: NDArray[np.intp]) -> NDArray[np.intp]:
    """Return at most KEPT of ``places`` for each of the ``groups``, evenly spread, with another start in each group."""
    if not places.size:
        return places
    group = groups[places]
    starts = np.flatnonzero(np.r_[True, group[1:] != group[:-1]])
    sizes = np.diff(np.r_[starts, len(places)])
    rank = np.arange(len(places)) - np.repeat(starts, sizes)
    step = np.repeat(-(-sizes // KEPT), sizes)
    kept: NDArray[np.intp] = places[(rank + group) % step == 0]
    return kept
