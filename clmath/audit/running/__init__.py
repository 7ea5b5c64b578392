"""Runs an audit: asks the subject for results, and has them judged."""
