"""Results of calls: fresh arrays in the arguments' order of memory, or the arrays of ``out``.

With ``where`` only some elements are computed, as by NumPy's ufuncs.
"""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call import containers
from clmath.call.arguments import as_array, broadcast, common_shape
from clmath.call.containers import has_labels, values_of

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray


def result_arrays(
    call: str,
    shapes: Sequence[tuple[int, ...]],
    dtypes: Sequence[np.dtype],
    out: object,
    args: Sequence[np.ndarray] = (),
    *,
    cleared: bool = False,
) -> list[np.ndarray]:
    """Return fresh arrays, or the arrays of ``out`` after a check of type, shape and writability.

    None in the tuple ``out`` requests a fresh array. ``cleared``: fresh arrays hold zeros.
    """
    given = as_given(call, out, len(dtypes))
    targets = [array for array in given if array is not None]
    for array, shape, dtype in zip(given, shapes, dtypes, strict=True):
        if array is not None:
            _check_target(call, array, shape, dtype)
    if len(targets) > 1 and any(np.shares_memory(a, b) for a, b in itertools.combinations(targets, 2)):
        raise errors.shared_results(call)
    made = [fresh(s, d, args) if a is None else a for a, s, d in zip(given, shapes, dtypes, strict=True)]
    for array, target in zip(made, given, strict=True) if cleared else ():
        if target is None:
            array.fill(0)
    return made


def _check_target(call: str, array: object, shape: tuple[int, ...], dtype: np.dtype) -> None:
    """Raise an error if a result cannot be written to an array of ``out``."""
    if not (type(array) is np.ndarray or isinstance(array, np.memmap)):
        fact = f"out is a {containers.type_name(array).removeprefix('builtins.')}"
        raise errors.DTypeError(f"{call}: {fact}; an array of {dtype} is needed: np.empty({shape}, '{dtype}')")
    if array.dtype.newbyteorder("=") != dtype:
        remedy = f"np.empty({shape}, '{dtype}')"
        raise errors.wrong_dtype(call, "out", array.dtype, f"an array of {dtype}", remedy)
    if array.shape != shape or not array.flags.writeable:
        fact = f"has shape {array.shape}" if array.shape != shape else "is read-only"
        raise errors.ShapeError(f"{call}: out {fact}; a writable array of shape {shape} is needed")


def delivery(call: str, shape: tuple[int, ...], dtype: np.dtype, out: object) -> Callable[[np.ndarray], object]:
    """Return a function that returns the one result of a call, or stores it in ``out``, which is checked at once."""
    if out is None:
        return lambda found: found[()]
    (target,) = result_arrays(call, [shape], [dtype], out)

    def delivered(found: np.ndarray) -> object:
        target[...] = found
        return handed_back([target], out)

    return delivered


def as_given(call: str, out: object, count: int) -> list[Any]:
    """Return the array for each of ``count`` results in ``out``, None for a fresh one."""
    if out is None:
        return [None] * count
    given = list(out) if isinstance(out, tuple) else [out]
    if len(given) != count:
        fact = f"out has {len(given)} arrays; {count} are needed"
        way = f"give a tuple of {count} arrays or None" if count > 1 else "give one array"
        raise errors.ShapeError(f"{call}: {fact}: {way}")
    return given


def fresh(shape: tuple[int, ...], dtype: np.dtype, args: Sequence[np.ndarray]) -> np.ndarray:
    """Return an array with the axes in the memory order of a ufunc's result for these arguments: NumPy's order 'K'.

    The order is C's if the arguments do not broadcast to ``shape``: vectors that are reduced, or left out by ``where``.
    """
    if len(shape) > 1 and args and broadcast([array.shape for array in args]) == shape:
        flags: Any = [["readonly"]] * len(args) + [["writeonly", "allocate"]]
        dtypes = [*(array.dtype for array in args), dtype]
        walk = np.nditer([*args, None], ["zerosize_ok"], flags, dtypes, order="K", itershape=shape)
        return walk.operands[-1]
    return np.empty(shape, dtype)


def handed_back(results: Sequence[Any], out: object, restore: Callable[[Any], object] | None = None) -> Any:
    """Return the arrays of ``out`` if given; else results, scalars for 0-d ones, in the arguments' container."""
    given = out if isinstance(out, tuple) else (out,) * len(results)
    if len(given) > 1 and all(g is not None for g in given):
        return out
    plain = [
        r if g is not None else r[()] if restore is None else restore(r) for r, g in zip(results, given, strict=True)
    ]
    return tuple(plain) if len(plain) > 1 else plain[0]


def mask_of(call: str, where: object, names: Sequence[str], shapes: Sequence[tuple[int, ...]]) -> NDArray[np.bool_]:
    """Return a copy of ``where`` broadcast with the arguments' ``shapes``, without the last axis of vectors."""
    given = _as_plain(call, where)
    check_mask(call, given)
    shape = common_shape(call, (*names, "where"), (*shapes, given.shape))
    return np.array(np.broadcast_to(given, shape))


def check_mask(call: str, where: np.ndarray) -> None:
    """Raise a DTypeError unless the elements of a mask are bools."""
    if where.dtype != np.bool_:
        way = "np.asarray(where, bool)" if where.dtype.kind in "iuf" else "say for each element whether it is computed"
        raise errors.DTypeError(f"{call}: where has dtype {where.dtype}; bool is needed: {way}")


def whole_vectors(call: str, where: object) -> object:
    """Return ``where``, which picks vectors, with one more axis for their components."""
    return where if where is True else _as_plain(call, where)[..., np.newaxis]


def _as_plain(call: str, where: object) -> np.ndarray:
    """Return the values of a mask with labels, which ``opened`` has compared; anything else as an array."""
    return values_of(call, "where", where) if has_labels(where) else as_array(call, "where", where)


def picked(mask: NDArray[np.bool_], array: np.ndarray, components: tuple[int, ...] = ()) -> np.ndarray:
    """Return the elements of ``array`` that ``mask`` picks in a row; ``components``: the last axis of vectors."""
    found: np.ndarray = np.broadcast_to(array, (*mask.shape, *components))[mask]
    return found
