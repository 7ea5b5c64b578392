"""``clmath devices``: the targets on this machine by the names that ``clmath audit`` takes, and whether they work."""

from __future__ import annotations

import importlib.util
from typing import TYPE_CHECKING

from clmath.audit.isolation.choosing import target_named
from clmath.audit.opencl import probe
from clmath.audit.opencl.trial import abilities
from clmath.audit.targets.arrays import NAMESPACES
from clmath.audit.targets.names import names
from clmath.errors import ClmathError

if TYPE_CHECKING:
    from argparse import Namespace


def run(_options: Namespace) -> int:
    """Print every OpenCL device with the outcome of a trial, then the libraries; failures come with a remedy."""
    for outcome in probe.everything():
        _show_device(outcome)
    for name in NAMESPACES:
        if name != "numpy" and importlib.util.find_spec(name):  # importing them takes long
            print(f"{name}\n    {names(name).title}: is installed, and not tried")
    for name in ("numpy", "libm", "clmath"):
        _show(name)
    print("library:PATH\n    any other shared library with C functions like sin and sinf")
    print(
        "MODULE:CALLABLE\n    any Python function f(name, *arrays), an object with functions named as the built-ins, "
        "or one of them: numpy:sin"
    )
    return 0


def _show_device(outcome: probe.Outcome) -> None:
    print(outcome.name)
    if outcome.stable:
        print(f"    now also: {outcome.number}")
    if not outcome.facts and outcome.title:
        print(f"    {outcome.title}")
    for fact, value in outcome.facts.items():
        print(f"    {fact}: {value}")
    if outcome.trouble:
        print(f"    does not work: {outcome.trouble}")
        return
    others = " for the other types" if outcome.broken else ""
    print(f"    works: a kernel was built and run{others}, and its results were right")
    for name, trouble in outcome.broken.items():
        print(f"    {name} does not work: {trouble}")


def _show(name: str) -> None:
    print(name)
    try:
        one = target_named(name, call="clmath devices")
    except ClmathError as error:
        print(f"    cannot be audited: {error}")
        return
    for fact, value in abilities(one).items():
        print(f"    {fact}: {value}")
