"""The compiled library: where it lies, which one the processor can run, and how it is called."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from clmath import errors
from clmath.engines.native.operands import address, operands
from clmath.engines.native.sources import Note, digest, status
from clmath.engines.native.wholes import Wholes
from clmath.engines.ufuncs import Loop
from clmath.kernels import FAST, PHASES
from clmath.numbers.datatypes import declared
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from clmath.engines.native.screens import Screens
    from clmath.engines.protocol import Values
    from clmath.engines.ufuncs import Decide, Types
    from clmath.kernels import Kernel

__all__ = [
    "FOLDER",
    "LEVELS",
    "Library",
    "absent",
    "dtypes",
    "file_name",
    "installed",
    "libraries",
    "machine",
]

FOLDER = Path(__file__).parent / "built"
SCREENING = "screening"  # what labels begin with of kernels of one float by which nothing is evaluated on the host
LEVELS: Mapping[str, tuple[str, ...]] = {"x86_64": ("v4", "v3", "v2"), "aarch64": ("v8",)}  # the best first
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_SUFFIXES = {"win32": ".dll", "darwin": ".dylib"}


def machine() -> str:
    """The architecture of this processor as ``LEVELS`` calls it."""
    if hasattr(os, "uname"):
        name = os.uname().machine
    else:
        name = os.environ.get("PROCESSOR_ARCHITECTURE", "").lower()
    return _MACHINES.get(name, name)


def file_name(level: str, on: str = "", system: str = sys.platform) -> str:
    """What the library of ``level`` is called: here, or ``on`` another machine and system."""
    return f"{on or machine()}_{level}{_SUFFIXES.get(system, '.so')}"


class Library:
    """A loaded library; OSError where ``path`` is none for this system. ``level``: what it is compiled for."""

    def __init__(self, path: Path, level: str) -> None:
        loaded = ctypes.CDLL(str(path))
        self.level, self.machine = level, machine()
        self.fits = bool(loaded.clmath_fits())
        names = ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(loaded, "clmath_kernels"))).decode().split()
        self._numbers = {label: number for number, label in enumerate(names)}
        evaluated = [_kernel(label) for label in names if not label.startswith(SCREENING)]
        self.kernels = {kernel: _Compiled(number, dtypes(kernel)) for number, kernel in enumerate(evaluated)}
        number, pointer = ctypes.c_int64, ctypes.c_void_p
        self._rounded = loaded.clmath_rounded
        self._rounded.restype, self._rounded.argtypes = number, [number] * 4 + [pointer] * 3
        self._enclosures = loaded.clmath_enclosures
        self._enclosures.restype, self._enclosures.argtypes = None, [number] * 3 + [pointer] * 2
        self._loaded = loaded
        self.wholes = Wholes(loaded)
        self._ufunc_loop = ctypes.cast(loaded.clmath_loop, ctypes.c_void_p).value or 0

    def ufunc_loop(self, numbers: tuple[int, int, int], types: Types, decide: Decide) -> Loop:
        """Return the loop of a ufunc for a kernel, a format and a mode by their ``numbers``."""
        return Loop.of(self._ufunc_loop, numbers, types, decide, halves_as_floats=True)

    def rounded(
        self, number: int, form: int, mode: int, args: Sequence[Values], targets: Sequence[Values]
    ) -> NDArray[np.int64]:
        """Round every result of a kernel into ``targets``, of a format and in a mode by number; undecided lanes."""
        count = args[0].size
        undecided = np.empty(count, np.int64)
        where = operands(args), operands(targets), address(undecided)
        return undecided[: self._rounded(number, form, mode, count, *where)]

    @functools.cached_property
    def screened(self) -> Screens:
        """What screens results in float by kernels, which audits alone need."""
        from clmath.engines.native.screens import Screens

        return Screens(self._loaded)

    def screening(self, kernels: Sequence[Kernel]) -> list[int] | None:
        """The numbers of ``kernels``, which take one float, for ``screened``; None where one of them is missing."""
        if not hasattr(self._loaded, "clmath_screened"):
            return None
        found = [self._screening(kernel) for kernel in kernels]
        numbers = [number for number in found if number is not None]
        return numbers if len(numbers) == len(found) else None

    def _screening(self, kernel: Kernel) -> int | None:
        if kernel.phase != FAST.name or dtypes(kernel) != (FAST.widest.dtype,):
            return None
        compiled = self.kernels.get(kernel)
        return self._numbers.get(f"{SCREENING}_{kernel.name}") if compiled is None else compiled.number

    def enclosures(
        self, number: int, args: Sequence[Values], parts: Sequence[Values], *, refined: bool, narrowed: bool = False
    ) -> None:
        """Store the parts of every result of a kernel, or those of its one result with exact results found.

        ``narrowed``: the enclosures made narrower after that, where a function does so.
        """
        pointers = (ctypes.c_void_p * len(parts))(*map(address, parts))
        self._enclosures(number, refined + narrowed, args[0].size, operands(args), pointers)


class _Compiled(NamedTuple):
    """A kernel in a library: its number, and what its arguments hold."""

    number: int
    dtypes: tuple[np.dtype, ...]


def _kernel(label: str) -> Kernel:
    phase, _, name = label.partition("_")
    return PHASES[phase].kernels[name]


def dtypes(kernel: Kernel) -> tuple[np.dtype, ...]:
    """What the arguments of a kernel are given as: numbers of the widest format of its phase, or ints."""
    widest = PHASES[kernel.phase].widest.dtype
    if PHASES[kernel.phase].kernels.get(kernel.name) != kernel:
        return (widest,)
    return tuple(declared(p.type, widest) for p in builtin(kernel.name).inputs)


def installed() -> Library | None:
    """The best library of the installation that this processor can run; None where there is none."""
    return None if _trouble() else next(libraries(), None)


def libraries() -> Iterator[Library]:
    """Those that this processor can run, the best first, whatever they were compiled from."""
    for level in LEVELS.get(machine(), ()):
        path = FOLDER / file_name(level)
        try:
            library = Library(path, level) if path.exists() else None
        except (OSError, AttributeError, KeyError):  # of another system, or older than this
            continue
        if library is not None and library.fits:
            yield library


def _trouble() -> str:
    """Why libraries cannot be used whatever the processor; empty where they can."""
    if not any(FOLDER.glob(f"{machine()}_*")):
        return f"this installation has none for {machine()}: it was built elsewhere, or where no C compiler works"
    return "the kernels have changed since it was compiled" if _are_stale() else ""


def _are_stale() -> bool:
    """Whether the sources are others than those of the libraries: the files are older or newer, and differ."""
    try:
        note = Note.of(FOLDER)
    except FileNotFoundError:  # nobody changes the files of a wheel
        return False
    return bool(status(row.split()[0] for row in note.status) != note.status and digest() != note.digest)


def absent(call: str) -> errors.MissingDependencyError:
    """The error of a ``call`` that needs the library."""
    fact = _trouble() or "this processor, or this system, runs none that there is"
    return errors.MissingDependencyError(
        f"{call} needs the compiled kernels of clmath, and {fact}; where ziglang, clang or gcc is installed, "
        "'pip install -e .' compiles them in a clone"
    )
