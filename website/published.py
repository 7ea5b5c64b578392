"""Published figures compared with the measured ones: ``published.toml``, with a remark on each disagreement."""

from __future__ import annotations

import math
import tomllib
from itertools import product
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from website import measured
from website.cells import anchor, worst
from website.markdown import code, escaped, table

if TYPE_CHECKING:
    from collections.abc import Iterator

    from website.measured import Row

__all__ = ["page"]

HEAD = Path(__file__).with_name("published_head.md")
FIGURES = Path(__file__).with_name("published.toml")


def page() -> str:
    """Agreements and disagreements; the latter first."""
    found = list(_compared())
    beyond = [(row, line) for row, line in found if row.verdict.worst_error and _exceeds(row, line["ulp"])]
    within = [(row, line) for row, line in found if (row, line) not in beyond]
    parts = [HEAD.read_text(encoding="utf-8").rstrip("\n")]
    parts += ["## Measured errors beyond the published ones {#beyond}", _table(beyond)]
    parts += ["## Measured errors within the published ones {#within}", _table(within)]
    return "\n\n".join(parts) + "\n"


def _compared() -> Iterator[tuple[Row, dict[str, str]]]:
    """Each published figure of which there is a measurement."""
    for line in _figures():
        for row in measured.of(line["built-in"], line["type"], line["target"]):
            if row.profile == "full" and not math.isnan(row.verdict.worst_error):
                yield row, line


def _figures() -> Iterator[dict[str, str]]:
    """Return each figure of each target with the text of its source."""
    for source in tomllib.loads(FIGURES.read_text(encoding="utf-8"))["source"]:
        facts = {key: source[key] for key in ("condition", "differs", "source")}
        for target, (type, figures) in product(source["targets"], source["figures"].items()):
            for name, ulp in figures.items():
                yield {"target": target, "built-in": name, "type": type, "ulp": ulp, **facts}


def _exceeds(row: Row, claimed: str) -> bool:
    """Whether an error so large contradicts a figure that is given to half an ulp, or to more decimals."""
    decimals = len(claimed.partition(".")[2])
    given_to = 0.5 if float(claimed) % 0.5 == 0 else 0.5 * 10.0**-decimals
    return abs(row.verdict.worst_error) > float(claimed) + given_to


def _differing(row: Row, line: dict[str, str]) -> Iterator[str]:
    """What may explain that the figures are not the same."""
    example, item = row.verdict.tally.worst, row.verdict.item
    if example is not None:
        form = item.form
        numbers = [bits for bits, kind in zip(example.args, item.columns, strict=True) if kind == "gentype"]
        numbers += [example.expected] if item.results[example.output] == "gentype" else []
        values = form.from_bits(np.array(numbers, form.bits_dtype))
        if np.any((values != 0) & (np.abs(values) < 2.0 ** (form.emin + 1))):
            yield "a subnormal number, or one next to them"
    if "sampled" in line["condition"]:
        yield "the published figure is of samples"
    if not row.is_exhaustive:
        yield "this one is of samples"
    yield line["differs"]


def _table(pairs: list[tuple[Row, dict[str, str]]]) -> str:
    heads = (
        "target",
        "built-in",
        "type",
        "published (ulp)",
        "measured (ulp)",
        "at",
        "inputs",
        "what differs",
        "source",
    )
    lines = [
        (
            f"[{row.target.slug}]({row.target.slug}.md)",
            f"[{row.name}]({row.name}/{row.type}.md#{anchor(row)})",
            row.type,
            line["ulp"],
            worst(row),
            code(row.worst_call),
            "all" if row.is_exhaustive else "sampled",
            ", ".join(_differing(row, line)),
            escaped(f"{line['source']}; {line['condition']}"),
        )
        for row, line in pairs
    ]
    return table(heads, lines, "lllrrllll", "sortable wide")
