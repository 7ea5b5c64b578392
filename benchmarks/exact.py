"""Built-ins that need no kernel, in every mode, beside gmpy2 and NumPy, which round to nearest here."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

from benchmarks import contestants, inputs
from benchmarks.contest import contest, faster, truth_of
from benchmarks.sections import Section
from clmath import call as front
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from benchmarks.contest import Contestant
    from benchmarks.inputs import Call
    from benchmarks.sections import Job, Options, Row
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["SECTION"]

OPERATORS = ("add", "mul", "div", "sqrt")
SCALARS = (*OPERATORS, "fma", "fmod", "remainder", "rint", "fract", "ldexp", "fmax", "degrees", "mix", "smoothstep")
FORMULAS = ("mix", "smoothstep", "cross")  # defined as an expression of rounded operations: not judged
VECTORS = ("dot", "cross", "length", "distance", "normalize")

# ns a lane in a directed mode, 10^6 lanes, one core: the project's issue 3, section 1
TARGETS = {
    HALF: {},
    FLOAT: dict.fromkeys(OPERATORS, 12.0) | {"fma": 40.0},
    DOUBLE: dict.fromkeys(OPERATORS, 25.0) | {"fma": 120.0},
}


def _ours(call: Call, mode: Rounding) -> Contestant:
    """The built-in as its public function calls it."""
    judged = None if call.name in FORMULAS else mode
    return contestants.ours(call, lambda out: front.floats(call.name, call.args, mode, out), judged)


def _row(name: str, form: Format, kind: str, options: Options) -> Row:
    lanes = options.lanes // 10 if name in VECTORS else options.lanes
    call = inputs.call(name, form, kind, max(lanes, 1))
    rivals = {"gmpy2": contestants.by_gmpy2(call), "NumPy": contestants.by_numpy(call)}
    found = contest({m: _ours(call, m) for m in MODES} | rivals, truth_of(call), options.judged, options.runs)
    return {
        "function": f"{name} of 4-vectors" if name in VECTORS else name,
        "type": form.name,
        "inputs": kind,
        **found,
        "target, directed": TARGETS[form].get(name),
        "rte : gmpy2": faster(found["rte"], found["gmpy2"]),
        "rte : NumPy": faster(found["rte"], found["NumPy"]),
    }


def _jobs(options: Options) -> list[Job]:
    return [
        functools.partial(_row, name, form, kind, options)
        for name in options.chosen(SCALARS + VECTORS)
        for form in options.forms
        for kind in options.inputs
    ]


SECTION = Section(
    "exact",
    "Exact built-ins: ns a lane (a vector) · results wrongly rounded; a : b, how many times a is as fast",
    (
        "function",
        "type",
        "inputs",
        *MODES,
        "target, directed",
        "gmpy2",
        "NumPy",
        "rte : gmpy2",
        "rte : NumPy",
    ),
    _jobs,
    SCALARS + VECTORS,
)
