"""Plans: the ufunc for the types of arguments, found once for calls whose arguments need no preparation."""

from __future__ import annotations

import functools
import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar

import numpy as np

from clmath import pragmas
from clmath.call import slices
from clmath.call.results import fresh
from clmath.engines.ufuncs import RAISED, raise_own
from clmath.numbers.datatypes import SCALARS
from clmath.numbers.formats import format_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.callables import AnyFunction

    Check: TypeAlias = "Callable[[str, Sequence[np.ndarray]], None]"
    Reader: TypeAlias = "Callable[[Any], Any] | None"

__all__ = [
    "INTS",
    "Plan",
    "Planner",
    "at_once",
    "float_reader",
    "int_reader",
    "number_readers",
    "planned_by_options",
    "planned_first",
    "sample",
]

Planner: TypeAlias = "Callable[..., Plan | None]"
"""Makes the plan for a name, an option and the kinds of the arguments; None where the call needs preparation."""

Function = TypeVar("Function")

_NUMPYS: frozenset[Any] = frozenset({np.longlong, np.ulonglong, *(dtype.type for dtype in SCALARS.values())})
INTS: frozenset[Any] = frozenset({int, *(kind for kind in _NUMPYS if np.dtype(kind).kind in "iu")})
_FEW = slices.SLICE  # elements that are evaluated at once
_TYPES = tuple(SCALARS.values())
_ARRAY = np.ndarray
_MISSING = object()
_KNOWN = frozenset({bool, int, float, *_NUMPYS, *_TYPES, *(dtype.newbyteorder() for dtype in _TYPES)})


class Plan(NamedTuple):
    """The evaluation of arguments of certain kinds.

    ``label``: the call in messages. ``ufunc``: a ufunc, or a function that is called as one. ``inputs`` and ``dtypes``:
    the types of its arguments, and of the results. ``readers`` bring arguments to these types, except Python numbers
    that NumPy converts itself; they return None for arguments that need preparation. A reader of None changes nothing.
    ``check`` sees the call's name and the arguments first. ``widths``: the lengths of last axes
    that are vectors, empty where elements are numbers. ``in_mode``: whether the rounding mode in force is to be rte.
    """

    label: str
    ufunc: np.ufunc
    inputs: Sequence[np.dtype]
    dtypes: Sequence[np.dtype]
    readers: Sequence[Reader] = ()
    check: Check | None = None
    widths: frozenset[tuple[int, ...]] = frozenset()
    in_mode: bool = False

    def of_few(self) -> Callable[..., Any]:
        """Return the function that evaluates few arguments; its result is None for arguments that it refuses."""
        if self.check is not None or self.widths:
            evaluate: Callable[..., Any] = self._alone
        else:
            evaluate = _reading(self.ufunc, self.readers) if any(self.readers) else self.ufunc
        if not pragmas.begun():
            return evaluate
        return lambda *args: evaluate(*args) if self._is_usual() else None

    def _is_usual(self) -> bool:
        """Whether no block of a pragma changes results."""
        return not (pragmas.may_flush() or (self.in_mode and pragmas.rounding_mode() != "rte"))

    def _alone(self, *args: Any) -> Any:
        return self.evaluated(args, None, 1)

    def evaluated(self, args: tuple[Any, ...], out: Any, threads: int) -> Any:
        """Return the results, or None for arguments that ``readers`` refuse, different shapes, and another ``out``."""
        if self.widths:
            return self._of_vectors(args) if out is None and threads == 1 else None
        if any(self.readers):
            args = tuple([a if read is None else read(a) for read, a in zip(self.readers, args, strict=True)])
            if any(a is None for a in args):
                return None
        if self.check is not None:
            self.check(self.label, [np.asarray(a) for a in args])
        shape = _shape(args)
        if shape is None or (out is not None and not _are_plain(out, self.dtypes, shape)):
            return None
        if math.prod(shape) <= slices.SLICE and (threads == 1 or not shape):
            return _result(self.ufunc, args, out)
        return self._stored(args, shape, out, threads)

    def _of_vectors(self, args: tuple[Any, ...]) -> Any:
        """Return the results for a few vectors in arrays of one shape with the results' layout, or None for others."""
        shape = args[0].shape
        if shape[-1:] not in self.widths or shape != args[-1].shape or args[0].size > _FEW:
            return None
        if len(shape) > 1 and not all(a.flags.c_contiguous for a in args):
            return None
        return _result(self.ufunc, args, None)

    def _stored(self, args: Sequence[Any], shape: tuple[int, ...], out: Any, threads: int) -> Any:
        """Return the results in the arrays of ``out``, or in new ones; None if a Python int does not fit."""
        try:
            arrays = [
                np.asarray(a, dtype if type(a) in {int, float} else None)
                for a, dtype in zip(args, self.inputs, strict=True)
            ]
        except OverflowError:
            return None
        if out is None:
            results = [fresh(shape, dtype, arrays) for dtype in self.dtypes]
        else:
            results = list(out) if isinstance(out, tuple) else [out]
        slices.store(self.ufunc, slices.Operands.of(arrays, results), threads)
        return results[0] if len(results) == 1 else tuple(results) if out is None else out


def _reading(ufunc: np.ufunc, readers: Sequence[Reader]) -> Callable[..., Any]:
    """Return a function that calls ``ufunc`` with converted arguments, and returns None if a reader refuses one."""
    first, *others = readers

    def of_second(x: Any, y: Any) -> Any:
        y = second(y)
        return None if y is None else ufunc(x, y)

    def evaluate(*args: Any) -> Any:
        given = [a if read is None else read(a) for read, a in zip(readers, args, strict=True)]
        return None if any(a is None for a in given) else ufunc(*given)

    if first is None and len(others) == 1 and others[0] is not None:
        second = others[0]
        return of_second
    return evaluate


_PLANS = pragmas.table()


def at_once(  # noqa: PLR0917 - each call with options comes here
    planner: Planner, name: str, option: Any, args: tuple[Any, ...], out: Any, threads: int, *more: Any
) -> Any:
    """Evaluate ``name`` by the plan that ``planner(name, option, kinds, *more)`` makes for the kinds of ``args``.

    Return None, and write nothing, if the types need preparation or the call is an error. The kind of an array is its
    dtype, the kind of another argument its class. ``more`` follows from the name and the option.
    """
    kinds, size = _seen(args)
    try:
        plan, evaluate = _PLANS[planner, name, option, kinds]
    except KeyError:
        if not _KNOWN.issuperset(kinds):
            return None
        begun = pragmas.begun()
        plan = planner(name, option, kinds, *more)
        evaluate = _refused if plan is None else plan.of_few()
        pragmas.keep(_PLANS, (planner, name, option, kinds), (plan, evaluate), begun)
    if plan is None or out is not None or threads != 1 or size > _FEW:
        return None if plan is None else plan.evaluated(args, out, threads)
    try:
        found = evaluate(*args)
    except _FOR_PREPARATION:
        found = None
    if RAISED:
        raise_own()
    return found


def _seen(args: tuple[Any, ...]) -> tuple[tuple[Any, ...], int]:
    """Return the kinds of arguments, and an upper bound of the number of elements of their results."""
    size, kinds = 1, []
    for a in args:
        kind = type(a)
        if kind is _ARRAY:
            size *= a.size
            kind = a.dtype
        kinds.append(kind)
    return tuple(kinds), size


def planned_first(planned: Callable[[str, tuple[Any, ...]], Plan | None]) -> Callable[[Function], Function]:
    """Return a decorator of public functions: calls without keywords are evaluated by plans, all others by themselves.

    ``planned`` makes the plan for the name of the function and the kinds of its arguments. The plan's evaluation of few
    numbers or small arrays is looked up by these kinds, made when they are first seen.
    """
    return functools.partial(_planned_first, planned)


def _planned_first(planned: Callable[[str, tuple[Any, ...]], Plan | None], function: Any) -> Any:
    evaluations, count = pragmas.table(), function.__code__.co_posonlyargcount

    def learn(*kinds: Any) -> None:
        """Keep how arguments of the kinds are evaluated from the next call on."""
        if len(kinds) == count and _KNOWN.issuperset(kinds):
            begun = pragmas.begun()
            plan = planned(function.__name__, kinds)
            evaluate = _refused if plan is None else plan.of_few()
            pragmas.keep(evaluations, kinds if len(kinds) > 1 else kinds[0], evaluate, begun)

    made: Any = {1: _of_one, 2: _of_two}.get(count, _of_more)(function, evaluations, learn)
    code = made.__code__
    shared = code.co_argcount  # parameters that messages name
    names = (*function.__code__.co_varnames[:shared], *code.co_varnames[shared:])
    made.__code__ = code.replace(co_varnames=names)
    made.planned = planned  # for ``families.renamed``
    return functools.update_wrapper(made, function)


def planned_by_options(planned: Callable[..., Plan | None]) -> Callable[[Function], Function]:
    """Return the same decorator of functions of one array and an option, which decides with the array's kind.

    ``planned`` makes the plan for the kind, the option and the keywords.
    """
    return functools.partial(_planned_by_options, planned)


def _planned_by_options(planned: Callable[..., Plan | None], function: Any) -> Any:
    evaluations = pragmas.table()

    def learn(key: object, kind: Any, option: object, options: dict[str, Any]) -> None:
        if kind in _KNOWN:
            begun = pragmas.begun()
            plan = planned(kind, *(() if option is _MISSING else (option,)), **options)
            pragmas.keep(evaluations, key, _refused if plan is None else plan.of_few(), begun)

    def evaluated(x: Any, option: Any = _MISSING, /, **options: Any) -> Any:
        kind = type(x)
        if kind is _ARRAY and x.size <= _FEW:
            kind = x.dtype
        key: Any = (kind, option)
        if options:  # options, among which 1 and True are equal
            key = (*key, *options.items(), *map(type, options.values()))
        found = None
        try:
            found = evaluations[key](x)
        except KeyError:
            learn(key, kind, option, options)
        except _FOR_PREPARATION:
            pass
        if RAISED:
            raise_own()
        if found is not None:
            return found
        return function(x, **options) if option is _MISSING else function(x, option, **options)

    return functools.update_wrapper(evaluated, function)


def _refused(*_: object) -> None:
    """Evaluate arguments that need preparation."""


def _of_one(function: AnyFunction, evaluations: dict[Any, Any], learn: AnyFunction) -> AnyFunction:
    def evaluated(x: Any, /, **options: Any) -> Any:
        if not options:
            kind = type(x)
            if kind is _ARRAY and x.size <= _FEW:
                kind = x.dtype
            found = None
            try:
                found = evaluations[kind](x)
            except KeyError:
                learn(kind)
            except _FOR_PREPARATION:
                pass
            if RAISED:
                raise_own()
            if found is not None:
                return found
        return function(x, **options)

    return evaluated


def _of_two(  # noqa: C901 - inlined, because calls of functions would take time
    function: AnyFunction, evaluations: dict[Any, Any], learn: AnyFunction
) -> AnyFunction:
    def evaluated(x: Any, y: Any, /, **options: Any) -> Any:
        if not options:
            first, second = type(x), type(y)
            if first is second is _ARRAY:
                if x.size * y.size <= _FEW or _are_few((x, y)):
                    first, second = x.dtype, y.dtype
            elif first is _ARRAY and x.size <= _FEW:
                first = x.dtype
            elif second is _ARRAY and y.size <= _FEW:
                second = y.dtype
            found = None
            try:
                found = evaluations[first, second](x, y)
            except KeyError:
                learn(first, second)
            except _FOR_PREPARATION:
                pass
            if RAISED:
                raise_own()
            if found is not None:
                return found
        return function(x, y, **options)

    return evaluated


def _of_more(function: AnyFunction, evaluations: dict[Any, Any], learn: AnyFunction) -> AnyFunction:
    def evaluated(*args: Any, **options: Any) -> Any:
        if not options:
            kinds, size = _seen(args)
            found = None
            try:
                if size <= _FEW or _are_few(args):
                    found = evaluations[kinds](*args)
            except KeyError:
                learn(*kinds)
            except _FOR_PREPARATION:
                pass
            if RAISED:
                raise_own()
            if found is not None:
                return found
        return function(*args, **options)

    return evaluated


def _are_few(args: Sequence[Any]) -> bool:
    """Whether all arrays have one shape, and few elements."""
    shapes = {a.shape for a in args if type(a) is _ARRAY}
    return len(shapes) == 1 and math.prod(*shapes) <= _FEW


_FOR_PREPARATION = (OverflowError, TypeError, ValueError)  # an int that fits no type, or shapes


def _result(ufunc: np.ufunc, args: tuple[Any, ...], out: Any) -> Any:
    is_several = isinstance(out, tuple)
    try:
        found = ufunc(*args) if out is None else ufunc(*args, out=out if is_several else (out,))
    except (OverflowError, TypeError):  # a Python int that the type does not hold, or longer than long
        return None
    if RAISED:
        raise_own()
    return out if is_several and len(out) > 1 else found


def _shape(args: Sequence[Any]) -> tuple[int, ...] | None:
    """Return the shape of the results, or None if arguments do not broadcast."""
    shapes = {a.shape for a in args if type(a) is _ARRAY and a.ndim}
    if len(shapes) < 2:
        return shapes.pop() if shapes else ()
    try:
        return np.broadcast_shapes(*shapes)
    except ValueError:
        return None


def _are_plain(out: Any, dtypes: Sequence[np.dtype], shape: tuple[int, ...]) -> bool:
    """Whether the results can be written to the arrays of ``out`` without a conversion."""
    given = out if isinstance(out, tuple) else (out,)
    for array in given:
        if type(array) is not _ARRAY or array.shape != shape or not array.flags.writeable:
            return False
    is_same = [array.dtype for array in given] == [*dtypes]
    return is_same and (len(given) == 1 or not np.may_share_memory(*given))


def int_reader(needed: np.dtype, largest: int | None = None) -> Reader:
    """Return a function that gives a Python int the integer type ``needed``.

    The function returns None for an int beyond the type's ends, or above ``largest`` if given.
    """
    info, number = np.iinfo(needed), needed.type
    least, most = int(info.min), int(info.max) if largest is None else largest
    if needed == SCALARS["long"]:  # NumPy's type of an int by default
        return lambda n: n if least <= n <= most else None
    return lambda n: number(n) if least <= n <= most else None


def number_readers(reads: Sequence[Reader], kinds: Sequence[Any], inputs: Sequence[np.dtype]) -> Sequence[Reader]:
    """Return the readers for arguments of ``kinds`` into the types ``inputs``.

    ``reads`` bring arrays and plain Python numbers to their types.
    """
    return [_number_reader(read, kind, needed, kinds) for read, kind, needed in zip(reads, kinds, inputs, strict=True)]


def sample(kind: Any) -> Any:
    """An argument of a kind: an array, or a plain Python number."""
    if isinstance(kind, np.dtype):
        return np.empty(0, kind)
    return kind(0) if kind in (int, float) else np.asarray(kind(0))


def _number_reader(
    read: Callable[[Any], np.ndarray] | None, kind: object, needed: np.dtype, kinds: Sequence[object]
) -> Reader:
    """Return a function that gives an argument the type ``needed``, or None for arguments that have it.

    ``read`` does so for arrays and plain Python numbers. The function returns None for an int that the type does not
    hold. ``kinds``: the kinds of all arguments. NumPy takes an int of another argument's type, or an int or a float
    alone, itself.
    """
    if kind is int and needed.kind in "iu":
        return None if needed == SCALARS["long"] or _is_among(needed, kinds) else int_reader(needed)
    if kind is float and needed == SCALARS["double"]:
        return None
    if read is not None and kind in INTS and needed.kind in "iu":
        return int_reader(needed)
    if read is None or isinstance(kind, np.dtype):
        return read
    if kind in {int, float}:
        return float_reader(read, needed)
    return lambda number: read(np.asarray(number))


def float_reader(read: Callable[[Any], np.ndarray], needed: np.dtype) -> Reader:
    """Return ``read``, which rounds Python numbers to a format, except numbers that NumPy converts itself."""
    form = format_of(needed)
    if form is None:
        return read
    least, most = form.smallest_normal, min(form.largest, 2**53)  # NumPy rounds larger ints twice
    return lambda x: x if least <= abs(x) <= most or x == 0 else read(x)


def _is_among(needed: np.dtype, kinds: Sequence[Any]) -> bool:
    """Whether an array or a number of NumPy is of the type ``needed``."""
    return any(kind not in {int, float} and np.dtype(kind).newbyteorder("=") == needed for kind in kinds)
