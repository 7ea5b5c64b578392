"""Choose the engine of a call: the requested one, or by default the native one if it is there."""

from __future__ import annotations

from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from clmath import errors
from clmath.engines.native import Native
from clmath.engines.numpy import NumPy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clmath.engines.protocol import Engine

EngineName: TypeAlias = Literal["auto", "numpy", "native", "device"]
AUTO = "auto"
PLAIN: Engine = NumPy()  # is always there
NATIVE = Native()  # compiled ahead of time, if clmath was built with a C compiler
ENGINES: Mapping[str, Engine] = MappingProxyType({engine.name: engine for engine in (PLAIN, NATIVE)})


def checked(call: str, name: object) -> Engine | None:
    """Return the engine called ``name``, or None for 'auto'; an error if it is unknown or missing."""
    if name == AUTO:
        return None
    if not isinstance(name, str) or name not in ENGINES:
        if name == "device":
            rule = "is for arrays that lie on a device, of CuPy or pyopencl say, and these do not"
            raise errors.UnknownNameError(f"{call}: engine={name!r} {rule}: leave it away, or send them there")
        raise errors.not_one_of(call, "engine", name, (AUTO, *ENGINES))
    engine = ENGINES[name]
    if engine is NATIVE and NATIVE.library is None:
        raise NATIVE.missing(f"{call}: engine={name!r}")
    return engine


def chosen(call: str, name: object) -> Engine:
    """Return the engine called ``name`` for a call; auto means native if that is there."""
    return checked(call, name) or (PLAIN if NATIVE.library is None else NATIVE)


def installed() -> list[Engine]:
    """The engines that run here."""
    return [engine for engine in ENGINES.values() if engine is not NATIVE or NATIVE.library is not None]


def states() -> dict[str, str]:
    """Return a description of each engine by name, with a remedy if it cannot run; the default engine is first."""
    native = NATIVE.library
    return {
        NATIVE.name: f"runs by itself; compiled for {native.level} of {native.machine}"
        if native
        else str(NATIVE.missing("it")),
        PLAIN.name: "is always there" if native else "runs by itself",
    }
