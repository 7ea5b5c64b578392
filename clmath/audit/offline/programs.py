"""``kernels.cl``: every program of a folder in one file; a macro selects the program to compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.offline.folder import row_name
from clmath.audit.opencl.image_calls import image_numbers, is_read
from clmath.audit.opencl.kernel import group_source, kernel_source, needed_of_device, slots_of
from clmath.audit.opencl.programs import UNSHARED
from clmath.audit.plan.exact_item import ExactItem, local_size
from clmath.audit.plan.sampled_rows import sampling
from clmath.spec.families import is_sampled

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator

    from clmath.audit.plan.item import Item

__all__ = ["Programs"]


class Programs:
    """The kernels of cases: one for each with measured errors, on images, or on work-groups; others share kernels."""

    def __init__(self, items: Iterable[Item]) -> None:
        self._alone: dict[Item, None] = {}
        self._groups: dict[str, list[ExactItem]] = {}
        for item in items:
            if isinstance(item, ExactItem) and item.builtin.chapter not in UNSHARED:
                self._groups.setdefault(_group(item), []).append(item)
            else:
                self._alone[item] = None

    def text(self) -> str:
        """Return the text of ``kernels.cl``."""
        return "\n".join(["/* The host defines ROW_... or GROUP_... */", *self._texts()])

    def kernel(self, item: Item) -> str:
        """Return the line of ``rows.txt`` with the kernel's call; empty if it takes only arguments and results."""
        if item in self._alone:
            return _call(item) if isinstance(item, ExactItem) else ""
        group = self._groups[_group(item)]
        return f"group {_group(item)} {group.index(item)} {slots_of(one.builtin for one in group)}"  # type: ignore[arg-type]

    def _texts(self) -> Iterator[str]:
        for item in self._alone:
            if isinstance(item, ExactItem):
                source = UNSHARED[item.builtin.chapter](item)
            else:
                source = kernel_source(item.builtin, item.form, item.components)
            yield f"\n#ifdef ROW_{row_name(item)}\n{source}#endif\n"
        for name, items in self._groups.items():
            yield f"\n#ifdef GROUP_{name}\n{group_source(items, conditional=True)}#endif\n"


def _group(item: Item) -> str:
    """Return the name of the kernel that a case shares with others of its chapter, type and number of components."""
    components = f"x{item.vector}" if item.vector > 1 else item.width or ""
    return f"{item.builtin.chapter}_{item.form}{components}"


def _call(item: ExactItem) -> str:
    row = item.builtin
    if row.chapter == "groups":
        return " ".join(["work", *map(str, local_size(item.width)), needed_of_device(row)])
    if not is_sampled(row):
        return f"image {'read' if is_read(row) else 'write'} {' '.join(image_numbers(item))}"
    how = sampling(row, item.form.name)
    sizes = (*how.sizes, 1, 1)[:3]  # a missing axis has one texel
    return " ".join(["image sample", *image_numbers(item), *map(str, (*sizes, how.layers, how.data.itemsize))])
