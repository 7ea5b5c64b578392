"""Which engine runs: the one that is asked for, or the one that pays."""

from __future__ import annotations

import functools
import importlib.util
from collections import Counter
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Literal, TypeAlias

from clmath import errors
from clmath.engines.locks import COUNTING
from clmath.engines.native import Native
from clmath.engines.numba import Numba
from clmath.engines.numpy import NumPy

if TYPE_CHECKING:
    from collections.abc import Mapping

    from clmath.engines.protocol import Engine

__all__ = [
    "AUTO",
    "COMPILING",
    "ENGINES",
    "NATIVE",
    "PLAIN",
    "EngineName",
    "can_compile",
    "checked",
    "chosen",
    "expect",
    "installed",
    "told",
    "without_kernel",
    "worth_compiling",
]

EngineName: TypeAlias = Literal["auto", "numpy", "native", "numba", "device"]
AUTO = "auto"
PLAIN: Engine = NumPy()  # is always there, and starts at once
NATIVE = Native()  # was compiled ahead of time, where clmath was built with a C compiler
COMPILING = Numba()  # takes seconds to start, and is the faster one then
ENGINES: Mapping[str, Engine] = MappingProxyType({engine.name: engine for engine in (PLAIN, NATIVE, COMPILING)})
WORTH_COMPILING = 1 << 22  # lanes of a built-in, summed over calls, from which compiling it (1 s) pays for itself

_ASKED: Counter[str] = Counter()


@functools.cache
def _is_installed(package: str) -> bool:
    return not package or importlib.util.find_spec(package) is not None


def worth_compiling(builtin: str, lanes: int) -> bool:
    """Whether ``builtin``, of which ``lanes`` more are asked for, has been asked for enough, and can be compiled."""
    with COUNTING:
        _ASKED[builtin] += lanes
        worth = _ASKED[builtin] >= WORTH_COMPILING
    return worth and can_compile()


def can_compile() -> bool:
    """Whether the compiling engine is installed."""
    return _is_installed(COMPILING.package)


def checked(call: str, name: Any) -> Engine | None:
    """The engine called ``name``, None for 'auto'; an error where it is unknown or not installed."""
    if name == AUTO:
        return None
    if not isinstance(name, str) or name not in ENGINES:
        if name == "device":
            rule = "is for arrays that lie on a device, of CuPy or pyopencl say, and these do not"
            raise errors.UnknownNameError(f"{call}: engine={name!r} {rule}: leave it away, or send them there")
        raise errors.not_one_of(call, "engine", name, (AUTO, *ENGINES))
    engine = ENGINES[name]
    if not _is_installed(engine.package):
        raise errors.missing(f"{call}: engine={name!r}", engine.package, engine.extra)
    if engine is NATIVE and NATIVE.library is None:
        raise NATIVE.missing(f"{call}: engine={name!r}")
    return engine


def chosen(call: str, name: Any, builtin: str, lanes: int) -> Engine:
    """The engine for a call of ``lanes`` lanes: auto is native; without it, it compiles what has been asked for enough.

    What is asked for counts for the compiled loops of an audit, too.
    """
    engine = checked(call, name)
    if engine is not None:
        return engine
    worth = worth_compiling(builtin, lanes)
    if NATIVE.library is not None:
        return NATIVE
    return COMPILING if worth else PLAIN


def without_kernel(call: str, name: Any) -> Engine:
    """The engine for a built-in that needs no kernel: native where it runs and nothing else is asked for."""
    engine = checked(call, name)
    return NATIVE if engine in (None, NATIVE) and NATIVE.library is not None else PLAIN


def installed() -> list[Engine]:
    """The engines that run here."""
    absent = [NATIVE] * (NATIVE.library is None)
    return [engine for engine in ENGINES.values() if engine not in absent and _is_installed(engine.package)]


def told() -> dict[str, str]:
    """What each engine is, and what would bring it where it cannot run; the one that runs by itself first."""
    native, compiling = NATIVE.library, can_compile()
    later, plain = "compiles a built-in in the call that asks for it", "is always there"
    if native is None:
        later = "runs by itself what is asked for often; the first such call compiles it"
        plain = "runs by itself" + " what is asked for less" * compiling
    return {
        NATIVE.name: f"runs by itself; compiled for {native.level} of {native.machine}"
        if native
        else str(NATIVE.missing("it")),
        COMPILING.name: later if compiling else f"needs {COMPILING.package}: pip install 'clmath[{COMPILING.extra}]'",
        PLAIN.name: plain,
    }


def expect(builtin: str, lanes: int) -> None:
    """Count on so many lanes of ``builtin`` to be asked for in all: a loop that pays by then is compiled at once."""
    with COUNTING:
        _ASKED[builtin] = max(_ASKED[builtin], lanes)
