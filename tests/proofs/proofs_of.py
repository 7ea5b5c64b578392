"""The parts of kernels' proofs, and the accurate enclosures that narrowing kernels take as arguments."""

from __future__ import annotations

import functools

import numpy as np

from clmath.kernels.phases import ACCURATE
from proofs.registry import PROOFS


@functools.cache
def parts_of(phase, name):
    """The parts of a proof by their names."""
    return {part.name: part for part in PROOFS[phase, name](name)}


accurate_parts, narrowing_parts = functools.partial(parts_of, "accurate"), functools.partial(parts_of, "narrowing")


def told(name, *args):
    """The enclosures of the accurate kernel, which a narrowing kernel takes as arguments."""
    with np.errstate(all="ignore"):
        return [np.broadcast_to(part, args[0].shape) for part in ACCURATE.kernels[name].function(*args)]
