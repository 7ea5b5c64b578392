"""What Numba has no word for and LLVM has; imported for compiled loops only, for it imports Numba."""

from __future__ import annotations

import platform
from typing import Any

from llvmlite import binding
from numba.core import types
from numba.extending import intrinsic

__all__ = ["fma", "has_fma", "wide_vectors"]


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


def has_fma() -> bool:
    """Whether this processor multiplies and adds in one instruction with one rounding."""
    return platform.machine() in {"aarch64", "arm64", "ppc64le"} or bool(binding.get_host_cpu_features().get("fma"))


def _fma(typing_context: Any, a: Any, b: Any, c: Any) -> Any:  # noqa: ARG001
    """The value a b + c rounded once, for doubles."""

    def emit(_context: Any, builder: Any, _signature: Any, args: Any) -> Any:
        return builder.fma(*args)

    return types.float64(types.float64, types.float64, types.float64), emit


fma: Any = intrinsic(_fma)
