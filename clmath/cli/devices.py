"""``clmath devices``: what can be audited here, by the name that ``clmath audit`` takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath.audit.subjects import subject
from clmath.errors import ClmathError

if TYPE_CHECKING:
    from argparse import Namespace

__all__ = ["run"]


def run(_options: Namespace) -> int:
    """Print every OpenCL device, then the libraries; what is missing says what brings it."""
    for name in (*_opencl(), "numpy", "libm", "clmath"):
        _show(name)
    print(
        "MODULE:CALLABLE\n    any Python function f(name, *arrays), or an object with functions named as the built-ins"
    )
    return 0


def _opencl() -> list[str]:
    """The names of all devices; a line that says why where there is none."""
    from clmath.audit.subjects import opencl

    try:
        opencl.find("", "clmath devices")
        found = opencl.platforms()
    except ClmathError as error:
        print(f"opencl\n    {str(error).partition(': ')[2]}")
        return []
    return [f"opencl:{i}:{j}" for i, (_, devices) in enumerate(found) for j in range(len(devices))]


def _show(name: str) -> None:
    print(name)
    try:
        one = subject(name, call="clmath devices")
    except ClmathError as error:
        print(f"    cannot be audited: {error}")
        return
    for fact, value in one.describe().items():
        if fact != "kind" and value:
            print(f"    {fact}: {value}")
    kept = [f"{f}, {one.mode(f)}, subnormals {'may be flushed' if one.flushes(f) else 'kept'}" for f in one.formats()]
    print(f"    types: {'; '.join(kept)}")
