"""Acceptance criteria of a row, deviations of its results, and the verdict that follows from its tally."""
