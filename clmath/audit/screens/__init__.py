"""Screens of results in float: a compiled loop that compares results with enclosures and counts what is certain.

The loop is in a library of its own, so that an edit of an acceptance rule leaves the library of kernels as it is. It
calls that library for the enclosures of most built-ins. ``hatch_build.py`` compiles both.
"""
