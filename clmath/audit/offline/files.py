"""Result files as a target: the results of a device that clmath cannot reach, for inputs that it was given."""

from __future__ import annotations

import os
from collections.abc import Iterator, Mapping
from pathlib import Path

import numpy as np

from clmath import errors
from clmath.audit.offline.folder import DEVICE, FILES, row_name
from clmath.audit.offline.returned import Returned, refuse_strangers
from clmath.audit.opencl.abilities import DIVIDES, OF_MODES, Able, mode_of
from clmath.audit.opencl.kernel import EXTENSIONS
from clmath.audit.opencl.programs import padded
from clmath.audit.plan.item import Item
from clmath.audit.plan.rows import item_for
from clmath.audit.plan.types import TYPES
from clmath.audit.protocol.target import TargetError
from clmath.audit.targets.declared import NOTHING, Declaration, mode_for
from clmath.audit.targets.host import Host
from clmath.numbers.formats import FORMATS, Format, format_named
from clmath.spec.builtins import Builtin
from clmath.spec.limits import CORRECTLY_ROUNDED

_UNLESS_SAID = "DENORM INF_NAN ROUND_TO_NEAREST"  # abilities for a format without a line


def _refuse_contradictions(facts: Mapping[str, str], said: Declaration, call: str) -> None:
    """Raise ClmathError if ``said`` contradicts the ``facts`` of a host."""
    for words, fact in _contradictions(facts, said):
        raise errors.ClmathError(
            f"{call}: {words} contradicts {DEVICE}, {fact}; leave {words.split()[0]} out, or correct the file if it is"
            " wrong"
        )


def _contradictions(facts: Mapping[str, str], said: Declaration) -> Iterator[tuple[str, str]]:
    configs = {f.name: facts[f"{f} config"].split() for f in FORMATS if f"{f} config" in facts}
    for name, config in configs.items():
        where = f"where '{name} config' is '{' '.join(config)}'"
        if name in said.flushes and "DENORM" in config:
            yield f"--flushes {name}", f"{where}: with DENORM subnormal numbers are kept"
        if name in said.finite and "INF_NAN" in config:
            yield f"--no-infinities {name}", f"{where}: with INF_NAN there are infinities and NaN"
        mode = mode_for(said.mode, format_named(name, "--mode"))
        if mode and OF_MODES[mode] not in config:
            yield f"--mode {said.mode}", f"{where}, without {OF_MODES[mode]}"
        if mode and _is_of_host(facts) and mode != mode_of(config):
            yield f"--mode {said.mode}", f"{where}: host.c leaves a device in its own mode, {mode_of(config)}"
    if said.exact_divide and _is_of_host(facts):
        if DIVIDES not in configs.get("float", [DIVIDES]):
            yield "--exact-divide", f"where 'float config' is without {DIVIDES}"
        elif CORRECTLY_ROUNDED not in facts.get("build options", "").split():
            yield "--exact-divide", f"where 'build options' is without {CORRECTLY_ROUNDED}, which asks a device for it"


def _is_of_host(facts: Mapping[str, str]) -> bool:
    """Whether ``host.c`` has queried an OpenCL device."""
    return facts.get("kind") == "opencl"


class Files(Able, Host):
    """A folder that ``clmath inputs`` wrote and a host has filled, and perhaps the folder of its local search.

    ``text``: the path of the folder, or the paths of both, with a colon between them (on Windows a semicolon).
    """

    answers_once = True

    def __init__(self, text: str, call: str = "clmath check", declared: Declaration = NOTHING) -> None:
        paths = [text] if os.path.isdir(text) else text.split(os.pathsep)  # noqa: PTH112 - False for too long a name
        self._looks = [Returned(Path(path), call) for path in paths]
        refuse_strangers(self._looks, call)
        first = self._looks[0]
        self._facts, self._rows = first.facts, first.rows
        _refuse_contradictions(self._facts, declared, call)
        self._present = {(row.builtin, row.type) for row in self._rows}
        self.profile = self._facts.get("profile") or "full"
        self.name = ": ".join(filter(None, map(self._facts.get, ("platform", "device")))) or f"files:{text}"
        self.made = first.folder.made
        self.widths = tuple(sorted({row.item.vector for row in self._rows})) or (1,)
        self.absent = len(first.folder.rows) - len(self._rows)

    def around(self) -> dict[Item, tuple[int, ...]]:
        """Return for each case of the local search the arguments around which its inputs are sampled."""
        return {row.item: row.around for look in self._looks[1:] for row in look.folder.rows.values()}

    def describe(self) -> dict[str, str]:
        """Return the host's facts about the device, a digest of the results, and the number of absent cases."""
        kind = f"{FILES}{self._facts.get('kind', 'a device')}"
        absent = {"absent rows": str(self.absent)} if self.absent else {}
        return {**self._facts, **absent, "kind": kind, "results": " ".join(look.digest for look in self._looks)}

    def formats(self) -> tuple[Format, ...]:
        """Return the formats that the cases with results need, and the formats in the device's list of extensions."""
        needed = {name for row in self._rows for name in row.item.needs}
        if "extensions" in self._facts:
            has = ["", *self._facts["extensions"].split()]
            needed |= {f.name for f in FORMATS if EXTENSIONS.get(f.name, "") in has}
        return tuple(f for f in FORMATS if f.name in needed)

    def types(self) -> tuple[str, ...]:
        """Return the names of the types of cases that the device has."""
        formats = self.formats()
        given = {row.type for row in self._rows if row.item.is_offered(formats)}
        return tuple(name for name in TYPES if name in given)

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the folder has inputs for the case, and the host does not say that it is absent."""
        return (row.name, form.name) in self._present

    def prepare(self, item: Item) -> None:
        """Check the files of a case as a whole, which may take longer than to judge a chunk of them."""
        self._looks[0].looked_at(row_name(item))

    def evaluate(self, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Return the results for these arguments from the files."""
        item = item_for(row, form, args)
        name, kinds = row_name(item), [p.type for p in row.inputs]
        padded_args = [padded(item, kind, a) for kind, a in zip(kinds, args, strict=True)]
        for look in self._looks:
            found = look.results(name, padded_args)
            if found is not None:
                shapes = [shape for _, shape in item.layout(len(args[0]))]
                return tuple(_unpadded(r, shape) for r, shape in zip(found, shapes, strict=True))
        where = " or ".join(str(look.folder.path) for look in self._looks)
        raise TargetError(
            f"{name}: {len(args[0])} inputs are none of those in {where}, which clmath"
            f" {self.made['versions'].get('clmath', '?')} wrote; judge it with 'clmath check', by the version of clmath"
            " that wrote it"
        )

    def _built_with(self) -> list[str]:
        return self._facts.get("build options", "").split()

    def _config(self, form: Format) -> list[str]:
        return self._facts.get(f"{form} config", _UNLESS_SAID).split()


def _unpadded(values: np.ndarray, shape: tuple[int, ...]) -> np.ndarray:
    """Return vectors without padding: the first components, up to the number in ``shape``."""
    components = values.reshape(len(values), -1)[:, : shape[-1]] if len(shape) > 1 else values
    return np.ascontiguousarray(components.reshape(shape))
