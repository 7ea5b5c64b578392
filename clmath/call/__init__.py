"""The common code path of all public functions: arguments are checked once, and a ufunc computes the results.

``floats`` and ``bits`` evaluate built-ins by their declarations, ``elementwise`` and ``converted`` turn
each element into an element of another type.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.call.arguments import all_integers
from clmath.call.elements import (
    NEW,
    Into,
    converted,
    converted_number,
    elementwise,
    into,
    returned,
    rounded_to_format,
    with_containers,
)
from clmath.call.plans import planned_first
from clmath.call.rounded import by_reference, floats
from clmath.call.rounded import planned as plan_of_floats
from clmath.call.rounded import planned_in_mode as plan_in_mode
from clmath.call.unrounded import bits
from clmath.call.unrounded import planned as plan_of_bits

if TYPE_CHECKING:
    from clmath.call.plans import Plan
    from clmath.call.readers import Kind

__all__ = [
    "NEW",
    "Into",
    "all_integers",
    "bits",
    "by_reference",
    "converted",
    "converted_number",
    "elementwise",
    "floats",
    "into",
    "plan_in_mode",
    "plan_of_bits",
    "plan_of_floats",
    "plan_of_numbers",
    "planned_first",
    "returned",
    "rounded_to_format",
    "with_containers",
]


def plan_of_numbers(name: str, kinds: tuple[Kind, ...]) -> Plan | None:
    """The plan of a built-in that integers and floating-point numbers share."""
    return plan_of_bits(name, kinds) or plan_of_floats(name, kinds)
