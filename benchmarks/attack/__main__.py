"""Attack kernels that have a proof: ``python -m benchmarks.attack exp --out benchmarks/attack/found.json``.

Arguments are looked for at which the error takes as much of the bound as possible: in the cells that the proofs found
worst, among all kinds of arguments, and from the best of these on next to them. Errors are those against a kernel that
bounds more closely: accurate ones judge fast ones, narrowing ones judge accurate ones. MPFR, which takes a hundred
times as long, judges narrowing kernels and the largest errors. With ``--undecided`` the lanes that the kernels leave
undecided are counted, too. The same seed gives the same arguments; with ``--jobs`` as many searches share the
evaluations, each with a seed of its own.
Kernels of several results are attacked by those of each.
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

_TOLD = {"narrowing": "accurate"}  # the phase of the kernels that those of another one narrow


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description=__doc__)
    parser.add_argument("functions", nargs="?", help="built-ins, separated by commas; all that have a proof")
    parser.add_argument(
        "--phase", choices=sorted({phase for phase, _ in PROOFS}), help="the kernels of that phase alone"
    )
    parser.add_argument("--evaluations", type=float, default=1e7, help="of each kernel (10^7)")
    parser.add_argument("--undecided", type=float, default=0, help="lanes of each kind to count undecided ones in (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--jobs", type=positive, default=1, help="searches at once (1), each with the next seed")
    parser.add_argument("--out", type=Path, help="write what was found into this file, in the place of what it had")
    return parser


class _Search(NamedTuple):
    """One search for a kernel's largest error."""

    phase: str
    name: str
    evaluations: int
    seed: int

    def found(self) -> tuple[Found, float]:
        """What it finds, and in how many seconds of processor time."""
        precisely()
        start = time.process_time()
        parts, proven = PROOFS[self.phase, self.name](self.name), certificate(self.phase, self.name)
        kernel = kernel_of(self.phase, self.name)
        found = climbed(kernel, parts, proven or {"parts": []}, self.evaluations, self.seed)
        return found, time.process_time() - start


def _together(searches: Sequence[_Search]) -> tuple[Found, float]:
    """The best of what several find, all evaluations, and all seconds."""
    if len(searches) == 1:
        return searches[0].found()
    with ProcessPoolExecutor(len(searches)) as pool:
        every, seconds = zip(*pool.map(_Search.found, searches), strict=True)
    best: Found = max(every, key=lambda found: found.share)
    return replace(best, evaluations=sum(found.evaluations for found in every)), sum(seconds)


def attacked(phase: str, name: str, asked: argparse.Namespace) -> dict[str, Any]:
    """What came of attacking a kernel."""
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
    """Attack what was asked for."""
    asked = _parser().parse_args()
    names = asked.functions.split(",") if asked.functions else None
    for phase, name in PROOFS:
        is_asked = (not names or name in names) and asked.phase in {None, phase}
        if not is_asked or PHASES[_TOLD.get(phase, phase)].kernels[name].results > 1:
            continue
        facts = attacked(phase, name, asked)
        print(json.dumps({"kernel": name, "phase": phase, **facts}), flush=True)
        if asked.out:
            write(phase, name, facts, asked.out)


if __name__ == "__main__":
    main()
