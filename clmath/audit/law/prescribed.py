"""The edges that calls meet: the results that the specification prescribes for special arguments."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.law.batch import Call
    from clmath.spec.edges import Edge

__all__ = ["Met", "decided_by_edges", "edges_met", "flushing_edges_met", "judged_by_edges"]

Bools: TypeAlias = "NDArray[np.bool_]"


class Met(NamedTuple):
    """An edge, its number among those of the built-in, and the indices of the calls that meet it: ``here``.

    The other fields have one array of truth values per result, with one value per call, or per element of a vector.
    ``accepted``: where the edge allows the result. ``decided``: where it alone decides, whatever the limit.
    ``concerned``: where it prescribes something.
    """

    number: int
    edge: Edge
    here: NDArray[np.intp]
    accepted: tuple[Bools, ...]
    decided: tuple[Bools, ...]
    concerned: tuple[Bools, ...]


def edges_met(call: Call) -> Iterator[Met]:
    """The edges that prescribe results of ``call``, in the order of the table; none if they are waived."""
    return _met(call, () if call.law.waives("edges", call.item) else call.law.edges(call.item))


def flushing_edges_met(call: Call) -> Iterator[Met]:
    """The edges whose results a device that flushes may return instead."""
    return _met(call, call.law.flushing_edges(call.item))


def _met(call: Call, known: Sequence[Edge]) -> Iterator[Met]:
    for number, edge in enumerate(known):
        if not edge.prescribes:
            continue
        here = np.flatnonzero(edge.matches(call.args, call.form))
        if here.size:
            args, results = tuple(a[here] for a in call.args), tuple(r[here] for r in call.results)
            accepted = edge.accepts_each(args, results, call.form)
            decided, concerned = edge.decides_each(args, results), edge.concerns_each(args, results)
            yield Met(number, edge, here, accepted, decided, concerned)


def judged_by_edges(call: Call) -> list[Bools]:
    """For each result, where some edge prescribes it, in the result's shape."""
    return _of_results(call, lambda met: met.concerned)


def decided_by_edges(call: Call) -> list[Bools]:
    """For each result, where some edge alone decides and the limit does not count, in the result's shape."""
    return _of_results(call, lambda met: met.decided)


def _of_results(call: Call, truths: Callable[[Met], tuple[Bools, ...]]) -> list[Bools]:
    """For each result, where ``truths`` of some edge hold."""
    found = [np.zeros(r.shape, np.bool_) for r in call.results]
    for met in edges_met(call):
        for k, here in enumerate(truths(met)):
            found[k][met.here] |= here
    return found
