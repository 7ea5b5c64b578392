"""Certificates: what was proven of a kernel, of which program, by how many cells, and where the bound is closest."""

from __future__ import annotations

import hashlib
import json
import time
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from clmath.certify.proof import prove
from clmath.certify.proofs import PROOFS
from clmath.spec import files

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping, Sequence
    from pathlib import Path

    from clmath.certify.proof import Outcome, Part

__all__ = ["PROVER", "certificate", "digest", "made", "place", "write"]

PROVER = 1  # goes up where the prover reasons otherwise: what was proven before is proven again


def place(folder: Path, rung: str, name: str) -> Path:
    """Where the certificate of a kernel stands below ``folder``."""
    return folder / rung / f"{name}.json"


def digest(parts: Sequence[Part]) -> str:
    """That of what is proven: of the programs that the parts speak of, with their tables, as they are now."""
    programs = sorted({part.traced.digest for part in parts})
    return programs[0] if len(programs) == 1 else hashlib.sha256("|".join(programs).encode()).hexdigest()


def certificate(rung: str, name: str) -> Mapping[str, Any] | None:
    """The certificate that clmath comes with, None where there is none."""
    name = f"certificates/{rung}/{name}.json"
    if not files.exists(name):
        return None
    found: Mapping[str, Any] = json.loads(files.path(name).read_text(encoding="utf-8"))
    return found


def made(
    rung: str,
    name: str,
    jobs: int = 1,
    known: Mapping[str, Any] | None = None,
    told: Callable[[str], None] = lambda _: None,
) -> dict[str, Any]:
    """Prove a kernel and say how that went; parts that ``known``, a certificate of the same program, has are kept."""
    parts = PROOFS[rung, name](name)
    program = digest(parts)
    is_same = known is not None and (known["program"], known["prover"]) == (program, PROVER)
    kept = {part["name"]: part for part in known["parts"]} if known and is_same else {}
    found = []
    for part in parts:
        if part.name not in kept or kept[part.name]["failed"]:
            kept[part.name] = _proven(part, jobs)
        found.append(kept[part.name])
        told(f"{rung} {name}, {part.name}: {_words(kept[part.name])}")
    facts = {"kernel": name, "rung": rung, "program": program, "prover": PROVER, "parts": found}
    return facts | {"python-flint": version("python-flint")}


def _proven(part: Part, jobs: int) -> dict[str, Any]:
    start = time.perf_counter()
    outcome = prove(part, jobs)
    return {"name": part.name, **_facts(outcome), "seconds": round(time.perf_counter() - start, 1)}


def _facts(outcome: Outcome) -> dict[str, Any]:
    return {
        "cells": outcome.cells,
        "worst": round(outcome.worst, 4),
        "where": outcome.where,
        "lemmas": dict(sorted(outcome.lemmas.items())),
        "failed": outcome.failed,
    }


def _words(part: Mapping[str, Any]) -> str:
    done = f"{len(part['failed'])} cells are not proven, {part['failed'][0]}" if part["failed"] else "proven"
    return f"{done}; {part['cells']} cells, the largest share of a bound {part['worst']}, {part['seconds']} s"


def write(found: Mapping[str, Any], folder: Path) -> Path:
    """Write a certificate below ``folder``."""
    target = place(folder, found["rung"], found["kernel"])
    target.parent.mkdir(parents=True, exist_ok=True)
    target.write_text(json.dumps(found, indent=1) + "\n")
    return target
