"""Copies of work-groups between memories, implemented as plain copies: cl_khr_fp16, OpenCL C 3.0, 6.15.11.

A pointer is a one-dimensional array. There are no events: a copy is complete when the function returns. Everything is
checked before anything is written.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from clmath import errors
from clmath.functions.pointers import aligned, check_type, checked_width, is_whole, pointer, writable
from clmath.numbers.datatypes import WIDTHS

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clmath.typing import FloatLike, IntLike

__all__ = ["async_work_group_copy", "async_work_group_strided_copy", "prefetch"]


def async_work_group_copy(dst: np.ndarray, src: FloatLike | IntLike, num_gentypes: int, /, *, width: int = 1) -> None:
    """Copy the first ``num_gentypes`` elements of ``src`` to the beginning of ``dst``.

    ``dst``, ``src``: one-dimensional, of one type, any of ``convert`` except bool, and apart in memory. ``width``:
    components of an element, 1, 2, 3, 4, 8 or 16; 3 are copied as 4, with the next one. Bits are kept.

    ShapeError: memory that is too short, is read-only, overlaps or has several axes, or an invalid width or
    number of elements. TypeError: a type. Source: cl_khr_fp16, asynchronous copies; OpenCL C 3.0, 6.15.11.

    >>> local = np.zeros(4, np.float16)
    >>> async_work_group_copy(local, np.arange(1, 9, dtype=np.float16), 3)
    >>> local
    array([1., 2., 3., 0.], dtype=float16)
    """
    _copy("async_work_group_copy()", dst, src, num_gentypes, width, {})


def async_work_group_strided_copy(
    dst: np.ndarray,
    src: FloatLike | IntLike,
    num_gentypes: int,
    /,
    *,
    src_stride: int | None = None,
    dst_stride: int | None = None,
    width: int = 1,
) -> None:
    """Gather every ``src_stride``-th element of ``src``, or scatter to every ``dst_stride``-th one of ``dst``.

    Give one of the strides, in elements of ``width`` components: the stride of ``src`` from global to local memory, the
    stride of ``dst`` from local to global. The elements of the other array are contiguous. All else as in
    ``async_work_group_copy``.

    ShapeError: as in ``async_work_group_copy``, and for no stride, two of them, or one that is not positive: the text
    leaves 0 undefined, and a stride is a size_t.
    Source: cl_khr_fp16, asynchronous copies; OpenCL C 3.0, 6.15.11.

    >>> local = np.zeros(3, np.int32)
    >>> async_work_group_strided_copy(local, np.arange(12, dtype=np.int32), 3, src_stride=4)
    >>> local
    array([0, 4, 8], dtype=int32)
    """
    call = "async_work_group_strided_copy()"
    given = {"src_stride": src_stride, "dst_stride": dst_stride}
    strides = {name: stride for name, stride in given.items() if stride is not None}
    if len(strides) != 1:
        fact = f"{len(strides)} strides are given; one is needed"
        raise errors.ShapeError(f"{call}: {fact}: src_stride gathers, dst_stride scatters")
    _copy(call, dst, src, num_gentypes, width, strides)


def prefetch(p: FloatLike | IntLike, num_gentypes: int, /, *, width: int = 1) -> None:
    """Do nothing: a hint that ``num_gentypes`` elements of ``p`` will be read, which affects no result.

    ``p``, ``num_gentypes`` and ``width`` as in ``async_work_group_copy``; they are checked, but not that ``p`` is long
    enough. Source: cl_khr_fp16, asynchronous copies; OpenCL C 3.0, 6.15.11.

    >>> prefetch(np.zeros(4, np.float32), 4)
    """
    pointer("prefetch()", "p", p)
    _whole("prefetch()", "num_gentypes", num_gentypes, 0)
    _components("prefetch()", width)


def _copy(call: str, dst: object, src: object, count: object, width: object, strides: Mapping[str, object]) -> None:  # noqa: PLR0917
    target, source = writable(call, "dst", dst), pointer(call, "src", src)
    check_type(call, "src", source, "dst", target.dtype)
    elements, components = _whole(call, "num_gentypes", count, 0), _components(call, width)
    steps = {name: _whole(call, name, stride, 1) for name, stride in strides.items()}
    read = _elements(call, "src", source, elements, components, steps.get("src_stride", 1))
    written = _elements(call, "dst", target, elements, components, steps.get("dst_stride", 1))
    if np.shares_memory(target, source):
        raise errors.ShapeError(f"{call}: dst and src share memory; local and global memory lie apart: use src.copy()")
    written[...] = read


def _elements(  # noqa: PLR0917 - a memory, and the elements in it
    call: str, name: str, memory: np.ndarray, count: int, components: int, stride: int
) -> np.ndarray:
    """Return the first ``count`` vectors of ``components``, ``stride`` vectors apart, as a view of two axes."""
    needed = ((count - 1) * stride + 1) * components if count else 0
    if needed > memory.size:
        fact = f"{name} has {memory.size} numbers and {needed} are reached"
        raise errors.ShapeError(f"{call}: {fact}; beyond its end the copy is undefined: give more, or copy less")
    step, stride = memory.strides[0], stride if count > 1 else 1  # any size_t, if only one element is copied
    return np.lib.stride_tricks.as_strided(memory, (count, components), (stride * components * step, step))


def _whole(call: str, name: str, value: object, least: int) -> int:
    if is_whole(value) and value >= least:
        return int(value)
    raise errors.ShapeError(f"{call}: {name}={errors.shown(value)}; an int from {least} on is needed: give one")


def _components(call: str, width: object) -> int:
    """Return the components that an element occupies in memory."""
    return aligned(checked_width(call, "width", width, (1, *WIDTHS)))
