"""Nanoseconds a lane of clmath's exact built-ins, beside NumPy's where it has them, on one core.

Medians of processor time over a million lanes. NumPy rounds to nearest only; it has no fma, and its remainders are
the C library's.
"""

from __future__ import annotations

import argparse
import statistics
import time
from typing import TYPE_CHECKING, Any

import numpy as np
from rich.console import Console
from rich.table import Table

from clmath import evaluate
from clmath.exact import common, geometric, integral, operators, parts, remainders
from clmath.formats import DOUBLE, FLOAT, FORMATS, HALF, Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clmath.rounding import Rounding

MODES: tuple[Rounding, ...] = ("rte", "rtz", "rtp")
NUMPY = {"add": np.add, "mul": np.multiply, "div": np.divide, "sqrt": np.sqrt, "fmod": np.fmod, "rint": np.rint}
BUILTINS = {
    "add": 2,
    "mul": 2,
    "div": 2,
    "sqrt": 1,
    "fma": 3,
    "fmod": 2,
    "remainder": 2,
    "rint": 1,
    "fract": 1,
    "ldexp": 1,
    "degrees": 1,
    "mix": 3,
    "smoothstep": 3,
}
GEOMETRIC = {"dot": 2, "cross": 2, "length": 1, "distance": 2, "normalize": 1}
OPERATORS = ("add", "mul", "div", "sqrt")
TARGETS = {
    HALF: {},
    FLOAT: dict.fromkeys(OPERATORS, "12 directed") | {"fma": "40"},
    DOUBLE: dict.fromkeys(OPERATORS, "25 directed") | {"fma": "120"},
}


def call_of(name: str, args: list[NDArray[Any]], mode: Rounding) -> Callable[[], Any]:
    """The built-in ``name`` as its public function calls it."""
    rooms = (operators, remainders, integral, parts, common, geometric)
    implementation = next(getattr(room, name) for room in rooms if name in room.__all__)
    return lambda: evaluate.exactly(name, implementation, tuple(args), mode)


def nanoseconds(call: Callable[[], Any], lanes: int, repeats: int) -> float:
    """The median time of ``call`` in nanoseconds a lane."""
    call()
    times = []
    for _ in range(repeats):
        start = time.process_time()
        call()
        times.append(time.process_time() - start)
    return statistics.median(times) / lanes * 1e9


def operands(form: Format, count: int, lanes: int, *, wild: bool) -> list[NDArray[Any]]:
    """Uniform bit patterns, or positive numbers near 1."""
    rng = np.random.default_rng(1)
    if wild:
        bits = rng.integers(0, 2**form.width, (count, lanes), dtype=form.bits_dtype)
        return list(bits.view(form.dtype))
    return list(np.exp(rng.standard_normal((count, lanes))).astype(form.dtype))


def row(name: str, form: Format, lanes: int, repeats: int) -> list[str]:
    """The cells of one built-in in one format."""
    near, wild = (operands(form, BUILTINS[name], lanes, wild=w) for w in (False, True))
    more = [np.random.default_rng(2).integers(-20, 20, lanes, np.int32)] if name == "ldexp" else []
    calls = [call_of(name, [*args, *more], mode) for args in (near, wild) for mode in MODES]
    beside = ""
    if name in NUMPY:
        with np.errstate(all="ignore"):
            beside = f"{nanoseconds(lambda: NUMPY[name](*near), lanes, repeats):.1f}"
    times = [f"{nanoseconds(call, lanes, repeats):.1f}" for call in calls]
    return [name, str(form), *times, beside, TARGETS[form].get(name, "")]


def geometric_row(name: str, form: Format, lanes: int, repeats: int) -> list[str]:
    """The cells of one geometric built-in on vectors of four lanes, in nanoseconds a vector."""
    calls = []
    for wild in (False, True):
        vectors = [np.stack(operands(form, 4, lanes, wild=wild), axis=-1) for _ in range(GEOMETRIC[name])]
        calls += [call_of(name, vectors, mode) for mode in MODES]
    return [f"{name} x4", str(form), *(f"{nanoseconds(call, lanes, repeats):.0f}" for call in calls), "", ""]


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--lanes", type=int, default=1_000_000)
    parser.add_argument("--repeats", type=int, default=5)
    options = parser.parse_args()
    inputs = (f"{lot}, {mode}" for lot in ("near 1", "any bits") for mode in MODES)
    table = Table("built-in", "type", *inputs, "NumPy near 1", "target", title="ns a lane (a vector for x4)")
    for name in BUILTINS:
        for form in FORMATS:
            table.add_row(*row(name, form, options.lanes, options.repeats))
    for name in GEOMETRIC:
        for form in FORMATS:
            table.add_row(*geometric_row(name, form, options.lanes // 10, options.repeats))
    Console(width=140).print(table)


if __name__ == "__main__":
    main()
