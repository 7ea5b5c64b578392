"""Compare exported functions (CUDA C or OpenCL C) on a GPU with clmath's own results on the host, in every mode.

    python -m benchmarks.exported.device cuda                       every function and type, by NVRTC and CuPy
    python -m benchmarks.exported.device opencl --platform NVIDIA   by pyopencl, on the first device of a platform
    python -m benchmarks.exported.device cuda exp pow --types double --lanes 4194304 --json gpu.jsonl

A third of the calls are random encodings, a third are sampled in a function's typical range, and the rest are known
hard cases and special values. Each function, type and mode has a line of JSON: the number of calls compared, of results
that differ and of undecided results, which may be wrong by one encoding, and the first wrong results. A built-in that
does not compile has one line, with the reason. With --json a file keeps the lines, and functions, types and modes in
the file are not repeated. The exit status is 1 if anything is wrong.
"""

from __future__ import annotations

import argparse
import functools
import json
import multiprocessing
import os
import sys
import tempfile
import time
import zlib
from concurrent.futures import ProcessPoolExecutor, as_completed
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol

import numpy as np

import clmath
from benchmarks import inputs
from benchmarks.exported.library import dtypes, expected, exported, words
from clmath.audit.inputs.hard import hard
from clmath.audit.inputs.structured import structured
from clmath.audit.plan.rows import item_of
from clmath.export import exportable
from clmath.export.cases import of_conversion
from clmath.export.functions import Function
from clmath.export.whole import is_conversion
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.numbers.rounding import Rounding

_BLOCK = 1 << 17  # numbers at a time
EXAMPLES = 4
SHOWN = 2000  # last characters of a compiler's message
PLACES_APART = 1  # distance allowed between an undecided result, the middle of its enclosure, and the right one


class Device(Protocol):
    """Device that runs exported kernels on NumPy arrays; ``extension``: of the files that it builds."""

    name: str
    extension: str

    def build(self, folder: Path, file: str) -> Any:
        """Return the program of one file."""

    def run(self, program: Any, kernel: str, arrays: Sequence[np.ndarray], results: int, mode: int) -> np.ndarray:
        """Compute the last ``results`` arrays; return the indices of undecided elements."""


class Cuda:
    """The first device of CuPy."""

    extension = "cu"

    def __init__(self, _: str) -> None:
        import cupy

        self.cupy = cupy
        self.name = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()

    def build(self, folder: Path, file: str) -> Any:
        """Compile a file with NVRTC."""
        text = (folder / file).read_text(encoding="utf-8")
        return self.cupy.RawModule(code=text, backend="nvrtc", options=("-std=c++17", f"-I{folder}"))

    def run(self, program: Any, kernel: str, arrays: Sequence[np.ndarray], results: int, mode: int) -> np.ndarray:
        """Compute the last ``results`` arrays; return the indices of undecided elements."""
        count = arrays[0].size
        there = [self.cupy.asarray(array) for array in arrays]
        counted, lanes = self.cupy.zeros(1, np.uint32), self.cupy.zeros(count, np.uint64)
        given = (np.uint64(count), *there, np.int32(mode), counted, lanes, np.uint32(count))
        program.get_function(kernel)((1024,), (128,), given)
        for array, made in zip(arrays[-results:], there[-results:], strict=True):
            array[...] = made.get()
        found: np.ndarray = lanes[: int(counted[0])].get()
        return found


class OpenCL:
    """The first device of the first platform whose name holds ``wanted``."""

    extension = "cl"

    def __init__(self, wanted: str) -> None:
        import pyopencl

        self.cl = pyopencl
        platform = next(p for p in pyopencl.get_platforms() if wanted.lower() in p.name.lower())
        device = platform.get_devices()[0]
        self.name = f"{platform.name.strip()}: {device.name.strip()}, {device.driver_version}"
        self.context = pyopencl.Context([device])
        self.queue = pyopencl.CommandQueue(self.context)

    def build(self, folder: Path, file: str) -> Any:
        """Compile a file with the driver; NVIDIA's does not announce that it accepts tables in global memory."""
        options = ["-I", str(folder), *["-DCLMATH_GLOBAL_TABLES"] * ("NVIDIA" in self.name)]
        return self.cl.Program(self.context, f'#include "{file}"\n').build(options)

    def run(self, program: Any, kernel: str, arrays: Sequence[np.ndarray], results: int, mode: int) -> np.ndarray:
        """Compute the last ``results`` arrays; return the indices of undecided elements."""
        count, flags = arrays[0].size, self.cl.mem_flags
        counted, lanes = np.zeros(1, np.uint32), np.zeros(count, np.uint64)
        there = [
            self.cl.Buffer(self.context, flags.READ_WRITE | flags.COPY_HOST_PTR, hostbuf=array)
            for array in (*arrays, counted, lanes)
        ]
        given = (np.uint64(count), *there[:-2], np.int32(mode), *there[-2:], np.uint32(count))
        self.cl.Kernel(program, kernel)(self.queue, (-(-count // 64) * 64,), None, *given)
        back = (*arrays[-results:], counted, lanes)
        for array, buffer in zip(back, there[-len(back) :], strict=True):
            self.cl.enqueue_copy(self.queue, array, buffer)
        return lanes[: int(counted[0])]


DEVICES: dict[str, type[Cuda | OpenCL]] = {"cuda": Cuda, "opencl": OpenCL}


def arguments(function: Function, lanes: int) -> list[np.ndarray]:
    """Return columns of arguments: hard cases and special values, typical ones, random encodings."""
    rng = np.random.default_rng(zlib.crc32(function.name.encode()))
    if is_conversion(function.row):
        return [_converted(function, rng, lanes)]
    item = item_of(function.row, function.form, 0, 1)
    known = [np.concatenate(column) for column in zip(hard(item), structured(item), strict=True)]
    chosen = rng.permutation(known[0].size)[: lanes // 3]
    rest = (lanes - chosen.size) // 2
    sampled = [inputs.call(function.row.name, function.form, kind, rest).args for kind in inputs.INPUTS]
    columns = zip([column[chosen] for column in known], *sampled, strict=True)
    types, _ = dtypes(function)
    return [np.concatenate(column).astype(type) for column, type in zip(columns, types, strict=True)]


def _converted(function: Function, rng: np.random.Generator, lanes: int) -> np.ndarray:
    """Return arguments of a conversion: numbers of the target format and between them, and random encodings."""
    row, form = function.row, function.form
    codes = rng.integers(0, 1 << form.width, lanes, form.bits_dtype)
    known = [of_conversion(row, form, rng) for _ in range(lanes // 2 // 200)]
    return np.concatenate([*known, form.from_bits(codes)])[:lanes]


def own(function: Function, mode: Rounding, columns: Sequence[np.ndarray]) -> list[np.ndarray]:
    """Return clmath's results on the host, as encodings."""
    if is_conversion(function.row):
        return [words(clmath.convert(columns[0], function.row.result, rounding=mode))]
    evaluate, count = expected(function, mode), columns[0].size
    results = [np.empty(count, dtype) for dtype in dtypes(function)[1]]
    for first in range(0, count, _BLOCK):
        lanes = slice(first, first + _BLOCK)
        with np.errstate(all="ignore"):
            evaluate([c[lanes] for c in columns], [r[lanes] for r in results])
    return [words(result) for result in results]


def judged(device: Device, program: Any, function: Function, columns: Sequence[np.ndarray], mode: Rounding) -> Any:
    """Compare the results of the device with clmath's own; return a line of the report."""
    start, results = time.perf_counter(), [np.empty(columns[0].size, dtype) for dtype in dtypes(function)[1]]
    arrays = [*columns, *results]
    left = device.run(program, f"{function.name}_array", arrays, len(results), MODES.index(mode))
    spent = time.perf_counter() - start
    is_undecided = np.zeros(columns[0].size, np.bool_)
    is_undecided[left.astype(np.int64)] = True
    wrong, apart = np.zeros(is_undecided.shape, np.bool_), np.zeros(is_undecided.shape, np.bool_)
    for found, right in zip([words(r) for r in results], own(function, mode, columns), strict=True):
        wrong |= (found != right) & ~is_undecided
        apart |= is_undecided & (_distance(found, right) > PLACES_APART)
    bad = wrong | apart | (is_undecided if function.is_complete else False)
    first = np.flatnonzero(bad)[:EXAMPLES].tolist()
    return {
        "function": function.row.name,
        "type": function.form.name,
        "mode": mode,
        "calls": int(is_undecided.size),
        "differing": int(wrong.sum()),
        "undecided": int(is_undecided.sum()),
        "undecided and farther than one place": int(apart.sum()),
        "wrong": int(bad.sum()),
        "first": [[_shown(column[i]) for column in (*columns, *results)] for i in first],
        "seconds": round(spent, 3),
    }


def _shown(value: Any) -> str:
    return str(value) if value.dtype.kind == "i" else float(value).hex()


def _distance(found: np.ndarray, right: np.ndarray) -> np.ndarray:
    """Return the distance of encodings in the order of their numbers, or of integers."""
    return np.abs(_place(found) - _place(right))


def _place(codes: np.ndarray) -> np.ndarray:
    """Return integers in the order of the numbers that are encoded; integers unchanged."""
    if codes.dtype.kind == "i":
        return codes.astype(np.int64)
    width = codes.dtype.itemsize * 8
    size = (codes & codes.dtype.type((1 << (width - 1)) - 1)).astype(np.int64)
    return np.where(codes >> codes.dtype.type(width - 1), -size, size)


class Task(NamedTuple):
    """Work of one process: the remaining types and modes of a built-in, from the library in ``folder``."""

    language: str
    platform: str
    folder: Path
    name: str
    left: Sequence[tuple[str, Rounding]]
    lanes: int


@functools.cache
def _device(language: str, platform: str) -> Device:
    return DEVICES[language](platform)


def done(task: Task) -> list[dict[str, Any]]:
    """Return a line of the report for each type and mode, or one line with the compiler's message."""
    device, begun = _device(task.language, task.platform), time.perf_counter()
    try:
        program = device.build(task.folder, f"clmath_{task.name}.{device.extension}")
    except Exception as error:  # noqa: BLE001 - any error of a compiler; it may not be picklable
        return [{"function": task.name, "error": str(error)[-SHOWN:], "wrong": 1}]
    built = round(time.perf_counter() - begun, 2)
    rows = []
    row = next(row for row in exportable() if row.name == task.name)
    for form in row.formats:
        modes = [mode for type, mode in task.left if type == form.name]
        if modes:
            function = Function(row, form)
            columns = arguments(function, task.lanes)
            rows += [judged(device, program, function, columns, mode) | {"built": built} for mode in modes]
    return rows


def parse() -> argparse.Namespace:
    """Parse the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m benchmarks.exported.device",
        description=__doc__,
        formatter_class=argparse.RawDescriptionHelpFormatter,
    )
    parser.add_argument("language", choices=tuple(DEVICES))
    parser.add_argument("functions", nargs="*", help="names (default: all)")
    parser.add_argument("--types", default="half,float,double")
    parser.add_argument("--lanes", type=int, default=1 << 20, help="calls of each function, type and mode")
    parser.add_argument("--platform", default="", help="part of the name of an OpenCL platform")
    parser.add_argument("--workers", type=int, default=os.cpu_count() or 1, help="processes: compilers take seconds")
    parser.add_argument("--json", type=Path, help="file of finished functions, to which lines are added")
    return parser.parse_args()


def tasks(options: argparse.Namespace, folder: Path) -> list[Task]:
    """Return the tasks that the file does not have yet."""
    lines = options.json.read_text(encoding="utf-8").splitlines() if options.json and options.json.exists() else []
    known = {(row["function"], row["type"], row["mode"]) for row in map(json.loads, lines) if "error" not in row}
    found = []
    formats = {row.name: [str(form) for form in row.formats] for row in exportable()}
    for name in options.functions or formats:
        asked = [(type, mode) for type in options.types.split(",") if type in formats[name] for mode in MODES]
        left = [(type, mode) for type, mode in asked if (name, type, mode) not in known]
        if left:
            found.append(Task(options.language, options.platform, folder, name, left, options.lanes))
    return found


def main() -> int:
    """Run the remaining tasks; return 1 if anything is wrong."""
    options, failed = parse(), 0
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(scratch) / "library"
        todo = tasks(options, folder)
        if not todo:
            return 0
        exported(folder, ",".join(task.name for task in todo), options.types, options.language)
        with ProcessPoolExecutor(options.workers, multiprocessing.get_context("spawn")) as pool:
            print(json.dumps({"device": pool.submit(_name, todo[0]).result()}), flush=True)
            for future in as_completed([pool.submit(done, task) for task in todo]):
                for row in future.result():
                    failed += row["wrong"]
                    print(json.dumps(row), flush=True)
                    if options.json:
                        with options.json.open("a", encoding="utf-8") as file:
                            file.write(f"{json.dumps(row)}\n")
    return int(failed > 0)


def _name(task: Task) -> str:
    return _device(task.language, task.platform).name


if __name__ == "__main__":
    sys.exit(main())
