"""``clmath audit --replay``: single inputs, evaluated on the target and judged like the whole case."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import numpy as np
from rich.text import Text

from clmath import errors
from clmath.audit.acceptance.findings import conclude, trouble
from clmath.audit.counting.tally import Tally, off_text
from clmath.audit.inputs import values
from clmath.audit.judge.piece import criteria_of, judge
from clmath.audit.plan.types import code_of
from clmath.audit.protocol.printable import printable
from clmath.audit.protocol.target import TargetError
from clmath.audit.reports import terminal
from clmath.audit.targets.attempt import evaluated, printed
from clmath.cli.asked import item_for
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from argparse import Namespace
    from collections.abc import Iterator, Sequence

    from rich.console import Console

    from clmath.audit.counting.tally import Verdict
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.target import Target

__all__ = ["run"]

CALL = "clmath audit"


def run(out: Console, options: Namespace, plan: Plan, target: Target, items: Sequence[Item]) -> int:
    """Print arguments, expected and got values and the verdict of every input given; return the exit status of all."""
    if not options.functions:
        raise errors.ClmathError(f"{CALL}: --replay needs the built-in; add --functions NAME --types TYPE")
    verdicts = []
    for row, form, width in dict.fromkeys((item.builtin, item.form, item.vector) for item in items):
        for text in options.replay:
            words = text.split(",")
            item = item_for(row, form, len(words), CALL, width)
            given = [values.parse(v, k, form, options.bits, CALL) for v, k in zip(words, _kinds(item), strict=True)]
            verdict, got = _judged(item, given, plan, target)
            for line in _lines(verdict, plan.edition, given, got):
                out.print(Text(printable(line)), soft_wrap=True)
            verdicts.append(verdict)
    return terminal.exit_code(verdicts)


def _kinds(item: Item) -> list[str]:
    """Return the type of every value given: for vectors, component by component."""
    return [kind for kind, count in item.given for _ in range(count)]


def _judged(item: Item, given: Sequence[int], plan: Plan, target: Target) -> tuple[Verdict, list[int]]:
    """Return the verdict on one input or vector, and the encodings of its results."""
    columns = tuple(_columns(item, given))
    criteria = criteria_of(item, plan, target)
    try:
        results = evaluated(target, item, columns)
    except TargetError as error:
        return trouble(item, criteria, Tally(), str(error), _printed(target)), []
    return conclude(item, criteria, judge(item, columns, results, criteria), _printed(target)), _encodings(results)


def _columns(item: Item, given: Sequence[int]) -> Iterator[np.ndarray]:
    """Yield the values given, column by column; a value shared by all components is repeated."""
    left = iter(given)
    for kind, count in item.given:
        components = [values.column(v, kind, item.form) for v in itertools.islice(left, count)]
        yield np.concatenate(components if count > 1 else components * item.vector)


def _printed(target: Target) -> tuple[str, ...]:
    remark = printed(target)
    return (remark,) if remark else ()


def _encodings(results: Sequence[np.ndarray]) -> list[int]:
    forms = [format_of(r.dtype) for r in results]
    return [
        code_of(v) for r, f in zip(results, forms, strict=True) for v in (r if f is None else f.bits(r)).reshape(-1)
    ]


def _names(item: Item) -> list[str]:
    """Return text that distinguishes results, if there are several: names of parameters."""
    outputs = item.builtin.outputs
    if len(outputs) == 1 or len(outputs) != len(item.results):
        return [""] * (len(item.results) * item.vector)
    return [f" ({output.name})" for output in outputs for _ in range(item.vector)]


def _lines(verdict: Verdict, edition: str, given: Sequence[int], got: Sequence[int]) -> Iterator[str]:
    item, tally = verdict.item, verdict.tally
    shown = ", ".join(values.number_text(v, k, item.form) for v, k in zip(given, _kinds(item), strict=True))
    yield f"{item}: {shown}"
    yield f"    edition  {edition}"
    yield f"    limit    {verdict.limit} ({verdict.source})"
    kinds = [kind for kind in item.results for _ in range(item.vector)]
    names = _names(item)
    for value, kind, name in zip(got, kinds, names, strict=False):
        yield f"    got      {values.number_text(value, kind, item.form)}{name}"
    worst = tally.failures[:1] or ((tally.worst,) if tally.worst else ())
    for example in worst:
        which = names[example.output * item.vector]
        which += f" in component {example.index % item.vector}" if item.vector > 1 else ""
        yield f"    expected {verdict.result_text(example, example.expected)}{which}"
        off = off_text(example, item.form)
        if off:
            yield f"    error    {off}"
    for note in verdict.notes:
        yield f"    note     {note}"
    for other in terminal.differing(verdict):
        yield f"    note     {terminal.otherwise(verdict, other)}"
    reasons = "; ".join(dict.fromkeys(e.reason for e in tally.failures)) or verdict.reason
    yield f"    {verdict.with_share(verdict.status)}{': ' if reasons else ''}{reasons}"
