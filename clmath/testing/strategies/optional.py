"""Hypothesis, imported only when a strategy is made."""

from __future__ import annotations

from typing import Any

from clmath import errors

__all__ = ["strategies"]


def strategies() -> Any:
    """Return ``hypothesis.strategies``; MissingDependencyError if it is not installed."""
    try:
        from hypothesis import strategies as found
    except ImportError:
        raise errors.missing("clmath.testing.strategies", "hypothesis", "test") from None
    return found
