"""``kernels.cl``: every program of a folder in one file; a macro says which of them the compiler is to see."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.offline.folder import row_name
from clmath.audit.opencl.group_kernel import group_source, slots_of
from clmath.audit.opencl.image_calls import channel_type, image_source, is_read, orders_of
from clmath.audit.opencl.kernel import kernel_source
from clmath.audit.plan.exact_item import ExactItem

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clmath.audit.plan.item import Item

__all__ = ["Programs"]


class Programs:
    """The kernels of rows: one for each whose errors are measured, and of an image; many of the others share one."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._alone: dict[Item, None] = {}
        self._groups: dict[str, list[ExactItem]] = {}
        for item in items:
            if isinstance(item, ExactItem) and item.builtin.chapter != "images":
                self._groups.setdefault(_group(item), []).append(item)
            else:
                self._alone[item] = None

    def text(self) -> str:
        """The file."""
        return "\n".join(["/* The host defines ROW_... or GROUP_... */", *self._texts()])

    def kernel(self, item: Item) -> str:
        """The line of ``rows.txt`` that says how the row's kernel is called; empty for one of arguments and results."""
        if item in self._alone:
            return _image(item) if isinstance(item, ExactItem) else ""
        group = self._groups[_group(item)]
        return f"group {_group(item)} {group.index(item)} {slots_of(one.builtin for one in group)}"  # type: ignore[arg-type]

    def _texts(self) -> Iterator[str]:
        for item in self._alone:
            if isinstance(item, ExactItem):
                source = image_source(item)
            else:
                source = kernel_source(item.builtin, item.form, item.lanes)
            yield f"\n#ifdef ROW_{row_name(item)}\n{source}#endif\n"
        for name, items in self._groups.items():
            yield f"\n#ifdef GROUP_{name}\n{group_source(items, conditional=True)}#endif\n"


def _group(item: Item) -> str:
    """The rows that share a kernel have equally many lanes."""
    lanes = f"x{item.vector}" if item.vector > 1 else item.width or ""
    return f"{item.builtin.chapter}_{item.form}{lanes}"


def _image(item: ExactItem) -> str:
    row = item.builtin
    return f"image {'read' if is_read(row) else 'write'} {channel_type(row)} {' '.join(orders_of(row, item.lanes))}"
