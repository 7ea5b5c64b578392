"""The one way into every public function: arguments checked once, guarded once, cut into chunks once.

``floats`` and ``bits`` evaluate built-ins by their declarations, ``elementwise`` and ``converted`` turn
each element into one of another type.
"""

from clmath.call.arguments import all_integers
from clmath.call.checked_call import Call
from clmath.call.elements import converted, converted_number, elementwise, rounded_to_format, with_containers
from clmath.call.rounded import by_reference, floats, prepare
from clmath.call.unrounded import bits

__all__ = [
    "Call",
    "all_integers",
    "bits",
    "by_reference",
    "converted",
    "converted_number",
    "elementwise",
    "floats",
    "prepare",
    "rounded_to_format",
    "with_containers",
]
