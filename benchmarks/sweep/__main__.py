"""Sweep inputs through the compiled kernels and check the rounded results against MPFR, in all four modes.

    python -m benchmarks.sweep sin exp log                      all 2^32 floats
    python -m benchmarks.sweep --all --workers 16 --json sweep.json
    python -m benchmarks.sweep sin --part 3/1000                the third thousandth, as a trial
    python -m benchmarks.sweep sincos                           against the kernels of sin and cos; sweep these first
    python -m benchmarks.sweep pow --type double --inputs 1e9 --seed 1 --json double.json

A result is close if it lies near a number or a midpoint: within 2^-40, relatively, in float, or 2^-10 ulp in double.
MPFR judges (a) every close result whose enclosure is an interval, (b) one in 256 (--one-in) of the close results whose
kernel claims to know the side (err = 0: tiny arguments, exact results, saturation), (c) a random sample of the others.
Enclosures that miss the exact value and undecided elements are counted. With --json a stopped sweep resumes.

``--against crival`` compares the results of rtn and rtp with CORE-MATH's, for the functions that crival has.

A kernel of several results is compared with the kernels of the single results, not with MPFR.
"""

from __future__ import annotations

import argparse
import os
import time
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.sweep.judged import compared, swept
from benchmarks.sweep.populations import POPULATIONS
from benchmarks.sweep.tally import Record
from clmath.engines import choice
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from benchmarks.sweep.populations import Population
    from benchmarks.sweep.tally import Tally

WRITTEN_AFTER = 30.0  # seconds


def sweep(population: Population, record: Record, function: str, options: argparse.Namespace) -> Tally:
    """Sweep the chunks of a function that the record does not have."""
    total = record.of(function, options.type)
    share, shares = map(int, options.part.split("/"))
    left = sorted(set(range(share - 1, population.chunks, shares)) - set(total.done))
    if not left:
        return total
    look = compared if options.against == "crival" else swept
    start = written = time.perf_counter()
    with ProcessPoolExecutor(options.workers) as pool:
        for future in as_completed([pool.submit(look, population, function, n, options.one_in) for n in left]):
            total.add(future.result())
            if time.perf_counter() - written > WRITTEN_AFTER:
                written = time.perf_counter()
                record.write()
    total.seconds += round(time.perf_counter() - start, 1)
    return total


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sweep", description=__doc__.splitlines()[0])
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--all", action="store_true", help="every kernel (in float, those of one argument)")
    parser.add_argument("--type", choices=tuple(POPULATIONS), default="float")
    parser.add_argument("--inputs", type=float, default=1e7, help="number of random doubles")
    parser.add_argument(
        "--against", choices=("mpfr", "crival"), default="mpfr", help="judge of the results; crival: only double"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--part", default="1/1", help="K/N: the K-th of N equal shares, spread over all chunks")
    parser.add_argument("--one-in", type=int, default=256, help="judge one in N of the close results with err = 0")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> None:
    """Sweep, print a line for each function; write JSON after each function and every half minute."""
    options = parse()
    if choice.NATIVE.library is None:
        raise SystemExit(str(choice.NATIVE.missing("a sweep")))
    population: Population = POPULATIONS[options.type](int(options.inputs), options.seed)
    everything = [n for n in population.phase.kernels if options.type != "float" or _is_unary(population, n)]
    if unknown := [name for name in options.functions if name not in everything]:
        raise SystemExit(
            f"{', '.join(unknown)}: no sweep in {options.type} has such a kernel; {', '.join(everything)} have"
        )
    settings = {
        "type": options.type,
        "against": options.against,
        "seed": options.seed,
        "part": options.part,
        "chunks": population.chunks,
    }
    record = Record(options.json, settings)
    for function in everything if options.all else options.functions:
        print(sweep(population, record, function, options).line(), flush=True)
        record.write()


def _is_unary(population: Population, function: str) -> bool:
    part = population.phase.together.get(function, (function,))[0]
    return len(builtin(part).inputs) == 1


if __name__ == "__main__":
    main()
