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
from clmath.spec.builtins import precise, symmetry
from clmath.spec.editions import PROFILES
from clmath.spec.families import audited_builtins, is_sampled
from clmath.spec.limits import limit
from clmath.spec.special_values import special_values
from clmath.spec.synonyms import synonyms
from website import curve, measured
from website.cells import BRIEF, LEVELS, anchor, brief, level, worst
from website.markdown import code, escaped, table

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping, Sequence

    from clmath.kernels.phases import Kernel
    from clmath.spec.builtins import Builtin
    from clmath.spec.limits import Limit
    from website.measured import Row

__all__ = ["described", "documented", "named", "pages", "prose"]

LISTED = ("constants", "contraction", "printf")  # chapters without functions: rows of the list, no pages
SHOWN = 12  # hard inputs of a type on a page; the table has all
_PHASES = (("half and float", FAST), ("double", ACCURATE))


def named() -> dict[str, list[Builtin]]:
    """Return all built-ins by name; one name may belong to two chapters."""
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
    """Whether a row has a page: macros, expressions and the reads of one image type have none."""
    return row.chapter not in LISTED and not is_sampled(row)


def _page(name: str, rows: Sequence[Builtin]) -> str:
    """The page: signature, curves and devices, then the rules of the specification, the kernels and their proofs."""
    parts = [f"# {name}", *documented(name), *_curves(name)]
    parts.append("## Declaration {#declaration}\n\n```c\n" + "\n".join(row.declaration for row in rows) + "\n```")
    for row in rows:
        parts += _facts(row)
        parts += [*_limits(row), *_special_values(row)] if row.is_measured else [f"Every result: {escaped(row.limit)}."]
    parts += [*_computed(rows[0]), *_hard(name), *_errors(name)]
    return "\n\n".join(parts) + "\n"


def documented(name: str) -> Iterator[str]:
    """The signature and the docstring of a public function, and its examples."""
    member = functools.reduce(lambda owner, part: getattr(owner, part, None), name.split("."), clmath)
    return described(f"clmath.{name}", member)


def described(title: str, member: object) -> Iterator[str]:
    """The signature, the docstring and the examples of a function or class, which is called by ``title``."""
    text = inspect.getdoc(member) or ""
    said, *examples = re.split(r"\n\n(?=>>>)", text)
    if callable(member):
        yield f"```python\n{title}{_signature(member)}\n```"
    yield prose(said)
    if examples:
        yield "```pycon\n" + "\n\n".join(examples) + "\n```"


def prose(text: str) -> str:
    """Text of a docstring as Markdown: paragraphs, lists, and code as code."""
    blocks = [block for part in text.split("\n\n") for block in re.split(r"\n(?=- )", part)]
    return "\n\n".join(map(_block, blocks))


def _block(text: str) -> str:
    """A paragraph, or an item of a list."""
    mark = "- " if text.startswith("- ") else ""
    return mark + "".join(map(_piece, re.split(r"(?s)(``.+?``)", text.removeprefix(mark))))


def _piece(text: str) -> str:
    """Return a piece of a paragraph as Markdown: code in two backticks, or text with the spaces at its ends."""
    if text.startswith("``"):
        return f"`{' '.join(text.strip('`').split())}`"
    spaces = [" " if end.isspace() else "" for end in (text[:1], text[-1:])]
    return escaped(text).join(spaces) if text.strip() else " " * bool(text)


def _signature(function: Any) -> str:
    """The parameters, without their types."""
    try:
        parameters = inspect.signature(function).parameters.values()
    except ValueError:  # of a class whose parent is written in C
        return "(...)"
    return str(inspect.Signature([p.replace(annotation=inspect.Parameter.empty) for p in parameters]))


def _facts(row: Builtin) -> Iterator[str]:
    """Chapter, types, symmetry, other names."""
    facts = [f"{row.chapter} chapter, section {row.section}", f"types: {', '.join(row.type_names)}"]
    facts += [f"vectors of {', '.join(map(str, row.widths))} lanes"] if row.widths else []
    facts += ["vectors lane by lane"] if row.vectors else []
    facts += [f"computed in {f.name}, too, which no edition has" for f in row.computed]
    facts += [f"an {symmetry(row.called)} function"] if row.is_measured and symmetry(row.called) else []
    facts += [f"formula: {escaped(row.formula or row.uncontracted)}"] if row.formula or row.uncontracted else []
    facts += [f"unspecified: {escaped(row.unspecified)}"] if row.unspecified else []
    same = precise(row.called) if row.is_measured else row.name
    facts += [f"the exact value is that of [`{same}`]({same}.md)"] if same != row.name else []
    others = [other for other, meant in synonyms().items() if row.name in meant]
    facts += [f"known elsewhere as {', '.join(map(code, others))}"] if others else []
    yield "\n".join(f"- {fact}" for fact in facts)


def _limits(row: Builtin) -> Iterator[str]:
    """Return the limits of each edition, one line for each type and profile."""
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


def _special_values(row: Builtin) -> Iterator[str]:
    """Prescribed results, with the editions that prescribe them."""
    where: dict[tuple[str, str], list[str]] = {}
    for edition in editions.known():
        for special_value in special_values(row.called, edition):
            where.setdefault((special_value.text, special_value.source), []).append(edition)
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
    yield _kernel_row(types, kernel, kernel.phase, f"`{parts}`{narrowed}")
    if kernel.narrow is not None:
        yield _kernel_row(types, kernel, "narrowing", "`hi + lo ± err`, narrower")


def _kernel_row(types: str, kernel: Kernel, phase: str, bound: str) -> tuple[str, ...]:
    """The first paragraph of the module says how a kernel works, the second how its enclosures are narrowed."""
    hows = (inspect.getdoc(import_module(kernel.module)) or "").split("\n\n")
    function, how = (kernel.narrow, hows[1]) if phase == "narrowing" and kernel.narrow else (kernel.function, hows[0])
    proven = "; [proven by machine](proofs.md)" if files.exists(f"certificates/{phase}/{kernel.name}.json") else ""
    return types, code(f"{kernel.module}.{function.__name__}"), escaped(how), bound + proven


def _hard(name: str) -> Iterator[str]:
    """Return arguments that are hard to round, and arguments at which libraries were wrong."""
    lines = [
        (form, code(call))
        for form in ("float", "double")
        for call in _of(files.load("hard/calls.toml")["found"][form], name)[:SHOWN]
    ]
    known = [
        (form, "<br>".join(map(code, calls[name][:SHOWN])), f"[{escaped(report['what'])}]({report['link']})")
        for report in files.load("hard/calls.toml")["report"]
        for form, calls in report.items()
        if isinstance(calls, dict) and name in calls
    ]
    if not lines and not known:
        return
    yield "## Worst known inputs {#hard}"
    if known:
        yield "At these calls libraries were found to be worst, or wrong:"
        yield _folded(f"{len(known)} reports", table(("type", "arguments", "report"), known))
    if lines:
        yield "Their exact values lie close to a number of the type, or half way between two:"
        yield _folded(f"{len(lines)} inputs", table(("type", "arguments"), lines))


def _folded(summary: str, text: str) -> str:
    """Text that is shown on demand."""
    return f"<details markdown>\n<summary>{summary}</summary>\n\n{text}\n\n</details>"


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


def _curves(name: str) -> Iterator[str]:
    """The curves of a device that fails and of one that conforms, and a strip of all devices in colour."""
    rows = measured.of(name)
    if not rows:
        return
    yield "## Errors of devices {#errors}"
    for row in _typical(name, rows):
        yield from curve.figures(row)
    for type in dict.fromkeys(row.type for row in rows):
        chips = [_chip(row) for row in rows if row.type == type]
        yield f"**{type}**{{ .strip }} {' '.join(chips)}"
    used = dict.fromkeys(level(row) for row in rows)
    yield "Colours: " + " ".join(
        f'<span class="level level-{one}">{LEVELS[one]}</span>' for one in LEVELS if one in used
    )


def _typical(name: str, rows: Sequence[Row]) -> Iterator[Row]:
    """Return the most severe row that fails and the most severe one that passes; both have a curve."""
    curved = [row for type in dict.fromkeys(row.type for row in rows) for row in measured.curves(name, type)]
    for passes in (False, True):
        found = sorted((row for row in curved if (level(row) != "beyond") == passes), key=_severity)
        yield from found[:1]


def _severity(row: Row) -> tuple[int, float]:
    """Rows beyond their limit first, then the largest errors."""
    return -list(LEVELS).index(level(row)) if level(row) != "unknown" else 1, -row.verdict.worst_error


def _chip(row: Row) -> str:
    """A device in the colour of its level, with its worst error; it leads to the worst input."""
    profile = "" if row.profile == "full" else f", {row.profile}"
    mark = " ✗" if row.verdict.status == "fail" else ""
    link = f"atlas/{row.name}/{row.type}.md#{anchor(row)}"
    look = f'{{ .level .level-{level(row)} title="{LEVELS[level(row)]}" }}'
    return f"[{row.target.slug}{profile} {worst(row)}{mark}]({link}){look}"
