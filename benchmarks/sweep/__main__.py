"""Sweeps inputs through the compiled kernels and checks what they decide against MPFR, in all four modes.

    python -m benchmarks.sweep sin exp log                      all 2^32 floats
    python -m benchmarks.sweep --all --workers 16 --json sweep.json
    python -m benchmarks.sweep sin --part 3/1000                the third thousandth, to try it out
    python -m benchmarks.sweep sincos                           against sin and cos, after these
    python -m benchmarks.sweep pow --type double --inputs 1e9 --seed 1 --json double.json

MPFR judges (a) every lane whose result is close to a number or a midpoint (within 2^-40 of it in float, 2^-10 of a last
place in double) and whose enclosure is an interval, (b) one in 256 (--one-in) of the lanes that close whose kernel
claims to know the side (err = 0: tiny arguments, exact results, saturation), (c) a random sample of everything else.
Intervals that miss and undecided lanes are counted. With --json a sweep that was stopped goes on where it was.

``--against crival`` compares both directed ends of every lane with CORE-MATH's, for the functions that crival has.

A kernel of several results is compared with the kernels of each, lane by lane; these are its judges.
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
    """Sweep the chunks that are left of a function."""
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
    """The command line."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.sweep", description=__doc__.splitlines()[0])
    parser.add_argument("functions", nargs="*")
    parser.add_argument("--all", action="store_true", help="every kernel; of one argument, where all floats are swept")
    parser.add_argument("--type", choices=tuple(POPULATIONS), default="float")
    parser.add_argument("--inputs", type=float, default=1e7, help="how many doubles are drawn")
    parser.add_argument(
        "--against", choices=("mpfr", "crival"), default="mpfr", help="who judges; crival: double alone"
    )
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--part", default="1/1", help="K/N: the K-th of N equal shares, spread over all chunks")
    parser.add_argument("--one-in", type=int, default=256, help="share of the claimed lanes that MPFR judges")
    parser.add_argument("--json", type=Path)
    return parser.parse_args()


def main() -> None:
    """Sweep, print one line per function, write JSON after each and every half minute."""
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
