"""Every public name of clmath, to which the package delegates on first use."""

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
)
from clmath.functions import (
    accuracy,
    common,
    conversion,
    copies,
    geometric,
    groups,
    image,
    integer,
    limits,
    math,
    memory,
    operators,
    printf,
    relational,
    sampling,
    swizzles,
)
from clmath.functions import fp16 as half
from clmath.functions.accuracy import *
from clmath.functions.common import *
from clmath.functions.conversion import *
from clmath.functions.copies import *
from clmath.functions.fp16 import *
from clmath.functions.geometric import *
from clmath.functions.groups import *
from clmath.functions.image import *
from clmath.functions.integer import *
from clmath.functions.limits import *
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
from clmath.functions.operators import *
from clmath.functions.printf import *
from clmath.functions.relational import *
from clmath.functions.sampling import *
from clmath.functions.swizzles import *
from clmath.phases import stats
from clmath.pragmas import flush_to_zero, fp_contract, rounding_mode, select_rounding_mode
from clmath.typing import Edition, Format, GroupOperation, Profile, Rounding

__all__ = [
    "ClmathError",
    "DTypeError",
    "Edition",
    "FlushToZeroError",
    "Format",
    "GroupOperation",
    "MissingDependencyError",
    "ProcessorRoundingError",
    "Profile",
    "RangeError",
    "Rounding",
    "RoundingError",
    "ShapeError",
    "TableError",
    "UnknownNameError",
    "flush_to_zero",
    "fp_contract",
    "rounding_mode",
    "select_rounding_mode",
    "stats",
]
__all__ += constants.__all__
__all__ += accuracy.__all__
__all__ += common.__all__
__all__ += conversion.__all__
__all__ += copies.__all__
__all__ += geometric.__all__
__all__ += groups.__all__
__all__ += half.__all__
__all__ += image.__all__
__all__ += integer.__all__
__all__ += limits.__all__
__all__ += math.__all__
__all__ += memory.__all__
__all__ += operators.__all__
__all__ += printf.__all__
__all__ += relational.__all__
__all__ += swizzles.__all__
__all__ += sampling.__all__
