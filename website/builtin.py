"""A page for every built-in: declaration, special values, limits, how it is computed, hard inputs, measured errors."""

from __future__ import annotations

import functools
import inspect
import re
from importlib import import_module
from typing import TYPE_CHECKING, Any

import clmath
from clmath.kernels.phases import ACCURATE, FAST
from clmath.spec import editions, files
from clmath.spec.builtins import precise
from clmath.spec.edges import edges
from clmath.spec.families import audited_builtins, is_sampled
from clmath.spec.limits import limit
from clmath.spec.profiles import PROFILES
from clmath.spec.symmetries import symmetry
from clmath.spec.synonyms import synonyms
from website import curve, measured
from website.cells import BRIEF, brief
from website.markdown import code, escaped, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clmath.kernels.phases import Kernel
    from clmath.spec.builtins import Builtin
    from clmath.spec.limits import Limit

__all__ = ["documented", "named", "pages", "prose"]

LISTED = ("constants", "contraction", "printf")  # chapters of what is no function: rows of the list, no pages
DRAWN = 2  # subjects of a type whose curves are shown here; the page of the type has all
SHOWN = 12  # hard inputs of a type on a page; the table has all
_PHASES = (("half and float", FAST), ("double", ACCURATE))


def named() -> dict[str, list[Builtin]]:
    """All built-ins by name; one name may stand in two chapters."""
    found: dict[str, list[Builtin]] = {}
    for row in audited_builtins():
        found.setdefault(row.name, []).append(row)
    return found


def pages() -> dict[str, str]:
    """The list of all built-ins, and their pages."""
    own = {name: rows for name, rows in named().items() if _has_page(rows[0])}
    return {"builtins.md": _list()} | {f"{name}.md": _page(name, rows) for name, rows in own.items()}


def _list() -> str:
    """All built-ins by chapter."""
    parts = [
        "# Built-ins",
        "Every built-in that clmath computes and `clmath audit` judges, by chapter of the specification.",
    ]
    chapters: dict[str, list[Builtin]] = {}
    for rows in named().values():
        for row in rows:
            chapters.setdefault(row.chapter, []).append(row)
    for chapter, rows in chapters.items():
        lines = [(_link(row), code(row.declaration), row.section, ", ".join(row.type_names)) for row in rows]
        parts += [
            f"## {chapter.capitalize()}",
            table(("built-in", "declaration", "section", "types"), lines, marks="sortable"),
        ]
    return "\n\n".join(parts) + "\n"


def _link(row: Builtin) -> str:
    return f"[`{row.name}`]({row.name}.md)" if _has_page(row) else f"`{row.name}`"


def _has_page(row: Builtin) -> bool:
    """Not macros and expressions, and not the reads of one image each, which are those of ``Image``."""
    return row.chapter not in LISTED and not is_sampled(row)


def _page(name: str, rows: Sequence[Builtin]) -> str:
    parts = [f"# {name}", "```c\n" + "\n".join(row.declaration for row in rows) + "\n```", *documented(name)]
    for row in rows:
        parts += _facts(row)
        parts += [*_limits(row), *_edges(row)] if row.is_measured else [f"Every result: {escaped(row.limit)}."]
    parts += [*_computed(rows[0]), *_hard(name), *_errors(name)]
    return "\n\n".join(parts) + "\n"


def documented(name: str) -> Iterator[str]:
    """The docstring: what it computes, and its examples."""
    function = functools.reduce(lambda owner, part: getattr(owner, part, None), name.split("."), clmath)
    text = inspect.getdoc(function) or ""
    said, *examples = re.split(r"\n\n(?=>>>)", text)
    yield prose(said)
    if callable(function):
        yield f"```python\nclmath.{name}{_signature(function)}\n```"
    if examples:
        yield "```pycon\n" + "\n\n".join(examples) + "\n```"


def prose(text: str) -> str:
    """Text of a docstring, paragraph by paragraph, with its code as code."""
    return "\n\n".join("".join(map(_piece, re.split(r"(?s)(``.+?``)", part))) for part in text.split("\n\n"))


def _piece(text: str) -> str:
    """A piece of a paragraph: code in two backticks, or text, whose spaces at the ends stay."""
    if text.startswith("``"):
        return f"`{' '.join(text.strip('`').split())}`"
    spaces = [" " if end.isspace() else "" for end in (text[:1], text[-1:])]
    return escaped(text).join(spaces) if text.strip() else " " * bool(text)


def _signature(function: Any) -> str:
    """The parameters, without their types."""
    bare = [p.replace(annotation=inspect.Parameter.empty) for p in inspect.signature(function).parameters.values()]
    return str(inspect.Signature(bare))


def _facts(row: Builtin) -> Iterator[str]:
    """Chapter, types, symmetry, other names."""
    facts = [f"{row.chapter} chapter, section {row.section}", f"types: {', '.join(row.type_names)}"]
    facts += [f"vectors of {', '.join(map(str, row.widths))} lanes"] if row.widths else []
    facts += ["vectors lane by lane"] if row.vectors else []
    facts += [f"computed in {f.name}, too, which no edition has" for f in row.computed]
    facts += [f"an {symmetry(row.called)} function"] if row.is_measured and symmetry(row.called) else []
    facts += [f"formula: {escaped(row.formula or row.uncontracted)}"] if row.formula or row.uncontracted else []
    facts += [f"left open: {escaped(row.left_open)}"] if row.left_open else []
    same = precise(row.called) if row.is_measured else row.name
    facts += [f"the exact value is that of [`{same}`]({same}.md)"] if same != row.name else []
    others = [other for other, meant in synonyms().items() if row.name in meant]
    facts += [f"known elsewhere as {', '.join(map(code, others))}"] if others else []
    yield "\n".join(f"- {fact}" for fact in facts)


def _limits(row: Builtin) -> Iterator[str]:
    """What each edition allows a device, one line for each type and profile."""
    known = editions.known()
    same: dict[tuple[str, ...], dict[str, list[Limit]]] = {}
    for form in row.formats:
        for profile in PROFILES:
            found = [limit(row.called, form, profile, edition=edition) for edition in known]
            same.setdefault((form.name, *(one.text for one in found)), {})[profile] = found
    lines = [(type, ", ".join(profiles), *_allowed(list(profiles.values()))) for (type, *_), profiles in same.items()]
    yield "## Limits {#limits}"
    yield "What the specification allows a device; clmath itself gives the correctly rounded result."
    yield table(("type", "profiles", *known), lines)


def _allowed(found: Sequence[Sequence[Limit]]) -> Iterator[str]:
    """For each edition the limit of some profiles, which is the same, and all its sources."""
    for ones in zip(*found, strict=True):
        sources = dict.fromkeys(escaped(one.source) for one in ones)
        yield f"{escaped(ones[0].text)}<br><small>{'; '.join(sources)}</small>"


def _edges(row: Builtin) -> Iterator[str]:
    """Prescribed results, with the editions that prescribe them."""
    where: dict[tuple[str, str], list[str]] = {}
    for edition in editions.known():
        for edge in edges(row.called, edition):
            where.setdefault((edge.text, edge.source), []).append(edition)
    yield "## Special values {#special-values}"
    if not where:
        yield "No edition prescribes a result."
        return
    every = len(editions.known())
    lines = [(code(t), escaped(s), "all" if len(e) == every else ", ".join(e)) for (t, s), e in where.items()]
    yield table(("prescribed", "by", "editions"), lines)


def _computed(row: Builtin) -> Iterator[str]:
    """Which kernels enclose it, and how closely; otherwise that it needs none."""
    yield "## How clmath computes it {#computed}"
    own = precise(row.called) if row.is_measured else row.name
    found = [(types, step) for types, phase in _PHASES if phase.results(own) for step in phase.steps(own)]
    kernels = [(types, step) for types, step in found if not isinstance(step, str)] if row.chapter == "math" else []
    if not kernels:
        yield (
            "No enclosure is needed: the result is exact, or an operation that is rounded once, or it follows from the"
            " reference (MPFR), which rounds to odd and then to the format."
        )
        return
    yield (
        "Kernels enclose the exact value; both ends of the enclosure are rounded, and where they agree that is the"
        " result. What stays open goes to narrower enclosures and then to the reference (MPFR):"
        " [how accuracy is known](guide/accuracy.md)."
    )
    rows = [row for types, kernel in kernels for row in _kernel_rows(types, kernel)]
    yield table(("for", "kernel", "how", "bound"), rows)


def _kernel_rows(types: str, kernel: Kernel) -> Iterator[tuple[str, ...]]:
    """A kernel, and the one that narrows its enclosures where they are open."""
    parts = " ± ".join((" + ".join(p for p in kernel.parts if p in {"hi", "lo"}), "err"))
    narrowed = ", narrowed where it is open" if kernel.narrow else ""
    yield _kernel_row(types, kernel.module, kernel.name, f"`{parts}`{narrowed}")
    if kernel.narrow is not None:
        yield _kernel_row(types, kernel.narrow.__module__, kernel.name, "`hi + lo ± err`, narrower")


def _kernel_row(types: str, module: str, name: str, bound: str) -> tuple[str, ...]:
    how = (inspect.getdoc(import_module(module)) or "").split("\n\n", maxsplit=1)[0]
    is_proven = files.exists(f"certificates/{module.split('.')[2]}/{name}.json")
    proven = "; [proven by machine](proofs.md)" if is_proven else ""
    return types, code(f"{module}.{name}"), escaped(how), bound + proven


def _hard(name: str) -> Iterator[str]:
    """Arguments that are hard to round, and those at which libraries were found to be wrong."""
    lines = [
        (form, code(call))
        for form in ("float", "double")
        for call in _of(files.load(f"hard/{form}.toml"), name)[:SHOWN]
    ]
    known = [
        (form, "<br>".join(map(code, calls[name][:SHOWN])), f"[{escaped(report['what'])}]({report['link']})")
        for report in files.load("hard/known.toml")["report"]
        for form, calls in report.items()
        if isinstance(calls, dict) and name in calls
    ]
    if not lines and not known:
        return
    yield "## Worst known inputs {#hard}"
    if known:
        yield "At these calls libraries were found to be worst, or wrong:"
        yield table(("type", "arguments", "report"), known)
    if lines:
        yield "Their exact values lie close to a number of the type, or half way between two:"
        yield table(("type", "arguments"), lines)


def _of(loaded: Mapping[str, Any], name: str) -> list[str]:
    return list(loaded.get(name, []))


def _errors(name: str) -> Iterator[str]:
    """What devices and libraries return, with their curves."""
    rows = measured.of(name)
    if not rows:
        return
    yield "## Measured errors {#measured}"
    types = list(dict.fromkeys(row.type for row in rows))
    pages = ", ".join(f"[{type}](atlas/{name}/{type}.md)" for type in types)
    yield f"Of each device and library the worst error that was found; everything about each, and its curve: {pages}."
    yield table(BRIEF, [brief(row, f"atlas/{name}/{row.type}.md") for row in rows], "lllrrll", "sortable wide")
    for type in types:
        for row in measured.curves(name, type)[:DRAWN]:
            yield from curve.figures(row)
