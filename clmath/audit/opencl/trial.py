"""The child process that tries an OpenCL device: it asks the driver one question and prints the answer.

Modules that are needed to run a kernel, such as NumPy, are loaded only then: listing names takes less time than that.
"""

from __future__ import annotations

import json
import os
import sys
from typing import TYPE_CHECKING, TypedDict

from clmath.audit.opencl import devices
from clmath.audit.protocol.target import TargetError, has_infinities
from clmath.audit.targets.lifetime import die_with
from clmath.errors import ClmathError

if TYPE_CHECKING:
    from pyopencl import Device

    from clmath.audit.opencl.opencl_target import OpenCL
    from clmath.audit.protocol.target import Target

MARK = "clmath trial: "  # begins the line of the answer: drivers print lines of their own
_TRIED = "fabs"  # the built-in that is run: it takes nothing else than compiling, linking and running
_GIVEN, _DUE = (-2.0, -0.5, 0.0, 1.5), (2.0, 0.5, 0.0, 1.5)
_LONGEST = 240  # characters of a driver's message


class Answer(TypedDict, total=False):
    """An answer as JSON: names, the members of a device's ``Outcome``, or the reason why they are missing."""

    names: list[str]
    stable_names: list[str]
    number: str
    stable: str
    title: str
    broken: dict[str, str]
    facts: dict[str, str]
    refused: str
    trouble: str


def abilities(target: Target) -> dict[str, str]:
    """Return facts that identify a target, and its types with mode and treatment of subnormals."""
    facts = {fact: value for fact, value in target.describe().items() if fact != "kind" and value}
    types = [
        f"{f}, {target.mode(f)}, subnormals {'may be flushed' if target.flushes(f) else 'kept'}"
        + ("" if has_infinities(target, f) else ", no infinities")
        for f in target.formats()
    ]
    return {**facts, "types": "; ".join(types)}


def plain(text: str) -> str:
    """Return one line of printable characters: a driver's message may contain anything."""
    line = " ".join("".join(c if c.isprintable() else " " for c in text).split())
    return line if len(line) <= _LONGEST else f"{line[:_LONGEST]}..."


def _brief(error: TargetError) -> str:
    """Return the failed call, with the first line of a build log that mentions an error."""
    first, *log = str(error).splitlines()
    _, what, *rest = first.split(": ")
    telling = next((line for line in log if "error" in line.lower()), ": ".join(rest))
    return plain(f"{what}: {telling}" if telling else what)


def _answer(what: str, text: str = "") -> Answer:
    """Return the names of platforms, of a platform's devices or of possible devices, or the abilities of a device."""
    if what == "platforms":
        return {"names": [plain(platform.name) for platform in devices.platforms()]}
    if what == "devices":
        found = devices.devices(devices.platforms()[int(text)])
        return {
            "names": [plain(one.name) for one in found],
            "stable_names": [devices.stable_name(one) for one in found],
        }
    if what == "meant":
        return {"stable_names": _meant(text)}
    return _tried(devices.find(text))


def _meant(text: str) -> list[str]:
    """Return the name of the device that ``text`` means, or the names of several that it may mean."""
    try:
        return [devices.stable_name(devices.find(text))]
    except devices.SeveralMeantError as error:
        return error.names


def _tried(found: Device) -> Answer:
    """Return the abilities of a device."""
    named: Answer = {"number": devices.name_of(found), "stable": devices.stable_name(found)}
    try:
        from clmath.audit.opencl.opencl_target import OpenCL

        target = OpenCL(found)
    except TargetError as error:
        return {**named, "trouble": _brief(error)}
    broken = _broken(target)
    return {
        **named,
        "title": plain(target.name),
        "trouble": next(iter(broken.values())) if len(broken) == len(target.formats()) else "",
        "broken": broken,
        "facts": {fact: plain(value) for fact, value in abilities(target).items()},
    }


def _broken(target: OpenCL) -> dict[str, str]:
    """Return the types for which a kernel cannot be built and run, as audits do it, with the reason."""
    import numpy as np

    from clmath.audit.plan.rows import item_of
    from clmath.spec.builtins import builtin

    broken, row = {}, builtin(_TRIED)
    items = [item_of(row, form) for form in target.formats()]
    for form, item in zip(target.formats(), items, strict=True):
        try:
            target.prepare(item, *items)
            (found,) = target.evaluate(row, form, (np.array(_GIVEN, form.dtype),))
        except TargetError as error:
            broken[form.name] = _brief(error)
        else:
            if found.tolist() != list(_DUE):
                broken[form.name] = f"{_TRIED} of {_GIVEN} returned {tuple(found.tolist())}"
    return broken


def _main(words: list[str]) -> None:
    """Answer in one line, and end at once, without the cleanup of drivers."""
    parent, *question = words
    die_with(int(parent))
    try:
        answer = _answer(*question)
    except ClmathError as error:
        answer = {"refused": plain(str(error)).partition(": ")[2]}
    except Exception as error:  # noqa: BLE001 - drivers and their bindings raise all kinds of errors
        answer = {"trouble": plain(f"its driver fails: {type(error).__name__}: {error}")}
    print(f"\n{MARK}{json.dumps(answer)}", flush=True)
    os._exit(0)


if __name__ == "__main__":
    _main(sys.argv[1:])
