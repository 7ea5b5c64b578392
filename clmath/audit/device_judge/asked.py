"""What a device is asked to judge: rows whose results can be told to conform without looking at edges and clauses."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import numpy as np

from clmath import ladder
from clmath.audit.inputs import is_swept
from clmath.audit.screen import is_screened
from clmath.kernels import Kernel
from clmath.spec.builtins import precise
from clmath.spec.edges import edges

if TYPE_CHECKING:
    from clmath.audit.law import Law
    from clmath.audit.plan import Item, Plan
    from clmath.numbers.rounding import Rounding

__all__ = ["Asked", "asked"]


@dataclass(frozen=True)
class Asked:
    """A row, the mode of the device, and the error that passes by every law: the upper half of a double, in ulp."""

    item: Item
    mode: Rounding
    allowed: int

    @property
    def kernel(self) -> Kernel:
        """What encloses the results of the row."""
        found = _kernel(self.item)
        assert found is not None
        return found


def asked(item: Item, law: Law, plan: Plan) -> Asked | None:
    """What is asked of a device about a row; None where the host has to judge it.

    All floats are tried, a kernel encloses all results, every edition in question gives a limit of so many ulp
    whatever the arguments, and what enclosures take for exact is right by its edges.
    """
    if not is_swept(item, plan) or item.columns != ("gentype",) or not is_screened(item, law):
        return None
    return judgeable(item, law)


def judgeable(item: Item, law: Law) -> Asked | None:
    """The same of a row whatever its inputs."""
    laws = (law, *law.others(item))
    least = [one.limit(item).least for one in laws]
    if _kernel(item) is None or any(not bound for bound in least):
        return None
    if any(one.edges(item) != edges(item.builtin.name) or one.waives("not finite", item) for one in laws):
        return None
    allowed = min(bound for bound in least if bound)
    return Asked(item, law.mode, int(np.float64(allowed).view(np.int64)) >> 32)


def _kernel(item: Item) -> Kernel | None:
    """The one kernel of a row, if there is one."""
    rung = ladder.rung(item.builtin.name, item.form)
    steps = rung.steps(precise(item.builtin.name)) if rung else ()
    first = steps[0] if len(steps) == 1 else None
    return first if isinstance(first, Kernel) else None
