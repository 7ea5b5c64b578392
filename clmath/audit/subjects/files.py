"""Results in files as a subject: what a device that clmath cannot reach made of the inputs that it was given."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from clmath import errors
from clmath.audit.offline.folder import DEVICE, Folder, row_name, small_text
from clmath.audit.offline.stored import Stored
from clmath.audit.subject import SubjectError
from clmath.audit.subjects import wire
from clmath.audit.subjects.host import Host
from clmath.audit.subjects.kernel import EXTENSIONS
from clmath.numbers.formats import FORMATS, Format
from clmath.spec.limits import CORRECTLY_ROUNDED

if TYPE_CHECKING:
    from numpy.typing import NDArray

    from clmath.audit.offline.folder import Row
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = ["Files"]

_OURS = ("name", "asked", "chosen")  # facts of a report that are not the host's to say


class Files(Host):
    """The folder ``text``, which ``clmath inputs`` wrote and a host has filled; ``results/device.txt`` says of what."""

    def __init__(self, text: str, call: str = "clmath check") -> None:
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
        self._present = [row for row in rows if not self._is_absent(row)]
        self.profile = self._facts.get("profile") or "full"
        self.name = ": ".join(filter(None, map(self._facts.get, ("platform", "device")))) or f"files:{text}"
        self.widths = tuple(self._folder.made["plan"].get("widths", (1,)))
        self._stored: tuple[str, Stored] | None = None

    def describe(self) -> dict[str, str]:
        """What the host wrote about the device."""
        return {**self._facts, "kind": f"files of {self._facts.get('kind', 'a device')}"}

    def formats(self) -> tuple[Format, ...]:
        """Those that there are inputs for and, where the host tells, the device has."""
        given = {row.type for row in self._folder.rows.values()}
        extensions = self._facts.get("extensions")
        has = [f for f in FORMATS if f.name in given]
        return tuple(f for f in has if extensions is None or EXTENSIONS.get(f.name, "") in extensions)

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether inputs were written, and the host had something to run them on."""
        return any((known.builtin, known.type) == (row.name, form.name) for known in self._present)

    def flushes(self, form: Format) -> bool:
        """Whether the device does not keep subnormals: no DENORM in its line 'float config'; else it does."""
        return "DENORM" not in self._config(form, "DENORM")

    def has_infinities(self, form: Format) -> bool:
        """Whether the device has infinities and NaN: no INF_NAN in its line 'float config' says that it has none."""
        return "INF_NAN" in self._config(form, "INF_NAN")

    def mode(self, form: Format) -> Rounding:
        """rte, or rtz where the device says that it cannot round to nearest."""
        return "rte" if "ROUND_TO_NEAREST" in self._config(form, "ROUND_TO_NEAREST") else "rtz"

    def build_options(self) -> tuple[str, ...]:
        """What the host's programs were built with, but for correct division where the device does not promise it."""
        promised = "CORRECTLY_ROUNDED_DIVIDE_SQRT" in self._facts.get("float config", "")
        options = self._facts.get("build options", "").split()
        return tuple(o for o in options if promised or o != CORRECTLY_ROUNDED)

    def evaluate(self, row: Builtin, form: Format, args: tuple[NDArray[Any], ...]) -> tuple[NDArray[Any], ...]:
        """The results that stand in the files for these arguments."""
        name = row_name(wire.item_for(row, form, args))
        if name not in self._folder.rows:
            raise SubjectError(f"{name}: there are no inputs in {self._folder.path}; write them with 'clmath inputs'")
        if self._stored is None or self._stored[0] != name:
            if self._stored is not None:
                self._stored[1].close()
                self._stored = None
            self._stored = (name, Stored(self._folder, self._folder.rows[name]))
        return self._stored[1].results(args)

    def _is_absent(self, row: Row) -> bool:
        """Whether the host says that there is no such function; what else it says is looked at with the results."""
        try:
            return (small_text(self._folder.path, row.status, row.name) or "").split()[:1] == ["absent"]
        except errors.ClmathError:
            return False

    def _config(self, form: Format, default: str) -> list[str]:
        return self._facts.get(f"{form} config", default).split()
