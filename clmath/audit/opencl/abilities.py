"""Abilities that an OpenCL device reports for a format, as CL_DEVICE_SINGLE_FP_CONFIG, and what follows from them."""

from __future__ import annotations

from abc import ABC, abstractmethod
from typing import TYPE_CHECKING

from clmath.numbers.formats import FLOAT
from clmath.spec.limits import CORRECTLY_ROUNDED

if TYPE_CHECKING:
    from collections.abc import Sequence

    from clmath.numbers.formats import Format
    from clmath.numbers.rounding import Rounding

__all__ = ["ABILITIES", "DIVIDES", "OF_MODES", "Able", "mode_of"]

DIVIDES = "CORRECTLY_ROUNDED_DIVIDE_SQRT"
ABILITIES = ("DENORM", "INF_NAN", "ROUND_TO_NEAREST", "ROUND_TO_ZERO", "ROUND_TO_INF", "FMA", "SOFT_FLOAT", DIVIDES)
OF_MODES = {"rte": "ROUND_TO_NEAREST", "rtz": "ROUND_TO_ZERO", "rtp": "ROUND_TO_INF", "rtn": "ROUND_TO_INF"}


def mode_of(config: Sequence[str]) -> Rounding:
    """Return the mode of a device with these abilities: rte, or rtz if it cannot round to nearest."""
    return "rte" if OF_MODES["rte"] in config else "rtz"


class Able(ABC):
    """A target that reports abilities, and was built with options."""

    @abstractmethod
    def _config(self, form: Format) -> Sequence[str]:
        """Return the abilities for a format."""

    @abstractmethod
    def _built_with(self) -> Sequence[str]:
        """Return the build options of programs."""

    def flushes(self, form: Format) -> bool:
        """Whether the device may flush subnormals of ``form`` to zero: it does not report DENORM."""
        return "DENORM" not in self._config(form)

    def has_infinities(self, form: Format) -> bool:
        """Whether the device has infinities and NaN of ``form``: it reports INF_NAN."""
        return "INF_NAN" in self._config(form)

    def mode(self, form: Format) -> Rounding:
        """Return rte, or rtz if the device cannot round to nearest."""
        return mode_of(self._config(form))

    def build_options(self) -> tuple[str, ...]:
        """Return the build options of programs, without correct division if the device does not promise it."""
        promised = DIVIDES in self._config(FLOAT)
        return tuple(o for o in self._built_with() if promised or o != CORRECTLY_ROUNDED)
