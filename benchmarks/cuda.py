"""Compare every kernel on CuPy arrays with the host bit by bit, and its speed with CuPy's own functions and the host.

Run from the root of the repository: ``python -m benchmarks.cuda``. The exit status is 1 if a bit differs.
"""

from __future__ import annotations

import argparse
import importlib.util
import json
import os
import statistics
import sys
import time
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

import clmath
from benchmarks import inputs, machine
from clmath import phases
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES
from clmath.spec.builtins import builtins

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.numbers.formats import Format

OWN = {"asin": "arcsin", "acos": "arccos", "atan": "arctan", "atan2": "arctan2", "asinh": "arcsinh", "acosh": "arccosh"}
OWN |= {"atanh": "arctanh", "pow": "power", "tgamma": "gamma", "lgamma": "gammaln"}


@dataclass
class Row:
    """Row of the table, a built-in in a format: results ``compared`` and that ``differ``, and results per second.

    ``beside``: bytes that a call allocates in addition to its result. ``speeds``: by mode or implementation.
    """

    name: str
    form: str
    compared: int = 0
    differ: int = 0
    beside: int = 0
    speeds: dict[str, float] = field(default_factory=dict)

    def __str__(self) -> str:
        speeds = "  ".join(f"{name} {speed / 1e9:7.2f}" for name, speed in self.speeds.items())
        verdict = f"{self.differ} DIFFER" if self.differ else "the same"
        return f"{self.name:8} {self.form:6} {verdict:10} {self.beside / 2**20:5.1f} MiB beside  {speeds}"


def _on_devices(form: Format) -> list[str]:
    """Return the built-ins, without aliases, whose results all come from kernels, which devices compute."""
    rows = [row for row in builtins().values() if row.same_as == row.name and form in row.formats]
    served = [(row.name, phases.phase(row.name, form)) for row in rows]
    steps = {name: phase.steps(name) for name, phase in served if phase is not None}
    return [name for name, of in steps.items() if of and not any(isinstance(step, str) for step in of)]


def _compare(cupy: Any, row: Row, form: Format, lanes: int) -> None:
    """Count the results that differ in all modes, over typical inputs and random encodings."""
    function = getattr(clmath, row.name)
    halves = [inputs.call(row.name, form, kind, lanes // 2).args for kind in inputs.INPUTS]
    args = [np.concatenate(columns) for columns in zip(*halves, strict=True)]
    there = [cupy.asarray(a) for a in args]
    for mode in MODES:
        found, wanted = function(*there, rounding=mode), _tuple(function(*args, rounding=mode, engine="native"))
        for a, b in zip(_tuple(found), wanted, strict=True):
            row.compared += b.size
            row.differ += int((form.bits(a.get()) != form.bits(b)).sum())


def _tuple(results: Any) -> tuple[Any, ...]:
    return results if isinstance(results, tuple) else (results,)


def _measure(cupy: Any, row: Row, form: Format, lanes: int) -> None:
    """Measure results per second in every mode, of CuPy's own function, and of the host on all cores."""
    few = inputs.call(row.name, form, "natural", 1 << 20).args
    args = [cupy.tile(cupy.asarray(a), lanes // a.size) for a in few]
    function, pool = getattr(clmath, row.name), cupy.get_default_memory_pool()
    pool.free_all_blocks()
    before = pool.total_bytes()
    size = sum(r.nbytes for r in _tuple(function(*args)))
    row.beside = pool.total_bytes() - before - size
    for mode in MODES:
        row.speeds[mode] = lanes / _seconds(cupy, lambda mode=mode: function(*args, rounding=mode))
    own = _own(cupy, row.name)
    if own is not None:
        row.speeds["CuPy"] = lanes / _seconds(cupy, lambda: own(*args))
    row.speeds["host"] = _by_host(function, [np.tile(a, 16) for a in few])


def _own(cupy: Any, name: str) -> Callable[..., Any] | None:
    from cupyx.scipy import special

    found: Callable[..., Any] | None = getattr(cupy, OWN.get(name, name), getattr(special, OWN.get(name, name), None))
    return found


def _seconds(cupy: Any, call: Callable[[], Any]) -> float:
    """Return the median wall time of seven calls."""
    times = []
    for _ in range(8):
        cupy.cuda.Device().synchronize()
        start = time.perf_counter()
        call()
        cupy.cuda.Device().synchronize()
        times.append(time.perf_counter() - start)
    return statistics.median(times[1:])


def _by_host(function: Callable[..., Any], args: Sequence[np.ndarray]) -> float:
    times = []
    for _ in range(4):
        start = time.perf_counter()
        function(*args, engine="native", threads=os.cpu_count() or 1)
        times.append(time.perf_counter() - start)
    return args[0].size / statistics.median(times[1:])


def main() -> int:
    """Compare and measure all built-ins."""
    parser = argparse.ArgumentParser(prog="python -m benchmarks.cuda", description=__doc__)
    parser.add_argument("--functions", default="", help="comma-separated names (default: all)")
    parser.add_argument("--types", default="half,float,double", help="some of half,float,double")
    parser.add_argument("--part", default="1/1", help="K/N: only every Nth of the built-ins, beginning with the Kth")
    parser.add_argument("--lanes", type=int, default=1 << 20, help="elements compared with the host in each mode")
    parser.add_argument("--timed", type=int, default=1 << 28, help="elements of a timed call; 0 for none")
    parser.add_argument("--json", type=Path, help="write everything to a file, after each built-in")
    given = parser.parse_args()
    if importlib.util.find_spec("cupy") is None:
        parser.error("cupy is not installed; run: pip install 'clmath[cuda]'")
    import cupy

    device = cupy.cuda.runtime.getDeviceProperties(0)["name"].decode()
    facts = machine.facts() | {"device": device, "cupy": cupy.__version__}
    print("\n".join(f"{key}: {value}" for key, value in facts.items()), end="\n\n")
    chosen, rows = set(given.functions.split(",")) - {""}, []
    names = [(name, form) for form in (HALF, FLOAT, DOUBLE) for name in _on_devices(form)]
    k, n = map(int, given.part.split("/"))
    for name, form in names[k - 1 :: n]:
        if form.name not in given.types.split(",") or (chosen and name not in chosen):
            continue
        row = Row(name, form.name)
        if given.lanes:
            _compare(cupy, row, form, given.lanes)
        if given.timed:
            _measure(cupy, row, form, given.timed)
        rows.append(row)
        print(row, flush=True)
        if given.json:
            text = json.dumps({"machine": facts, "rows": [asdict(row) for row in rows]}, indent=1)
            given.json.write_text(text + "\n", encoding="utf-8")
    return int(any(row.differ for row in rows))


if __name__ == "__main__":
    sys.exit(main())
