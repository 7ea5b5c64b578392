"""Methods of a target that do not evaluate, answered from facts that the target provided when it was loaded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, cast

from clmath.numbers.formats import KNOWN

if TYPE_CHECKING:
    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding
    from clmath.spec.builtins import Builtin

__all__ = ["Described"]


class Described:
    """The methods of a target that do not evaluate."""

    _facts: dict[str, Any]

    def __getattr__(self, name: str) -> Any:
        """Return a plain attribute of the target itself, such as profile."""
        try:
            return self.__dict__["_facts"]["attributes"][name]
        except KeyError:
            raise AttributeError(f"{type(self).__name__} has no attribute {name!r}") from None

    def describe(self) -> dict[str, str]:
        """Return the target's description of itself."""
        return dict(self._facts["describe"])

    def formats(self) -> tuple[Format, ...]:
        """Return the formats of the target."""
        return tuple(f for f in KNOWN if f.name in self._facts["formats"])

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the target has ``row`` for ``form``."""
        return row.name in self._facts["defines"].get(form.name, ())

    def flushes(self, form: Format) -> bool:
        """Whether the target may flush subnormals of ``form``."""
        return bool(self._facts["formats"][form.name]["flushes"])

    def mode(self, form: Format) -> Rounding:
        """Return the default mode of the target."""
        return cast("Rounding", self._facts["formats"][form.name]["mode"])

    def mode_of(self, row: Builtin, form: Format) -> Rounding:
        """Return the mode in which ``row`` rounds."""
        return cast("Rounding", self._facts["formats"][form.name]["modes"].get(row.name, self.mode(form)))

    def has_infinities(self, form: Format) -> bool:
        """Whether the target has infinities and NaN of ``form``."""
        return bool(self._facts["formats"][form.name]["infinities"])

    def build_options(self) -> tuple[str, ...]:
        """Return the options with which kernels are built."""
        return tuple(self._facts["build options"])

    @property
    def widths(self) -> tuple[int, ...]:
        """The vector widths of the target."""
        return tuple(self._facts["widths"])

    @property
    def can_judge(self) -> bool:
        """Whether the target is a device that may judge its own results."""
        return bool(self._facts["judges"])
