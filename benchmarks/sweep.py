"""Sweeps all 2^32 floats through the compiled kernels and checks what they decide against MPFR.

    python -m benchmarks.sweep sin exp log            all floats, all four modes
    python -m benchmarks.sweep --all --workers 16 --json sweep.json
    python -m benchmarks.sweep sin --part 3/1000      the third thousandth, to try it out
    python -m benchmarks.sweep sincos                 against sin and cos, after these

MPFR judges, in all four modes, (a) every lane within 2^-40 relative of a number or a midpoint whose enclosure is an
interval (err > 0), (b) one in 256 (--one-in) of the lanes that close whose kernel claims to know the side (err = 0:
tiny arguments, exact results, saturation), (c) a random sample of everything else. Undecided lanes are counted.

A kernel of several results is compared with the kernels of each, lane by lane; these are its judges.
"""

from __future__ import annotations

import argparse
import json
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from dataclasses import asdict, dataclass, field
from pathlib import Path

import numba
import numpy as np

from clmath import kernels, ladder, reference
from clmath.engines import choice
from clmath.numbers.formats import FLOAT
from clmath.numbers.lane_rounding import to_float
from clmath.numbers.rounding import MODES, round_enclosure
from clmath.spec.builtins import builtin

CHUNK = 1 << 22
CHUNKS = (1 << 32) // CHUNK
CLOSE = 2.0**-40
SAMPLE = 512  # of every chunk


@dataclass
class Tally:
    """What came of sweeping some chunks."""

    function: str
    lanes: int = 0
    close: int = 0
    claimed: int = 0
    judged: int = 0
    undecided: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MODES, 0))
    wrong: dict[str, int] = field(default_factory=lambda: dict.fromkeys(MODES, 0))
    examples: list[str] = field(default_factory=list)

    def add(self, other: Tally) -> None:
        """Take another tally of the same function in."""
        for name in ("lanes", "close", "claimed", "judged"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        for mode in MODES:
            self.undecided[mode] += other.undecided[mode]
            self.wrong[mode] += other.wrong[mode]
        self.examples = (self.examples + other.examples)[:10]


@numba.njit(error_model="numpy", nogil=True)
def close_lanes(values: np.ndarray, flags: np.ndarray) -> None:
    """Flag the finite values that a relative change of 2^-40 moves across a float or a midpoint."""
    for i in range(values.shape[0]):
        low, high = values[i] * (1.0 - CLOSE), values[i] * (1.0 + CLOSE)
        flags[i] = (to_float(low, 0) != to_float(high, 0)) | (to_float(low, 1) != to_float(high, 1))


def sweep_chunk(function: str, number: int, one_in: int) -> Tally:
    """All modes of one chunk of the encodings."""
    codes = np.arange(number * CHUNK, (number + 1) * CHUNK, dtype=np.uint64).astype(np.uint32)
    x = codes.view(np.float32)
    with np.errstate(all="ignore"):
        if kernels.results(function) > 1:
            return _compared_chunk(function, x)
        return _judged_chunk(function, number, one_in, x)


def _compared_chunk(function: str, x: np.ndarray) -> Tally:
    """Compare the results that a kernel computes together with those of one kernel each, where both decide."""
    parts = ladder.parts(function) or ()
    tally = Tally(function, x.size, judged=x.size)
    together, alone = [np.empty_like(x) for _ in parts], np.empty_like(x)
    for mode in MODES:
        left = ladder.rounded(ladder.Task(function, FLOAT, mode, choice.ENGINES["numba"]), (x,), *together)
        tally.undecided[mode] = left.size
        for part, found in zip(parts, together, strict=True):
            left_alone = ladder.rounded(ladder.Task(part, FLOAT, mode, choice.ENGINES["numba"]), (x,), alone)
            differ = (FLOAT.bits(found) != FLOAT.bits(alone)) & ~(np.isnan(found) & np.isnan(alone))
            differ[left] = differ[left_alone] = False
            tally.wrong[mode] += int(differ.sum())
            tally.examples += [f"{part} of {function}({float(v).hex()}) {mode}" for v in x[differ][:2]]
    return tally


def _judged_chunk(function: str, number: int, one_in: int, x: np.ndarray) -> Tally:
    """Have MPFR judge the lanes that matter."""
    values, _, errs, _ = choice.COMPILING.enclosure(function, (x,))
    flags = np.empty(CHUNK, np.bool_)
    close_lanes(values, flags)
    rng = np.random.default_rng(number)
    claimed = flags & (errs == 0.0)
    chosen = (flags & ~claimed) | (claimed & (rng.integers(0, one_in, CHUNK, np.uint16) == 0))
    chosen[rng.integers(0, CHUNK, SAMPLE)] = True
    lanes = np.flatnonzero(chosen)
    tally = Tally(function, CHUNK, int(flags.sum()), int(claimed.sum()), len(lanes))
    exact = reference.enclose(function, (x[lanes],), FLOAT)[0]
    rounded = np.empty_like(x)
    for mode in MODES:
        undecided = np.zeros(CHUNK, np.bool_)
        undecided[ladder.rounded(ladder.Task(function, FLOAT, mode, choice.ENGINES["numba"]), (x,), rounded)] = True
        got = FLOAT.bits(rounded)
        tally.undecided[mode] = int(undecided.sum())
        want, _ = round_enclosure(exact, FLOAT, mode)
        wrong = (got[lanes] != FLOAT.bits(want)) & ~undecided[lanes] & ~np.isnan(want)
        wrong |= np.isnan(want) & ~np.isnan(FLOAT.from_bits(got[lanes]))
        tally.wrong[mode] = int(wrong.sum())
        tally.examples += [f"{function}({float(v).hex()}) {mode}" for v in x[lanes][wrong][:2]]
    return tally


def sweep(function: str, chunks: list[int], workers: int, one_in: int) -> tuple[Tally, float]:
    """The tally of ``chunks`` and the seconds they took."""
    sweep_chunk(function, chunks[0], 256)  # compile before the processes fork
    start = time.perf_counter()
    total = Tally(function)
    with ProcessPoolExecutor(workers) as pool:
        for future in as_completed([pool.submit(sweep_chunk, function, c, one_in) for c in chunks]):
            total.add(future.result())
    return total, time.perf_counter() - start


def parse() -> argparse.Namespace:
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sweep", description=__doc__.splitlines()[0])
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--all", action="store_true", help="every kernel of one argument")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--part", default="1/1", help="K/N: the K-th of N equal shares, spread over all exponents")
    parser.add_argument("--one-in", type=int, default=256, help="share of the claimed lanes that MPFR judges")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> None:
    """Sweep, print a line a function, write JSON after each."""
    options = parse()
    everything = [n for names in kernels.FAMILIES.values() for n in names if len(builtin(n).inputs) == 1]
    share, shares = map(int, options.part.split("/"))
    chunks = list(range(share - 1, CHUNKS, shares))
    report = []
    for function in everything if options.all else options.functions:
        tally, seconds = sweep(function, chunks, options.workers, options.one_in)
        print(
            f"{function:8} {tally.lanes} lanes, {tally.close} close ({tally.claimed} claimed), {tally.judged} judged, "
            f"undecided {tally.undecided}, wrong {tally.wrong}, {seconds:.0f} s {tally.examples}",
            flush=True,
        )
        report.append({**asdict(tally), "seconds": round(seconds, 1)})
        if options.json:
            options.json.write_text(json.dumps(report, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
