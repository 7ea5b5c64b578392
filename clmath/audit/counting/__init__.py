"""Tallies of audited results, and distances of results from the correctly rounded ones."""
