"""Nanoseconds a lane of clmath's conversions, beside NumPy's astype and gfloat's rounding, on one core.

Random bit patterns, medians. NumPy has no modes; gfloat leaves its results in double.
"""

from __future__ import annotations

import argparse
import functools
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table

import clmath

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

MODES = ("rte", "rtz", "rtp", "rtn")
DTYPES = {
    "uchar": "u1",
    "int": "i4",
    "long": "i8",
    "ulong": "u8",
    "half": "f2",
    "float": "f4",
    "double": "f8",
}
PAIRS = (
    ("double", "half"),
    ("float", "half"),
    ("long", "half"),
    ("double", "float"),
    ("int", "float"),
    ("long", "float"),
    ("ulong", "float"),
    ("long", "double"),
    ("half", "float"),
    ("float", "uchar"),
    ("double", "int"),
    ("double", "long"),
)
TARGETS = {("double", "half"): "15", ("double", "float"): "6 directed", ("long", "float"): "10 directed"}


def nanoseconds(call: Callable[[], Any], lanes: int, repeats: int) -> float:
    """The median time of ``call`` in nanoseconds a lane."""
    call()
    times = []
    for _ in range(repeats):
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return statistics.median(times) / lanes * 1e9


def inputs(name: str, lanes: int) -> NDArray[Any]:
    """Random bit patterns of a type."""
    dtype = np.dtype(DTYPES[name])
    bits = np.random.default_rng(1).integers(0, 2 ** (8 * dtype.itemsize), lanes, f"u{dtype.itemsize}")
    return bits.view(dtype)


def by_gfloat(values: NDArray[Any], target: str, mode: str) -> Callable[[], Any] | None:
    """Gfloat's rounding of floating point to half or float, None where it is not installed or has no such pair."""
    try:
        import gfloat
        from gfloat.formats import format_info_binary16, format_info_binary32
    except ImportError:
        return None
    formats = {"half": format_info_binary16, "float": format_info_binary32}
    if target not in formats or values.dtype.kind != "f":
        return None
    names = {"rte": "TiesToEven", "rtz": "TowardZero", "rtp": "TowardPositive", "rtn": "TowardNegative"}
    direction = gfloat.RoundMode[names[mode]]
    wide = values.astype(np.float64)
    return lambda: gfloat.round_ndarray(formats[target], wide, direction)


def measured(source: str, target: str, lanes: int, repeats: int) -> list[str]:
    """One row of the table."""
    values = inputs(source, lanes)
    calls: list[Callable[[], Any] | None] = [
        *(functools.partial(clmath.convert, values, target, rounding=mode) for mode in MODES),
        functools.partial(values.astype, DTYPES[target]),
        *(by_gfloat(values, target, mode) for mode in ("rte", "rtz")),
    ]
    times = [f"{nanoseconds(call, lanes, repeats):.2f}" if call else "-" for call in calls]
    return [f"{source} to {target}", *times, TARGETS.get((source, target), "")]


def main() -> None:
    """Measure and print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lanes", type=int, default=10**6)
    parser.add_argument("--repeats", type=int, default=9)
    options = parser.parse_args()
    table = Table(title=f"conversions, ns a lane, {options.lanes} lanes, NumPy {np.__version__}")
    heads = ("", *(f"clmath {m}" for m in MODES), "astype", "gfloat rte", "gfloat rtz", "target")
    for head in heads:
        table.add_column(head, justify="left" if not head else "right")
    with np.errstate(all="ignore"):
        for source, target in PAIRS:
            table.add_row(*measured(source, target, options.lanes, options.repeats))
    Console(width=120).print(table)


if __name__ == "__main__":
    main()
