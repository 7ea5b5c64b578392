"""Whether what the user says of a device agrees with what its host found out, and left in ``results/device.txt``."""

from __future__ import annotations

from typing import TYPE_CHECKING

from clmath import errors
from clmath.audit.offline.folder import DEVICE
from clmath.audit.subjects.declared import mode_for
from clmath.numbers.formats import FORMATS, format_named
from clmath.spec.limits import CORRECTLY_ROUNDED

if TYPE_CHECKING:
    from collections.abc import Iterator, Mapping

    from clmath.audit.subjects.declared import Declaration
    from clmath.numbers.rounding import Rounding

__all__ = ["mode_of", "refuse_contradictions"]

_ABILITIES = {"rte": "ROUND_TO_NEAREST", "rtz": "ROUND_TO_ZERO", "rtp": "ROUND_TO_INF", "rtn": "ROUND_TO_INF"}
_DIVIDES = "CORRECTLY_ROUNDED_DIVIDE_SQRT"


def refuse_contradictions(facts: Mapping[str, str], said: Declaration, call: str) -> None:
    """ClmathError where ``said`` contradicts the ``facts`` of a host, as far as these go."""
    for words, fact in _contradictions(facts, said):
        raise errors.ClmathError(
            f"{call}: {words} contradicts {DEVICE}, {fact}; leave {words.split()[0]} out, or correct the file if it is"
            " wrong"
        )


def mode_of(config: list[str]) -> Rounding:
    """The mode of a device with these abilities: rte, or rtz where it cannot round to nearest."""
    return "rte" if _ABILITIES["rte"] in config else "rtz"


def _contradictions(facts: Mapping[str, str], said: Declaration) -> Iterator[tuple[str, str]]:
    configs = {f.name: facts[f"{f} config"].split() for f in FORMATS if f"{f} config" in facts}
    for name, config in configs.items():
        where = f"where '{name} config' is '{' '.join(config)}'"
        if name in said.flushes and "DENORM" in config:
            yield f"--flushes {name}", f"{where}: with DENORM subnormal numbers are kept"
        if name in said.finite and "INF_NAN" in config:
            yield f"--no-infinities {name}", f"{where}: with INF_NAN there are infinities and NaN"
        mode = mode_for(said.mode, format_named(name, "--mode"))
        if mode and _ABILITIES[mode] not in config:
            yield f"--mode {said.mode}", f"{where}, without {_ABILITIES[mode]}"
        if mode and _is_of_host(facts) and mode != mode_of(config):
            yield f"--mode {said.mode}", f"{where}: host.c leaves a device in its own mode, {mode_of(config)}"
    if said.exact_divide and _is_of_host(facts):
        if _DIVIDES not in configs.get("float", [_DIVIDES]):
            yield "--exact-divide", f"where 'float config' is without {_DIVIDES}"
        elif CORRECTLY_ROUNDED not in facts.get("build options", "").split():
            yield "--exact-divide", f"where 'build options' is without {CORRECTLY_ROUNDED}, which asks a device for it"


def _is_of_host(facts: Mapping[str, str]) -> bool:
    """Whether ``host.c`` has asked an OpenCL device."""
    return facts.get("kind") == "opencl"
