"""An alias for the type of functions that are called without knowing their signatures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

AnyFunction: TypeAlias = Callable[..., Any]
"""A function of any signature: a kernel, a built-in or a function of a library, chosen by name."""
