"""The enclosures that decide what the first ones leave open: a kernel of double, or narrower bounds of the same."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

from clmath.audit.inputs.numbered import kernel_of
from clmath.kernels import ACCURATE, Kernel
from clmath.spec.builtins import precise

if TYPE_CHECKING:
    from clmath.audit.plan.item import Item
    from clmath.callables import AnyFunction

__all__ = ["Finer", "finer"]


class Finer(NamedTuple):
    """A kernel of double, and what narrows the enclosures of each of its results: nothing for narrow formats."""

    kernel: Kernel
    narrowing: tuple[AnyFunction, ...]


def finer(item: Item) -> Finer | None:
    """What encloses the results of a row more closely than ``kernel_of``; None where nothing does."""
    name, first = precise(item.builtin.called), kernel_of(item)
    steps = [kernel for kernel in ACCURATE.steps(name) if isinstance(kernel, Kernel)]
    if len(steps) != 1:
        return None
    if first != steps[0]:
        return Finer(steps[0], ())
    singles = [ACCURATE.kernels[part] for part in ACCURATE.results(name) or () if part in ACCURATE.kernels]
    narrowing = tuple(one.narrow for one in singles if one.narrow is not None)
    return Finer(steps[0], narrowing) if len(narrowing) == first.results else None
