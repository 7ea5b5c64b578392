"""Plans: the ufunc for the types of arguments, found once for calls whose arguments need no preparation."""

from __future__ import annotations

import functools
import inspect
import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeAlias, TypeVar, cast

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

    from clmath.call.readers import Kind, Reader

Planner: TypeAlias = "Callable[..., Plan | None]"
"""Makes the plan for a name, the kinds of the arguments, and keywords; None, or an error, for preparation.

Keywords that change nothing about results (``out``, ``where`` and ``threads``) are left out, and so are defaults.
"""

Evaluate: TypeAlias = "Callable[..., object]"
"""Evaluates few arguments of certain kinds; the result is None for arguments that need preparation."""

Function = TypeVar("Function", bound=Evaluate)

_FEW = slices.SLICE  # elements that are evaluated at once
_ARRAY = np.ndarray
_KNOWN: frozenset[Kind] = frozenset(
    {bool, int, float, *NUMPYS, *SCALARS.values(), *(dtype.newbyteorder() for dtype in SCALARS.values())}
)
_FOR_PREPARATION = (OverflowError, TypeError, ValueError)  # an int that fits no type, shapes, a read-only array
_UNPLANNED = (KeyError, *_FOR_PREPARATION)


@dataclass(frozen=True, eq=False)
class Plan:
    """The evaluation of arguments of certain kinds.

    ``ufunc``: a ufunc, or a function that is called as one. ``inputs`` and ``dtypes``: the types of its arguments, and
    of the results. ``readers`` bring arguments to these types, except Python numbers that NumPy converts itself; they
    raise an error for arguments that need preparation. A reader of None changes nothing. ``check`` sees the arguments
    first. ``widths``: the lengths of last axes that are vectors, empty where elements are numbers. ``in_mode``: whether
    the rounding mode in force decides, and rte is only the mode of this plan.
    """

    ufunc: np.ufunc
    inputs: Sequence[np.dtype]
    dtypes: Sequence[np.dtype]
    readers: Sequence[Reader | None] = ()
    check: Callable[[Sequence[np.ndarray]], None] | None = None
    widths: frozenset[tuple[int, ...]] = frozenset()
    in_mode: bool = False

    @functools.cached_property
    def of_few(self) -> Evaluate:
        """The function that evaluates few arguments."""
        if self.widths:
            return lambda *args: self._of_vectors(args)
        if self.check is not None:
            return lambda *args: self.evaluated(args, None, 1)
        return _reading(self.ufunc, self.readers) if any(self.readers) else self.ufunc

    def evaluated(self, args: Sequence[object], out: object, threads: int) -> object:
        """Return the results, or None for shapes that do not broadcast, and for some ``out``."""
        if self.widths:
            return self._of_vectors(args) if out is None and threads == 1 else None
        if any(self.readers):
            args = _read(self.readers, args)
        if self.check is not None:
            self.check(self._arrays(args))
        shape = _shape(args)
        if shape is None or (out is not None and not _are_plain(out, self.dtypes, shape)):
            return None
        if math.prod(shape) <= (slices.SLICE if threads == 1 else slices.LEAST):
            return self.ufunc(*args) if out is None else _into(self.ufunc, args, out)
        arrays = self._arrays(args)
        results = out if type(out) is tuple else [cast("np.ndarray", out)]
        if out is None:
            results = [fresh(shape, dtype, arrays) for dtype in self.dtypes]
        slices.store(self.ufunc, slices.Operands.of(arrays, results), threads)
        return results[0] if len(results) == 1 else tuple(results) if out is None else out

    def _of_vectors(self, args: Sequence[object]) -> object:
        """Return the results for a few vectors in arrays of one shape with the results' layout, or None for others."""
        arrays = cast("Sequence[np.ndarray]", args)
        shape = arrays[0].shape
        if shape[-1:] not in self.widths or shape != arrays[-1].shape or arrays[0].size > _FEW:
            return None
        if len(shape) > 1 and not all(a.flags.c_contiguous for a in arrays):
            return None
        return self.ufunc(*args)

    def _arrays(self, args: Sequence[object]) -> list[np.ndarray]:
        """Return read arguments as arrays; OverflowError if a Python int does not fit."""
        pairs = zip(args, self.inputs, strict=True)
        return [np.asarray(a, dtype if type(a) in {int, float} else None) for a, dtype in pairs]


def _read(readers: Sequence[Reader | None], args: Sequence[object]) -> list[object]:
    return [a if read is None else read(a) for read, a in zip(readers, args, strict=True)]


def _reading(ufunc: np.ufunc, readers: Sequence[Reader | None]) -> Evaluate:
    """Return a function that calls ``ufunc`` with converted arguments."""
    *first, last = readers
    if last is not None and not first:
        return lambda x: ufunc(last(x))
    if last is not None and first == [None]:
        return lambda x, y: ufunc(x, last(y))
    return lambda *args: ufunc(*_read(readers, args))


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


def planned_first(planned: Planner) -> Callable[[Function], Function]:
    """Return a decorator of public functions: calls are evaluated by plans, and by the function without one.

    ``planned`` makes the plan for the name of the function, the kinds of its arguments, and its keywords.
    """
    return functools.partial(_planned_first, planned)


def _planned_first(planned: Planner, function: Function) -> Function:
    plans = _Plans(planned, function)
    made = {1: _of_one, 2: _of_two}.get(plans.count, _of_more)(plans.few, plans.results)
    return cast("Function", functools.update_wrapper(made, function))


class _Plans:
    """The plans of a public function by the kinds of its arguments, further arguments, and keywords.

    ``few``: the evaluations of few elements, which calls look up first. ``count``: the arguments that may only be given
    by position; ``further`` others may be. ``defaults``: of the arguments that have a name.
    """

    def __init__(self, planned: Planner, function: Evaluate) -> None:
        self.planned, self.function = planned, function
        self.few: dict[object, Evaluate] = pragmas.table()
        self.few[None] = lambda *_: None  # for calls with out or where: exceptions take time
        self.plans: dict[object, Callable[[], Plan | None]] = pragmas.table()
        given = inspect.signature(function).parameters.values()
        kinds = [parameter.kind for parameter in given]
        self.count = kinds.count(inspect.Parameter.POSITIONAL_ONLY)
        self.further = kinds.count(inspect.Parameter.POSITIONAL_OR_KEYWORD)
        self.defaults = {p.name: p.default for p in given if p.kind is not p.POSITIONAL_ONLY}

    def results(self, args: tuple[object, ...], more: tuple[object, ...], options: dict[str, object]) -> object:
        """Return the results of a call that ``few`` does not have: by its plan, or by the function without one."""
        is_planned = options.get("where", True) is True and not pragmas.may_flush()
        try:
            found = self._by_plan(args, more, options) if is_planned else None
        except _FOR_PREPARATION:
            found = None
        if RAISED:
            raise_own()
        if found is not None:
            return found
        try:
            return self.function(*args, *more, **options)
        except TypeError:
            self._explain(args, more, options)
            raise

    def _by_plan(self, args: tuple[object, ...], more: tuple[object, ...], options: dict[str, object]) -> object:
        kinds, size = _seen(args)
        if not (_KNOWN.issuperset(kinds) and len(args) == self.count and len(more) <= self.further):
            return None
        if not self.defaults.keys() >= options.keys():
            return None
        named = {name: value for name, value in options.items() if value is not self.defaults[name]}
        out, threads = named.pop("out", None), named.pop("threads", 1)
        if type(threads) is not int or threads < 1:
            return None
        seen = kinds[0] if self.count == 1 else kinds
        key = _key(seen, more, named)
        here = self.plans.get(key) or pragmas.kept(self.plans, key, lambda: self._here(kinds, more, named))
        if out is None and threads == 1 and (size <= _FEW or _are_few(args)):
            self._keep(_key(seen, more, options), here)
        plan = here()
        return None if plan is None else plan.evaluated(args, out, threads)

    def _keep(self, key: object, here: Callable[[], Plan | None]) -> None:
        """Have calls look up the evaluation of few elements from now on."""
        if key not in self.few:
            pragmas.kept(self.few, key, lambda: _of_few(here))

    def _here(
        self, kinds: tuple[Kind, ...], more: tuple[object, ...], named: dict[str, object]
    ) -> Callable[[], Plan | None]:
        """Return a function that returns the plan for the state of the pragmas in force, or None for preparation."""
        of = functools.partial(self.planned, self.function.__name__, kinds, *more, **named)
        plan = of()
        if plan is None or not pragmas.begun():
            return lambda: plan
        if not plan.in_mode:
            return lambda: None if pragmas.may_flush() else plan
        in_mode = functools.cache(lambda mode: of(rounding=mode))
        return lambda: None if pragmas.may_flush() else in_mode(pragmas.rounding_mode())

    def _explain(self, args: tuple[object, ...], more: tuple[object, ...], options: dict[str, object]) -> None:
        """Raise Python's own error for missing arguments, and a remedy for a keyword that the function lacks."""
        if any(a is _MISSING for a in args):
            try:
                self.function(*[a for a in (*args, *more) if a is not _MISSING], **options)
            except TypeError as error:
                raise error from None
        for keyword in options.keys() - self.defaults:
            fact = f"{self.function.__name__}() got an unexpected keyword argument {keyword!r}"
            raise TypeError(fact + (_OF_UFUNCS.get(keyword) or errors.guess(keyword, sorted(self.defaults)))) from None


_OF_UFUNCS = {  # keywords of NumPy's ufuncs
    "casting": "; arguments and results are not cast: clmath.convert rounds, or refuses, on request",
    "dtype": "; arguments decide the type of results: clmath.convert converts either",
    "order": "; results lie in memory as the arguments do: np.asarray(result, order=...) changes that",
    "subok": "; masks and labels come back with the results, of other subclasses give the values, np.asarray(x)",
}


def _of_few(here: Callable[[], Plan | None]) -> Evaluate:
    """Return the function that evaluates few arguments by the plan for the state of the pragmas."""

    def evaluated(*args: object) -> object:
        plan = here()
        return None if plan is None else plan.of_few(*args)

    plan = here()
    return evaluated if plan is None or pragmas.begun() else plan.of_few


_MISSING = object()  # an argument that a call lacks


def _key(seen: object, more: tuple[object, ...], options: dict[str, object]) -> object:
    """Return the key of a call: with keywords, among whose values 1 and True are equal, and further arguments.

    None for a call with ``out`` or ``where``.
    """
    if options:
        if options.get("out") is not None or options.get("where", True) is not True:
            return None
        return seen, more, *options.items(), *map(type, options.values())
    return (seen, more) if more else seen


def _of_one(few: dict[object, Evaluate], results: Evaluate) -> Evaluate:
    def evaluated(x: object = _MISSING, /, *more: object, **options: object) -> object:
        key: object = type(x)
        if type(x) is _ARRAY and x.size <= _FEW:
            key = x.dtype
        try:
            found = few[_key(key, more, options) if more or options else key](x)
        except _UNPLANNED:
            found = None
        if RAISED:
            raise_own()
        return results((x,), more, options) if found is None else found

    return evaluated


def _of_two(few: dict[object, Evaluate], results: Evaluate) -> Evaluate:
    def evaluated(x: Any = _MISSING, y: Any = _MISSING, /, *more: object, **options: object) -> object:
        first, second = type(x), type(y)
        if first is second is _ARRAY:
            if x.size * y.size <= _FEW or _are_few((x, y)):
                first, second = x.dtype, y.dtype
        elif first is _ARRAY and x.size <= _FEW:
            first = x.dtype
        elif second is _ARRAY and y.size <= _FEW:
            second = y.dtype
        key = first, second
        try:
            found = few[_key(key, more, options) if more or options else key](x, y)
        except _UNPLANNED:
            found = None
        if RAISED:
            raise_own()
        return results((x, y), more, options) if found is None else found

    return evaluated


def _of_more(few: dict[object, Evaluate], results: Evaluate) -> Evaluate:
    def evaluated(*args: object, **options: object) -> object:
        kinds, size = _seen(args)
        try:
            key = _key(kinds, (), options) if size <= _FEW or _are_few(args) else None
            found = few[key](*args)
        except _UNPLANNED:
            found = None
        if RAISED:
            raise_own()
        return results(args, (), options) if found is None else found

    return evaluated


def _are_few(args: Sequence[object]) -> bool:
    """Whether all arrays have one shape, and few elements."""
    shapes = {a.shape for a in args if type(a) is _ARRAY}
    return len(shapes) == 1 and math.prod(*shapes) <= _FEW


def _into(ufunc: np.ufunc, args: Sequence[object], out: object) -> object:
    """Return the results in the arrays of ``out``."""
    found = ufunc(*args, out=out if isinstance(out, tuple) else (out,))
    return out if isinstance(out, tuple) and len(out) > 1 else found


def _shape(args: Sequence[object]) -> tuple[int, ...] | None:
    """Return the shape of the results, or None if arguments do not broadcast."""
    shapes = {a.shape for a in args if type(a) is _ARRAY}
    return broadcast(shapes) if len(shapes) > 1 else shapes.pop() if shapes else ()


def _are_plain(out: object, dtypes: Sequence[np.dtype], shape: tuple[int, ...]) -> bool:
    """Whether the results can be written to the arrays of ``out`` without a conversion."""
    if type(out) is _ARRAY:
        return len(dtypes) == 1 and out.shape == shape and out.dtype == dtypes[0]
    if type(out) is not tuple or len(out) != len(dtypes):
        return False
    is_same = all(type(a) is _ARRAY and a.shape == shape and a.dtype == d for a, d in zip(out, dtypes, strict=True))
    return is_same and (len(out) == 1 or not np.may_share_memory(*out))
