"""Aliases for signatures: arrays and dtypes of any type, functions of any signature."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeAlias

if TYPE_CHECKING:
    from collections.abc import Callable

    import numpy as np
    from numpy.typing import NDArray

__all__ = ["AnyFunction", "Array", "DType"]

Array: TypeAlias = "NDArray[Any]"
"""An array of any shape and dtype."""

DType: TypeAlias = "np.dtype[Any]"
"""Any dtype."""

AnyFunction: TypeAlias = "Callable[..., Any]"
"""A function of any signature: a kernel, a built-in or a method, called by its name."""
