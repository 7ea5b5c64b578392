"""Judges pieces of a row by enclosures, and by exact values where these do not decide."""
