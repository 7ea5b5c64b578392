"""Hypothesis strategies, assertions and the pytest plugin, for people who test numeric code."""
