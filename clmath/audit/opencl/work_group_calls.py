"""Functions of work-groups on an OpenCL device: a call is a group, and each of its work-items has one lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from clmath.audit.opencl.kernel import ENTRY, EXTENSIONS, extensions
from clmath.audit.opencl.recent import Recent

if TYPE_CHECKING:
    from collections.abc import Callable

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.engines.device.opencl import Built

__all__ = ["WorkGroups", "has_work_groups", "work_group_source"]

_FEATURE = "__opencl_c_work_group_collective_functions"
_KEPT = 16  # kernels


class WorkGroups:
    """The kernels of functions of work-groups, and how they are started; ``built`` compiles a program text."""

    def __init__(self, cl: Any, built: Callable[[str, str], Built]) -> None:
        self._cl, self._built = cl, built
        self._kernels: Recent[Built] = Recent(_KEPT)

    def kernel(self, item: ExactItem) -> Built:
        """The kernel of a row; SubjectError with the build log where it does not compile."""
        if item not in self._kernels:
            self._kernels[item] = self._built(work_group_source(item), str(item))
        return self._kernels[item]

    def start(self, item: ExactItem, count: int, queue: Any, *args: Any) -> Any:
        """Start the kernel for ``count`` groups; the event of its end."""
        kernel = self.kernel(item).kernel
        kernel.set_args(np.uint64(count), *args)
        return self._cl.enqueue_nd_range_kernel(queue, kernel, (max(count, 1) * item.width,), (item.width,))


def has_work_groups(device: Any) -> bool:
    """Whether the functions are in the language of a device: a feature of OpenCL C 3.0, and a part of 2.0."""
    try:
        return any(feature.name == _FEATURE for feature in device.opencl_c_features)
    except Exception:  # noqa: BLE001 - devices before OpenCL 3.0, and older packages, refuse the question
        return bool(device.opencl_c_version.startswith("OpenCL C 2."))


def work_group_source(item: ExactItem) -> str:
    """The program text: its kernel takes the number of groups, a buffer for each argument, and one for the result.

    An argument without lanes is one number for each group.
    """
    inputs = list(zip(item.builtin.inputs, item.arguments, strict=True))
    values = [f"in{k}[{'i' if item.has_lanes(p.type) else 'group'}]" for k, (p, _) in enumerate(inputs)]
    buffers = [f"__global const {type} *in{k}" for k, (_, type) in enumerate(inputs)]
    needed = [name for name in extensions(item) if name in EXTENSIONS.values()]
    return "\n".join([
        *(f"#pragma OPENCL EXTENSION {name} : enable" for name in needed),
        f"__kernel __attribute__((reqd_work_group_size({item.width}, 1, 1)))",
        f"void {ENTRY}(ulong n, {', '.join(buffers)}, __global {item.result.name} *out)",
        "{",
        "    size_t i = get_global_id(0), group = get_group_id(0);",
        f"    if (group < n) out[i] = {_expression(item, values)};",
        "}",
        "",
    ])  # fmt: skip


def _expression(item: ExactItem, values: list[str]) -> str:
    """The call; where parameter and result are bool in the text and int in OpenCL C, what is not 0 is true."""
    if item.builtin.inputs[0].name == "predicate":
        return f"{item.builtin.name}({values[0]} != 0) != 0"
    return f"{item.builtin.name}({', '.join(values)})"
