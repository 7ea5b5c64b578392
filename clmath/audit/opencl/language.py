"""The newest OpenCL C that a device compiles: without -cl-std a compiler takes at most 1.2, or a version of its own."""

from __future__ import annotations

import re
import warnings
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from pyopencl import Context, Device

__all__ = ["OPTION", "names_version", "newest", "versions"]

OPTION = "-cl-std"
_LEAST = (2, 0)  # up to 1.2 the newest is taken without an option
_TRIED = "__kernel void tried(__global float *x) { x[get_global_id(0)] = fabs(x[get_global_id(0)]); }\n"


def names_version(options: Sequence[str]) -> bool:
    """Whether build options choose a version themselves."""
    return any(option.startswith(OPTION) for option in options)


def newest(cl: ModuleType, context: Context, device: Device) -> tuple[str, ...]:
    """Return the option for the newest version that ``device`` claims and that compiles a kernel; empty below 2.0."""
    for major, minor in versions(device):
        option = f"{OPTION}=CL{major}.{minor}"
        program = cl.Program(context, _TRIED)
        try:
            with warnings.catch_warnings():
                warnings.simplefilter("ignore")
                program.build([option])
        except cl.Error:
            continue
        return (option,)
    return ()


def versions(device: Device) -> list[tuple[int, int]]:
    """Return the versions from 2.0 on that a device claims, the newest first.

    Devices of OpenCL 3 list them, and some still call the language "OpenCL C 1.2"; others have only its name.
    """
    try:
        found = {(one.version >> 22, one.version >> 12 & 0x3FF) for one in device.opencl_c_all_versions}
    except Exception:  # noqa: BLE001 - older devices, and older packages, refuse the question in their own ways
        found = set()
    if name := re.match(r"OpenCL C (\d+)\.(\d+)", device.opencl_c_version):
        found.add((int(name[1]), int(name[2])))
    return sorted((version for version in found if version >= _LEAST), reverse=True)
