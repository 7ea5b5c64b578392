"""Attack kernels that have a proof: ``python -m benchmarks.attack exp --rung double --out benchmarks/attack/found``.

Arguments are looked for at which the error takes as much of the bound as possible: in the cells that the proofs found
worst, among all kinds of arguments, and from the best of these on next to them. Errors are those against a kernel that
bounds more closely, double for float and fine for double, and of fine by MPFR, which takes a hundred times as long;
MPFR judges the largest ones. With ``--undecided`` the lanes that the kernels leave undecided are counted, too. The same
seed gives the same arguments. Kernels of several results are attacked by those of each.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path
from typing import Any

from benchmarks.attack.climb import climbed
from benchmarks.attack.judges import kernel_of
from benchmarks.attack.records import write
from benchmarks.attack.undecided import undecided
from clmath.certify.certificates import certificate, digest
from clmath.certify.models import precisely
from clmath.certify.proofs import PROOFS
from clmath.kernels import RUNGS

_TOLD = {"fine": "double"}  # the rung of the kernels that those of another one narrow


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(prog="python -m benchmarks.attack", description=__doc__)
    parser.add_argument("functions", nargs="?", help="built-ins, separated by commas; all that have a proof")
    parser.add_argument("--rung", choices=sorted({rung for rung, _ in PROOFS}), help="the kernels of that rung alone")
    parser.add_argument("--evaluations", type=float, default=1e7, help="of each kernel (10^7)")
    parser.add_argument("--undecided", type=float, default=0, help="lanes of each kind to count undecided ones in (0)")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, help="write a file for each kernel below this folder")
    return parser


def attacked(rung: str, name: str, asked: argparse.Namespace) -> dict[str, Any]:
    """What came of attacking a kernel."""
    kernel, parts, proven = kernel_of(rung, name), PROOFS[rung, name](name), certificate(rung, name)
    start = time.process_time()
    found = climbed(kernel, parts, proven or {"parts": []}, int(asked.evaluations), asked.seed)
    facts: dict[str, Any] = {
        "kernel": name,
        "rung": rung,
        "program": digest(parts),
        "share": round(found.share, 4),
        "arguments": [x.hex() for x in found.arguments],
        "evaluations": found.evaluations,
        "seed": asked.seed,
    }
    if asked.undecided:
        counted, expected = undecided(kernel, int(asked.undecided), asked.seed)
        facts |= {"lanes": int(asked.undecided), "undecided": counted, "undecided by width": expected}
    return facts | {"seconds": round(time.process_time() - start, 1)}


def main() -> None:
    """Attack what was asked for."""
    asked = _parser().parse_args()
    precisely()
    names = asked.functions.split(",") if asked.functions else None
    for rung, name in PROOFS:
        is_asked = (not names or name in names) and asked.rung in {None, rung}
        if not is_asked or RUNGS[_TOLD.get(rung, rung)].kernels[name].results > 1:
            continue
        facts = attacked(rung, name, asked)
        print(json.dumps(facts), flush=True)
        if asked.out:
            write(facts, asked.out)


if __name__ == "__main__":
    main()
