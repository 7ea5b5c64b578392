"""The numerics of OpenCL C in NumPy, correctly rounded in every mode."""

from clmath.errors import (
    ClmathError,
    DTypeError,
    MissingDependencyError,
    RoundingError,
    ShapeError,
    TableError,
    UnknownNameError,
)
from clmath.functions import common, geometric, math
from clmath.functions.common import *
from clmath.functions.geometric import *
from clmath.functions.math import *
from clmath.pragmas import fp_contract, rounding_mode, select_rounding_mode

__version__ = "0.1.0"

__all__ = [
    "ClmathError",
    "DTypeError",
    "MissingDependencyError",
    "RoundingError",
    "ShapeError",
    "TableError",
    "UnknownNameError",
    "__version__",
    "fp_contract",
    "rounding_mode",
    "select_rounding_mode",
]
__all__ += common.__all__
__all__ += geometric.__all__
__all__ += math.__all__
