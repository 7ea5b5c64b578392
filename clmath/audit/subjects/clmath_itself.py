"""clmath's own public functions as a subject: what every other subject should look like."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

import clmath
from clmath.audit.plan.rows import WIDTHS
from clmath.audit.protocol.subject import SubjectError
from clmath.audit.subjects.clmath_functions import function_of
from clmath.audit.subjects.host import Host, checked
from clmath.audit.subjects.wire import item_for
from clmath.errors import ClmathError

if TYPE_CHECKING:
    from clmath.numbers.formats import Format
    from clmath.spec.builtins import Builtin

__all__ = ["Clmath"]


class Clmath(Host):
    """The functions of this package, rounding to nearest even."""

    name = "clmath"
    widths = WIDTHS

    def describe(self) -> dict[str, str]:
        """The version."""
        return {"kind": "clmath", "version": clmath.__version__}

    def defines(self, row: Builtin, form: Format) -> bool:
        """Whether the package has the function for ``form``."""
        return row.takes(form.name) and function_of(row, form) is not None

    def evaluate(self, row: Builtin, form: Format, args: tuple[np.ndarray, ...]) -> tuple[np.ndarray, ...]:
        """Call the public function once on all lanes."""
        try:
            item = item_for(row, form, args)
            function = function_of(row, form, vector=item.vector > 1)
            assert function is not None  # as defines has found
            by_lane = (a[:, np.newaxis] if alone else a for a, alone in zip(args, item.shared, strict=True))
            return checked(self.name, row, form, args, function(*by_lane))
        except (AttributeError, ClmathError) as error:
            raise SubjectError(f"clmath: {error}") from None
