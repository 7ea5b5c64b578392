"""Proofs that are not written as lemmas yet, by family: settings of the engine on cells of arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs.families import (
    second_gamma,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from proofs.engine.proof import Part

__all__ = ["KERNELS", "SECOND"]

# phase and kernel -> what gives the parts of its proof, by the kernel's name
KERNELS: Mapping[tuple[str, str], Callable[[str], Sequence[Part]]] = {}
# those of their second functions: what refines results, and what serves arguments of one kind
SECOND: Mapping[tuple[str, str], Callable[[str], Sequence[Part]]] = {
    **second_gamma.SECOND,
}
