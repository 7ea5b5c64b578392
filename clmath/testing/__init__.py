"""Hypothesis strategies, assertions and the pytest plugin, for people who test numeric code."""

from clmath.functions.accuracy import ulp_error
from clmath.testing.assertions import assert_conforms, assert_correctly_rounded, assert_ulp
from clmath.testing.conformance import conformance_test

__all__ = ["assert_conforms", "assert_correctly_rounded", "assert_ulp", "conformance_test", "ulp_error"]
