"""Results in files as a subject: what a device that clmath cannot reach made of the inputs that it was given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from clmath import errors
from clmath.audit.exact.types import TYPES
from clmath.audit.offline.agreement import mode_of, refuse_contradictions
from clmath.audit.offline.folder import DEVICE, Folder, row_name, small_text
from clmath.audit.offline.stored import Stored
from clmath.audit.subject import SubjectError
from clmath.audit.subjects import wire
from clmath.audit.subjects.declared import NOTHING, Declaration
from clmath.audit.subjects.host import Host
from clmath.audit.subjects.kernel import EXTENSIONS
from clmath.audit.subjects.opencl_exact import padded
from clmath.numbers.formats import FORMATS, Format
from clmath.spec.limits import CORRECTLY_ROUNDED

if TYPE_CHECKING:
    from collections.abc import Iterator

    from numpy.typing import NDArray

    from clmath.audit.offline.folder import Row
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = ["Files"]

_OURS = ("name", "asked", "chosen")  # facts of a report that are not the host's to say


class Files(Host):
    """The folder ``text``, which ``clmath inputs`` wrote and a host has filled; ``results/device.txt`` says of what."""

    def __init__(self, text: str, call: str = "clmath check", declared: Declaration = NOTHING) -> None:
        self._folder = Folder.read(Path(text), call)
        told = small_text(self._folder.path, DEVICE, call)
        rows = self._folder.rows.values()
        if told is None and not any((self._folder.path / o.file).exists() for row in rows for o in row.results):
            raise errors.ClmathError(
                f"{call}: {text} holds no results; run its host, as {Path(text) / 'README.txt'} says"
            )
        lines = [line.partition(":") for line in (told or "").splitlines()]
        facts = {name.strip(): value.strip() for name, colon, value in lines if colon}
        self._facts = {name: value for name, value in facts.items() if name and name not in _OURS}
        refuse_contradictions(self._facts, declared, call)
        self._present = {(row.builtin, row.type) for row in rows if not self._is_absent(row)}
        self.profile = self._facts.get("profile") or "full"
        self.name = ": ".join(filter(None, map(self._facts.get, ("platform", "device")))) or f"files:{text}"
        self.widths = tuple(self._folder.made["plan"].get("widths", (1,)))
        self._stored: tuple[str, Stored] | None = None

    def describe(self) -> dict[str, str]:
        """What the host wrote about the device."""
        return {**self._facts, "kind": f"files of {self._facts.get('kind', 'a device')}"}

    def formats(self) -> tuple[Format, ...]:
        """Those that the device has, where the host tells, else those that rows with results need."""
        if "extensions" in self._facts:
            has = ["", *self._facts["extensions"].split()]
            return tuple(f for f in FORMATS if EXTENSIONS.get(f.name, "") in has)
        needed = {name for row in self._rows() for name in row.item.needs}
        return tuple(f for f in FORMATS if f.name in needed)

    def types(self) -> tuple[str, ...]:
        """The names of the types of rows that the device has."""
        formats = self.formats()
        given = {row.type for row in self._rows() if row.item.is_offered(formats)}
        return tuple(name for name in TYPES if name in given)

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether inputs were written, and the host had something to run them on."""
        return (row.name, form.name) in self._present

    def flushes(self, form: Format) -> bool:
        """Whether the device does not keep subnormals: no DENORM in its line 'float config'; else it does."""
        return "DENORM" not in self._config(form, "DENORM")

    def has_infinities(self, form: Format) -> bool:
        """Whether the device has infinities and NaN: no INF_NAN in its line 'float config' says that it has none."""
        return "INF_NAN" in self._config(form, "INF_NAN")

    def mode(self, form: Format) -> Rounding:
        """rte, or rtz where the device says that it cannot round to nearest."""
        return mode_of(self._config(form, "ROUND_TO_NEAREST"))

    def build_options(self) -> tuple[str, ...]:
        """What the host's programs were built with, but for correct division where the device does not promise it."""
        promised = "CORRECTLY_ROUNDED_DIVIDE_SQRT" in self._facts.get("float config", "")
        options = self._facts.get("build options", "").split()
        return tuple(o for o in options if promised or o != CORRECTLY_ROUNDED)

    def evaluate(self, row: Builtin, form: Format, args: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
        """The results that stand in the files for these arguments."""
        item = wire.item_for(row, form, args)
        name = row_name(item)
        if name not in self._folder.rows:
            raise SubjectError(f"{name}: there are no inputs in {self._folder.path}; write them with 'clmath inputs'")
        if self._stored is None or self._stored[0] != name:
            if self._stored is not None:
                self._stored[1].close()
                self._stored = None
            self._stored = (name, Stored(self._folder, self._folder.rows[name]))
        kinds = [p.type for p in row.inputs]
        found = self._stored[1].results([padded(item, kind, a) for kind, a in zip(kinds, args, strict=True)])
        shapes = [shape for _, shape in item.layout(len(args[0]))]
        return tuple(_unpadded(r, shape) for r, shape in zip(found, shapes, strict=True))

    def _rows(self) -> Iterator[Row]:
        """Those that are not absent."""
        return (row for row in self._folder.rows.values() if (row.builtin, row.type) in self._present)

    def _is_absent(self, row: Row) -> bool:
        """Whether the host says that there is no such function; what else it says is looked at with the results."""
        try:
            return (small_text(self._folder.path, row.status, row.name) or "").split()[:1] == ["absent"]
        except errors.ClmathError:
            return False

    def _config(self, form: Format, default: str) -> list[str]:
        return self._facts.get(f"{form} config", default).split()


def _unpadded(values: NDArray[Any], shape: tuple[int, ...]) -> NDArray[Any]:
    """The first lanes of vectors, as many as ``shape`` has."""
    lanes = values.reshape(len(values), -1)[:, : shape[-1]] if len(shape) > 1 else values
    return np.ascontiguousarray(lanes.reshape(shape))
