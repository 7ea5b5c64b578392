"""The values that expressions may have with contraction on, and the one that they have with it off."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, Any, TypeAlias

from clmath import public

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.exact.rows import ExactItem
    from clmath.numbers.rounding import Rounding

__all__ = ["results"]

Args: TypeAlias = "tuple[NDArray[Any], ...]"

_PRODUCT = r"(?:(\w) \* (\w))"
_SUM = re.compile(rf"(?:{_PRODUCT}|(\w)) ([+-]) (?:{_PRODUCT}|(\w))")


def results(item: ExactItem, args: Args, mode: Rounding) -> list[NDArray[Any]]:
    """The value with every operation rounded first; where contraction is on, those with products left unrounded too."""
    row = item.builtin
    values = dict(zip(row.names, args, strict=True))
    match = _SUM.fullmatch(row.formula or row.uncontracted)
    assert match is not None  # as the table has them
    left, right = _factors(match.groups()[:3], values), _factors(match.groups()[4:], values)
    if match[4] == "-":
        right = (-right[0], *right[1:])
    found = [public.add(_rounded(left, mode), _rounded(right, mode), rounding=mode)]
    if row.formula:
        found += _contracted(left, right, mode)
    return found


def _factors(words: tuple[str | None, ...], values: dict[str, NDArray[Any]]) -> Args:
    return tuple(values[word] for word in words if word)


def _rounded(factors: Args, mode: Rounding) -> NDArray[Any]:
    """A product, rounded; or what is no product."""
    return public.mul(*factors, rounding=mode) if len(factors) == 2 else factors[0]


def _contracted(left: Args, right: Args, mode: Rounding) -> list[NDArray[Any]]:
    """The sum with one product or both exact, rounded once."""
    found: list[Any] = []
    for product, other in ((left, right), (right, left)):
        if len(product) == 2:
            found.append(public.fma(*product, _rounded(other, mode), rounding=mode))
    if len(left) == len(right) == 2:
        import numpy as np

        with public.fp_contract("ON"):
            found.append(
                public.dot(np.stack([left[0], right[0]], -1), np.stack([left[1], right[1]], -1), rounding=mode)
            )
    return found
