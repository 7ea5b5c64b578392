"""Hypothesis, imported only when a strategy is asked for."""

from __future__ import annotations

from typing import Any

from clmath import errors

__all__ = ["array_strategies", "strategies"]


def strategies() -> Any:
    """``hypothesis.strategies``; MissingDependencyError where it is not installed."""
    try:
        from hypothesis import strategies as found
    except ImportError:
        raise errors.missing("clmath.testing.strategies", "hypothesis", "test") from None
    return found


def array_strategies() -> Any:
    """``hypothesis.extra.numpy``; MissingDependencyError where Hypothesis is not installed."""
    strategies()
    from hypothesis.extra import numpy as found

    return found
