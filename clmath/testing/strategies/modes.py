"""A strategy for the rounding modes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.numbers.rounding import MODES, Rounding
from clmath.testing.strategies import optional

if TYPE_CHECKING:
    from hypothesis.strategies import SearchStrategy

__all__ = ["rounding_modes"]


def rounding_modes() -> SearchStrategy[Rounding]:
    """The four modes, rte first.

    >>> @given(cl.floats(allow_nan=False), cl.rounding_modes())
    ... def the_opposite_of_zero_is_zero(x, mode):
    ...     assert clmath.sub(x, x, rounding=mode) == 0 or not clmath.isfinite(x)
    >>> the_opposite_of_zero_is_zero()
    """
    strategy: SearchStrategy[Rounding] = optional.strategies().sampled_from(MODES)
    return strategy
