"""Kernels with proofs, and the lemmas of these proofs."""

from __future__ import annotations

import functools

from proofs.engine.proof import is_refining
from proofs.lemmas import Lemma
from proofs.registry import PROOFS
from tests.proofs.proofs_of import parts_of

KERNELS = sorted(PROOFS)


@functools.cache
def lemmas_of(phase, name):
    """Return the lemmas of a proof, in their order: all its parts but for those that are proven in other ways."""
    parts = parts_of(phase, name).values()
    found = [part for part in parts if isinstance(part, Lemma)]
    others = [part for part in parts if not isinstance(part, Lemma)]
    assert all(is_refining(part) or part.name.startswith("told") for part in others), (phase, name)
    return found
