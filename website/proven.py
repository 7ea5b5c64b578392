"""The page of proofs: a table of all certificates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.attack.records import before, record
from clmath.kernels import PHASES
from proofs.certificates import certificate
from proofs.engine.proof import second_functions
from proofs.registry import PROOFS
from website.markdown import code, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from clmath.kernels.phases import Kernel, Phase

__all__ = ["page", "second_functions_of"]

HEAD = Path(__file__).with_name("proofs_head.md")
_COLUMNS = ("Kernel", "Phase", "Cells", "Seconds", "Largest share", "Where", "Found", "Undecided", "By width", "Before")
_LEFT = ("Phase", "Kernels", "Second functions")
_UNPROVEN = """
## Without a proof

The functions whose bounds are derived in comments and attacked by tests, and not proven yet. The second functions
find exact results and decide what lies next to them (`refined_`), or serve arguments for which less is to compute.
"""


def page() -> str:
    """The words, a line for each kernel, and the functions that have no proof where there are any."""
    words = HEAD.read_text(encoding="utf-8")
    left = list(_left())
    unproven = f"{_UNPROVEN}\n{table(_LEFT, left)}\n" if any({*found} != {"none"} for _, *found in left) else ""
    return f"{words}\n{table(_COLUMNS, list(_lines()))}\n{unproven}"


def _lines() -> Iterator[tuple[str, ...]]:
    for phase, name in sorted(PROOFS):
        found = certificate(phase, name)
        if found is None:
            continue
        parts = found["parts"]
        worst = max(parts, key=lambda part: part["worst"])
        cells, seconds = sum(part["cells"] for part in parts), sum(part["seconds"] for part in parts)
        yield (
            code(name),
            phase,
            str(cells),
            f"{seconds:.0f}",
            f"{worst['worst']:.2f}",
            code(worst["where"]),
            *_attacked(found),
        )


def _left() -> Iterator[tuple[str, ...]]:
    """Return, by phase, kernels without a certificate and functions next to kernels, which have none."""
    for phase in PHASES.values():
        second = (function for name in phase.kernels for function in _unproven(phase, name))
        yield phase.name, _listed(name for name in phase.kernels if not certificate(phase.name, name)), _listed(second)
    narrowed = (kernel.name for phase in PHASES.values() for kernel in phase.single if kernel.narrow)
    yield "narrowing", _listed(name for name in narrowed if not certificate("narrowing", name)), "none"


def second_functions_of(kernel: Kernel) -> frozenset[str]:
    """Return the functions that a kernel uses: for other arguments, or for undecided ones."""
    record = kernel.record
    found = [record.refine, *(special.function for special in (record.ordinary, record.far) if special)]
    return frozenset(function.__name__ for function in found if function)


def _unproven(phase: Phase, name: str) -> frozenset[str]:
    """The second functions of a kernel of which its proof does not speak."""
    functions = second_functions_of(phase.kernels[name])
    proof = PROOFS.get((phase.name, name)) if functions else None
    return functions - second_functions(proof(name)) if proof else functions


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(code, sorted(set(names)))) or "none"


def _attacked(proven: Mapping[str, Any]) -> tuple[str, str, str, str]:
    """Return the largest error that an attack on this program found; nothing if there was no attack."""
    found = record(proven["phase"], proven["kernel"])
    if found is None or found["program"] != proven["program"]:
        return "", "", "", ""
    counted, expected = (found[which] for which in ("undecided", "undecided by width"))
    earlier = before(proven["phase"], proven["kernel"])
    return f"{found['share']:.2f}", f"{counted:.1f}", f"{expected:.3f}", "" if earlier is None else f"{earlier:.3f}"
