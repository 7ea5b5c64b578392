"""Kernels with proofs, the lemmas of these, and the accurate enclosures that narrowing kernels take as arguments."""

from __future__ import annotations

import functools

import numpy as np

from clmath.kernels.phases import ACCURATE
from proofs.registry import PROOFS

KERNELS = sorted(PROOFS)


@functools.cache
def parts_of(phase, name):
    """The lemmas of a proof by their names."""
    return {part.name: part for part in PROOFS[phase, name](name)}


def lemmas_of(phase, name):
    """Return the lemmas of a proof, in their order."""
    return list(parts_of(phase, name).values())


def reported(name, *args):
    """The enclosures of the accurate kernel, which a narrowing kernel takes as arguments."""
    with np.errstate(all="ignore"):
        return [np.broadcast_to(part, args[0].shape) for part in ACCURATE.kernels[name].function(*args)]
