"""Prove kernels on this machine: ``python -m proofs exp,exp2 --type double --jobs 4``."""

from __future__ import annotations

import argparse
import functools
import json
import sys
from concurrent.futures import ProcessPoolExecutor
from pathlib import Path

try:
    from proofs.certificates import PROVER, certificate, made, place, write
    from proofs.registry import PROOFS
except ModuleNotFoundError as missing:
    if missing.name != "flint":
        raise
    sys.exit("python -m proofs: proofs need python-flint, which is not installed: pip install -e '.[proofs]'")

_PHASES = {"half": {"fast"}, "float": {"fast"}, "double": {"accurate", "narrowing"}}


def _parser() -> argparse.ArgumentParser:
    parser = argparse.ArgumentParser(
        prog="python -m proofs",
        description="Prove that the error bounds of kernels hold, for every argument, from the operations they consist "
        "of. Needs python-flint: pip install -e '.[proofs]'.",
    )
    parser.add_argument("functions", nargs="?", help="built-ins, separated by commas; all that have a proof")
    parser.add_argument(
        "--type",
        choices=list(_PHASES),
        help="the kernels of that type alone; half has those of float, double those that narrow",
    )
    parser.add_argument(
        "--phase", choices=sorted({phase for phase, _ in PROOFS}), help="the kernels of that phase alone"
    )
    parser.add_argument("--jobs", type=int, default=1, help="processes (1): each proves one kernel after the other")
    parser.add_argument(
        "--out",
        type=Path,
        help="write a certificate for each below this folder; parts that are done there are not proven again",
    )
    parser.add_argument(
        "--list",
        action="store_true",
        help="say what has a proof, and of how many parts an earlier prover has proven; prove nothing",
    )
    return parser


def main() -> int:
    """Return 0 if everything is proven, 1 if something is not, 2 if a requested proof does not exist."""
    parser = _parser()
    asked = parser.parse_args()
    phases = _PHASES[asked.type] if asked.type else set.union(*_PHASES.values())
    phases &= {asked.phase or phase for phase in phases}
    names = asked.functions.split(",") if asked.functions else None
    chosen = [(phase, name) for phase, name in PROOFS if phase in phases and (names is None or name in names)]
    missing = sorted(set(names or ()) - {name for _, name in chosen})
    if missing:
        parser.error(f"no proof of {', '.join(missing)}; --list says what there is")
    if asked.list:
        print("\n".join(f"{phase} {name}{_earlier(phase, name)}" for phase, name in chosen))
        return 0
    prove = functools.partial(_is_proven, out=asked.out)
    if asked.jobs == 1:
        return 0 if all([*map(prove, chosen)]) else 1
    with ProcessPoolExecutor(asked.jobs) as pool:
        return 0 if all([*pool.map(prove, chosen)]) else 1


def _earlier(phase: str, name: str) -> str:
    """The number of parts that an earlier prover has proven, in the words of --list."""
    found = certificate(phase, name)
    earlier = sum(part["prover"] != PROVER for part in found["parts"]) if found else 0
    return f": {earlier} of {len(found['parts'])} parts by an earlier prover" if found and earlier else ""


def _is_proven(kernel: tuple[str, str], out: Path | None) -> bool:
    """Prove a kernel, part after part, and write its certificate; False where something is not proven."""
    target = place(out, *kernel) if out else None
    known = json.loads(target.read_text()) if target and target.exists() else None
    found = made(*kernel, known, lambda line: print(line, flush=True))
    if out:
        write(found, out)
    return not any(part["failed"] for part in found["parts"])


if __name__ == "__main__":
    sys.exit(main())
