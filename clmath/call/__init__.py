"""The one way into every public function: arguments checked once, guarded once, cut into chunks once.

``floats`` and ``bits`` evaluate built-ins by their declarations, ``elementwise`` and ``converted`` turn
each element into one of another type.
"""

from clmath.call.arguments import all_integers
from clmath.call.checked_call import Call
from clmath.call.elements import (
    NEW,
    Into,
    channel_number,
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
from clmath.call.rounded import by_reference, floats, prepare
from clmath.call.unrounded import bits
from clmath.call.workers import checked_threads

__all__ = [
    "NEW",
    "Call",
    "Into",
    "all_integers",
    "bits",
    "by_reference",
    "channel_number",
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
