"""Functions of work-groups and sub-groups on an OpenCL device: a call is a group with one element per work-item."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.opencl.kernel import ENTRY, EXTENSIONS, extensions
from clmath.audit.plan.exact_item import dimensions_of

if TYPE_CHECKING:
    from pyopencl import Device

    from clmath.audit.plan.exact_item import ExactItem
    from clmath.spec.builtins import Builtin

__all__ = ["has_groups", "needed_of_device", "work_group_source"]

_FEATURE = "__opencl_c_work_group_collective_functions"
_SUB_GROUPS = "__opencl_c_subgroups", "cl_khr_subgroups"  # a feature of OpenCL C 3.0, an extension of 2.0
_TOLD = {"sub_group": "get_sub_group_id", "local_id": "get_sub_group_local_id", "size": "get_sub_group_size"}


def has_groups(device: Device, row: Builtin) -> bool:
    """Whether a device's language has a function: a feature of OpenCL C 3.0, and a part of 2.0."""
    feature, extension = _needs(row)
    try:
        known = {one.name for one in device.opencl_c_features}
    except Exception:  # noqa: BLE001 - devices before OpenCL 3.0, and older packages, refuse the question
        known = set() if extension or not device.opencl_c_version.startswith("OpenCL C 2.") else {feature}
    return feature in known or extension in device.extensions.split()


def needed_of_device(row: Builtin) -> str:
    """Return the OpenCL C 3.0 feature that has a function, and the extension of 2.0, or "-" if it is a part of 2.0."""
    feature, extension = _needs(row)
    return f"{feature} {extension or '-'}"


def _needs(row: Builtin) -> tuple[str, str]:
    return _SUB_GROUPS if row.outputs[1:] else (_FEATURE, "")


def work_group_source(item: ExactItem) -> str:
    """Return the program text: its kernel takes the number of groups, a buffer for each argument and for the result.

    Work-items are numbered by their linear local ids, so that groups may have one, two or three dimensions. A scalar
    argument is one number for each group. Functions of sub-groups have three more buffers: the number of a work-item's
    sub-group, its place there, and the size.
    """
    inputs = list(zip(item.builtin.inputs, item.arguments, strict=True))
    values = [f"in{k}[{'i' if item.has_components(p.type) else 'group'}]" for k, (p, _) in enumerate(inputs)]
    buffers = [f"__global const {type} *in{k}" for k, (_, type) in enumerate(inputs)]
    needed = [name for name in extensions(item) if name in EXTENSIONS.values()]
    told = [p.name for p in item.builtin.outputs[1:]]
    outputs = [f"__global {item.result.name} *out", *(f"__global uint *{name}" for name in told)]
    stores = [f"out[i] = {_expression(item, values)};", *(f"{name}[i] = {_TOLD[name]}();" for name in told)]
    return "\n".join([
        *(f"#pragma OPENCL EXTENSION {name} : enable" for name in needed),
        *(("#ifdef cl_khr_subgroups", "#pragma OPENCL EXTENSION cl_khr_subgroups : enable", "#endif") if told else ()),
        f"__kernel void {ENTRY}(ulong n, {', '.join((*buffers, *outputs))})",
        "{",
        "    const size_t x = get_local_size(0), y = get_local_size(1), z = get_local_size(2);",
        "    const size_t group = get_group_id(0);",
        "    size_t i = get_local_id(0) + x * (get_local_id(1) + y * (get_local_id(2) + z * group));",
        f"    if (group < n) {{ {' '.join(stores)} }}",
        "}",
        "",
    ])  # fmt: skip


def _expression(item: ExactItem, values: list[str]) -> str:
    """Return the call; if parameter and result are bool in the text and int in OpenCL C, every nonzero value is true.

    The number of a work-item is taken modulo the size of the sub-group, so that every sub-group has such a one. In a
    work-group it is split into one number for each dimension.
    """
    if item.builtin.inputs[-1].name == "sub_group_local_id":
        values = [values[0], f"{values[1]} % get_sub_group_size()"]
    if item.builtin.inputs[-1].name == "local_id":
        id = values[1]
        values[1:] = [(id,), (f"{id} % x", f"{id} / x"), (f"{id} % x", f"{id} / x % y", f"{id} / (x * y)")][
            dimensions_of(item.width) - 1
        ]
    if item.builtin.inputs[0].name == "predicate":
        return f"{item.builtin.name}({values[0]} != 0) != 0"
    return f"{item.builtin.name}({', '.join(values)})"
