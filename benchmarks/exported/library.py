"""Export a library, compile its files, and call its functions on arrays."""

from __future__ import annotations

import ctypes
import shlex
import subprocess
from concurrent.futures import ThreadPoolExecutor
from typing import TYPE_CHECKING

import numpy as np

from clmath import export, phases
from clmath.engines import choice
from clmath.export.functions import FORMS, Function
from clmath.numbers.formats import format_named, format_of
from clmath.numbers.rounding import MODES

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from pathlib import Path

    from clmath.numbers.rounding import Rounding

__all__ = ["compiled", "dtypes", "expected", "exported", "on_arrays", "words"]

OPTIONS = ("-std=c11", "-O3", "-fno-math-errno", "-shared", "-fPIC")
CALL = "benchmarks.exported"


def exported(folder: Path, names: str, types: str, language: str) -> list[Function]:
    """Write a library in ``language`` to ``folder`` and return its functions."""
    asked = export.request_of(CALL, names, types, language)
    export.write(export.files(asked), folder, CALL, force=True)
    return [Function(row, form) for row, form in asked.functions]


def compiled(folder: Path, names: Sequence[str], compiler: str, workers: int) -> dict[str, Path]:
    """Compile each built-in in ``folder`` to a shared library, unless there is one, and return the files."""

    def one(name: str) -> Path:
        made = folder / f"{name}.so"
        if made.exists():
            return made
        command = [*shlex.split(compiler), *OPTIONS, f"clmath_{name}.c", "-o", made.name, "-lm"]
        subprocess.run(command, cwd=folder, check=True)  # noqa: S603 - the requested compiler
        return made

    with ThreadPoolExecutor(workers) as pool:
        return dict(zip(names, pool.map(one, names), strict=True))


def dtypes(function: Function) -> tuple[list[np.dtype], list[np.dtype]]:
    """Return the dtypes of arguments and of results."""
    known = {"int": np.dtype(np.int32)} | {type: format_named(name).dtype for type, name in FORMS.items()}
    found = [[known[type] for type, _ in some] for some in (function.inputs, function.outputs)]
    return found[0], found[1]


def on_arrays(library: ctypes.CDLL, function: Function, mode: Rounding) -> Callable[..., int]:
    """Return a library's array function: it takes arguments and results, and returns the number of undecided ones."""
    call = getattr(library, f"{function.name}_array")
    call.restype = ctypes.c_size_t
    number = ctypes.c_int(MODES.index(mode))
    none = ctypes.c_void_p(None), ctypes.c_size_t(0)

    def of(*arrays: np.ndarray) -> int:
        pointers = [ctypes.c_void_p(array.ctypes.data) for array in arrays]
        return int(call(ctypes.c_size_t(arrays[0].size), *pointers, number, *none))

    return of


def expected(function: Function, mode: Rounding) -> Callable[[Sequence[np.ndarray], Sequence[np.ndarray]], None]:
    """Return a function that stores clmath's own results, by the native engine if it is available."""
    return phases.step(function.row.name, function.form, mode, choice.NATIVE)


def words(array: np.ndarray) -> np.ndarray:
    """Return results as encodings."""
    form = format_of(array.dtype)
    return array if form is None else form.bits(array)
