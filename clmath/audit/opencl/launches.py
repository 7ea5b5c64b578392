"""How many work items a launch has: in groups of one size, because PoCL compiles a kernel anew for each size."""

from __future__ import annotations

from typing import Any

__all__ = ["sizes"]

GROUP = 64


def sizes(device: Any, count: int) -> tuple[tuple[int], tuple[int]]:
    """The global and the local size for ``count`` elements: whole groups, one or more."""
    group = min(GROUP, int(device.max_work_group_size))
    return (max(-(-count // group), 1) * group,), (group,)
