"""Arrays of other libraries, in memory or on a device, as arrays of NumPy."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.call.containers import opens, package_of

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

_PLAIN = (np.ndarray, np.generic, bool, int, float, list, tuple)
_COPIED = (
    None,
    "cupy",
    "numba.cuda",
    "pyopencl",
    "torch",
)  # the other packages of call.containers are lazy or have labels


def on_host(call: str, argument: str, value: object) -> object:
    """Return ``value`` as an array of NumPy if it is an array of CuPy, PyTorch, JAX, pyopencl or their like.

    An object without ``__array__``, ``get()`` and DLPack is returned unchanged, and so are numbers, lists, arrays of
    NumPy, labelled arrays, and lazy arrays. DTypeError if an array cannot be copied, or has masked elements: they have
    no values that could be judged.
    """
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        count = int(np.ma.getmaskarray(value).sum())
        raise errors.DTypeError(
            f"{call}: {argument} is masked at {count} of {value.size} elements, which have no values: give "
            f"{argument}.compressed() to leave them out of all arrays, or {argument}.data to judge what lies under them"
        )
    if isinstance(value, _PLAIN) or opens(value) or package_of(value) not in _COPIED:
        return value
    reasons = []
    for way in _ways(value):
        try:
            found = way()
        except (TypeError, ValueError, RuntimeError, BufferError) as error:
            reasons.append(str(error).splitlines()[0] if str(error) else type(error).__name__)
            continue
        if isinstance(found, np.ndarray):
            return found
    if not reasons:
        return value
    why = "; ".join(reasons)
    raise errors.DTypeError(
        f"{call}: {argument} is a {type(value).__name__}, no array for NumPy ({why}): copy it first"
    )


def _ways(value: Any) -> Iterator[Callable[[], object]]:
    """Yield the functions that may copy an array to the host, by the methods that it has."""
    if hasattr(value, "detach") and hasattr(value, "cpu"):  # a tensor that records gradients, or lies on a GPU
        yield lambda: np.asarray(value.detach().cpu())
    if hasattr(value, "__array__"):
        yield lambda: np.asarray(value)
    if hasattr(value, "dtype") and callable(getattr(value, "get", None)):  # of CuPy or pyopencl, only on request
        yield value.get
    if hasattr(value, "__dlpack__"):
        yield lambda: np.from_dlpack(value)
