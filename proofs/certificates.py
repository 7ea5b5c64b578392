"""Certificates: the proof of a kernel's programs, by how many cells, and where the error is closest to its bound."""

from __future__ import annotations

import hashlib
import json
import time
from collections.abc import Callable, Mapping, Sequence
from importlib.metadata import version
from pathlib import Path
from typing import Any

from clmath.spec import files
from proofs.engine.proof import Lemma, prove
from proofs.registry import PROOFS

PROVER = 2  # goes up where the prover reasons otherwise: parts say which one has proven them


def place(folder: Path, phase: str, name: str) -> Path:
    """The path of a kernel's certificate below ``folder``."""
    return folder / phase / f"{name}.json"


def digest(parts: Sequence[Lemma], *, refining: bool = False) -> str:
    """The digest of the traced programs of the parts, with their tables.

    These are the kernel and its other ways or, if ``refining``, the function that refines its results and is called
    after it; the digest is empty without one.
    """
    programs = sorted({part.traced.digest for part in parts if part.traced.refines == refining})
    together = "|".join(programs)
    return hashlib.sha256(together.encode()).hexdigest() if len(programs) > 1 else together


def certificate(phase: str, name: str) -> Mapping[str, Any] | None:
    """The certificate that clmath comes with, or None."""
    name = f"certificates/{phase}/{name}.json"
    if not files.exists(name):
        return None
    found: Mapping[str, Any] = json.loads(files.path(name).read_text(encoding="utf-8"))
    return found


def made(
    phase: str, name: str, known: Mapping[str, Any] | None = None, told: Callable[[str], None] = lambda _: None
) -> dict[str, Any]:
    """Prove a kernel and say how that went.

    Parts that ``known``, a certificate of the same program, has of this prover are kept.
    """
    parts = PROOFS[phase, name](name)
    program, refining = digest(parts), digest(parts, refining=True)
    before = known or {"parts": ()}
    same = before.get("program") == program, before.get("refining", "") == refining
    kept = {part["name"]: part for part in before["parts"]}
    kept = {part.name: kept[part.name] for part in parts if same[part.traced.refines] and part.name in kept}
    found = []
    for part in parts:
        if part.name not in kept or kept[part.name]["failed"] or kept[part.name]["prover"] != PROVER:
            kept[part.name] = _proven(part)
        found.append(kept[part.name])
        told(f"{phase} {name}, {part.name}: {_words(kept[part.name])}")
    programs = {"program": program} | ({"refining": refining} if refining else {})
    facts = {"kernel": name, "phase": phase, **programs, "parts": found}
    return facts | {"python-flint": version("python-flint")}


def _proven(part: Lemma) -> dict[str, Any]:
    start = time.process_time()
    outcome = prove(part)
    facts = {"cells": outcome.cells, "worst": round(outcome.worst, 4), "where": outcome.where}
    facts |= {"lemmas": dict(sorted(outcome.lemmas.items())), "failed": outcome.failed}
    return {"name": part.name, "prover": PROVER, **facts, "seconds": round(time.process_time() - start, 1)}


def _words(part: Mapping[str, Any]) -> str:
    done = f"{len(part['failed'])} cells are not proven, {part['failed'][0]}" if part["failed"] else "proven"
    return f"{done}; {part['cells']} cells, the largest share of a bound {part['worst']}, {part['seconds']} s"


def write(found: Mapping[str, Any], folder: Path) -> Path:
    """Write a certificate below ``folder``, a line for each part."""
    target = place(folder, found["phase"], found["kernel"])
    target.parent.mkdir(parents=True, exist_ok=True)
    head = json.dumps({key: value for key, value in found.items() if key != "parts"}).removesuffix("}")
    lines = ",\n".join(json.dumps(part) for part in found["parts"])
    target.write_text(f'{head}, "parts": [\n{lines}\n]}}\n')
    return target
