"""Arrays that lie on a device, by their package, which computes there and makes the results."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import errors
from clmath.call.containers import are_plain
from clmath.call.device_arrays.cuda import CUDA
from clmath.call.device_arrays.opencl import OPENCL

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.call.device_arrays.library import Library

_LIBRARIES: tuple[Library, ...] = (OPENCL, CUDA)


def are_there(args: Sequence[object]) -> bool:
    """Whether one of ``args`` is an array on a device."""
    return not are_plain(args) and bool(_owners(args))


def _owners(args: Sequence[object]) -> list[Library]:
    """The packages that have arrays among ``args``."""
    return [library for library in _LIBRARIES if any(map(library.owns, args))]


def library_of(call: str, args: Sequence[object]) -> Library:
    """Return the package of the arrays on a device among ``args``; an error if they are of several."""
    first, *others = _owners(args)
    if others:
        kinds = " and ".join(library.name for library in (first, *others))
        raise errors.DTypeError(
            f"{call}: arrays on devices of {kinds}; one kind is needed: copy one by way of the host, x.get()"
        )
    return first
