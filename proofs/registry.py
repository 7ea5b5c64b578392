"""The proof of each kernel, by the kernel's folder and name."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs import accurate, fast, narrowing

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from proofs.engine.proof import Part

__all__ = ["PROOFS"]

_KERNELS: Mapping[tuple[str, str], Callable[[str], Sequence[Part]]] = {
    **{("fast", name): lemmas for module in fast.MODULES for name, lemmas in module.LEMMAS.items()},
    **{("accurate", name): lemmas for module in accurate.MODULES for name, lemmas in module.LEMMAS.items()},
    **{("narrowing", name): lemmas for module in narrowing.MODULES for name, lemmas in module.LEMMAS.items()},
}


def _with(
    first: Callable[[str], Sequence[Part]], second: Callable[[str], Sequence[Part]]
) -> Callable[[str], Sequence[Part]]:
    """Return the function that gives the parts of both."""
    return lambda name: (*first(name), *second(name))


_SECOND: Mapping[tuple[str, str], Callable[[str], Sequence[Part]]] = {
    **{("fast", name): lemmas for module in fast.SECOND for name, lemmas in module.SECOND.items()},
    **{("accurate", name): lemmas for module in accurate.SECOND for name, lemmas in module.SECOND.items()},
}
PROOFS: Mapping[tuple[str, str], Callable[[str], Sequence[Part]]] = {
    kernel: _with(parts, _SECOND[kernel]) if kernel in _SECOND else parts for kernel, parts in _KERNELS.items()
}
