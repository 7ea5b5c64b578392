"""NumPy's own ufuncs as a subject, wherever one computes what a built-in computes."""

from __future__ import annotations

import platform
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.subject import SubjectError
from clmath.audit.subjects.host import Host, checked

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["UFUNCS", "NumPy"]

# not here because they are other functions: np.remainder (floor), np.sign (of NaN), np.maximum (NaN wins), np.round
_SAME = """
    arccos:acos arccosh:acosh arcsin:asin arcsinh:asinh arctan:atan arctan2:atan2 arctanh:atanh cos cosh sin sinh
    tan tanh cbrt power:pow sqrt log log2 log10 log1p exp exp2 expm1 ldexp ceil copysign floor fmod frexp modf
    nextafter rint trunc fmax fmin fabs hypot degrees radians add subtract:sub multiply:mul divide:div reciprocal:recip
""".split()  # noqa: SIM905 - a list literal would fill a page
UFUNCS = {entry.rpartition(":")[2]: entry.partition(":")[0] for entry in _SAME}


class NumPy(Host):
    """The NumPy that is installed."""

    name = "numpy"

    def describe(self) -> dict[str, str]:
        """Version and machine."""
        return {"kind": "numpy", "version": np.__version__, "machine": platform.machine(), "system": platform.system()}

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether NumPy has the function."""
        return row.name in UFUNCS and form in row.formats

    def evaluate(self, row: Builtin, form: Format, args: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
        """Call the ufunc once on all lanes."""
        if not self.defines(row, form):
            raise SubjectError(f"numpy: {row.name}({form}) has no ufunc")
        with np.errstate(all="ignore"):
            return checked(self.name, row, form, args, getattr(np, UFUNCS[row.name])(*args))
