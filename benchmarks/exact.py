"""Built-ins that need no kernel, in every mode, compared with gmpy2 and NumPy, which round to nearest."""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING

import numpy as np

from benchmarks import contestants, inputs
from benchmarks.contest import Contestant, contest, faster, truth_of
from benchmarks.sections import Section
from clmath import call as front
from clmath.numbers.formats import DOUBLE, FLOAT, HALF
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Callable

    from benchmarks.inputs import Call
    from benchmarks.sections import Job, Options, Row
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["SECTION"]

OPERATORS = ("add", "mul", "div", "sqrt")
SCALARS = (*OPERATORS, "fma", "mad", "fmod", "remainder", "remquo", "rint", "fract", "ldexp", "fmax", "nextafter")
SCALARS += ("degrees", "radians", "mix", "smoothstep", "step", "clamp", "fdim")
FORMULAS = ("mix", "smoothstep", "cross")  # not judged: defined by expressions of rounded operations
VECTORS = ("dot", "cross", "length", "distance", "normalize")

# targets in ns per element in a directed mode, for 10^6 elements on one core
TARGETS = {
    HALF: {},
    FLOAT: dict.fromkeys(OPERATORS, 12.0) | {"fma": 40.0},
    DOUBLE: dict.fromkeys(OPERATORS, 25.0) | {"fma": 120.0},
}


def _length(p: np.ndarray) -> np.ndarray:
    return np.sqrt(np.einsum("ij,ij->i", p, p))


def _smoothstep(edge0: np.ndarray, edge1: np.ndarray, x: np.ndarray) -> np.ndarray:
    t = np.clip((x - edge0) / (edge1 - edge0), 0, 1)
    return t * t * (3 - 2 * t)


# a NumPy user's expressions for built-ins without a ufunc; most round more than once
EXPRESSIONS: dict[str, Callable[..., object]] = {
    "fma": lambda a, b, c: a * b + c,
    "mad": lambda a, b, c: a * b + c,
    "remquo": lambda x, y: x - y * np.rint(x / y),
    "fract": lambda x: x - np.floor(x),
    "mix": lambda x, y, a: x + (y - x) * a,
    "smoothstep": _smoothstep,
    "step": lambda edge, x: (x >= edge).astype(x.dtype),
    "clamp": np.clip,
    "fdim": lambda x, y: np.maximum(x - y, 0),
    "dot": lambda p, q: np.einsum("ij,ij->i", p, q),
    "cross": lambda p, q: np.cross(p[:, :3], q[:, :3]),
    "length": _length,
    "distance": lambda p, q: _length(p - q),
    "normalize": lambda p: p / _length(p)[:, np.newaxis],
}


def _by_numpy(call: Call) -> Contestant | None:
    """Return NumPy's ufunc, or an expression, which is not judged."""
    expression = EXPRESSIONS.get(call.name)
    if expression is None:
        return contestants.by_numpy(call)
    return Contestant(lambda: expression(*call.args), call.lanes, mode=None)


def _ours(call: Call, mode: Rounding) -> Contestant:
    """Return the built-in, called as by its public function."""
    judged = None if call.name in FORMULAS else mode
    return contestants.ours(call, lambda out: front.floats(call.name, call.args, mode, out), judged)


def _row(name: str, form: Format, kind: str, options: Options) -> Row:
    lanes = options.lanes // 10 if name in VECTORS else options.lanes
    call = inputs.call(name, form, kind, max(lanes, 1))
    rivals = {"gmpy2": contestants.by_gmpy2(call), "NumPy": _by_numpy(call)}
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
    "Exact built-ins: ns per element (or vector) · results wrongly rounded; a : b, how many times a is as fast",
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
