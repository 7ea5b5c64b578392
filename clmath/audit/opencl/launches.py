"""A cache of compiled kernels, and the number of work items of a launch."""

from __future__ import annotations

from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Hashable

    from pyopencl import Device

__all__ = ["Recent", "sizes"]

GROUP = 64


def sizes(device: Device, count: int) -> tuple[tuple[int], tuple[int]]:
    """Return the global and the local size for ``count`` elements: whole groups, one or more."""
    group = min(GROUP, int(device.max_work_group_size))
    return (max(-(-count // group), 1) * group,), (group,)


V = TypeVar("V")


class Recent(Generic[V]):
    """Values by their keys; only the ``most`` that were used last are kept."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._values: dict[Hashable, V] = {}  # the most recently used one is the last

    def __contains__(self, key: Hashable) -> bool:
        return key in self._values

    def __len__(self) -> int:
        return len(self._values)

    def __getitem__(self, key: Hashable) -> V:
        value = self._values[key] = self._values.pop(key)
        return value

    def __setitem__(self, key: Hashable, value: V) -> None:
        self._values.pop(key, None)
        self._values[key] = value
        while len(self._values) > self._most:
            del self._values[next(iter(self._values))]
