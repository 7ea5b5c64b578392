"""Hill climbing: evaluate a kernel near the arguments with the largest errors so far, again and again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from benchmarks.attack.arguments import KINDS, Space, members
from benchmarks.attack.judges import by_a_closer_kernel, by_mpfr

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from numpy.typing import NDArray

    from benchmarks.attack.judges import Narrowing
    from clmath.kernels import Kernel
    from proofs.engine.proof import Lemma

__all__ = ["Found", "climbed"]

KEPT = 512  # best arguments, whose neighbours are tried next
JUDGED = 128  # best arguments, whose errors MPFR measures in the end
GENERATION = 1 << 15


@dataclass(frozen=True)
class Found:
    """Largest share of the bound that an error takes, its arguments, and the number of evaluations."""

    share: float
    arguments: tuple[float, ...]
    evaluations: int


@dataclass
class _Best:
    """Arguments of the largest shares so far."""

    kernel: Kernel | Narrowing
    space: Space
    args: tuple[NDArray[np.float64], ...]
    shares: NDArray[np.float64]
    evaluations: int = 0

    def tried(self, args: Sequence[NDArray[np.float64]]) -> None:
        """Keep the best of these arguments and of the known ones."""
        if not args[0].size:
            return
        self.evaluations += args[0].size
        together = [np.concatenate(pair) for pair in zip(self.args, args, strict=True)]
        shares = np.concatenate([self.shares, by_a_closer_kernel(self.kernel, args)])
        _, first = np.unique(np.stack(together), axis=1, return_index=True)
        best = first[np.argsort(shares[first])[-KEPT:]]
        self.args, self.shares = tuple(a[best] for a in together), shares[best]

    def judged(self) -> Found:
        """Return the argument of the largest share by MPFR."""
        some = np.flatnonzero(self.shares)[-JUDGED:]
        args = tuple(a[some] for a in self.args)
        shares = by_mpfr(self.kernel, args, self.space.integers)
        if not shares:
            return Found(0.0, (), self.evaluations)
        best = int(np.argmax(shares))
        return Found(shares[best], tuple(float(a[best]) for a in args), self.evaluations)


def climbed(
    kernel: Kernel | Narrowing, parts: Sequence[Lemma], proven: Mapping[str, Any], evaluations: int, seed: int
) -> Found:
    """Search the worst subintervals of the proof, random arguments (a quarter of the evaluations), then neighbours."""
    space, rng = Space.of(kernel), np.random.default_rng(seed)
    nothing = tuple(np.empty(0) for _ in space.integers)
    best = _Best(kernel, space, nothing, np.empty(0))

    def pool(count: int) -> tuple[NDArray[np.float64], ...]:
        sampled = [space.generated(rng, kind, count // len(KINDS)) for kind in KINDS]
        return tuple(np.concatenate(some) for some in zip(*sampled, strict=True))

    where = {part["name"]: part["where"] for part in proven["parts"] if part["where"]}
    for part in parts:
        if part.name in where:
            best.tried(members(part, where[part.name], space, rng, pool))
    for count in _generations(evaluations // 4):
        best.tried(pool(count))
    for count in _generations(evaluations - best.evaluations):
        parents = rng.integers(0, best.shares.size, count)
        best.tried(space.nearby(rng, [a[parents] for a in best.args]))
    return best.judged()


def _generations(evaluations: int) -> Iterator[int]:
    for _ in range(math.ceil(evaluations / GENERATION)):
        yield GENERATION
