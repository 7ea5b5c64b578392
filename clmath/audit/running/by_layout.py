"""Call a target again for some inputs of a case, with another memory layout or another shape of the arguments."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.tally import DEPENDS, KEPT, Otherwise, Tally
from clmath.audit.inputs import row_inputs
from clmath.audit.judge.piece import judge
from clmath.audit.protocol.subject import SubjectError
from clmath.audit.running.again import REASON, spread
from clmath.audit.subjects.attempt import evaluated, evaluated_in
from clmath.audit.subjects.layouts import LARGE, layouts
from clmath.spec.families import keywords

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.inputs.layout import Columns
    from clmath.audit.law.law import Law
    from clmath.audit.plan.item import Item
    from clmath.audit.plan.plan import Plan
    from clmath.audit.protocol.subject import Subject
    from clmath.audit.subjects.layouts import Layout

__all__ = ["asked_in_layouts"]

_CHAPTERS = ("math", "common", "geometric", "integer", "relational", "conversions", "operators")
_SAMPLE = 64  # calls, or vectors, in each layout
_MANY = 8192  # with at least this number of random inputs in a case, an array of ``LARGE`` elements is tried, too


def asked_in_layouts(plan: Plan, subject: Subject, item: Item, law: Law) -> Tally:
    """Return the failures in the first layout in which an input fails; an empty tally if the target takes no layouts.

    Raise SubjectError if the target raises for a layout that every function must accept.
    """
    if not getattr(subject, "lays_out", False) or item.builtin.chapter not in _CHAPTERS:
        return Tally()
    first = row_inputs.columns(item, plan, 0)
    chosen = spread(len(first[0]), item.vector)
    values = tuple(v[chosen] for v in first)
    known = evaluated(subject, item, values)
    for layout, places in _tried(item, len(chosen), many=plan.count >= _MANY):
        some = tuple(v[places] for v in values)
        try:
            found = evaluated_in(layout, subject, item, some)
        except SubjectError as error:
            if layout.required:
                raise SubjectError(f"{error}; its arguments were {layout.text}") from None
            continue
        before = [r[places] for r in known]
        reason = f"{DEPENDS}the layout of the arguments in memory: they were {layout.text}"
        wrong = _failures(item, some, chosen[places], found, before, law, reason)
        if wrong.failed:
            is_steady = not _apart(evaluated(subject, item, values), known).size
            return wrong if is_steady else _failures(item, some, chosen[places], found, before, law, REASON)
    return Tally()


def _tried(item: Item, count: int, *, many: bool) -> Iterator[tuple[Layout, NDArray[np.int64]]]:
    """Yield layouts for a case, with places of whole vectors among ``count`` calls; ``many`` adds large arrays.

    Arrays of other dimensions are left out if scalars and vectors have different values of true.
    """
    is_alike = not keywords(item.builtin, vector=True)
    for layout, vectors in layouts(count // item.vector, sample=_SAMPLE):
        if (layout.required or is_alike) and (len(vectors) < LARGE or many):
            yield layout, (vectors[:, np.newaxis] * item.vector + np.arange(item.vector)).reshape(-1)


def _failures(  # noqa: PLR0917 - the calls, their results, and the criteria
    item: Item,
    values: Columns,
    places: NDArray[np.int64],
    found: Sequence[np.ndarray],
    known: Sequence[np.ndarray],
    law: Law,
    reason: str,
) -> Tally:
    """Return the failures among the calls whose results differ from the known ones, all with one reason."""
    apart = _apart(found, known)
    if not len(apart):
        return Tally()
    wrong = judge(item, tuple(v[apart] for v in values), tuple(r[apart] for r in found), law)
    if not wrong.failed:
        return Tally()
    shown = tuple(replace(e, index=int(places[apart[e.index]]), reason=reason) for e in wrong.failures[:KEPT])
    others = tuple(Otherwise(o.edition, 0, o.failed) for o in wrong.others)
    return Tally(failed=wrong.failed, reasons=((reason, wrong.failed),), failures=shown, others=others)


def _apart(one: Sequence[np.ndarray], other: Sequence[np.ndarray]) -> NDArray[np.intp]:
    """Return the calls whose results differ in at least one bit."""
    pairs = zip(one, other, strict=True)
    return np.flatnonzero(np.logical_or.reduce([(_bytes(a) != _bytes(b)).any(axis=-1) for a, b in pairs]))


def _bytes(results: np.ndarray) -> NDArray[np.uint8]:
    """Return an array with the bytes of each result in one row."""
    plain = np.frombuffer(results.tobytes(), np.uint8)
    return plain.reshape(len(results), -1 if results.size else 0)
