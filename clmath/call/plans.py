"""Plans: the ufunc for the types of arguments, found once for calls whose arguments need no preparation."""

from __future__ import annotations

import functools
import inspect
import math
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias, TypeVar, cast

import numpy as np

from clmath import errors, pragmas
from clmath.call import slices
from clmath.call.arguments import broadcast
from clmath.call.readers import NUMPYS
from clmath.call.results import fresh
from clmath.engines.ufuncs import RAISED, raise_own
from clmath.numbers.datatypes import SCALARS

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from clmath.call.readers import Kind, Operand, Reader

__all__ = ["Plan", "Planner", "at_once", "planned_first"]

Planner: TypeAlias = "Callable[..., Plan | None]"
"""Makes the plan for a name, an option and the kinds of the arguments; None where the call needs preparation."""

Evaluate: TypeAlias = "Callable[..., object]"
"""Evaluates few arguments of certain kinds; the result is None for arguments that need preparation."""

Function = TypeVar("Function", bound=Evaluate)

_FEW = slices.SLICE  # elements that are evaluated at once
_ARRAY = np.ndarray
_KNOWN: frozenset[Kind] = frozenset(
    {bool, int, float, *NUMPYS, *SCALARS.values(), *(dtype.newbyteorder() for dtype in SCALARS.values())}
)


class Plan(NamedTuple):
    """The evaluation of arguments of certain kinds.

    ``ufunc``: a ufunc, or a function that is called as one. ``inputs`` and ``dtypes``:
    the types of its arguments, and of the results. ``readers`` bring arguments to these types, except Python numbers
    that NumPy converts itself; they return None for arguments that need preparation. A reader of None changes nothing.
    ``check`` sees the arguments first. ``widths``: the lengths of last axes
    that are vectors, empty where elements are numbers. ``in_mode``: whether the rounding mode in force is to be rte.
    """

    ufunc: np.ufunc
    inputs: Sequence[np.dtype]
    dtypes: Sequence[np.dtype]
    readers: Sequence[Reader | None] = ()
    check: Callable[[Sequence[np.ndarray]], None] | None = None
    widths: frozenset[tuple[int, ...]] = frozenset()
    in_mode: bool = False

    def of_few(self) -> Evaluate:
        """Return the function that evaluates few arguments."""
        evaluate: Evaluate
        if self.check is not None or self.widths:
            evaluate = self._alone
        else:
            evaluate = _reading(self.ufunc, self.readers) if any(self.readers) else self.ufunc
        if not pragmas.begun():
            return evaluate
        return lambda *args: evaluate(*args) if self._is_usual() else None

    def _is_usual(self) -> bool:
        """Whether no block of a pragma changes results."""
        return not (pragmas.may_flush() or (self.in_mode and pragmas.rounding_mode() != "rte"))

    def _alone(self, *args: object) -> object:
        return self.evaluated(args, None, 1)

    def evaluated(self, args: Sequence[object], out: object, threads: int) -> object:
        """Return the results, or None for arguments that ``readers`` refuse, different shapes, and another ``out``."""
        if self.widths:
            return self._of_vectors(args) if out is None and threads == 1 else None
        if any(self.readers):
            args = _read(self.readers, args)
            if any(a is None for a in args):
                return None
        if self.check is not None:
            self.check([np.asarray(a) for a in args])
        shape = _shape(args)
        if shape is None or (out is not None and not _are_plain(out, self.dtypes, shape)):
            return None
        if math.prod(shape) <= slices.SLICE and (threads == 1 or not shape):
            return _result(self.ufunc, args, out)
        return self._stored(args, shape, out, threads)

    def _of_vectors(self, args: Sequence[object]) -> object:
        """Return the results for a few vectors in arrays of one shape with the results' layout, or None for others."""
        arrays = cast("Sequence[np.ndarray]", args)
        shape = arrays[0].shape
        if shape[-1:] not in self.widths or shape != arrays[-1].shape or arrays[0].size > _FEW:
            return None
        if len(shape) > 1 and not all(a.flags.c_contiguous for a in arrays):
            return None
        return _result(self.ufunc, args, None)

    def _stored(self, args: Sequence[object], shape: tuple[int, ...], out: object, threads: int) -> object:
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
            results = list(out) if isinstance(out, tuple) else [cast("np.ndarray", out)]
        slices.store(self.ufunc, slices.Operands.of(arrays, results), threads)
        return results[0] if len(results) == 1 else tuple(results) if out is None else out


def _read(readers: Sequence[Reader | None], args: Sequence[Any]) -> list[Operand | None]:
    return [a if read is None else read(a) for read, a in zip(readers, args, strict=True)]


def _reading(ufunc: np.ufunc, readers: Sequence[Reader | None]) -> Evaluate:
    """Return a function that calls ``ufunc`` with converted arguments, and returns None if a reader refuses one."""
    first, *others = readers

    def of_second(x: object, y: Operand) -> object:
        read = second(y)
        return None if read is None else ufunc(x, read)

    def evaluate(*args: object) -> object:
        given = _read(readers, args)
        return None if any(a is None for a in given) else ufunc(*given)

    if first is None and len(others) == 1 and others[0] is not None:
        second = others[0]
        return of_second
    return evaluate


_PLANS: dict[object, tuple[Plan | None, Evaluate]] = pragmas.table()


def at_once(  # noqa: PLR0917 - each call with options comes here
    planner: Planner, name: str, option: object, args: tuple[object, ...], out: object, threads: int, *more: object
) -> object:
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
        key = planner, name, option, kinds
        plan, evaluate = pragmas.kept(_PLANS, key, lambda: _with_evaluation(planner(name, option, kinds, *more)))
    if plan is None or out is not None or threads != 1 or size > _FEW:
        return None if plan is None else plan.evaluated(args, out, threads)
    try:
        found = evaluate(*args)
    except _FOR_PREPARATION:
        found = None
    if RAISED:
        raise_own()
    return found


def _seen(args: Sequence[object]) -> tuple[tuple[Kind, ...], int]:
    """Return the kinds of arguments, and an upper bound of the number of elements of their results."""
    size, kinds = 1, []
    for a in args:
        kind: Kind = type(a)
        if type(a) is _ARRAY:
            size *= a.size
            kind = a.dtype
        kinds.append(kind)
    return tuple(kinds), size


def _with_evaluation(plan: Plan | None) -> tuple[Plan | None, Evaluate]:
    return plan, _refused if plan is None else plan.of_few()


def _refused(*_: object) -> None:
    """Evaluate arguments that need preparation."""


def planned_first(planned: Callable[..., Plan | None]) -> Callable[[Function], Function]:
    """Return a decorator of public functions: calls are evaluated by plans, and by the function without one.

    ``planned`` makes the plan for the name of the function, the kinds of its arguments and its keywords, if it has
    ``**options``; else calls with keywords have no plan. The plan's evaluation of few numbers or small arrays is looked
    up by these, made when they are first seen.
    """
    return functools.partial(_planned_first, planned)


def _planned_first(planned: Callable[..., Plan | None], function: Function) -> Function:
    few: dict[object, Evaluate] = pragmas.table()
    count, further, keywords = _parameters(function)

    def learn(key: object, args: Sequence[object], more: Sequence[object], options: dict[str, object]) -> None:
        """Keep how arguments of these kinds are evaluated from the next call on."""
        kinds, size = _seen(args)
        if not _KNOWN.issuperset(kinds) or (size > _FEW and not _are_few(args)):
            return
        if len(args) == count and len(more) <= further and keywords.issuperset(options):
            pragmas.kept(few, key, lambda: _with_evaluation(planned(function.__name__, kinds, *more, **options))[1])

    keyed = bool(planned.__code__.co_flags & inspect.CO_VARKEYWORDS)
    made = {1: _of_one, 2: _of_two}.get(count, _of_more)(function, few, learn, keyed)
    return cast("Function", functools.update_wrapper(made, function))


def _parameters(function: Evaluate) -> tuple[int, int, frozenset[str]]:
    """Return how many arguments are given by position only, how many others may be, and the names of keywords."""
    given = inspect.signature(function).parameters.values()
    kinds = [parameter.kind for parameter in given]
    keywords = frozenset(parameter.name for parameter in given if parameter.kind is not parameter.POSITIONAL_ONLY)
    return (
        kinds.count(inspect.Parameter.POSITIONAL_ONLY),
        kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD),
        keywords,
    )


class _Missing:
    """An argument that a call lacks."""


_MISSING = _Missing()
_PREPARED = "prepared"  # the key of calls without a plan


def _key(seen: object, more: tuple[object, ...], options: dict[str, object]) -> object:
    """Return the key of a call with keywords, among whose values 1 and True are equal, and further arguments."""
    if "out" in options or "where" in options:
        return _PREPARED
    return seen, more, *options.items(), *map(type, options.values())


def _of_one(  # noqa: C901 - inlined, because calls of functions would take time
    function: Evaluate, few: dict[object, Evaluate], learn: Evaluate, keyed: bool
) -> Evaluate:
    def evaluated(x: Any = _MISSING, /, *more: object, **options: object) -> object:
        key: object = type(x)
        found = None
        if key is _ARRAY and x.size <= _FEW:
            key = x.dtype
        if options:
            key = _key(key, more, options) if keyed else None
        elif more:
            key = key, more
        try:
            if key is not None:
                found = few[key](x)
        except KeyError:
            learn(key, (x,), more, options)
        except _FOR_PREPARATION:
            pass
        if RAISED:
            raise_own()
        if found is not None:
            return found
        try:
            return function(x, *more, **options)
        except TypeError:
            _explain(function, (x, *more), options)
            raise

    return evaluated


def _of_two(  # noqa: C901 - as above
    function: Evaluate,
    few: dict[object, Evaluate],
    learn: Evaluate,
    keyed: bool,
) -> Evaluate:
    def evaluated(  # noqa: C901 - as above
        x: Any = _MISSING, y: Any = _MISSING, /, *more: object, **options: object
    ) -> object:
        first, second = type(x), type(y)
        if first is second is _ARRAY:
            if x.size * y.size <= _FEW or _are_few((x, y)):
                first, second = x.dtype, y.dtype
        elif first is _ARRAY and x.size <= _FEW:
            first = x.dtype
        elif second is _ARRAY and y.size <= _FEW:
            second = y.dtype
        key: object = (first, second)
        found = None
        if more or options:
            key = _key(key, more, options) if keyed else None
        try:
            if key is not None:
                found = few[key](x, y)
        except KeyError:
            learn(key, (x, y), more, options)
        except _FOR_PREPARATION:
            pass
        if RAISED:
            raise_own()
        if found is not None:
            return found
        try:
            return function(x, y, *more, **options)
        except TypeError:
            _explain(function, (x, y, *more), options)
            raise

    return evaluated


def _of_more(function: Evaluate, few: dict[object, Evaluate], learn: Evaluate, keyed: bool) -> Evaluate:
    def evaluated(*args: object, **options: object) -> object:
        kinds, size = _seen(args)
        found, key = None, _key(kinds, (), options) if options else kinds
        try:
            if (keyed or not options) and (size <= _FEW or _are_few(args)):
                found = few[key](*args)
        except KeyError:
            learn(key, args, (), options)
        except _FOR_PREPARATION:
            pass
        if RAISED:
            raise_own()
        if found is not None:
            return found
        try:
            return function(*args, **options)
        except TypeError:
            _explain(function, args, options)
            raise

    return evaluated


def _explain(function: Evaluate, args: tuple[object, ...], options: dict[str, object]) -> None:
    """Raise Python's own error for arguments that are missing, and a remedy for a keyword that ``function`` lacks."""
    if any(a is _MISSING for a in args):
        try:
            function(*[a for a in args if a is not _MISSING], **options)
        except TypeError as error:
            raise error from None
    known = _parameters(function)[2]
    for keyword in set(options) - known:
        fact = f"{function.__name__}() got an unexpected keyword argument {keyword!r}"
        raise TypeError(fact + (_OF_UFUNCS.get(keyword) or errors.guess(keyword, sorted(known)))) from None


_OF_UFUNCS = {  # keywords of NumPy's ufuncs
    "casting": "; arguments and results are not cast: clmath.convert rounds, or refuses, on request",
    "dtype": "; arguments decide the type of results: clmath.convert converts either",
    "order": "; results lie in memory as the arguments do: np.asarray(result, order=...) changes that",
    "subok": "; masks and labels come back with the results, of other subclasses give the values, np.asarray(x)",
}


def _are_few(args: Sequence[object]) -> bool:
    """Whether all arrays have one shape, and few elements."""
    shapes = {a.shape for a in args if type(a) is _ARRAY}
    return len(shapes) == 1 and math.prod(*shapes) <= _FEW


_FOR_PREPARATION = (OverflowError, TypeError, ValueError)  # an int that fits no type, shapes, a read-only array


def _result(ufunc: np.ufunc, args: Sequence[object], out: object) -> object:
    try:
        found = ufunc(*args) if out is None else ufunc(*args, out=out if type(out) is tuple else (out,))
    except _FOR_PREPARATION:
        return None
    if RAISED:
        raise_own()
    return found if out is None or type(out) is not tuple or len(out) == 1 else out


def _shape(args: Sequence[object]) -> tuple[int, ...] | None:
    """Return the shape of the results, or None if arguments do not broadcast."""
    shapes = {a.shape for a in args if type(a) is _ARRAY}
    return broadcast(shapes) if len(shapes) > 1 else shapes.pop() if shapes else ()


def _are_plain(out: object, dtypes: Sequence[np.dtype], shape: tuple[int, ...]) -> bool:
    """Whether the results can be written to the arrays of ``out`` without a conversion."""
    if type(out) is _ARRAY:
        return out.shape == shape and out.dtype == dtypes[0] and len(dtypes) == 1
    if type(out) is not tuple or len(out) != len(dtypes):
        return False
    is_same = all(type(a) is _ARRAY and a.shape == shape and a.dtype == d for a, d in zip(out, dtypes, strict=True))
    return is_same and (len(out) == 1 or not np.may_share_memory(*out))
