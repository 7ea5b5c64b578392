"""Requested names that a target lacks: an audit judges the rest, and reports them."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.plan.plan import CHAPTERS

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan

__all__ = ["lacking", "names_of"]

SHOWN = 12  # names of functions
_GLOBS = "*?["


def names_of(text: str | None) -> list[str]:
    """Return the names in a list with commas."""
    return [name for name in (text or "").replace(",", " ").split() if name]


def lacking(options: Namespace, plan: Plan, items: Sequence[Item], who: str) -> Iterator[str]:
    """Yield lines on named functions, chapters, types and widths for which ``who`` has no case.

    ``items``: the cases of ``who``. Globs, and all widths, match whatever exists.
    """
    undefined = list(_undefined(options, plan, items))
    if undefined:
        more = f" and {len(undefined) - SHOWN} more" if len(undefined) > SHOWN else ""
        yield f"not judged: {who} does not define {', '.join(undefined[:SHOWN])}{more}"
    has = {item.builtin.chapter for item in items}
    named = names_of(options.chapters)
    chapters = [c for c in (CHAPTERS if "all" in named else dict.fromkeys(named)) if c not in has]
    if chapters:
        yield f"not judged: {who} has no case of the chapter{'s' * (len(chapters) > 1)} {', '.join(chapters)}"
    types = {name for item in items for name in (item.form.name, item.form.dtype.name)}
    for name in names_of(options.types):
        if name not in types:
            yield f"not judged: {who} has no case of the type {name}"
    vectors = {str(1 if item.builtin.vector_widths else item.vector) for item in items}
    for width in names_of(options.widths) if options.widths != "all" else ():
        if str(int(width, 0)) not in vectors:
            yield f"not judged: {who} has no vectors of width {width}"


def _undefined(options: Namespace, plan: Plan, items: Sequence[Item]) -> Iterator[str]:
    """Yield the named functions without any case, and functions with the types that they lack."""
    asked = [name for name in names_of(options.functions) if not set(name) & set(_GLOBS)]
    has = {(item.builtin.name, item.form.name) for item in items}
    due = {(item.builtin.name, item.form.name): item for item in plan.items()}
    others = {row.name for row in plan.functions if row.calls}
    for name in asked:
        types = [form for function, form in due if function == name]
        lost = [form for form in types if (name, form) not in has]
        if not types:  # none in any of the requested types: other signatures need not have one
            yield from () if name in others else (f"{name} {form}" for form in plan.formats)
            continue
        if len(lost) == len(types):
            yield name
        else:
            yield from (f"{name} {form}" for form in lost)
