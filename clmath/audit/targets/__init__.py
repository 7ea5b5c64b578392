"""Targets of an audit: arrays, C libraries, Python functions and clmath itself."""
