"""Proofs that are not written as lemmas yet, by family: settings of the engine on cells of arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

from proofs.families import (
    arcs,
    directions,
    double_angles,
    double_gamma,
    double_roots,
    gamma,
    inverse_hyperbolic,
    logarithms_of_sums,
    narrowed_angles,
    narrowed_arcs,
    narrowed_directions,
    narrowed_error_function,
    narrowed_gamma,
    narrowed_logarithms,
    narrowed_power,
    narrowed_sums,
    narrowed_turns,
    quadrants,
    residuals,
    roots,
    second_gamma,
    second_tgamma,
    slopes,
    small_directions,
    steps,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence

    from proofs.engine.proof import Part

__all__ = ["KERNELS", "SECOND"]

# rung and kernel -> what gives the parts of its proof, by the kernel's name
KERNELS: Mapping[tuple[str, str], Callable[[str], Sequence[Part]]] = {
    **dict.fromkeys([("quick", name) for name in roots.NAMES], roots.quick_parts),
    **dict.fromkeys([("quick", name) for name in inverse_hyperbolic.NAMES], inverse_hyperbolic.quick_parts),
    **dict.fromkeys([("quick", name) for name in directions.NAMES], directions.quick_parts),
    **dict.fromkeys([("double", name) for name in slopes.NAMES], slopes.double_parts),
    **dict.fromkeys([("double", name) for name in logarithms_of_sums.NAMES], logarithms_of_sums.double_parts),
    **dict.fromkeys([("double", name) for name in residuals.NAMES], residuals.double_parts),
    **dict.fromkeys([("double", name) for name in steps.NAMES], steps.double_parts),
    **dict.fromkeys([("double", name) for name in arcs.NAMES], arcs.double_parts),
    **dict.fromkeys([("double", name) for name in quadrants.NAMES], quadrants.double_parts),
    **dict.fromkeys([("double", name) for name in double_roots.NAMES], double_roots.double_parts),
    **dict.fromkeys([("double", name) for name in double_angles.NAMES], double_angles.double_parts),
    **dict.fromkeys([("quick", name) for name in gamma.NAMES], gamma.quick_parts),
    **dict.fromkeys([("double", name) for name in double_gamma.NAMES], double_gamma.double_parts),
    **dict.fromkeys([("fine", name) for name in narrowed_logarithms.NAMES], narrowed_logarithms.fine_parts),
    **dict.fromkeys([("fine", name) for name in narrowed_sums.NAMES], narrowed_sums.fine_parts),
    **dict.fromkeys([("fine", name) for name in narrowed_turns.NAMES], narrowed_turns.fine_parts),
    **dict.fromkeys([("fine", name) for name in narrowed_angles.NAMES], narrowed_angles.fine_parts),
    **dict.fromkeys([("fine", name) for name in narrowed_arcs.NAMES], narrowed_arcs.fine_parts),
    **dict.fromkeys([("fine", name) for name in narrowed_directions.NAMES], narrowed_directions.fine_parts),
    **dict.fromkeys([("fine", name) for name in narrowed_power.NAMES], narrowed_power.fine_parts),
    **dict.fromkeys([("fine", name) for name in narrowed_error_function.NAMES], narrowed_error_function.fine_parts),
    **dict.fromkeys([("fine", name) for name in narrowed_gamma.NAMES], narrowed_gamma.fine_parts),
}
# those of their second functions: what refines results, and what serves arguments of one kind
SECOND: Mapping[tuple[str, str], Callable[[str], Sequence[Part]]] = {
    **small_directions.SECOND,
    **second_gamma.SECOND,
    **second_tgamma.SECOND,
}
