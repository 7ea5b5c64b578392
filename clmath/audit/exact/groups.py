"""Results that functions of groups may return: sums with additions in any order, and unspecified results.

Work-items report which sub-group they belong to.
"""

from __future__ import annotations

import re

import numpy as np
from numpy.typing import NDArray

from clmath.audit.counting.spread import same
from clmath.audit.exact.exact_criteria import AllowedResults, Args, Calls, ExactCriteria
from clmath.audit.plan.exact_item import ExactItem
from clmath.ir.values import Truth
from clmath.reference.bitwise.groups import broadcast, extreme, group_sum, group_sum_range, never_overflow, truth

_NAME = re.compile(r"(?P<function>(?:work|sub)_group_(?P<over>\w+?))(_(?P<op>add|min|max))?")


def parts(item: ExactItem) -> tuple[str, str, str]:
    """Return the parts of a name, such as ("sub_group_reduce", "reduce", "add"), ("sub_group_any", "any", "")."""
    match = _NAME.fullmatch(item.builtin.name)
    assert match is not None  # as the table has them
    return match["function"], match["over"], match["op"] or ""


def is_returned_alike(item: ExactItem) -> bool:
    """Whether all work-items of a group get the same value, which clmath returns once; this is false for scans."""
    return not parts(item)[1].startswith("scan")


def one_sub_group(shape: tuple[int, ...]) -> Args:
    """Return the report of work-items that form one sub-group: its number, their places in it, and its size."""
    reported = (0, np.arange(shape[-1]), shape[-1])
    return tuple(np.array(np.broadcast_to(np.uint32(value), shape)) for value in reported)


def allowed(calls: Calls) -> AllowedResults:
    """Return the acceptable results of calls of a function of groups.

    No result is right if the reports of a sub-group's members contradict each other: places must be 0 to its size - 1.
    """
    if not calls.members:
        return _allowed_in_group(calls)
    (x, *more), (ids, places, sizes) = calls.args, calls.members
    wholes: list[np.ndarray] = []
    is_right = np.zeros(x.shape, np.bool_)
    for numbers, work_items in _sub_groups(ids, places):
        here, count = np.ix_(numbers, work_items), len(work_items)
        reported = (places[here] == np.arange(count)) & (sizes[here] == count)
        is_right[here] = reported.all(axis=-1, keepdims=True)
        args = x[here], *(a[numbers] % a.dtype.type(count) for a in more)
        found = _allowed_in_group(calls._replace(args=args, got=None if calls.got is None else calls.got[here]))
        columns = (found.wanted, found.is_free, *found.also, *(end for ends in found.intervals for end in ends))
        wholes = wholes or [np.zeros(x.shape, values.dtype) for values in columns]
        for whole, values in zip(wholes, columns, strict=True):
            whole[here] = values
    wanted, free, *rest = wholes
    also, ends = rest[: len(found.also)], rest[len(found.also) :]
    return AllowedResults(wanted, free, tuple(also), tuple(zip(ends[::2], ends[1::2], strict=True)), is_right=is_right)


def _sub_groups(ids: np.ndarray, places: np.ndarray) -> list[tuple[NDArray[np.intp], NDArray[np.intp]]]:
    """Return, for each sub-group, the calls in which it occurs, and its work-items in the order of their places."""
    alike: dict[bytes, list[int]] = {}  # the calls of each report: in most audits all calls have the same
    for call, report in enumerate(np.concatenate([ids, places], axis=-1)):
        alike.setdefault(report.tobytes(), []).append(call)
    groups = []
    for calls in alike.values():
        own, order = ids[calls[0]], places[calls[0]]
        for id in np.unique(own):
            work_items = np.flatnonzero(own == id)
            groups.append((np.array(calls), work_items[np.argsort(order[work_items], kind="stable")]))
    return groups


def _allowed_in_group(calls: Calls) -> AllowedResults:
    """Return the acceptable results of the work-items of a group, which are on the last axis of arguments.

    Signed sums that overflow in some order, "min" and "max" with a NaN, and sums that may overflow are unspecified. A
    zero may have any sign.
    """
    item, x, (_, over, op) = calls.item, calls.args[0], parts(calls.item)
    wanted = _wanted(item, calls.args)
    if not op:
        return AllowedResults(wanted)
    if x.dtype.kind != "f":
        return AllowedResults(wanted, _may_wrap(x)[:, np.newaxis] & (op == "add"))
    zeros = (np.where(wanted == 0, -wanted, wanted),)
    if op != "add":
        return AllowedResults(wanted, np.asarray(np.isnan(x).any(axis=-1, keepdims=True)), zeros)
    low, high = _ranges(x, wanted, calls.criteria, over, calls.got)
    slack = x.shape[-1] * item.form.smallest_normal if item.form.name in calls.criteria.flushed_in(item) else 0.0
    low, high = low - low.dtype.type(slack), high + high.dtype.type(slack)
    is_free = np.asarray((low == -np.inf) & (high == np.inf))
    return AllowedResults(wanted, is_free, zeros, ((low, high),))


def _wanted(item: ExactItem, args: Args) -> np.ndarray:
    """Return the result that every work-item expects."""
    x, (_, over, op) = args[0], parts(item)
    if over == "broadcast":
        return broadcast(x, args[1])
    if over in ("all", "any"):
        return truth(over, x)
    return group_sum(x, over, "rte") if op == "add" else extreme(x, op, over)


def _ranges(
    x: np.ndarray, wanted: np.ndarray, criteria: ExactCriteria, over: str, got: np.ndarray | None
) -> tuple[np.ndarray, np.ndarray]:
    """Return the ranges of sums; a range is only the wanted sum if it is returned and no addition can overflow."""
    if got is None:
        return _range(x, over, criteria)
    low, high, here = wanted.copy(), wanted.copy(), ~same(got, wanted).all(axis=-1) | ~never_overflow(x)
    if here.any():
        low[here], high[here] = _range(x[here], over, criteria)
    return low, high


def _range(x: np.ndarray, over: str, criteria: ExactCriteria) -> tuple[np.ndarray, np.ndarray]:
    """Return the range of sums with additions in any order, in any of the modes in which a device may round."""
    lows, highs = zip(*(group_sum_range(x, over, mode) for mode in criteria.modes), strict=True)
    return np.minimum.reduce(lows), np.maximum.reduce(highs)


def _may_wrap(x: np.ndarray) -> Truth:
    """Return where a sum of some of the signed integers may overflow, which C leaves undefined; unsigned ones wrap."""
    if x.dtype.kind == "u":
        return np.zeros(len(x), np.bool_)
    sizes = np.abs(x.astype(np.float64)).sum(axis=-1)
    return np.asarray(sizes >= 2.0 ** (8 * x.dtype.itemsize - 1) * (1 - 2.0**-40))
