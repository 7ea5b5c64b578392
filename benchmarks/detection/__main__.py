"""Count the injected faults that an audit, ``conformance_test`` and the strategies find, each at its default size.

    python -m benchmarks.detection --seed 7
    python -m benchmarks.detection --kinds further --faults 50 --doors audit

A fault is injected into a correct built-in of any type, of any chapter whose built-ins have arguments. The seed
determines the faults; without --seed they are different in each run.
"""

from __future__ import annotations

import argparse
import secrets
from collections import Counter

import numpy as np

from benchmarks import machine
from benchmarks.detection.doors import DOORS
from benchmarks.detection.faults import FURTHER, KINDS, planted

__all__ = ["main"]

COLUMNS = {"audit": "`clmath audit`", "conformance_test": "`conformance_test`", "strategies": "strategies"}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.detection", description=__doc__)
    parser.add_argument("--seed", type=int, help="of the faults (default: a new one, which is printed)")
    parser.add_argument("--faults", type=int, default=200, help="number of injected faults")
    parser.add_argument("--kinds", choices=("usual", "further"), default="usual", help="kinds of faults")
    parser.add_argument("--doors", default=",".join(DOORS), help="some of audit,conformance_test,strategies")
    return parser


def main() -> None:
    """Inject faults; print each fault that a test method misses, and the number that each method finds."""
    given = _parser().parse_args()
    seed = secrets.randbelow(1 << 32) if given.seed is None else given.seed
    doors = [name for name in DOORS if name in given.doors.split(",")]
    kinds = KINDS if given.kinds == "usual" else FURTHER
    facts = {**machine.facts(), "seed": str(seed)}
    print("\n".join(f"- {key}: {value}" for key, value in facts.items()), end="\n\n", flush=True)
    total, asked, found = Counter[str](), Counter[tuple[str, str]](), Counter[tuple[str, str]]()
    for number, (kind, fault) in enumerate(planted(np.random.default_rng(seed), kinds, given.faults)):
        results = {door: DOORS[door](fault, number) for door in doors}
        total[kind] += 1
        asked.update((kind, door) for door in doors if results[door] is not None)
        found.update((kind, door) for door in doors if results[door])
        missed = [door for door in doors if results[door] is False]
        if missed:
            print(f"missed by {', '.join(missed)}: {kind}: {fault}", flush=True)
    print("\n| fault | planted |", " | ".join(COLUMNS[door] for door in doors), "|")
    print("| --- |", " | ".join(["---:"] * (len(doors) + 1)), "|")
    for kind in kinds:
        shares = [f"{found[kind, door]} of {asked[kind, door]}" for door in doors]
        print(f"| {kind} | {total[kind]} |", " | ".join(shares), "|")


if __name__ == "__main__":
    main()
