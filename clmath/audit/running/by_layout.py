"""Call a target again for some inputs of a case, with another memory layout or another shape of the arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath.audit.counting.tally import DEPENDS, Tally
from clmath.audit.inputs import row_inputs
from clmath.audit.protocol.subject import SubjectError
from clmath.audit.running.again import REASON, spread
from clmath.audit.running.case import with_reason
from clmath.audit.subjects.attempt import evaluated_in
from clmath.audit.subjects.layouts import LARGE, layouts
from clmath.spec.families import keywords

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.plan.item import Item
    from clmath.audit.running.case import Case
    from clmath.audit.subjects.layouts import Layout

__all__ = ["asked_in_layouts"]

_CHAPTERS = ("math", "common", "geometric", "integer", "relational", "conversions", "operators")
_SAMPLE = 64  # calls, or vectors, in each layout
_MANY = 8192  # with at least this number of random inputs in a case, an array of ``LARGE`` elements is tried, too


def asked_in_layouts(case: Case) -> Tally:
    """Return the failures in the first layout in which an input fails; an empty tally if the target takes no layouts.

    Raise SubjectError if the target raises for a layout that every function must accept.
    """
    item = case.item
    if not getattr(case.subject, "lays_out", False) or item.builtin.chapter not in _CHAPTERS:
        return Tally()
    first = row_inputs.columns(item, case.plan, 0)
    chosen = spread(len(first[0]), item.vector)
    values = tuple(v[chosen] for v in first)
    known = case.evaluated(values)
    for layout, places in _tried(item, len(chosen), many=case.plan.count >= _MANY):
        some = tuple(v[places] for v in values)
        try:
            found = evaluated_in(layout, case.subject, item, some)
        except SubjectError as error:
            if layout.required:
                raise SubjectError(f"{error}; its arguments were {layout.text}") from None
            continue
        apart = _apart(found, [r[places] for r in known])
        wrong = case.judged(tuple(v[apart] for v in some), tuple(r[apart] for r in found)) if apart.size else Tally()
        if wrong.failed:
            is_steady = not _apart(case.evaluated(values), known).size
            reason = f"{DEPENDS}the layout of the arguments in memory: they were {layout.text}"
            return with_reason(wrong, chosen[places[apart]], reason if is_steady else REASON)
    return Tally()


def _tried(item: Item, count: int, *, many: bool) -> Iterator[tuple[Layout, NDArray[np.int64]]]:
    """Yield layouts for a case, with places of whole vectors among ``count`` calls; ``many`` adds large arrays.

    Arrays of other dimensions are left out if scalars and vectors have different values of true.
    """
    is_alike = not keywords(item.builtin, vector=True)
    for layout, vectors in layouts(count // item.vector, sample=_SAMPLE):
        if (layout.required or is_alike) and (len(vectors) < LARGE or many):
            yield layout, (vectors[:, np.newaxis] * item.vector + np.arange(item.vector)).reshape(-1)


def _apart(one: Sequence[np.ndarray], other: Sequence[np.ndarray]) -> NDArray[np.intp]:
    """Return the calls whose results differ in at least one bit."""
    pairs = zip(one, other, strict=True)
    return np.flatnonzero(np.logical_or.reduce([(_bytes(a) != _bytes(b)).any(axis=-1) for a, b in pairs]))


def _bytes(results: np.ndarray) -> NDArray[np.uint8]:
    """Return an array with the bytes of each result in one row."""
    plain = np.frombuffer(results.tobytes(), np.uint8)
    return plain.reshape(len(results), -1 if results.size else 0)
