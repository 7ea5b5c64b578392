"""Screens of results in float: a compiled loop compares results with enclosures and counts the certain verdicts.

The loop has a library of its own, so that an edit of an acceptance rule does not make the library of kernels stale. It
calls that library for the enclosures of most built-ins. ``hatch_build.py`` compiles both.
"""
