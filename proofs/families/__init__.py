"""Proofs that are not written as lemmas yet, by family: settings of the engine on cells of arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs.families import (
    narrowed_sums,
    next_to_boundaries,
    next_to_one,
    powers_of_ten,
    second_gamma,
    short_results,
    sines_refined,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from proofs.engine.proof import Part

__all__ = ["KERNELS", "SECOND"]

# rung and kernel -> what gives the parts of its proof, by the kernel's name
KERNELS: Mapping[tuple[str, str], Callable[[str], Sequence[Part]]] = {
    **dict.fromkeys([("fine", name) for name in narrowed_sums.NAMES], narrowed_sums.fine_parts),
}
# those of their second functions: what refines results, and what serves arguments of one kind
SECOND: Mapping[tuple[str, str], Callable[[str], Sequence[Part]]] = {
    **powers_of_ten.SECOND,
    **short_results.SECOND,
    **sines_refined.SECOND,
    **next_to_one.SECOND,
    **next_to_boundaries.SECOND,
    **second_gamma.SECOND,
}
