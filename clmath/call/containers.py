"""Arrays with more than numbers: masks and labels come back with the results; what would be dropped is refused.

Masked arrays, pandas and xarray are known by their classes, so that none of these packages is imported here.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from numpy.typing import NDArray

__all__ = ["Restore", "is_plain_array", "opened", "refuse", "unreadable"]

Restore: TypeAlias = "Callable[[NDArray[Any]], Any]"
"""Puts a result into a container like that of the arguments."""

_NUMBERS = (np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
_PLAIN = frozenset({np.ndarray, bool, int, float, list, tuple, *_NUMBERS, np.float16, np.float32, np.float64})
_LABELLED = frozenset({"pandas", "xarray"})
_REMEDIES = {
    "cupy": "x.get() copies it to the host",
    "dask": "x.map_blocks({call}, dtype=x.dtype) calls clmath on every block when it is computed; "
    "dask.array.map_blocks({call}, x, y, dtype=x.dtype) for several arguments",
    "dask_expr": "x.map_partitions({call}) calls clmath on every partition when it is computed",
    "pandas": "give its values, x.to_numpy()",
    "polars": "give its values, x.to_numpy()",
    "pyarrow": "give its values, x.to_numpy()",
    "pyopencl": "x.get() copies it to the host",
    "tensorflow": "give its values, x.numpy()",
    "torch": "x.detach().cpu().numpy() gives its values",
    "xarray": "give its values, x.to_numpy()",
}
_READABLE = frozenset({"tensorflow", "torch"})  # on the host, NumPy sees their tensors as arrays


def is_plain_array(value: Any) -> bool:
    """Whether ``value`` is an array of NumPy that holds its numbers and nothing else."""
    return type(value) is np.ndarray or isinstance(value, np.memmap)


def opened(
    call: str, names: Sequence[str], args: tuple[Any, ...], out: Any = None, vectors: Sequence[bool] = ()
) -> tuple[tuple[Any, ...], Restore | None]:
    """The arguments with the arrays of containers in their place, and what puts a result into a container again.

    ``vectors`` tells of which arguments the last axis is reduced or works together: a masked lane masks all of it.
    """
    if _PLAIN.issuperset(map(type, args)):
        return args, None
    kinds = {_kind(a): a for a in args} if out is None else {}
    kinds.pop(None, None)
    if len(kinds) > 1:
        facts = " and ".join(_type_name(a) for a in kinds.values())
        raise errors.DTypeError(f"{call}: {facts} do not go together: give one kind of container, or plain arrays")
    if "masked" in kinds:
        data = tuple(a.data if isinstance(a, np.ma.MaskedArray) else a for a in args)
        return data, _masked(args, vectors or (False,) * len(args))
    if kinds:
        return _labelled(call, names, args)
    return args, None


def _kind(value: Any) -> str | None:
    """'masked', 'pandas' or 'xarray' for what ``opened`` opens; None for everything else."""
    if isinstance(value, np.ma.MaskedArray):
        return "masked"
    package = _package(value)
    opens = package in _LABELLED and hasattr(value, "__array_wrap__") and not _is_lazy(value)
    return package if opens else None


def _package(value: Any) -> str | None:
    """The package whose array ``value`` is: the first of those that need care in the order of its classes."""
    if type(value) in _PLAIN or isinstance(value, np.generic):
        return None
    tops = (base.__module__.partition(".")[0] for base in type(value).__mro__)
    return next((top for top in tops if top in _REMEDIES), None)


def _is_lazy(value: Any) -> bool:
    """Whether an array of xarray holds one of dask, which is not to be computed here."""
    return getattr(value, "chunks", None) is not None


def _type_name(value: Any) -> str:
    return f"{type(value).__module__}.{type(value).__qualname__}"


def refuse(call: str, argument: str, value: Any) -> None:
    """A DTypeError where turning ``value`` into an array would drop what it holds beside numbers, or compute it."""
    if type(value) in _PLAIN or isinstance(value, (np.generic, np.memmap)):
        return
    if isinstance(value, np.ma.MaskedArray):
        raise _refused(call, argument, value, "give x.filled(...), or x.data to ignore the mask")
    if isinstance(value, np.ndarray):
        raise _refused(call, argument, value, "give its values, np.asarray(x)")
    package = _package(value)
    if package == "xarray" and _is_lazy(value):
        way = "xarray.apply_ufunc(clmath.{}, x, dask='parallelized', output_dtypes=[x.dtype])"
        raise _refused(call, argument, value, way.format(call.removesuffix("()")))
    if package is not None and package not in _READABLE:
        raise _refused(call, argument, value, _REMEDIES[package].format(call=f"clmath.{call.removesuffix('()')}"))


def _refused(call: str, argument: str, value: Any, remedy: str) -> errors.DTypeError:
    fact = f"{argument} is a {_type_name(value)}, and more than its numbers would be lost"
    return errors.DTypeError(f"{call}: {fact}: {remedy.replace('x.', f'{argument}.')}")


def unreadable(call: str, argument: str, value: Any, error: Exception) -> errors.DTypeError:
    """``value`` cannot be turned into an array."""
    remedy = _REMEDIES.get(_package(value) or "", "give an array of numbers")
    return errors.DTypeError(f"{call}: {argument} is a {_type_name(value)}, no array for NumPy ({error}): {remedy}")


def _masked(args: Sequence[Any], vectors: Sequence[bool]) -> Restore:
    """Masks a result where an argument is masked."""
    masks = [
        mask.any(axis=-1) if vector and mask.ndim else mask
        for mask, vector in zip(map(np.ma.getmaskarray, args), vectors, strict=True)
    ]

    def restore(result: NDArray[Any]) -> Any:
        mask: NDArray[np.bool_] = np.asarray(functools.reduce(np.logical_or, masks))
        if mask.ndim < result.ndim:  # a vector
            mask = mask[..., np.newaxis]
        masked = np.ma.MaskedArray(result, np.broadcast_to(mask, result.shape).copy())
        return masked[()]

    return restore


def _labelled(call: str, names: Sequence[str], args: tuple[Any, ...]) -> tuple[tuple[Any, ...], Restore]:
    """The values of labelled arrays, which must have the same labels, and what labels a result."""
    found = [(name, a) for name, a in zip(names, args, strict=True) if _package(a) in _LABELLED]
    first_name, first = found[0]
    for name, other in found[1:]:
        if type(other) is not type(first) or not _same_labels(first, other):
            way = "xarray.align(x, y)" if _package(first) == "xarray" else "x.align(y)"
            fact = f"{first_name} and {name} have different labels"
            raise errors.DTypeError(f"{call}: {fact}: bring them together first, e.g. by {way}")
    one_name = all(getattr(a, "name", None) == getattr(first, "name", None) for _, a in found)

    def restore(result: NDArray[Any]) -> Any:
        if result.shape != first.shape:
            fact = f"the result has shape {result.shape}, {first_name} with its labels {first.shape}"
            raise errors.DTypeError(f"{call}: {fact}: give its values, {first_name}.to_numpy()")
        labelled = first.__array_wrap__(result)
        if not one_name:
            labelled.name = None
        return labelled

    opened = tuple(np.asarray(a) if _package(a) in _LABELLED else a for a in args)
    return opened, restore


def _same_labels(first: Any, other: Any) -> bool:
    if _package(first) == "xarray":
        alike = first.coords.to_dataset().equals(other.coords.to_dataset())
        return bool(first.dims == other.dims and alike)
    axes = zip(getattr(first, "axes", ()), getattr(other, "axes", ()), strict=True)
    return all(a.equals(b) for a, b in axes)
