"""Acceptance criteria: the set of acceptable results of a call, from its arguments, exact value and requirement."""
