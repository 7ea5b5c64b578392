"""What is proven of kernels: a table of all certificates."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from benchmarks.attack.records import record
from clmath.certify.certificates import certificate
from clmath.certify.proof import second_functions
from clmath.certify.proofs import PROOFS
from clmath.kernels import RUNGS
from website.markdown import code, table

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Mapping
    from typing import Any

    from clmath.kernels import Rung

__all__ = ["page"]

HEAD = Path(__file__).with_name("proofs_head.md")
_COLUMNS = ("Kernel", "Rung", "Cells", "Seconds", "Largest share", "Where", "Found", "Undecided", "By width")
_LEFT = ("Rung", "Kernels", "Second functions")
_UNPROVEN = """
## Without a proof

The functions whose bounds are derived in comments and attacked by tests, and not proven yet. The second functions
find exact results and decide what lies next to them (`refined_`), or serve arguments for which less is to compute.
"""


def page() -> str:
    """The words, a line for each kernel, and the functions that have no proof."""
    words = HEAD.read_text(encoding="utf-8")
    return f"{words}\n{table(_COLUMNS, list(_lines()))}\n{_UNPROVEN}\n{table(_LEFT, list(_left()))}\n"


def _lines() -> Iterator[tuple[str, ...]]:
    for rung, name in sorted(PROOFS):
        found = certificate(rung, name)
        if found is None:
            continue
        parts = found["parts"]
        worst = max(parts, key=lambda part: part["worst"])
        cells, seconds = sum(part["cells"] for part in parts), sum(part["seconds"] for part in parts)
        yield (
            code(name),
            rung,
            str(cells),
            f"{seconds:.0f}",
            f"{worst['worst']:.2f}",
            code(worst["where"]),
            *_attacked(found),
        )


def _left() -> Iterator[tuple[str, ...]]:
    """By rung: kernels without a certificate, and functions beside kernels, of which certificates do not speak."""
    for rung in RUNGS.values():
        second = {name: _second(rung, name) - _proven(rung, name) for name in rung.kernels}
        missing = _listed(name for name in rung.kernels if not certificate(rung.name, name))
        yield rung.name, missing, _listed(frozenset().union(*second.values()))
    narrowed = (name for rung in RUNGS.values() for name in rung.narrowed)
    yield "fine", _listed(name for name in narrowed if not certificate("fine", name)), ""


def _second(rung: Rung, name: str) -> frozenset[str]:
    """The functions beside a kernel."""
    ways = (("ordinary", rung.ordinary), ("far", rung.far))
    others = {f"{way}_{name}" for way, kernels in ways if name in kernels}
    return frozenset(others | ({rung.refining[name]} if name in rung.refining else set()))


def _proven(rung: Rung, name: str) -> frozenset[str]:
    """Those of them that its proof speaks of."""
    parts = PROOFS.get((rung.name, name))
    return second_functions(parts(name)) if parts else frozenset()


def _listed(names: Iterable[str]) -> str:
    return ", ".join(map(code, sorted(names))) or "none"


def _attacked(proven: Mapping[str, Any]) -> tuple[str, str, str]:
    """What an attack on the same program has found; nothing where there was none."""
    found = record(proven["rung"], proven["kernel"])
    if found is None or found["program"] != proven["program"]:
        return "", "", ""
    counted, expected = (max(found[which].values()) for which in ("undecided", "undecided by width"))
    return f"{found['share']:.2f}", f"{counted:.1f}", f"{expected:.3f}"
