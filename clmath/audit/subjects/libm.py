"""The C library of the host as a subject: sin, sinf and the rest, called lane by lane through ctypes."""

from __future__ import annotations

import ctypes
import ctypes.util
import platform
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.subject import SubjectError
from clmath.audit.subjects.host import Host
from clmath.numbers.formats import DOUBLE, FLOAT, Format

if TYPE_CHECKING:
    from collections.abc import Callable

    from numpy.typing import NDArray

    from clmath.spec.builtins import Builtin

__all__ = ["Libm"]

# C17 7.12 under the specification's names, then what C23 and TS 18661 add and only newer libraries have
_SAME = """
    acos acosh asin asinh atan atan2 atanh cos cosh sin sinh tan tanh cbrt pow sqrt ilogb lgamma lgamma_r log log2
    log10 log1p logb exp exp2 expm1 ldexp ceil copysign floor fma fmod frexp modf nextafter remainder remquo rint
    round trunc fdim fmax fmin erf erfc fabs hypot tgamma
    exp10 acospi asinpi atanpi atan2pi cospi sinpi tanpi pown powr rootn rsqrt
""".split()  # noqa: SIM905 - a list literal would fill a page
_C_NAMES = {name: name for name in _SAME} | {"maxmag": "fmaxmag", "minmag": "fminmag"}
POISON = 0x5A5A5A5A
_WIDE_INT = {"pown", "rootn"}  # C23 7.12.7 gives these a long long where OpenCL has an int
_REAL: dict[Format, Any] = {FLOAT: ctypes.c_float, DOUBLE: ctypes.c_double}


class Libm(Host):
    """The host's libm in float and double; the functions it lacks are not audited."""

    name = "libm"

    def __init__(self) -> None:
        self._library = _open()

    def describe(self) -> dict[str, str]:
        """The library's file, its version where it tells, and the machine."""
        return {
            "kind": "libm",
            "library": str(self._library._name),  # noqa: SLF001 - ctypes has no public word for it
            "version": _version(),
            "machine": platform.machine(),
            "system": platform.system(),
        }

    def formats(self) -> tuple[Format, ...]:
        """Two formats, float and double: C has no half functions."""
        return (FLOAT, DOUBLE)

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the library exports the function for ``form``."""
        return form in _REAL and row.name in _C_NAMES and hasattr(self._library, _symbol(row.name, form))

    def evaluate(self, row: Builtin, form: Format, args: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
        """Call the function once a lane."""
        if not self.defines(row, form):
            raise SubjectError(f"libm: {row.name}({form}) is not in {self._library._name}")  # noqa: SLF001
        function = self._function(row, form)
        lanes = zip(*(a.tolist() for a in args), strict=True)
        dtypes = [_dtype(p.type, form) for p in row.outputs]
        if len(dtypes) == 1:
            return (np.array([function(*lane) for lane in lanes], dtypes[0]),)
        cells = [_ctype(row, p.type, form)() for p in row.outputs[1:]]
        pointers = [ctypes.byref(cell) for cell in cells]
        rows = []
        for lane in lanes:
            for cell in cells:
                cell.value = POISON  # a function that does not store is seen, whatever was called before
            rows.append((function(*lane, *pointers), *(cell.value for cell in cells)))
        columns = list(zip(*rows, strict=True)) or [()] * len(dtypes)
        return tuple(np.array(column, dtype) for column, dtype in zip(columns, dtypes, strict=True))

    def _function(self, row: Builtin, form: Format) -> Callable[..., Any]:
        function = getattr(self._library, _symbol(row.name, form))
        function.restype = _ctype(row, row.result, form)
        values = [_ctype(row, p.type, form) for p in row.inputs]
        function.argtypes = values + [ctypes.POINTER(_ctype(row, p.type, form)) for p in row.outputs[1:]]
        return function  # type: ignore[no-any-return]


def _open() -> ctypes.CDLL:
    candidates = [ctypes.util.find_library("m"), "libm.so.6", "libSystem.dylib", "ucrtbase.dll"]
    for candidate in filter(None, candidates):
        try:
            return ctypes.CDLL(candidate)
        except OSError:
            continue
    raise SubjectError("clmath audit: the host's C math library is not found; audit 'numpy' or an OpenCL device")


def _symbol(name: str, form: Format) -> str:
    """lgamma_r is lgammaf_r in float."""
    head, reentrant, _ = _C_NAMES[name].partition("_r")
    return head + ("f" if form == FLOAT else "") + reentrant


def _ctype(row: Builtin, kind: str, form: Format) -> Any:
    if kind == "gentype":
        return _REAL[form]
    return ctypes.c_longlong if row.name in _WIDE_INT else ctypes.c_int


def _dtype(kind: str, form: Format) -> np.dtype[Any]:
    return form.dtype if kind == "gentype" else np.dtype(np.int32)


def _version() -> str:
    name, version = platform.libc_ver()
    return f"{name} {version}".strip() or platform.version()
