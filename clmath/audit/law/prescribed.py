"""The edges that calls meet: what is prescribed for their results, and where."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple, TypeAlias

import numpy as np

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from numpy.typing import NDArray

    from clmath.audit.law.batch import Call
    from clmath.spec.edges import Edge

__all__ = ["Met", "edges_met", "flushing_edges_met", "judged_by_edges"]

Bools: TypeAlias = "NDArray[np.bool_]"


class Met(NamedTuple):
    """An edge, its number among those of the built-in, and the calls that meet it: ``here``, their indices.

    The others have one array of truth values per result, with one value per call, or per element of a vector:
    ``accepted``, where the edge allows what these calls returned; ``decided``, where it has the last word and no limit
    is asked; ``concerned``, where it says anything.
    """

    number: int
    edge: Edge
    here: NDArray[np.intp]
    accepted: tuple[Bools, ...]
    decided: tuple[Bools, ...]
    concerned: tuple[Bools, ...]


def edges_met(call: Call) -> Iterator[Met]:
    """The edges that prescribe something to ``call``, in the order of the table; none where they are waived."""
    return _met(call, () if call.law.waives("edges", call.item) else call.law.edges(call.item))


def flushing_edges_met(call: Call) -> Iterator[Met]:
    """What is prescribed to a device that flushes, where it so chooses."""
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
    """Where an edge prescribes something for each result, in the result's shape."""
    found = [np.zeros(r.shape, np.bool_) for r in call.results]
    for met in edges_met(call):
        for k, concerned in enumerate(met.concerned):
            found[k][met.here] |= concerned
    return found
