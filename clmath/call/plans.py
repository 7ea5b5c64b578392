"""Plans: the ufunc for the types of arguments, found once for calls whose arguments need no preparation."""

from __future__ import annotations

import math
from collections import defaultdict
from typing import TYPE_CHECKING, Any, NamedTuple, TypeAlias

import numpy as np

from clmath.call import slices
from clmath.call.results import fresh
from clmath.engines.ufuncs import RAISED, raise_own
from clmath.numbers.datatypes import SCALARS
from clmath.pragmas import contracts

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    Check: TypeAlias = "Callable[[str, Sequence[np.ndarray]], None]"
    Reader: TypeAlias = "Callable[[Any], Any] | None"

__all__ = ["INTS", "NUMPYS", "Plan", "Planner", "at_once", "int_reader", "number_readers", "of_few", "sample"]

Planner: TypeAlias = "Callable[..., Plan | None]"
"""Makes the plan for a name, an option and the kinds of the arguments; None where the call needs preparation."""

NUMPYS: frozenset[Any] = frozenset({np.longlong, np.ulonglong, *(dtype.type for dtype in SCALARS.values())})
INTS: frozenset[Any] = frozenset({int, *(kind for kind in NUMPYS if np.dtype(kind).kind in "iu")})
_FEW = (1 << 15) - 1  # elements of small arrays: looking results of short formats up takes less time beyond
_TYPES = tuple(SCALARS.values())
_KNOWN = frozenset({bool, int, float, *NUMPYS, *_TYPES, *(dtype.newbyteorder() for dtype in _TYPES)})


class Plan(NamedTuple):
    """How arguments of certain kinds are evaluated.

    ``label``: the call in messages. ``dtypes``: of the results. ``readers`` turn arguments into what the ufunc takes,
    None for what they are not meant for; None leaves arguments as they are. ``in_steps``: the ufunc without
    contraction, where that is another one. ``many``: the ufunc that takes less time for more than ``few`` elements.
    ``integers``: the ufunc of a second result. ``check`` sees the call's name and the arguments first.
    ``widths``: the lengths of last axes that are vectors, empty where elements are numbers.
    """

    label: str
    ufunc: np.ufunc
    dtypes: tuple[np.dtype, ...]
    readers: tuple[Reader, ...] | None = None
    in_steps: np.ufunc | None = None
    many: np.ufunc | None = None
    integers: np.ufunc | None = None
    check: Check | None = None
    few: int = _FEW
    widths: frozenset[tuple[int, ...]] = frozenset()

    @property
    def is_plain(self) -> bool:
        """Whether the ufunc takes arguments as they are, and has all results."""
        return self.few == _FEW and not any((self.readers, self.in_steps, self.integers, self.check, self.widths))

    def evaluated(self, args: tuple[Any, ...], out: Any, threads: int) -> Any:
        """The results; None for arguments that ``readers`` refuse, shapes that differ, and another ``out``."""
        if self.integers is not None:
            return None if out is not None else self._with_integers(self.integers, args, threads)
        ufunc = self.ufunc if self.in_steps is None or contracts() else self.in_steps
        if self.widths:
            return self._of_vectors(ufunc, args) if out is None and threads == 1 else None
        if self.readers is not None:
            args = tuple([a if read is None else read(a) for read, a in zip(self.readers, args, strict=True)])
            if any(a is None for a in args):
                return None
        if self.check is not None:
            self.check(self.label, [np.asarray(a) for a in args])
        shape = _shape(args)
        if shape is None:
            return None
        size = math.prod(shape)
        if size > self.few and self.many is not None:
            ufunc = self.many
        if out is None and (not shape or (threads == 1 and size <= slices.SLICE)):
            return _result(ufunc, args)
        return self._stored(ufunc, args, shape, out, threads)

    def _with_integers(self, integers: np.ufunc, args: tuple[Any, ...], threads: int) -> Any:
        """The results of both ufuncs; None for an argument that ``readers`` refuse."""
        first, second = (
            self._replace(ufunc=ufunc, dtypes=(dtype,), many=None, integers=None).evaluated(args, None, threads)
            for ufunc, dtype in zip((self.ufunc, integers), self.dtypes, strict=True)
        )
        return None if first is None else (first, second)

    def _of_vectors(self, ufunc: np.ufunc, args: tuple[Any, ...]) -> Any:
        """The results for a few vectors in arrays of one shape, which lie as results are to lie; None for others."""
        shape = args[0].shape
        if shape[-1:] not in self.widths or shape != args[-1].shape or args[0].size > _FEW:
            return None
        if len(shape) > 1 and not all(a.flags.c_contiguous for a in args):
            return None
        return _result(ufunc, args)

    def _stored(self, ufunc: np.ufunc, args: Sequence[Any], shape: tuple[int, ...], out: Any, threads: int) -> Any:
        """The results in the arrays of ``out``, or in new ones; None where these, or a Python int, do not fit."""
        arrays = _arrays(ufunc, args)
        if arrays is None:
            return None
        if out is None:
            results = [fresh(shape, dtype, arrays) for dtype in self.dtypes]
        else:
            results = list(out) if isinstance(out, tuple) else [out]
            if not _are_plain(results, self.dtypes, shape):
                return None
        slices.store(ufunc, slices.Operands.of(arrays, results), threads)
        return results[0] if len(results) == 1 else tuple(results) if out is None else out


_PLANS: dict[tuple[Any, ...], Plan | None] = {}
# ufuncs of arguments as they are, by name and by class of a number or dtype of an array
_OF_ONE: defaultdict[Any, dict[Any, np.ufunc]] = defaultdict(dict)
_OF_TWO: dict[tuple[Any, Any, Any], np.ufunc] = {}
_OF_MORE: dict[tuple[Any, ...], np.ufunc] = {}


def of_few(name: object, args: tuple[Any, ...]) -> Any:
    """Evaluate ``name`` in its usual way for few numbers or small arrays; None for others, and at first.

    In another way where it is a pair of the name and an option.
    """
    if len(args) == 1:
        (x,) = args
        ufunc = _OF_ONE[name].get(type(x)) or (_OF_ONE[name].get(x.dtype) if _is_small(x) else None)
    elif len(args) == 2:
        x, y = args
        first, second = type(x), type(y)
        if first is np.ndarray or second is np.ndarray:
            if first is second and x.shape != y.shape and x.size * y.size > slices.SLICE:  # signals are answered soon
                return None
            first, second = (x.dtype if _is_small(x) else first), (y.dtype if _is_small(y) else second)
        ufunc = _OF_TWO.get((name, first, second))
    else:
        if len({x.shape for x in args if type(x) is np.ndarray}) > 1:
            return None
        ufunc = _OF_MORE.get((name, *[x.dtype if _is_small(x) else type(x) for x in args]))
    if ufunc is None:
        return None
    try:
        found = ufunc(*args)
    except (OverflowError, TypeError, ValueError):  # an int that no type holds, or shapes
        return None
    if RAISED:
        raise_own()
    return found


def int_reader(needed: np.dtype) -> Reader:
    """Return a function that gives a Python int the integer type ``needed``; None is left of one beyond its ends."""
    info, number = np.iinfo(needed), needed.type
    least, most = int(info.min), int(info.max)
    return lambda n: number(n) if least <= n <= most else None


def _is_small(x: object) -> bool:
    return type(x) is np.ndarray and x.size <= _FEW


def at_once(  # noqa: PLR0917 - each call of every built-in comes here
    planner: Planner, name: str, option: Any, args: tuple[Any, ...], out: Any, threads: int, *more: Any
) -> Any:
    """Evaluate ``name`` by the plan that ``planner(name, option, kinds, *more)`` makes for the kinds of ``args``.

    None, and nothing is written, for what needs more: other types, or an error. The kind of an array is its dtype, that
    of anything else its class. ``more`` follows from the name and the option. An ``option`` of None is the usual way.
    """
    kinds = tuple([a.dtype if type(a) is np.ndarray else type(a) for a in args])
    try:
        plan = _PLANS[planner, name, option, kinds]
    except KeyError:
        if not _KNOWN.issuperset(kinds):
            return None
        plan = _PLANS[planner, name, option, kinds] = planner(name, option, kinds, *more)
        if plan is not None and plan.is_plain:
            _note(name if option is None else (name, option), kinds, plan.ufunc)
    return None if plan is None else plan.evaluated(args, out, threads)


def _note(name: object, kinds: tuple[Any, ...], ufunc: np.ufunc) -> None:
    """Have the next calls with such arguments go to the ufunc."""
    if len(kinds) == 1:
        _OF_ONE[name][kinds[0]] = ufunc
    elif len(kinds) == 2:
        _OF_TWO[name, kinds[0], kinds[1]] = ufunc
    else:
        _OF_MORE[(name, *kinds)] = ufunc


def _result(ufunc: np.ufunc, args: tuple[Any, ...]) -> Any:
    try:
        found = ufunc(*args)
    except (OverflowError, TypeError):  # a Python int that the type does not hold, or no long
        return None
    if RAISED:
        raise_own()
    return found


def _arrays(ufunc: np.ufunc, args: Sequence[Any]) -> list[np.ndarray] | None:
    """The arguments as arrays, Python ints of the types that ``ufunc`` takes; None where one lies beyond its type."""
    if int not in map(type, args):
        return [np.asarray(a) for a in args]
    kinds = [int if type(a) is int else np.asarray(a).dtype for a in args]
    try:
        dtypes = ufunc.resolve_dtypes((*kinds, *(None,) * ufunc.nout))
        return [np.asarray(a, d if type(a) is int else None) for a, d in zip(args, dtypes, strict=False)]
    except (OverflowError, TypeError):
        return None


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


def number_readers(reads: Sequence[Reader], samples: Sequence[Any], kinds: Sequence[Any]) -> tuple[Reader, ...] | None:
    """Return the readers for arguments of ``kinds``, of which ``samples`` are some; None where none is needed.

    ``reads`` bring arrays and plain Python numbers to their types.
    """
    found = tuple(
        _number_reader(read, kind, (one if read is None else read(one)).dtype.newbyteorder("="), kinds)
        for read, one, kind in zip(reads, samples, kinds, strict=True)
    )
    return found if any(found) else None


def sample(kind: Any) -> Any:
    """An argument of a kind: an array, or a plain Python number."""
    if isinstance(kind, np.dtype):
        return np.empty(0, kind)
    return kind(0) if kind in (int, float) else np.asarray(kind(0))


def _number_reader(
    read: Callable[[Any], np.ndarray] | None, kind: object, needed: np.dtype, kinds: Sequence[object]
) -> Reader:
    """Return a function that gives an argument the type ``needed``; None for arguments that have it.

    ``read`` does so for arrays and plain Python numbers. None is left of an int that the type does not hold. ``kinds``:
    of all arguments. An int of the type of another argument, and an int or a float alone, NumPy takes as they are.
    """
    if kind is int and needed.kind in "iu":
        return None if needed == SCALARS["long"] or _is_among(needed, kinds) else int_reader(needed)
    if kind is float and needed == SCALARS["double"]:
        return None
    if read is not None and kind in INTS and needed.kind in "iu":
        return int_reader(needed)
    if read is None or isinstance(kind, np.dtype) or kind in {int, float}:
        return read
    return lambda number: read(np.asarray(number))


def _is_among(needed: np.dtype, kinds: Sequence[Any]) -> bool:
    """Whether an array or a number of NumPy is of the type ``needed``."""
    return any(kind not in {int, float} and np.dtype(kind).newbyteorder("=") == needed for kind in kinds)
