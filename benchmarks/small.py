"""Calls on one number and on 1, 10 and 100 elements, of every built-in; rows beyond the time limits are shown."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

import clmath
from benchmarks import inputs
from benchmarks.chapters import CHANNELS, SATURATED, argument
from benchmarks.sections import Section
from benchmarks.timing import race
from clmath.functions import operators
from clmath.numbers.datatypes import INTEGERS, SCALARS
from clmath.numbers.formats import FORMATS
from clmath.spec.builtins import EXACT, builtins

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

    from benchmarks.sections import Job, Options, Row

__all__ = ["SECTION"]

A_NUMBER, AN_ARRAY = 3.0, 7.0  # limits of a call in microseconds
COUNTS = (1, 10, 100)
MOST = max(COUNTS)
QUIET = 0.6  # microseconds of np.add of two numbers on the idle machine that the limits are for
TRIES = 5  # measurements of a call that is beyond its limit
SHORTEST = 0.001  # seconds that a measurement takes at least
LOOPED = 10  # elements of the array that is compared with a loop over its numbers
WIDTH = 3  # components of a vector of the geometric built-ins
MODES = ("", "_sat", "_rtp", "_sat_rte")  # suffixes of conversions
UNARY = ("positive", "negative", "bitwise_not", "logical_not")
BITWISE = ("rem", "bitwise_not", "bitwise_and", "bitwise_or", "bitwise_xor", "left_shift", "right_shift")
ARITHMETIC = ("add", "sub", "mul", "div")
CODES = {f"read_{name}": (stored,) for name, (stored, _, _) in CHANNELS.items()}
CODES |= {"read_half_float": ("half",), "read_float": ("float",), "read_srgb": ("uchar",)}
COLORS = dict.fromkeys([f"write_{name}" for name in (*CHANNELS, "half_float", "srgb")], ("half", "float"))
COLORS |= {"write_float": ("float",)}
COLORS |= {f"write_{name}": (given,) for name, (given, _) in SATURATED.items()}


class _Timed(NamedTuple):
    """Call to measure: a built-in, and arrays of ``MOST`` elements or vectors as arguments."""

    name: str
    type: str
    function: Callable[..., object]
    args: tuple[np.ndarray, ...]


def _some(type: str, seed: int = 0) -> np.ndarray:
    """Return numbers from 1 to 100, which every type has; both values of bool."""
    found = np.random.default_rng(seed).integers(1, 101, MOST)
    return (found % 2 if type == "bool" else found).astype(SCALARS[type])


def _of_floats() -> Iterator[_Timed]:
    for name, row in builtins().items():
        for form in row.formats:
            if row.inputs[0].type == "nancode":
                args: tuple[np.ndarray, ...] = (_some("uchar").astype(form.bits_dtype),)
            else:
                args = inputs.call(row.same_as, form, "natural", MOST).args
            yield _Timed(
                name, form.name, getattr(clmath, name), tuple(a[..., :WIDTH] for a in args) if row.widths else args
            )


def _of_bits() -> Iterator[_Timed]:
    for name, row in builtins(*EXACT).items():
        function = getattr(clmath, name)
        for type in row.types:
            args = tuple(argument(p, SCALARS[type], (MOST,), i) for i, p in enumerate(row.inputs))
            yield _Timed(name, type, function, args)


def _of_operators() -> Iterator[_Timed]:
    for name in (*operators.__all__, *ARITHMETIC):
        function = getattr(clmath, name) if name in ARITHMETIC else getattr(operators, name)
        count = 1 if name in UNARY else 3 if name == "conditional" else 2
        types = ["bool", *INTEGERS] if name in (*BITWISE, *ARITHMETIC) else list(SCALARS)
        for type in types:
            yield _Timed(name, type, function, tuple(_some(type, seed) for seed in range(count)))
        if count == 2:
            yield _Timed(name, "short, ulong", function, (_some("short"), _some("ulong", 1)))
            if name not in BITWISE:
                yield _Timed(name, "int, float", function, (_some("int"), _some("float", 1)))


def _of_conversions() -> Iterator[_Timed]:
    for target, dtype in SCALARS.items():
        for mode in MODES:
            function = getattr(clmath, f"convert_{target}{mode}", None)
            for source in SCALARS if function is not None else ():
                yield _Timed(f"convert_{target}{mode}", source, function, (_some(source),))
        function = getattr(clmath, f"as_{target}", None)
        for source in SCALARS if function is not None else ():
            if SCALARS[source].itemsize == dtype.itemsize and source != "bool":
                yield _Timed(f"as_{target}", source, function, (_some(source),))


def _of_images() -> Iterator[_Timed]:
    for name, types in (CODES | COLORS).items():
        for type in types:
            yield _Timed(name, type, getattr(clmath, name), (_some(type),))


def _of_memory() -> Iterator[_Timed]:
    memory, halves, at = np.zeros(4 * MOST, np.float32), np.zeros(4 * MOST, np.float16), np.arange(MOST)
    four = np.ones((MOST, 4), np.float32)
    mask = np.random.default_rng(1).integers(0, 4, (MOST, 4)).astype(np.uint32)
    made: Mapping[str, tuple[Callable[..., object], tuple[np.ndarray, ...]]] = {
        "vload4": (lambda i: clmath.vload(i, memory, 4), (at,)),
        "vload_half": (lambda i: clmath.vload_half(i, halves), (at,)),
        "vload_half4": (lambda i: clmath.vload_half(i, halves, 4), (at,)),
        "vstore4": (lambda x, i: clmath.vstore(x, i, memory, 4), (four, at)),
        "vstore_half": (lambda x, i: clmath.vstore_half(x, i, halves), (memory[:MOST], at)),
        "vstore_half4": (lambda x, i: clmath.vstore_half(x, i, halves, 4), (four, at)),
        "shuffle": (clmath.shuffle, (four, mask)),
        "shuffle2": (clmath.shuffle2, (four, four, mask)),
    }
    for name, (function, args) in made.items():
        yield _Timed(name, "float", function, args)


def _all_timed() -> Iterator[_Timed]:
    yield from _of_floats()
    yield from _of_bits()
    yield from _of_operators()
    yield from _of_conversions()
    yield from _of_images()
    yield from _of_memory()


def _row(timed: _Timed, runs: int) -> Row:
    function, args = timed.function, timed.args
    calls: dict[str, Callable[[], object]] = {}
    if all(a.ndim == 1 for a in args):
        numbers = tuple(a[1] for a in args)
        calls["number"] = lambda: function(*numbers)
        plain = tuple(a[1].item() for a in args)
        calls["Python's"] = lambda: function(*plain)
    for count in COUNTS:
        calls[f"{count}"] = functools.partial(function, *(a[:count].copy() for a in args))
    rows = list(zip(*(a[:LOOPED] for a in args), strict=True))
    calls[f"loop of {LOOPED}"] = lambda: [function(*row) for row in rows]
    number, few = np.float64(1.5), np.ones(LOOPED)
    calls["np.add"] = lambda: np.add(number, number)
    calls["np.add of 10"] = lambda: np.add(few, few)
    found = _least(_accepted(calls), runs)
    return {"built-in": timed.name, "type": timed.type, **found, "beyond": "*" * _is_beyond(found)}


def _least(calls: Mapping[str, Callable[[], object]], runs: int) -> dict[str, float]:
    """Return the microseconds of each call, the least of several measurements if one is beyond its limit."""
    found = dict.fromkeys(calls, math.inf)
    for _ in range(TRIES):
        again = race(calls, runs, SHORTEST)
        found = {key: min(found[key], again[key] * 1e6) for key in calls}
        if not _is_beyond(found):
            break
    return found


def _accepted(calls: Mapping[str, Callable[[], object]]) -> dict[str, Callable[[], object]]:
    """Return the calls that raise no error: Python numbers alone are double or long, which some built-ins refuse."""
    accepted = {}
    for key, call in calls.items():
        try:
            call()
        except clmath.ClmathError:
            continue
        accepted[key] = call
    return accepted


def _is_beyond(found: Mapping[str, float]) -> bool:
    """Whether a call is beyond its limit, scaled by the machine's load, or an array slower than a loop over numbers."""
    slower = max(found["np.add"] / QUIET, 1.0)
    slow = any(found.get(key, 0.0) > A_NUMBER * slower for key in ("number", "Python's"))
    slow |= any(found.get(f"{n}", 0.0) > AN_ARRAY * slower for n in COUNTS)
    return slow or found.get(f"{LOOPED}", 0.0) > found.get(f"loop of {LOOPED}", math.inf)


def _jobs(options: Options) -> list[Job]:
    others = {form.name for form in FORMATS} - {form.name for form in options.forms}
    timed = [s for s in _all_timed() if s.name in options.chosen((s.name,)) and s.type not in others]
    return [functools.partial(_row, timed, options.runs) for timed in timed]


SECTION = Section(
    "small",
    f"Calls on numbers beyond {A_NUMBER:.0f} microseconds, and on 1, 10 or 100 elements beyond {AN_ARRAY:.0f}",
    (
        "built-in",
        "type",
        "number",
        "Python's",
        *map(str, COUNTS),
        "loop of 10",
        "np.add",
        "np.add of 10",
    ),
    _jobs,
    tuple(dict.fromkeys(timed.name for timed in _all_timed())),
    kept=lambda row: bool(row["beyond"]),
)
