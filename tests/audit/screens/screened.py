"""An element-by-element version of the loop that screens results in float, and requests for it."""

from typing import NamedTuple

import numpy as np

from clmath.audit.screens.loop import FREE, NOTHING, WAIVED, Screen
from clmath.audit.screens.one_float import is_rounded_to_float, judged, left_free, left_waived
from clmath.kernels.exact import in_one
from clmath.kernels.for_devices import kernels_of
from clmath.numbers.formats import FLOAT
from clmath.spec.builtins import builtins, precise

BLOCK = 512  # elements; a block whose results are all correctly rounded may be skipped: see kernel.h
BINS = 12
ROWS = {
    tuple(kernel.name for kernel in kernels): kernels
    for kernels in (kernels_of(precise(one.name), FLOAT) for one in builtins().values() if len(one.inputs) == 1)
    if kernels
}
UNDECIDED, CONFORMS, FAILS = range(3)


class Asked(NamedTuple):
    """The limits and known errors of a ``Screen``."""

    allowed: np.ndarray
    refused: np.ndarray
    tolerance: np.ndarray
    left_out: int
    shown: int
    floor: float
    known: np.ndarray

    def screen(self):
        """Return a screen that has counted nothing."""
        screen = Screen(self[:3], self.left_out, self.known, BINS)
        screen.shown, screen.floor = self.shown, self.floor
        return screen


def arguments():
    """Numbers of every size, neighbours of numbers where behaviour changes, and a run of consecutive numbers."""
    rng = np.random.default_rng(26)
    ends = FLOAT.bits(np.array([1.0, -0.0, 0.0, np.inf, np.nan, 2.0**-126, 88.72284, 36.0], np.float32)).astype(
        np.int64
    )
    near = (ends[:, None] + np.arange(-20, 20)).ravel() & 0xFFFFFFFF
    codes = np.concatenate([near, rng.integers(0, 1 << 32, 900), np.arange(0x3F000000, 0x3F000000 + 700)])
    return codes.astype(np.uint32).view(np.float32)


class Enclosed:
    """Enclosures of every result: by the library's kernels if it has them, else by NumPy."""

    def __init__(self, library, kernels, x):
        self.of, self.kernels = [], []
        for kernel in kernels:
            self.kernels += [kernel] * kernel.results
            if kernel in library.kernels:
                blocks = [library.enclosures(kernel, [x[start : start + BLOCK]]) for start in range(0, x.size, BLOCK)]
                parts = [np.concatenate(part) for part in zip(*blocks, strict=True)]
            else:
                found = kernel.function(x.astype(np.float64))
                values = found if isinstance(found, tuple) else (found,)
                parts = [part for value in values for part in in_one(value)] if kernel.is_exact else found
            parts = [np.broadcast_to(np.asarray(part, np.float64), x.shape) for part in parts]
            self.of += list(zip(parts[::2], parts[1::2], strict=True))

    def right(self):
        """Return the midpoints of the enclosures, rounded."""
        return [
            hi.astype(np.int32 if kernel.is_integer else np.float32)
            for kernel, (hi, _) in zip(self.kernels, self.of, strict=True)
        ]


def reported(kernels, enclosed, x, results, asked):
    """Return the counts, places and floor that the loop must return, element by element."""
    counts, floor, shown = np.zeros(BINS, np.int64), asked.floor, asked.shown
    best = np.where(np.isinf(asked.known), np.nan, np.nextafter(asked.known, np.inf))
    others, wrong, failed, out = [], [], 0, 0
    rounds = 0.0 if all(kernel.is_exact for kernel in kernels) else 0.5
    codes = [result.view(np.int32).astype(np.int64) for result in results]
    places, wide = FLOAT.bits(x).astype(np.int64), x.astype(np.float64)
    allowed, tolerance, failing = (one[places >> 20] for one in (asked.allowed, asked.tolerance, asked.refused))
    reals = [n for n, kernel in enumerate(enclosed.kernels) if not kernel.is_integer]
    right = np.ones(x.shape, bool)
    left_out, within = np.zeros(x.shape, bool), np.ones(x.shape, bool)
    measured = {}
    for n, (hi, err) in enumerate(enclosed.of):
        if n not in reals:
            right &= hi == codes[n]
            continue
        right &= is_rounded_to_float(hi, err, codes[n])
        if asked.left_out != NOTHING:
            out_here, within_here = {WAIVED: left_waived, FREE: left_free}[asked.left_out](wide, hi, err, codes[n])
            left_out |= out_here
            within &= within_here
        given = (hi, err, codes[n], np.full(x.shape, enclosed.kernels[n].reach))
        measured[n] = judged(wide, *given, allowed, failing, tolerance)
    for start in range(0, x.size, BLOCK):
        passes = floor > rounds
        for i in range(start, min(start + BLOCK, x.size)):
            if left_out[i]:
                out += 1
                continue
            if passes and right[i] and within[i]:
                counts[0] += 1
                continue
            verdicts, worst = [CONFORMS if within[i] else UNDECIDED], (0.0, 0.0, 0)
            for n, (hi, _) in enumerate(enclosed.of):
                if n not in reals:
                    verdicts.append(CONFORMS if hi[i] == codes[n][i] else UNDECIDED)
                    continue
                conforms, fails, *sizes = (one[i] for one in measured[n])
                verdicts.append(CONFORMS if conforms else FAILS if fails else UNDECIDED)
                worst = tuple(map(max, worst, sizes))
            least, most, bin = worst
            one = max(verdicts) if min(verdicts) > UNDECIDED else UNDECIDED
            if one == FAILS and shown:
                shown, one = shown - 1, UNDECIDED
            if one == UNDECIDED or not most < floor:
                others.append(i)
                floor = floor if one == UNDECIDED else max(floor, least, 5e-324)
                continue
            counts[min(bin, BINS - 2)] += 1
            failed += one == FAILS
            stretch = places[i] >> 23
            if bin > 0 and most >= best[stretch]:
                wrong.append((i, most))
                best[stretch] = max(best[stretch], least)
    leading = [i for i, most in wrong if most >= best[places[i] >> 23]]
    return counts, others, leading, failed, out, floor


def altered(rng, results, share):
    """Return results of which a ``share`` is moved by some numbers, and a few are special values."""
    found = []
    for result in results:
        steps = rng.choice([1, -1, 2, -5, 40, -9000, 2**26], result.size) * (rng.random(result.size) < share)
        off = (result.view(np.int32) + steps.astype(np.int32)).view(result.dtype)
        if result.dtype == np.float32:
            special = rng.choice(np.array([np.inf, -np.inf, np.nan, 0.0, -0.0, 1e-44, 3.0], np.float32), result.size)
            off = np.where(rng.random(result.size) < share / 8, special, off)
        found.append(off)
    return found


def requests(rng):
    """Requests with limits by range and errors known by interval; results are left out, waived, or all judged."""
    allowed = rng.choice([0.0, 0.5, 1.0, 3.0, np.inf], 4096)
    refused = np.maximum(allowed, rng.choice([0.5, 2.0, np.inf], 4096))
    tolerance = rng.choice([0.0, 0.0, 2.0**-20, 1e-3], 4096)
    known = rng.choice([0.0, 0.5, 2.5, np.inf], 512)
    none, zeros = np.full(4096, np.inf), np.zeros(4096)
    yield Asked(allowed, refused, tolerance, NOTHING, 5, 1.7, known)
    yield Asked(allowed, refused, tolerance, WAIVED, 0, 0.0, known)
    yield Asked(none, none, zeros, FREE, 3, 2.0**20, np.zeros(512))
    yield Asked(zeros, zeros, zeros, NOTHING, 2, 2.0**20, np.zeros(512))
