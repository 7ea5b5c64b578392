"""Runs the kernels of a built-in on one block by either engine; the reference decides the lanes they leave."""

from __future__ import annotations

import functools
import threading
from collections import Counter
from typing import TYPE_CHECKING, Any, Literal, NamedTuple, TypeAlias, get_args

import numpy as np

from clmath import errors, kernels
from clmath.engines.narrow import MODE_NUMBERS, close_to_float, close_to_half
from clmath.formats import DOUBLE, FLOAT, HALF, Format
from clmath.rounding import Rounding, narrow, round_enclosure

if TYPE_CHECKING:
    from numpy.typing import NDArray

__all__ = [
    "ENGINES",
    "Engine",
    "Lanes",
    "by_reference",
    "checked_engine",
    "chosen_engine",
    "enclosure",
    "evaluate",
    "has_kernel",
    "rounded",
    "stats",
]

Engine: TypeAlias = Literal["auto", "numpy", "numba"]
ENGINES: tuple[Engine, ...] = get_args(Engine)
WORTH_COMPILING = 1 << 22  # lanes of a built-in, summed over calls, from which compiling it (1 s) pays for itself
WORTH_CALLING = 2048  # lanes of one call from which a compiled loop is faster

_ASKED: Counter[str] = Counter()
_HALFS_ASKED: Counter[tuple[str, str]] = Counter()
_EVALUATED: Counter[tuple[str, str]] = Counter()
_UNDECIDED: Counter[tuple[str, str]] = Counter()
_LOCK = threading.Lock()


class Lanes(NamedTuple):
    """How many lanes kernels have evaluated, and how many of them they left to the reference."""

    evaluated: int
    undecided: int


def checked_engine(call: str, engine: Any) -> Engine:
    """``engine`` itself; an error where it is unknown or not installed."""
    if engine not in ENGINES:
        raise errors.not_one_of(call, "engine", engine, ENGINES)
    if engine == "numba" and not _can_compile():
        raise errors.missing(f"{call}: engine='numba'", "numba", "fast")
    return engine  # type: ignore[no-any-return]


def _can_compile() -> bool:
    from clmath.engines import compiled

    return compiled.available()


def chosen_engine(call: str, engine: Any, name: str, lanes: int) -> Engine:
    """The engine for a call of ``lanes`` lanes of ``name``: auto compiles once a built-in has been asked for enough."""
    if checked_engine(call, engine) != "auto":
        return engine  # type: ignore[no-any-return]
    with _LOCK:
        _ASKED[name] += lanes
        worth = _ASKED[name] >= WORTH_COMPILING and lanes >= WORTH_CALLING
    return "numba" if worth and _can_compile() else "numpy"


def has_kernel(name: str, form: Format) -> bool:
    """Whether ``name`` is evaluated by kernels in ``form``: half and float have them, double asks the reference."""
    return form is not DOUBLE and kernels.parts(name) is not None


def stats() -> dict[tuple[str, str], Lanes]:
    """How many lanes kernels have evaluated in this process, and how many of these they left to the reference.

    By (built-in, format), for those asked so far. Double is not among them: it asks the reference for every lane.

    >>> _ = clmath.exp(np.linspace(-1, 1, 1000, dtype=np.float32))
    >>> evaluated, undecided = stats()["exp", "float"]
    >>> evaluated >= 1000, undecided / evaluated < 1e-3
    (True, True)
    """
    with _LOCK:
        return {key: Lanes(count, _UNDECIDED[key]) for key, count in _EVALUATED.items()}


def evaluate(engine: Engine, name: str, form: Format, mode: Rounding, *args: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Round every result of the built-in ``name`` correctly, for one block of half or float lanes."""
    if form is HALF and len(args) == 1 and _worth_a_table(name, mode, args[0].size):
        codes = args[0].view(np.uint16)
        return tuple(table.take(codes) for table in _half_table(name, mode))
    return _by_kernels(engine, name, form, mode, args)


def _worth_a_table(name: str, mode: Rounding, lanes: int) -> bool:
    """Whether a built-in has been asked for as many halfs as there are."""
    with _LOCK:
        _HALFS_ASKED[name, mode] += lanes
        return _HALFS_ASKED[name, mode] >= 1 << HALF.width


@functools.cache
def _half_table(name: str, mode: Rounding) -> tuple[NDArray[Any], ...]:
    """The results of a built-in of one argument for every half, by encoding: 128 KiB each."""
    every = np.arange(1 << HALF.width, dtype=np.uint32).astype(np.uint16).view(np.float16)
    return _by_kernels("numpy", name, HALF, mode, (every,))


def _by_kernels(
    engine: Engine, name: str, form: Format, mode: Rounding, args: tuple[NDArray[Any], ...]
) -> tuple[NDArray[Any], ...]:
    parts = kernels.parts(name)
    assert parts is not None
    found = [rounded(part, form, mode, args, engine) for part in parts]
    undecided = np.flatnonzero(np.logical_or.reduce([u for _, u in found]))
    results = [values for values, _ in found]
    with _LOCK:
        _EVALUATED[name, form.name] += args[0].size
        _UNDECIDED[name, form.name] += undecided.size
    if undecided.size:
        truth = by_reference(name, form, mode, *(a[undecided] for a in args))
        for values, exact in zip(results, truth, strict=True):
            values[undecided] = exact
    return tuple(results)


def by_reference(name: str, form: Format, mode: Rounding, *args: NDArray[Any]) -> tuple[NDArray[Any], ...]:
    """Round every result of the built-in ``name`` correctly, for one block of lanes, asking the reference."""
    from clmath import reference

    values = reference.enclose(name, args, form)
    return tuple(v if isinstance(v, np.ndarray) else round_enclosure(v, form, mode)[0] for v in values)


def rounded(
    part: str, form: Format, mode: Rounding, args: tuple[NDArray[Any], ...], engine: Engine
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    """One result of a built-in, the enclosures' middles rounded, with the lanes whose ends round apart."""
    if part in kernels.INTEGER_PARTS:
        whole = kernels.INTEGER_PARTS[part](*args)
        return whole, np.zeros(whole.shape, np.bool_)
    _keep_freed_memory()
    values, close = (_compiled if engine == "numba" else _vectorised)(part, form, mode, args)
    lanes = np.flatnonzero(close)
    if lanes.size:
        close[lanes] = _ends_apart(*enclosure(part, tuple(a[lanes] for a in args), engine), form, mode)
    return values, close


def _ends_apart(value: NDArray[Any], err: NDArray[Any], form: Format, mode: Rounding) -> NDArray[np.bool_]:
    """Which enclosures close to a boundary are undecided."""
    below, above = narrow(value - err, form, mode), narrow(value + err, form, mode)
    apart: NDArray[np.bool_] = (form.bits(below) != form.bits(above)) & (err > 0.0)
    return apart


@functools.cache
def _keep_freed_memory() -> None:
    """Have glibc keep the temporaries of a block for the next: returning them to the system doubles a kernel's time.

    Freeing one mapped allocation of 16 MiB, which is never touched, raises its threshold for giving back to 32 MiB.
    """
    np.empty(1 << 24, np.uint8)


def _vectorised(
    part: str, form: Format, mode: Rounding, args: tuple[NDArray[Any], ...]
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    value, err = enclosure(part, args, "numpy")
    close = close_to_float(value, err) if form is FLOAT else close_to_half(value, err)
    return narrow(value, form, mode), close


def _compiled(
    part: str, form: Format, mode: Rounding, args: tuple[NDArray[Any], ...]
) -> tuple[NDArray[Any], NDArray[np.bool_]]:
    loops = _loops(part, len(args))
    codes = np.empty(args[0].shape, form.bits_dtype)
    close = np.empty(args[0].shape, np.bool_)
    loop = loops.float_loop if form is FLOAT else loops.half_loop
    loop(*(_compilable(a) for a in args), codes, close, MODE_NUMBERS[mode])
    return codes.view(form.dtype), close


def _loops(part: str, count: int) -> Any:
    from clmath.engines import compiled

    family = kernels.family_of(part)
    assert family is not None
    return compiled.loops(family, part, count)


def _compilable(array: NDArray[Any]) -> NDArray[Any]:
    """Numba knows no half: it is widened to float, exactly."""
    return np.ascontiguousarray(array, np.float32 if array.dtype == np.float16 else None)


def enclosure(part: str, args: tuple[NDArray[Any], ...], engine: Engine) -> tuple[NDArray[Any], NDArray[Any]]:
    """(value, err) of one kernel on a block of half, float or int lanes."""
    if engine != "numba":
        value, err = kernels.kernel(part)(*(a.astype(np.float64) for a in args))
        return value, err
    value, err = np.empty(args[0].shape), np.empty(args[0].shape)
    _loops(part, len(args)).enclosure_loop(*(_compilable(a) for a in args), value, err)
    return value, err
