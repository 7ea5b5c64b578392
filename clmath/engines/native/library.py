"""Find the compiled libraries, choose one that the processor can run, and call it."""

from __future__ import annotations

import ctypes
import functools
import os
import sys
from typing import TYPE_CHECKING, TypeVar

import numpy as np

from clmath import errors
from clmath.engines.native.sources import Package
from clmath.kernels import PHASES
from clmath.numbers.datatypes import declared
from clmath.numbers.formats import FORMATS
from clmath.numbers.rounded_encodings import MODE_NUMBERS
from clmath.spec.builtins import builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping, Sequence
    from pathlib import Path

    from numpy.typing import NDArray

    from clmath.engines.protocol import Values
    from clmath.kernels import Kernel
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

Loaded = TypeVar("Loaded", bound="FittingLibrary")

PACKAGE = Package("clmath/engines/native")
LEVELS: Mapping[str, tuple[str, ...]] = {"x86_64": ("v4", "v3", "v2"), "aarch64": ("v8",)}  # the best first
_MACHINES = {"amd64": "x86_64", "arm64": "aarch64"}
_SUFFIXES = {"win32": ".dll", "darwin": ".dylib"}


def operands(arrays: Sequence[Values]) -> ctypes.Array[ctypes.c_int64]:
    """Return the address and the step in bytes of each one-dimensional array, as the library's functions take them."""
    numbers: list[int] = []
    for array in arrays:
        numbers += address(array), array.strides[0]
    return (ctypes.c_int64 * len(numbers))(*numbers)


def address(array: Values) -> int:
    """Return the address of the first element."""
    found: int = array.__array_interface__["data"][0]
    return found


def machine() -> str:
    """Return the architecture of this processor by its name in ``LEVELS``."""
    if hasattr(os, "uname"):
        name = os.uname().machine
    else:
        name = os.environ.get("PROCESSOR_ARCHITECTURE", "").lower()
    return _MACHINES.get(name, name)


def file_name(level: str, on: str = "", system: str = sys.platform) -> str:
    """Return the file name of the library of ``level``: here, or ``on`` another machine and system."""
    return f"{on or machine()}_{level}{_SUFFIXES.get(system, '.so')}"


class FittingLibrary:
    """A loaded library; OSError if ``path`` is not a library for this system. ``level``: its target.

    ``fits``: whether this processor runs it.
    """

    def __init__(self, path: Path, level: str) -> None:
        self._loaded = ctypes.CDLL(str(path))
        self.level, self.machine = level, machine()
        self.fits = bool(self._loaded.clmath_fits())

    def names(self, symbol: str) -> list[str]:
        """Return the names that the text ``symbol`` of the library lists."""
        return ctypes.string_at(ctypes.addressof(ctypes.c_char.in_dll(self._loaded, symbol))).decode().split()


class Library(FittingLibrary):
    """The loaded library of kernels, with their numbers in it, and of whole built-ins, with their numbers by label."""

    def __init__(self, path: Path, level: str) -> None:
        super().__init__(path, level)
        loaded, number, pointer = self._loaded, ctypes.c_int64, ctypes.c_void_p
        self.kernels = {_kernel(label): number for number, label in enumerate(self.names("clmath_kernels"))}
        loaded.clmath_rounded.restype, loaded.clmath_rounded.argtypes = number, [number] * 4 + [pointer] * 3
        loaded.clmath_enclosures.restype, loaded.clmath_enclosures.argtypes = None, [number] * 3 + [pointer] * 2
        self.wholes: Mapping[str, int] = {}
        if hasattr(loaded, "clmath_whole"):  # not in libraries of tests
            self.wholes = {label: number for number, label in enumerate(self.names("clmath_wholes"))}
            loaded.clmath_whole.restype, loaded.clmath_whole.argtypes = number, [number] * 2 + [pointer] * 3

    def address(self, symbol: str) -> int:
        """Return the address of a function: as the loop of a ufunc, or as an ``Enclose`` of kernel.h."""
        return ctypes.cast(getattr(self._loaded, symbol), ctypes.c_void_p).value or 0

    def numbers(self, kernel: Kernel, form: Format, mode: Rounding) -> tuple[int, int, int]:
        """Return the numbers by which the library knows a kernel, a format and a mode."""
        return self.kernels[kernel], FORMATS.index(form), MODE_NUMBERS[mode]

    def rounded(
        self, kernel: Kernel, form: Format, mode: Rounding, args: Sequence[Values], targets: Sequence[Values]
    ) -> NDArray[np.int64]:
        """Round every result of a kernel into ``targets``; return the undecided elements."""
        undecided = np.empty(args[0].size, np.int64)
        where = operands(args), operands(targets), address(undecided)
        return undecided[: self._loaded.clmath_rounded(*self.numbers(kernel, form, mode), args[0].size, *where)]

    def evaluate(self, label: str, args: Sequence[Values], targets: Sequence[Values]) -> NDArray[np.int64]:
        """Store every result of a whole built-in for arrays of one axis; return the elements left."""
        left = np.empty(args[0].size, np.int64)
        where = operands(args), operands(targets), address(left)
        return left[: self._loaded.clmath_whole(self.wholes[label], args[0].size, *where)]

    def enclosures(self, kernel: Kernel, args: Sequence[Values], *, closer: int = 0) -> list[Values]:
        """Return the parts of the enclosures of every result of a kernel.

        ``closer``: 1 for its one result with exact results found, 2 for narrower enclosures if a function makes them.
        """
        kinds = [np.int64 if part == "exponent" else np.float64 for part in kernel.parts]
        found = [np.empty(args[0].shape, kind) for kind in kinds * kernel.results]
        pointers = (ctypes.c_void_p * len(found))(*map(address, found))
        self._loaded.clmath_enclosures(self.kernels[kernel], closer, args[0].size, operands(args), pointers)
        return found


def _kernel(label: str) -> Kernel:
    phase, _, name = label.partition("_")
    return PHASES[phase].kernels[name]


@functools.cache
def dtypes(kernel: Kernel) -> tuple[np.dtype, ...]:
    """Return the types of a kernel's arguments: the widest format of its phase, or integers."""
    widest = PHASES[kernel.phase].widest.dtype
    if PHASES[kernel.phase].kernels.get(kernel.name) != kernel:
        return (widest,)
    return tuple(declared(p.type, widest) for p in builtin(kernel.name).inputs)


def installed() -> Library | None:
    """Return the best library of the installation that this processor can run; None without."""
    return best(PACKAGE, Library)


def best(package: Package, load: Callable[[Path, str], Loaded]) -> Loaded | None:
    """Return the best library of ``package`` that this processor can run; None without, or if it is stale."""
    return None if package.is_stale() else next(loadable(package, load), None)


def libraries() -> Iterator[Library]:
    """Load the libraries that this processor can run, stale or not, the best first."""
    return loadable(PACKAGE, Library)


def loadable(package: Package, load: Callable[[Path, str], Loaded]) -> Iterator[Loaded]:
    """Load the libraries of ``package`` that this processor can run, stale or not, the best first.

    ``load`` makes one from its path and level.
    """
    for level in LEVELS.get(machine(), ()):
        path = package.built / file_name(level)
        try:
            library = load(path, level) if path.exists() else None
        except (OSError, AttributeError, KeyError):  # of another system, or older than this
            continue
        if library is not None and library.fits:
            yield library


def _trouble() -> str:
    """Return the reason why no processor can use the libraries; empty without one."""
    if not any(PACKAGE.built.glob(f"{machine()}_*")):
        return f"this installation has none for {machine()}: it was built elsewhere, or where no C compiler works"
    return "the kernels have changed since it was compiled" if PACKAGE.is_stale() else ""


def absent(call: str) -> errors.MissingDependencyError:
    """The error of a ``call`` that needs the library."""
    fact = _trouble() or "this processor, or this system, runs none that there is"
    return errors.MissingDependencyError(
        f"{call} needs the compiled kernels of clmath, and {fact}; where ziglang, clang or gcc is installed, "
        "'pip install -e .' compiles them in a clone"
    )
