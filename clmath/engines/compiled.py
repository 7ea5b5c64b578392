"""The Numba engine: every kernel and its rounding in one compiled call, cached on disk under the kernels' digest."""

from __future__ import annotations

import functools
import hashlib
import importlib
import importlib.util
import os
import sys
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors, kernels
from clmath.engines import lanes
from clmath.engines.loops import kernel_loops, rounding_loops, rounding_module
from clmath.spec import files

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["available", "loops"]

_PACKAGE = Path(__file__).resolve().parent.parent
_OPTIONS: Any = {"forceinline": True, "error_model": "numpy"}  # LLVM vectorises a loop only when all of it is inlined


@functools.cache
def available() -> bool:
    """Whether Numba is installed."""
    return importlib.util.find_spec("numba") is not None


@functools.cache
def loops(kernel: str, count: int) -> ModuleType:
    """The module of compiled loops of one kernel with ``count`` arguments; compiled on the first call of each loop."""
    if not available():
        raise errors.missing("engine='numba'", "numba", "fast")
    _register_primitives()
    family = kernels.family_of(kernel)
    assert family is not None
    _register_lane_functions(family)
    _import_rounding()
    return _imported(f"clmath_loops_{family}_{kernel}", kernel_loops(kernel, count))


@functools.cache
def _import_rounding() -> None:
    """Import what the loops of every kernel import."""
    for form in ("float", "half"):
        _imported(rounding_module(form), rounding_loops(form))


def _imported(name: str, text: str) -> ModuleType:
    """Write ``text`` where Numba can cache beside it, and import it."""
    file = _cache_folder() / f"{name}.py"
    if not file.exists() or file.read_text(encoding="utf-8") != text:
        scratch = file.with_suffix(f".{os.getpid()}")
        scratch.write_text(text, encoding="utf-8")
        scratch.replace(file)  # atomic: another process may be reading
    spec = importlib.util.spec_from_file_location(name, file)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)
    return module


@functools.cache
def _cache_folder() -> Path:
    """A folder of this version of the kernels: a changed kernel, table, Numba or NumPy compiles anew."""
    base = os.environ.get("CLMATH_CACHE_DIR") or os.environ.get("XDG_CACHE_HOME") or "~/.cache"
    folder = Path(base).expanduser() / "clmath" / _digest()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        (folder / ".writable").touch()
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix="clmath-"))
    return folder


def _digest() -> str:
    import numba

    sources = [*(_PACKAGE / "engines").glob("*.py"), *(_PACKAGE / "kernels").glob("*.py")]
    sources += files.path("kernels").glob("*.toml")
    total = hashlib.sha256(f"{sys.version} {np.__version__} {numba.__version__}".encode())
    for source in sorted(sources):
        total.update(source.read_bytes())
    return total.hexdigest()[:16]


def _register_lane_functions(family: str) -> None:
    """Make every lane function known so far compilable; importing the family defines the kernel's own."""
    from numba.extending import register_jitable

    importlib.import_module(f"clmath.kernels.{family}")
    while lanes.LANE_FUNCTIONS:
        register_jitable(**_OPTIONS)(lanes.LANE_FUNCTIONS.pop())


@functools.cache
def _register_primitives() -> None:
    """Give the primitives of ``lanes`` their scalar meaning."""
    from numba.extending import overload

    from clmath.engines import llvm

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
        lanes.polynomial: lambda x, coefficients: _unrolled(len(coefficients), "x, coefficients", "coefficients[{}]"),
        lanes.piecewise: lambda t, piece, tables: _unrolled(len(tables), "t, piece, tables", "take(tables[{}], piece)"),
    }
    if llvm.has_fma():  # two instructions instead of seventeen, and the same bits: both are exact
        scalar[lanes.two_product] = lambda a, b: lambda a, b: (a * b, llvm.fma(a, b, -(a * b)))
    else:
        lanes.lane(lanes.two_product)
    for primitive, meaning in scalar.items():
        overload(primitive, jit_options=_OPTIONS)(meaning)


def _unrolled(count: int, parameters: str, coefficient: str) -> Any:
    """Horner's rule in the first parameter written out: a loop over a tuple would keep LLVM from vectorising."""
    variable = parameters.split(",", maxsplit=1)[0]
    last = count - 1
    terms = "".join(f" * {variable} + {coefficient.format(i)})" for i in range(last - 1, -1, -1))
    source = f"lambda {parameters}: {'(' * last}{coefficient.format(last)}{terms}"
    return eval(source, {"take": lanes.take})  # noqa: S307  (our own text)
