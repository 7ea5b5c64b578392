"""Math functions, a module for each section of the chapter, 3.19.2 to 3.19.10, and one for the operators of 4.4."""

from clmath.functions.math import (
    comparison,
    exponential,
    floating_point,
    half,
    logarithmic,
    native,
    operators,
    other,
    power,
    trigonometric,
)
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

__all__: list[str] = []
__all__ += operators.__all__
__all__ += trigonometric.__all__
__all__ += power.__all__
__all__ += logarithmic.__all__
__all__ += exponential.__all__
__all__ += floating_point.__all__
__all__ += comparison.__all__
__all__ += other.__all__
__all__ += native.__all__
__all__ += half.__all__
