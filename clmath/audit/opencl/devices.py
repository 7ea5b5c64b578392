"""OpenCL devices: their order and stable names, the devices that a text may mean, and the newest OpenCL C of each."""

from __future__ import annotations

import os
import re
import warnings
from typing import TYPE_CHECKING, NamedTuple, NoReturn

from clmath import errors
from clmath.audit.opencl import drivers
from clmath.audit.protocol.variables import variables

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence
    from types import ModuleType

    from pyopencl import Device, Platform

_MARKS = re.compile(r"\((?:r|tm|c)\)", re.IGNORECASE)
_BETWEEN = re.compile(r"[^a-z0-9.+]+")
_GENERAL = frozenset({  # words that hardly identify a device
    "at", "basic", "core", "cpu", "device", "generation", "gpu", "graphics", "opencl", "processor", "pthread", "the",
    "with",
})  # fmt: skip
_LONG = 3  # digits of a number that may be a model's, not a place
_ORDINAL = re.compile(r"(.*)#(\d{1,3})")


class Known(NamedTuple):
    """A platform or device: its name, and text that distinguishes it from another of the same name."""

    name: str
    more: str = ""


def plain_name(text: str) -> str:
    """Return ``text`` as one word that needs no quotes, of small letters, digits, points and dashes: 'nvidia-h200'."""
    return _BETWEEN.sub("-", _MARKS.sub("", text).lower()).strip("-")


def meant(text: str, known: Sequence[Known]) -> list[int]:
    """Return the places in ``known`` that a number, or a part of a name, may mean; all places if ``text`` is empty.

    Exact names win, else names that contain the text as whole words, else anywhere, else only together with their
    distinguishing text.
    """
    if text.isdecimal() and (int(text) < len(known) or len(text) < _LONG):
        return [int(text)] if int(text) < len(known) else []
    part = plain_name(text)
    if not part:
        return [] if text else list(range(len(known)))
    names = [plain_name(one.name) for one in known]
    whole = [f"{name}-{plain_name(one.more)}" for name, one in zip(names, known, strict=True)]
    tests = (
        [part == name for name in names],
        [_has_words(name, part) for name in names],
        [part in name for name in names],
        [part in name for name in whole],
    )
    return next(([i for i, fits in enumerate(test) if fits] for test in tests if any(test)), [])


def chosen_part(text: str) -> tuple[str, int]:
    """Return the part of a name, and the number after it: the second of identical devices is 'h200#2'."""
    found = _ORDINAL.fullmatch(text)
    return (found[1], int(found[2])) if found else (text, 1)


def ordinal_of(place: int, known: Sequence[Known]) -> int:
    """Return the number of a device among identical ones, from 1 on."""
    return known[: place + 1].count(known[place])


def unique_part(place: int, known: Sequence[Known], *, first: bool = False) -> str:
    """Return the shortest part of the name of ``known[place]`` that means only it and identical devices.

    ``first``: whether the first words of the name, a vendor's rather than a model's, are tried first.
    """
    alike = [i for i, one in enumerate(known) if one == known[place]]
    own = _runs(plain_name(known[place].name).split("-")) if first else ()
    parts = (p for p in (*own, *_parts(known[place])) if meant(p, known) == alike)
    return next(parts, plain_name(known[place].name)) or str(place)


def _parts(one: Known) -> Iterator[str]:
    """Yield parts of a name, the most telling first: a model, a word, several words, and the distinguishing text."""
    words = plain_name(one.name).split("-")
    telling = [word for word in words if word not in _GENERAL and not word.isdecimal()]
    yield from (part for part in _models(words) if not part.isdecimal())
    yield from reversed(telling)
    yield from _runs(words)
    whole = plain_name(f"{one.name} {one.more}").split("-")
    yield from (run for run in _runs(whole) if run not in words)


def _models(words: Sequence[str]) -> Iterator[str]:
    """Yield models such as h200, i7, gtx-1080: words with a digit, numbers with the word before, but no clock rates."""
    for before, word in zip(["", *words], words, strict=False):
        if re.search(r"\d", word) and not word.endswith("hz") and word not in _GENERAL:
            if not word.isdecimal():
                yield word
            elif len(word) >= _LONG and before:
                yield f"{before}-{word}"


def _runs(words: Sequence[str]) -> Iterable[str]:
    """Return consecutive words, short runs first; single numbers are left out, since they are places."""
    runs = ("-".join(words[i : i + n]) for n in range(1, len(words) + 1) for i in range(len(words) - n + 1))
    return (run for run in runs if not run.isdecimal())


def _has_words(name: str, part: str) -> bool:
    return f"-{part}-" in f"-{name}-"


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
    part, number = chosen_part(device)
    if device.isdecimal():  # counted in one platform
        candidates = devices(candidates[0].platform)
    known = list(map(_known, candidates))
    places = meant(part, known)
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
    known = [Known(one.name) for one in platforms()]
    place = platforms().index(device.platform)
    platform = unique_part(place, known, first=True)
    alike = [one for one in platforms() if one.name == device.platform.name]
    candidates = [one for owner in alike for one in devices(owner)]
    place, known = candidates.index(device), list(map(_known, candidates))
    number = ordinal_of(place, known)
    return f"opencl:{platform}:{unique_part(place, known)}{f'#{number}' if number > 1 else ''}"


def _known(device: Device) -> Known:
    return Known(device.name.strip(), f"{device.platform.version} {device.driver_version}".strip())


def _devices_of(text: str, call: str) -> list[Device]:
    """Return the devices of all platforms that ``text`` may mean, PoCL's last; for "", of the first that has any."""
    known = platforms()
    places = meant(text, [Known(one.name, one.version) for one in known])
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
