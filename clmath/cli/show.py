"""``clmath show``: one built-in's declaration, limits in every profile, and edges."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.spec.builtins import EXACT, builtins
from clmath.spec.synonyms import unknown_builtin

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator

    from clmath.spec.builtins import Builtin

__all__ = ["run"]


def run(options: Namespace) -> int:
    """Print what the specification says of a built-in, in each chapter that has one of the name."""
    name = options.name
    tables = (builtins(), builtins(*EXACT))
    rows = [table[name] for table in tables if name in table]
    if not rows:
        known = tuple(n for table in tables for n in table)
        raise unknown_builtin("clmath show", name, known)
    for row in rows:
        print("\n".join(_lines(row)))
    return 0


def _lines(row: Builtin) -> Iterator[str]:
    yield row.declaration
    yield f"    {row.chapter} chapter, section {row.section}"
    yield f"    types: {', '.join(f.name for f in row.formats) or ', '.join(row.types)}"
    if row.computed:
        yield f"    computed, never judged: {', '.join(f.name for f in row.computed)}"
    if row.lanes:
        yield f"    lanes: {', '.join(map(str, row.lanes))}"
    if row.formula:
        yield f"    formula: {row.formula}; every operation is rounded"
    if row.uncontracted:
        yield f"    formula: {row.uncontracted}; rounded once, or every operation where contraction is off"
    if row.chapter in EXACT:
        yield "    the result is exact: no limit, every bit counts"
        return
    yield from _limits(row)
    yield from _edges(row)


def _limits(row: Builtin) -> Iterator[str]:
    from clmath.spec.limits import PROFILES, limit

    yield "limits:"
    width = max(map(len, PROFILES))
    for form in row.formats:
        for profile in PROFILES:
            found = limit(row.name, form, profile)
            yield f"    {form.name:6}  {profile:{width}}  {found.text}  ({found.source})"


def _edges(row: Builtin) -> Iterator[str]:
    from clmath.spec.edges import edges

    found = edges(row.name)
    yield "edges:" if found else "edges: none prescribed"
    for edge in found:
        yield f"    {edge.text}  ({edge.source})"
