"""The parts of kernels' proofs, and what narrowing kernels are told."""

from __future__ import annotations

import functools

import numpy as np

from clmath.kernels.phases import ACCURATE
from proofs.engine.proof import is_refining
from proofs.lemmas import Lemma
from proofs.registry import PROOFS


@functools.cache
def parts_of(phase, name):
    """The parts of a proof by their names."""
    return {part.name: part for part in PROOFS[phase, name](name)}


accurate_parts, narrowing_parts = functools.partial(parts_of, "accurate"), functools.partial(parts_of, "narrowing")


def told(name, *args):
    """The enclosures of the accurate kernel, which a narrowing kernel is told."""
    with np.errstate(all="ignore"):
        return [np.broadcast_to(part, args[0].shape) for part in ACCURATE.kernels[name].function(*args)]


@functools.cache
def lemmas_of(phase, name):
    """The lemmas of a proof, in their order."""
    return [part for part in PROOFS[phase, name](name) if isinstance(part, Lemma)]


def is_stated(kernel):
    """Whether all parts of a proof are lemmas, but for what refines results, and what the accurate kernel gives."""
    parts = PROOFS[kernel](kernel[1])
    return all(isinstance(part, Lemma) or is_refining(part) or part.name.startswith("told") for part in parts)


KERNELS = [kernel for kernel in sorted(PROOFS) if is_stated(kernel)]
