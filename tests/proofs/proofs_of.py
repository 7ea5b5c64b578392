"""The parts of kernels' proofs, and what fine kernels are told."""

from __future__ import annotations

import functools

import numpy as np

from clmath.kernels.rungs import DOUBLE
from proofs.registry import PROOFS


@functools.cache
def parts_of(rung, name):
    """The parts of a proof by their names."""
    return {part.name: part for part in PROOFS[rung, name](name)}


double_parts, fine_parts = functools.partial(parts_of, "double"), functools.partial(parts_of, "fine")


def told(name, *args):
    """The enclosures of the double kernel, which a fine kernel is told."""
    with np.errstate(all="ignore"):
        return [np.broadcast_to(part, args[0].shape) for part in DOUBLE.kernels[name].function(*args)]
