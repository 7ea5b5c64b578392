"""OpenCL devices in the loader's order: the devices that a text may mean, and their names."""

from __future__ import annotations

import os
import re
import warnings
from typing import TYPE_CHECKING, NoReturn

from clmath import errors
from clmath.audit.opencl import device_names, drivers
from clmath.audit.protocol.variables import variables

if TYPE_CHECKING:
    from collections.abc import Sequence
    from types import ModuleType

    from pyopencl import Device, Platform

__all__ = [
    "SeveralMeantError",
    "devices",
    "find",
    "is_pocl",
    "name_of",
    "none_found",
    "platforms",
    "pyopencl",
    "stable_name",
]

_NONE_INSTALLED = (
    "no OpenCL device is installed; run: pip install 'clmath[opencl]' (with PoCL), or apt install pocl-opencl-icd"
)


class SeveralMeantError(errors.UnknownNameError):
    """A name that fits several different devices; ``names``: their names."""

    def __init__(self, call: str, part: str, names: Sequence[str]) -> None:
        super().__init__(f"{call}: {part!r} may mean {', '.join(names)}; write one of them")
        self.names = list(names)


def pyopencl() -> ModuleType:
    """Return the package pyopencl, without its cache of programs; MissingDependencyError if it is not installed."""
    try:
        with warnings.catch_warnings(), variables(PYOPENCL_NO_CACHE="1"):  # read once, while it is imported
            warnings.simplefilter("ignore")
            import pyopencl as package
    except ImportError:
        raise errors.missing("clmath audit", "pyopencl", "opencl") from None
    return package


def platforms() -> list[Platform]:
    """Return every OpenCL platform in the loader's order, which determines their numbers."""
    cl = pyopencl()
    try:
        with drivers.visible():
            return list(dict.fromkeys(cl.get_platforms()))  # a driver that is named twice counts once
    except cl.Error:  # the loader reports an error if no platform is installed
        return []


def none_found() -> str:
    """Return the message that no device was found, with the remedy."""
    variable = drivers.chosen_by()
    if not variable:
        return _NONE_INSTALLED
    return f"{variable} is set to {os.environ[variable]!r}, where no OpenCL device is found; unset it"


def devices(platform: Platform) -> list[Device]:
    """Return the devices of ``platform`` in its driver's order; empty if it has none."""
    try:
        return list(platform.get_devices())
    except pyopencl().Error:
        return []


def find(text: str, call: str = "clmath audit") -> Device:
    """Return the device that ``text`` names: "", "PLATFORM" or "PLATFORM:DEVICE", each a number or a part of a name.

    Without a platform the first device is taken, PoCL's only as the last resort; without a device the platform's
    first. UnknownNameError if nothing fits, SeveralMeantError if the part of a device's name fits several different
    devices; the second of identical ones is "h200#2". Only the platforms that the text may mean are asked for their
    devices, because a broken driver may never answer.
    """
    platform, _, device = text.partition(":")
    candidates = _devices_of(platform, call)
    if not device:
        return candidates[0]
    ordinal = re.fullmatch(r"(.*)#(\d{1,3})", device)
    part, number = (ordinal[1], int(ordinal[2])) if ordinal else (device, 1)
    if device.isdecimal():  # counted in one platform
        candidates = devices(candidates[0].platform)
    known = list(map(_known, candidates))
    places = device_names.meant(part, known)
    if len({known[i] for i in places}) > 1:
        raise SeveralMeantError(call, device, [stable_name(candidates[i]) for i in places])
    if not 0 < number <= len(places):
        _complain(call, "device", device, [one.name for one in candidates])
    return candidates[places[number - 1]]


def name_of(device: Device) -> str:
    """Return the name of ``device`` in numbers: opencl:PLATFORM:DEVICE."""
    return f"opencl:{platforms().index(device.platform)}:{devices(device.platform).index(device)}"


def stable_name(device: Device) -> str:
    """Return a name of ``device`` that further drivers do not change: opencl:intel:epyc, opencl:nvidia:h200#2.

    It has the shortest unique parts of the names of platform and device; identical devices get numbers from the second
    one on.
    """
    known = [device_names.Known(one.name) for one in platforms()]
    place = platforms().index(device.platform)
    platform = device_names.unique_part(place, known, first=True)
    alike = [one for one in platforms() if one.name == device.platform.name]
    candidates = [one for owner in alike for one in devices(owner)]
    place, known = candidates.index(device), list(map(_known, candidates))
    number = known[: place + 1].count(known[place])  # among identical devices
    return f"opencl:{platform}:{device_names.unique_part(place, known)}{f'#{number}' if number > 1 else ''}"


def _known(device: Device) -> device_names.Known:
    return device_names.Known(device.name.strip(), f"{device.platform.version} {device.driver_version}".strip())


def _devices_of(text: str, call: str) -> list[Device]:
    """Return the devices of all platforms that ``text`` may mean, PoCL's last; for "", of the first that has any."""
    known = platforms()
    places = device_names.meant(text, [device_names.Known(one.name, one.version) for one in known])
    found: list[Device] = []
    for platform in sorted((known[i] for i in places), key=lambda one: is_pocl(one.name)):
        found += devices(platform)
        if found and not text:
            return found
    if found:
        return found
    if text and places:
        raise errors.UnknownNameError(f"{call}: the OpenCL platform {text!r} has no device; see 'clmath devices'")
    if text and known:
        _complain(call, "platform", text, [one.name for one in known])
    raise errors.UnknownNameError(f"{call}: {none_found()}")


def is_pocl(name: str) -> bool:
    """Whether the platform called ``name`` is PoCL, which runs on any processor: it is taken last."""
    return "portable computing language" in name.lower()


def _complain(call: str, what: str, text: str, names: Sequence[str]) -> NoReturn:
    known = ", ".join(f"{i} ({name.strip()})" for i, name in enumerate(names))
    fact = f"no OpenCL {what} {text!r}; there is {known}, by number or part of the name"
    raise errors.UnknownNameError(f"{call}: {fact}; 'clmath devices' shows what can be audited")
