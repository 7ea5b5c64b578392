"""Compare exported functions of one argument with clmath's own results: every float in every mode.

    python -m benchmarks.exported                        all functions, gcc, all processors
    python -m benchmarks.exported exp sin --workers 16 --json floats.jsonl
    python -m benchmarks.exported exp --part 1/1000      the first of a thousand parts, as a trial
    python -m benchmarks.exported --compiler "clang -march=native" --folder made_by_clang

It prints a line of JSON for each function and mode: the number of elements compared, of results that differ and of
results that the exported function leaves undecided, and the first that differ. With --json a file keeps these lines,
and functions and modes in the file are not repeated. The exit status is 1 if a bit differs or a result is undecided.

clmath evaluates its compiled kernels, and MPFR for the elements that these leave undecided; the exported functions go
on to the accurate kernels instead. Both share the kernels, so their correctness is checked by ``benchmarks.sweep``.
"""

from __future__ import annotations

import argparse
import ctypes
import functools
import json
import os
import sys
import tempfile
import time
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.exported.library import compiled, dtypes, expected, exported, on_arrays, words
from clmath.engines import choice
from clmath.export import exportable
from clmath.export.functions import Function
from clmath.export.whole import is_conversion
from clmath.numbers.formats import FLOAT
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Iterator

    from clmath.numbers.rounding import Rounding

TOTAL = 1 << 32
PART = 1 << 22  # floats that a process takes at a time
BLOCK = 1 << 16  # floats of one call, whose arguments and results stay in the cache
EXAMPLES = 4


def unary() -> list[str]:
    """Return the exportable built-ins of one argument, except conversions."""
    return [row.name for row in exportable() if len(row.inputs) == 1 and not is_conversion(row)]


@functools.cache
def _library(path: str) -> ctypes.CDLL:
    return ctypes.CDLL(path)


def swept(path: str, name: str, mode: Rounding, number: int) -> tuple[int, int, int, list[str]]:
    """Compare one part; return the numbers of elements, of differing and of undecided results, and examples."""
    function = Function(builtin(name), FLOAT)
    given, wanted = on_arrays(_library(path), function, mode), expected(function, mode)
    _, outputs = dtypes(function)
    found, own = ([np.empty(BLOCK, dtype) for dtype in outputs] for _ in range(2))
    differing, undecided, examples = 0, 0, []
    for first in range(number * PART, (number + 1) * PART, BLOCK):
        x = np.arange(first, first + BLOCK, dtype=np.uint64).astype(np.uint32).view(np.float32)
        undecided += given(x, *found)
        with np.errstate(all="ignore"):
            wanted([x], own)
        pairs = [(words(a), words(b)) for a, b in zip(found, own, strict=True)]
        if all(np.array_equal(a, b) for a, b in pairs):
            continue
        wrong = np.flatnonzero(np.any([a != b for a, b in pairs], axis=0))
        differing += wrong.size
        examples += [_example(x, pairs, i) for i in wrong[:EXAMPLES].tolist()]
    return PART, differing, undecided, examples[:EXAMPLES]


def _example(x: Any, pairs: Any, i: int) -> str:
    results = "; ".join(f"{int(a[i]):#x}, not {int(b[i]):#x}" for a, b in pairs)
    return f"{float(x[i]).hex()} ({int(x.view(np.uint32)[i]):#010x}): {results}"


def sweep(pool: ProcessPoolExecutor, path: Path, name: str, mode: Rounding, share: tuple[int, int]) -> dict[str, Any]:
    """Compare the parts of one function and mode, or a share of them."""
    start = time.perf_counter()
    numbers = range(share[0] - 1, TOTAL // PART, share[1])
    parts = list(pool.map(functools.partial(swept, str(path), name, mode), numbers, chunksize=4))
    lanes, differing, undecided, examples = zip(*parts, strict=True)
    return {
        "function": name,
        "type": "float",
        "mode": mode,
        "part": f"{share[0]}/{share[1]}",
        "lanes": sum(lanes),
        "differing": sum(differing),
        "undecided": sum(undecided),
        "first": [text for some in examples for text in some][:EXAMPLES],
        "seconds": round(time.perf_counter() - start, 2),
    }


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.exported",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("functions", nargs="*", help="names (default: all of one argument)")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes")
    parser.add_argument(
        "--compiler", default="gcc -march=native -mprefer-vector-width=512", help="the command of a C compiler"
    )
    parser.add_argument("--folder", type=Path, help="of the compiled libraries; those in it are used")
    parser.add_argument("--part", default="1/1", help="K/N: the K-th of N equal shares, spread over all floats")
    parser.add_argument("--modes", default=",".join(MODES), help="comma-separated modes")
    parser.add_argument("--seconds", type=float, default=float("inf"), help="start no function after this time")
    parser.add_argument("--json", type=Path, help="file of finished functions, to which lines are added")
    return parser.parse_args()


def left(options: argparse.Namespace) -> Iterator[tuple[str, Rounding]]:
    """Generate the functions and modes that the file does not have yet."""
    lines = options.json.read_text(encoding="utf-8").splitlines() if options.json and options.json.exists() else []
    done = {(row["function"], row["mode"], row["part"]) for row in map(json.loads, lines)}
    for name in options.functions or unary():
        for mode in MODES:
            if mode in options.modes.split(",") and (name, mode, options.part) not in done:
                yield name, mode


def main() -> int:
    """Sweep the remaining functions and modes; return 1 if a bit differs or a result is undecided."""
    options, start = parse(), time.perf_counter()
    if choice.NATIVE.library is None:
        raise choice.NATIVE.missing("benchmarks.exported")
    share, shares = map(int, options.part.split("/"))
    todo, failed = list(left(options)), 0
    names = list(dict.fromkeys(name for name, _ in todo))
    if not names:
        return 0
    with tempfile.TemporaryDirectory() as scratch, ProcessPoolExecutor(options.workers) as pool:
        folder = (options.folder or Path(scratch) / "library").absolute()
        if not all((folder / f"{name}.so").exists() for name in names):
            exported(folder, ",".join(names), "float", "c")
        paths = compiled(folder, names, options.compiler, options.workers)
        print(json.dumps({"compiled": len(paths), "seconds": round(time.perf_counter() - start, 2)}), flush=True)
        for name, mode in todo:
            if time.perf_counter() - start > options.seconds:
                print(json.dumps({"stopped before": name, "mode": mode}), flush=True)
                break
            row = sweep(pool, paths[name], name, mode, (share, shares))
            failed += row["differing"] + row["undecided"]
            print(json.dumps(row), flush=True)
            if options.json:
                with options.json.open("a", encoding="utf-8") as file:
                    file.write(f"{json.dumps(row)}\n")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
