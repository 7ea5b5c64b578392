"""Asks LLVM for vectors as wide as the processor has; imported by compiled loops only, for it imports Numba."""

from __future__ import annotations

from typing import Any

from numba.core import types
from numba.extending import intrinsic

__all__ = ["wide_vectors"]


@intrinsic
def wide_vectors(typing_context: Any) -> Any:  # noqa: ARG001
    """Vectorise the function this call stands in 512 bits wide where the processor can.

    LLVM prefers half of AVX-512, out of care for the clock of processors of 2017: kernels are a quarter slower so.
    """

    def emit(context: Any, builder: Any, _signature: Any, _args: Any) -> Any:
        # llvmlite checks attributes against a list without those of the form key=value
        set.add(builder.function.attributes, '"prefer-vector-width"="512"')
        return context.get_dummy_value()

    return types.void(), emit
