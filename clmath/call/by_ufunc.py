"""Calls of built-ins as ufuncs of NumPy: numbers and arrays whose types need no preparation."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from clmath import ladder
from clmath.call import slices
from clmath.call.arguments import weak
from clmath.call.plans import INTS, NUMPYS
from clmath.call.results import fresh
from clmath.engines.native.ufuncs import RAISED, raise_own
from clmath.numbers.datatypes import SCALARS, declared
from clmath.numbers.formats import DOUBLE, Format, format_of
from clmath.pragmas import contracts
from clmath.spec.builtins import Builtin, Parameter, builtin

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.numbers.rounding import Rounding

__all__ = ["common_format", "evaluated", "is_taken", "of_few", "reader"]

_WORTH_A_TABLE = (1 << 15) - 1  # elements beyond which looking results of short formats up takes less time
_INT = np.dtype(np.int32)
_TYPES = tuple(SCALARS.values())
_KNOWN = frozenset({int, float, *NUMPYS, *_TYPES, *(dtype.newbyteorder() for dtype in _TYPES)})


class _Plan(NamedTuple):
    """How arguments of certain kinds are evaluated.

    ``in_steps``: the ufunc without contraction, where that is another one. ``readers`` turn arguments into what the
    ufunc takes, None for what they are not meant for; None leaves arguments as they are. ``dtypes``: of the results.
    ``most``: elements beyond which another way takes less time. ``integers``: a second result, that of no ufunc.
    """

    ufunc: np.ufunc
    in_steps: np.ufunc | None
    readers: tuple[Callable[[Any], Any] | None, ...] | None
    dtypes: tuple[np.dtype, ...]
    has_arrays: bool
    most: float
    integers: Callable[[np.ndarray], np.ndarray] | None = None

    @property
    def is_plain(self) -> bool:
        """Whether the ufunc takes arguments as they are, and has all results."""
        return self.readers is None and self.in_steps is None and self.integers is None

    def evaluated(self, args: tuple[Any, ...], out: Any, threads: int) -> Any:
        """The results; None for arguments that ``readers`` refuse, shapes that differ, and another ``out``."""
        if self.integers is not None:
            return self._with_integers(args, out, threads)
        ufunc = self.ufunc if self.in_steps is None or contracts() else self.in_steps
        if self.readers is not None:
            args = tuple([a if read is None else read(a) for read, a in zip(self.readers, args, strict=True)])
            if any(a is None for a in args):
                return None
        if not self.has_arrays:
            return _result(ufunc, *args) if out is None else None
        shape = args[0].shape if len(args) == 1 else _shape(args)
        size = -1 if shape is None else math.prod(shape)
        if shape is None or size > self.most:
            return None
        if out is None and threads == 1 and size <= slices.SLICE:
            return _result(ufunc, *args)
        return self._stored(ufunc, args, shape, out, threads)

    def _with_integers(self, args: tuple[Any, ...], out: Any, threads: int) -> Any:
        """The result of the ufunc, and the integers, of one argument."""
        found = None if out is not None else self._replace(integers=None).evaluated(args, out, threads)
        if self.integers is None or found is None:
            return None
        x = np.asarray(args[0], found.dtype)
        return found, self.integers(x.reshape(-1)).reshape(x.shape)[()]

    def _stored(self, ufunc: np.ufunc, args: Sequence[Any], shape: tuple[int, ...], out: Any, threads: int) -> Any:
        """The results in the arrays of ``out``, or in new ones; None where these do not fit."""
        if not shape:
            return None
        arrays = [np.asarray(a) for a in args]
        if out is None:
            results = [fresh(shape, dtype, arrays) for dtype in self.dtypes]
        else:
            results = list(out) if isinstance(out, tuple) else [out]
            if not _are_plain(results, self.dtypes, shape):
                return None
        slices.store(ufunc, arrays, results, threads)
        return results[0] if len(results) == 1 else tuple(results) if out is None else out


_PLANS: dict[tuple[Any, ...], _Plan | None] = {}
# ufuncs in rte of arguments as they are, by name and by class of a number or dtype of an array
_OF_ONE: defaultdict[str, dict[Any, np.ufunc]] = defaultdict(dict)
_OF_TWO: dict[tuple[str, Any, Any], np.ufunc] = {}


def of_few(name: str, args: tuple[Any, ...]) -> Any:
    """Evaluate ``name`` in rte for one or two numbers or small arrays; None for others, and at the first call."""
    if len(args) == 1:
        (x,) = args
        ufunc = _OF_ONE[name].get(type(x)) or (_OF_ONE[name].get(x.dtype) if _is_small(x) else None)
    else:
        x, y = args
        first, second = (x.dtype if _is_small(x) else type(x)), (y.dtype if _is_small(y) else type(y))
        ufunc = _OF_TWO.get((name, first, second))
    if ufunc is None:
        return None
    try:
        found = ufunc(*args)
    except ValueError:  # shapes
        return None
    if RAISED:
        raise_own()
    return found


def _is_small(x: object) -> bool:
    return type(x) is np.ndarray and x.size <= _WORTH_A_TABLE


def evaluated(name: str, mode: Rounding, args: tuple[Any, ...], out: Any, threads: int) -> Any:
    """Evaluate ``name``; None, and nothing is written, for what needs more: other types, or an error.

    The kind of an array is its dtype, that of anything else its class.
    """
    kinds = tuple([a.dtype if type(a) is np.ndarray else type(a) for a in args])
    try:
        plan = _PLANS[name, mode, kinds]
    except KeyError:
        if not _KNOWN.issuperset(kinds):
            return None
        plan = _PLANS[name, mode, kinds] = _planned(builtin(name), mode, kinds)
        if plan is not None and mode == "rte" and plan.is_plain:
            _note(name, kinds, plan.ufunc)
    return None if plan is None else plan.evaluated(args, out, threads)


def _note(name: str, kinds: tuple[Any, ...], ufunc: np.ufunc) -> None:
    """Have the next calls with such arguments go to the ufunc."""
    if len(kinds) == 1:
        _OF_ONE[name][kinds[0]] = ufunc
    elif len(kinds) == 2:
        _OF_TWO[name, kinds[0], kinds[1]] = ufunc


def _result(ufunc: np.ufunc, *args: Any) -> Any:
    found = ufunc(*args)
    if RAISED:
        raise_own()
    return found


def _shape(args: Sequence[Any]) -> tuple[int, ...] | None:
    """The shape of the results; None where arguments do not broadcast."""
    shapes = {a.shape for a in args if type(a) is np.ndarray and a.ndim}
    if len(shapes) < 2:
        return shapes.pop() if shapes else ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def _are_plain(given: Sequence[Any], dtypes: Sequence[np.dtype], shape: tuple[int, ...]) -> bool:
    """Whether ``given`` are arrays that the results can be written to as they are."""
    are_arrays = len(given) == len(dtypes) and all(
        type(array) is np.ndarray and array.dtype == dtype and array.shape == shape and array.flags.writeable
        for array, dtype in zip(given, dtypes, strict=True)
    )
    return are_arrays and (len(given) == 1 or not np.may_share_memory(*given))


def _planned(row: Builtin, mode: Rounding, kinds: tuple[Any, ...]) -> _Plan | None:
    """The plan for arguments of these kinds; None where no ufunc takes them."""
    given = list(zip(row.inputs, kinds, strict=True))
    form = None if row.widths else common_format(row, given)
    if form is None or not all(is_taken(p, kind) for p, kind in given):
        return None
    name, integers = ladder.value_and_integers(row.name, form) or (row.name, None)
    ufunc, in_steps = (
        ladder.ufunc(name, mode, contracted=contracted, counted=row.name) for contracted in (True, False)
    )
    if ufunc is None or not _has_loop(ufunc, builtin(name), form):
        return None
    readers = tuple(reader(row, p, kind, form) for p, kind in given)
    has_arrays = any(isinstance(kind, np.dtype) for kind in kinds)
    return _Plan(
        ufunc,
        in_steps if row.formula or row.uncontracted else None,
        readers if any(readers) else None,
        tuple(declared(p.type, form.dtype) for p in builtin(name).outputs),
        has_arrays,
        _WORTH_A_TABLE if form.is_short and len(kinds) == 1 and ladder.has_kernel(row.name, form) else math.inf,
        integers,
    )


def _has_loop(ufunc: np.ufunc, row: Builtin, form: Format) -> bool:
    inputs, outputs = ("".join(declared(p.type, form.dtype).char for p in some) for some in (row.inputs, row.outputs))
    return f"{inputs}->{outputs}" in ufunc.types


def common_format(row: Builtin, given: Sequence[tuple[Parameter, Any]]) -> Format | None:
    """The one format of all gentype arguments; None where there is none."""
    if any(p.type not in {"gentype", "intn"} for p in row.inputs):
        return None
    typed = {format_of(np.dtype(kind)) for p, kind in given if p.type == "gentype" and kind not in {int, float}}
    if len(typed) > 1:
        return None
    form = typed.pop() if typed else DOUBLE if DOUBLE in row.formats else row.formats[0]
    return form if form in row.formats else None


def is_taken(parameter: Parameter, kind: Any) -> bool:
    """Whether an argument of ``kind``, of which the common format is known, can be one for ``parameter``."""
    if parameter.type != "intn":
        return True
    return kind.newbyteorder("=") == _INT if isinstance(kind, np.dtype) else kind in INTS


def reader(row: Builtin, parameter: Parameter, kind: Any, form: Format) -> Callable[[Any], Any] | None:
    """Return a function that gives an argument the type of the call; None for arguments that have it."""
    if isinstance(kind, np.dtype) or kind is form.dtype.type or (kind is float and form is DOUBLE):
        return None
    if parameter.type == "intn":
        return lambda number: np.int32(number) if -(2**31) <= number < 2**31 else None
    label, name = f"{row.name}()", parameter.name
    return lambda number: weak(label, name, number, form)
