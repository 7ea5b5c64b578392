"""The numerics of OpenCL C in NumPy, correctly rounded in every mode."""

from typing import TYPE_CHECKING, Any

from clmath import constants
from clmath.constants import *
from clmath.errors import (
    ClmathError,
    DTypeError,
    MissingDependencyError,
    RangeError,
    RoundingError,
    ShapeError,
    TableError,
    UnknownNameError,
)
from clmath.functions import common, conversion, geometric, half, image, integer, math, memory, relational
from clmath.functions.common import *
from clmath.functions.conversion import *
from clmath.functions.geometric import *
from clmath.functions.half import *
from clmath.functions.image import *
from clmath.functions.integer import *
from clmath.functions.math import *
from clmath.functions.memory import *
from clmath.functions.relational import *
from clmath.pragmas import fp_contract, rounding_mode, select_rounding_mode

if TYPE_CHECKING:
    from clmath.functions.spelled import *

__version__ = "0.1.0"

__all__ = [
    "ClmathError",
    "DTypeError",
    "MissingDependencyError",
    "RangeError",
    "RoundingError",
    "ShapeError",
    "TableError",
    "UnknownNameError",
    "__version__",
    "fp_contract",
    "rounding_mode",
    "select_rounding_mode",
]
__all__ += constants.__all__
__all__ += common.__all__
__all__ += conversion.__all__
__all__ += geometric.__all__
__all__ += half.__all__
__all__ += image.__all__
__all__ += integer.__all__
__all__ += math.__all__
__all__ += memory.__all__
__all__ += relational.__all__


if not TYPE_CHECKING:  # which would take every name for granted

    def __getattr__(name: str) -> Any:
        """The spelled names, convert_uchar4_sat_rte and its like, which are loaded when the first one is asked for."""
        if name.startswith(("convert_", "as_", "vload", "vstore")):
            from clmath.functions import spelled

            if name in spelled.__all__:
                return getattr(spelled, name)
        raise AttributeError(f"module 'clmath' has no attribute {name!r}")


def __dir__() -> list[str]:
    from clmath.functions import spelled

    return sorted({*globals(), *spelled.__all__})
