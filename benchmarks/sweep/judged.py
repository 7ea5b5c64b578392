"""One chunk of a sweep, in all modes: the kernel's results are compared with MPFR's, or with other kernels'."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from benchmarks.sweep.tally import Tally
from clmath import reference
from clmath.engines import choice
from clmath.numbers.rounding import MODES, round_enclosure

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

    from benchmarks.sweep.populations import Population
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Enclosure, Rounding

__all__ = ["compared", "swept"]

SAMPLE = 512  # random elements of every chunk that are judged in addition to the close ones


def swept(population: Population, function: str, number: int, one_in: int) -> Tally:
    """Sweep one chunk in all modes."""
    args = population.arguments(function, number)
    tally = Tally(function, population.form.name, len(args[0]), done=[number])
    kernel = population.phase.kernels[function]
    with np.errstate(all="ignore"):
        if kernel.results > 1:
            _compare(population, kernel, args, tally)
        else:
            _judge(population, kernel, args, tally, one_in)
    return tally


def compared(population: Population, function: str, number: int, _: int) -> Tally:
    """Compare the results of rtn and rtp in one chunk, except undecided ones, with crival's (CORE-MATH).

    Not compared: intervals of crival that are empty or wider than two neighbours (at poles, steps and undefined
    points), infinite arguments, and pairs with a zero, since crival's zeros have no sign.
    """
    import ival

    args = population.arguments(function, number)
    tally = Tally(function, population.form.name, len(args[0]), done=[number])
    kernel = population.phase.kernels[function]
    with np.errstate(all="ignore"):
        finite = np.all([np.isfinite(a) for a in args], axis=0)
        points = [ival.Interval(np.where(finite, a, 1.0), np.where(finite, a, 1.0)) for a in args]
        found = getattr(ival, function)(*points)
        finite &= (len(args) == 1) | np.all([a != 0.0 for a in args], axis=0)
        known = finite & (found.inf <= found.sup) & (np.nextafter(found.inf, np.inf) >= found.sup)
        tally.judged = int(known.sum())
        for mode, want in (("rtn", found.inf), ("rtp", found.sup)):
            (got,), left = _rounded(population, kernel, mode, args)
            tally.undecided[mode] = int(left.sum())
            wrong = known & ~left & (got != want)
            tally.wrong[mode] = int(wrong.sum())
            tally.examples += [f"{_call(kernel, args, i)} {mode}" for i in np.flatnonzero(wrong)[:2]]
    return tally


def _rounded(
    population: Population, kernel: Kernel, mode: Rounding, args: Sequence[NDArray]
) -> tuple[list[NDArray], NDArray[np.bool_]]:
    """Return the rounded results of the compiled kernel, and which elements it leaves undecided."""
    targets = [np.empty(args[0].shape, population.form.dtype) for _ in range(kernel.results)]
    left = np.zeros(args[0].shape, np.bool_)
    left[choice.NATIVE.rounded(kernel, population.form, mode, args, targets)] = True
    return targets, left


def _compare(population: Population, kernel: Kernel, args: Sequence[NDArray], tally: Tally) -> None:
    """Compare the results of a kernel with the results of single kernels, at elements that both decide."""
    form = population.form
    tally.judged = len(args[0])
    for mode in MODES:
        together, left = _rounded(population, kernel, mode, args)
        tally.undecided[mode] = int(left.sum())
        for part, found in zip(population.phase.together[kernel.name], together, strict=True):
            (alone,), left_alone = _rounded(population, population.phase.kernels[part], mode, args)
            differ = (form.bits(found) != form.bits(alone)) & ~(np.isnan(found) & np.isnan(alone))
            differ &= ~(left | left_alone)
            tally.wrong[mode] += int(differ.sum())
            tally.examples += [f"{part} of {_call(kernel, args, i)} {mode}" for i in np.flatnonzero(differ)[:2]]


def _judge(population: Population, kernel: Kernel, args: Sequence[NDArray], tally: Tally, one_in: int) -> None:
    """Compare the chosen results with MPFR's."""
    form = population.form
    value = choice.NATIVE.enclosure(kernel, args)
    lanes = _chosen(population, value, tally, one_in)
    few = tuple(a[lanes] for a in args)
    exact = reference.enclose(kernel.name, few, form)[0]
    missed = _misses(form, value.elements(lanes), exact)
    tally.judged, tally.missed = len(lanes), int(missed.sum())
    tally.examples += [f"{_call(kernel, few, i)} missed" for i in np.flatnonzero(missed)[:2]]
    for mode in MODES:
        (found,), left = _rounded(population, kernel, mode, args)
        tally.undecided[mode] = int(left.sum())
        got, want = found[lanes], round_enclosure(exact, form, mode)[0]
        wrong = (form.bits(got) != form.bits(want)) & ~left[lanes] & ~(np.isnan(got) & np.isnan(want))
        tally.wrong[mode] = int(wrong.sum())
        tally.examples += [f"{_call(kernel, few, i)} {mode}" for i in np.flatnonzero(wrong)[:2]]


def _chosen(population: Population, value: Enclosure, tally: Tally, one_in: int) -> NDArray[np.int64]:
    """Return the indices to judge: close results with err > 0, one in ``one_in`` with err = 0, and a random sample."""
    rng = np.random.default_rng(tally.done[0])
    close = population.close(value)
    claimed = close & (value.err == 0.0)
    chosen = (close & ~claimed) | (claimed & (rng.integers(0, one_in, len(close), np.uint16) == 0))
    chosen[rng.integers(0, len(close), SAMPLE)] = True
    tally.close, tally.claimed = int(close.sum()), int(claimed.sum())
    return np.flatnonzero(chosen)


def _misses(form: Format, value: Enclosure, exact: Enclosure) -> NDArray[np.bool_]:
    """Whether each interval misses the exact value; values outside the format's range are not checked."""
    shift = exact.exponent - value.exponent
    scale = np.ldexp(1.0, np.clip(shift, -2000, 2000).astype(np.int32))
    # a value with lo = 0 is rounded to odd: its error is below 2^-52 of it
    slack = np.where(exact.lo == 0.0, np.abs(exact.hi) * scale * 2.0**-52, 0.0)
    distance = np.abs((exact.hi * scale - value.hi) + (exact.lo * scale - value.lo))
    in_range = np.isfinite(value.hi) & np.isfinite(exact.hi) & (exact.hi != 0.0)
    place = np.frexp(exact.hi)[1] + exact.exponent
    in_range &= (place >= form.quantum) & (place <= form.emax + 1) & (np.abs(shift) < 900)
    missed: NDArray[np.bool_] = in_range & (value.err > 0.0) & (distance > value.err + slack)
    return missed


def _call(kernel: Kernel, args: Sequence[NDArray], lane: int) -> str:
    return f"{kernel.name}({', '.join(float(a[lane]).hex() for a in args)})"
