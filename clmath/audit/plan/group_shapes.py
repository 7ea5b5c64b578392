"""The sizes in one, two and three dimensions of the work-groups of an audit."""

from __future__ import annotations

__all__ = ["dimensions_of", "local_size"]

_SHAPES = {48: (8, 6), 64: (4, 4, 4), 128: (2, 64), 255: (17, 5, 3)}  # all other groups have one dimension


def local_size(items: int) -> tuple[int, int, int]:
    """Return the sizes in x, y and z of a work-group of ``items`` work-items."""
    x, y, z = (*_SHAPES.get(items, (items,)), 1, 1)[:3]
    return x, y, z


def dimensions_of(items: int) -> int:
    """Return the number of dimensions of a work-group of ``items`` work-items."""
    return len(_SHAPES.get(items, (items,)))
