"""Kernels whose proofs are lemmas, and these."""

from __future__ import annotations

import functools

from proofs.engine.proof import is_refining
from proofs.lemmas import Lemma
from proofs.registry import PROOFS


@functools.cache
def lemmas_of(phase, name):
    """The lemmas of a proof, in their order."""
    return [part for part in PROOFS[phase, name](name) if isinstance(part, Lemma)]


def is_stated(kernel):
    """Whether all parts of a proof are lemmas, but for what refines results, and what the accurate kernel gives."""
    parts = PROOFS[kernel](kernel[1])
    return all(isinstance(part, Lemma) or is_refining(part) or part.name.startswith("told") for part in parts)


KERNELS = [kernel for kernel in sorted(PROOFS) if is_stated(kernel)]
