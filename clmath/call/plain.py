"""Calls on arrays that need no preparation: after a handful of checks compiled code takes them as they are."""

from __future__ import annotations

import ctypes
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath import ladder
from clmath.call.arguments import common_shape, weak
from clmath.call.plans import INTS
from clmath.call.results import fresh
from clmath.call.workers import at_once
from clmath.engines import choice
from clmath.engines.native.arrays import FEW, PIECE
from clmath.numbers import guard
from clmath.numbers.formats import DOUBLE, FORMATS, Format, format_of
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

    from clmath.engines.native.arrays import Loop
    from clmath.numbers.rounding import Rounding

__all__ = ["of_arrays"]

WORTH_A_THREAD = 1 << 14  # lanes
WORTH_A_TABLE = 1 << 15  # lanes for which looking results up takes less time, and the way to it is nothing
FEW_UNDECIDED = 64  # lanes up to which MPFR is asked for each in the format itself
ROOM = 4 * PIECE  # undecided lanes that are listed together, a few more than there are of any
_INT = np.dtype(np.int32)
_TYPES = (*(form.dtype for form in FORMATS), _INT)
_KNOWN = frozenset({int, float, *INTS, *(t.type for t in _TYPES), *_TYPES, *(t.newbyteorder() for t in _TYPES)})
_PLANS: dict[tuple[Any, ...], Plan | None] = {}


class Plan(NamedTuple):
    """What the name of a built-in, a mode and the kinds of the arguments decide.

    ``readers`` turn numbers into arrays, None for what they are not meant for; None leaves arrays as they are.
    ``dtypes``: of the results. ``is_simple``: all arguments are arrays, and there is one result.
    """

    builtin: Builtin
    form: Format
    mode: Rounding
    loop: Loop
    readers: tuple[Callable[[Any], NDArray[Any] | None] | None, ...] | None
    dtypes: tuple[np.dtype[Any], ...]
    is_simple: bool

    @property
    def has_tables(self) -> bool:
        """Whether the results for all numbers of the format are kept: see ladder.step."""
        return self.form.is_short and len(self.builtin.inputs) == 1


def of_arrays(name: str, mode: Rounding, args: tuple[Any, ...], out: Any, threads: int) -> Any:
    """Evaluate the built-in ``name``; None, and nothing is written, for what needs more: other types, or an error.

    What has one shape, or is a number, is taken at once, whatever the strides and the byte order of arguments.
    """
    kinds: tuple[Any, ...]
    if len(args) == 1:
        kinds = (args[0].dtype,)
    else:
        kinds = tuple([a.dtype if type(a) is np.ndarray else type(a) for a in args])
    try:
        plan = _PLANS[name, mode, kinds]
    except KeyError:
        if choice.NATIVE.library is None or not _KNOWN.issuperset(kinds):
            return None
        plan = _PLANS[name, mode, kinds] = _planned(name, mode, kinds)
    if plan is None:
        return None
    found = _of_few(plan, args) if plan.is_simple and out is None else None
    return _evaluated(plan, args, out, threads) if found is None else found


def _of_few(plan: Plan, args: tuple[NDArray[Any], ...]) -> NDArray[Any] | None:
    """The one result for arrays of one axis and one small length; None for others."""
    shape = args[0].shape
    second = None if len(args) == 1 else args[1]
    if len(shape) != 1 or shape[0] > FEW or (second is not None and second.shape != shape):
        return None
    result = np.empty(shape, plan.dtypes[0])
    few, _, address, _ = plan.loop
    return None if few(address, args[0], second, result, None) else result


def _planned(name: str, mode: Rounding, kinds: tuple[Any, ...]) -> Plan | None:
    row = builtin(name)
    given = list(zip(row.inputs, kinds, strict=True))
    form = _common_format(row, given)
    if form is None or not all(_is_taken(p, kind) for p, kind in given):
        return None
    dtypes = tuple(kind if isinstance(kind, np.dtype) else _declared(p, form) for p, kind in given)
    loop = ladder.loop(name, form, mode, dtypes)
    if loop is None:
        return None
    readers = tuple(None if isinstance(kind, np.dtype) else _reader(row, p, kind, form) for p, kind in given)
    results = tuple(_declared(p, form) for p in row.outputs)
    has_numbers = any(readers)
    return Plan(row, form, mode, loop, readers if has_numbers else None, results, not has_numbers and len(results) == 1)


def _common_format(row: Builtin, given: Sequence[tuple[Parameter, Any]]) -> Format | None:
    """The one format of all gentype arguments; None where there is none, or the built-in is not of numbers."""
    if row.widths or any(p.type not in {"gentype", "intn"} for p in row.inputs):
        return None
    typed = {format_of(np.dtype(kind)) for p, kind in given if p.type == "gentype" and kind not in {int, float}}
    if len(typed) > 1:
        return None
    form = typed.pop() if typed else DOUBLE
    return form if form in row.formats else None


def _is_taken(parameter: Parameter, kind: Any) -> bool:
    """Whether an argument of ``kind``, of which the common format is known, can be one for ``parameter``."""
    if parameter.type == "gentype":
        return True
    return kind.newbyteorder("=") == _INT if isinstance(kind, np.dtype) else kind in INTS


def _declared(parameter: Parameter, form: Format) -> np.dtype[Any]:
    return _INT if parameter.type == "intn" else form.dtype


def _reader(row: Builtin, parameter: Parameter, kind: type, form: Format) -> Callable[[Any], NDArray[Any] | None]:
    if parameter.type == "intn":
        return lambda number: np.asarray(number, _INT) if -(2**31) <= number < 2**31 else None
    if kind is int or (kind is float and form is not DOUBLE):
        return lambda number: weak(f"{row.name}()", parameter.name, number, form)
    return np.asarray


def _evaluated(plan: Plan, args: Sequence[Any], out: Any, threads: int) -> Any:
    if plan.readers is not None:
        args = [a if read is None else read(a) for read, a in zip(plan.readers, args, strict=True)]
        if any(a is None for a in args):
            return None
    shape = args[0].shape if len(args) == 1 else _shape(plan, args)
    if not shape:
        return None
    if out is None:
        results = [np.empty(shape, d) if len(shape) == 1 else fresh(shape, d, args) for d in plan.dtypes]
    else:
        results = list(out) if isinstance(out, tuple) else [out]
        if not _are_plain(results, plan, shape):
            return None
    if results[0].size >= WORTH_A_TABLE and plan.has_tables:
        return None
    if not _is_done(plan, args, results, threads) and not (
        out is not None and _is_done_aside(plan, args, results, threads)
    ):
        return None
    return results[0] if len(results) == 1 else tuple(results) if out is None else out


def _shape(plan: Plan, args: Sequence[NDArray[Any]]) -> tuple[int, ...]:
    shapes = {a.shape for a in args if a.ndim}
    if len(shapes) > 1:
        return common_shape(f"{plan.builtin.name}()", plan.builtin.names, [a.shape for a in args])
    return shapes.pop() if shapes else ()


def _are_plain(given: Sequence[Any], plan: Plan, shape: tuple[int, ...]) -> bool:
    """Whether ``given`` are arrays that the results can be written to as they are."""
    return len(given) == len(plan.dtypes) and all(
        type(array) is np.ndarray and array.dtype == dtype and array.shape == shape
        for array, dtype in zip(given, plan.dtypes, strict=True)
    )


def _is_done(plan: Plan, args: Sequence[NDArray[Any]], results: Sequence[NDArray[Any]], threads: int) -> bool:
    """Whether the results are written: all of them, or nothing."""
    few, _, address, _ = plan.loop
    operands = args[0], args[1] if len(args) > 1 else None, results[0], results[1] if len(results) > 1 else None
    return (results[0].size <= FEW and not few(address, *operands)) or _is_done_in_pieces(
        plan, args, results, operands, threads
    )


def _is_done_aside(plan: Plan, args: Sequence[NDArray[Any]], given: Sequence[NDArray[Any]], threads: int) -> bool:
    """Whether the one result is written to an array that few lanes of the arguments may share memory with."""
    result, *others = given
    if others or result.size > WORTH_A_THREAD or not result.flags.writeable:
        return False
    found = fresh(result.shape, result.dtype, args)
    if not _is_done(plan, args, [found], threads):
        return False
    result[...] = found
    return True


def _is_done_in_pieces(
    plan: Plan,
    args: Sequence[NDArray[Any]],
    results: Sequence[NDArray[Any]],
    operands: tuple[NDArray[Any] | None, ...],
    threads: int,
) -> bool:
    guard.refuse_altered_arithmetic(f"{plan.builtin.name}()")  # whatever other threads could do
    _, many, address, _ = plan.loop
    size = results[0].size
    following = ctypes.c_int64()
    failures: list[BaseException] = []

    def work() -> None:
        undecided = np.empty(ROOM, np.int64)
        while following.value < size and not failures:
            left = many(address, *operands, ctypes.byref(following), undecided)
            if left < 0:
                return
            if left:
                _decide(plan, args, results, undecided[:left])

    at_once(work, min(threads, size // WORTH_A_THREAD), failures)
    return following.value >= size


def _decide(
    plan: Plan, args: Sequence[NDArray[Any]], results: Sequence[NDArray[Any]], places: NDArray[np.int64]
) -> None:
    """Have the elements at ``places`` in C order decided where kernels leave them open."""
    shape, name = results[0].shape, plan.builtin.name
    whole = [a if a.shape == shape else np.broadcast_to(a, shape) for a in args]
    if places.size > FEW_UNDECIDED:
        few = [a.flat[places].astype(a.dtype.newbyteorder("="), copy=False) for a in whole]
        with np.errstate(all="ignore"):
            found = ladder.by_reference(name, plan.form, plan.mode, *few)
        for result, exact in zip(results, found, strict=True):
            result.flat[places] = exact
        return
    operation = ladder.operation(name, plan.form, plan.mode)
    for place in places.tolist():
        for result, number in zip(results, operation(*[a.item(place) for a in whole]), strict=True):
            result.flat[place] = float(number)
