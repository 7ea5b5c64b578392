"""The one way into every public function: arguments are checked once, and a ufunc has the results.

``floats`` and ``bits`` evaluate built-ins by their declarations, ``elementwise`` and ``converted`` turn
each element into one of another type.
"""

from clmath.call.arguments import all_integers
from clmath.call.elements import (
    NEW,
    Into,
    conversion_step,
    converted,
    converted_number,
    elementwise,
    into,
    returned,
    rounded_to_format,
    whole_step,
    with_containers,
)
from clmath.call.prepared import Call, prepare
from clmath.call.rounded import by_reference, floats
from clmath.call.slices import checked_threads
from clmath.call.unrounded import bits

__all__ = [
    "NEW",
    "Call",
    "Into",
    "all_integers",
    "bits",
    "by_reference",
    "checked_threads",
    "conversion_step",
    "converted",
    "converted_number",
    "elementwise",
    "floats",
    "into",
    "prepare",
    "returned",
    "rounded_to_format",
    "whole_step",
    "with_containers",
]
