# What type checkers and editors see: __init__.py hands these names on when the first one is asked for.

from clmath.constants import *
from clmath.errors import ClmathError as ClmathError
from clmath.errors import DTypeError as DTypeError
from clmath.errors import FlushToZeroError as FlushToZeroError
from clmath.errors import MissingDependencyError as MissingDependencyError
from clmath.errors import ProcessorRoundingError as ProcessorRoundingError
from clmath.errors import RangeError as RangeError
from clmath.errors import RoundingError as RoundingError
from clmath.errors import ShapeError as ShapeError
from clmath.errors import TableError as TableError
from clmath.errors import UnknownNameError as UnknownNameError
from clmath.functions.accuracy import *
from clmath.functions.aliases import *
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
from clmath.functions.math.forms import *
from clmath.functions.math.logarithmic import *
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
from clmath.phases import stats as stats
from clmath.pragmas import flush_to_zero as flush_to_zero
from clmath.pragmas import fp_contract as fp_contract
from clmath.pragmas import rounding_mode as rounding_mode
from clmath.pragmas import select_rounding_mode as select_rounding_mode
from clmath.typing import Edition as Edition
from clmath.typing import Format as Format
from clmath.typing import GroupOperation as GroupOperation
from clmath.typing import Profile as Profile
from clmath.typing import Rounding as Rounding

__version__: str

def engines() -> dict[str, str]: ...
