"""Hypothesis strategies, assertions and the pytest plugin, for people who test numeric code."""

from clmath.testing.assertions import assert_conforms, assert_correctly_rounded

__all__ = ["assert_conforms", "assert_correctly_rounded"]
