"""Compiles the loops of a kernel when they are first called, from any thread, and keeps them on disk."""

from __future__ import annotations

import importlib
import threading
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.engines.locks import BUILDING, once
from clmath.engines.numba import cache
from clmath.engines.numba.loops import (
    FORMS,
    kernel_loops,
    kernel_module,
    rounding_loops,
    rounding_module,
)
from clmath.engines.numba.screens import screen_loops, screen_module
from clmath.numbers import lanes
from clmath.stopping import postponed

if TYPE_CHECKING:
    from collections.abc import Callable, Hashable, Sequence
    from pathlib import Path
    from types import ModuleType

    from numpy.typing import NDArray

    from clmath.kernels import Kernel

__all__ = ["run", "screened"]

_OPTIONS: Any = {"forceinline": True, "error_model": "numpy"}  # LLVM vectorises a loop only when all of it is inlined
SCREENING = ("clmath.numbers.lane_errors", "clmath.numbers.lane_rounding")  # that the templates import as well
_SCREEN = "screen_loop"
_READY: dict[tuple[Hashable, ...], Callable[..., Any]] = {}  # compiled, by kernels, loop and types of its arguments
_CACHE_FAILED = threading.Event()  # this process then compiles for itself


def run(kernel: Kernel, loop: str, args: Sequence[NDArray[Any]], *rest: Any) -> Any:
    """Call ``loop`` of the compiled module of ``kernel`` with ``args``, its contiguous arguments, and ``rest``.

    The first call for arguments of these types compiles the loop or loads it from the cache; other threads wait.
    """
    return _function((kernel,), loop, len(args), (*args, *rest))(*args, *rest)


def screened(kernels: tuple[Kernel, ...], x: NDArray[Any], *rest: Any) -> Any:
    """Call the loop that screens results of ``kernels`` in the same way."""
    return _function(kernels, _SCREEN, 1, (x, *rest))(x, *rest)


def _function(kernels: tuple[Kernel, ...], loop: str, count: int, given: tuple[Any, ...]) -> Callable[..., Any]:
    """``loop``, compiled; ``given``: its ``count`` arguments, and the rest."""
    key = (kernels, loop, *[a.dtype for a in given[:count]])
    function = _READY.get(key)
    if function is None:
        with BUILDING:
            function = _READY.get(key) or _READY.setdefault(key, _ready(kernels, loop, count, given))
    return function


def _ready(kernels: tuple[Kernel, ...], loop: str, count: int, sample: tuple[Any, ...]) -> Callable[..., Any]:
    """``loop`` compiled for arguments of the types of ``sample``; without the cache where that fails."""
    _import_numba()
    place = None if _CACHE_FAILED.is_set() else cache.folder()
    try:
        return _compiled(_module(kernels, loop, count, place), loop, sample)
    except Exception:  # a damaged file raises whatever pickle makes of it, a full disk OSError
        if place is None:
            raise
    _CACHE_FAILED.set()
    forms = [rounding_module(form, wide=kernel.is_wide) for kernel in kernels for form in FORMS[kernel.rung]]
    for name in (screen_module(kernels), *map(kernel_module, kernels), *forms):
        cache.forget(name, place)
    return _compiled(_module(kernels, loop, count, None), loop, sample)


def _module(kernels: tuple[Kernel, ...], loop: str, count: int, place: Path | None) -> ModuleType:
    """That in which ``loop`` stands."""
    of_kernels = [_loops(kernel, count, place) for kernel in kernels]
    return _screen_loops(kernels, place) if loop == _SCREEN else of_kernels[0]


@once
def _import_numba() -> None:
    """Import Numba whole: where Ctrl-C stops its import, Python removes the package and keeps parts of it.

    Numba imports the rest when it compiles for the first time, and does not recover where that is stopped.
    """
    with postponed():
        from numba import njit

        njit("float64(float64)")(lambda x: x)


def _compiled(loops: ModuleType, loop: str, sample: tuple[Any, ...]) -> Callable[..., Any]:
    from numba import typeof

    function: Any = getattr(loops, loop)
    function.compile(tuple(map(typeof, sample)))
    return function  # type: ignore[no-any-return]


@once
def _loops(kernel: Kernel, count: int, place: Path | None) -> ModuleType:
    """The module of the loops of one kernel with ``count`` arguments, cached in ``place``."""
    _register_primitives()
    _register_lane_functions(kernel.module)
    for form in FORMS[kernel.rung]:
        _rounding_loops(form, kernel.is_wide, place)
    return cache.module(kernel_module(kernel), kernel_loops(kernel, count, cached=place is not None), place)


@once
def _screen_loops(kernels: tuple[Kernel, ...], place: Path | None) -> ModuleType:
    """The module that screens results of ``kernels``, whose own modules it imports."""
    return cache.module(screen_module(kernels), screen_loops(kernels, cached=place is not None), place)


@once
def _rounding_loops(form: str, wide: bool, place: Path | None) -> None:
    """Import what the loops of kernels, ``wide`` ones or the others, import to round to ``form``."""
    text = rounding_loops(form, wide=wide, cached=place is not None)
    cache.module(rounding_module(form, wide=wide), text, place)


def _register_lane_functions(module: str) -> None:
    """Make every lane function compilable that loops call: those of the module of a kernel, and of what screens."""
    from numba.extending import register_jitable

    for needed in (module, *SCREENING):
        importlib.import_module(needed)
    while lanes.LANE_FUNCTIONS:
        register_jitable(**_OPTIONS)(lanes.LANE_FUNCTIONS[-1])
        lanes.LANE_FUNCTIONS.pop()  # only now: what is interrupted is registered by the next call


@once
def _register_primitives() -> None:
    """Give the primitives of ``lanes`` their scalar meaning."""
    from numba.extending import overload

    from clmath.engines.numba import llvm

    scalar: dict[Any, Any] = {
        lanes.select: lambda condition, yes, no: lambda condition, yes, no: yes if condition else no,
        lanes.take: lambda table, index: lambda table, index: table[min(max(index, 0), len(table) - 1)],
        lanes.bits: lambda x: lambda x: np.float64(x).view(np.int64),
        lanes.from_bits: lambda i: lambda i: np.int64(i).view(np.float64),
        lanes.float_bits: lambda x: lambda x: np.int64(np.float32(x).view(np.int32)),
        lanes.from_float_bits: lambda i: lambda i: np.float64(np.int32(i).view(np.float32)),
        lanes.integer: lambda x: lambda x: np.int64(x),
        lanes.real: lambda i: lambda i: np.float64(i),
        lanes.clamp: lambda x, low, high: lambda x, low, high: low if x < low else (high if x > high else x),  # noqa: FURB136
        lanes.lesser: lambda a, b: lambda a, b: a if a < b else b,  # noqa: FURB136  (min and max are slower)
        lanes.greater: lambda a, b: lambda a, b: b if a < b else a,  # noqa: FURB136
        lanes.sqrt: lambda x: lambda x: np.sqrt(x),
        lanes.polynomial: lambda x, coefficients: _polynomial(len(coefficients)),
        lanes.piecewise: lambda t, piece, tables: _piecewise(len(tables)),
    }
    if llvm.has_fma():  # two instructions instead of seventeen, and the same bits: both are exact
        scalar[lanes.two_product] = lambda a, b: lambda a, b: (a * b, llvm.fma(a, b, -(a * b)))
    else:
        lanes.lane(lanes.two_product)
    for primitive, meaning in scalar.items():
        overload(primitive, jit_options=_OPTIONS)(meaning)


def _polynomial(count: int) -> Any:
    """Horner's rule from the constant term inward: a loop over the tuple would keep LLVM from vectorising."""
    if count == 1:
        return lambda x, coefficients: coefficients[0]
    return lambda x, coefficients: lanes.polynomial(x, coefficients[1:]) * x + coefficients[0]


def _piecewise(count: int) -> Any:
    """The same for ``lanes.piecewise``."""
    if count == 1:
        return lambda t, piece, tables: lanes.take(tables[0], piece)
    return lambda t, piece, tables: lanes.piecewise(t, piece, tables[1:]) * t + lanes.take(tables[0], piece)
