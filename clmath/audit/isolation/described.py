"""Facts that a target provides when it is loaded, with which the audit answers the methods that do not evaluate."""

from __future__ import annotations

from typing import TypedDict

from clmath.audit.device_judge.question import Judging
from clmath.audit.plan.types import TYPES
from clmath.audit.protocol.printable import printable
from clmath.audit.protocol.target import Expects, Storing, Target, has_infinities, mode_in, widths_of
from clmath.numbers.formats import KNOWN, Format
from clmath.numbers.rounding import Rounding
from clmath.spec.builtins import Builtin
from clmath.spec.families import audited_builtins, conversions_beyond


class Facts(TypedDict):
    """The answers of a target's methods that do not evaluate, and its plain attributes, in the form that is sent.

    ``flushes``, ``infinities``, ``mode`` and ``modes`` are by the names of formats; ``defines`` by the names of types.
    """

    name: str
    describe: dict[str, str]
    flushes: dict[str, bool]
    infinities: dict[str, bool]
    mode: dict[str, Rounding]
    modes: dict[str, dict[str, Rounding]]
    defines: dict[str, list[str]]
    options: list[str]
    widths: list[int]
    prepares: bool
    prepares_together: bool
    judges: bool
    stores: bool
    attributes: dict[str, str | bool | int | float]


def facts_of(target: Target) -> Facts:
    """Return the facts about a target."""
    rows, forms = (*audited_builtins(), *conversions_beyond().values()), target.formats()
    plain = {n: getattr(target, n) for n in dir(target) if not n.startswith("_")}
    return {
        "name": printable(target.name),
        "describe": {k: printable(v) for k, v in target.describe().items()},
        "flushes": {form.name: target.flushes(form) for form in forms},
        "infinities": {form.name: has_infinities(target, form) for form in forms},
        "mode": {form.name: target.mode(form) for form in forms},
        "modes": {
            form.name: {row.name: mode_in(target, row, form) for row in rows if row.takes(form.name)} for form in forms
        },
        "defines": {
            type.name: [row.name for row in rows if row.takes(type.name) and target.defines(row, type)]
            for type in TYPES.values()
        },
        "options": list(target.build_options()),
        "widths": list(widths_of(target)),
        "prepares": hasattr(target, "prepare"),
        "prepares_together": isinstance(target, Expects),
        "judges": isinstance(target, Judging),
        "stores": isinstance(target, Storing),
        "attributes": {n: v for n, v in plain.items() if isinstance(v, (str, bool, int, float))},
    }


class Described:
    """The methods of a target that do not evaluate."""

    _facts: Facts

    def __getattr__(self, name: str) -> str | bool | int | float:
        """Return a plain attribute of the target itself, such as profile."""
        known = self._facts["attributes"] if "_facts" in self.__dict__ else {}
        if name not in known:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}")
        return known[name]

    def describe(self) -> dict[str, str]:
        """Return the target's description of itself."""
        return dict(self._facts["describe"])

    def formats(self) -> tuple[Format, ...]:
        """Return the formats of the target."""
        return tuple(f for f in KNOWN if f.name in self._facts["mode"])

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the target has ``row`` for ``form``."""
        return row.name in self._facts["defines"].get(form.name, ())

    def flushes(self, form: Format) -> bool:
        """Whether the target may flush subnormals of ``form``."""
        return self._facts["flushes"][form.name]

    def mode(self, form: Format) -> Rounding:
        """Return the default mode of the target."""
        return self._facts["mode"][form.name]

    def mode_of(self, row: Builtin, form: Format) -> Rounding:
        """Return the mode in which ``row`` rounds."""
        return self._facts["modes"][form.name].get(row.name, self.mode(form))

    def has_infinities(self, form: Format) -> bool:
        """Whether the target has infinities and NaN of ``form``."""
        return self._facts["infinities"][form.name]

    def build_options(self) -> tuple[str, ...]:
        """Return the options with which kernels are built."""
        return tuple(self._facts["options"])

    @property
    def widths(self) -> tuple[int, ...]:
        """The vector widths of the target."""
        return tuple(self._facts["widths"])

    @property
    def can_judge(self) -> bool:
        """Whether the target is a device that may judge its own results."""
        return self._facts["judges"]
