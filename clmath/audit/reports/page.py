"""Placeholder."""

from clmath.audit.reports.outcome import Outcome


def page(outcome: Outcome) -> str:
    return ""
