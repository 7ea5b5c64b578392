"""Calls on arrays that need no preparation: after a handful of checks they are evaluated as they are."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath.call.arguments import common_shape
from clmath.call.plans import NUMPYS
from clmath.call.results import fresh
from clmath.call.workers import ROOM, helped, patience
from clmath.engines.native.arrays import FEW, MOST, PIECE, operands
from clmath.engines.native.helpers import Alone, Job
from clmath.numbers import guard
from clmath.numbers.datatypes import SCALARS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence
    from typing import TypeAlias

    from numpy.typing import NDArray

    from clmath.engines.native.arrays import Loop

    Planned: TypeAlias = "Plan | Apart | Callable[[tuple[Any, ...]], Any] | None"
    Planner: TypeAlias = "Callable[..., Planned]"

__all__ = ["Apart", "Plan", "are_done", "of_arrays"]

WORTH_A_THREAD = 1 << 14  # lanes
AT_ONCE = 1 << 17  # lanes after which signals are handled
_TYPES = tuple(SCALARS.values())
_KNOWN = frozenset({int, float, *NUMPYS, *_TYPES, *(t.newbyteorder() for t in _TYPES)})
_PLANS: dict[tuple[Any, ...], Planned] = {}
_ABSENT = [(None,) * (MOST[0] - given) for given in range(MOST[0] + 1)]  # arguments beside so many


class Plan(NamedTuple):
    """What the name of a built-in, an option and the kinds of the arguments decide.

    ``label`` and ``names``: the call and its parameters in messages. ``dtypes``: of the results. ``readers`` turn
    arguments into arrays, None for what they are not meant for; None leaves arrays as they are. ``loop``: compiled code
    for what they give; None where NumPy does it all, for native arrays. ``decide`` gives the results for arrays of one
    axis: for the lanes that the loop leaves, for all without one. ``most``: lanes beyond which another way takes less
    time. ``check`` sees the call's name and the arguments first.
    ``is_quiet``: NumPy has nothing to warn of, as of integers.
    """

    label: str
    names: tuple[str, ...]
    dtypes: tuple[np.dtype, ...]
    loop: Loop | None
    decide: Callable[[Sequence[np.ndarray]], Sequence[np.ndarray]]
    readers: tuple[Callable[[Any], np.ndarray | None] | None, ...] | None = None
    most: float = math.inf
    check: Callable[[str, Sequence[np.ndarray]], None] | None = None
    is_quiet: bool = False


class Apart(NamedTuple):
    """A plan of its own: ``evaluated`` gives the results of arguments, ``out`` and ``threads``, or None."""

    evaluated: Callable[[tuple[Any, ...], Any, int], Any]


def of_arrays(  # noqa: PLR0917  (each call of every built-in comes here)
    planner: Planner, name: str, option: Any, args: tuple[Any, ...], out: Any, threads: int, *more: Any
) -> Any:
    """Evaluate ``name`` by the plan that ``planner(name, option, kinds, *more)`` makes for the kinds of ``args``.

    None, and nothing is written, for what needs more: other types, or an error. What has one shape, or is a number, is
    taken at once, whatever the strides and the byte order of arguments. The kind of an array is its dtype, that of
    anything else its class. ``more`` follows from the name and the option. A plan that is a function gives the results
    of arguments, or None.
    """
    kinds: tuple[Any, ...]
    if len(args) == 1:
        kinds = (args[0].dtype,)
    else:
        kinds = tuple([a.dtype if type(a) is np.ndarray else type(a) for a in args])
    try:
        plan = _PLANS[name, option, kinds]
    except KeyError:
        if not _KNOWN.issuperset(kinds):
            return None
        plan = _PLANS[name, option, kinds] = planner(name, option, kinds, *more)
    if plan is None:
        return None
    if not isinstance(plan, Plan):
        if isinstance(plan, Apart):
            return plan.evaluated(args, out, threads)
        return plan(args) if out is None else None
    if plan.readers is not None:
        args = tuple([a if read is None else read(a) for read, a in zip(plan.readers, args, strict=True)])
        if any(a is None for a in args):
            return None
    found = _of_few(plan, args) if out is None else None
    return _evaluated(plan, args, out, threads) if found is None else found


def _of_few(plan: Plan, args: tuple[np.ndarray, ...]) -> np.ndarray | None:
    """The one result for small arrays of one shape, of one axis or lying in memory as in C; None for others."""
    _, _, dtypes, loop, _, _, _, check, _ = plan
    if loop is None or check is not None or len(dtypes) > 1:
        return None
    shape, size = args[0].shape, args[0].size
    if size > FEW or not shape:
        return None
    for other in args:
        if other.shape != shape or (len(shape) > 1 and not other.flags.c_contiguous):
            return None
    result = np.empty(shape, dtypes[0])
    return None if loop.few(loop.address, *args, *_ABSENT[len(args)], result, None) else result


def _evaluated(plan: Plan, args: tuple[np.ndarray, ...], out: Any, threads: int) -> Any:
    shape = args[0].shape if len(args) == 1 else _shape(plan, args)
    if not shape or math.prod(shape) > plan.most:
        return None
    if plan.check is not None:
        plan.check(plan.label, args)
    if plan.loop is None:
        return _by_numpy(plan, args, shape) if out is None else None
    if out is None:
        results = [np.empty(shape, d) if len(shape) == 1 else fresh(shape, d, args) for d in plan.dtypes]
    else:
        results = list(out) if isinstance(out, tuple) else [out]
        if not _are_plain(results, plan, shape):
            return None
    if not _is_done(plan, plan.loop, args, results, threads) and not (
        out is not None and _is_done_aside(plan, plan.loop, args, results, threads)
    ):
        return None
    return results[0] if len(results) == 1 else tuple(results) if out is None else out


def _shape(plan: Plan, args: Sequence[np.ndarray]) -> tuple[int, ...]:
    shapes = {a.shape for a in args if a.ndim}
    if len(shapes) > 1:
        return common_shape(plan.label, plan.names, [a.shape for a in args])
    return shapes.pop() if shapes else ()


def _by_numpy(plan: Plan, args: Sequence[np.ndarray], shape: tuple[int, ...]) -> Any:
    """The results for arrays that lie in memory as in C, all of one shape, and numbers; None for others."""
    guard.refuse_altered_arithmetic(plan.label)
    lanes = []
    for array in args:
        flags = array.flags
        if not array.ndim:
            lanes.append(np.full(math.prod(shape), array))
        elif array.shape == shape and array.size and flags.c_contiguous and flags.aligned:
            lanes.append(array if len(shape) == 1 else array.reshape(-1))
        else:
            return None
    if plan.is_quiet:
        found = plan.decide(lanes)
    else:
        with np.errstate(all="ignore"):
            found = plan.decide(lanes)
    results = found if len(shape) == 1 else [result.reshape(shape) for result in found]
    return results[0] if len(results) == 1 else tuple(results)


def _are_plain(given: Sequence[object], plan: Plan, shape: tuple[int, ...]) -> bool:
    """Whether ``given`` are arrays that the results can be written to as they are."""
    return len(given) == len(plan.dtypes) and all(
        type(array) is np.ndarray and array.dtype == dtype and array.shape == shape
        for array, dtype in zip(given, plan.dtypes, strict=True)
    )


def _is_done(plan: Plan, loop: Loop, args: Sequence[np.ndarray], results: Sequence[np.ndarray], threads: int) -> bool:
    """Whether the results are written: all of them, or nothing."""
    if results[0].size <= FEW and not loop.few(loop.address, *operands(args, results)):
        return True
    return _is_done_in_pieces(plan, loop, args, results, threads)


def _is_done_aside(
    plan: Plan, loop: Loop, args: Sequence[np.ndarray], given: Sequence[np.ndarray], threads: int
) -> bool:
    """Whether the one result is written to an array that few lanes of the arguments may share memory with."""
    result, *others = given
    if others or result.size > WORTH_A_THREAD or not result.flags.writeable:
        return False
    found = fresh(result.shape, result.dtype, args)
    if not _is_done(plan, loop, args, [found], threads):
        return False
    result[...] = found
    return True


def _is_done_in_pieces(
    plan: Plan, loop: Loop, args: Sequence[np.ndarray], results: Sequence[np.ndarray], threads: int
) -> bool:
    guard.refuse_altered_arithmetic(plan.label)  # whatever other threads could do
    if not all(result.flags.writeable for result in results):
        return False  # of no elements, too
    size = results[0].size
    decide = functools.partial(_decide, plan, args, results)
    return are_done(loop, operands(args, results), size, min(threads, size // WORTH_A_THREAD), decide)


def are_done(
    loop: Loop, given: tuple[object, ...], size: int, threads: int, decide: Callable[[NDArray[np.int64]], None]
) -> bool:
    """Whether ``loop.many`` has done all of ``size`` lanes of its operands ``given``, piece after piece, or none.

    ``decide`` is called with the places of those that it leaves.
    """
    undecided, others = np.empty(ROOM, np.int64), threads - 1
    shared = loop.job(given, size, patience(others)) if others > 0 else Alone(0, PIECE)
    following = shared.following

    def work() -> bool:
        if shared.next >= size:
            return False
        left = loop.many(loop.address, *given, following, undecided, AT_ONCE)
        if left > 0:
            decide(undecided[:left])
        return left >= 0

    if isinstance(shared, Job):
        try:
            helped(loop.helpers, shared, others, work, decide)
            return shared.next >= size
        finally:
            shared.given_back()
    while work():
        pass
    return shared.next >= size


def _decide(plan: Plan, args: Sequence[np.ndarray], results: Sequence[np.ndarray], places: NDArray[np.int64]) -> None:
    """Have the elements at ``places`` in C order decided where compiled code leaves them open."""
    shape = results[0].shape
    whole = [a if a.shape == shape else np.broadcast_to(a, shape) for a in args]
    few = [a.flat[places].astype(a.dtype.newbyteorder("="), copy=False) for a in whole]
    with np.errstate(all="ignore"):
        found = plan.decide(few)
    for result, exact in zip(results, found, strict=True):
        result.flat[places] = exact
