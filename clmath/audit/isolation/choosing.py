"""Find the target that the command line names, or choose one, and make it."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from clmath import errors
from clmath.audit.opencl.probe import Outcome
from clmath.audit.protocol.target import Target
from clmath.audit.targets.declared import NOTHING, Declaration, Declared

DEFAULT = "opencl"
ALL = "all"  # in a name, means all devices
_KINDS = ("opencl", "library", "numpy", "scipy", "torch", "jax", "cupy", "libm", "clmath")
_FORMS = "opencl[:PLATFORM[:DEVICE]], libm, library:PATH, numpy, scipy, torch, jax, cupy, clmath or MODULE:CALLABLE"


class Choice(NamedTuple):
    """The name of an audit's target, as ``target_named`` takes it, and a remark on how it was chosen."""

    name: str
    lines: tuple[str, ...] = ()


def chosen(named: str | None, call: str = "clmath audit") -> Choice:
    """Return the target to audit for ``named``; for None the first working OpenCL device, else the host's libm.

    OpenCL devices are tried before they are chosen. ClmathError if a device is named and does not work.
    """
    from clmath.audit.opencl import probe

    kind, _, rest = (DEFAULT if named is None else named).partition(":")
    if kind != DEFAULT:
        return Choice(str(named))
    if rest:
        outcome = probe.device(rest, call)
        if outcome.trouble:
            raise errors.ClmathError(f"{call}: {outcome} does not work: {outcome.trouble}")
        return Choice(outcome.name, _half_broken(outcome))
    passed_over: list[str] = []
    for outcome in probe.by_preference():
        if not outcome.trouble:
            return Choice(outcome.name, (*passed_over, *_half_broken(outcome)))
        passed_over.append(f"passed over: {outcome}: {outcome.trouble}")
    if named is not None:
        raise errors.ClmathError(f"{call}: no OpenCL device works; {'; '.join(passed_over)}")
    return Choice("libm", ("no OpenCL device works: the C library of the host (libm) is audited", *passed_over))


def are_several(texts: Sequence[str]) -> bool:
    """Whether the command line requests several targets, even if only one is found."""
    return len(texts) > 1 or any(_platform_of_all(text) is not None for text in texts)


def named(texts: Sequence[str], call: str = "clmath audit") -> dict[str, str]:
    """Return the targets that the command line names, each once, with a known trouble, or "".

    ``opencl:all`` is every OpenCL device, ``opencl:PLATFORM:all`` every device of one platform; ``opencl`` is the
    first device that works.
    """
    found: dict[str, str] = {}
    for text in texts:
        platform = _platform_of_all(text)
        if platform is not None:
            found |= _of_platform(platform, text, call)
        elif text == DEFAULT:
            try:
                found.setdefault(chosen(text, call).name, "")
            except errors.ClmathError as error:
                found[text] = str(error).removeprefix(f"{call}: ")
        else:
            found.setdefault(stable(text), "")
    return found


def stable(text: str) -> str:
    """Return the name of a target; for a device of this machine, a name that does not depend on other drivers."""
    names = meant([text])[text]
    return names[0] if len(names) == 1 else text


def meant(texts: Iterable[str]) -> dict[str, list[str]]:
    """Return the targets that each of ``texts`` may mean; devices of this machine by their ``stable`` names."""
    rests = {text: text.partition(":")[2] for text in texts}
    devices = [text for text, rest in rests.items() if rest and text.startswith(f"{DEFAULT}:")]
    if not devices:
        return {text: [text] for text in rests}
    from clmath.audit.opencl import probe

    found = dict(zip(devices, probe.called(rests[text] for text in devices), strict=True))
    return {text: found.get(text) or [text] for text in rests}


def _platform_of_all(text: str) -> str | None:
    """Return the platform if ``text`` means all of its devices, "" for all platforms; None if it means one device."""
    kind, *rest = text.split(":")
    if kind != DEFAULT or rest[-1:] != [ALL]:
        return None
    return ":".join(rest[:-1])


def _of_platform(platform: str, text: str, call: str) -> dict[str, str]:
    """Return the devices of a platform, by its number or a part of its name."""
    from clmath.audit.opencl import devices, probe

    def is_meant(one: Outcome) -> bool:
        number, name = one.number.split(":")[1:2], devices.plain_name(one.title)
        return not platform or (number == [platform] if platform.isdecimal() else devices.plain_name(platform) in name)

    found = {one.name if one.name != DEFAULT else str(one): one.trouble for one in probe.listed() if is_meant(one)}
    if not found:
        raise errors.UnknownNameError(f"{call}: {text}: there is no such platform; see 'clmath devices'")
    return found


def _half_broken(outcome: Outcome) -> tuple[str, ...]:
    """Return the remark on a device that works only for some of its types."""
    return tuple(f"{outcome}: no kernel for {name} works: {why}" for name, why in outcome.broken.items())


def target_named(
    text: str = DEFAULT, build_options: str = "", call: str = "clmath audit", declared: Declaration = NOTHING
) -> Target:
    """Return the target that ``text`` names, in one of the ways that ``clmath audit --help`` lists.

    ``build_options`` go to the OpenCL compiler. ``declared``: the declared properties of a target without a driver; for
    an OpenCL device only the mode, which is then selected for its operators. An unknown name, a missing package or a
    device that does not open is a ClmathError.
    """
    kind, _, rest = text.partition(":")
    if kind == "opencl":
        from clmath.audit.opencl import devices, opencl_target

        if declared._replace(mode="") != NOTHING:
            words = " ".join(declared._replace(mode="").words)
            raise errors.ClmathError(
                f"{call}: {words} is for targets without a driver; a device reports it: leave it out"
            )
        return opencl_target.OpenCL(devices.find(rest, call), build_options, declared.mode)
    if build_options:
        raise errors.ClmathError(
            f"{call}: build options are for OpenCL devices; {text!r} has no compiler: leave them out"
        )
    one = _of_host(text, call, declared)
    return one if declared == NOTHING else Declared(one, declared)


def _of_host(text: str, call: str, declared: Declaration) -> Target:
    from clmath.audit.targets.arrays import DEVICES, NAMESPACES, arrays

    kind, _, rest = text.partition(":")
    if text in NAMESPACES or kind in DEVICES:
        return arrays(text, call)
    if kind == "files":
        from clmath.audit.offline.files import Files

        return Files(rest, call, declared)
    if text == "libm" or kind == "library":
        from clmath.audit.targets.library import libm, library

        return library(rest, call) if kind == "library" else libm()
    if text == "clmath":
        from clmath.audit.targets.clmath_functions import Clmath

        return Clmath()
    if ":" in text.strip(":"):
        from clmath.audit.targets import function

        return function.load(text, call)
    raise errors.unknown(call, "target", text, _KINDS, f"write {_FORMS}")
