"""The numerics of OpenCL C in NumPy, correctly rounded in every mode.

Every built-in of the specification is a function of its name, with its arguments in its order. Arguments are anything
that NumPy takes for an array; they broadcast, and their dtype is the format: float16 is half, float32 float, float64
double. Conversions and the trigonometric, power, logarithmic and exponential functions take ml_dtypes.bfloat16 as well.
A Python number takes the format of the arrays in the call, a list of them is double. Vectors are a last axis of 2, 3,
4, 8 or 16 lanes; what a built-in returns through a pointer comes last in a tuple. Keyword arguments, where a function
has them:

- ``rounding``: "rte", "rtz", "rtp" or "rtn". None is rte, but for operators and conversions to a floating-point type
  the mode in force, see ``select_rounding_mode``. Formulas by definition, ``mix`` and ``smoothstep`` and, where
  ``fp_contract`` is OFF, ``mad``, ``dot`` and ``cross``, have each of their operations rounded in it.
- ``out``: the array that takes the result, of its shape and dtype; a tuple of arrays for several results.
- ``engine``: what evaluates the kernels: "numpy", "numba" (compiled; ``pip install 'clmath[fast]'``) or "auto", which
  compiles a built-in when it is asked for so many lanes that it pays, and takes single numbers one by one, which is
  faster there. What is compiled is kept in the folder CLMATH_CACHE_DIR, else XDG_CACHE_HOME, else ~/.cache, if it can
  be written to.
- ``threads``: how many threads share the work; they cut the first axis of large arrays. Compiled loops gain by them,
  NumPy's operations and the reference, which hold the interpreter's lock, little or nothing.

Masked arrays, Series and DataFrames of pandas and DataArrays of xarray come back as such, with the masks of all
arguments and the labels, which must be the same for all; pandas' NA and columns of several types are refused. Functions
that move vectors (``vload``, ``shuffle``, ``as_type``) and image channels take plain arrays. Nothing is dropped, copied
from a device or computed by dask without a word: other arrays raise a TypeError that says what to write instead. Arrays
of CuPy, of what speaks DLPack on a CUDA device, and of pyopencl are computed where they lie by the transcendental
functions (``engine`` "auto" or "device"), and stay there.

``ulp_error`` tells how far results are from the exact values, ``limit`` how far the specification lets them be.

``engine`` and ``threads`` decide how fast a result comes, never which. Every NaN that is computed is the canonical one
of its format, quiet, positive and without payload: 0x7e00, 0x7fc00000, 0x7ff8000000000000. ``fabs``, ``copysign``,
``nan`` and what only moves bits (``select``, ``as_type``, loads, stores, shuffles) keep payloads.
Errors derive from ``ClmathError`` and from the TypeError, ValueError or ImportError that Python would raise.

>>> clmath.sin(np.float32([0.5, 1.0]), rounding="rtz")
array([0.47942552, 0.84147096], dtype=float32)
"""

from typing import TYPE_CHECKING, Any

from clmath import constants
from clmath.constants import *
from clmath.errors import (
    ClmathError,
    DTypeError,
    FlushToZeroError,
    MissingDependencyError,
    ProcessorRoundingError,
    RangeError,
    RoundingError,
    ShapeError,
    TableError,
    UnknownNameError,
    no_attribute,
)
from clmath.functions import accuracy, common, conversion, geometric, image, integer, math, memory, relational
from clmath.functions import fp16 as half
from clmath.functions.accuracy import *
from clmath.functions.common import *
from clmath.functions.conversion import *
from clmath.functions.fp16 import *
from clmath.functions.geometric import *
from clmath.functions.image import *
from clmath.functions.integer import *
from clmath.functions.math.comparison import *
from clmath.functions.math.exponential import *
from clmath.functions.math.floating_point import *
from clmath.functions.math.half import *
from clmath.functions.math.logarithmic import *
from clmath.functions.math.native import *
from clmath.functions.math.operators import *
from clmath.functions.math.other import *
from clmath.functions.math.power import *
from clmath.functions.math.trigonometric import *
from clmath.functions.memory import *
from clmath.functions.relational import *
from clmath.ladder import stats
from clmath.pragmas import fp_contract, rounding_mode, select_rounding_mode

if TYPE_CHECKING:
    from clmath.functions.spelled import *

__version__ = "0.1.0"

__all__ = [
    "ClmathError",
    "DTypeError",
    "FlushToZeroError",
    "MissingDependencyError",
    "ProcessorRoundingError",
    "RangeError",
    "RoundingError",
    "ShapeError",
    "TableError",
    "UnknownNameError",
    "__version__",
    "fp_contract",
    "rounding_mode",
    "select_rounding_mode",
    "stats",
]
__all__ += constants.__all__
__all__ += accuracy.__all__
__all__ += common.__all__
__all__ += conversion.__all__
__all__ += geometric.__all__
__all__ += half.__all__
__all__ += image.__all__
__all__ += integer.__all__
__all__ += math.__all__
__all__ += memory.__all__
__all__ += relational.__all__

if TYPE_CHECKING:
    from clmath.functions import spelled

    __all__ += spelled.__all__
else:  # a type checker would take every name for granted

    def __getattr__(name: str) -> Any:
        """The spelled names, convert_uchar4_sat_rte and its like, which are loaded when the first one is asked for."""
        known = __all__
        if name.startswith(("convert_", "as_", "vload", "vstore")):
            from clmath.functions import spelled

            if name in spelled.__all__:
                return getattr(spelled, name)
            known = [*known, *spelled.__all__]
        from clmath.spec.synonyms import synonyms

        raise no_attribute("clmath", name, known, synonyms().get(name, ()))


def __dir__() -> list[str]:
    from clmath.functions import spelled

    return sorted({*globals(), *spelled.__all__} - {"Any", "TYPE_CHECKING", "no_attribute"})
