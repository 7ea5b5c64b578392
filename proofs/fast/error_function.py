"""erf and erfc."""

from __future__ import annotations

from clmath.kernels.fast import error_function as fast
from proofs.fast.arguments import of_arguments
from proofs.terms import *

LEMMAS = {
    "erf": lambda _: of_arguments(fast.erf, erf, 2.0**-149, fast.SATURATED, 2.0**-7, ("saturated",)),
    "erfc": lambda _: of_arguments(fast.erfc, erfc, fast.SLIGHT, fast.TOP, 2.0**-9, ("slight", "saturated")),
}
