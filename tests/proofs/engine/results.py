"""The results of an execution, by their places."""

from __future__ import annotations


def result(run, place):
    """The result at that place."""
    return run.value(run.program.outputs[place][1])


def real(run, place):
    """The double at that place."""
    return run.real(run.program.outputs[place][1])
