"""Results that functions of sub-groups may return; work-items report which sub-group they belong to."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, TypeAlias

import numpy as np

from clmath.audit.exact.results import AllowedResults
from clmath.audit.exact.work_groups import allowed as allowed_in_group

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.exact.exact_law import ExactLaw
    from clmath.audit.plan.exact_item import ExactItem

__all__ = ["allowed", "one"]

Args: TypeAlias = "tuple[np.ndarray, ...]"
Bools: TypeAlias = "NDArray[np.bool_]"


def one(shape: tuple[int, ...]) -> Args:
    """Return the report of work-items that form one sub-group: its number, their places in it, and its size."""
    told = (0, np.arange(shape[-1]), shape[-1])
    return tuple(np.array(np.broadcast_to(np.uint32(value), shape)) for value in told)


def allowed(item: ExactItem, args: Args, law: ExactLaw, got: np.ndarray | None = None) -> AllowedResults:
    """Return the acceptable results of calls of a function of groups.

    ``got``: the results, as ``work_groups.allowed`` takes them.
    No result is right if the reports of a sub-group's members contradict each other: places must be 0 to its size - 1.
    """
    if not law.members:
        return allowed_in_group(item, args, law, got)
    x, (ids, places, sizes) = args[0], law.members
    found: AllowedResults | None = None
    is_right = np.zeros(x.shape, np.bool_)
    for calls, lanes in _sub_groups(ids, places):
        here = np.ix_(calls, lanes)
        is_right[here] = _is_possible(places[here], sizes[here])
        others = tuple(a[calls] % a.dtype.type(len(lanes)) for a in args[1:])
        part = allowed_in_group(item, (x[here], *others), law, None if got is None else got[here])
        found = _room(x.shape, part) if found is None else found
        _place(found, part, here)
    assert found is not None  # there are calls
    return replace(found, is_right=is_right)


def _sub_groups(ids: np.ndarray, places: np.ndarray) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return, for each sub-group, the calls in which it occurs, and its work-items in the order of their places."""
    alike: dict[bytes, list[int]] = {}  # the calls of each report: in most audits all calls have the same
    for call, report in enumerate(np.concatenate([ids, places], axis=-1)):
        alike.setdefault(report.tobytes(), []).append(call)
    groups = []
    for calls in alike.values():
        own, order = ids[calls[0]], places[calls[0]]
        for id in np.unique(own):
            lanes = np.flatnonzero(own == id)
            groups.append((np.array(calls), lanes[np.argsort(order[lanes], kind="stable")]))
    return groups


def _is_possible(places: np.ndarray, sizes: np.ndarray) -> Bools:
    """Return, for each call, whether sorted places and sizes are consistent for one sub-group."""
    count = places.shape[-1]
    told = (places == np.arange(count)) & (sizes == count)
    return np.asarray(told.all(axis=-1, keepdims=True))


def _room(shape: tuple[int, ...], part: AllowedResults) -> AllowedResults:
    """Return empty results for all work-items, with the fields that one sub-group's results have."""

    def like(values: np.ndarray) -> np.ndarray:
        return np.zeros(shape, values.dtype)

    ends = None if part.ends is None else (like(part.ends[0]), like(part.ends[1]))
    return AllowedResults(like(part.wanted), like(part.is_free), tuple(map(like, part.also)), ends)


def _place(found: AllowedResults, part: AllowedResults, here: object) -> None:
    """Store the acceptable results of a sub-group at the places of its work-items."""
    wholes = (found.wanted, found.is_free, *found.also, *(found.ends or ()))
    parts = (part.wanted, part.is_free, *part.also, *(part.ends or ()))
    for whole, values in zip(wholes, parts, strict=True):
        whole[here] = values
