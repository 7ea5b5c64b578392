"""OpenCL devices as the loader lists them: those that a text names, and the names of theirs in numbers."""

from __future__ import annotations

import os
import warnings
from typing import TYPE_CHECKING, Any, NoReturn

from clmath import errors
from clmath.audit.subjects import drivers

if TYPE_CHECKING:
    from types import ModuleType

__all__ = ["NONE_INSTALLED", "devices", "find", "is_pocl", "name_of", "platforms", "pyopencl"]

NONE_INSTALLED = (
    "no OpenCL device is installed; run: pip install 'clmath[opencl]' (with PoCL), or apt install pocl-opencl-icd"
)


def pyopencl() -> ModuleType:
    """The package pyopencl, its own cache of programs switched off; MissingDependencyError where there is none."""
    before = os.environ.get("PYOPENCL_NO_CACHE")
    os.environ["PYOPENCL_NO_CACHE"] = "1"  # read once, while it is imported
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            import pyopencl as package
    except ImportError:
        raise errors.missing("clmath audit", "pyopencl", "opencl") from None
    finally:
        del os.environ["PYOPENCL_NO_CACHE"]
        if before is not None:
            os.environ["PYOPENCL_NO_CACHE"] = before
    return package


def platforms() -> list[Any]:
    """Every OpenCL platform in the loader's order, which gives them their numbers."""
    cl = pyopencl()
    try:
        with drivers.visible():
            return list(cl.get_platforms())
    except cl.Error:  # the loader calls it an error that no platform is installed
        return []


def devices(platform: Any) -> list[Any]:
    """The devices of ``platform`` in its driver's order; some have none."""
    try:
        return list(platform.get_devices())
    except pyopencl().Error:
        return []


def find(text: str, call: str = "clmath audit") -> Any:
    """The device that ``text`` names: "", "PLATFORM" or "PLATFORM:DEVICE", each a number or a part of a name.

    Without a platform the first device is taken, PoCL's only when there is no other. Only the platforms that may be
    meant are asked for their devices, because a broken driver may never answer.
    """
    platform, _, device = text.partition(":")
    candidates = _devices_of_first(platform, call)
    if not device:
        return candidates[0]
    return next(iter(_fitting(device, candidates)), None) or _complain(call, "device", device, candidates)


def name_of(device: Any) -> str:
    """The name of ``device`` in numbers: opencl:PLATFORM:DEVICE."""
    return f"opencl:{platforms().index(device.platform)}:{devices(device.platform).index(device)}"


def _devices_of_first(text: str, call: str) -> list[Any]:
    """The devices of the first platform that ``text`` may mean and that has any."""
    known = platforms()
    fitting = sorted(_fitting(text, known), key=lambda one: is_pocl(one.name))
    for platform in fitting:
        if found := devices(platform):
            return found
    if text and fitting:
        raise errors.UnknownNameError(f"{call}: the OpenCL platform {text!r} has no device; see 'clmath devices'")
    if text and known:
        _complain(call, "platform", text, known)
    raise errors.UnknownNameError(f"{call}: {NONE_INSTALLED}")


def is_pocl(name: str) -> bool:
    """Whether the platform that is called ``name`` is PoCL, which runs on any processor: it is taken last."""
    return "portable computing language" in name.lower()


def _fitting(text: str, candidates: list[Any]) -> list[Any]:
    """Those of ``candidates`` that the number or the part of a name may mean."""
    if text.isdecimal():
        return candidates[int(text) :][:1]
    return [candidate for candidate in candidates if text.lower() in candidate.name.lower()]


def _complain(call: str, what: str, text: str, candidates: list[Any]) -> NoReturn:
    known = ", ".join(f"{i} ({c.name.strip()})" for i, c in enumerate(candidates))
    raise errors.UnknownNameError(f"{call}: no OpenCL {what} {text!r}; choose {known}; see 'clmath devices'")
