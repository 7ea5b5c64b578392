"""Run an audit: call the target and have its results judged."""
