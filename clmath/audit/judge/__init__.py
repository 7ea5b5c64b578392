"""Judges chunks of a row by enclosures, and by exact values if enclosures do not decide."""
