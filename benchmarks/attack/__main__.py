"""Search for the worst errors of kernels: ``python -m benchmarks.attack exp --out benchmarks/attack/found.json``.

The search maximises error / bound: first in the subintervals that are worst by the proof, then over random arguments of
all kinds, then near the best arguments so far. Errors are measured against a kernel with a smaller bound: the accurate
kernel for a fast one, the narrowing kernel for an accurate one. MPFR, a hundred times slower, measures the errors of
narrowing kernels and the largest errors of the others. ``--undecided`` also counts the elements that the kernels leave
undecided. Equal seeds give equal arguments; ``--jobs`` divides the evaluations among parallel searches, each with
a seed of its own. Kernels of several results are skipped: the kernels of the single results are attacked.
"""

from __future__ import annotations

import argparse
import json
import time
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, NamedTuple

from benchmarks.attack.climb import Found, climbed
from benchmarks.attack.judges import kernel_of
from benchmarks.attack.records import write
from benchmarks.attack.undecided import undecided
from benchmarks.options import positive
from clmath.kernels import PHASES
from proofs.certificates import certificate, digest
from proofs.engine.models import precisely
from proofs.registry import PROOFS

if TYPE_CHECKING:
    from collections.abc import Sequence

_NARROWED = {"narrowing": "accurate"}  # the phase whose enclosures a narrowing kernel refines


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description=__doc__)
    parser.add_argument("functions", nargs="?", help="comma-separated built-ins (default: all proven)")
    parser.add_argument(
        "--phase", choices=sorted({phase for phase, _ in PROOFS}), help="only the kernels of this phase"
    )
    parser.add_argument("--evaluations", type=float, default=1e7, help="evaluations of each kernel (10^7)")
    parser.add_argument("--undecided", type=float, default=0, help="elements whose undecided ones are counted (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=positive, default=1, help="parallel searches (1), each with the next seed")
    parser.add_argument("--out", type=Path, help="store the results in this file, replacing those of the same kernel")
    return parser


class _Search(NamedTuple):
    """One search for a kernel's largest error."""

    phase: str
    name: str
    evaluations: int
    seed: int

    def found(self) -> tuple[Found, float]:
        """Return the largest share found and the seconds of processor time."""
        precisely()
        start = time.process_time()
        parts, proven = PROOFS[self.phase, self.name](self.name), certificate(self.phase, self.name)
        kernel = kernel_of(self.phase, self.name)
        found = climbed(kernel, parts, proven or {"parts": []}, self.evaluations, self.seed)
        return found, time.process_time() - start


def _together(searches: Sequence[_Search]) -> tuple[Found, float]:
    """Return the best result of several searches, with the sums of their evaluations and seconds."""
    if len(searches) == 1:
        return searches[0].found()
    with ProcessPoolExecutor(len(searches)) as pool:
        every, seconds = zip(*pool.map(_Search.found, searches), strict=True)
    best: Found = max(every, key=lambda found: found.share)
    return replace(best, evaluations=sum(found.evaluations for found in every)), sum(seconds)


def attacked(phase: str, name: str, asked: argparse.Namespace) -> dict[str, Any]:
    """Attack a kernel and return the facts that found.json stores."""
    evaluations, seeds = int(asked.evaluations / asked.jobs), range(asked.seed, asked.seed + asked.jobs)
    found, seconds = _together([_Search(phase, name, evaluations, seed) for seed in seeds])
    start = time.process_time()
    facts: dict[str, Any] = {
        "program": digest(PROOFS[phase, name](name)),
        "share": round(found.share, 4),
        "arguments": [x.hex() for x in found.arguments],
        "evaluations": found.evaluations,
        "seed": asked.seed,
    }
    if asked.jobs > 1:
        facts["searches"] = asked.jobs
    if asked.undecided:
        counted, expected = undecided(kernel_of(phase, name), int(asked.undecided), asked.seed)
        facts |= {
            "lanes": int(asked.undecided),
            "undecided": max(counted.values()),
            "undecided by width": max(expected.values()),
        }
    return facts | {"seconds": round(seconds + time.process_time() - start, 1)}


def main() -> None:
    """Attack the requested kernels."""
    asked = _parser().parse_args()
    names = asked.functions.split(",") if asked.functions else None
    for phase, name in PROOFS:
        is_asked = (not names or name in names) and asked.phase in {None, phase}
        if not is_asked or PHASES[_NARROWED.get(phase, phase)].kernels[name].results > 1:
            continue
        facts = attacked(phase, name, asked)
        print(json.dumps({"kernel": name, "phase": phase, **facts}), flush=True)
        if asked.out:
            write(phase, name, facts, asked.out)


if __name__ == "__main__":
    main()
