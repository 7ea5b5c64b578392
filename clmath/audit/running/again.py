"""Call a target again for some inputs: alone, in another order, in batches of other sizes, in another layout."""

from __future__ import annotations

import contextlib
import itertools
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from clmath.audit.counting.tally import DEPENDS, KEPT, Example, Tally, value_text
from clmath.audit.inputs import row_inputs
from clmath.audit.inputs.exhaustive import is_swept
from clmath.audit.inputs.layout import Columns, arguments
from clmath.audit.inputs.values import arguments_text, stored_columns
from clmath.audit.plan.item import Item
from clmath.audit.plan.types import code_of, form_of
from clmath.audit.protocol.target import UNSTEADY, Anew, Target, TargetError
from clmath.audit.running.case import Case, with_reason
from clmath.audit.targets.attempt import evaluated_ahead, evaluated_in
from clmath.audit.targets.layouts import LARGE, Layout, layouts
from clmath.numbers.formats import format_of
from clmath.spec.families import keywords

REASON = f"{UNSTEADY}: of several results for this input this one is wrong"
_SAMPLE = 256  # inputs that are evaluated again, from each of two chunks of a case
_JUDGED = 32  # inputs with different results that are judged
_SIZES = (1, 7)  # vectors in the first batches of the third evaluation; its last batch has all others


def is_repeatable(target: Target) -> bool:
    """Whether a target computes on request and can therefore be called again; files of stored results cannot."""
    return not getattr(target, "answers_once", False)


def asked_again(case: Case, tally: Tally) -> tuple[Tally, str]:
    """Return the tally to add to the tally of a case, and a remark for the reader; TargetError if the target fails.

    Inputs whose results differ fail if any of the results is wrong. Inputs that failed before are evaluated again, too.
    """
    shown = (*tally.failures, *((tally.worst,) if tally.worst else ()))
    sample = _sample(case, shown)
    looks = _looks(case, sample.values)
    differ = [_differing(one, looks[0]) for one in looks[1:]]
    apart = np.flatnonzero(np.logical_or(*differ))
    earlier = _earlier(case.item, sample, looks[0], shown)
    if tally.failed:
        found = _at_times(case, tally, sample, looks, apart)
    else:
        tallies = [case.judged(sample.values, look) for look in (looks if len(apart) else looks[:1])]
        found = with_reason(max(tallies, key=lambda one: one.failed), sample.places, REASON)
    if len(apart) or earlier:
        call = int(apart[0]) if len(apart) else 0
        text = earlier or _reported(case.item, sample.values, call, looks[0], looks[1 if differ[0][call] else 2])
        return found, f"{text}; {len(apart)} of {len(sample.values[0])} inputs that were asked three times differ"
    if found.failed:
        return found, f"{UNSTEADY}: {found.failed} of {len(sample.values[0])} inputs fail that did not fail before"
    return found, ""


class _Sample(NamedTuple):
    """Inputs of a case in whole vectors, and their places; ``first``: the index of the first one shown in a report."""

    values: Columns
    places: NDArray[np.intp]
    first: int


def _sample(case: Case, shown: Sequence[Example]) -> _Sample:
    """Return some inputs of the first chunk, some of the middle chunk, and the inputs of the examples ``shown``."""
    item, plan = case.item, case.plan
    found: list[Columns] = []
    places: list[np.ndarray] = []
    for number in sorted({0, row_inputs.chunks(item, plan) // 2}):
        values = row_inputs.columns(item, plan, number)
        picked = spread(len(values[0]), item.vector)
        standing = row_inputs.places(item, plan, number)
        found.append(tuple(v[picked] for v in values))
        places.append(standing + picked if isinstance(standing, int) else standing[picked])
    first = sum(len(values[0]) for values in found)
    for example in shown:
        calls = example.vector or (example.args,)
        found.append(stored_columns(item, calls))
        places.append(example.index - example.index % item.vector + np.arange(len(calls)))
    return _Sample(tuple(np.concatenate(c) for c in zip(*found, strict=True)), np.concatenate(places), first)


def spread(count: int, width: int) -> NDArray[np.intp]:
    """Return places of whole vectors, spread evenly over ``count`` inputs."""
    vectors = np.unique(np.linspace(0, count // width - 1, max(_SAMPLE // width, 1)).astype(np.intp))
    return np.asarray(vectors[:, np.newaxis] * width + np.arange(width)).reshape(-1)


def _looks(case: Case, values: Columns) -> list[Columns]:
    """Return the results of three evaluations of the same inputs; the last is in reverse order, small batches first."""
    width = case.item.vector
    order = np.arange(len(values[0])).reshape(-1, width)[::-1]
    ends = [0, *(sum(_SIZES[: k + 1]) for k in range(len(_SIZES))), len(order)]
    parts = [order[a:b].reshape(-1) for a, b in itertools.pairwise(ends) if a < min(b, len(order))]
    batches = [values, values, *(tuple(v[part] for v in values) for part in parts)]
    results = evaluated_ahead(case.target, case.item, batches)
    found = [tuple(r.copy() for r in one) for one in results]  # the target may use the memory again
    back = np.argsort(np.concatenate(parts))
    return [*found[:2], tuple(np.concatenate(columns)[back] for columns in zip(*found[2:], strict=True))]


def _differing(one: Sequence[np.ndarray], other: Sequence[np.ndarray]) -> NDArray[np.bool_]:
    """Return which calls have a result that differs; all NaN are alike."""
    apart = np.zeros(len(one[0]), np.bool_)
    for a, b in zip(one, other, strict=True):
        same = _bits(a) == _bits(b)
        if format_of(a.dtype) is not None:
            with np.errstate(invalid="ignore"):  # of a signaling NaN
                same |= np.isnan(a) & np.isnan(b)
        apart |= ~same.reshape(len(same), -1).all(axis=-1)
    return apart


def _bits(values: np.ndarray) -> np.ndarray:
    form = format_of(values.dtype)
    return values if form is None else form.bits(values)


def _flat(results: Sequence[np.ndarray], call: int) -> list[int]:
    """Return the results of one call as encodings, in the order of ``item.results``."""
    return [code_of(value) for r in results for value in np.atleast_1d(_bits(r[call]))]


def _reported(item: Item, values: Columns, call: int, *looks: Sequence[np.ndarray]) -> str:
    """Return a sentence that names the input and two different results."""
    one, other = (_flat(look, call) for look in looks)
    pairs = zip(item.results, one, other, strict=True)
    return next(_sentence(item, values, call, kind, a, b) for kind, a, b in pairs if not _is_same(item, kind, a, b))


def _sentence(item: Item, values: Columns, call: int, kind: str, one: int, other: int) -> str:  # noqa: PLR0917
    given = arguments_text(item, arguments(item, values), call)
    return f"{UNSTEADY}: {given} gives {value_text(one, kind, item.form)} and {value_text(other, kind, item.form)}"


def _earlier(item: Item, sample: _Sample, look: Sequence[np.ndarray], shown: Sequence[Example]) -> str:
    """Return a sentence on the first of the ``shown`` inputs whose result has changed; empty if none has."""
    call = sample.first
    for example in shown:
        place = call + example.index % item.vector
        now = _flat(look, place)[example.output]
        kind = item.results[example.output]
        if not _is_same(item, kind, now, example.got):
            return _sentence(item, sample.values, place, kind, example.got, now)
        call += item.vector
    return ""


def _is_same(item: Item, kind: str, one: int, other: int) -> bool:
    """Whether two stored results are the same, or both NaN."""
    form = form_of(kind, item.form)
    return one == other or (form is not None and bool(np.isnan(form.from_bits([one, other])).all()))


def _at_times(case: Case, tally: Tally, sample: _Sample, looks: Sequence[Columns], apart: NDArray[np.intp]) -> Tally:
    """Return the tally of inputs that fail in some of ``looks`` but not in all, for a case with earlier failures."""
    width, found = case.item.vector, Tally()
    room = tally.tried - tally.failed - tally.flushed
    for vector in np.unique(apart[apart < sample.first] // width)[:_JUDGED]:
        part = slice(vector * width, (vector + 1) * width)
        values = tuple(v[part] for v in sample.values)
        tallies = [case.judged(values, tuple(r[part] for r in look)) for look in looks]
        wrong = next((one for one in tallies if one.failed), None)
        if wrong is None or found.failed == room or all(one.failed for one in tallies):
            continue
        others = tuple(o._replace(failed=min(o.failed, 1)) for o in wrong.others)
        one = replace(wrong, failed=1, failures=wrong.failures[: int(found.failed < KEPT)], others=others)
        found += with_reason(one, sample.places[part], REASON)
    return found


_CHAPTERS = ("math", "common", "geometric", "integer", "relational", "conversions", "operators")
_IN_LAYOUT = 64  # calls, or vectors, in each layout
_MANY = 8192  # with at least this number of random inputs in a case, an array of ``LARGE`` elements is tried, too


def asked_in_layouts(case: Case) -> Tally:
    """Return the failures in the first layout in which an input fails; an empty tally if the target takes no layouts.

    Raise TargetError if the target raises for a layout that every function must accept.
    """
    item = case.item
    if not getattr(case.target, "lays_out", False) or item.builtin.chapter not in _CHAPTERS:
        return Tally()
    first = row_inputs.columns(item, case.plan, 0)
    chosen = spread(len(first[0]), item.vector)
    values = tuple(v[chosen] for v in first)
    known = case.evaluated(values)
    for layout, places in _layouts_of(item, len(chosen), many=case.plan.count >= _MANY):
        some = tuple(v[places] for v in values)
        try:
            found = evaluated_in(layout, case.target, item, some)
        except TargetError as error:
            if layout.required:
                raise TargetError(f"{error}; its arguments were {layout.text}") from None
            continue
        apart = _apart(found, [r[places] for r in known])
        wrong = case.judged(tuple(v[apart] for v in some), tuple(r[apart] for r in found)) if apart.size else Tally()
        if wrong.failed:
            is_steady = not _apart(case.evaluated(values), known).size
            reason = f"{DEPENDS}the layout of the arguments in memory: they were {layout.text}"
            return with_reason(wrong, chosen[places[apart]], reason if is_steady else REASON)
    return Tally()


def _layouts_of(item: Item, count: int, *, many: bool) -> Iterator[tuple[Layout, NDArray[np.int64]]]:
    """Yield layouts for a case, with places of whole vectors among ``count`` calls; ``many`` adds large arrays.

    Arrays of other dimensions are left out if scalars and vectors have different values of true.
    """
    is_alike = not keywords(item.builtin, vector=True)
    for layout, vectors in layouts(count // item.vector, sample=_IN_LAYOUT):
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


POSITION = f"{DEPENDS}the position in the batch"
SIZE = f"{DEPENDS}the size of the batch"
OTHERS = f"{DEPENDS}other inputs of the batch"
CALLS = f"{DEPENDS}the number of the call, earlier calls or chance"
MORE = f"{DEPENDS}more than the input: the batch, the number of the call, earlier calls or chance"


def with_replays_tried(case: Case, tally: Tally) -> Tally:
    """Return the tally with a new reason, such as POSITION, for each failure whose input passes alone.

    If no example of a reason fails alone, all failures with that reason get the new one.
    """
    worst = (tally.worst,) if tally.worst and tally.worst.reason else ()
    examples = {(e.place, e.reason): e for e in (*worst, *tally.failures)}
    passing, causes = _passing_alone(case, list(examples.values()))
    if not passing:
        return tally
    counts = Counter(dict(tally.reasons))
    for reason, cause in causes.items():
        some_fail = any(e.reason == reason and e not in passing for e in examples.values())
        moved = sum(e.reason == reason for e in passing) if some_fail else counts[reason]
        counts.subtract({reason: moved})
        counts.update({_reason(cause, reason): moved})
    reasons = tuple(sorted((reason, count) for reason, count in counts.items() if count))
    now = {(e.place, e.reason): replace(e, reason=_reason(causes[e.reason], e.reason)) for e in passing}
    kept = tuple(e for e in tally.failures if (e.place, e.reason) not in now)
    shown = now.get((tally.worst.place, tally.worst.reason), tally.worst) if tally.worst else None
    return Tally() + replace(tally, reasons=reasons, worst=shown, failures=(*kept, *now.values()))


def _reason(cause: str, before: str) -> str:
    """Return the reason for a failure whose input passes alone: the cause, followed by the error."""
    return cause if before.startswith(UNSTEADY) else f"{cause}; {before}"


def _passing_alone(case: Case, examples: Sequence[Example]) -> tuple[list[Example], dict[str, str]]:
    """Return the examples that pass alone, and the state on which they depend, by the reasons of these examples."""
    tried = zip(examples, _fail_alone(case, examples), strict=True)
    passing = [example for example, fails in tried if not fails]
    causes: dict[str, str] = {}
    for example in passing:
        if causes.get(example.reason, MORE) == MORE:
            causes[example.reason] = _cause(case, example)
    return passing, causes


def _fail_alone(case: Case, examples: Sequence[Example]) -> list[bool]:
    """Return whether each example fails alone, as the first call of a process.

    As long as calls fail, the next example is called in the same process, which is quicker.
    """
    found: list[bool] = []
    with contextlib.ExitStack() as process:
        for example in examples:
            alone = _alone(case, example)
            fails = bool(found) and found[-1] and _fails(case, alone, 0)
            if not fails:
                process.close()
                process.enter_context(_new_process(case))
                fails = _fails(case, alone, 0)
            found.append(fails)
    return found


def _cause(case: Case, example: Example) -> str:
    """Return the state on which an example that passes alone depends; three more calls show it."""
    alone = _alone(case, example)
    batch, start = ((), 0) if example.reason.startswith(UNSTEADY) else _batch(case, example, alone)
    item = case.item
    count = (len(batch[0]) if batch else row_inputs.chunk_size(item)) // item.vector
    copies = tuple(np.tile(v, count) for v in alone)
    try:
        with _new_process(case):
            if batch and not all(_fails(case, batch, start) for _ in range(2)):
                return CALLS
            results = case.evaluated(copies)
    except TargetError:
        return MORE
    rows = [np.ascontiguousarray(r).reshape(count, -1).view(np.uint8) for r in results]
    if any((row != row[0]).any() for row in rows):
        return POSITION
    if case.fails(copies, results):
        return SIZE
    return OTHERS if batch else MORE


def _alone(case: Case, example: Example) -> Columns:
    """Return the input of an example, or its vector."""
    return stored_columns(case.item, example.vector or (example.args,))


def _new_process(case: Case) -> contextlib.AbstractContextManager[None]:
    target = case.target
    return target.anew() if isinstance(target, Anew) else contextlib.nullcontext()


def _fails(case: Case, values: Columns, start: int) -> bool:
    """Return whether the call, or vector, at ``start`` of a batch fails, or the whole batch cannot be evaluated."""
    try:
        results = case.evaluated(values)
    except TargetError:
        return True
    part = slice(start, start + case.item.vector)
    return case.fails(tuple(v[part] for v in values), tuple(r[part] for r in results))


def _batch(case: Case, example: Example, alone: Columns) -> tuple[Columns, int]:
    """Return the batch in which an example was evaluated, and its place there; empty if the batch is not found."""
    item, plan = case.item, case.plan
    numbers = () if is_swept(item, plan) else range(row_inputs.chunks(item, plan))
    for number in numbers:
        first = row_inputs.places(item, plan, number)
        start = example.index - example.index % item.vector - int(first)  # an array only where all floats are tried
        if 0 <= start < row_inputs.chunk_size(item):
            values = row_inputs.columns(item, plan, number)
            found = tuple(v[start : start + item.vector] for v in values)
            if all(a.tobytes() == b.tobytes() for a, b in zip(found, alone, strict=True)):
                return values, start
    return (), 0
