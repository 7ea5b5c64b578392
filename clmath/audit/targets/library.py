"""A shared library of C functions as a target: sin, sinf and the rest, called element by element through ctypes."""

from __future__ import annotations

import ctypes
import ctypes.util
import functools
import hashlib
import os
import platform
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np

from clmath.audit.protocol.printable import message_of
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.attempt import restore, taken
from clmath.audit.targets.host import Host
from clmath.audit.targets.names import CFunction, c_function
from clmath.callables import AnyFunction
from clmath.numbers import guard
from clmath.numbers.formats import DOUBLE, FLOAT, Format
from clmath.spec.builtins import Builtin, builtins

POISON = 0x5A5A5A5A
_TYPES: dict[str, type[ctypes.c_float | ctypes.c_double | ctypes.c_int | ctypes.c_longlong]] = {
    "float": ctypes.c_float,
    "double": ctypes.c_double,
    "int": ctypes.c_int,
    "long long": ctypes.c_longlong,
}


class Library(Host):
    """The functions that ``loaded`` exports, in float and double; functions that it lacks are not audited.

    ``pattern``: the pattern of their names, with * for the name in ISO C: 'Sleef_*_u10' has Sleef_sinf_u10. ``own``:
    returns whether a function belongs to the library, and not to another one that it is linked with.
    """

    def __init__(
        self,
        loaded: ctypes.CDLL,
        name: str,
        facts: dict[str, str],
        pattern: str = "*",
        own: Callable[[AnyFunction], bool] = lambda _: True,
    ) -> None:
        self.name = name
        self._library = loaded
        self._facts = facts
        self._pattern = pattern
        self._own = own

    def describe(self) -> dict[str, str]:
        """Return the library's file, its digest or version, and the machine."""
        return {**self._facts, "machine": platform.machine(), "system": platform.system()}

    def formats(self) -> tuple[Format, ...]:
        """Return float and double: C has no half functions."""
        return (FLOAT, DOUBLE)

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the library exports the function for ``form``."""
        declared = c_function(row, form)
        function = getattr(self._library, self._symbol(declared), None) if declared else None
        return function is not None and self._own(function)

    def evaluate(self, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Call the function once per element."""
        declared = c_function(row, form)
        if declared is None or not self.defines(row, form):
            raise TargetError(f"{self.name}: {row.name}({form}) is not in {self._facts['library']}")
        function = getattr(self._library, self._symbol(declared))
        function.restype = None if declared.result == "void" else _TYPES[declared.result]
        stored = [_TYPES[kind] for kind in declared.stored]
        function.argtypes = [*(_TYPES[kind] for kind in declared.values), *map(ctypes.POINTER, stored)]
        calls = zip(*(a.tolist() for a in args), strict=True)
        dtypes = [form.dtype if p.type == "gentype" else np.dtype(np.int32) for p in row.outputs]
        if not stored:
            return (np.array([function(*call) for call in calls], dtypes[0]),)
        cells = [kind() for kind in stored]
        pointers = [ctypes.byref(cell) for cell in cells]
        rows = []
        for call in calls:
            for cell in cells:
                cell.value = POISON  # shows if a function does not store
            returned = function(*call, *pointers)
            rows.append((*(() if function.restype is None else (returned,)), *(cell.value for cell in cells)))
        columns = list(zip(*rows, strict=True)) or [()] * len(dtypes)
        return tuple(np.array(column, dtype) for column, dtype in zip(columns, dtypes, strict=True))

    def _symbol(self, declared: CFunction) -> str:
        return self._pattern.replace("*", declared.name)


def libm() -> Library:
    """Return the host's own C library."""
    candidates = [ctypes.util.find_library("m"), "libm.so.6", "libSystem.dylib", "ucrtbase.dll"]
    for candidate in filter(None, candidates):
        try:
            loaded = ctypes.CDLL(candidate)
        except OSError:
            continue
        return Library(loaded, "libm", {"kind": "libm", "library": candidate, "version": _version()})
    raise TargetError("clmath audit: the host's C math library is not found; audit 'numpy' or an OpenCL device")


def library(text: str, call: str = "clmath audit") -> Library:
    """Return the target of ``text``, PATH or PATH:PATTERN; ClmathError unless it is a library of math functions."""
    path, pattern = _split(text)
    if not path:
        raise TargetError(f"{call}: 'library:' names no file; write library:libm.so.6")
    before = taken()
    try:  # with a slash, the loader looks nowhere else
        loaded = ctypes.CDLL(os.path.abspath(path) if os.path.exists(path) else path)  # noqa: PTH100, PTH110
    except (OSError, ValueError) as error:
        remedy = "name a shared library for this machine"
        if ":" in os.path.basename(path):  # noqa: PTH119 - exactly as written
            remedy += ", and write NAMES with * for the name in C, as in library:libsleef.so:Sleef_*_u10"
        raise TargetError(f"{call}: 'library:{text}' cannot be loaded: {message_of(error)}; {remedy}") from None
    facts = {"kind": "library", "library": path, **_identity(path)}
    if pattern != "*":
        facts["functions"] = pattern
    if guard.flushes() or guard.rounds_otherwise():
        restore(before)
        facts["loading it"] = "changed the processor's mode or flags, which were put back"
    found = Library(loaded, f"library:{text}", facts, pattern, functools.partial(_is_in, path))
    if not any(found.defines(row, form) for row in builtins().values() for form in found.formats()):
        example = pattern.replace("*", "sinf")
        raise TargetError(
            f"{call}: 'library:{text}' exports no function like {example}; 'nm -D {path}' lists what it has:"
            " write library:PATH:PATTERN, with * where sinf stands, as in library:libsleef.so:Sleef_*_u10"
        )
    return found


def _split(text: str) -> tuple[str, str]:
    """Return the path and the pattern, which has a * and no slash."""
    path, colon, pattern = text.rpartition(":")
    return (path, pattern) if colon and "*" in pattern and "/" not in pattern else (text, "*")


class _Place(ctypes.Structure):
    """Dl_info of dladdr: the file and symbol that contain an address."""

    _fields_ = (
        ("file", ctypes.c_char_p),
        ("base", ctypes.c_void_p),
        ("name", ctypes.c_char_p),
        ("address", ctypes.c_void_p),
    )


def _is_in(path: str, function: Any) -> bool:
    """Whether a function lies in the library ``path``; True if the system does not know."""
    dladdr = getattr(ctypes.CDLL(None), "dladdr", None)
    place = _Place()
    if dladdr is None or not dladdr(ctypes.cast(function, ctypes.c_void_p), ctypes.byref(place)) or not place.file:
        return True
    file = Path(os.fsdecode(place.file))
    return file.samefile(path) if Path(path).exists() else file.name == Path(path).name


def _identity(path: str) -> dict[str, str]:
    """Return the digest of the file; empty if ``path`` is a name that the loader looks up."""
    try:
        with Path(path).open("rb") as file:
            return {"sha256": hashlib.file_digest(file, "sha256").hexdigest()}
    except OSError:
        return {}


def _version() -> str:
    name, version = platform.libc_ver()
    return f"{name} {version}".strip() or platform.version()
