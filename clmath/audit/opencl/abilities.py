"""Reports of OpenCL devices: abilities for a format (CL_DEVICE_SINGLE_FP_CONFIG), versions of OpenCL C, features."""

from __future__ import annotations

import re
import warnings
from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from clmath.numbers.formats import FLOAT
from clmath.spec.limits import CORRECTLY_ROUNDED

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from pyopencl import Context, Device

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

DIVIDES = "CORRECTLY_ROUNDED_DIVIDE_SQRT"
ABILITIES = ("DENORM", "INF_NAN", "ROUND_TO_NEAREST", "ROUND_TO_ZERO", "ROUND_TO_INF", "FMA", "SOFT_FLOAT", DIVIDES)
OF_MODES = {"rte": "ROUND_TO_NEAREST", "rtz": "ROUND_TO_ZERO", "rtp": "ROUND_TO_INF", "rtn": "ROUND_TO_INF"}
OPTION = "-cl-std"
_LEAST = (2, 0)  # up to 1.2 the newest is taken without an option
_TRIED = "__kernel void tried(__global float *x) { x[get_global_id(0)] = fabs(x[get_global_id(0)]); }\n"
_FEATURE = "__opencl_c_work_group_collective_functions"
_SUB_GROUPS = "__opencl_c_subgroups", "cl_khr_subgroups"  # a feature of OpenCL C 3.0, an extension of 2.0


def mode_of(config: Sequence[str]) -> Rounding:
    """Return the mode of a device with these abilities: rte, or rtz if it cannot round to nearest."""
    return "rte" if OF_MODES["rte"] in config else "rtz"


class Able(ABC):
    """A target that reports abilities, and was built with options."""

    @abstractmethod
    def _config(self, form: Format) -> Sequence[str]:
        """Return the abilities for a format."""

    @abstractmethod
    def _built_with(self) -> Sequence[str]:
        """Return the build options of programs."""

    def flushes(self, form: Format) -> bool:
        """Whether the device may flush subnormals of ``form`` to zero: it does not report DENORM."""
        return "DENORM" not in self._config(form)

    def has_infinities(self, form: Format) -> bool:
        """Whether the device has infinities and NaN of ``form``: it reports INF_NAN."""
        return "INF_NAN" in self._config(form)

    def mode(self, form: Format) -> Rounding:
        """Return rte, or rtz if the device cannot round to nearest."""
        return mode_of(self._config(form))

    def build_options(self) -> tuple[str, ...]:
        """Return the build options of programs, without correct division if the device does not promise it."""
        promised = DIVIDES in self._config(FLOAT)
        return tuple(o for o in self._built_with() if promised or o != CORRECTLY_ROUNDED)


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
