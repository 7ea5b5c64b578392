"""``clmath show``: one built-in's declaration, limits in every profile, and special values, by every edition."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.protocol.printable import printable
from clmath.numbers.formats import FORMATS, KNOWN
from clmath.spec import editions
from clmath.spec.edition_names import checked_edition
from clmath.spec.families import exact_builtins, measured_builtins
from clmath.spec.synonyms import case_of_vectors, not_audited, unknown_builtin

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from clmath.spec.builtins import Builtin
    from clmath.spec.special_values import SpecialValue

CALL = "clmath show"


def run(options: Namespace) -> int:
    """Print the specification's requirements on a built-in, in each chapter that has one of the name; return 0."""
    name = options.name
    tables = (measured_builtins(), exact_builtins())
    rows = [table[name] for table in tables if name in table]
    if not rows:
        raise _no_row(name, tuple(n for table in tables for n in table))
    asked = (checked_edition(CALL, options.edition),) if options.edition else editions.known()
    for row in rows:
        print("\n".join(_lines(row, asked)))
    for line in () if options.report is None else _measured(name, Path(options.report)):
        print(printable(line))
    return 0


def _no_row(name: str, known: Sequence[str]) -> errors.UnknownNameError:
    """Return the error for a name without limits: clmath has it all the same, or else a similar name."""
    import clmath

    public = tuple(dir(clmath))
    if case_of_vectors(name, known):
        return not_audited(CALL, name, known)
    if name in public:
        fact = f"{name!r} belongs to clmath, but is not a built-in with limits or prescribed bits"
        return errors.UnknownNameError(f"{CALL}: {fact}; run: python -c \"help('clmath.{name}')\"")
    return unknown_builtin(CALL, name, (*known, *public))


def _measured(name: str, path: Path) -> Iterator[str]:
    """Yield a report's verdicts on a built-in, and the errors by binade if it has them."""
    from clmath.audit.records import several_reports
    from clmath.audit.reports.charts import sparks
    from clmath.audit.reports.terminal import attention_line, error_text

    found = False
    for target, one in several_reports.read(path, CALL).reports.items():
        for verdict in (v for v in one.verdicts.values() if v.item.builtin.name == name):
            said = attention_line(verdict) if verdict.status == "fail" else verdict.with_share(verdict.status)
            found = True
            yield f"measured, {target}: {verdict.item}: {error_text(verdict.worst_error)} ulp at most: {said}"
            yield from (f"    {line}" for line in sparks(verdict))
    if not found:
        raise errors.ClmathError(f"{CALL}: {path} has no case of {name}; audit it: clmath audit --functions {name}")


def _lines(row: Builtin, asked: Sequence[str]) -> Iterator[str]:
    yield row.declaration
    yield f"    {row.chapter} chapter, section {row.section}"
    yield f"    types: {', '.join(row.type_names)}"
    beyond = [form for form in KNOWN if form not in FORMATS and row.takes(form.name)]
    if beyond:
        computed = " (clmath computes it, too)" if row.computed else ""
        yield f"    in no edition, audited if asked for: {', '.join(map(str, beyond))}{computed}"
    if row.widths:
        yield f"    widths: {', '.join(map(str, row.widths))}"
    if row.vectors:
        widths = ", ".join(map(str, row.vector_widths)) or "2, 3, 4, 8 or 16"
        option = "" if row.vector_widths else " (audit --widths)"
        yield f"    vectors: component by component, of {widths} components{option}"
    if row.is_measured and row.formula:
        yield f"    formula: {row.formula}; every operation is rounded"
    if row.is_measured and row.uncontracted:
        yield f"    formula: {row.uncontracted}; rounded once, or every operation where contraction is off"
    if not row.is_measured:
        yield from required(row)
        yield from _statements(row, asked)
        return
    yield from _limits(row, asked)
    yield from _special_values(row, asked)


def required(row: Builtin) -> Iterator[str]:
    """Yield the requirement on every result, equal for all profiles and, except for statements, for all editions."""
    if row.formula or row.uncontracted:
        yield f"    expression: {row.formula or row.uncontracted}"
    yield f"    every result: {row.limit}"
    if row.printed:
        yield f"    format: {', '.join(f'{number} {text}' for number, text in enumerate(row.printed))}"
        yield "    <l>, <v>: the length modifier of one number of the type, and of a vector of them"
    if row.result == "booln":
        yield "    true: 1, and -1 in each component of a vector"
    if row.unspecified:
        yield f"    unspecified: {row.unspecified}"


def _statements(row: Builtin, asked: Sequence[str]) -> Iterator[str]:
    """Yield the statements about a built-in, editions with equal statements together."""
    from clmath.audit.exact.exact_criteria import ExactCriteria
    from clmath.audit.plan.rows import item_named

    items = [item_named(row.name, type, min(row.widths, default=0)) for type in row.type_names]
    groups: dict[tuple[str, ...], list[str]] = {}
    for edition in asked:
        criteria = ExactCriteria("full", "rte", flushes=False, edition=edition)
        said = {name: found for item in items for name, found in criteria.statements(item).items()}
        lines = (f"{n.replace('_', ' ')}: {' or '.join(s.says)}  ({s.source})" for n, s in said.items())
        groups.setdefault(tuple(lines), []).append(edition)
    for found, stating in groups.items():
        if found:
            yield f"statements, {', '.join(stating)}:"
            yield from (f"    {line}" for line in found)


def _limits(row: Builtin, asked: Sequence[str]) -> Iterator[str]:
    from clmath.spec.editions import PROFILES
    from clmath.spec.limits import limit

    width = max(map(len, PROFILES))
    for edition in asked:
        yield f"limits, {edition}:"
        for form in row.formats:
            for profile in PROFILES:
                found = limit(row.called, form, profile, edition=edition)
                yield f"    {form.name:6}  {profile:{width}}  {found.text}  ({found.source})"


def _special_values(row: Builtin, asked: Sequence[str]) -> Iterator[str]:
    """Yield the special values, editions with equal ones together."""
    from clmath.spec.special_values import special_values

    groups: dict[tuple[SpecialValue, ...], list[str]] = {}
    for edition in asked:
        groups.setdefault(special_values(row.called, edition), []).append(edition)
    for found, prescribing in groups.items():
        names = ", ".join(prescribing)
        yield f"special values, {names}:" if found else f"special values, {names}: none prescribed"
        for special_value in found:
            yield f"    {special_value.text}  ({special_value.source})"
