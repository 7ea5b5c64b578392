"""Kernels with proofs, and the lemmas of these proofs."""

from __future__ import annotations

import functools

from proofs.registry import PROOFS
from tests.proofs.proofs_of import parts_of

KERNELS = sorted(PROOFS)


@functools.cache
def lemmas_of(phase, name):
    """Return the lemmas of a proof, in their order."""
    return list(parts_of(phase, name).values())
