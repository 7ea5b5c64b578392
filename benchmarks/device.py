"""Compare every kernel on an OpenCL device with the NumPy engine bit by bit, and measure its speed.

Run from the root of the repository: ``python -m benchmarks.device NVIDIA``. The exit status is 1 if a bit differs.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from benchmarks import inputs, machine
from clmath import errors
from clmath.audit.opencl.devices import find
from clmath.engines.choice import PLAIN
from clmath.engines.device.engine import Device
from clmath.engines.device.opencl import OpenCLMachine
from clmath.kernels import ACCURATE, FAST
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

_BLOCK = 1 << 14  # elements of a call of the NumPy engine
SERVED = ((FAST, (HALF, FLOAT)), (ACCURATE, (DOUBLE,)))


@dataclass
class Row:
    """Row of the table, a kernel in a format: results compared, differing, undecided; seconds to build its program.

    ``undecided_differ``: elements that only one of the two leaves undecided. ``speeds``: results per second by inputs
    and mode, without copying.
    """

    kernel: str
    form: str
    lanes: int
    differ: int
    undecided_differ: int
    undecided: int
    build: float
    speeds: dict[str, float]

    def __str__(self) -> str:
        speeds = "  ".join(f"{name} {speed / 1e9:8.3f}" for name, speed in self.speeds.items())
        verdict = "the same" if not (self.differ or self.undecided_differ) else f"{self.differ} DIFFER"
        if self.undecided_differ:
            verdict += f", {self.undecided_differ} UNDECIDED DIFFER"
        found = f"{verdict:10} undecided {self.undecided:5}  built {self.build:5.2f} s"
        return f"{self.kernel:8} {self.form:6} {found}  {speeds}"


def _ways(kernel: Kernel, args: Sequence[np.ndarray]) -> list[NDArray[np.intp]]:
    """Return the indices of ordinary arguments, and the others: NumPy chooses the code path for a whole chunk."""
    if kernel.record.ordinary is None:
        return [np.arange(args[0].size)]
    holds = kernel.record.ordinary.holds(*[a.astype(np.float64) for a in args])
    return [np.flatnonzero(holds), np.flatnonzero(~holds)]


def _by_numpy(
    kernel: Kernel, form: Format, mode: Rounding, args: Sequence[np.ndarray]
) -> tuple[list[np.ndarray], NDArray[np.int64]]:
    """Return the results of the NumPy engine and the indices of undecided elements."""
    results, undecided = [np.empty(args[0].shape, form.dtype) for _ in range(kernel.results)], []
    for way in _ways(kernel, args):
        for first in range(0, way.size, _BLOCK):
            lanes = way[first : first + _BLOCK]
            parts = [np.empty(lanes.shape, form.dtype) for _ in results]
            undecided.append(lanes[PLAIN.rounded(kernel, form, mode, [a[lanes] for a in args], parts)])
            for result, part in zip(results, parts, strict=True):
                result[lanes] = part
    return results, np.concatenate(undecided)


def _compared(device: Device, kernel: Kernel, form: Format, lanes: int, row: Row) -> None:
    """Count what differs in all modes, half of the inputs natural, half random encodings."""
    halves = [inputs.call(kernel.name, form, kind, lanes // 2).args for kind in inputs.INPUTS]
    args = [np.concatenate(columns) for columns in zip(*halves, strict=True)]
    found = [np.empty(args[0].shape, form.dtype) for _ in range(kernel.results)]
    for mode in MODES:
        left = device.rounded(kernel, form, mode, args, found)
        wanted, undecided = _by_numpy(kernel, form, mode, args)
        row.lanes += args[0].size
        row.differ += sum(int((form.bits(a) != form.bits(b)).sum()) for a, b in zip(found, wanted, strict=True))
        row.undecided += left.size
        row.undecided_differ += np.setxor1d(left, undecided).size


def _speeds(
    device: Device, opencl: OpenCLMachine, kernel: Kernel, form: Format, lanes: int
) -> Iterator[tuple[str, float]]:
    """Generate results per second in rte and rtp, the best of three launches."""
    for kind in inputs.INPUTS:
        args = inputs.call(kernel.name, form, kind, lanes).args
        found = [np.empty(lanes, form.dtype) for _ in range(kernel.results)]
        for mode in ("rte", "rtp"):
            times = []
            for _ in range(3):
                before = opencl.seconds
                device.rounded(kernel, form, mode, args, found)
                times.append(opencl.seconds - before)
            yield f"{kind} {mode}", lanes / min(times)


def _row(device: Device, opencl: OpenCLMachine, kernel: Kernel, form: Format, given: argparse.Namespace) -> Row:
    args = inputs.call(kernel.name, form, "natural", 64).args
    start = time.perf_counter()
    device.rounded(kernel, form, "rte", args, [np.empty(64, form.dtype) for _ in range(kernel.results)])
    row = Row(kernel.name, form.name, 0, 0, 0, 0, time.perf_counter() - start, {})
    with np.errstate(all="ignore"):
        _compared(device, kernel, form, given.lanes, row)
    if given.timed:
        row.speeds = dict(_speeds(device, opencl, kernel, form, given.timed))
    return row


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.device", description=__doc__)
    parser.add_argument("device", nargs="?", default="", help="PLATFORM or PLATFORM:DEVICE, parts of names")
    parser.add_argument("--functions", default="", help="comma-separated names (default: all)")
    parser.add_argument("--types", default="half,float,double", help="some of half,float,double")
    parser.add_argument("--lanes", type=int, default=1 << 20, help="elements compared in each mode")
    parser.add_argument("--timed", type=int, default=1 << 24, help="elements of a timed launch; 0 for none")
    parser.add_argument(
        "--option", action="append", default=[], help="passed to the compiler, --option=-DTABLE_SPACE=constant"
    )
    parser.add_argument("--json", type=Path, help="write everything to a file, after each kernel")
    return parser


def main() -> int:
    """Calibrate the device, run all kernels, and report those that differ."""
    given = _parser().parse_args()
    try:
        opencl = OpenCLMachine(find(given.device, "benchmarks.device"), given.option)
        device = Device(opencl)
    except errors.ClmathError as error:
        print(error, file=sys.stderr)
        return 2
    facts = machine.facts() | {"device": opencl.name, "calibrated": "the same bits as the host"}
    print("\n".join(f"{key}: {value}" for key, value in facts.items()), end="\n\n")
    print(f"{given.lanes} elements compared in each of four modes; 10^9 results per second, without copying")
    chosen, rows = set(given.functions.split(",")) - {""}, []
    for phase, forms in SERVED:
        for kernel in phase.kernels.values():
            for form in forms:
                if form.name in given.types.split(",") and (not chosen or kernel.name in chosen):
                    rows.append(_row(device, opencl, kernel, form, given))
                    print(rows[-1], flush=True)
                    if given.json:
                        text = json.dumps({"machine": facts, "rows": [asdict(row) for row in rows]}, indent=1)
                        given.json.write_text(text + "\n", encoding="utf-8")
    wrong = sum(bool(row.differ or row.undecided_differ) for row in rows)
    print(f"{len(rows) - wrong} of {len(rows)} kernels give the same bits as the NumPy engine")
    return int(bool(wrong))


if __name__ == "__main__":
    sys.exit(main())
