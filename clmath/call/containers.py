"""Arrays with masks or labels, which come back with the results; data that would be dropped is an error.

Masked arrays, pandas and xarray are known by their classes, so that none of these packages is imported here.
"""

from __future__ import annotations

import functools
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from clmath import errors

if TYPE_CHECKING:
    from collections.abc import Callable, Iterable, Mapping, Sequence

    from numpy.typing import NDArray

Restore: TypeAlias = "Callable[[np.ndarray], object]"
"""Puts a result into a container like that of the arguments."""

_NUMBERS = (np.bool_, np.int8, np.uint8, np.int16, np.uint16, np.int32, np.uint32, np.int64, np.uint64)
_PLAIN = frozenset({np.ndarray, bool, int, float, list, tuple, *_NUMBERS, np.float16, np.float32, np.float64})
_NUMBERS_ALONE = "give an array of numbers"
_VALUES = "give its values, {x}.to_numpy()"
_REMEDIES = {  # by the module of a class or the start of its name, longer ones first
    "cupy": "{x}.get() copies it to the host",
    "dask.dataframe": "{x}.map_partitions({call}) calls clmath on every partition when it is computed",
    "dask": "{x}.map_blocks({call}, dtype={x}.dtype) calls clmath on every block when it is computed; "
    "dask.array.map_blocks({call}, x, y, dtype=x.dtype) does for several arguments",
    "numpy": "give its values, np.asarray({x})",
    "numpy.ma": "give {x}.filled(...), or {x}.data to ignore the mask",
    "numba.cuda": "cupy.asarray({x}) is an array of CuPy in the same memory, {x}.copy_to_host() a copy on the host",
    "pandas": _VALUES,
    "polars": _VALUES,
    "pyarrow": _VALUES,
    "pyopencl": "{x}.get() copies it to the host",
    "torch": _NUMBERS_ALONE,  # see _way_to_numbers
    "xarray": _VALUES,
}
_COMPUTED = "np.asarray({x}) computes it"  # clmath cannot be called block by block on a mask
_LAZY = "xarray.apply_ufunc({call}, {x}, dask='parallelized', output_dtypes=[{x}.dtype]) calls clmath block by block"
_LATER = (_REMEDIES["dask"], _REMEDIES["dask.dataframe"], _LAZY)
_DATASET = "{x}.map({call}) calls clmath on every array of it"
_OPENED = frozenset({"cupy", "dask.dataframe", "numpy.ma", "pandas", "torch", "xarray"})  # known by their classes
_READABLE = frozenset({"torch"})  # on the host, NumPy sees its tensors as arrays
_IN_MEMORY = frozenset({1, 3, 11, 13})  # DLPack's types of devices: the processor, pages of CUDA and ROCm, managed ones


def are_plain(args: Iterable[object]) -> bool:
    """Whether ``args`` are numbers, lists and arrays of NumPy, and no containers or arrays of other packages."""
    return _PLAIN.issuperset(map(type, args))


def opened(
    call: str,
    names: Sequence[str],
    args: tuple[object, ...],
    out: object = None,
    vectors: Sequence[bool] = (),
    *,
    where: object = True,
) -> tuple[tuple[object, ...], Restore | None]:
    """Return the arguments with containers replaced by their arrays, and a function that wraps a result in a container.

    ``vectors``: the arguments whose last axis is a vector: one masked component masks the whole vector.
    ``where``: the mask of the call; if it has labels, they must equal the labels of the arguments.
    """
    if are_plain(args):
        return args, None
    found = {name: a for name, a in zip(names, args, strict=True) if opens(a)}
    if not found:
        return args, None
    name, first = next(iter(found.items()))
    if out is not None:
        fact = f"{name} is a {type_name(first)}"
        raise errors.DTypeError(
            f"{call}: out takes results of plain arrays; {fact}: leave out away, or give its values"
        )
    if any(package_of(a) != package_of(first) for a in found.values()):
        facts = ", ".join(f"{n} is a {type_name(a)}" for n, a in found.items())
        raise errors.DTypeError(f"{call}: one kind of container is needed; {facts}: give the values of one of them")
    if isinstance(first, np.ma.MaskedArray):
        return tuple(map(_unmasked, args)), _masked(args, vectors or (False,) * len(args))
    data = tuple(values_of(call, n, a) if opens(a) else a for n, a in zip(names, args, strict=True))
    _check_mask(call, name, first, where)
    return data, _labelled(call, found)


def _check_mask(call: str, name: str, first: object, where: object) -> None:
    """Raise a DTypeError if the mask ``where`` has other labels than the argument ``first``."""
    if has_labels(where) and (type(where) is not type(first) or not _same_labels(first, where)):
        fact = f"{name} and where have different labels"
        raise errors.DTypeError(f"{call}: {fact}: where.to_numpy() picks elements by their place")


def _unmasked(value: object) -> object:
    """Return the values under a mask; for ``np.ma.masked``, which has no type of its own, a Python number."""
    if value is np.ma.masked:
        return 0
    return value.data if isinstance(value, np.ma.MaskedArray) else value


def values_of(call: str, argument: str, value: Any) -> np.ndarray:
    """Return the numbers of a container with labels; an error if NumPy would change them."""
    if hasattr(value, "columns") and len(set(value.dtypes)) > 1:
        facts = ", ".join(dict.fromkeys(map(str, value.dtypes)))
        way = f"{argument}.apply({_function(call)}) calls it on each column, {argument}.astype(...) gives them one type"
        raise errors.DTypeError(f"{call}: {argument} has columns of several types, {facts}; one is needed: {way}")
    if package_of(value) == "pandas" and _lacks_values(value):
        way = f"{argument}.dropna() leaves them out, {argument}.fillna(...) fills them"
        raise errors.DTypeError(f"{call}: {argument} holds NA, which no type of OpenCL has: {way}")
    return np.asarray(value)


def _lacks_values(value: Any) -> bool:
    """Whether a Series or DataFrame of one type holds NA; the types that NumPy has do not know it."""
    dtypes = value.dtypes if hasattr(value, "columns") else [value.dtype]
    return any(not isinstance(dtype, np.dtype) for dtype in dtypes) and bool(np.any(value.isna()))


def has_labels(value: object) -> bool:
    """Whether ``value`` is a Series or DataFrame of pandas, or a DataArray of xarray in memory."""
    return opens(value) and not isinstance(value, np.ma.MaskedArray)


def opens(value: object) -> bool:
    """Whether ``value`` is a masked array, a Series or DataFrame of pandas, or a DataArray of xarray in memory."""
    if type(value) in _PLAIN:
        return False
    if isinstance(value, np.ma.MaskedArray):
        return True
    package = package_of(value)
    if package == "xarray":
        return hasattr(value, "coords") and hasattr(value, "data") and not _is_lazy(value)
    return package == "pandas" and hasattr(value, "axes")


def package_of(value: object) -> str | None:
    """Return the module in ``_REMEDIES`` of the class of ``value``, or of its first base class with one."""
    if type(value) in _PLAIN or isinstance(value, np.generic):
        return None
    if isinstance(value, np.ndarray):
        return "numpy.ma" if isinstance(value, np.ma.MaskedArray) else "numpy"
    modules = [f"{base.__module__}." for base in type(value).__mro__]
    return next((name for module in modules for name in _REMEDIES if module.startswith(f"{name}.")), None)


def _is_lazy(value: object) -> bool:
    """Whether an array of xarray holds an array of dask, which is not to be computed here."""
    return getattr(value, "chunks", None) is not None


def type_name(value: object) -> str:
    """Return the name of the class of ``value`` in messages."""
    return f"{type(value).__module__}.{type(value).__qualname__}"


def refuse(call: str, argument: str, value: object) -> None:
    """Raise DTypeError if making ``value`` an array would compute it, or drop more than numbers, such as labels."""
    if isinstance(value, (list, tuple)):
        _refuse_elements(call, argument, value)
    if type(value) in _PLAIN or isinstance(value, np.memmap):
        return
    package = package_of(value)
    if package is not None and package not in _READABLE:
        fact = f"{argument} is a {type_name(value)}; a plain array is needed"
        raise errors.DTypeError(f"{call}: {fact}: {remedy(call, argument, value)}")
    if answers_for_ufuncs(value):
        fact = f"{argument} is a {type_name(value)}, which is more than its numbers; a plain array is needed"
        raise errors.DTypeError(f"{call}: {fact}: give its values, np.asarray({argument})")
    if _lies_elsewhere(value):
        fact = f"{argument} is a {type_name(value)} on a device; an array in memory is needed"
        way = remedy(call, argument, value) if package else f"numpy.asarray({argument}) copies it there"
        raise errors.DTypeError(f"{call}: {fact}: {way}")


def answers_for_ufuncs(value: object) -> bool:
    """Whether the class of ``value`` has an ``__array_ufunc__`` of its own, or sets it to None to refuse ufuncs."""
    kind = type(value)
    own = getattr(kind, "__array_ufunc__", np.ndarray.__array_ufunc__)
    is_known = kind in _PLAIN or isinstance(value, np.generic) or kind.__module__.startswith("clmath.")
    return own is not np.ndarray.__array_ufunc__ and not is_known and package_of(value) not in _OPENED


def _lies_elsewhere(value: Any) -> bool:
    """Whether ``value`` lies, according to DLPack, where NumPy cannot read it without a copy."""
    if not hasattr(type(value), "__dlpack_device__"):
        return False
    try:
        return value.__dlpack_device__()[0] not in _IN_MEMORY
    except Exception:  # noqa: BLE001 - an object without a device, whatever its package raises
        return False


def _refuse_elements(call: str, argument: str, values: Sequence[object]) -> None:
    """Refuse the elements of a list as ``refuse`` does, looking at one of each type."""
    for kind, position in {type(v): i for i, v in enumerate(values)}.items():
        if issubclass(kind, (list, tuple)):
            for i, v in enumerate(values):
                if isinstance(v, (list, tuple)):
                    _refuse_elements(call, f"{argument}[{i}]", v)
        else:
            refuse(call, f"{argument}[{position}]", values[position])


def _function(call: str) -> str:
    return f"clmath.{call.removesuffix('()')}"


def remedy(call: str, argument: str, value: object) -> str:
    """Describe how to give ``value`` as a plain array."""
    package = package_of(value)
    way = _REMEDIES.get(package or "", _NUMBERS_ALONE)
    if way is _VALUES and not hasattr(value, "to_numpy"):
        way = _NUMBERS_ALONE
    if package == "xarray":
        way = _DATASET if hasattr(value, "data_vars") else _LAZY if _is_lazy(value) else way
    if package == "torch":
        way = _way_to_numbers(value)
    if argument == "where" and way in _LATER:
        way = _COMPUTED
    return way.format(x=argument, call=_function(call))


def _way_to_numbers(tensor: object) -> str:
    """Return the calls that make an array of NumPy of a tensor of PyTorch that NumPy cannot read."""
    if getattr(tensor, "is_meta", False):
        return "give a tensor with values, those on 'meta' have none"
    steps = [
        (getattr(tensor, "is_quantized", False), ".dequantize()"),
        (str(getattr(tensor, "layout", "torch.strided")) != "torch.strided", ".to_dense()"),
        (str(getattr(tensor, "dtype", "")).startswith(("torch.bfloat16", "torch.float8")), ".float()"),
        (hasattr(tensor, "is_neg") and tensor.is_neg(), ".resolve_neg()"),
    ]
    calls = "".join(call for is_needed, call in steps if is_needed)
    return f"{{x}}.detach(){calls}.cpu().numpy() gives its values"


def unreadable(call: str, argument: str, value: object, error: Exception) -> errors.DTypeError:
    """Return the error for a ``value`` that cannot be turned into an array."""
    fact = f"{argument} is a {type_name(value)}, no array for NumPy ({error})"
    return errors.DTypeError(f"{call}: {fact}: {remedy(call, argument, value)}")


def _masked(args: Sequence[Any], vectors: Sequence[bool]) -> Restore:
    """Masks a result where an argument is masked; all else as in the first masked array, as in NumPy."""
    arrays = (a for a in args if isinstance(a, np.ma.MaskedArray) and a is not np.ma.masked)
    first = next(arrays, np.ma.MaskedArray(0))

    def restore(result: np.ndarray) -> object:
        masks = [
            mask.any(axis=-1) if vector and mask.ndim else mask
            for mask, vector in zip(map(np.ma.getmaskarray, args), vectors, strict=True)
        ]
        mask: NDArray[np.bool_] = np.asarray(functools.reduce(np.logical_or, masks))
        if mask.ndim < result.ndim:  # a vector
            mask = mask[..., np.newaxis]
        fill = first.fill_value if result.dtype == first.dtype else None
        whole = np.broadcast_to(mask, result.shape).copy()
        return np.ma.MaskedArray(result, whole, fill_value=fill, hard_mask=first.hardmask)[()]

    return restore


def _labelled(call: str, found: Mapping[str, Any]) -> Restore:
    """Labels a result like the arguments ``found``, which must have equal labels."""
    name, first = next(iter(found.items()))
    for other_name, other in found.items():
        if type(other) is not type(first) or not _same_labels(first, other):
            way = "xarray.align" if package_of(first) == "xarray" else f"{name}.align"
            fact = f"{name} and {other_name} have different labels"
            raise errors.DTypeError(f"{call}: {fact}: bring them together first, see {way}")
    one_name = all(getattr(a, "name", None) == getattr(first, "name", None) for a in found.values())

    def restore(result: np.ndarray) -> object:
        if result.shape != first.shape:
            fact = f"the result has shape {result.shape}, {name} with its labels {first.shape}"
            raise errors.DTypeError(f"{call}: {fact}: give its values, {name}.to_numpy()")
        labelled = _like(first, result)
        if not one_name:
            labelled.name = None
        return labelled

    return restore


def _same_labels(first: Any, other: Any) -> bool:
    if package_of(first) == "xarray":
        return bool(first.dims == other.dims and first.coords.to_dataset().equals(other.coords.to_dataset()))
    return all(a.equals(b) for a, b in zip(first.axes, other.axes, strict=True))


def _like(first: Any, result: np.ndarray) -> Any:
    """Return ``result`` with the labels of ``first``."""
    if package_of(first) == "xarray":
        return first.copy(data=result)
    labels = {"columns": first.columns} if hasattr(first, "columns") else {"name": first.name}
    return type(first)(result, index=first.index, **labels).__finalize__(first)  # with attrs, too
